/* Bags of features. */
#include "kernel/bag.h"
#include "base/crew.h"

leman_status lm_bag_new(leman_context *ctx, size_t graphs, size_t blocks, lm_bag *out)
{
    leman_status st = LEMAN_OK;
    lm_bag bag = {.graphs = graphs, .blocks = blocks, .workers = lm_crew_workers(ctx)};
    size_t lists = (size_t)bag.workers * blocks * LM_BAG_LISTS;
    if (graphs >> (64 - LM_BAG_VALUE_BITS))
        FAIL(ctx, LEMAN_ERROR_ARGUMENT, "found %zu graphs, expected fewer than 2^%d", graphs, 64 - LM_BAG_VALUE_BITS);
    NEW(ctx, bag.list, lists);
    memset(bag.list, 0, lists * sizeof *bag.list);
    *out = bag;
done:
    return st;
}

void lm_bag_free(leman_context *ctx, lm_bag *bag)
{
    size_t lists = bag->list ? (size_t)bag->workers * bag->blocks * LM_BAG_LISTS : 0;
    for (size_t i = 0; i < lists; i++) lm_chunks_free(ctx, bag->list + i);
    lm_free(ctx, bag->list);
    *bag = (lm_bag){0};
}

/* Entries in the order of their graphs: a stable counting sort, O(entries + graphs). */
static leman_status order_by_graph(leman_context *ctx, lm_pair *from, lm_pair *to, size_t count, size_t graphs)
{
    leman_status st = LEMAN_OK;
    size_t *next;
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    SCRATCH(ctx, next, graphs + 1);
    memset(next, 0, (graphs + 1) * sizeof *next);
    for (size_t i = 0; i < count; i++) next[lm_pair_graph(from[i]) + 1]++;
    for (size_t g = 0; g < graphs; g++) next[g + 1] += next[g];
    for (size_t i = 0; i < count; i++) to[next[lm_pair_graph(from[i])]++] = from[i];
done:
    lm_arena_reset(&ctx->scratch, mark);
    return st;
}

leman_status lm_bag_take(leman_context *ctx, lm_bag *bag, size_t block, size_t list, lm_pair **entries, size_t *count)
{
    leman_status st = LEMAN_OK;
    lm_pair *gathered = NULL, *ordered = NULL;
    size_t all = 0, at = 0;
    for (int w = 0; w < bag->workers; w++)
        all += lm_chunks_count(bag->list + ((size_t)w * bag->blocks + block) * LM_BAG_LISTS + list, sizeof *gathered);
    NEW(ctx, gathered, all);
    for (int w = 0; w < bag->workers; w++) {
        lm_chunks *part = bag->list + ((size_t)w * bag->blocks + block) * LM_BAG_LISTS + list;
        size_t size = lm_chunks_count(part, sizeof *gathered);
        lm_chunks_gather(ctx, part, gathered + at);
        at += size;
    }
    NEW(ctx, ordered, all);
    TRY(order_by_graph(ctx, gathered, ordered, all, bag->graphs));
    lm_sort_pairs(ordered, gathered, all, ctx->settings.threads);
    *entries = ordered;
    *count = all;
done:
    lm_free(ctx, gathered);
    if (st) lm_free(ctx, ordered);
    return st;
}
