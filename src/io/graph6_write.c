/*
 * Writes graph6, or digraph6 if the data set is directed. Time and characters O(n^2 / 6) a graph, independent of the
 * number of edges; sparse6 is better for large sparse graphs.
 */
#include "io/graph6.h"

void lm_six_put(lm_six *six, uint64_t value, unsigned count)
{
    while (count--) {
        six->value = six->value << 1 | (unsigned)(value >> count & 1);
        if (++six->filled < 6) continue;
        char c = (char)(six->value + LM_SIX_LOWEST);
        lm_output_write(six->out, &c, 1); /* the output remembers a failure */
        six->value = six->filled = 0;
    }
}

void lm_six_size(lm_six *six, uint64_t n)
{
    const char *marks = n <= LM_SIX_SHORT ? "" : n <= LM_SIX_LONG ? "~" : "~~";
    size_t length = n <= LM_SIX_SHORT ? 0 : n <= LM_SIX_LONG ? 1 : 2;
    lm_output_write(six->out, marks, length);
    lm_six_put(six, n, length == 0 ? 6 : length == 1 ? 18 : 36);
}

/* Writes row v of the matrix, columns 0 .. width-1. The heads of v are sorted. */
static void put_row(lm_six *six, const leman_graph *g, size_t v, size_t width)
{
    uint64_t e = g->start[v], end = g->start[v + 1];
    for (size_t u = 0; u < width; u++) {
        bool joined = e < end && g->head[e] == u;
        e += joined;
        lm_six_put(six, joined, 1);
    }
}

/* In an undirected graph row v up to the diagonal is column v of the upper triangle. */
static void write_graph(lm_six *six, const leman_graph *g)
{
    if (g->directed) lm_output_write(six->out, "&", 1);
    lm_six_size(six, g->vertices);
    for (size_t v = 0; v < g->vertices; v++) put_row(six, g, v, g->directed ? g->vertices : v);
    if (six->filled) lm_six_put(six, 0, 6 - six->filled);
}

static leman_status check_loops(leman_context *ctx, const leman_dataset *data)
{
    for (size_t i = 0; i < data->graphs && !data->directed; i++) {
        leman_graph g = leman_dataset_graph(data, i);
        for (size_t v = 0; v < g.vertices; v++)
            for (uint64_t e = g.start[v]; e < g.start[v + 1]; e++)
                if (g.head[e] == v)
                    return lm_fail(ctx, LEMAN_ERROR_INPUT,
                                   "%s: graph %zu has a self-loop at vertex %zu, which graph6 cannot hold; write "
                                   "sparse6 or remove the loops",
                                   data->name, i, v);
    }
    return LEMAN_OK;
}

leman_status lm_six_write(leman_context *ctx, const leman_dataset *data, lm_output *out, const char *format,
                          void (*write)(lm_six *six, const leman_graph *g))
{
    lm_six six = {.out = out};
    lm_log_dropped(ctx, data, format, &(leman_columns){0});
    if (!data->graphs) PASS(lm_output_printf(out, ">>%s<<\n", format)); /* the reader refuses an empty file */
    lm_progress_begin(ctx, data->graphs, "writing %s", data->name);
    for (size_t i = 0; i < data->graphs; i++) {
        leman_graph g = leman_dataset_graph(data, i);
        write(&six, &g);
        PASS(lm_output_write(out, "\n", 1));
        PASS(lm_progress_step(ctx, i + 1));
    }
    return LEMAN_OK;
}

leman_status lm_graph6_write(leman_context *ctx, const leman_dataset *data, lm_output *out)
{
    PASS(check_loops(ctx, data));
    if (data->directed) lm_log(ctx, "%s: directed, so its lines are digraph6", data->name);
    return lm_six_write(ctx, data, out, data->directed ? "digraph6" : "graph6", write_graph);
}
