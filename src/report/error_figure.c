/* The figure of errors by similarity to the training graphs; see curves.h. */
#include "report/curves.h"
#include "report/page.h"
#include <math.h>

enum { BINS = 8, IN_BIN = LM_LEAST_ERRORS / 2 /* the fewest graphs of a bin on average */ };

leman_status lm_figure_errors(leman_context *ctx, lm_output *out, const lm_error_figure *f)
{
    double *spread;
    lm_curve_bin bin[BINS];
    const size_t most = f->count / IN_BIN < BINS ? f->count / IN_BIN : BINS;
    const char *number = f->classes ? "%.1f" : "%.3g";
    if (most < 2) return LEMAN_OK;
    PASS_SCRATCH(ctx, spread, BINS);
    const size_t bins = lm_bins_of_pairs(f->pair, f->count, most, bin);
    for (size_t b = 0; b < bins; b++) spread[b] = bin[b].spread;
    lm_series series = lm_series_dots(NULL, bins, &bin->value, &bin->observed, f->style);
    series.step = sizeof *bin, series.line = true, series.spread = spread;
    lm_chart chart = lm_chart_new("Error by similarity", "A dot for each bin of graphs; values in the table.",
                                  "mean similarity to the five nearest training graphs",
                                  f->classes ? "wrong (%)" : "mean absolute error");
    lm_chart_show(&chart, &series, 1);
    chart.y.low = 0;
    lm_axis_widen(&chart.x, 0.04, 0, 0, 1);
    lm_figure_begin(out, "Error by similarity", &chart);
    lm_page(out,
            "<figcaption>%zu %s in %zu bins of about equal size, by the similarity to their five nearest training "
            "graphs%s. Bars: 95 %% intervals.</figcaption>\n<details><summary>Values</summary>",
            f->count, f->graphs, bins, f->among);
    lm_page_table(out,
                  f->classes ? "similarity|graphs|wrong (%)|± 95 %" : "similarity|graphs|mean absolute error|± 95 %");
    for (size_t b = 0; b < bins; b++) {
        lm_page(out, "<tr><th scope=\"row\">%.3f to %.3f</th><td>%zu</td>", bin[b].low, bin[b].high, bin[b].count);
        lm_page_cell(out, number, isfinite(bin[b].observed) ? bin[b].observed : NAN);
        lm_page_cell(out, number, isfinite(bin[b].spread) ? bin[b].spread : NAN);
        lm_page(out, "</tr>\n");
    }
    lm_page(out, "</tbody></table></div></details>\n</figure>\n");
    return LEMAN_OK;
}
