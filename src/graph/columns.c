/* Columns: checks those of callers, and makes data sets of the same graphs with other columns. Names of levels. */
#include "base/arguments.h"
#include "base/drop.h"
#include "graph/dataset.h"
#include <string.h>

static const char *const LEVELS[] = {
    [LEMAN_LEVEL_GRAPH] = "graph", [LEMAN_LEVEL_VERTEX] = "vertex", [LEMAN_LEVEL_EDGE] = "edge"};
LM_ENUM(leman_level, level, "level", LEVELS, , LEMAN_LEVEL_COUNT)

leman_status lm_columns_check_reserved(leman_context *ctx, const leman_columns *columns)
{
    for (size_t i = 0; i < sizeof columns->reserved / sizeof *columns->reserved; i++)
        if (columns->reserved[i])
            return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "leman_columns: found %zu in reserved[%zu], expected 0",
                           columns->reserved[i], i);
    return LEMAN_OK;
}

leman_status lm_dataset_derive(leman_context *ctx, const leman_dataset *data, const leman_dataset *shape,
                               leman_dataset **out)
{
    leman_dataset *made;
    PASS(lm_dataset_new(ctx, shape, data->name, &made));
    for (const lm_array *a = lm_dataset_arrays; a < lm_dataset_arrays + LM_ARRAYS; a++) {
        const size_t size = lm_array_bytes(made, a);
        if (size && size == lm_array_bytes(data, a)) memcpy(lm_dataset_array(made, a), lm_dataset_array(data, a), size);
    }
    lm_dataset_measure(made);
    *out = made;
    return LEMAN_OK;
}

leman_status leman_dataset_keep(leman_context *ctx, const leman_dataset *data, const leman_columns *keep,
                                leman_dataset **out)
{
    leman_dataset shape;
    leman_columns *c = &shape.columns;
    REQUIRE(ctx, data, keep, out);
    PASS(lm_columns_check_reserved(ctx, keep));
    shape = *data;
    if (!keep->vertex_labels) c->vertex_labels = 0;
    if (!keep->edge_labels) c->edge_labels = 0;
    if (!keep->vertex_attributes) c->vertex_attributes = 0;
    if (!keep->edge_attributes) c->edge_attributes = 0;
    if (!keep->targets) c->targets = shape.target_name_bytes = 0;
    c->classes = c->classes && keep->classes;
    c->graph_names = c->graph_names && keep->graph_names;
    c->vertex_names = c->vertex_names && keep->vertex_names;
    if (!c->graph_names) shape.graph_name_bytes = 0;
    if (!c->vertex_names) shape.vertex_name_bytes = 0;
    if (!c->classes) shape.class_names = shape.class_name_bytes = 0;
    return lm_dataset_derive(ctx, data, &shape, out);
}

leman_status lm_dataset_without(leman_context *ctx, const leman_dataset *data, leman_level level, const size_t *column,
                                size_t count, leman_dataset **out)
{
    SCRATCH_SCOPE(ctx);
    AUTO(leman_dataset_drop) leman_dataset *made = NULL;
    const bool edges = level == LEMAN_LEVEL_EDGE;
    const size_t rows = edges ? data->arcs : data->vertices;
    const size_t columns = edges ? data->columns.edge_attributes : data->columns.vertex_attributes;
    leman_dataset shape = *data;
    bool *dropped;
    PASS_SCRATCH_ZERO(ctx, dropped, columns);
    size_t kept = columns;
    for (size_t i = 0; i < count; i++) {
        kept -= !dropped[column[i]];
        dropped[column[i]] = true;
    }
    *(edges ? &shape.columns.edge_attributes : &shape.columns.vertex_attributes) = kept;
    PASS(lm_dataset_derive(ctx, data, &shape, &made));
    const double *from = edges ? data->edge_attribute : data->vertex_attribute;
    double *to = LM_WRITABLE(double, edges ? made->edge_attribute : made->vertex_attribute);
    for (size_t r = 0; to && r < rows; r++)
        for (size_t c = 0; c < columns; c++)
            if (!dropped[c]) *to++ = from[r * columns + c];
    return HAND_OVER(out, made);
}

leman_status leman_dataset_rows(leman_context *ctx, const leman_dataset *data, leman_level level, leman_dataset **out)
{
    leman_dataset shape = {0}, *made;
    const bool edges = level == LEMAN_LEVEL_EDGE;
    REQUIRE(ctx, data, out);
    REQUIRE_ENUM(ctx, level, LEMAN_LEVEL_COUNT - 1);
    shape.graphs = level == LEMAN_LEVEL_GRAPH ? data->graphs : edges ? data->arcs : data->vertices;
    shape.columns.targets = level == LEMAN_LEVEL_GRAPH ? data->columns.targets
                            : edges                    ? data->columns.edge_attributes
                                                       : data->columns.vertex_attributes;
    if (level == LEMAN_LEVEL_GRAPH) shape.target_name_bytes = data->target_name_bytes;
    PASS(lm_dataset_new(ctx, &shape, data->name, &made));
    if (shape.target_name_bytes) {
        memcpy(LM_WRITABLE(char, made->target_name), data->target_name, shape.target_name_bytes);
        memcpy(LM_WRITABLE(uint64_t, made->target_name_start), data->target_name_start,
               (shape.columns.targets + 1) * sizeof *data->target_name_start);
    }
    const double *value = level == LEMAN_LEVEL_GRAPH ? data->target
                          : edges                    ? data->edge_attribute
                                                     : data->vertex_attribute;
    if (made->target)
        memcpy(LM_WRITABLE(double, made->target), value, shape.graphs * shape.columns.targets * sizeof *value);
    memset(LM_WRITABLE(uint64_t, made->graph_start), 0, (shape.graphs + 1) * sizeof *made->graph_start);
    lm_dataset_measure(made);
    *out = made;
    return LEMAN_OK;
}
