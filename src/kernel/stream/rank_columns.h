/* Columns of several ranks, numbered among all. */
#ifndef LM_RANK_COLUMNS_H
#define LM_RANK_COLUMNS_H

#include "kernel/column_map.h"

/*
 * Every rank has a map of its own columns, whose keys lie in its file. All of their keys are merged, some at a time:
 * *place gets [columns of this rank], the number of each among those of all ranks, for lm_free(); the map gets the
 * blocks of all, and on rank 0 their keys, which are appended to the file. name: of the data.
 *
 * Memory: 4 bytes a column of this rank, and a buffer for each rank. Messages: each key once to every other rank.
 */
leman_status lm_rank_columns_merge(leman_context *ctx, const char *name, lm_temporary *file, lm_column_map *map,
                                   uint32_t **place);

#endif
