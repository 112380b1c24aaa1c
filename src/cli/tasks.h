/* Several tasks, --class A,B,C: functions that commands share, and leman evaluate with an SVM for each task. */
#ifndef LM_CLI_TASKS_H
#define LM_CLI_TASKS_H

#include "cli/options/protocol.h"

/* Writes the name of a column of targets, or its number if it has no name, into text and returns text. */
enum { LM_COLUMN_NAME = 64 };
const char *lm_column_name(const leman_dataset *data, size_t column, char text[LM_COLUMN_NAME]);
/* Counts the labels of a task among graph[count], or among all graphs if graph is NULL. */
typedef struct lm_task_labels {
    size_t graphs, positives; /* graphs with a label; those with the larger label */
} lm_task_labels;
lm_task_labels lm_task_count(const leman_dataset *data, size_t column, const uint32_t *graph, size_t count);
/* Adds an object {name column graphs positives} to list and returns it; adds the cells name, graphs and positives. */
json_t *lm_task_json(lm_json *json, json_t *list, const leman_dataset *data, size_t column);
void lm_task_cells(lm_table *table, const leman_dataset *data, size_t column);
/* Returns the mean of value[0], value[stride], ..., without those that are NAN; NAN if all are. */
double lm_mean_known(const double *value, size_t count, size_t stride);
/* Fails if options are given that several tasks do not support. */
leman_status lm_tasks_check(const lm_work *work, const lm_protocol_options *asked);
/* Evaluates every column of --class on the same folds and writes the result. */
leman_status lm_tasks_evaluate(lm_work *work, const lm_request *request);

#endif
