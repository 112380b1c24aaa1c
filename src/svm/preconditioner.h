/*
 * A preconditioner for matrices H = I + 2 C sum over active rows of cost x x', x with the constant 1 of the bias as its
 * last component: exact in the block of the bias and the most frequent columns, diagonal in the rest.
 *
 * The columns of lm_rows stand by decreasing support, so the block is the first `size` columns. Frequent colours are
 * strongly correlated, and it is they that make the conjugate gradient method slow. Sums over rows are kept without C
 * and brought up to date row by row: along C and from step to step only few rows change.
 */
#ifndef LM_PRECONDITIONER_H
#define LM_PRECONDITIONER_H

#include "svm/round_features.h"

typedef struct lm_preconditioner {
    size_t size, columns; /* of the block, of the rows; without the bias */
    double *block;        /* [size + 1][size + 1] lower triangle of the sum; the bias last */
    double *diagonal;     /* [columns] of the sum */
    double *factor;       /* [size + 1][size + 1] Cholesky factor of the block of H */
    double *inverse;      /* [columns] of the diagonal of H */
    double *work;         /* [size + 1] */
    size_t threads;       /* 1 where work space of matrix products is reserved */
} lm_preconditioner;

/* No row is active yet. size at most columns. */
leman_status lm_preconditioner_init(leman_context *ctx, size_t size, size_t columns, lm_preconditioner *p);
void lm_preconditioner_free(leman_context *ctx, lm_preconditioner *p);
/* The cost of a row grows by this, from 0 where it becomes active, or to 0 again. O(its nodes + the square of those in
 * the block). */
void lm_preconditioner_add(lm_preconditioner *p, const lm_node *node, const lm_node *end, double cost);
/* Makes it fit for lm_preconditioner_apply() with this C. O(size^3 + columns). */
void lm_preconditioner_factor(lm_preconditioner *p, double C);
/* out = its inverse times in, [columns + 1] both. O(size^2 + columns). */
void lm_preconditioner_apply(const lm_preconditioner *p, const double *in, double *out);

#endif
