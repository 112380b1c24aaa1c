/*
 * Linear SVMs on sparse rows. For labels y = +1, -1 and rows x with the constant 1 of the bias as their last component:
 *
 *   minimise over w   f(w) = 1/2 |w|^2 + C sum over rows of cost * max(0, 1 - y w.x)^2
 *
 * where cost is the weight of the row's class, 1 unless weights are given. The search (newton.h) stops where
 * LIBLINEAR's primal solver L2R_L2LOSS_SVC does: |gradient| at most 0.01 of that at w = 0, times the share of the rarer
 * side. Two classes take one SVM, whose decision is positive for class 0; more take one against the rest each. A class
 * without a row among the training items gets the constant decision -1, and where all are of one class that class gets
 * +1. For targets y (L2R_L2LOSS_SVR there, 0.0001 of the gradient at 0):
 *
 *   minimise over w   f(w) = 1/2 |w|^2 + C sum over rows of max(0, |y - w.x| - epsilon)^2
 */
#ifndef LM_LINEAR_SVM_H
#define LM_LINEAR_SVM_H

#include "base/cancellation.h"
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

/* What is to be learned: the rows item[0..count) with their classes, or with targets. A view. */
typedef struct lm_linear_task {
    const lm_rows *rows;
    const uint32_t *item;       /* [count] */
    const uint32_t *label;      /* [count] in 0 .. classes-1 */
    const double *target;       /* [count], or NULL: classes */
    const double *class_weight; /* [classes], or NULL: 1 each; looked at when a trainer is made, and not later */
    size_t count, classes;      /* classes at least 1 where target is NULL */
    double epsilon;             /* of a regression; at least 0 */
} lm_linear_task;

/* Solves one task for one C after the other. What it points to must outlive it. */
typedef struct lm_linear_trainer lm_linear_trainer;
leman_status lm_linear_trainer_new(leman_context *ctx, const lm_linear_task *task, lm_linear_trainer **out);
/* Trains count trainers on the same rows, in fewer passes over them than one after the other; each gets the bits that
 * it gets alone. The items of each are increasing where there are several. C grows from call to call: each begins from
 * the solution before, and the result depends, within the accuracy above, on the C's before. Time: a few dozen passes
 * over the nodes of the rows for every four outputs. */
leman_status lm_linear_trainer_fit(leman_context *ctx, lm_linear_trainer *const *trainer, size_t count, double C,
                                   const lm_cancellation *cancellation);
/* That of the last C. */
const lm_linear_svm *lm_linear_trainer_svm(const lm_linear_trainer *trainer);
void lm_linear_trainer_free(leman_context *ctx, lm_linear_trainer *trainer);

/* An upper bound of the bytes of `together` trainers and their fit. */
uint64_t lm_linear_svm_bytes(size_t columns, size_t count, size_t outputs, size_t together);

/* For one C; lm_linear_svm_free() it. */
leman_status lm_linear_svm_fit(leman_context *ctx, const lm_linear_task *task, double C, lm_linear_svm *out);
void lm_linear_svm_free(leman_context *ctx, lm_linear_svm *svm);

/* decision[i][outputs] = w.x of the rows item[0..count). O(nodes * outputs). */
void lm_linear_svm_decide(const lm_linear_svm *svm, const lm_rows *rows, const uint32_t *item, size_t count,
                          double *decision);
/* The class that decision[outputs] predicts: the largest, the first of equals; of two classes 0 where it is above 0.
 */
uint32_t lm_linear_svm_class(size_t classes, const double *decision);

#endif
