/* --parts: "train=220011,test=5000,val=24445", sizes of the parts that a data set has, in its order. */
#ifndef LM_CLI_PARTS_H
#define LM_CLI_PARTS_H

#include "cli/work.h"

/* Where train, val and test begin, and how large they are; together they are all graphs. tested: test must be among
 * them. */
leman_status lm_parts_sizes(leman_context *ctx, const char *text, bool tested, size_t graphs, size_t first[3],
                            size_t count[3]);
/* One fold of these parts. */
leman_status lm_parts_splits(leman_context *ctx, const char *text, const leman_dataset *data, leman_splits **out);

#endif
