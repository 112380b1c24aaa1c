/*
 * Newton's method for linear SVMs with a squared loss:
 *
 *   minimise over w   f(w) = 1/2 |w|^2 + C sum over rows of cost * residual(w.x)^2
 *
 * with residual(z) = z - y where y z < 1, else 0, for y = +1, -1, and the part of z - y beyond epsilon in a regression.
 * H = I + 2 C sum over active rows of cost x x', the rows whose residual is not 0. A step solves H s = -gradient by
 * preconditioned conjugate gradients to a fifth of its length, and goes along s to the least value there, which costs
 * next to nothing: f along a line needs w.x and s.x of every row and no nodes.
 *
 * It stops as LIBLINEAR does: |gradient| at most `tolerance` of that at w = 0. Its problems for one set of rows are
 * solved along increasing C; each begins where the one before ended, after going to the least value along the last
 * change of w and along w itself.
 */
#ifndef LM_NEWTON_H
#define LM_NEWTON_H

#include "base/cancellation.h"
#include "svm/preconditioner.h"

#define LM_CLASSIFICATION (-1.0) /* as epsilon */

typedef struct lm_newton {
    const lm_rows *rows;
    const uint32_t *item; /* [count] */
    size_t count, width;  /* width: columns and the bias */
    double epsilon;       /* LM_CLASSIFICATION, or 0 and more */
    double tolerance;
    double *y, *cost; /* [count] of each row: to be filled in before the first solution */
    double *weight;   /* [width] the solution; 0 at first */
    double *previous; /* [width] the solution before */
    uint8_t *active;  /* [count] is its residual one that the preconditioner knows as not 0? */
    double unit_norm; /* |gradient| at w = 0 for C = 1; 0: not known yet */
    lm_preconditioner preconditioner;
} lm_newton;

/* block: columns that the preconditioner is exact in. */
leman_status lm_newton_init(leman_context *ctx, const lm_rows *rows, const uint32_t *item, size_t count, double epsilon,
                            size_t block, lm_newton *newton);
void lm_newton_free(leman_context *ctx, lm_newton *newton);
/* C at least that of the call before. Scratch of the context: seven vectors of weights and three of rows. */
leman_status lm_newton_solve(leman_context *ctx, lm_newton *newton, double C, const lm_cancellation *cancellation);
/* w.x, the bias included. */
double lm_row_product(const lm_rows *rows, size_t row, const double *weight);

#endif
