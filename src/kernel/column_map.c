/* Columns of features by their keys. */
#include "kernel/column_map.h"
#include "kernel/features.h"

typedef struct run {
    uint64_t *key; /* [count] increasing */
    size_t count;
} run;

leman_status lm_column_map_new(leman_context *ctx, const leman_kernel *normal, size_t count, lm_column_map *out)
{
    leman_status st = LEMAN_OK;
    lm_column_map map = {0};
    for (size_t i = 0; i < count; i++) map.blocks += lm_kernel_blocks(normal + i, false);
    NEW(ctx, map.block, map.blocks);
    lm_map_block *b = map.block;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t round = 0; round < lm_kernel_blocks(normal + i, false); round++)
            *b++ = (lm_map_block){.kernel = i, .round = round, .step = 1};
    *out = map;
done:
    return st;
}

void lm_column_map_free(leman_context *ctx, lm_column_map *map)
{
    for (size_t i = 0; i < map->blocks; i++) {
        run *r = map->block[i].run.items;
        for (size_t j = 0; j < map->block[i].run.count; j++) lm_free(ctx, r[j].key);
        lm_vector_free(ctx, &map->block[i].run);
    }
    lm_free(ctx, map->block);
    *map = (lm_column_map){0};
}

/* ---- Gathering --------------------------------------------------------------------------------------------------- */

static size_t merge_keys(run a, run b, uint64_t *to)
{
    size_t i = 0, j = 0, count = 0;
    while (i < a.count && j < b.count) {
        uint64_t key = a.key[i] < b.key[j] ? a.key[i] : b.key[j];
        i += a.key[i] == key;
        j += b.key[j] == key;
        to[count++] = key;
    }
    while (i < a.count) to[count++] = a.key[i++];
    while (j < b.count) to[count++] = b.key[j++];
    return count;
}

static size_t shared_keys(run a, run b)
{
    size_t shared = 0;
    for (size_t i = 0, j = 0; i < a.count && j < b.count;) {
        uint64_t x = a.key[i], y = b.key[j];
        shared += x == y;
        i += x <= y;
        j += y <= x;
    }
    return shared;
}

/* The last two runs become one. */
static leman_status merge_last(leman_context *ctx, lm_vector *runs)
{
    leman_status st = LEMAN_OK;
    run *last = (run *)runs->items + runs->count - 1, merged;
    NEW(ctx, merged.key, last[-1].count + last[0].count - shared_keys(last[-1], last[0]));
    merged.count = merge_keys(last[-1], last[0], merged.key);
    lm_free(ctx, last[-1].key);
    lm_free(ctx, last[0].key);
    last[-1] = merged;
    runs->count--;
done:
    return st;
}

leman_status lm_column_map_add(leman_context *ctx, lm_column_map *map, size_t block, const lm_pair *entries,
                               size_t count)
{
    leman_status st = LEMAN_OK;
    lm_vector *runs = &map->block[block].run;
    size_t different = 0;
    run fresh;
    for (size_t i = 0; i < count; i++) different += !i || entries[i].key != entries[i - 1].key;
    if (!different) return LEMAN_OK;
    TRY(lm_vector_reserve(ctx, runs, 1, sizeof fresh));
    NEW(ctx, fresh.key, different);
    fresh.count = 0;
    for (size_t i = 0; i < count; i++)
        if (!i || entries[i].key != entries[i - 1].key) fresh.key[fresh.count++] = entries[i].key;
    ((run *)runs->items)[runs->count++] = fresh;
    for (const run *r = runs->items; runs->count > 1 && r[runs->count - 2].count <= 2 * r[runs->count - 1].count;)
        TRY(merge_last(ctx, runs));
done:
    return st;
}

leman_status lm_column_map_close(leman_context *ctx, const char *name, lm_column_map *map)
{
    leman_status st = LEMAN_OK;
    map->columns = 0;
    for (lm_map_block *b = map->block; b < map->block + map->blocks; b++) {
        while (b->run.count > 1) TRY(merge_last(ctx, &b->run));
        const run *whole = b->run.items;
        b->first = map->columns;
        if (!b->run.count) continue;
        b->key = whole->key;
        b->count = whole->count;
        map->columns += b->count;
    }
    if (map->columns > UINT32_MAX)
        FAIL(ctx, LEMAN_ERROR_BUDGET, "%s: found more than 2^32 different features; fold them with hash bits", name);
done:
    return st;
}

/* ---- Columns that are there -------------------------------------------------------------------------------------- */

/* The first of features[count] that is not before this one. */
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
    leman_status st = LEMAN_OK;
    lm_column_map map = {.columns = f->columns};
    for (size_t i = 0; i < f->columns; map.blocks++) {
        lm_map_block b = lm_column_keys(f, f->feature[i].kernel, f->feature[i].round);
        i = b.first + b.count;
    }
    NEW(ctx, map.block, map.blocks);
    for (size_t i = 0, place = 0; i < f->columns; place++) {
        map.block[place] = lm_column_keys(f, f->feature[i].kernel, f->feature[i].round);
        i = map.block[place].first + map.block[place].count;
    }
    *out = map;
done:
    return st;
}

leman_status lm_column_blocks(leman_context *ctx, const leman_kernel *normal, size_t count, const lm_column_map *map,
                              const leman_features *named, leman_features *f)
{
    leman_status st = LEMAN_OK;
    size_t blocks = 0;
    for (size_t i = 0; i < count; i++) blocks += lm_kernel_blocks(normal + i, false);
    NEW(ctx, f->block, blocks);
    f->blocks = 0;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t round = 0; round < lm_kernel_blocks(normal + i, false); round++) {
            lm_map_block b = map ? map->block[f->blocks] : lm_column_keys(named, i, round);
            f->block[f->blocks++] = (leman_feature_block){i, round, b.first, b.count};
        }
done:
    return st;
}
