/*
 * What the protocol asks of a machine, whichever it is: learn from some graphs with the features of so many rounds and
 * one C after the other, then decide about others. kernel_estimator.c and linear_estimator.c hold the two.
 */
#ifndef LM_ESTIMATOR_H
#define LM_ESTIMATOR_H

#include "base/cancellation.h"
#include "svm/calibrate.h"
#include "svm/rows.h"

/* The values of C where none are asked for: 10^-3, 10^-2, ..., 10^3. */
enum { LM_USUAL_COUNT = 7 };
extern const double LM_USUAL_C[LM_USUAL_COUNT];

/* Of regressions, whose targets have mean 0 and deviation 1 on the training part: errors up to this cost nothing. */
#define LM_EPSILON 0.1

/* Some graphs and what is to be learnt of them: classes, or values where target is not NULL. */
typedef struct lm_training_set {
    const uint32_t *item;  /* [count] */
    const uint32_t *label; /* [count] */
    const double *target;  /* [count] or NULL */
    size_t count, classes;
} lm_training_set;

typedef struct lm_estimator_factory lm_estimator_factory;

typedef struct lm_estimator lm_estimator; /* a machine that learns from one set */

typedef struct lm_estimator_type {
    lm_multiclass machines; /* how decisions are read */
    /* A estimator of `rounds` rounds; one thread's, while the factory serves all. */
    leman_status (*open)(leman_context *ctx, const lm_estimator_factory *factory, uint32_t rounds,
                         const lm_training_set *set, lm_estimator **out);
    /* C grows from call to call. */
    leman_status (*train)(lm_estimator *estimator, double C, const lm_cancellation *cancellation);
    /* decision[count][machines of the classes], of a regression decision[count]. */
    leman_status (*decide)(const lm_estimator *estimator, const uint32_t *item, size_t count, double *decision);
    void (*close)(lm_estimator *estimator);
    void (*free)(leman_context *ctx, lm_estimator_factory *factory);
} lm_estimator_type;

struct lm_estimator_factory {
    const lm_estimator_type *calls;
    size_t graphs;
    uint32_t min_rounds, max_rounds;
    size_t share;                   /* bytes that every estimator may take */
    float **gram;                   /* kernel: [most - least + 1][graphs][graphs] */
    struct lm_linear_state *linear; /* linear_estimator.c */
};

/* The normalised Gram matrices of every number of rounds. LEMAN_ERROR_BUDGET before anything is made. */
leman_status lm_kernel_estimators_new(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels,
                                      size_t count, uint32_t min_rounds, uint32_t max_rounds,
                                      lm_estimator_factory *out);
/* The features of every number of rounds, as rows of length 1. */
leman_status lm_linear_estimators_new(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels,
                                      size_t count, uint32_t min_rounds, uint32_t max_rounds,
                                      lm_estimator_factory *out);
/* The features that its rows come from. */
const lm_round_features *lm_linear_estimators_features(const lm_estimator_factory *factory);

#endif
