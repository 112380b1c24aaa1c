/* Parsing files of graph numbers. */
#ifndef LM_PARTS_H
#define LM_PARTS_H

#include "base/context.h"
#include "base/file.h"

/* Parses the content of a file of graph numbers and appends them to list as uint32_t. Numbers must be below `graphs`;
 * path is for messages. */
leman_status lm_parts_parse(leman_context *ctx, const char *path, lm_bytes bytes, size_t graphs, lm_vector *list);

#endif
