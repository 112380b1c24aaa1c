/* Feature matrices: reading, selecting rows, freeing. */
#include "kernel/features/feature_matrix.h"
#include "base/arguments.h"
#include "base/hash.h"
#include "base/sort.h"
#include "io/array/svmlight.h"
#include "kernel/features/features.h"
#include <math.h>
#include <string.h>

/* Limits of the entries of a slice, and the bytes that reading a slice holds for each entry. */
enum { MIN_ENTRIES = 1 << 12, MAX_ENTRIES = 1 << 20, ENTRY_BYTES = 512 };

/* ---- Slices ---------------------------------------------------------------------------------- */

/* Rows whose entries have keys: start[rows + 1], key[entries], value[entries]. */
typedef struct keyed_rows {
    size_t rows, entries;
    const uint64_t *start;
    const uint32_t *key;
    double *value;
} keyed_rows;

static leman_status new_matrix(leman_context *ctx, leman_feature_matrix **out)
{
    leman_status st = LEMAN_OK;
    leman_feature_matrix *m = NULL;
    NEW(ctx, m, 1);
    *m = (leman_feature_matrix){.ctx = ctx};
    NEW(ctx, m->map.block, 1);
    m->map.block[0] = (lm_map_block){.step = 1};
    m->map.blocks = 1;
    TRY(lm_spill_open(ctx, NULL, 0, 1, &m->spill));
    *out = m;
    m = NULL;
done:
    leman_feature_matrix_free(m);
    return st;
}

/* Updates the checksum, which does not depend on how the rows are divided into slices. */
static void add_checksum(leman_feature_matrix *m, const keyed_rows *r)
{
    uint64_t sum = m->checksum, bits;
    for (size_t i = 0; i < r->rows; i++) {
        sum = lm_mix(sum + r->start[i + 1] - r->start[i]);
        for (uint64_t e = r->start[i]; e < r->start[i + 1]; e++) {
            memcpy(&bits, r->value + e, sizeof bits);
            sum = lm_mix(sum ^ lm_mix(bits) ^ r->key[e]);
        }
    }
    m->checksum = sum;
}

/* Adds a slice of rows. The slice numbers its columns on its own, in the order of their keys. */
static leman_status add_slice(leman_feature_matrix *m, const keyed_rows *r)
{
    leman_status st = LEMAN_OK;
    leman_context *ctx = m->ctx;
    leman_features f = {.rows = r->rows, .entries = r->entries};
    lm_spill_slice slice;
    lm_pair *pair = NULL;
    uint32_t *column = NULL;
    NEW(ctx, pair, 2 * r->entries);
    NEW(ctx, column, r->entries);
    NEW(ctx, f.feature, r->entries);
    add_checksum(m, r);
    for (size_t e = 0; e < r->entries; e++) pair[e] = (lm_pair){r->key[e], e};
    lm_sort_pairs(pair, pair + r->entries, r->entries, ctx->settings.threads);
    for (size_t i = 0; i < r->entries; i++) {
        if (!i || pair[i].key != pair[i - 1].key) f.feature[f.columns++] = (leman_feature){0, 0, pair[i].key};
        column[pair[i].payload] = (uint32_t)(f.columns - 1);
    }
    f.start = (uint64_t *)(uintptr_t)r->start;
    f.column = column;
    f.value = r->value;
    TRY(lm_spill_store(ctx, &m->spill, &m->map, &f, &slice));
    TRY(lm_spill_add(&m->spill, &slice));
done:
    lm_free(ctx, f.feature);
    lm_free(ctx, column);
    lm_free(ctx, pair);
    return st;
}

/* ---- From a file ----------------------------------------------------------------------------- */

static leman_status add_rows(leman_feature_matrix *m, const lm_svmlight_rows *rows)
{
    leman_status st = LEMAN_OK;
    uint64_t *start = NULL;
    NEW(m->ctx, start, rows->end.count + 1);
    start[0] = 0;
    memcpy(start + 1, rows->end.items, rows->end.count * sizeof *start);
    TRY(add_slice(m, &(keyed_rows){rows->end.count, rows->index.count, start, rows->index.items, rows->value.items}));
done:
    lm_free(m->ctx, start);
    return st;
}

/* Is a label exactly the number of a class, not rounded? Missing labels fit every kind. */
static bool is_class(double label)
{
    return isnan(label) || (label == rint(label) && fabs(label) < 0x1p53);
}

/* Stores labels as targets and, if all of them are integers, as classes. */
static leman_status set_labels(leman_feature_matrix *m, const char *path, const double *label, size_t rows)
{
    leman_status st = LEMAN_OK;
    leman_builder *builder = NULL;
    leman_policy policy = leman_policy_default();
    leman_columns columns = {.classes = true, .targets = 1};
    char *name = NULL;
    policy.empty_graphs = LEMAN_ACTION_KEEP;
    for (size_t i = 0; i < rows; i++) columns.classes = columns.classes && is_class(label[i]);
    TRY(lm_path_stem(m->ctx, path, &name));
    TRY(leman_builder_new(m->ctx, name, &columns, &builder));
    for (size_t i = 0; i < rows; i++) {
        const int64_t number =
            columns.classes ? isnan(label[i]) ? LEMAN_CLASS_MISSING : (int64_t)label[i] : LEMAN_CLASS_MISSING;
        TRY(leman_builder_graph(builder, NULL, columns.classes ? &number : NULL, label + i));
    }
    TRY(leman_builder_finish(builder, &policy, NULL, &m->labels));
done:
    leman_builder_free(builder);
    lm_free(m->ctx, name);
    return st;
}

/* Recognises LIBSVM's precomputed kernels, which have the same form with the row number as index 0. */
static bool counts_rows(const lm_svmlight_rows *rows, size_t first)
{
    const uint64_t *end = rows->end.items;
    for (size_t i = 0; i < rows->end.count; i++) {
        const size_t at = i ? (size_t)end[i - 1] : 0;
        if (at == end[i] || ((const uint32_t *)rows->index.items)[at] != 0 ||
            ((const double *)rows->value.items)[at] != (double)(first + i + 1))
            return false;
    }
    return true;
}

leman_status lm_feature_matrix_read(leman_context *ctx, const char *path, size_t entries, leman_feature_matrix **out)
{
    leman_status st = LEMAN_OK;
    lm_svmlight reader = {0};
    lm_svmlight_rows rows = {0};
    lm_vector label = {0};
    leman_feature_matrix *m = NULL;
    bool kernel = true;
    TRY(new_matrix(ctx, &m));
    TRY(lm_svmlight_open(ctx, path, 16 * entries, &reader));
    for (;;) {
        TRY(lm_svmlight_next(&reader, entries, &rows));
        if (!rows.end.count) break;
        kernel = kernel && counts_rows(&rows, label.count);
        TRY(lm_vector_append(ctx, &label, rows.label.items, rows.label.count, sizeof(double)));
        TRY(add_rows(m, &rows));
    }
    if (kernel && label.count > 1)
        FAIL(ctx, LEMAN_ERROR_INPUT, "%s: found a precomputed kernel, whose index 0 counts the rows, expected features",
             path);
    lm_svmlight_rows_free(ctx, &rows);
    rows = (lm_svmlight_rows){0};
    TRY(set_labels(m, path, label.items, label.count));
    m->checksum = lm_mix(m->checksum ^ leman_dataset_checksum(m->labels));
    TRY(lm_spill_merge(&m->spill, m->labels->name, true, &m->map));
    *out = m;
    m = NULL;
done:
    lm_svmlight_close(&reader);
    lm_svmlight_rows_free(ctx, &rows);
    lm_vector_free(ctx, &label);
    leman_feature_matrix_free(m);
    return st;
}

/* ---- Some rows ------------------------------------------------------------------------------- */

/* Copies the rows of f, whose first row is `first`, that are listed from row[*at] on. */
static leman_status select_slice(leman_feature_matrix *to, const leman_features *f, size_t first, const uint64_t *key,
                                 const size_t *row, size_t count, size_t *at)
{
    leman_status st = LEMAN_OK;
    leman_context *ctx = to->ctx;
    uint64_t *start = NULL;
    uint32_t *kept = NULL;
    double *value = NULL;
    keyed_rows r = {0};
    NEW(ctx, start, f->rows + 1);
    NEW(ctx, kept, f->entries);
    NEW(ctx, value, f->entries);
    start[0] = 0;
    for (; *at < count && row[*at] < first + f->rows; ++*at) {
        const size_t i = row[*at] - first;
        for (uint64_t e = f->start[i]; e < f->start[i + 1]; e++, r.entries++) {
            kept[r.entries] = (uint32_t)key[f->column[e]];
            value[r.entries] = f->value[e];
        }
        start[++r.rows] = r.entries;
    }
    r.start = start;
    r.key = kept;
    r.value = value;
    TRY(add_slice(to, &r));
done:
    lm_free(ctx, start);
    lm_free(ctx, kept);
    lm_free(ctx, value);
    return st;
}

leman_status lm_feature_matrix_keys(const leman_feature_matrix *m, uint64_t *key)
{
    return lm_column_map_keys(&m->map, m->map.block, 0, m->map.columns, key);
}

leman_status lm_feature_matrix_select(leman_context *ctx, const leman_feature_matrix *matrix, const size_t *row,
                                      size_t count, leman_feature_matrix **out)
{
    leman_status st = LEMAN_OK;
    leman_feature_matrix *m = NULL;
    leman_features f = {0};
    uint64_t *key = NULL;
    size_t at = 0, first;
    TRY(new_matrix(ctx, &m));
    NEW(ctx, key, matrix->map.columns);
    TRY(lm_feature_matrix_keys(matrix, key));
    for (size_t i = 0; i < matrix->spill.slices; i++) {
        TRY(lm_spill_load(ctx, &matrix->spill, i, &f, &first));
        TRY(select_slice(m, &f, first, key, row, count, &at));
        lm_features_clear(ctx, &f);
    }
    TRY(leman_dataset_select(ctx, matrix->labels, count, row, &m->labels));
    m->checksum = lm_mix(m->checksum ^ leman_dataset_checksum(m->labels));
    TRY(lm_spill_merge(&m->spill, m->labels->name, true, &m->map));
    *out = m;
    m = NULL;
done:
    lm_features_clear(ctx, &f);
    lm_free(ctx, key);
    leman_feature_matrix_free(m);
    return st;
}

leman_status lm_feature_matrix_classes(leman_context *ctx, const leman_feature_matrix *m)
{
    if (m->labels->class_label) return LEMAN_OK;
    return lm_fail(ctx, LEMAN_ERROR_INPUT,
                   "%s: found labels that are not integers below 2^53, expected classes, or a target to fit",
                   m->labels->name);
}

/* ---- For the caller -------------------------------------------------------------------------- */

bool leman_feature_matrix_is(const char *path)
{
    return path && lm_svmlight_is(path);
}

leman_status leman_feature_matrix_read(leman_context *ctx, const char *path, leman_feature_matrix **out)
{
    leman_status st = LEMAN_OK;
    REQUIRE(ctx, path);
    REQUIRE(ctx, out);
    if (!lm_svmlight_is(path))
        FAIL(ctx, LEMAN_ERROR_ARGUMENT,
             "%s: found an ending that is no feature file, expected .svm, .svmlight or .libsvm, or .gz behind it",
             path);
    const size_t entries = lm_budget(ctx) / ENTRY_BYTES;
    TRY(lm_feature_matrix_read(ctx, path,
                               entries > MAX_ENTRIES   ? MAX_ENTRIES
                               : entries < MIN_ENTRIES ? MIN_ENTRIES
                                                       : entries,
                               out));
done:
    return st;
}

const leman_dataset *leman_feature_matrix_labels(const leman_feature_matrix *m)
{
    return m ? m->labels : NULL;
}

void leman_feature_matrix_free(leman_feature_matrix *m)
{
    if (!m) return;
    lm_spill_close(&m->spill);
    lm_column_map_free(m->ctx, &m->map);
    leman_dataset_free(m->labels);
    lm_free(m->ctx, m);
}
