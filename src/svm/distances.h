/*
 * Distances of training graphs, row by row. With coefficients that sum to 0, a Gram matrix K matters to a quadratic
 * form only through d(i, j) = (K_ii + K_jj) / 2 - K_ij, half the squared distance: b'Kb = -b'Db. Distances serve a
 * solver better: they are the curvatures that it divides by, and small ones keep their digits.
 */
#ifndef LM_DISTANCES_H
#define LM_DISTANCES_H

#include "base/context.h"

enum {
    LM_DISTANCES_AT_ONCE = 8,
    LM_DISTANCES_PAD = 16 /* rows are padded with 0 to a multiple of this: a cache line, four vectors */
};

/* A row is computed when it is first asked for and kept; where there is no memory to keep rows, each time. */
typedef struct lm_distances {
    const float *gram;    /* [graphs][graphs] */
    size_t graphs;        /* of the whole matrix */
    const uint32_t *item; /* [count] graph of each row */
    size_t count;
    size_t copies, width; /* a row holds the count distances so many times, then padding: width in all */
    double *half;         /* [count] half of K_ii */
    float *memory;        /* of the next two, which begin at a cache line */
    float *kept;          /* [count][width], NULL where rows are not kept */
    float *spare;         /* [LM_DISTANCES_AT_ONCE][width], where rows are not kept */
    bool *filled;         /* [count] is that row there? */
} lm_distances;

/* The width of a row of so many values. */
static inline size_t lm_distances_width(size_t values)
{
    return (values + LM_DISTANCES_PAD - 1) / LM_DISTANCES_PAD * LM_DISTANCES_PAD;
}

/* Rows are kept where they take at most `memory` bytes. gram and item must outlive them. */
leman_status lm_distances_init(leman_context *ctx, const float *gram, size_t graphs, const uint32_t *item, size_t count,
                               size_t copies, size_t memory, lm_distances *distances);
void lm_distances_clear(leman_context *ctx, lm_distances *distances);
/* The bytes that kept rows take. */
size_t lm_distances_bytes(const lm_distances *distances);
/* A row over the variables column[count] alone, at most width of them, then padding. */
void lm_distances_pick(lm_distances *distances, size_t row, const uint32_t *column, size_t count, float *out);
/* Valid until another row is asked for in the same slot, below LM_DISTANCES_AT_ONCE. */
const float *lm_distances_at(lm_distances *distances, size_t row, size_t slot);

#endif
