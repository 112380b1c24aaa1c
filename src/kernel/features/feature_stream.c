/*
 * Saving features, from the graphs to the file, one slice of the graphs at a time.
 *
 * Each slice is coloured once. If there is only one slice, it is written directly. If columns are fixed or folded and
 * the format has no header, rows are written as they are computed. Otherwise slices are kept (feature_store.h), in a
 * temporary file if memory is short, until all columns are known.
 *
 * Memory: for each thread one slice of the graphs and of the features; a quarter of the remaining budget for kept
 * slices; 16 bytes for each given column; for a stream also the names, classes and targets of all graphs. Time: one
 * refinement, and a sort of every slice.
 */
#include "base/arguments.h"
#include "base/context.h"
#include "base/drop.h"
#include "base/ranks/ranks.h"
#include "base/thread_pool.h"
#include "graph/same_work.h"
#include "io/array/sparse_files.h"
#include "kernel/features/feature_file.h"
#include "kernel/features/feature_labels.h"
#include "kernel/features/features.h"
#include "kernel/features/rank_columns.h"
#include "kernel/features/saving.h"
#include <unistd.h>

/* Limits of the tuples of a slice in all rounds. A slice has at most as many entries as tuples, so it takes some ten
 * megabytes. With a small budget a slice has fewer tuples: SLICE_BYTES of the budget for each. */
static const uint64_t SLICE = UINT64_C(1) << 20, MIN_SLICE = UINT64_C(1) << 14, SLICE_BYTES = 64;

/* An upper bound of the entries of a graph's row; for paths, graphlets and trees by the pairs of vertices, for kernels of
 * a radius by those of every round or radius. */
static uint64_t max_entries(const leman_graph *graph, const leman_kernel *kernel)
{
    static const unsigned PAIRS = 2;
    const bool colors = kernel->kind == LEMAN_KERNEL_KIND_COLORS, trees = kernel->kind == LEMAN_KERNEL_KIND_TREES;
    const unsigned k = kernel->kind == LEMAN_KERNEL_KIND_PROPAGATION ? 1 : colors ? kernel->coloring.k : PAIRS;
    const uint64_t radii = lm_kernel_has_radius(kernel) && !trees ? kernel->radius + UINT64_C(1) : 1;
    const uint64_t once = lm_saturating_multiply(lm_power(graph->vertices, k), radii * lm_kernel_blocks(kernel, false));
    return lm_saturating_multiply(once, kernel->binnings ? kernel->binnings : 1);
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

uint64_t lm_features_slice_max(const leman_context *ctx, int at_once)
{
    const uint64_t max = lm_budget(ctx) / SLICE_BYTES / (uint64_t)at_once;
    return max > SLICE ? SLICE : max < MIN_SLICE ? MIN_SLICE : max;
}

/* Bytes of finished slices that may stay in memory: a quarter of the budget that the slices in progress leave free. */
static uint64_t spill_memory(const leman_context *ctx, uint64_t max, int at_once)
{
    const uint64_t budget = lm_budget(ctx), slices = lm_saturating_multiply((uint64_t)at_once * SLICE_BYTES, max);
    return budget > slices ? (budget - slices) / 4 : 0;
}

/* ---- Slices ---------------------------------------------------------------------------------- */

/* Opens the file of the store, so that several slices can be kept. */
static leman_status open_store(lm_saving *s)
{
    return lm_feature_store_open(&s->store, s->path, spill_memory(s->ctx, s->max, lm_thread_pool_workers(s->ctx)));
}

/* A slice in progress: graphs first .. end - 1 of data, and their features. */
typedef struct feature_slice {
    size_t first, end, row; /* row: the row of the first graph */
    leman_dataset part;     /* these graphs */
    leman_features f;
    bool stored; /* the features are packed in the store, as `waits`; f has only their sizes */
    lm_store_slice waits;
} feature_slice;

typedef struct slices {
    lm_saving *s;
    const leman_dataset *data;
    feature_slice *slice; /* [count] */
    size_t count;
} slices;

static leman_status compute_slice(leman_context *ctx, const slices *now, feature_slice *one)
{
    lm_saving *s = now->s;
    one->part = lm_dataset_range(now->data, one->first, one->end);
    PASS(lm_features_of(ctx, &one->part, s->normal, s->count, s->options, one->row, &one->f));
    if (!s->store.file.open) return LEMAN_OK;
    PASS(lm_feature_store_pack(ctx, &s->store, &one->f, &one->waits));
    one->stored = true;
    const leman_features sizes = {.rows = one->f.rows,
                                  .columns = one->f.columns,
                                  .entries = one->f.entries,
                                  .out_of_vocabulary = one->f.out_of_vocabulary};
    lm_features_clear(&one->f);
    one->f = sizes;
    return LEMAN_OK;
}

static leman_status compute_task(lm_worker *worker, void *state, size_t item)
{
    slices *now = state;
    feature_slice *one = now->slice + item;
    worker->ctx->settings.threads = worker->threads;
    lm_worker_stops_with_pool(worker);
    PASS(compute_slice(worker->ctx, now, one));
    return lm_worker_advance(worker, one->end - one->first);
}

/* Passes on the rows of a slice, after those of the slices before: to the store or the file. */
static leman_status keep_slice(lm_saving *s, feature_slice *one)
{
    const leman_features sizes = one->f;
    if (one->stored) {
        if (s->dealt) PASS(lm_vector_append(s->ctx, &s->row, &one->row, 1, sizeof one->row));
        PASS(lm_feature_store_append(&s->store, &one->waits));
    } else if (lm_rank(s->ctx)) {
        /* rank 0 has these rows too and writes them */
    } else if (s->streams) {
        PASS(lm_sparse_rows(s->path, &one->f, &one->part, one->row, s->file.text));
    } else { /* the only slice so far */
        PASS(lm_feature_store_add(&s->store, &one->f));
    }
    s->sizes.rows += sizes.rows;
    s->sizes.columns = sizes.columns;
    s->sizes.entries += sizes.entries;
    s->sizes.out_of_vocabulary += sizes.out_of_vocabulary;
    return LEMAN_OK;
}

/* Is a slice computed by one thread, beside other slices? Slices of many graphs are, so that no step is left to a
 * single thread; for other slices all threads share the graphs. */
static bool takes_part(const lm_saving *s, const feature_slice *one)
{
    enum { MANY = 16 };
    /* which feature without a column is reported must not depend on the order of the threads */
    return one->end - one->first >= MANY && s->on_cpu && (s->dealt || !lm_has_ranks(s->ctx)) &&
           !s->options->refuse_out_of_vocabulary;
}

static leman_status save_slices(slices *now)
{
    leman_status st = LEMAN_OK;
    lm_saving *s = now->s;
    leman_context *ctx = s->ctx;
    if (!now->count) goto done;
    const bool waits = !s->streams && !lm_rank(ctx) && (now->count > 1 || s->store.slices);
    if (waits && !s->store.file.open) TRY(open_store(s));
    if (now->count > 1 || s->dealt) { /* the contexts of workers have no ranks */
        lm_progress_begin(ctx, now->slice[now->count - 1].end - now->slice->first, "colouring %s", now->data->name);
        TRY(lm_progress_poll(ctx)); /* batches are short: the caller's progress function is called between them */
        TRY(lm_thread_pool_run(ctx, NULL, now->count, now->count == 1, compute_task, now));
    } else {
        TRY(compute_slice(ctx, now, now->slice));
    }
    for (size_t i = 0; i < now->count; i++) TRY(keep_slice(s, now->slice + i));
done:
    for (size_t i = 0; i < now->count; i++) {
        lm_features_clear(&now->slice[i].f);
        now->slice[i] = (feature_slice){0};
    }
    return st;
}

/* The limit of tuples of the next slice. Dealt slices begin small, so that few graphs suffice for all ranks. */
static uint64_t next_limit(const lm_saving *s)
{
    enum { EQUAL = 4, DOUBLINGS = 16 };
    const size_t doublings = s->slices / (EQUAL * lm_rank_count(s->ctx));
    const uint64_t limit = doublings < DOUBLINGS ? MIN_SLICE << doublings : UINT64_MAX;
    return s->dealt && limit < s->max ? limit : s->max;
}

/* Is the next slice assigned to this rank? */
static bool is_own(const lm_saving *s, const feature_slice *next)
{
    if (!s->dealt) return true;
    const bool own = s->slices % lm_rank_count(s->ctx) == lm_rank(s->ctx);
    if (own) s->ctx->ranks.traffic.work += next->end - next->first;
    return own;
}

static leman_status save_graphs(lm_saving *s, const leman_dataset *data)
{
    enum {
        EACH = 8
    }; /* slices of each thread before threads are joined, if slices are stored and memory is not short */
    const size_t workers = (size_t)lm_thread_pool_workers(s->ctx),
                 most = workers > 1 && !s->streams && s->max >= SLICE ? EACH * workers : workers;
    SCRATCH_SCOPE(s->ctx);
    slices now = {.s = s, .data = data};
    size_t first = 0;
    PASS_SCRATCH_ZERO(s->ctx, now.slice, most);
    if (!s->sizes.origin.kernels) /* the first slice */
        PASS(lm_origin_of_columns(s->ctx, data, s->normal, s->count, s->options, &s->sizes.origin));
    do { /* at least once, so that the number of columns becomes known */
        bool more;
        now.count = 0;
        do {
            feature_slice next = {.first = first, .row = s->all_rows};
            next.end = lm_features_slice(data, s->normal, s->count, next_limit(s), first);
            more = takes_part(s, &next);
            if (now.count && !more) break; /* large graphs get all threads */
            if (is_own(s, &next)) now.slice[now.count++] = next;
            first = next.end;
            s->all_rows += next.end - next.first;
            s->slices++;
        } while (more && now.count < most && first < data->graphs);
        PASS(save_slices(&now));
    } while (first < data->graphs);
    return LEMAN_OK;
}

/* Finds the labels of all rows. Those of a stream are known at its end. */
static leman_status find_labels(lm_saving *s)
{
    size_t column;
    s->labels = s->data;
    if (s->stream) PASS(leman_stream_labels(s->stream, &s->labels));
    if (s->stream) PASS(lm_ranks_same_graphs(s->ctx, s->labels));
    if (!s->target) return LEMAN_OK;
    PASS(leman_dataset_target_find(s->ctx, s->labels, s->target, &column));
    PASS(leman_dataset_use_target(s->ctx, s->labels, column, &s->own_labels));
    s->labels = s->own_labels;
    return LEMAN_OK;
}

/* Reads the next slice of the stream. All ranks read the whole stream, and check that they read the same graphs. */
static leman_status next_slice(lm_saving *s, const leman_dataset **slice)
{
    leman_status st = leman_stream_next(s->stream, slice);
    return st ? st : lm_ranks_same_graphs(s->ctx, *slice);
}

static leman_status save_all(lm_saving *s)
{
    const leman_dataset *slice = s->data;
    if (s->stream) PASS(next_slice(s, &slice));
    do {
        PASS(save_graphs(s, slice));
        slice = NULL;
        if (s->stream) PASS(next_slice(s, &slice));
    } while (slice);
    PASS(find_labels(s));
    lm_trim_memory();
    return LEMAN_OK;
}

/* ---- The file -------------------------------------------------------------------------------- */

/* Gives the slices of this rank the columns of all ranks, and sums the sizes of all ranks. */
static leman_status join_ranks(lm_saving *s)
{
    leman_features *f = &s->sizes;
    uint64_t columns = f->columns, sum[] = {f->rows, f->entries, f->out_of_vocabulary};
    if (s->store.fresh) {
        PASS(lm_feature_store_merge(&s->store, s->labels->name, true));
        PASS(lm_rank_columns_merge(s->ctx, s->labels->name, &s->store.file, &s->store.map, &s->place));
        columns = s->store.map.columns;
    }
    PASS(lm_ranks_max(s->ctx, &columns)); /* 0 on a rank without a slice */
    PASS(lm_ranks_sum(s->ctx, LM_UINT64, sum, 3));
    f->columns = (size_t)columns;
    f->rows = (size_t)sum[0];
    f->entries = (size_t)sum[1];
    f->out_of_vocabulary = sum[2];
    return LEMAN_OK;
}

/* Numbers new columns if all slices are on this rank. */
static leman_status number_columns(lm_saving *s)
{
    const bool keys = s->keep.open || s->table.open || !lm_sparse_streams(s->path, true); /* text files have no keys */
    if (!s->store.fresh || s->dealt) return LEMAN_OK;
    PASS(lm_feature_store_merge(&s->store, s->labels->name, keys));
    s->sizes.columns = s->store.map.columns;
    return LEMAN_OK;
}

/* Writes the files about the columns; only on rank 0. */
static leman_status write_columns(lm_saving *s)
{
    const lm_column_map *map = &s->store.map;
    if (s->keep.open) PASS(lm_feature_columns_put(&s->keep, &s->sizes.origin, map));
    const lm_column_labels labels = {map, s->sizes.origin.kernels, s->normal, s->options->column_text};
    if (s->table.open) PASS(lm_column_table(&labels, &s->table));
    if (s->options->hash_bits) return LEMAN_OK;
    return lm_column_blocks(s->ctx, s->normal, s->count, s->store.fresh ? map : NULL, s->options->columns, &s->sizes);
}

static leman_status compute(lm_saving *s)
{
    const leman_features *known = s->options->columns;
    s->store = (lm_feature_store){.ctx = s->ctx, .fresh = !known && !s->options->hash_bits};
    /* uncompressed text can be written in any order; which feature is reported must not depend on the ranks */
    s->dealt = lm_has_ranks(s->ctx) && lm_sparse_streams(s->path, true) && !lm_path_ends(s->path, ".gz") &&
               !s->options->refuse_out_of_vocabulary;
    s->streams = s->data && !s->store.fresh && !s->dealt && lm_sparse_streams(s->path, false);
    if (known) PASS(lm_column_map_view(s->ctx, known, &s->store.map));
    if (s->store.fresh) PASS(lm_column_map_new(s->ctx, s->normal, s->count, false, &s->store.map));
    if (s->dealt) PASS(open_store(s));
    PASS(save_all(s));
    if (s->dealt) PASS(join_ranks(s));
    if (!lm_rank(s->ctx)) {
        PASS(number_columns(s));
        PASS(write_columns(s));
    }
    if (s->dealt || (!lm_rank(s->ctx) && !s->streams)) PASS(lm_saving_write(s));
    return LEMAN_OK;
}

/* Sends the sizes of all rows from rank 0 to all ranks. */
static leman_status share_sizes(lm_saving *s)
{
    leman_features *f = &s->sizes;
    uint64_t number[] = {f->rows, f->columns, f->entries, f->out_of_vocabulary};
    size_t size = f->blocks * sizeof *f->block;
    void *block = f->block;
    if (lm_rank(s->ctx)) memset(number, 0, sizeof number); /* the sum is the numbers of rank 0 */
    PASS(lm_ranks_sum(s->ctx, LM_UINT64, number, 4));
    PASS(lm_ranks_broadcast(s->ctx, &block, &size));
    f->rows = number[0];
    f->columns = number[1];
    f->entries = number[2];
    f->out_of_vocabulary = number[3];
    if (!size && lm_rank(s->ctx)) {
        lm_release(block);
        block = NULL;
    }
    f->block = block;
    f->blocks = size / sizeof *f->block;
    return LEMAN_OK;
}

/* Makes all files appear, or none. */
static leman_status commit(lm_saving *s)
{
    leman_status st = LEMAN_OK;
    bool kept = false, described = false;
    if (s->keep.open) {
        TRY(lm_output_commit_new(&s->keep));
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

static void end_saving(lm_saving *s)
{
    lm_output_abort(&s->keep);
    lm_output_abort(&s->table);
    lm_gzip_abort(&s->file);
    lm_feature_store_close(&s->store);
    lm_vector_release(&s->row);
    lm_release(s->place);
    leman_dataset_free(s->own_labels);
    lm_features_clear(&s->sizes);
}

leman_status lm_saving_run(const lm_saving *asked, leman_features *out)
{
    AUTO(end_saving) lm_saving s = *asked;
    bool device;
    PASS(lm_kernels_want_device(s.ctx, s.normal, s.count, &device));
    s.on_cpu = !device;
    PASS(lm_gzip_open(s.ctx, s.path, &s.file));
    if (s.options->keep) PASS(lm_output_open(s.ctx, s.options->keep, &s.keep));
    if (s.options->column_table) PASS(lm_output_open(s.ctx, s.options->column_table, &s.table));
    PASS(compute(&s));
    PASS(share_sizes(&s));
    PASS(commit(&s));
    return HAND_OVER(out, s.sizes);
}

/* ---- For the caller -------------------------------------------------------------------------- */

/* Saves features; *sizes gets all members that have no rows. */
static leman_status save(lm_saving *s, const leman_kernel *kernels, leman_features *sizes)
{
    leman_context *ctx = s->ctx;
    leman_kernel *normal;
    PASS(lm_features_prepare_for(ctx, s->data, kernels, s->count, s->options, &normal));
    s->normal = normal;
    s->max = lm_features_slice_max(ctx, lm_thread_pool_workers(ctx));
    PASS(lm_ranks_min(ctx, &s->max));
    if (s->max / lm_rank_count(ctx) > MIN_SLICE) s->max /= lm_rank_count(ctx); /* enough slices for all ranks */
    const leman_status st = lm_saving_run(s, sizes);
    if (st == LEMAN_ERROR_BUDGET && !s->options->hash_bits)
        return lm_fail(ctx, st, "%s; fewer rounds, a smaller k or hashed columns need less", ctx->message);
    PASS(st);
    if (s->stream) PASS(leman_stream_labels(s->stream, &s->data));
    lm_features_log(ctx, s->data, sizes);
    return LEMAN_OK;
}

static leman_status check_saving(leman_context *ctx, const leman_kernel *kernels, const char *path,
                                 const leman_feature_options *asked, leman_feature_options *options)
{
    REQUIRE(ctx, kernels);
    PASS(leman_features_check(ctx, path));
    PASS(lm_options_copy(ctx, "leman_feature_options", asked, options, sizeof *options));
    if (options->column_table && options->hash_bits)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                       "leman_feature_options: found column_table and hash_bits, expected one of them");
    return LEMAN_OK;
}

/* Saves the features of the graphs of from->data or from->stream. */
static leman_status save_from(const lm_saving *from, const leman_kernel *kernels, const leman_feature_options *asked,
                              leman_features **out)
{
    lm_saving s = *from;
    leman_context *ctx = s.ctx;
    leman_feature_options options = leman_feature_options_default();
    PASS(check_saving(ctx, kernels, s.path, asked, &options));
    SCRATCH_SCOPE(ctx);
    AUTO(lm_features_clear) leman_features sizes = {0};
    AUTO(leman_features_drop) leman_features *object = NULL;
    s.options = &options;
    lm_ranks_begin(ctx);
    leman_status st = LM_SET(ctx, object, lm_alloc_zero, 1); /* so that nothing fails when the file exists */
    if (!st) st = save(&s, kernels, &sizes);
    PASS(lm_ranks_end(ctx, st));
    if (!out) return LEMAN_OK;
    (void)HAND_OVER(object, sizes);
    return HAND_OVER(out, object);
}

leman_status leman_features_save(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels,
                                 size_t count, const leman_feature_options *asked, const char *path,
                                 leman_features **out)
{
    REQUIRE(ctx, data);
    return save_from(&(lm_saving){.ctx = ctx, .data = data, .count = count, .path = path}, kernels, asked, out);
}

leman_status leman_features_save_stream(leman_context *ctx, leman_stream *stream, const leman_kernel *kernels,
                                        size_t count, const leman_feature_options *asked, const char *target,
                                        const char *path, leman_features **out)
{
    REQUIRE(ctx, stream);
    return save_from(&(lm_saving){.ctx = ctx, .stream = stream, .target = target, .count = count, .path = path},
                     kernels, asked, out);
}
