/*
 * Radix sort of 64-bit keys, alone or with a 64-bit payload: the hot path of counting colours across graphs.
 * Stable. Time O(n) passes over memory, extra memory one more array of the same size (given by the caller, so that
 * the budget is the caller's to keep). The order is the same for any number of threads.
 */
#ifndef LM_SORT_H
#define LM_SORT_H

#include <stddef.h>
#include <stdint.h>

typedef struct lm_pair {
    uint64_t key, payload;
} lm_pair;

/* keys[count] in increasing order; spare[count] is overwritten. */
void lm_sort_keys(uint64_t *keys, uint64_t *spare, size_t count, int threads);
/* pairs[count] by key; equal keys keep their order. */
void lm_sort_pairs(lm_pair *pairs, lm_pair *spare, size_t count, int threads);

/*
 * Sorts the keys, then writes each different one once, in increasing order, and how often it stood there: the
 * histogram of a graph's colours. Returns how many there are. out_keys may be keys, out_counts may be spare.
 */
size_t lm_count_keys(uint64_t *keys, uint64_t *spare, size_t count, int threads, uint64_t *out_keys,
                     uint64_t *out_counts);

#endif
