/* Feature matrices: reading, selecting rows, freeing. */
#include "kernel/features/feature_matrix.h"
#include "base/arguments.h"
#include "base/drop.h"
#include "base/hash.h"
#include "base/sort.h"
#include "io/array/svmlight.h"
#include "kernel/features/feature_file.h"
#include "kernel/features/feature_origin.h"
#include "kernel/features/features.h"
#include <math.h>
#include <string.h>

/* Limits of the entries of a slice, and the bytes that reading a slice holds for each entry. */
enum { MIN_ENTRIES = 1 << 12, MAX_ENTRIES = 1 << 20, ENTRY_BYTES = 512 };

/* ---- Slices ---------------------------------------------------------------------------------- */

/* Makes a matrix without rows. If kernels are known, it has a block of columns for each of their rounds. */
static leman_status new_matrix(leman_context *ctx, const leman_feature_origin *origin, leman_feature_matrix **out)
{
    AUTO(leman_feature_matrix_drop) leman_feature_matrix *m = NULL;
    PASS_NEW(ctx, m, 1);
    *m = (leman_feature_matrix){.ctx = ctx, .store = {.ctx = ctx, .fresh = true}};
    lm_column_map *map = &m->store.map;
    PASS(lm_origin_copy(ctx, origin, &m->origin));
    if (origin->kernel_count) {
        PASS(lm_column_map_new(ctx, origin->kernel, origin->kernel_count, false, map));
    } else {
        PASS_NEW(ctx, map->block, 1);
        map->block[0] = (lm_map_block){.step = 1};
        map->blocks = 1;
    }
    PASS(lm_feature_store_open(&m->store, NULL, 0));
    return HAND_OVER(out, m);
}

/* The name of column c: name[c], or its number if name is NULL. */
static leman_feature name_of(const leman_feature *name, uint64_t c)
{
    return name ? name[c] : (leman_feature){0, 0, c};
}

/* Updates the checksum, which does not depend on how the rows are divided into slices. */
static void add_checksum(leman_feature_matrix *m, const leman_features *r, const leman_feature *name)
{
    uint64_t sum = m->checksum, bits;
    for (size_t i = 0; i < r->rows; i++) {
        sum = lm_mix(sum + r->start[i + 1] - r->start[i]);
        for (uint64_t e = r->start[i]; e < r->start[i + 1]; e++) {
            memcpy(&bits, r->value + e, sizeof bits);
            sum = lm_mix(sum ^ lm_mix(bits) ^ name_of(name, r->column[e]).key);
        }
    }
    m->checksum = sum;
}

/* Adds a slice of rows, whose columns have names, or are named by their numbers if name is NULL. The slice numbers its
 * columns on its own, in the order of their names. */
static leman_status add_slice(leman_feature_matrix *m, const leman_features *r, const leman_feature *name)
{
    leman_context *ctx = m->ctx;
    SCRATCH_SCOPE(ctx);
    leman_features f = *r;
    lm_pair *pair;
    PASS_SCRATCH(ctx, pair, 2 * r->entries);
    PASS_SCRATCH(ctx, f.column, r->entries);
    PASS_SCRATCH(ctx, f.feature, r->entries);
    add_checksum(m, r, name);
    for (size_t e = 0; e < r->entries; e++) pair[e] = (lm_pair){r->column[e], e};
    lm_sort_pairs(pair, pair + r->entries, r->entries, ctx->settings.threads);
    f.columns = 0;
    for (size_t i = 0; i < r->entries; i++) {
        if (!i || pair[i].key != pair[i - 1].key) f.feature[f.columns++] = name_of(name, pair[i].key);
        f.column[pair[i].payload] = (uint32_t)(f.columns - 1);
    }
    return lm_feature_store_add(&m->store, &f); /* whose file is open, so that it copies */
}

/* Numbers the columns, after the last slice. */
static leman_status finish(leman_feature_matrix *m)
{
    m->checksum = lm_mix(m->checksum ^ leman_dataset_checksum(m->labels));
    return lm_feature_store_merge(&m->store, m->labels->name, true);
}

/* ---- From an svmlight file ------------------------------------------------------------------- */

static leman_status add_rows(leman_feature_matrix *m, const lm_svmlight_rows *rows)
{
    AUTO(lm_release_at) uint64_t *start = NULL;
    PASS_NEW(m->ctx, start, rows->end.count + 1);
    start[0] = 0;
    memcpy(start + 1, rows->end.items, rows->end.count * sizeof *start);
    const leman_features f = {.rows = rows->end.count,
                              .entries = rows->index.count,
                              .start = start,
                              .column = rows->index.items,
                              .value = rows->value.items};
    return add_slice(m, &f, NULL);
}

/* Is a label exactly the number of a class, not rounded? Missing labels fit every kind. */
static bool is_class(double label)
{
    return isnan(label) || (label == rint(label) && fabs(label) < 0x1p53);
}

/* Stores the classes and targets of all rows; NULL: there are none. */
static leman_status set_labels(leman_feature_matrix *m, const char *path, size_t rows, const int64_t *class_label,
                               const double *target)
{
    AUTO(leman_builder_drop) leman_builder *builder = NULL;
    leman_policy policy = leman_policy_default();
    const leman_columns columns = {.classes = class_label != NULL, .targets = target != NULL};
    AUTO(lm_release_at) char *name = NULL;
    policy.empty_graphs = LEMAN_ACTION_KEEP;
    PASS(lm_path_stem(m->ctx, path, &name));
    PASS(leman_builder_new(m->ctx, name, &columns, &builder));
    for (size_t i = 0; i < rows; i++)
        PASS(leman_builder_graph(builder, NULL, class_label ? class_label + i : NULL, target ? target + i : NULL));
    return leman_builder_finish(builder, &policy, NULL, &m->labels);
}

/* Stores labels as targets and, if all of them are integers, as classes. */
static leman_status set_numbers(leman_feature_matrix *m, const char *path, const double *label, size_t rows)
{
    bool classes = true;
    AUTO(lm_release_at) int64_t *number = NULL;
    PASS_NEW(m->ctx, number, rows);
    for (size_t i = 0; i < rows; i++) {
        classes = classes && is_class(label[i]);
        number[i] = !classes || isnan(label[i]) ? LEMAN_CLASS_MISSING : (int64_t)label[i];
    }
    return set_labels(m, path, rows, classes ? number : NULL, label);
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

static leman_status read_svmlight(leman_context *ctx, const char *path, size_t entries, leman_feature_matrix **out)
{
    AUTO(lm_svmlight_close) lm_svmlight reader = {0};
    AUTO(lm_svmlight_rows_free) lm_svmlight_rows rows = {0};
    AUTO(lm_vector_release) lm_vector label = {0};
    AUTO(leman_feature_matrix_drop) leman_feature_matrix *m = NULL;
    bool kernel = true;
    PASS(new_matrix(ctx, &(leman_feature_origin){0}, &m));
    PASS(lm_svmlight_open(ctx, path, 16 * entries, &reader));
    for (;;) {
        PASS(lm_svmlight_next(&reader, entries, &rows));
        if (!rows.end.count) break;
        kernel = kernel && counts_rows(&rows, label.count);
        PASS(lm_vector_append(ctx, &label, rows.label.items, rows.label.count, sizeof(double)));
        PASS(add_rows(m, &rows));
    }
    if (kernel && label.count > 1)
        return lm_fail(ctx, LEMAN_ERROR_INPUT,
                       "%s: found a precomputed kernel, whose index 0 counts the rows, expected features", path);
    lm_svmlight_rows_free(&rows); /* before the columns are merged */
    PASS(set_numbers(m, path, label.items, label.count));
    PASS(finish(m));
    return HAND_OVER(out, m);
}

/* ---- From an .lmf file ----------------------------------------------------------------------- */

/* Sets kernels to ignore labels that the data did not have, as those of a model of graphs do. */
static void ignore_missing_labels(leman_feature_origin *origin)
{
    for (size_t i = 0; i < origin->kernel_count; i++) {
        leman_coloring *c = &origin->kernel[i].coloring;
        c->ignore_vertex_labels = !origin->apex && (c->ignore_vertex_labels || !origin->vertex_labels);
        c->ignore_edge_labels = c->ignore_edge_labels || !origin->edge_labels;
    }
}

static leman_status read_features(leman_context *ctx, const char *path, size_t entries, leman_feature_matrix **out)
{
    AUTO(lm_feature_reader_close) lm_feature_reader reader = {0};
    AUTO(leman_feature_matrix_drop) leman_feature_matrix *m = NULL;
    PASS(lm_feature_reader_open(ctx, path, &reader));
    const leman_features *head = &reader.head;
    const bool known = head->feature && head->origin.kernel_count;
    PASS(new_matrix(ctx, known ? &head->origin : &(leman_feature_origin){0}, &m));
    ignore_missing_labels(&m->origin);
    for (;;) {
        AUTO(lm_features_clear) leman_features f = {0};
        PASS(lm_feature_reader_next(&reader, entries, &f));
        if (!f.rows) break;
        PASS(add_slice(m, &f, known ? head->feature : NULL));
    }
    PASS(set_labels(m, path, head->rows, head->class_label, head->target));
    PASS(finish(m));
    return HAND_OVER(out, m);
}

leman_status lm_feature_matrix_read(leman_context *ctx, const char *path, size_t entries, leman_feature_matrix **out)
{
    return (lm_feature_file_is(path) ? read_features : read_svmlight)(ctx, path, entries, out);
}

/* ---- Some rows ------------------------------------------------------------------------------- */

leman_status lm_feature_matrix_select(leman_context *ctx, const leman_feature_matrix *matrix, const size_t *row,
                                      size_t count, leman_feature_matrix **out)
{
    AUTO(leman_feature_matrix_drop) leman_feature_matrix *m = NULL;
    AUTO(lm_release_at) leman_feature *name = NULL;
    size_t at = 0;
    PASS(new_matrix(ctx, &matrix->origin, &m));
    PASS_NEW(ctx, name, matrix->store.map.columns);
    PASS(lm_column_map_names(&matrix->store.map, name));
    for (size_t i = 0; i < matrix->store.slices; i++) {
        AUTO(lm_features_clear) leman_features f = {0};
        size_t first, rows = 0, entries = 0;
        PASS(lm_feature_store_load(ctx, &matrix->store, i, &f, &first));
        for (; at < count && row[at] < first + f.rows; at++, rows++) { /* moves the rows to the beginning */
            const size_t from = f.start[row[at] - first], size = f.start[row[at] - first + 1] - from;
            memmove(f.column + entries, f.column + from, size * sizeof *f.column);
            memmove(f.value + entries, f.value + from, size * sizeof *f.value);
            f.start[rows] = entries;
            entries += size;
        }
        f.rows = rows;
        f.start[rows] = f.entries = entries;
        PASS(add_slice(m, &f, name));
    }
    PASS(leman_dataset_select(ctx, matrix->labels, count, row, &m->labels));
    PASS(finish(m));
    return HAND_OVER(out, m);
}

leman_status lm_feature_matrix_classes(leman_context *ctx, const leman_feature_matrix *m)
{
    if (m->labels->class_label) return LEMAN_OK;
    if (!m->labels->target)
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found features without classes, expected classes", m->labels->name);
    return lm_fail(ctx, LEMAN_ERROR_INPUT,
                   "%s: found labels that are not integers below 2^53, expected classes, or a target to fit",
                   m->labels->name);
}

/* ---- For the caller -------------------------------------------------------------------------- */

bool leman_feature_matrix_is(const char *path)
{
    return path && (lm_svmlight_is(path) || lm_feature_file_is(path));
}

leman_status leman_feature_matrix_read(leman_context *ctx, const char *path, leman_feature_matrix **out)
{
    REQUIRE(ctx, path, out);
    if (!leman_feature_matrix_is(path))
        return lm_fail(
            ctx, LEMAN_ERROR_ARGUMENT,
            "%s: found an ending that is no feature file, expected .lmf, or .svm, .svmlight or .libsvm, or .gz behind "
            "one of these three",
            path);
    const size_t entries = lm_budget(ctx) / ENTRY_BYTES;
    return lm_feature_matrix_read(ctx, path,
                                  entries > MAX_ENTRIES   ? MAX_ENTRIES
                                  : entries < MIN_ENTRIES ? MIN_ENTRIES
                                                          : entries,
                                  out);
}

const leman_dataset *leman_feature_matrix_labels(const leman_feature_matrix *m)
{
    return m ? m->labels : NULL;
}

void leman_feature_matrix_free(leman_feature_matrix *m)
{
    if (!m) return;
    lm_feature_store_close(&m->store);
    lm_origin_free(&m->origin);
    leman_dataset_free(m->labels);
    lm_release(m);
}
