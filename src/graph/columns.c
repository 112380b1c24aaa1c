/* Columns: checks those of callers, and makes a data set with fewer kinds of columns, whose arrays are copied whole. */
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

leman_status leman_dataset_keep(leman_context *ctx, const leman_dataset *data, const leman_columns *keep,
                                leman_dataset **out)
{
    leman_status st = LEMAN_OK;
    leman_dataset *kept = NULL, shape;
    leman_columns *c = &shape.columns;
    REQUIRE(ctx, data);
    REQUIRE(ctx, keep);
    REQUIRE(ctx, out);
    TRY(lm_columns_check_reserved(ctx, keep));
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
    TRY(lm_dataset_new(ctx, &shape, data->name, &kept));
    for (int i = 0; i < LM_ARRAYS; i++) {
        const lm_array *array = lm_dataset_arrays + i;
        size_t size = array->count(kept) * array->element;
        if (size) memcpy(lm_dataset_array(kept, array), lm_dataset_array(data, array), size);
    }
    lm_dataset_measure(kept);
    *out = kept;
done:
    return st;
}
