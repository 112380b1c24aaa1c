/*
 * Linear SVMs on sparse rows, by LIBLINEAR (L2R_L2LOSS_SVC, the primal by a trust-region Newton method). For labels y =
 * +1, -1 and rows x with the constant 1 of the bias as their last component:
 *
 *   minimise over w   f(w) = 1/2 |w|^2 + C sum over rows of max(0, 1 - y w.x)^2
 *
 * to LIBLINEAR's own accuracy for this solver (eps = 0.01, of the gradient at w = 0). Two classes take one SVM, whose
 * decision is positive for class 0; more take one against the rest each. A class without a row among the training
 * items gets the constant decision -1, and where all are of one class that class gets +1. For targets y
 * (L2R_L2LOSS_SVR, eps = 0.0001):
 *
 *   minimise over w   f(w) = 1/2 |w|^2 + C sum over rows of max(0, |y - w.x| - epsilon)^2
 *
 * LIBLINEAR allocates with malloc and new itself, beside the context's allocator; what it will take is compared with
 * the memory budget first. It never exits, and draws no random numbers here. The copy
 * of it is the library's own and prints nothing. Trainings may run side by side.
 */
#ifndef LM_LINEAR_SVM_H
#define LM_LINEAR_SVM_H

#include "svm/round_features.h"

typedef struct lm_linear_svm {
    size_t classes, outputs; /* outputs: 1 for two classes and regressions, else one for each class */
    size_t columns;          /* of the rows, without the bias */
    double *weight;          /* [outputs][columns + 1], the bias last */
} lm_linear_svm;

static inline size_t lm_linear_svm_outputs(size_t classes)
{
    return classes == 2 ? 1 : classes;
}

/* Trains on the rows item[0..count), whose classes are label[0..count), in 0 .. classes-1, classes at least 1. start,
 * if not NULL, is an SVM of the same rows to begin at: training along increasing C gets faster, and its result
 * depends on the C's before. Time: LIBLINEAR's, a few dozen passes over the nodes of these rows for every output. */
leman_status lm_linear_svm_fit(leman_context *ctx, const lm_rows *rows, const uint32_t *item, const uint32_t *label,
                               size_t count, size_t classes, double C, const lm_linear_svm *start, lm_linear_svm *out);
/* A regression to target[0..count); epsilon at least 0. lm_linear_svm_decide() gives its values. */
leman_status lm_linear_svm_fit_targets(leman_context *ctx, const lm_rows *rows, const uint32_t *item,
                                       const double *target, size_t count, double epsilon, double C,
                                       const lm_linear_svm *start, lm_linear_svm *out);
void lm_linear_svm_free(leman_context *ctx, lm_linear_svm *svm);

/* decision[i][outputs] = w.x of the rows item[0..count). O(nodes * outputs). */
void lm_linear_svm_decide(const lm_linear_svm *svm, const lm_rows *rows, const uint32_t *item, size_t count,
                          double *decision);
/* The class that decision[outputs] predicts: the largest, the first of equals; of two classes 0 where it is above 0.
 */
uint32_t lm_linear_svm_class(size_t classes, const double *decision);

#endif
