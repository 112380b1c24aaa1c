/*
 * From keys to columns: the increasing keys of every round of every kernel, numbered one after the other. A map looks
 * into features that are there, or into the file that new columns were merged in (spill.h).
 */
#ifndef LM_COLUMN_MAP_H
#define LM_COLUMN_MAP_H

#include "base/temporary.h"
#include "kernel/kernel.h"

typedef struct lm_map_block {
    uint32_t kernel, round;
    const uint64_t *key; /* [count], `step` words from one to the next: column first + i has key[i * step]; NULL: */
    uint64_t place;      /* of the keys in the file */
    size_t step, count, first;
} lm_map_block;

typedef struct lm_column_map {
    lm_map_block *block; /* [blocks] in the order of columns, as the kernels have them */
    size_t blocks, columns;
    const lm_temporary *file; /* of keys that are not in memory; not owned */
} lm_column_map;

/* A block for every round of every kernel, without keys. */
leman_status lm_column_map_new(leman_context *ctx, const leman_kernel *normal, size_t count, lm_column_map *map);
/* Keys first .. first + count - 1 of a block. */
leman_status lm_column_map_keys(const lm_column_map *map, const lm_map_block *block, size_t first, size_t count,
                                uint64_t *to);
/* The blocks that named columns have, as a view into the features. */
leman_status lm_column_map_view(leman_context *ctx, const leman_features *features, lm_column_map *map);
void lm_column_map_free(leman_context *ctx, lm_column_map *map);

/* The keys of a kernel's round in features with named columns; count 0 where there are none. */
lm_map_block lm_column_keys(const leman_features *features, uint32_t kernel, uint32_t round);
/* features->block: sizes of every round of every kernel, from a map or, where that is NULL, from named columns. */
leman_status lm_column_blocks(leman_context *ctx, const leman_kernel *normal, size_t count, const lm_column_map *map,
                              const leman_features *named, leman_features *features);

#endif
