/* --parts: sizes of training, validation and test part, in the order of the data:
 * "train=220011,test=5000,val=24445". */
#ifndef LM_CLI_PARTS_H
#define LM_CLI_PARTS_H

#include "cli/work.h"

/* Parses the option. Writes the first graph and the number of graphs of train, val and test. Fails unless the parts are
 * all graphs. train and val are required, and test too if `tested`. */
leman_status lm_parts_sizes(leman_context *ctx, const char *text, bool tested, size_t graphs, size_t first[3],
                            size_t count[3]);
/* Creates splits with one fold that consists of these parts. */
leman_status lm_parts_splits(leman_context *ctx, const char *text, const leman_dataset *data, leman_splits **out);

#endif
