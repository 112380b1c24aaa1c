/* What is known of the data sets that the paper uses, so that a file under such a name can be checked. */
#ifndef LM_CATALOGUE_H
#define LM_CATALOGUE_H

#include "leman.h"

/* LEMAN_ERROR_INPUT, with what was found and expected, where `data` cannot be the known set `name`. A name that is not
 * known passes. `file` is for the sentence. O(graphs). */
leman_status lm_catalogue_check(leman_context *ctx, const char *file, const char *name, const leman_dataset *data);

#endif
