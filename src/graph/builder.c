/* The public builder: raw data that grows by one graph, vertex or edge a call. */
#include "base/arguments.h"
#include "graph/dataset.h"
#include <math.h>
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
    REQUIRE(ctx, name);
    REQUIRE(ctx, columns);
    REQUIRE(ctx, out);
    TRY(lm_columns_check_reserved(ctx, columns));
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

/* ---- Columns --------------------------------------------------------------------------------- */

static leman_status append_name(leman_context *ctx, lm_vector *ends, lm_vector *bytes, const char *name)
{
    leman_status st = LEMAN_OK;
    TRY(lm_vector_append(ctx, bytes, name, name ? strlen(name) : 0, 1));
    uint64_t end = bytes->count;
    TRY(lm_vector_append(ctx, ends, &end, 1, sizeof end));
done:
    return st;
}

static leman_status append_labels(leman_builder *b, lm_vector *vector, const int64_t *values, size_t count,
                                  const char *what)
{
    if (count && !values)
        return lm_fail(b->ctx, LEMAN_ERROR_ARGUMENT, "%s: %zu %s expected, none given", b->raw.name, count, what);
    return lm_vector_append(b->ctx, vector, values, count, sizeof *values);
}

static leman_status append_reals(leman_builder *b, lm_vector *vector, const double *values, size_t count,
                                 const char *what)
{
    if (count && !values)
        return lm_fail(b->ctx, LEMAN_ERROR_ARGUMENT, "%s: %zu %s expected, none given", b->raw.name, count, what);
    for (size_t i = 0; i < count; i++)
        if (!isfinite(values[i]))
            return lm_fail(b->ctx, LEMAN_ERROR_ARGUMENT, "%s: found %s that are not finite numbers", b->raw.name, what);
    return lm_vector_append(b->ctx, vector, values, count, sizeof *values);
}

/* Numbers, or NaN where one is missing, whichever NaN it is. */
static leman_status append_targets(leman_builder *b, const double *values)
{
    leman_status st = LEMAN_OK;
    lm_vector *vector = &b->raw.target;
    const size_t count = b->raw.columns.targets;
    if (count && !values)
        FAIL(b->ctx, LEMAN_ERROR_ARGUMENT, "%s: %zu target%s expected, none given", b->raw.name, count,
             lm_plural(count));
    for (size_t i = 0; i < count; i++)
        if (isinf(values[i]))
            FAIL(b->ctx, LEMAN_ERROR_ARGUMENT, "%s: found targets that are neither finite nor missing", b->raw.name);
    TRY(lm_vector_reserve(b->ctx, vector, count, sizeof *values));
    for (size_t i = 0; i < count; i++)
        ((double *)vector->items)[vector->count++] = isnan(values[i]) ? lm_missing_target() : values[i];
done:
    return st;
}

static void cut_names(lm_vector *ends, lm_vector *bytes, size_t count)
{
    ends->count = count;
    bytes->count = count ? ((const uint64_t *)ends->items)[count - 1] : 0;
}

/* A call that failed half way adds nothing: every column is cut to the length that graphs, vertices and edges say. */
static leman_status undo_if_failed(leman_builder *b, leman_status st)
{
    lm_raw *raw = &b->raw;
    const leman_columns *c = &raw->columns;
    if (!st) return LEMAN_OK;
    size_t vertices = raw->vertex_graph.count, edges = raw->tail.count;
    raw->head.count = edges;
    raw->class_label.count = c->classes ? raw->graphs : 0;
    raw->target.count = raw->graphs * c->targets;
    raw->vertex_label.count = vertices * c->vertex_labels;
    raw->vertex_attribute.count = vertices * c->vertex_attributes;
    raw->edge_label.count = edges * c->edge_labels;
    raw->edge_attribute.count = edges * c->edge_attributes;
    cut_names(&raw->graph_name_end, &raw->graph_name, c->graph_names ? raw->graphs : 0);
    cut_names(&raw->vertex_name_end, &raw->vertex_name, c->vertex_names ? vertices : 0);
    return st;
}

/* ---- Graphs, vertices, edges ----------------------------------------------------------------- */

leman_status leman_builder_graph(leman_builder *b, const char *name, const int64_t *class_label, const double *targets)
{
    leman_status st = LEMAN_OK;
    if (!b) return LEMAN_ERROR_ARGUMENT;
    lm_raw *raw = &b->raw;
    TRY(lm_raw_check_size(b->ctx, raw, 1, 0));
    TRY(append_labels(b, &raw->class_label, class_label, raw->columns.classes, "class"));
    TRY(append_targets(b, targets));
    if (raw->columns.graph_names) TRY(append_name(b->ctx, &raw->graph_name_end, &raw->graph_name, name));
    b->first = raw->vertex_graph.count;
    raw->graphs++;
done:
    return undo_if_failed(b, st);
}

leman_status leman_builder_vertex(leman_builder *b, const char *name, const int64_t *labels, const double *attributes)
{
    leman_status st = LEMAN_OK;
    if (!b) return LEMAN_ERROR_ARGUMENT;
    lm_raw *raw = &b->raw;
    if (!raw->graphs) FAIL(b->ctx, LEMAN_ERROR_ARGUMENT, "%s: a vertex before the first graph", raw->name);
    uint32_t graph = (uint32_t)(raw->graphs - 1);
    TRY(lm_raw_check_size(b->ctx, raw, 0, 1));
    TRY(append_labels(b, &raw->vertex_label, labels, raw->columns.vertex_labels, "vertex labels"));
    TRY(append_reals(b, &raw->vertex_attribute, attributes, raw->columns.vertex_attributes, "vertex attributes"));
    if (raw->columns.vertex_names) TRY(append_name(b->ctx, &raw->vertex_name_end, &raw->vertex_name, name));
    TRY(lm_vector_append(b->ctx, &raw->vertex_graph, &graph, 1, sizeof graph));
done:
    return undo_if_failed(b, st);
}

leman_status leman_builder_edge(leman_builder *b, size_t tail, size_t head, const int64_t *labels,
                                const double *attributes)
{
    leman_status st = LEMAN_OK;
    if (!b) return LEMAN_ERROR_ARGUMENT;
    lm_raw *raw = &b->raw;
    size_t vertices = raw->vertex_graph.count - b->first, beyond = tail >= vertices ? tail : head;
    if (beyond >= vertices)
        FAIL(b->ctx, LEMAN_ERROR_INPUT, "%s: graph %zu: found an edge to vertex %zu, expected one of its %zu %s",
             raw->name, raw->graphs ? raw->graphs - 1 : 0, beyond, vertices,
             lm_plural_of(vertices, "vertex", "vertices"));
    uint32_t t = (uint32_t)(b->first + tail), h = (uint32_t)(b->first + head);
    TRY(append_labels(b, &raw->edge_label, labels, raw->columns.edge_labels, "edge labels"));
    TRY(append_reals(b, &raw->edge_attribute, attributes, raw->columns.edge_attributes, "edge attributes"));
    TRY(lm_vector_append(b->ctx, &raw->head, &h, 1, sizeof h));
    TRY(lm_vector_append(b->ctx, &raw->tail, &t, 1, sizeof t));
done:
    return undo_if_failed(b, st);
}

leman_status leman_builder_target_names(leman_builder *b, const char *const *names)
{
    leman_status st = b ? lm_require(b->ctx, __func__, "names", names) : LEMAN_ERROR_ARGUMENT;
    if (st) return st;
    lm_raw *raw = &b->raw;
    raw->target_name.count = raw->target_name_end.count = 0;
    for (size_t i = 0; i < raw->columns.targets; i++)
        TRY(lm_raw_target_name(b->ctx, raw, names[i] ? names[i] : "", names[i] ? strlen(names[i]) : 0));
done:
    if (st) raw->target_name.count = raw->target_name_end.count = 0;
    return st;
}

leman_status leman_builder_class_name(leman_builder *b, int64_t class_label, const char *name)
{
    leman_status st = b ? lm_require(b->ctx, __func__, "name", name) : LEMAN_ERROR_ARGUMENT;
    if (st) return st;
    if (!b->raw.columns.classes)
        return lm_fail(b->ctx, LEMAN_ERROR_ARGUMENT, "%s: a name for class %lld, expected columns with classes",
                       b->raw.name, (long long)class_label);
    return lm_raw_class_name(b->ctx, &b->raw, class_label, name, strlen(name));
}

leman_status leman_builder_finish(leman_builder *b, const leman_policy *given, leman_cleaning *cleaning,
                                  leman_dataset **out)
{
    leman_policy policy;
    leman_status st = b ? lm_require(b->ctx, __func__, "out", out) : LEMAN_ERROR_ARGUMENT;
    if (!st) st = lm_policy_copy(b->ctx, given, &policy);
    if (st) return st;
    st = lm_dataset_assemble(b->ctx, &b->raw, &policy, cleaning, out);
    char *name = b->raw.name;
    leman_columns columns = b->raw.columns;
    b->raw.name = NULL;
    lm_raw_free(b->ctx, &b->raw);
    b->raw = (lm_raw){.name = name, .columns = columns};
    b->first = 0;
    return st;
}
