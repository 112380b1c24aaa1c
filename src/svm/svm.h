/*
 * Kernel SVMs on a Gram matrix: C-SVC with a binary SVM for each pair of classes, and epsilon-SVR.
 *
 *   lm_svm_problem problem = {.gram = gram, .graphs = n, .item = item, .label = label, .count = m, .classes = 2};
 *   TRY(lm_svm_new(ctx, &problem, &svm));
 *   for each C, the smallest first:
 *       TRY(lm_svm_train(svm, c, cancellation));
 *       TRY(lm_svm_decide(svm, test, tests, decision));
 *   lm_svm_free(svm);
 *
 * One SVM serves one thread; results depend on the problem and the C's trained before, on nothing else.
 */
#ifndef LM_SVM_H
#define LM_SVM_H

#include "base/cancellation.h"

/* A symmetric matrix of all graphs, and the training graphs among them. A view: the arrays must outlive the SVM. */
typedef struct lm_svm_problem {
    const float *gram;     /* [graphs][graphs] */
    size_t graphs;         /* at most UINT32_MAX */
    const uint32_t *item;  /* [count] the training graphs; repeats are allowed */
    const uint32_t *label; /* [count] class of each, below classes; a class may be empty. Regression: not looked at */
    const double *target;  /* [count] NULL: classification; otherwise regression to these */
    size_t count, classes; /* classes: at least 1; regression: not looked at */
    const double *class_weight; /* [classes] above 0: the bound of a graph is C times that of its class; NULL: 1 each */
    double epsilon;             /* regression: errors up to this cost nothing */
    double tolerance;           /* of the optimality conditions; 0: 0.001, as LIBSVM */
    size_t memory;              /* bytes that a copy of the training part may take; 0: an eighth of the budget */
} lm_svm_problem;

typedef struct lm_svm lm_svm;

/* Takes a copy of the training part of the matrix (count^2 floats, up to twice that with many classes, filled as rows
 * are needed) where there is memory for it, and works more slowly without. Training takes as much again, or less. */
leman_status lm_svm_new(leman_context *ctx, const lm_svm_problem *problem, lm_svm **out);
/* Trains all pairs with this C > 0, beginning from the solution of the C before. cancellation may be NULL; a training
 * that was stopped, or failed otherwise, leaves an SVM that can only be trained again or freed. */
leman_status lm_svm_train(lm_svm *svm, double c, const lm_cancellation *cancellation);
void lm_svm_free(lm_svm *svm);

/* How many values lm_svm_decide() gives for each graph: classes (classes - 1) / 2 in the order (0,1), (0,2), ...,
 * (1,2), ...; regression: 1. */
size_t lm_svm_pairs(const lm_svm *svm);
/* decision[count][pairs] of any graphs of the matrix: above 0 for the first class of the pair, otherwise the second;
 * regression: the value itself. A pair with one empty class gives 1 or -1, with two 0. */
leman_status lm_svm_decide(const lm_svm *svm, const uint32_t *item, size_t count, double *decision);

/* What the SVM of one pair is made of: decision(x) = bias + sum of coefficient[i] k(item[i], x). Valid until the next
 * training. */
typedef struct lm_svm_support {
    uint32_t first, second; /* classes */
    size_t count;
    const uint32_t *item;      /* [count] graphs, in the order of the problem within each class */
    const double *coefficient; /* [count] */
    double bias;
} lm_svm_support;
lm_svm_support lm_svm_support_of(const lm_svm *svm, size_t pair);

/* How the last training of a pair went. */
typedef struct lm_svm_state {
    double objective; /* 1/2 a'Qa - e'a, minimised; regression: the linear term has the targets and epsilon */
    double gap;       /* by how much the optimality conditions are broken at most */
    uint64_t steps;   /* of two coefficients each */
} lm_svm_state;
lm_svm_state lm_svm_state_of(const lm_svm *svm, size_t pair);

/* The class that wins most pairs, the smaller number among equals, from one graph's decision[pairs]. */
uint32_t lm_svm_vote(const double *decision, size_t classes);

#endif
