/*
 * The page about predictions for graphs whose classes or targets are known: ROC curve, precision and recall, calibration;
 * predicted against known values; errors by similarity to the training graphs.
 */
#include "base/arguments.h"
#include "base/drop.h"
#include "leman/report.h"
#include "report/curves.h"
#include "report/page.h"
#include <math.h>

LM_OPTIONS(leman_predictions_view, view, 0)

enum { CURVES = 6 /* the most tasks with curves */, DOTS = 4000 /* the most dots of a figure */, FIGURES = 12 };

typedef struct predictions_page {
    leman_context *ctx;
    lm_output *out;
    leman_predictions_view view;
} predictions_page;

static void head(const predictions_page *p)
{
    const leman_predictions_view *v = &p->view;
    char text[LM_NUMBER_TEXT];
    lm_page(p->out, "<header>\n<p class=\"kicker\">Leman &#183; predictions</p>\n<h1>Predictions for %s</h1>\n",
            v->data);
    lm_page(p->out, "<p class=\"lead\">%s graph%s", lm_count_text(v->graphs, text), lm_plural(v->graphs));
    if (v->model) lm_page(p->out, "; %s", v->model);
    if (v->score) lm_page(p->out, "; %s", v->score);
    lm_page(p->out, ".</p>\n</header>\n");
}

/* ---- Classes --------------------------------------------------------------------------------- */

/* Collects the graphs whose class in one task is known. */
static leman_status judge(const predictions_page *p, size_t task, lm_judged *out)
{
    const leman_predictions_view *v = &p->view;
    double *probability;
    bool *positive;
    *out = (lm_judged){.count = 0};
    PASS_SCRATCH(p->ctx, probability, v->graphs + 1);
    PASS_SCRATCH(p->ctx, positive, v->graphs + 1);
    for (size_t g = 0; g < v->graphs; g++) {
        const size_t at = g * v->outputs + task;
        if (isnan(v->truth[at]) || isnan(v->predicted[at])) continue;
        probability[out->count] = v->predicted[at];
        positive[out->count] = v->truth[at] > 0;
        out->positives += positive[out->count++];
    }
    out->probability = probability;
    out->positive = positive;
    return LEMAN_OK;
}

/* Draws the curves of the tasks with the most positive graphs. */
static leman_status probabilities(const predictions_page *p)
{
    const leman_predictions_view *v = &p->view;
    lm_curve_row *row;
    size_t rows = 0;
    PASS_SCRATCH(p->ctx, row, v->outputs);
    for (size_t t = 0; t < v->outputs; t++) {
        lm_curve_row own = {.name = v->name[t]};
        PASS(judge(p, t, &own.judged));
        if (!own.judged.count) continue;
        size_t at = rows++;
        for (; at > 0 && row[at - 1].judged.positives < own.judged.positives; at--) row[at] = row[at - 1];
        row[at] = own;
    }
    if (!rows) return LEMAN_OK;
    const size_t shown = rows < CURVES ? rows : CURVES;
    for (size_t i = 0; i < shown; i++) row[i].style = (unsigned)i;
    lm_page(p->out,
            "<section>\n<h2>Probabilities</h2>\n<p>Predicted probabilities of %s, for the graphs whose class is "
            "known.",
            v->positive);
    if (shown < rows) lm_page(p->out, " Curves of the %zu tasks with the most positive graphs.", shown);
    lm_page(p->out, "</p>\n<div class=\"pair\">\n");
    PASS(lm_figure_roc(p->ctx, p->out, row, shown));
    PASS(lm_figure_precision(p->ctx, p->out, row, shown, v->positive));
    PASS(lm_figure_reliability(p->ctx, p->out, row, shown, v->positive));
    lm_page(p->out, "</div>\n</section>\n");
    return LEMAN_OK;
}

/* ---- Values ---------------------------------------------------------------------------------- */

/* Draws predicted against known values of one target. */
static leman_status one_target(const predictions_page *p, size_t t)
{
    SCRATCH_SCOPE(p->ctx);
    const leman_predictions_view *v = &p->view;
    double *x, *y;
    size_t count = 0, known = 0;
    PASS_SCRATCH(p->ctx, x, v->graphs);
    PASS_SCRATCH(p->ctx, y, v->graphs);
    for (size_t g = 0; g < v->graphs; g++) {
        const size_t at = g * v->outputs + t;
        if (isnan(v->truth[at]) || isnan(v->predicted[at])) continue;
        known++;
        if (count == DOTS) continue;
        x[count] = v->truth[at];
        y[count++] = v->predicted[at];
    }
    if (!known) return LEMAN_OK;
    lm_figure_predictions(p->out, v->name[t], 400, x, y, count);
    lm_page(p->out, "<figcaption>A dot for each of the ");
    if (count < known) lm_page(p->out, "first %zu of ", count);
    lm_page(p->out,
            "%zu graphs with a known value. On the dashed line the prediction is the value.</figcaption>\n"
            "</figure>\n",
            known);
    return LEMAN_OK;
}

static leman_status values(const predictions_page *p)
{
    const size_t shown = p->view.outputs < FIGURES ? p->view.outputs : FIGURES;
    lm_page(p->out, "<section>\n<h2>Predicted against known values</h2>\n");
    if (shown < p->view.outputs) lm_page(p->out, "<p>The first %zu of %zu targets.</p>\n", shown, p->view.outputs);
    lm_page(p->out, "<div class=\"pair\">\n");
    for (size_t t = 0; t < shown; t++) PASS(one_target(p, t));
    lm_page(p->out, "</div>\n</section>\n");
    return LEMAN_OK;
}

/* ---- Errors ---------------------------------------------------------------------------------- */

static leman_status errors(const predictions_page *p)
{
    const leman_predictions_view *v = &p->view;
    const bool classes = v->positive || !v->predicted;
    double(*pair)[2];
    size_t count = 0;
    if (!v->error || !v->similarity) return LEMAN_OK;
    PASS_SCRATCH(p->ctx, pair, v->graphs + 1);
    for (size_t g = 0; g < v->graphs; g++) {
        if (isnan(v->error[g]) || isnan(v->similarity[g])) continue;
        pair[count][0] = v->similarity[g];
        pair[count++][1] = classes ? 100 * v->error[g] : v->error[g];
    }
    lm_page(p->out, "<section>\n<h2>Errors and the training graphs</h2>\n<div class=\"narrow\">\n");
    PASS(lm_figure_errors(p->ctx, p->out, &(lm_error_figure){pair, count, classes, 0, "graphs", ""}));
    if (count < LM_LEAST_ERRORS)
        lm_page(p->out, "<p>Fewer than %d graphs have both a known %s and a similarity.</p>\n", LM_LEAST_ERRORS,
                classes ? "class" : "value");
    lm_page(p->out, "</div>\n</section>\n");
    return LEMAN_OK;
}

/* ---- The page -------------------------------------------------------------------------------- */

static leman_status check(leman_context *ctx, const leman_predictions_view *v)
{
    if (!v->data) return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "data: found NULL, expected the name of the graphs");
    if (v->predicted && (!v->truth || !v->name || !v->outputs))
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                       "found predictions without truth, name or outputs, expected them all");
    for (size_t t = 0; v->predicted && t < v->outputs; t++)
        if (!v->name[t]) return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "name[%zu]: found NULL, expected a name", t);
    return LEMAN_OK;
}

leman_status leman_predictions_page_write(leman_context *ctx, const leman_predictions_view *view, const char *command,
                                          const char *path)
{
    REQUIRE(ctx, view, path);
    SCRATCH_SCOPE(ctx);
    AUTO(lm_output_abort) lm_output out = {0};
    predictions_page p = {.ctx = ctx, .out = &out};
    PASS(lm_options_copy(ctx, "leman_predictions_view", view, &p.view, sizeof p.view));
    PASS(check(ctx, &p.view));
    PASS(lm_output_open(ctx, path, &out));
    lm_page_begin(&out, p.view.data, "Predictions, and how near they are to what is known.");
    head(&p);
    if (p.view.predicted) PASS(p.view.positive ? probabilities(&p) : values(&p));
    PASS(errors(&p));
    lm_page_reproduce_begin(&out, command);
    lm_page_reproduce_end(&out, "Curves are of the graphs whose class or value is in the data.");
    lm_page_end(&out);
    return lm_output_commit(&out);
}
