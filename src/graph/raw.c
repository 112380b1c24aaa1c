/* The result of a reader: its limits, the lines of its edges, and freeing it. */
#include "graph/dataset.h"
#include <stdio.h>

leman_status lm_raw_check_size(leman_context *ctx, const lm_raw *raw, size_t graphs, size_t vertices)
{
    const size_t max = UINT32_MAX / 2;
    size_t all_graphs, all_vertices;
    if (!lm_add(raw->graphs, graphs, &all_graphs) || !lm_add(raw->vertex_graph.count, vertices, &all_vertices) ||
        all_graphs > max || all_vertices > max || raw->tail.count > max)
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: more than %zu graph%s, vertices or edges", raw->name, max,
                       lm_plural(max));
    return LEMAN_OK;
}

void lm_raw_free(lm_raw *raw)
{
    for (size_t i = 0; i < sizeof raw->vectors / sizeof *raw->vectors; i++) lm_vector_release(raw->vectors + i);
    lm_release(raw->name);
    raw->name = NULL;
}

leman_status lm_raw_lines(leman_context *ctx, lm_raw *raw, uint64_t line)
{
    leman_status st = LEMAN_OK;
    while (!st && raw->edge_line.count < raw->tail.count)
        st = lm_vector_append(ctx, &raw->edge_line, &line, 1, sizeof line);
    return st;
}

void lm_raw_vertex_text(const lm_raw *raw, uint32_t vertex, size_t number, char *text, size_t size)
{
    const uint64_t *end = raw->vertex_name_end.items;
    uint64_t begin = vertex && raw->columns.vertex_names ? end[vertex - 1] : 0;
    bool counted_over_all = raw->edge_file && !raw->edge_line.count;
    if (raw->columns.vertex_names)
        snprintf(text, size, "%.*s", (int)(end[vertex] - begin), (const char *)raw->vertex_name.items + begin);
    else
        snprintf(text, size, "%zu", counted_over_all ? vertex + (size_t)1 : raw->edge_file ? number : number - 1);
}
