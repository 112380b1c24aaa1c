/* A pair of graphs, from its cost to the round that distinguishes it. */
#ifndef LM_DISTINGUISH_H
#define LM_DISTINGUISH_H

#include "refine/refine.h"

/* Can the two be compared: both directed or none, the same label columns? */
leman_status lm_pair_check(leman_context *ctx, const leman_graph *const graph[2], const leman_coloring *coloring);

typedef struct lm_pair_cost {
    uint64_t tuples, bytes; /* of both graphs, up to twins, or of their union */
} lm_pair_cost;

/* Is there memory for the pair within the budget? `of` ends its name in the sentence that says no: " of pair 17". */
leman_status lm_pair_fits(leman_context *ctx, const leman_graph *const graph[2], const leman_coloring *coloring,
                          bool as_union, const char *of, uint64_t budget, lm_pair_cost *cost);

/* leman_distinguish() for a pair that was checked, by a coloring in its normal form. In the context's scratch, which
 * the caller resets. */
leman_status lm_pair_distinguish(leman_context *ctx, const leman_graph *const graph[2], const leman_coloring *coloring,
                                 bool as_union, int threads, const lm_cancellation *cancellation,
                                 leman_difference *difference);

/* The vertices of b behind those of a; only columns that the coloring looks at. In the context's scratch. */
leman_status lm_disjoint_union(leman_context *ctx, const leman_graph *a, const leman_graph *b,
                               const leman_coloring *coloring, leman_graph *out);

#endif
