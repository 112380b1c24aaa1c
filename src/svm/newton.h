/*
 * Newton's method for linear SVMs with a squared loss:
 *
 *   minimise over w   f(w) = 1/2 |w|^2 + C sum over rows of cost * residual(w.x)^2
 *
 * with residual(z) = z - y where y z < 1, else 0, for y = +1, -1, and the part of z - y beyond epsilon in a regression.
 * A column that no other row has is solved for: with the best weight there the row's cost becomes
 * loss = cost / (1 + 2 C cost own^2), own its value in that column, and the gradient there is 0.
 *
 * H = I + 2 C sum over active rows of loss x x', the rows whose residual is not 0. A step solves H s = -gradient by
 * preconditioned conjugate gradients, at least to a fifth of its length, and further while the rows that become active
 * or cease to be on the way change the gradient by less than what is left of it. Then it goes along s to the least
 * value there, which costs next to nothing: f along a line needs w.x and s.x of every row and no nodes.
 *
 * It stops as LIBLINEAR does: |gradient| at most `tolerance` of that at w = 0. Its problems for one set of rows are
 * solved along increasing C; each begins where the one before ended, after going to the least value along the last
 * change of w and along w itself.
 */
#ifndef LM_NEWTON_H
#define LM_NEWTON_H

#include "base/cancellation.h"
#include "svm/preconditioner.h"
#include "svm/products.h"

#define LM_CLASSIFICATION (-1.0) /* as epsilon */

typedef struct lm_newton {
    const lm_rows *rows;
    const uint32_t *item; /* [count] */
    size_t count, width;  /* width: shared columns and the bias */
    double epsilon;       /* LM_CLASSIFICATION, or 0 and more */
    double tolerance;
    double *y, *cost; /* [count] of each row: to be filled in before the first solution */
    double *loss;     /* [count] cost, less what its own column takes; of the last C */
    double *own;      /* [count] the weight of its own column */
    double *weight;   /* [width] the solution; 0 at first */
    double *previous; /* [width] the solution before */
    uint8_t *active;  /* [count] is its residual not 0? */
    double *known;    /* [count] its loss in the preconditioner; 0: not in it */
    double unit_norm; /* |gradient| at w = 0 for C = 1; 0: not known yet */
    lm_preconditioner preconditioner;
} lm_newton;

/* block: columns that the preconditioner is exact in. */
leman_status lm_newton_init(leman_context *ctx, const lm_rows *rows, const uint32_t *item, size_t count, double epsilon,
                            size_t block, lm_newton *newton);
void lm_newton_free(leman_context *ctx, lm_newton *newton);
/* Solves up to LM_LANES problems on the same rows together; each gets the bits that it gets alone. Their items are
 * increasing, unless they are one list. C at least that of the call before. Scratch of the context:
 * lm_newton_scratch(). */
leman_status lm_newton_solve(leman_context *ctx, lm_newton *const *problem, size_t count, double C,
                             const lm_cancellation *cancellation);
size_t lm_newton_scratch(const lm_newton *newton, size_t count);
/* The solution as weight[columns + 1], the bias last. */
void lm_newton_weights(const lm_newton *newton, double *weight);
/* w.x, the bias included. */
double lm_row_product(const lm_rows *rows, size_t row, const double *weight);

#endif
