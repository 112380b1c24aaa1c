/* A data set with the vertices of every graph in another order. */
#include "base/arguments.h"
#include "base/drop.h"
#include "base/sort.h"
#include "graph/dataset.h"
#include "refine/canonical/canonical.h"
#include <stdlib.h>

static void copy_rows(const void *from, size_t old, void *to, size_t now, size_t bytes)
{
    if (bytes) memcpy((char *)to + now * bytes, (const char *)from + old * bytes, bytes);
}

/* Copies the arcs of vertex v, their heads renamed and sorted, to the arcs from number `at` on of the result. */
static size_t copy_arcs(const leman_graph *g, uint32_t v, const uint32_t *place, lm_pair *pair, size_t at,
                        const leman_dataset *to)
{
    size_t arcs = 0;
    for (uint64_t a = g->start[v]; a < g->start[v + 1]; a++) pair[arcs++] = (lm_pair){place[g->head[a]], a};
    qsort(pair, arcs, sizeof *pair, lm_compare_int64);
    for (size_t i = 0; i < arcs; i++) {
        LM_WRITABLE(uint32_t, to->arc_head)[at + i] = (uint32_t)pair[i].key;
        copy_rows(g->edge_label, (size_t)pair[i].payload, LM_WRITABLE(int64_t, to->edge_label), at + i,
                  g->edge_labels * sizeof *g->edge_label);
        copy_rows(g->edge_attribute, (size_t)pair[i].payload, LM_WRITABLE(double, to->edge_attribute), at + i,
                  g->edge_attributes * sizeof *g->edge_attribute);
        copy_rows(g->arc_side, (size_t)pair[i].payload, LM_WRITABLE(int8_t, to->arc_side), at + i, g->arc_side != NULL);
    }
    return at + arcs;
}

static void copy_vertices(const leman_graph *g, const uint32_t *order, size_t first, const leman_dataset *to)
{
    for (size_t i = 0; i < g->vertices; i++) {
        copy_rows(g->vertex_label, order[i], LM_WRITABLE(int64_t, to->vertex_label), first + i,
                  g->vertex_labels * sizeof *g->vertex_label);
        copy_rows(g->vertex_attribute, order[i], LM_WRITABLE(double, to->vertex_attribute), first + i,
                  g->vertex_attributes * sizeof *g->vertex_attribute);
    }
}

static void copy_names(const leman_dataset *data, size_t graph, const uint32_t *order, const leman_dataset *to)
{
    const size_t first = data->graph_start[graph];
    uint64_t *start = LM_WRITABLE(uint64_t, to->vertex_name_start);
    for (size_t v = first; v < data->graph_start[graph + 1]; v++) {
        const size_t old = first + order[v];
        const uint64_t bytes = data->vertex_name_start[old + 1] - data->vertex_name_start[old];
        memcpy(LM_WRITABLE(char, to->vertex_name) + start[v], data->vertex_name + data->vertex_name_start[old], bytes);
        start[v + 1] = start[v] + bytes;
    }
}

leman_status lm_dataset_reorder(leman_context *ctx, const leman_dataset *data, const uint32_t *order,
                                leman_dataset **out)
{
    AUTO(leman_dataset_drop) leman_dataset *made = NULL;
    SCRATCH_SCOPE(ctx);
    uint32_t *place;
    lm_pair *pair;
    PASS_SCRATCH(ctx, place, data->shape.max_vertices);
    PASS_SCRATCH(ctx, pair, data->shape.max_degree);
    PASS(lm_dataset_derive(ctx, data, data, &made));
    for (size_t i = 0, at = 0; i < data->graphs; i++) {
        const leman_graph g = leman_dataset_graph(data, i);
        const size_t first = data->graph_start[i];
        for (size_t v = 0; v < g.vertices; v++) place[order[first + v]] = (uint32_t)v;
        for (size_t v = 0; v < g.vertices; v++) {
            at = copy_arcs(&g, order[first + v], place, pair, at, made);
            LM_WRITABLE(uint64_t, made->vertex_start)[first + v + 1] = at;
        }
        copy_vertices(&g, order + first, first, made);
        if (data->columns.vertex_names) copy_names(data, i, order, made);
    }
    return HAND_OVER(out, made);
}

leman_status leman_dataset_canonical(leman_context *ctx, const leman_dataset *data, leman_symmetry *symmetry,
                                     uint32_t *orbit, leman_dataset **out)
{
    REQUIRE(ctx, data, out);
    SCRATCH_SCOPE(ctx);
    uint32_t *order;
    PASS_SCRATCH(ctx, order, data->vertices);
    PASS(lm_canonical_orders(ctx, data, order, orbit, symmetry));
    return lm_dataset_reorder(ctx, data, order, out);
}
