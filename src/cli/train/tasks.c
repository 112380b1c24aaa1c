/* leman train --class A,B,C: one network for several tasks, and the results of each task. */
#include "cli/tasks.h"
#include "cli/train/train.h"
#include <math.h>

leman_status lm_train_tasks(lm_work *work, lm_train_result *r)
{
    leman_status st = LEMAN_OK;
    leman_training *t = &r->training;
    NEW(work->ctx, r->targets, leman_dataset_shape(r->data)->columns->targets);
    TRY(leman_dataset_target_list(work->ctx, r->data, work->options->class_column, r->targets, &t->task_count));
    t->tasks = r->targets;
done:
    return st;
}

/* ---- Counts ---------------------------------------------------------------------------------- */

typedef struct counts {
    size_t graphs, positives; /* graphs with a label; those with the larger label */
} counts;

/* Counts the labels of the graphs graph[count], or of all graphs if graph is NULL. */
static counts count_labels(const lm_train_result *r, size_t task, const uint32_t *graph, size_t count)
{
    const leman_shape *shape = leman_dataset_shape(r->data);
    const double *value = leman_dataset_targets(r->data) + r->training.tasks[task];
    const size_t columns = shape->columns->targets;
    double larger = -INFINITY;
    counts out = {0};
    for (size_t g = 0; g < shape->graphs; g++) larger = fmax(larger, value[g * columns]); /* ignores NAN */
    for (size_t i = 0; i < count; i++) {
        const double own = value[(graph ? graph[i] : i) * columns];
        out.graphs += isnan(own) == 0;
        out.positives += own >= larger;
    }
    return out;
}

double lm_train_tasks_baseline(const lm_train_result *r, const uint32_t *graph, size_t count)
{
    size_t labels = 0, most = 0;
    for (size_t t = 0; t < r->training.task_count; t++) {
        const counts c = count_labels(r, t, graph, count);
        labels += c.graphs;
        most += 2 * c.positives > c.graphs ? c.positives : c.graphs - c.positives;
    }
    return labels ? 100 * (double)most / (double)labels : NAN;
}

/* ---- Output ---------------------------------------------------------------------------------- */

/* Returns the AUC of a task in the best epoch; for task h->tasks, the mean over tasks that have one. */
static double auc_of(const leman_history *h, size_t part, size_t task)
{
    double sum = 0;
    size_t known = 0;
    if (h->best == SIZE_MAX) return NAN;
    const double *auc = h->task_auc + (2 * h->best + part) * h->tasks;
    if (task < h->tasks) return auc[task];
    for (size_t t = 0; t < h->tasks; t++) {
        if (isnan(auc[t])) continue;
        sum += auc[t];
        known++;
    }
    return known ? sum / (double)known : NAN;
}

/* Adds an object with name or number of the task, and its counts in the data. */
static json_t *task_json(lm_json *json, json_t *list, const lm_train_result *r, size_t t)
{
    const counts c = count_labels(r, t, NULL, leman_dataset_shape(r->data)->graphs);
    json_t *task = lm_json_object(json, list, NULL);
    char name[LM_TASK_NAME];
    lm_json_text(json, task, "name", lm_task_name(r->data, r->training.tasks[t], name));
    lm_json_count(json, task, "column", r->training.tasks[t]);
    lm_json_count(json, task, "graphs", c.graphs);
    lm_json_count(json, task, "positives", c.positives);
    return task;
}

void lm_train_tasks_json(lm_json *json, json_t *parent, const lm_train_result *r)
{
    const leman_history *h = r->history;
    if (!h->tasks) return;
    json_t *list = lm_json_array(json, parent, "tasks");
    for (size_t t = 0; t < h->tasks; t++) {
        json_t *task = task_json(json, list, r, t);
        lm_json_real(json, task, "val_auc", auc_of(h, 0, t));
        lm_json_real(json, task, "test_auc", auc_of(h, 1, t));
    }
    lm_json_real(json, parent, "val_auc_mean", auc_of(h, 0, h->tasks));
    lm_json_real(json, parent, "test_auc_mean", auc_of(h, 1, h->tasks));
}

/* Adds the first cells of a row of the table. Task training.task_count is the row of means. */
static void task_cells(lm_table *table, const lm_train_result *r, size_t t)
{
    const bool mean = t == r->training.task_count;
    counts c = {0};
    if (!mean) c = count_labels(r, t, NULL, leman_dataset_shape(r->data)->graphs);
    char text[LM_NUMBER_TEXT], name[LM_TASK_NAME];
    lm_table_cell(table, "%s", mean ? "mean" : lm_task_name(r->data, r->training.tasks[t], name));
    lm_table_cell(table, "%s", mean ? "" : lm_count_text(c.graphs, text));
    lm_table_cell(table, "%s", mean ? "" : lm_count_text(c.positives, text));
}

leman_status lm_train_tasks_table(lm_work *work, const lm_train_result *r, lm_output *out)
{
    static const char *const HEAD[] = {"task", "graphs", "positives", "validation AUC", "test AUC"};
    const leman_history *h = r->history;
    lm_table table = {.ctx = work->ctx, .align = "lrrrr"};
    char text[LM_NUMBER_TEXT];
    for (size_t i = 0; i < sizeof HEAD / sizeof *HEAD; i++) lm_table_cell(&table, "%s", HEAD[i]);
    for (size_t t = 0; t <= h->tasks; t++) {
        task_cells(&table, r, t);
        lm_table_cell(&table, "%s", lm_score_text(auc_of(h, 0, t), 1, text));
        lm_table_cell(&table, "%s", lm_score_text(auc_of(h, 1, t), 1, text));
    }
    leman_status st = lm_table_write(&table, out);
    lm_table_free(&table);
    return st;
}

/* ---- Folds ----------------------------------------------------------------------------------- */

/* Returns the mean AUC over folds that have one; for task e->tasks, the mean of these means over tasks. */
static double mean_auc(const leman_network_evaluation *e, size_t task)
{
    const bool all = task == e->tasks;
    double sum = 0;
    size_t known = 0;
    for (size_t i = 0; i < (all ? e->tasks : e->repetitions * e->folds); i++) {
        const double one = all ? mean_auc(e, i) : e->task_auc[i * e->tasks + task];
        if (isnan(one)) continue;
        sum += one;
        known++;
    }
    return known ? sum / (double)known : NAN;
}

void lm_train_folds_tasks_json(lm_json *json, json_t *parent, const lm_train_result *r,
                               const leman_network_evaluation *e)
{
    if (!e->tasks) return;
    json_t *list = lm_json_array(json, parent, "tasks");
    for (size_t t = 0; t < e->tasks; t++) lm_json_real(json, task_json(json, list, r, t), "auc_mean", mean_auc(e, t));
    lm_json_real(json, parent, "auc_mean", mean_auc(e, e->tasks));
}

leman_status lm_train_folds_tasks_table(lm_work *work, const lm_train_result *r, const leman_network_evaluation *e,
                                        lm_output *out)
{
    static const char *const HEAD[] = {"task", "graphs", "positives", "AUC"};
    lm_table table = {.ctx = work->ctx, .align = "lrrr"};
    char text[LM_NUMBER_TEXT];
    if (!e->tasks) return LEMAN_OK;
    for (size_t i = 0; i < sizeof HEAD / sizeof *HEAD; i++) lm_table_cell(&table, "%s", HEAD[i]);
    for (size_t t = 0; t <= e->tasks; t++) {
        task_cells(&table, r, t);
        lm_table_cell(&table, "%s", lm_score_text(mean_auc(e, t), 1, text));
    }
    leman_status st = lm_table_write(&table, out);
    lm_table_free(&table);
    return st;
}
