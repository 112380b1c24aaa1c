/*
 * Canonical order: colour refinement first, then Traces where it leaves equal colours.
 *
 * Cells of the stable colouring have an order that isomorphic graphs share (pairs.c). If every cell is one vertex, this
 * order is canonical and the graph has no automorphism but the identity. Otherwise Traces gets the cells (search.h).
 */
#include "refine/canonical/canonical.h"
#include "base/arguments.h"
#include "base/thread_pool.h"
#include "graph/dataset.h"

/* ---- One graph ------------------------------------------------------------------------------- */

/* Counts the vertices that are the smallest of their orbit. */
static void note_orbits(const lm_search_graph *g, uint32_t *orbit, leman_symmetry *symmetry)
{
    symmetry->orbits = 0;
    for (size_t v = 0; v < g->original; v++) {
        symmetry->orbits += (size_t)g->orbit[v] == v;
        if (orbit) orbit[v] = (uint32_t)g->orbit[v];
    }
}

static leman_status order_by_search(leman_context *ctx, const lm_pair_keys *joined, const lm_cells *cells,
                                    uint32_t *order, uint32_t *orbit, leman_symmetry *symmetry)
{
    AUTO(lm_nauty_unload) lm_nauty nauty = {0};
    lm_search_graph g;
    PASS(lm_nauty_load(ctx, &nauty));
    PASS(lm_search_graph_new(ctx, joined, cells, &g));
    PASS(lm_nauty_search(ctx, &nauty, &g, symmetry));
    for (size_t i = 0; i < g.original; i++) order[i] = (uint32_t)g.order[i];
    note_orbits(&g, orbit, symmetry);
    return LEMAN_OK;
}

leman_status lm_canonical_order(leman_context *ctx, const leman_graph *g, uint32_t *order, uint32_t *orbit,
                                leman_symmetry *symmetry)
{
    SCRATCH_SCOPE(ctx);
    leman_symmetry own;
    lm_pair_keys joined;
    lm_cells cells;
    PASS(lm_pair_keys_new(ctx, g, &joined));
    PASS(lm_cells_new(ctx, &joined, &cells));
    if (!symmetry) symmetry = &own;
    if (cells.cells < g->vertices) return order_by_search(ctx, &joined, &cells, order, orbit, symmetry);
    *symmetry = (leman_symmetry){.mantissa = 1, .orbits = g->vertices};
    for (size_t v = 0; v < g->vertices; v++) {
        order[v] = cells.order[v];
        if (orbit) orbit[v] = (uint32_t)v;
    }
    return LEMAN_OK;
}

leman_status leman_canonical_order(leman_context *ctx, const leman_graph *graph, uint32_t *order, uint32_t *orbit,
                                   leman_symmetry *symmetry)
{
    REQUIRE(ctx, graph, order);
    lm_progress_begin(ctx, 0, "labelling the graph");
    return lm_canonical_order(ctx, graph, order, orbit, symmetry);
}

/* ---- Graphs of a data set -------------------------------------------------------------------- */

typedef struct labelling {
    const leman_dataset *data;
    uint32_t *order, *orbit; /* [vertices] orbit may be NULL */
    leman_symmetry *symmetry;
} labelling;

static leman_status label_graph(lm_worker *worker, void *state, size_t item)
{
    const labelling *l = state;
    const leman_graph g = leman_dataset_graph(l->data, item);
    const uint64_t first = l->data->graph_start[item];
    lm_worker_stops_with_pool(worker);
    PASS(lm_canonical_order(worker->ctx, &g, l->order + first, l->orbit ? l->orbit + first : NULL,
                            l->symmetry ? l->symmetry + item : NULL));
    return lm_worker_advance(worker, 1);
}

leman_status lm_canonical_orders(leman_context *ctx, const leman_dataset *data, uint32_t *order, uint32_t *orbit,
                                 leman_symmetry *symmetry)
{
    SCRATCH_SCOPE(ctx);
    labelling l = {data, order, orbit, symmetry};
    uint64_t *cost;
    PASS_SCRATCH(ctx, cost, data->graphs);
    for (size_t i = 0; i < data->graphs; i++) {
        const leman_graph g = leman_dataset_graph(data, i);
        cost[i] = g.vertices + g.arcs;
    }
    lm_progress_begin(ctx, data->graphs, "labelling graphs");
    return lm_thread_pool_run(ctx, cost, data->graphs, 0, label_graph, &l);
}
