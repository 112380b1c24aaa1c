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

/* Returns the AUC of a task in the best epoch; for task h->tasks, the mean over tasks that have one. */
static double auc_of(const leman_history *h, size_t part, size_t task)
{
    if (h->best == SIZE_MAX) return NAN;
    const double *auc = h->task_auc + (2 * h->best + part) * h->tasks;
    return task < h->tasks ? auc[task] : lm_mean_known(auc, h->tasks, 1);
}

void lm_train_tasks_json(lm_json *json, json_t *parent, const lm_train_result *r)
{
    const leman_history *h = r->history;
    if (!h->tasks) return;
    json_t *list = lm_json_array(json, parent, "tasks");
    for (size_t t = 0; t < h->tasks; t++)
        LM_PUT(json, lm_task_json(json, list, r->data, r->training.tasks[t]), KEY("val_auc", auc_of(h, 0, t)),
               KEY("test_auc", auc_of(h, 1, t)));
    LM_PUT(json, parent, KEY("val_auc_mean", auc_of(h, 0, h->tasks)), KEY("test_auc_mean", auc_of(h, 1, h->tasks)));
}

/* Adds the first cells of a row of the table. Task training.task_count is the row of means. */
static void task_cells(lm_table *table, const lm_train_result *r, size_t t)
{
    if (t < r->training.task_count)
        lm_task_cells(table, r->data, r->training.tasks[t]);
    else
        LM_TABLE_ROW(table, "mean", "", "");
}

leman_status lm_train_tasks_table(lm_work *work, const lm_train_result *r, lm_output *out)
{
    const leman_history *h = r->history;
    lm_table table = {.ctx = work->ctx, .align = "lrrrr"};
    LM_TABLE_ROW(&table, "task", "graphs", "positives", "validation AUC", "test AUC");
    for (size_t t = 0; t <= h->tasks; t++) {
        task_cells(&table, r, t);
        LM_TABLE_ROW(&table, SCORE_TEXT(auc_of(h, 0, t), 1), SCORE_TEXT(auc_of(h, 1, t), 1));
    }
    return lm_table_write(&table, out);
}

/* ---- Folds ----------------------------------------------------------------------------------- */

/* Returns the mean AUC over folds that have one; for task e->tasks, the mean of these means over tasks. */
static double mean_auc(const leman_network_evaluation *e, size_t task)
{
    lm_known mean = {0};
    if (task < e->tasks) return lm_mean_known(e->task_auc + task, e->repetitions * e->folds, e->tasks);
    for (size_t t = 0; t < e->tasks; t++) lm_known_add(&mean, mean_auc(e, t));
    return lm_known_mean(&mean);
}

void lm_train_folds_tasks_json(lm_json *json, json_t *parent, const lm_train_result *r,
                               const leman_network_evaluation *e)
{
    if (!e->tasks) return;
    json_t *list = lm_json_array(json, parent, "tasks");
    for (size_t t = 0; t < e->tasks; t++)
        LM_PUT(json, lm_task_json(json, list, r->data, r->training.tasks[t]), KEY("auc_mean", mean_auc(e, t)));
    LM_PUT(json, parent, KEY("auc_mean", mean_auc(e, e->tasks)));
}

leman_status lm_train_folds_tasks_table(lm_work *work, const lm_train_result *r, const leman_network_evaluation *e,
                                        lm_output *out)
{
    lm_table table = {.ctx = work->ctx, .align = "lrrr"};
    if (!e->tasks) return LEMAN_OK;
    LM_TABLE_ROW(&table, "task", "graphs", "positives", "AUC");
    for (size_t t = 0; t <= e->tasks; t++) {
        task_cells(&table, r, t);
        lm_table_cell(&table, "%s", SCORE_TEXT(mean_auc(e, t), 1));
    }
    return lm_table_write(&table, out);
}
