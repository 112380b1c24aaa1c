/*
 * The colour of every k-tuple of one graph, as a file: CSV with one line a tuple (v1,...,vk,color: vertices from 0, the
 * colour as 16 hexadecimal digits), or a numpy array of n^k unsigned words whose indices are the vertices.
 */
#include "cli/tuples.h"
#include "io/array/npy.h"
#include <stdio.h>

static leman_status write_header(lm_output *out, unsigned k)
{
    leman_status st = LEMAN_OK;
    for (unsigned j = 1; j <= k; j++) TRY(lm_output_printf(out, "v%u,", j));
    TRY(lm_write_text(out, "color\n"));
done:
    return st;
}

static void write_line(lm_output *out, const size_t *vertex, unsigned k, uint64_t color)
{
    static const char DIGITS[] = "0123456789abcdef";
    char text[18] = {','};
    for (unsigned j = 0; j < k; j++) {
        if (j) lm_output_write(out, ",", 1);
        lm_output_integer(out, (int64_t)vertex[j]);
    }
    for (int i = 0; i < 16; i++) text[1 + i] = DIGITS[color >> (60 - 4 * i) & 15];
    text[17] = '\n';
    lm_output_write(out, text, sizeof text);
}

static leman_status write_csv(leman_context *ctx, const uint64_t *colors, size_t n, size_t tuples, unsigned k,
                              lm_output *out)
{
    enum { MAX_K = 32, BETWEEN = 4096 };
    leman_status st = LEMAN_OK;
    size_t vertex[MAX_K] = {0};
    TRY(write_header(out, k));
    lm_progress_begin(ctx, tuples, "writing %s", out->path);
    for (size_t t = 0; t < tuples; t++) {
        write_line(out, vertex, k, colors[t]);
        for (unsigned j = k; j-- > 0;) { /* the last component fastest */
            if (++vertex[j] < n) break;
            vertex[j] = 0;
        }
        if (t % BETWEEN == 0) TRY(lm_progress_step(ctx, t));
    }
    TRY(lm_output_write(out, "", 0)); /* what went wrong meanwhile */
done:
    return st;
}

static leman_status write_npy(const uint64_t *colors, size_t n, size_t tuples, unsigned k, lm_output *out)
{
    leman_status st = LEMAN_OK;
    size_t shape[LM_NPY_DIMENSIONS];
    for (unsigned j = 0; j < k; j++) shape[j] = n;
    TRY(lm_npy_header(out, LM_NPY_ORDER "u8", k, shape));
    TRY(lm_output_write(out, colors, tuples * sizeof *colors));
done:
    return st;
}

leman_status lm_tuples_write(leman_context *ctx, const leman_graph *graph, const leman_coloring *coloring,
                             uint32_t round, bool npy, lm_output *out)
{
    leman_status st = LEMAN_OK;
    uint64_t tuples = lm_power(graph->vertices, coloring->k), *colors = NULL;
    if (tuples > lm_budget(ctx) / 3 / sizeof *colors) { /* beside the two arrays of the refinement */
        char required[LM_NUMBER_TEXT], has[LM_NUMBER_TEXT];
        FAIL(ctx, LEMAN_ERROR_BUDGET, "%s tuples of a graph of %zu vertices are too many for the memory budget of %s",
             lm_count_text(tuples, required), graph->vertices, lm_bytes_text(lm_budget(ctx), has));
    }
    NEW(ctx, colors, tuples);
    TRY(leman_tuple_colors(ctx, graph, coloring, round, colors));
    TRY(npy ? write_npy(colors, graph->vertices, tuples, coloring->k, out)
            : write_csv(ctx, colors, graph->vertices, tuples, coloring->k, out));
done:
    lm_free(ctx, colors);
    return st;
}
