/*
 * Folds that keep groups together, such as molecules of one scaffold: no group is in two parts of a fold.
 *
 *   folds       groups in random order, the largest first, each to the fold that has the fewest graphs
 *   validation  groups outside the test part in random order, those that fit, until ceil(10 %) of the graphs are taken;
 *               the smallest where none fits
 *
 * O(repetitions folds graphs log graphs).
 */
#include "base/arguments.h"
#include "base/random.h"
#include "learn/splits.h"
#include <stdlib.h>
#include <string.h>

enum { FOLDS = 0x47525053, VALIDATION }; /* purposes of random streams */

typedef struct groups {
    size_t graphs, count;
    const uint32_t *of;     /* [graphs] numbers 0 .. count-1 */
    uint32_t *size;         /* [count] graphs in each */
    uint32_t *order, *fold; /* [count] */
    uint32_t *part;         /* [graphs] */
} groups;

typedef struct sized {
    uint32_t size, place, group;
} sized;

static int compare(const void *left, const void *right)
{
    const sized *a = left, *b = right;
    if (a->size != b->size) return a->size < b->size ? 1 : -1;
    return (a->place > b->place) - (a->place < b->place);
}

static size_t collect(const groups *g, uint32_t fold)
{
    size_t count = 0;
    for (size_t i = 0; i < g->graphs; i++)
        if (g->fold[g->of[i]] == fold) g->part[count++] = (uint32_t)i;
    return count;
}

static leman_status validate(leman_context *ctx, const groups *g, uint32_t tested, size_t rest, uint64_t seed,
                             size_t fold, lm_split_list *list)
{
    leman_status st = LEMAN_OK;
    const lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    const size_t wanted = (rest + 9) / 10;
    size_t taken = 0, count = 0, smallest = SIZE_MAX;
    bool *chosen;
    SCRATCH(ctx, chosen, g->count);
    memset(chosen, 0, g->count * sizeof *chosen);
    lm_random random = lm_random_stream(seed, VALIDATION, fold);
    lm_random_permutation(&random, g->order, g->count);
    for (size_t i = 0; i < g->count; i++) {
        const uint32_t group = g->order[i];
        if (g->fold[group] == tested) continue;
        if (smallest == SIZE_MAX || g->size[group] < g->size[smallest]) smallest = group;
        if (g->size[group] > wanted - taken) continue;
        chosen[group] = true;
        taken += g->size[group];
    }
    if (!taken && smallest != SIZE_MAX) chosen[smallest] = true;
    for (size_t i = 0; i < g->graphs; i++)
        if (chosen[g->of[i]]) g->part[count++] = (uint32_t)i;
    TRY(lm_split_list_add(ctx, list, g->part, count));
done:
    lm_arena_reset(&ctx->scratch, mark);
    return st;
}

static leman_status draw_repetition(leman_context *ctx, const leman_splits *splits, groups *g, size_t r,
                                    lm_split_list *list)
{
    leman_status st = LEMAN_OK;
    const lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    sized *by_size;
    size_t *load;
    SCRATCH(ctx, by_size, g->count);
    SCRATCH(ctx, load, splits->folds);
    memset(load, 0, splits->folds * sizeof *load);
    lm_random random = lm_random_stream(splits->seed, FOLDS, r);
    lm_random_permutation(&random, g->order, g->count);
    for (size_t i = 0; i < g->count; i++) by_size[i] = (sized){g->size[g->order[i]], (uint32_t)i, g->order[i]};
    qsort(by_size, g->count, sizeof *by_size, compare);
    for (size_t i = 0; i < g->count; i++) {
        size_t least = 0;
        for (size_t f = 1; f < splits->folds; f++)
            if (load[f] < load[least]) least = f;
        g->fold[by_size[i].group] = (uint32_t)least;
        load[least] += by_size[i].size;
    }
    for (size_t f = 0; f < splits->folds; f++) {
        TRY(lm_split_list_add(ctx, list, g->part, collect(g, (uint32_t)f)));
        TRY(validate(ctx, g, (uint32_t)f, g->graphs - load[f], splits->seed, r * splits->folds + f, list));
    }
done:
    lm_arena_reset(&ctx->scratch, mark);
    return st;
}

static leman_status count_groups(leman_context *ctx, const leman_dataset *data, const uint32_t *group, size_t folds,
                                 groups *g)
{
    leman_status st = LEMAN_OK;
    const size_t least = folds < 3 ? 3 : folds;
    size_t different = 0;
    *g = (groups){.graphs = leman_dataset_shape(data)->graphs, .of = group};
    for (size_t i = 0; i < g->graphs; i++) {
        if (group[i] >= g->graphs)
            FAIL(ctx, LEMAN_ERROR_ARGUMENT,
                 "graph %zu: found group %u, expected a number below %zu, the number of graphs", i, group[i],
                 g->graphs);
        if (group[i] >= g->count) g->count = group[i] + 1u;
    }
    SCRATCH(ctx, g->size, g->count + 1);
    SCRATCH(ctx, g->order, g->count + 1);
    SCRATCH(ctx, g->fold, g->count + 1);
    SCRATCH(ctx, g->part, g->graphs + 1);
    memset(g->size, 0, (g->count + 1) * sizeof *g->size);
    for (size_t i = 0; i < g->graphs; i++) different += !g->size[group[i]]++;
    if (different < least)
        FAIL(ctx, LEMAN_ERROR_INPUT, "%s: found %zu group%s of graphs, expected at least %zu for %zu folds",
             leman_dataset_shape(data)->name, different, lm_plural(different), least, folds);
done:
    return st;
}

leman_status leman_splits_draw_groups(leman_context *ctx, const leman_dataset *data, const uint32_t *group,
                                      size_t repetitions, size_t folds, leman_splits **out)
{
    leman_status st = LEMAN_OK;
    lm_split_list list = {0};
    groups g;
    REQUIRE(ctx, data);
    REQUIRE(ctx, group);
    REQUIRE(ctx, out);
    const lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    const leman_splits splits = {.graphs = leman_dataset_shape(data)->graphs,
                                 .repetitions = repetitions,
                                 .folds = folds,
                                 .seed = ctx->settings.seed};
    TRY(lm_splits_check_folds(ctx, &splits));
    TRY(count_groups(ctx, data, group, folds, &g));
    for (size_t r = 0; r < repetitions; r++) TRY(draw_repetition(ctx, &splits, &g, r, &list));
    TRY(lm_split_list_finish(ctx, &list, &splits, out));
done:
    if (ctx && data && group && out) lm_arena_reset(&ctx->scratch, mark);
    lm_split_list_free(ctx, &list);
    return st;
}
