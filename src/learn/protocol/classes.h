/* The classes of a data set, numbered 0, 1, ... in the order of their labels, and checks of class weights, targets and
 * C. */
#ifndef LM_CLASSES_H
#define LM_CLASSES_H

#include "base/context.h"

typedef struct lm_classes {
    size_t count;
    int64_t *label;   /* [count] labels as in the data, increasing */
    uint32_t *number; /* [graphs] class of each graph, as an index into label; `count` if it is missing */
    size_t missing;   /* number of graphs without a class */
} lm_classes;

/* Computes the classes of a data set. Fails with LEMAN_ERROR_INPUT if the data set has no classes or if a graph has no
 * class. Call lm_classes_free() also after a failure. Time O(graphs log graphs). */
leman_status lm_classes_compute(leman_context *ctx, const leman_dataset *data, lm_classes *classes);
/* Like lm_classes_compute(), but single graphs may have no class. */
leman_status lm_classes_compute_known(leman_context *ctx, const leman_dataset *data, lm_classes *classes);
/* Fails with LEMAN_ERROR_ARGUMENT unless weight is NULL or weight[count] has one number above 0 for each class. */
leman_status lm_class_weights_check(leman_context *ctx, const double *weight, size_t count, const lm_classes *classes);
/* Sets *C to the default values if it is NULL. Fails with LEMAN_ERROR_ARGUMENT unless the values are increasing, above 0
 * and at most 1e100, and the rounds are an interval of allowed numbers. */
leman_status lm_grid_check(leman_context *ctx, const double **C, size_t *count, uint32_t min_rounds,
                           uint32_t max_rounds);
/* Writes a column of targets into value[graphs]. Fails with LEMAN_ERROR_INPUT if there is no such column, if a target is
 * larger than 1e30 in absolute value, or if targets differ, but by less than 1e-30: weights of models are floats.
 * Missing targets (NaN) are ignored. */
leman_status lm_targets_read(leman_context *ctx, const leman_dataset *data, size_t column, double *value);
/* Logs how many graphs have no class or target. */
void lm_log_missing(leman_context *ctx, const leman_dataset *data, size_t missing, const char *what);
void lm_classes_free(lm_classes *classes);

#endif
