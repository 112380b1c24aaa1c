/* Ranks that work together must have the same library, options and data. These are compared before any work. */
#ifndef LM_SAME_WORK_H
#define LM_SAME_WORK_H

#include "graph/dataset.h"

/* Compares between all ranks the version of the library, the seed of the context, a checksum of the options of the
 * work, and the data sets `data` and `against`, each of which may be NULL. Must be called directly after
 * lm_ranks_begin(). If a rank differs from rank 0, all ranks fail with LEMAN_ERROR_INPUT and the same sentence. Does
 * nothing in nested work and if there is only one rank. Time: each rank reads the data from memory once. */
leman_status lm_ranks_same_work(leman_context *ctx, uint64_t options, const leman_dataset *data,
                                const leman_dataset *against);
/* Compares the next graphs of a stream between all ranks. NULL means that the stream has ended. */
leman_status lm_ranks_same_graphs(leman_context *ctx, const leman_dataset *data);

#endif
