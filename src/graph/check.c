/* The self-check of a data set: all properties that the rest of the library relies on. O(arcs). */
#include "base/arguments.h"
#include "base/text.h"
#include "graph/dataset.h"
#include <math.h>
#include <omp.h>
#include <string.h>

enum {
    PARALLEL = 1 << 18, /* from this many arcs on, several threads pay off */
    HELD = 1 << 16      /* words for all threads together; one thread is used if more would be needed */
};

static bool bounds_rise(const uint64_t *start, size_t count, size_t end)
{
    if (!start) return true;
    if (start[0] != 0 || start[count] != end) return false;
    for (size_t i = 0; i < count; i++)
        if (start[i] > start[i + 1]) return false;
    return true;
}

/* What is wrong with an arc. */
typedef enum fault_kind { NO_FAULT, NO_VERTEX, NO_ORDER, ONE_WAY, TWO_LABELS } fault_kind;
typedef struct fault {
    fault_kind kind;
    size_t tail;
    uint64_t arc;
} fault;

/* Finds a fault of a graph: an arc that leads to no vertex, arcs of a vertex that are not sorted and, in an undirected
 * graph, an edge without its other direction or with other labels there. Tails come in increasing order, so the reverse
 * of an arc is the next arc of its head that has not been visited. next: [vertices] */
static fault find_fault(const leman_graph *g, uint64_t *next)
{
    for (size_t v = 0; v < g->vertices; v++)
        for (uint64_t e = g->start[v]; e < g->start[v + 1]; e++) {
            if (g->head[e] >= g->vertices) return (fault){NO_VERTEX, v, e};
            if (e > g->start[v] && g->head[e] <= g->head[e - 1]) return (fault){NO_ORDER, v, e};
        }
    if (g->directed) return (fault){0};
    memcpy(next, g->start, g->vertices * sizeof *next);
    for (size_t v = 0; v < g->vertices; v++)
        for (uint64_t e = g->start[v]; e < g->start[v + 1]; e++) {
            const uint32_t w = g->head[e];
            const uint64_t back = next[w]++;
            const bool any = back < g->start[w + 1];
            if (any && g->head[back] < v) return (fault){ONE_WAY, w, back};
            if (!any || g->head[back] > v) return (fault){ONE_WAY, v, e};
            if (g->edge_labels && memcmp(g->edge_label + e * g->edge_labels, g->edge_label + back * g->edge_labels,
                                         g->edge_labels * sizeof(int64_t)))
                return (fault){TWO_LABELS, v, e};
        }
    return (fault){0};
}

static leman_status fail_graph(leman_context *ctx, const leman_dataset *d, size_t index, uint64_t *next)
{
    const leman_graph g = leman_dataset_graph(d, index);
    const fault f = find_fault(&g, next);
    const size_t number = d->first_graph + index;
    if (f.kind == NO_VERTEX)
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: graph %zu: vertex %zu has an arc to vertex %u of %zu", d->name,
                       number, f.tail, g.head[f.arc], g.vertices);
    if (f.kind == NO_ORDER)
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: graph %zu: the arcs of vertex %zu are not in order", d->name,
                       number, f.tail);
    return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: graph %zu: edge %zu-%u has %s", d->name, number, f.tail, g.head[f.arc],
                   f.kind == ONE_WAY ? "no way back" : "two labels");
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
    SCRATCH_SCOPE(ctx);
    int threads = ctx->settings.threads;
    size_t most = 0, first = d->graphs; /* first: the first graph with a fault */
    uint64_t *next;
    for (size_t i = 0; i < d->graphs; i++) {
        const size_t vertices = leman_dataset_graph(d, i).vertices;
        if (vertices > most) most = vertices;
    }
    if (d->arcs < PARALLEL || most * (size_t)threads > HELD) threads = 1;
    PASS_SCRATCH(ctx, next, most * (size_t)threads);
#pragma omp parallel for num_threads(threads) reduction(min : first) schedule(static) if (threads > 1)
    for (size_t i = 0; i < d->graphs; i++) {
        const leman_graph g = leman_dataset_graph(d, i);
        if (i < first && find_fault(&g, next + most * (size_t)omp_get_thread_num()).kind) first = i;
    }
    return first < d->graphs ? fail_graph(ctx, d, first, next) : LEMAN_OK;
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
