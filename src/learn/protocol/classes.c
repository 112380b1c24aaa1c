/* Computes the classes of a data set and the class number of each graph; checks class weights, C and targets. */
#include "learn/protocol/classes.h"
#include "base/sort.h"
#include "graph/dataset.h"
#include "kernel/kernel.h"
#include "learn/protocol/estimator.h"
#include <math.h>
#include <stdlib.h>

leman_status lm_classes_compute_known(leman_context *ctx, const leman_dataset *data, lm_classes *classes)
{
    const size_t graphs = data->graphs;
    const int64_t *label = data->class_label;
    size_t known = 0;
    *classes = (lm_classes){0};
    if (!label && data->columns.targets) {
        char list[512];
        lm_list_targets(data, list, sizeof list);
        return lm_fail(
            ctx, LEMAN_ERROR_INPUT,
            "%s: found graphs without classes, expected a class for each, or a target: one of the columns %s",
            data->name, list);
    }
    if (!label)
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found graphs without classes, expected a class for each",
                       data->name);
    PASS_NEW(ctx, classes->label, graphs);
    PASS_NEW(ctx, classes->number, graphs);
    for (size_t i = 0; i < graphs; i++)
        if (label[i] != LEMAN_CLASS_MISSING) classes->label[known++] = label[i];
    classes->missing = graphs - known;
    qsort(classes->label, known, sizeof *label, lm_compare_int64);
    for (size_t i = 0; i < known; i++)
        if (!i || classes->label[i] != classes->label[i - 1]) classes->label[classes->count++] = classes->label[i];
    for (size_t i = 0; i < graphs; i++) {
        const int64_t *place = bsearch(label + i, classes->label, classes->count, sizeof *label, lm_compare_int64);
        classes->number[i] = (uint32_t)(place ? (size_t)(place - classes->label) : classes->count);
    }
    return LEMAN_OK;
}

leman_status lm_classes_compute(leman_context *ctx, const leman_dataset *data, lm_classes *out)
{
    if (leman_dataset_classes(data)) PASS(lm_require_classes(ctx, data));
    return lm_classes_compute_known(ctx, data, out);
}

leman_status lm_class_weights_check(leman_context *ctx, const double *weight, size_t count, const lm_classes *classes)
{
    if (!weight) return LEMAN_OK;
    if (!classes->count)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "found weights of classes, but targets are predicted, not classes");
    if (count != classes->count)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "found %zu weight%s of classes, expected %zu, one for each class",
                       count, lm_plural(count), classes->count);
    for (size_t c = 0; c < count; c++)
        if (!(weight[c] > 0 && weight[c] <= 1e100))
            return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                           "found %g as the weight of class %lld, expected a number above 0 and up to 1e100", weight[c],
                           (long long)classes->label[c]);
    return LEMAN_OK;
}

leman_status lm_grid_check(leman_context *ctx, const double **C, size_t *count, uint32_t min_rounds,
                           uint32_t max_rounds)
{
    if (!*C) *C = leman_default_C(count);
    if (!*count) return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "found no C to try, expected at least one");
    for (size_t i = 0; i < *count; i++)
        if (!((*C)[i] > (i ? (*C)[i - 1] : 0) && (*C)[i] <= 1e100))
            return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                           "found C = %g in place %zu, expected increasing numbers above 0 and up to 1e100", (*C)[i],
                           i + 1);
    if (min_rounds > max_rounds || max_rounds > LM_KERNEL_MAX_ROUNDS)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "rounds: found %u to %u, expected an interval within 0 to %d",
                       min_rounds, max_rounds, LM_KERNEL_MAX_ROUNDS);
    return LEMAN_OK;
}

leman_status lm_targets_read(leman_context *ctx, const leman_dataset *data, size_t column, double *value)
{
    const size_t columns = data->columns.targets;
    double least = INFINITY, most = -INFINITY;
    if (column >= columns)
        return lm_fail(ctx, LEMAN_ERROR_INPUT,
                       "%s: found %zu column%s of targets, expected more: there is no column %zu (counted from 0)",
                       data->name, columns, lm_plural(columns), column);
    for (size_t g = 0; g < data->graphs; g++) {
        value[g] = data->target[g * columns + column];
        if (isnan(value[g])) continue;
        if (fabs(value[g]) > 1e30)
            return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found %g as a target, expected numbers from -1e30 to 1e30",
                           data->name, value[g]);
        least = fmin(least, value[g]);
        most = fmax(most, value[g]);
    }
    if (most > least && most - least < 1e-30)
        return lm_fail(
            ctx, LEMAN_ERROR_INPUT,
            "%s: found targets that differ by %g at most, expected more than 1e-30; scale them, for example by "
            "using another unit",
            data->name, most - least);
    return LEMAN_OK;
}

void lm_log_missing(leman_context *ctx, const leman_dataset *data, size_t missing, const char *what)
{
    if (missing)
        lm_log(ctx, "%s: %zu of %zu graph%s have no %s and are ignored", data->name, missing, data->graphs,
               lm_plural(data->graphs), what);
}

bool lm_training_set_weights(const lm_training_set *set, double *weight)
{
    size_t present = 0;
    if (set->target || (!set->balanced && !set->class_weight)) return false;
    for (size_t c = 0; c < set->classes; c++) weight[c] = set->class_weight ? set->class_weight[c] : 0;
    if (set->class_weight) return true;
    for (size_t i = 0; i < set->count; i++) weight[set->label[i]]++;
    for (size_t c = 0; c < set->classes; c++) present += weight[c] > 0;
    for (size_t c = 0; c < set->classes; c++)
        weight[c] = weight[c] > 0 ? (double)set->count / ((double)present * weight[c]) : 1;
    return true;
}

void lm_classes_free(lm_classes *classes)
{
    RELEASE(classes->label, classes->number);
    *classes = (lm_classes){0};
}
