/*
 * Numbers are hashes, so their low bits cut them into parts of about PART of them, and each part is counted by a table
 * with open addressing that stays in the cache: some 5 ns a number, where sorting takes 9 (Neoverse V1). A part with
 * too many different numbers for its table is cut by one more bit, and looked at twice: any numbers are counted.
 */
#include "refine/different.h"
#include "base/context.h"
#include <omp.h>
#include <string.h>

enum { PART = 1 << 12, MAX_PART_BITS = 11, MAX_TABLE_BITS = 16 };

typedef struct table {
    uint64_t *slot; /* [1 << bits] 0 for free */
    unsigned bits;
} table;

/* What is in one list goes to its parts; words == NULL: is counted, by part. */
static void scatter(const lm_chunks *list, size_t parts, size_t *restrict next, uint64_t *restrict words)
{
    for (const lm_chunk *chunk = list->newest; chunk; chunk = chunk->older) {
        const uint64_t *from = (const uint64_t *)(const void *)chunk->data;
        const size_t count = chunk->used / sizeof *from;
        if (words)
            for (size_t i = 0; i < count; i++) words[next[from[i] & (parts - 1)]++] = from[i];
        else
            for (size_t i = 0; i < count; i++) next[from[i] & (parts - 1)]++;
    }
}

/* Counts by list and part become the places where they begin, and end[part] that where the part ends. */
static void place_parts(size_t lists, size_t parts, size_t *next, size_t *end)
{
    size_t at = 0;
    for (size_t p = 0; p < parts; p++) {
        for (size_t l = 0; l < lists; l++) {
            const size_t count = next[l * parts + p];
            next[l * parts + p] = at;
            at += count;
        }
        end[p] = at;
    }
}

/* The different numbers whose lowest `known` bits are `value`; false: too many for the table. */
static bool try_count(const table *t, const uint64_t *words, size_t count, unsigned known, uint64_t value,
                      size_t *found)
{
    const uint64_t low = known < 64 ? (UINT64_C(1) << known) - 1 : UINT64_MAX;
    const unsigned shift = known < 63 ? known : 63;
    const size_t mask = ((size_t)1 << t->bits) - 1, max = (mask + 1) / 4 * 3;
    uint64_t *restrict slot = t->slot;
    size_t different = 0;
    bool zero = false;
    memset(slot, 0, (mask + 1) * sizeof *slot);
    for (size_t i = 0; i < count; i++) {
        const uint64_t word = words[i];
        size_t j = (size_t)(word >> shift) & mask;
        if ((word & low) != value) continue;
        if (!word) {
            zero = true;
            continue;
        }
        while (slot[j] && slot[j] != word) j = (j + 1) & mask;
        different += !slot[j];
        slot[j] = word;
        if (different > max) return false;
    }
    *found = different + zero;
    return true;
}

static size_t count_part(const table *t, const uint64_t *words, size_t count, unsigned known, uint64_t value)
{
    size_t found;
    if (try_count(t, words, count, known, value, &found)) return found;
    return count_part(t, words, count, known + 1, value) +
           count_part(t, words, count, known + 1, value | UINT64_C(1) << known);
}

/* Bits of the number of parts, and of a table that is half full with what a part is expected to have. */
static unsigned bits_of_parts(size_t count)
{
    unsigned bits = 0;
    while (bits < MAX_PART_BITS && count >> bits > PART) bits++;
    return bits;
}

static unsigned bits_of_table(size_t part)
{
    unsigned bits = 4;
    while (bits < MAX_TABLE_BITS && (size_t)1 << bits < 2 * part) bits++;
    return bits;
}

leman_status lm_count_different(leman_context *ctx, lm_chunks *const *lists, size_t list_count, size_t count,
                                uint64_t *words, int threads, uint64_t *different)
{
    leman_status st = LEMAN_OK;
    const unsigned known = bits_of_parts(count), bits = bits_of_table(count >> known);
    const size_t parts = (size_t)1 << known;
    size_t *next = NULL, *end, sum = 0;
    uint64_t *slots = NULL;
    NEW(ctx, next, (list_count + 1) * parts);
    NEW(ctx, slots, (size_t)threads << bits);
    end = next + list_count * parts;
    memset(next, 0, list_count * parts * sizeof *next);
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (size_t l = 0; l < list_count; l++) scatter(lists[l], parts, next + l * parts, NULL);
    place_parts(list_count, parts, next, end);
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (size_t l = 0; l < list_count; l++) scatter(lists[l], parts, next + l * parts, words);
    for (size_t l = 0; l < list_count; l++) lm_chunks_free(ctx, lists[l]);
#pragma omp parallel for schedule(dynamic, 1) reduction(+ : sum) num_threads(threads) if (threads > 1)
    for (size_t p = 0; p < parts; p++) {
        const table own = {slots + ((size_t)omp_get_thread_num() << bits), bits};
        const size_t first = p ? end[p - 1] : 0;
        sum += count_part(&own, words + first, end[p] - first, known, p);
    }
    *different = sum;
done:
    lm_free(ctx, next);
    lm_free(ctx, slots);
    return st;
}
