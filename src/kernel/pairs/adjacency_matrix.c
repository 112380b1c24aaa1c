/* Adjacency matrices and their largest absolute eigenvalues. */
#include "kernel/pairs/adjacency_matrix.h"
#include "base/arguments.h"
#include "kernel/pairs/eigen.h"
#include <math.h>
#include <string.h>

leman_status lm_arc_weights_check(leman_context *ctx, const leman_dataset *data, bool weighted)
{
    if (!weighted || !data->arcs) return LEMAN_OK;
    if (!data->columns.edge_attributes)
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s has no edge attributes, expected weights in the first of them",
                       data->name);
    for (size_t i = 0; i < data->graphs; i++) {
        const leman_graph g = leman_dataset_graph(data, i);
        for (uint64_t e = g.start[0]; e < g.start[g.vertices]; e++) {
            const double weight = lm_arc_weight(&g, e, true);
            if (!(weight >= 0) || !isfinite(weight))
                return lm_fail(ctx, LEMAN_ERROR_INPUT,
                               "graph %zu of %s: found an edge of weight %g, expected a finite number from 0 up",
                               data->first_graph + i, data->name, weight);
        }
    }
    return LEMAN_OK;
}

void lm_adjacency_matrix(const leman_graph *graph, bool weighted, double *a)
{
    const size_t n = graph->vertices;
    memset(a, 0, n * n * sizeof *a);
    for (size_t u = 0; u < n; u++)
        for (uint64_t e = graph->start[u]; e < graph->start[u + 1]; e++)
            a[u * n + graph->head[e]] += lm_arc_weight(graph, e, weighted);
}

double lm_radius_bound(const leman_graph *graph, bool weighted, double *row_sum)
{
    double largest = 0;
    for (size_t u = 0; u < graph->vertices; u++) {
        row_sum[u] = 0;
        for (uint64_t e = graph->start[u]; e < graph->start[u + 1]; e++)
            row_sum[u] += lm_arc_weight(graph, e, weighted);
    }
    for (size_t u = 0; u < graph->vertices; u++) {
        double sum = 0;
        for (uint64_t e = graph->start[u]; e < graph->start[u + 1]; e++)
            sum += lm_arc_weight(graph, e, weighted) * row_sum[graph->head[e]];
        largest = fmax(largest, sum);
    }
    return sqrt(largest);
}

/* The limit of |A^m|^(1/m) for m = 2^i. Weights are not negative, so the sum of all entries is a norm of every power. A
 * power is divided by its norm before the power is squared, and logarithms of the norms are summed. */
static leman_status radius_by_powers(const lm_worker *worker, double *a, double *square, size_t n, double *radius)
{
    enum { SQUARINGS = 48 };
    double logarithm = 0, share = 1;
    for (size_t step = 0; step <= SQUARINGS; step++, share /= 2) {
        double norm = 0;
        for (size_t i = 0; i < n * n; i++) norm += a[i];
        if (norm == 0) return LEMAN_OK; /* every walk ends: the graph has no cycle, and the radius is 0 */
        logarithm += share * log(norm);
        for (size_t i = 0; i < n * n; i++) a[i] /= norm;
        memset(square, 0, n * n * sizeof *square);
        for (size_t i = 0; i < n; i++) {
            if (lm_cancellation_poll(&worker->cancellation)) return LEMAN_ERROR_CANCELLED;
            for (size_t k = 0; k < n; k++)
                for (size_t j = 0; a[i * n + k] != 0 && j < n; j++) square[i * n + j] += a[i * n + k] * a[k * n + j];
        }
        memcpy(a, square, n * n * sizeof *a);
    }
    *radius = exp(logarithm);
    return LEMAN_OK;
}

leman_status lm_spectral_radius(lm_worker *worker, const leman_graph *graph, bool weighted, double *radius)
{
    leman_context *ctx = worker->ctx;
    SCRATCH_SCOPE(ctx);
    const size_t n = graph->vertices;
    size_t cells;
    double *a, *value, *spare;
    *radius = 0;
    if (!n || !graph->arcs) return LEMAN_OK;
    if (!lm_multiply(n, n, &cells)) return lm_refuse_size(ctx, n, n);
    PASS_SCRATCH(ctx, a, cells);
    lm_adjacency_matrix(graph, weighted, a);
    if (graph->directed) {
        PASS_SCRATCH(ctx, spare, cells);
        return radius_by_powers(worker, a, spare, n, radius);
    }
    PASS_SCRATCH(ctx, value, n);
    PASS_SCRATCH(ctx, spare, 2 * n);
    PASS(lm_eigen(worker, a, n, NULL, 0, value, spare));
    for (size_t i = 0; i < n; i++) *radius = fmax(*radius, fabs(value[i]));
    return LEMAN_OK;
}

/* ---- All graphs of a data set ---------------------------------------------------------------- */

typedef struct radii {
    const leman_dataset *data;
    bool weighted;
    double *radius; /* [graphs] */
} radii;

static uint64_t cost_of(const leman_graph *graph)
{
    return lm_saturating_add(lm_power(graph->vertices, 3), 1);
}

static leman_status find_radius(lm_worker *worker, void *state, size_t item)
{
    const radii *all = state;
    const leman_graph graph = leman_dataset_graph(all->data, item);
    PASS(lm_spectral_radius(worker, &graph, all->weighted, all->radius + item));
    return lm_worker_advance(worker, cost_of(&graph));
}

leman_status leman_spectral_radius(leman_context *ctx, const leman_dataset *data, bool weighted, double *radius)
{
    REQUIRE(ctx, data, radius);
    SCRATCH_SCOPE(ctx);
    radii all = {data, weighted, NULL};
    uint64_t *cost, total = 0;
    double largest = 0;
    PASS(lm_arc_weights_check(ctx, data, weighted));
    PASS_SCRATCH(ctx, all.radius, data->graphs);
    PASS_SCRATCH(ctx, cost, data->graphs);
    for (size_t i = 0; i < data->graphs; i++) {
        const leman_graph graph = leman_dataset_graph(data, i);
        cost[i] = cost_of(&graph);
        total = lm_saturating_add(total, cost[i]);
    }
    lm_progress_begin(ctx, total, "computing eigenvalues of %s", data->name);
    PASS(lm_thread_pool_run(ctx, cost, data->graphs, 0, find_radius, &all));
    for (size_t i = 0; i < data->graphs; i++) largest = fmax(largest, all.radius[i]);
    *radius = largest;
    return LEMAN_OK;
}
