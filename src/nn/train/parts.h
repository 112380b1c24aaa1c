/* Files of graph numbers. */
#ifndef LM_PARTS_H
#define LM_PARTS_H

#include "base/context.h"
#include "base/file.h"

/* Appends the numbers in the bytes of a file, uint32_t below `graphs`, to list; path is for messages. */
leman_status lm_parts_parse(leman_context *ctx, const char *path, lm_bytes bytes, size_t graphs, lm_vector *list);

/* Logs what is in a part more than once, and what validates or tests although it also trains. path: of the lists. */
leman_status lm_parts_log_repeats(leman_context *ctx, const leman_parts *parts, size_t graphs,
                                  const char *const path[3]);

#endif
