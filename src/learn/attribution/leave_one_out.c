/*
 * The amount by which a score falls without a vertex or an edge of a graph. Graphs with one of them left out are
 * created and scored in batches of limited size. Time: one prediction for every vertex and edge.
 */
#include "base/drop.h"
#include "graph/dataset.h"
#include "learn/attribution/attribution.h"
#include <string.h>

/* Most vertices and arcs of a batch. */
enum { PART = 1 << 20 };

size_t lm_graph_edges(const leman_graph *graph, uint32_t *end)
{
    size_t count = 0;
    for (size_t u = 0; u < graph->vertices; u++)
        for (uint64_t e = graph->start[u]; e < graph->start[u + 1]; e++) {
            if (!graph->directed && graph->head[e] < u) continue;
            if (end) end[2 * count] = (uint32_t)u, end[2 * count + 1] = graph->head[e];
            count++;
        }
    return count;
}

/* Adds the graph without vertex `item`, or without edge `item - vertices` if item >= vertices; SIZE_MAX: the whole
 * graph. */
static leman_status add_graph(leman_builder *b, const leman_graph *g, const uint32_t *end, size_t item)
{
    const size_t vertex = item < g->vertices ? item : SIZE_MAX;
    const uint32_t *edge = item < g->vertices || item == SIZE_MAX ? NULL : end + 2 * (item - g->vertices);
    PASS(leman_builder_graph(b, NULL, NULL, NULL));
    for (size_t v = 0; v < g->vertices; v++)
        if (v != vertex)
            PASS(leman_builder_vertex(b, NULL, g->vertex_labels ? g->vertex_label + v * g->vertex_labels : NULL,
                                      g->vertex_attributes ? g->vertex_attribute + v * g->vertex_attributes : NULL));
    for (size_t u = 0; u < g->vertices; u++)
        for (uint64_t e = g->start[u]; e < g->start[u + 1]; e++) {
            const size_t v = g->head[e];
            if (u == vertex || v == vertex) continue;
            if (edge && ((u == edge[0] && v == edge[1]) || (!g->directed && u == edge[1] && v == edge[0]))) continue;
            PASS(leman_builder_edge(b, u - (u > vertex), v - (v > vertex),
                                    g->edge_labels ? g->edge_label + e * g->edge_labels : NULL,
                                    g->edge_attributes ? g->edge_attribute + e * g->edge_attributes : NULL));
        }
    return LEMAN_OK;
}

/* Creates a batch: the whole graph, then the graphs without item first, ..., end - 1. */
static leman_status make_part(leman_context *ctx, const leman_dataset *data, const leman_graph *g, const uint32_t *ends,
                              size_t first, size_t end, leman_dataset **out)
{
    AUTO(leman_builder_drop) leman_builder *b = NULL;
    leman_columns columns = data->columns;
    leman_policy policy = leman_policy_default();
    columns.graph_names = columns.vertex_names = columns.classes = false;
    columns.targets = 0;
    policy.directed = data->directed;
    policy.self_loops = policy.isolated_vertices = policy.empty_graphs = LEMAN_ACTION_KEEP;
    PASS(leman_builder_new(ctx, data->name, &columns, &b));
    PASS(add_graph(b, g, ends, SIZE_MAX));
    for (size_t item = first; item < end; item++) PASS(add_graph(b, g, ends, item));
    return leman_builder_finish(b, &policy, NULL, out);
}

leman_status lm_leave_one_out(leman_context *ctx, const leman_dataset *data, size_t graph, lm_scorer *scorer,
                              void *user, double *score, double *vertex, lm_edge_sharing *edges)
{
    SCRATCH_SCOPE(ctx);
    const leman_graph g = leman_dataset_graph(data, graph);
    const size_t items = g.vertices + edges->count;
    size_t part = PART / (g.vertices + g.arcs + 1);
    AUTO(leman_dataset_drop) leman_dataset *some = NULL;
    double *found;
    if (part < 1) part = 1;
    if (part > items) part = items;
    PASS_SCRATCH(ctx, found, part + 1);
    for (size_t first = 0, end; first < items || first == 0; first = end) {
        end = items - first < part ? items : first + part;
        PASS(make_part(ctx, data, &g, edges->end, first, end, &some));
        PASS(scorer(ctx, user, some, found));
        for (size_t item = first; item < end; item++)
            *(item < g.vertices ? vertex + item : edges->edge + item - g.vertices) = found[0] - found[item - first + 1];
        *score = found[0];
        leman_dataset_free(some);
        some = NULL;
        if (!items) break;
    }
    return LEMAN_OK;
}
