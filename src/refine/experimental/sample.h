/* Exact colours of some tuples of a graph, computed only from the tuples that they depend on. */
#ifndef LM_SAMPLE_H
#define LM_SAMPLE_H

#include "refine/space.h"

/* Builds a space of the vertices, labels and arcs of a graph, for tuples of coloring->k, without an array of tuples. It
 * lies in the context's scratch, which the caller resets. */
leman_status lm_sample_space(leman_context *ctx, const leman_graph *graph, const leman_coloring *coloring,
                             lm_space *space);

/* Computes the colours that leman_tuple_colors() gives tuple[count] after rounds 0 .. rounds of `local`:
 * colors[round * count + i]. A tuple is given by its index (last component fastest). As many tuples are computed at a
 * time as fit into `bytes`; LEMAN_ERROR_BUDGET if not even one fits. Time and memory are proportional to the number of
 * tuples within `rounds` steps of the given ones, each counted once, and of their neighbours. */
leman_status lm_sample_colors(leman_context *ctx, const lm_space *space, uint32_t rounds, const uint64_t *tuple,
                              size_t count, uint64_t bytes, const lm_cancellation *cancellation, uint64_t *colors);

#endif
