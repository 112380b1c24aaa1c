/* Feature triples: making, freeing and sorting them. */
#include "kernel/counts/triples.h"
#include "base/thread_pool.h"

leman_status lm_triples_new(leman_context *ctx, size_t graphs, size_t blocks, lm_triples *out)
{
    AUTO(lm_triples_free)
    lm_triples triples = {.graphs = graphs,
                          .blocks = blocks,
                          .workers = lm_thread_pool_workers(ctx),
                          .span = UINT64_MAX,
                          .filled = SIZE_MAX,
                          .sorted = SIZE_MAX};
    if (graphs >> (64 - LM_TRIPLE_VALUE_BITS))
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "found %zu graph%s, expected fewer than 2^%d", graphs, lm_plural(graphs),
                       64 - LM_TRIPLE_VALUE_BITS);
    PASS_NEW_ZERO(ctx, triples.list, (size_t)triples.workers * blocks * LM_TRIPLE_LISTS);
    PASS_NEW(ctx, triples.part, (size_t)triples.workers);
    for (int w = 0; w < triples.workers; w++) triples.part[w] = (lm_triples_part){.span = UINT64_MAX};
    return HAND_OVER(out, triples);
}

void lm_triples_free(lm_triples *triples)
{
    size_t lists = triples->list ? (size_t)triples->workers * triples->blocks * LM_TRIPLE_LISTS : 0;
    for (size_t i = 0; i < lists; i++) lm_chunks_free(triples->list + i);
    if (triples->part) lm_release(triples->part->left_out); /* one array for all workers */
    RELEASE(triples->part, triples->list);
    *triples = (lm_triples){0};
}

leman_status lm_triples_refuse(leman_context *ctx, size_t graph)
{
    return lm_fail(ctx, LEMAN_ERROR_BUDGET, "graph %zu has more than 2^%d tuples of one colour", graph,
                   LM_TRIPLE_VALUE_BITS);
}

leman_status lm_triples_add_entries(leman_context *ctx, lm_triples *triples, int worker, size_t block,
                                    const lm_pair *entry, size_t count)
{
    const size_t which = ((size_t)worker * triples->blocks + block) * LM_TRIPLE_LISTS;
    lm_chunks *list = triples->list + which;
    for (size_t at = 0, part; at < count; at += part) {
        const bool whole = !triples->low && triples->part[worker].span == UINT64_MAX; /* no key is left out */
        part = whole && list->newest ? (list->newest->size - list->newest->used) / sizeof *entry : 0;
        if (part > count - at) part = count - at;
        if (part)
            lm_chunks_put(list, entry + at, part * sizeof *entry);
        else
            PASS(lm_triples_add_entry(ctx, triples, worker, which, entry[at++]));
    }
    return LEMAN_OK;
}

size_t lm_triples_entries(const lm_triples *triples, size_t block, size_t list)
{
    size_t all = 0;
    for (size_t w = 0; w < (size_t)triples->workers; w++)
        all += lm_chunks_count(triples->list + (w * triples->blocks + block) * LM_TRIPLE_LISTS + list, sizeof(lm_pair));
    return all;
}

/* Moves the entries of a list into one array: workers in order, and entries in the order in which they were added. */
static void gather(lm_triples *triples, size_t list, lm_pair *end)
{
    const size_t step = triples->blocks * LM_TRIPLE_LISTS;
    for (size_t w = (size_t)triples->workers; w-- > 0;) {
        lm_chunks *chunks = triples->list + w * step + list;
        for (const lm_chunk *chunk = chunks->newest; chunk; chunk = chunk->older)
            memcpy(end -= chunk->used / sizeof *end, chunk->data, chunk->used);
        lm_chunks_free(chunks);
    }
}

static bool in_order_of_graphs(const lm_pair *entry, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (entry[i - 1].payload >> LM_TRIPLE_VALUE_BITS > entry[i].payload >> LM_TRIPLE_VALUE_BITS) return false;
    return true;
}

/* A counting sort, O(entries + graphs). */
static leman_status order_by_graph(leman_context *ctx, size_t graphs, lm_pair *entry, size_t count, lm_pair *spare)
{
    size_t *next;
    PASS_SCRATCH_ZERO(ctx, next, graphs + 1);
    for (size_t i = 0; i < count; i++) next[lm_pair_graph(entry[i]) + 1]++;
    for (size_t g = 0; g < graphs; g++) next[g + 1] += next[g];
    for (size_t i = 0; i < count; i++) spare[next[lm_pair_graph(entry[i])]++] = entry[i];
    memcpy(entry, spare, count * sizeof *entry);
    return LEMAN_OK;
}

leman_status lm_triples_sort(leman_context *ctx, lm_triples *triples, size_t block, size_t list, lm_pair **entries,
                             size_t *count)
{
    SCRATCH_SCOPE(ctx);
    AUTO(lm_release_at) lm_pair *ordered = NULL;
    lm_pair *spare;
    const size_t all = lm_triples_entries(triples, block, list);
    PASS_NEW(ctx, ordered, all);
    gather(triples, block * LM_TRIPLE_LISTS + list, ordered + all);
    if (triples->scarce) lm_trim_memory();
    PASS_SCRATCH(ctx, spare, all);
    if (!in_order_of_graphs(ordered, all)) PASS(order_by_graph(ctx, triples->graphs, ordered, all, spare));
    lm_sort_pairs(ordered, spare, all, ctx->settings.threads);
    *count = all;
    return HAND_OVER(entries, ordered);
}
