/* The map from keys to columns of features. */
#include "kernel/features/column_map.h"
#include "kernel/features/features.h"

static size_t blocks_of(const leman_kernel *kernel, bool compact)
{
    return compact ? lm_kernel_blocks(kernel, lm_kernel_branches(kernel)) * LM_TRIPLE_LISTS
                   : lm_kernel_blocks(kernel, false);
}

leman_status lm_column_map_new(leman_context *ctx, const leman_kernel *normal, size_t count, bool compact,
                               lm_column_map *out)
{
    lm_column_map map = {0};
    for (size_t i = 0; i < count; i++) map.blocks += blocks_of(normal + i, compact);
    PASS_NEW(ctx, map.block, map.blocks);
    lm_map_block *b = map.block;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t round = 0; round < blocks_of(normal + i, compact); round++)
            *b++ = (lm_map_block){.kernel = i, .round = round, .step = 1};
    *out = map;
    return LEMAN_OK;
}

void lm_column_map_free(lm_column_map *map)
{
    lm_release(map->block);
    *map = (lm_column_map){0};
}

leman_status lm_column_map_keys(const lm_column_map *map, const lm_map_block *b, size_t first, size_t count,
                                uint64_t *to)
{
    if (!b->key) return lm_temporary_read(map->file, b->place + first * sizeof *to, to, count * sizeof *to);
    for (size_t i = 0; i < count; i++) to[i] = b->key[(first + i) * b->step];
    return LEMAN_OK;
}

leman_status lm_column_map_names(const lm_column_map *map, leman_feature *to)
{
    enum { PIECE = 4096 };
    uint64_t key[PIECE];
    for (const lm_map_block *b = map->block; b < map->block + map->blocks; b++)
        for (size_t i = 0; i < b->count; i++) {
            if (i % PIECE == 0) PASS(lm_column_map_keys(map, b, i, b->count - i < PIECE ? b->count - i : PIECE, key));
            to[b->first + i] = (leman_feature){b->kernel, b->round, key[i % PIECE]};
        }
    return LEMAN_OK;
}

/* ---- Columns that are there ------------------------------------------------------------------ */

/* The index of the first of features[count] that does not precede `feature`. */
static size_t first_from(const leman_feature *features, size_t count, leman_feature feature)
{
    size_t low = 0;
    while (low < count) {
        size_t middle = low + (count - low) / 2;
        if (lm_feature_before(features[middle], feature))
            low = middle + 1;
        else
            count = middle;
    }
    return low;
}

lm_map_block lm_column_keys(const leman_features *f, uint32_t kernel, uint32_t round)
{
    enum { STEP = sizeof(leman_feature) / sizeof(uint64_t) };
    size_t first = first_from(f->feature, f->columns, (leman_feature){kernel, round, 0});
    const leman_feature last = {kernel, round, UINT64_MAX};
    size_t end = first_from(f->feature, f->columns, last);
    end += end < f->columns && !lm_feature_before(last, f->feature[end]);
    return (lm_map_block){.kernel = kernel,
                          .round = round,
                          .key = first < end ? &f->feature[first].key : NULL,
                          .step = STEP,
                          .count = end - first,
                          .first = first};
}

leman_status lm_column_map_view(leman_context *ctx, const leman_features *f, lm_column_map *out)
{
    lm_column_map map = {.columns = f->columns};
    for (size_t i = 0; i < f->columns; map.blocks++) {
        lm_map_block b = lm_column_keys(f, f->feature[i].kernel, f->feature[i].round);
        i = b.first + b.count;
    }
    PASS_NEW(ctx, map.block, map.blocks);
    for (size_t i = 0, place = 0; i < f->columns; place++) {
        map.block[place] = lm_column_keys(f, f->feature[i].kernel, f->feature[i].round);
        i = map.block[place].first + map.block[place].count;
    }
    *out = map;
    return LEMAN_OK;
}

leman_status lm_column_blocks(leman_context *ctx, const leman_kernel *normal, size_t count, const lm_column_map *map,
                              const leman_features *named, leman_features *f)
{
    size_t blocks = 0;
    for (size_t i = 0; i < count; i++) blocks += lm_kernel_blocks(normal + i, false);
    PASS_NEW(ctx, f->block, blocks);
    f->blocks = 0;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t round = 0; round < lm_kernel_blocks(normal + i, false); round++) {
            lm_map_block b = map ? map->block[f->blocks] : lm_column_keys(named, i, round);
            f->block[f->blocks++] = (leman_feature_block){i, round, b.first, b.count};
        }
    return LEMAN_OK;
}
