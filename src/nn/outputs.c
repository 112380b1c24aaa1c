/*
 * What a network learns from a data set: the classes, columns of targets or tasks that are its outputs, their names,
 * and the labels of the graphs as they are learned. O(graphs * outputs).
 */
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

/* The target may be missing in some graphs, but not in all training graphs. The validation part must have some
 * target. */
static leman_status require_target(leman_context *ctx, const leman_dataset *data, size_t column,
                                   const leman_parts *parts)
{
    size_t known[2] = {0, 1}, missing = 0, length;
    char shown[96];
    const char *name = leman_dataset_target_name(data, column, &length);
    snprintf(shown, sizeof shown, length ? "value of target %zu (%.*s)" : "value of target %zu", column, (int)length,
             name);
    for (size_t g = 0; g < data->graphs; g++) missing += isnan(data->target[g * data->columns.targets + column]) != 0;
    for (size_t i = 0; i < parts->count[0]; i++)
        known[0] += isnan(data->target[parts->graph[i] * data->columns.targets + column]) == 0;
    PASS(require_known(ctx, data, known, shown));
    if (missing)
        lm_log(ctx, "%s: %zu of %zu graph%s have no %s and take no part in learning it", data->name, missing,
               data->graphs, lm_plural(data->graphs), shown);
    return LEMAN_OK;
}

/* The listed columns, or all if none is listed. */
static leman_status find_columns(leman_context *ctx, leman_network *network, const leman_dataset *data,
                                 const leman_parts *parts, const size_t *listed, size_t count)
{
    const size_t columns = data->columns.targets;
    size_t known[2] = {1, 0};
    network->outputs = listed ? count : columns;
    if (!network->outputs) return lm_fail(ctx, LEMAN_ERROR_INPUT, "found no target to learn, expected at least one");
    PASS_NEW(ctx, network->column, network->outputs);
    for (size_t t = 0; t < network->outputs; t++) {
        network->column[t] = listed ? listed[t] : t;
        if (!columns)
            return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found no targets, expected column %zu", data->name,
                           network->column[t]);
        if (network->column[t] >= columns)
            return lm_fail(ctx, LEMAN_ERROR_INPUT, "target %zu: expected a column from 0 to %zu", network->column[t],
                           columns - 1);
        PASS(require_target(ctx, data, network->column[t], parts));
        for (size_t i = 0; i < parts->count[1]; i++)
            known[1] += isnan(data->target[parts->graph[parts->count[0] + i] * columns + network->column[t]]) == 0;
    }
    return require_known(ctx, data, known, "graph with a target");
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

static leman_status find_tasks(leman_context *ctx, leman_network *network, const leman_dataset *data,
                               const leman_parts *parts, const leman_training *training)
{
    PASS(find_columns(ctx, network, data, parts, training->tasks, training->task_count));
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
    if (training->tasks) return LM_LEARN_TASKS;
    if (training->classes) return LM_LEARN_CLASSES;
    return !training->targets && !for_targets && (columns->classes || !columns->targets) ? LM_LEARN_CLASSES
                                                                                         : LM_LEARN_TARGETS;
}

leman_status lm_outputs_find(leman_context *ctx, leman_network *network, const leman_dataset *data,
                             const leman_parts *parts, const lm_training_options *options)
{
    const leman_training *training = &options->training;
    const lm_learned learned = lm_learned_of(data, options);
    const bool classes = learned == LM_LEARN_CLASSES;
    if (classes ? !data->columns.classes : !data->columns.targets)
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: has no %s to learn", data->name, classes ? "classes" : "targets");
    if (learned == LM_LEARN_TASKS) return find_tasks(ctx, network, data, parts, training);
    if (classes) {
        PASS(find_classes(ctx, network, data, parts));
        PASS(name_classes(ctx, network, data));
        return LEMAN_OK;
    }
    PASS(find_columns(ctx, network, data, parts, training->targets, training->target_count));
    return lm_scale_measure(ctx, data->target, data->columns.targets, network->column, network->outputs, parts->graph,
                            parts->count[0], training->scale_targets, &network->scale);
}

/* ---- Labels ---------------------------------------------------------------------------------- */

/* Returns the target of a graph as it is learned; NAN: missing. */
static double learned_target(const leman_network *network, size_t t, double value)
{
    if (!network->task_label) return lm_scale_in(&network->scale, t, value);
    return isnan(value) ? value : value >= (double)network->task_label[2 * t + 1];
}

leman_status lm_labels_compute(leman_context *ctx, const leman_network *network, const leman_dataset *data,
                               lm_labels *out)
{
    const size_t columns = data->columns.targets, outputs = network->outputs;
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
        if (!lm_multiply(data->graphs, outputs, &numbers)) numbers = SIZE_MAX;
        PASS_NEW(ctx, labels.target, numbers);
        for (size_t g = 0; g < data->graphs; g++)
            for (size_t t = 0; t < outputs; t++)
                labels.target[g * outputs + t] =
                    learned_target(network, t, data->target[g * columns + network->column[t]]);
    }
    *out = labels;
    return LEMAN_OK;
}

void lm_labels_free(lm_labels *labels)
{
    RELEASE(labels->target, labels->class_id);
    *labels = (lm_labels){0};
}
