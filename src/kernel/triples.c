/* Feature triples: made, freed, sorted. */
#include "kernel/triples.h"
#include "base/thread_pool.h"

leman_status lm_triples_new(leman_context *ctx, size_t graphs, size_t blocks, lm_triples *out)
{
    leman_status st = LEMAN_OK;
    lm_triples triples = {.graphs = graphs,
                          .blocks = blocks,
                          .workers = lm_thread_pool_workers(ctx),
                          .span = UINT64_MAX,
                          .filled = SIZE_MAX,
                          .sorted = SIZE_MAX};
    size_t lists = (size_t)triples.workers * blocks * LM_TRIPLE_LISTS;
    if (graphs >> (64 - LM_TRIPLE_VALUE_BITS))
        FAIL(ctx, LEMAN_ERROR_INPUT, "found %zu graph%s, expected fewer than 2^%d", graphs, lm_plural(graphs),
             64 - LM_TRIPLE_VALUE_BITS);
    NEW(ctx, triples.list, lists);
    memset(triples.list, 0, lists * sizeof *triples.list);
    NEW(ctx, triples.part, (size_t)triples.workers);
    for (int w = 0; w < triples.workers; w++) triples.part[w] = (lm_triples_part){.span = UINT64_MAX};
    *out = triples;
done:
    if (st) lm_triples_free(ctx, &triples);
    return st;
}

void lm_triples_free(leman_context *ctx, lm_triples *triples)
{
    size_t lists = triples->list ? (size_t)triples->workers * triples->blocks * LM_TRIPLE_LISTS : 0;
    for (size_t i = 0; i < lists; i++) lm_chunks_free(ctx, triples->list + i);
    if (triples->part) lm_free(ctx, triples->part->left_out); /* one array for all workers */
    lm_free(ctx, triples->part);
    lm_free(ctx, triples->list);
    *triples = (lm_triples){0};
}

/* Entries of all workers in the order of their graphs: a counting sort, O(entries + graphs). */
static void order_by_graph(lm_triples *triples, size_t list, size_t *next, lm_pair *to)
{
    size_t step = triples->blocks * LM_TRIPLE_LISTS;
    for (size_t w = 0; w < (size_t)triples->workers; w++)
        for (const lm_chunk *chunk = triples->list[w * step + list].newest; chunk; chunk = chunk->older)
            for (size_t at = 0; at < chunk->used; at += sizeof *to) {
                lm_pair entry;
                memcpy(&entry, chunk->data + at, sizeof entry);
                if (to)
                    to[next[lm_pair_graph(entry)]++] = entry;
                else
                    next[lm_pair_graph(entry) + 1]++;
            }
}

size_t lm_triples_entries(const lm_triples *triples, size_t block, size_t list)
{
    size_t all = 0;
    for (size_t w = 0; w < (size_t)triples->workers; w++)
        all += lm_chunks_count(triples->list + (w * triples->blocks + block) * LM_TRIPLE_LISTS + list, sizeof(lm_pair));
    return all;
}

leman_status lm_triples_sort(leman_context *ctx, lm_triples *triples, size_t block, size_t list, lm_pair **entries,
                             size_t *count)
{
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    lm_pair *ordered = NULL, *spare;
    size_t *next, all = lm_triples_entries(triples, block, list), which = block * LM_TRIPLE_LISTS + list;
    SCRATCH(ctx, next, triples->graphs + 1);
    NEW(ctx, ordered, all);
    memset(next, 0, (triples->graphs + 1) * sizeof *next);
    order_by_graph(triples, which, next, NULL);
    for (size_t g = 0; g < triples->graphs; g++) next[g + 1] += next[g];
    order_by_graph(triples, which, next, ordered);
    for (size_t w = 0; w < (size_t)triples->workers; w++)
        lm_chunks_free(ctx, triples->list + w * triples->blocks * LM_TRIPLE_LISTS + which);
    if (triples->scarce) lm_trim_memory();
    lm_arena_reset(&ctx->scratch, mark);
    SCRATCH(ctx, spare, all);
    lm_sort_pairs(ordered, spare, all, ctx->settings.threads);
    *entries = ordered;
    *count = all;
done:
    if (st) lm_free(ctx, ordered);
    lm_arena_reset(&ctx->scratch, mark);
    return st;
}
