/*
 * A graph as one line of text:
 *
 *   KIND VERTICES:LABELS ARCS:LABELS      "graph 3 | 6 6 8 | 0-1:1 1-2:2"
 *
 * KIND is graph or digraph; then the number of vertices; then, between bars, the row of each vertex if there are labels
 * or attributes of vertices; then the edges in increasing order, u-v with u <= v in a graph and u>v in a digraph, with
 * the row of the edge behind a colon. A row is the labels, then the attributes, with commas between them.
 */
#include "base/file.h"
#include "leman/canonical.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Text that is counted, and written as far as it fits. */
typedef struct line {
    char *text;
    size_t size, length;
} line;

static void put(line *l, const char *text)
{
    const size_t length = strlen(text), room = l->length < l->size ? l->size - l->length : 0;
    if (room) memcpy(l->text + l->length, text, length < room ? length : room);
    l->length += length;
}

static void put_integer(line *l, int64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRId64, value);
    put(l, text);
}

static void put_row(line *l, const int64_t *label, size_t labels, const double *attribute, size_t attributes)
{
    for (size_t i = 0; i < labels; i++) {
        if (i) put(l, ",");
        put_integer(l, label[i]);
    }
    for (size_t i = 0; i < attributes; i++) {
        char text[LM_REAL_TEXT];
        *lm_real_text(text, attribute[i] + 0.0) = '\0'; /* -0 and 0 are the same number */
        if (labels + i) put(l, ",");
        put(l, text);
    }
}

static void put_vertices(line *l, const leman_graph *g)
{
    if (!(g->vertex_labels + g->vertex_attributes)) return;
    put(l, " |");
    for (size_t v = 0; v < g->vertices; v++) {
        put(l, " ");
        put_row(l, g->vertex_labels ? g->vertex_label + v * g->vertex_labels : NULL, g->vertex_labels,
                g->vertex_attributes ? g->vertex_attribute + v * g->vertex_attributes : NULL, g->vertex_attributes);
    }
}

static void put_arc(line *l, const leman_graph *g, size_t tail, size_t arc)
{
    if (!g->directed && g->head[arc] < tail) return;
    put(l, " ");
    put_integer(l, (int64_t)tail);
    put(l, g->directed ? ">" : "-");
    put_integer(l, (int64_t)g->head[arc]);
    if (!(g->edge_labels + g->edge_attributes)) return;
    put(l, ":");
    put_row(l, g->edge_labels ? g->edge_label + arc * g->edge_labels : NULL, g->edge_labels,
            g->edge_attributes ? g->edge_attribute + arc * g->edge_attributes : NULL, g->edge_attributes);
}

size_t leman_graph_text(const leman_graph *g, char *text, size_t size)
{
    line l = {text, size ? size - 1 : 0, 0};
    if (!g || (!text && size)) return 0;
    put(&l, g->directed ? "digraph " : "graph ");
    put_integer(&l, (int64_t)g->vertices);
    put_vertices(&l, g);
    put(&l, " |");
    for (size_t v = 0; v < g->vertices; v++)
        for (uint64_t a = g->start[v]; a < g->start[v + 1]; a++) put_arc(&l, g, v, (size_t)a);
    if (size) text[l.length < size ? l.length : size - 1] = '\0';
    return l.length;
}
