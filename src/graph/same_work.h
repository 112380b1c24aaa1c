/* Ranks that work together must have the same library, options and data: compared before any work. */
#ifndef LM_SAME_WORK_H
#define LM_SAME_WORK_H

#include "graph/dataset.h"

/* Compares the version of the library, the seed of the context, a checksum of the options of the work, and the data,
 * either of which may be NULL, between all ranks. To be called directly after lm_ranks_begin(). Where one rank differs
 * from rank 0, all ranks fail with LEMAN_ERROR_INPUT and the same sentence. Work inside of other work is not compared
 * again, and one rank compares nothing. Time: that of reading the data from memory once, on each rank. */
leman_status lm_ranks_same_work(leman_context *ctx, uint64_t options, const leman_dataset *data,
                                const leman_dataset *against);
/* The same for the next graphs of a stream; NULL: it has ended. */
leman_status lm_ranks_same_graphs(leman_context *ctx, const leman_dataset *data);

#endif
