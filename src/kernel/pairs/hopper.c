/*
 * The GraphHopper kernel (Feragen et al. 2013): all pairs of shortest paths of equal length, one in each graph, whose
 * vertices are compared step by step by a kernel of their attributes:
 *
 *   k(G, H) = sum over v of G, w of H of <M(v), M(w)> node(x_v, y_w),
 *
 * where M(v)[a][b] is the number of shortest paths of b steps whose vertex number a is v. Shortest paths count edges;
 * in directed graphs they follow the arcs. Entries are stored by b, then a <= b, so that the entries of a graph of
 * smaller diameter are the first of those of a larger one.
 *
 * M: a breadth-first search from every vertex gives distances and numbers of shortest paths to a vertex; the same order
 * backwards gives the numbers of paths that continue from it. Time O(n arcs D) a graph of diameter D. For the linear
 * node kernel, k is the scalar product of the matrices sum over v of M(v) x_v^T, O(D^2 attributes) a pair. Other node
 * kernels take O(n m (D^2 + attributes)) a pair.
 */
#include "kernel/pairs/pairs.h"
#include <math.h>
#include <string.h>

/* A prepared graph. */
typedef struct hops {
    size_t vertices, entries, attributes;
    double *count;           /* linear: [entries][attributes]; otherwise [entries][vertices] */
    const double *attribute; /* [vertices][attributes], of the data set */
} hops;

static leman_status check_attributes(leman_context *ctx, const leman_dataset *data, size_t expected)
{
    const size_t found = data->columns.vertex_attributes;
    if (!data->vertices) return LEMAN_OK;
    if (!found)
        return lm_fail(ctx, LEMAN_ERROR_INPUT,
                       "%s has no vertex attributes, which GraphHopper compares; expected some, or another kernel: "
                       "1-WL, SP or RandomWalkLabeled",
                       data->name);
    if (found != expected)
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found %zu column%s of vertex attributes, expected %zu", data->name,
                       found, lm_plural(found), expected);
    for (size_t i = 0; i < data->graphs; i++) {
        const leman_graph g = leman_dataset_graph(data, i);
        for (size_t at = 0; at < g.vertices * found; at++)
            if (!isfinite(g.vertex_attribute[at]))
                return lm_fail(ctx, LEMAN_ERROR_INPUT,
                               "graph %zu of %s: found a vertex attribute that is not finite, expected a number",
                               data->first_graph + i, data->name);
    }
    return LEMAN_OK;
}

/* Searches from `source`: order[] lists the vertices that are reached, by increasing distance. Other vertices have the
 * distance n. Returns the number of vertices that are reached. */
static size_t search(const leman_graph *g, size_t source, size_t *distance, size_t *order)
{
    size_t reached = 1;
    for (size_t v = 0; v < g->vertices; v++) distance[v] = g->vertices;
    distance[source] = 0;
    order[0] = source;
    for (size_t next = 0; next < reached; next++)
        for (uint64_t e = g->start[order[next]]; e < g->start[order[next] + 1]; e++) {
            const uint32_t w = g->head[e];
            if (distance[w] != g->vertices) continue;
            distance[w] = distance[order[next]] + 1;
            order[reached++] = w;
        }
    return reached;
}

/* Finds the largest finite distance of every graph, from which the sizes of prepared graphs follow. */
static leman_status find_diameters(lm_worker *worker, void *state, size_t item)
{
    const lm_pair_work *work = state;
    const size_t rows = work->data->graphs;
    const leman_graph g =
        item < rows ? leman_dataset_graph(work->data, item) : leman_dataset_graph(work->against, item - rows);
    size_t *distance, *order, largest = 0;
    PASS_SCRATCH(worker->ctx, distance, g.vertices);
    PASS_SCRATCH(worker->ctx, order, g.vertices);
    for (size_t v = 0; v < g.vertices; v++) {
        const size_t reached = search(&g, v, distance, order), last = distance[order[reached - 1]];
        if (last > largest) largest = last;
        PASS(lm_worker_advance(worker, g.vertices + g.arcs));
    }
    work->diameter[item] = largest;
    return LEMAN_OK;
}

static leman_status begin(leman_context *ctx, lm_pair_work *work)
{
    const leman_dataset *other = work->against && !work->data->vertices ? work->against : work->data;
    uint64_t *cost, total = 0;
    PASS(check_attributes(ctx, work->data, other->columns.vertex_attributes));
    if (work->against) PASS(check_attributes(ctx, work->against, other->columns.vertex_attributes));
    PASS_SCRATCH(ctx, work->diameter, work->count);
    PASS_SCRATCH(ctx, cost, work->count);
    for (size_t i = 0; i < work->count; i++) {
        const leman_graph g = i < work->data->graphs ? leman_dataset_graph(work->data, i)
                                                     : leman_dataset_graph(work->against, i - work->data->graphs);
        cost[i] = lm_saturating_multiply(g.vertices, g.vertices + g.arcs);
        total = lm_saturating_add(total, cost[i]);
    }
    lm_progress_begin(ctx, total, "measuring graphs of %s", work->data->name);
    return lm_thread_pool_run(ctx, cost, work->count, 0, find_diameters, work);
}

static bool is_linear(const lm_pair_work *work)
{
    return work->kernel->node_kernel == LEMAN_NODE_KERNEL_LINEAR;
}

static uint64_t entries_of(const lm_pair_work *work, size_t item)
{
    const uint64_t lengths = (uint64_t)work->diameter[item] + 1;
    return lm_saturating_multiply(lengths, lengths + 1) / 2;
}

static uint64_t bytes(const lm_pair_work *work, const leman_graph *graph, size_t item)
{
    const uint64_t width = is_linear(work) ? graph->vertex_attributes : graph->vertices;
    return lm_saturating_add(sizeof(hops),
                             lm_saturating_multiply(8, lm_saturating_multiply(entries_of(work, item), width)));
}

static uint64_t prepare_scratch(const lm_pair_work *work, const leman_graph *graph, size_t item)
{
    const uint64_t n = graph->vertices, lengths = work->diameter[item] + 1;
    const uint64_t count = is_linear(work) ? lm_saturating_multiply(entries_of(work, item), n) : 0;
    return lm_saturating_multiply(8, lm_saturating_add(count, lm_saturating_multiply(n, lengths + 3)));
}

static uint64_t pair_scratch(const lm_pair_work *work, const leman_graph *a, const leman_graph *b)
{
    return is_linear(work) ? 0 : lm_saturating_multiply(8, lm_saturating_multiply(a->vertices, b->vertices));
}

/* ---- Numbers of shortest paths --------------------------------------------------------------- */

typedef struct path_counts {
    const leman_graph *g;
    size_t lengths; /* the diameter and 1 */
    size_t *distance, *order;
    double *to;    /* [n] shortest paths from the source to v */
    double *after; /* [n][lengths] paths of so many steps that continue a shortest path behind v */
    double *count; /* [entries][n] M */
} path_counts;

/* Adds the paths that begin at `source` to M. */
static void add_paths(const path_counts *p, size_t source)
{
    const leman_graph *g = p->g;
    const size_t n = g->vertices, reached = search(g, source, p->distance, p->order);
    for (size_t v = 0; v < n; v++) p->to[v] = 0;
    p->to[source] = 1;
    for (size_t i = 0; i < reached; i++) {
        const size_t v = p->order[i];
        memset(p->after + v * p->lengths, 0, p->lengths * sizeof *p->after);
        p->after[v * p->lengths] = 1;
        for (uint64_t e = g->start[v]; e < g->start[v + 1]; e++)
            if (p->distance[g->head[e]] == p->distance[v] + 1) p->to[g->head[e]] += p->to[v];
    }
    for (size_t i = reached; i-- > 0;) {
        const size_t v = p->order[i], at = p->distance[v];
        double *own = p->after + v * p->lengths;
        for (uint64_t e = g->start[v]; e < g->start[v + 1]; e++) {
            const double *next = p->after + g->head[e] * p->lengths;
            if (p->distance[g->head[e]] != at + 1) continue;
            for (size_t l = 1; l + at < p->lengths; l++) own[l] += next[l - 1];
        }
        for (size_t b = at; b < p->lengths; b++) p->count[(b * (b + 1) / 2 + at) * n + v] += p->to[v] * own[b - at];
    }
}

static leman_status prepare(lm_worker *worker, const lm_pair_work *work, lm_prepared *prepared)
{
    const leman_graph *g = &prepared->graph;
    const size_t n = g->vertices, d = g->vertex_attributes, item = (size_t)(prepared - work->prepared);
    hops *h = prepared->value;
    path_counts p = {.g = g, .lengths = work->diameter[item] + 1};
    *h = (hops){n, (size_t)entries_of(work, item), d, (double *)(void *)(h + 1), g->vertex_attribute};
    PASS_SCRATCH(worker->ctx, p.distance, n);
    PASS_SCRATCH(worker->ctx, p.order, n);
    PASS_SCRATCH(worker->ctx, p.to, n);
    PASS_SCRATCH(worker->ctx, p.after, n * p.lengths);
    p.count = h->count;
    if (is_linear(work)) PASS_SCRATCH(worker->ctx, p.count, h->entries * n);
    memset(p.count, 0, h->entries * n * sizeof *p.count);
    for (size_t v = 0; v < n; v++) {
        add_paths(&p, v);
        if (lm_cancellation_poll(&worker->cancellation)) return LEMAN_ERROR_CANCELLED;
    }
    for (size_t entry = 0; is_linear(work) && entry < h->entries; entry++) {
        for (size_t k = 0; k < d; k++) {
            double sum = 0;
            for (size_t v = 0; v < n; v++) sum += p.count[entry * n + v] * g->vertex_attribute[v * d + k];
            h->count[entry * d + k] = sum;
        }
        if (lm_worker_cancelled(worker, entry)) return LEMAN_ERROR_CANCELLED;
    }
    return LEMAN_OK;
}

/* ---- Pairs ----------------------------------------------------------------------------------- */

static double node_kernel(const leman_kernel *kernel, const double *x, const double *y, size_t d)
{
    double square = 0;
    for (size_t k = 0; k < d; k++) square += (x[k] - y[k]) * (x[k] - y[k]);
    if (kernel->node_kernel == LEMAN_NODE_KERNEL_GAUSSIAN) return exp(-kernel->mu * square);
    return fmax(0, 1 - sqrt(square) / 4);
}

static leman_status compare(lm_worker *worker, const lm_pair_work *work, const lm_prepared *a, const lm_prepared *b,
                            double *value)
{
    const hops *s = a->value, *t = b->value;
    const size_t entries = s->entries < t->entries ? s->entries : t->entries, n = s->vertices, m = t->vertices;
    double *product, sum = 0;
    *value = 0;
    if (!n || !m) return LEMAN_OK;
    for (size_t i = 0; is_linear(work) && i < entries * s->attributes; i++) sum += s->count[i] * t->count[i];
    *value = sum;
    if (is_linear(work)) return LEMAN_OK;
    PASS_SCRATCH_ZERO(worker->ctx, product, n * m);
    for (size_t entry = 0; entry < entries; entry++) {
        for (size_t v = 0; v < n; v++) {
            const double times = s->count[entry * n + v], *other = t->count + entry * m;
            double *row = product + v * m;
            for (size_t w = 0; times != 0 && w < m; w++) row[w] += times * other[w];
        }
        if (lm_worker_cancelled(worker, entry)) return LEMAN_ERROR_CANCELLED;
    }
    for (size_t v = 0; v < n; v++)
        for (size_t w = 0; w < m; w++)
            if (product[v * m + w] != 0)
                sum += product[v * m + w] * node_kernel(work->kernel, s->attribute + v * s->attributes,
                                                        t->attribute + w * s->attributes, s->attributes);
    *value = sum;
    return lm_cancellation_poll(&worker->cancellation) ? LEMAN_ERROR_CANCELLED : LEMAN_OK;
}

const lm_pair_kernel LM_GRAPH_HOPPER = {.what = "shortest paths with attributes",
                                        .begin = begin,
                                        .bytes = bytes,
                                        .prepare_scratch = prepare_scratch,
                                        .pair_scratch = pair_scratch,
                                        .prepare = prepare,
                                        .compare = compare};
