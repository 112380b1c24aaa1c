/* Adds one vertex to every graph, joined to all others and marked by an additional label column. O(size of the
 * result). */
#include "base/arguments.h"
#include "base/drop.h"
#include "graph/dataset.h"
#include <string.h>

static leman_status add_with_apex(leman_builder *b, const leman_dataset *data, size_t index, int64_t *labels,
                                  const double *zeros, const int64_t *no_labels)
{
    leman_graph g = leman_dataset_graph(data, index);
    size_t targets = data->columns.targets, columns = g.vertex_labels;
    PASS(leman_builder_graph(b, NULL, data->class_label ? data->class_label + index : NULL,
                             data->target ? data->target + index * targets : NULL));
    for (size_t v = 0; v < g.vertices; v++) {
        if (columns) memcpy(labels, g.vertex_label + v * columns, columns * sizeof *labels);
        labels[columns] = 0;
        PASS(leman_builder_vertex(b, NULL, labels,
                                  g.vertex_attributes ? g.vertex_attribute + v * g.vertex_attributes : zeros));
    }
    memset(labels, 0, columns * sizeof *labels);
    labels[columns] = 1;
    PASS(leman_builder_vertex(b, NULL, labels, zeros));
    for (size_t v = 0; v < g.vertices; v++) {
        for (uint64_t e = g.start[v]; e < g.start[v + 1]; e++)
            PASS(leman_builder_edge(b, v, g.head[e], g.edge_labels ? g.edge_label + e * g.edge_labels : no_labels,
                                    g.edge_attributes ? g.edge_attribute + e * g.edge_attributes : zeros));
        PASS(leman_builder_edge(b, v, g.vertices, no_labels, zeros));
        PASS(leman_builder_edge(b, g.vertices, v, no_labels, zeros));
    }
    return LEMAN_OK;
}

leman_status leman_dataset_apex(leman_context *ctx, const leman_dataset *data, leman_dataset **out)
{
    REQUIRE(ctx, data, out);
    SCRATCH_SCOPE(ctx);
    AUTO(leman_builder_drop) leman_builder *b = NULL;
    leman_columns columns = data->columns;
    leman_policy policy = leman_policy_default();
    size_t reals =
        columns.vertex_attributes > columns.edge_attributes ? columns.vertex_attributes : columns.edge_attributes;
    int64_t *labels, *no_labels;
    double *zeros;
    PASS_SCRATCH(ctx, labels, columns.vertex_labels + 1);
    PASS_SCRATCH_ZERO(ctx, no_labels, columns.edge_labels + 1);
    PASS_SCRATCH_ZERO(ctx, zeros, reals + 1);
    columns.vertex_labels++;
    columns.graph_names = columns.vertex_names = false;
    policy.directed = data->directed;
    policy.self_loops = LEMAN_ACTION_KEEP;
    PASS(leman_builder_new(ctx, data->name, &columns, &b));
    PASS(lm_raw_copy_names(ctx, data, lm_builder_raw(b)));
    for (size_t i = 0; i < data->graphs; i++) PASS(add_with_apex(b, data, i, labels, zeros, no_labels));
    PASS(leman_builder_finish(b, &policy, NULL, out));
    (*out)->reading = data->reading;
    return LEMAN_OK;
}
