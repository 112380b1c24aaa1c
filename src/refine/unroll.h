/* Unrolling trees of colours, computed from the colours of all rounds. */
#ifndef LM_UNROLL_H
#define LM_UNROLL_H

#include "base/sort.h"
#include "refine/refine.h"

/* An unrolling, and the members that its explanation needs. */
typedef struct lm_unrolling {
    leman_unrolling open;    /* the public part */
    leman_coloring coloring; /* as given by the caller */
    bool as_union;
    size_t vertices[2]; /* of the two graphs */
} lm_unrolling;

/* One graph without twin reduction, and the colours of its tuples in every round. */
typedef struct lm_history {
    lm_space space;
    uint64_t **colors; /* [rounds+1][tuples] */
} lm_history;

typedef struct lm_tuple_place {
    uint32_t graph; /* which history */
    size_t tuple;   /* index in this history */
} lm_tuple_place;

/* The work on a tree: what a layer adds. */
typedef struct lm_unroller {
    leman_context *ctx;
    const lm_history *h; /* [2] */
    const leman_coloring *coloring;
    lm_vector node, vertex, branch, target; /* as in leman_unrolling */
    lm_vector place;                        /* lm_tuple_place of each node */
    lm_vector wanted;                       /* lm_tuple_place of each target, before it becomes a node */
    lm_pair *line, *spare;                  /* [n] what is grouped: (colour, w) */
} lm_unroller;

/* Adds a branch to `count` tuples or items of a graph. */
leman_status lm_unroll_branch(lm_unroller *unroller, uint32_t graph, leman_branch branch, const size_t *to,
                              size_t count);
/* Adds the branches of an item that has its colour after `round` (items/unroll_items.c). */
leman_status lm_unroll_item(lm_unroller *unroller, lm_tuple_place at, uint32_t round);

/* Builds the unrolling trees of the colours that the tuples `roots` have after `round`. The roots are nodes
 * 0 .. count-1. At most `max` nodes have branches. Fills node, vertex, branch, target and nodes of *unrolling, which
 * the caller frees, also after a failure. */
leman_status lm_unroll(leman_context *ctx, const lm_history h[2], const leman_coloring *coloring, uint32_t round,
                       const lm_tuple_place *roots, size_t count, size_t max, leman_unrolling *unrolling);

#endif
