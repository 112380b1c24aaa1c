/* Columns: checks those of callers, and makes data sets of the same graphs with other columns. */
#include "base/arguments.h"
#include "graph/dataset.h"
#include <string.h>

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
