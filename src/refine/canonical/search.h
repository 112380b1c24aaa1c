/* The vertex-coloured simple graph that nauty's Traces labels, and the call of Traces. search_graph.c, nauty.c. */
#ifndef LM_CANONICAL_SEARCH_H
#define LM_CANONICAL_SEARCH_H

#include "leman/canonical.h"
#include "refine/canonical/pairs.h"

/* An undirected graph without loops in cells. Vertices 0 .. original-1 are those of the graph that is labelled; the
 * others stand on edges. All arrays have the types of nauty. */
typedef struct lm_search_graph {
    size_t original, vertices, arcs;
    size_t *start; /* [vertices] */
    int *degree;   /* [vertices] */
    int *head;     /* [arcs] */
    int *order;    /* [vertices] vertices by cell; afterwards in canonical order */
    int *joined;   /* [vertices] 1 if the next vertex of order is in the same cell, otherwise 0 */
    int *orbit;    /* [vertices] afterwards the smallest vertex of the orbit */
} lm_search_graph;

/*
 * Makes the graph. Two vertices u, v of the cells A <= B are joined directly if the key of the pair is the smallest of all
 * pairs of these cells and, if A = B, the same from both ends: the cells then tell what the edge is. Any other pair is
 * joined through a new vertex in a cell of its key; in one cell a pair that is not the same from both ends is joined
 * through two. So the automorphisms and the isomorphisms of the two graphs correspond. Scratch arrays.
 * O(n + m log m).
 */
leman_status lm_search_graph_new(leman_context *ctx, const lm_pair_keys *joined, const lm_cells *cells,
                                 lm_search_graph *out);

/* nauty, loaded with dlopen(). Zero-initialise. */
typedef struct lm_nauty {
    void *library;
    void (*search)(void);     /* Traces() */
    void (*release[6])(void); /* free the memory that nauty keeps for the thread */
    volatile int *kill;       /* ends all searches of the process */
} lm_nauty;
/* Loads nauty. Fails with LEMAN_ERROR_UNSUPPORTED if the library was built without it, or finds no library. */
leman_status lm_nauty_load(leman_context *ctx, lm_nauty *nauty);
void lm_nauty_unload(lm_nauty *nauty);
/* Returns the bytes that nauty is expected to allocate for a graph. */
uint64_t lm_nauty_bytes(size_t vertices, size_t arcs);
/* Computes order, orbit and the symmetry of the search graph, without its orbits. */
leman_status lm_nauty_search(leman_context *ctx, const lm_nauty *nauty, const lm_search_graph *graph,
                             leman_symmetry *symmetry);

#endif
