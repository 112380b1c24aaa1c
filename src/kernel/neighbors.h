/*
 * Every vertex of a graph with all its neighbours, whichever way the arcs between them go, and without itself.
 *
 * What v sees of a neighbour w is end(v, w): a hash of the label of w and of the labels of the arcs between them, those
 * that leave v and those that enter it apart. In undirected graphs every edge is one arc each way.
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

/* In the context's scratch. O(n + arcs). */
leman_status lm_neighbors_new(leman_context *ctx, const leman_graph *graph, const leman_coloring *coloring,
                              lm_neighbors *out);

#endif
