/*
 * Choosing the number of rounds and C by cross-validation: for every h and C, machines that were trained on all folds
 * but one decide about that one, so that every graph is decided about by a machine that did not know it. The best score
 * over all graphs wins; of equals the fewest rounds, then the largest C.
 */
#ifndef LM_CHOOSE_H
#define LM_CHOOSE_H

#include "learn/calibrate.h"
#include "learn/rows.h"

/* Errors of a regression up to this cost nothing; targets have deviation 1. */
#define LM_EPSILON 0.1

typedef struct lm_choosing {
    const leman_dataset *data;
    const leman_kernel *kernel; /* [kernels] in normal form */
    size_t kernels;
    const lm_ladder *ladder; /* for linear machines; NULL: machines on Gram matrices */
    uint32_t least_rounds, most_rounds;
    const double *C; /* increasing */
    size_t C_count;
    const leman_splits *splits; /* one repetition */
    size_t classes;
    const uint32_t *label; /* [graphs], or */
    const double *target;  /* [graphs], a regression */
} lm_choosing;

typedef struct lm_choice {
    uint32_t rounds;
    double C;
    double score;     /* percent of graphs whose class was found; regression: mean absolute error */
    double *decision; /* [graphs][outputs] by machines that did not know the graph; lm_free() */
} lm_choice;

static inline lm_machines lm_choosing_machines(const lm_choosing *q)
{
    return q->ladder ? LM_MACHINES_RESTS : LM_MACHINES_PAIRS;
}
static inline size_t lm_choosing_outputs(const lm_choosing *q)
{
    return q->target ? 1 : lm_machines_count(lm_choosing_machines(q), q->classes);
}

leman_status lm_choose(leman_context *ctx, const lm_choosing *choosing, lm_choice *choice);

/* The normalised Gram matrix of h rounds, in floats, for lm_svm_new(). lm_free() it. LEMAN_ERROR_BUDGET before it is
 * made. */
leman_status lm_choosing_gram(leman_context *ctx, const lm_choosing *choosing, uint32_t h, float **out);

#endif
