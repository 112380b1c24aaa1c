/* Evaluates several tasks on the same folds: scores of each task, and means over tasks. */
#include "cli/tasks.h"
#include "cli/page.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct tasks {
    const lm_request *request;
    size_t count, *column;         /* [count] */
    leman_evaluation **evaluation; /* [count] */
} tasks;

typedef struct task {
    char name[LM_TASK_NAME];
    size_t graphs, positives; /* graphs with a known value; those of the larger class label */
    const leman_evaluation *e;
} task;

const char *lm_task_name(const leman_dataset *data, size_t column, char text[LM_TASK_NAME])
{
    size_t length;
    const char *name = leman_dataset_target_name(data, column, &length);
    if (length)
        snprintf(text, LM_TASK_NAME, "%.*s", (int)length, name);
    else
        snprintf(text, LM_TASK_NAME, "%zu", column);
    return text;
}

static task task_of(const tasks *t, size_t i)
{
    task out = {.e = t->evaluation[i]};
    const leman_dataset *data = t->request->data;
    size_t columns = leman_dataset_shape(data)->columns->targets;
    lm_task_name(data, t->column[i], out.name);
    for (size_t g = 0; g < leman_dataset_shape(data)->graphs; g++) {
        double value = leman_dataset_targets(data)[g * columns + t->column[i]];
        out.graphs += isnan(value) == 0;
        out.positives += !isnan(value) && (int64_t)value == out.e->class_label[out.e->classes - 1];
    }
    return out;
}

/* Returns the mean of a member over the tasks in which it is not NAN. */
static double mean_over_tasks(const tasks *t, size_t member)
{
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < t->count; i++) {
        double value;
        memcpy(&value, (const char *)t->evaluation[i] + member, sizeof value);
        if (isnan(value)) continue;
        sum += value;
        count++;
    }
    return count ? sum / (double)count : NAN;
}

/* ---- Output ---------------------------------------------------------------------------------- */

static void json_task(lm_json *json, json_t *object, const task *of, size_t column)
{
    const leman_evaluation *e = of->e;
    lm_json_text(json, object, "name", of->name);
    lm_json_count(json, object, "column", column);
    lm_json_count(json, object, "graphs", of->graphs);
    lm_json_count(json, object, "positives", of->positives);
    lm_scores_json(json, object, e);
    lm_json_hex(json, object, "splits_checksum", e->splits_checksum);
    json_t *choices = lm_json_array(json, object, "choices");
    for (size_t i = 0; i < e->splits->repetitions * e->splits->folds; i++) {
        json_t *fold = lm_json_object(json, choices, NULL);
        lm_json_count(json, fold, "repetition", e->fold[i].repetition);
        lm_json_count(json, fold, "fold", e->fold[i].fold);
        lm_json_count(json, fold, "rounds", e->fold[i].rounds);
        lm_json_real(json, fold, "C", e->fold[i].C);
        lm_json_real(json, fold, "test", e->fold[i].test);
        lm_json_real(json, fold, "balanced", e->fold[i].balanced);
        lm_json_real(json, fold, "auc", e->fold[i].auc);
    }
}

static leman_status write_json(leman_context *ctx, const tasks *t, lm_output *out)
{
    lm_json json = lm_json_new();
    lm_json_text(&json, json.object, "name", leman_dataset_shape(t->request->data)->name);
    lm_algorithm_json(&json, json.object, t->request->kernels, t->request->count);
    lm_json_real(&json, json.object, "test_mean", mean_over_tasks(t, offsetof(leman_evaluation, test_mean)));
    lm_json_real(&json, json.object, "train_mean", mean_over_tasks(t, offsetof(leman_evaluation, train_mean)));
    lm_json_real(&json, json.object, "balanced_mean", mean_over_tasks(t, offsetof(leman_evaluation, balanced_mean)));
    lm_json_real(&json, json.object, "auc_mean", mean_over_tasks(t, offsetof(leman_evaluation, auc_mean)));
    lm_json_text(&json, json.object, "machine", leman_svm_name(t->evaluation[0]->svm));
    lm_request_json(&json, json.object, t->request, t->evaluation[0]);
    json_t *list = lm_json_array(&json, json.object, "tasks");
    for (size_t i = 0; i < t->count; i++) {
        task one = task_of(t, i);
        json_task(&json, lm_json_object(&json, list, NULL), &one, t->column[i]);
    }
    leman_status st = lm_json_write(ctx, &json, out);
    lm_json_free(&json);
    return st;
}

static void table_scores(lm_table *table, const double *score, size_t count)
{
    char text[LM_NUMBER_TEXT];
    for (size_t i = 0; i < count; i++) lm_table_cell(table, "%s", lm_score_text(score[i], 1, text));
}

static leman_status write_table(leman_context *ctx, const tasks *t, lm_output *out)
{
    leman_status st = LEMAN_OK;
    static const char *const HEAD[] = {"task", "graphs", "positives", "accuracy", "balanced", "AUC", "majority class"};
    lm_table table = {.ctx = ctx, .align = "lrrrrrr"};
    char text[256];
    const leman_splits *splits = t->evaluation[0]->splits;
    leman_kernels_paper_name(t->request->kernels, t->request->count, text, sizeof text);
    TRY(lm_output_printf(out, "%s: %s; %s SVM for each of %zu tasks, %zu repetition%s of %zu fold%s, seed %llu\n\n",
                         leman_dataset_shape(t->request->data)->name, text, leman_svm_name(t->evaluation[0]->svm),
                         t->count, splits->repetitions, splits->repetitions == 1 ? "" : "s", splits->folds,
                         splits->folds == 1 ? "" : "s", (unsigned long long)t->evaluation[0]->seed));
    for (size_t i = 0; i < sizeof HEAD / sizeof *HEAD; i++) lm_table_cell(&table, "%s", HEAD[i]);
    for (size_t i = 0; i < t->count; i++) {
        task one = task_of(t, i);
        double score[] = {one.e->test_mean, one.e->balanced_mean, one.e->auc_mean, one.e->baseline};
        lm_table_cell(&table, "%s", one.name);
        lm_table_cell(&table, "%zu", one.graphs);
        lm_table_cell(&table, "%zu", one.positives);
        table_scores(&table, score, 4);
    }
    double mean[] = {mean_over_tasks(t, offsetof(leman_evaluation, test_mean)),
                     mean_over_tasks(t, offsetof(leman_evaluation, balanced_mean)),
                     mean_over_tasks(t, offsetof(leman_evaluation, auc_mean)),
                     mean_over_tasks(t, offsetof(leman_evaluation, baseline))};
    lm_table_cell(&table, "mean");
    lm_table_cell(&table, "%s", "");
    lm_table_cell(&table, "%s", "");
    table_scores(&table, mean, 4);
    TRY(lm_table_write(&table, out));
done:
    lm_table_free(&table);
    return st;
}

/* ---- The run --------------------------------------------------------------------------------- */

leman_status lm_tasks_check(const lm_work *work, const lm_protocol_options *asked)
{
    if (!lm_has_tasks(work)) return LEMAN_OK;
    if (asked->stratified && asked->write_splits)
        return lm_fail(work->ctx, LEMAN_ERROR_ARGUMENT,
                       "found --write-splits and --stratified with several tasks: each task has its own folds, so "
                       "--write-splits is not possible; expected one of these options, or one column as --class");
    return LEMAN_OK;
}

leman_status lm_tasks_evaluate(lm_work *work, const lm_request *request)
{
    leman_status st = LEMAN_OK;
    leman_context *ctx = work->ctx;
    tasks t = {.request = request};
    size_t columns = leman_dataset_shape(request->data)->columns->targets;
    lm_output *out;
    NEW(ctx, t.column, columns);
    TRY(leman_dataset_target_list(ctx, request->data, work->options->class_column, t.column, &t.count));
    NEW(ctx, t.evaluation, t.count);
    memset(t.evaluation, 0, t.count * sizeof *t.evaluation);
    TRY(leman_evaluate_tasks(ctx, request->data, request->kernels, request->count, &request->protocol, t.column,
                             t.count, t.evaluation));
    TRY(lm_work_results(work, &out));
    TRY(work->options->json ? write_json(ctx, &t, out) : write_table(ctx, &t, out));
    TRY(lm_page_write_tasks(work, request, t.column, t.count, t.evaluation));
done:
    for (size_t i = 0; t.evaluation && i < t.count; i++) leman_evaluation_free(t.evaluation[i]);
    lm_free(ctx, t.evaluation);
    lm_free(ctx, t.column);
    return st;
}
