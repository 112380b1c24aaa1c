/* How many different numbers some lists have together. */
#ifndef LM_DIFFERENT_H
#define LM_DIFFERENT_H

#include "base/chunks.h"

/* The lists hold uint64_t, `count` of them in all, and are empty afterwards; words[count] is scratch. */
leman_status lm_count_different(leman_context *ctx, lm_chunks *const *lists, size_t list_count, size_t count,
                                uint64_t *words, int threads, uint64_t *different);

#endif
