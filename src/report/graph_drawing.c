/*
 * Drawing one graph. Bonds are as many parallel lines as their order, an aromatic one a line with a dashed line beside
 * it. Edges are drawn before vertices, so discs hide their ends. O(vertices + edges) beside the layout.
 */
#include "report/graph_drawing.h"
#include "io/molecule/sdf.h"
#include "report/layout.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { AROMATIC = 4 };
static const double MARGIN = 14, LONGEST_EDGE = 46, MIN_APART = 18, RADIUS = 5.5, LABELLED_RADIUS = 9, BOND_GAP = 3.2;

/* ---- Molecules ------------------------------------------------------------------------------- */

/* The most bonds of an atom, with charges and in compounds such as sulfates; 0: not seen in molecules of this kind. */
static int max_valence(int element)
{
    static const struct {
        int element, valence;
    } VALENCES[] = {{1, 1},  {5, 4},  {6, 4},  {7, 5},  {8, 3},  {9, 1},  {11, 1}, {12, 4}, {14, 6},
                    {15, 6}, {16, 6}, {17, 7}, {19, 1}, {20, 2}, {33, 6}, {34, 6}, {35, 7}, {53, 7}};
    for (size_t i = 0; i < sizeof VALENCES / sizeof *VALENCES; i++)
        if (VALENCES[i].element == element) return VALENCES[i].valence;
    return 0;
}

bool lm_graph_is_molecule(const leman_graph *g)
{
    bool heavy = false;
    if (g->directed || g->vertex_labels < 1 || g->edge_labels < 1) return false;
    for (size_t v = 0; v < g->vertices; v++) {
        const int element = lm_atom_element(g->vertex_label[v * g->vertex_labels]);
        double bonds = 0;
        for (uint64_t e = g->start[v]; e < g->start[v + 1]; e++) {
            int64_t order = g->edge_label[e * g->edge_labels];
            if (order < 1 || order > AROMATIC) return false;
            bonds += order == AROMATIC ? 1.34 : (double)order; /* three aromatic bonds are four */
        }
        if (bonds > max_valence(element) + 0.5) return false;
        heavy |= element > 1;
    }
    return heavy;
}

bool leman_graph_is_molecule(const leman_graph *graph)
{
    return graph && lm_graph_is_molecule(graph);
}

const char *lm_vertex_text(const lm_graph_drawing *d, size_t vertex, char text[LM_NUMBER_TEXT])
{
    const leman_graph *g = &d->graph;
    *text = 0;
    if (!g->vertex_labels && d->numbers) snprintf(text, LM_NUMBER_TEXT, "%zu", vertex);
    if (!g->vertex_labels) return text;
    long long label = (long long)g->vertex_label[vertex * g->vertex_labels];
    if (!d->molecule || !lm_atom_text(label, text, LM_NUMBER_TEXT)) snprintf(text, LM_NUMBER_TEXT, "%lld", label);
    return text;
}

int lm_bond_order(const lm_graph_drawing *d, uint64_t arc)
{
    return d->molecule ? (int)d->graph.edge_label[arc * d->graph.edge_labels] : 1;
}

bool lm_vertices_joined(const leman_graph *g, size_t u, size_t v)
{
    for (uint64_t e = g->start[u]; e < g->start[u + 1]; e++)
        if (g->head[e] == v) return true;
    for (uint64_t e = g->start[v]; e < g->start[v + 1]; e++)
        if (g->head[e] == u) return true;
    return false;
}

/* ---- Places ---------------------------------------------------------------------------------- */

/* Scales the layout to the room, but no edge beyond a length that looks natural. */
static void fit(double *place, size_t n, double width, double height)
{
    double low[2] = {0, 0}, high[2] = {0, 0};
    for (size_t v = 0; v < n; v++)
        for (size_t c = 0; c < 2; c++) {
            low[c] = fmin(low[c], place[2 * v + c]);
            high[c] = fmax(high[c], place[2 * v + c]);
        }
    double scale = LONGEST_EDGE * fmax(1, sqrt((double)n) / 3.5); /* many vertices on short paths need room */
    if (high[0] > low[0]) scale = fmin(scale, (width - 2 * MARGIN) / (high[0] - low[0]));
    if (high[1] > low[1]) scale = fmin(scale, (height - 2 * MARGIN) / (high[1] - low[1]));
    for (size_t v = 0; v < n; v++) {
        place[2 * v] = width / 2 + scale * (place[2 * v] - (low[0] + high[0]) / 2);
        place[2 * v + 1] = height / 2 + scale * (place[2 * v + 1] - (low[1] + high[1]) / 2);
    }
    lm_layout_separate(place, n, MIN_APART);
}

leman_status lm_graph_drawing_new(leman_context *ctx, const leman_graph *graph, double width, double height,
                                  lm_graph_drawing *drawing)
{
    leman_status st = LEMAN_OK;
    lm_graph_drawing d = {.graph = *graph, .molecule = lm_graph_is_molecule(graph)};
    SCRATCH(ctx, d.place, 2 * graph->vertices);
    SCRATCH(ctx, d.mark, graph->vertices);
    memset(d.mark, LM_VERTEX_PLAIN, graph->vertices * sizeof *d.mark);
    TRY(lm_layout_compute(ctx, graph, d.place));
    fit(d.place, graph->vertices, width, height);
    *drawing = d;
done:
    return st;
}

/* ---- Drawing --------------------------------------------------------------------------------- */

/* A line from u to v, `off` beside the straight one. */
static void draw_line(lm_output *out, const lm_graph_drawing *d, const char *style, size_t u, size_t v, double off)
{
    const double *a = d->place + 2 * u, *b = d->place + 2 * v;
    double along[2] = {b[0] - a[0], b[1] - a[1]}, length = hypot(along[0], along[1]);
    double x = length > 0 ? -along[1] / length * off : 0, y = length > 0 ? along[0] / length * off : 0;
    lm_page(out, "<path class=\"%s\" d=\"M%.1f %.1fL%.1f %.1f\"/>", style, a[0] + x, a[1] + y, b[0] + x, b[1] + y);
}

static void draw_edge(lm_output *out, const lm_graph_drawing *d, size_t u, uint64_t arc)
{
    const size_t v = d->graph.head[arc];
    const int order = lm_bond_order(d, arc);
    if (order == AROMATIC) {
        draw_line(out, d, "edge", u, v, -BOND_GAP / 2);
        draw_line(out, d, "edge aromatic", u, v, BOND_GAP / 2);
        return;
    }
    for (int i = 0; i < order; i++) draw_line(out, d, "edge", u, v, BOND_GAP * (i - (order - 1) / 2.0));
}

void lm_graph_draw_edges(lm_output *out, const lm_graph_drawing *d)
{
    const leman_graph *g = &d->graph;
    for (size_t u = 0; u < g->vertices; u++)
        for (uint64_t e = g->start[u]; e < g->start[u + 1]; e++)
            if (g->directed || g->head[e] > u) draw_edge(out, d, u, e);
    lm_page(out, "\n");
}

void lm_graph_draw_tuple(lm_output *out, const lm_graph_drawing *d, const uint32_t *tuple, unsigned k)
{
    for (unsigned i = 0; i < k; i++)
        for (unsigned j = i + 1; j < k; j++)
            if (tuple[i] != tuple[j])
                draw_line(out, d, lm_vertices_joined(&d->graph, tuple[i], tuple[j]) ? "tuple" : "tuple apart", tuple[i],
                          tuple[j], 0);
}

void lm_graph_draw_vertices(lm_output *out, const lm_graph_drawing *d)
{
    static const char *const STYLES[] = {"vertex", "vertex ring", "vertex hit"};
    const leman_graph *g = &d->graph;
    for (size_t v = 0; v < g->vertices; v++) {
        const double x = d->place[2 * v], y = d->place[2 * v + 1];
        char text[LM_NUMBER_TEXT];
        lm_page(out, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>", STYLES[d->mark[v]], x, y,
                g->vertex_labels || d->numbers ? LABELLED_RADIUS : RADIUS);
        if (*lm_vertex_text(d, v, text))
            lm_page(out, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">%s</text>",
                    d->mark[v] == LM_VERTEX_HIT ? "hit-label" : "label", x, y + 4.2, text);
    }
    lm_page(out, "\n");
}
