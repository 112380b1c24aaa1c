/*
 * Draws folds and validation parts by seeded shuffles.
 *
 *   folds       a permutation of all graphs, cut into `folds` pieces whose sizes differ by at most one
 *   validation  a permutation of the m graphs outside the test part; its first ceil(m / 10)
 *   stratified  the permutation is first sorted by class (stable); position i goes to fold i mod folds, and validation
 *               takes every m/ceil(m/10)-th position: every part has its share of each class, up to one graph
 *   groups      sets of graphs that stay together, such as molecules of one scaffold: the largest first, equal ones in
 *               random order, each to the fold with the fewest graphs; validation takes random groups while they fit,
 *               or the smallest if none fits
 *
 * Random streams are keyed by repetition (folds) and by fold (validation), so a split does not depend on other splits.
 * Time O(repetitions * folds * graphs).
 */
#include "learn/protocol/splits.h"
#include "base/arguments.h"
#include "base/context.h"
#include "base/drop.h"
#include "base/random.h"
#include "base/sort.h"
#include "base/text.h"
#include <stdlib.h>
#include <string.h>

enum { FOLDS = 0x53504c49, VALIDATION, GROUP_FOLDS = 0x47525053, GROUP_VALIDATION }; /* purposes of random streams */

/* ---- Lists that grow ------------------------------------------------------------------------- */

leman_status lm_split_list_add(leman_context *ctx, lm_split_list *list, uint32_t *graph, size_t count)
{
    uint64_t end;
    if (count) qsort(graph, count, sizeof *graph, lm_compare_uint32);
    if (!list->start.count) {
        end = 0;
        PASS(lm_vector_append(ctx, &list->start, &end, 1, sizeof end));
    }
    PASS(lm_vector_append(ctx, &list->graph, graph, count, sizeof *graph));
    end = list->graph.count;
    return lm_vector_append(ctx, &list->start, &end, 1, sizeof end);
}

void lm_split_list_free(lm_split_list *list)
{
    lm_vector_release(&list->start);
    lm_vector_release(&list->graph);
}

leman_status lm_split_list_finish(leman_context *ctx, const lm_split_list *list, const leman_splits *sizes,
                                  leman_splits **out)
{
    leman_splits view = *sizes;
    view.start = list->start.items;
    view.graph = list->graph.items;
    return lm_splits_copy(ctx, &view, out);
}

/* ---- Drawing --------------------------------------------------------------------------------- */

/* Sorts order[count] by class (stable). spare[count] and begin[classes + 1] are workspace. */
static void by_class(const lm_classes *classes, uint32_t *order, uint32_t *spare, size_t count, size_t *begin)
{
    memset(begin, 0, (classes->count + 1) * sizeof *begin);
    for (size_t i = 0; i < count; i++) begin[classes->number[order[i]] + 1]++;
    for (size_t c = 1; c <= classes->count; c++) begin[c] += begin[c - 1];
    for (size_t i = 0; i < count; i++) spare[begin[classes->number[order[i]]]++] = order[i];
    memcpy(order, spare, count * sizeof *order);
}

leman_status lm_split_list_validate(leman_context *ctx, lm_split_list *list, size_t graphs, const lm_classes *classes,
                                    uint64_t seed)
{
    SCRATCH_SCOPE(ctx);
    uint64_t *start = list->start.items;
    size_t lists = list->start.count - 1, fold = lists / 2, taken = 0, *begin;
    const lm_part test = {(uint32_t *)list->graph.items + start[lists - 1], start[lists] - start[lists - 1]};
    uint32_t *other, *order, *spare;
    PASS_SCRATCH(ctx, other, graphs);
    PASS_SCRATCH(ctx, order, graphs);
    PASS_SCRATCH(ctx, spare, graphs);
    const size_t rest = lm_graphs_outside(graphs, test, (lm_part){0}, other);
    lm_random random = lm_random_stream(seed, VALIDATION, fold);
    lm_random_permutation(&random, order, rest);
    for (size_t i = 0; i < rest; i++) order[i] = other[order[i]];
    size_t share = (rest + 9) / 10;
    if (classes) {
        PASS_SCRATCH(ctx, begin, classes->count + 1);
        by_class(classes, order, spare, rest, begin);
        for (size_t i = 0; i < rest; i++)
            if ((i + 1) * share / rest > i * share / rest) spare[taken++] = order[i];
        order = spare;
    }
    return lm_split_list_add(ctx, list, order, share);
}

/* Draws the folds of one repetition. */
static leman_status draw_repetition(leman_context *ctx, const leman_splits *splits, const lm_classes *classes, size_t r,
                                    lm_split_list *list)
{
    SCRATCH_SCOPE(ctx);
    size_t graphs = splits->graphs, folds = splits->folds, *begin;
    uint32_t *order, *spare, *part;
    PASS_SCRATCH(ctx, order, graphs);
    PASS_SCRATCH(ctx, spare, graphs);
    PASS_SCRATCH(ctx, part, graphs);
    lm_random random = lm_random_stream(splits->seed, FOLDS, r);
    lm_random_permutation(&random, order, graphs);
    if (classes) {
        PASS_SCRATCH(ctx, begin, classes->count + 1);
        by_class(classes, order, spare, graphs, begin);
    }
    size_t at = 0;
    for (size_t f = 0; f < folds; f++) {
        size_t count = graphs / folds + (f < graphs % folds);
        for (size_t i = 0; i < count; i++) part[i] = order[classes ? f + i * folds : at + i];
        at += count;
        PASS(lm_split_list_add(ctx, list, part, count));
        PASS(lm_split_list_validate(ctx, list, graphs, classes, splits->seed));
    }
    return LEMAN_OK;
}

/* Memory: every graph is tested once in a repetition, and a tenth of the others validates in every fold. */
static leman_status check_budget(leman_context *ctx, const leman_splits *splits)
{
    uint64_t validation = lm_saturating_multiply(splits->folds, (splits->graphs + 9) / 10);
    uint64_t entries = lm_saturating_multiply(splits->repetitions, lm_saturating_add(splits->graphs, validation));
    uint64_t required = lm_saturating_multiply(entries, 2 * sizeof(uint32_t)); /* the list that grows, and its copy */
    if (required <= lm_budget(ctx)) return LEMAN_OK;
    char wants[LM_NUMBER_TEXT], has[LM_BUDGET_TEXT];
    return lm_fail(ctx, LEMAN_ERROR_BUDGET,
                   "lists of %zu repetition%s of %zu fold%s of %zu graph%s need %s, the memory budget is %s; ask "
                   "for fewer folds",
                   splits->repetitions, lm_plural(splits->repetitions), splits->folds, lm_plural(splits->folds),
                   splits->graphs, lm_plural(splits->graphs), lm_bytes_text(required, wants),
                   lm_budget_text(ctx, lm_budget(ctx), has));
}

/* Checks the number of folds. Splits of a file or of a caller may have a single fold, with one test part. */
static leman_status check_folds(leman_context *ctx, size_t repetitions, size_t folds, size_t min_folds)
{
    if (folds >= min_folds && repetitions >= 1 && folds <= LM_MAX_FOLDS && repetitions <= LM_MAX_FOLDS / folds)
        return LEMAN_OK;
    return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                   "found %zu repetition%s of %zu fold%s, expected at least 1 of at least %zu, and at most %d folds in "
                   "all",
                   repetitions, lm_plural(repetitions), folds, lm_plural(folds), min_folds, LM_MAX_FOLDS);
}

/* ---- Groups that stay together --------------------------------------------------------------- */

typedef struct groups {
    size_t graphs, count;
    const uint32_t *of;     /* [graphs] number of the group, 0 .. count-1 */
    uint32_t *size;         /* [count] number of graphs */
    uint32_t *order, *fold; /* [count] */
    uint32_t *part;         /* [graphs] workspace */
} groups;

typedef struct sized {
    uint32_t size, place, group;
} sized;

static int by_group_size(const void *left, const void *right)
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
    SCRATCH_SCOPE(ctx);
    const size_t wanted = (rest + 9) / 10;
    size_t taken = 0, count = 0, smallest = SIZE_MAX;
    bool *chosen;
    PASS_SCRATCH_ZERO(ctx, chosen, g->count);
    lm_random random = lm_random_stream(seed, GROUP_VALIDATION, fold);
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
    return lm_split_list_add(ctx, list, g->part, count);
}

static leman_status draw_grouped(leman_context *ctx, const leman_splits *splits, groups *g, size_t r,
                                 lm_split_list *list)
{
    SCRATCH_SCOPE(ctx);
    sized *by_size;
    size_t *load;
    PASS_SCRATCH(ctx, by_size, g->count);
    PASS_SCRATCH_ZERO(ctx, load, splits->folds);
    lm_random random = lm_random_stream(splits->seed, GROUP_FOLDS, r);
    lm_random_permutation(&random, g->order, g->count);
    for (size_t i = 0; i < g->count; i++) by_size[i] = (sized){g->size[g->order[i]], (uint32_t)i, g->order[i]};
    qsort(by_size, g->count, sizeof *by_size, by_group_size);
    for (size_t i = 0; i < g->count; i++) {
        size_t least = 0;
        for (size_t f = 1; f < splits->folds; f++)
            if (load[f] < load[least]) least = f;
        g->fold[by_size[i].group] = (uint32_t)least;
        load[least] += by_size[i].size;
    }
    for (size_t f = 0; f < splits->folds; f++) {
        PASS(lm_split_list_add(ctx, list, g->part, collect(g, (uint32_t)f)));
        PASS(validate(ctx, g, (uint32_t)f, g->graphs - load[f], splits->seed, r * splits->folds + f, list));
    }
    return LEMAN_OK;
}

static leman_status count_groups(leman_context *ctx, const leman_dataset *data, const uint32_t *group, size_t folds,
                                 groups *g)
{
    const size_t least = folds < 3 ? 3 : folds;
    size_t different = 0;
    *g = (groups){.graphs = leman_dataset_shape(data)->graphs, .of = group};
    for (size_t i = 0; i < g->graphs; i++) {
        if (group[i] >= g->graphs)
            return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                           "graph %zu: found group %u, expected a number below %zu, the number of graphs", i, group[i],
                           g->graphs);
        if (group[i] >= g->count) g->count = group[i] + 1u;
    }
    PASS_SCRATCH_ZERO(ctx, g->size, g->count + 1);
    PASS_SCRATCH(ctx, g->order, g->count + 1);
    PASS_SCRATCH(ctx, g->fold, g->count + 1);
    PASS_SCRATCH(ctx, g->part, g->graphs + 1);
    for (size_t i = 0; i < g->graphs; i++) different += !g->size[group[i]]++;
    if (different < least)
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found %zu group%s of graphs, expected at least %zu for %zu fold%s",
                       leman_dataset_shape(data)->name, different, lm_plural(different), least, folds,
                       lm_plural(folds));
    return LEMAN_OK;
}

/* ---- Both ------------------------------------------------------------------------------------ */

/* Draws folds of single graphs, or of groups if group is not NULL. */
static leman_status draw(leman_context *ctx, const leman_dataset *data, const uint32_t *group, size_t repetitions,
                         size_t folds, bool stratified, leman_splits **out)
{
    SCRATCH_SCOPE(ctx);
    AUTO(lm_classes_free) lm_classes classes = {0};
    AUTO(lm_split_list_free) lm_split_list list = {0};
    const leman_shape *shape = leman_dataset_shape(data);
    groups g = {0};
    const leman_splits splits = {.graphs = shape->graphs,
                                 .repetitions = repetitions,
                                 .folds = folds,
                                 .stratified = stratified,
                                 .seed = ctx->settings.seed,
                                 .kind = group        ? LEMAN_SPLIT_KIND_GROUPS
                                         : stratified ? LEMAN_SPLIT_KIND_STRATIFIED
                                                      : LEMAN_SPLIT_KIND_RANDOM};
    PASS(check_folds(ctx, repetitions, folds, 2));
    if (!group && (shape->graphs < folds || shape->graphs < 3))
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found %zu graph%s, expected at least %zu for %zu fold%s",
                       shape->name, shape->graphs, lm_plural(shape->graphs), folds < 3 ? (size_t)3 : folds, folds,
                       lm_plural(folds));
    PASS(check_budget(ctx, &splits));
    if (group) PASS(count_groups(ctx, data, group, folds, &g));
    if (stratified) PASS(lm_classes_compute_known(ctx, data, &classes));
    classes.count += classes.missing > 0; /* graphs without a class are also spread evenly */
    for (size_t r = 0; r < repetitions; r++)
        PASS(group ? draw_grouped(ctx, &splits, &g, r, &list)
                   : draw_repetition(ctx, &splits, stratified ? &classes : NULL, r, &list));
    return lm_split_list_finish(ctx, &list, &splits, out);
}

leman_status leman_splits_draw(leman_context *ctx, const leman_dataset *data, size_t repetitions, size_t folds,
                               bool stratified, leman_splits **out)
{
    REQUIRE(ctx, data, out);
    return draw(ctx, data, NULL, repetitions, folds, stratified, out);
}

leman_status leman_splits_draw_groups(leman_context *ctx, const leman_dataset *data, const uint32_t *group,
                                      size_t repetitions, size_t folds, leman_splits **out)
{
    REQUIRE(ctx, data, group, out);
    return draw(ctx, data, group, repetitions, folds, false, out);
}

/* ---- The caller's own ------------------------------------------------------------------------ */

/* Checks one part of fold i. seen[graphs] and tested[graphs] hold the last fold and repetition, from 1, with the
 * graph. */
static leman_status check_part(leman_context *ctx, const leman_splits *splits, size_t i, bool test, size_t *seen,
                               size_t *tested)
{
    lm_part part = test ? lm_split_test(splits, i) : lm_split_validation(splits, i);
    const char *name = test ? "test" : "validation";
    size_t repetition = i / splits->folds, fold = i % splits->folds;
    if (!part.count)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                       "repetition %zu, fold %zu: found no graph in the %s part, expected at least one", repetition,
                       fold, name);
    for (size_t j = 0; j < part.count; j++) {
        uint32_t graph = part.graph[j];
        if (graph >= splits->graphs || (j && graph <= part.graph[j - 1]))
            return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                           "repetition %zu, fold %zu: found graph %u in place %zu of the %s part, expected increasing "
                           "numbers below %zu",
                           repetition, fold, graph, j, name, splits->graphs);
        if (seen[graph] == i + 1 || (test && tested[graph] == repetition + 1))
            return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                           "repetition %zu, fold %zu: found graph %u once more in the %s part, expected it in one part "
                           "of a fold and one test part of a repetition",
                           repetition, fold, graph, name);
        seen[graph] = i + 1;
        if (test) tested[graph] = repetition + 1;
    }
    return LEMAN_OK;
}

static leman_status check_lists(leman_context *ctx, const leman_splits *splits)
{
    SCRATCH_SCOPE(ctx);
    size_t folds = splits->repetitions * splits->folds, *seen, *tested;
    PASS_SCRATCH_ZERO(ctx, seen, splits->graphs);
    PASS_SCRATCH_ZERO(ctx, tested, splits->graphs);
    for (size_t i = 0; i <= 2 * folds; i++)
        if (i ? splits->start[i] < splits->start[i - 1] : splits->start[0] != 0)
            return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                           "start: found %llu in place %zu, expected 0 first, then non-decreasing numbers",
                           (unsigned long long)splits->start[i], i);
    for (size_t i = 0; i < folds; i++) {
        PASS(check_part(ctx, splits, i, true, seen, tested));
        PASS(check_part(ctx, splits, i, false, seen, tested));
        if (splits->start[2 * i + 2] - splits->start[2 * i] >= splits->graphs)
            return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                           "repetition %zu, fold %zu: found no graph left to train, expected one", i / splits->folds,
                           i % splits->folds);
    }
    return LEMAN_OK;
}

leman_status leman_splits_new(leman_context *ctx, size_t graphs, size_t repetitions, size_t folds,
                              const uint64_t *start, const uint32_t *graph, leman_splits **out)
{
    REQUIRE(ctx, start, graph, out);
    const leman_splits view = {.graphs = graphs,
                               .repetitions = repetitions,
                               .folds = folds,
                               .seed = ctx->settings.seed,
                               .start = (uint64_t *)start,
                               .graph = (uint32_t *)graph};
    PASS(check_folds(ctx, repetitions, folds, 1));
    PASS(check_lists(ctx, &view));
    return lm_splits_copy(ctx, &view, out);
}

/* ---- Parts, copies, checksums ---------------------------------------------------------------- */

size_t lm_graphs_outside(size_t graphs, lm_part first, lm_part second, uint32_t *graph)
{
    size_t count = 0, a = 0, b = 0;
    for (size_t g = 0; g < graphs; g++) {
        if (a < first.count && first.graph[a] == g)
            a++;
        else if (b < second.count && second.graph[b] == g)
            b++;
        else
            graph[count++] = (uint32_t)g;
    }
    return count;
}

static size_t bounds(const leman_splits *splits)
{
    return 2 * splits->repetitions * splits->folds + 1;
}

leman_status lm_splits_copy(leman_context *ctx, const leman_splits *splits, leman_splits **out)
{
    AUTO(leman_splits_drop) leman_splits *copy = NULL;
    size_t entries = splits->start[bounds(splits) - 1];
    PASS_NEW_ZERO(ctx, copy, 1);
    *copy = *splits;
    copy->start = NULL;
    copy->graph = NULL;
    PASS_NEW(ctx, copy->start, bounds(splits));
    PASS_NEW(ctx, copy->graph, entries);
    memcpy(copy->start, splits->start, bounds(splits) * sizeof *copy->start);
    if (entries) memcpy(copy->graph, splits->graph, entries * sizeof *copy->graph);
    return HAND_OVER(out, copy);
}

uint64_t lm_splits_checksum(const leman_splits *splits)
{
    uint64_t sizes[3] = {splits->graphs, splits->repetitions, splits->folds};
    uint64_t sum = lm_checksum(sizes, sizeof sizes, FOLDS);
    sum = lm_checksum(splits->start, bounds(splits) * sizeof *splits->start, sum);
    return lm_checksum(splits->graph, splits->start[bounds(splits) - 1] * sizeof *splits->graph, sum);
}

void leman_splits_free(leman_splits *splits)
{
    if (!splits) return;
    RELEASE(splits->start, splits->graph, splits);
}
