/*
 * The colour of every k-tuple of one graph, in memory or as a file: CSV with one line a tuple (v1,...,vk,color:
 * vertices from 0, the colour as 16 hexadecimal digits), or a numpy array of n^k unsigned words indexed by the
 * vertices. A tuple outside the coloured set has no line in a CSV file, and 0 in arrays.
 */
#include "base/arguments.h"
#include "base/words.h"
#include "io/array/npz.h"
#include "refine/device_choice.h"
#include "refine/items/items.h"
#include <string.h>

/* ---- In memory ------------------------------------------------------------------------------- */

void lm_sparse_spread(const lm_space *s, const uint64_t *from, uint64_t *colors)
{
    lm_tuple_row row;
    memset(colors, 0, lm_power(s->n, s->k) * sizeof *colors);
    for (size_t i = 0; i < s->rows; i++) {
        size_t index = 0;
        lm_space_row(s, i, &row);
        for (unsigned j = 0; j + 1 < s->k; j++) index = index * s->n + row.digit[j];
        for (size_t t = row.first; t < row.end; t++) colors[index * s->n + row.last[t]] = from[t];
    }
}

/* Refines a graph up to a round, in the context's scratch. Twins are not reduced, so all tuples have a colour. */
static leman_status refine_to(leman_context *ctx, const leman_graph *graph, const leman_coloring *c, uint32_t round,
                              lm_refinement *r)
{
    const lm_demand demand = {"the graph", .graphs = 1, .by_classes = true, .budget = lm_budget(ctx)};
    lm_progress_begin(ctx, round, "colouring");
    PASS(lm_refinement_open(ctx, graph, c, false, &demand, r));
    while (r->round < round) {
        PASS(lm_refinement_step(r));
        PASS(lm_progress_step(ctx, r->round));
    }
    if (r->classes && r->classes->begun) lm_class_rounds_spread(r->classes, &r->histogram, r->colors);
    return LEMAN_OK;
}

static leman_status color_tuples(leman_context *ctx, const leman_graph *graph, const leman_coloring *c, uint32_t round,
                                 uint64_t *colors)
{
    SCRATCH_SCOPE(ctx);
    lm_refinement r;
    bool done;
    const lm_device_task task = {.graph = graph, .coloring = c, .colors = colors, .round = round};
    PASS(lm_device_run(ctx, &task, &done));
    if (done) return LEMAN_OK;
    PASS(refine_to(ctx, graph, c, round, &r));
    if (r.space.items)
        lm_items_spread(&r.space, r.colors, colors);
    else if (r.space.sparse)
        lm_sparse_spread(&r.space, r.colors, colors);
    else
        memcpy(colors, r.colors, r.space.tuples * sizeof *colors);
    return LEMAN_OK;
}

leman_status lm_check_round(leman_context *ctx, const leman_coloring *coloring, uint32_t round, leman_coloring *c)
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
    PASS(lm_check_round(ctx, coloring, round, &c));
    return color_tuples(ctx, graph, &c, round, colors);
}

/* ---- As a file ------------------------------------------------------------------------------- */

static void write_line(lm_output *out, const uint32_t *vertex, unsigned k, uint64_t color)
{
    static const char DIGITS[] = "0123456789abcdef";
    char text[18] = {','};
    for (unsigned j = 0; j < k; j++) {
        if (j) lm_output_write(out, ",", 1);
        lm_output_integer(out, vertex[j]);
    }
    for (int i = 0; i < 16; i++) text[1 + i] = DIGITS[color >> (60 - 4 * i) & 15];
    text[17] = '\n';
    lm_output_write(out, text, sizeof text);
}

static leman_status write_csv(leman_context *ctx, const lm_space *s, const uint64_t *colors, lm_output *out)
{
    enum { BETWEEN = 4096 }; /* tuples */
    size_t written = 0;
    for (unsigned j = 1; j <= s->k; j++) PASS(lm_output_printf(out, "v%u,", j));
    PASS(lm_write_text(out, "color\n"));
    lm_progress_begin(ctx, s->tuples, "writing %s", out->path);
    for (size_t i = 0; i < s->rows; i++) {
        lm_tuple_row row;
        lm_space_row(s, i, &row);
        for (size_t t = row.first; t < row.end; t++) {
            row.digit[s->k - 1] = lm_tuple_row_last(&row, t);
            if (!colors[t] && !s->sparse) continue; /* a tuple without an item */
            write_line(out, row.digit, s->k, colors[t]);
            if (++written % BETWEEN == 0) PASS(lm_progress_step(ctx, written));
        }
    }
    return lm_output_write(out, "", 0); /* reports earlier errors of the output */
}

static leman_status write_npy(const lm_space *s, const uint64_t *colors, lm_output *out)
{
    size_t shape[LM_NPY_DIMENSIONS];
    for (unsigned j = 0; j < s->k; j++) shape[j] = s->n;
    PASS(lm_npy_header(out, LM_NPY_ORDER "u8", s->k, shape));
    return lm_output_write(out, colors, s->tuples * sizeof *colors);
}

/* Writes the colours of all tuples of a space. A sparse space can only be written as CSV. */
static leman_status write_colors(leman_context *ctx, const lm_space *s, const uint64_t *colors, const char *path)
{
    AUTO(lm_output_abort) lm_output out = {0};
    PASS(lm_output_open(ctx, path, &out));
    PASS(lm_path_ends(path, ".npy") ? write_npy(s, colors, &out) : write_csv(ctx, s, colors, &out));
    return lm_output_commit(&out);
}

static leman_status write_sparse(leman_context *ctx, const leman_graph *graph, const leman_coloring *c, uint32_t round,
                                 const char *path)
{
    SCRATCH_SCOPE(ctx);
    lm_refinement r;
    PASS(refine_to(ctx, graph, c, round, &r));
    return write_colors(ctx, &r.space, r.colors, path);
}

leman_status leman_tuple_colors_write(leman_context *ctx, const leman_graph *graph, const leman_coloring *coloring,
                                      uint32_t round, const char *path)
{
    AUTO(lm_release_at) uint64_t *colors = NULL;
    uint64_t tuples;
    leman_coloring c;
    REQUIRE(ctx, graph, path);
    PASS(lm_check_round(ctx, coloring, round, &c));
    if (c.components && !lm_has_items(&c) && !lm_path_ends(path, ".npy"))
        return write_sparse(ctx, graph, &c, round, path);
    tuples = lm_power(graph->vertices, c.k);
    if (tuples > lm_budget(ctx) / 3 / sizeof *colors) { /* the refinement has two more arrays */
        char needed[LM_NUMBER_TEXT], available[LM_BUDGET_TEXT];
        return lm_fail(
            ctx, LEMAN_ERROR_BUDGET, "%s tuple%s of a graph of %zu %s are too many for the memory budget of %s",
            lm_count_text(tuples, needed), lm_plural(tuples), graph->vertices,
            lm_plural_of(graph->vertices, "vertex", "vertices"), lm_budget_text(ctx, lm_budget(ctx), available));
    }
    PASS_NEW(ctx, colors, tuples);
    PASS(color_tuples(ctx, graph, &c, round, colors));
    const lm_space all = {
        .k = c.k, .n = graph->vertices, .rows = graph->vertices ? tuples / graph->vertices : 0, .tuples = tuples};
    return write_colors(ctx, &all, colors, path);
}
