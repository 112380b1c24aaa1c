/* Unrolling colours whose whole history is known. */
#ifndef LM_UNROLL_H
#define LM_UNROLL_H

#include "refine/refine.h"

/* An unrolling, and what else its explanation needs. */
typedef struct lm_unrolling {
    leman_unrolling open;    /* what callers see */
    leman_coloring coloring; /* as it was given */
    bool as_union;
    size_t vertices[2]; /* of the two graphs */
} lm_unrolling;

/* One graph without twins taken together, and the colours of its tuples in every round. */
typedef struct lm_history {
    lm_space space;
    uint64_t **colors; /* [rounds+1][tuples] */
} lm_history;

typedef struct lm_tuple_place {
    uint32_t graph; /* which history */
    size_t tuple;   /* index in it */
} lm_tuple_place;

/* The trees of the colours that these tuples have after `round`, with branches for at most `max` nodes; the roots are
 * nodes 0 .. count-1. Fills node, vertex, branch, target and nodes of *unrolling, which the caller frees on failure
 * too. */
leman_status lm_unroll(leman_context *ctx, const lm_history h[2], const leman_coloring *coloring, uint32_t round,
                       const lm_tuple_place *roots, size_t count, size_t max, leman_unrolling *unrolling);

#endif
