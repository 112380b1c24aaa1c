/*
 * Features from the graphs to the file, a slice of the graphs at a time.
 *
 * Each slice is coloured once. Where it is all there is, it is written as it stands. Where rows can be written as they
 * come, that is columns that are fixed or folded in formats without a head, they are. Otherwise slices wait in a
 * temporary file (spill.h) until all columns are known.
 *
 * Memory: for each thread a slice of the graphs and of the features; 16 bytes a column of given ones; of a stream also
 * names, classes and targets of all graphs. Time: one refinement; a sort of every slice.
 */
#include "base/arguments.h"
#include "base/device_name.h"
#include "base/owned.h"
#include "base/ranks/ranks.h"
#include "base/thread_pool.h"
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
    bool on_cpu;  /* devices have no part in it */
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

/* A slice on its way: graphs first .. end - 1 of data, and their features. */
typedef struct feature_slice {
    size_t first, end;
    leman_dataset *part; /* NULL: all of data */
    leman_features f;
} feature_slice;

typedef struct slices {
    saving *s;
    const leman_dataset *data;
    feature_slice *slice; /* [count] */
    size_t count;
} slices;

static leman_status compute_slice(leman_context *ctx, const slices *now, feature_slice *one)
{
    leman_status st = LEMAN_OK;
    saving *s = now->s;
    const size_t row = s->sizes.rows + one->first - now->slice->first;
    if (one->first || one->end < now->data->graphs) TRY(slice_of(ctx, now->data, one->first, one->end, &one->part));
    TRY(lm_features_of(ctx, one->part ? one->part : now->data, s->normal, s->count, s->options, row, &one->f));
done:
    return st;
}

static leman_status slice_task(lm_worker *worker, void *state, size_t item)
{
    leman_status st = LEMAN_OK;
    slices *now = state;
    feature_slice *one = now->slice + item;
    worker->ctx->settings.threads = worker->threads;
    TRY(compute_slice(worker->ctx, now, one));
    TRY(lm_worker_advance(worker, one->end - one->first));
done:
    return st;
}

/* The rows of a slice go where they belong, behind those of the slices before it. */
static leman_status keep_slice(saving *s, const leman_dataset *data, feature_slice *one)
{
    leman_status st = LEMAN_OK;
    const leman_features sizes = one->f;
    if (lm_rank(s->ctx)) {
        /* rank 0 keeps the rows and writes them */
    } else if (s->streams) {
        TRY(lm_sparse_rows(s->path, &one->f, one->part ? one->part : data, s->sizes.rows, s->file.text));
    } else if (!s->sizes.rows && !s->first.start) {
        s->first = one->f;
        one->f = (leman_features){0};
    } else {
        TRY(spill(s, &one->f));
    }
    s->sizes.rows += sizes.rows;
    s->sizes.columns = sizes.columns;
    s->sizes.entries += sizes.entries;
    s->sizes.out_of_vocabulary += sizes.out_of_vocabulary;
done:
    return st;
}

/* Threads share the graphs of a slice; or slices, where they have many graphs each: then no step is left to one thread
 * alone. */
static bool takes_part(const saving *s, const feature_slice *one)
{
    enum { MANY = 16 };
    /* which feature without a column is refused must not depend on who is first */
    return one->end - one->first >= MANY && s->on_cpu && !lm_has_ranks(s->ctx) && !s->options->refuse_out_of_vocabulary;
}

static leman_status save_slices(slices *now, const uint64_t *equal)
{
    leman_status st = LEMAN_OK;
    saving *s = now->s;
    leman_context *ctx = s->ctx;
    if (now->count > 1) {
        lm_progress_begin(ctx, now->slice[now->count - 1].end - now->slice->first, "colouring %s", now->data->name);
        TRY(lm_thread_pool_run(ctx, equal, now->count, 0, slice_task, now));
    } else {
        TRY(compute_slice(ctx, now, now->slice));
    }
    for (size_t i = 0; i < now->count; i++) TRY(keep_slice(s, now->data, now->slice + i));
done:
    for (size_t i = 0; i < now->count; i++) {
        lm_features_clear(ctx, &now->slice[i].f);
        leman_dataset_free(now->slice[i].part);
        now->slice[i] = (feature_slice){0};
    }
    return st;
}

static leman_status save_graphs(saving *s, const leman_dataset *data)
{
    leman_status st = LEMAN_OK;
    const size_t most = (size_t)lm_thread_pool_workers(s->ctx);
    lm_arena_mark mark = lm_arena_now(&s->ctx->scratch);
    slices now = {.s = s, .data = data};
    uint64_t *equal;
    size_t first = 0;
    SCRATCH(s->ctx, now.slice, most);
    SCRATCH(s->ctx, equal, most);
    memset(now.slice, 0, most * sizeof *now.slice);
    memset(equal, 0, most * sizeof *equal);
    if (!s->begun) TRY(begin(s, data));
    do { /* at least once, so that the number of columns is known */
        feature_slice *last;
        now.count = 0;
        do {
            last = now.slice + now.count++;
            *last = (feature_slice){.first = first};
            first = last->end = lm_features_slice(data, s->normal, s->count, s->max, first);
        } while (now.count < most && first < data->graphs && takes_part(s, last));
        TRY(save_slices(&now, equal));
    } while (first < data->graphs);
done:
    lm_arena_reset(&s->ctx->scratch, mark);
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

/* Rows with their labels: those from `first` on, to an output. */
typedef struct text_rows {
    const saving *s;
    const leman_features *rows;
    size_t first;
} text_rows;

static leman_status write_text_rows(leman_context *ctx, void *user, lm_output *out)
{
    leman_status st = LEMAN_OK;
    const text_rows *t = user;
    const leman_dataset *labels = t->s->labels;
    leman_features f = *t->rows;
    double *target = NULL;
    if (labels->class_label) f.class_label = (int64_t *)(uintptr_t)(labels->class_label + t->first);
    if (labels->target) {
        NEW(ctx, target, f.rows);
        for (size_t i = 0; i < f.rows; i++) target[i] = labels->target[(t->first + i) * labels->columns.targets];
        f.target = target;
    }
    TRY(lm_sparse_rows(t->s->path, &f, NULL, t->first, out));
done:
    lm_free(ctx, target);
    return st;
}

/* The text of slices `next` .. of the spill, as many as there are threads. */
typedef struct texts {
    saving *s;
    size_t next;
    lm_vector *text; /* [threads] */
} texts;

static leman_status text_task(lm_worker *worker, void *state, size_t item)
{
    leman_status st = LEMAN_OK;
    texts *now = state;
    leman_context *ctx = worker->ctx;
    leman_features f = {0};
    text_rows rows = {.s = now->s, .rows = &f};
    TRY(lm_spill_load(ctx, &now->s->spill, now->next + item, &f, &rows.first));
    TRY(lm_output_in_memory(ctx, now->s->path, write_text_rows, &rows, now->text + item));
    TRY(lm_worker_advance(worker, f.entries));
done:
    lm_features_clear(ctx, &f);
    return st;
}

/* Threads make the text of slices, which goes to the file in order. */
static leman_status write_slices(saving *s)
{
    leman_status st = LEMAN_OK;
    leman_context *ctx = s->ctx;
    const size_t most = (size_t)lm_thread_pool_workers(ctx);
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    texts now = {.s = s};
    uint64_t *equal;
    SCRATCH(ctx, equal, most);
    memset(equal, 0, most * sizeof *equal);
    SCRATCH(ctx, now.text, most);
    memset(now.text, 0, most * sizeof *now.text);
    lm_progress_begin(ctx, s->spill.entries, "writing %s", s->path);
    while (now.next < s->spill.slices) {
        const size_t left = s->spill.slices - now.next, count = left < most ? left : most;
        TRY(lm_thread_pool_run(ctx, equal, count, 0, text_task, &now));
        now.next += count;
        for (size_t i = 0; i < count; i++) {
            TRY(lm_output_write(s->file.text, now.text[i].items, now.text[i].count));
            now.text[i].count = 0;
        }
    }
done:
    for (size_t i = 0; i < most && now.text; i++) lm_vector_free(ctx, now.text + i);
    lm_arena_reset(&ctx->scratch, mark);
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
    if (spilled) return write_slices(s);
    return write_text_rows(s->ctx, &(text_rows){s, f, 0}, s->file.text);
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
    lm_device_choice choice;
    TRY(lm_device_name_parse(ctx, ctx->settings.device, &choice));
    s->on_cpu = choice.kind == LM_DEVICE_CPU;
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
    const uint64_t max = lm_budget(ctx) / SLICE_BYTES / (uint64_t)lm_thread_pool_workers(ctx);
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
