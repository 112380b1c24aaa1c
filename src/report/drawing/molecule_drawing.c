/*
 * Draws graphs with numbers on vertices and edges. Behind the graph lies a halo for every number: a disc for a vertex,
 * a thick line for an edge. Its colour is mixed with that of the background by |number| / scale. Fill attributes have
 * the mixed colour for programs that cannot mix colours. O(vertices + edges) beside the layout.
 */
#include "report/drawing/molecule_drawing.h"
#include "report/drawing/graph_drawing.h"
#include "report/drawing/layout.h"
#include <math.h>
#include <stdio.h>

static const double WIDTH = 300, HEIGHT = 220, HALO = 11, BAND = 9 /* upper bounds */;
enum { MIN_PERCENT = 4 /* fainter halos would be invisible */, PAPER = 255, STEPS = 12 /* of the legend */ };

/* ---- Colours --------------------------------------------------------------------------------- */

/* Returns the share of the full colour for a number, in percent. */
static int percent(double value, double scale)
{
    const double share = fmin(1, fabs(value) / scale);
    return MIN_PERCENT + (int)lround((100 - MIN_PERCENT) * share);
}

static bool is_coloured(double value, double scale)
{
    return isfinite(value) && fabs(value) > scale * 1e-9;
}

/* Writes the attributes of a halo: its sign as a class, the share of colour, and as `attribute` the colour on white. */
static void write_color(lm_output *out, const char *kind, const char *attribute, double value, double scale)
{
    static const int ABOVE[] = {0xd6, 0x60, 0x4d}, BELOW[] = {0x43, 0x93, 0xc3};
    const int share = percent(value, scale), *full = value > 0 ? ABOVE : BELOW;
    int mixed[3];
    for (int c = 0; c < 3; c++) mixed[c] = PAPER + (full[c] - PAPER) * share / 100;
    lm_page(out, "class=\"%s %s\" style=\"--v:%d%%\" %s=\"#%02x%02x%02x\"", kind, value > 0 ? "above" : "below", share,
            attribute, (unsigned)mixed[0], (unsigned)mixed[1], (unsigned)mixed[2]);
}

static double largest(const double *value, size_t count)
{
    double most = 0;
    for (size_t i = 0; value && i < count; i++)
        if (isfinite(value[i])) most = fmax(most, fabs(value[i]));
    return most;
}

/* ---- Parts of the picture -------------------------------------------------------------------- */

typedef struct picture {
    const lm_graph_drawing *drawing;
    const double *vertex_value, *edge_value;
    double scale;
    const char *unit;
    double halo, band; /* radius; width */
} picture;

static void draw_bands(lm_output *out, const picture *p)
{
    const leman_graph *g = &p->drawing->graph;
    for (size_t u = 0; p->edge_value && u < g->vertices; u++)
        for (uint64_t e = g->start[u]; e < g->start[u + 1]; e++) {
            const lm_point a = p->drawing->place[u], b = p->drawing->place[g->head[e]];
            const double value = p->edge_value[e - g->start[0]];
            if ((!g->directed && g->head[e] < u) || !is_coloured(value, p->scale)) continue;
            lm_page(out, "<path ");
            write_color(out, "band", "stroke", value, p->scale);
            lm_page(out, " stroke-width=\"%.1f\" d=\"M%.1f %.1fL%.1f %.1f\"><title>%zu-%u: %+.3g%s</title></path>",
                    p->band, a.x, a.y, b.x, b.y, u, (unsigned)g->head[e], value, p->unit);
        }
}

static void draw_halos(lm_output *out, const picture *p)
{
    const leman_graph *g = &p->drawing->graph;
    for (size_t v = 0; p->vertex_value && v < g->vertices; v++) {
        if (!is_coloured(p->vertex_value[v], p->scale)) continue;
        lm_page(out, "<circle ");
        write_color(out, "halo", "fill", p->vertex_value[v], p->scale);
        lm_page(out, " cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>", p->drawing->place[v].x, p->drawing->place[v].y, p->halo);
    }
    lm_page(out, "\n");
}

/* Draws invisible discs on top, which have the tooltips. */
static void draw_tooltips(lm_output *out, const picture *p)
{
    const leman_graph *g = &p->drawing->graph;
    for (size_t v = 0; v < g->vertices; v++) {
        char text[LM_NUMBER_TEXT];
        lm_vertex_text(p->drawing, v, text);
        lm_page(out, "<circle fill=\"#000\" fill-opacity=\"0\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"><title>%s%s%zu",
                p->drawing->place[v].x, p->drawing->place[v].y, p->halo, text, *text ? " " : "", v);
        if (p->vertex_value && isfinite(p->vertex_value[v])) lm_page(out, ": %+.3g%s", p->vertex_value[v], p->unit);
        lm_page(out, "</title></circle>");
    }
    lm_page(out, "\n");
}

/* Draws steps from blue through the background to red, with numbers below. */
static void draw_legend(lm_output *out, double x, double y, double width, double scale, const char *below,
                        const char *above)
{
    const double step = width / (2 * STEPS + 1);
    for (int i = -STEPS; i <= STEPS; i++) {
        if (!i) continue;
        lm_page(out, "<rect ");
        write_color(out, "step", "fill", i, STEPS);
        lm_page(out, " x=\"%.1f\" y=\"%.1f\" width=\"%.2f\" height=\"10\"/>", x + step * (i + STEPS), y, step + 0.3);
    }
    lm_page(out, "<rect class=\"frame\" fill=\"none\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"10\"/>", x, y,
            width);
    lm_page(out, "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\">\u2212%.3g%s%s</text>", x, y + 24, scale, below ? " " : "",
            below ? below : "");
    lm_page(out, "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">0</text>", x + width / 2, y + 24);
    lm_page(out, "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%+.3g%s%s</text>\n", x + width, y + 24,
            scale, above ? " " : "", above ? above : "");
}

void lm_molecule_legend_write(lm_output *out, double scale, const char *below, const char *above)
{
    lm_page(
        out,
        "<svg class=\"molecule scale\" viewBox=\"0 0 %.0f 30\" role=\"img\" aria-label=\"Colours from %+.3g (blue) to "
        "%+.3g (red)\">\n",
        WIDTH, -scale, scale);
    draw_legend(out, 0, 0, WIDTH, scale, below, above);
    lm_page(out, "</svg>\n");
}

/* ---- The picture ----------------------------------------------------------------------------- */

static void begin(lm_output *out, const lm_molecule_drawing_options *o, size_t vertices, double width, double height)
{
    lm_page(out, "<svg class=\"molecule\" viewBox=\"0 0 %.0f %.0f\" role=\"img\"", width, height);
    if (o->standalone)
        lm_page(out, " xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\"", width, height);
    if (o->title)
        lm_page(out, " aria-label=\"%s\">\n", o->title);
    else
        lm_page(out, " aria-label=\"Graph with %zu %s\">\n", vertices, lm_plural_of(vertices, "vertex", "vertices"));
    if (!o->standalone) return;
    lm_output_printf(out, "<style>%s</style>\n", LM_MOLECULE_STYLE);
    lm_page(out, "<rect class=\"paper\" width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n");
}

leman_status lm_molecule_drawing_write(leman_context *ctx, lm_output *out, const leman_graph *graph,
                                       const double *vertex_value, const double *edge_value, double scale,
                                       const lm_molecule_drawing_options *options)
{
    SCRATCH_SCOPE(ctx);
    const lm_molecule_drawing_options o = options ? *options : (lm_molecule_drawing_options){0};
    const double width = o.width > 0 ? o.width : WIDTH, height = o.height > 0 ? o.height : HEIGHT;
    lm_graph_drawing drawing;
    if (!(scale > 0)) scale = fmax(largest(vertex_value, graph->vertices), largest(edge_value, graph->arcs));
    if (!(scale > 0)) scale = 1;
    PASS(lm_graph_drawing_new(ctx, graph, width, height, &drawing));
    drawing.numbers = o.numbers;
    const double halo = fmin(HALO, 0.42 * drawing.edge), band = fmin(BAND, 0.34 * drawing.edge);
    const picture p = {&drawing, vertex_value, edge_value, scale, o.unit ? o.unit : "", halo, band};
    begin(out, &o, graph->vertices, width, height + (o.legend ? LM_LEGEND_HEIGHT : 0));
    draw_bands(out, &p);
    draw_halos(out, &p);
    lm_graph_draw_edges(out, &drawing);
    lm_graph_draw_vertices(out, &drawing);
    draw_tooltips(out, &p);
    if (o.legend) draw_legend(out, width / 6, height + 12, width * 2 / 3, scale, NULL, NULL);
    lm_page(out, "</svg>\n");
    return LEMAN_OK;
}
