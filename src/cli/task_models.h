/* leman fit --class A,B,C and leman predict with its file: a model for each task. */
#ifndef LM_CLI_TASK_MODELS_H
#define LM_CLI_TASK_MODELS_H

#include "cli/work.h"

/* Fits a model for every column of --class, and writes all of them to --output. */
leman_status lm_tasks_fit(lm_work *work, const leman_dataset *data, const leman_kernel *kernels, size_t count,
                          const leman_fit_options *fit);
/* The probability of every task for each graph of DATA, and the AUC of the tasks that DATA has columns of. */
leman_status lm_tasks_predict(lm_work *work, const char *path);
/* Reads DATA as a model wants it. */
leman_status lm_predict_read(lm_work *work, bool directed, leman_dataset **data);

#endif
