/*
 * Feature triples within a limit: slices of the keys.
 *
 * The first slice is found by halving. At its end every entry beyond the slice has been counted by the top bits of its
 * key, so the ends of further slices are computed from these counts: one slice more would cost a whole refinement.
 * Time: one more comparison an entry if everything fits; otherwise the work of filling once for each slice.
 */
#include "base/text.h"
#include "kernel/counts/triples.h"
#include <stdatomic.h>

enum { STRIPES = 1 << LM_TRIPLE_STRIPE_BITS, STRIPE_SHIFT = 64 - LM_TRIPLE_STRIPE_BITS };

static const uint64_t NARROWEST = UINT64_MAX / LM_TRIPLE_SLICES;

static size_t lists_of(const lm_triples *triples)
{
    return triples->blocks * LM_TRIPLE_LISTS;
}

/* A chunk for every list and some more chunks, twice, because sorting may take as much memory again. */
uint64_t lm_triples_min_bytes(int workers, size_t blocks)
{
    enum { MORE = 16 };
    return 2 * (uint64_t)workers * (blocks * LM_TRIPLE_LISTS + MORE) * LM_CHUNK_MIN;
}

leman_status lm_triples_limit(leman_context *ctx, lm_triples *triples, uint64_t filled, uint64_t sorted,
                              lm_memory_limit limit)
{
    uint64_t workers = (uint64_t)triples->workers, *left_out;
    PASS_NEW_ZERO(ctx, left_out, workers * STRIPES);
    for (size_t w = 0; w < workers; w++) triples->part[w].left_out = left_out + w * STRIPES;
    triples->filled = filled / workers;
    triples->sorted = sorted / workers;
    triples->limit = limit;
    return LEMAN_OK;
}

/* ---- A worker's part ------------------------------------------------------------------------- */

/* The bytes of entries and of sorting them: as many lists are sorted at a time as there are workers. */
static size_t sorting_bytes(const lm_triples *triples, size_t bytes, size_t largest)
{
    size_t lists = largest > bytes / (size_t)triples->workers ? bytes : largest * (size_t)triples->workers;
    return bytes + lists;
}

static bool fits(const lm_triples *triples, const lm_triples_part *part, const lm_chunks *list)
{
    size_t step = lm_chunks_step(list), largest = list->bytes + step;
    if (largest < part->largest) largest = part->largest;
    return part->bytes + step <= triples->filled &&
           sorting_bytes(triples, part->bytes + step, largest) <= triples->sorted;
}

void lm_triples_leave_out(lm_triples *triples, int worker, uint64_t key)
{
    if (key >= triples->low) triples->part[worker].left_out[key >> STRIPE_SHIFT]++;
}

static lm_chunk *reversed(lm_chunk *chunk)
{
    lm_chunk *before = NULL;
    while (chunk) {
        lm_chunk *next = chunk->older;
        chunk->older = before;
        before = chunk;
        chunk = next;
    }
    return before;
}

/* Removes the entries beyond the new end from a list. The others are moved together into its oldest chunks, which are
 * the smallest, and the remaining chunks are freed. An entry is never written ahead of the read position. */
static void narrow_list(lm_triples *triples, int worker, lm_chunks *list, uint64_t span)
{
    lm_chunk *first = reversed(list->newest), *to = first;
    size_t used = 0;
    for (const lm_chunk *from = first; from; from = from->older)
        for (size_t at = 0; at < from->used; at += sizeof(lm_pair)) {
            lm_pair entry;
            memcpy(&entry, from->data + at, sizeof entry);
            if (entry.key - triples->low > span) {
                lm_triples_leave_out(triples, worker, entry.key);
                continue;
            }
            if (to->size - used < sizeof entry) {
                to->used = used;
                to = to->older;
                used = 0;
            }
            memcpy(to->data + used, &entry, sizeof entry);
            used += sizeof entry;
        }
    lm_chunks rest = {.newest = used ? to->older : first};
    lm_chunks_free(&rest);
    *list = (lm_chunks){0};
    if (!used) return;
    to->used = used;
    to->older = NULL;
    list->newest = reversed(first);
    for (const lm_chunk *chunk = list->newest; chunk; chunk = chunk->older) list->bytes += chunk->size + sizeof *chunk;
}

static void narrow(lm_triples *triples, int worker, uint64_t span)
{
    lm_triples_part *part = triples->part + worker;
    lm_chunks *list = triples->list + (size_t)worker * lists_of(triples);
    part->bytes = part->largest = 0;
    for (size_t i = 0; i < lists_of(triples); i++) {
        narrow_list(triples, worker, list + i, span);
        part->bytes += list[i].bytes;
        if (list[i].bytes > part->largest) part->largest = list[i].bytes;
    }
    part->span = span;
}

static leman_status refuse(leman_context *ctx, const lm_triples *triples)
{
    char needed[LM_NUMBER_TEXT], available[LM_BUDGET_TEXT];
    uint64_t slice = lm_saturating_multiply(triples->sorted, (uint64_t)triples->workers);
    return lm_fail(ctx, LEMAN_ERROR_BUDGET,
                   "one of %d slices of the (graph, colour) pairs and what stands beside it need more than %s, the "
                   "memory budget is %s",
                   LM_TRIPLE_SLICES, lm_bytes_text(lm_saturating_add(triples->limit.held, slice), needed),
                   lm_budget_text(ctx, triples->limit.budget, available));
}

leman_status lm_triples_grow(leman_context *ctx, lm_triples *triples, int worker, size_t which, lm_pair entry)
{
    lm_triples_part *part = triples->part + worker;
    lm_chunks *list = triples->list + which;
    uint64_t span = atomic_load(&triples->span);
    if (span < part->span) narrow(triples, worker, span);
    while (!lm_chunks_has_room(list, sizeof entry) && !fits(triples, part, list)) {
        uint64_t half = part->span / 2;
        if (half < NARROWEST) return refuse(ctx, triples);
        while (span > half && !atomic_compare_exchange_weak(&triples->span, &span, half)) {
        }
        narrow(triples, worker, half < span ? half : span);
    }
    if (entry.key - triples->low > part->span) {
        lm_triples_leave_out(triples, worker, entry.key);
        return LEMAN_OK;
    }
    if (!lm_chunks_has_room(list, sizeof entry)) {
        size_t step = lm_chunks_step(list);
        PASS(lm_chunks_grow(ctx, list));
        part->bytes += step;
        if (list->bytes > part->largest) part->largest = list->bytes;
    }
    lm_chunks_put(list, &entry, sizeof entry);
    return LEMAN_OK;
}

/* ---- From slice to slice --------------------------------------------------------------------- */

void lm_triples_finish(lm_triples *triples)
{
    size_t bytes = 0, largest = 0;
    uint64_t span = atomic_load(&triples->span), entries = 0;
    if (!triples->part->left_out) return;
    for (int w = 0; w < triples->workers; w++) {
        if (triples->part[w].span > span) narrow(triples, w, span);
        bytes += triples->part[w].bytes;
        largest += triples->part[w].largest;
    }
    for (size_t i = 0; i < lists_of(triples) * (size_t)triples->workers; i++)
        entries += lm_chunks_count(triples->list + i, sizeof(lm_pair));
    /* An eighth is reserved, since keys and workers do not share the entries evenly. */
    if (!entries) entries = 1, bytes = largest = sizeof(lm_pair);
    double workers = (double)triples->workers, filled = workers * (double)triples->filled / (double)bytes;
    double sorted = workers * (double)triples->sorted / (double)sorting_bytes(triples, bytes, largest);
    const double fits = 0.875 * (double)entries * (filled < sorted ? filled : sorted); /* above 2^63 anything fits */
    triples->fits = fits < 0x1p63 ? (uint64_t)fits + 1 : UINT64_MAX;
    triples->scarce = (filled < sorted ? filled : sorted) < 4;
    if (triples->scarce) lm_trim_memory(); /* returns the memory of tuples before the sort */
}

/* The last key of the next slice, which has at least one stripe. *left is the number of entries that are left. */
static uint64_t next_end(const lm_triples *triples, uint64_t low, uint64_t *left)
{
    uint64_t sum = 0, end = low >> STRIPE_SHIFT;
    bool full = false;
    *left = 0;
    for (uint64_t stripe = end; stripe < STRIPES; stripe++) {
        uint64_t entries = 0;
        for (int w = 0; w < triples->workers; w++) entries += triples->part[w].left_out[stripe];
        *left += entries;
        full = full || (sum && sum + entries > triples->fits);
        sum += entries;
        if (!full) end = stripe;
    }
    return end << STRIPE_SHIFT | (UINT64_MAX >> LM_TRIPLE_STRIPE_BITS);
}

leman_status lm_triples_next(leman_context *ctx, lm_triples *triples, const char *name, bool *more)
{
    uint64_t last = triples->low + atomic_load(&triples->span), left;
    char available[LM_BUDGET_TEXT];
    *more = false;
    if (last == UINT64_MAX) return LEMAN_OK;
    uint64_t end = next_end(triples, last + 1, &left);
    if (!left) return LEMAN_OK;
    *more = true;
    triples->low = last + 1;
    atomic_store(&triples->span, end - triples->low);
    if (left / triples->fits >= LM_TRIPLE_SLICES) return refuse(ctx, triples);
    if (!triples->slice++)
        lm_log(ctx, "%s: within a memory budget of %s the features take about %llu pass%s over the graphs", name,
               lm_budget_text(ctx, triples->limit.budget, available), (unsigned long long)(left / triples->fits + 2),
               lm_plural_of((left / triples->fits + 2), "", "es"));
    for (int w = 0; w < triples->workers; w++) {
        lm_triples_part *part = triples->part + w;
        memset(part->left_out, 0, STRIPES * sizeof *part->left_out);
        *part = (lm_triples_part){.span = atomic_load(&triples->span), .left_out = part->left_out};
    }
    lm_trim_memory(); /* returns the memory of the sort before tuples are allocated */
    return LEMAN_OK;
}
