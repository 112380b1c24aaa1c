/*
 * A preconditioner for matrices H = I + 2 C sum over active rows of cost x x', where the last component of x is the
 * constant 1 of the bias. It is exact in the block of the bias and the most frequent columns, and diagonal in the
 * others.
 *
 * The columns of lm_rows are sorted by decreasing support, so the block is the first `size` columns. Frequent colours
 * are strongly correlated, which makes the conjugate gradient method slow without the block. Sums over rows are stored
 * without C and updated row by row: from one C to the next and from step to step only few rows change.
 */
#ifndef LM_PRECONDITIONER_H
#define LM_PRECONDITIONER_H

#include "svm/round_features.h"

typedef struct lm_preconditioner {
    size_t size, columns; /* of the block, of the rows; both without the bias */
    double *block;        /* [size + 1][size + 1] lower triangle of the sum; the bias last */
    double *diagonal;     /* [columns] of the sum */
    double *factor;       /* [size + 1][size + 1] Cholesky factor of the block of H */
    double *inverse;      /* [columns] of the diagonal of H */
    double *work;         /* [size + 1] */
    size_t threads;       /* 1 if a workspace for matrix products is reserved */
} lm_preconditioner;

/* Prepares a preconditioner without active rows. size must be at most columns. Call lm_preconditioner_free() also after
 * a failure. */
leman_status lm_preconditioner_init(leman_context *ctx, size_t size, size_t columns, lm_preconditioner *p);
void lm_preconditioner_free(lm_preconditioner *p);
/* Adds `cost` to the cost of a row: a row begins with cost 0, and has cost 0 again when it becomes inactive. O(nodes of
 * the row + square of its nodes in the block). */
void lm_preconditioner_add(lm_preconditioner *p, const lm_node *node, const lm_node *end, double cost);
/* Factors the preconditioner for this C, before lm_preconditioner_apply(). O(size^3 + columns). */
void lm_preconditioner_factor(lm_preconditioner *p, double C);
/* Sets out[columns + 1] to the inverse of the preconditioner times in[columns + 1]. O(size^2 + columns). */
void lm_preconditioner_apply(const lm_preconditioner *p, const double *in, double *out);

#endif
