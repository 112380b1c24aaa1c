/* Numbers the columns of several ranks together. */
#ifndef LM_RANK_COLUMNS_H
#define LM_RANK_COLUMNS_H

#include "kernel/features/column_map.h"

/*
 * Every rank has a map of its own columns, whose keys lie in its file. The keys of all ranks are merged in parts.
 * (*place)[i] is the number of column i of this rank among the columns of all ranks; the caller frees it with
 * lm_release(). The map gets the blocks of all ranks and, on rank 0, their keys, which are appended to the file. name
 * is that of the data, for messages.
 *
 * Memory: 4 bytes a column of this rank, and a buffer for each rank. Messages: each key is sent to every other rank,
 * and sent again if it is larger than the last key that a step can number.
 */
leman_status lm_rank_columns_merge(leman_context *ctx, const char *name, lm_temporary *file, lm_column_map *map,
                                   uint32_t **place);

#endif
