/* The graphs that an SVM is trained on. */
#ifndef LM_TRAINING_SET_H
#define LM_TRAINING_SET_H

#include "base/weight.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A view of some graphs with their classes, or with their targets if `target` is not NULL. The arrays belong to the
 * caller and must outlive the SVM, except class_weight, which is only read when the SVM is made. */
typedef struct lm_training_set {
    const uint32_t *item;       /* [count] graphs; repeats are allowed */
    const uint32_t *label;      /* [count] classes, below `classes`; a class may be empty. Not read in a regression */
    const double *target;       /* [count] or NULL */
    size_t count, classes;      /* classes: at least 1; not read in a regression */
    const double *class_weight; /* [classes] above 0: factor on C of each class; NULL: 1 each */
    bool balanced;              /* for lm_training_set_weights() */
    const double *weight;       /* [count] above 0: another factor on C of each item; NULL: 1 each */
    const int8_t *bound;        /* [count] 1: the target is a lower bound of an unknown value, -1: an upper bound, 0:
                                 * the value; NULL: 0 each */
} lm_training_set;

/* Returns by how much a prediction is too large (or, below 0, too small) for a target; 0 if the target is a bound that
 * the prediction keeps. */
static inline double lm_error_beyond(double predicted, double target, int8_t bound)
{
    const double apart = predicted - target;
    return (bound > 0 && apart > 0) || (bound < 0 && apart < 0) ? 0 : apart;
}

#endif
