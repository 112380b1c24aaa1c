/*
 * Estimators: support vector machines as the evaluation protocol uses them. An estimator is created for one training
 * set and one number of rounds, is fitted with increasing values of C, and returns decisions for any graphs of the data
 * set. A factory creates estimators and holds the data that they share: the Gram matrix of every number of rounds for
 * kernel SVMs (kernel_matrices.c), or the features of all rounds for linear SVMs.
 */
#ifndef LM_ESTIMATOR_H
#define LM_ESTIMATOR_H

#include "base/cancellation.h"
#include "base/drop.h"
#include "svm/calibrate.h"
#include "svm/linear_svm.h"
#include "svm/svm.h"

/* Epsilon of regressions: absolute errors up to this value cost nothing. Targets are scaled to mean 0 and deviation 1
 * on the training set before they are fitted. */
#define LM_EPSILON 0.1

/* Writes the factor on C of each class into weight[classes]: set->class_weight if it is given, otherwise, if
 * set->balanced, count / (classes with graphs * graphs of the class), or 1 for a class without graphs. Returns false,
 * and writes nothing, if all factors are 1. */
bool lm_training_set_weights(const lm_training_set *set, double *weight);

typedef struct lm_estimator_factory {
    leman_svm svm;            /* KERNEL or LINEAR */
    lm_multiclass multiclass; /* how decisions are interpreted */
    uint32_t min_rounds, max_rounds;
    size_t memory;   /* bytes that each thread may use while all threads work */
    bool alone;      /* memory is short: estimators are used one at a time, and no other thread works */
    size_t together; /* how many one-output estimators to fit together: faster, and within memory; 0, 1: none */
    size_t graphs;
    float **gram;               /* kernel SVMs: [max_rounds - min_rounds + 1][graphs][graphs] */
    lm_round_features features; /* linear SVMs */
    lm_rows
        *rows; /* linear SVMs: [max_rounds - min_rounds + 1] rows of each number of rounds; without `start`: estimators
                      make these rows themselves */
} lm_estimator_factory;

typedef struct lm_estimator {
    leman_context *ctx; /* of the thread that uses it */
    const lm_estimator_factory *factory;
    lm_svm *svm;                /* a kernel SVM */
    lm_linear_trainer *trainer; /* a linear SVM over the columns of `rows` */
    const lm_rows *rows;        /* those of the factory, or &own */
    lm_rows own;
} lm_estimator;

/* Creates an estimator with `rounds` rounds, for one thread. The factory may serve all threads at once. The arrays of
 * the set must outlive the estimator. */
leman_status lm_estimator_new(leman_context *ctx, const lm_estimator_factory *factory, uint32_t rounds,
                              const lm_training_set *set, lm_estimator **out);
/* Fits estimator[count], each to its whole training set and with the same result as if it were fitted alone. Values of
 * C must increase from call to call: a fit starts from the solution of the previous one. The estimators must belong to
 * one factory and one thread, have the same number of rounds, and list their items in increasing order. */
leman_status lm_estimator_fit(lm_estimator *const *estimator, size_t count, double C,
                              const lm_cancellation *cancellation);
/* Writes decision[count][lm_estimator_outputs()] for the graphs item[count]. */
leman_status lm_estimator_decide(const lm_estimator *estimator, const uint32_t *item, size_t count, double *decision);
void lm_estimator_free(lm_estimator *estimator);
LM_DROP(lm_estimator)

/* Returns the number of decisions that an estimator of the factory makes for each graph. */
static inline size_t lm_estimator_outputs(const lm_estimator_factory *factory, bool regression, size_t classes)
{
    return regression ? 1 : lm_multiclass_outputs(factory->multiclass, classes);
}

#define LM_TOGETHER 4 /* most estimators that are fitted together */

/* Returns how many of `sets` training sets one thread should fit together, so that all threads have work. */
static inline size_t lm_estimators_together(const lm_estimator_factory *factory, size_t outputs, size_t sets,
                                            size_t threads)
{
    size_t share = (sets + threads - 1) / threads, most = outputs == 1 && factory->together ? factory->together : 1;
    return share < most ? share : most;
}

/* Creates a factory of the kind that svm names, which must be KERNEL or LINEAR. Computes the normalised Gram matrix for
 * every number of rounds, or the features of all rounds. If the matrices exceed the memory budget, the function fails
 * with LEMAN_ERROR_BUDGET before it computes anything. If features is not NULL, the factory is LINEAR and takes these
 * features; then *features is empty, and kernels are not read. */
leman_status lm_estimator_factory_new(leman_context *ctx, leman_svm svm, const leman_dataset *data,
                                      const leman_kernel *kernels, size_t count, lm_round_features *features,
                                      uint32_t min_rounds, uint32_t max_rounds, lm_estimator_factory **out);
void lm_estimator_factory_free(lm_estimator_factory *factory);
LM_DROP(lm_estimator_factory)
static inline size_t lm_estimator_factory_rounds(const lm_estimator_factory *factory)
{
    return (size_t)factory->max_rounds - factory->min_rounds + 1;
}
/* Computes the Gram matrices of a new factory of kernel SVMs. */
leman_status lm_factory_matrices(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels,
                                 size_t count, lm_estimator_factory *factory);

/* Called after work with the factory's estimators ended with status st. If st is LEMAN_ERROR_BUDGET, the function frees
 * all that the factory can do without, switches the factory to one estimator at a time, and returns true: the caller
 * should try the work again. What a factory keeps for speed is thus never the reason for a refusal. In all other cases,
 * after a first call that returned true, and with several ranks, it returns false. */
bool lm_estimator_factory_shrink(leman_context *ctx, leman_status st, lm_estimator_factory *factory);

#endif
