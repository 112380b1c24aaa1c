/*
 * From keys to columns: the increasing keys of every round of every kernel, numbered one after the other. A map is
 * gathered from graphs, some at a time, or looks into features that are there.
 *
 * Gathering keeps runs of increasing keys, merged whenever two are about as long: O(keys log slices) time. Memory: 8
 * bytes a different key, and once as much again of the block that is being merged.
 */
#ifndef LM_COLUMN_MAP_H
#define LM_COLUMN_MAP_H

#include "base/sort.h"
#include "kernel/kernel.h"

typedef struct lm_map_block {
    uint32_t kernel, round;
    const uint64_t *key; /* [count], `step` words from one to the next: column first + i has key[i * step] */
    size_t step, count, first;
    lm_vector run; /* run of column_map.c: what was gathered */
} lm_map_block;

typedef struct lm_column_map {
    lm_map_block *block; /* [blocks] in the order of columns, as the kernels have them */
    size_t blocks, columns;
} lm_column_map;

/* A block for every round of every kernel. */
leman_status lm_column_map_new(leman_context *ctx, const leman_kernel *normal, size_t count, lm_column_map *map);
/* Gathers entries[count], sorted by key, into a block. */
leman_status lm_column_map_add(leman_context *ctx, lm_column_map *map, size_t block, const lm_pair *entries,
                               size_t count);
/* Everything is there: numbers the columns. name is that of the data. */
leman_status lm_column_map_close(leman_context *ctx, const char *name, lm_column_map *map);
/* The blocks that named columns have, as a view into the features. */
leman_status lm_column_map_view(leman_context *ctx, const leman_features *features, lm_column_map *map);
void lm_column_map_free(leman_context *ctx, lm_column_map *map);

/* The keys of a kernel's round in features with named columns; count 0 where there are none. */
lm_map_block lm_column_keys(const leman_features *features, uint32_t kernel, uint32_t round);
/* features->block: sizes of every round of every kernel, from a map or, where that is NULL, from named columns. */
leman_status lm_column_blocks(leman_context *ctx, const leman_kernel *normal, size_t count, const lm_column_map *map,
                              const leman_features *named, leman_features *features);

#endif
