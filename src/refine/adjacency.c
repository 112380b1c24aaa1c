/* Hashes of labels, and arcs listed by tail and by head. */
#include "refine/adjacency.h"
#include "refine/variant.h"
#include <string.h>

/* ---- Hashes of labels ------------------------------------------------------------------------ */

static uint64_t columns_hash(const int64_t *label, size_t columns, uint64_t start)
{
    uint64_t hash = lm_mix(start);
    for (size_t i = 0; i < columns; i++)
        hash = lm_mix(hash + ((uint64_t)label[i] + 1) * lm_multiplier_of(LM_LABEL_COLUMN, i));
    return hash;
}

bool lm_edges_labelled(const leman_graph *g, const leman_coloring *c)
{
    if (!g->edge_labels || c->ignore_edge_labels) return false;
    for (size_t e = 0; e < g->arcs; e++)
        if (g->edge_label[(g->start[0] + e) * g->edge_labels] != LEMAN_EDGE_LABEL_NONE) return true;
    return false;
}

uint64_t lm_arc_hash(const leman_graph *g, uint64_t e, const leman_coloring *c)
{
    const size_t columns = c->ignore_edge_labels ? 0 : g->edge_labels;
    const int64_t *label = columns ? g->edge_label + e * columns : NULL;
    size_t present = 0;
    while (present < columns && label[present] != LEMAN_EDGE_LABEL_NONE) present++;
    return columns_hash(label, present, c->seed + 2) | 1;
}

uint64_t lm_plain_arc_hash(const leman_coloring *c)
{
    return columns_hash(NULL, 0, c->seed + 2) | 1;
}

uint64_t lm_label_hash(const leman_graph *g, size_t v, const leman_coloring *c)
{
    size_t columns = c->ignore_vertex_labels ? 0 : g->vertex_labels;
    return columns_hash(columns ? g->vertex_label + v * columns : NULL, columns, c->seed + 1);
}

uint64_t lm_vertex_hash(const leman_graph *g, size_t v, const leman_coloring *c)
{
    uint64_t hash = lm_label_hash(g, v, c);
    for (uint64_t e = g->start[v]; e < g->start[v + 1]; e++)
        if (g->head[e] == v) hash = lm_mix(hash + lm_arc_hash(g, e, c));
    return hash;
}

/* ---- Adjacency ------------------------------------------------------------------------------- */

leman_status lm_adjacency_new(leman_context *ctx, size_t n, size_t arcs, lm_adjacency *out)
{
    PASS_SCRATCH(ctx, out->start, n + 1);
    PASS_SCRATCH(ctx, out->head, arcs);
    PASS_SCRATCH(ctx, out->label, arcs);
    return LEMAN_OK;
}

leman_status lm_arcs_of(leman_context *ctx, const leman_graph *g, const leman_coloring *c, lm_adjacency *out)
{
    const bool labelled = lm_edges_labelled(g, c);
    const uint64_t plain = lm_plain_arc_hash(c), first = g->start[0];
    PASS(lm_adjacency_new(ctx, g->vertices, g->arcs, out));
    for (size_t v = 0; v <= g->vertices; v++) out->start[v] = g->start[v] - first;
    for (size_t e = 0; e < g->arcs; e++) {
        out->head[e] = g->head[first + e];
        out->label[e] = labelled ? lm_arc_hash(g, first + e, c) : plain;
    }
    return LEMAN_OK;
}

void lm_arcs_transpose(size_t n, const lm_adjacency *arcs, lm_adjacency *out)
{
    uint64_t *end = out->start; /* first the end of each list; filling the lists backwards turns it into the start */
    memset(end, 0, (n + 1) * sizeof *end);
    for (uint64_t e = 0; e < arcs->start[n]; e++) end[arcs->head[e]]++;
    for (size_t v = 1; v <= n; v++) end[v] += end[v - 1];
    for (size_t v = n; v-- > 0;)
        for (uint64_t e = arcs->start[v + 1]; e-- > arcs->start[v];) {
            uint64_t to = --end[arcs->head[e]];
            out->head[to] = (uint32_t)v;
            out->label[to] = arcs->label[e];
        }
}

leman_status lm_arcs_transposed(leman_context *ctx, size_t n, const lm_adjacency *arcs, lm_adjacency *out)
{
    PASS(lm_adjacency_new(ctx, n, arcs->start[n], out));
    lm_arcs_transpose(n, arcs, out);
    return LEMAN_OK;
}
