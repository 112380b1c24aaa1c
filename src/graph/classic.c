/*
 * Named graphs: circular skip links, the 4x4 rook's graph and the Shrikhande graph, one cycle against two, paths,
 * cycles, complete graphs, grids, the Petersen graph. Each is drawn edge by edge in O(vertices + edges).
 */
#include "graph/families.h"

enum { BOARD = 4, PENTAGON = 5 };

/* ---- Sizes ----------------------------------------------------------------------------------- */

static size_t greatest_common_divisor(size_t a, size_t b)
{
    while (b) {
        size_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static leman_status check_skips(leman_context *ctx, const leman_family_options *o)
{
    const char *vertices = lm_plural_of(o->vertices, "vertex", "vertices");
    if (!o->skip_count) return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "csl: found no skip, expected at least one");
    for (size_t i = 0; i < o->skip_count; i++) {
        if (o->skips[i] < 2 || o->skips[i] > o->vertices - 2)
            return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "csl: found skip %zu with %zu %s, expected 2 to %zu", o->skips[i],
                           o->vertices, vertices, o->vertices - 2);
        size_t divisor = greatest_common_divisor(o->skips[i], o->vertices);
        if (divisor != 1)
            return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                           "csl: found skip %zu with %zu %s, expected two numbers without the common divisor %zu",
                           o->skips[i], o->vertices, vertices, divisor);
    }
    return LEMAN_OK;
}

leman_status lm_classic_plan(leman_context *ctx, const leman_family_options *o, lm_family_plan *plan)
{
    const uint64_t n = o->vertices;
    switch (plan->family) {
    case LEMAN_FAMILY_CSL:
        plan->members = o->skip_count;
        plan->edges = lm_saturating_multiply(2, n);
        return check_skips(ctx, o);
    case LEMAN_FAMILY_ROOK_SHRIKHANDE:
        plan->members = 2;
        plan->vertices = BOARD * BOARD;
        plan->edges = 3 * BOARD * BOARD;
        break;
    case LEMAN_FAMILY_CYCLES:
        plan->members = 2;
        if (n >= 6 && n % 2 == 0) break;
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "cycles: found %zu %s, expected an even number, at least 6",
                       o->vertices, lm_plural_of(n, "vertex", "vertices"));
    case LEMAN_FAMILY_PATH: plan->edges = n - 1; break;
    case LEMAN_FAMILY_COMPLETE: plan->edges = lm_saturating_multiply(n, n - 1) / 2; break;
    case LEMAN_FAMILY_GRID:
        plan->vertices = lm_saturating_multiply(o->rows, o->columns);
        plan->edges = lm_saturating_multiply(2, plan->vertices);
        if (o->rows && o->columns) break;
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "grid: found %zu row%s and %zu column%s, expected at least 1 of each",
                       o->rows, lm_plural(o->rows), o->columns, lm_plural(o->columns));
    case LEMAN_FAMILY_PETERSEN:
        plan->vertices = 2 * PENTAGON;
        plan->edges = 3 * PENTAGON;
        break;
    default: break;
    }
    return LEMAN_OK;
}

/* ---- Edges ----------------------------------------------------------------------------------- */

/* Joins vertex i of first, first + 1, ..., first + length - 1 with vertex i + step, cyclically. */
static leman_status draw_cycle(lm_family_builder *builder, size_t first, size_t length, size_t step)
{
    for (size_t i = 0; i < length; i++) PASS(lm_family_edge(builder, first + i, first + (i + step) % length));
    return LEMAN_OK;
}

/* A cycle and the chords {i, i + skip}. */
leman_status lm_csl_draw(lm_family_builder *builder)
{
    size_t n = builder->options->vertices, skip = builder->options->skips[builder->member];
    PASS(lm_family_graph(builder, n, "CSL_%zu_%zu", n, skip));
    PASS(draw_cycle(builder, 0, n, 1));
    return draw_cycle(builder, 0, n, skip);
}

/* Two strongly regular graphs (16, 6, 2, 2). The vertices of both are Z4 x Z4. The rook moves along a row or a column;
 * the Shrikhande graph joins (x, y) with (x+1, y), (x, y+1) and (x+1, y+1), modulo 4. Each edge is drawn from one end
 * only. */
leman_status lm_rook_shrikhande_draw(lm_family_builder *builder)
{
    bool rook = builder->member == 0;
    PASS(lm_family_graph(builder, BOARD * BOARD, rook ? "rook" : "shrikhande"));
    for (size_t x = 0; x < BOARD; x++)
        for (size_t y = 0; y < BOARD; y++) {
            size_t v = x * BOARD + y, right = (x + 1) % BOARD, up = (y + 1) % BOARD;
            for (size_t i = x + 1; i < BOARD && rook; i++) PASS(lm_family_edge(builder, v, i * BOARD + y));
            for (size_t i = y + 1; i < BOARD && rook; i++) PASS(lm_family_edge(builder, v, x * BOARD + i));
            if (rook) continue;
            PASS(lm_family_edge(builder, v, right * BOARD + y));
            PASS(lm_family_edge(builder, v, x * BOARD + up));
            PASS(lm_family_edge(builder, v, right * BOARD + up));
        }
    return LEMAN_OK;
}

/* One cycle of n vertices (member 0), or two of n / 2. */
leman_status lm_cycles_draw(lm_family_builder *builder)
{
    size_t n = builder->options->vertices, length = builder->member ? n / 2 : n;
    PASS(lm_family_graph(builder, n, builder->member ? "2C_%zu" : "C_%zu", length));
    for (size_t first = 0; first < n; first += length) PASS(draw_cycle(builder, first, length, 1));
    return LEMAN_OK;
}

leman_status lm_path_draw(lm_family_builder *builder)
{
    size_t n = builder->options->vertices;
    PASS(lm_family_graph(builder, n, "P_%zu", n));
    for (size_t v = 1; v < n; v++) PASS(lm_family_edge(builder, v - 1, v));
    return LEMAN_OK;
}

leman_status lm_complete_draw(lm_family_builder *builder)
{
    size_t n = builder->options->vertices;
    PASS(lm_family_graph(builder, n, "K_%zu", n));
    for (size_t u = 0; u < n; u++)
        for (size_t v = u + 1; v < n; v++) PASS(lm_family_edge(builder, u, v));
    return LEMAN_OK;
}

/* (row, column) is vertex row * columns + column. */
leman_status lm_grid_draw(lm_family_builder *builder)
{
    size_t rows = builder->options->rows, columns = builder->options->columns;
    PASS(lm_family_graph(builder, rows * columns, "grid_%zux%zu", rows, columns));
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < columns; c++) {
            size_t v = r * columns + c;
            if (c + 1 < columns) PASS(lm_family_edge(builder, v, v + 1));
            if (r + 1 < rows) PASS(lm_family_edge(builder, v, v + columns));
        }
    return LEMAN_OK;
}

/* An outer pentagon, an inner pentagram, five spokes. */
leman_status lm_petersen_draw(lm_family_builder *builder)
{
    PASS(lm_family_graph(builder, 2 * PENTAGON, "petersen"));
    PASS(draw_cycle(builder, 0, PENTAGON, 1));
    PASS(draw_cycle(builder, PENTAGON, PENTAGON, 2));
    for (size_t i = 0; i < PENTAGON; i++) PASS(lm_family_edge(builder, i, PENTAGON + i));
    return LEMAN_OK;
}
