/*
 * A graph as one line of text, "graph 3 | 6 6 8 | 0-1:1 1-2:2", and the SHA-256 of that line. leman/canonical.h and
 * docs/identity.md define the line.
 */
#include "base/file.h"
#include "io/download/digest.h"
#include "refine/canonical/canonical.h"
#include <string.h>

/* Text that is counted, and written as far as it fits; or, if sum is not NULL, added to a digest. */
typedef struct line {
    char *text;
    size_t size, length;
    lm_sha256 *sum;
} line;

static void put_bytes(line *l, const char *text, size_t length)
{
    const size_t room = l->length < l->size ? l->size - l->length : 0;
    if (l->sum) lm_sha256_add(l->sum, text, length);
    if (room) memcpy(l->text + l->length, text, length < room ? length : room);
    l->length += length;
}

static void put(line *l, const char *text)
{
    put_bytes(l, text, strlen(text));
}

static void put_integer(line *l, int64_t value)
{
    char text[24], *at = text + sizeof text;
    uint64_t rest = value < 0 ? -(uint64_t)value : (uint64_t)value;
    do {
        *--at = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest);
    if (value < 0) *--at = '-';
    put_bytes(l, at, (size_t)(text + sizeof text - at));
}

static void put_row(line *l, const int64_t *label, size_t labels, const double *attribute, size_t attributes)
{
    for (size_t i = 0; i < labels; i++) {
        if (i) put(l, ",");
        put_integer(l, label[i]);
    }
    for (size_t i = 0; i < attributes; i++) {
        char text[LM_REAL_TEXT];
        const size_t length =
            (size_t)(lm_real_text(text, attribute[i] + 0.0) - text); /* -0 and 0 are the same number */
        put(l, i ? "," : ";");
        put_bytes(l, text, length);
    }
}

static void put_vertices(line *l, const leman_graph *g)
{
    if (!g->vertices || !(g->vertex_labels + g->vertex_attributes)) return;
    put(l, " |");
    for (size_t v = 0; v < g->vertices; v++) {
        put(l, " ");
        put_row(l, g->vertex_labels ? g->vertex_label + v * g->vertex_labels : NULL, g->vertex_labels,
                g->vertex_attributes ? g->vertex_attribute + v * g->vertex_attributes : NULL, g->vertex_attributes);
    }
}

/* The row of an arc behind a mark; nothing if the row is empty. */
static void put_arc_row(line *l, const leman_graph *g, const char *mark, uint64_t arc)
{
    const int64_t *label = g->edge_labels ? g->edge_label + arc * g->edge_labels : NULL;
    size_t labels = 0;
    while (labels < g->edge_labels && label[labels] != LEMAN_EDGE_LABEL_NONE) labels++;
    if (!(labels + g->edge_attributes)) return;
    put(l, mark);
    put_row(l, label, labels, g->edge_attributes ? g->edge_attribute + arc * g->edge_attributes : NULL,
            g->edge_attributes);
}

/* Returns the arc from head to tail of an undirected graph, whose heads are sorted. */
static uint64_t reverse_of(const leman_graph *g, size_t tail, size_t head)
{
    uint64_t low = g->start[head], high = g->start[head + 1];
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        if (g->head[middle] > tail)
            high = middle;
        else
            low = middle;
    }
    return low;
}

/* The attributes of an undirected edge may differ in its two directions. */
static bool attributes_differ(const leman_graph *g, uint64_t a, uint64_t b)
{
    const double *one = g->edge_attribute + a * g->edge_attributes, *other = g->edge_attribute + b * g->edge_attributes;
    for (size_t c = 0; c < g->edge_attributes; c++)
        if (one[c] < other[c] || one[c] > other[c]) return true;
    return false;
}

static void put_arc(line *l, const leman_graph *g, size_t tail, uint64_t arc)
{
    if (!g->directed && g->head[arc] < tail) return;
    put(l, " ");
    put_integer(l, (int64_t)tail);
    put(l, g->directed ? ">" : "-");
    put_integer(l, (int64_t)g->head[arc]);
    if (!(g->edge_labels + g->edge_attributes)) return;
    put_arc_row(l, g, ":", arc);
    if (g->directed || !g->edge_attributes) return;
    const uint64_t back = reverse_of(g, tail, g->head[arc]);
    if (attributes_differ(g, arc, back)) put_arc_row(l, g, "/", back);
}

static void put_graph(line *l, const leman_graph *g)
{
    put(l, g->directed ? "digraph " : "graph ");
    put_integer(l, (int64_t)g->vertices);
    put_vertices(l, g);
    put(l, " |");
    for (size_t v = 0; v < g->vertices; v++)
        for (uint64_t a = g->start[v]; a < g->start[v + 1]; a++) put_arc(l, g, v, a);
}

size_t leman_graph_text(const leman_graph *g, char *text, size_t size)
{
    line l = {text, size ? size - 1 : 0, 0, NULL};
    if (!g || (!text && size)) return 0;
    put_graph(&l, g);
    if (size) text[l.length < size ? l.length : size - 1] = '\0';
    return l.length;
}

void lm_graph_digest(const leman_graph *g, unsigned char digest[LM_SHA256_BYTES])
{
    lm_sha256 sum = lm_sha256_begin();
    line l = {.sum = &sum};
    put_graph(&l, g);
    lm_sha256_end(&sum, digest);
}
