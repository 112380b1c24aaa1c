/* Trained networks (network.h): encoding and program from data and options. O(graphs), apart from determining the
 * types. */
#include "nn/network.h"
#include "base/drop.h"
#include "graph/dataset.h"
#include "io/reading.h"

leman_status lm_network_new(leman_context *ctx, leman_network **out)
{
    leman_network *network;
    PASS_NEW(ctx, network, 1);
    *network = (leman_network){.architecture = leman_architecture_default()};
    *out = network;
    return LEMAN_OK;
}

void leman_network_free(leman_network *network)
{
    if (!network) return;
    lm_program_free(network->program);
    lm_encoding_free(network->encoding);
    lm_scale_free(&network->scale);
    for (size_t i = 0; network->name && i < network->outputs; i++) lm_release(network->name[i]);
    RELEASE(network->name, network->task_label, network->class_label, network->column, network->weights);
    lm_run_record_free(&network->record);
    RELEASE(network->order, network);
}

void lm_run_record_free(lm_run_record *r)
{
    lm_release(r->data_name);
    lm_vector_release(&r->class_weight);
    lm_vector_release(&r->epochs);
    lm_vector_release(&r->scores);
    lm_vector_release(&r->errors);
}

void lm_network_set_record(leman_network *network, lm_run_record *record)
{
    lm_run_record *r = &network->record;
    const leman_training *t = &r->fingerprint.options.training;
    *r = *record;
    *record = (lm_run_record){.best = SIZE_MAX};
    network->checkpoint = (leman_checkpoint){.data_name = r->data_name,
                                             .count = {r->count[0], r->count[1], r->count[2]},
                                             .data_checksum = r->fingerprint.data,
                                             .seed = r->fingerprint.seed,
                                             .run = t->run,
                                             .batch_size = t->batch_size,
                                             .patience = t->patience,
                                             .learning_rate = t->learning_rate,
                                             .weight_decay = t->weight_decay,
                                             .max_gradient_norm = t->max_gradient_norm,
                                             .next_learning_rate = lm_schedule_rate(&r->schedule, r->epochs.count + 1),
                                             .epochs = r->epochs.count,
                                             .epoch = r->epochs.items,
                                             .score = r->scores.items,
                                             .best = r->best,
                                             .balanced_weights = t->balanced_weights,
                                             .class_weights = r->fingerprint.class_weights != 0,
                                             .schedule = t->schedule,
                                             .planned_epochs = (size_t)r->schedule.epochs,
                                             .warm_up = t->warm_up,
                                             .min_learning_rate = t->min_learning_rate,
                                             .plateau_on_accuracy = r->fingerprint.options.details.plateau_on_accuracy,
                                             .class_weight = r->class_weight.count ? r->class_weight.items : NULL,
                                             .class_weight_count = r->class_weight.count};
    network->shape.checkpoint = &network->checkpoint;
}

/* The architecture and its outputs as the options of nn/model.h. */
static lm_model_options options_of(const leman_network *network)
{
    static const lm_operation LOSS[] = {[LEMAN_LOSS_L1] = LM_OP_L1, [LEMAN_LOSS_L2] = LM_OP_SQUARE};
    const lm_operation of_labels = network->task_label ? LM_OP_BINARY_CROSS_ENTROPY : LM_OP_CROSS_ENTROPY;
    return (lm_model_options){.shape = network->architecture,
                              .outputs = network->outputs,
                              .level = network->level,
                              .directed = network->encoding && network->encoding->directed,
                              .loss = lm_network_learned(network) ? of_labels : LOSS[network->loss],
                              .own_fourth_layer = network->own_fourth_layer};
}

/* Sets all members of the shape but the best epoch. */
static void set_shape(leman_network *network)
{
    leman_network_shape *shape = &network->shape;
    shape->architecture = &network->architecture;
    shape->parameters = network->program->trainable;
    shape->types = network->encoding->widths.types;
    for (size_t i = 0; i < LM_LISTS; i++) shape->types += network->encoding->widths.set_types[i];
    shape->outputs = network->outputs;
    shape->class_label = network->class_label;
    shape->target = network->column;
    shape->directed = network->encoding->directed;
    shape->loss = network->loss;
    shape->class_name = network->class_label ? (const char *const *)network->name : NULL;
    shape->task_label = network->task_label;
    shape->task_name = network->task_label ? (const char *const *)network->name : NULL;
    shape->target_name = network->class_label || network->task_label ? NULL : (const char *const *)network->name;
    shape->vertex_attributes = network->encoding->columns.vertex_attributes;
    shape->edge_attributes = network->encoding->columns.edge_attributes;
    shape->selected_by = network->selected_by;
    shape->precision = network->precision;
    shape->level = network->level;
}

const leman_network_shape *leman_network_describe(const leman_network *network)
{
    return network ? &network->shape : NULL;
}

leman_status lm_network_normalize(leman_context *ctx, leman_network *network, lm_encoding_options *encoding)
{
    lm_model_options options = options_of(network);
    PASS(lm_model_normalize(ctx, &options));
    network->architecture = options.shape;
    *encoding = lm_model_encoding(&options);
    return LEMAN_OK;
}

leman_status lm_network_build(leman_context *ctx, leman_network *network)
{
    const lm_model_options options = options_of(network);
    PASS(lm_model_build(ctx, &options, &network->encoding->widths, &network->program));
    set_shape(network);
    return LEMAN_OK;
}

leman_status lm_network_allocate(leman_context *ctx, leman_network *network)
{
    PASS_NEW_ZERO(ctx, network->weights, network->program->numbers);
    return LEMAN_OK;
}

/* ---- Of data --------------------------------------------------------------------------------- */

size_t leman_network_rows(const leman_network *network, const leman_dataset *data)
{
    return network && data ? lm_level_rows(network->level, data) : 0;
}

leman_status lm_network_inputs(leman_context *ctx, const leman_network *network, const leman_dataset *data,
                               leman_dataset **made)
{
    size_t columns, read;
    PASS(lm_reading_check(ctx, data->name, data->reading, network->shape.reading, "as the network was trained on"));
    if (!network->level) return LEMAN_OK;
    lm_level_values(network->level, data, &columns);
    if (network->encoding) {
        const leman_columns *c = &network->encoding->columns;
        read = network->level == LEMAN_LEVEL_EDGE ? c->edge_attributes : c->vertex_attributes;
        if (columns == read) return LEMAN_OK;
    }
    for (size_t t = 0; t < network->outputs; t++)
        if (network->column[t] >= columns) return LEMAN_OK; /* the encoding says what it expects */
    return lm_dataset_without(ctx, data, network->level, network->column, network->outputs, made);
}

leman_status lm_network_begin(leman_context *ctx, const leman_dataset *data, const leman_parts *parts,
                              const lm_training_options *o, leman_network **out)
{
    const size_t listed = parts->count[0] + parts->count[1] + parts->count[2];
    lm_encoding_options encoding;
    AUTO(leman_network_drop) leman_network *network = NULL;
    AUTO(leman_dataset_drop) leman_dataset *made = NULL;
    PASS(lm_network_new(ctx, &network));
    network->architecture = o->architecture;
    network->level = o->training.level;
    network->shape.reading = data->reading;
    network->architecture.in_arcs = o->architecture.in_arcs && data->directed;
    network->own_fourth_layer = o->details.own_fourth_layer;
    network->loss = o->training.loss;
    network->batch = o->training.batch_size;
    network->selected_by = o->training.score;
    PASS(lm_outputs_find(ctx, network, data, parts, o));
    PASS(lm_network_normalize(ctx, network, &encoding));
    PASS(lm_network_inputs(ctx, network, data, &made));
    if (made) data = made;
    const leman_columns read = lm_encoding_attributes(&encoding, &data->columns);
    if (encoding.beside && !read.vertex_attributes && !read.edge_attributes) {
        network->architecture.attributes = LEMAN_ATTRIBUTE_USE_NONE;
        encoding.beside = false;
    }
    PASS(lm_encoding_learn(ctx, data, parts->graph, listed, &encoding, &network->encoding));
    if (network->architecture.attributes == LEMAN_ATTRIBUTE_USE_STANDARDIZED)
        PASS(lm_encoding_standardize(ctx, network->encoding, data, parts->graph, parts->count[0]));
    PASS(lm_network_build(ctx, network));
    return HAND_OVER(out, network);
}
