/* Counts the different numbers of some lists. */
#ifndef LM_DIFFERENT_H
#define LM_DIFFERENT_H

#include "base/chunks.h"

/* Counts the different numbers, which should be hashes, of lists[list_count], and empties the lists unless it fails. words[count] is
 * scratch, where count is the number of all items. Expected O(count). */
leman_status lm_count_different(leman_context *ctx, lm_chunks *const *lists, size_t list_count, size_t count,
                                uint64_t *words, uint64_t *different);

#endif
