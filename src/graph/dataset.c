/* The flat block: its table of arrays, views into it, and selection. */
#include "graph/dataset.h"
#include "base/arguments.h"
#include "base/hash.h"
#include <stddef.h>
#include <string.h>

/* ---- The table of arrays --------------------------------------------------------------------- */

static size_t graph_bounds(const leman_dataset *d)
{
    return d->graphs + 1;
}
static size_t vertex_bounds(const leman_dataset *d)
{
    return d->vertices + 1;
}
static size_t arcs(const leman_dataset *d)
{
    return d->arcs;
}
static size_t vertex_labels(const leman_dataset *d)
{
    return d->vertices * d->columns.vertex_labels;
}
static size_t edge_labels(const leman_dataset *d)
{
    return d->arcs * d->columns.edge_labels;
}
static size_t vertex_attributes(const leman_dataset *d)
{
    return d->vertices * d->columns.vertex_attributes;
}
static size_t edge_attributes(const leman_dataset *d)
{
    return d->arcs * d->columns.edge_attributes;
}
static size_t targets(const leman_dataset *d)
{
    return d->graphs * d->columns.targets;
}
static size_t classes(const leman_dataset *d)
{
    return d->columns.classes ? d->graphs : 0;
}
static size_t graph_name_bounds(const leman_dataset *d)
{
    return d->columns.graph_names ? d->graphs + 1 : 0;
}
static size_t graph_names(const leman_dataset *d)
{
    return d->graph_name_bytes;
}
static size_t vertex_name_bounds(const leman_dataset *d)
{
    return d->columns.vertex_names ? d->vertices + 1 : 0;
}
static size_t vertex_names(const leman_dataset *d)
{
    return d->vertex_name_bytes;
}
static size_t target_name_bounds(const leman_dataset *d)
{
    return d->target_name_bytes ? d->columns.targets + 1 : 0;
}
static size_t target_names(const leman_dataset *d)
{
    return d->target_name_bytes;
}
static size_t class_name_labels(const leman_dataset *d)
{
    return d->class_names;
}
static size_t class_name_bounds(const leman_dataset *d)
{
    return d->class_names ? d->class_names + 1 : 0;
}
static size_t class_names(const leman_dataset *d)
{
    return d->class_name_bytes;
}

#define ARRAY(field, count)                                                                                            \
    {                                                                                                                  \
#field, offsetof(leman_dataset, field), sizeof *((leman_dataset *)0)->field, count                             \
    }
const lm_array lm_dataset_arrays[LM_ARRAYS] = {
    ARRAY(graph_start, graph_bounds),
    ARRAY(vertex_start, vertex_bounds),
    ARRAY(arc_head, arcs),
    ARRAY(vertex_label, vertex_labels),
    ARRAY(edge_label, edge_labels),
    ARRAY(vertex_attribute, vertex_attributes),
    ARRAY(edge_attribute, edge_attributes),
    ARRAY(target, targets),
    ARRAY(class_label, classes),
    ARRAY(graph_name_start, graph_name_bounds),
    ARRAY(graph_name, graph_names),
    ARRAY(vertex_name_start, vertex_name_bounds),
    ARRAY(vertex_name, vertex_names),
    ARRAY(target_name_start, target_name_bounds),
    ARRAY(target_name, target_names),
    ARRAY(class_name_label, class_name_labels),
    ARRAY(class_name_start, class_name_bounds),
    ARRAY(class_name, class_names),
};

bool lm_dataset_block_size(const leman_dataset *data, size_t *bytes)
{
    /* The products of the counts must not overflow before any count function is called. */
    const leman_columns *c = &data->columns;
    size_t product, sum = 0;
    if (!lm_add(data->graphs, 1, &product) || !lm_add(data->vertices, 1, &product) ||
        !lm_multiply(data->vertices, c->vertex_labels, &product) ||
        !lm_multiply(data->vertices, c->vertex_attributes, &product) ||
        !lm_multiply(data->arcs, c->edge_labels, &product) || !lm_multiply(data->arcs, c->edge_attributes, &product) ||
        !lm_multiply(data->graphs, c->targets, &product) || !lm_add(c->targets, 1, &product) ||
        !lm_add(data->class_names, 1, &product))
        return false;
    for (int i = 0; i < LM_ARRAYS; i++) {
        size_t size;
        if (!lm_multiply(lm_dataset_arrays[i].count(data), lm_dataset_arrays[i].element, &size) ||
            !lm_add(size, LM_BLOCK_ALIGNMENT - 1, &size) || !lm_add(sum, size - size % LM_BLOCK_ALIGNMENT, &sum))
            return false;
    }
    *bytes = sum;
    return true;
}

static size_t array_size(const leman_dataset *data, const lm_array *array)
{
    return array->count(data) * array->element;
}

/* Returns the bytes of padding behind an array of this size. */
static size_t gap_behind(size_t size)
{
    return (LM_BLOCK_ALIGNMENT - size % LM_BLOCK_ALIGNMENT) % LM_BLOCK_ALIGNMENT;
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
        size_t size = array_size(data, array);
        void *pointer = size ? (char *)base + at : NULL;
        memcpy((char *)data + array->pointer, &pointer, sizeof pointer);
        at += size + gap_behind(size);
    }
}

leman_status lm_dataset_new(leman_context *ctx, const leman_dataset *shape, const char *name, leman_dataset **out)
{
    leman_status st = LEMAN_OK;
    leman_dataset *data = NULL;
    size_t bytes;
    if (!lm_dataset_block_size(shape, &bytes) || !lm_add(bytes, LM_BLOCK_ALIGNMENT, &bytes))
        FAIL(ctx, LEMAN_ERROR_MEMORY, "%s: the data set is larger than this machine can address", name);
    NEW(ctx, data, 1);
    *data = (leman_dataset){.allocator = ctx->allocator,
                            .graphs = shape->graphs,
                            .vertices = shape->vertices,
                            .arcs = shape->arcs,
                            .first_graph = shape->first_graph,
                            .graph_name_bytes = shape->graph_name_bytes,
                            .vertex_name_bytes = shape->vertex_name_bytes,
                            .target_name_bytes = shape->target_name_bytes,
                            .class_name_bytes = shape->class_name_bytes,
                            .class_names = shape->class_names,
                            .directed = shape->directed,
                            .columns = shape->columns};
    NEW(ctx, data->name, strlen(name) + 1);
    strcpy(data->name, name);
    char *block;
    NEW(ctx, block, bytes);
    data->block = block;
    size_t skip = (LM_BLOCK_ALIGNMENT - (uintptr_t)block % LM_BLOCK_ALIGNMENT) % LM_BLOCK_ALIGNMENT;
    lm_dataset_place(data, block + skip);
    for (int i = 0; i < LM_ARRAYS; i++) { /* files contain the gaps, too, and must not contain old memory */
        size_t size = array_size(data, lm_dataset_arrays + i);
        if (gap_behind(size)) memset((char *)lm_dataset_array(data, lm_dataset_arrays + i) + size, 0, gap_behind(size));
    }
done:
    if (st)
        leman_dataset_free(data);
    else
        *out = data;
    return st;
}

void leman_dataset_free(leman_dataset *data)
{
    if (!data) return;
    leman_context owner = {.allocator = data->allocator};
    lm_free(&owner, data->block);
    lm_free(&owner, data->name);
    lm_free(&owner, data->graph_number);
    lm_bytes_close(&owner, &data->file);
    lm_free(&owner, data);
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

/* Copies items first..last of `from` to item `to` of `into`; an item has `columns` elements. NULL arrays are
 * skipped. */
static void copy_items(void *into, size_t to, const void *from, size_t first, size_t last, size_t columns,
                       size_t element)
{
    if (!from || first == last) return;
    size_t size = columns * element;
    memcpy((char *)into + to * size, (const char *)from + first * size, (last - first) * size);
}

/* Appends names first..last at *bytes, and writes their bounds from item `to` on. */
static void copy_names(const uint64_t *start, const char *names, size_t first, size_t last, uint64_t *to_start,
                       char *to_names, size_t to, size_t *bytes)
{
    if (!start) return;
    for (size_t i = first; i < last; i++) to_start[to + i - first] = *bytes + start[i] - start[first];
    size_t length = start[last] - start[first];
    if (length) memcpy(to_names + *bytes, names + start[first], length);
    *bytes += length;
    to_start[to + last - first] = *bytes;
}

#define WRITABLE(type, pointer) ((type *)(uintptr_t)(pointer))

/* Computes the sizes of a data set of the graphs which[count]. */
static leman_status selected_sizes(leman_context *ctx, const leman_dataset *d, size_t count, const size_t *which,
                                   leman_dataset *sizes)
{
    *sizes = (leman_dataset){.graphs = count,
                             .directed = d->directed,
                             .columns = d->columns,
                             .target_name_bytes = d->target_name_bytes,
                             .class_name_bytes = d->class_name_bytes,
                             .class_names = d->class_names};
    for (size_t i = 0; i < count; i++) {
        if (which[i] >= d->graphs)
            return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "graph %zu does not exist: there are %zu", which[i], d->graphs);
        size_t first = d->graph_start[which[i]], last = d->graph_start[which[i] + 1];
        sizes->vertices += last - first;
        sizes->arcs += d->vertex_start[last] - d->vertex_start[first];
        if (d->graph_name_start)
            sizes->graph_name_bytes += d->graph_name_start[which[i] + 1] - d->graph_name_start[which[i]];
        if (d->vertex_name_start) sizes->vertex_name_bytes += d->vertex_name_start[last] - d->vertex_name_start[first];
    }
    return LEMAN_OK;
}

static void copy_graphs(const leman_dataset *d, size_t count, const size_t *which, leman_dataset *s)
{
    const leman_columns *c = &d->columns;
    uint64_t *graph_start = WRITABLE(uint64_t, s->graph_start), *vertex_start = WRITABLE(uint64_t, s->vertex_start);
    size_t v = 0, e = 0, graph_bytes = 0, vertex_bytes = 0;
    graph_start[0] = vertex_start[0] = 0;
    if (s->graph_name_start) WRITABLE(uint64_t, s->graph_name_start)[0] = 0;
    if (s->vertex_name_start) WRITABLE(uint64_t, s->vertex_name_start)[0] = 0;
    for (size_t i = 0; i < count; i++) {
        size_t g = which[i], first = d->graph_start[g], last = d->graph_start[g + 1];
        size_t from = d->vertex_start[first], to = d->vertex_start[last];
        for (size_t u = first; u < last; u++) vertex_start[v + 1 + u - first] = e + d->vertex_start[u + 1] - from;
        copy_items(WRITABLE(uint32_t, s->arc_head), e, d->arc_head, from, to, 1, sizeof(uint32_t));
        copy_items(WRITABLE(int64_t, s->edge_label), e, d->edge_label, from, to, c->edge_labels, sizeof(int64_t));
        copy_items(WRITABLE(double, s->edge_attribute), e, d->edge_attribute, from, to, c->edge_attributes,
                   sizeof(double));
        copy_items(WRITABLE(int64_t, s->vertex_label), v, d->vertex_label, first, last, c->vertex_labels,
                   sizeof(int64_t));
        copy_items(WRITABLE(double, s->vertex_attribute), v, d->vertex_attribute, first, last, c->vertex_attributes,
                   sizeof(double));
        copy_items(WRITABLE(double, s->target), i, d->target, g, g + 1, c->targets, sizeof(double));
        copy_items(WRITABLE(int64_t, s->class_label), i, d->class_label, g, g + 1, 1, sizeof(int64_t));
        copy_names(d->graph_name_start, d->graph_name, g, g + 1, WRITABLE(uint64_t, s->graph_name_start),
                   WRITABLE(char, s->graph_name), i, &graph_bytes);
        copy_names(d->vertex_name_start, d->vertex_name, first, last, WRITABLE(uint64_t, s->vertex_name_start),
                   WRITABLE(char, s->vertex_name), v, &vertex_bytes);
        v += last - first;
        e += to - from;
        graph_start[i + 1] = v;
    }
}

leman_status leman_dataset_select(leman_context *ctx, const leman_dataset *data, size_t count, const size_t *which,
                                  leman_dataset **out)
{
    leman_status st = LEMAN_OK;
    leman_dataset *selected = NULL, sizes;
    REQUIRE(ctx, data);
    if (count) REQUIRE(ctx, which);
    REQUIRE(ctx, out);
    TRY(selected_sizes(ctx, data, count, which, &sizes));
    TRY(lm_dataset_new(ctx, &sizes, data->name, &selected));
    copy_graphs(data, count, which, selected);
    for (const lm_array *a = lm_dataset_arrays + LM_NAME_ARRAYS; a < lm_dataset_arrays + LM_ARRAYS; a++)
        if (array_size(data, a)) memcpy(lm_dataset_array(selected, a), lm_dataset_array(data, a), array_size(data, a));
    lm_dataset_measure(selected);
    *out = selected;
done:
    return st;
}

leman_status lm_dataset_part(leman_context *ctx, const leman_dataset *data, size_t count, const size_t *which,
                             leman_dataset **out)
{
    leman_status st = LEMAN_OK;
    leman_dataset *part = NULL;
    bool follow = !data->graph_number;
    TRY(leman_dataset_select(ctx, data, count, which, &part));
    for (size_t i = 1; i < count; i++) follow = follow && which[i] == which[i - 1] + 1;
    part->first_graph = count ? lm_dataset_graph_number(data, which[0]) : 0;
    if (!follow) NEW(ctx, part->graph_number, count);
    for (size_t i = 0; !follow && i < count; i++) part->graph_number[i] = lm_dataset_graph_number(data, which[i]);
    *out = part;
    part = NULL;
done:
    leman_dataset_free(part);
    return st;
}

leman_status lm_dataset_range(leman_context *ctx, const leman_dataset *data, size_t first, size_t end,
                              leman_dataset **out)
{
    leman_status st = LEMAN_OK;
    size_t *which = NULL;
    NEW(ctx, which, end - first);
    for (size_t g = first; g < end; g++) which[g - first] = g;
    TRY(lm_dataset_part(ctx, data, end - first, which, out));
done:
    lm_free(ctx, which);
    return st;
}

size_t lm_dataset_graph_number(const leman_dataset *data, size_t graph)
{
    return data->graph_number ? data->graph_number[graph] : data->first_graph + graph;
}

uint64_t leman_dataset_checksum(const leman_dataset *data)
{
    if (!data) return 0;
    const leman_columns *c = &data->columns;
    uint64_t shape[] = {data->graphs,   data->vertices, data->arcs,           data->directed,     c->vertex_labels,
                        c->edge_labels, c->classes,     c->vertex_attributes, c->edge_attributes, c->targets};
    uint64_t sum = lm_checksum(shape, sizeof shape, 0);
    for (int i = 0; i < LM_ARRAYS; i++) {
        const lm_array *array = lm_dataset_arrays + i;
        if (strstr(array->name, "name")) continue; /* names of graphs, vertices, targets and classes */
        sum = lm_checksum(lm_dataset_array(data, array), array_size(data, array), sum);
    }
    return sum;
}
