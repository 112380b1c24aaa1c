/*
 * The Gram matrix of feature triples: exact sums of products, or of minima, of integers.
 *
 *   K(i, j) = sum over blocks and keys of multiplicity * combine(value_i, value_j),    combine: product, or minimum
 *
 * A key that one graph alone holds touches the diagonal only. Keys that few graphs share are added graph by graph, the
 * row of the matrix staying in the cache; keys that many share become columns of a table, multiplied in tiles.
 */
#ifndef LM_GRAM_H
#define LM_GRAM_H

#include "kernel/triples.h"

/* A cell is a sum of integers until the matrix is closed, then a real. */
typedef union lm_gram_entry {
    uint64_t sum;
    double value;
} lm_gram_entry;

/*
 * The matrix: rows are graphs 0 .. rows-1 of the triples; columns the same (square), or graphs rows .. graphs-1.
 *
 * Cells are sums of integers modulo 2^64. By Cauchy and Schwarz K(i, j) is at most the larger of K(i, i) and K(j, j),
 * so that all cells are exact if the diagonals of all rows and of all columns are below 2^63: lm_gram_fits(). Where
 * they are not, the matrix is to be computed again with `reals`: cells and diagonals are sums of doubles then. A double
 * holds integers up to 2^53 exactly; larger sums of m terms are within a factor of 1 +- m 2^-53.
 */
typedef struct lm_gram {
    size_t rows, columns;
    bool square; /* until it is closed, a square matrix is its cells above the diagonal; the others hold nothing yet */
    bool minima;
    bool begun;             /* cells are sums; before the first ones are added they are what the caller left there */
    bool reals;             /* cells and diagonals are doubles from the beginning */
    bool without;           /* the table of keys that many graphs share: there is no memory for it */
    lm_gram_entry *cell;    /* [rows][columns], the caller's */
    lm_gram_entry *self[2]; /* K(i, i) of the rows, and of the columns where not square; integers stop at UINT64_MAX */
} lm_gram;

/* Where sums go. */
typedef struct lm_target {
    lm_gram *gram;
    int sign;  /* of the cells: 1; -1 to subtract; 0 to leave them as they are */
    bool self; /* the diagonals too, always added */
} lm_target;

/* cell[rows * columns] stays the caller's, and untouched until there is something to add. */
leman_status lm_gram_new(leman_context *ctx, lm_gram_entry *cell, size_t rows, size_t columns, bool square, bool minima,
                         lm_gram *gram);
void lm_gram_free(leman_context *ctx, lm_gram *gram);
/* All sums are 0 from here on, if there were none before. */
void lm_gram_begin(leman_context *ctx, lm_gram *gram);
/* Adds blocks first .. last of the triples, which are empty afterwards; together, as each walk over the matrix costs.
 */
leman_status lm_gram_add(leman_context *ctx, lm_triples *triples, size_t first, size_t last, lm_gram *gram);
/* The same to several matrices of one shape and kind. */
leman_status lm_gram_add_to(leman_context *ctx, lm_triples *triples, size_t first, size_t last, const lm_target *target,
                            size_t targets);
/* The bytes that adding holds beside the entries and what sorting them holds, without the table. */
uint64_t lm_gram_bytes(const lm_triples *triples);
/* The same sums in cells of their own, to go on from. */
leman_status lm_gram_copy(leman_context *ctx, const lm_gram *from, lm_gram_entry *cell, lm_gram *to);
/* Adds the sums of one matrix to those of another, cell by cell; not the diagonals. */
void lm_gram_sum(leman_context *ctx, const lm_gram *from, lm_gram *to);
/* Are all sums exact? Once everything is added, and before the matrix is closed. */
bool lm_gram_fits(const lm_gram *gram);
/* Makes every cell the real weight * K(i, j), and every diagonal K(i, i), in place; normalised as below at once where
 * asked, by this kernel's own diagonal. The sums must be exact: lm_gram_fits(). */
void lm_gram_close(leman_context *ctx, lm_gram *gram, double weight, bool normalize);
/* Divides closed cells by the square roots of row_self[i] * column_self[j]; 0 where that is 0. */
void lm_gram_normalize(leman_context *ctx, lm_gram *gram, const double *row_self, const double *column_self);

/* ---- The table of keys that many graphs share ------------------------------------------------ */

enum { LM_TABLE_COLUMNS = 512, LM_TABLE_BLOCK = 16, LM_TABLE_VALUE = 1 << 12 };

/* Columns of values up to LM_TABLE_VALUE, graph by graph. Reals of 24 bits, which every processor multiplies fast, and
 * exactly as long as sums stay below 2^24. */
typedef struct lm_dense_block {
    float *value; /* [rows / LM_TABLE_BLOCK, rounded up][LM_TABLE_COLUMNS][LM_TABLE_BLOCK] */
    size_t columns;
    uint64_t multiplicity[LM_TABLE_COLUMNS]; /* modulo 2^64: negative where sums are subtracted */
    uint32_t largest[LM_TABLE_COLUMNS];
} lm_dense_block;

/* How many values a table has. */
static inline size_t lm_table_values(size_t rows)
{
    return (rows + LM_TABLE_BLOCK - 1) / LM_TABLE_BLOCK * LM_TABLE_BLOCK * LM_TABLE_COLUMNS;
}

/* Adds the table to the cells above the diagonal of a square matrix, and empties it. */
void lm_dense_block_flush(lm_dense_block *table, lm_gram *gram, int threads);

#endif
