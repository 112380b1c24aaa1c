/* Merges the keys of all ranks. In each step every rank shows its next keys. For every rank that has more keys, those
 * up to its last shown key are complete; keys up to the smallest of these limits get their numbers. */
#include "kernel/features/rank_columns.h"
#include "base/ranks/ranks.h"

enum { LARGEST = 1 << 16, SMALLEST = 64 };

typedef struct rank_merge {
    leman_context *ctx;
    lm_temporary *file;
    const lm_column_map *map;   /* of this rank */
    size_t buffer;              /* keys */
    uint64_t *shown;            /* [1 + buffer]: 1 if there are more keys than the shown ones, otherwise 0; the keys */
    size_t *bytes;              /* [ranks] */
    const uint64_t **at, **end; /* [ranks]: keys that each rank has shown and that have no number yet */
    uint32_t *place;
    size_t columns;
    lm_vector merged; /* uint64_t: the numbered keys, on rank 0 only */
} rank_merge;

/* The smallest key that a rank has shown; false if there is none up to the limit. */
static bool smallest(const rank_merge *m, uint64_t limit, uint64_t *key)
{
    bool found = false;
    for (size_t r = 0; r < lm_rank_count(m->ctx); r++)
        if (m->at[r] < m->end[r] && *m->at[r] <= limit && (!found || *m->at[r] < *key)) {
            *key = *m->at[r];
            found = true;
        }
    return found;
}

/* Numbers the shown keys of all ranks up to the limit. *own is the next column of this rank. */
static leman_status number_keys(rank_merge *m, uint64_t limit, size_t *own)
{
    const size_t rank = lm_rank(m->ctx);
    for (uint64_t key; smallest(m, limit, &key); m->columns++) {
        if (m->at[rank] < m->end[rank] && *m->at[rank] == key) m->place[(*own)++] = (uint32_t)m->columns;
        for (size_t r = 0; r < lm_rank_count(m->ctx); r++) m->at[r] += m->at[r] < m->end[r] && *m->at[r] == key;
        if (!rank) PASS(lm_vector_append(m->ctx, &m->merged, &key, 1, sizeof key));
    }
    if (!rank) PASS(lm_temporary_append(m->file, m->merged.items, m->merged.count * sizeof(uint64_t), NULL));
    m->merged.count = 0;
    return LEMAN_OK;
}

/* Merges the next keys of all ranks; *left is false if there were none. */
static leman_status merge_some(rank_merge *m, const lm_map_block *block, size_t *own, bool *left)
{
    const size_t next = *own - block->first, behind = block->count - next;
    const size_t count = behind < m->buffer ? behind : m->buffer;
    uint64_t limit = UINT64_MAX;
    AUTO(lm_release_at) void *all = NULL;
    m->shown[0] = behind > count;
    PASS(lm_column_map_keys(m->map, block, next, count, m->shown + 1));
    PASS(lm_ranks_gather(m->ctx, m->shown, (1 + count) * sizeof *m->shown, m->bytes, &all));
    *left = false;
    const uint64_t *word = all;
    for (size_t r = 0; r < lm_rank_count(m->ctx); r++) {
        const size_t words = m->bytes[r] / sizeof *word;
        m->at[r] = word + 1;
        m->end[r] = word + words;
        if (words > 1) *left = true;
        if (words > 1 && word[0] && word[words - 1] < limit) limit = word[words - 1];
        word += words;
    }
    return number_keys(m, limit, own);
}

static leman_status merge_blocks(rank_merge *m, const char *name, lm_column_map *to)
{
    for (size_t b = 0; b < to->blocks; b++) {
        const lm_map_block block = to->block[b]; /* of this rank */
        const size_t first = m->columns;
        const uint64_t place = m->file->size;
        size_t own = block.first;
        bool left;
        do PASS(merge_some(m, &block, &own, &left));
        while (left);
        to->block[b].first = first;
        to->block[b].count = m->columns - first;
        to->block[b].place = place;
        if (m->columns > UINT32_MAX)
            return lm_fail(m->ctx, LEMAN_ERROR_BUDGET,
                           "%s: found more than 2^32 different features; fold them with hash bits", name);
    }
    to->columns = m->columns;
    return LEMAN_OK;
}

static void release_merge(rank_merge *m)
{
    lm_release(m->place);
    lm_vector_release(&m->merged);
}

leman_status lm_rank_columns_merge(leman_context *ctx, const char *name, lm_temporary *file, lm_column_map *map,
                                   uint32_t **place)
{
    SCRATCH_SCOPE(ctx);
    const size_t ranks = lm_rank_count(ctx);
    const lm_column_map own = *map;
    AUTO(release_merge) rank_merge m = {.ctx = ctx, .file = file, .map = &own};
    uint64_t buffer = lm_budget(ctx) / 8 / ((ranks + 2) * sizeof *m.shown);
    buffer = buffer > LARGEST ? LARGEST : buffer < SMALLEST ? SMALLEST : buffer;
    m.buffer = (size_t)buffer;
    PASS_SCRATCH(ctx, m.shown, 1 + m.buffer);
    PASS_SCRATCH(ctx, m.bytes, ranks);
    PASS_SCRATCH(ctx, m.at, ranks);
    PASS_SCRATCH(ctx, m.end, ranks);
    PASS_NEW(ctx, m.place, map->columns);
    lm_progress_begin(ctx, 0, "merging columns of %s", name);
    PASS(merge_blocks(&m, name, map));
    return HAND_OVER(place, m.place);
}
