/*
 * The # of local+ for networks: for a layer whose tuples carry the colours C of round r of the discrete local+
 * colouring (# in every round),
 *
 *   #_j(x) = how many tuples on the line of x along component j have the colour C(x)
 *
 * the paper's #^j_r(v, x), which is the same for all j-neighbours v of x. It is kept as the number of its bucket: 1 to
 * 16 have one each, from there on two to an octave, the last takes all from 4096 on. So small counts, and lines of up
 * to 16 vertices, are exact, and large graphs need no larger table.
 */
#ifndef LM_COUNTS_H
#define LM_COUNTS_H

#include "nn/encode/encoding.h"

enum { LM_COUNT_BUCKETS = 33 };

/* count >= 1 */
uint8_t lm_count_bucket(uint32_t count);

/* Buckets of #_k, along the last component: graph g has [rounds][n^k] of them from start[g] on. */
typedef struct lm_counts {
    leman_context *ctx;
    size_t rounds;
    uint64_t *start; /* [graphs+1] */
    uint8_t *bucket;
} lm_counts;

/* Colours every graph of the data once, over threads. rounds and labels are the encoding's. O(rounds * sum of n^k
 * * degree); a byte for each tuple and round. LEMAN_ERROR_BUDGET where that does not fit. */
leman_status lm_counts_compute(leman_context *ctx, const leman_dataset *data, const lm_encoding *encoding,
                               lm_counts *counts);
void lm_counts_free(lm_counts *counts);

/* to[n^k] = buckets of #_position in a round of graph g: those of #_k of the tuples with the components `position` and
 * k swapped, which have the same count. */
void lm_counts_read(const lm_counts *counts, size_t graph, size_t vertices, unsigned k, size_t round, size_t position,
                    uint32_t *to);

#endif
