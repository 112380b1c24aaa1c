/* The options of training. */
#ifndef LM_TRAINING_H
#define LM_TRAINING_H

#include "nn/network.h"

/* Sets *out to the caller's options with all defaults filled in, and checks their enums. architecture and training may
 * be NULL. */
leman_status lm_training_options_copy(leman_context *ctx, const leman_architecture *architecture,
                                      const leman_training *training, lm_training_options *out);

#endif
