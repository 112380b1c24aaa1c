/*
 * Results: scores by method with their folds (by repetition for a single method); the confusion matrix, or predicted
 * against true targets; running times.
 */
#include "report/report.h"
#include <math.h>
#include <stdio.h>

size_t lm_report_folds(const leman_evaluation *e)
{
    return e->splits->repetitions * e->splits->folds;
}

void lm_report_widen(const lm_report *r, lm_axis *axis)
{
    if (axis->low > axis->high) axis->low = 0, axis->high = r->regression ? 1 : 100;
    lm_axis_widen(axis, 0.06, r->regression ? axis->high * 0.02 : 1, 0, r->regression ? INFINITY : 101);
}

/* ---- Scores by method, task or repetition ---------------------------------------------------- */

/* Folds of one row are drawn slightly apart, so that equal scores are visible. */
static double fold_offset(size_t fold, size_t folds)
{
    return folds > 1 ? 0.5 * ((double)((fold * 7) % folds) / (double)(folds - 1) - 0.5) : 0;
}

leman_status lm_report_rows_chart(const lm_report *r, const char *heading, const char *baseline, lm_chart *chart,
                                  const lm_score_row *row, size_t count)
{
    enum { GREY = 14 /* a style: dots in the sixth colour */ };
    const size_t others = baseline ? 2 : 1; /* series before the means, of which each row has one */
    size_t folds = 0, used = 0;
    const char **name;
    double *fold, *fold_y;
    lm_series *series;
    for (size_t i = 0; i < count; i++) folds += row[i].folds;
    PASS_SCRATCH(r->ctx, name, count);
    PASS_SCRATCH(r->ctx, series, others + count);
    PASS_SCRATCH(r->ctx, fold, folds);
    PASS_SCRATCH(r->ctx, fold_y, folds);
    for (size_t i = 0; i < count; i++) {
        name[i] = row[i].name;
        lm_series *mean = series + others + i;
        *mean = lm_series_dots(baseline && !i ? "mean over folds" : NULL, 1, &row[i].mean, NULL, row[i].style);
        mean->first = (double)i, mean->spread = &row[i].deviation, mean->sideways = mean->values = true;
        mean->decimals = 1, mean->significant = r->regression;
        for (size_t f = 0; f < row[i].folds; f++, used++) {
            fold[used] = *(const double *)(const void *)((const char *)row[i].fold + f * sizeof(leman_fold));
            fold_y[used] = (double)i + (baseline ? 0 : fold_offset(f, row[i].folds));
        }
    }
    series[0] = lm_series_dots(NULL, used, fold, fold_y, GREY);
    series[0].quiet = true;
    if (baseline) series[1] = lm_series_dots(baseline, count, &row->baseline, NULL, 1), series[1].step = sizeof *row;
    chart->y = (lm_axis){.names = name, .high = (double)count - 1};
    chart->height = 66 + 30 * (double)count;
    lm_chart_show(chart, series, others + count);
    lm_report_widen(r, &chart->x);
    lm_figure_begin(r->out, heading, chart);
    return LEMAN_OK;
}

/* Sets the rows of all methods, the best on top. */
static void rows_of_methods(const lm_report *r, lm_score_row *row)
{
    for (size_t i = 0; i < r->methods; i++) {
        const size_t m = r->rank[r->methods - 1 - i];
        const leman_evaluation *e = r->method[m].evaluation;
        row[i] = (lm_score_row){.name = r->name[m],
                                .mean = e->test_mean,
                                .deviation = e->splits->repetitions > 1 ? e->test_std : e->test_std_folds,
                                .style = (unsigned)m,
                                .fold = &e->fold->test,
                                .folds = lm_report_folds(e)};
    }
}

/* Sets the rows of the repetitions of a single method, the first on top. */
static leman_status rows_of_repetitions(const lm_report *r, lm_score_row *row)
{
    const leman_evaluation *e = r->method[0].evaluation;
    size_t repetitions = e->splits->repetitions, folds = e->splits->folds;
    char(*name)[LM_NUMBER_TEXT];
    PASS_SCRATCH(r->ctx, name, repetitions);
    for (size_t i = 0; i < repetitions; i++) {
        const leman_fold *fold = e->fold + (repetitions - 1 - i) * folds;
        double sum = 0, squares = 0;
        snprintf(name[i], sizeof name[i], "repetition %zu", repetitions - 1 - i);
        for (size_t f = 0; f < folds; f++) sum += fold[f].test;
        for (size_t f = 0; f < folds; f++) squares += pow(fold[f].test - sum / (double)folds, 2);
        row[i] = (lm_score_row){.name = name[i],
                                .mean = sum / (double)folds,
                                .deviation = sqrt(squares / (double)folds),
                                .fold = &fold->test,
                                .folds = folds};
    }
    return LEMAN_OK;
}

void lm_report_cell(const lm_report *r, double score)
{
    lm_page_cell(r->out, r->regression ? "%.3g" : "%.1f", isfinite(score) ? score : NAN);
}

enum { COLUMNS = 8 };

static void scores_of(const lm_report *r, const leman_evaluation *e, double value[COLUMNS])
{
    value[0] = e->test_mean;
    value[1] = e->test_low;
    value[2] = e->test_high;
    value[3] = e->test_std;
    value[4] = e->test_std_folds;
    value[5] = e->train_mean;
    value[6] = r->regression ? e->rmse_mean : e->balanced_mean;
    value[7] = r->regression ? e->r2_mean : e->auc_mean;
}

/* Writes methods as rows, or a single method as a column. */
static void scores_table(const lm_report *r)
{
    static const char *const LONG[2][COLUMNS] = {
        {"test accuracy", "95 % interval from", "to", "standard deviation over repetitions",
         "standard deviation over folds", "training accuracy", "balanced accuracy", "area under the ROC curve"},
        {"test error", "95 % interval from", "to", "standard deviation over repetitions",
         "standard deviation over folds", "training error", "root mean square error", "R²"}};
    double value[COLUMNS];
    lm_page(r->out, "<div class=\"table\"><table>");
    if (r->methods > 1) {
        lm_page(r->out, "<thead><tr>");
        lm_page_columns(r->out, "method|test|from|to|± rep.|± folds|training");
        lm_page_columns(r->out, r->regression ? "RMSE|R²" : "balanced|ROC-AUC");
        lm_page(r->out, "</tr></thead>");
    }
    lm_page(r->out, "<tbody>\n");
    for (size_t i = 0; i < r->methods && r->methods > 1; i++) {
        scores_of(r, r->method[r->rank[i]].evaluation, value);
        lm_page(r->out, "<tr><th scope=\"row\">%s</th>", r->name[r->rank[i]]);
        for (size_t c = 0; c < COLUMNS; c++) lm_report_cell(r, value[c]);
        lm_page(r->out, "</tr>\n");
    }
    for (size_t c = 0; c < COLUMNS && r->methods == 1; c++) {
        scores_of(r, r->method[0].evaluation, value);
        if (!isfinite(value[c])) continue;
        lm_page(r->out, "<tr><th scope=\"row\">%s</th>", LONG[r->regression][c]);
        lm_report_cell(r, value[c]);
        lm_page(r->out, "</tr>\n");
    }
    lm_page(r->out, "<tr><th scope=\"row\">%s</th>", r->regression ? "median of the targets" : "majority class");
    lm_report_cell(r, r->method[0].evaluation->baseline);
    for (size_t c = 1; c < COLUMNS && r->methods > 1; c++) lm_page(r->out, "<td></td>");
    lm_page(r->out, "</tr>\n</tbody></table></div>\n");
}

leman_status lm_report_scores(const lm_report *r)
{
    lm_score_row *row;
    const size_t repetitions = r->method[0].evaluation->splits->repetitions;
    const bool alone = r->methods == 1 && repetitions > 1;
    const size_t count = alone ? repetitions : r->methods;
    lm_chart chart =
        lm_chart_new(r->regression ? "Test error" : "Test accuracy",
                     alone ? "Mean and standard deviation of the folds of each repetition; values in the table below."
                           : "Mean and standard deviation of each method; values in the table below.",
                     r->regression ? "mean absolute error on the test graphs" : "test accuracy (%)", NULL);
    PASS_SCRATCH(r->ctx, row, count);
    if (alone)
        PASS(rows_of_repetitions(r, row));
    else
        rows_of_methods(r, row);
    lm_page(r->out, "<section>\n<h2>%s</h2>\n<div class=\"pair\">\n", r->regression ? "Error" : "Accuracy");
    PASS(lm_report_rows_chart(r, NULL, NULL, &chart, row, count));
    lm_page(r->out,
            "<figcaption>Large dots: mean%s. Bars: one standard deviation over %s. Small dots: "
            "folds.</figcaption>\n</figure>\n<figure class=\"%s\">",
            alone ? " of each repetition" : "", alone || repetitions == 1 ? "folds" : "repetitions",
            r->methods > 1 ? "whole" : "half");
    scores_table(r);
    lm_page(r->out, "<figcaption>%s%s.</figcaption></figure>\n</div>\n</section>\n",
            r->regression ? "Mean absolute errors" : "In percent; balanced: mean recall of the classes",
            r->methods > 1  ? "; from, to: 95 % interval; ±: standard deviation over repetitions, over all folds"
            : r->regression ? ""
                            : "; standard deviations in percentage points");
    return LEMAN_OK;
}

/* ---- Predictions ----------------------------------------------------------------------------- */

void lm_report_confusion(const lm_report *r)
{
    const leman_evaluation *e = r->method[r->rank[0]].evaluation;
    const char *name[LM_CONFUSION_CLASSES];
    if (!e->confusion || e->classes < 2 || e->classes > LM_CONFUSION_CLASSES) return;
    lm_page(r->out, "<section>\n<h2>Confusion matrix</h2>\n<p>Test predictions of %s, all repetitions.</p>\n",
            r->name[r->rank[0]]);
    for (size_t c = 0; c < e->classes; c++) name[c] = r->groups.name[c];
    lm_figure_confusion(r->out, e->classes, name, e->confusion, true);
    lm_page(r->out, "</section>\n");
}

leman_status lm_report_predictions(const lm_report *r)
{
    const leman_evaluation *e = r->method[r->rank[0]].evaluation;
    const double *target = r->regression ? leman_dataset_targets(r->whole) + r->target : NULL;
    double *x, *y;
    size_t count = 0, graphs = leman_dataset_shape(r->whole)->graphs;
    if (!r->regression || !e->predicted) return LEMAN_OK;
    PASS_SCRATCH(r->ctx, x, graphs);
    PASS_SCRATCH(r->ctx, y, graphs);
    for (size_t f = 0; f < e->splits->folds; f++) /* the first repetition tests every graph once */
        for (uint64_t i = e->splits->start[2 * f]; i < e->splits->start[2 * f + 1] && count < graphs; i++) {
            x[count] = target[e->splits->graph[i] * r->shape->columns->targets];
            y[count++] = e->predicted[i];
        }
    lm_page(r->out, "<section>\n<h2>Predicted against true targets</h2>\n<div class=\"narrow\">\n");
    lm_figure_predictions(r->out, NULL, 400, x, y, count);
    lm_page(
        r->out,
        "<figcaption>One dot per graph: test predictions of %s, first repetition. On the dashed line the prediction "
        "is the target.</figcaption>\n</figure>\n</div>\n</section>\n",
        r->name[r->rank[0]]);
    return LEMAN_OK;
}

/* ---- Times ----------------------------------------------------------------------------------- */

static bool has_networks(const lm_report *r)
{
    for (size_t m = 0; m < r->methods; m++)
        if (!r->method[m].count) return true;
    return false;
}

static leman_status times_chart(const lm_report *r)
{
    const char **name;
    double *features, *svm;
    PASS_SCRATCH(r->ctx, name, r->methods);
    PASS_SCRATCH(r->ctx, features, r->methods);
    PASS_SCRATCH(r->ctx, svm, r->methods);
    for (size_t i = 0; i < r->methods; i++) {
        size_t m = r->rank[r->methods - 1 - i];
        name[i] = r->name[m];
        features[i] = fmax(r->method[m].evaluation->seconds_features, 1e-3);
        svm[i] = fmax(r->method[m].evaluation->seconds_svm, 1e-3);
    }
    const lm_series series[] = {lm_series_dots("features and Gram matrices", r->methods, features, NULL, 0),
                                lm_series_dots(has_networks(r) ? "training" : "SVM", r->methods, svm, NULL, 1)};
    lm_chart chart =
        lm_chart_new("Running times", "Two dots for each method; values in the table.", "seconds (logarithmic)", NULL);
    chart.y = (lm_axis){.names = name, .high = (double)r->methods - 1};
    chart.height = 66 + 30 * (double)r->methods, chart.x.powers = true;
    lm_chart_show(&chart, series, 2);
    lm_axis_widen(&chart.x, 0.5, 0, 0, INFINITY);
    lm_figure_begin(r->out, NULL, &chart);
    lm_page(r->out, "</figure>\n");
    return LEMAN_OK;
}

leman_status lm_report_times(const lm_report *r)
{
    char text[2][LM_NUMBER_TEXT];
    lm_page(r->out, "<section>\n<h2>Running times</h2>\n<div class=\"pair\">\n");
    if (r->methods > 1) PASS(times_chart(r));
    lm_page(r->out, "<figure>");
    lm_page_table(r->out,
                  has_networks(r) ? "method|features, Gram matrices|training" : "method|features, Gram matrices|SVM");
    for (size_t i = 0; i < r->methods; i++) {
        const leman_evaluation *e = r->method[r->rank[i]].evaluation;
        lm_page(r->out, "<tr><th scope=\"row\">%s</th><td>%s</td><td>%s</td></tr>\n", r->name[r->rank[i]],
                lm_page_seconds(e->seconds_features, text[0]), lm_page_seconds(e->seconds_svm, text[1]));
    }
    lm_page(r->out, "</tbody></table></div><figcaption>Wall time over all folds and "
                    "hyperparameters.</figcaption></figure>\n</div>\n</section>\n");
    return LEMAN_OK;
}
