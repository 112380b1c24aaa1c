/*
 * Linear SVMs on sparse rows. For labels y = +1, -1 and rows x whose last component is the constant 1 of the bias:
 *
 *   minimise over w   f(w) = 1/2 |w|^2 + C sum over rows of cost * max(0, 1 - y w.x)^2
 *
 * where cost is the product of the weights of the row and of its class, each 1 if it is not given. The solver (newton.h) stops like
 * LIBLINEAR's primal solver L2R_L2LOSS_SVC: if |gradient| is at most 0.01 of |gradient| at w = 0, times the share of
 * the rarer side. Two classes take one SVM, whose decision is positive for class 0; more classes take one SVM each,
 * against the rest. A class without a training row gets the constant decision -1. If all training rows are of one
 * class, that class gets +1. For targets y (L2R_L2LOSS_SVR in LIBLINEAR, 0.0001 of the gradient at 0):
 *
 *   minimise over w   f(w) = 1/2 |w|^2 + C sum over rows of cost * max(0, |y - w.x| - epsilon)^2
 *
 * where rows whose y is a bound that w.x keeps cost nothing.
 */
#ifndef LM_LINEAR_SVM_H
#define LM_LINEAR_SVM_H

#include "base/cancellation.h"
#include "svm/round_features.h"
#include "svm/training_set.h"

typedef struct lm_linear_svm {
    size_t outputs; /* 1 for two classes and for regression, otherwise one for each class */
    size_t columns; /* of the rows, without the bias */
    double *weight; /* [outputs][columns + 1], the bias last */
} lm_linear_svm;

/* A task: the training set consists of numbers of rows, at least one. */
typedef struct lm_linear_task {
    const lm_rows *rows;
    lm_training_set set;
    double epsilon; /* for regression; at least 0 */
} lm_linear_task;

/* Solves one task for one C after the other. */
typedef struct lm_linear_trainer lm_linear_trainer;
leman_status lm_linear_trainer_new(leman_context *ctx, const lm_linear_task *task, lm_linear_trainer **out);
/* Trains `count` trainers on the same rows, in fewer passes over the rows than one after the other. Each trainer gets
 * the same bits as alone. If there are several, the items of each must be increasing. C must be above 0 and grow from
 * call to call: each call starts from the solution of the previous one, so that the result depends, within the accuracy
 * above, on the previous C's. Time: a few dozen passes over the nodes of the rows for every four outputs. */
leman_status lm_linear_trainer_fit(leman_context *ctx, lm_linear_trainer *const *trainer, size_t count, double C,
                                   const lm_cancellation *cancellation);
/* Returns the SVM of the last C. */
const lm_linear_svm *lm_linear_trainer_svm(const lm_linear_trainer *trainer);
void lm_linear_trainer_free(lm_linear_trainer *trainer);

/* Returns an upper bound of the bytes of `together` trainers, including those needed during the fit. */
uint64_t lm_linear_svm_bytes(size_t columns, size_t count, size_t outputs, size_t together);

/* Sets decision[i][outputs] to w.x for the rows item[0..count). O(nodes * outputs). */
void lm_linear_svm_decide(const lm_linear_svm *svm, const lm_rows *rows, const uint32_t *item, size_t count,
                          double *decision);
/* Returns the class that decision[outputs] predicts: the class with the largest decision, the first one among equals;
 * for two classes, class 0 if the decision is above 0. */
uint32_t lm_linear_svm_class(size_t classes, const double *decision);

#endif
