/* leman train --class A,B,C: one network for several tasks, and the results of each task. */
#include "cli/tasks.h"
#include "cli/train/train.h"
#include <math.h>

leman_status lm_train_tasks(lm_work *work, lm_train_result *r)
{
    leman_training *t = &r->training;
    PASS_SCRATCH(work->ctx, r->targets, leman_dataset_shape(r->data)->columns->targets);
    t->tasks = r->targets;
    return leman_dataset_target_list(work->ctx, r->data, work->options->class_column, r->targets, &t->task_count);
}

double lm_train_tasks_baseline(const lm_train_result *r, const uint32_t *graph, size_t count)
{
    size_t labels = 0, most = 0;
    for (size_t t = 0; t < r->training.task_count; t++) {
        const lm_task_labels c = lm_task_count(r->data, r->training.tasks[t], graph, count);
        labels += c.graphs;
        most += 2 * c.positives > c.graphs ? c.positives : c.graphs - c.positives;
    }
    return labels ? 100 * (double)most / (double)labels : NAN;
}

/* ---- Output ---------------------------------------------------------------------------------- */

/* The results of each task: of the best epoch, or over all folds, a single column. */
static const struct column {
    const char *key, *mean_key, *title;
} EPOCH[] = {{"val_auc", "val_auc_mean", "validation AUC"}, {"test_auc", "test_auc_mean", "test AUC"}, {0}},
  FOLDS[] = {{"auc_mean", "auc_mean", "AUC"}, {0}};

/* Returns the mean AUC over folds that have one; for task e->tasks, the mean of these means over tasks. */
static double mean_auc(const leman_network_evaluation *e, size_t task)
{
    lm_known mean = {0};
    if (task < e->tasks) return lm_mean_known(e->task_auc + task, e->repetitions * e->folds, e->tasks);
    for (size_t t = 0; t < e->tasks; t++) lm_known_add(&mean, mean_auc(e, t));
    return lm_known_mean(&mean);
}

/* Returns the AUC of a task, over all folds or in a part of the best epoch; for the number of tasks, the mean over tasks
 * that have one. */
static double auc_of(const lm_train_result *r, const leman_network_evaluation *e, size_t part, size_t task)
{
    const leman_history *h = r->history;
    if (e) return mean_auc(e, task);
    if (h->best == SIZE_MAX) return NAN;
    const double *auc = h->task_auc + (2 * h->best + part) * h->tasks;
    return task < h->tasks ? auc[task] : lm_mean_known(auc, h->tasks, 1);
}

void lm_train_tasks_json(lm_json *json, json_t *parent, const lm_train_result *r, const leman_network_evaluation *e)
{
    const struct column *column = e ? FOLDS : EPOCH;
    const size_t tasks = r->training.task_count;
    json_t *list = tasks ? lm_json_array(json, parent, "tasks") : NULL;
    for (size_t t = 0; t < tasks; t++) {
        json_t *task = lm_task_json(json, list, r->data, r->training.tasks[t]);
        for (size_t c = 0; column[c].key; c++) LM_PUT(json, task, KEY(column[c].key, auc_of(r, e, c, t)));
    }
    for (size_t c = 0; tasks && column[c].key; c++)
        LM_PUT(json, parent, KEY(column[c].mean_key, auc_of(r, e, c, tasks)));
}

leman_status lm_train_tasks_table(lm_work *work, const lm_train_result *r, const leman_network_evaluation *e,
                                  lm_output *out)
{
    const struct column *column = e ? FOLDS : EPOCH;
    const size_t tasks = r->training.task_count;
    lm_table table = {.ctx = work->ctx, .align = e ? "lrrr" : "lrrrr"};
    if (!tasks) return LEMAN_OK;
    LM_TABLE_ROW(&table, "task", "graphs", "positives");
    for (size_t c = 0; column[c].key; c++) lm_table_cell(&table, "%s", column[c].title);
    for (size_t t = 0; t <= tasks; t++) {
        if (t < tasks)
            lm_task_cells(&table, r->data, r->training.tasks[t]);
        else
            LM_TABLE_ROW(&table, "mean", "", "");
        for (size_t c = 0; column[c].key; c++) lm_table_cell(&table, "%s", SCORE_TEXT(auc_of(r, e, c, t), 1));
    }
    return lm_table_write(&table, out);
}
