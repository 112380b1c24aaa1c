/*
 * Estimators: support vector machines as the evaluation protocol uses them. An estimator is created for one training
 * set and one number of rounds, is fitted with increasing values of C, and returns decisions for any graphs of the data
 * set. A factory creates estimators and holds the data that they share: Gram matrices (kernel_estimator.c) or the
 * features of every round (linear_estimator.c).
 *
 * lm_estimator and lm_estimator_factory are base structs: each kind embeds the base as the first member of its own
 * struct and is called through the methods of the base.
 */
#ifndef LM_ESTIMATOR_H
#define LM_ESTIMATOR_H

#include "base/cancellation.h"
#include "base/ranks/ranks.h"
#include "svm/calibrate.h"
#include "svm/round_features.h"

/* Epsilon of regressions: absolute errors up to this value cost nothing. Targets are scaled to mean 0 and deviation 1
 * on the training set before they are fitted. */
#define LM_EPSILON 0.1

/* A view of some graphs with their classes, or with their targets if `target` is not NULL. */
typedef struct lm_training_set {
    const uint32_t *item;  /* [count] graphs */
    const uint32_t *label; /* [count] class numbers */
    const double *target;  /* [count] or NULL */
    size_t count, classes;
    const double *class_weight; /* [classes] factor on C of each class, or NULL */
    bool balanced;              /* without class_weight: factors inversely proportional to the sizes of the classes */
} lm_training_set;

/* Writes the factor on C of each class into weight[classes]: set->class_weight if it is given, otherwise, if
 * set->balanced, count / (classes with graphs * graphs of the class), or 1 for a class without graphs. Returns false,
 * and writes nothing, if all factors are 1. */
bool lm_training_set_weights(const lm_training_set *set, double *weight);

typedef struct lm_estimator lm_estimator;
typedef struct lm_estimator_factory lm_estimator_factory;

typedef struct lm_estimator_methods {
    /* Fits estimator[count], each to its whole training set. Values of C must increase from call to call: a fit starts
     * from the solution of the previous one. The estimators must belong to one factory and one thread, have the same
     * number of rounds, and list their items in increasing order. */
    leman_status (*fit)(lm_estimator *const *estimator, size_t count, double C, const lm_cancellation *cancellation);
    /* Writes decision[count][lm_estimator_outputs()] for the graphs item[count]. */
    leman_status (*decide)(const lm_estimator *estimator, const uint32_t *item, size_t count, double *decision);
    void (*free)(lm_estimator *estimator);
} lm_estimator_methods;

struct lm_estimator {
    const lm_estimator_methods *methods;
    leman_context *ctx; /* of the thread that uses it */
};

typedef struct lm_estimator_factory_methods {
    lm_multiclass multiclass; /* how decisions are interpreted */
    leman_status (*make)(leman_context *ctx, const lm_estimator_factory *factory, uint32_t rounds,
                         const lm_training_set *set, lm_estimator **out);
    void (*free)(leman_context *ctx, lm_estimator_factory *factory);
    /* Frees what estimators do not need. NULL if there is nothing to free. */
    leman_status (*shrink)(leman_context *ctx, lm_estimator_factory *factory);
} lm_estimator_factory_methods;

struct lm_estimator_factory {
    const lm_estimator_factory_methods *methods;
    uint32_t min_rounds, max_rounds;
    size_t memory;   /* bytes that each thread may use while all threads work */
    bool alone;      /* memory is short: estimators are used one at a time, and no other thread works */
    size_t together; /* how many one-output estimators to fit together: faster, and within memory; 0, 1: none */
};

/* Creates an estimator with `rounds` rounds, for one thread. The factory may serve all threads at once. The arrays of
 * the set must outlive the estimator. */
static inline leman_status lm_estimator_new(leman_context *ctx, const lm_estimator_factory *factory, uint32_t rounds,
                                            const lm_training_set *set, lm_estimator **out)
{
    return factory->methods->make(ctx, factory, rounds, set, out);
}
/* Fits estimator[count], at least one, together. Each estimator gets the same result as if it were fitted alone.
 * lm_estimator_methods.fit states the requirements on C and on the estimators. */
static inline leman_status lm_estimator_fit(lm_estimator *const *estimator, size_t count, double C,
                                            const lm_cancellation *cancellation)
{
    return estimator[0]->methods->fit(estimator, count, C, cancellation);
}
static inline leman_status lm_estimator_decide(const lm_estimator *estimator, const uint32_t *item, size_t count,
                                               double *decision)
{
    return estimator->methods->decide(estimator, item, count, decision);
}
static inline void lm_estimator_free(lm_estimator *estimator)
{
    if (estimator) estimator->methods->free(estimator);
}

/* Returns the number of decisions that an estimator of the factory makes for each graph. */
static inline size_t lm_estimator_outputs(const lm_estimator_factory *factory, bool regression, size_t classes)
{
    return regression ? 1 : lm_multiclass_outputs(factory->methods->multiclass, classes);
}

#define LM_TOGETHER 4 /* most estimators that are fitted together */

/* Returns how many of `sets` training sets one thread should fit together, so that all threads have work. */
static inline size_t lm_estimators_together(const lm_estimator_factory *factory, size_t outputs, size_t sets,
                                            size_t threads)
{
    size_t share = (sets + threads - 1) / threads, most = outputs == 1 && factory->together ? factory->together : 1;
    return share < most ? share : most;
}

/* Creates a factory of kernel SVMs: computes the normalised Gram matrix for every number of rounds. If the matrices
 * exceed the memory budget, the function fails with LEMAN_ERROR_BUDGET before it computes anything. */
leman_status lm_kernel_estimator_factory_new(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels,
                                             size_t count, uint32_t min_rounds, uint32_t max_rounds,
                                             lm_estimator_factory **out);
/* Creates a factory of linear SVMs: computes the features for every number of rounds, as rows of length 1. */
leman_status lm_linear_estimator_factory_new(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels,
                                             size_t count, uint32_t min_rounds, uint32_t max_rounds,
                                             lm_estimator_factory **out);
/* Like lm_linear_estimator_factory_new(), but takes the features from `all`, which are already computed: those of the
 * graphs row[count], or of the first count graphs if row is NULL. */
leman_status lm_linear_estimator_factory_select(leman_context *ctx, const lm_round_features *all, const size_t *row,
                                                size_t count, uint32_t min_rounds, uint32_t max_rounds,
                                                lm_estimator_factory **out);
/* Like lm_linear_estimator_factory_new(), for the rows of a feature file. Such a factory has the single number of
 * rounds 0. */
leman_status lm_linear_estimator_factory_matrix(leman_context *ctx, leman_feature_matrix *matrix,
                                                lm_estimator_factory **out);
/* Creates a factory of the kind that svm names, which must be KERNEL or LINEAR. */
static inline leman_status lm_estimator_factory_new(leman_context *ctx, leman_svm svm, const leman_dataset *data,
                                                    const leman_kernel *kernels, size_t count, uint32_t min_rounds,
                                                    uint32_t max_rounds, lm_estimator_factory **out)
{
    return (svm == LEMAN_SVM_LINEAR ? lm_linear_estimator_factory_new : lm_kernel_estimator_factory_new)(
        ctx, data, kernels, count, min_rounds, max_rounds, out);
}
static inline void lm_estimator_factory_free(leman_context *ctx, lm_estimator_factory *factory)
{
    if (factory) factory->methods->free(ctx, factory);
}

/* Called after work with the factory's estimators ended with status st. If st is LEMAN_ERROR_BUDGET, the function frees
 * all that the factory can do without, switches the factory to one estimator at a time, and returns true: the caller
 * should try the work again. What a factory keeps for speed is thus never the reason for a refusal. In all other cases,
 * after a first call that returned true, and with several ranks, it returns false. */
static inline bool lm_estimator_factory_shrink(leman_context *ctx, leman_status st, lm_estimator_factory *factory)
{
    if (st != LEMAN_ERROR_BUDGET || factory->alone || lm_has_ranks(ctx)) return false;
    if (factory->methods->shrink && factory->methods->shrink(ctx, factory)) return false;
    factory->alone = true;
    factory->together = 1;
    lm_trim_memory(); /* otherwise memory freed by the first attempt would still count in the second */
    factory->memory = lm_budget(ctx);
    ctx->message[0] = 0;
    return true;
}

/* Return the solution that a fitted estimator holds, from which a model is made. The estimator must be of the kind that
 * the function names. */
struct lm_svm;
struct lm_linear_svm;
const struct lm_svm *lm_kernel_estimator_svm(const lm_estimator *estimator);
typedef struct lm_linear_solution {
    const lm_round_features *features; /* from which the rows were made */
    const lm_rows *rows;
    const struct lm_linear_svm *svm; /* over the columns of `rows` */
} lm_linear_solution;
lm_linear_solution lm_linear_estimator_solution(const lm_estimator *estimator);

#endif
