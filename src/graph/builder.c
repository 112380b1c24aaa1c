/* The public builder: raw data that grows by one graph, vertex or edge per call. */
#include "base/arguments.h"
#include "base/drop.h"
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
    AUTO(leman_builder_drop) leman_builder *builder = NULL;
    REQUIRE(ctx, name, columns, out);
    PASS(lm_columns_check_reserved(ctx, columns));
    PASS_NEW(ctx, builder, 1);
    *builder = (leman_builder){.ctx = ctx, .raw.columns = *columns};
    PASS(lm_copy_text(ctx, name, strlen(name), &builder->raw.name));
    return HAND_OVER(out, builder);
}

void leman_builder_free(leman_builder *builder)
{
    if (!builder) return;
    lm_raw_free(&builder->raw);
    lm_release(builder);
}

lm_raw *lm_builder_raw(leman_builder *builder)
{
    return &builder->raw;
}

/* ---- Columns --------------------------------------------------------------------------------- */

static leman_status append_name(leman_context *ctx, lm_vector *ends, lm_vector *bytes, const char *name)
{
    PASS(lm_vector_append(ctx, bytes, name, name ? strlen(name) : 0, 1));
    uint64_t end = bytes->count;
    return lm_vector_append(ctx, ends, &end, 1, sizeof end);
}

/* Appends `count` values of 8 bytes. `what` names them for the sentence that says that they are missing. */
static leman_status append_values(leman_builder *b, lm_vector *vector, const void *values, size_t count,
                                  const char *what)
{
    if (!count) return LEMAN_OK;
    if (!values)
        return lm_fail(b->ctx, LEMAN_ERROR_ARGUMENT, "%s: %zu %s expected, none given", b->raw.name, count, what);
    return lm_vector_append(b->ctx, vector, values, count, sizeof(int64_t));
}

/* The number of the graph with this vertex of `a`; of the current graph, if `a` is a single vertex or edge. */
static size_t graph_of_vertex(const leman_builder *b, const leman_graph_arrays *a, size_t vertex)
{
    size_t g = 0;
    if (!a->vertex_start) return b->raw.graphs ? b->raw.graphs - 1 : 0;
    while (g + 1 < a->graphs && a->vertex_start[g + 1] <= vertex) g++;
    return b->raw.graphs + g;
}

/* Appends `columns` attributes of each of some vertices, or of some edges, which have tails. */
static leman_status append_reals(leman_builder *b, lm_vector *vector, const leman_graph_arrays *a, const double *values,
                                 size_t count, size_t columns, bool edges)
{
    const char *what = edges ? "edge attributes" : "vertex attributes";
    for (size_t i = 0; values && i < count; i++) {
        if (isfinite(values[i])) continue;
        const size_t row = i / columns, vertex = edges && a->tail ? (size_t)a->tail[row] : row;
        return lm_fail(b->ctx, LEMAN_ERROR_ARGUMENT,
                       "%s: graph %zu: found %s in column %zu of %s, expected a finite number; numbers count from 0",
                       b->raw.name, graph_of_vertex(b, a, vertex),
                       isnan(values[i]) ? "NaN"
                       : values[i] > 0  ? "infinity"
                                        : "-infinity",
                       i % columns, what);
    }
    return append_values(b, vector, values, count, what);
}

/* Appends targets, which are finite numbers, or any NaN if missing. */
static leman_status append_targets(leman_builder *b, const double *values, size_t count)
{
    lm_vector *vector = &b->raw.target;
    for (size_t i = 0; values && i < count; i++)
        if (isinf(values[i]))
            return lm_fail(b->ctx, LEMAN_ERROR_ARGUMENT, "%s: found targets that are neither finite nor missing",
                           b->raw.name);
    PASS(append_values(b, vector, values, count, lm_plural_of(count, "target", "targets")));
    for (double *last = vector->items; count; count--)
        if (isnan(last[vector->count - count])) last[vector->count - count] = lm_missing_target();
    return LEMAN_OK;
}

/* Appends the columns of so many graphs, vertices and edges. The columns are cut again if this fails. */
static leman_status append_columns(leman_builder *b, const leman_graph_arrays *a, size_t graphs, size_t vertices,
                                   size_t edges)
{
    lm_raw *raw = &b->raw;
    const leman_columns *c = &raw->columns;
    size_t targets, labels[2], reals[2];
    if (!lm_multiply(graphs, c->targets, &targets) || !lm_multiply(vertices, c->vertex_labels, &labels[0]) ||
        !lm_multiply(edges, c->edge_labels, &labels[1]) || !lm_multiply(vertices, c->vertex_attributes, &reals[0]) ||
        !lm_multiply(edges, c->edge_attributes, &reals[1]))
        return lm_fail(b->ctx, LEMAN_ERROR_BUDGET, "%s: columns larger than any memory", raw->name);
    PASS(append_values(b, &raw->class_label, a->class_label, c->classes ? graphs : 0,
                       lm_plural_of(graphs, "class", "classes")));
    PASS(append_targets(b, a->target, targets));
    PASS(append_values(b, &raw->vertex_label, a->vertex_label, labels[0], "vertex labels"));
    PASS(append_values(b, &raw->edge_label, a->edge_label, labels[1], "edge labels"));
    PASS(append_reals(b, &raw->vertex_attribute, a, a->vertex_attribute, reals[0], c->vertex_attributes, false));
    PASS(append_reals(b, &raw->edge_attribute, a, a->edge_attribute, reals[1], c->edge_attributes, true));
    for (size_t g = 0; c->graph_names && g < graphs; g++)
        PASS(append_name(b->ctx, &raw->graph_name_end, &raw->graph_name, a->graph_name ? a->graph_name[g] : NULL));
    for (size_t v = 0; c->vertex_names && v < vertices; v++)
        PASS(append_name(b->ctx, &raw->vertex_name_end, &raw->vertex_name, a->vertex_name ? a->vertex_name[v] : NULL));
    return LEMAN_OK;
}

static void cut_names(lm_vector *ends, lm_vector *bytes, size_t count)
{
    ends->count = count;
    bytes->count = count ? ((const uint64_t *)ends->items)[count - 1] : 0;
}

/* Makes a call that failed add nothing: cuts every column to the length that the numbers of graphs, vertices and edges
 * imply. */
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
    const leman_graph_arrays columns = {.class_label = class_label, .target = targets, .graph_name = &name};
    TRY(append_columns(b, &columns, 1, 0, 0));
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
    const leman_graph_arrays columns = {.vertex_label = labels, .vertex_attribute = attributes, .vertex_name = &name};
    TRY(append_columns(b, &columns, 0, 1, 0));
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
    const leman_graph_arrays columns = {.edge_label = labels, .edge_attribute = attributes};
    TRY(append_columns(b, &columns, 0, 0, 1));
    TRY(lm_vector_append(b->ctx, &raw->head, &h, 1, sizeof h));
    TRY(lm_vector_append(b->ctx, &raw->tail, &t, 1, sizeof t));
done:
    return undo_if_failed(b, st);
}

/* ---- Many graphs at once --------------------------------------------------------------------- */

LM_OPTIONS(leman_graph_arrays, arrays, 0)

/* Checks that ranges of vertices are in order and that vertices can be numbered by 32 bits. */
static leman_status check_ranges(leman_builder *b, const leman_graph_arrays *a)
{
    const char *name = b->raw.name;
    const uint64_t *start = a->vertex_start;
    if (!start || start[0])
        return lm_fail(b->ctx, LEMAN_ERROR_ARGUMENT, "%s: expected vertex_start[graphs+1], which begins with 0", name);
    for (size_t g = 0; g < a->graphs; g++)
        if (start[g + 1] < start[g])
            return lm_fail(b->ctx, LEMAN_ERROR_INPUT,
                           "%s: graph %zu: found vertex_start %llu behind %llu, expected numbers that do not fall",
                           name, g, (unsigned long long)start[g + 1], (unsigned long long)start[g]);
    PASS(lm_raw_check_size(b->ctx, &b->raw, a->graphs, (size_t)start[a->graphs]));
    if (a->edges > UINT32_MAX / 2 - b->raw.tail.count)
        return lm_fail(b->ctx, LEMAN_ERROR_INPUT, "%s: found %zu edges, expected at most %zu", name, a->edges,
                       (size_t)(UINT32_MAX / 2 - b->raw.tail.count));
    if (a->edges && (!a->tail || !a->head))
        return lm_fail(b->ctx, LEMAN_ERROR_ARGUMENT, "%s: tails and heads of %zu edge%s expected, none given", name,
                       a->edges, lm_plural(a->edges));
    return LEMAN_OK;
}

static leman_status append_edges(leman_builder *b, const leman_graph_arrays *a, const uint32_t *graph_of)
{
    lm_vector *tail = &b->raw.tail, *head = &b->raw.head;
    const size_t vertices = (size_t)a->vertex_start[a->graphs], first = b->raw.vertex_graph.count;
    PASS(lm_vector_reserve(b->ctx, tail, a->edges, sizeof(uint32_t)));
    PASS(lm_vector_reserve(b->ctx, head, a->edges, sizeof(uint32_t)));
    uint32_t *t = (uint32_t *)tail->items + tail->count, *h = (uint32_t *)head->items + head->count;
    for (size_t e = 0; e < a->edges; e++) {
        const int64_t ends[2] = {a->tail[e], a->head[e]};
        for (int i = 0; i < 2; i++)
            if (ends[i] < 0 || (uint64_t)ends[i] >= vertices)
                return lm_fail(b->ctx, LEMAN_ERROR_INPUT,
                               "%s: edge %zu: found vertex %lld, expected one of the %zu %s, counted from 0",
                               b->raw.name, e, (long long)ends[i], vertices,
                               lm_plural_of(vertices, "vertex", "vertices"));
        if (graph_of[ends[0]] != graph_of[ends[1]])
            return lm_fail(
                b->ctx, LEMAN_ERROR_INPUT,
                "%s: edge %zu: found vertex %lld of graph %u and vertex %lld of graph %u, expected two of one graph",
                b->raw.name, e, (long long)ends[0], graph_of[ends[0]], (long long)ends[1], graph_of[ends[1]]);
        t[e] = (uint32_t)(first + (size_t)ends[0]);
        h[e] = (uint32_t)(first + (size_t)ends[1]);
    }
    tail->count += a->edges;
    head->count += a->edges;
    return LEMAN_OK;
}

leman_status leman_builder_arrays(leman_builder *b, const leman_graph_arrays *arrays)
{
    leman_status st = LEMAN_OK;
    leman_graph_arrays a = leman_graph_arrays_default();
    if (!b) return LEMAN_ERROR_ARGUMENT;
    lm_raw *raw = &b->raw;
    const size_t edges = raw->tail.count, before = raw->vertex_graph.count;
    SCRATCH_SCOPE(b->ctx);
    uint32_t *graph_of = NULL;
    static const uint64_t none[1] = {0};
    REQUIRE(b->ctx, arrays);
    TRY(lm_options_copy(b->ctx, "leman_graph_arrays", arrays, &a, sizeof a));
    if (!a.graphs && !a.vertex_start) a.vertex_start = none;
    TRY(check_ranges(b, &a));
    const size_t vertices = (size_t)a.vertex_start[a.graphs];
    SCRATCH(b->ctx, graph_of, vertices + 1);
    for (size_t g = 0; g < a.graphs; g++)
        for (uint64_t v = a.vertex_start[g]; v < a.vertex_start[g + 1]; v++) graph_of[v] = (uint32_t)g;
    TRY(append_columns(b, &a, a.graphs, vertices, a.edges));
    TRY(append_edges(b, &a, graph_of));
    for (size_t v = 0; v < vertices; v++) graph_of[v] += (uint32_t)raw->graphs;
    TRY(lm_vector_append(b->ctx, &raw->vertex_graph, graph_of, vertices, sizeof *graph_of));
    raw->graphs += a.graphs;
    if (a.graphs) b->first = before + (size_t)a.vertex_start[a.graphs - 1];
done:
    if (st) raw->tail.count = edges;
    return undo_if_failed(b, st);
}

/* ---- Names and finishing --------------------------------------------------------------------- */

leman_status leman_builder_target_names(leman_builder *b, const char *const *names)
{
    leman_status st = LEMAN_OK;
    REQUIRE(b ? b->ctx : NULL, names);
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
    REQUIRE(b ? b->ctx : NULL, name);
    if (!b->raw.columns.classes)
        return lm_fail(b->ctx, LEMAN_ERROR_ARGUMENT, "%s: a name for class %lld, expected columns with classes",
                       b->raw.name, (long long)class_label);
    return lm_raw_class_name(b->ctx, &b->raw, class_label, name, strlen(name));
}

leman_status leman_builder_finish(leman_builder *b, const leman_policy *given, leman_cleaning *cleaning,
                                  leman_dataset **out)
{
    leman_policy policy;
    REQUIRE(b ? b->ctx : NULL, out);
    PASS(lm_policy_copy(b->ctx, given, &policy));
    leman_status st = lm_dataset_assemble(b->ctx, &b->raw, &policy, cleaning, out);
    char *name = b->raw.name;
    leman_columns columns = b->raw.columns;
    b->raw.name = NULL;
    lm_raw_free(&b->raw);
    b->raw = (lm_raw){.name = name, .columns = columns};
    b->first = 0;
    return st;
}
