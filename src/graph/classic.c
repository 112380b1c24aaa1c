/*
 * Named graphs: circular skip links, the 4x4 rook's graph and the Shrikhande graph, one cycle against two, paths,
 * cycles, complete graphs, grids, the Petersen graph. Each is drawn edge by edge in O(vertices + edges).
 */
#include "graph/families.h"

/* Fails with "path: found 0 vertices, expected at least 1" if there are too few vertices. */
static leman_status at_least(leman_context *ctx, const char *family, size_t vertices, size_t min)
{
    if (vertices >= min) return LEMAN_OK;
    return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "%s: found %zu %s, expected at least %zu", family, vertices,
                   lm_plural_of(vertices, "vertex", "vertices"), min);
}

/* Draws the cycle first, first+1, ..., first+length-1. */
static leman_status draw_cycle(lm_family_builder *builder, size_t first, size_t length)
{
    leman_status st = LEMAN_OK;
    for (size_t i = 0; i < length; i++) TRY(lm_family_edge(builder, first + i, first + (i + 1) % length));
done:
    return st;
}

/* ---- Circular skip links: a cycle and the chords {i, i + skip} ------------------------------- */

static size_t greatest_common_divisor(size_t a, size_t b)
{
    while (b) {
        size_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

leman_status lm_csl_plan(leman_context *ctx, const leman_family_options *o, lm_family_plan *plan)
{
    leman_status st = LEMAN_OK;
    TRY(at_least(ctx, "csl", o->vertices, 5));
    if (!o->skip_count) FAIL(ctx, LEMAN_ERROR_ARGUMENT, "csl: found no skip, expected at least one");
    for (size_t i = 0; i < o->skip_count; i++) {
        if (o->skips[i] < 2 || o->skips[i] > o->vertices - 2)
            FAIL(ctx, LEMAN_ERROR_ARGUMENT, "csl: found skip %zu with %zu %s, expected 2 to %zu", o->skips[i],
                 o->vertices, lm_plural_of(o->vertices, "vertex", "vertices"), o->vertices - 2);
        size_t divisor = greatest_common_divisor(o->skips[i], o->vertices);
        if (divisor != 1)
            FAIL(ctx, LEMAN_ERROR_ARGUMENT,
                 "csl: found skip %zu with %zu %s, expected two numbers without the common divisor %zu", o->skips[i],
                 o->vertices, lm_plural_of(o->vertices, "vertex", "vertices"), divisor);
    }
    *plan = (lm_family_plan){o->skip_count, o->vertices, lm_saturating_multiply(2, o->vertices)};
done:
    return st;
}

leman_status lm_csl_draw(lm_family_builder *builder)
{
    leman_status st = LEMAN_OK;
    size_t n = builder->options->vertices, skip = builder->options->skips[builder->member];
    TRY(lm_family_graph(builder, n, "CSL_%zu_%zu", n, skip));
    TRY(draw_cycle(builder, 0, n));
    for (size_t i = 0; i < n; i++) TRY(lm_family_edge(builder, i, (i + skip) % n));
done:
    return st;
}

/* ---- Two strongly regular graphs (16, 6, 2, 2) ----------------------------------------------- */

enum { BOARD = 4 };

leman_status lm_rook_shrikhande_plan(leman_context *ctx, const leman_family_options *o, lm_family_plan *plan)
{
    (void)ctx;
    (void)o;
    *plan = (lm_family_plan){2, BOARD * BOARD, 3 * BOARD * BOARD};
    return LEMAN_OK;
}

/* The vertices of both graphs are Z4 x Z4. The rook moves along a row or a column; the Shrikhande graph joins (x, y)
 * with (x+1, y), (x, y+1) and (x+1, y+1), modulo 4. Each edge is drawn from one end only. */
leman_status lm_rook_shrikhande_draw(lm_family_builder *builder)
{
    leman_status st = LEMAN_OK;
    bool rook = builder->member == 0;
    TRY(lm_family_graph(builder, BOARD * BOARD, rook ? "rook" : "shrikhande"));
    for (size_t x = 0; x < BOARD; x++)
        for (size_t y = 0; y < BOARD; y++) {
            size_t v = x * BOARD + y, right = (x + 1) % BOARD, up = (y + 1) % BOARD;
            for (size_t i = x + 1; i < BOARD && rook; i++) TRY(lm_family_edge(builder, v, i * BOARD + y));
            for (size_t i = y + 1; i < BOARD && rook; i++) TRY(lm_family_edge(builder, v, x * BOARD + i));
            if (rook) continue;
            TRY(lm_family_edge(builder, v, right * BOARD + y));
            TRY(lm_family_edge(builder, v, x * BOARD + up));
            TRY(lm_family_edge(builder, v, right * BOARD + up));
        }
done:
    return st;
}

/* ---- One cycle of 2n vertices and two of n --------------------------------------------------- */

leman_status lm_cycles_plan(leman_context *ctx, const leman_family_options *o, lm_family_plan *plan)
{
    if (o->vertices < 6 || o->vertices % 2)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "cycles: found %zu %s, expected an even number, at least 6",
                       o->vertices, lm_plural_of(o->vertices, "vertex", "vertices"));
    *plan = (lm_family_plan){2, o->vertices, o->vertices};
    return LEMAN_OK;
}

leman_status lm_cycles_draw(lm_family_builder *builder)
{
    leman_status st = LEMAN_OK;
    size_t n = builder->options->vertices, length = builder->member ? n / 2 : n;
    TRY(lm_family_graph(builder, n, builder->member ? "2C_%zu" : "C_%zu", length));
    for (size_t first = 0; first < n; first += length) TRY(draw_cycle(builder, first, length));
done:
    return st;
}

/* ---- Paths, cycles, complete graphs ---------------------------------------------------------- */

leman_status lm_path_plan(leman_context *ctx, const leman_family_options *o, lm_family_plan *plan)
{
    *plan = (lm_family_plan){1, o->vertices, o->vertices - 1};
    return at_least(ctx, "path", o->vertices, 1);
}

leman_status lm_path_draw(lm_family_builder *builder)
{
    leman_status st = LEMAN_OK;
    size_t n = builder->options->vertices;
    TRY(lm_family_graph(builder, n, "P_%zu", n));
    for (size_t v = 1; v < n; v++) TRY(lm_family_edge(builder, v - 1, v));
done:
    return st;
}

leman_status lm_cycle_plan(leman_context *ctx, const leman_family_options *o, lm_family_plan *plan)
{
    *plan = (lm_family_plan){1, o->vertices, o->vertices};
    return at_least(ctx, "cycle", o->vertices, 3);
}

leman_status lm_cycle_draw(lm_family_builder *builder)
{
    leman_status st = LEMAN_OK;
    size_t n = builder->options->vertices;
    TRY(lm_family_graph(builder, n, "C_%zu", n));
    TRY(draw_cycle(builder, 0, n));
done:
    return st;
}

leman_status lm_complete_plan(leman_context *ctx, const leman_family_options *o, lm_family_plan *plan)
{
    *plan = (lm_family_plan){1, o->vertices, lm_saturating_multiply(o->vertices, o->vertices - 1) / 2};
    return at_least(ctx, "complete", o->vertices, 1);
}

leman_status lm_complete_draw(lm_family_builder *builder)
{
    leman_status st = LEMAN_OK;
    size_t n = builder->options->vertices;
    TRY(lm_family_graph(builder, n, "K_%zu", n));
    for (size_t u = 0; u < n; u++)
        for (size_t v = u + 1; v < n; v++) TRY(lm_family_edge(builder, u, v));
done:
    return st;
}

/* ---- Grid: (row, column) is vertex row * columns + column ------------------------------------ */

leman_status lm_grid_plan(leman_context *ctx, const leman_family_options *o, lm_family_plan *plan)
{
    if (!o->rows || !o->columns)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "grid: found %zu row%s and %zu column%s, expected at least 1 of each",
                       o->rows, lm_plural(o->rows), o->columns, lm_plural(o->columns));
    uint64_t vertices = lm_saturating_multiply(o->rows, o->columns);
    *plan = (lm_family_plan){1, vertices, lm_saturating_multiply(2, vertices)};
    return LEMAN_OK;
}

leman_status lm_grid_draw(lm_family_builder *builder)
{
    leman_status st = LEMAN_OK;
    size_t rows = builder->options->rows, columns = builder->options->columns;
    TRY(lm_family_graph(builder, rows * columns, "grid_%zux%zu", rows, columns));
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < columns; c++) {
            size_t v = r * columns + c;
            if (c + 1 < columns) TRY(lm_family_edge(builder, v, v + 1));
            if (r + 1 < rows) TRY(lm_family_edge(builder, v, v + columns));
        }
done:
    return st;
}

/* ---- Petersen: an outer pentagon, an inner pentagram, five spokes ---------------------------- */

enum { PENTAGON = 5 };

leman_status lm_petersen_plan(leman_context *ctx, const leman_family_options *o, lm_family_plan *plan)
{
    (void)ctx;
    (void)o;
    *plan = (lm_family_plan){1, 2 * PENTAGON, 3 * PENTAGON};
    return LEMAN_OK;
}

leman_status lm_petersen_draw(lm_family_builder *builder)
{
    leman_status st = LEMAN_OK;
    TRY(lm_family_graph(builder, 2 * PENTAGON, "petersen"));
    for (size_t i = 0; i < PENTAGON; i++) {
        TRY(lm_family_edge(builder, i, (i + 1) % PENTAGON));
        TRY(lm_family_edge(builder, PENTAGON + i, PENTAGON + (i + 2) % PENTAGON));
        TRY(lm_family_edge(builder, i, PENTAGON + i));
    }
done:
    return st;
}
