/* The classes of a data set as numbers 0, 1, ... in the order of their labels; what classes, targets and C may be. */
#ifndef LM_CLASSES_H
#define LM_CLASSES_H

#include "base/context.h"

typedef struct lm_classes {
    size_t count;
    int64_t *label;   /* [count] as the data has them, increasing */
    uint32_t *number; /* [graphs] the class of each graph, a place in label; `count` where it is missing */
    size_t missing;   /* graphs without one */
} lm_classes;

/* LEMAN_ERROR_INPUT where the data set has none, or where some graph has none. Free with lm_classes_free(). O(graphs
 * log classes). */
leman_status lm_classes_compute(leman_context *ctx, const leman_dataset *data, lm_classes *classes);
/* Graphs may be without a class. */
leman_status lm_classes_compute_known(leman_context *ctx, const leman_dataset *data, lm_classes *classes);
/* Is weight[count], if there is one, a weight above 0 for each class? */
leman_status lm_class_weights_check(leman_context *ctx, const double *weight, size_t count, const lm_classes *classes);
/* Are the values of C increasing, above 0 and small enough to compute with? */
leman_status lm_costs_check(leman_context *ctx, const double *C, size_t count);
/* Are targets, some of which may be missing, small enough for a model, whose weights have the range of a float? Nor may
 * they differ by less than that. */
leman_status lm_targets_check(leman_context *ctx, const leman_dataset *data, const double *target, size_t count);
void lm_classes_free(leman_context *ctx, lm_classes *classes);

#endif
