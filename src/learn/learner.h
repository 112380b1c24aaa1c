/*
 * What the protocol asks of a machine, whichever it is: learn from some graphs with the features of so many rounds and
 * one C after the other, then decide about others. kernel_learner.c and linear_learner.c hold the two.
 */
#ifndef LM_LEARNER_H
#define LM_LEARNER_H

#include "base/watch.h"
#include "learn/calibrate.h"
#include "learn/rows.h"

/* The values of C where none are asked for: 10^-3, 10^-2, ..., 10^3. */
enum { LM_USUAL_COUNT = 7 };
extern const double LM_USUAL_C[LM_USUAL_COUNT];

/* Of regressions, whose targets have mean 0 and deviation 1 on the training part: errors up to this cost nothing. */
#define LM_EPSILON 0.1

/* Some graphs and what is to be learnt of them: classes, or values where target is not NULL. */
typedef struct lm_lesson {
    const uint32_t *item;  /* [count] */
    const uint32_t *label; /* [count] */
    const double *target;  /* [count] or NULL */
    size_t count, classes;
} lm_lesson;

typedef struct lm_learner lm_learner;

typedef struct lm_student lm_student; /* a machine that learns from one lesson */

typedef struct lm_learner_calls {
    lm_machines machines; /* how decisions are read */
    /* A student of `rounds` rounds; one thread's, while the learner serves all. */
    leman_status (*open)(leman_context *ctx, const lm_learner *learner, uint32_t rounds, const lm_lesson *lesson,
                         lm_student **out);
    /* C grows from call to call. */
    leman_status (*train)(lm_student *student, double C, const lm_watch *watch);
    /* decision[count][machines of the classes], of a regression decision[count]. */
    leman_status (*decide)(const lm_student *student, const uint32_t *item, size_t count, double *decision);
    void (*close)(lm_student *student);
    void (*free)(leman_context *ctx, lm_learner *learner);
} lm_learner_calls;

struct lm_learner {
    const lm_learner_calls *calls;
    size_t graphs;
    uint32_t least_rounds, most_rounds;
    size_t share;                   /* bytes that every student may take */
    float **gram;                   /* kernel: [most - least + 1][graphs][graphs] */
    struct lm_linear_state *linear; /* linear_learner.c */
};

/* The normalised Gram matrices of every number of rounds. LEMAN_ERROR_BUDGET before anything is made. */
leman_status lm_kernel_learner_new(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels,
                                   size_t count, uint32_t least_rounds, uint32_t most_rounds, lm_learner *out);
/* The features of every number of rounds, as rows of length 1. */
leman_status lm_linear_learner_new(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels,
                                   size_t count, uint32_t least_rounds, uint32_t most_rounds, lm_learner *out);
/* The features that its rows come from. */
const lm_ladder *lm_linear_learner_ladder(const lm_learner *learner);

#endif
