/*
 * A graph as refinement and kernels use it: hashes of the labels of vertices and arcs, and the arcs listed by tail or
 * by head. A hash depends only on the seed and on the label values that the colouring uses. Equal labels have equal
 * hashes in every data set.
 */
#ifndef LM_ADJACENCY_H
#define LM_ADJACENCY_H

#include "base/context.h"

typedef struct lm_adjacency {
    uint64_t *start; /* [n+1] */
    uint32_t *head;  /* increasing within a vertex */
    uint64_t *label; /* [arcs] hash of the edge label; never 0. NULL: every arc has hash `plain` (space.c, large) */
    uint64_t plain;
} lm_adjacency;

/* Returns the hash of all label columns of vertex v. All vertices have one hash if the data set has no vertex labels or
 * the colouring ignores them. */
uint64_t lm_label_hash(const leman_graph *graph, size_t v, const leman_coloring *coloring);
/* Returns lm_label_hash() combined with the hash of the vertex's self-loop, if the vertex has one. */
uint64_t lm_vertex_hash(const leman_graph *graph, size_t v, const leman_coloring *coloring);

/* Returns true if edge labels count: the colouring uses them, and an edge of the graph has a label. O(arcs) at most. */
bool lm_edges_labelled(const leman_graph *graph, const leman_coloring *coloring);
/* Returns the hash of the label columns of an arc before the first that is LEMAN_EDGE_LABEL_NONE; `arc` is its index in
 * the data set. Never 0: 0 means "no arc". */
uint64_t lm_arc_hash(const leman_graph *graph, uint64_t arc, const leman_coloring *coloring);
/* Returns the hash that every arc has if edge labels are absent or ignored. */
uint64_t lm_plain_arc_hash(const leman_coloring *coloring);

/* Allocates arrays for n vertices and `arcs` arcs in the context's scratch. */
leman_status lm_adjacency_new(leman_context *ctx, size_t n, size_t arcs, lm_adjacency *out);
/* Copies the arcs of a graph, with their hashes, into the context's scratch. O(arcs). */
leman_status lm_arcs_of(leman_context *ctx, const leman_graph *graph, const leman_coloring *coloring,
                        lm_adjacency *out);
/* Lists the arcs by head, with increasing tails. Two calls in a row give the original arcs with increasing heads.
 * lm_arcs_transpose() writes into the arrays of *out, which must be large enough; lm_arcs_transposed() allocates *out
 * in the context's scratch. O(n + arcs). */
void lm_arcs_transpose(size_t n, const lm_adjacency *arcs, lm_adjacency *out);
leman_status lm_arcs_transposed(leman_context *ctx, size_t n, const lm_adjacency *arcs, lm_adjacency *out);

#endif
