/* Texts and pictures that are written to memory, for callers. */
#ifndef LM_IN_MEMORY_H
#define LM_IN_MEMORY_H

#include "base/context.h"
#include "base/file.h"

/* Makes an explanation of the text that write(ctx, user, output) writes. Release it with leman_explanation_free(). */
leman_status lm_explanation_new(leman_context *ctx, lm_writer *write, void *user, leman_explanation **out);

#endif
