/* Colours of some tuples of a graph, exactly, without those that they do not depend on. */
#ifndef LM_SAMPLE_H
#define LM_SAMPLE_H

#include "refine/space.h"

/* The vertices, labels and arcs of a graph, for tuples of coloring->k: a space without tuples. In the context's
 * scratch, which the caller resets. */
leman_status lm_sample_space(leman_context *ctx, const leman_graph *graph, const leman_coloring *coloring,
                             lm_space *space);

/* The colours of tuple[count], by their numbers (the last component fastest), after rounds 0 .. rounds of local:
 * colors[round * count + i]. They are those of leman_tuple_colors(). As many tuples at a time as fit `bytes`;
 * LEMAN_ERROR_BUDGET where not even one does. Time and memory: the tuples within `rounds` steps of those asked for,
 * each once, and their neighbours. */
leman_status lm_sample_colors(leman_context *ctx, const lm_space *space, uint32_t rounds, const uint64_t *tuple,
                              size_t count, uint64_t bytes, const lm_cancellation *cancellation, uint64_t *colors);

#endif
