/*
 * The map from keys to columns: the increasing keys of every round of every kernel, numbered consecutively. The keys
 * lie in features in memory, or in the file of a feature store (feature_store.h).
 */
#ifndef LM_COLUMN_MAP_H
#define LM_COLUMN_MAP_H

#include "base/temporary.h"
#include "kernel/kernel.h"

typedef struct lm_map_block {
    uint32_t kernel, round;
    const uint64_t *key; /* [count] keys: column first + i has key[i * step]; NULL: the keys are in the file, */
    uint64_t place;      /* from this byte on */
    size_t step, count, first;
} lm_map_block;

typedef struct lm_column_map {
    lm_map_block *block; /* [blocks] in the order of the columns: by kernel, then by round */
    size_t blocks, columns;
    const lm_temporary *file; /* of the keys that are not in memory; not owned */
} lm_column_map;

/* Makes a map with a block for every round of every kernel, without keys; if `compact`, with a block for every list of
 * every block of triples, like lm_features_compact() with branches. */
leman_status lm_column_map_new(leman_context *ctx, const leman_kernel *normal, size_t count, bool compact,
                               lm_column_map *map);
/* Copies keys first .. first + count - 1 of a block to to[]. */
leman_status lm_column_map_keys(const lm_column_map *map, const lm_map_block *block, size_t first, size_t count,
                                uint64_t *to);
/* Writes the names of all columns to to[columns]. */
leman_status lm_column_map_names(const lm_column_map *map, leman_feature *to);
/* Makes a map of the named columns of features. The keys stay in the features, which must outlive the map. */
leman_status lm_column_map_view(leman_context *ctx, const leman_features *features, lm_column_map *map);
void lm_column_map_free(lm_column_map *map);

/* Returns the block of keys of one round of a kernel in features with named columns; its count is 0 if there are none.
 */
lm_map_block lm_column_keys(const leman_features *features, uint32_t kernel, uint32_t round);
/* Fills features->block: the number of columns of every round of every kernel, from `map` or, if map is NULL, from the
 * named columns of `named`. */
leman_status lm_column_blocks(leman_context *ctx, const leman_kernel *normal, size_t count, const lm_column_map *map,
                              const leman_features *named, leman_features *features);

#endif
