/*
 * The counts # of local+ for networks. For a layer whose tuples have the colours C of round r of the discrete local+
 * colouring (# in every round),
 *
 *   #_j(x) = the number of tuples on the line of x along component j that have the colour C(x)
 *
 * This is the paper's #^j_r(v, x), which is equal for all j-neighbours v of x. Counts are stored as bucket numbers:
 * each of 1 to 16 has its own bucket, larger counts have two buckets per octave, and the last bucket takes all counts
 * from 4096 on. So small counts, and lines of up to 16 vertices, are exact, and large graphs need no larger table.
 */
#ifndef LM_COUNTS_H
#define LM_COUNTS_H

#include "nn/encode/encoding.h"

enum { LM_COUNT_BUCKETS = 33 };

/* Returns the number of the bucket of a count; count >= 1. */
uint8_t lm_count_bucket(uint32_t count);

/* Buckets of #_k, along the last component. Those of graph g are [rounds][n^k], from start[g] on. */
typedef struct lm_counts {
    size_t rounds;
    uint64_t *start; /* [graphs+1] */
    uint8_t *bucket;
} lm_counts;

/* Computes the buckets of all graphs of the data, with threads. The number of rounds and the labels are those of the
 * encoding. Fails with LEMAN_ERROR_BUDGET if the buckets do not fit: one byte for each tuple and round. Costs O(rounds
 * * sum of n^k * degree). */
leman_status lm_counts_compute(leman_context *ctx, const leman_dataset *data, const lm_encoding *encoding,
                               lm_counts *counts);
void lm_counts_free(lm_counts *counts);

/* Sets to[n^k] to the buckets of #_position of graph g in a round. They are the buckets of #_k of the tuples with the
 * components `position` and k swapped, which have equal counts. */
void lm_counts_read(const lm_counts *counts, size_t graph, size_t vertices, unsigned k, size_t round, size_t position,
                    uint32_t *to);

#endif
