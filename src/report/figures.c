/* Figures that several pages share; see figures.h. O(values). */
#include "report/figures.h"
#include "report/page.h"
#include <math.h>

/* ---- Axes ------------------------------------------------------------------------------------ */

void lm_chart_square(lm_chart *chart)
{
    chart->x.low = chart->y.low = fmin(chart->x.low, chart->y.low);
    chart->x.high = chart->y.high = fmax(chart->x.high, chart->y.high);
}

void lm_axis_widen(lm_axis *axis, double share, double least, double floor, double ceiling)
{
    double margin = fmax(share * (axis->high - axis->low), least);
    if (axis->powers) {
        axis->low /= 1 + share, axis->high *= 1 + share;
        return;
    }
    axis->low = fmax(axis->low - margin, floor);
    axis->high = fmin(axis->high + margin, ceiling);
}

/* ---- Figures --------------------------------------------------------------------------------- */

void lm_figure_begin(lm_output *out, const char *heading, const lm_chart *chart)
{
    lm_page(out, "<figure>\n");
    if (heading) lm_page(out, "<h3>%s</h3>\n", heading);
    lm_chart_write(out, chart);
    lm_chart_legend(out, chart->series, chart->count);
}

void lm_figure_predictions(lm_output *out, const char *heading, double height, const double *target,
                           const double *predicted, size_t count)
{
    lm_series series = lm_series_dots(NULL, count, target, predicted, 0);
    lm_chart chart =
        lm_chart_new("Predicted against true targets", "A dot for each graph.", "true target", "predicted");
    chart.height = height, chart.diagonal = series.faded = true;
    lm_chart_show(&chart, &series, 1);
    lm_chart_square(&chart);
    lm_axis_widen(&chart.x, 0.03, 0, -INFINITY, INFINITY);
    lm_axis_widen(&chart.y, 0.03, 0, -INFINITY, INFINITY);
    lm_figure_begin(out, heading, &chart);
}

void lm_figure_confusion(lm_output *out, size_t classes, const char *const *name, const uint64_t *counts, bool percent)
{
    lm_page(out,
            "<figure><div class=\"table\"><table class=\"confusion\"><thead><tr><th scope=\"col\">true class</th>");
    for (size_t c = 0; c < classes; c++) lm_page(out, "<th scope=\"col\">%s</th>", name[c]);
    lm_page(out, "</tr></thead><tbody>\n");
    for (size_t c = 0; c < classes; c++) {
        uint64_t all = 0;
        for (size_t d = 0; d < classes; d++) all += counts[c * classes + d];
        lm_page(out, "<tr><th scope=\"row\">%s</th>", name[c]);
        for (size_t d = 0; d < classes; d++) {
            double share = all ? (double)counts[c * classes + d] / (double)all : 0;
            lm_page(out, c == d ? "<td class=\"right\" style=\"--v:%.3f\">" : "<td style=\"--v:%.3f\">", share);
            if (percent)
                lm_page(out, "%.1f</td>", 100 * share);
            else
                lm_page(out, "%llu</td>", (unsigned long long)counts[c * classes + d]);
        }
        lm_page(out, "</tr>\n");
    }
    lm_page(out,
            "</tbody></table></div><figcaption>%s of each true class; columns are predicted classes.</figcaption>"
            "</figure>\n",
            percent ? "Percent of the graphs" : "Number of graphs");
}
