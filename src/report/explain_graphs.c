/*
 * Draws the two graphs of an explanation side by side, with the tuples of the colour that differs. One tuple is drawn;
 * the vertices of the others are ringed. If a graph has no such tuple, a tuple that had the same colour one round
 * earlier is drawn, with ringed vertices.
 */
#include "report/drawing/graph_drawing.h"
#include "report/explain.h"
#include <math.h>
#include <stdio.h>

enum { MAX_VERTICES = 120 }; /* larger graphs are not legible */
static const double SMALL_WIDTH = 340, GAP = 40, CAPTION = 52;

/* Returns a width that leaves about equal space for each vertex. */
static double width_for(size_t vertices)
{
    return SMALL_WIDTH * fmax(1, sqrt((double)vertices / 20));
}

static bool is_drawn(const lm_explained *e)
{
    for (int g = 0; g < 2; g++)
        if (!e->graph[g].vertices || e->graph[g].vertices > MAX_VERTICES) return false;
    return e->unrolling->difference.distinguished;
}

lm_graphs_size lm_explain_graphs_size(const lm_explained *e)
{
    size_t a = e->graph[0].vertices, b = e->graph[1].vertices;
    double width = width_for(a > b ? a : b);
    if (!is_drawn(e)) return (lm_graphs_size){0, 0, 0};
    return (lm_graphs_size){2 * width + GAP, width * 0.72 + CAPTION, width};
}

/* Returns a tuple of `graph` that had the root's colour one round earlier, with vertices numbered in that graph; NULL
 * if there is none. */
static const uint32_t *earlier_tuple(const lm_explained *e, uint32_t graph, uint32_t *tuple)
{
    const leman_unrolling *u = e->unrolling;
    if (!u->other) return NULL;
    const uint32_t *vertex = u->vertex + u->other * u->k;
    const uint32_t first = (uint32_t)e->graph[0].vertices;
    for (unsigned j = 0; j < u->k; j++) {
        bool second = e->as_union ? vertex[j] >= first : u->node[u->other].graph == 1;
        tuple[j] = LM_ABSENT;
        if (vertex[j] == LM_ABSENT) continue;
        if (second != (graph == 1)) return NULL;
        tuple[j] = e->as_union && second ? vertex[j] - first : vertex[j];
    }
    return tuple;
}

/* Copies the components that are there. Returns their number. */
static unsigned copy_present(const uint32_t *tuple, unsigned k, uint32_t *present)
{
    unsigned count = 0;
    for (unsigned j = 0; j < k; j++)
        if (tuple[j] != LM_ABSENT) present[count++] = tuple[j];
    return count;
}

static leman_status draw_graph(leman_context *ctx, const lm_explained *e, uint32_t graph, const lm_graphs_size *size,
                               lm_output *out)
{
    enum { MAX_K = 16, LONGEST = 44 /* characters of a name */ };
    SCRATCH_SCOPE(ctx);
    const leman_unrolling *u = e->unrolling;
    const uint32_t *drawn = u->carriers[graph] ? u->carrier[graph] : NULL;
    uint32_t room[MAX_K], present[LM_MAX_K];
    lm_graph_drawing d;
    char name[LM_WORDS], tuple[LM_WORDS], count[LM_NUMBER_TEXT];
    PASS(lm_graph_drawing_new(ctx, &e->graph[graph], size->graph, size->height - CAPTION, &d));
    d.numbers = true;
    for (size_t i = u->carriers[graph] * u->k; i-- > 0;)
        if (u->carrier[graph][i] != LM_ABSENT) d.mark[u->carrier[graph][i]] = i < u->k ? LM_VERTEX_HIT : LM_VERTEX_RING;
    if (!drawn && u->k <= MAX_K && (drawn = earlier_tuple(e, graph, room)))
        for (unsigned j = copy_present(drawn, u->k, present); j-- > 0;) d.mark[present[j]] = LM_VERTEX_RING;
    lm_graph_draw_edges(out, &d);
    if (drawn) lm_graph_draw_tuple(out, &d, present, copy_present(drawn, u->k, present));
    lm_graph_draw_vertices(out, &d);
    lm_graph_words(e, graph, name);
    *tuple = 0;
    if (drawn && !e->as_union) lm_tuple_words(e, graph, drawn, tuple);
    double line = size->height - CAPTION + 14;
    lm_page(out, "<text class=\"caption\" x=\"0\" y=\"%.1f\">%.*s</text>\n", line, LONGEST, name);
    lm_page(out, "<text x=\"0\" y=\"%.1f\">%s of this colour</text>\n", line + 16,
            u->difference.count[graph] ? lm_count_text(u->difference.count[graph], count) : "none");
    if (*tuple)
        lm_page(out, "<text x=\"0\" y=\"%.1f\">%.*s%s</text>\n", line + 32, LONGEST, tuple,
                !u->carriers[graph]              ? ": same colour a round earlier"
                : u->difference.count[graph] > 1 ? " filled, others ringed"
                                                 : " filled");
    return LEMAN_OK;
}

leman_status lm_explain_graphs(leman_context *ctx, const lm_explained *e, double x, double y, lm_output *out)
{
    const lm_graphs_size size = lm_explain_graphs_size(e);
    if (!is_drawn(e)) return LEMAN_OK;
    for (uint32_t g = 0; g < 2; g++) {
        char name[LM_WORDS];
        lm_page(out, "<g class=\"graph\" role=\"img\" aria-label=\"%s\" transform=\"translate(%.1f %.1f)\">\n",
                lm_graph_words(e, g, name), x + g * (size.graph + GAP), y);
        PASS(draw_graph(ctx, e, g, &size, out));
        lm_page(out, "</g>\n");
    }
    return LEMAN_OK;
}

/* ---- DOT ------------------------------------------------------------------------------------- */

/* Graphviz draws parallel lines for a list of colours; invisible ones separate them. */
static const char *bond_style(int order)
{
    return order == 2   ? ", color=\"black:invis:black\""
           : order == 3 ? ", color=\"black:invis:black:invis:black\""
           : order == 4 ? ", color=\"black:invis:black\", style=dashed"
                        : "";
}

void lm_explain_graphs_dot(const lm_explained *e, lm_output *out)
{
    const leman_unrolling *u = e->unrolling;
    for (uint32_t g = 0; is_drawn(e) && g < 2; g++) {
        const lm_graph_drawing d = {.graph = e->graph[g], .molecule = leman_graph_is_molecule(&e->graph[g])};
        lm_output_printf(out,
                         "  subgraph cluster_graph_%u {\n    label=\"the %s graph\";\n    node [shape=circle, "
                         "style=solid];\n    edge [dir=%s];\n",
                         g, g ? "second" : "first", d.graph.directed ? "forward" : "none");
        for (size_t v = 0; v < d.graph.vertices; v++) {
            char text[LM_NUMBER_TEXT], number[LM_NUMBER_TEXT];
            bool carries = false;
            snprintf(number, sizeof number, "%zu", v);
            lm_vertex_text(&d, v, text);
            for (size_t i = 0; i < u->carriers[g] * u->k; i++) carries |= u->carrier[g][i] == v;
            lm_output_printf(out, "    g%u_%zu [label=\"%s\"%s];\n", g, v, *text ? text : number,
                             carries ? ", style=filled, fillcolor=orange" : "");
        }
        for (size_t v = 0; v < d.graph.vertices; v++)
            for (uint64_t a = d.graph.start[v]; a < d.graph.start[v + 1]; a++)
                if (d.graph.directed || d.graph.head[a] > v)
                    lm_output_printf(out, "    g%u_%zu -> g%u_%u [constraint=false%s];\n", g, v, g,
                                     (unsigned)d.graph.head[a], bond_style(lm_bond_order(&d, a)));
        lm_write_text(out, "  }\n");
    }
}
