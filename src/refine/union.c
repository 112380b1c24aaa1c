/* The disjoint union of two graphs: the vertices of the first, then those of the second. O(size of both). */
#include "refine/distinguish.h"
#include <string.h>

/* Concatenates the label columns of both graphs; NULL if there are none. */
static leman_status join_columns(leman_context *ctx, const int64_t *a, size_t a_count, const int64_t *b, size_t b_count,
                                 size_t columns, const int64_t **out)
{
    int64_t *both;
    if (!columns) return LEMAN_OK;
    PASS_SCRATCH(ctx, both, (a_count + b_count) * columns);
    if (a_count) memcpy(both, a, a_count * columns * sizeof *both);
    if (b_count) memcpy(both + a_count * columns, b, b_count * columns * sizeof *both);
    *out = both;
    return LEMAN_OK;
}

leman_status lm_disjoint_union(leman_context *ctx, const leman_graph *a, const leman_graph *b, const leman_coloring *c,
                               leman_graph *out)
{
    uint64_t *start;
    uint32_t *head;
    leman_graph u = {.vertices = a->vertices + b->vertices,
                     .arcs = a->arcs + b->arcs,
                     .directed = a->directed,
                     .vertex_labels = c->ignore_vertex_labels ? 0 : a->vertex_labels,
                     .edge_labels = c->ignore_edge_labels ? 0 : a->edge_labels};
    PASS_SCRATCH(ctx, start, u.vertices + 1);
    PASS_SCRATCH(ctx, head, u.arcs);
    for (size_t v = 0; v <= a->vertices; v++) start[v] = a->start[v] - a->start[0];
    for (size_t v = 0; v <= b->vertices; v++) start[a->vertices + v] = a->arcs + b->start[v] - b->start[0];
    for (size_t e = 0; e < a->arcs; e++) head[e] = a->head[a->start[0] + e];
    for (size_t e = 0; e < b->arcs; e++) head[a->arcs + e] = (uint32_t)a->vertices + b->head[b->start[0] + e];
    PASS(join_columns(ctx, a->vertex_label, a->vertices, b->vertex_label, b->vertices, u.vertex_labels,
                      &u.vertex_label));
    PASS(join_columns(ctx, a->edge_label ? a->edge_label + a->start[0] * a->edge_labels : NULL, a->arcs,
                      b->edge_label ? b->edge_label + b->start[0] * b->edge_labels : NULL, b->arcs, u.edge_labels,
                      &u.edge_label));
    u.start = start;
    u.head = head;
    *out = u;
    return LEMAN_OK;
}
