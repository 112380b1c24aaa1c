/* The low bits of the numbers divide them into parts of about PART numbers. Each part is counted by an open-addressing
 * table that stays in the cache, which takes less time than sorting the numbers. */
#include "base/context.h"
#include "refine/refine.h"
#include <omp.h>
#include <string.h>

enum { PART = 1 << 10, MAX_PART_BITS = 11 };

/* Counts the numbers of a list by part in next[parts] or, if words is not NULL, moves each to the place next[part]. */
static void divide_list(const lm_chunks *list, size_t parts, size_t *restrict next, uint64_t *restrict words)
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

/* Counts the different numbers of one part in slot[1 << bits]; 0 is a free slot. */
static uint64_t count_part_different(const uint64_t *words, size_t count, unsigned bits, uint64_t *slot)
{
    const size_t mask = ((size_t)1 << bits) - 1;
    uint64_t different = 0;
    bool zero = false;
    memset(slot, 0, sizeof *slot << bits);
    for (size_t i = 0; i < count; i++) {
        const uint64_t word = words[i];
        size_t at = (size_t)(word * UINT64_C(0x9e3779b97f4a7c15) >> (64 - bits));
        while (slot[at] && slot[at] != word) at = (at + 1) & mask;
        different += !slot[at] & (word != 0);
        zero |= !word;
        slot[at] = word;
    }
    return different + zero;
}

leman_status lm_count_different(leman_context *ctx, lm_chunks *const *lists, size_t list_count, size_t count,
                                uint64_t *words, uint64_t *different)
{
    int threads = ctx->settings.threads;
    size_t parts = 1, at = 0, largest = 0, *begin;
    AUTO(lm_release_at) size_t *next = NULL;
    AUTO(lm_release_at) uint64_t *slots = NULL;
    uint64_t sum = 0;
    unsigned bits = 1;
    while (parts < (size_t)1 << MAX_PART_BITS && count / parts > PART) parts *= 2;
    PASS_NEW(ctx, next, (list_count + 1) * parts + 1);
    begin = next + list_count * parts;
    memset(next, 0, list_count * parts * sizeof *next);
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (size_t l = 0; l < list_count; l++) divide_list(lists[l], parts, next + l * parts, NULL);
    for (size_t p = 0; p < parts; p++) {
        begin[p] = at;
        for (size_t l = 0; l < list_count; l++) {
            const size_t own = next[l * parts + p];
            next[l * parts + p] = at;
            at += own;
        }
        if (at - begin[p] > largest) largest = at - begin[p];
    }
    begin[parts] = at;
    while ((size_t)1 << bits < largest * 3 / 2 + 1) bits++;
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (size_t l = 0; l < list_count; l++) divide_list(lists[l], parts, next + l * parts, words);
    for (size_t l = 0; l < list_count; l++) lm_chunks_free(lists[l]);
    while (threads > 1 && (size_t)threads << bits > count) threads--; /* tables take no more memory than the words */
    PASS_NEW(ctx, slots, (size_t)threads << bits);
#pragma omp parallel for schedule(dynamic, 1) reduction(+ : sum) num_threads(threads) if (threads > 1)
    for (size_t p = 0; p < parts; p++)
        sum += count_part_different(words + begin[p], begin[p + 1] - begin[p], bits,
                                    slots + ((size_t)omp_get_thread_num() << bits));
    *different = sum;
    return LEMAN_OK;
}
