/* Trained networks: outputs, encoding and program from data and options; network.h. O(graphs) besides finding the
 * types. */
#include "nn/network.h"
#include "graph/dataset.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

leman_status lm_network_new(leman_context *ctx, leman_network **out)
{
    leman_status st = LEMAN_OK;
    leman_network *network;
    NEW(ctx, network, 1);
    *network = (leman_network){.allocator = ctx->allocator, .architecture = leman_architecture_default()};
    *out = network;
done:
    return st;
}

void leman_network_free(leman_network *network)
{
    if (!network) return;
    leman_context owner = {.allocator = network->allocator};
    lm_program_free(network->program);
    lm_encoding_free(network->encoding);
    lm_scale_free(&owner, &network->scale);
    lm_free(&owner, network->class_label);
    lm_free(&owner, network->column);
    lm_free(&owner, network->weights);
    lm_free(&owner, network);
}

/* The architecture and its outputs as nn/model.h wants them. */
static lm_model_options options_of(const leman_network *network)
{
    static const lm_operation LOSS[] = {[LEMAN_LOSS_L1] = LM_OP_L1, [LEMAN_LOSS_L2] = LM_OP_SQUARE};
    return (lm_model_options){.shape = network->architecture,
                              .outputs = network->outputs,
                              .loss = network->class_label ? LM_OP_CROSS_ENTROPY : LOSS[network->loss],
                              .own_fourth_layer = network->own_fourth_layer};
}

/* Files may hold an encoding that is not the architecture's. */
static bool same_encoding(const lm_encoding_options *a, const lm_encoding_options *b)
{
    return a->k == b->k && a->parts == b->parts && a->dense == b->dense && a->edges == b->edges &&
           a->joined == b->joined && a->ignore_vertex_labels == b->ignore_vertex_labels &&
           a->ignore_edge_labels == b->ignore_edge_labels && a->ignore_attributes == b->ignore_attributes &&
           a->coordinates == b->coordinates && a->first_coordinate == b->first_coordinate && a->rounds == b->rounds;
}

/* All but the best epoch. */
static void set_shape(leman_network *network)
{
    leman_network_shape *shape = &network->shape;
    shape->architecture = &network->architecture;
    shape->parameters = network->program->trainable;
    shape->types = network->encoding->widths.types;
    shape->outputs = network->outputs;
    shape->class_label = network->class_label;
    shape->target = network->column;
    shape->directed = network->encoding->directed;
    shape->loss = network->loss;
}

const leman_network_shape *leman_network_describe(const leman_network *network)
{
    return network ? &network->shape : NULL;
}

leman_status lm_network_build(leman_context *ctx, leman_network *network)
{
    leman_status st = LEMAN_OK;
    lm_model_options options = options_of(network);
    TRY(lm_model_normalize(ctx, &options));
    network->architecture = options.shape;
    const lm_encoding_options encoding = lm_model_encoding(&options);
    if (!same_encoding(&encoding, &network->encoding->options))
        FAIL(ctx, LEMAN_ERROR_INPUT, "found an encoding that the model %s does not read",
             leman_network_kind_name(options.shape.kind));
    TRY(lm_model_build(ctx, &options, &network->encoding->widths, NULL, &network->program));
    set_shape(network);
done:
    return st;
}

leman_status lm_network_allocate(leman_context *ctx, leman_network *network)
{
    leman_status st = LEMAN_OK;
    NEW(ctx, network->weights, network->program->numbers);
    memset(network->weights, 0, network->program->numbers * sizeof *network->weights);
done:
    return st;
}

/* ---- Outputs --------------------------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* The parts that a network is trained and selected with must have something to learn from. *known is how many of each
 * have it. */
static leman_status require_known(leman_context *ctx, const leman_dataset *data, const size_t known[2],
                                  const char *what)
{
    for (int part = 0; part < 2; part++)
        if (!known[part])
            return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found no %s in the %s part, expected at least one", data->name,
                           what, part ? "validation" : "training");
    return LEMAN_OK;
}

/* The different classes of all graphs, increasing; some graphs may have none. */
static leman_status find_classes(leman_context *ctx, leman_network *network, const leman_dataset *data,
                                 const leman_parts *parts)
{
    leman_status st = LEMAN_OK;
    size_t known = 0, count = 0, of_part[2] = {0};
    NEW(ctx, network->class_label, data->graphs);
    for (size_t g = 0; g < data->graphs; g++)
        if (data->class_label[g] != LEMAN_CLASS_MISSING) network->class_label[known++] = data->class_label[g];
    qsort(network->class_label, known, sizeof *network->class_label, by_value);
    for (size_t i = 0; i < known; i++)
        if (!i || network->class_label[i] != network->class_label[i - 1])
            network->class_label[count++] = network->class_label[i];
    network->outputs = count;
    if (count < 2)
        FAIL(ctx, LEMAN_ERROR_INPUT, "%s: found %zu class%s, expected at least two", data->name, count,
             lm_plural_of(count, "", "es"));
    for (size_t i = 0; i < parts->count[0] + parts->count[1]; i++)
        of_part[i >= parts->count[0]] += data->class_label[parts->graph[i]] != LEMAN_CLASS_MISSING;
    TRY(require_known(ctx, data, of_part, "graph with a class"));
    if (known < data->graphs)
        lm_log(ctx, "%s: %zu of %zu graph%s have no class and take no part", data->name, data->graphs - known,
               data->graphs, lm_plural(data->graphs));
done:
    return st;
}

/* Some graphs may be without the target, but not all that train. A part that validates has some target. */
static leman_status require_target(leman_context *ctx, const leman_dataset *data, size_t column,
                                   const leman_parts *parts)
{
    leman_status st = LEMAN_OK;
    size_t known[2] = {0, 1}, missing = 0, length;
    char shown[96];
    const char *name = leman_dataset_target_name(data, column, &length);
    snprintf(shown, sizeof shown, length ? "value of target %zu (%.*s)" : "value of target %zu", column, (int)length,
             name);
    for (size_t g = 0; g < data->graphs; g++) missing += isnan(data->target[g * data->columns.targets + column]) != 0;
    for (size_t i = 0; i < parts->count[0]; i++)
        known[0] += isnan(data->target[parts->graph[i] * data->columns.targets + column]) == 0;
    TRY(require_known(ctx, data, known, shown));
    if (missing)
        lm_log(ctx, "%s: %zu of %zu graph%s have no %s and take no part in learning it", data->name, missing,
               data->graphs, lm_plural(data->graphs), shown);
done:
    return st;
}

/* The columns that the training lists, or all. */
static leman_status find_columns(leman_context *ctx, leman_network *network, const leman_dataset *data,
                                 const leman_parts *parts, const leman_training *training)
{
    leman_status st = LEMAN_OK;
    const size_t columns = leman_dataset_shape(data)->columns->targets;
    size_t known[2] = {1, 0};
    network->outputs = training->targets ? training->target_count : columns;
    if (!network->outputs) FAIL(ctx, LEMAN_ERROR_INPUT, "found no target to learn, expected at least one");
    NEW(ctx, network->column, network->outputs);
    for (size_t t = 0; t < network->outputs; t++) {
        network->column[t] = training->targets ? training->targets[t] : t;
        if (!columns)
            FAIL(ctx, LEMAN_ERROR_INPUT, "%s: found no targets, expected column %zu", leman_dataset_shape(data)->name,
                 network->column[t]);
        if (network->column[t] >= columns)
            FAIL(ctx, LEMAN_ERROR_INPUT, "target %zu: expected a column from 0 to %zu", network->column[t],
                 columns - 1);
        TRY(require_target(ctx, data, network->column[t], parts));
        for (size_t i = 0; i < parts->count[1]; i++)
            known[1] += isnan(data->target[parts->graph[parts->count[0] + i] * columns + network->column[t]]) == 0;
    }
    TRY(require_known(ctx, data, known, "graph with a target"));
done:
    return st;
}

bool lm_learns_classes(const leman_dataset *data, const lm_training_options *options)
{
    const leman_columns *columns = leman_dataset_shape(data)->columns;
    const bool for_targets = columns->targets && options->architecture.preset != LEMAN_PRESET_TU;
    if (options->training.classes) return true;
    return !options->training.targets && !for_targets && (columns->classes || !columns->targets);
}

static leman_status find_outputs(leman_context *ctx, leman_network *network, const leman_dataset *data,
                                 const leman_parts *parts, const lm_training_options *options)
{
    leman_status st = LEMAN_OK;
    const leman_shape *shape = leman_dataset_shape(data);
    const bool classes = lm_learns_classes(data, options);
    if (classes ? !shape->columns->classes : !shape->columns->targets)
        FAIL(ctx, LEMAN_ERROR_INPUT, "%s: has no %s to learn", shape->name, classes ? "classes" : "targets");
    if (classes) return find_classes(ctx, network, data, parts);
    TRY(find_columns(ctx, network, data, parts, &options->training));
    TRY(lm_scale_measure(ctx, leman_dataset_targets(data), shape->columns->targets, network->column, network->outputs,
                         parts->graph, parts->count[0], options->training.scale_targets, &network->scale));
done:
    return st;
}

leman_status lm_network_begin(leman_context *ctx, const leman_dataset *data, const leman_parts *parts,
                              const lm_training_options *o, leman_network **out)
{
    leman_status st = LEMAN_OK;
    const size_t listed = parts->count[0] + parts->count[1] + parts->count[2];
    leman_network *network = NULL;
    TRY(lm_network_new(ctx, &network));
    network->architecture = o->architecture;
    network->own_fourth_layer = o->details.own_fourth_layer;
    network->loss = o->training.loss;
    network->batch = o->training.batch_size;
    TRY(find_outputs(ctx, network, data, parts, o));
    lm_model_options options = options_of(network);
    TRY(lm_model_normalize(ctx, &options));
    network->architecture = options.shape;
    const lm_encoding_options encoding = lm_model_encoding(&options);
    TRY(lm_encoding_learn(ctx, data, parts->graph, listed, &encoding, &network->encoding));
    TRY(lm_network_build(ctx, network));
    *out = network;
done:
    if (st) leman_network_free(network);
    return st;
}

/* ---- Labels ---------------------------------------------------------------------------------- */

leman_status lm_labels_compute(leman_context *ctx, const leman_network *network, const leman_dataset *data,
                               lm_labels *out)
{
    leman_status st = LEMAN_OK;
    const leman_shape *shape = leman_dataset_shape(data);
    const int64_t *label = leman_dataset_classes(data);
    const double *target = leman_dataset_targets(data);
    lm_labels labels = {0};
    size_t numbers;
    if (network->class_label) {
        NEW(ctx, labels.class_id, shape->graphs);
        for (size_t g = 0; g < shape->graphs; g++) {
            const int64_t *found = bsearch(label + g, network->class_label, network->outputs, sizeof *label, by_value);
            labels.class_id[g] = found ? (uint32_t)(found - network->class_label) : LM_NO_TYPE;
            labels.missing += found == NULL;
        }
    } else {
        if (!lm_multiply(shape->graphs, network->outputs, &numbers)) numbers = SIZE_MAX;
        NEW(ctx, labels.target, numbers);
        for (size_t g = 0; g < shape->graphs; g++)
            for (size_t t = 0; t < network->outputs; t++)
                labels.target[g * network->outputs + t] =
                    lm_scale_in(&network->scale, t, target[g * shape->columns->targets + network->column[t]]);
    }
    *out = labels;
done:
    return st;
}

void lm_labels_free(leman_context *ctx, lm_labels *labels)
{
    lm_free(ctx, labels->target);
    lm_free(ctx, labels->class_id);
    *labels = (lm_labels){0};
}
