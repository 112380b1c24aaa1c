/*
 * Features from the graphs to the file, a slice of the graphs at a time.
 *
 * Each slice is coloured once. Where it is all there is, it is written as it stands. Where rows can be written as they
 * come, that is columns that are fixed or folded in formats without a head, they are. Otherwise slices wait in a
 * temporary file (spill.h) until all columns are known.
 *
 * Memory: one slice of the graphs and of the features, 16 bytes a column of given ones; of a stream also names, classes
 * and targets of all graphs. Time: one refinement; a sort of every slice.
 */
#include "base/arguments.h"
#include "base/owned.h"
#include "base/ranks/ranks.h"
#include "io/archive/gzip.h"
#include "io/array/sparse_files.h"
#include "kernel/feature_file.h"
#include "kernel/feature_labels.h"
#include "kernel/feature_origin.h"
#include "kernel/features.h"
#include "kernel/spill.h"
#include <unistd.h>

/* Tuples in all rounds, of a slice: an entry is at most one of them, so a slice holds some tens of megabytes. With a
 * small budget it has fewer: SLICE_BYTES for each. */
static const uint64_t SLICE = UINT64_C(1) << 21, MIN_SLICE = UINT64_C(1) << 14, SLICE_BYTES = 64;

typedef struct saving {
    leman_context *ctx;
    const leman_dataset *data; /* NULL: the graphs are those of */
    leman_stream *stream;
    const char *target; /* of a stream */
    const leman_kernel *normal;
    size_t count;
    const leman_feature_options *options;
    uint64_t max; /* tuples of a slice */
    const char *path;
    leman_feature_origin origin;
    const leman_dataset *labels; /* of all rows, once they are known */
    leman_dataset *own_labels;   /* to be freed */
    lm_column_map map;           /* of new columns; of others where the file keeps their names */
    bool fresh;                  /* the columns are new */
    bool streams;                /* rows go to the file as they come */
    bool begun;
    leman_features first; /* the first slice, until there is another */
    lm_spill spill;       /* all of them; closed while there is one */
    lm_gzip file;
    lm_output keep;       /* where new columns go */
    lm_output table;      /* what columns mean */
    leman_features sizes; /* of all rows so far */
} saving;

/* How many entries the row of a graph can have at most; paths and graphlets by the pairs of vertices. */
static uint64_t max_entries(const leman_graph *graph, const leman_kernel *kernel)
{
    bool colors = kernel->kind == LEMAN_KERNEL_KIND_COLORS;
    return lm_saturating_multiply(lm_power(graph->vertices, colors ? kernel->k : 2), lm_kernel_blocks(kernel, false));
}

size_t lm_features_slice(const leman_dataset *data, const leman_kernel *normal, size_t count, uint64_t max,
                         size_t first)
{
    uint64_t sum = 0;
    for (size_t g = first; g < data->graphs; g++) {
        leman_graph graph = leman_dataset_graph(data, g);
        for (size_t i = 0; i < count; i++) sum = lm_saturating_add(sum, max_entries(&graph, normal + i));
        if (sum > max && g > first) return g;
    }
    return data->graphs;
}

/* Graphs first .. end - 1 as a data set; free it. */
static leman_status slice_of(leman_context *ctx, const leman_dataset *data, size_t first, size_t end,
                             leman_dataset **part)
{
    leman_status st = LEMAN_OK;
    size_t *which = NULL;
    NEW(ctx, which, end - first);
    for (size_t g = first; g < end; g++) which[g - first] = g;
    TRY(leman_dataset_select(ctx, data, end - first, which, part));
done:
    lm_free(ctx, which);
    return st;
}

/* ---- Slices ---------------------------------------------------------------------------------- */

/* The first slice tells what the columns are of. */
static leman_status begin(saving *s, const leman_dataset *data)
{
    leman_status st = LEMAN_OK;
    const leman_features *known = s->options->columns;
    s->begun = true;
    TRY(lm_origin_compute(s->ctx, data, s->normal, s->count, s->options->apex, &s->origin));
    if (!known || !known->origin.kernels) goto done;
    leman_feature_origin own = s->origin;
    s->origin = (leman_feature_origin){0};
    st = lm_origin_check(s->ctx, data, &known->origin, &own);
    lm_origin_free(s->ctx, &own);
    TRY(st);
    TRY(lm_origin_copy(s->ctx, &known->origin, &s->origin));
done:
    return st;
}

/* Slices wait in a file from the second on. */
static leman_status spill(saving *s, leman_features *f)
{
    leman_status st = LEMAN_OK;
    if (!s->spill.ctx) {
        TRY(lm_spill_open(s->ctx, s->path, s->fresh ? s->map.blocks : 0, &s->spill));
        TRY(lm_spill_add(&s->spill, &s->map, &s->first));
        lm_features_clear(s->ctx, &s->first);
    }
    TRY(lm_spill_add(&s->spill, &s->map, f));
done:
    return st;
}

/* Graphs first .. end - 1 of data. */
static leman_status save_slice(saving *s, const leman_dataset *data, size_t first, size_t end)
{
    leman_status st = LEMAN_OK;
    leman_dataset *part = NULL;
    leman_features f = {0};
    const bool only = !s->sizes.rows && !s->first.start, whole = !first && end == data->graphs;
    if (!whole) TRY(slice_of(s->ctx, data, first, end, &part));
    const leman_dataset *graphs = whole ? data : part;
    TRY(lm_features_of(s->ctx, graphs, s->normal, s->count, s->options, s->sizes.rows, &f));
    const leman_features sizes = f;
    if (lm_rank(s->ctx)) {
        /* rank 0 keeps the rows and writes them */
    } else if (s->streams) {
        TRY(lm_sparse_rows(s->path, &f, graphs, s->sizes.rows, s->file.text));
    } else if (only) {
        s->first = f;
        f = (leman_features){0};
    } else {
        TRY(spill(s, &f));
    }
    s->sizes.rows += sizes.rows;
    s->sizes.columns = sizes.columns;
    s->sizes.entries += sizes.entries;
    s->sizes.out_of_vocabulary += sizes.out_of_vocabulary;
done:
    lm_features_clear(s->ctx, &f);
    leman_dataset_free(part);
    return st;
}

static leman_status save_graphs(saving *s, const leman_dataset *data)
{
    leman_status st = LEMAN_OK;
    size_t first = 0;
    if (!s->begun) TRY(begin(s, data));
    do { /* at least once, so that the number of columns is known */
        size_t end = lm_features_slice(data, s->normal, s->count, s->max, first);
        TRY(save_slice(s, data, first, end));
        first = end;
    } while (first < data->graphs);
done:
    return st;
}

/* The labels of a stream are known at its end. */
static leman_status find_labels(saving *s)
{
    leman_status st = LEMAN_OK;
    size_t column;
    s->labels = s->data;
    if (s->stream) TRY(leman_stream_labels(s->stream, &s->labels));
    if (!s->target) goto done;
    TRY(leman_dataset_target_find(s->ctx, s->labels, s->target, &column));
    TRY(leman_dataset_use_target(s->ctx, s->labels, column, &s->own_labels));
    s->labels = s->own_labels;
done:
    return st;
}

static leman_status save_all(saving *s)
{
    leman_status st = LEMAN_OK;
    const leman_dataset *slice = s->data;
    if (s->stream) TRY(leman_stream_next(s->stream, &slice));
    do {
        TRY(save_graphs(s, slice));
        slice = NULL;
        if (s->stream) TRY(leman_stream_next(s->stream, &slice));
    } while (slice);
    TRY(find_labels(s));
    lm_trim_memory();
done:
    return st;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* The rows of one slice, with their labels. */
static leman_status write_text_rows(saving *s, const leman_features *rows, size_t first)
{
    leman_status st = LEMAN_OK;
    leman_features f = *rows;
    const leman_dataset *labels = s->labels;
    double *target = NULL;
    if (labels->class_label) f.class_label = (int64_t *)(uintptr_t)(labels->class_label + first);
    if (labels->target) {
        NEW(s->ctx, target, f.rows);
        for (size_t i = 0; i < f.rows; i++) target[i] = labels->target[(first + i) * labels->columns.targets];
        f.target = target;
    }
    TRY(lm_sparse_rows(s->path, &f, NULL, first, s->file.text));
done:
    lm_free(s->ctx, target);
    return st;
}

/* All rows, from memory or from where they wait. */
static leman_status write_rows(saving *s)
{
    leman_status st = LEMAN_OK;
    const bool spilled = s->spill.ctx != NULL, named = s->options->columns || !s->options->hash_bits;
    const leman_features *f = spilled ? &s->sizes : &s->first;
    const lm_sparse_parts parts = lm_spill_parts(&s->spill), *from = spilled ? &parts : NULL;
    const lm_column_labels labels = {&s->map, s->origin.kernels, s->normal};
    if (lm_feature_file_is(s->path))
        return lm_feature_matrix_put(s->file.text, f, from, &s->origin, named ? &s->map : NULL, s->labels);
    if (lm_path_ends(s->path, ".npz")) {
        lm_progress_begin(s->ctx, f->entries, "writing %s", s->path);
        return lm_sparse_npz(f, from, s->labels, named ? lm_column_arrays : NULL, &labels, s->file.text);
    }
    TRY(lm_sparse_head(s->path, f, s->file.text));
    if (!spilled) return write_text_rows(s, f, 0);
    for (size_t i = 0; i < s->spill.slices; i++) {
        size_t first;
        TRY(lm_spill_read(&s->spill, i, &f, &first));
        TRY(write_text_rows(s, f, first));
    }
done:
    return st;
}

/* ---- The file -------------------------------------------------------------------------------- */

static leman_status compute(saving *s)
{
    leman_status st = LEMAN_OK;
    const leman_features *known = s->options->columns;
    s->fresh = !known && !s->options->hash_bits;
    s->streams = s->data && !s->fresh && lm_sparse_streams(s->path, false);
    if (known) TRY(lm_column_map_view(s->ctx, known, &s->map));
    if (s->fresh) TRY(lm_column_map_new(s->ctx, s->normal, s->count, &s->map));
    TRY(save_all(s));
    if (lm_rank(s->ctx)) goto done;
    if (s->fresh && s->spill.ctx) {
        TRY(lm_spill_merge(&s->spill, s->labels->name, &s->map));
        s->sizes.columns = s->map.columns;
    } else if (s->fresh) {
        lm_column_map_free(s->ctx, &s->map);
        TRY(lm_column_map_view(s->ctx, &s->first, &s->map));
    }
    if (s->keep.open) TRY(lm_feature_columns_put(&s->keep, &s->origin, &s->map));
    if (s->table.open) TRY(lm_column_table(&(lm_column_labels){&s->map, s->origin.kernels, s->normal}, &s->table));
    if (!s->options->hash_bits)
        TRY(lm_column_blocks(s->ctx, s->normal, s->count, s->fresh && s->spill.ctx ? &s->map : NULL,
                             known ? known : &s->first, &s->sizes));
    if (!s->streams) TRY(write_rows(s));
done:
    return st;
}

/* What rank 0 knows about all rows. */
static leman_status share_sizes(saving *s)
{
    leman_status st = LEMAN_OK;
    leman_features *f = &s->sizes;
    size_t number[] = {f->rows, f->columns, f->entries, (size_t)f->out_of_vocabulary}, bytes = sizeof number;
    size_t size = f->blocks * sizeof *f->block;
    void *numbers = number, *block = f->block;
    if (!lm_has_ranks(s->ctx)) goto done;
    TRY(lm_ranks_broadcast(s->ctx, &numbers, &bytes));
    TRY(lm_ranks_broadcast(s->ctx, &block, &size));
    memcpy(number, numbers, sizeof number);
    f->rows = number[0];
    f->columns = number[1];
    f->entries = number[2];
    f->out_of_vocabulary = number[3];
    if (!size && lm_rank(s->ctx)) {
        lm_free(s->ctx, block);
        block = NULL;
    }
    f->block = block;
    f->blocks = size / sizeof *f->block;
done:
    if (numbers != number) lm_free(s->ctx, numbers);
    return st;
}

/* All files appear, or none. */
static leman_status commit(saving *s)
{
    leman_status st = LEMAN_OK;
    bool kept = false, described = false;
    if (s->keep.open) {
        TRY(lm_output_commit(&s->keep));
        kept = true;
    }
    if (s->table.open) {
        TRY(lm_output_commit(&s->table));
        described = true;
    }
    TRY(lm_gzip_commit(&s->file));
done:
    if (st && kept) unlink(s->options->keep);
    if (st && described) unlink(s->options->column_table);
    return st;
}

static leman_status run(saving *s, leman_features *out)
{
    leman_status st = LEMAN_OK;
    leman_context *ctx = s->ctx;
    TRY(lm_gzip_open(ctx, s->path, &s->file));
    if (s->options->keep) TRY(lm_output_open(ctx, s->options->keep, &s->keep));
    if (s->options->column_table) TRY(lm_output_open(ctx, s->options->column_table, &s->table));
    TRY(compute(s));
    TRY(share_sizes(s));
    TRY(commit(s));
    s->sizes.origin = s->origin;
    s->origin = (leman_feature_origin){0};
    *out = s->sizes;
    s->sizes.block = NULL;
done:
    lm_output_abort(&s->keep);
    lm_output_abort(&s->table);
    lm_gzip_abort(&s->file);
    lm_spill_close(&s->spill);
    lm_features_clear(ctx, &s->first);
    leman_dataset_free(s->own_labels);
    lm_free(ctx, s->sizes.block);
    lm_column_map_free(ctx, &s->map);
    lm_origin_free(ctx, &s->origin);
    return st;
}

leman_status lm_features_stream(leman_context *ctx, const leman_dataset *data, const leman_kernel *normal, size_t count,
                                const leman_feature_options *options, uint64_t max, const char *path,
                                leman_features *out)
{
    saving s = {
        .ctx = ctx, .data = data, .normal = normal, .count = count, .options = options, .max = max, .path = path};
    return run(&s, out);
}

/* ---- For the caller -------------------------------------------------------------------------- */

/* The features of *s, whose kernels are in normal form; *out, where it is not NULL, gets what has no rows. */
static leman_status save(saving s, leman_features **out)
{
    leman_status st = LEMAN_OK;
    leman_context *ctx = s.ctx;
    leman_features sizes = {0};
    leman_features *object = NULL;
    const uint64_t max = lm_budget(ctx) / SLICE_BYTES;
    s.max = max > SLICE ? SLICE : max < MIN_SLICE ? MIN_SLICE : max;
    lm_ranks_begin(ctx);
    TRY(lm_ranks_min(ctx, &s.max));
    if (out) OWNED(ctx, object); /* before there is a file: nothing can fail once it is there */
    st = run(&s, &sizes);
    if (st == LEMAN_ERROR_BUDGET && !s.options->hash_bits)
        FAIL(ctx, st, "%s; fewer rounds, a smaller k or hashed columns need less", ctx->message);
    TRY(st);
    if (s.stream) TRY(leman_stream_labels(s.stream, &s.data));
    lm_features_log(ctx, s.data, &sizes);
done:
    st = lm_ranks_end(ctx, st);
    if (!st && out) {
        *object = sizes;
        sizes = (leman_features){0};
        *out = object;
        object = NULL;
    }
    lm_features_clear(ctx, &sizes);
    leman_features_free(object);
    return st;
}

static leman_status check_saving(leman_context *ctx, const leman_kernel *kernels, const char *path,
                                 const leman_feature_options *asked, leman_feature_options *options)
{
    leman_status st = LEMAN_OK;
    REQUIRE(ctx, kernels);
    TRY(leman_features_check(ctx, path));
    TRY(lm_options_copy(ctx, "leman_feature_options", asked, options, sizeof *options));
    if (options->column_table && options->hash_bits)
        FAIL(ctx, LEMAN_ERROR_ARGUMENT,
             "leman_feature_options: found column_table and hash_bits, expected one of them");
done:
    return st;
}

leman_status leman_features_save(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels,
                                 size_t count, const leman_feature_options *asked, const char *path,
                                 leman_features **out)
{
    leman_status st = LEMAN_OK;
    leman_feature_options options = leman_feature_options_default();
    leman_kernel *normal;
    REQUIRE(ctx, data);
    TRY(check_saving(ctx, kernels, path, asked, &options));
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    st = lm_features_prepare_for(ctx, data, kernels, count, &options, &normal);
    saving s = {.ctx = ctx, .data = data, .normal = normal, .count = count, .options = &options, .path = path};
    if (!st) st = save(s, out);
    lm_arena_reset(&ctx->scratch, mark);
done:
    return st;
}

/* What a stream cannot do, since it takes all graphs. */
static leman_status check_stream(leman_context *ctx, const leman_kernel *kernels, size_t count,
                                 const leman_feature_options *options)
{
    leman_status st = LEMAN_OK;
    for (size_t i = 0; i < count; i++)
        if (kernels[i].kind == LEMAN_KERNEL_KIND_COLORS && kernels[i].rounds == LEMAN_STABLE)
            FAIL(ctx, LEMAN_ERROR_ARGUMENT,
                 "found rounds until nothing splits, expected a number of them for a stream");
    if (options->apex) FAIL(ctx, LEMAN_ERROR_ARGUMENT, "found apex, expected a stream as it is read");
done:
    return st;
}

leman_status leman_features_save_stream(leman_context *ctx, leman_stream *stream, const leman_kernel *kernels,
                                        size_t count, const leman_feature_options *asked, const char *target,
                                        const char *path, leman_features **out)
{
    leman_status st = LEMAN_OK;
    leman_feature_options options = leman_feature_options_default();
    leman_kernel *copy, *normal = NULL;
    REQUIRE(ctx, stream);
    TRY(check_saving(ctx, kernels, path, asked, &options));
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    st = lm_kernels_copy(ctx, kernels, count, &copy);
    if (!st) st = check_stream(ctx, copy, count, &options);
    if (!st) st = lm_features_prepare(ctx, copy, count, &options, &normal);
    saving s = {.ctx = ctx,
                .stream = stream,
                .target = target,
                .normal = normal,
                .count = count,
                .options = &options,
                .path = path};
    if (!st) st = save(s, out);
    lm_arena_reset(&ctx->scratch, mark);
done:
    return st;
}
