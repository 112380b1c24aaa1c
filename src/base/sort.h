/*
 * Stable radix sort of 32-bit and 64-bit keys, alone or with a 64-bit payload: the hot path of counting colours across graphs.
 * Time O(n). Memory: one more array of the same size, which the caller provides, so that the caller can keep to the
 * budget. The order does not depend on the number of threads.
 */
#ifndef LM_SORT_H
#define LM_SORT_H

#include <stddef.h>
#include <stdint.h>

typedef struct lm_pair {
    uint64_t key, payload;
} lm_pair;

/* Sorts keys[count] in increasing order. spare[count] is overwritten. */
void lm_sort_keys(uint64_t *keys, uint64_t *spare, size_t count, int threads);
/* Sorts numbers[count] in increasing order. spare[count] is overwritten. */
void lm_sort_numbers(uint32_t *numbers, uint32_t *spare, size_t count);
/* Sorts pairs[count] by key. Pairs with equal keys keep their order. spare[count] is overwritten. */
void lm_sort_pairs(lm_pair *pairs, lm_pair *spare, size_t count, int threads);

/*
 * Sorts the keys, then writes every distinct key once, in increasing order, to out_keys and its number of occurrences
 * to out_counts: the histogram of a graph's colours. Returns the number of distinct keys. out_keys may be keys,
 * out_counts may be spare.
 */
size_t lm_count_keys(uint64_t *keys, uint64_t *spare, size_t count, int threads, uint64_t *out_keys,
                     uint64_t *out_counts);

/* For qsort() and bsearch(): compare two numbers, or two structs that begin with a number. */
int lm_compare_double(const void *a, const void *b);
int lm_compare_int64(const void *a, const void *b);
int lm_compare_uint32(const void *a, const void *b);

/* Returns the place of the first number of list[low .. high), which increases, that is at least x; `high` if all
 * numbers are smaller. O(log(high - low)). */
static inline size_t lm_lower_bound(const uint32_t *list, size_t low, size_t high, uint32_t x)
{
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (list[middle] < x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

#endif
