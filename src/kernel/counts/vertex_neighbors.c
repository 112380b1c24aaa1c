/* Neighbours in both directions, and the hashes that describe them. */
#include "kernel/counts/vertex_neighbors.h"
#include "refine/adjacency.h"
#include "refine/variant.h"

/* leaving, entering: hashes of the labels of the arcs, 0 if there is no arc. */
static uint64_t end_hash(uint64_t label, uint64_t leaving, uint64_t entering)
{
    return lm_mix(label * lm_multiplier_of(LM_GRAPHLET, 0) + leaving * lm_multiplier_of(LM_GRAPHLET, 1) +
                  entering * lm_multiplier_of(LM_GRAPHLET, 2));
}

/* Merges the arcs that leave v with those that enter it. */
static void merge(lm_neighbors *s, size_t v, const lm_adjacency *out, const lm_adjacency *in)
{
    uint64_t e = out->start[v], f = in->start[v], at = s->start[v];
    while (e < out->start[v + 1] || f < in->start[v + 1]) {
        uint32_t head = e < out->start[v + 1] ? out->head[e] : UINT32_MAX;
        uint32_t tail = f < in->start[v + 1] ? in->head[f] : UINT32_MAX, w = head < tail ? head : tail;
        uint64_t leaving = head == w ? out->label[e++] : 0, entering = tail == w ? in->label[f++] : 0;
        if (w == v) continue;
        s->other[at] = w;
        s->end[at] = end_hash(s->label[w], leaving, entering);
        s->back[at++] = end_hash(s->label[v], entering, leaving);
    }
    s->start[v + 1] = at;
}

leman_status lm_neighbors_new(leman_context *ctx, const leman_graph *g, const leman_coloring *c, lm_neighbors *s)
{
    lm_adjacency out, in;
    size_t pairs = g->directed ? 2 * g->arcs : g->arcs;
    s->n = g->vertices;
    PASS_SCRATCH(ctx, s->label, s->n);
    PASS_SCRATCH(ctx, s->start, s->n + 1);
    PASS_SCRATCH(ctx, s->other, pairs);
    PASS_SCRATCH(ctx, s->end, pairs);
    PASS_SCRATCH(ctx, s->back, pairs);
    for (size_t v = 0; v < s->n; v++) s->label[v] = lm_label_hash(g, v, c);
    PASS(lm_arcs_of(ctx, g, c, &out));
    in = out;
    if (g->directed) PASS(lm_arcs_transposed(ctx, s->n, &out, &in));
    s->start[0] = 0;
    for (size_t v = 0; v < s->n; v++) merge(s, v, &out, &in);
    return LEMAN_OK;
}
