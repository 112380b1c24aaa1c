/*
 * The fingerprint of a run of training, besides the parts of its data: written into its files, and compared when a run
 * is to resume from one. The message names the option that differs.
 */
#include "nn/train/fingerprint.h"
#include "base/hash.h"
#include "base/text.h"
#include <stdio.h>

typedef const char *name_function(int value);

/* The places of some options in the list, which are those in the file. */
enum { RUN = 11, BATCH_SIZE, LEARNING_RATE, PATIENCE, WEIGHT_DECAY, MAX_GRADIENT_NORM, BALANCED = 19, OPTIONS = 23 };

/* One option. Numbers are doubles, also in the file. */
typedef struct entry {
    const char *name;
    double value;
    name_function *value_name; /* NULL: a number */
} entry;

static const char *model(int value)
{
    return leman_network_kind_name((leman_network_kind)value);
}

static const char *preset(int value)
{
    return leman_preset_name((leman_preset)value);
}

static const char *yes_no(int value)
{
    return value ? "yes" : "no";
}

/* The name of an enum value, or the number. */
static const char *text_of(const entry *e, double value, char *text, size_t size)
{
    const char *name = e->value_name && value >= 0 && value < 64 ? e->value_name((int)value) : NULL;
    if (name) return name;
    lm_snprintf(text, size, "%.17g", value);
    return text;
}

static leman_status serialize_list(lm_serializer *serializer, const entry *list, size_t count)
{
    leman_status st = LEMAN_OK;
    for (size_t i = 0; i < count; i++) {
        double value = list[i].value;
        char found[32], expected[32];
        TRY(lm_serialize_real(serializer, &value));
        if (!(value >= list[i].value && value <= list[i].value))
            TRY(lm_serializer_fail(serializer, "was trained with %s %s, expected %s", list[i].name,
                                   text_of(list + i, value, found, sizeof found),
                                   text_of(list + i, list[i].value, expected, sizeof expected)));
    }
done:
    return st;
}

leman_status lm_fingerprint_serialize(lm_serializer *serializer, uint64_t seed, uint64_t data_checksum,
                                      const lm_training_options *o)
{
    leman_status st = LEMAN_OK;
    const leman_architecture *a = &o->architecture;
    const leman_training *t = &o->training;
    uint64_t found_seed = seed, found_data = data_checksum;
    const uint64_t weights =
        t->class_weight ? lm_checksum(t->class_weight, t->class_weights * sizeof *t->class_weight, t->class_weights)
                        : 0;
    uint64_t found_weights = weights;
    const entry list[] = {{"the model", a->kind, model},
                          {"k", a->k, NULL},
                          {"the preset", a->preset, preset},
                          {"layers", (double)a->layers, NULL},
                          {"width", (double)a->width, NULL},
                          {"a fourth layer of its own:", o->details.own_fourth_layer, yes_no},
                          {"vertex labels ignored:", a->ignore_vertex_labels, yes_no},
                          {"edge labels ignored:", a->ignore_edge_labels, yes_no},
                          {"attributes ignored:", a->ignore_attributes, yes_no},
                          {"coordinates", (double)a->coordinates, NULL},
                          {"first coordinate", (double)a->first_coordinate, NULL},
                          [RUN] = {"run", (double)t->run, NULL},
                          [BATCH_SIZE] = {"graphs in a batch", (double)t->batch_size, NULL},
                          [LEARNING_RATE] = {"learning rate", t->learning_rate, NULL},
                          [PATIENCE] = {"patience", (double)t->patience, NULL},
                          [WEIGHT_DECAY] = {"weight decay", t->weight_decay, NULL},
                          [MAX_GRADIENT_NORM] = {"clipping", t->max_gradient_norm, NULL},
                          [MAX_GRADIENT_NORM + 1] = {"squared loss:", t->loss == LEMAN_LOSS_L2, yes_no},
                          {"scaled targets:", t->scale_targets, yes_no},
                          [BALANCED] = {"balanced class weights:", t->balanced_weights, yes_no},
                          {"a rate that follows the accuracy:", o->details.plateau_on_accuracy, yes_no},
                          {"only better epochs as the best:", o->details.best_must_improve, yes_no},
                          {"entering arcs as a second relation:", a->in_arcs, yes_no}};
    _Static_assert(sizeof list / sizeof *list == OPTIONS, "as many as lm_fingerprint_read() reads");
    TRY(lm_serialize_word(serializer, &found_seed));
    if (found_seed != seed)
        TRY(lm_serializer_fail(serializer, "was trained with seed %llu, expected %llu", (unsigned long long)found_seed,
                               (unsigned long long)seed));
    TRY(serialize_list(serializer, list, sizeof list / sizeof *list));
    TRY(lm_serialize_word(serializer, &found_weights));
    if (found_weights != weights) TRY(lm_serializer_fail(serializer, "was trained with other class weights"));
    TRY(lm_serialize_word(serializer, &found_data));
    if (found_data != data_checksum) TRY(lm_serializer_fail(serializer, "was trained on other data"));
done:
    return st;
}

/* A count that is kept as a double. */
static leman_status count_of(lm_serializer *serializer, double value, size_t *count)
{
    static const double MAX = 9007199254740992.0;
    if (!(value >= 0 && value <= MAX)) return lm_serializer_fail(serializer, "found %g, expected a count", value);
    *count = (size_t)value;
    return LEMAN_OK;
}

leman_status lm_fingerprint_read(lm_serializer *serializer, lm_fingerprint *f)
{
    leman_status st = LEMAN_OK;
    double value[OPTIONS];
    uint64_t weights;
    TRY(lm_serialize_word(serializer, &f->seed));
    for (size_t i = 0; i < OPTIONS; i++) TRY(lm_serialize_real(serializer, value + i));
    TRY(lm_serialize_word(serializer, &weights));
    TRY(lm_serialize_word(serializer, &f->data_checksum));
    TRY(count_of(serializer, value[RUN], &f->run));
    TRY(count_of(serializer, value[BATCH_SIZE], &f->batch_size));
    TRY(count_of(serializer, value[PATIENCE], &f->patience));
    f->learning_rate = value[LEARNING_RATE];
    f->weight_decay = value[WEIGHT_DECAY];
    f->max_gradient_norm = value[MAX_GRADIENT_NORM];
    f->balanced_weights = value[BALANCED] > 0;
    f->class_weights = weights != 0;
done:
    return st;
}

uint64_t lm_training_checksum(const lm_training_options *o, const leman_parts *parts)
{
    const leman_architecture *a = &o->architecture;
    const leman_training *t = &o->training;
    const uint64_t whole[] = {(uint64_t)a->kind,
                              a->k,
                              (uint64_t)a->preset,
                              a->layers,
                              a->width,
                              a->ignore_vertex_labels,
                              a->ignore_edge_labels,
                              a->ignore_attributes,
                              a->coordinates,
                              a->first_coordinate,
                              a->in_arcs,
                              t->classes,
                              (uint64_t)t->loss,
                              t->scale_targets,
                              t->epochs,
                              t->batch_size,
                              t->patience,
                              t->run,
                              t->checkpoint != NULL,
                              t->resume,
                              t->balanced_weights,
                              (uint64_t)t->score,
                              t->initial_weights,
                              o->details.own_fourth_layer,
                              o->details.plateau_on_accuracy,
                              o->details.best_must_improve,
                              t->targets ? t->target_count : 0,
                              t->tasks ? t->task_count : 0,
                              parts->count[0],
                              parts->count[1],
                              parts->count[2]};
    const double real[] = {t->learning_rate, t->weight_decay, t->max_gradient_norm};
    uint64_t sum = lm_checksum(real, sizeof real, lm_checksum(whole, sizeof whole, 0));
    if (t->targets) sum = lm_checksum(t->targets, t->target_count * sizeof *t->targets, sum);
    if (t->tasks) sum = lm_checksum(t->tasks, t->task_count * sizeof *t->tasks, sum);
    if (t->class_weight) sum = lm_checksum(t->class_weight, t->class_weights * sizeof *t->class_weight, sum);
    const size_t graphs = parts->count[0] + parts->count[1] + parts->count[2];
    return lm_checksum(parts->graph, graphs * sizeof *parts->graph, sum);
}
