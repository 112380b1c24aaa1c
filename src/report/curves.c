/* Curves of probabilities; see curves.h. */
#include "report/curves.h"
#include "base/sort.h"
#include "base/text.h"
#include "report/page.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double Z = 1.959964; /* 95 % of a normal distribution lie within so many deviations */

/* ---- Thresholds ------------------------------------------------------------------------------ */

typedef struct ranked {
    double probability;
    bool positive;
} ranked;

static int compare_ranked(const void *a, const void *b)
{
    const double x = ((const ranked *)a)->probability, y = ((const ranked *)b)->probability;
    return (x < y) - (x > y);
}

/* The exact curve: a point for each threshold, from the largest probability on. */
typedef struct thresholds {
    size_t *positives, *others; /* [count] graphs from the threshold on */
    size_t count;
} thresholds;

static leman_status find_thresholds(leman_context *ctx, const lm_judged *j, thresholds *t)
{
    ranked *rank;
    size_t positives = 0;
    PASS_SCRATCH(ctx, rank, j->count + 1);
    PASS_SCRATCH(ctx, t->positives, j->count + 1);
    PASS_SCRATCH(ctx, t->others, j->count + 1);
    for (size_t i = 0; i < j->count; i++) rank[i] = (ranked){j->probability[i], j->positive[i]};
    qsort(rank, j->count, sizeof *rank, compare_ranked);
    t->count = 0;
    for (size_t i = 0; i < j->count; i++) {
        positives += rank[i].positive;
        if (i + 1 < j->count && !(rank[i + 1].probability < rank[i].probability)) continue;
        t->positives[t->count] = positives;
        t->others[t->count++] = i + 1 - positives;
    }
    return LEMAN_OK;
}

/* Adds a point. Of many points only those that are far enough from the last one are kept. */
static void add_point(lm_curve *c, double x, double y, bool last)
{
    const double step = 2.0 / (LM_CURVE_POINTS - 8);
    if (!last && c->count && fabs(x - c->x[c->count - 1]) + fabs(y - c->y[c->count - 1]) < step) return;
    if (c->count == LM_CURVE_POINTS) c->count--;
    c->x[c->count] = x;
    c->y[c->count++] = y;
}

static leman_status curve_new(leman_context *ctx, const lm_judged *j, lm_curve *c)
{
    *c = (lm_curve){.area = NAN};
    PASS_SCRATCH(ctx, c->x, LM_CURVE_POINTS);
    PASS_SCRATCH(ctx, c->y, LM_CURVE_POINTS);
    if (j->positives && j->positives < j->count) c->area = 0;
    return LEMAN_OK;
}

leman_status lm_curve_roc(leman_context *ctx, const lm_judged *j, lm_curve *out)
{
    const double all[2] = {(double)j->positives, (double)(j->count - j->positives)};
    thresholds t;
    double before[2] = {0, 0};
    PASS(curve_new(ctx, j, out));
    if (isnan(out->area)) return LEMAN_OK;
    PASS(find_thresholds(ctx, j, &t));
    add_point(out, 0, 0, true);
    for (size_t i = 0; i < t.count; i++) {
        const double x = (double)t.others[i] / all[1], y = (double)t.positives[i] / all[0];
        out->area += (x - before[0]) * (y + before[1]) / 2;
        before[0] = x, before[1] = y;
        add_point(out, x, y, i + 1 == t.count);
    }
    return LEMAN_OK;
}

leman_status lm_curve_precision(leman_context *ctx, const lm_judged *j, lm_curve *out)
{
    const double all = (double)j->positives;
    thresholds t;
    double before = 0;
    PASS(curve_new(ctx, j, out));
    if (isnan(out->area)) return LEMAN_OK;
    PASS(find_thresholds(ctx, j, &t));
    for (size_t i = 0; i < t.count; i++) {
        const double recall = (double)t.positives[i] / all;
        const double precision = (double)t.positives[i] / (double)(t.positives[i] + t.others[i]);
        out->area += (recall - before) * precision;
        before = recall;
        if (!i) add_point(out, 0, precision, true);
        add_point(out, recall, precision, t.positives[i] == j->positives);
        if (t.positives[i] == j->positives) break; /* from here on precision only falls */
    }
    return LEMAN_OK;
}

/* ---- Bins ------------------------------------------------------------------------------------ */

void lm_reliability(const lm_judged *j, lm_curve_bin bin[LM_BINS], double *brier, double *error)
{
    *brier = *error = 0;
    for (size_t b = 0; b < LM_BINS; b++)
        bin[b] = (lm_curve_bin){.low = (double)b / LM_BINS, .high = (double)(b + 1) / LM_BINS};
    for (size_t i = 0; i < j->count; i++) {
        const double p = j->probability[i], off = p - (j->positive[i] ? 1 : 0);
        const size_t b = p >= 1 ? LM_BINS - 1 : p > 0 ? (size_t)(p * LM_BINS) : 0;
        bin[b].count++;
        bin[b].value += p;
        bin[b].observed += j->positive[i];
        *brier += off * off / (double)j->count;
    }
    for (size_t b = 0; b < LM_BINS; b++) {
        const double n = (double)bin[b].count;
        *error += fabs(bin[b].value - bin[b].observed) / (double)j->count;
        bin[b].value /= n > 0 ? n : (double)NAN;
        bin[b].observed /= n > 0 ? n : (double)NAN;
        const double p = bin[b].observed; /* Wilson's interval */
        bin[b].spread = Z / (1 + Z * Z / n) * sqrt(p * (1 - p) / n + Z * Z / (4 * n * n));
    }
}

static int compare_pairs(const void *a, const void *b)
{
    return lm_compare_double(a, b); /* the first of the two numbers */
}

size_t lm_bins_of_pairs(double (*pair)[2], size_t count, size_t most, lm_curve_bin *bin)
{
    size_t bins = 0;
    qsort(pair, count, sizeof *pair, compare_pairs);
    for (size_t from = 0, to; from < count; from = to) {
        double square = 0;
        to = (bins + 1) * count / most;
        if (to <= from) to = from + 1;
        while (to < count && !(pair[to][0] > pair[to - 1][0])) to++;
        const double n = (double)(to - from);
        lm_curve_bin b = {.low = pair[from][0], .high = pair[to - 1][0], .count = to - from};
        for (size_t i = from; i < to; i++) b.value += pair[i][0] / n, b.observed += pair[i][1] / n;
        for (size_t i = from; i < to; i++) square += (pair[i][1] - b.observed) * (pair[i][1] - b.observed);
        b.spread = n > 1 ? Z * sqrt(square / (n * (n - 1))) : (double)NAN;
        bin[bins++] = b;
        if (bins == most) break;
    }
    return bins;
}

/* ---- Figures --------------------------------------------------------------------------------- */

static void unit_axes(lm_chart *chart)
{
    chart->x.low = chart->y.low = 0;
    chart->x.high = chart->y.high = 1;
}

enum { NAME = 200 };

/* Writes a figure of the curves of all rows, with their areas in the legend. */
static leman_status figure_of_curves(leman_context *ctx, lm_output *out, const lm_curve_row *row, size_t rows,
                                     leman_status (*find)(leman_context *, const lm_judged *, lm_curve *),
                                     const char *heading, lm_chart *chart)
{
    lm_series *series;
    char(*name)[NAME];
    size_t shown = 0;
    PASS_SCRATCH(ctx, series, rows);
    PASS_SCRATCH(ctx, name, rows);
    for (size_t i = 0; i < rows; i++) {
        lm_curve curve;
        PASS(find(ctx, &row[i].judged, &curve));
        if (isnan(curve.area)) continue;
        lm_snprintf(name[shown], NAME, "%s: %.3f", row[i].name, curve.area);
        series[shown] = lm_series_dots(name[shown], curve.count, curve.x, curve.y, row[i].style);
        series[shown].dots = false;
        series[shown].line = true;
        shown++;
    }
    lm_chart_show(chart, series, shown);
    lm_page(out, "<figure>\n<h3>%s</h3>\n", heading);
    lm_chart_write(out, chart);
    if (shown > 1)
        lm_chart_legend(out, series, shown);
    else if (shown)
        lm_page(out, "<ul class=\"legend\"><li class=\"c%u\">%s</li></ul>\n", lm_style_color(series->style), name[0]);
    return LEMAN_OK;
}

leman_status lm_figure_roc(leman_context *ctx, lm_output *out, const lm_curve_row *row, size_t rows)
{
    lm_chart chart = lm_chart_new("ROC curve", "A line for each method or task; areas in the legend.",
                                  "share of the other graphs found", "share of the positive graphs found");
    unit_axes(&chart);
    chart.height = 380, chart.diagonal = true;
    PASS(figure_of_curves(ctx, out, row, rows, lm_curve_roc, "ROC curve", &chart));
    lm_page(out,
            "<figcaption>What is found from a probability on. Numbers: area under the curve; 0.5, the dashed line, "
            "knows nothing.</figcaption>\n</figure>\n");
    return LEMAN_OK;
}

leman_status lm_figure_precision(leman_context *ctx, lm_output *out, const lm_curve_row *row, size_t rows,
                                 const char *positive)
{
    lm_chart chart =
        lm_chart_new("Precision and recall", "A line for each method or task; areas in the legend.",
                     "recall: share of the positive graphs found", "precision: share found that is positive");
    unit_axes(&chart);
    chart.height = 380;
    PASS(figure_of_curves(ctx, out, row, rows, lm_curve_precision, "Precision and recall", &chart));
    lm_page(out, "<figcaption>Positive: %s. Numbers: average precision", positive);
    if (rows == 1 && row->judged.count)
        lm_page(out, "; guessing has %.3f", (double)row->judged.positives / (double)row->judged.count);
    lm_page(out, ".</figcaption>\n</figure>\n");
    return LEMAN_OK;
}

/* Writes how many graphs have a probability in each bin. */
static void figure_of_counts(lm_output *out, const lm_curve_bin bin[LM_BINS], unsigned style)
{
    double x[LM_BINS + 1], y[LM_BINS + 1];
    for (size_t b = 0; b <= LM_BINS; b++) {
        x[b] = (double)b / LM_BINS;
        y[b] = (double)bin[b < LM_BINS ? b : LM_BINS - 1].count;
    }
    lm_series series = lm_series_dots(NULL, LM_BINS + 1, x, y, style);
    series.dots = false, series.line = series.steps = true;
    lm_chart chart =
        lm_chart_new("Graphs by probability", "Numbers of graphs in ten bins; values in the table.", NULL, "graphs");
    chart.height = 110, chart.x.low = 0, chart.x.high = 1, chart.y.whole = true;
    lm_chart_show(&chart, &series, 1);
    chart.y.low = 0;
    lm_chart_write(out, &chart);
}

static void table_of_bins(lm_output *out, const char *name, const lm_curve_bin bin[LM_BINS])
{
    lm_page(out, "<details><summary>Values for %s</summary>", name);
    lm_page_table(out, "probability|graphs|mean probability|share positive|± 95 %");
    for (size_t b = 0; b < LM_BINS; b++) {
        lm_page(out, "<tr><th scope=\"row\">%.1f to %.1f</th><td>%zu</td>", bin[b].low, bin[b].high, bin[b].count);
        lm_page_cell(out, "%.3f", bin[b].count ? bin[b].value : (double)NAN);
        lm_page_cell(out, "%.3f", bin[b].count ? bin[b].observed : (double)NAN);
        lm_page_cell(out, "%.3f", bin[b].count ? bin[b].spread : (double)NAN);
        lm_page(out, "</tr>\n");
    }
    lm_page(out, "</tbody></table></div></details>\n");
}

leman_status lm_figure_reliability(leman_context *ctx, lm_output *out, const lm_curve_row *row, size_t rows,
                                   const char *positive)
{
    lm_series *series;
    lm_curve_bin(*bin)[LM_BINS];
    double(*spread)[LM_BINS], brier, error, first[2] = {NAN, NAN};
    PASS_SCRATCH(ctx, series, rows);
    PASS_SCRATCH(ctx, bin, rows);
    PASS_SCRATCH(ctx, spread, rows);
    for (size_t i = 0; i < rows; i++) {
        lm_reliability(&row[i].judged, bin[i], &brier, &error);
        if (!i) first[0] = brier, first[1] = error;
        for (size_t b = 0; b < LM_BINS; b++) spread[i][b] = bin[i][b].spread;
        series[i] = lm_series_dots(row[i].name, LM_BINS, &bin[i]->value, &bin[i]->observed, row[i].style);
        series[i].step = sizeof **bin, series[i].line = true;
        series[i].spread = rows == 1 ? spread[i] : NULL;
    }
    lm_chart chart = lm_chart_new("Calibration", "A dot for each bin of probabilities; values in the table.",
                                  "mean predicted probability", "share that is positive");
    unit_axes(&chart);
    chart.height = 380, chart.diagonal = true;
    lm_chart_show(&chart, series, rows);
    lm_figure_begin(out, "Calibration", &chart);
    figure_of_counts(out, bin[0], row[0].style);
    lm_page(out,
            "<figcaption>Graphs in ten bins by the probability of %s; below, how many%s%s. On the dashed line "
            "probabilities are true.",
            positive, rows > 1 ? " of " : "", rows > 1 ? row[0].name : "");
    if (rows == 1) lm_page(out, " Bars: 95 %% intervals.");
    lm_page(out, " %s: mean distance from the line %.3f, Brier score %.3f.</figcaption>\n", row[0].name, first[1],
            first[0]);
    table_of_bins(out, row[0].name, bin[0]);
    lm_page(out, "</figure>\n");
    return LEMAN_OK;
}
