/*
 * Features from the graphs to the file. Where columns need not be known from all graphs first and rows can be written
 * one after the other, graphs are taken in slices: the data set and one slice are all that memory holds.
 */
#include "io/gzip.h"
#include "io/sparse_files.h"
#include "kernel/features.h"

/* Tuples in all rounds, of a slice: an entry is at most one of them, so a slice takes some tens of megabytes. */
static const uint64_t SLICE = UINT64_C(1) << 21;

/* How many entries the row of a graph can have at most; paths and graphlets by the pairs of vertices. */
static uint64_t most_entries(const leman_graph *graph, const leman_kernel *kernel)
{
    bool colors = kernel->kind == LEMAN_KERNEL_COLORS;
    return lm_saturating_multiply(lm_power(graph->vertices, colors ? kernel->coloring.k : 2),
                                  lm_kernel_blocks(kernel, false));
}

size_t lm_features_slice(const leman_dataset *data, const leman_kernel *normal, size_t count, uint64_t most,
                         size_t first)
{
    uint64_t sum = 0;
    for (size_t g = first; g < data->graphs; g++) {
        leman_graph graph = leman_dataset_graph(data, g);
        for (size_t i = 0; i < count; i++) sum = lm_saturating_add(sum, most_entries(&graph, normal + i));
        if (sum > most && g > first) return g;
    }
    return data->graphs;
}

static leman_status write_slice(leman_context *ctx, const leman_dataset *data, const leman_kernel *normal, size_t count,
                                const leman_feature_options *options, size_t first, size_t end, lm_output *out,
                                leman_features *sizes)
{
    leman_status st = LEMAN_OK;
    leman_dataset *part = NULL;
    leman_features f = {0};
    size_t *which = NULL;
    NEW(ctx, which, end - first);
    for (size_t g = first; g < end; g++) which[g - first] = g;
    TRY(leman_dataset_select(ctx, data, end - first, which, &part));
    TRY(lm_features_of(ctx, part, normal, count, options, first, &f));
    TRY(lm_svmlight_rows(&f, part, out));
    sizes->rows += f.rows;
    sizes->columns = f.columns;
    sizes->entries += f.entries;
    sizes->unseen += f.unseen;
done:
    leman_features_free(ctx, &f);
    leman_dataset_free(part);
    lm_free(ctx, which);
    return st;
}

leman_status lm_features_stream(leman_context *ctx, const leman_dataset *data, const leman_kernel *normal, size_t count,
                                const leman_feature_options *options, uint64_t most, const char *path,
                                leman_features *out)
{
    leman_status st = LEMAN_OK;
    leman_features sizes = {0};
    lm_gzip file = {0};
    size_t first = 0;
    TRY(lm_gzip_open(ctx, path, &file));
    do { /* at least once, so that the number of columns is known */
        size_t end = lm_features_slice(data, normal, count, most, first);
        TRY(write_slice(ctx, data, normal, count, options, first, end, file.text, &sizes));
        first = end;
    } while (first < data->graphs);
    TRY(lm_gzip_commit(&file));
    *out = sizes;
done:
    lm_gzip_abort(&file);
    return st;
}

leman_status leman_features_save(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels,
                                 size_t count, const leman_feature_options *asked, const char *path,
                                 leman_features *out)
{
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    leman_feature_options options = asked ? *asked : leman_feature_options_default();
    leman_features f = {0};
    leman_kernel *normal;
    TRY(leman_features_check(ctx, path));
    TRY(lm_features_prepare(ctx, kernels, count, &options, &normal));
    if ((options.columns || options.hash_bits) && lm_sparse_streams(path)) {
        TRY(lm_features_stream(ctx, data, normal, count, &options, SLICE, path, &f));
    } else {
        TRY(lm_features_of(ctx, data, normal, count, &options, 0, &f));
        TRY(leman_features_write(ctx, &f, data, path));
    }
    lm_features_log(ctx, data, &f);
    *out = (leman_features){.rows = f.rows, .columns = f.columns, .entries = f.entries, .unseen = f.unseen};
done:
    leman_features_free(ctx, &f);
    lm_arena_reset(&ctx->scratch, mark);
    return st;
}
