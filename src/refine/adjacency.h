/*
 * A graph as refinement and kernels see it: the labels of vertices and arcs as hashes, and the arcs from both ends. A
 * hash depends on the values of the labels that count, and on the seed, alone: it is the same for every data set.
 */
#ifndef LM_ADJACENCY_H
#define LM_ADJACENCY_H

#include "base/context.h"

typedef struct lm_adjacency {
    uint64_t *start; /* [n+1] */
    uint32_t *head;  /* increasing within a vertex */
    uint64_t *label; /* [arcs] hash of the edge label; never 0. NULL: `plain` for all of them (space.c, large) */
    uint64_t plain;
} lm_adjacency;

/* The label columns of a vertex; without any, or where the colouring ignores them, all vertices have one label. */
uint64_t lm_label_hash(const leman_graph *graph, size_t v, const leman_coloring *coloring);
/* The same with the vertex's self-loop, if it has one. */
uint64_t lm_vertex_hash(const leman_graph *graph, size_t v, const leman_coloring *coloring);

/* The label columns of an arc, as they lie in the data set. Never 0, which stands for "no arc". */
uint64_t lm_arc_hash(const leman_graph *graph, uint64_t arc, const leman_coloring *coloring);
/* The hash of every arc where labels of edges are absent or ignored. */
uint64_t lm_plain_arc_hash(const leman_coloring *coloring);

/* Room for n vertices and so many arcs, in the context's scratch. */
leman_status lm_adjacency_new(leman_context *ctx, size_t n, size_t arcs, lm_adjacency *out);
/* The arcs of a graph, in the context's scratch. O(arcs). */
leman_status lm_arcs_of(leman_context *ctx, const leman_graph *graph, const leman_coloring *coloring,
                        lm_adjacency *out);
/* The same arcs from their heads, tails increasing; twice gives the arcs back, heads increasing. The first writes into
 * arrays that have room for them, the second into the context's scratch. O(n + arcs). */
void lm_arcs_transpose(size_t n, const lm_adjacency *arcs, lm_adjacency *out);
leman_status lm_arcs_transposed(leman_context *ctx, size_t n, const lm_adjacency *arcs, lm_adjacency *out);

#endif
