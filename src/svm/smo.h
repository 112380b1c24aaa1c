/*
 * The one quadratic problem under every SVM,
 *
 *   minimise 1/2 b'Kb - z'b   where the b sum to 0, 0 <= b_v <= C p for v < positive and -C q <= b_v <= 0 for the
 * others.
 *
 * p and q are the weights of two classes, 1 in a regression. Two classes: z = 1 and -1, one variable for each sample,
 * the first class positive. Regression: two variables v and v + samples for each sample, z = target - epsilon and
 * target + epsilon, the first half positive. In both, decision(x) = bias + sum of b_v k(v, x). The usual a_v is |b_v|;
 * with signs in b there is one rule where there would be two.
 */
#ifndef LM_SMO_H
#define LM_SMO_H

#include "base/cancellation.h"
#include "svm/distances.h"

typedef struct lm_smo {
    lm_distances distances;
    size_t variables; /* distances.copies * distances.count: variable v stands for sample v mod distances.count */
    size_t positive;
    double weight[2]; /* p and q */
    double *z, *b;    /* [variables] */
    double *score;    /* [variables] z + Db, minus the gradient: all free variables have the same in the optimum */
    double noise;     /* the square of what rounding may have done to a score */
    double c;         /* of the last training, 0 before the first; and what that gave: */
    double bias, objective, gap;
    uint64_t steps;
} lm_smo;

/* Trains from where the last training ended; to begin, b = 0, score = z, noise = c = 0. Ends when no score of a
 * variable that may grow is higher by more than the tolerance than that of one that may fall, or after LIBSVM's limit
 * of steps, max(10^7, 100 variables). LEMAN_ERROR_CANCELLED leaves the smo where it was stopped. */
leman_status lm_smo_train(leman_context *ctx, lm_smo *smo, double c, double tolerance,
                          const lm_cancellation *cancellation);

/* The working set: all variables, or some of them side by side. Arrays of `width` begin at a cache line and are padded
 * with variables that cannot move. */
typedef struct lm_working_set {
    size_t count, width;
    lm_distances *distances;
    const uint32_t *variable;  /* [count] as they are numbered in lm_smo; NULL: all */
    float *distance;           /* [count][width] of these, or NULL: computed when needed */
    float *score;              /* [width] less a common constant */
    float *up;                 /* [width] 0 where b may grow, -infinity where not */
    float *down;               /* [width] 0 where b may fall, infinity where not */
    double *b, *lower, *upper; /* [count] */
    double noise;              /* grows by what rounding does to scores, squared */
} lm_working_set;

/* Moves pairs of variables until the scores agree (as above), at most `limit` times. Returns how often.
 */
uint64_t lm_working_set_solve(lm_working_set *set, double tolerance, uint64_t limit);

#endif
