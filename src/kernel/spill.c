/* Slices of features in a temporary file: written, their columns merged, read again. */
#include "kernel/spill.h"
#include "base/sort.h"
#include "kernel/features.h"
#include <math.h>

typedef struct spill_slice {
    size_t rows, entries, columns; /* columns: its own, where they are new */
    size_t first_row, first_entry; /* among all */
    unsigned value_bytes;          /* 1, 2, 4: integers; 8: reals */
    uint64_t start, column, value; /* places in the file */
    uint64_t key, number;          /* of [columns]: keys, and after merging columns of the whole matrix */
} spill_slice;

static const spill_slice *slice_of(const lm_spill *s, size_t i)
{
    return (const spill_slice *)s->slice.items + i;
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
    lm_vector_free(s->ctx, &s->columns);
    lm_temporary_close(&s->file);
    *s = (lm_spill){0};
}

/* ---- Writing --------------------------------------------------------------------------------- */

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

static leman_status append_values(lm_spill *s, const leman_features *f, unsigned bytes, uint64_t *place)
{
    leman_status st = LEMAN_OK;
    uint8_t *byte = NULL;
    if (bytes == 8) return lm_temporary_append(&s->file, f->value, f->entries * sizeof *f->value, place);
    NEW(s->ctx, byte, f->entries * bytes);
    for (size_t e = 0; e < f->entries; e++) {
        const uint32_t value = (uint32_t)f->value[e];
        for (unsigned i = 0; i < bytes; i++) byte[e * bytes + i] = (uint8_t)(value >> 8 * i);
    }
    TRY(lm_temporary_append(&s->file, byte, f->entries * bytes, place));
done:
    lm_free(s->ctx, byte);
    return st;
}

/* The keys of the columns, and how many of them each block has. */
static leman_status append_keys(lm_spill *s, const lm_column_map *map, const leman_features *f, uint64_t *place)
{
    leman_status st = LEMAN_OK;
    uint64_t *key = NULL;
    size_t column = 0;
    NEW(s->ctx, key, f->columns);
    TRY(lm_vector_reserve(s->ctx, &s->columns, s->blocks, sizeof(size_t)));
    size_t *count = (size_t *)s->columns.items + s->columns.count;
    for (size_t b = 0; b < s->blocks; b++) {
        const size_t first = column;
        while (column < f->columns && f->feature[column].kernel == map->block[b].kernel &&
               f->feature[column].round == map->block[b].round) {
            key[column] = f->feature[column].key;
            column++;
        }
        count[b] = column - first;
    }
    s->columns.count += s->blocks;
    TRY(lm_temporary_append(&s->file, key, f->columns * sizeof *key, place));
done:
    lm_free(s->ctx, key);
    return st;
}

leman_status lm_spill_add(lm_spill *s, const lm_column_map *map, const leman_features *f)
{
    leman_status st = LEMAN_OK;
    spill_slice slice = {.rows = f->rows,
                         .entries = f->entries,
                         .columns = s->blocks ? f->columns : 0,
                         .first_row = s->rows,
                         .first_entry = s->entries,
                         .value_bytes = value_bytes(f)};
    TRY(lm_vector_reserve(s->ctx, &s->slice, 1, sizeof slice));
    TRY(lm_temporary_append(&s->file, f->start, f->rows * sizeof *f->start, &slice.start));
    TRY(lm_temporary_append(&s->file, f->column, f->entries * sizeof *f->column, &slice.column));
    TRY(append_values(s, f, slice.value_bytes, &slice.value));
    if (s->blocks) TRY(append_keys(s, map, f, &slice.key));
    ((spill_slice *)s->slice.items)[s->slice.count++] = slice;
    s->slices++;
    s->rows += f->rows;
    s->entries += f->entries;
done:
    return st;
}

/* ---- Merging --------------------------------------------------------------------------------- */

/* Where the merge stands in the keys of a slice. */
typedef struct cursor {
    uint64_t key, number; /* places in the file: of key[0], and of number[0] */
    size_t left;          /* keys behind those in the buffer */
    size_t have, next;    /* in the buffers */
    uint64_t *keys;       /* [buffer] */
    uint32_t *numbers;
} cursor;

/* Step by step: of the keys in the buffers those that no key outside them can be before, sorted. A step uses up the
 * buffer of a slice at least, whatever the keys are. */
typedef struct merge {
    lm_spill *spill;
    size_t buffer; /* keys */
    cursor *cursors;
    lm_pair *pairs;   /* [2][slices * buffer] (key, where its number goes) of a step, and space to sort them */
    uint64_t *merged; /* [buffer]: keys that wait to be written */
    size_t waiting;
    uint64_t place; /* where they go */
    size_t columns;
} merge;

/* Writes the numbers that were given and reads the next keys; have is 0 where there are none. */
static leman_status turn(merge *m, cursor *c)
{
    leman_status st = LEMAN_OK;
    lm_temporary *file = &m->spill->file;
    TRY(lm_temporary_write(file, c->number, c->numbers, c->have * sizeof *c->numbers));
    c->key += c->have * sizeof *c->keys;
    c->number += c->have * sizeof *c->numbers;
    c->next = 0;
    c->have = c->left < m->buffer ? c->left : m->buffer;
    c->left -= c->have;
    TRY(lm_temporary_read(file, c->key, c->keys, c->have * sizeof *c->keys));
done:
    return st;
}

static leman_status flush(merge *m)
{
    leman_status st = LEMAN_OK;
    TRY(lm_temporary_write(&m->spill->file, m->place, m->merged, m->waiting * sizeof *m->merged));
    m->place += m->waiting * sizeof *m->merged;
    m->waiting = 0;
    TRY(lm_progress_step(m->spill->ctx, m->columns));
done:
    return st;
}

/* The keys of this step, in the order of slices. */
static size_t next_keys(const merge *m)
{
    uint64_t limit = UINT64_MAX;
    size_t count = 0;
    for (const cursor *c = m->cursors; c < m->cursors + m->spill->slices; c++)
        if (c->left && c->keys[c->have - 1] < limit) limit = c->keys[c->have - 1];
    for (size_t i = 0; i < m->spill->slices; i++) {
        cursor *c = m->cursors + i;
        for (; c->next < c->have && c->keys[c->next] <= limit; c->next++)
            m->pairs[count++] = (lm_pair){c->keys[c->next], i * m->buffer + c->next};
    }
    return count;
}

/* Equal keys get one number. */
static leman_status number_keys(merge *m, const lm_pair *pair, size_t count)
{
    leman_status st = LEMAN_OK;
    for (size_t i = 0; i < count; i++) {
        if (!i || pair[i].key != pair[i - 1].key) {
            m->merged[m->waiting++] = pair[i].key;
            m->columns++;
            if (m->waiting == m->buffer) TRY(flush(m));
        }
        m->cursors->numbers[pair[i].payload] = (uint32_t)(m->columns - 1); /* the buffers lie one behind the other */
    }
done:
    return st;
}

static leman_status merge_block(merge *m)
{
    leman_status st = LEMAN_OK;
    const size_t slices = m->spill->slices;
    size_t count;
    for (size_t i = 0; i < slices; i++) TRY(turn(m, m->cursors + i));
    while ((count = next_keys(m)) > 0) {
        lm_sort_pairs(m->pairs, m->pairs + slices * m->buffer, count, m->spill->ctx->settings.threads);
        TRY(number_keys(m, m->pairs, count));
        for (size_t i = 0; i < slices; i++)
            if (m->cursors[i].next == m->cursors[i].have) TRY(turn(m, m->cursors + i));
    }
    TRY(flush(m));
done:
    return st;
}

/* Places for the numbers of every slice and, behind them, for the merged keys. */
static void make_places(merge *m)
{
    lm_spill *s = m->spill;
    uint64_t place = s->file.size;
    for (size_t i = 0; i < s->slices; i++) {
        spill_slice *slice = (spill_slice *)s->slice.items + i;
        slice->number = place;
        place += slice->columns * sizeof(uint32_t);
        m->cursors[i].key = slice->key;
        m->cursors[i].number = slice->number;
    }
    m->place = place;
}

static leman_status merge_blocks(merge *m, const char *name, lm_column_map *map)
{
    leman_status st = LEMAN_OK;
    lm_spill *s = m->spill;
    const size_t *counts = s->columns.items;
    make_places(m);
    lm_progress_begin(s->ctx, 0, "merging columns of %s", name);
    for (size_t b = 0; b < s->blocks; b++) {
        lm_map_block *block = map->block + b;
        for (size_t i = 0; i < s->slices; i++) m->cursors[i].left = counts[i * s->blocks + b];
        block->first = m->columns;
        block->place = m->place;
        TRY(merge_block(m));
        block->count = m->columns - block->first;
        if (m->columns > UINT32_MAX)
            FAIL(s->ctx, LEMAN_ERROR_BUDGET, "%s: found more than 2^32 different features; fold them with hash bits",
                 name);
    }
    map->columns = m->columns;
    map->file = &s->file;
done:
    return st;
}

leman_status lm_spill_merge(lm_spill *s, const char *name, lm_column_map *map)
{
    leman_status st = LEMAN_OK;
    enum { LARGEST = 1 << 14, SMALLEST = 64 };
    leman_context *ctx = s->ctx;
    uint64_t *keys = NULL;
    uint32_t *numbers = NULL;
    merge m = {.spill = s};
    m.buffer = lm_budget(ctx) / 4 / ((s->slices + 1) * (sizeof *keys + sizeof *numbers + 2 * sizeof *m.pairs));
    m.buffer = m.buffer > LARGEST ? LARGEST : m.buffer < SMALLEST ? SMALLEST : m.buffer;
    NEW(ctx, m.cursors, s->slices);
    NEW(ctx, m.pairs, 2 * s->slices * m.buffer);
    NEW(ctx, keys, (s->slices + 1) * m.buffer);
    NEW(ctx, numbers, s->slices * m.buffer);
    for (size_t i = 0; i < s->slices; i++)
        m.cursors[i] = (cursor){.keys = keys + i * m.buffer, .numbers = numbers + i * m.buffer};
    m.merged = keys + s->slices * m.buffer;
    TRY(merge_blocks(&m, name, map));
done:
    lm_free(ctx, m.cursors);
    lm_free(ctx, m.pairs);
    lm_free(ctx, keys);
    lm_free(ctx, numbers);
    return st;
}

/* ---- Reading --------------------------------------------------------------------------------- */

static leman_status read_columns(const lm_temporary *file, const spill_slice *slice, bool fresh, uint32_t *column)
{
    leman_status st = LEMAN_OK;
    uint32_t *number = NULL;
    TRY(lm_temporary_read(file, slice->column, column, slice->entries * sizeof *column));
    if (!fresh) goto done;
    NEW(file->ctx, number, slice->columns);
    TRY(lm_temporary_read(file, slice->number, number, slice->columns * sizeof *number));
    for (size_t e = 0; e < slice->entries; e++) column[e] = number[column[e]];
done:
    lm_free(file->ctx, number);
    return st;
}

/* Integers are read into the end of the array and become reals from its beginning. */
static leman_status read_values(const lm_temporary *file, const spill_slice *slice, double *value)
{
    leman_status st = LEMAN_OK;
    const unsigned bytes = slice->value_bytes;
    uint8_t *byte = (uint8_t *)(value + slice->entries) - slice->entries * bytes;
    TRY(lm_temporary_read(file, slice->value, byte, slice->entries * bytes));
    for (size_t e = 0; bytes < 8 && e < slice->entries; e++) {
        uint32_t number = 0;
        for (unsigned i = 0; i < bytes; i++) number |= (uint32_t)byte[e * bytes + i] << 8 * i;
        value[e] = number;
    }
done:
    return st;
}

leman_status lm_spill_load(leman_context *ctx, const lm_spill *s, size_t i, leman_features *out, size_t *first)
{
    leman_status st = LEMAN_OK;
    const spill_slice *slice = slice_of(s, i);
    leman_features f = {.rows = slice->rows, .entries = slice->entries};
    lm_temporary file = s->file;
    file.ctx = ctx;
    NEW(ctx, f.start, f.rows + 1);
    NEW(ctx, f.column, f.entries);
    NEW(ctx, f.value, f.entries);
    TRY(lm_temporary_read(&file, slice->start, f.start, f.rows * sizeof *f.start));
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
        const spill_slice *slice = slice_of(s, middle);
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
        const spill_slice *slice = slice_of(s, find_slice(s, first, true));
        const size_t from = first - slice->first_row, left = slice->rows - from, part = left < count ? left : count;
        TRY(lm_temporary_read(&s->file, slice->start + from * sizeof *start, start, part * sizeof *start));
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
