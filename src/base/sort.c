/*
 * Radix sort from the highest digit that differs, in two regimes (Knuth, volume 3, 5.2.5; the template has the code):
 *
 *   large    one pass by 8 bits through buffers of a cache line a digit, until a part fits into the cache
 *   cached   one or two counting passes by about log2(n) bits, then one insertion sort over everything
 *
 * Colours are hashes: log2(n) of their bits, and three more, leave hardly two keys together, so the insertion sort
 * only copies. For keys of any other kind the passes start below the bits in which all keys agree, and a long run that
 * the insertion sort meets is sorted by itself on its lower bits. Each pass takes at least five bits off (but for
 * short arrays), so any input takes O(n) time.
 *
 * No memory but the stack: 64 KiB at most for shared counters, 20 KiB otherwise.
 */
#include "base/sort.h"
#include <stdbool.h>
#include <string.h>

enum {
    INSERTION = 24,        /* up to this many items an insertion sort is the fastest */
    ONE_PASS_COUNT = 1024, /* up to this many items one pass is enough */
    ONE_PASS_BITS = 10,
    TWO_PASS_BITS = 10,     /* a digit, two passes */
    SPARE_BITS = 3,         /* beyond log2(n): an eighth of the keys meet another one */
    LONGEST_WAY = 24,       /* an item that must be moved further stands in a run that wants a pass of its own */
    CACHED_BYTES = 1 << 19, /* with its scratch array, 1 MiB: the second-level cache */
    DIGIT_BITS = 8,
    DIGITS = 1 << DIGIT_BITS,
    WASTED_BITS = 3,        /* a digit may begin this much above the highest differing bit */
    SHARED_COUNT = 1 << 16, /* items from which threads are worth while */
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

static size_t slice_begin(int t, size_t slice, size_t count)
{
    return (size_t)t < count / slice + 1 && (size_t)t * slice < count ? (size_t)t * slice : count;
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

static int at_most(int threads)
{
    return threads < MAX_THREADS ? threads : MAX_THREADS;
}

void lm_sort_keys(uint64_t *keys, uint64_t *spare, size_t count, int threads)
{
    keys_sort_shared(keys, spare, count, 64, false, at_most(threads));
}

void lm_sort_pairs(lm_pair *pairs, lm_pair *spare, size_t count, int threads)
{
    pairs_sort_shared(pairs, spare, count, 64, false, at_most(threads));
}
