/*
 * The graphlet kernel: how often each labelled connected graph on three vertices is an induced subgraph of a graph.
 * These are paths and triangles, distinguished by the labels of vertices and edges and by the directions of arcs.
 * Self-loops are ignored.
 *
 * end(m, a) describes neighbour a as seen from m: the label of a and the arcs between both, in both directions. A path
 * with middle m is corner(m) = (label of m, multiset of its two ends). A triangle is the multiset of its three corners,
 * which determines the triangle: every edge is part of an end in exactly two corners. Pairs of neighbours are counted
 * by the values of their ends, not one by one:
 *
 *   paths(label, {s, t}) = sum over m of (pairs of neighbours with ends s and t) - corners of triangles of this value
 *
 * Triangles are found from their vertex of lowest degree, along arcs to vertices of higher degree. Time O(arcs^1.5) for
 * triangles and, for each vertex, the square of the number of its different ends. Memory O(arcs + features).
 */
#include "kernel/counts/tally.h"
#include "kernel/counts/vertex_neighbors.h"
#include "refine/variant.h"
#include <string.h>

/* A hash that does not depend on the order of the two ends. */
static uint64_t corner(uint64_t label, uint64_t end, uint64_t other_end)
{
    return lm_mix(label * lm_multiplier_of(LM_GRAPHLET, 3) + end + other_end);
}

static uint64_t path_key(uint64_t middle)
{
    return lm_mix(middle + lm_multiplier_of(LM_GRAPHLET, 4));
}

static uint64_t triangle_key(uint64_t corners)
{
    return lm_mix(corners + lm_multiplier_of(LM_GRAPHLET, 5));
}

/* ---- Pairs of neighbours --------------------------------------------------------------------- */

/* Counts all pairs of neighbours as if no two of them were joined. */
static leman_status count_pairs(lm_worker *worker, const lm_neighbors *s, lm_tally *tally)
{
    leman_context *ctx = worker->ctx;
    size_t max = 0;
    for (size_t v = 0; v < s->n; v++)
        if (s->start[v + 1] - s->start[v] > max) max = s->start[v + 1] - s->start[v];
    uint64_t *end, *times;
    PASS_SCRATCH(ctx, end, max);
    PASS_SCRATCH(ctx, times, max);
    for (size_t v = 0; v < s->n; v++) {
        size_t degree = s->start[v + 1] - s->start[v];
        memcpy(end, s->end + s->start[v], degree * sizeof *end);
        size_t different = lm_count_keys(end, times, degree, 1, end, times);
        for (size_t i = 0; i < different; i++) {
            if (lm_cancellation_poll(&worker->cancellation)) return LEMAN_ERROR_CANCELLED;
            if (times[i] > 1)
                PASS(lm_tally_add(ctx, tally, path_key(corner(s->label[v], end[i], end[i])),
                                  times[i] * (times[i] - 1) / 2));
            for (size_t j = 0; j < i; j++)
                PASS(lm_tally_add(ctx, tally, path_key(corner(s->label[v], end[i], end[j])), times[i] * times[j]));
        }
    }
    return LEMAN_OK;
}

/* ---- Triangles ------------------------------------------------------------------------------- */

/* Arcs to vertices of higher degree, or of equal degree and higher number. */
typedef struct upward {
    uint64_t *start; /* [n+1] */
    uint64_t *pair;  /* index in the neighbours */
    uint64_t *mark;  /* [n] for the current u: 1 + the index of pair (u, v); 0 if there is none */
} upward;

static bool is_higher(const lm_neighbors *s, size_t u, size_t v)
{
    uint64_t a = s->start[u + 1] - s->start[u], b = s->start[v + 1] - s->start[v];
    return a != b ? a < b : u < v;
}

static leman_status upward_new(leman_context *ctx, const lm_neighbors *s, upward *c)
{
    uint64_t at = 0;
    PASS_SCRATCH(ctx, c->start, s->n + 1);
    PASS_SCRATCH(ctx, c->pair, s->start[s->n]);
    PASS_SCRATCH_ZERO(ctx, c->mark, s->n);
    for (size_t v = 0; v < s->n; v++) {
        c->start[v] = at;
        for (uint64_t p = s->start[v]; p < s->start[v + 1]; p++)
            if (is_higher(s, v, s->other[p])) c->pair[at++] = p;
    }
    c->start[s->n] = at;
    return LEMAN_OK;
}

/* Adds `times` triangles of u, v and a third vertex like w, with the pairs (u, v), (u, w), (v, w). */
static leman_status add_triangles(leman_context *ctx, const lm_neighbors *s, size_t u, uint64_t uv, uint64_t uw,
                                  uint64_t vw, uint64_t times, lm_tally *tally)
{
    uint64_t corners[3] = {corner(s->label[u], s->end[uv], s->end[uw]),
                           corner(s->label[s->other[uv]], s->back[uv], s->end[vw]),
                           corner(s->label[s->other[uw]], s->back[uw], s->back[vw])};
    for (size_t i = 0; i < 3; i++) PASS(lm_tally_add(ctx, tally, path_key(corners[i]), 0 - times));
    return lm_tally_add(ctx, tally, triangle_key(corners[0] + corners[1] + corners[2]), times);
}

/* Counts the triangles above the pair (u, v). Consecutive third vertices that look alike from u and from v are added to
 * the tally together. */
static leman_status count_above(leman_context *ctx, const lm_neighbors *s, const upward *c, size_t u, uint64_t uv,
                                lm_tally *tally)
{
    uint32_t v = s->other[uv];
    uint64_t uw = 0, vw = 0, times = 0;
    for (uint64_t i = c->start[v]; i < c->start[v + 1]; i++) {
        uint64_t p = c->pair[i], q = c->mark[s->other[p]];
        if (!q--) continue;
        if (times && (s->end[q] != s->end[uw] || s->end[p] != s->end[vw])) {
            PASS(add_triangles(ctx, s, u, uv, uw, vw, times, tally));
            times = 0;
        }
        uw = q;
        vw = p;
        times++;
    }
    if (times) PASS(add_triangles(ctx, s, u, uv, uw, vw, times, tally));
    return LEMAN_OK;
}

static leman_status count_triangles(lm_worker *worker, const lm_neighbors *s, lm_tally *tally)
{
    upward c;
    PASS(upward_new(worker->ctx, s, &c));
    for (size_t u = 0; u < s->n; u++) {
        for (uint64_t i = c.start[u]; i < c.start[u + 1]; i++) c.mark[s->other[c.pair[i]]] = c.pair[i] + 1;
        for (uint64_t i = c.start[u]; i < c.start[u + 1]; i++) {
            if (lm_cancellation_poll(&worker->cancellation)) return LEMAN_ERROR_CANCELLED;
            PASS(count_above(worker->ctx, s, &c, u, c.pair[i], tally));
        }
        for (uint64_t i = c.start[u]; i < c.start[u + 1]; i++) c.mark[s->other[c.pair[i]]] = 0;
    }
    return LEMAN_OK;
}

/* ---- The kernel ------------------------------------------------------------------------------ */

static leman_status count_triples(lm_worker *worker, const leman_graph *g, const lm_counting *counting, lm_tally *tally)
{
    lm_neighbors s;
    PASS(lm_neighbors_new(worker->ctx, g, &counting->kernel->coloring, &s));
    PASS(count_pairs(worker, &s, tally));
    PASS(count_triangles(worker, &s, tally));
    return lm_worker_advance(worker, counting->cost(g, counting));
}

static uint64_t cost(const leman_graph *g, const lm_counting *counting)
{
    (void)counting;
    return g->vertices + g->arcs;
}

leman_status lm_triples_of_graphlets(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernel,
                                     size_t first_graph, size_t block, lm_triples *triples)
{
    lm_counting counting = {"graphlets", count_triples, cost, kernel, NULL};
    if (kernel->graphlet > 3) return lm_triples_of_subgraphs(ctx, data, kernel, first_graph, block, triples);
    return lm_triples_count(ctx, data, &counting, first_graph, block, triples);
}
