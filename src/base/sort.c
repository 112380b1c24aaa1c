/*
 * Radix sort from the highest digit that differs, in two regimes (Knuth, volume 3, 5.2.5; the template has the code):
 *
 *   large    a counting pass by 8 bits, then each part by itself, until a part fits into the cache
 *   cached   one or two counting passes by about log2(n) bits, then one insertion sort over everything
 *
 * Colours are hashes: after log2(n) + 3 of their bits hardly two keys are equal, so the insertion sort mostly copies.
 * For other keys, the passes start below the bits in which all keys agree, and a long run of equal high bits that the
 * insertion sort meets is sorted by itself on its lower bits. A pass over more than INSERTION items removes four bits
 * or more, so any input takes O(n) time.
 *
 * Memory: only the stack, 64 KiB for counters shared by threads and 2 KiB for each of at most 13 levels. Slower on 10^7
 * random keys: digits of 9 to 11 bits, and write buffers of one cache line per digit (bench/RESULTS.md).
 */
#include "base/sort.h"
#include <stdbool.h>
#include <string.h>

enum {
    INSERTION = 12,       /* up to this many items an insertion sort is the fastest */
    ONE_PASS_COUNT = 256, /* up to this many items one pass is enough */
    ONE_PASS_BITS = 10,   /* keys that differ in at most this many bits need no second pass */
    TWO_PASS_BITS = 10,   /* bits of each of two passes */
    SPARE_BITS = 3,       /* beyond log2(n): then an eighth of the hashes share their bits with another one */
    MAX_SHIFT = 24,       /* an item that must move further belongs to a run that is sorted by itself */
    CACHED_BYTES = 1 << 22,
    DIGIT_BITS = 8,
    DIGITS = 1 << DIGIT_BITS,
    WASTED_BITS = 3,        /* a digit may begin this far above the highest differing bit */
    SHARED_COUNT = 1 << 17, /* from this many items on, threads pay off */
    MAX_THREADS = 32
};

static int bit_length(uint64_t x)
{
    return x ? 64 - __builtin_clzll(x) : 0;
}

/* Returns the lowest bit of the digit whose highest bit is bit - 1. */
static int digit_below(int bit)
{
    return bit > DIGIT_BITS ? bit - DIGIT_BITS : 0;
}

/* Replaces the counts of digits by the places where their items begin. */
static void begin_from_counts(uint32_t *counts, size_t digits)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < digits; i++) {
        uint32_t count = counts[i];
        counts[i] = sum;
        sum += count;
    }
}

/* Like begin_from_counts for slices that were counted separately: digit by digit, and slice by slice within a digit,
 * which keeps the order. */
static void begin_of_slices(int slices, size_t counts[][DIGITS])
{
    size_t sum = 0;
    for (int digit = 0; digit < DIGITS; digit++)
        for (int t = 0; t < slices; t++) {
            size_t count = counts[t][digit];
            counts[t][digit] = sum;
            sum += count;
        }
}

/* Returns the first item of the slice of thread t. */
static size_t slice_begin(int t, int threads, size_t count)
{
    return count / (size_t)threads * (size_t)t + count % (size_t)threads * (size_t)t / (size_t)threads;
}

#define ITEM uint64_t
#define KEY(item) (item)
#define NAME(word) keys_##word
#include "base/sort_template.h"
#undef ITEM
#undef KEY
#undef NAME

#define ITEM lm_pair
#define KEY(item) ((item).key)
#define NAME(word) pairs_##word
#include "base/sort_template.h"
#undef ITEM
#undef KEY
#undef NAME

#define ITEM uint32_t
#define KEY(item) ((uint64_t)(item))
#define NAME(word) numbers_##word
#include "base/sort_template.h"
#undef ITEM
#undef KEY
#undef NAME

static int limit_threads(int threads)
{
    return threads < MAX_THREADS ? threads : MAX_THREADS;
}

void lm_sort_keys(uint64_t *keys, uint64_t *spare, size_t count, int threads)
{
    if (!keys_in_order(keys, count)) keys_sort_any(keys, spare, count, 64, false, limit_threads(threads));
}

void lm_sort_pairs(lm_pair *pairs, lm_pair *spare, size_t count, int threads)
{
    if (!pairs_in_order(pairs, count)) pairs_sort_any(pairs, spare, count, 64, false, limit_threads(threads));
}

void lm_sort_numbers(uint32_t *numbers, uint32_t *spare, size_t count)
{
    if (!numbers_in_order(numbers, count)) numbers_sort_any(numbers, spare, count, 32, false, 1);
}

size_t lm_count_keys(uint64_t *keys, uint64_t *spare, size_t count, int threads, uint64_t *out_keys,
                     uint64_t *out_counts)
{
    if (!count) return 0;
    lm_sort_keys(keys, spare, count, threads);
    size_t last = 0;
    for (size_t i = 0; i + 1 < count; i++) { /* without branches: repetitions of keys cannot be predicted */
        const bool ends = keys[i] != keys[i + 1];
        out_keys[last] = keys[i];
        out_counts[last] = i + 1; /* the end of this key's run, for the moment */
        last += ends;
    }
    out_keys[last] = keys[count - 1];
    out_counts[last] = count;
    for (size_t i = last; i > 0; i--) out_counts[i] -= out_counts[i - 1];
    return last + 1;
}

#define COMPARE(name, type)                                                                                            \
    int name(const void *a, const void *b)                                                                             \
    {                                                                                                                  \
        const type x = *(const type *)a, y = *(const type *)b;                                                         \
        return (x > y) - (x < y);                                                                                      \
    }
COMPARE(lm_compare_double, double)
COMPARE(lm_compare_int64, int64_t)
COMPARE(lm_compare_uint32, uint32_t)
