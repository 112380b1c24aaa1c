/* Bounds of the Weisfeiler-Leman dimension of one graph. */
#ifndef LM_IDENTIFY_H
#define LM_IDENTIFY_H

#include "base/context.h"

/* The WL dimension of a graph is the smallest k for which k-FWL distinguishes the graph from every graph that is not
 * isomorphic to it. at_least <= dimension <= at_most. */
typedef struct lm_dimension_bounds {
    unsigned at_least, at_most;
} lm_dimension_bounds;

/* Computes bounds from colour refinement, the tree-width and the number of vertices. `coloring` must be colour refinement in
 * normal form, until stable. Fails with LEMAN_ERROR_BUDGET if the graph does not fit; `name` names it in the sentence.
 * O((vertices + arcs) log vertices) for each round of colour refinement. */
leman_status lm_dimension_bound(leman_context *ctx, const leman_graph *graph, const leman_coloring *coloring,
                                const char *name, lm_dimension_bounds *bounds);

#endif
