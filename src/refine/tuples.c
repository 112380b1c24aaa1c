/*
 * The colour of every k-tuple of one graph, in memory or as a file: CSV with one line a tuple (v1,...,vk,color:
 * vertices from 0, the colour as 16 hexadecimal digits), or a numpy array of n^k unsigned words indexed by the
 * vertices. A tuple outside the coloured set has no line in a CSV file, and 0 in arrays.
 */
#include "base/arguments.h"
#include "base/words.h"
#include "io/array/npz.h"
#include "refine/device_choice.h"
#include <stdatomic.h>
#include <string.h>

/* ---- In memory ------------------------------------------------------------------------------- */

void lm_sparse_spread(const lm_space *s, const uint64_t *from, uint64_t *colors)
{
    const uint32_t *first = lm_sparse_row_starts(s->sparse);
    uint32_t digit[LM_SPARSE_K];
    memset(colors, 0, lm_power(s->n, s->k) * sizeof *colors);
    for (size_t row = 0; row < s->rows; row++) {
        size_t index = 0;
        lm_sparse_prefix(s->sparse, row, digit);
        for (unsigned i = 0; i + 1 < s->k; i++) index = index * s->n + digit[i];
        for (uint32_t t = first[row]; t < first[row + 1]; t++) colors[index * s->n + s->sparse->last[t]] = from[t];
    }
}

/* Refines a graph up to a round, in the context's scratch. Twins are not reduced, so all tuples have a colour. */
static leman_status refine_to(leman_context *ctx, const leman_graph *graph, const leman_coloring *c, uint32_t round,
                              lm_refinement *r)
{
    atomic_bool stop = false;
    lm_cancellation cancellation = lm_cancellation_of(ctx, &stop);
    lm_space_extent extent;
    lm_demand demand = {"the graph", .graphs = 1, .budget = lm_budget(ctx)};
    PASS(lm_refinement_fits(ctx, graph, c, false, &demand, &extent));
    lm_progress_begin(ctx, round, "colouring");
    PASS(lm_refinement_begin_with(ctx, graph, c, false, &(lm_refinement_options){.extent = &extent},
                                  ctx->settings.threads, &cancellation, r));
    while (r->round < round) {
        PASS(lm_refinement_step(r, r->round + 1 == c->rounds));
        PASS(lm_progress_step(ctx, r->round));
    }
    return LEMAN_OK;
}

static leman_status color_tuples(leman_context *ctx, const leman_graph *graph, const leman_coloring *c, uint32_t round,
                                 uint64_t *colors)
{
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    lm_refinement r;
    bool done;
    const lm_device_task task = {.graph = graph, .coloring = c, .colors = colors, .round = round};
    TRY(lm_device_run(ctx, &task, &done));
    if (done) goto done;
    TRY(refine_to(ctx, graph, c, round, &r));
    if (r.space.sparse)
        lm_sparse_spread(&r.space, r.colors, colors);
    else
        memcpy(colors, r.colors, r.space.tuples * sizeof *colors);
done:
    lm_arena_reset(&ctx->scratch, mark);
    return st;
}

/* Checks that the colouring has this round, and writes its normal form. */
static leman_status check_round(leman_context *ctx, const leman_coloring *coloring, uint32_t round, leman_coloring *c)
{
    PASS(lm_coloring_given(ctx, coloring, c));
    if (round > LM_MAX_ROUNDS)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "round: found %u, expected 0 to %d", round, LM_MAX_ROUNDS);
    if (lm_has_own_last_round(c) && round > c->rounds)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "round: found %u, expected at most %u, the last, which counts", round,
                       c->rounds);
    return LEMAN_OK;
}

leman_status leman_tuple_colors(leman_context *ctx, const leman_graph *graph, const leman_coloring *coloring,
                                uint32_t round, uint64_t *colors)
{
    leman_coloring c;
    REQUIRE(ctx, graph, colors);
    PASS(check_round(ctx, coloring, round, &c));
    return color_tuples(ctx, graph, &c, round, colors);
}

/* ---- As a file ------------------------------------------------------------------------------- */

static leman_status write_header(lm_output *out, unsigned k)
{
    for (unsigned j = 1; j <= k; j++) PASS(lm_output_printf(out, "v%u,", j));
    return lm_write_text(out, "color\n");
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
    enum { BETWEEN = 4096 };
    size_t vertex[LM_MAX_K] = {0};
    PASS(write_header(out, k));
    lm_progress_begin(ctx, tuples, "writing %s", out->path);
    for (size_t t = 0; t < tuples; t++) {
        write_line(out, vertex, k, colors[t]);
        for (unsigned j = k; j-- > 0;) { /* the last component fastest */
            if (++vertex[j] < n) break;
            vertex[j] = 0;
        }
        if (t % BETWEEN == 0) PASS(lm_progress_step(ctx, t));
    }
    PASS(lm_output_write(out, "", 0)); /* reports earlier errors of the output */
    return LEMAN_OK;
}

/* Writes only the sparse tuples. */
static leman_status write_sparse_csv(leman_context *ctx, const lm_space *s, const uint64_t *colors, lm_output *out)
{
    enum { BETWEEN = 4096 };
    const uint32_t *first = lm_sparse_row_starts(s->sparse);
    uint32_t digit[LM_SPARSE_K];
    size_t vertex[LM_SPARSE_K];
    PASS(write_header(out, s->k));
    lm_progress_begin(ctx, s->rows, "writing %s", out->path);
    for (size_t row = 0; row < s->rows; row++) {
        lm_sparse_prefix(s->sparse, row, digit);
        for (unsigned j = 0; j + 1 < s->k; j++) vertex[j] = digit[j];
        for (uint32_t t = first[row]; t < first[row + 1]; t++) {
            vertex[s->k - 1] = s->sparse->last[t];
            write_line(out, vertex, s->k, colors[t]);
        }
        if (row % BETWEEN == 0) PASS(lm_progress_step(ctx, row));
    }
    return lm_output_write(out, "", 0);
}

static leman_status write_sparse(leman_context *ctx, const leman_graph *graph, const leman_coloring *c, uint32_t round,
                                 const char *path)
{
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    lm_output out = {0};
    lm_refinement r;
    TRY(refine_to(ctx, graph, c, round, &r));
    TRY(lm_output_open(ctx, path, &out));
    TRY(write_sparse_csv(ctx, &r.space, r.colors, &out));
    TRY(lm_output_commit(&out));
done:
    lm_output_abort(&out);
    lm_arena_reset(&ctx->scratch, mark);
    return st;
}

static leman_status write_npy(const uint64_t *colors, size_t n, size_t tuples, unsigned k, lm_output *out)
{
    size_t shape[LM_NPY_DIMENSIONS];
    for (unsigned j = 0; j < k; j++) shape[j] = n;
    PASS(lm_npy_header(out, LM_NPY_ORDER "u8", k, shape));
    return lm_output_write(out, colors, tuples * sizeof *colors);
}

static leman_status write_file(leman_context *ctx, const leman_graph *graph, const leman_coloring *c,
                               const uint64_t *colors, size_t tuples, const char *path)
{
    leman_status st = LEMAN_OK;
    lm_output out = {0};
    TRY(lm_output_open(ctx, path, &out));
    TRY(lm_path_ends(path, ".npy") ? write_npy(colors, graph->vertices, tuples, c->k, &out)
                                   : write_csv(ctx, colors, graph->vertices, tuples, c->k, &out));
    TRY(lm_output_commit(&out));
done:
    lm_output_abort(&out);
    return st;
}

leman_status leman_tuple_colors_write(leman_context *ctx, const leman_graph *graph, const leman_coloring *coloring,
                                      uint32_t round, const char *path)
{
    leman_status st = LEMAN_OK;
    uint64_t tuples, *colors = NULL;
    leman_coloring c;
    REQUIRE(ctx, graph, path);
    TRY(check_round(ctx, coloring, round, &c));
    if (c.components && !lm_path_ends(path, ".npy")) {
        st = write_sparse(ctx, graph, &c, round, path);
        goto done;
    }
    tuples = lm_power(graph->vertices, c.k);
    if (tuples > lm_budget(ctx) / 3 / sizeof *colors) { /* the refinement has two more arrays */
        char needed[LM_NUMBER_TEXT], available[LM_BUDGET_TEXT];
        FAIL(ctx, LEMAN_ERROR_BUDGET, "%s tuple%s of a graph of %zu %s are too many for the memory budget of %s",
             lm_count_text(tuples, needed), lm_plural(tuples), graph->vertices,
             lm_plural_of(graph->vertices, "vertex", "vertices"), lm_budget_text(ctx, lm_budget(ctx), available));
    }
    NEW(ctx, colors, tuples);
    TRY(color_tuples(ctx, graph, &c, round, colors));
    TRY(write_file(ctx, graph, &c, colors, tuples, path));
done:
    if (ctx) lm_free(ctx, colors);
    return st;
}
