/*
 * The library's own files of features, written with base/serialize.h. Both kinds begin with the origin of the columns
 * and the columns themselves, so that a matrix can be read where columns are expected:
 *
 *   kernels, as in a model file; apex, directed, number of columns of vertex labels and of edge labels; how the graphs
 *   were read (io/reading.c)
 *   number of columns; whether they are named; if so, the number of blocks, and for each block its kernel, its round
 *   and its increasing keys
 *
 * A matrix continues with its rows: start, column, value; classes; targets, the first target of each graph.
 */
#include "kernel/features/feature_file.h"
#include "base/arguments.h"
#include "io/archive/gzip.h"
#include "io/array/sparse_files.h"
#include "kernel/features/feature_labels.h"
#include "kernel/features/feature_origin.h"
#include "kernel/features/features.h"
#include <math.h>

static const uint64_t MAX_BYTES = UINT64_C(256) << 30;

/* The parts of a file to be written. */
typedef struct matrix {
    const leman_feature_origin *origin;
    const lm_column_map *map; /* NULL: the columns have no names */
    const leman_features *f;  /* sizes; NULL: columns only */
    lm_sparse_parts parts;    /* source of the rows */
    const int64_t *class_label;
    double *target;
} matrix;

bool lm_feature_file_is(const char *path)
{
    return lm_path_ends(path, ".lmf");
}

/* ---- Writing --------------------------------------------------------------------------------- */

typedef struct block_keys {
    const lm_column_map *map;
    const lm_map_block *block;
} block_keys;

static leman_status read_keys(void *user, size_t first, size_t count, void *to)
{
    const block_keys *keys = user;
    return lm_column_map_keys(keys->map, keys->block, first, count, to);
}

static leman_status put_block(lm_serializer *serializer, const lm_column_map *map, lm_map_block b)
{
    SERIALIZE_SMALL(serializer, b.kernel, uint32_t, UINT32_MAX);
    SERIALIZE_SMALL(serializer, b.round, uint32_t, UINT32_MAX);
    return lm_serialize_elements(serializer, b.count, sizeof *b.key, read_keys, &(block_keys){map, &b});
}

static leman_status put_columns(lm_serializer *serializer, void *state)
{
    const matrix *m = state;
    leman_feature_origin origin = *m->origin;
    bool named = m->map != NULL;
    size_t columns = named ? m->map->columns : m->f->columns;
    PASS(lm_origin_serialize(serializer, &origin));
    PASS(lm_serialize_size(serializer, &columns, UINT32_MAX));
    PASS(lm_serialize_bool(serializer, &named));
    if (named) {
        size_t blocks = 0;
        for (size_t i = 0; i < m->map->blocks; i++) blocks += m->map->block[i].count > 0;
        PASS(lm_serialize_size(serializer, &blocks, SIZE_MAX));
        for (size_t i = 0; i < m->map->blocks; i++)
            if (m->map->block[i].count) PASS(put_block(serializer, m->map, m->map->block[i]));
    }
    return LEMAN_OK;
}

static leman_status put_matrix(lm_serializer *serializer, void *state)
{
    const matrix *m = state;
    const leman_features *f = m->f;
    const lm_sparse_parts *parts = &m->parts;
    PASS(put_columns(serializer, state));
    PASS(lm_serialize_elements(serializer, f->rows + 1, sizeof *f->start, parts->start, parts->user));
    PASS(lm_serialize_elements(serializer, f->entries, sizeof *f->column, parts->column, parts->user));
    PASS(lm_serialize_elements(serializer, f->entries, sizeof *f->value, parts->value, parts->user));
    PASS(lm_serialize_into(serializer, (void *)(uintptr_t)m->class_label, m->class_label ? f->rows : 0,
                           sizeof *m->class_label));
    return lm_serialize_into(serializer, m->target, m->target ? f->rows : 0, sizeof *m->target);
}

leman_status lm_feature_columns_put(lm_output *out, const leman_feature_origin *origin, const lm_column_map *map)
{
    return lm_serializer_stream(out, LM_COLUMNS_MAGIC, LM_COLUMNS_VERSION, put_columns,
                                &(matrix){.origin = origin, .map = map});
}

static leman_status put_store(lm_feature_store *store, const leman_features *f, const leman_dataset *data,
                              lm_output *out)
{
    matrix m = {.origin = &f->origin,
                .map = store->map.block ? &store->map : NULL,
                .f = f,
                .parts = lm_feature_store_parts(store),
                .class_label = data ? data->class_label : f->class_label,
                .target = data ? NULL : f->target};
    AUTO(lm_release_at) double *first = NULL;
    if (data && data->target) {
        PASS_NEW(out->ctx, first, f->rows);
        for (size_t i = 0; i < f->rows; i++) first[i] = data->target[i * data->columns.targets];
        m.target = first;
    }
    return lm_serializer_stream(out, LM_FEATURES_MAGIC, LM_FEATURES_VERSION, put_matrix, &m);
}

leman_status lm_feature_store_write(lm_feature_store *store, const leman_features *f, const leman_dataset *data,
                                    const char *path, lm_output *out)
{
    const lm_column_labels labels = {.map = &store->map, .words = f->origin.kernels};
    const lm_sparse_parts parts = lm_feature_store_parts(store);
    if (lm_feature_file_is(path)) return put_store(store, f, data, out);
    lm_progress_begin(out->ctx, f->entries, "writing %s", path);
    return lm_sparse_npz(f, &parts, data, store->map.block ? lm_column_arrays : NULL, &labels, out);
}

leman_status leman_feature_columns_write(leman_context *ctx, const leman_features *features, const char *path)
{
    REQUIRE(ctx, features, path);
    AUTO(lm_column_map_free) lm_column_map map = {0};
    AUTO(lm_output_abort) lm_output out = {0};
    PASS(lm_columns_check(ctx, features));
    PASS(lm_column_map_view(ctx, features, &map));
    PASS(lm_output_open(ctx, path, &out));
    PASS(lm_feature_columns_put(&out, &features->origin, &map));
    return lm_output_commit(&out);
}

leman_status leman_features_check(leman_context *ctx, const char *path)
{
    REQUIRE(ctx, path);
    if (!lm_sparse_known(path) && !lm_feature_file_is(path))
        return lm_fail(
            ctx, LEMAN_ERROR_ARGUMENT,
            "%s: found an ending that is no format of features, expected .svm, .npz, .mtx or .lmf, or .svm.gz or "
            ".mtx.gz",
            path);
    return LEMAN_OK;
}

leman_status leman_features_write(leman_context *ctx, const leman_features *features, const leman_dataset *data,
                                  const char *path)
{
    REQUIRE(ctx, features, path);
    const leman_features *f = features;
    AUTO(lm_column_map_free) lm_column_map map = {0};
    AUTO(lm_gzip_abort) lm_gzip file = {0};
    PASS(leman_features_check(ctx, path));
    if (data && data->graphs != f->rows)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "found %zu row%s of features for %zu graph%s, expected one each",
                       f->rows, lm_plural(f->rows), data->graphs, lm_plural(data->graphs));
    PASS(lm_gzip_open(ctx, path, &file));
    if (lm_path_ends(path, ".npz") || lm_feature_file_is(path)) {
        if (f->feature) PASS(lm_columns_check(ctx, f));
        if (f->feature) PASS(lm_column_map_view(ctx, f, &map));
        lm_feature_store store = lm_feature_store_view(ctx, f, map);
        PASS(lm_feature_store_write(&store, f, data, path, file.text));
    } else {
        PASS(lm_sparse_head(path, f, file.text));
        PASS(lm_sparse_rows(path, f, data, 0, file.text));
    }
    return lm_gzip_commit(&file);
}

/* ---- Reading --------------------------------------------------------------------------------- */

/* Appends the columns of one block, in order; fails if there are more than announced. */
static leman_status get_block(lm_serializer *serializer, leman_features *f, size_t *at)
{
    leman_feature feature = {0};
    AUTO(lm_release_at) uint64_t *key = NULL;
    size_t count = 0;
    SERIALIZE_SMALL(serializer, feature.kernel, uint32_t, UINT32_MAX);
    SERIALIZE_SMALL(serializer, feature.round, uint32_t, UINT32_MAX);
    if (f->origin.kernel_count && (feature.kernel >= f->origin.kernel_count ||
                                   feature.round >= lm_kernel_blocks(f->origin.kernel + feature.kernel, false)))
        return lm_serializer_fail(serializer, "found columns of a kernel or round that it does not have");
    PASS(lm_serialize_array(serializer, (void **)&key, &count, sizeof *key));
    if (count > f->columns - *at)
        return lm_serializer_fail(serializer, "found more columns than the %zu that it announces", f->columns);
    for (size_t i = 0; i < count; i++, ++*at) {
        feature.key = key[i];
        f->feature[*at] = feature;
        if (*at && !lm_feature_before(f->feature[*at - 1], feature))
            return lm_serializer_fail(serializer, "its columns are not in order");
    }
    return LEMAN_OK;
}

static leman_status get_columns(lm_serializer *serializer, bool *named, leman_features *f)
{
    size_t blocks = 0, at = 0;
    PASS(lm_origin_serialize(serializer, &f->origin));
    PASS(lm_serialize_size(serializer, &f->columns, UINT32_MAX));
    PASS(lm_serialize_bool(serializer, named));
    if (!*named) return LEMAN_OK;
    if (f->columns > (size_t)(serializer->end - serializer->at) / sizeof(uint64_t)) /* checked before the allocation */
        PASS(lm_serializer_fail(serializer, "found %zu column%s announced with %zu byte%s left", f->columns,
                                lm_plural(f->columns), (size_t)(serializer->end - serializer->at),
                                lm_plural((size_t)(serializer->end - serializer->at))));
    PASS_NEW(serializer->ctx, f->feature, f->columns);
    PASS(lm_serialize_size(serializer, &blocks, SIZE_MAX));
    for (size_t i = 0; i < blocks; i++) PASS(get_block(serializer, f, &at));
    if (at != f->columns)
        PASS(lm_serializer_fail(serializer, "found %zu column%s, expected the %zu announced", at, lm_plural(at),
                                f->columns));
    return LEMAN_OK;
}

/* Checks the entries of rows that are numbered from `first` on. */
static leman_status check_entries(const lm_feature_reader *r, const leman_features *f)
{
    for (size_t i = 0; i < f->rows; i++)
        for (uint64_t e = f->start[i]; e < f->start[i + 1]; e++) {
            if (f->column[e] >= r->head.columns || (e > f->start[i] && f->column[e] <= f->column[e - 1]))
                return lm_serializer_fail(&r->serializer,
                                          "row %zu: found column %llu of %zu, expected increasing columns",
                                          r->row + i + 1, (unsigned long long)f->column[e] + 1, r->head.columns);
            if (!isfinite(f->value[e]))
                return lm_serializer_fail(&r->serializer, "row %zu: found %g", r->row + i + 1, f->value[e]);
        }
    return LEMAN_OK;
}

/* Reads an array of one element a row, or no array. */
static leman_status get_labels(lm_serializer *serializer, size_t rows, void **items)
{
    AUTO(lm_release_at) void *found = NULL;
    size_t count = 0;
    PASS(lm_serialize_array(serializer, &found, &count, 8));
    if (count && count != rows)
        return lm_serializer_fail(serializer, "found labels of %zu graph%s, expected %zu", count, lm_plural(count),
                                  rows);
    return count ? HAND_OVER(items, found) : LEMAN_OK;
}

/* Reads everything but the rows, which stay in the bytes of the file. */
static leman_status begin_reading(leman_context *ctx, const char *path, lm_bytes bytes, lm_feature_reader *r)
{
    lm_serializer *s = &r->serializer;
    leman_features *head = &r->head;
    bool named = false;
    PASS(lm_serializer_parse(s, ctx, path, bytes, LM_FEATURES_MAGIC, LM_FEATURES_VERSION, "a file of features (.lmf)"));
    PASS(get_columns(s, &named, head));
    PASS(lm_serialize_skip(s, sizeof *head->start, &r->start));
    PASS(lm_serialize_skip(s, sizeof *head->column, &r->column));
    PASS(lm_serialize_skip(s, sizeof *head->value, &r->value));
    const size_t starts = r->start.count, values = r->value.count;
    head->entries = r->column.count;
    if (!starts || values != head->entries)
        return lm_serializer_fail(s, "found %zu column%s for %zu value%s in %zu row%s", head->entries,
                                  lm_plural(head->entries), values, lm_plural(values), starts, lm_plural(starts));
    head->rows = starts - 1;
    PASS(get_labels(s, head->rows, (void **)&head->class_label));
    PASS(get_labels(s, head->rows, (void **)&head->target));
    return lm_serializer_end(s);
}

/* Finds the rows of the next slice: at most `entries` entries, or one row. */
static leman_status find_rows(const lm_feature_reader *r, size_t entries, size_t *rows, uint64_t *first, uint64_t *end)
{
    const size_t left = r->head.rows - r->row;
    uint64_t next;
    lm_elements_copy(&r->start, r->row, 1, first);
    *end = *first;
    for (*rows = 0; *rows < left; ++*rows) {
        lm_elements_copy(&r->start, r->row + *rows + 1, 1, &next);
        if (next < *end || next > r->head.entries)
            return lm_serializer_fail(&r->serializer, "row %zu does not end behind its beginning", r->row + *rows + 1);
        if (*rows && next - *first > entries) break;
        *end = next;
    }
    if ((!r->row && *first) || (*rows == left && *end != r->head.entries))
        return lm_serializer_fail(&r->serializer, "its rows do not hold its %zu %s", r->head.entries,
                                  lm_plural_of(r->head.entries, "entry", "entries"));
    return LEMAN_OK;
}

leman_status lm_feature_reader_next(lm_feature_reader *r, size_t entries, leman_features *out)
{
    AUTO(lm_features_clear) leman_features f = {0};
    uint64_t first, end;
    PASS(find_rows(r, entries, &f.rows, &first, &end));
    f.entries = end - first;
    PASS_NEW(r->serializer.ctx, f.start, f.rows + 1);
    PASS_NEW(r->serializer.ctx, f.column, f.entries);
    PASS_NEW(r->serializer.ctx, f.value, f.entries);
    lm_elements_copy(&r->start, r->row, f.rows + 1, f.start);
    for (size_t i = 0; i <= f.rows; i++) f.start[i] -= first;
    lm_elements_copy(&r->column, first, f.entries, f.column);
    lm_elements_copy(&r->value, first, f.entries, f.value);
    PASS(check_entries(r, &f));
    r->row += f.rows;
    if (r->serializer.mapped) lm_mapped_give_back(r->serializer.mapped);
    return HAND_OVER(out, f);
}

static leman_status copy_piece(void *user, const char *bytes, size_t size)
{
    return lm_temporary_append(user, bytes, size, NULL);
}

leman_status lm_feature_reader_open(leman_context *ctx, const char *path, lm_feature_reader *out)
{
    AUTO(lm_feature_reader_close) lm_feature_reader r = {.serializer.ctx = ctx};
    PASS(lm_mapped_open(ctx, lm_mapped_window(ctx), &r.serializer.mapped));
    lm_mapped *mapped = r.serializer.mapped;
    PASS(lm_bytes_visit(ctx, path, copy_piece, &mapped->file));
    PASS(lm_mapped_finish(mapped));
    PASS(begin_reading(ctx, path, (lm_bytes){.data = mapped->address, .size = mapped->size}, &r));
    lm_mapped_give_back(mapped);
    return HAND_OVER(out, r);
}

void lm_feature_reader_close(lm_feature_reader *r)
{
    lm_features_clear(&r->head);
    lm_mapped_free(r->serializer.ctx, r->serializer.mapped);
    *r = (lm_feature_reader){0};
}

/* Fills the non-empty blocks of named columns. */
static leman_status find_blocks(leman_context *ctx, leman_features *f)
{
    AUTO(lm_column_map_free) lm_column_map map = {0};
    PASS(lm_column_map_view(ctx, f, &map));
    PASS_NEW(ctx, f->block, map.blocks);
    f->blocks = map.blocks;
    for (size_t i = 0; i < map.blocks; i++) {
        const lm_map_block *b = map.block + i;
        f->block[i] = (leman_feature_block){b->kernel, b->round, b->first, b->count};
    }
    return LEMAN_OK;
}

leman_status lm_features_parse(leman_context *ctx, const char *path, lm_bytes bytes, leman_features *out)
{
    AUTO(lm_feature_reader_close) lm_feature_reader r = {0};
    leman_features *f = &r.head, rows = {0};
    PASS(begin_reading(ctx, path, bytes, &r));
    PASS(lm_feature_reader_next(&r, SIZE_MAX, &rows));
    f->start = rows.start;
    f->column = rows.column;
    f->value = rows.value;
    if (f->feature) PASS(find_blocks(ctx, f));
    return HAND_OVER(out, r.head);
}

leman_status lm_feature_columns_parse(leman_context *ctx, const char *path, lm_bytes bytes, leman_features *out)
{
    lm_serializer serializer = {0};
    AUTO(lm_features_clear) leman_features f = {0};
    bool named = false, whole = lm_serializer_is(bytes.data, bytes.size, LM_FEATURES_MAGIC);
    PASS(lm_serializer_parse(&serializer, ctx, path, bytes, whole ? LM_FEATURES_MAGIC : LM_COLUMNS_MAGIC,
                             whole ? LM_FEATURES_VERSION : LM_COLUMNS_VERSION, "a file of columns"));
    PASS(get_columns(&serializer, &named, &f));
    if (!named) return lm_serializer_fail(&serializer, "found folded columns, expected named ones");
    if (!whole) PASS(lm_serializer_end(&serializer));
    PASS_NEW_ZERO(ctx, f.start, 1);
    PASS(find_blocks(ctx, &f));
    return HAND_OVER(out, f);
}

typedef leman_status parser(leman_context *ctx, const char *path, lm_bytes bytes, leman_features *features);

static leman_status read_file(leman_context *ctx, const char *path, parser *parse, leman_features **features)
{
    AUTO(lm_bytes_close) lm_bytes bytes = {0};
    AUTO(lm_features_clear) leman_features f = {0};
    PASS(lm_bytes_open(ctx, path, MAX_BYTES, &bytes));
    PASS(lm_fail_in(ctx, parse(ctx, path, bytes, &f), path, NULL));
    return lm_features_own(ctx, &f, features);
}

leman_status leman_feature_columns_read(leman_context *ctx, const char *path, leman_features **features)
{
    REQUIRE(ctx, path, features);
    return read_file(ctx, path, lm_feature_columns_parse, features);
}

leman_status leman_features_read(leman_context *ctx, const char *path, leman_features **features)
{
    REQUIRE(ctx, path, features);
    return read_file(ctx, path, lm_features_parse, features);
}
