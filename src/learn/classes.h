/* The classes of a data set as numbers 0, 1, ... in the order of their labels. */
#ifndef LM_CLASSES_H
#define LM_CLASSES_H

#include "base/context.h"

typedef struct lm_classes {
    size_t count;
    int64_t *label;   /* [count] as the data has them, increasing */
    uint32_t *number; /* [graphs] the class of each graph, a place in label */
} lm_classes;

/* LEMAN_ERROR_INPUT where the data set has none. Free with lm_classes_free(). O(graphs log classes). */
leman_status lm_classes_compute(leman_context *ctx, const leman_dataset *data, lm_classes *classes);
void lm_classes_free(leman_context *ctx, lm_classes *classes);

#endif
