/*
 * Graphs that are in a data set more than once, and labels of theirs that contradict each other. Graphs are sorted by their
 * exact hashes, or where canonical forms need a library that is missing, by hashes of delta-2-LWL. Time: the hashes,
 * O(n log n) for n graphs, and O(columns) for each graph that is there more than once.
 */
#include "base/arguments.h"
#include "base/drop.h"
#include "graph/dataset.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct keyed {
    leman_exact_hash hash;
    size_t graph;
} keyed;

static int compare_keyed(const void *a, const void *b)
{
    const keyed *x = a, *y = b;
    const int order = memcmp(&x->hash, &y->hash, sizeof x->hash);
    return order ? order : (x->graph > y->graph) - (x->graph < y->graph);
}

static leman_status hashes_of_pairs(leman_context *ctx, const leman_dataset *data, leman_exact_hash *hash)
{
    leman_coloring coloring = leman_coloring_default();
    AUTO(lm_release_at) leman_graph_hash *colored = NULL;
    coloring.algorithm = LEMAN_ALGORITHM_LOCAL;
    coloring.k = 2;
    coloring.rounds = LEMAN_STABLE;
    PASS_NEW(ctx, colored, data->graphs);
    PASS(leman_graph_hashes(ctx, data, &coloring, colored));
    memset(hash, 0, data->graphs * sizeof *hash);
    for (size_t g = 0; g < data->graphs; g++) memcpy(&hash[g], colored[g].hash, sizeof colored[g].hash);
    return LEMAN_OK;
}

/* Finds the first graph of of[count], which is in ascending order, that contradicts an earlier one: their classes, or their
 * values of a target, are both known and differ. An earlier graph with a value in a column stands for all of them, since those
 * before the first contradiction agree. first[1 + targets] is working memory. Returns false if there is no such graph. */
static bool find_contradiction(const leman_dataset *data, const keyed *of, size_t count, size_t *first, size_t pair[2])
{
    const size_t targets = data->columns.targets;
    const int64_t *label = leman_dataset_classes(data);
    const double *value = leman_dataset_targets(data);
    for (size_t c = 0; c <= targets; c++) first[c] = SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        const size_t g = of[i].graph;
        size_t earlier = SIZE_MAX;
        for (size_t c = label ? 0 : 1; c <= targets; c++) {
            const size_t f = first[c];
            const double *x = c ? value + (c - 1) : NULL;
            if (c ? isnan(x[g * targets]) : label[g] == LEMAN_CLASS_MISSING) continue;
            if (f == SIZE_MAX)
                first[c] = g;
            else if (f < earlier && (c ? fabs(x[f * targets] - x[g * targets]) > 0 : label[f] != label[g]))
                earlier = f;
        }
        if (earlier != SIZE_MAX) {
            pair[0] = earlier;
            pair[1] = g;
            return true;
        }
    }
    return false;
}

leman_status leman_dataset_repeats(leman_context *ctx, const leman_dataset *data, leman_repeats *repeats)
{
    AUTO(leman_dataset_drop) leman_dataset *bare = NULL;
    AUTO(lm_release_at) leman_exact_hash *hash = NULL;
    AUTO(lm_release_at) keyed *list = NULL;
    AUTO(lm_release_at) size_t *first = NULL;
    leman_repeats found = {0};
    size_t pair[2];
    REQUIRE(ctx, data, repeats);
    leman_columns kept = data->columns;
    kept.vertex_attributes = 0;
    PASS_NEW(ctx, hash, data->graphs);
    PASS_NEW(ctx, list, data->graphs);
    PASS_NEW(ctx, first, 1 + data->columns.targets);
    PASS(leman_dataset_keep(ctx, data, &kept, &bare));
    leman_status exact = leman_exact_hashes(ctx, bare, hash);
    if (exact == LEMAN_ERROR_UNSUPPORTED) exact = hashes_of_pairs(ctx, bare, hash);
    PASS(exact);
    for (size_t g = 0; g < data->graphs; g++) list[g] = (keyed){hash[g], g};
    qsort(list, data->graphs, sizeof *list, compare_keyed);
    for (size_t begin = 0, end; begin < data->graphs; begin = end) {
        for (end = begin + 1; end < data->graphs && !memcmp(&list[begin].hash, &list[end].hash, sizeof *hash);) end++;
        if (end - begin < 2) continue;
        found.classes++;
        found.graphs += end - begin;
        if (!find_contradiction(data, list + begin, end - begin, first, pair)) continue;
        if (!found.contradictions++ || pair[0] < found.first) {
            found.first = pair[0];
            found.second = pair[1];
        }
    }
    *repeats = found;
    return LEMAN_OK;
}
