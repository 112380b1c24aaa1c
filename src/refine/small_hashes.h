/* Hashes of small graphs by colour refinement, many at a time; hashes.c has the others. */
#ifndef LM_SMALL_HASHES_H
#define LM_SMALL_HASHES_H

#include "leman/color.h"

/* Vertices and arcs of the graphs that should be hashed together, at most. */
enum { LM_SMALL_VERTICES = 1024, LM_SMALL_ARCS = 8192 };

/* Is the graph small enough for lm_small_hashes(), and the colouring colour refinement? */
bool lm_hash_is_small(const leman_graph *graph, const leman_coloring *coloring);
/* Computes the hashes of `count` small graphs of the data set, from `first` on: one stream for each, or two, of the seeds
 * coloring->seed and coloring->seed + LEMAN_HASH_SEED. Scratch memory: 60 bytes a vertex and 20 bytes an arc. */
leman_status lm_small_hashes(leman_context *ctx, const leman_dataset *data, size_t first, size_t count,
                             const leman_coloring *coloring, unsigned streams, leman_graph_hash *hash);

#endif
