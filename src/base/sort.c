/*
 * Radix sort from the highest digit that differs, in two regimes (Knuth, volume 3, 5.2.5; the template has the code):
 *
 *   large    a counting pass by 8 bits, then each part by itself, until a part fits into the cache
 *   cached   one or two counting passes by about log2(n) bits, then one insertion sort over everything
 *
 * Colours are hashes: log2(n) of their bits and three more leave hardly two keys together, so the insertion sort only
 * copies. For keys of any other kind the passes start below the bits in which all keys agree, and a long run that the
 * insertion sort meets is sorted by itself on its lower bits. A pass over more than INSERTION items takes four bits or
 * more off, so any input takes O(n) time.
 *
 * No memory but the stack: 64 KiB for counters shared by threads, and 2 KiB for each of at most 13 levels. Tried on
 * 10^7 random keys and slower: digits of 9 to 11 bits, and buffers of one cache line a digit before memory is written
 * (bench/RESULTS.md).
 */
#include "base/sort.h"
#include <stdbool.h>
#include <string.h>

enum {
    INSERTION = 12,       /* up to this many items an insertion sort is the fastest */
    ONE_PASS_COUNT = 256, /* up to this many items one pass is enough */
    ONE_PASS_BITS = 10,   /* keys that differ in so few bits need no second pass */
    TWO_PASS_BITS = 10,   /* each */
    SPARE_BITS = 3,       /* beyond log2(n): an eighth of the hashes meet another one */
    MAX_SHIFT = 24,       /* an item that must go further down stands in a run that gets passes of its own */
    CACHED_BYTES = 1 << 22,
    DIGIT_BITS = 8,
    DIGITS = 1 << DIGIT_BITS,
    WASTED_BITS = 3,        /* a digit may begin this far above the highest differing bit */
    SHARED_COUNT = 1 << 17, /* items from which threads are worth while */
    MAX_THREADS = 32
};

static int bit_length(uint64_t x)
{
    return x ? 64 - __builtin_clzll(x) : 0;
}

/* The lowest bit of the digit whose highest is bit - 1. */
static int digit_below(int bit)
{
    return bit > DIGIT_BITS ? bit - DIGIT_BITS : 0;
}

/* Counts of digits become the places where their items begin. */
static void begin_from_counts(uint32_t *counts, size_t digits)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < digits; i++) {
        uint32_t count = counts[i];
        counts[i] = sum;
        sum += count;
    }
}

/* The same for slices counted apart: digit by digit, and within a digit slice by slice, which keeps the order. */
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

/* Where the slice of thread t begins. */
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

size_t lm_count_keys(uint64_t *keys, uint64_t *spare, size_t count, int threads, uint64_t *out_keys,
                     uint64_t *out_counts)
{
    if (!count) return 0;
    lm_sort_keys(keys, spare, count, threads);
    size_t last = 0;
    for (size_t i = 0; i + 1 < count; i++) { /* without branches: whether keys repeat cannot be predicted */
        const bool ends = keys[i] != keys[i + 1];
        out_keys[last] = keys[i];
        out_counts[last] = i + 1; /* where the key ends, for now */
        last += ends;
    }
    out_keys[last] = keys[count - 1];
    out_counts[last] = count;
    for (size_t i = last; i > 0; i--) out_counts[i] -= out_counts[i - 1];
    return last + 1;
}
