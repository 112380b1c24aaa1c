/*
 * The Weisfeiler-Leman dimension: the smallest k for which k-FWL distinguishes graphs, for pairs and for all graphs of a
 * data set. k grows from 1. For every k the memory is estimated first; pairs or graphs that do not fit are left as they are.
 *
 * k-FWL is exactly as strong as (k+1)-WL for k >= 2, and for k = 1 on undirected graphs, where 1-WL and 2-WL are equally
 * strong. On directed graphs 2-WL sees whether two vertices are joined in both directions, which 1-WL does not see, so
 * 2-WL is run there.
 *
 * A pair that k-FWL does not distinguish is isomorphic if k-FWL identifies one of the graphs (identify.c). Two graphs that
 * k-FWL distinguishes and (k-1)-FWL does not have WL dimension k or more, both of them.
 */
#include "base/arguments.h"
#include "base/hash.h"
#include "graph/dataset.h"
#include "refine/distinguish.h"
#include "refine/identify.h"
#include <stdio.h>

enum { MAX_K = 32 };

/* The colouring that the search uses for k: the labels that the caller chose, until stable, arcs from both ends. */
static leman_status coloring_for(leman_context *ctx, const leman_coloring *chosen, bool directed,
                                 leman_algorithm algorithm, unsigned k, leman_coloring *c)
{
    leman_coloring next = leman_coloring_default();
    next.algorithm = algorithm;
    next.k = k;
    next.rounds = LEMAN_STABLE;
    next.ignore_vertex_labels = chosen->ignore_vertex_labels;
    next.ignore_edge_labels = chosen->ignore_edge_labels;
    next.in_arcs = directed;
    next.seed = chosen->seed;
    return lm_coloring_given(ctx, &next, c);
}

static leman_status check_max_k(leman_context *ctx, unsigned max_k)
{
    if (max_k >= 1 && max_k <= MAX_K) return LEMAN_OK;
    return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "max_k: found %u, expected 1 to %d", max_k, MAX_K);
}

/* ---- Pairs ----------------------------------------------------------------------------------- */

/* Pairs of graphs: graphs 2i and 2i+1 of data or, if data is NULL, one pair of graphs. */
typedef struct pairs {
    const leman_dataset *data;
    leman_graph graph[2];
    bool directed;
    size_t count;
    size_t *open; /* [open_count] pairs that are not decided yet */
    size_t open_count;
    leman_difference *difference; /* [open_count] */
    unsigned *at_most;            /* [count] upper bounds of the dimension of the first graphs */
    leman_dimension *dimension;   /* [count] */
} pairs;

static void pair_of(const pairs *p, size_t number, leman_graph pair[2])
{
    for (size_t i = 0; i < 2; i++) pair[i] = p->data ? leman_dataset_graph(p->data, 2 * number + i) : p->graph[i];
}

static leman_status compare_open(leman_context *ctx, const pairs *p, const leman_coloring *c)
{
    if (p->data) return lm_distinguish_pairs(ctx, p->data, p->open, p->open_count, c, false, p->difference);
    return p->open_count ? leman_distinguish(ctx, &p->graph[0], &p->graph[1], c, false, p->difference) : LEMAN_OK;
}

/* Sets *bytes to what a pair needs, or to 0 if the pair fits. */
static leman_status bytes_missing(leman_context *ctx, const leman_graph pair[2], const leman_coloring *c,
                                  uint64_t *bytes)
{
    const uint64_t budget = lm_budget(ctx);
    lm_pair_cost cost;
    leman_status st = lm_pair_fits(ctx, pair, c, false, "", budget, &cost);
    *bytes = 0;
    if (st != LEMAN_ERROR_BUDGET) return st;
    for (size_t i = 0; i < 2; i++) {
        st = lm_hash_cost(ctx, &pair[i], c, "the graph", budget, &cost);
        if (st && st != LEMAN_ERROR_BUDGET) return st;
        *bytes = lm_saturating_add(*bytes, cost.bytes);
    }
    return LEMAN_OK;
}

/* Drops the open pairs that do not fit, and notes what they need. */
static leman_status drop_large_pairs(leman_context *ctx, pairs *p, const leman_coloring *c)
{
    size_t kept = 0;
    for (size_t i = 0; i < p->open_count; i++) {
        leman_graph pair[2];
        uint64_t bytes;
        pair_of(p, p->open[i], pair);
        PASS(bytes_missing(ctx, pair, c, &bytes));
        if (bytes)
            p->dimension[p->open[i]].bytes = bytes;
        else
            p->open[kept++] = p->open[i];
    }
    p->open_count = kept;
    return LEMAN_OK;
}

/* Writes the results of FOLKLORE with c->k, and drops the pairs that are decided. */
static leman_status note_pairs(leman_context *ctx, pairs *p, const leman_coloring *c)
{
    size_t kept = 0;
    lm_progress_begin(ctx, p->open_count, "looking for graphs that are identified");
    for (size_t i = 0; i < p->open_count; i++) {
        const size_t number = p->open[i];
        const leman_difference *found = p->difference + i;
        leman_dimension *d = p->dimension + number;
        d->tried = c->k;
        if (found->distinguished) {
            d->folklore = c->k;
            d->wl = c->k == 1 ? 1 : c->k + 1;
            d->round = found->round;
            continue;
        }
        if (c->k == 1) {
            leman_graph pair[2];
            lm_dimension_bounds bounds;
            pair_of(p, number, pair);
            PASS(lm_dimension_bound(ctx, pair, c, "the graph", &bounds));
            p->at_most[number] = bounds.at_most;
        }
        d->isomorphic = p->at_most[number] <= c->k;
        if (!d->isomorphic) p->open[kept++] = number;
        PASS(lm_progress_step(ctx, i + 1));
    }
    p->open_count = kept;
    return LEMAN_OK;
}

/* Finds out which of the directed pairs with folklore = 2 are already distinguished by 2-WL. */
static leman_status refine_wl(leman_context *ctx, pairs *p, const leman_coloring *c)
{
    p->open_count = 0;
    for (size_t i = 0; i < p->count; i++)
        if (p->dimension[i].folklore == 2) p->open[p->open_count++] = i;
    for (size_t i = 0; i < p->open_count; i++) p->dimension[p->open[i]].wl = 0; /* unless the pair fits */
    for (size_t i = 0, count = p->open_count; i < count; i++) p->difference[i].distinguished = false;
    PASS(drop_large_pairs(ctx, p, c));
    PASS(compare_open(ctx, p, c));
    for (size_t i = 0; i < p->open_count; i++) p->dimension[p->open[i]].wl = p->difference[i].distinguished ? 2 : 3;
    for (size_t i = 0; i < p->count; i++)
        if (p->dimension[i].folklore == 2) p->dimension[i].bytes = 0;
    return LEMAN_OK;
}

static leman_status search_pairs(leman_context *ctx, pairs *p, const leman_coloring *chosen, unsigned max_k,
                                 leman_dimension *out)
{
    leman_coloring c;
    SCRATCH_SCOPE(ctx);
    PASS_SCRATCH(ctx, p->open, p->count);
    PASS_SCRATCH_ZERO(ctx, p->difference, p->count);
    PASS_SCRATCH_ZERO(ctx, p->at_most, p->count);
    PASS_SCRATCH_ZERO(ctx, p->dimension, p->count);
    for (size_t i = 0; i < p->count; i++) p->open[i] = i;
    p->open_count = p->count;
    for (unsigned k = 1; k <= max_k && p->open_count; k++) {
        PASS(coloring_for(ctx, chosen, p->directed, LEMAN_ALGORITHM_FOLKLORE, k, &c));
        if (k > 1) PASS(drop_large_pairs(ctx, p, &c));
        PASS(compare_open(ctx, p, &c));
        PASS(note_pairs(ctx, p, &c));
    }
    if (p->directed && max_k > 1) {
        PASS(coloring_for(ctx, chosen, true, LEMAN_ALGORITHM_WL, 2, &c));
        PASS(refine_wl(ctx, p, &c));
    }
    for (size_t i = 0; i < p->count; i++) out[i] = p->dimension[i];
    return LEMAN_OK;
}

leman_status leman_pair_dimension(leman_context *ctx, const leman_graph *a, const leman_graph *b,
                                  const leman_coloring *coloring, unsigned max_k, leman_dimension *dimension)
{
    leman_coloring c;
    REQUIRE(ctx, a, b, dimension);
    PASS(lm_coloring_given(ctx, coloring, &c));
    PASS(check_max_k(ctx, max_k));
    pairs p = {.graph = {*a, *b}, .directed = a->directed, .count = 1};
    return search_pairs(ctx, &p, &c, max_k, dimension);
}

leman_status leman_pair_dimensions(leman_context *ctx, const leman_dataset *data, const leman_coloring *coloring,
                                   unsigned max_k, leman_dimension *dimension)
{
    leman_coloring c;
    REQUIRE(ctx, data, dimension);
    if (data->graphs % 2)
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s has %zu graph%s, expected pairs", data->name, data->graphs,
                       lm_plural(data->graphs));
    PASS(lm_coloring_given(ctx, coloring, &c));
    PASS(check_max_k(ctx, max_k));
    pairs p = {.data = data, .directed = leman_dataset_shape(data)->directed, .count = data->graphs / 2};
    return search_pairs(ctx, &p, &c, max_k, dimension);
}

/* ---- All graphs of a data set ---------------------------------------------------------------- */

/* Graphs in classes. A class is named by its first graph. */
typedef struct graphs {
    const leman_dataset *data;
    size_t count;
    size_t *size;   /* [count] of the class that has this graph as its first */
    size_t *lost;   /* [count] size of the graph's class before this k */
    bool *closed;   /* [count] the class is not compared any more: its graphs are isomorphic, or one is too large */
    size_t *listed; /* [listed_count] graphs that are compared by this k */
    size_t listed_count;
    leman_graph_hash *hash; /* [listed_count] */
    lm_pair *pair, *spare;  /* [listed_count] */
    leman_graph_dimension *dimension;
} graphs;

static leman_status bound_graphs(leman_context *ctx, const graphs *g, const leman_coloring *c)
{
    lm_progress_begin(ctx, g->count, "looking for graphs that are identified");
    for (size_t i = 0; i < g->count; i++) {
        const leman_graph graph = leman_dataset_graph(g->data, i);
        lm_dimension_bounds bounds;
        char name[32];
        snprintf(name, sizeof name, "graph %zu", g->data->first_graph + i);
        PASS(lm_dimension_bound(ctx, &graph, c, name, &bounds));
        g->dimension[i].at_least = bounds.at_least;
        g->dimension[i].at_most = bounds.at_most;
        PASS(lm_progress_step(ctx, i + 1));
    }
    return LEMAN_OK;
}

/* Closes the classes that (k-1)-FWL has decided, because it identifies one of their graphs. */
static void close_identified(const graphs *g, unsigned k)
{
    for (size_t i = 0; i < g->count; i++)
        if (g->dimension[i].at_most < k) g->closed[g->dimension[i].first] = true;
}

/* Closes the classes with a graph that does not fit, and notes what that graph needs. */
static leman_status close_large(leman_context *ctx, const graphs *g, const leman_coloring *c)
{
    const uint64_t budget = lm_budget(ctx);
    for (size_t i = 0; i < g->count; i++) {
        const size_t first = g->dimension[i].first;
        const leman_graph graph = leman_dataset_graph(g->data, i);
        lm_pair_cost cost;
        if (g->closed[first] || g->size[first] < 2) continue;
        const leman_status st = lm_hash_cost(ctx, &graph, c, "the graph", budget, &cost);
        if (st && st != LEMAN_ERROR_BUDGET) return st;
        if (st) g->closed[first] = true;
        if (st) g->dimension[first].bytes = cost.bytes;
    }
    return LEMAN_OK;
}

/* Counts the graphs of each class into size[], and returns the number of classes. */
static size_t count_classes(const graphs *g, size_t *size)
{
    size_t classes = 0;
    for (size_t i = 0; i < g->count; i++) size[i] = 0;
    for (size_t i = 0; i < g->count; i++) classes += !size[g->dimension[i].first]++;
    return classes;
}

/* Divides the classes of the listed graphs by their hashes, and notes which graphs lost others of their class. */
static size_t divide_classes(graphs *g, unsigned k)
{
    for (size_t i = 0; i < g->listed_count; i++) {
        const size_t before = g->dimension[g->listed[i]].first;
        const uint64_t class_hash = lm_mix(lm_multiplier(before));
        g->lost[g->listed[i]] = g->size[before];
        g->pair[i] = (lm_pair){lm_mix(g->hash[i].hash[0] + class_hash) + g->hash[i].hash[1], g->listed[i]};
    }
    lm_sort_pairs(g->pair, g->spare, g->listed_count, 1);
    for (size_t i = 0, end; i < g->listed_count; i = end) {
        size_t first = g->pair[i].payload;
        for (end = i; end < g->listed_count && g->pair[end].key == g->pair[i].key; end++)
            if (g->pair[end].payload < first) first = g->pair[end].payload;
        for (size_t j = i; j < end; j++) g->dimension[g->pair[j].payload].first = first;
    }
    const size_t classes = count_classes(g, g->size);
    for (size_t i = 0; i < g->listed_count; i++) {
        leman_graph_dimension *d = g->dimension + g->listed[i];
        d->tried = k;
        if (k > 1 && g->size[d->first] == g->lost[g->listed[i]]) continue;
        d->within = k;
        if (d->at_least < k) d->at_least = k;
    }
    return classes;
}

/* Lists the graphs of the classes that k may divide. */
static void list_graphs(graphs *g, unsigned k)
{
    g->listed_count = 0;
    for (size_t i = 0; i < g->count; i++) {
        const size_t first = g->dimension[i].first;
        if (k == 1 || (g->size[first] > 1 && !g->closed[first])) g->listed[g->listed_count++] = i;
    }
}

/* The classes that are left are isomorphic graphs, or graphs of which nothing more is known. */
static void note_rest(const graphs *g)
{
    for (size_t i = 0; i < g->count; i++) g->closed[i] = g->size[i] == 1;
    for (size_t i = 0; i < g->count; i++)
        if (g->dimension[i].at_most <= g->dimension[i].tried) g->closed[g->dimension[i].first] = true;
    for (size_t i = 0; i < g->count; i++) {
        const size_t first = g->dimension[i].first;
        if (!g->closed[first]) g->dimension[i].within = 0;
        g->dimension[i].bytes = g->closed[first] ? 0 : g->dimension[first].bytes;
    }
}

static leman_status search_graphs(leman_context *ctx, graphs *g, const leman_coloring *chosen, unsigned max_k,
                                  size_t *classes)
{
    const bool directed = leman_dataset_shape(g->data)->directed;
    leman_coloring c;
    size_t found = g->count;
    PASS_SCRATCH(ctx, g->size, g->count);
    PASS_SCRATCH(ctx, g->lost, g->count);
    PASS_SCRATCH_ZERO(ctx, g->closed, g->count);
    PASS_SCRATCH(ctx, g->listed, g->count);
    PASS_SCRATCH(ctx, g->hash, g->count);
    PASS_SCRATCH(ctx, g->pair, g->count);
    PASS_SCRATCH(ctx, g->spare, g->count);
    count_classes(g, g->size);
    for (unsigned k = 1; k <= max_k; k++) {
        PASS(coloring_for(ctx, chosen, directed, LEMAN_ALGORITHM_FOLKLORE, k, &c));
        if (k == 1) PASS(bound_graphs(ctx, g, &c));
        if (k > 1) close_identified(g, k);
        if (k > 1) PASS(close_large(ctx, g, &c));
        list_graphs(g, k);
        PASS(lm_hash_graphs(ctx, g->data, g->listed, g->listed_count, &c, 1, g->hash));
        if (g->listed_count) found = divide_classes(g, k);
        if (classes) classes[k - 1] = found;
    }
    note_rest(g);
    return LEMAN_OK;
}

leman_status leman_graph_dimensions(leman_context *ctx, const leman_dataset *data, const leman_coloring *coloring,
                                    unsigned max_k, leman_graph_dimension *dimension, size_t *classes)
{
    leman_coloring c;
    REQUIRE(ctx, data, dimension);
    PASS(lm_coloring_given(ctx, coloring, &c));
    PASS(check_max_k(ctx, max_k));
    SCRATCH_SCOPE(ctx);
    graphs g = {.data = data, .count = data->graphs};
    PASS_SCRATCH_ZERO(ctx, g.dimension, g.count); /* all graphs are one class */
    PASS(search_graphs(ctx, &g, &c, max_k, classes));
    for (size_t i = 0; i < g.count; i++) dimension[i] = g.dimension[i];
    return LEMAN_OK;
}
