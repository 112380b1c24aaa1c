/*
 * Real-valued attributes beside types: which of them are read, and their means and deviations over some graphs,
 *
 *   mean = sum of x / n      deviation = sqrt(sum of (x - mean)^2 / (n - 1))
 *
 * for each column, over vertices or over arcs without self-loops. O(vertices + arcs) for each column.
 */
#include "graph/dataset.h"
#include "nn/encode/encoding.h"
#include <float.h>
#include <math.h>

static const double ROUNDING = 1e-12; /* relative to the mean: with a smaller deviation all values count as equal */

leman_columns lm_encoding_attributes(const lm_encoding_options *o, const leman_columns *columns)
{
    const bool used = (o->parts || o->beside) && !o->ignore_attributes;
    const bool edges = o->parts || o->k > 1 || o->edges;
    return (leman_columns){.vertex_attributes = used ? columns->vertex_attributes : 0,
                           .edge_attributes = used && edges ? columns->edge_attributes : 0};
}

leman_status lm_encoding_allocate_scale(leman_context *ctx, lm_encoding *e)
{
    size_t count;
    if (!e->options.beside) return LEMAN_OK;
    if (!lm_add(e->columns.vertex_attributes, e->columns.edge_attributes, &count)) count = SIZE_MAX;
    PASS_NEW_ZERO(ctx, e->mean, count);
    PASS_NEW(ctx, e->deviation, count);
    for (size_t c = 0; c < count; c++) e->deviation[c] = 1;
    return LEMAN_OK;
}

/* ---- Values ---------------------------------------------------------------------------------- */

/* A number that can be computed with in 32 bits. */
static bool is_usable(double value)
{
    return fabs(value) <= (double)FLT_MAX;
}

static leman_status refuse(leman_context *ctx, const leman_dataset *data, size_t graph, size_t column, const char *what,
                           double value)
{
    return lm_fail(ctx, LEMAN_ERROR_INPUT,
                   "%s: graph %zu: found %g in column %zu of %s, expected a finite number; numbers count from 0",
                   data->name, graph, value, column, what);
}

leman_status lm_encoding_check(leman_context *ctx, const lm_encoding *e, const leman_dataset *data)
{
    const size_t vertex = e->columns.vertex_attributes, edge = e->columns.edge_attributes;
    for (size_t i = 0; e->options.beside && i < data->graphs; i++) {
        const leman_graph g = leman_dataset_graph(data, i);
        for (size_t c = 0; c < g.vertices * vertex; c++)
            if (!is_usable(g.vertex_attribute[c]))
                return refuse(ctx, data, i, c % vertex, "vertex attributes", g.vertex_attribute[c]);
        for (size_t c = g.start[0] * edge; c < g.start[g.vertices] * edge; c++)
            if (!is_usable(g.edge_attribute[c]))
                return refuse(ctx, data, i, c % edge, "edge attributes", g.edge_attribute[c]);
    }
    return LEMAN_OK;
}

/* ---- Means and deviations -------------------------------------------------------------------- */

/* The number of values of a column so far, and their sum: of the values, or of their squared distances from `mean`. */
typedef struct column_sum {
    double mean, sum;
    size_t count;
    bool squares;
} column_sum;

static void add(column_sum *s, double value)
{
    const double off = value - s->mean;
    s->sum += s->squares ? off * off : value;
    s->count++;
}

/* Adds the values of one graph in a column; columns of edges follow those of vertices. */
static void add_graph(const lm_encoding *e, const leman_graph *g, size_t column, column_sum *s)
{
    const size_t vertex = e->columns.vertex_attributes, edge = e->columns.edge_attributes;
    for (size_t v = 0; v < g->vertices; v++) {
        if (column < vertex) {
            add(s, g->vertex_attribute[v * vertex + column]);
            continue;
        }
        for (uint64_t a = g->start[v]; a < g->start[v + 1]; a++)
            if (g->head[a] != v) add(s, g->edge_attribute[a * edge + column - vertex]);
    }
}

leman_status lm_encoding_standardize(leman_context *ctx, lm_encoding *e, const leman_dataset *data,
                                     const uint32_t *which, size_t count)
{
    const size_t columns = e->columns.vertex_attributes + e->columns.edge_attributes;
    PASS(lm_encoding_check(ctx, e, data));
    for (size_t c = 0; c < columns; c++) {
        column_sum values = {0}, squares = {.squares = true};
        for (size_t i = 0; i < count; i++) {
            const leman_graph g = leman_dataset_graph(data, which[i]);
            add_graph(e, &g, c, &values);
        }
        squares.mean = values.count ? values.sum / (double)values.count : 0;
        for (size_t i = 0; i < count; i++) {
            const leman_graph g = leman_dataset_graph(data, which[i]);
            add_graph(e, &g, c, &squares);
        }
        const double deviation = squares.count > 1 ? sqrt(squares.sum / (double)(squares.count - 1)) : 0;
        e->mean[c] = squares.mean;
        e->deviation[c] = deviation > ROUNDING * fabs(squares.mean) ? deviation : 1;
    }
    return LEMAN_OK;
}
