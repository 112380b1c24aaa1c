/* Rows of graphs, vertices or arcs; rows.h describes them. */
#include "nn/encode/rows.h"
#include "base/arguments.h"

lm_row_space lm_level_space(leman_level level)
{
    return level == LEMAN_LEVEL_VERTEX ? LM_VERTICES : level == LEMAN_LEVEL_EDGE ? LM_ARCS : LM_GRAPHS;
}

size_t lm_level_rows(leman_level level, const leman_dataset *data)
{
    return level == LEMAN_LEVEL_VERTEX ? data->vertices : level == LEMAN_LEVEL_EDGE ? data->arcs : data->graphs;
}

const double *lm_level_values(leman_level level, const leman_dataset *data, size_t *columns)
{
    const leman_columns *c = &data->columns;
    *columns = level == LEMAN_LEVEL_VERTEX ? c->vertex_attributes
               : level == LEMAN_LEVEL_EDGE ? c->edge_attributes
                                           : c->targets;
    return level == LEMAN_LEVEL_VERTEX ? data->vertex_attribute
           : level == LEMAN_LEVEL_EDGE ? data->edge_attribute
                                       : data->target;
}

/* Lists the rows of one graph from row[*count] on. */
static void list_rows(const leman_dataset *data, leman_level level, size_t graph, uint32_t *row, uint32_t *count)
{
    const leman_graph g = leman_dataset_graph(data, graph);
    if (level == LEMAN_LEVEL_GRAPH) row[(*count)++] = (uint32_t)graph;
    for (size_t v = 0; level != LEMAN_LEVEL_GRAPH && v < g.vertices; v++) {
        if (level == LEMAN_LEVEL_VERTEX) row[(*count)++] = (uint32_t)(data->graph_start[graph] + v);
        for (uint64_t a = g.start[v]; level == LEMAN_LEVEL_EDGE && a < g.start[v + 1]; a++)
            if (g.head[a] != v) row[(*count)++] = (uint32_t)a;
    }
}

leman_status lm_row_list_new(leman_context *ctx, const leman_dataset *data, leman_level level, lm_row_list *out)
{
    AUTO(lm_row_list_free) lm_row_list rows = {.space = lm_level_space(level)};
    uint32_t count = 0;
    PASS_NEW(ctx, rows.start, data->graphs + 1);
    PASS_NEW(ctx, rows.row, lm_level_rows(level, data));
    for (size_t g = 0; g < data->graphs; g++) {
        rows.start[g] = count;
        list_rows(data, level, g, rows.row, &count);
    }
    rows.start[data->graphs] = count;
    return HAND_OVER(out, rows);
}

void lm_row_list_free(lm_row_list *rows)
{
    RELEASE(rows->start, rows->row);
    *rows = (lm_row_list){0};
}

leman_status lm_row_list_parts(leman_context *ctx, const lm_row_list *rows, const leman_parts *parts, leman_parts **out)
{
    SCRATCH_SCOPE(ctx);
    const size_t listed = parts->count[0] + parts->count[1] + parts->count[2];
    size_t all = 0, at = 0, ends[3];
    uint32_t *row;
    for (size_t i = 0; i < listed; i++) all += rows->start[parts->graph[i] + 1] - rows->start[parts->graph[i]];
    PASS_SCRATCH(ctx, row, all + 1);
    const uint32_t *graph = parts->graph;
    for (size_t part = 0; part < 3; part++) {
        for (size_t i = 0; i < parts->count[part]; i++, graph++)
            for (uint32_t r = rows->start[*graph]; r < rows->start[*graph + 1]; r++) row[at++] = rows->row[r];
        ends[part] = at;
    }
    return leman_parts_new(ctx, row, ends[0], row + ends[0], ends[1] - ends[0], row + ends[1], ends[2] - ends[1], out);
}

leman_status leman_parts_rows(leman_context *ctx, const leman_dataset *data, leman_level level,
                              const leman_parts *parts, leman_parts **rows)
{
    AUTO(lm_row_list_free) lm_row_list all = {0};
    REQUIRE(ctx, data, parts, rows);
    REQUIRE_ENUM(ctx, level, LEMAN_LEVEL_COUNT - 1);
    for (size_t i = 0; i < parts->count[0] + parts->count[1] + parts->count[2]; i++)
        if (parts->graph[i] >= data->graphs)
            return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "graph %u: expected a number below %zu", parts->graph[i],
                           data->graphs);
    PASS(lm_row_list_new(ctx, data, level, &all));
    return lm_row_list_parts(ctx, &all, parts, rows);
}
