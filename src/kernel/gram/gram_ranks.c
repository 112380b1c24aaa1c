/*
 * Triples and Gram matrices over ranks; ranks.h describes the method.
 *
 * On P ranks with e entries in all, one rank sends (P - 1) / P^2 of 16 e bytes, once for each matrix or, with a small
 * budget, once for each slice. A square matrix of n graphs has only sums above the diagonal, 4 n (n - 1) bytes: a rank
 * sends and receives twice (P - 1) / P of them. Sums are integers, so the result does not depend on P.
 */
#include "kernel/gram/gram_ranks.h"
#include "base/hash.h"
#include "base/ranks/ranks.h"
#include "graph/same_work.h"

enum { CELLS = 1 << 20 }; /* cells of a matrix that are summed at once, at most */

uint64_t lm_triples_rank_bytes(const leman_context *ctx, uint64_t bytes)
{
    return lm_has_ranks(ctx) ? bytes / 3 : bytes;
}

/* ---- Slices ---------------------------------------------------------------------------------- */

leman_status lm_triples_agree(leman_context *ctx, lm_triples *triples)
{
    uint64_t *left = triples->part->left_out;
    const size_t stripes = (size_t)1 << LM_TRIPLE_STRIPE_BITS;
    if (!triples->shared || !lm_has_ranks(ctx) || lm_triples_is_whole(triples)) return LEMAN_OK;
    for (int w = 1; w < triples->workers; w++)
        for (size_t i = 0; i < stripes; i++) {
            left[i] += triples->part[w].left_out[i];
            triples->part[w].left_out[i] = 0;
        }
    PASS(lm_ranks_sum(ctx, LM_UINT64, left, stripes));
    PASS(lm_ranks_min(ctx, &triples->fits));
    triples->fits = lm_saturating_multiply(triples->fits, lm_rank_count(ctx));
    return LEMAN_OK;
}

/* ---- Entries --------------------------------------------------------------------------------- */

/* The rank of a key. Keys of orbits are smallest colours, which are denser among small numbers, so they are mixed once
 * more. */
static size_t rank_of(size_t ranks, uint64_t key)
{
    return (size_t)((lm_mix(key) >> 32) * ranks >> 32);
}

typedef struct packing {
    lm_triples *triples;
    size_t lists, ranks; /* lists: number of lists of one worker */
    size_t *count;       /* [ranks][lists] */
} packing;

static void count_entries(const packing *p)
{
    memset(p->count, 0, p->ranks * p->lists * sizeof *p->count);
    for (size_t i = 0; i < p->lists * (size_t)p->triples->workers; i++)
        for (const lm_chunk *chunk = p->triples->list[i].newest; chunk; chunk = chunk->older)
            for (size_t at = 0; at < chunk->used; at += sizeof(lm_pair)) {
                uint64_t key;
                memcpy(&key, chunk->data + at, sizeof key);
                p->count[rank_of(p->ranks, key) * p->lists + i % p->lists]++;
            }
}

/* Moves all entries to their places in to[]. next[ranks][lists] are the next places. The lists are empty afterwards. */
static void place_entries(const packing *p, size_t *next, lm_pair *to)
{
    for (size_t i = 0; i < p->lists * (size_t)p->triples->workers; i++) {
        for (const lm_chunk *chunk = p->triples->list[i].newest; chunk; chunk = chunk->older)
            for (size_t at = 0; at < chunk->used; at += sizeof *to) {
                lm_pair entry;
                memcpy(&entry, chunk->data + at, sizeof entry);
                to[next[rank_of(p->ranks, entry.key) * p->lists + i % p->lists]++] = entry;
            }
        lm_chunks_free(p->triples->list + i);
    }
}

/* Appends entries of all ranks, ordered by rank and list, to the lists of the first worker. */
static leman_status unpack(leman_context *ctx, lm_triples *triples, const size_t *count, size_t lists, size_t ranks,
                           const lm_pair *entry)
{
    for (size_t r = 0; r < ranks; r++)
        for (size_t list = 0; list < lists; list++) {
            for (size_t i = 0; i < count[r * lists + list]; i++)
                PASS(lm_chunks_append(ctx, triples->list + list, entry + i, sizeof *entry));
            entry += count[r * lists + list];
        }
    return LEMAN_OK;
}

/* Packs the entries for each rank in one array, and counts those of each list. With ranks = 1 all go to one array. */
static leman_status pack(leman_context *ctx, packing *p, size_t *bytes, lm_pair **out)
{
    size_t *next, sum = 0;
    lm_pair *entry = NULL;
    PASS_SCRATCH(ctx, next, p->ranks * p->lists);
    PASS_SCRATCH(ctx, p->count, p->ranks * p->lists);
    count_entries(p);
    for (size_t r = 0; r < p->ranks; r++) {
        const size_t first = sum;
        for (size_t list = r * p->lists; list < (r + 1) * p->lists; list++) {
            next[list] = sum;
            sum += p->count[list];
        }
        bytes[r] = (sum - first) * sizeof *entry;
    }
    PASS_NEW(ctx, entry, sum);
    place_entries(p, next, entry);
    *out = entry;
    return LEMAN_OK;
}

static leman_status exchange(leman_context *ctx, lm_triples *triples)
{
    SCRATCH_SCOPE(ctx);
    const size_t ranks = lm_rank_count(ctx), lists = triples->blocks * LM_TRIPLE_LISTS;
    packing p = {triples, lists, ranks, NULL};
    AUTO(lm_release_at) lm_pair *entry = NULL;
    AUTO(lm_release_at) void *counts = NULL;
    AUTO(lm_release_at) void *entries = NULL;
    size_t *bytes, *sizes;
    PASS_SCRATCH(ctx, bytes, ranks);
    PASS_SCRATCH(ctx, sizes, ranks);
    PASS(pack(ctx, &p, bytes, &entry));
    PASS(lm_ranks_exchange(ctx, entry, bytes, sizes, &entries));
    lm_release(entry);
    entry = NULL;
    for (size_t r = 0; r < ranks; r++) bytes[r] = lists * sizeof *p.count;
    PASS(lm_ranks_exchange(ctx, p.count, bytes, sizes, &counts));
    return unpack(ctx, triples, counts, lists, ranks, entries);
}

leman_status lm_triples_finish_ranks(leman_context *ctx, lm_triples *triples)
{
    uint64_t span = atomic_load(&triples->span);
    const bool together = triples->shared && lm_has_ranks(ctx);
    if (together) PASS(lm_ranks_min(ctx, &span));
    atomic_store(&triples->span, span);
    lm_triples_finish(triples);
    if (together) PASS(exchange(ctx, triples));
    return LEMAN_OK;
}

/* Appends the entries of all ranks' own triples. */
static leman_status gather(leman_context *ctx, lm_triples *own, lm_triples *triples)
{
    SCRATCH_SCOPE(ctx);
    const size_t ranks = lm_rank_count(ctx), lists = own->blocks * LM_TRIPLE_LISTS;
    packing p = {own, lists, 1, NULL};
    AUTO(lm_release_at) lm_pair *entry = NULL;
    AUTO(lm_release_at) void *entries = NULL;
    size_t *bytes, *counts, size;
    PASS_SCRATCH(ctx, bytes, ranks);
    PASS_SCRATCH(ctx, counts, ranks * lists);
    PASS(pack(ctx, &p, &size, &entry));
    PASS(lm_ranks_gather_equal(ctx, p.count, lists * sizeof *p.count, counts));
    PASS(lm_ranks_gather(ctx, entry, size, bytes, &entries));
    lm_release(entry);
    entry = NULL;
    return unpack(ctx, triples, counts, lists, ranks, entries);
}

leman_status lm_kernel_fill_ranks(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernel,
                                  bool branches, size_t first_graph, lm_triples *triples)
{
    leman_status st = LEMAN_OK;
    AUTO(lm_triples_free) lm_triples own = {0};
    if (!lm_has_ranks(ctx)) return lm_kernel_fill(ctx, data, kernel, branches, first_graph, triples);
    lm_ranks_begin(ctx);
    TRY(lm_ranks_same_work(ctx, lm_kernels_checksum(kernel, 1), data, NULL));
    TRY(lm_triples_new(ctx, triples->graphs, triples->blocks, &own));
    own.expanded = triples->expanded;
    own.shared = true;
    TRY(lm_kernel_fill(ctx, data, kernel, branches, first_graph, &own));
    TRY(gather(ctx, &own, triples));
done:
    return lm_ranks_end(ctx, st);
}

/* ---- Matrices -------------------------------------------------------------------------------- */

/* Sums the diagonals of all ranks. Sums of integers saturate at UINT64_MAX. */
static leman_status reduce_self(leman_context *ctx, bool reals, lm_gram_entry *self, size_t count)
{
    AUTO(lm_release_at) lm_gram_entry *all = NULL;
    PASS_NEW(ctx, all, lm_rank_count(ctx) * count);
    PASS(lm_ranks_gather_equal(ctx, self, count * sizeof *self, all));
    for (size_t i = 0; i < count; i++) {
        self[i] = all[i];
        for (size_t r = 1; r < lm_rank_count(ctx); r++)
            if (reals)
                self[i].value += all[r * count + i].value;
            else
                self[i].sum = lm_saturating_add(self[i].sum, all[r * count + i].sum);
    }
    return LEMAN_OK;
}

/* Cells with sums are copied to a buffer, CELLS or one row at a time, summed, and copied back. */
leman_status lm_gram_reduce(leman_context *ctx, lm_gram *g)
{
    AUTO(lm_release_at) uint64_t *sum = NULL;
    if (!lm_has_ranks(ctx)) return LEMAN_OK;
    uint64_t most = lm_budget(ctx) / (64 * sizeof *sum);
    PASS(lm_ranks_min(ctx, &most));
    if (most > CELLS) most = CELLS;
    if (most < g->columns) most = g->columns;
    lm_gram_begin(ctx, g);
    PASS_NEW(ctx, sum, most);
    for (size_t row = 0, last; row < g->rows; row = last) {
        size_t count = 0;
        for (last = row; last < g->rows; last++) {
            const size_t first = g->square ? last + 1 : 0, cells = g->columns - first;
            if (count + cells > most) break;
            memcpy(sum + count, g->cell + last * g->columns + first, cells * sizeof *sum);
            count += cells;
        }
        PASS(lm_ranks_sum(ctx, g->reals ? LM_FLOAT64 : LM_UINT64, sum, count));
        for (size_t i = row, at = 0; i < last; i++) {
            const size_t first = g->square ? i + 1 : 0, cells = g->columns - first;
            memcpy(g->cell + i * g->columns + first, sum + at, cells * sizeof *sum);
            at += cells;
        }
    }
    PASS(reduce_self(ctx, g->reals, g->self[0], g->rows));
    return reduce_self(ctx, g->reals, g->self[1], g->columns);
}
