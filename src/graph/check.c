/* The self-check of a data set: all properties that the rest of the library relies on. O(arcs), or O(arcs log degree)
 * if a property is violated. */
#include "base/arguments.h"
#include "base/sort.h"
#include "base/text.h"
#include "graph/dataset.h"
#include <math.h>
#include <omp.h>
#include <string.h>

enum {
    PARALLEL = 1 << 18, /* from this many arcs on, several threads pay off */
    HELD = 1 << 16      /* words for all threads together; one thread is used if more would be needed */
};

/* Returns the arc v -> u of graph g, or UINT64_MAX. */
static uint64_t find_arc(const leman_graph *g, size_t v, uint32_t u)
{
    const uint64_t arc = lm_lower_bound(g->head, g->start[v], g->start[v + 1], u);
    return arc < g->start[v + 1] && g->head[arc] == u ? arc : UINT64_MAX;
}

static bool bounds_rise(const uint64_t *start, size_t count, size_t end)
{
    if (!start) return true;
    if (start[0] != 0 || start[count] != end) return false;
    for (size_t i = 0; i < count; i++)
        if (start[i] > start[i + 1]) return false;
    return true;
}

/* Returns true if every edge has both directions, with the same labels. Tails come in increasing order, so the reverse
 * of an arc is the next arc of its head that has not been visited. next: [vertices] */
static bool is_symmetric(const leman_graph *g, uint64_t *next)
{
    memcpy(next, g->start, g->vertices * sizeof *next);
    for (size_t v = 0; v < g->vertices; v++)
        for (uint64_t e = g->start[v]; e < g->start[v + 1]; e++) {
            const uint32_t w = g->head[e];
            const uint64_t back = next[w]++;
            if (back >= g->start[w + 1] || g->head[back] != v) return false;
            if (g->edge_labels && memcmp(g->edge_label + e * g->edge_labels, g->edge_label + back * g->edge_labels,
                                         g->edge_labels * sizeof(int64_t)))
                return false;
        }
    return true;
}

/* Returns true if every arc leads to a vertex, the arcs of each vertex are sorted, and every arc has a reverse if the
 * data set is undirected. */
static bool is_sound(const leman_dataset *d, size_t index, uint64_t *next)
{
    const leman_graph g = leman_dataset_graph(d, index);
    for (size_t v = 0; v < g.vertices; v++)
        for (uint64_t e = g.start[v]; e < g.start[v + 1]; e++)
            if (g.head[e] >= g.vertices || (e > g.start[v] && g.head[e] <= g.head[e - 1])) return false;
    return d->directed || is_symmetric(&g, next);
}

/* Fails with a sentence that says what is wrong with a graph that is not sound. */
static leman_status fail_graph(leman_context *ctx, const leman_dataset *d, size_t index)
{
    const size_t number = d->first_graph + index;
    const leman_graph g = leman_dataset_graph(d, index);
    for (size_t v = 0; v < g.vertices; v++)
        for (uint64_t e = g.start[v]; e < g.start[v + 1]; e++) {
            if (g.head[e] >= g.vertices)
                return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: graph %zu: vertex %zu has an arc to vertex %u of %zu",
                               d->name, number, v, g.head[e], g.vertices);
            if (e > g.start[v] && g.head[e] <= g.head[e - 1])
                return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: graph %zu: the arcs of vertex %zu are not in order",
                               d->name, number, v);
        }
    for (size_t v = 0; v < g.vertices; v++)
        for (uint64_t e = g.start[v]; e < g.start[v + 1]; e++) {
            const uint64_t back = find_arc(&g, g.head[e], (uint32_t)v);
            if (back == UINT64_MAX)
                return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: graph %zu: edge %zu-%u has no way back", d->name, number, v,
                               g.head[e]);
            if (g.edge_labels && memcmp(g.edge_label + e * g.edge_labels, g.edge_label + back * g.edge_labels,
                                        g.edge_labels * sizeof(int64_t)))
                return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: graph %zu: edge %zu-%u has two labels", d->name, number, v,
                               g.head[e]);
        }
    return LEMAN_OK;
}

/* Returns true if all values are finite or, if some may be missing, lm_missing_target(). */
static bool all_finite(const double *values, size_t count, bool or_missing)
{
    bool good = true;
    for (size_t i = 0; i < count; i++) good &= isfinite(values[i]) || (or_missing && lm_is_missing_target(values[i]));
    return good;
}

static leman_status check_column_names(leman_context *ctx, const leman_dataset *d)
{
    if (!bounds_rise(d->target_name_start, d->columns.targets, d->target_name_bytes) ||
        !bounds_rise(d->class_name_start, d->class_names, d->class_name_bytes))
        return lm_fail(ctx, LEMAN_ERROR_INPUT,
                       "%s: the offsets of the names of targets or classes do not rise to their counts", d->name);
    for (size_t i = 1; i < d->class_names; i++)
        if (d->class_name_label[i - 1] >= d->class_name_label[i])
            return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: the classes that have names are not in order", d->name);
    if (!lm_text_printable(d->target_name, d->target_name_bytes) ||
        !lm_text_printable(d->class_name, d->class_name_bytes))
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: the name of a target or class is no printable UTF-8 text", d->name);
    return LEMAN_OK;
}

static leman_status check_graphs(leman_context *ctx, const leman_dataset *d)
{
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    int threads = ctx->settings.threads;
    size_t most = 0, first = d->graphs; /* first: the first graph that is not sound */
    uint64_t *next;
    for (size_t i = 0; i < d->graphs; i++) {
        const size_t vertices = leman_dataset_graph(d, i).vertices;
        if (vertices > most) most = vertices;
    }
    if (d->arcs < PARALLEL || most * (size_t)threads > HELD) threads = 1;
    SCRATCH(ctx, next, most * (size_t)threads);
#pragma omp parallel for num_threads(threads) reduction(min : first) schedule(static) if (threads > 1)
    for (size_t i = 0; i < d->graphs; i++)
        if (i < first && !is_sound(d, i, next + most * (size_t)omp_get_thread_num())) first = i;
    if (first < d->graphs) TRY(fail_graph(ctx, d, first));
done:
    lm_arena_reset(&ctx->scratch, mark);
    return st;
}

leman_status leman_dataset_check(leman_context *ctx, const leman_dataset *data)
{
    const leman_dataset *d = data;
    REQUIRE(ctx, data);
    if (!bounds_rise(d->graph_start, d->graphs, d->vertices) || !bounds_rise(d->vertex_start, d->vertices, d->arcs) ||
        !bounds_rise(d->graph_name_start, d->graphs, d->graph_name_bytes) ||
        !bounds_rise(d->vertex_name_start, d->vertices, d->vertex_name_bytes))
        return lm_fail(ctx, LEMAN_ERROR_INPUT,
                       "%s: the offsets of graphs, vertices or names do not rise to their counts", d->name);
    if (!all_finite(d->vertex_attribute, d->vertices * d->columns.vertex_attributes, false) ||
        !all_finite(d->edge_attribute, d->arcs * d->columns.edge_attributes, false) ||
        !all_finite(d->target, d->graphs * d->columns.targets, true))
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: an attribute or target is not a finite number", d->name);
    PASS(check_column_names(ctx, d));
    return check_graphs(ctx, d);
}
