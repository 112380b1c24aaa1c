/* leman fit --class A,B,C, and leman predict with the resulting file: one model for each task. */
#ifndef LM_CLI_TASK_MODELS_H
#define LM_CLI_TASK_MODELS_H

#include "cli/explain/explanations.h"

/* Fits a model for every column of --class, and writes all models to --output. */
leman_status lm_tasks_fit(lm_work *work, const leman_dataset *data, const leman_kernel *kernels, size_t count,
                          const leman_fit_options *fit);
/* Writes the probability of every task for each graph of DATA, and logs the AUC of every task of which DATA has the
 * column. */
leman_status lm_tasks_predict(lm_work *work, const char *path, const lm_explain_options *explain);
/* Computes the AUC in percent of one task. The predictions are probability[graphs][width], column `task`. The labels
 * are the column of the data with this name; a column without a name is found by its number. *auc is NAN if there is no
 * such column or all its labels are equal. */
leman_status lm_task_auc(leman_context *ctx, const leman_dataset *data, const char *name, int64_t positive_label,
                         const double *probability, size_t width, size_t task, double *auc);
/* Logs the AUC of the tasks for which it is not NAN. */
void lm_task_auc_log(lm_work *work, const char *const *name, const double *auc, size_t count);
/* Fails if --class was given: a model of several tasks has the names of its tasks. */
leman_status lm_tasks_named(const lm_work *work);
/* Reads DATA, directed or not, as the model requires. */
leman_status lm_predict_read(lm_work *work, bool directed, leman_dataset **data);

#endif
