/* Overfitting: scores by number of rounds, and training against test scores. */
#include "report/report.h"
#include <math.h>

/* ---- Scores by number of rounds -------------------------------------------------------------- */

static bool has_rounds(const leman_evaluation *e)
{
    return e->has_rounds && e->rounds > 1;
}

/* Computes the standard deviation of the test score over all folds, for each number of rounds. */
static leman_status deviations_of(leman_context *ctx, const leman_evaluation *e, double **deviation)
{
    PASS_SCRATCH(ctx, *deviation, e->rounds);
    for (size_t h = 0; h < e->rounds; h++) {
        double squares = 0;
        for (size_t f = 0; f < lm_report_folds(e); f++)
            squares += pow(e->trial[f * e->rounds + h].test - e->round[h].test, 2);
        (*deviation)[h] = sqrt(squares / (double)lm_report_folds(e));
    }
    return LEMAN_OK;
}

enum { MAX_BANDS = 4 }; /* more would hide each other */

static void rounds_table(const lm_report *r, size_t m)
{
    const leman_evaluation *e = r->method[m].evaluation;
    lm_page(r->out, "<details><summary>Values for %s</summary>", r->name[m]);
    lm_page_table(r->out, "rounds|test|validation|training|selected in");
    for (size_t h = 0; h < e->rounds; h++) {
        uint32_t rounds = e->min_rounds + (uint32_t)h;
        size_t chosen = 0;
        for (size_t f = 0; f < lm_report_folds(e); f++) chosen += e->fold[f].rounds == rounds;
        lm_page(r->out, "<tr><td>%u</td>", rounds);
        lm_report_cell(r, e->round[h].test);
        lm_report_cell(r, e->round[h].validation);
        lm_report_cell(r, e->round[h].train);
        lm_page(r->out, "<td>%zu of %zu folds</td></tr>\n", chosen, lm_report_folds(e));
    }
    lm_page(r->out, "</tbody></table></div></details>\n");
}

/* Makes the series of the figure: test scores of all methods, or test and training scores of a single method. */
static leman_status rounds_series(const lm_report *r, lm_series *series, size_t *count)
{
    bool alone = r->methods == 1;
    for (size_t i = 0; i < r->methods; i++) {
        const size_t m = r->rank[i];
        const leman_evaluation *e = r->method[m].evaluation;
        double *deviation;
        if (!has_rounds(e)) continue;
        PASS(deviations_of(r->ctx, e, &deviation));
        lm_series test = lm_series_dots(alone ? "test" : r->name[m], e->rounds, NULL, &e->round->test, (unsigned)m);
        test.first = (double)e->min_rounds, test.step = sizeof *e->round;
        test.spread = r->methods <= MAX_BANDS ? deviation : NULL, test.band = test.line = true;
        series[(*count)++] = test;
        if (!alone) continue;
        test.name = "training", test.y = &e->round->train, test.spread = NULL, test.style++;
        series[(*count)++] = test;
    }
    return LEMAN_OK;
}

static leman_status rounds_figure(const lm_report *r)
{
    lm_series *series;
    size_t count = 0;
    lm_chart chart = lm_chart_new("Scores by number of rounds", "One line for each method; values in the tables below.",
                                  "rounds", r->score);
    PASS_SCRATCH(r->ctx, series, r->methods + 1);
    PASS(rounds_series(r, series, &count));
    if (!count) return LEMAN_OK;
    chart.x.whole = true;
    lm_chart_show(&chart, series, count);
    lm_report_widen(r, &chart.y);
    lm_figure_begin(r->out, r->regression ? "Error by number of rounds" : "Accuracy by number of rounds", &chart);
    lm_page(
        r->out,
        "<figcaption>Mean over all folds for a fixed number of rounds, with C chosen by validation.%s</figcaption>\n",
        r->methods == 1           ? " Band: one standard deviation over folds."
        : r->methods <= MAX_BANDS ? " Bands: one standard deviation over folds."
                                  : "");
    for (size_t i = 0; i < r->methods; i++)
        if (has_rounds(r->method[r->rank[i]].evaluation)) rounds_table(r, r->rank[i]);
    lm_page(r->out, "</figure>\n");
    return LEMAN_OK;
}

/* ---- Training against test ------------------------------------------------------------------- */

static leman_status training_figure(const lm_report *r)
{
    lm_series *series;
    const char *title = r->regression ? "Training against test error" : "Training against test accuracy";
    lm_chart chart = lm_chart_new(title, "A dot for each fold; means in the table above.",
                                  r->regression ? "training error" : "training accuracy (%)",
                                  r->regression ? "test error" : "test accuracy (%)");
    chart.diagonal = true, chart.height = 340;
    PASS_SCRATCH(r->ctx, series, r->methods);
    for (size_t i = 0; i < r->methods; i++) {
        const size_t m = r->rank[i];
        const leman_evaluation *e = r->method[m].evaluation;
        series[i] = lm_series_dots(r->name[m], lm_report_folds(e), &e->fold->train, &e->fold->test, (unsigned)m);
        series[i].step = sizeof *e->fold, series[i].faded = true;
    }
    lm_chart_show(&chart, series, r->methods);
    lm_chart_square(&chart);
    lm_report_widen(r, &chart.x);
    lm_report_widen(r, &chart.y);
    lm_figure_begin(r->out, title, &chart);
    lm_page(
        r->out,
        "<figcaption>One dot per fold. On the dashed line training and test %s are equal; the distance %s it is the "
        "generalisation gap.</figcaption>\n</figure>\n",
        r->regression ? "error" : "accuracy", r->regression ? "above" : "below");
    return LEMAN_OK;
}

leman_status lm_report_overfitting(const lm_report *r)
{
    lm_page(r->out, "<section>\n<h2>Overfitting</h2>\n<div class=\"pair\">\n");
    PASS(rounds_figure(r));
    PASS(training_figure(r));
    lm_page(r->out, "</div>\n</section>\n");
    return LEMAN_OK;
}
