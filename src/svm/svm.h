/*
 * Kernel SVMs on a Gram matrix: C-SVC with a binary SVM for each pair of classes, and epsilon-SVR.
 *
 *   lm_svm_problem problem = {.gram = gram, .graphs = n, .set = {item, label, .count = m, .classes = 2}};
 *   TRY(lm_svm_new(ctx, &problem, &svm));
 *   for each C, the smallest first:
 *       TRY(lm_svm_train(svm, c, cancellation));
 *       TRY(lm_svm_decide(svm, test, tests, decision));
 *   lm_svm_free(svm);
 *
 * An SVM is used by one thread. Results depend only on the problem and on the C's that were trained before.
 */
#ifndef LM_SVM_H
#define LM_SVM_H

#include "base/cancellation.h"
#include "svm/training_set.h"

/* A symmetric matrix of all graphs, and the training graphs among them. The matrix must outlive the SVM. */
typedef struct lm_svm_problem {
    const float *gram; /* [graphs][graphs] */
    size_t graphs;     /* at most UINT32_MAX */
    lm_training_set set;
    double epsilon;   /* for regression: errors up to epsilon cost nothing */
    double tolerance; /* of the optimality conditions; 0: 0.001, as LIBSVM */
    size_t memory;    /* bytes that a copy of the training part may take; 0: an eighth of the budget */
} lm_svm_problem;

typedef struct lm_svm lm_svm;

/* Makes an SVM. If there is memory, it copies the training part of the matrix (count^2 floats, up to twice that with
 * many classes, filled as rows are needed); without the copy it works more slowly. Training takes at most as much
 * memory again. */
leman_status lm_svm_new(leman_context *ctx, const lm_svm_problem *problem, lm_svm **out);
/* Trains all pairs with this C > 0, starting from the solution of the previous C. cancellation may be NULL. After a
 * training that was cancelled or failed, the SVM can only be trained again or freed. */
leman_status lm_svm_train(lm_svm *svm, double c, const lm_cancellation *cancellation);
void lm_svm_free(lm_svm *svm);

/* Sets decision[count][pairs] for any graphs of the matrix. There are classes (classes - 1) / 2 pairs in the order
 * (0,1), (0,2), ..., (1,2), ...; a regression has one. A value above 0 means the first class of the pair, otherwise the
 * second; for regression it is the prediction. A pair with one empty class gives 1 or -1, with two empty classes 0. */
leman_status lm_svm_decide(const lm_svm *svm, const uint32_t *item, size_t count, double *decision);

/* The SVM of one pair: decision(x) = bias + sum of coefficient[i] k(item[i], x). Valid until the next training. */
typedef struct lm_svm_support {
    uint32_t first, second; /* classes */
    size_t count;
    const uint32_t *item;      /* [count] graphs, in the order of the problem within each class */
    const double *coefficient; /* [count] */
    double bias;
    double objective; /* 1/2 a'Qa - e'a, minimised; for regression the linear term has the targets and epsilon */
    double gap;       /* the largest violation of the optimality conditions */
} lm_svm_support;
lm_svm_support lm_svm_support_of(const lm_svm *svm, size_t pair);

/* Returns the class that wins most pairs, the smaller number among equals, from one graph's decision[pairs]. */
uint32_t lm_svm_vote(const double *decision, size_t classes);

#endif
