/*
 * A graph as canonical labelling sees it: a rank for every vertex, and a key for every two vertices that are joined.
 * Labels, attributes, loops and directions are expressed by these numbers.
 */
#ifndef LM_CANONICAL_PAIRS_H
#define LM_CANONICAL_PAIRS_H

#include "base/context.h"

/* Every pair of different vertices with an arc in at least one direction occurs at both vertices. The key of a pair, seen
 * from v, is out * ranks + in: the ranks of the arcs v -> u and u -> v among all arcs, 0 for no arc. */
typedef struct lm_pair_keys {
    size_t vertices, arcs;
    uint64_t *start; /* [vertices + 1] */
    uint32_t *head;  /* [arcs] increasing within a vertex */
    int64_t *key;    /* [arcs] */
    uint64_t ranks;  /* one more than there are different arcs */
    uint32_t *own;   /* [vertices] rank of the labels, the attributes and the loop of the vertex */
} lm_pair_keys;

/* Fills *out with scratch arrays. Isomorphic graphs get isomorphic ranks and keys. Fails with LEMAN_ERROR_INPUT if the
 * graph has 2^30 vertices or arcs. O((n + m) columns). */
leman_status lm_pair_keys_new(leman_context *ctx, const leman_graph *g, lm_pair_keys *out);

/* The stable colouring of the vertices: cells in an order that isomorphic graphs share. */
typedef struct lm_cells {
    size_t cells;
    uint32_t *cell;  /* [vertices] */
    uint32_t *order; /* [vertices] vertices by cell */
} lm_cells;

/* Refines the ranks to the coarsest equitable partition, which two of the 64-bit colours it computes with may make coarser
 * if they collide; the result is an invariant all the same. Scratch arrays. O((n + m) log n). */
leman_status lm_cells_new(leman_context *ctx, const lm_pair_keys *joined, lm_cells *out);

#endif
