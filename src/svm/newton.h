/*
 * Newton's method for linear SVMs with a squared loss:
 *
 *   minimise over w   f(w) = 1/2 |w|^2 + C sum over rows of cost * residual(w.x)^2
 *
 * For classification, y = +1, -1 and residual(z) = z - y if y z < 1, otherwise 0. For regression, the residual is the
 * part of z - y beyond epsilon, which is 0 where y is a bound that z keeps. A column that only one row has is eliminated: with the best weight in that column, the
 * cost of the row becomes loss = cost / (1 + 2 C cost own^2), where own is the row's value in that column, and the
 * gradient there is 0.
 *
 * H = I + 2 C sum over active rows of loss x x', where a row is active if its residual is not 0. A step solves
 * H s = -gradient by preconditioned conjugate gradients, at least to a fifth of the gradient's length. It continues
 * while the error of the quadratic model (rows that become active or inactive along s) is smaller than the remaining
 * gradient. Then a line search finds the minimum of f along s. The line search is cheap: it needs w.x and s.x of every
 * row, but no nodes.
 *
 * The search stops like LIBLINEAR: if |gradient| is at most `tolerance` times |gradient| at w = 0. The problems for one
 * set of rows are solved for increasing C. Each starts at the solution of the previous one, after line searches along
 * the last change of w and along w itself.
 */
#ifndef LM_NEWTON_H
#define LM_NEWTON_H

#include "base/cancellation.h"
#include "svm/preconditioner.h"
#include "svm/products.h"

#define LM_CLASSIFICATION (-1.0) /* a value for epsilon */

typedef struct lm_newton {
    const lm_rows *rows;
    const uint32_t *item; /* [count] */
    size_t count, width;  /* width: shared columns and the bias */
    double epsilon;       /* LM_CLASSIFICATION, or at least 0 for regression */
    double tolerance;
    const int8_t *bound; /* [count] of targets, as in lm_training_set; NULL in a classification, or 0 each */
    double *y, *cost;    /* [count] of each row; the caller sets them before the first call of lm_newton_solve() */
    double *loss;        /* [count] the cost after elimination of the row's own column; for the last C */
    double *own;         /* [count] the weight of the row's own column */
    double *weight;      /* [width] the solution; 0 before the first call */
    double *previous;    /* [width] the previous solution */
    uint8_t *active;     /* [count] 1 if the residual is not 0 */
    double *known;       /* [count] the loss that the preconditioner contains; 0 if it does not contain the row */
    double unit_norm;    /* |gradient| at w = 0 for C = 1; 0: not computed */
    lm_preconditioner preconditioner;
} lm_newton;

/* Allocates a problem for the rows item[0..count); the caller then sets y, cost and tolerance. The preconditioner is
 * exact in `block` columns. Call lm_newton_free() also after a failure. */
leman_status lm_newton_init(leman_context *ctx, const lm_rows *rows, const uint32_t *item, size_t count, double epsilon,
                            size_t block, lm_newton *newton);
void lm_newton_free(lm_newton *newton);
/* Solves up to LM_LANES problems on the same rows together; each gets the same bits as alone. The items of each problem
 * must be increasing, unless all problems have the same list. C must be at least that of the previous call. After
 * LEMAN_ERROR_BUDGET the problems are unchanged. */
leman_status lm_newton_solve(leman_context *ctx, lm_newton *const *problem, size_t count, double C,
                             const lm_cancellation *cancellation);
/* Writes the solution as weight[columns + 1], the bias last. */
void lm_newton_weights(const lm_newton *newton, double *weight);
/* Returns the scalar product of a row and weight[columns], plus the bias weight[columns]. */
double lm_row_product(const lm_rows *rows, size_t row, const double *weight);

#endif
