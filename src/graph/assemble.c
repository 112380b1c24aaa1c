/*
 * Makes a data set of the result of a reader: sorts the vertices by graph, applies the policy for edges (edges.c),
 * isolated vertices and empty graphs, and fills the block. Time O(vertices + edges).
 */
#include "base/drop.h"
#include "graph/assembly.h"
#include <string.h>

/* ---- Vertices in the order of their graphs --------------------------------------------------- */

static leman_status order_vertices(lm_assembly *a)
{
    const uint32_t *graph = a->raw->vertex_graph.items;
    bool sorted = true;
    PASS_SCRATCH(a->ctx, a->place, a->vertices);
    PASS_SCRATCH(a->ctx, a->at, a->vertices);
    for (size_t v = 1; v < a->vertices && sorted; v++) sorted = graph[v - 1] <= graph[v];
    if (sorted) {
        for (size_t v = 0; v < a->vertices; v++) a->place[v] = a->at[v] = (uint32_t)v;
        return LEMAN_OK;
    }
    size_t *next;
    PASS_SCRATCH_ZERO(a->ctx, next, a->raw->graphs + 1);
    for (size_t v = 0; v < a->vertices; v++) next[graph[v] + 1]++;
    for (size_t g = 0; g < a->raw->graphs; g++) next[g + 1] += next[g];
    for (size_t v = 0; v < a->vertices; v++) {
        a->place[v] = (uint32_t)next[graph[v]]++;
        a->at[a->place[v]] = (uint32_t)v;
        a->cleaning.moved_vertices += a->place[v] != v;
    }
    return LEMAN_OK;
}

/* ---- Isolated vertices and empty graphs ------------------------------------------------------ */

static leman_status number_vertices(lm_assembly *a, size_t *out_vertices, size_t *out_graphs)
{
    size_t graphs = a->raw->graphs, vertices = 0, kept = 0;
    const leman_policy *policy = a->policy;
    PASS_SCRATCH_ZERO(a->ctx, a->vertex_new, a->vertices);
    PASS_SCRATCH_ZERO(a->ctx, a->graph_new, graphs);
    for (size_t i = 0; i < a->arc_count; i++) a->vertex_new[a->arcs[i].tail] = a->vertex_new[a->arcs[i].head] = 1;
    for (size_t p = 0; p < a->vertices; p++) {
        bool isolated = !a->vertex_new[p];
        a->cleaning.isolated_vertices += isolated;
        if (isolated && policy->isolated_vertices == LEMAN_ACTION_REFUSE) {
            char vertex[64];
            lm_raw_vertex_text(a->raw, a->at[p], lm_assembly_number(a, a->at[p]), vertex, sizeof vertex);
            return lm_fail(a->ctx, LEMAN_ERROR_INPUT, "%s: graph %llu: vertex %s is isolated, which the policy refuses",
                           a->raw->name, (unsigned long long)(a->raw->first_graph + lm_assembly_graph(a, (uint32_t)p)),
                           vertex);
        }
        if (isolated && policy->isolated_vertices == LEMAN_ACTION_REMOVE) {
            a->vertex_new[p] = LM_REMOVED;
        } else {
            a->vertex_new[p] = (uint32_t)vertices++;
            a->graph_new[lm_assembly_graph(a, (uint32_t)p)] = 1;
        }
    }
    for (size_t g = 0; g < graphs; g++) {
        bool empty = !a->graph_new[g];
        a->cleaning.empty_graphs += empty;
        if (empty && policy->empty_graphs == LEMAN_ACTION_REFUSE)
            return lm_fail(a->ctx, LEMAN_ERROR_INPUT, "%s: graph %zu has no vertices, which the policy refuses",
                           a->raw->name, a->raw->first_graph + g);
        a->graph_new[g] = empty && policy->empty_graphs == LEMAN_ACTION_REMOVE ? LM_REMOVED : (uint32_t)kept++;
    }
    *out_vertices = vertices;
    *out_graphs = kept;
    return LEMAN_OK;
}

/* ---- Filling the block ----------------------------------------------------------------------- */

/* Copies item `from` of a raw array, `columns` words of 8 bytes, to item `to` of an array of the block. */
static void copy_item(const void *array, size_t to, const lm_vector *raw, size_t from, size_t columns)
{
    if (columns)
        memcpy(LM_WRITABLE(char, array) + to * columns * 8, (char *)raw->items + from * columns * 8, columns * 8);
}

static size_t name_length(const lm_vector *ends, size_t item)
{
    const uint64_t *end = ends->items;
    return end[item] - (item ? end[item - 1] : 0);
}

/* Appends the name of raw item `from` as item `to`. Must be called in the order of `to`. */
static void copy_name(const uint64_t *start, const char *names, size_t to, const lm_vector *ends,
                      const lm_vector *bytes, size_t from)
{
    if (!start) return;
    size_t length = name_length(ends, from);
    uint64_t first = ((const uint64_t *)ends->items)[from] - length;
    if (length) memcpy(LM_WRITABLE(char, names) + start[to], (char *)bytes->items + first, length);
    LM_WRITABLE(uint64_t, start)[to + 1] = start[to] + length;
}

static void fill_graphs(const lm_assembly *a, leman_dataset *d)
{
    const lm_raw *raw = a->raw;
    uint64_t *graph_start = LM_WRITABLE(uint64_t, d->graph_start);
    memset(graph_start, 0, (d->graphs + 1) * sizeof *graph_start);
    for (size_t g = 0; g < raw->graphs; g++) {
        size_t to = a->graph_new[g];
        if (to == LM_REMOVED) continue;
        copy_item(d->target, to, &raw->target, g, d->columns.targets);
        copy_item(d->class_label, to, &raw->class_label, g, d->columns.classes);
        copy_name(d->graph_name_start, d->graph_name, to, &raw->graph_name_end, &raw->graph_name, g);
    }
    for (size_t p = 0; p < a->vertices; p++) {
        size_t to = a->vertex_new[p], from = a->at[p];
        if (to == LM_REMOVED) continue;
        graph_start[a->graph_new[lm_assembly_graph(a, (uint32_t)p)] + 1]++;
        copy_item(d->vertex_label, to, &raw->vertex_label, from, d->columns.vertex_labels);
        copy_item(d->vertex_attribute, to, &raw->vertex_attribute, from, d->columns.vertex_attributes);
        copy_name(d->vertex_name_start, d->vertex_name, to, &raw->vertex_name_end, &raw->vertex_name, from);
    }
    for (size_t g = 0; g < d->graphs; g++) graph_start[g + 1] += graph_start[g];
}

static void fill_arcs(const lm_assembly *a, leman_dataset *d)
{
    uint64_t *vertex_start = LM_WRITABLE(uint64_t, d->vertex_start);
    uint32_t *arc_head = LM_WRITABLE(uint32_t, d->arc_head);
    memset(vertex_start, 0, (d->vertices + 1) * sizeof *vertex_start);
    for (size_t i = 0; i < a->arc_count; i++) vertex_start[a->vertex_new[a->arcs[i].tail] + 1]++;
    for (size_t v = 0; v < d->vertices; v++) vertex_start[v + 1] += vertex_start[v];
    size_t i = 0;
    for (size_t g = 0; g < d->graphs; g++) /* arcs are sorted by tail, and so by graph */
        for (; i < a->arc_count && a->vertex_new[a->arcs[i].tail] < d->graph_start[g + 1]; i++) {
            arc_head[i] = (uint32_t)(a->vertex_new[a->arcs[i].head] - d->graph_start[g]);
            if (d->columns.edge_labels)
                lm_bundle_label(a, &a->arcs[i], d->columns.edge_labels,
                                LM_WRITABLE(int64_t, d->edge_label) + i * d->columns.edge_labels);
            copy_item(d->edge_attribute, i, &a->raw->edge_attribute, a->arcs[i].attribute_edge,
                      d->columns.edge_attributes);
        }
}

/* Edges with fewer labels than others end in LEMAN_EDGE_LABEL_NONE (bundles.c), so no file may have this label. */
static leman_status check_labels(leman_context *ctx, const lm_raw *raw)
{
    const int64_t *label = raw->edge_label.items;
    for (size_t i = 0; raw->edge_file && i < raw->edge_label.count; i++)
        if (label[i] == LEMAN_EDGE_LABEL_NONE)
            return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found the edge label %lld, expected larger ones",
                           raw->edge_file, (long long)label[i]);
    return LEMAN_OK;
}

leman_status lm_dataset_assemble(leman_context *ctx, lm_raw *raw, const leman_policy *policy, leman_cleaning *cleaning,
                                 leman_dataset **out)
{
    SCRATCH_SCOPE(ctx);
    AUTO(leman_dataset_drop) leman_dataset *data = NULL;
    AUTO(lm_bundles_release)
    lm_assembly a = {
        .ctx = ctx, .raw = raw, .policy = policy, .vertices = raw->vertex_graph.count, .edges = raw->tail.count};
    PASS(lm_raw_check_size(ctx, raw, 0, 0));
    PASS(check_labels(ctx, raw));
    PASS(order_vertices(&a));
    PASS(lm_assembly_edges(&a));

    leman_dataset shape = {.arcs = a.arc_count, .directed = a.policy->directed, .columns = raw->columns};
    PASS(lm_bundle_columns(&a, &shape.columns.edge_labels));
    PASS(number_vertices(&a, &shape.vertices, &shape.graphs));
    for (size_t g = 0; g < raw->graphs && raw->columns.graph_names; g++)
        if (a.graph_new[g] != LM_REMOVED) shape.graph_name_bytes += name_length(&raw->graph_name_end, g);
    for (size_t p = 0; p < a.vertices && raw->columns.vertex_names; p++)
        if (a.vertex_new[p] != LM_REMOVED) shape.vertex_name_bytes += name_length(&raw->vertex_name_end, a.at[p]);
    lm_raw_name_sizes(raw, &shape);
    PASS(lm_dataset_new(ctx, &shape, raw->name, &data));
    PASS(lm_raw_fill_names(ctx, raw, data));
    fill_graphs(&a, data);
    fill_arcs(&a, data);
    lm_dataset_measure(data);
    if (cleaning) *cleaning = a.cleaning;
    return HAND_OVER(out, data);
}
