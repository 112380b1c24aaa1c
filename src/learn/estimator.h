/*
 * Estimators: support vector machines as the protocol sees them. An estimator is made for a training set and a number
 * of rounds, is fitted with one C after the other, and gives decisions about any graphs of the data set. Its factory
 * holds what all of them share: Gram matrices (kernel_estimator.c) or features by round (linear_estimator.c).
 *
 * Both structs are bases: each kind embeds them as the first member of its own, and is called through its methods.
 */
#ifndef LM_ESTIMATOR_H
#define LM_ESTIMATOR_H

#include "base/cancellation.h"
#include "base/ranks/ranks.h"
#include "svm/calibrate.h"
#include "svm/round_features.h"

/* Of regressions, whose targets have mean 0 and deviation 1 on the training set: errors up to this cost nothing. */
#define LM_EPSILON 0.1

/* Some graphs with their classes, or with targets where target is not NULL. A view. */
typedef struct lm_training_set {
    const uint32_t *item;  /* [count] */
    const uint32_t *label; /* [count] */
    const double *target;  /* [count] or NULL */
    size_t count, classes;
    const double *class_weight; /* [classes] a factor on C for each; NULL: 1 each, or: */
    bool balanced;              /* inversely proportional to the size of a class */
} lm_training_set;

/* The factors on C for each class, weight[classes]: those given, or count / (classes with graphs * graphs of the
 * class). false: all are 1. */
bool lm_training_set_weights(const lm_training_set *set, double *weight);

typedef struct lm_estimator lm_estimator;
typedef struct lm_estimator_factory lm_estimator_factory;

typedef struct lm_estimator_methods {
    /* Each on its whole training set; C grows from call to call, and a fit begins from the solution of the one before.
     * Several estimators are of one factory, number of rounds and thread, and have increasing items. */
    leman_status (*fit)(lm_estimator *const *estimator, size_t count, double C, const lm_cancellation *cancellation);
    /* decision[count][outputs of the classes], of a regression decision[count]. */
    leman_status (*decide)(const lm_estimator *estimator, const uint32_t *item, size_t count, double *decision);
    void (*free)(lm_estimator *estimator);
} lm_estimator_methods;

struct lm_estimator {
    const lm_estimator_methods *methods;
    leman_context *ctx; /* of the thread that uses it */
};

typedef struct lm_estimator_factory_methods {
    lm_multiclass multiclass; /* how decisions are read */
    leman_status (*make)(leman_context *ctx, const lm_estimator_factory *factory, uint32_t rounds,
                         const lm_training_set *set, lm_estimator **out);
    void (*free)(leman_context *ctx, lm_estimator_factory *factory);
    /* Lets go of what estimators can do without. NULL: there is nothing. */
    leman_status (*shrink)(leman_context *ctx, lm_estimator_factory *factory);
} lm_estimator_factory_methods;

struct lm_estimator_factory {
    const lm_estimator_factory_methods *methods;
    uint32_t min_rounds, max_rounds;
    size_t memory;   /* bytes that every thread may take while all of them work */
    bool alone;      /* memory is short: one estimator after the other, while no other thread works */
    size_t together; /* estimators of one output that are fitted quicker together and fit the memory; 0 and 1: none */
};

/* An estimator of `rounds` rounds for one thread; the factory serves all. The arrays of the set must outlive it. */
static inline leman_status lm_estimator_new(leman_context *ctx, const lm_estimator_factory *factory, uint32_t rounds,
                                            const lm_training_set *set, lm_estimator **out)
{
    return factory->methods->make(ctx, factory, rounds, set, out);
}
/* Every one of them gets what it gets alone. */
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

/* The decisions that estimators of a factory give for each graph. */
static inline size_t lm_estimator_outputs(const lm_estimator_factory *factory, bool regression, size_t classes)
{
    return regression ? 1 : lm_multiclass_outputs(factory->methods->multiclass, classes);
}

#define LM_TOGETHER 4 /* at most */

/* How many of `sets` training sets one thread should take at once, so that all threads have work. */
static inline size_t lm_estimators_together(const lm_estimator_factory *factory, size_t outputs, size_t sets,
                                            size_t threads)
{
    size_t share = (sets + threads - 1) / threads, most = outputs == 1 && factory->together ? factory->together : 1;
    return share < most ? share : most;
}

/* The normalised Gram matrices of every number of rounds. LEMAN_ERROR_BUDGET before anything is made. */
leman_status lm_kernel_estimator_factory_new(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels,
                                             size_t count, uint32_t min_rounds, uint32_t max_rounds,
                                             lm_estimator_factory **out);
/* The features of every number of rounds, as rows of length 1. */
leman_status lm_linear_estimator_factory_new(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels,
                                             size_t count, uint32_t min_rounds, uint32_t max_rounds,
                                             lm_estimator_factory **out);
/* The same for the graphs row[count] (NULL: the first count) of those whose features are there. */
leman_status lm_linear_estimator_factory_select(leman_context *ctx, const lm_round_features *all, const size_t *row,
                                                size_t count, uint32_t min_rounds, uint32_t max_rounds,
                                                lm_estimator_factory **out);
/* The same for the rows of a feature file, which has no rounds. */
leman_status lm_linear_estimator_factory_matrix(leman_context *ctx, leman_feature_matrix *matrix,
                                                lm_estimator_factory **out);
/* One of the two: svm is KERNEL or LINEAR. */
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

/* After work with its estimators ended in st: true if that was a refusal for memory, and the work may fit now, since
 * the factory holds as little as it can and leaves all the rest to one estimator at a time. What it holds where memory
 * is plenty must not be the reason for a refusal. */
static inline bool lm_estimator_factory_shrink(leman_context *ctx, leman_status st, lm_estimator_factory *factory)
{
    if (st != LEMAN_ERROR_BUDGET || factory->alone || lm_has_ranks(ctx)) return false;
    if (factory->methods->shrink && factory->methods->shrink(ctx, factory)) return false;
    factory->alone = true;
    factory->together = 1;
    lm_trim_memory(); /* what the first attempt has freed would stay beside the second */
    factory->memory = lm_budget(ctx);
    ctx->message[0] = 0;
    return true;
}

/* What a fitted estimator holds, for the model that is made from it; it must be one of that kind. */
struct lm_svm;
struct lm_linear_svm;
const struct lm_svm *lm_kernel_estimator_svm(const lm_estimator *estimator);
typedef struct lm_linear_solution {
    const lm_round_features *features; /* that the rows come from */
    const lm_rows *rows;
    const struct lm_linear_svm *svm; /* over the columns of the rows */
} lm_linear_solution;
lm_linear_solution lm_linear_estimator_solution(const lm_estimator *estimator);

#endif
