/*
 * What a network learns from a data set: the classes, columns of targets or tasks that are its outputs, their names,
 * and the labels of the graphs, vertices or edges as they are learned. O(rows * outputs).
 */
#include "base/drop.h"
#include "base/sort.h"
#include "graph/dataset.h"
#include "nn/network.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Classes and columns --------------------------------------------------------------------- */

/* Fails unless the training and the validation part both have known labels; known[] is how many of them have one. */
static leman_status require_known(leman_context *ctx, const leman_dataset *data, const size_t known[2],
                                  const char *what)
{
    for (int part = 0; part < 2; part++)
        if (!known[part])
            return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found no %s in the %s part, expected at least one", data->name,
                           what, part ? "validation" : "training");
    return LEMAN_OK;
}

/* The different classes of all graphs, increasing. Some graphs may have no class. */
static leman_status find_classes(leman_context *ctx, leman_network *network, const leman_dataset *data,
                                 const leman_parts *parts)
{
    size_t known = 0, count = 0, of_part[2] = {0};
    PASS_NEW(ctx, network->class_label, data->graphs);
    for (size_t g = 0; g < data->graphs; g++)
        if (data->class_label[g] != LEMAN_CLASS_MISSING) network->class_label[known++] = data->class_label[g];
    qsort(network->class_label, known, sizeof *network->class_label, lm_compare_int64);
    for (size_t i = 0; i < known; i++)
        if (!i || network->class_label[i] != network->class_label[i - 1])
            network->class_label[count++] = network->class_label[i];
    network->outputs = count;
    if (count < 2)
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found %zu class%s, expected at least two", data->name, count,
                       lm_plural_of(count, "", "es"));
    for (size_t i = 0; i < parts->count[0] + parts->count[1]; i++)
        of_part[i >= parts->count[0]] += data->class_label[parts->graph[i]] != LEMAN_CLASS_MISSING;
    PASS(require_known(ctx, data, of_part, "graph with a class"));
    if (known < data->graphs)
        lm_log(ctx, "%s: %zu of %zu graph%s have no class and are ignored", data->name, data->graphs - known,
               data->graphs, lm_plural(data->graphs));
    return LEMAN_OK;
}

/* The columns that are learned: of targets, or of the attributes of vertices or edges. */
typedef struct learned {
    const leman_dataset *data;
    leman_level level;
    const double *value; /* [rows][columns] */
    size_t columns;
    const leman_parts *parts; /* of rows */
} learned;

/* Names a column of the level for messages. */
static const char *shown_column(const learned *l, size_t column, char *text, size_t size)
{
    size_t length = 0;
    const char *name = l->level ? "" : leman_dataset_target_name(l->data, column, &length);
    if (l->level)
        snprintf(text, size, "%s attribute %zu", leman_level_name(l->level), column);
    else
        snprintf(text, size, length ? "target %zu (%.*s)" : "target %zu", column, (int)length, name);
    return text;
}

static size_t known_in(const learned *l, size_t column, const uint32_t *row, size_t count)
{
    size_t known = 0;
    for (size_t i = 0; i < count; i++) known += isnan(l->value[row[i] * l->columns + column]) == 0;
    return known;
}

/* The target may be missing in some rows, but not in all training rows. The validation part must have some target. */
static leman_status require_target(leman_context *ctx, const learned *l, size_t column)
{
    static const char *const ROWS[LEMAN_LEVEL_COUNT] = {"graphs", "vertices", "arcs"};
    const size_t rows = lm_level_rows(l->level, l->data);
    size_t known[2] = {known_in(l, column, l->parts->graph, l->parts->count[0]), 1}, missing = 0;
    char shown[96], value[112];
    snprintf(value, sizeof value, "value of %s", shown_column(l, column, shown, sizeof shown));
    for (size_t r = 0; r < rows; r++) missing += isnan(l->value[r * l->columns + column]) != 0;
    PASS(require_known(ctx, l->data, known, value));
    if (missing)
        lm_log(ctx, "%s: %zu of %zu %s have no %s and take no part in learning it", l->data->name, missing, rows,
               ROWS[l->level], value);
    return LEMAN_OK;
}

/* The listed columns, or all if none is listed. */
static leman_status find_columns(leman_context *ctx, leman_network *network, const learned *l, const size_t *listed,
                                 size_t count)
{
    const leman_parts *parts = l->parts;
    size_t known[2] = {1, 0};
    char shown[96];
    network->outputs = listed ? count : l->columns;
    if (!network->outputs) return lm_fail(ctx, LEMAN_ERROR_INPUT, "found no target to learn, expected at least one");
    PASS_NEW(ctx, network->column, network->outputs);
    for (size_t t = 0; t < network->outputs; t++) {
        const size_t column = network->column[t] = listed ? listed[t] : t;
        if (!l->columns)
            return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found no targets, expected column %zu", l->data->name, column);
        if (column >= l->columns)
            return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: expected a column from 0 to %zu",
                           shown_column(l, column, shown, sizeof shown), l->columns - 1);
        for (size_t before = 0; l->level && before < t; before++)
            if (network->column[before] == column)
                return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "found %s twice, expected each column once",
                               shown_column(l, column, shown, sizeof shown));
        PASS(require_target(ctx, l, column));
        known[1] += known_in(l, column, parts->graph + parts->count[0], parts->count[1]);
    }
    return require_known(ctx, l->data, known, "graph with a target");
}

/* ---- Names ----------------------------------------------------------------------------------- */

leman_status lm_network_allocate_names(leman_context *ctx, leman_network *network)
{
    PASS_NEW_ZERO(ctx, network->name, network->outputs);
    return LEMAN_OK;
}

/* The names of the classes, if the data has them as words. */
static leman_status name_classes(leman_context *ctx, leman_network *network, const leman_dataset *data)
{
    size_t length, named = 0;
    for (size_t c = 0; c < network->outputs; c++) {
        leman_dataset_class_name(data, network->class_label[c], &length);
        named += length != 0;
    }
    if (!named) return LEMAN_OK;
    PASS(lm_network_allocate_names(ctx, network));
    for (size_t c = 0; c < network->outputs; c++) {
        const char *name = leman_dataset_class_name(data, network->class_label[c], &length);
        PASS(lm_copy_text(ctx, name, length, network->name + c));
    }
    return LEMAN_OK;
}

/* The names of the targets, if the data has them. */
static leman_status name_targets(leman_context *ctx, leman_network *network, const leman_dataset *data)
{
    size_t length, named = 0;
    for (size_t t = 0; t < network->outputs; t++) {
        leman_dataset_target_name(data, network->column[t], &length);
        named += length != 0;
    }
    if (!named) return LEMAN_OK;
    PASS(lm_network_allocate_names(ctx, network));
    for (size_t t = 0; t < network->outputs; t++) {
        const char *name = leman_dataset_target_name(data, network->column[t], &length);
        PASS(lm_copy_text(ctx, name, length, network->name + t));
    }
    return LEMAN_OK;
}

/* ---- Several tasks --------------------------------------------------------------------------- */

/* Finds the two classes of a column, the smaller first. Fails if there are more or fewer. */
static leman_status find_labels(leman_context *ctx, const leman_dataset *data, size_t column, const char *name,
                                int64_t label[2])
{
    size_t found = 0;
    for (size_t g = 0; g < data->graphs; g++) {
        int64_t own;
        PASS(lm_target_class(ctx, data, g, column, &own));
        if (own == LEMAN_CLASS_MISSING || (found && own == label[0]) || (found > 1 && own == label[1])) continue;
        if (found < 2) label[found] = own;
        found++;
    }
    if (found != 2)
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found %s in target %s, expected two in each of several tasks",
                       data->name,
                       !found      ? "no class"
                       : found < 2 ? "1 class"
                                   : "more than 2 classes",
                       name);
    qsort(label, 2, sizeof *label, lm_compare_int64);
    return LEMAN_OK;
}

static leman_status find_tasks(leman_context *ctx, leman_network *network, const learned *l,
                               const leman_training *training)
{
    const leman_dataset *data = l->data;
    PASS(find_columns(ctx, network, l, training->tasks, training->task_count));
    PASS(lm_network_allocate_names(ctx, network));
    PASS_NEW(ctx, network->task_label, 2 * network->outputs);
    for (size_t t = 0; t < network->outputs; t++) {
        size_t length;
        char number[24];
        const char *name = leman_dataset_target_name(data, network->column[t], &length);
        snprintf(number, sizeof number, "%zu", network->column[t]);
        PASS(lm_copy_text(ctx, length ? name : number, length ? length : strlen(number), network->name + t));
        PASS(find_labels(ctx, data, network->column[t], network->name[t], network->task_label + 2 * t));
    }
    return LEMAN_OK;
}

/* ---- All of them ----------------------------------------------------------------------------- */

lm_learned lm_learned_of(const leman_dataset *data, const lm_training_options *options)
{
    const leman_columns *columns = leman_dataset_shape(data)->columns;
    const leman_training *training = &options->training;
    const bool for_targets = columns->targets && options->architecture.preset != LEMAN_PRESET_TU;
    if (training->level) return LM_LEARN_TARGETS;
    if (training->tasks) return LM_LEARN_TASKS;
    if (training->classes) return LM_LEARN_CLASSES;
    return !training->targets && !for_targets && (columns->classes || !columns->targets) ? LM_LEARN_CLASSES
                                                                                         : LM_LEARN_TARGETS;
}

leman_status lm_outputs_find(leman_context *ctx, leman_network *network, const leman_dataset *data,
                             const leman_parts *parts, const lm_training_options *options)
{
    const leman_training *training = &options->training;
    const lm_learned what = lm_learned_of(data, options);
    AUTO(lm_row_list_free) lm_row_list rows = {0};
    AUTO(leman_parts_drop) leman_parts *row_parts = NULL;
    learned l = {.data = data, .level = training->level};
    if (what == LM_LEARN_CLASSES && data->columns.classes) {
        PASS(find_classes(ctx, network, data, parts));
        return name_classes(ctx, network, data);
    }
    l.value = lm_level_values(l.level, data, &l.columns);
    if (what == LM_LEARN_CLASSES || !l.columns)
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: has no %s%s to learn", data->name,
                       l.level ? leman_level_name(l.level) : "",
                       l.level                    ? " attributes"
                       : what == LM_LEARN_CLASSES ? "classes"
                                                  : "targets");
    PASS(lm_row_list_new(ctx, data, l.level, &rows));
    PASS(lm_row_list_parts(ctx, &rows, parts, &row_parts));
    l.parts = row_parts;
    if (what == LM_LEARN_TASKS) return find_tasks(ctx, network, &l, training);
    PASS(find_columns(ctx, network, &l, training->targets, training->target_count));
    if (!l.level) PASS(name_targets(ctx, network, data));
    return lm_scale_measure(ctx, l.value, l.columns, network->column, network->outputs, row_parts->graph,
                            row_parts->count[0], training->scale_targets, &network->scale);
}

/* ---- Labels ---------------------------------------------------------------------------------- */

/* Returns a target of a row as it is learned; NAN: missing. */
static double learned_target(const leman_network *network, size_t t, double value)
{
    if (!network->task_label) return lm_scale_in(&network->scale, t, value);
    return isnan(value) ? value : value >= (double)network->task_label[2 * t + 1];
}

leman_status lm_labels_compute(leman_context *ctx, const leman_network *network, const leman_dataset *data,
                               lm_labels *out)
{
    size_t columns;
    const size_t rows = lm_level_rows(network->level, data), outputs = network->outputs;
    const double *value = lm_level_values(network->level, data, &columns);
    const int64_t *label = data->class_label;
    lm_labels labels = {0};
    size_t numbers;
    if (network->class_label) {
        PASS_NEW(ctx, labels.class_id, data->graphs);
        for (size_t g = 0; g < data->graphs; g++) {
            const int64_t *found = bsearch(label + g, network->class_label, outputs, sizeof *label, lm_compare_int64);
            labels.class_id[g] = found ? (uint32_t)(found - network->class_label) : LM_NO_TYPE;
            labels.missing += found == NULL;
        }
    } else {
        if (!lm_multiply(rows, outputs, &numbers)) numbers = SIZE_MAX;
        PASS_NEW(ctx, labels.target, numbers);
        for (size_t r = 0; r < rows; r++)
            for (size_t t = 0; t < outputs; t++)
                labels.target[r * outputs + t] = learned_target(network, t, value[r * columns + network->column[t]]);
    }
    *out = labels;
    return LEMAN_OK;
}

void lm_labels_free(lm_labels *labels)
{
    RELEASE(labels->target, labels->class_id);
    *labels = (lm_labels){0};
}
