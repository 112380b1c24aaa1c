/*
 * Writes edge lists: graph, source, target, then labels and attributes, with each undirected edge once. Reading the
 * file gives the same data set. Vertices without names are written as numbers. If all ids are integers, the reader
 * orders vertices by value. Other names are ordered by first appearance, so all vertices are declared before the edges.
 *
 * Time O(vertices + arcs). If there are names, memory for all names of the data set.
 */
#include "io/csv.h"
#include "io/edge_list.h"
#include <stdio.h>
#include <string.h>

typedef struct edge_writing {
    const leman_dataset *data;
    lm_output *out;
    bool graph_names, vertex_names; /* the names can be used as ids */
    bool declare, quote;            /* declare all vertices before the edges; quote all vertex names */
    bool both_ways;                 /* some edge has different attributes in its two directions */
    char separator;                 /* a tab in files that end in .tsv, else a comma */
} edge_writing;

/* ---- Usable names ---------------------------------------------------------------------------- */

/* Adds the name to the names of its space. Clears *usable if the name is empty, unprintable or already there. */
static leman_status check_name(leman_context *ctx, lm_intern *names, uint32_t space, const char *name, size_t length,
                               bool *usable)
{
    size_t known = lm_intern_count(names);
    uint32_t number;
    if (!length || !lm_text_printable(name, length)) *usable = false;
    leman_status st = *usable ? lm_intern_add(ctx, names, space, name, length, &number) : LEMAN_OK;
    if (!st && *usable && number < known) *usable = false;
    return st;
}

static leman_status check_graph_names(leman_context *ctx, edge_writing *w)
{
    AUTO(lm_intern_free) lm_intern names = {0};
    bool usable = w->data->columns.graph_names;
    for (size_t g = 0; g < w->data->graphs && usable; g++) {
        char number[32];
        size_t length;
        const char *name = leman_dataset_graph_name(w->data, g, &length);
        if (!length) name = number, length = (size_t)snprintf(number, sizeof number, "%zu", g); /* without a name */
        PASS(check_name(ctx, &names, 0, name, length, &usable));
    }
    if (w->data->columns.graph_names && !usable)
        lm_log(ctx, "%s: graphs are numbered: their names are not all different and printable", w->data->name);
    w->graph_names = usable;
    return LEMAN_OK;
}

static leman_status check_vertex_names(leman_context *ctx, edge_writing *w)
{
    AUTO(lm_intern_free) lm_intern names = {0};
    bool usable = w->data->columns.vertex_names, integers = true, rise = true;
    for (size_t g = 0; g < w->data->graphs && usable; g++) {
        int64_t last = 0, id = 0;
        size_t vertices = leman_dataset_graph(w->data, g).vertices, length;
        for (size_t v = 0; v < vertices && usable; v++, last = id) {
            const char *name = leman_dataset_vertex_name(w->data, g, v, &length);
            PASS(check_name(ctx, &names, (uint32_t)g, name, length, &usable));
            integers = integers && lm_edge_list_integer(ctx, name, length, &id);
            rise = rise && (!v || last < id);
        }
    }
    if (w->data->columns.vertex_names && !usable)
        lm_log(ctx, "%s: vertices are numbered: their names are not all different and printable", w->data->name);
    w->vertex_names = usable;
    w->declare = w->data->columns.vertex_labels || (usable && !(integers && rise));
    w->quote = usable && integers && !rise; /* a quoted number is a name, and names keep their order */
    return LEMAN_OK;
}

/* Returns the arc u -> v, which must exist. */
static uint64_t find_arc(const leman_graph *g, size_t u, size_t v)
{
    uint64_t low = g->start[u], high = g->start[u + 1];
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (g->head[middle] <= v)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static bool ways_differ(const leman_dataset *data)
{
    for (size_t i = 0; i < data->graphs && data->columns.edge_attributes && !data->directed; i++) {
        leman_graph g = leman_dataset_graph(data, i);
        for (size_t v = 0; v < g.vertices; v++)
            for (uint64_t e = g.start[v]; e < g.start[v + 1]; e++)
                if (memcmp(g.edge_attribute + e * g.edge_attributes,
                           g.edge_attribute + find_arc(&g, g.head[e], v) * g.edge_attributes,
                           g.edge_attributes * sizeof(double)))
                    return true;
    }
    return false;
}

/* ---- Lines ----------------------------------------------------------------------------------- */

/* Ends the line with an empty last field. */
static void put_end(const edge_writing *w)
{
    lm_output_write(w->out, &w->separator, 1);
    lm_output_write(w->out, "\n", 1);
}

static void put_graph(const edge_writing *w, size_t g)
{
    size_t length;
    const char *name = leman_dataset_graph_name(w->data, g, &length);
    if (w->graph_names && length)
        lm_output_csv_field(w->out, name, length, false);
    else
        lm_output_integer(w->out, (int64_t)g);
    lm_output_write(w->out, &w->separator, 1);
}

static void put_vertex(const edge_writing *w, size_t g, size_t v)
{
    size_t length;
    const char *name = leman_dataset_vertex_name(w->data, g, v, &length);
    if (w->vertex_names)
        lm_output_csv_field(w->out, name, length, w->quote);
    else
        lm_output_integer(w->out, (int64_t)v);
}

static void put_edge(const edge_writing *w, size_t i, const leman_graph *g, size_t v, uint64_t e)
{
    put_graph(w, i);
    put_vertex(w, i, v);
    lm_output_write(w->out, &w->separator, 1);
    put_vertex(w, i, g->head[e]);
    for (size_t c = 0; c < g->vertex_labels; c++) lm_output_write(w->out, &w->separator, 1); /* written before */
    for (size_t c = 0; c < g->edge_labels; c++) {
        lm_output_write(w->out, &w->separator, 1);
        lm_output_integer(w->out, g->edge_label[e * g->edge_labels + c]);
    }
    for (size_t c = 0; c < g->edge_attributes; c++) {
        lm_output_write(w->out, &w->separator, 1);
        lm_output_real(w->out, g->edge_attribute[e * g->edge_attributes + c]);
    }
    lm_output_write(w->out, "\n", 1);
}

/* Writes the rest of a line that declares a vertex: an empty target and the labels of the vertex. */
static void put_labels(const edge_writing *w, const leman_graph *g, size_t v)
{
    if (g->vertex_labels) lm_output_write(w->out, &w->separator, 1);
    for (size_t c = 0; c < g->vertex_labels; c++) {
        lm_output_write(w->out, &w->separator, 1);
        lm_output_integer(w->out, g->vertex_label[v * g->vertex_labels + c]);
    }
    if (g->vertex_labels)
        lm_output_write(w->out, "\n", 1);
    else
        put_end(w);
}

static void put_graph_lines(const edge_writing *w, size_t i)
{
    leman_graph g = leman_dataset_graph(w->data, i);
    bool all_arcs = g.directed || w->both_ways;
    if (!g.vertices) {
        put_graph(w, i);
        put_end(w);
    }
    for (size_t v = 0; v < g.vertices; v++) /* a directed graph also declares vertices with incoming arcs only */
        if (w->declare || g.start[v] == g.start[v + 1]) {
            put_graph(w, i);
            put_vertex(w, i, v);
            put_labels(w, &g, v);
        }
    for (size_t v = 0; v < g.vertices; v++)
        for (uint64_t e = g.start[v]; e < g.start[v + 1]; e++)
            if (all_arcs || g.head[e] >= v) put_edge(w, i, &g, v, e);
}

/* Writes the names of columns: NAME, NAME_2, NAME_3, ... */
static void put_names(const edge_writing *w, const char *name, size_t count)
{
    if (count) lm_output_printf(w->out, "%c%s", w->separator, name);
    for (size_t i = 2; i <= count; i++) lm_output_printf(w->out, "%c%s_%zu", w->separator, name, i);
}

static void put_header(const edge_writing *w)
{
    const leman_columns *c = &w->data->columns;
    const char s = w->separator;
    lm_output_printf(w->out, "graph%csource%ctarget", s, s);
    put_names(w, "source_label", c->vertex_labels);
    put_names(w, "label", c->edge_labels);
    for (size_t i = 0; i < c->edge_attributes; i++) lm_output_printf(w->out, "%cattribute_%zu", s, i + 1);
    lm_output_write(w->out, "\n", 1);
}

leman_status lm_edge_list_write(leman_context *ctx, const leman_dataset *data, lm_output *out)
{
    edge_writing w = {.data = data, .out = out, .both_ways = ways_differ(data)};
    w.separator = lm_path_ends(out->path, ".tsv") ? '\t' : ',';
    size_t fields = 3 + data->columns.vertex_labels + data->columns.edge_labels + data->columns.edge_attributes;
    if (data->columns.vertex_labels > LM_VERTEX_LABELS)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                       "%s: found %zu columns of vertex labels, an edge list holds at most %d", data->name,
                       data->columns.vertex_labels, LM_VERTEX_LABELS);
    if (fields > LM_CSV_FIELDS)
        return lm_fail(ctx, LEMAN_ERROR_INPUT,
                       "%s: an edge list of %zu column%s would not be read back, expected at most %d", data->name,
                       fields, lm_plural(fields), LM_CSV_FIELDS);
    PASS(check_graph_names(ctx, &w));
    PASS(check_vertex_names(ctx, &w));
    lm_log_dropped(
        ctx, data, "an edge list",
        &(leman_columns){
            .vertex_labels = 1, .edge_labels = 1, .edge_attributes = 1, .graph_names = true, .vertex_names = true});
    if (data->directed) lm_log(ctx, "%s: directed, which the file does not say: read it as directed", data->name);
    put_header(&w);
    lm_progress_begin(ctx, data->graphs, "writing %s", data->name);
    for (size_t i = 0; i < data->graphs; i++) {
        put_graph_lines(&w, i);
        PASS(lm_output_status(out));
        PASS(lm_progress_step(ctx, i + 1));
    }
    return LEMAN_OK;
}
