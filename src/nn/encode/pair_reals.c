/* Random walks and effective resistances of pairs; pair_reals.h has the definitions and the costs. */
#include "nn/encode/pair_reals.h"
#include "base/text.h"
#include "base/thread_pool.h"
#include "graph/dataset.h"
#include <inttypes.h>
#include <string.h>

/* ---- Walks ----------------------------------------------------------------------------------- */

/* Sets to[n] to the probabilities after one more step. */
static void walk_on(const leman_graph *g, const double *from, double *to)
{
    memset(to, 0, g->vertices * sizeof *to);
    for (size_t v = 0; v < g->vertices; v++) {
        const size_t degree = from[v] > 0 ? lm_encoding_degree(g, v) : 0;
        for (uint64_t a = g->start[v]; degree && a < g->start[v + 1]; a++)
            if (g->head[a] != v) to[g->head[a]] += from[v] / (double)degree;
    }
}

static leman_status write_walks(leman_context *ctx, const leman_graph *g, size_t steps, size_t stride, lm_real *to)
{
    const size_t n = g->vertices;
    double *now, *next;
    PASS_SCRATCH(ctx, now, n);
    PASS_SCRATCH(ctx, next, n);
    for (size_t u = 0; u < n; u++, to += n * stride) {
        memset(now, 0, n * sizeof *now);
        now[u] = 1;
        for (size_t step = 0; step < steps; step++) {
            double *const before = now;
            walk_on(g, before, next);
            for (size_t v = 0; v < n; v++) to[v * stride + step] = (lm_real)next[v];
            now = next;
            next = before;
        }
    }
    return LEMAN_OK;
}

/* ---- Resistances ----------------------------------------------------------------------------- */

enum { NOWHERE = UINT32_MAX };

/* Sets a[n][n] to the Laplacian of the wires. */
static void write_laplacian(const leman_graph *g, double *a)
{
    const size_t n = g->vertices;
    memset(a, 0, n * n * sizeof *a);
    for (size_t u = 0; u < n; u++)
        for (uint64_t arc = g->start[u]; arc < g->start[u + 1]; arc++)
            if (g->head[arc] != u) a[u * n + g->head[arc]] = a[g->head[arc] * n + u] = -1;
    for (size_t u = 0; u < n; u++)
        for (size_t v = 0; v < n; v++)
            if (v != u) a[u * n + u] -= a[u * n + v];
}

/* Sets ground[v] to the first vertex of the component of v, for all n vertices; queue[n] is workspace. */
static void find_components(const double *laplacian, size_t n, uint32_t *ground, uint32_t *queue)
{
    for (size_t v = 0; v < n; v++) ground[v] = NOWHERE;
    for (size_t z = 0; z < n; z++) {
        size_t first = 0, end = 0;
        if (ground[z] != NOWHERE) continue;
        ground[z] = (uint32_t)z;
        for (queue[end++] = (uint32_t)z; first < end; first++)
            for (size_t v = 0; v < n; v++)
                if (ground[v] == NOWHERE && laplacian[queue[first] * n + v] < 0) {
                    ground[v] = (uint32_t)z;
                    queue[end++] = (uint32_t)v;
                }
    }
}

/* Inverts the matrix of the vertices that are not grounded; rows and columns of the others become 0. */
static void invert(double *a, size_t n, const uint32_t *ground)
{
    for (size_t z = 0; z < n; z++)
        for (size_t v = 0; v < n && ground[z] == z; v++) a[z * n + v] = a[v * n + z] = 0;
    for (size_t k = 0; k < n; k++) {
        double *const row = a + k * n;
        if (ground[k] == k) continue;
        const double pivot = 1 / row[k];
        row[k] = 1;
        for (size_t j = 0; j < n; j++) row[j] *= pivot;
        for (size_t i = 0; i < n; i++) {
            double *const other = a + i * n, factor = other[k];
            if (i == k || !(factor < 0 || factor > 0)) continue;
            other[k] = 0;
            for (size_t j = 0; j < n; j++) other[j] -= factor * row[j];
        }
    }
}

static leman_status write_resistances(leman_context *ctx, const leman_graph *g, size_t stride, lm_real *to)
{
    const size_t n = g->vertices;
    double *a;
    uint32_t *ground, *queue;
    size_t pairs;
    if (!lm_multiply(n, n, &pairs)) pairs = SIZE_MAX;
    PASS_SCRATCH(ctx, a, pairs);
    PASS_SCRATCH(ctx, ground, n);
    PASS_SCRATCH(ctx, queue, n);
    write_laplacian(g, a);
    find_components(a, n, ground, queue);
    invert(a, n, ground);
    for (size_t u = 0; u < n; u++)
        for (size_t v = 0; v < n; v++, to += stride) {
            const double both = a[u * n + v] + a[v * n + u]; /* equal up to rounding */
            const double resistance = ground[u] == ground[v] ? a[u * n + u] + a[v * n + v] - both : -1;
            *to = (lm_real)(u == v ? 0 : resistance);
        }
    return LEMAN_OK;
}

leman_status lm_pair_reals_write(leman_context *ctx, const leman_graph *g, const lm_encoding_options *o, size_t stride,
                                 lm_real *to)
{
    SCRATCH_SCOPE(ctx);
    if (o->walk) PASS(write_walks(ctx, g, o->walk, stride, to));
    return o->resistance ? write_resistances(ctx, g, stride, to + o->walk) : LEMAN_OK;
}

/* ---- All graphs ------------------------------------------------------------------------------ */

typedef struct pair_work {
    const leman_dataset *data;
    const lm_encoding_options *options;
    const lm_pair_reals *reals;
} pair_work;

static leman_status write_graph(lm_worker *worker, void *state, size_t graph)
{
    const pair_work *work = state;
    const leman_graph g = leman_dataset_graph(work->data, graph);
    PASS(lm_pair_reals_write(worker->ctx, &g, work->options, lm_pair_reals_columns(work->options),
                             work->reals->value + work->reals->start[graph]));
    return lm_worker_advance(worker, 1);
}

/* Returns the bytes of workspace for a graph of n vertices. */
static uint64_t workspace(const lm_encoding_options *o, uint64_t n)
{
    const uint64_t each = o->resistance ? lm_saturating_add(n, 2) : 2;
    return lm_saturating_multiply(lm_saturating_multiply(each, n), sizeof(double));
}

/* Sets start[graphs+1] and cost[graphs], and *alone to the number of graphs that one worker at a time can process. Fails
 * if the workspace of a graph does not fit. */
static leman_status plan(leman_context *ctx, const pair_work *work, uint64_t *start, uint64_t *cost, size_t *alone)
{
    const uint64_t budget = lm_budget(ctx);
    const int threads = lm_thread_pool_workers(ctx);
    char required[LM_NUMBER_TEXT], has[LM_BUDGET_TEXT];
    start[0] = 0;
    *alone = 0;
    for (size_t g = 0; g < work->data->graphs; g++) {
        const uint64_t n = leman_dataset_graph(work->data, g).vertices, bytes = workspace(work->options, n);
        if (bytes > budget)
            return lm_fail(ctx, LEMAN_ERROR_BUDGET,
                           "encoding the pairs of graph %zu with %" PRIu64 " %s needs %s; the memory budget is %s",
                           work->data->first_graph + g, n, lm_plural_of(n, "vertex", "vertices"),
                           lm_bytes_text(bytes, required), lm_budget_text(ctx, budget, has));
        const uint64_t pairs = lm_saturating_multiply(n, n);
        *alone += threads > 1 && bytes > budget / 4 / (uint64_t)threads; /* half of it may be for the results */
        cost[g] = lm_saturating_multiply(pairs, work->options->resistance ? n : 1);
        start[g + 1] = lm_saturating_add(start[g], lm_saturating_multiply(pairs, lm_pair_reals_columns(work->options)));
    }
    return LEMAN_OK;
}

leman_status lm_pair_reals_compute(leman_context *ctx, const leman_dataset *data, const lm_encoding_options *options,
                                   lm_pair_reals *out)
{
    SCRATCH_SCOPE(ctx);
    AUTO(lm_pair_reals_free) lm_pair_reals reals = {0};
    pair_work work = {data, options, &reals};
    const uint64_t budget = lm_budget(ctx);
    char required[LM_NUMBER_TEXT];
    uint64_t *cost;
    size_t alone;
    if (!lm_pair_reals_columns(options)) return LEMAN_OK;
    PASS_NEW(ctx, reals.start, data->graphs + 1);
    PASS_SCRATCH(ctx, cost, data->graphs);
    PASS(plan(ctx, &work, reals.start, cost, &alone));
    const uint64_t count = reals.start[data->graphs], bytes = lm_saturating_multiply(count, sizeof(lm_real));
    if (bytes > budget / 2) {
        lm_log(ctx,
               "%s: the encodings of all pairs need %s, more than half of the memory: they are computed again for "
               "every batch",
               data->name, lm_bytes_text(bytes, required));
        return LEMAN_OK;
    }
    PASS_NEW(ctx, reals.value, (size_t)count);
    lm_progress_begin(ctx, data->graphs, "encoding the pairs of %s", data->name);
    PASS(lm_thread_pool_run(ctx, cost, data->graphs, alone, write_graph, &work));
    return HAND_OVER(out, reals);
}

void lm_pair_reals_free(lm_pair_reals *reals)
{
    RELEASE(reals->start, reals->value);
    *reals = (lm_pair_reals){0};
}
