/*
 * A list of the vertices of all graphs is sorted by colour in every round. The list begins in the order of the graphs,
 * and a stable sort only divides runs of equal colours, so in each run the vertices of a graph are adjacent. A vertex
 * that is both single and exclusive is a run of its own, and is removed from the list.
 */
#include "refine/vertex_rounds.h"
#include "base/sort.h"
#include "graph/dataset.h"
#include "refine/adjacency.h"
#include "refine/variant.h"
#include <string.h>

/* One round of 1-WL without edge labels: color[n] -> next[n]. Round 0 is lm_vertex_hash(). O(arcs). */
static void vertex_round(const leman_graph *g, const uint64_t *color, uint64_t *next)
{
    const uint64_t multiplier = lm_multiplier_of(LM_LOCAL_SUM, 0);
    for (size_t v = 0; v < g->vertices; v++) {
        uint64_t sum = 0;
        for (uint64_t e = g->start[v]; e < g->start[v + 1]; e++) sum += color[g->head[e]];
        next[v] = lm_mix(color[v] + sum * multiplier);
    }
}

/* ---- The list: (colour, graph and vertex) ---------------------------------------------------- */

static uint64_t graph_of(const lm_pair *entry)
{
    return entry->payload >> 32;
}

static size_t vertex_of(const leman_dataset *data, const lm_pair *entry)
{
    return data->graph_start[graph_of(entry)] + (uint32_t)entry->payload;
}

/* Computes round 0 and puts all vertices into the list. */
static void begin_list(const leman_dataset *data, const leman_coloring *c, uint64_t *color, lm_pair *list, int threads)
{
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (size_t g = 0; g < data->graphs; g++) {
        const leman_graph graph = leman_dataset_graph(data, g);
        for (size_t v = 0; v < graph.vertices; v++) {
            color[data->graph_start[g] + v] = lm_vertex_hash(&graph, v, c);
            list[data->graph_start[g] + v].payload = (uint64_t)g << 32 | v;
        }
    }
}

/* Returns the end of the run that begins at `first`; *exclusive: all its vertices are in one graph. */
static size_t end_of_run(const lm_pair *list, size_t count, size_t first, bool *exclusive)
{
    size_t end = first;
    *exclusive = true;
    for (; end < count && list[end].key == list[first].key; end++)
        *exclusive &= graph_of(list + end) == graph_of(list + first);
    return end;
}

/* Finds single and exclusive vertices in a sorted list of *count entries and removes those that are both. *count
 * becomes the number of entries left. Returns the number of runs before the removal. */
static size_t look_at_runs(const leman_dataset *data, uint8_t round, lm_pair *list, size_t *count,
                           lm_vertex_rounds *found)
{
    size_t kept = 0, runs = 0;
    bool exclusive;
    for (size_t first = 0, end; first < *count; first = end, runs++) {
        end = end_of_run(list, *count, first, &exclusive);
        uint64_t before = UINT64_MAX; /* the graph of the previous entry */
        for (size_t i = first; i < end; i++) {
            const lm_pair entry = list[i];
            const size_t v = vertex_of(data, &entry);
            const bool next = i + 1 < end && graph_of(list + i + 1) == graph_of(&entry);
            const bool single = !next && before != graph_of(&entry);
            if (exclusive && found->exclusive[v] == LM_NEVER) found->exclusive[v] = round;
            if (single && found->single[v] == LM_NEVER) found->single[v] = round;
            before = graph_of(&entry);
            list[kept] = entry;
            kept += !(single && exclusive);
        }
    }
    *count = kept;
    return runs;
}

/* ---- All rounds ------------------------------------------------------------------------------ */

static void next_round(const leman_dataset *data, const uint64_t *color, uint64_t *next, int threads)
{
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (size_t g = 0; g < data->graphs; g++) {
        const leman_graph graph = leman_dataset_graph(data, g);
        vertex_round(&graph, color + data->graph_start[g], next + data->graph_start[g]);
    }
}

/* Refines until no run splits. */
static leman_status find_rounds(leman_context *ctx, const leman_dataset *data, const leman_coloring *c,
                                lm_vertex_rounds *f)
{
    const int threads = ctx->settings.threads;
    AUTO(lm_release_at) uint64_t *words = NULL;
    uint64_t *color, *next;
    AUTO(lm_release_at) lm_pair *list = NULL;
    lm_pair *spare;
    size_t count = data->vertices, known = 0; /* number of runs if the next round splits none */
    PASS_NEW(ctx, words, 2 * data->vertices);
    PASS_NEW(ctx, list, 2 * data->vertices);
    color = words, next = words + data->vertices;
    spare = list + data->vertices;
    memset(f->single, LM_NEVER, data->vertices);
    memset(f->exclusive, LM_NEVER, data->vertices);
    begin_list(data, c, color, list, threads);
    for (uint8_t round = 1; round <= c->rounds && round < LM_NEVER; round++) {
        const size_t before = count;
        next_round(data, color, next, threads);
        for (size_t i = 0; i < count; i++) list[i].key = next[vertex_of(data, list + i)];
        lm_sort_pairs(list, spare, count, threads);
        const size_t runs = look_at_runs(data, round, list, &count, f);
        if (runs == known) break;
        known = runs - (before - count);
        uint64_t *swap = color;
        color = next;
        next = swap;
        PASS(lm_progress_step(ctx, round));
    }
    return LEMAN_OK;
}

/* Are there enough more tuples than vertices for it to pay, and is there memory for it? */
static bool is_worthwhile(const leman_context *ctx, const leman_dataset *data, const leman_coloring *c)
{
    enum { BYTES = 50 /* of a vertex */, SHARE = 4 /* of the budget, at most */, RATIO = 20 };
    uint64_t tuples = 0;
    if (c->k < 2 || c->components || !lm_variant_of(c)->vertices_tell) return false;
    if (data->vertices > lm_budget(ctx) / SHARE / BYTES) return false;
    for (size_t g = 0; g < data->graphs; g++)
        tuples = lm_saturating_add(tuples, lm_power(data->graph_start[g + 1] - data->graph_start[g], c->k));
    return tuples / RATIO >= data->vertices;
}

leman_status lm_vertex_rounds_find(leman_context *ctx, const leman_dataset *data, const leman_coloring *coloring,
                                   lm_vertex_rounds *found)
{
    AUTO(lm_vertex_rounds_release) lm_vertex_rounds f = {0};
    if (is_worthwhile(ctx, data, coloring)) {
        PASS_NEW(ctx, f.single, data->vertices);
        PASS_NEW(ctx, f.exclusive, data->vertices);
        lm_progress_begin(ctx, coloring->rounds, "colouring vertices of %s", data->name);
        PASS(find_rounds(ctx, data, coloring, &f));
    }
    *found = f;
    f = (lm_vertex_rounds){0};
    return LEMAN_OK;
}
