/* Evaluates several tasks on the same folds: scores of each task, and means over tasks. */
#include "cli/tasks.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct tasks {
    const lm_request *request;
    size_t count, *column;         /* [count] */
    leman_evaluation **evaluation; /* [count] */
} tasks;

static void tasks_free(tasks *t)
{
    for (size_t i = 0; t->evaluation && i < t->count; i++) leman_evaluation_free(t->evaluation[i]);
}

const char *lm_column_name(const leman_dataset *data, size_t column, char text[LM_COLUMN_NAME])
{
    size_t length;
    const char *name = leman_dataset_target_name(data, column, &length);
    if (length)
        snprintf(text, LM_COLUMN_NAME, "%.*s", (int)length, name);
    else
        snprintf(text, LM_COLUMN_NAME, "%zu", column);
    return text;
}

lm_task_labels lm_task_count(const leman_dataset *data, size_t column, const uint32_t *graph, size_t count)
{
    const leman_shape *shape = leman_dataset_shape(data);
    const double *value = leman_dataset_targets(data) + column;
    const size_t columns = shape->columns->targets;
    double larger = -INFINITY;
    lm_task_labels out = {0};
    for (size_t g = 0; g < shape->graphs; g++) larger = fmax(larger, value[g * columns]); /* ignores NAN */
    for (size_t i = 0; i < (graph ? count : shape->graphs); i++) {
        const double own = value[(graph ? graph[i] : i) * columns];
        out.graphs += isnan(own) == 0;
        out.positives += own >= larger;
    }
    return out;
}

json_t *lm_task_json(lm_json *json, json_t *list, const leman_dataset *data, size_t column)
{
    const lm_task_labels labels = lm_task_count(data, column, NULL, 0);
    json_t *task = lm_json_object(json, list, NULL);
    char name[LM_COLUMN_NAME];
    LM_PUT(json, task, KEY("name", lm_column_name(data, column, name)), KEY("column", column), MEMBER(&labels, graphs),
           MEMBER(&labels, positives));
    return task;
}

void lm_task_cells(lm_table *table, const leman_dataset *data, size_t column)
{
    const lm_task_labels labels = lm_task_count(data, column, NULL, 0);
    char name[LM_COLUMN_NAME];
    LM_TABLE_ROW(table, lm_column_name(data, column, name), COUNT_TEXT(labels.graphs), COUNT_TEXT(labels.positives));
}

double lm_mean_known(const double *value, size_t count, size_t stride)
{
    lm_known mean = {0};
    for (size_t i = 0; i < count; i++) lm_known_add(&mean, value[i * stride]);
    return lm_known_mean(&mean);
}

/* ---- Output ---------------------------------------------------------------------------------- */

/* Returns the mean of a member of leman_evaluation over the tasks in which it is not NAN. */
#define MEAN(t, member) mean_over_tasks(t, offsetof(leman_evaluation, member))
static double mean_over_tasks(const tasks *t, size_t member)
{
    lm_known mean = {0};
    double value;
    for (size_t i = 0; i < t->count; i++) {
        memcpy(&value, (const char *)t->evaluation[i] + member, sizeof value);
        lm_known_add(&mean, value);
    }
    return lm_known_mean(&mean);
}

static void json_task(lm_json *json, json_t *object, const leman_evaluation *e)
{
    lm_scores_json(json, object, e);
    LM_PUT(json, object, KEY_HEX("splits_checksum", e->splits_checksum));
    LM_PUT_ROWS(json, object, "choices", fold, e->fold, e->splits->repetitions * e->splits->folds,
                MEMBER(fold, repetition), MEMBER(fold, fold), MEMBER(fold, rounds), MEMBER(fold, C), MEMBER(fold, test),
                MEMBER(fold, balanced), MEMBER(fold, auc));
}

static void fill_json(lm_json *json, const tasks *t)
{
    const leman_dataset *data = t->request->data;
    LM_PUT(json, json->object, KEY("name", leman_dataset_shape(data)->name));
    lm_algorithm_json(json, json->object, t->request->kernels, t->request->count);
    LM_PUT(json, json->object, KEY("test_mean", MEAN(t, test_mean)), KEY("train_mean", MEAN(t, train_mean)),
           KEY("balanced_mean", MEAN(t, balanced_mean)), KEY("auc_mean", MEAN(t, auc_mean)),
           KEY("machine", leman_svm_name(t->evaluation[0]->svm)));
    lm_request_json(json, json->object, t->request, t->evaluation[0]);
    json_t *list = lm_json_array(json, json->object, "tasks");
    for (size_t i = 0; i < t->count; i++)
        json_task(json, lm_task_json(json, list, data, t->column[i]), t->evaluation[i]);
}

static leman_status write_table(lm_work *work, const tasks *t)
{
    lm_table table = {.ctx = work->ctx, .align = "lrrrrrr"};
    char text[256];
    lm_output *out;
    PASS(lm_work_results(work, &out));
    leman_kernels_paper_name(t->request->kernels, t->request->count, text, sizeof text);
    PASS(lm_output_printf(out, "%s: %s; %s SVM for each of %zu tasks, %s, seed %llu\n\n",
                          leman_dataset_shape(t->request->data)->name, text, leman_svm_name(t->evaluation[0]->svm),
                          t->count, FOLDS_TEXT(t->evaluation[0]->splits), (unsigned long long)t->evaluation[0]->seed));
    LM_TABLE_ROW(&table, "task", "graphs", "positives", "accuracy", "balanced", "AUC", "majority class");
    for (size_t i = 0; i < t->count; i++) {
        const leman_evaluation *e = t->evaluation[i];
        lm_task_cells(&table, t->request->data, t->column[i]);
        LM_TABLE_ROW(&table, SCORE_TEXT(e->test_mean, 1), SCORE_TEXT(e->balanced_mean, 1), SCORE_TEXT(e->auc_mean, 1),
                     SCORE_TEXT(e->baseline, 1));
    }
    LM_TABLE_ROW(&table, "mean", "", "", SCORE_TEXT(MEAN(t, test_mean), 1), SCORE_TEXT(MEAN(t, balanced_mean), 1),
                 SCORE_TEXT(MEAN(t, auc_mean), 1), SCORE_TEXT(MEAN(t, baseline), 1));
    PASS(lm_table_write(&table, out));
    if (t->request->protocol.weight) PASS(lm_write_text(out, "\n"));
    return lm_weights_write(t->request, t->evaluation[0], "", out);
}

/* ---- The run --------------------------------------------------------------------------------- */

leman_status lm_tasks_check(const lm_work *work, const lm_protocol_options *asked)
{
    if (!lm_has_tasks(work) || !asked->stratified || !asked->write_splits) return LEMAN_OK;
    return MISUSE(work->ctx,
                  "found --write-splits and --stratified with several tasks: each task has its own folds, so "
                  "--write-splits is not possible; expected one of these options, or one column as --class");
}

leman_status lm_tasks_evaluate(lm_work *work, const lm_request *request)
{
    leman_context *ctx = work->ctx;
    AUTO(tasks_free) tasks t = {.request = request};
    size_t columns = leman_dataset_shape(request->data)->columns->targets;
    const char *report = request->asked->report;
    char *line;
    PASS_SCRATCH(ctx, t.column, columns);
    PASS(leman_dataset_target_list(ctx, request->data, work->options->class_column, t.column, &t.count));
    PASS_SCRATCH_ZERO(ctx, t.evaluation, t.count);
    PASS(leman_evaluate_tasks(ctx, request->data, request->kernels, request->count, &request->protocol, t.column,
                              t.count, t.evaluation));
    if (work->options->json)
        fill_json(&work->json, &t);
    else
        PASS(write_table(work, &t));
    if (!report) return LEMAN_OK;
    PASS(lm_command_line(work, &line));
    PASS(leman_tasks_report_write(ctx, request->data, request->kernels, request->count, t.column, t.count, t.evaluation,
                                  line, report));
    lm_work_log(work, "%s: wrote the report", report);
    return LEMAN_OK;
}
