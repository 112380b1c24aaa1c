/*
 * Every vertex of a graph with all its neighbours except itself, whatever the direction of the arcs.
 *
 * end(v, w) describes neighbour w as seen from v: a hash of the label of w and of the labels of the arcs between v and
 * w, with leaving and entering arcs kept apart. An undirected edge is one arc in each direction.
 */
#ifndef LM_NEIGHBORS_H
#define LM_NEIGHBORS_H

#include "base/context.h"

typedef struct lm_neighbors {
    size_t n;
    uint64_t *label; /* [n] */
    uint64_t *start; /* [n+1] */
    uint32_t *other; /* [pairs] neighbours, increasing within a vertex */
    uint64_t *end;   /* [pairs] end(v, w) */
    uint64_t *back;  /* [pairs] end(w, v) */
} lm_neighbors;

/* Computes the neighbours in the context's scratch. O(n + arcs). */
leman_status lm_neighbors_new(leman_context *ctx, const leman_graph *graph, const leman_coloring *coloring,
                              lm_neighbors *out);

#endif
