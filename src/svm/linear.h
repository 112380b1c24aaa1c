/*
 * Linear support vector machines on sparse rows, by LIBLINEAR (L2R_L2LOSS_SVC, the primal by a trust-region Newton
 * method). For labels y = +1, -1 and rows x with the constant 1 of the bias as their last component:
 *
 *   minimise over w   f(w) = 1/2 |w|^2 + C sum over rows of max(0, 1 - y w.x)^2
 *
 * to LIBLINEAR's own accuracy for this solver (eps = 0.01, of the gradient at w = 0). Two classes take one machine,
 * whose decision is positive for class 0; more take one against the rest each. A class without a row among the training
 * items gets the constant decision -1, and where all are of one class that class gets +1. For targets y
 * (L2R_L2LOSS_SVR, eps = 0.0001):
 *
 *   minimise over w   f(w) = 1/2 |w|^2 + C sum over rows of max(0, |y - w.x| - epsilon)^2
 *
 * LIBLINEAR allocates with malloc and new itself, beside the context's allocator; what it will take is compared with
 * the memory budget first. It never exits, and draws no random numbers here. It prints through one function of the
 * whole process, which is set to a silent one before the first training. Trainings may run side by side.
 */
#ifndef LM_LINEAR_H
#define LM_LINEAR_H

#include "svm/rows.h"

typedef struct lm_linear_svm {
    size_t classes, machines; /* machines: 1 for two classes, else one for each class */
    size_t columns;           /* of the rows, without the bias */
    double *weight;           /* [machines][columns + 1], the bias last */
} lm_linear_svm;

static inline size_t lm_linear_machines(size_t classes)
{
    return classes == 2 ? 1 : classes;
}

/* Trains on the rows item[0..count), whose classes are label[0..count), in 0 .. classes-1, classes at least 1. start,
 * if not NULL, is a machine for the same rows to begin at: training along increasing C gets faster, and its result
 * depends on the way. Time: LIBLINEAR's, a few dozen passes over the nodes of these rows for every machine. */
leman_status lm_linear_train(leman_context *ctx, const lm_rows *rows, const uint32_t *item, const uint32_t *label,
                             size_t count, size_t classes, double C, const lm_linear_svm *start, lm_linear_svm *out);
/* One machine for target[0..count); epsilon at least 0. lm_linear_decide() gives its values. */
leman_status lm_linear_regress(leman_context *ctx, const lm_rows *rows, const uint32_t *item, const double *target,
                               size_t count, double epsilon, double C, const lm_linear_svm *start, lm_linear_svm *out);
void lm_linear_free(leman_context *ctx, lm_linear_svm *machine);

/* decision[i][machines] = w.x of the rows item[0..count). O(nodes * machines). */
void lm_linear_decide(const lm_linear_svm *machine, const lm_rows *rows, const uint32_t *item, size_t count,
                      double *decision);
/* The class that decision[machines] speaks for: the largest, the first of equals; of two classes 0 where it is above 0.
 */
uint32_t lm_linear_class(size_t classes, const double *decision);

#endif
