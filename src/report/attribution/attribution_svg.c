/* Writes pictures of attributions to one SVG file: a grid, each under its name and prediction. */
#include "base/arguments.h"
#include "report/attribution/attribution.h"
#include "report/in_memory.h"

static const double WIDTH = 300, HEIGHT = 220, GAP = 24, HEAD = 44, LEGEND = 60;
enum { MAX_COLUMNS = 4 };

static leman_status write_cell(const lm_attributions *all, size_t i, double x, double y, lm_output *out)
{
    const leman_attribution *a = all->item[i];
    char graph[LM_ATTRIBUTION_TEXT], prediction[LM_ATTRIBUTION_TEXT];
    lm_attribution_graph(all, i, graph);
    lm_attribution_prediction(a, prediction);
    lm_page(out, "<text class=\"caption\" x=\"%.0f\" y=\"%.0f\">%s</text>\n", x + WIDTH / 2, y + 18, graph);
    lm_page(out, "<text class=\"caption soft\" x=\"%.0f\" y=\"%.0f\">%s</text>\n", x + WIDTH / 2, y + 36, prediction);
    if (!lm_attribution_drawable(a)) {
        lm_page(out, "<text class=\"caption soft\" x=\"%.0f\" y=\"%.0f\">%zu vertices: not drawn</text>\n",
                x + WIDTH / 2, y + HEAD + HEIGHT / 2, a->vertices);
        return LEMAN_OK;
    }
    lm_page(out, "<svg x=\"%.0f\" y=\"%.0f\" width=\"%.0f\" height=\"%.0f\">", x, y + HEAD, WIDTH, HEIGHT);
    PASS(lm_attribution_picture(all, i, out,
                                &(lm_molecule_drawing_options){.width = WIDTH, .height = HEIGHT, .title = graph}));
    lm_page(out, "</svg>\n");
    return LEMAN_OK;
}

static leman_status write_grid(leman_context *ctx, void *user, lm_output *out)
{
    const lm_attributions *all = user;
    const size_t columns = all->count < MAX_COLUMNS ? all->count : MAX_COLUMNS;
    const size_t rows = (all->count + columns - 1) / columns;
    const double width = (double)columns * (WIDTH + GAP) + GAP, height = (double)rows * (HEAD + HEIGHT);
    const bool values = all->item[0]->label == LEMAN_CLASS_MISSING;
    lm_page(out,
            "<svg class=\"molecule\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" "
            "height=\"%.0f\" font-family=\"system-ui,sans-serif\" font-size=\"12\">\n",
            width, height + LEGEND, width, height + LEGEND);
    lm_output_printf(out, "<style>%s", LM_MOLECULE_STYLE);
    lm_page(
        out,
        ".caption{fill:var(--m-ink);text-anchor:middle;font-size:13px}.soft{fill:var(--m-soft);font-size:12px}"
        "svg svg{overflow:visible}</style>\n<rect class=\"paper\" width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n");
    for (size_t i = 0; i < all->count; i++) {
        PASS(write_cell(all, i, GAP + (double)(i % columns) * (WIDTH + GAP), (double)(i / columns) * (HEAD + HEIGHT),
                        out));
        PASS(lm_progress_step(ctx, i + 1));
    }
    lm_page(out, "<svg x=\"%.0f\" y=\"%.0f\" width=\"%.0f\" height=\"30\">", (width - WIDTH) / 2, height + 16, WIDTH);
    lm_molecule_legend_write(out, all->scale, values ? "lowers" : "against", values ? "raises" : "for the class");
    lm_page(out, "</svg>\n</svg>\n");
    return LEMAN_OK;
}

leman_status leman_attribution_draw(leman_context *ctx, const leman_dataset *data,
                                    const leman_attribution *const *attributions, size_t count, leman_explanation **svg)
{
    lm_attributions all;
    REQUIRE(ctx, data, attributions, svg);
    PASS(lm_attributions_check(ctx, data, attributions, count, &all));
    lm_progress_begin(ctx, count, "drawing");
    return lm_explanation_new(ctx, write_grid, &all, svg);
}
