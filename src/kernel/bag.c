/* Bags of features. */
#include "kernel/bag.h"
#include "base/crew.h"

leman_status lm_bag_new(leman_context *ctx, size_t graphs, size_t blocks, lm_bag *out)
{
    leman_status st = LEMAN_OK;
    lm_bag bag = {.graphs = graphs,
                  .blocks = blocks,
                  .workers = lm_crew_workers(ctx),
                  .span = UINT64_MAX,
                  .filled = SIZE_MAX,
                  .sorted = SIZE_MAX};
    size_t lists = (size_t)bag.workers * blocks * LM_BAG_LISTS;
    if (graphs >> (64 - LM_BAG_VALUE_BITS))
        FAIL(ctx, LEMAN_ERROR_ARGUMENT, "found %zu graphs, expected fewer than 2^%d", graphs, 64 - LM_BAG_VALUE_BITS);
    NEW(ctx, bag.list, lists);
    memset(bag.list, 0, lists * sizeof *bag.list);
    NEW(ctx, bag.part, (size_t)bag.workers);
    for (int w = 0; w < bag.workers; w++) bag.part[w] = (lm_bag_part){.span = UINT64_MAX};
    *out = bag;
done:
    if (st) lm_bag_free(ctx, &bag);
    return st;
}

void lm_bag_free(leman_context *ctx, lm_bag *bag)
{
    size_t lists = bag->list ? (size_t)bag->workers * bag->blocks * LM_BAG_LISTS : 0;
    for (size_t i = 0; i < lists; i++) lm_chunks_free(ctx, bag->list + i);
    if (bag->part) lm_free(ctx, bag->part->left_out); /* one array for all workers */
    lm_free(ctx, bag->part);
    lm_free(ctx, bag->list);
    *bag = (lm_bag){0};
}

/* Entries of all workers in the order of their graphs: a counting sort, O(entries + graphs). */
static void order_by_graph(lm_bag *bag, size_t list, size_t *next, lm_pair *to)
{
    size_t step = bag->blocks * LM_BAG_LISTS;
    for (size_t w = 0; w < (size_t)bag->workers; w++)
        for (const lm_chunk *chunk = bag->list[w * step + list].newest; chunk; chunk = chunk->older)
            for (size_t at = 0; at < chunk->used; at += sizeof *to) {
                lm_pair entry;
                memcpy(&entry, chunk->data + at, sizeof entry);
                if (to)
                    to[next[lm_pair_graph(entry)]++] = entry;
                else
                    next[lm_pair_graph(entry) + 1]++;
            }
}

size_t lm_bag_entries(const lm_bag *bag, size_t block, size_t list)
{
    size_t all = 0;
    for (size_t w = 0; w < (size_t)bag->workers; w++)
        all += lm_chunks_count(bag->list + (w * bag->blocks + block) * LM_BAG_LISTS + list, sizeof(lm_pair));
    return all;
}

leman_status lm_bag_take(leman_context *ctx, lm_bag *bag, size_t block, size_t list, lm_pair **entries, size_t *count)
{
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    lm_pair *ordered = NULL, *room;
    size_t *next, all = lm_bag_entries(bag, block, list), which = block * LM_BAG_LISTS + list;
    SCRATCH(ctx, next, bag->graphs + 1);
    NEW(ctx, ordered, all);
    memset(next, 0, (bag->graphs + 1) * sizeof *next);
    order_by_graph(bag, which, next, NULL);
    for (size_t g = 0; g < bag->graphs; g++) next[g + 1] += next[g];
    order_by_graph(bag, which, next, ordered);
    for (size_t w = 0; w < (size_t)bag->workers; w++)
        lm_chunks_free(ctx, bag->list + w * bag->blocks * LM_BAG_LISTS + which);
    if (bag->scarce) lm_give_memory_back();
    lm_arena_reset(&ctx->scratch, mark);
    SCRATCH(ctx, room, all);
    lm_sort_pairs(ordered, room, all, ctx->settings.threads);
    *entries = ordered;
    *count = all;
done:
    if (st) lm_free(ctx, ordered);
    lm_arena_reset(&ctx->scratch, mark);
    return st;
}
