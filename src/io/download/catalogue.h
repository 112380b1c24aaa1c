/* Properties of the data sets of the paper, with which a file of such a name is checked. */
#ifndef LM_CATALOGUE_H
#define LM_CATALOGUE_H

#include "leman.h"

/* Fails with LEMAN_ERROR_INPUT, saying what was found and expected, if `data` cannot be the known data set `name`.
 * Unknown names pass. `file` is used in the message. O(graphs). */
leman_status lm_catalogue_check(leman_context *ctx, const char *file, const char *name, const leman_dataset *data);

#endif
