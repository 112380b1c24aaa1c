/* leman fit --class A,B,C and leman predict with its file: a model for each task. */
#ifndef LM_CLI_TASK_MODELS_H
#define LM_CLI_TASK_MODELS_H

#include "cli/explain/explanations.h"

/* Fits a model for every column of --class, and writes all of them to --output. */
leman_status lm_tasks_fit(lm_work *work, const leman_dataset *data, const leman_kernel *kernels, size_t count,
                          const leman_fit_options *fit);
/* The probability of every task for each graph of DATA, and the AUC of the tasks that DATA has columns of. */
leman_status lm_tasks_predict(lm_work *work, const char *path, const lm_explain_options *explain);
/* The AUC in percent of one of several tasks, by probability[graphs][width], against the column of DATA that has its
 * name, or, without a name, this number. NAN: there is none, or all its labels are equal. */
leman_status lm_task_auc(leman_context *ctx, const leman_dataset *data, const char *name, int64_t positive_label,
                         const double *probability, size_t width, size_t task, double *auc);
/* Logs those that are there. */
void lm_task_auc_log(lm_work *work, const char *const *name, const double *auc, size_t count);
/* Refuses --class beside a model of several tasks. */
leman_status lm_tasks_named(const lm_work *work);
/* Reads DATA as a model wants it. */
leman_status lm_predict_read(lm_work *work, bool directed, leman_dataset **data);

#endif
