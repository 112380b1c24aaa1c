/* The public builder: raw data grown one graph, vertex and edge at a time. */
#include "graph/dataset.h"
#include <string.h>

struct leman_builder {
    leman_context *ctx;
    lm_raw raw;
    size_t first; /* first vertex of the current graph */
};

leman_status leman_builder_new(leman_context *ctx, const char *name, const leman_columns *columns, leman_builder **out)
{
    leman_status st = LEMAN_OK;
    leman_builder *builder = NULL;
    NEW(ctx, builder, 1);
    *builder = (leman_builder){.ctx = ctx, .raw.columns = *columns};
    NEW(ctx, builder->raw.name, strlen(name) + 1);
    strcpy(builder->raw.name, name);
done:
    if (st)
        leman_builder_free(builder);
    else
        *out = builder;
    return st;
}

void leman_builder_free(leman_builder *builder)
{
    if (!builder) return;
    lm_raw_free(builder->ctx, &builder->raw);
    lm_free(builder->ctx, builder);
}

lm_raw *lm_builder_raw(leman_builder *builder)
{
    return &builder->raw;
}

static leman_status append_name(leman_context *ctx, lm_vector *ends, lm_vector *bytes, const char *name)
{
    leman_status st = lm_vector_reserve(ctx, ends, 1, sizeof(uint64_t));
    if (st || (st = lm_vector_append(ctx, bytes, name ? name : "", name ? strlen(name) : 0, 1))) return st;
    uint64_t end = bytes->count;
    return lm_vector_append(ctx, ends, &end, 1, sizeof end);
}

/* Columns that are promised must come, finite where they are real. */
static leman_status append_columns(leman_builder *b, lm_vector *vector, const void *values, size_t count,
                                   const char *what)
{
    if (!count) return LEMAN_OK;
    if (!values)
        return lm_fail(b->ctx, LEMAN_ERROR_ARGUMENT, "%s: graph %zu: %zu %s expected, none given", b->raw.name,
                       b->raw.graphs, count, what);
    return lm_vector_append(b->ctx, vector, values, count, 8);
}

leman_status leman_builder_graph(leman_builder *b, const char *name, const int64_t *class_label, const double *targets)
{
    leman_status st = LEMAN_OK;
    TRY(lm_raw_room(b->ctx, &b->raw, 1, 0));
    TRY(append_columns(b, &b->raw.class_label, class_label, b->raw.columns.classes, "class"));
    TRY(append_columns(b, &b->raw.target, targets, b->raw.columns.targets, "targets"));
    if (b->raw.columns.graph_names) TRY(append_name(b->ctx, &b->raw.graph_name_end, &b->raw.graph_name, name));
    b->first = b->raw.vertex_graph.count;
    b->raw.graphs++;
done:
    return st;
}

leman_status leman_builder_vertex(leman_builder *b, const char *name, const int64_t *labels, const double *attributes)
{
    leman_status st = LEMAN_OK;
    if (!b->raw.graphs) FAIL(b->ctx, LEMAN_ERROR_ARGUMENT, "%s: a vertex before the first graph", b->raw.name);
    uint32_t graph = (uint32_t)(b->raw.graphs - 1);
    TRY(lm_raw_room(b->ctx, &b->raw, 0, 1));
    TRY(append_columns(b, &b->raw.vertex_label, labels, b->raw.columns.vertex_labels, "vertex labels"));
    TRY(append_columns(b, &b->raw.vertex_attribute, attributes, b->raw.columns.vertex_attributes, "vertex attributes"));
    if (b->raw.columns.vertex_names) TRY(append_name(b->ctx, &b->raw.vertex_name_end, &b->raw.vertex_name, name));
    TRY(lm_vector_append(b->ctx, &b->raw.vertex_graph, &graph, 1, sizeof graph));
done:
    return st;
}

leman_status leman_builder_edge(leman_builder *b, size_t tail, size_t head, const int64_t *labels,
                                const double *attributes)
{
    leman_status st = LEMAN_OK;
    size_t vertices = b->raw.vertex_graph.count - b->first, beyond = tail >= vertices ? tail : head;
    if (beyond >= vertices)
        FAIL(b->ctx, LEMAN_ERROR_INPUT, "%s: graph %zu: found an edge to vertex %zu, expected one of its %zu vertices",
             b->raw.name, b->raw.graphs, beyond + 1, vertices);
    uint32_t t = (uint32_t)(b->first + tail), h = (uint32_t)(b->first + head);
    TRY(append_columns(b, &b->raw.edge_label, labels, b->raw.columns.edge_labels, "edge labels"));
    TRY(append_columns(b, &b->raw.edge_attribute, attributes, b->raw.columns.edge_attributes, "edge attributes"));
    TRY(lm_vector_reserve(b->ctx, &b->raw.tail, 1, sizeof t));
    TRY(lm_vector_append(b->ctx, &b->raw.head, &h, 1, sizeof h));
    TRY(lm_vector_append(b->ctx, &b->raw.tail, &t, 1, sizeof t));
done:
    return st;
}

leman_status leman_builder_finish(leman_builder *b, const leman_policy *policy, leman_report *report,
                                  leman_dataset **out)
{
    leman_status st = lm_dataset_assemble(b->ctx, &b->raw, policy, report, out);
    char *name = b->raw.name;
    leman_columns columns = b->raw.columns;
    b->raw.name = NULL;
    lm_raw_free(b->ctx, &b->raw);
    b->raw = (lm_raw){.name = name, .columns = columns};
    b->first = 0;
    return st;
}
