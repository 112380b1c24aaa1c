/*
 * The quadratic problem of every kernel SVM:
 *
 *   minimise 1/2 b'Kb - z'b   where the b sum to 0, 0 <= b_v <= C factor_v for v < positive,
 *                             and -C factor_v <= b_v <= 0 for the others
 *
 * Factors are the weights of classes and of samples; in a regression, a factor is 0 if the target is a bound that the
 * variable's side need not keep. Two classes: one variable for each sample, z = 1 for
 * the first class, which is positive, and z = -1 for the second. Regression: two variables v and v + samples for each
 * sample, with z = target - epsilon for the first half, which is positive, and z = target + epsilon for the second. In
 * both cases decision(x) = bias + sum of b_v k(v, x). The usual a_v is |b_v|; with signed b one rule replaces two.
 */
#ifndef LM_SMO_H
#define LM_SMO_H

#include "base/cancellation.h"
#include "svm/distances.h"

typedef struct lm_smo {
    lm_distances distances;
    size_t variables; /* distances.copies * distances.count: variable v stands for sample v mod distances.count */
    size_t positive;
    double *factor; /* [variables] at least 0 */
    double *z, *b;  /* [variables] */
    double *score;  /* [variables] z + Db, minus the gradient: in the optimum equal for all free variables */
    double noise;   /* the square of the possible rounding error of a score */
    double c;       /* C of the last training, 0 before the first; the next members are its results */
    double bias, objective, gap;
    uint64_t steps;
} lm_smo;

/* Trains, starting from the result of the last training. Before the first, set b = 0, score = z, noise = c = 0. Ends
 * when no score of a variable that may grow exceeds that of a variable that may fall by more than the tolerance, or
 * after LIBSVM's limit of steps, max(10^7, 100 variables). LEMAN_ERROR_CANCELLED leaves the smo as it was when
 * stopped. */
leman_status lm_smo_train(leman_context *ctx, lm_smo *smo, double c, double tolerance,
                          const lm_cancellation *cancellation);

/* The working set: all variables, or a compact copy of some. Arrays of `width` begin at a cache line and are padded
 * with variables that cannot move. */
typedef struct lm_working_set {
    size_t count, width;
    lm_distances *distances;
    const uint32_t *variable;  /* [count] their numbers in lm_smo; NULL: all */
    float *distance;           /* [count][width] of these variables; NULL: computed when needed */
    float *score;              /* [width] minus a common constant */
    float *up;                 /* [width] 0 if b may grow, otherwise -infinity */
    float *down;               /* [width] 0 if b may fall, otherwise infinity */
    double *b, *lower, *upper; /* [count] */
    double noise;              /* grows by the square of the rounding error of scores */
} lm_working_set;

/* Moves pairs of variables, at most `limit` times, until the scores agree up to the tolerance as in lm_smo_train().
 * Returns the number of moves. */
uint64_t lm_working_set_solve(lm_working_set *set, double tolerance, uint64_t limit);

#endif
