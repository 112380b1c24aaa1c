/* The rows of the training options, and what is derived from them: checks, fingerprints, checksums. */
#include "nn/train/fingerprint.h"
#include "base/hash.h"
#include "base/text.h"
#include <math.h>
#include <string.h>

enum { MAX_LAYERS = 1 << 10, MAX_WIDTH = 1 << 20, MAX_COLUMNS = 1 << 20 };
static const double MAX_COUNT = 9007199254740992.0; /* doubles represent every count up to this one */

#define AT(member) offsetof(lm_training_options, member)
#define BOOL(part, member, words)                                                                                      \
    {                                                                                                                  \
#member, words, AT(part.member), LM_ROW_BOOL, 0, 1                                                             \
    }
#define NUMBER(member, kind, value, low, high, resumes, words, option, argument, help)                                 \
    {#member, resumes(words), AT(training.member), LM_ROW_##kind, low, high},
#define SAME(words) words
#define FREE(words) NULL

const lm_training_row lm_training_rows[LM_TRAINING_ROWS] = {
    {"model", "the model", AT(architecture.kind), LM_ROW_MODEL, 0, LEMAN_NETWORK_KIND_COUNT - 1},
    {"k", "k", AT(architecture.k), LM_ROW_UNSIGNED, 0, LM_NETWORK_MAX_K},
    {"preset", "the preset", AT(architecture.preset), LM_ROW_PRESET, 0, LEMAN_PRESET_COUNT - 1},
    {"layers", "layers", AT(architecture.layers), LM_ROW_COUNT, 0, MAX_LAYERS},
    {"width", "width", AT(architecture.width), LM_ROW_COUNT, 0, MAX_WIDTH},
    BOOL(details, own_fourth_layer, "a fourth layer of its own:"),
    BOOL(architecture, ignore_vertex_labels, "vertex labels ignored:"),
    BOOL(architecture, ignore_edge_labels, "edge labels ignored:"),
    BOOL(architecture, ignore_attributes, "attributes ignored:"),
    {"coordinates", "coordinates", AT(architecture.coordinates), LM_ROW_COUNT, 0, MAX_COLUMNS},
    {"first_coordinate", "first coordinate", AT(architecture.first_coordinate), LM_ROW_COUNT, 0, MAX_COLUMNS},
    {"run", "run", AT(training.run), LM_ROW_COUNT, 0, INFINITY},
    LEMAN_TRAINING_NUMBERS(NUMBER) /* one row for each number */
    {"loss", "the loss", AT(training.loss), LM_ROW_LOSS, 0, LEMAN_LOSS_COUNT - 1},
    BOOL(training, scale_targets, "scaled targets:"),
    BOOL(training, balanced_weights, "balanced class weights:"),
    BOOL(details, plateau_on_accuracy, "a rate that follows the accuracy:"),
    BOOL(details, best_must_improve, "only better epochs as the best:"),
    BOOL(architecture, in_arcs, "entering arcs as a second relation:"),
    {"schedule", "the schedule", AT(training.schedule), LM_ROW_SCHEDULE, 0, LEMAN_SCHEDULE_COUNT - 1},
    {"layer_parts", "parts of layers", AT(architecture.layer_parts), LM_ROW_UNSIGNED, 0, (1 << LEMAN_LAYER_PARTS) - 1}};

/* ---- Values ---------------------------------------------------------------------------------- */

double lm_training_value(const lm_training_options *o, const lm_training_row *row)
{
    const void *at = (const char *)o + row->offset;
    switch (row->kind) {
    case LM_ROW_BOOL: return *(const bool *)at;
    case LM_ROW_COUNT: return (double)*(const size_t *)at;
    case LM_ROW_REAL: return *(const double *)at;
    default: return *(const unsigned *)at;
    }
}

static void set_value(lm_training_options *o, const lm_training_row *row, double value)
{
    void *at = (char *)o + row->offset;
    switch (row->kind) {
    case LM_ROW_BOOL: *(bool *)at = value > 0; break;
    case LM_ROW_COUNT: *(size_t *)at = (size_t)value; break;
    case LM_ROW_REAL: *(double *)at = value; break;
    default: *(unsigned *)at = (unsigned)value;
    }
}
_Static_assert(sizeof(leman_network_kind) == sizeof(unsigned) && sizeof(leman_preset) == sizeof(unsigned) &&
                   sizeof(leman_loss) == sizeof(unsigned) && sizeof(leman_schedule) == sizeof(unsigned),
               "enums are read as unsigned");

const char *lm_training_value_name(const lm_training_row *row, double value)
{
    switch (row->kind) {
    case LM_ROW_MODEL: return leman_network_kind_name((leman_network_kind)value);
    case LM_ROW_PRESET: return leman_preset_name((leman_preset)value);
    case LM_ROW_LOSS: return leman_loss_name((leman_loss)value);
    case LM_ROW_SCHEDULE: return leman_schedule_name((leman_schedule)value);
    default: return NULL;
    }
}

const char *lm_training_value_text(const lm_training_row *row, double value, char *text, size_t size)
{
    const char *name = lm_training_value_name(row, value);
    if (row->kind == LM_ROW_BOOL) return value > 0 ? "yes" : "no";
    if (name) return name;
    lm_snprintf(text, size, "%.17g", value);
    return text;
}

/* Checks that the options of the schedule do not contradict each other. */
static leman_status check_schedule(leman_context *ctx, const lm_training_options *o)
{
    const leman_training *t = &o->training;
    const char *name = leman_schedule_name(t->schedule);
    if (t->epochs && t->warm_up >= t->epochs)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                       "found %zu epoch%s of warm-up, expected fewer than the %zu of the run", t->warm_up,
                       lm_plural(t->warm_up), t->epochs);
    if (t->min_learning_rate > t->learning_rate)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "min_learning_rate: found %g, expected at most %g, the learning rate",
                       t->min_learning_rate, t->learning_rate);
    if (t->min_learning_rate > 0 && t->schedule != LEMAN_SCHEDULE_COSINE)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                       "min_learning_rate: found %g and the schedule %s, expected the schedule cosine",
                       t->min_learning_rate, name);
    if (o->details.plateau_on_accuracy && t->schedule != LEMAN_SCHEDULE_PLATEAU)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                       "plateau_on_accuracy: found the schedule %s, expected the schedule plateau", name);
    return LEMAN_OK;
}

leman_status lm_training_check(leman_context *ctx, const lm_training_options *o)
{
    for (const lm_training_row *row = lm_training_rows + LM_ARCHITECTURE_ROWS; row->kind <= LM_ROW_REAL; row++) {
        const double value = lm_training_value(o, row);
        if (row->kind == LM_ROW_REAL && !(value >= row->low && value <= row->high))
            return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "%s: found %g, expected %g to %g", row->name, value, row->low,
                           row->high);
        if (value < row->low)
            return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "%s: found %g, expected at least %g", row->name, value, row->low);
    }
    return check_schedule(ctx, o);
}

/* ---- Fingerprints ---------------------------------------------------------------------------- */

lm_fingerprint lm_fingerprint_of(uint64_t seed, uint64_t data_checksum, const lm_training_options *options)
{
    const leman_training *t = &options->training;
    return (lm_fingerprint){
        .seed = seed,
        .data = data_checksum,
        .class_weights =
            t->class_weight ? lm_checksum(t->class_weight, t->class_weights * sizeof *t->class_weight, t->class_weights)
                            : 0,
        .options = *options};
}

leman_status lm_fingerprint_serialize(lm_serializer *serializer, lm_fingerprint *f)
{
    PASS(lm_serialize_word(serializer, &f->seed));
    for (size_t i = 0; i < LM_TRAINING_ROWS; i++) {
        const lm_training_row *row = lm_training_rows + i;
        double value = lm_training_value(&f->options, row);
        if (!row->words) continue;
        PASS(lm_serialize_real(serializer, &value));
        const double max = row->kind == LM_ROW_COUNT ? MAX_COUNT : row->high;
        if (!serializer->writing && row->kind != LM_ROW_REAL && !(value >= 0 && value <= max))
            return lm_serializer_fail(serializer, "found %g as %s, expected a count", value, row->name);
        set_value(&f->options, row, value);
    }
    PASS(lm_serialize_word(serializer, &f->class_weights));
    return lm_serialize_word(serializer, &f->data);
}

leman_status lm_fingerprint_compare(const lm_serializer *serializer, const lm_fingerprint *found,
                                    const lm_fingerprint *expected)
{
    if (found->seed != expected->seed)
        return lm_serializer_fail(serializer, "was trained with seed %llu, expected %llu",
                                  (unsigned long long)found->seed, (unsigned long long)expected->seed);
    for (const lm_training_row *row = lm_training_rows; row < lm_training_rows + LM_TRAINING_ROWS; row++) {
        const double value = lm_training_value(&found->options, row), own = lm_training_value(&expected->options, row);
        char text[2][32];
        if (row->words && !(value >= own && value <= own))
            return lm_serializer_fail(serializer, "was trained with %s %s, expected %s", row->words,
                                      lm_training_value_text(row, value, text[0], sizeof text[0]),
                                      lm_training_value_text(row, own, text[1], sizeof text[1]));
    }
    if (found->class_weights != expected->class_weights)
        return lm_serializer_fail(serializer, "was trained with other class weights");
    if (found->data != expected->data) return lm_serializer_fail(serializer, "was trained on other data");
    return LEMAN_OK;
}

leman_status lm_architecture_serialize(lm_serializer *serializer, leman_architecture *architecture,
                                       bool *own_fourth_layer, leman_level *level)
{
    enum {
        PARTS = 1 << LEMAN_LAYER_PARTS,
        SETS = LEMAN_PAIR_ENCODING_NONE, /* of encodings but "none" */
        NUMBERS = 1024,
        TUPLES = LM_NETWORK_MAX_K
    };
    const size_t encodings = (size_t)PARTS * SETS * NUMBERS * NUMBERS;
    _Static_assert(LEMAN_PAIR_ENCODING_MAX < NUMBERS, "the numbers of encodings fit");
    lm_training_options o = {.architecture = *architecture, .details.own_fourth_layer = *own_fourth_layer};
    for (const lm_training_row *row = lm_training_rows; row < lm_training_rows + LM_ARCHITECTURE_ROWS; row++) {
        size_t value = (size_t)lm_training_value(&o, row);
        PASS(lm_serialize_size(serializer, &value, (size_t)row->high));
        set_value(&o, row, (double)value);
    }
    size_t flags = o.architecture.in_arcs + /* older files have the first, or the first two */
                   2 * ((size_t)o.architecture.attributes + LEMAN_ATTRIBUTE_USE_COUNT * (size_t)*level);
    PASS(lm_serialize_size(serializer, &flags, 2 * LEMAN_ATTRIBUTE_USE_COUNT * LEMAN_LEVEL_COUNT - 1));
    o.architecture.in_arcs = flags % 2;
    o.architecture.attributes = (leman_attribute_use)(flags / 2 % LEMAN_ATTRIBUTE_USE_COUNT);
    *level = (leman_level)(flags / 2 / LEMAN_ATTRIBUTE_USE_COUNT);
    leman_architecture *a = &o.architecture;
    size_t parts = a->layer_parts + PARTS * (a->encodings % SETS + SETS * (a->distance + NUMBERS * a->walk));
    parts += encodings * (a->components + TUPLES * (a->encodings / SETS));
    PASS(lm_serialize_size(serializer, &parts,
                           2 * encodings * TUPLES - 1)); /* older files have the first of these numbers */
    a->layer_parts = (unsigned)(parts % PARTS);
    a->encodings = (unsigned)(parts / PARTS % SETS + parts / encodings / TUPLES * SETS);
    a->distance = parts / PARTS / SETS % NUMBERS;
    a->walk = parts / PARTS / SETS / NUMBERS % NUMBERS;
    a->components = parts / encodings % TUPLES;
    *architecture = o.architecture;
    *own_fourth_layer = o.details.own_fourth_layer;
    return LEMAN_OK;
}

uint64_t lm_training_checksum(const lm_training_options *o, const leman_parts *parts)
{
    const leman_training *t = &o->training;
    const uint64_t others[] = {(uint64_t)o->architecture.attributes,
                               o->architecture.encodings,
                               o->architecture.distance,
                               o->architecture.walk,
                               t->classes,
                               t->checkpoint != NULL,
                               t->resume,
                               (uint64_t)t->score,
                               (uint64_t)t->level,
                               t->initial_weights,
                               t->targets ? t->target_count : 0,
                               t->tasks ? t->task_count : 0,
                               parts->count[0],
                               parts->count[1],
                               parts->count[2]};
    uint64_t sum = lm_checksum(others, sizeof others, 0);
    for (size_t i = 0; i < LM_TRAINING_ROWS; i++) {
        const double value = lm_training_value(o, lm_training_rows + i);
        sum = lm_checksum(&value, sizeof value, sum);
    }
    if (t->targets) sum = lm_checksum(t->targets, t->target_count * sizeof *t->targets, sum);
    if (t->tasks) sum = lm_checksum(t->tasks, t->task_count * sizeof *t->tasks, sum);
    if (t->class_weight) sum = lm_checksum(t->class_weight, t->class_weights * sizeof *t->class_weight, sum);
    if (o->architecture.components) sum = lm_checksum(&o->architecture.components, sizeof(size_t), sum);
    const size_t graphs = parts->count[0] + parts->count[1] + parts->count[2];
    return lm_checksum(parts->graph, graphs * sizeof *parts->graph, sum);
}
