/*
 * The log marginal likelihood of a Gaussian process and its gradient (Rasmussen and Williams, 2006, section 5.4.1). The
 * values are y = c + f + e with f ~ N(0, sum_b w_b K_b) and e ~ N(0, s D), where D is the identity or, with weights of the
 * graphs, the diagonal matrix of their inverses, so that with K = sum_b w_b K_b + s D = L L'
 *
 *   c          = 1'K^-1 y / 1'K^-1 1           the mean of largest likelihood
 *   a          = K^-1 (y - c)
 *   value      = - (y - c)'a / 2 - sum_i log L_ii - n log(2 pi) / 2
 *   d / d w_b  = (a'K_b a - tr(K^-1 K_b)) / 2,  and with D in place of K_b for s.
 *
 * Time: n^3 / 3 operations for the value, n^3 with the gradient, and n^2 for every block. Memory: two matrices of n^2
 * doubles beside the blocks.
 */
#ifndef LM_LIKELIHOOD_H
#define LM_LIKELIHOOD_H

#include "learn/gaussian/cholesky.h"

/* The kernel matrices K_b of the training graphs, each its lower triangle, row after row: K_b[i][j] is
 * block[b][i (i + 1) / 2 + j], j <= i. */
typedef struct lm_triangles {
    double *const *block;
    size_t blocks, n;
} lm_triangles;

/* A Gaussian process with its parameters. weight, noise and target are set by the caller, the other members are computed;
 * factor may be NULL before. */
typedef struct lm_posterior {
    size_t n;
    const double *target; /* [n] y */
    const double *weight; /* [blocks] w */
    const double *spread; /* [n] the diagonal of D; NULL: 1 each */
    double noise;         /* s */
    double mean;          /* c */
    double *factor;       /* [n][n] L */
    double *alpha;        /* [n] a */
    double likelihood;    /* -INFINITY if K is not positive definite; then the members above are not set */
} lm_posterior;

/* Returns an entry of the diagonal of D. */
static inline double lm_spread_of(const double *spread, size_t i)
{
    return spread ? spread[i] : 1;
}

/* Bytes of lm_posterior_compute() with a gradient beside those of the blocks, saturating. */
uint64_t lm_posterior_bytes(size_t n);
/* Computes factor, which must have n^2 doubles, mean, alpha and likelihood. The caller has reserved the products of
 * `threads` threads (lm_products_reserve()). */
leman_status lm_posterior_compute(leman_context *ctx, size_t threads, const lm_triangles *kernels, lm_posterior *p);
/* Computes alpha and mean from factor and target, and the likelihood. */
void lm_posterior_solve(lm_posterior *p, double *work);
/* Writes the derivatives of the likelihood by the weights and the noise into gradient[blocks + 1], and the diagonal of
 * K^-1 into diagonal[n]. Either may be NULL; without a gradient kernels may be NULL. */
leman_status lm_posterior_gradient(leman_context *ctx, size_t threads, const lm_triangles *kernels,
                                   const lm_posterior *p, double *gradient, double *diagonal);

#endif
