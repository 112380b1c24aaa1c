/* leman evaluate --class A,B,C: several tasks, with an SVM for each. */
#ifndef LM_CLI_TASKS_H
#define LM_CLI_TASKS_H

#include "cli/options/protocol.h"

/* Writes the name of the column of a task, or its number if it has no name, into text and returns text. */
enum { LM_TASK_NAME = 64 };
const char *lm_task_name(const leman_dataset *data, size_t column, char text[LM_TASK_NAME]);
/* Fails if options are given that several tasks do not support. */
leman_status lm_tasks_check(const lm_work *work, const lm_protocol_options *asked);
/* Evaluates every column of --class on the same folds and writes the result. */
leman_status lm_tasks_evaluate(lm_work *work, const lm_request *request);

#endif
