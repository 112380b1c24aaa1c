/*
 * The reals of a graph: continuous data of its vertices and of ordered pairs of vertices.
 *
 *   vertex  [ one-hot label | attributes that are no coordinates ]         or a one-hot label, a degree
 *   pair    [ one-hot edge label | edge attributes | distance ]            without an edge: zeros and the distance
 *           With `beside` labels and distances are left out, and every attribute is (value - mean) / deviation. Reals
 *           of vertices begin with one-hot labels or degrees only if the network does not look up their numbers
 *   tuple   [ pair (1,2) | pair (1,3) | pair (2,3) ]                       the pairs i < j of its components
 *           A pair of a pair network is followed by its walks and its resistance (pair_reals.h)
 *   matrix  [ is an edge | same vertex | one-hot edge label | edge attributes | one-hot label | vertex attributes ]
 *           of a pair. Labels and attributes of vertices, coordinates included, are on the diagonal. If entering
 *           arcs are a second relation, those of the edge (v,u) follow those of (u,v)
 */
#include "graph/dataset.h"
#include "nn/encode/inputs.h"
#include <math.h>
#include <string.h>

/* An attribute as networks read it. Columns of edges follow those of vertices. */
static lm_real scaled(const lm_encoding *e, size_t column, double value)
{
    return (lm_real)(e->options.beside ? (value - e->mean[column]) / e->deviation[column] : value);
}

/* ---- Vertices -------------------------------------------------------------------------------- */

static bool is_coordinate(const lm_encoding_options *o, size_t column)
{
    return column >= o->first_coordinate && column - o->first_coordinate < o->coordinates;
}

static void vertex_parts(const lm_encoding *e, const leman_graph *g, size_t v, uint32_t label, lm_real *to)
{
    const size_t columns = e->columns.vertex_attributes;
    const size_t labels = lm_encoding_label_reals(e);
    if (labels && label != LM_NO_TYPE) to[label] = 1;
    to += labels;
    for (size_t c = 0; c < columns; c++)
        if (!is_coordinate(&e->options, c)) *to++ = (lm_real)g->vertex_attribute[v * columns + c];
}

void lm_inputs_vertex_reals(lm_inputs *in, size_t graph, lm_real *to)
{
    const lm_encoding *e = in->encoding;
    const leman_graph g = leman_dataset_graph(in->data, graph);
    const uint32_t *label = in->label + in->data->graph_start[graph];
    const size_t width = e->widths.vertex_reals, attributes = e->widths.attributes;
    const bool dense = lm_encoding_has_dense(e), real_degree = e->vertex == LM_VERTEX_REAL_DEGREE;
    const bool labelled = e->columns.vertex_labels && !real_degree;
    for (size_t v = 0; v < g.vertices; v++, to += width) {
        memset(to, 0, width * sizeof *to);
        for (size_t c = 0; c < attributes; c++)
            to[width - attributes + c] = scaled(e, c, g.vertex_attribute[v * attributes + c]);
        if (!dense && !real_degree) continue;
        const size_t degree = lm_encoding_degree(&g, v);
        in->out_of_vocabulary +=
            e->vertex == LM_VERTEX_DEGREE ? degree >= e->degrees : labelled && label[v] == LM_NO_TYPE;
        if (e->vertex == LM_VERTEX_PARTS)
            vertex_parts(e, &g, v, label[v], to);
        else if (real_degree)
            to[0] = (lm_real)(((double)degree - e->degree_mean) / e->degree_deviation);
        else if (e->vertex == LM_VERTEX_DEGREE && degree < e->degrees)
            to[degree] = 1;
        else if (e->vertex == LM_VERTEX_LABEL && label[v] != LM_NO_TYPE)
            to[label[v]] = 1;
    }
}

/* ---- Pairs ----------------------------------------------------------------------------------- */

static double distance(const lm_encoding *e, const leman_graph *g, size_t u, size_t w)
{
    const size_t columns = e->columns.vertex_attributes;
    const double *a = g->vertex_attribute + u * columns + e->options.first_coordinate;
    const double *b = g->vertex_attribute + w * columns + e->options.first_coordinate;
    double square = 0;
    for (size_t c = 0; c < e->options.coordinates; c++) square += (a[c] - b[c]) * (a[c] - b[c]);
    return sqrt(square);
}

/* Adds the label, if labels are reals, and the attributes of arc a to a row that must be zero. */
static void write_arc(lm_inputs *in, const leman_graph *g, uint64_t a, lm_real *to)
{
    const lm_encoding *e = in->encoding;
    const size_t columns = e->columns.edge_attributes;
    const size_t labels = e->options.parts ? lm_intern_count(&e->edge_label) : 0;
    in->out_of_vocabulary += labels && in->edge_label[a] == LM_NO_TYPE;
    if (labels && in->edge_label[a] != LM_NO_TYPE) to[in->edge_label[a]] = 1;
    for (size_t c = 0; c < columns; c++)
        to[labels + c] = scaled(e, e->columns.vertex_attributes + c, g->edge_attribute[a * columns + c]);
}

/* Writes the pairs (u, w) for all w to to[w * stride], overwriting what is there. */
static void write_pairs(lm_inputs *in, const leman_graph *g, size_t u, size_t stride, lm_real *to)
{
    const lm_encoding *e = in->encoding;
    const size_t width = lm_encoding_pair_width(e);
    memset(to, 0, g->vertices * stride * sizeof *to);
    for (uint64_t a = g->start[u]; a < g->start[u + 1] && width; a++)
        if (g->head[a] != u) write_arc(in, g, a, to + g->head[a] * stride);
    for (size_t w = 0; e->options.coordinates && w < g->vertices; w++)
        to[w * stride + width - 1] = (lm_real)distance(e, g, u, w);
}

/* Writes the walks and resistances of all pairs of a graph behind the other reals of each pair. */
static leman_status write_pair_reals(lm_inputs *in, size_t graph, lm_real *to)
{
    const leman_graph g = leman_dataset_graph(in->data, graph);
    const size_t columns = lm_pair_reals_columns(&in->encoding->options), stride = in->encoding->widths.tuple_reals;
    to += lm_encoding_pair_width(in->encoding);
    if (!in->pair_reals.start) return lm_pair_reals_write(in->ctx, &g, &in->encoding->options, stride, to);
    const lm_real *from = in->pair_reals.value + in->pair_reals.start[graph];
    for (size_t i = 0; i < g.vertices * g.vertices; i++)
        memcpy(to + i * stride, from + i * columns, columns * sizeof *to);
    return LEMAN_OK;
}

/* Writes the labels, attributes and distances of the pairs of components of one tuple. */
static void write_listed_pairs(lm_inputs *in, const leman_graph *g, const uint32_t *tuple, lm_real *to)
{
    const lm_encoding *e = in->encoding;
    const size_t width = lm_encoding_pair_width(e), k = e->options.k;
    uint64_t arc;
    memset(to, 0, k * (k - 1) / 2 * width * sizeof *to);
    for (size_t i = 0; width && i < k; i++)
        for (size_t j = i + 1; j < k; j++, to += width) {
            if (tuple[i] != tuple[j] && lm_encoding_arc(g, tuple[i], tuple[j], &arc)) write_arc(in, g, arc, to);
            if (e->options.coordinates) to[width - 1] = (lm_real)distance(e, g, tuple[i], tuple[j]);
        }
}

leman_status lm_inputs_listed_reals(lm_inputs *in, size_t graph, const uint32_t *vertex, size_t count, lm_real *to)
{
    const lm_encoding_options *o = &in->encoding->options;
    const leman_graph g = leman_dataset_graph(in->data, graph);
    const size_t n = g.vertices, k = o->k, stride = in->encoding->widths.tuple_reals;
    const size_t columns = lm_pair_reals_columns(o), before = stride - columns;
    const lm_real *all = NULL;
    for (size_t t = 0; t < count; t++) write_listed_pairs(in, &g, vertex + t * k, to + t * stride);
    if (!columns) return LEMAN_OK;
    if (in->pair_reals.start) {
        all = in->pair_reals.value + in->pair_reals.start[graph];
    } else {
        in->pair.count = 0;
        PASS(lm_vector_reserve(in->ctx, &in->pair, n * n * columns, sizeof *to));
        PASS(lm_pair_reals_write(in->ctx, &g, o, columns, in->pair.items));
        all = in->pair.items;
    }
    for (size_t t = 0; t < count; t++)
        memcpy(to + t * stride + before, all + (vertex[2 * t] * n + vertex[2 * t + 1]) * columns, columns * sizeof *to);
    return LEMAN_OK;
}

void lm_inputs_arc_reals(lm_inputs *in, size_t graph, lm_real *to)
{
    const lm_encoding *e = in->encoding;
    const leman_graph g = leman_dataset_graph(in->data, graph);
    const size_t width = e->widths.arc_reals;
    for (size_t u = 0; u < g.vertices; u++) {
        if (!e->options.joined) {
            for (uint64_t a = g.start[u]; a < g.start[u + 1]; a++) {
                if (g.head[a] == u) continue;
                memset(to, 0, width * sizeof *to);
                write_arc(in, &g, a, to);
                if (e->options.coordinates) to[width - 1] = (lm_real)distance(e, &g, u, g.head[a]);
                to += width;
            }
            continue;
        }
        uint64_t a = g.start[u];
        for (size_t w = 0; w < g.vertices; w++) {
            const bool edge = a < g.start[u + 1] && g.head[a] == w;
            if (w != u) {
                memset(to, 0, width * sizeof *to);
                if (edge) write_arc(in, &g, a, to);
                if (e->options.coordinates) to[width - 1] = (lm_real)distance(e, &g, u, w);
                to += width;
            }
            a += edge;
        }
    }
}

/* ---- Matrices -------------------------------------------------------------------------------- */

/* Writes the label and the attributes of an element, if it has any, into a row that must be zero. `first` is the column
 * of the first attribute among all attributes. */
static void write_element(lm_inputs *in, size_t labels, uint32_t label, size_t first, size_t columns,
                          const double *attribute, lm_real *to)
{
    in->out_of_vocabulary += labels && label == LM_NO_TYPE;
    if (labels && label != LM_NO_TYPE) to[label] = 1;
    for (size_t c = 0; c < columns; c++) to[labels + c] = scaled(in->encoding, first + c, attribute[c]);
}

/* Writes arc a into the row of its pair. The channel "is an edge" is separate from those that follow "same vertex". */
static void write_edge(lm_inputs *in, const leman_graph *g, const lm_channels *c, uint64_t a, lm_real *is_edge,
                       lm_real *to)
{
    *is_edge = 1;
    write_element(in, c->edge_labels, in->edge_label[a], c->attributes, c->edge_attributes,
                  c->edge_attributes ? g->edge_attribute + a * c->edge_attributes : NULL, to);
}

static void write_matrix(lm_inputs *in, size_t graph, lm_real *to)
{
    const lm_encoding *e = in->encoding;
    const leman_graph g = leman_dataset_graph(in->data, graph);
    const lm_channels c = lm_encoding_channels(e);
    const size_t n = g.vertices, width = e->widths.tuple_reals;
    const uint32_t *label = in->label + in->data->graph_start[graph];
    memset(to, 0, n * n * width * sizeof *to);
    for (size_t u = 0; u < n; u++) {
        for (uint64_t a = g.start[u]; a < g.start[u + 1]; a++) {
            lm_real *row = to + (u * n + g.head[a]) * width, *back = to + (g.head[a] * n + u) * width + 1 + c.edges / 2;
            if (g.head[a] == u) continue;
            write_edge(in, &g, &c, a, row, row + 2);
            if (e->options.in_arcs) write_edge(in, &g, &c, a, back, back + 1);
        }
        lm_real *own = to + (u * n + u) * width;
        own[1] = 1;
        write_element(in, c.labels, label[u], 0, c.attributes,
                      c.attributes ? g.vertex_attribute + u * c.attributes : NULL, own + 1 + c.edges);
    }
}

leman_status lm_inputs_tuple_reals(lm_inputs *in, size_t graph, lm_real *to)
{
    const leman_graph g = leman_dataset_graph(in->data, graph);
    const bool pairs = in->encoding->options.k == 2;
    const size_t n = g.vertices,
                 width = pairs ? in->encoding->widths.tuple_reals : lm_encoding_pair_width(in->encoding);
    in->pair.count = 0;
    if (in->encoding->options.matrix) {
        write_matrix(in, graph, to);
        return LEMAN_OK;
    }
    if (!pairs) PASS(lm_vector_reserve(in->ctx, &in->pair, n * n * width, sizeof *to));
    lm_real *pair = pairs ? to : in->pair.items;
    for (size_t u = 0; u < n; u++) write_pairs(in, &g, u, width, pair + u * n * width);
    if (lm_pair_reals_columns(&in->encoding->options)) PASS(write_pair_reals(in, graph, to));
    for (size_t i = 0; !pairs && i < n * n * n; i++) { /* (u, v, w) */
        const size_t u = i / (n * n), v = i / n % n, w = i % n, all[3] = {u * n + v, u * n + w, v * n + w};
        for (size_t p = 0; p < 3; p++, to += width) memcpy(to, pair + all[p] * width, width * sizeof *to);
    }
    return LEMAN_OK;
}
