/*
 * The Gram matrix of feature triples: exact sums of products, or of minima, of integers.
 *
 *   K(i, j) = sum over blocks and keys of multiplicity * combine(value_i, value_j),    combine: product, or minimum
 *
 * A key that occurs in one graph changes only the diagonal. Keys that few graphs share are added graph by graph, so
 * that the row of the matrix stays in the cache. Keys that many graphs share become columns of a table, multiplied in
 * tiles.
 */
#ifndef LM_GRAM_H
#define LM_GRAM_H

#include "kernel/counts/triples.h"

/* A cell: a sum of integers until the matrix is closed, then a real number. */
typedef union lm_gram_entry {
    uint64_t sum;
    double value;
} lm_gram_entry;

/*
 * The matrix. Its rows are graphs 0 .. rows-1 of the triples; its columns are the same graphs (square), or graphs
 * rows .. graphs-1.
 *
 * Cells are sums of integers modulo 2^64. By Cauchy and Schwarz K(i, j) is at most the larger of K(i, i) and K(j, j),
 * so all cells are exact if the diagonals of all rows and columns are below 2^63: lm_gram_fits(). Otherwise the matrix
 * must be computed again with `reals`: cells and diagonals are then sums of doubles. A double holds integers up to 2^53
 * exactly; larger sums of m terms are within a factor of 1 +- m 2^-53.
 */
typedef struct lm_gram {
    size_t rows, columns;
    bool square; /* until the matrix is closed, only the cells above the diagonal are used */
    bool minima;
    leman_normalization normalization;
    bool begun;             /* cells hold sums; before, they are uninitialised */
    bool reals;             /* cells and diagonals are doubles from the beginning */
    bool without;           /* there is no memory for the table of keys that many graphs share */
    lm_gram_entry *cell;    /* [rows][columns], owned by the caller */
    lm_gram_entry *self[2]; /* K(i, i) of the rows, and of the columns if not square; integers saturate at UINT64_MAX */
} lm_gram;

/* One matrix that sums are added to. */
typedef struct lm_target {
    lm_gram *gram;
    int sign;  /* of the terms added to the cells: 1; -1 to subtract; 0 to leave the cells unchanged */
    bool self; /* also add to the diagonals; never subtracted */
} lm_target;

/* Makes a matrix over cell[rows * columns], which the caller owns and which is not written before the first sum. */
leman_status lm_gram_new(leman_context *ctx, lm_gram_entry *cell, size_t rows, size_t columns, bool square, bool minima,
                         lm_gram *gram);
void lm_gram_free(lm_gram *gram);
/* Sets all sums to 0, unless sums were begun before. */
void lm_gram_begin(leman_context *ctx, lm_gram *gram);
/* Adds blocks first .. last of the triples, which are empty afterwards. Several blocks are added together because each
 * pass over the matrix costs time. */
leman_status lm_gram_add(leman_context *ctx, lm_triples *triples, size_t first, size_t last, lm_gram *gram);
/* lm_gram_add() to several matrices of one shape and kind. */
leman_status lm_gram_add_to(leman_context *ctx, lm_triples *triples, size_t first, size_t last, const lm_target *target,
                            size_t targets);
/* Returns the bytes that lm_gram_add() holds in addition to the entries and the memory of sorting, without the table.
 */
uint64_t lm_gram_bytes(const lm_triples *triples);
/* Makes *to a matrix over `cell` with the sums of `from`, to which more can be added. */
leman_status lm_gram_copy(leman_context *ctx, const lm_gram *from, lm_gram_entry *cell, lm_gram *to);
/* Adds the cells of `from` to those of `to`. The diagonals are not added. */
void lm_gram_sum(leman_context *ctx, const lm_gram *from, lm_gram *to);
/* Returns true if all sums are exact. To be called after the last sum and before the matrix is closed. */
bool lm_gram_fits(const lm_gram *gram);
/* Replaces every cell by the real number weight * K(i, j), and every diagonal by K(i, i), in place. `normalize` also
 * applies lm_gram_normalize() with this kernel's own diagonals. The sums must be exact: lm_gram_fits(). */
void lm_gram_close(leman_context *ctx, lm_gram *gram, double weight, bool normalize);
/* Divides closed cells as gram->normalization says (lm_normalized()). */
void lm_gram_normalize(leman_context *ctx, lm_gram *gram, const double *row_self, const double *column_self);

/* ---- The table of keys that many graphs share ------------------------------------------------ */

enum { LM_TABLE_COLUMNS = 512, LM_TABLE_BLOCK = 16, LM_TABLE_VALUE = 1 << 12 };

/* Columns of values up to LM_TABLE_VALUE, graph by graph. Values are floats, which every processor multiplies fast;
 * sums below 2^24 are exact. */
typedef struct lm_dense_block {
    float *value; /* [rows / LM_TABLE_BLOCK, rounded up][LM_TABLE_COLUMNS][LM_TABLE_BLOCK] */
    size_t columns;
    uint64_t multiplicity[LM_TABLE_COLUMNS]; /* modulo 2^64: negative if sums are subtracted */
    uint32_t largest[LM_TABLE_COLUMNS];
} lm_dense_block;

/* Returns the number of values of a table. */
static inline size_t lm_table_values(size_t rows)
{
    return (rows + LM_TABLE_BLOCK - 1) / LM_TABLE_BLOCK * LM_TABLE_BLOCK * LM_TABLE_COLUMNS;
}

/* Adds the products of the table to the cells above the diagonal of a square matrix, and empties the table. */
void lm_dense_block_flush(lm_dense_block *table, lm_gram *gram, int threads);

#endif
