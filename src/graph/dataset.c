/* The flat block: its table of arrays, views into it, and selection. */
#include "graph/dataset.h"
#include "base/arguments.h"
#include "base/drop.h"
#include "base/hash.h"
#include <stddef.h>
#include <string.h>

/* ---- The table of arrays --------------------------------------------------------------------- */

#define OF(member) offsetof(leman_dataset, member)
#define ARRAY(field, of, ...)                                                                                          \
    {                                                                                                                  \
        .name = #field, .pointer = OF(field), .element = sizeof *((leman_dataset *)0)->field, .items = OF(of),         \
        __VA_ARGS__                                                                                                    \
    }
const lm_array lm_dataset_arrays[LM_ARRAYS] = {
    ARRAY(graph_start, graphs, .bounds = true),
    ARRAY(vertex_start, vertices, .bounds = true),
    ARRAY(arc_head, arcs, .columns = 0),
    ARRAY(vertex_label, vertices, .columns = OF(columns.vertex_labels)),
    ARRAY(edge_label, arcs, .columns = OF(columns.edge_labels)),
    ARRAY(vertex_attribute, vertices, .columns = OF(columns.vertex_attributes)),
    ARRAY(edge_attribute, arcs, .columns = OF(columns.edge_attributes)),
    ARRAY(target, graphs, .columns = OF(columns.targets)),
    ARRAY(class_label, graphs, .columns = OF(columns.classes), .flag = true),
    ARRAY(arc_side, arcs, .columns = OF(sides), .flag = true),
    ARRAY(graph_name_start, graphs, .columns = OF(columns.graph_names), .flag = true, .bounds = true),
    ARRAY(graph_name, graph_name_bytes, .columns = 0),
    ARRAY(vertex_name_start, vertices, .columns = OF(columns.vertex_names), .flag = true, .bounds = true),
    ARRAY(vertex_name, vertex_name_bytes, .columns = 0),
    ARRAY(target_name_start, columns.targets, .columns = OF(target_name_bytes), .bounds = true),
    ARRAY(target_name, target_name_bytes, .columns = 0),
    ARRAY(class_name_label, class_names, .columns = 0),
    ARRAY(class_name_start, class_names, .columns = OF(class_names), .bounds = true),
    ARRAY(class_name, class_name_bytes, .columns = 0),
};

static size_t size_at(const leman_dataset *data, size_t member)
{
    size_t value;
    memcpy(&value, (const char *)data + member, sizeof value);
    return value;
}

/* Returns the elements of one item; for bounds, whether there are any. */
static size_t columns_of(const leman_dataset *data, const lm_array *array)
{
    if (!array->columns) return 1;
    const size_t columns = array->flag ? ((const char *)data)[array->columns] != 0 : size_at(data, array->columns);
    return array->bounds ? columns > 0 : columns;
}

/* Sets *bytes to the size of an array. Returns false if it overflows. */
static bool measure_array(const leman_dataset *data, const lm_array *array, size_t *bytes)
{
    size_t items = size_at(data, array->items), count;
    return (!array->bounds || lm_add(items, 1, &items)) && lm_multiply(items, columns_of(data, array), &count) &&
           lm_multiply(count, array->element, bytes);
}

size_t lm_array_bytes(const leman_dataset *data, const lm_array *array)
{
    size_t bytes = 0;
    measure_array(data, array, &bytes);
    return bytes;
}

size_t lm_array_offset(const leman_dataset *data, const lm_array *array, const lm_border *border)
{
    const uint64_t items = array->items == OF(graphs)     ? border->graph
                           : array->items == OF(vertices) ? border->vertex
                                                          : border->arc;
    return items * columns_of(data, array) * array->element;
}

bool lm_dataset_block_size(const leman_dataset *data, size_t *bytes)
{
    size_t sum = 0;
    for (int i = 0; i < LM_ARRAYS; i++) {
        size_t size;
        if (!measure_array(data, lm_dataset_arrays + i, &size) || !lm_add(size, LM_BLOCK_ALIGNMENT - 1, &size) ||
            !lm_add(sum, size - size % LM_BLOCK_ALIGNMENT, &sum))
            return false;
    }
    *bytes = sum;
    return true;
}

void *lm_dataset_array(const leman_dataset *data, const lm_array *array)
{
    void *pointer;
    memcpy(&pointer, (const char *)data + array->pointer, sizeof pointer);
    return pointer;
}

void lm_dataset_place(leman_dataset *data, void *base)
{
    size_t at = 0;
    for (int i = 0; i < LM_ARRAYS; i++) {
        const lm_array *array = lm_dataset_arrays + i;
        size_t size = lm_array_bytes(data, array);
        void *pointer = size ? (char *)base + at : NULL;
        memcpy((char *)data + array->pointer, &pointer, sizeof pointer);
        at += lm_block_rounded(size);
    }
}

leman_status lm_dataset_new(leman_context *ctx, const leman_dataset *shape, const char *name, leman_dataset **out)
{
    AUTO(leman_dataset_drop) leman_dataset *data = NULL;
    size_t bytes;
    if (!lm_dataset_block_size(shape, &bytes) || !lm_add(bytes, LM_BLOCK_ALIGNMENT, &bytes))
        return lm_fail(ctx, LEMAN_ERROR_MEMORY, "%s: the data set is larger than this machine can address", name);
    PASS_NEW(ctx, data, 1);
    *data = *shape;
    data->file = (lm_bytes){0};
    data->block = data->name = NULL;
    PASS(lm_copy_text(ctx, name, strlen(name), &data->name));
    char *block;
    PASS_NEW(ctx, block, bytes);
    data->block = block;
    lm_dataset_place(data, block + (LM_BLOCK_ALIGNMENT - (uintptr_t)block % LM_BLOCK_ALIGNMENT) % LM_BLOCK_ALIGNMENT);
    for (const lm_array *a = lm_dataset_arrays; a < lm_dataset_arrays + LM_ARRAYS; a++) {
        const size_t size = lm_array_bytes(data, a);
        char *array = lm_dataset_array(data, a);
        if (a->bounds && size) memset(array, 0, a->element);
        /* files contain the gaps, too, and must not contain old memory */
        if (size % LM_BLOCK_ALIGNMENT) memset(array + size, 0, lm_block_rounded(size) - size);
    }
    return HAND_OVER(out, data);
}

void leman_dataset_free(leman_dataset *data)
{
    if (!data) return;
    RELEASE(data->block, data->name);
    lm_bytes_close(&data->file);
    lm_release(data);
}

/* ---- Views ----------------------------------------------------------------------------------- */

leman_graph leman_dataset_graph(const leman_dataset *d, size_t graph)
{
    static const uint64_t NOTHING[1] = {0};
    if (!d || graph >= d->graphs) return (leman_graph){.start = NOTHING};
    uint64_t first = d->graph_start[graph], last = d->graph_start[graph + 1];
    const leman_columns *c = &d->columns;
    return (leman_graph){
        .vertices = last - first,
        .arcs = d->vertex_start[last] - d->vertex_start[first],
        .directed = d->directed,
        .start = d->vertex_start + first,
        .head = d->arc_head,
        .vertex_labels = c->vertex_labels,
        .edge_labels = c->edge_labels,
        .vertex_attributes = c->vertex_attributes,
        .edge_attributes = c->edge_attributes,
        .vertex_label = d->vertex_label ? d->vertex_label + first * c->vertex_labels : NULL,
        .edge_label = d->edge_label,
        .vertex_attribute = d->vertex_attribute ? d->vertex_attribute + first * c->vertex_attributes : NULL,
        .edge_attribute = d->edge_attribute,
        .arc_side = d->arc_side,
    };
}

void lm_dataset_measure(leman_dataset *d)
{
    leman_shape shape = {.name = d->name,
                         .graphs = d->graphs,
                         .vertices = d->vertices,
                         .arcs = d->arcs,
                         .directed = d->directed,
                         .columns = &d->columns};
    for (size_t g = 0; g < d->graphs; g++) {
        leman_graph graph = leman_dataset_graph(d, g);
        if (graph.vertices > shape.max_vertices) shape.max_vertices = graph.vertices;
        for (size_t v = 0; v < graph.vertices; v++) {
            size_t degree = graph.start[v + 1] - graph.start[v];
            if (degree > shape.max_degree) shape.max_degree = degree;
            for (uint64_t e = graph.start[v]; e < graph.start[v + 1]; e++) shape.loops += graph.head[e] == v;
        }
    }
    shape.edges = d->directed ? d->arcs : (d->arcs - shape.loops) / 2 + shape.loops;
    d->shape = shape;
}

const leman_shape *leman_dataset_shape(const leman_dataset *data)
{
    return data ? &data->shape : NULL;
}

uint64_t leman_dataset_reading(const leman_dataset *data)
{
    return data ? data->reading : 0;
}

const int64_t *leman_dataset_classes(const leman_dataset *data)
{
    return data ? data->class_label : NULL;
}

const double *leman_dataset_targets(const leman_dataset *data)
{
    return data ? data->target : NULL;
}

/* Returns name `item` of `count` names with bounds start[count+1], or no name if start is NULL. */
static const char *name_of(const char *names, const uint64_t *start, size_t item, size_t count, size_t *length)
{
    if (length) *length = 0;
    if (!names || !start || !length || item >= count) return "";
    *length = start[item + 1] - start[item];
    return names + start[item];
}

const char *leman_dataset_graph_name(const leman_dataset *data, size_t graph, size_t *length)
{
    if (!data) return name_of(NULL, NULL, 0, 0, length);
    return name_of(data->graph_name, data->graph_name_start, graph, data->graphs, length);
}

const char *leman_dataset_vertex_name(const leman_dataset *data, size_t graph, size_t vertex, size_t *length)
{
    leman_graph g = leman_dataset_graph(data, graph);
    if (vertex >= g.vertices) return name_of(NULL, NULL, 0, 0, length);
    return name_of(data->vertex_name, data->vertex_name_start, data->graph_start[graph] + vertex, data->vertices,
                   length);
}

const char *leman_dataset_target_name(const leman_dataset *data, size_t column, size_t *length)
{
    if (!data) return name_of(NULL, NULL, 0, 0, length);
    return name_of(data->target_name, data->target_name_start, column, data->columns.targets, length);
}

const char *leman_dataset_class_name(const leman_dataset *data, int64_t class_label, size_t *length)
{
    size_t item = 0, end = data ? data->class_names : 0;
    while (item < end) { /* the labels increase */
        const size_t middle = item + (end - item) / 2;
        if (data->class_name_label[middle] < class_label)
            item = middle + 1;
        else
            end = middle;
    }
    const bool named = data && item < data->class_names && data->class_name_label[item] == class_label;
    if (!named) return name_of(NULL, NULL, 0, 0, length);
    return name_of(data->class_name, data->class_name_start, item, data->class_names, length);
}

leman_cost leman_dataset_cost(const leman_dataset *data, unsigned k)
{
    /* Four words for each tuple of the graph at hand: colours before and after a round, sums, and sorting. */
    leman_cost cost = {0};
    for (size_t g = 0; data && g < data->graphs; g++) {
        uint64_t tuples = lm_power(data->graph_start[g + 1] - data->graph_start[g], k);
        uint64_t bytes = lm_saturating_multiply(tuples, 4 * sizeof(uint64_t));
        cost.tuples = lm_saturating_add(cost.tuples, tuples);
        if (bytes > cost.bytes) cost.bytes = bytes;
    }
    return cost;
}

/* ---- Selection ------------------------------------------------------------------------------- */

static lm_border border_of(const leman_dataset *d, size_t graph)
{
    return (lm_border){graph, d->graph_start[graph], d->vertex_start[d->graph_start[graph]]};
}

/* Appends the bounds of items first .. last - 1 to `to`, which has the bounds of `at` items. */
static void copy_bounds(const uint64_t *from, size_t first, size_t last, const uint64_t *to, size_t at)
{
    const uint64_t shift = to[at] - from[first];
    for (size_t i = first; i < last; i++) LM_WRITABLE(uint64_t, to)[at + i - first + 1] = from[i + 1] + shift;
}

static void copy_names(const uint64_t *start, const char *names, size_t first, size_t last, const uint64_t *to_start,
                       const char *to_names, size_t at)
{
    if (!start) return;
    const size_t length = start[last] - start[first];
    if (length) memcpy(LM_WRITABLE(char, to_names) + to_start[at], names + start[first], length);
    copy_bounds(start, first, last, to_start, at);
}

/* Computes the sizes of a data set of the graphs which[count]. */
static leman_status selected_sizes(leman_context *ctx, const leman_dataset *d, size_t count, const size_t *which,
                                   leman_dataset *sizes)
{
    *sizes = (leman_dataset){.graphs = count,
                             .directed = d->directed,
                             .reading = d->reading,
                             .columns = d->columns,
                             .sides = d->sides,
                             .target_name_bytes = d->target_name_bytes,
                             .class_name_bytes = d->class_name_bytes,
                             .class_names = d->class_names};
    for (size_t i = 0; i < count; i++) {
        if (which[i] >= d->graphs)
            return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "graph %zu does not exist: there are %zu", which[i], d->graphs);
        const lm_border from = border_of(d, which[i]), to = border_of(d, which[i] + 1);
        sizes->vertices += to.vertex - from.vertex;
        sizes->arcs += to.arc - from.arc;
        if (d->graph_name_start)
            sizes->graph_name_bytes += d->graph_name_start[to.graph] - d->graph_name_start[from.graph];
        if (d->vertex_name_start)
            sizes->vertex_name_bytes += d->vertex_name_start[to.vertex] - d->vertex_name_start[from.vertex];
    }
    return LEMAN_OK;
}

static void copy_graphs(const leman_dataset *d, size_t count, const size_t *which, leman_dataset *s)
{
    lm_border at = {0};
    for (; at.graph < count; at = border_of(s, at.graph + 1)) {
        const lm_border from = border_of(d, which[at.graph]), to = border_of(d, which[at.graph] + 1);
        copy_bounds(d->graph_start, from.graph, to.graph, s->graph_start, at.graph);
        copy_bounds(d->vertex_start, from.vertex, to.vertex, s->vertex_start, at.vertex);
        for (const lm_array *a = lm_dataset_arrays; a < lm_dataset_arrays + LM_GRAPH_NAMES; a++) {
            const size_t first = lm_array_offset(d, a, &from), size = lm_array_offset(d, a, &to) - first;
            if (a->bounds || !size) continue;
            memcpy((char *)lm_dataset_array(s, a) + lm_array_offset(s, a, &at), (char *)lm_dataset_array(d, a) + first,
                   size);
        }
        copy_names(d->graph_name_start, d->graph_name, from.graph, to.graph, s->graph_name_start, s->graph_name,
                   at.graph);
        copy_names(d->vertex_name_start, d->vertex_name, from.vertex, to.vertex, s->vertex_name_start, s->vertex_name,
                   at.vertex);
    }
}

leman_status leman_dataset_select(leman_context *ctx, const leman_dataset *data, size_t count, const size_t *which,
                                  leman_dataset **out)
{
    leman_dataset *selected = NULL, sizes;
    REQUIRE(ctx, data);
    if (count) REQUIRE(ctx, which);
    REQUIRE(ctx, out);
    PASS(selected_sizes(ctx, data, count, which, &sizes));
    PASS(lm_dataset_new(ctx, &sizes, data->name, &selected));
    copy_graphs(data, count, which, selected);
    for (const lm_array *a = lm_dataset_arrays + LM_COLUMN_NAMES; a < lm_dataset_arrays + LM_ARRAYS; a++)
        if (lm_array_bytes(data, a))
            memcpy(lm_dataset_array(selected, a), lm_dataset_array(data, a), lm_array_bytes(data, a));
    lm_dataset_measure(selected);
    *out = selected;
    return LEMAN_OK;
}

leman_dataset lm_dataset_range(const leman_dataset *data, size_t first, size_t end)
{
    const lm_border from = border_of(data, first), to = border_of(data, end);
    leman_dataset range = *data;
    range.shape.graphs = range.graphs = end - first;
    range.shape.vertices = range.vertices = to.vertex - from.vertex;
    range.shape.arcs = range.arcs = to.arc - from.arc;
    range.first_graph += first;
    range.graph_start += first;
    if (range.target) range.target += first * range.columns.targets;
    if (range.class_label) range.class_label += first;
    if (range.graph_name_start) range.graph_name_start += first;
    return range;
}

uint64_t leman_dataset_checksum(const leman_dataset *data)
{
    if (!data) return 0;
    const leman_columns *c = &data->columns;
    uint64_t shape[] = {data->graphs,   data->vertices, data->arcs,           data->directed,     c->vertex_labels,
                        c->edge_labels, c->classes,     c->vertex_attributes, c->edge_attributes, c->targets};
    uint64_t sum = lm_checksum(shape, sizeof shape, 0);
    for (const lm_array *a = lm_dataset_arrays; a < lm_dataset_arrays + LM_SIDES; a++)
        sum = lm_checksum(lm_dataset_array(data, a), lm_array_bytes(data, a), sum);
    return sum;
}
