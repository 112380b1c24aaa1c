/*
 * Features from the graphs to the file, a slice of the graphs at a time.
 *
 * New columns are found first: every slice adds its keys to a map, and its entries are discarded; a second walk over
 * the slices gives the rows their columns. Where all entries fit one slice they are kept instead, and nothing is done
 * twice. Columns that are fixed or folded need the second walk alone. Rows are written as they come where the format
 * allows it, otherwise they are held until the last one.
 *
 * Memory: the data set, the map (8 bytes a column, 16 of given ones), one slice, and 12 bytes an entry where rows are
 * held. Time: the refinement, twice with new columns; a sort of every slice.
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
#include "kernel/ranks.h"
#include <unistd.h>

/* Tuples in all rounds, of a slice: an entry is at most one of them, so a slice holds some tens of megabytes. With a
 * small budget it has fewer: SLICE_BYTES for each. */
static const uint64_t SLICE = UINT64_C(1) << 21, MIN_SLICE = UINT64_C(1) << 14, SLICE_BYTES = 64;

typedef struct saving {
    leman_context *ctx;
    const leman_dataset *data;
    const leman_kernel *normal;
    size_t count;
    const leman_feature_options *options;
    uint64_t max; /* tuples of a slice */
    const char *path;
    leman_feature_origin origin;
    lm_column_map map;   /* of new columns; of others where the file keeps their names */
    lm_triples *triples; /* [count] while new columns are gathered */
    bool fresh;          /* the columns are new, and map has them */
    bool streams;        /* rows go to the file as they come */
    lm_gzip file;
    lm_output keep;          /* where new columns go */
    lm_output table;         /* what columns mean */
    leman_features sizes;    /* of all rows so far; entries: of all, where they are counted before */
    lm_vector column, value; /* uint32_t, double: rows that are held */
    uint64_t *start;         /* [graphs + 1] of those */
    leman_features *whole;   /* rows that were made at once, or NULL */
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

/* ---- New columns ----------------------------------------------------------------------------- */

static size_t entries_held(const saving *s)
{
    size_t entries = 0;
    for (size_t i = 0; i < s->count; i++)
        for (size_t b = 0; b < s->triples[i].blocks; b++) entries += lm_triples_entries(s->triples + i, b, 0);
    return entries;
}

/* The keys of all triples go into the map, and the triples are gone. */
static leman_status gather_triples(saving *s)
{
    leman_status st = LEMAN_OK;
    lm_pair *entry = NULL;
    for (size_t i = 0, place = 0; i < s->count; i++)
        for (size_t b = 0; b < s->triples[i].blocks; b++) {
            size_t count = 0;
            TRY(lm_triples_sort(s->ctx, s->triples + i, b, 0, &entry, &count));
            TRY(lm_column_map_add(s->ctx, &s->map, place++, entry, count));
            s->sizes.entries += count;
            lm_free(s->ctx, entry);
            entry = NULL;
        }
done:
    lm_free(s->ctx, entry);
    return st;
}

static leman_status fill_triples(saving *s, size_t first, size_t end)
{
    leman_status st = LEMAN_OK;
    leman_dataset *part = NULL;
    TRY(slice_of(s->ctx, s->data, first, end, &part));
    for (size_t i = 0; i < s->count; i++)
        TRY(lm_kernel_fill_ranks(s->ctx, part, s->normal + i, false, first, s->triples + i));
done:
    leman_dataset_free(part);
    return st;
}

/* The first walk. *f gets everything where the entries of all slices together are no more than those of one. */
static leman_status gather(saving *s, leman_features *f)
{
    leman_status st = LEMAN_OK;
    NEW(s->ctx, s->triples, s->count);
    memset(s->triples, 0, s->count * sizeof *s->triples);
    for (size_t i = 0; i < s->count; i++) {
        TRY(lm_triples_new(s->ctx, s->data->graphs, lm_kernel_blocks(s->normal + i, false), s->triples + i));
        s->triples[i].expanded = true;
    }
    TRY(lm_column_map_new(s->ctx, s->normal, s->count, &s->map));
    for (size_t first = 0, end; first < s->data->graphs; first = end) {
        end = lm_features_slice(s->data, s->normal, s->count, s->max / 4, first); /* the triples hold a little more */
        TRY(fill_triples(s, first, end));
        if (entries_held(s) > s->max) TRY(gather_triples(s));
    }
    if (s->sizes.entries) {
        TRY(gather_triples(s));
        TRY(lm_column_map_close(s->ctx, s->data->name, &s->map));
        s->fresh = true;
    } else {
        TRY(lm_features_of_triples(s->ctx, s->data, s->normal, s->count, s->options, s->triples, f));
        s->whole = f;
    }
done:
    for (size_t i = 0; s->triples && i < s->count; i++) lm_triples_free(s->ctx, s->triples + i);
    lm_free(s->ctx, s->triples);
    s->triples = NULL;
    lm_trim_memory();
    return st;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

static leman_status hold_rows(saving *s, const leman_features *f)
{
    leman_status st = LEMAN_OK;
    for (size_t i = 0; i < f->rows; i++) s->start[s->sizes.rows + i + 1] = s->column.count + f->start[i + 1];
    TRY(lm_vector_append(s->ctx, &s->column, f->column, f->entries, sizeof *f->column));
    TRY(lm_vector_append(s->ctx, &s->value, f->value, f->entries, sizeof *f->value));
done:
    return st;
}

static leman_status save_slice(saving *s, size_t first, size_t end)
{
    leman_status st = LEMAN_OK;
    leman_dataset *part = NULL;
    leman_features f = {0};
    TRY(slice_of(s->ctx, s->data, first, end, &part));
    TRY(lm_features_of(s->ctx, part, s->normal, s->count, s->options, s->fresh ? &s->map : NULL, first, &f));
    if (s->streams)
        TRY(lm_sparse_rows(s->path, &f, part, first, s->file.text));
    else
        TRY(hold_rows(s, &f));
    s->sizes.rows += f.rows;
    s->sizes.columns = f.columns;
    s->sizes.entries += s->fresh ? 0 : f.entries;
    s->sizes.out_of_vocabulary += f.out_of_vocabulary;
done:
    lm_features_clear(s->ctx, &f);
    leman_dataset_free(part);
    return st;
}

/* The second walk. */
static leman_status save_slices(saving *s)
{
    leman_status st = LEMAN_OK;
    size_t first = 0;
    s->streams = lm_sparse_streams(s->path, s->fresh);
    if (s->streams) {
        const leman_features all = {.rows = s->data->graphs, .columns = s->map.columns, .entries = s->sizes.entries};
        TRY(lm_sparse_head(s->path, &all, s->file.text));
    } else {
        NEW(s->ctx, s->start, s->data->graphs + 1);
        s->start[0] = 0;
        TRY(lm_vector_reserve(s->ctx, &s->column, s->sizes.entries, sizeof(uint32_t)));
        TRY(lm_vector_reserve(s->ctx, &s->value, s->sizes.entries, sizeof(double)));
    }
    do { /* at least once, so that the number of columns is known */
        size_t end = lm_features_slice(s->data, s->normal, s->count, s->max, first);
        TRY(save_slice(s, first, end));
        first = end;
    } while (first < s->data->graphs);
done:
    return st;
}

/* Rows that are there all at once. */
static leman_status write_whole(saving *s, const leman_features *f)
{
    leman_status st = LEMAN_OK;
    const bool named = s->options->columns || !s->options->hash_bits;
    const lm_column_labels labels = {&s->map, s->origin.kernels, s->normal};
    if (lm_feature_file_is(s->path))
        return lm_feature_matrix_put(s->file.text, f, &s->origin, named ? &s->map : NULL, s->data);
    if (lm_path_ends(s->path, ".npz")) {
        lm_progress_begin(s->ctx, f->entries, "writing %s", s->path);
        return lm_sparse_npz(f, s->data, named ? lm_column_arrays : NULL, &labels, s->file.text);
    }
    TRY(lm_sparse_head(s->path, f, s->file.text));
    TRY(lm_sparse_rows(s->path, f, s->data, 0, s->file.text));
done:
    return st;
}

/* ---- The file -------------------------------------------------------------------------------- */

static leman_status compute(saving *s)
{
    leman_status st = LEMAN_OK;
    leman_features f = {0};
    const leman_features *known = s->options->columns;
    if (known) TRY(lm_column_map_view(s->ctx, known, &s->map));
    if (!known && !s->options->hash_bits) TRY(gather(s, &f));
    if (s->whole) {
        lm_column_map_free(s->ctx, &s->map);
        TRY(lm_column_map_view(s->ctx, &f, &s->map));
        s->sizes = (leman_features){.rows = f.rows, .columns = f.columns, .entries = f.entries};
    }
    if (s->keep.open) TRY(lm_feature_columns_put(&s->keep, &s->origin, &s->map));
    if (s->table.open) TRY(lm_column_table(&(lm_column_labels){&s->map, s->origin.kernels, s->normal}, &s->table));
    if (!s->options->hash_bits)
        TRY(lm_column_blocks(s->ctx, s->normal, s->count, s->fresh ? &s->map : NULL, known ? known : &f, &s->sizes));
    if (s->whole) {
        TRY(write_whole(s, &f));
    } else {
        TRY(save_slices(s));
        const leman_features held = {.rows = s->sizes.rows,
                                     .columns = s->sizes.columns,
                                     .entries = s->sizes.entries,
                                     .start = s->start,
                                     .column = s->column.items,
                                     .value = s->value.items};
        if (!s->streams) TRY(write_whole(s, &held));
    }
done:
    lm_features_clear(s->ctx, &f);
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

leman_status lm_features_stream(leman_context *ctx, const leman_dataset *data, const leman_kernel *normal, size_t count,
                                const leman_feature_options *options, uint64_t max, const char *path,
                                leman_features *out)
{
    leman_status st = LEMAN_OK;
    saving s = {
        .ctx = ctx, .data = data, .normal = normal, .count = count, .options = options, .max = max, .path = path};
    TRY(lm_origin_compute(ctx, data, normal, count, options->apex, &s.origin));
    if (options->columns && options->columns->origin.kernels) {
        leman_feature_origin own = s.origin;
        s.origin = (leman_feature_origin){0};
        st = lm_origin_check(ctx, data, &options->columns->origin, &own);
        lm_origin_free(ctx, &own);
        if (!st) TRY(lm_origin_copy(ctx, &options->columns->origin, &s.origin));
        TRY(st);
    }
    TRY(lm_gzip_open(ctx, path, &s.file));
    if (options->keep) TRY(lm_output_open(ctx, options->keep, &s.keep));
    if (options->column_table) TRY(lm_output_open(ctx, options->column_table, &s.table));
    TRY(compute(&s));
    TRY(commit(&s));
    s.sizes.origin = s.origin;
    s.origin = (leman_feature_origin){0};
    *out = s.sizes;
    s.sizes.block = NULL;
done:
    lm_output_abort(&s.keep);
    lm_output_abort(&s.table);
    lm_gzip_abort(&s.file);
    lm_free(ctx, s.sizes.block);
    lm_free(ctx, s.start);
    lm_vector_free(ctx, &s.column);
    lm_vector_free(ctx, &s.value);
    lm_column_map_free(ctx, &s.map);
    lm_origin_free(ctx, &s.origin);
    return st;
}

static leman_status save(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels, size_t count,
                         const leman_feature_options *options, const char *path, leman_features **out)
{
    leman_status st = LEMAN_OK;
    uint64_t max = lm_budget(ctx) / SLICE_BYTES;
    leman_features sizes = {0};
    leman_features *object = NULL;
    leman_kernel *normal;
    max = max > SLICE ? SLICE : max < MIN_SLICE ? MIN_SLICE : max;
    TRY(lm_ranks_min(ctx, &max));
    TRY(lm_features_prepare_for(ctx, data, kernels, count, options, &normal));
    if (out) OWNED(ctx, object); /* before there is a file: nothing can fail once it is there */
    st = lm_features_stream(ctx, data, normal, count, options, max, path, &sizes);
    if (st == LEMAN_ERROR_BUDGET && !options->hash_bits)
        FAIL(ctx, st, "%s; fewer rounds, a smaller k or hashed columns need less", ctx->message);
    TRY(st);
    lm_features_log(ctx, data, &sizes);
    if (!out) goto done;
    *object = sizes;
    sizes = (leman_features){0};
    *out = object;
    object = NULL;
done:
    lm_features_clear(ctx, &sizes);
    leman_features_free(object);
    return st;
}

leman_status leman_features_save(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels,
                                 size_t count, const leman_feature_options *asked, const char *path,
                                 leman_features **out)
{
    leman_status st = LEMAN_OK;
    leman_feature_options options = leman_feature_options_default();
    REQUIRE(ctx, data);
    REQUIRE(ctx, kernels);
    TRY(leman_features_check(ctx, path));
    TRY(lm_options_copy(ctx, "leman_feature_options", asked, &options, sizeof options));
    if (options.column_table && options.hash_bits)
        FAIL(ctx, LEMAN_ERROR_ARGUMENT,
             "leman_feature_options: found column_table and hash_bits, expected one of them");
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    lm_ranks_begin(ctx);
    st = lm_ranks_end(ctx, save(ctx, data, kernels, count, &options, path, out));
    lm_arena_reset(&ctx->scratch, mark);
done:
    return st;
}
