/*
 * The page about several tasks: the scores of each beside those of a prediction that has learned nothing (the majority
 * class, an area of 50 %), their means over tasks, and curves of probabilities.
 */
#include "base/arguments.h"
#include "kernel/kernel.h"
#include "report/report.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CHART_TASKS = 40 /* rows of a chart, at most */, CURVES = 8 };

#define CHANCE 50.0 /* area under the ROC curve of uninformative scores */

typedef struct tasks_page {
    lm_report report; /* only the data; it has no methods */
    char method[LM_REPORT_NAME];
    size_t count;
    leman_evaluation *const *evaluation; /* [count] */
    char (*name)[LM_REPORT_NAME];        /* [count] */
    const size_t *column;                /* [count] */
    size_t *graphs, *positives;          /* [count] graphs with a known value; those with the larger label */
} tasks_page;

/* ---- Preparation ----------------------------------------------------------------------------- */

static leman_status prepare_task(tasks_page *p, size_t t, size_t column)
{
    const lm_report *r = &p->report;
    const leman_evaluation *e = p->evaluation[t];
    size_t length;
    if (column >= r->shape->columns->targets)
        return lm_fail(r->ctx, LEMAN_ERROR_ARGUMENT, "columns[%zu]: found %zu, expected one of the %zu targets", t,
                       column, r->shape->columns->targets);
    if (!e || !e->classes || e->splits->graphs != r->shape->graphs)
        return lm_fail(r->ctx, LEMAN_ERROR_ARGUMENT,
                       "evaluations[%zu]: expected an evaluation of classes on the data of the page", t);
    const char *name = leman_dataset_target_name(r->data, column, &length);
    if (length)
        snprintf(p->name[t], LM_REPORT_NAME, "%.*s", (int)length, name);
    else
        snprintf(p->name[t], LM_REPORT_NAME, "%zu", column);
    p->graphs[t] = p->positives[t] = 0;
    for (size_t g = 0; g < r->shape->graphs; g++) {
        double value = leman_dataset_targets(r->data)[g * r->shape->columns->targets + column];
        p->graphs[t] += isnan(value) == 0;
        p->positives[t] += value == (double)e->class_label[e->classes - 1];
    }
    return LEMAN_OK;
}

static leman_status prepare_tasks(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels,
                                  size_t count, const size_t *columns, tasks_page *p)
{
    leman_kernel *copy;
    if (!p->count) return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "tasks: found 0, expected at least one");
    p->column = columns;
    PASS(lm_kernels_copy(ctx, kernels, count, &copy));
    lm_report_method(copy, count, p->method);
    PASS(leman_dataset_summary(ctx, data, &p->report.summary));
    PASS_SCRATCH(ctx, p->name, p->count);
    PASS_SCRATCH(ctx, p->graphs, p->count);
    PASS_SCRATCH(ctx, p->positives, p->count);
    for (size_t t = 0; t < p->count; t++) PASS(prepare_task(p, t, columns[t]));
    return LEMAN_OK;
}

/* Returns the mean over the tasks that have the score; `member` is its offset in a leman_evaluation. */
static double mean_over_tasks(const tasks_page *p, size_t member)
{
    double sum = 0;
    size_t count = 0;
    for (size_t t = 0; t < p->count; t++) {
        double value;
        memcpy(&value, (const char *)p->evaluation[t] + member, sizeof value);
        if (!isfinite(value)) continue;
        sum += value;
        count++;
    }
    return count ? sum / (double)count : NAN;
}

#define MEAN(p, member) mean_over_tasks(p, offsetof(leman_evaluation, member))

/* ---- Headline -------------------------------------------------------------------------------- */

static void head(const tasks_page *p)
{
    lm_output *out = p->report.out;
    const leman_splits *splits = p->evaluation[0]->splits;
    double auc = MEAN(p, auc_mean), accuracy = MEAN(p, test_mean), baseline = MEAN(p, baseline);
    size_t better = 0;
    for (size_t t = 0; t < p->count; t++) better += p->evaluation[t]->test_mean > p->evaluation[t]->baseline;
    lm_page(out, "<header>\n<p class=\"kicker\">Leman &#183; evaluation report</p>\n<h1>%s: ", p->method);
    lm_page(out, isnan(auc) ? "%.1f&#160;%% mean test accuracy" : "%.1f&#160;%% mean area under the ROC curve",
            isnan(auc) ? accuracy : auc);
    lm_page(out, " over %zu task%s of %s</h1>\n<p class=\"lead\">", p->count, lm_plural(p->count),
            p->report.shape->name);
    if (!isnan(auc)) {
        lm_page(out, "Scores that know nothing have %.0f&#160;%%", CHANCE);
        lm_page(out, auc > CHANCE ? "." : "; <strong>this is no better</strong>.");
        lm_page(out, " Mean test accuracy: %.1f&#160;%%.", accuracy);
    }
    if (p->evaluation[0]->weighted_scores)
        lm_page(out, " Scores count graphs by their weights.");
    else
        lm_page(out, " Predicting the majority class of every task: %.1f&#160;%%; ", baseline);
    if (better)
        lm_page(out, "%zu of %zu task%s %s better.", better, p->count, lm_plural(p->count), better == 1 ? "is" : "are");
    else if (!isnan(baseline))
        lm_page(out, "<strong>no task is better</strong>.");
    lm_page(out,
            "</p>\n<p class=\"note\">An SVM for each task, %zu &#215; %zu-fold cross-validation, split %s%s; "
            "hyperparameters "
            "chosen in every fold on a validation part of the training graphs. Graphs without a value take no part in "
            "a task.</p>\n</header>\n",
            splits->repetitions, splits->folds, lm_report_splits(splits), splits->stratified ? " of each task" : "");
}

/* ---- Tasks ----------------------------------------------------------------------------------- */

/* Draws the areas under the ROC curve, or the accuracies, of all tasks. */
static leman_status draw_scores(const tasks_page *p, bool area)
{
    lm_score_row *row;
    const char *title = area ? "Area under the ROC curve" : "Accuracy";
    lm_chart chart = lm_chart_new(title, "Mean and folds of each task; values in the table below.",
                                  area ? "area under the ROC curve (%)" : "test accuracy (%)", NULL);
    PASS_SCRATCH(p->report.ctx, row, p->count);
    for (size_t i = 0; i < p->count; i++) {
        const size_t t = p->count - 1 - i; /* the first on top */
        const leman_evaluation *e = p->evaluation[t];
        row[i] = (lm_score_row){.name = p->name[t],
                                .mean = area ? e->auc_mean : e->test_mean,
                                .deviation = NAN,
                                .baseline = area ? CHANCE : e->baseline,
                                .fold = area ? &e->fold->auc : &e->fold->test,
                                .folds = lm_report_folds(e)};
    }
    PASS(lm_report_rows_chart(&p->report, title, area ? "chance" : "majority class", &chart, row, p->count));
    lm_page(p->report.out, "<figcaption>Small dots: folds.</figcaption>\n</figure>\n");
    return LEMAN_OK;
}

static void task_row(const tasks_page *p, size_t t)
{
    const leman_evaluation *e = p->evaluation[t];
    const lm_report *r = &p->report;
    const double score[] = {e->auc_mean, e->balanced_mean, e->test_mean, e->baseline,
                            e->test_low, e->test_high,     e->train_mean};
    lm_page(r->out, "<tr><th scope=\"row\">%s</th><td>%zu</td><td>%zu</td>", p->name[t], p->graphs[t], p->positives[t]);
    for (size_t i = 0; i < sizeof score / sizeof *score; i++) lm_report_cell(r, score[i]);
    lm_page_cell(r->out, "%.0f", e->has_rounds ? (double)lm_report_rounds(e) : NAN);
    lm_page(r->out, "</tr>\n");
}

static void tasks_table(const tasks_page *p)
{
    const lm_report *r = &p->report;
    const double mean[] = {MEAN(p, auc_mean), MEAN(p, balanced_mean), MEAN(p, test_mean), MEAN(p, baseline)};
    lm_page(r->out, "<figure>\n");
    lm_page_table(r->out, "task|graphs|positive|ROC-AUC|balanced|accuracy|majority class|from|to|training|rounds");
    for (size_t t = 0; t < p->count; t++) task_row(p, t);
    lm_page(r->out, "<tr><th scope=\"row\">mean</th><td></td><td></td>");
    for (size_t i = 0; i < sizeof mean / sizeof *mean; i++) lm_report_cell(r, mean[i]);
    lm_page(r->out, "<td></td><td></td>");
    lm_report_cell(r, MEAN(p, train_mean));
    lm_page(r->out, "<td></td></tr>\n</tbody></table></div>\n"
                    "<figcaption>Scores in percent. Graphs: with a value; positive: of the larger value. ROC-AUC: area "
                    "under the ROC curve; balanced: mean recall of the classes; both are 50 where nothing is learned. "
                    "Majority class: the accuracy of predicting it; from, to: 95&#160;%% interval of the accuracy; "
                    "training: accuracy on the training graphs; rounds: the number chosen in most folds."
                    "</figcaption>\n</figure>\n");
}

static leman_status tasks(const tasks_page *p)
{
    lm_page(p->report.out, "<section>\n<h2>Tasks</h2>\n");
    if (p->count <= CHART_TASKS) {
        lm_page(p->report.out, "<div class=\"pair\">\n");
        if (!isnan(MEAN(p, auc_mean))) PASS(draw_scores(p, true));
        PASS(draw_scores(p, false));
        lm_page(p->report.out, "</div>\n");
    }
    tasks_table(p);
    lm_page(p->report.out, "</section>\n");
    return LEMAN_OK;
}

/* ---- Curves ---------------------------------------------------------------------------------- */

/* Sets truth[graphs] of a task; see lm_report_judged(). */
static void truth_of(const tasks_page *p, size_t t, int8_t *truth)
{
    const lm_report *r = &p->report;
    const double second = (double)p->evaluation[t]->class_label[1], *value = leman_dataset_targets(r->data);
    for (size_t g = 0; g < r->shape->graphs; g++) {
        const double own = value[g * r->shape->columns->targets + p->column[t]];
        truth[g] = (int8_t)(isnan(own) ? -1 : !(own < second));
    }
}

/* Appends the graphs of a task to those of all tasks. */
static void append(lm_judged *all, double *probability, bool *positive, const lm_judged *one)
{
    for (size_t i = 0; i < one->count; i++) {
        probability[all->count] = one->probability[i];
        positive[all->count++] = one->positive[i];
    }
    all->positives += one->positives;
}

/* Draws ROC curves, precision and recall of the tasks with the most positive graphs, and the calibration of all. */
static leman_status curves(const tasks_page *p)
{
    const lm_report *r = &p->report;
    lm_curve_row *row, all = {.name = "all tasks"};
    size_t rows = 0, graphs = 0;
    int8_t *truth;
    double *probability;
    bool *positive;
    PASS_SCRATCH(r->ctx, row, p->count);
    PASS_SCRATCH(r->ctx, truth, r->shape->graphs + 1);
    for (size_t t = 0; t < p->count; t++) {
        if (!p->evaluation[t]->probability) continue;
        truth_of(p, t, truth);
        size_t at = rows++;
        lm_curve_row own = {.name = p->name[t]};
        PASS(lm_report_judged(r->ctx, p->evaluation[t], truth, &own.judged));
        graphs += own.judged.count;
        for (; at > 0 && row[at - 1].judged.positives < own.judged.positives; at--) row[at] = row[at - 1];
        row[at] = own;
    }
    if (!graphs) return LEMAN_OK;
    PASS_SCRATCH(r->ctx, probability, graphs);
    PASS_SCRATCH(r->ctx, positive, graphs);
    all.judged.probability = probability;
    all.judged.positive = positive;
    for (size_t i = 0; i < rows; i++) {
        append(&all.judged, probability, positive, &row[i].judged);
        row[i].style = (unsigned)i;
    }
    const size_t shown = rows < CURVES ? rows : CURVES;
    lm_page(r->out,
            "<section>\n<h2>Probabilities</h2>\n<p>Probabilities of the larger value for the test graphs of the first "
            "repetition; they are calibrated on the other folds.");
    if (shown < rows) lm_page(r->out, " Curves of the %zu tasks with the most positive graphs.", shown);
    lm_page(r->out, "</p>\n<div class=\"pair\">\n");
    PASS(lm_figure_roc(r->ctx, r->out, row, shown));
    PASS(lm_figure_precision(r->ctx, r->out, row, shown, "the larger value"));
    PASS(lm_figure_reliability(r->ctx, r->out, &all, 1, "the larger value"));
    lm_page(r->out, "</div>\n</section>\n");
    return LEMAN_OK;
}

/* ---- Times, how to reproduce ----------------------------------------------------------------- */

static void reproduce(const tasks_page *p, const char *command)
{
    lm_output *out = p->report.out;
    const leman_evaluation *e = p->evaluation[0];
    char text[LM_NUMBER_TEXT], name[LM_REPORT_NAME + 32];
    double features = 0, svm = 0;
    for (size_t t = 0; t < p->count; t++) {
        features += p->evaluation[t]->seconds_features;
        svm += p->evaluation[t]->seconds_svm;
    }
    lm_page_reproduce_begin(out, command);
    lm_page_row(out, "seed", "%" PRIu64, e->seed);
    lm_page_row(out, "SVM", "%s",
                e->svm == LEMAN_SVM_LINEAR ? "linear, on the features" : "kernel, on the Gram matrix");
    lm_page_row(out, "features, Gram matrices", "%s", lm_page_seconds(features, text));
    lm_page_row(out, "SVMs of all tasks", "%s", lm_page_seconds(svm, text));
    lm_page_row(out, "checksum of the data", "%016" PRIx64, leman_dataset_checksum(p->report.data));
    for (size_t t = 0; t < (e->splits->stratified ? p->count : 1); t++) {
        snprintf(name, sizeof name, "checksum of the splits%s%s", e->splits->stratified ? " of " : "",
                 e->splits->stratified ? p->name[t] : "");
        lm_page_row(out, name, "%016" PRIx64, p->evaluation[t]->splits_checksum);
    }
    lm_page_reproduce_end(out, "Results depend on the seed and not on the number of threads; running times depend on "
                               "the hardware.");
}

/* ---- The page -------------------------------------------------------------------------------- */

static leman_status write_page(tasks_page *p, const char *command, const char *path)
{
    AUTO(lm_output_abort) lm_output out = {0};
    PASS(lm_output_open(p->report.ctx, path, &out));
    p->report.out = &out;
    lm_page_begin(&out, p->report.shape->name, "A graph kernel on several tasks: areas under the ROC curve, accuracy.");
    head(p);
    lm_report_data(&p->report);
    PASS(tasks(p));
    PASS(curves(p));
    reproduce(p, command);
    lm_page_end(&out);
    return lm_output_commit(&out);
}

leman_status leman_tasks_report_write(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels,
                                      size_t count, const size_t *columns, size_t tasks_count,
                                      leman_evaluation *const *evaluations, const char *command, const char *path)
{
    REQUIRE(ctx, data, columns, evaluations, path);
    SCRATCH_SCOPE(ctx);
    tasks_page p = {.report = {.ctx = ctx, .data = data, .shape = leman_dataset_shape(data)},
                    .count = tasks_count,
                    .evaluation = evaluations};
    PASS(prepare_tasks(ctx, data, kernels, count, columns, &p));
    return write_page(&p, command, path);
}
