/*
 * Distances of training graphs, row by row. If the coefficients b sum to 0, a quadratic form depends on a Gram matrix K
 * only through d(i, j) = (K_ii + K_jj) / 2 - K_ij, half the squared distance: b'Kb = -b'Db. Distances suit a solver
 * better than K: they are the curvatures that it divides by, and small distances keep their precision.
 */
#ifndef LM_DISTANCES_H
#define LM_DISTANCES_H

#include "base/context.h"

enum {
    LM_DISTANCES_AT_ONCE = 8,
    LM_DISTANCES_PAD = 16 /* rows are padded with 0 to a multiple of this: a cache line, four vectors */
};

/* A row is computed when it is first needed, and then kept. If there is no memory to keep rows, it is computed each
 * time. */
typedef struct lm_distances {
    const float *gram;    /* [graphs][graphs] */
    size_t graphs;        /* graphs of the whole matrix */
    const uint32_t *item; /* [count] graph of each row */
    size_t count;
    size_t copies, width; /* a row holds the `count` distances `copies` times, then padding: `width` values in all */
    double *half;         /* [count] half of K_ii */
    float *memory;        /* memory of the next two arrays, which begin at a cache line */
    float *kept;          /* [count][width]; NULL if rows are not kept */
    float *spare;         /* [LM_DISTANCES_AT_ONCE][width]; NULL if rows are kept */
    bool *filled;         /* [count] true if the row has been computed */
} lm_distances;

/* Returns the width of a row of so many values. */
static inline size_t lm_distances_width(size_t values)
{
    return (values + LM_DISTANCES_PAD - 1) / LM_DISTANCES_PAD * LM_DISTANCES_PAD;
}

/* Prepares the distances of the training graphs item[count]; each row holds them `copies` times. Rows are kept if they
 * take at most *memory bytes, which are then subtracted. gram and item must outlive the distances. Call
 * lm_distances_clear() also after a failure. */
leman_status lm_distances_init(leman_context *ctx, const float *gram, size_t graphs, const uint32_t *item, size_t count,
                               size_t copies, size_t *memory, lm_distances *distances);
void lm_distances_clear(lm_distances *distances);
/* Sets out to the distances of a row to the variables column[count] (at most `width` of them), then padding. */
void lm_distances_pick(lm_distances *distances, size_t row, const uint32_t *column, size_t count, float *out);
/* Returns a row, which is valid until another row is requested in the same slot. slot is below LM_DISTANCES_AT_ONCE. */
const float *lm_distances_at(lm_distances *distances, size_t row, size_t slot);

#endif
