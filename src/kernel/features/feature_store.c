/* Feature stores: packing slices, merging their columns, reading them. */
#include "kernel/features/feature_store.h"
#include "base/thread_pool.h"
#include "kernel/features/features.h"
#include "kernel/features/key_merge.h"
#include <math.h>

static const lm_store_slice *slice_of(const lm_feature_store *s, size_t i)
{
    return (const lm_store_slice *)s->slice.items + i;
}

void lm_feature_store_close(lm_feature_store *s)
{
    lm_features_clear(&s->only);
    lm_features_clear(&s->now);
    lm_column_map_free(&s->map);
    lm_vector_release(&s->slice);
    lm_temporary_close(&s->file);
    *s = (lm_feature_store){0};
}

/* ---- Packing --------------------------------------------------------------------------------- */

static unsigned value_bytes(const leman_features *f)
{
    double largest = 0;
    for (size_t e = 0; e < f->entries; e++) {
        const double value = f->value[e];
        if (!(value >= 0 && value <= UINT32_MAX) || floor(value) < value) return 8;
        if (value > largest) largest = value;
    }
    return largest <= UINT8_MAX ? 1 : largest <= UINT16_MAX ? 2 : 4;
}

static void pack_values(const leman_features *f, unsigned bytes, uint8_t *to)
{
    if (bytes == 8) memcpy(to, f->value, f->entries * sizeof *f->value);
    for (size_t e = 0; bytes == 1 && e < f->entries; e++) to[e] = (uint8_t)f->value[e]; /* the most common case */
    for (size_t e = 0; (bytes == 2 || bytes == 4) && e < f->entries; e++) {
        const uint32_t value = (uint32_t)f->value[e];
        for (unsigned i = 0; i < bytes; i++) *to++ = (uint8_t)(value >> 8 * i);
    }
}

/* Packs the keys of the columns, and the number of columns of each block. */
static void pack_keys(const lm_column_map *map, const leman_features *f, uint64_t *count, uint64_t *key)
{
    for (size_t b = 0, column = 0; b < map->blocks; b++) {
        const size_t first = column;
        for (; column < f->columns && f->feature[column].kernel == map->block[b].kernel &&
               f->feature[column].round == map->block[b].round;
             column++)
            key[column] = f->feature[column].key;
        count[b] = column - first;
    }
}

/* Places the arrays of a slice one after the other: 8-byte elements, 4-byte elements, smaller ones. Returns the size.
 */
static size_t lay_out(const lm_feature_store *s, lm_store_slice *slice)
{
    slice->count = slice->rows * sizeof(uint64_t);
    slice->key = slice->count + (s->fresh ? s->map.blocks : 0) * sizeof(uint64_t);
    slice->column = slice->key + slice->columns * sizeof(uint64_t);
    slice->value = slice->column + slice->entries * sizeof(uint32_t);
    const size_t end = slice->value + slice->entries * slice->value_bytes;
    return (end + sizeof(uint64_t) - 1) / sizeof(uint64_t) * sizeof(uint64_t);
}

leman_status lm_feature_store_pack(leman_context *ctx, lm_feature_store *s, const leman_features *f,
                                   lm_store_slice *out)
{
    SCRATCH_SCOPE(ctx);
    lm_store_slice slice = {
        .rows = f->rows, .entries = f->entries, .columns = s->fresh ? f->columns : 0, .value_bytes = value_bytes(f)};
    const size_t size = lay_out(s, &slice);
    uint64_t *words;
    uint8_t *values;
    leman_status st;
    PASS_SCRATCH(ctx, words, slice.column / sizeof *words);
    PASS_SCRATCH_ZERO(ctx, values, size - slice.value); /* the padding is 0 */
    memcpy(words, f->start, f->rows * sizeof *words);
    if (s->fresh) pack_keys(&s->map, f, words + slice.count / sizeof *words, words + slice.key / sizeof *words);
    pack_values(f, slice.value_bytes, values);
#pragma omp critical(lm_feature_store)
    {
        s->file.ctx = ctx; /* a failure is reported in this context */
        st = lm_temporary_append(&s->file, words, slice.column, &slice.place);
        if (!st) st = lm_temporary_append(&s->file, f->column, slice.value - slice.column, NULL);
        if (!st) st = lm_temporary_append(&s->file, values, size - slice.value, NULL);
        s->file.ctx = s->ctx;
    }
    *out = slice;
    return st;
}

leman_status lm_feature_store_append(lm_feature_store *s, const lm_store_slice *packed)
{
    lm_store_slice slice = *packed;
    slice.first_row = s->rows;
    slice.first_entry = s->entries;
    PASS(lm_vector_append(s->ctx, &s->slice, &slice, 1, sizeof slice));
    s->slices++;
    s->rows += slice.rows;
    s->entries += slice.entries;
    return LEMAN_OK;
}

leman_status lm_feature_store_add(lm_feature_store *s, leman_features *f)
{
    lm_store_slice slice = {.rows = f->rows, .entries = f->entries};
    if (s->file.open) PASS(lm_feature_store_pack(s->ctx, s, f, &slice));
    PASS(lm_feature_store_append(s, &slice));
    if (s->file.open) return LEMAN_OK;
    s->only = *f;
    *f = (leman_features){0};
    return LEMAN_OK;
}

leman_status lm_feature_store_open(lm_feature_store *s, const char *beside, uint64_t memory)
{
    const bool filled = s->slices;
    s->number = SIZE_MAX;
    PASS(lm_temporary_open(s->ctx, beside, memory, &s->file));
    s->slices = s->slice.count = s->rows = s->entries = 0;
    if (filled) PASS(lm_feature_store_add(s, &s->only));
    lm_features_clear(&s->only);
    return LEMAN_OK;
}

lm_feature_store lm_feature_store_view(leman_context *ctx, const leman_features *f, lm_column_map map)
{
    return (lm_feature_store){.ctx = ctx, .map = map, .only = *f, .rows = f->rows, .entries = f->entries, .slices = 1};
}

/* ---- Merging --------------------------------------------------------------------------------- */

/* The keys of a block are merged in parts, intervals of equal length, one part by one thread. A part numbers its
 * columns from 0, and the numbers overwrite its keys, which are not needed afterwards. When the columns of all parts
 * are known, the numbers of a slice are moved together and become numbers among all columns. */
typedef struct numbering {
    lm_feature_store *store;
    size_t parts;      /* of all blocks; every block has equally many */
    size_t *begin;     /* [slices][parts + 1] the first column of each part in a slice */
    uint64_t *columns; /* [parts] columns of each part; after add_up() [parts + 1] columns before each part */
    bool keys;         /* the merged keys are appended to the file */
} numbering;

enum { MOST_PARTS = 8 };

static uint64_t key_place(const lm_store_slice *slice, size_t column)
{
    return slice->place + slice->key + column * sizeof(uint64_t);
}

/* The first of the columns first .. end - 1 of a slice whose key is at least `limit`. Keys are sorted. */
static leman_status find_key(const lm_feature_store *s, const lm_store_slice *slice, size_t first, size_t end,
                             uint64_t limit, size_t *found)
{
    uint64_t key;
    while (first < end) {
        const size_t middle = first + (end - first) / 2;
        PASS(lm_temporary_read(&s->file, key_place(slice, middle), &key, sizeof key));
        if (key < limit)
            first = middle + 1;
        else
            end = middle;
    }
    *found = first;
    return LEMAN_OK;
}

static leman_status find_parts(numbering *n)
{
    const lm_feature_store *s = n->store;
    const size_t each = n->parts / s->map.blocks;
    uint64_t columns;
    for (size_t i = 0; i < s->slices; i++) {
        const lm_store_slice *slice = slice_of(s, i);
        size_t *begin = n->begin + i * (n->parts + 1);
        begin[0] = 0;
        for (size_t b = 0; b < s->map.blocks; b++) {
            const size_t first = begin[b * each];
            PASS(lm_temporary_read(&s->file, slice->place + slice->count + b * sizeof columns, &columns,
                                   sizeof columns));
            for (size_t p = 1; p < each; p++)
                PASS(find_key(s, slice, begin[b * each + p - 1], first + columns, UINT64_MAX / each * p,
                              begin + b * each + p));
            begin[(b + 1) * each] = first + columns;
        }
    }
    return LEMAN_OK;
}

/* A part that is being merged. */
typedef struct numbered_part {
    lm_temporary *file;
    lm_merge merge;
    uint64_t *place;   /* [slices] place of its next numbers in the file */
    uint32_t *numbers; /* [slices][merge.most] of a step */
    lm_vector merged;  /* uint64_t: different keys of a step */
    uint64_t last;     /* the last key */
    uint64_t columns;
} numbered_part;

static void release_part(numbered_part *n)
{
    lm_merge_free(&n->merge);
    lm_vector_release(&n->merged);
}

/* Numbers the keys of a step. Equal keys get one number. */
static leman_status number_step(leman_context *ctx, bool keys, numbered_part *n, const lm_pair *pair, size_t count)
{
    PASS(lm_vector_reserve(ctx, &n->merged, count, sizeof(uint64_t)));
    uint64_t *merged = n->merged.items;
    size_t different = 0;
    for (size_t i = 0; i < count; i++) {
        const bool another = pair[i].key != n->last || !n->columns;
        merged[different] = n->last = pair[i].key;
        different += another;
        n->columns += another;
        n->numbers[pair[i].payload] = (uint32_t)(n->columns - 1);
    }
    if (keys) PASS(lm_temporary_append(n->file, merged, different * sizeof *merged, NULL));
    for (size_t i = 0; i < n->merge.runs; i++) {
        const size_t bytes = n->merge.run[i].used * sizeof *n->numbers;
        PASS(lm_temporary_write(n->file, n->place[i], n->numbers + i * n->merge.most, bytes));
        n->place[i] += bytes;
    }
    return LEMAN_OK;
}

/* Merges one part. `file` is that of the store, or a copy of it for a thread that does not append. */
static leman_status number_part(leman_context *ctx, const numbering *all, lm_temporary *file, size_t part)
{
    SCRATCH_SCOPE(ctx);
    const lm_feature_store *s = all->store;
    AUTO(release_part) numbered_part n = {.file = file};
    const lm_pair *pair;
    size_t count;
    PASS(lm_merge_new(ctx, file, s->slices, &n.merge));
    PASS_SCRATCH(ctx, n.place, s->slices);
    PASS_SCRATCH(ctx, n.numbers, s->slices * n.merge.most);
    for (size_t i = 0; i < s->slices; i++) {
        const size_t *begin = all->begin + i * (all->parts + 1) + part;
        n.place[i] = key_place(slice_of(s, i), begin[0]);
        lm_merge_set(&n.merge, i, n.place[i], begin[1] - begin[0]);
    }
    for (;;) {
        PASS(lm_merge_step(&n.merge, &pair, &count));
        if (!count) break;
        PASS(number_step(ctx, all->keys, &n, pair, count));
        PASS(lm_progress_step(ctx, n.columns));
    }
    all->columns[part] = n.columns;
    return LEMAN_OK;
}

static leman_status part_task(lm_worker *worker, void *state, size_t part)
{
    const numbering *n = state;
    lm_temporary file = n->store->file;
    file.ctx = worker->ctx;
    worker->ctx->settings.threads = worker->threads;
    lm_worker_stops_with_pool(worker);
    PASS(number_part(worker->ctx, n, &file, part));
    return lm_worker_advance(worker, n->columns[part]);
}

/* Moves the numbers of a slice together, part by part. No number overwrites one that is still to be moved. */
static leman_status place_columns(lm_worker *worker, void *state, size_t i)
{
    enum { PIECE = 1 << 12 };
    const numbering *n = state;
    const lm_store_slice *slice = slice_of(n->store, i);
    const size_t *begin = n->begin + i * (n->parts + 1);
    lm_temporary file = n->store->file;
    uint32_t *number;
    file.ctx = worker->ctx;
    PASS_SCRATCH(worker->ctx, number, PIECE);
    for (size_t p = 0; p < n->parts; p++)
        for (size_t at = begin[p]; at < begin[p + 1]; at += PIECE) {
            const size_t count = begin[p + 1] - at < PIECE ? begin[p + 1] - at : PIECE, bytes = count * sizeof *number;
            PASS(
                lm_temporary_read(&file, key_place(slice, begin[p]) + (at - begin[p]) * sizeof *number, number, bytes));
            for (size_t j = 0; j < count; j++) number[j] += (uint32_t)n->columns[p];
            PASS(lm_temporary_write(&file, key_place(slice, 0) + at * sizeof *number, number, bytes));
        }
    return lm_worker_advance(worker, 0);
}

/* Sets the columns of the blocks in the map; n->columns become the columns before each part. */
static leman_status add_up(numbering *n, const char *name)
{
    lm_column_map *map = &n->store->map;
    const size_t each = n->parts / n->store->map.blocks;
    uint64_t before = 0;
    for (size_t p = 0; p <= n->parts; p++) {
        const uint64_t own = p < n->parts ? n->columns[p] : 0;
        n->columns[p] = before;
        before += own;
    }
    if (before > UINT32_MAX)
        return lm_fail(n->store->ctx, LEMAN_ERROR_BUDGET,
                       "%s: found more than 2^32 different features; fold them with hash bits", name);
    for (size_t b = 0; b < n->store->map.blocks; b++) {
        map->block[b].first = n->columns[b * each];
        map->block[b].count = n->columns[(b + 1) * each] - map->block[b].first;
    }
    map->columns = before;
    map->file = &n->store->file;
    return LEMAN_OK;
}

/* Gives the blocks of the map the keys of the only slice, whose columns keep their numbers. */
static void name_only_slice(lm_feature_store *s)
{
    lm_column_map *map = &s->map;
    map->columns = s->only.columns;
    for (lm_map_block *b = map->block; b < map->block + map->blocks; b++)
        *b = lm_column_keys(&s->only, b->kernel, b->round);
}

leman_status lm_feature_store_merge(lm_feature_store *s, const char *name, bool keys)
{
    leman_context *ctx = s->ctx;
    SCRATCH_SCOPE(ctx);
    const size_t workers = (size_t)lm_thread_pool_workers(ctx);
    const bool together = !keys && lm_temporary_is_in_memory(&s->file); /* keys must be appended in order */
    numbering n = {.store = s, .keys = keys};
    if (!s->file.open) {
        name_only_slice(s);
        return LEMAN_OK;
    }
    n.parts = s->map.blocks * (!together ? 1 : workers < MOST_PARTS ? workers : (size_t)MOST_PARTS);
    PASS_SCRATCH(ctx, n.begin, s->slices * (n.parts + 1));
    PASS_SCRATCH(ctx, n.columns, n.parts + 1);
    PASS(find_parts(&n));
    lm_progress_begin(ctx, 0, "merging columns of %s", name);
    if (together) PASS(lm_thread_pool_run(ctx, NULL, n.parts, 0, part_task, &n));
    for (size_t b = 0; !together && b < s->map.blocks; b++) {
        s->map.block[b].place = s->file.size;
        PASS(number_part(ctx, &n, &s->file, b));
    }
    PASS(add_up(&n, name));
    return lm_thread_pool_run(ctx, NULL, s->slices, 0, place_columns, &n);
}

/* ---- Reading --------------------------------------------------------------------------------- */

static leman_status read_columns(const lm_temporary *file, const lm_store_slice *slice, bool fresh, uint32_t *column)
{
    AUTO(lm_release_at) uint32_t *buffer = NULL;
    const void *number;
    PASS(lm_temporary_read(file, slice->place + slice->column, column, slice->entries * sizeof *column));
    if (!fresh) return LEMAN_OK;
    PASS_NEW(file->ctx, buffer, slice->columns);
    PASS(lm_temporary_look(file, slice->place + slice->key, slice->columns * sizeof *buffer, buffer, &number));
    for (size_t e = 0; e < slice->entries; e++) column[e] = ((const uint32_t *)number)[column[e]];
    return LEMAN_OK;
}

/* Integers are read into the end of the array and converted to reals from its beginning. */
static leman_status read_values(const lm_temporary *file, const lm_store_slice *slice, double *value)
{
    const unsigned bytes = slice->value_bytes;
    const size_t size = slice->entries * bytes;
    const void *found;
    PASS(
        lm_temporary_look(file, slice->place + slice->value, size, (uint8_t *)(value + slice->entries) - size, &found));
    const uint8_t *byte = found;
    for (size_t e = 0; bytes == 1 && e < slice->entries; e++) value[e] = byte[e];
    for (size_t e = 0; (bytes == 2 || bytes == 4) && e < slice->entries; e++) {
        uint32_t number = 0;
        for (unsigned i = 0; i < bytes; i++) number |= (uint32_t)byte[e * bytes + i] << 8 * i;
        value[e] = number;
    }
    if (bytes == 8 && found != value) memcpy(value, found, size);
    return LEMAN_OK;
}

leman_status lm_feature_store_load(leman_context *ctx, const lm_feature_store *s, size_t i, leman_features *out,
                                   size_t *first)
{
    const lm_store_slice *slice = slice_of(s, i);
    AUTO(lm_features_clear) leman_features f = {.rows = slice->rows, .entries = slice->entries};
    lm_temporary file = s->file;
    file.ctx = ctx;
    PASS_NEW(ctx, f.start, f.rows + 1);
    PASS_NEW(ctx, f.column, f.entries);
    PASS_NEW(ctx, f.value, f.entries);
    *first = slice->first_row;
    if (file.open) {
        PASS(lm_temporary_read(&file, slice->place, f.start, f.rows * sizeof *f.start));
        f.start[f.rows] = f.entries;
        PASS(read_columns(&file, slice, s->fresh, f.column));
        PASS(read_values(&file, slice, f.value));
    } else {
        memcpy(f.start, s->only.start, (f.rows + 1) * sizeof *f.start);
        memcpy(f.column, s->only.column, f.entries * sizeof *f.column);
        memcpy(f.value, s->only.value, f.entries * sizeof *f.value);
    }
    return HAND_OVER(out, f);
}

/* Reads slice i, which stays in memory until another one is read. */
static leman_status read_slice(lm_feature_store *s, size_t i, const leman_features **out)
{
    size_t first;
    if (s->file.open && s->number != i) {
        lm_features_clear(&s->now);
        s->number = SIZE_MAX;
        PASS(lm_feature_store_load(s->ctx, s, i, &s->now, &first));
        s->number = i;
    }
    *out = s->file.open ? &s->now : &s->only;
    return LEMAN_OK;
}

/* The slice that holds a row or an entry, which must exist. */
static size_t find_slice(const lm_feature_store *s, size_t wanted, bool rows)
{
    size_t low = 0, high = s->slices;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        const lm_store_slice *slice = slice_of(s, middle);
        if ((rows ? slice->first_row : slice->first_entry) <= wanted)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static leman_status read_starts(void *user, size_t first, size_t count, void *to)
{
    lm_feature_store *s = user;
    uint64_t *start = to;
    if (!s->file.open) {
        memcpy(start, s->only.start + first, count * sizeof *start);
        return LEMAN_OK;
    }
    while (count && first < s->rows) {
        const lm_store_slice *slice = slice_of(s, find_slice(s, first, true));
        const size_t from = first - slice->first_row, left = slice->rows - from, part = left < count ? left : count;
        PASS(lm_temporary_read(&s->file, slice->place + from * sizeof *start, start, part * sizeof *start));
        for (size_t i = 0; i < part; i++) start[i] += slice->first_entry;
        start += part;
        first += part;
        count -= part;
    }
    if (count) *start = s->entries; /* the end of the last row */
    return LEMAN_OK;
}

/* Reads columns, or values, of consecutive entries. */
static leman_status read_entries(lm_feature_store *s, size_t first, size_t count, bool values, char *to)
{
    const size_t size = values ? sizeof(double) : sizeof(uint32_t);
    while (count) {
        const leman_features *f;
        const size_t number = find_slice(s, first, false);
        const size_t from = first - (number ? slice_of(s, number)->first_entry : 0);
        PASS(read_slice(s, number, &f));
        const size_t part = f->entries - from < count ? f->entries - from : count;
        memcpy(to, values ? (const char *)(f->value + from) : (const char *)(f->column + from), part * size);
        to += part * size;
        first += part;
        count -= part;
    }
    return LEMAN_OK;
}

static leman_status read_column_entries(void *user, size_t first, size_t count, void *to)
{
    return read_entries(user, first, count, false, to);
}

static leman_status read_value_entries(void *user, size_t first, size_t count, void *to)
{
    return read_entries(user, first, count, true, to);
}

lm_sparse_parts lm_feature_store_parts(lm_feature_store *s)
{
    return (lm_sparse_parts){read_starts, read_column_entries, read_value_entries, s};
}
