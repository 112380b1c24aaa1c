/* Slices of features that wait: packed, their columns merged, read again. */
#include "kernel/spill.h"
#include "kernel/features.h"
#include "kernel/merge.h"
#include <math.h>

static const lm_spill_slice *slice_of(const lm_spill *s, size_t i)
{
    return (const lm_spill_slice *)s->slice.items + i;
}

leman_status lm_spill_open(leman_context *ctx, const char *beside, uint64_t memory, size_t blocks, lm_spill *s)
{
    *s = (lm_spill){.ctx = ctx, .blocks = blocks, .number = SIZE_MAX};
    return lm_temporary_open(ctx, beside, memory, &s->file);
}

void lm_spill_close(lm_spill *s)
{
    if (!s->ctx) return;
    lm_features_clear(s->ctx, &s->now);
    lm_vector_free(s->ctx, &s->slice);
    lm_temporary_close(&s->file);
    *s = (lm_spill){0};
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
    for (size_t e = 0; bytes == 1 && e < f->entries; e++) to[e] = (uint8_t)f->value[e]; /* most of them */
    for (size_t e = 0; (bytes == 2 || bytes == 4) && e < f->entries; e++) {
        const uint32_t value = (uint32_t)f->value[e];
        for (unsigned i = 0; i < bytes; i++) *to++ = (uint8_t)(value >> 8 * i);
    }
}

/* The keys of the columns, and how many of them each block has. */
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

/* The arrays of a slice side by side: those of 8 bytes an element, those of 4, of fewer; returns the bytes of all. */
static size_t lay_out(const lm_spill *s, lm_spill_slice *slice)
{
    slice->count = slice->rows * sizeof(uint64_t);
    slice->key = slice->count + s->blocks * sizeof(uint64_t);
    slice->column = slice->key + slice->columns * sizeof(uint64_t);
    slice->value = slice->column + slice->entries * sizeof(uint32_t);
    const size_t end = slice->value + slice->entries * slice->value_bytes;
    return (end + sizeof(uint64_t) - 1) / sizeof(uint64_t) * sizeof(uint64_t);
}

leman_status lm_spill_store(leman_context *ctx, lm_spill *s, const lm_column_map *map, const leman_features *f,
                            lm_spill_slice *out)
{
    leman_status st = LEMAN_OK;
    lm_spill_slice slice = {
        .rows = f->rows, .entries = f->entries, .columns = s->blocks ? f->columns : 0, .value_bytes = value_bytes(f)};
    const size_t size = lay_out(s, &slice);
    uint64_t *words = NULL, place = 0;
    uint8_t *values = NULL;
    NEW(ctx, words, slice.column / sizeof *words);
    NEW(ctx, values, size - slice.value);
    memcpy(words, f->start, f->rows * sizeof *words);
    if (s->blocks) pack_keys(map, f, words + slice.count / sizeof *words, words + slice.key / sizeof *words);
    memset(values, 0, size - slice.value); /* with what is behind the last */
    pack_values(f, slice.value_bytes, values);
#pragma omp critical(lm_spill)
    {
        s->file.ctx = ctx; /* whose failure it would be */
        st = lm_temporary_append(&s->file, words, slice.column, &place);
        if (!st) st = lm_temporary_append(&s->file, f->column, slice.value - slice.column, NULL);
        if (!st) st = lm_temporary_append(&s->file, values, size - slice.value, NULL);
        s->file.ctx = s->ctx;
    }
    TRY(st);
    slice.place = place;
    *out = slice;
done:
    lm_free(ctx, words);
    lm_free(ctx, values);
    return st;
}

leman_status lm_spill_add(lm_spill *s, const lm_spill_slice *stored)
{
    leman_status st = LEMAN_OK;
    lm_spill_slice slice = *stored;
    slice.first_row = s->rows;
    slice.first_entry = s->entries;
    TRY(lm_vector_append(s->ctx, &s->slice, &slice, 1, sizeof slice));
    s->slices++;
    s->rows += slice.rows;
    s->entries += slice.entries;
done:
    return st;
}

/* ---- Merging --------------------------------------------------------------------------------- */

typedef struct numbering {
    lm_spill *spill;
    lm_merge merge;
    uint64_t *counts;  /* [slices][blocks] columns */
    uint64_t *place;   /* [slices] where its next numbers go */
    uint32_t *numbers; /* [slices][merge.most] of a step */
    lm_vector merged;  /* uint64_t: different keys of a step */
    bool keys;         /* they are asked for */
    uint64_t last;     /* key */
    size_t columns;
} numbering;

/* Equal keys get one number. */
static leman_status number_step(numbering *n, size_t first, const lm_pair *pair, size_t count)
{
    leman_status st = LEMAN_OK;
    TRY(lm_vector_reserve(n->spill->ctx, &n->merged, count, sizeof(uint64_t)));
    uint64_t *merged = n->merged.items;
    size_t different = 0;
    for (size_t i = 0; i < count; i++) {
        const bool another = pair[i].key != n->last || n->columns == first;
        merged[different] = n->last = pair[i].key;
        different += another;
        n->columns += another;
        n->numbers[pair[i].payload] = (uint32_t)(n->columns - 1);
    }
    if (n->keys) TRY(lm_temporary_append(&n->spill->file, merged, different * sizeof *merged, NULL));
    /* numbers take the place of keys, which are not needed any more */
    for (size_t i = 0; i < n->merge.runs; i++) {
        const size_t bytes = n->merge.run[i].used * sizeof *n->numbers;
        TRY(lm_temporary_write(&n->spill->file, n->place[i], n->numbers + i * n->merge.most, bytes));
        n->place[i] += bytes;
    }
    TRY(lm_progress_step(n->spill->ctx, n->columns));
done:
    return st;
}

static leman_status number_block(numbering *n, size_t b)
{
    leman_status st = LEMAN_OK;
    const lm_spill *s = n->spill;
    const size_t first = n->columns;
    const lm_pair *pair;
    size_t count;
    for (size_t i = 0; i < s->slices; i++) {
        size_t before = 0;
        for (size_t j = 0; j < b; j++) before += n->counts[i * s->blocks + j];
        lm_merge_set(&n->merge, i, slice_of(s, i)->place + slice_of(s, i)->key + before * sizeof(uint64_t),
                     n->counts[i * s->blocks + b]);
    }
    for (;;) {
        TRY(lm_merge_step(&n->merge, &pair, &count));
        if (!count) break;
        TRY(number_step(n, first, pair, count));
    }
done:
    return st;
}

static leman_status number_blocks(numbering *n, const char *name, lm_column_map *map)
{
    leman_status st = LEMAN_OK;
    lm_spill *s = n->spill;
    for (size_t i = 0; i < s->slices; i++) {
        const lm_spill_slice *slice = slice_of(s, i);
        n->place[i] = slice->place + slice->key;
        TRY(lm_temporary_read(&s->file, slice->place + slice->count, n->counts + i * s->blocks,
                              s->blocks * sizeof *n->counts));
    }
    lm_progress_begin(s->ctx, 0, "merging columns of %s", name);
    for (size_t b = 0; b < s->blocks; b++) {
        map->block[b].first = n->columns;
        map->block[b].place = s->file.size;
        TRY(number_block(n, b));
        map->block[b].count = n->columns - map->block[b].first;
        if (n->columns > UINT32_MAX)
            FAIL(s->ctx, LEMAN_ERROR_BUDGET, "%s: found more than 2^32 different features; fold them with hash bits",
                 name);
    }
    map->columns = n->columns;
    map->file = &s->file;
done:
    return st;
}

leman_status lm_spill_merge(lm_spill *s, const char *name, bool keys, lm_column_map *map)
{
    leman_status st = LEMAN_OK;
    leman_context *ctx = s->ctx;
    numbering n = {.spill = s, .keys = keys};
    TRY(lm_merge_new(ctx, &s->file, true, s->slices, &n.merge));
    NEW(ctx, n.counts, s->slices * s->blocks);
    NEW(ctx, n.place, s->slices);
    NEW(ctx, n.numbers, s->slices * n.merge.most);
    TRY(number_blocks(&n, name, map));
done:
    lm_merge_free(&n.merge);
    lm_free(ctx, n.counts);
    lm_free(ctx, n.place);
    lm_free(ctx, n.numbers);
    lm_vector_free(ctx, &n.merged);
    return st;
}

/* ---- Reading --------------------------------------------------------------------------------- */

static leman_status read_columns(const lm_temporary *file, const lm_spill_slice *slice, bool fresh, uint32_t *column)
{
    leman_status st = LEMAN_OK;
    uint32_t *buffer = NULL;
    const void *number;
    TRY(lm_temporary_read(file, slice->place + slice->column, column, slice->entries * sizeof *column));
    if (!fresh) goto done;
    NEW(file->ctx, buffer, slice->columns);
    TRY(lm_temporary_look(file, slice->place + slice->key, slice->columns * sizeof *buffer, buffer, &number));
    for (size_t e = 0; e < slice->entries; e++) column[e] = ((const uint32_t *)number)[column[e]];
done:
    lm_free(file->ctx, buffer);
    return st;
}

/* Integers are read into the end of the array and become reals from its beginning. */
static leman_status read_values(const lm_temporary *file, const lm_spill_slice *slice, double *value)
{
    leman_status st = LEMAN_OK;
    const unsigned bytes = slice->value_bytes;
    const size_t size = slice->entries * bytes;
    const void *found;
    TRY(lm_temporary_look(file, slice->place + slice->value, size, (uint8_t *)(value + slice->entries) - size, &found));
    const uint8_t *byte = found;
    for (size_t e = 0; bytes == 1 && e < slice->entries; e++) value[e] = byte[e];
    for (size_t e = 0; (bytes == 2 || bytes == 4) && e < slice->entries; e++) {
        uint32_t number = 0;
        for (unsigned i = 0; i < bytes; i++) number |= (uint32_t)byte[e * bytes + i] << 8 * i;
        value[e] = number;
    }
    if (bytes == 8 && found != value) memcpy(value, found, size);
done:
    return st;
}

leman_status lm_spill_load(leman_context *ctx, const lm_spill *s, size_t i, leman_features *out, size_t *first)
{
    leman_status st = LEMAN_OK;
    const lm_spill_slice *slice = slice_of(s, i);
    leman_features f = {.rows = slice->rows, .entries = slice->entries};
    lm_temporary file = s->file;
    file.ctx = ctx;
    NEW(ctx, f.start, f.rows + 1);
    NEW(ctx, f.column, f.entries);
    NEW(ctx, f.value, f.entries);
    TRY(lm_temporary_read(&file, slice->place, f.start, f.rows * sizeof *f.start));
    f.start[f.rows] = f.entries;
    TRY(read_columns(&file, slice, s->blocks > 0, f.column));
    TRY(read_values(&file, slice, f.value));
    *out = f;
    *first = slice->first_row;
done:
    if (st) lm_features_clear(ctx, &f);
    return st;
}

/* Slice i, which stays until another one is read. */
static leman_status read_slice(lm_spill *s, size_t i, const leman_features **out)
{
    leman_status st = LEMAN_OK;
    size_t first;
    if (s->number != i) {
        lm_features_clear(s->ctx, &s->now);
        s->number = SIZE_MAX;
        TRY(lm_spill_load(s->ctx, s, i, &s->now, &first));
        s->number = i;
    }
    *out = &s->now;
done:
    return st;
}

/* The slice that holds a row or an entry; there is one. */
static size_t find_slice(const lm_spill *s, size_t wanted, bool rows)
{
    size_t low = 0, high = s->slices;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        const lm_spill_slice *slice = slice_of(s, middle);
        if ((rows ? slice->first_row : slice->first_entry) <= wanted)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static leman_status read_starts(void *user, size_t first, size_t count, void *to)
{
    leman_status st = LEMAN_OK;
    lm_spill *s = user;
    uint64_t *start = to;
    while (count && first < s->rows) {
        const lm_spill_slice *slice = slice_of(s, find_slice(s, first, true));
        const size_t from = first - slice->first_row, left = slice->rows - from, part = left < count ? left : count;
        TRY(lm_temporary_read(&s->file, slice->place + from * sizeof *start, start, part * sizeof *start));
        for (size_t i = 0; i < part; i++) start[i] += slice->first_entry;
        start += part;
        first += part;
        count -= part;
    }
    if (count) *start = s->entries; /* behind the last row */
done:
    return st;
}

/* Columns, or values. */
static leman_status read_entries(lm_spill *s, size_t first, size_t count, bool values, char *to)
{
    leman_status st = LEMAN_OK;
    const size_t size = values ? sizeof(double) : sizeof(uint32_t);
    while (count) {
        const leman_features *f;
        const size_t number = find_slice(s, first, false), from = first - slice_of(s, number)->first_entry;
        TRY(read_slice(s, number, &f));
        const size_t part = f->entries - from < count ? f->entries - from : count;
        memcpy(to, values ? (const char *)(f->value + from) : (const char *)(f->column + from), part * size);
        to += part * size;
        first += part;
        count -= part;
    }
done:
    return st;
}

static leman_status read_column_entries(void *user, size_t first, size_t count, void *to)
{
    return read_entries(user, first, count, false, to);
}

static leman_status read_value_entries(void *user, size_t first, size_t count, void *to)
{
    return read_entries(user, first, count, true, to);
}

lm_sparse_parts lm_spill_parts(lm_spill *s)
{
    return (lm_sparse_parts){read_starts, read_column_entries, read_value_entries, s};
}
