/*
 * Draws one graph: a molecule as a structural formula (formula.c), other graphs as discs and lines. Edges are drawn
 * before vertices, so discs hide their ends. A graph with labels and few edges is laid out like a molecule if this
 * gives no crossing; other graphs are laid out by stress. O(vertices + edges) beside the layout.
 */
#include "report/drawing/graph_drawing.h"
#include "io/molecule/molecule.h"
#include "report/drawing/formula.h"
#include "report/drawing/layout.h"
#include "report/drawing/molecule_layout.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_DEGREE = 4 /* of other graphs that are laid out like molecules */ };
static const double MARGIN = 14, LONGEST_EDGE = 46, MIN_APART = 18, RADIUS = 5.5, LABELLED_RADIUS = 9;
static const double BOND = 32, FORMULA_MARGIN = 10;

const char *lm_vertex_text(const lm_graph_drawing *d, size_t vertex, char text[LM_NUMBER_TEXT])
{
    const leman_graph *g = &d->graph;
    *text = 0;
    if (!g->vertex_labels && d->numbers) snprintf(text, LM_NUMBER_TEXT, "%zu", vertex);
    if (!g->vertex_labels) return text;
    long long label = (long long)g->vertex_label[vertex * g->vertex_labels];
    if (!d->molecule || !leman_atom_symbol(label, text, LM_NUMBER_TEXT)) snprintf(text, LM_NUMBER_TEXT, "%lld", label);
    return text;
}

int lm_bond_order(const lm_graph_drawing *d, uint64_t arc)
{
    return d->molecule ? (int)lm_bond_of_label(d->graph.edge_label[arc * d->graph.edge_labels]) : 1;
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

/* Scales the layout to the given size; edges do not get longer than looks natural. */
static void fit(lm_point *place, size_t n, double width, double height)
{
    lm_point low = {0, 0}, high = {0, 0};
    for (size_t v = 0; v < n; v++) {
        low = (lm_point){fmin(low.x, place[v].x), fmin(low.y, place[v].y)};
        high = (lm_point){fmax(high.x, place[v].x), fmax(high.y, place[v].y)};
    }
    double scale = LONGEST_EDGE * fmax(1, sqrt((double)n) / 3.5); /* many vertices on short paths need more space */
    if (high.x > low.x) scale = fmin(scale, (width - 2 * MARGIN) / (high.x - low.x));
    if (high.y > low.y) scale = fmin(scale, (height - 2 * MARGIN) / (high.y - low.y));
    for (size_t v = 0; v < n; v++) {
        place[v].x = width / 2 + scale * (place[v].x - (low.x + high.x) / 2);
        place[v].y = height / 2 + scale * (place[v].y - (low.y + high.y) / 2);
    }
    lm_layout_separate(place, n, MIN_APART);
}

/* Returns true if the graph may be laid out like a molecule. Graphs that are not molecules need labels, few rings and
 * low degrees. */
static bool is_like_molecule(const leman_graph *g, bool molecule)
{
    if (!lm_skeleton_suits(g) || (!molecule && (!g->vertex_labels || 4 * g->arcs / 2 > 5 * g->vertices + 12)))
        return false;
    for (size_t v = 0; v < g->vertices && !molecule; v++)
        if (g->start[v + 1] - g->start[v] > MAX_DEGREE) return false;
    return true;
}

/* Lays the graph out as chemists would, at any scale, with y downwards. Sets *found to false if that fails. */
static leman_status place_atoms(leman_context *ctx, const lm_graph_drawing *d, bool *found)
{
    SCRATCH_SCOPE(ctx);
    const leman_graph *g = &d->graph;
    uint8_t *order;
    bool clean, *small;
    *found = is_like_molecule(g, d->molecule);
    if (!*found) return LEMAN_OK;
    PASS_SCRATCH(ctx, order, g->arcs + 1);
    PASS_SCRATCH(ctx, small, g->vertices + 1);
    for (size_t v = 0; v < g->vertices; v++)
        small[v] = d->molecule && lm_atom_element(g->vertex_label[v * g->vertex_labels]) == 1;
    for (size_t i = 0; i < g->arcs; i++) order[i] = (uint8_t)lm_bond_order(d, g->start[0] + i);
    if (!d->molecule || !lm_molecule_layout_given(g, d->place)) {
        PASS(lm_molecule_layout(ctx, g, order, small, d->place, &clean));
        *found = clean || d->molecule;
    }
    for (size_t v = 0; v < g->vertices; v++) d->place[v].y = -d->place[v].y;
    return LEMAN_OK;
}

/* Scales the positions to the given size, including letters; bonds do not get longer than `longest`. */
static void fit_formula(const lm_graph_drawing *d, double width, double height, double longest)
{
    const double widest = width - 2 * FORMULA_MARGIN, highest = height - 2 * FORMULA_MARGIN;
    double scale = longest;
    lm_point low, high;
    for (bool fits = false; !fits; scale *= fits ? 1 : 0.96) {
        low = (lm_point){INFINITY, INFINITY}, high = (lm_point){-INFINITY, -INFINITY};
        for (size_t v = 0; v < d->graph.vertices; v++) {
            const lm_point at = lm_point_scale(d->place[v], scale);
            double extent[4] = {LABELLED_RADIUS, LABELLED_RADIUS, LABELLED_RADIUS, LABELLED_RADIUS};
            if (d->formula) lm_formula_extent(d->formula, v, extent);
            low = (lm_point){fmin(low.x, at.x - extent[0]), fmin(low.y, at.y - extent[2])};
            high = (lm_point){fmax(high.x, at.x + extent[1]), fmax(high.y, at.y + extent[3])};
        }
        fits = scale < 1 || (high.x - low.x <= widest && high.y - low.y <= highest);
    }
    for (size_t v = 0; v < d->graph.vertices; v++) {
        d->place[v].x = width / 2 + scale * d->place[v].x - (low.x + high.x) / 2;
        d->place[v].y = height / 2 + scale * d->place[v].y - (low.y + high.y) / 2;
    }
}

static double mean_edge(const lm_graph_drawing *d)
{
    double sum = 0, count = 0;
    for (size_t u = 0; u < d->graph.vertices; u++)
        for (uint64_t e = d->graph.start[u]; e < d->graph.start[u + 1]; e++, count++) {
            const lm_point apart = lm_point_subtract(d->place[u], d->place[d->graph.head[e]]);
            sum += hypot(apart.x, apart.y);
        }
    return count > 0 ? sum / count : BOND;
}

leman_status lm_graph_drawing_new(leman_context *ctx, const leman_graph *graph, double width, double height,
                                  lm_graph_drawing *drawing)
{
    lm_graph_drawing d = {.graph = *graph, .molecule = leman_graph_is_molecule(graph)};
    lm_formula *formula;
    bool found;
    PASS_SCRATCH(ctx, d.place, graph->vertices + 1);
    PASS_SCRATCH(ctx, d.mark, graph->vertices);
    memset(d.mark, LM_VERTEX_PLAIN, graph->vertices * sizeof *d.mark);
    PASS(place_atoms(ctx, &d, &found));
    if (!found) {
        PASS(lm_layout_compute(ctx, graph, d.place));
        fit(d.place, graph->vertices, width, height);
    } else if (d.molecule) {
        PASS_SCRATCH(ctx, formula, 1);
        PASS(lm_formula_new(ctx, graph, d.place, formula));
        d.formula = formula;
        fit_formula(&d, width, height, BOND);
        PASS(lm_formula_place_letters(ctx, graph, d.place, formula));
        fit_formula(&d, width, height, 1); /* for letters on other sides than before */
        PASS(lm_formula_place_numbers(ctx, graph, d.place, formula));
        PASS(lm_formula_rings(ctx, graph, d.place, formula));
    } else {
        fit_formula(&d, width, height, LONGEST_EDGE);
    }
    d.edge = mean_edge(&d);
    *drawing = d;
    return LEMAN_OK;
}

/* ---- Drawing --------------------------------------------------------------------------------- */

static void draw_line(lm_output *out, const lm_graph_drawing *d, const char *style, size_t u, size_t v)
{
    lm_page(out, "<path class=\"%s\" d=\"M%.1f %.1fL%.1f %.1f\"/>", style, d->place[u].x, d->place[u].y, d->place[v].x,
            d->place[v].y);
}

void lm_graph_draw_edges(lm_output *out, const lm_graph_drawing *d)
{
    const leman_graph *g = &d->graph;
    for (size_t u = 0; u < g->vertices; u++)
        for (uint64_t e = g->start[u]; e < g->start[u + 1]; e++) {
            if (!g->directed && g->head[e] <= u) continue;
            if (d->formula)
                lm_formula_draw_bond(out, d, u, e);
            else
                draw_line(out, d, "edge", u, g->head[e]);
        }
    lm_page(out, "\n");
}

void lm_graph_draw_tuple(lm_output *out, const lm_graph_drawing *d, const uint32_t *tuple, unsigned k)
{
    for (unsigned i = 0; i < k; i++)
        for (unsigned j = i + 1; j < k; j++)
            if (tuple[i] != tuple[j])
                draw_line(out, d, lm_vertices_joined(&d->graph, tuple[i], tuple[j]) ? "tuple" : "tuple apart", tuple[i],
                          tuple[j]);
}

static void draw_disc(lm_output *out, const lm_graph_drawing *d, size_t v, double radius)
{
    static const char *const STYLES[] = {"vertex", "vertex ring", "vertex hit"};
    lm_page(out, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>", STYLES[d->mark[v]], d->place[v].x,
            d->place[v].y, radius);
}

static void draw_number(lm_output *out, const lm_graph_drawing *d, size_t v)
{
    lm_page(out, "<text class=\"label small number\" x=\"%.1f\" y=\"%.1f\">%zu</text>", d->formula->number[v].x,
            d->formula->number[v].y + 3.4, v);
}

void lm_graph_draw_vertices(lm_output *out, const lm_graph_drawing *d)
{
    const leman_graph *g = &d->graph;
    for (size_t v = 0; v < g->vertices; v++) {
        char text[LM_NUMBER_TEXT];
        if (d->formula) {
            if (d->mark[v] != LM_VERTEX_PLAIN) draw_disc(out, d, v, d->formula->lettered[v] ? LABELLED_RADIUS : RADIUS);
            lm_formula_draw_atom(out, d, v);
            if (d->numbers) draw_number(out, d, v);
            continue;
        }
        draw_disc(out, d, v, g->vertex_labels || d->numbers ? LABELLED_RADIUS : RADIUS);
        if (*lm_vertex_text(d, v, text))
            lm_page(out, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">%s</text>",
                    d->mark[v] == LM_VERTEX_HIT ? "hit-label" : "label", d->place[v].x, d->place[v].y + 4.2, text);
    }
    lm_page(out, "\n");
}
