/* Colours of single tuples, as files. */
#ifndef LM_TUPLES_H
#define LM_TUPLES_H

#include "cli/work.h"

/* The colours of all k-tuples of a graph after a round: as CSV, or as a numpy array. */
leman_status lm_tuples_write(leman_context *ctx, const leman_graph *graph, const leman_coloring *coloring,
                             uint32_t round, bool npy, lm_output *out);

#endif
