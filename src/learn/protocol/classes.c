/* Computes the classes of a data set and the class number of each graph; checks class weights, C and targets. */
#include "learn/protocol/classes.h"
#include "base/sort.h"
#include "graph/dataset.h"
#include "learn/protocol/estimator.h"
#include <math.h>
#include <stdlib.h>

leman_status lm_classes_compute_known(leman_context *ctx, const leman_dataset *data, lm_classes *out)
{
    leman_status st = LEMAN_OK;
    const leman_shape *shape = leman_dataset_shape(data);
    const int64_t *label = leman_dataset_classes(data);
    lm_classes classes = {0};
    size_t known = 0;
    if (!label)
        FAIL(ctx, LEMAN_ERROR_INPUT, "%s: found graphs without classes, expected a class for each", shape->name);
    NEW(ctx, classes.label, shape->graphs);
    NEW(ctx, classes.number, shape->graphs);
    for (size_t i = 0; i < shape->graphs; i++)
        if (label[i] != LEMAN_CLASS_MISSING) classes.label[known++] = label[i];
    classes.missing = shape->graphs - known;
    qsort(classes.label, known, sizeof *label, lm_compare_int64);
    for (size_t i = 0; i < known; i++)
        if (!i || classes.label[i] != classes.label[i - 1]) classes.label[classes.count++] = classes.label[i];
    for (size_t i = 0; i < shape->graphs; i++) {
        const int64_t *place = bsearch(label + i, classes.label, classes.count, sizeof *label, lm_compare_int64);
        classes.number[i] = (uint32_t)(place ? (size_t)(place - classes.label) : classes.count);
    }
    *out = classes;
done:
    if (st) lm_classes_free(&classes);
    return st;
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

leman_status lm_costs_check(leman_context *ctx, const double *C, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!(C[i] > (i ? C[i - 1] : 0) && C[i] <= 1e100))
            return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                           "found C = %g in place %zu, expected increasing numbers above 0 and up to 1e100", C[i],
                           i + 1);
    return LEMAN_OK;
}

leman_status lm_targets_check(leman_context *ctx, const leman_dataset *data, const double *target, size_t count)
{
    double least = INFINITY, most = -INFINITY;
    for (size_t g = 0; g < count; g++) {
        if (isnan(target[g])) continue;
        if (fabs(target[g]) > 1e30)
            return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found %g as a target, expected numbers from -1e30 to 1e30",
                           leman_dataset_shape(data)->name, target[g]);
        least = fmin(least, target[g]);
        most = fmax(most, target[g]);
    }
    if (most > least && most - least < 1e-30)
        return lm_fail(
            ctx, LEMAN_ERROR_INPUT,
            "%s: found targets that differ by %g at most, expected more than 1e-30; scale them, for example by "
            "using another unit",
            leman_dataset_shape(data)->name, most - least);
    return LEMAN_OK;
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
    lm_release(classes->label);
    lm_release(classes->number);
    *classes = (lm_classes){0};
}
