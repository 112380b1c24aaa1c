/* Unrolling trees of colours, computed from the colours of all rounds. */
#ifndef LM_UNROLL_H
#define LM_UNROLL_H

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

/* Builds the unrolling trees of the colours that the tuples `roots` have after `round`. The roots are nodes
 * 0 .. count-1. At most `max` nodes have branches. Fills node, vertex, branch, target and nodes of *unrolling, which
 * the caller frees, also after a failure. */
leman_status lm_unroll(leman_context *ctx, const lm_history h[2], const leman_coloring *coloring, uint32_t round,
                       const lm_tuple_place *roots, size_t count, size_t max, leman_unrolling *unrolling);

#endif
