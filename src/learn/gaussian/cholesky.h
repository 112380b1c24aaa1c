/*
 * Cholesky factors K = L L' of dense symmetric matrices, in tiles: LAPACK factors the tiles of the diagonal, BLAS does
 * the rest, and the tiles of one step are spread over threads. Every tile is computed by the same calls for every
 * number of threads, so results do not depend on it. Matrices are square, in rows of n doubles, of which only the lower
 * triangle is read and written; the tiles of the diagonal also write above the diagonal.
 */
#ifndef LM_CHOLESKY_H
#define LM_CHOLESKY_H

#include "base/context.h"

enum { LM_CHOLESKY_TILE = 128 };

/* Turns matrix[n][n] into its factor L. *definite is false, and the matrix is destroyed, if the matrix is not positive
 * definite or has an entry that is no number. n^3 / 3 operations. Fails if the caller cancels. */
leman_status lm_cholesky_factor(leman_context *ctx, size_t threads, double *matrix, size_t n, bool *definite);
/* Solve L x = b and L' x = b in place, for the first n rows of a factor in rows of `stride` doubles. n^2 operations. */
void lm_cholesky_solve_lower(const double *factor, size_t n, size_t stride, double *x);
void lm_cholesky_solve_transposed(const double *factor, size_t n, size_t stride, double *x);
/* Solves L x = b for LM_CHOLESKY_ROWS vectors at once, each a row of rows[][n]. The solution of a row does not depend on
 * the other rows. */
enum { LM_CHOLESKY_ROWS = 32 };
void lm_cholesky_solve_rows(const double *factor, size_t n, double *rows);
/* Writes the inverse of L, below and on the diagonal. n^3 / 3 operations. */
leman_status lm_cholesky_invert(leman_context *ctx, size_t threads, const double *factor, size_t n, double *inverse);

/* A tile of the inverse of K: entry[(i - row) * LM_CHOLESKY_TILE + j - column] is K^-1[i][j] for `rows` rows from `row`
 * on and `columns` columns from `column` on, row >= column. */
typedef struct lm_inverse_tile {
    size_t number, row, column, rows, columns;
    const double *entry;
} lm_inverse_tile;
/* Returns the number of tiles of the lower triangle. */
size_t lm_inverse_tiles(size_t n);
/* Computes the lower triangle of K^-1 from the inverse of L, tile by tile, and calls `use` for each, on several threads
 * at once. K^-1 is never in memory as a whole. n^3 / 3 operations. */
typedef void lm_use_inverse_tile(void *user, const lm_inverse_tile *tile);
leman_status lm_inverse_each(leman_context *ctx, size_t threads, const double *inverse, size_t n,
                             lm_use_inverse_tile *use, void *user);

#endif
