/* From the chosen rounds and C to what a model holds: the last training, on all graphs, and its weights or supports. */
#ifndef LM_FINAL_FIT_H
#define LM_FINAL_FIT_H

#include "learn/estimator.h"
#include "learn/model.h"

/* Graphs and what is learnt of them, by a factory that has the model's rounds. */
typedef struct lm_final_fit {
    const leman_dataset *data;
    const lm_estimator_factory *factory;
    lm_training_set all; /* all graphs, in their order */
} lm_final_fit;

/* model->kernel has its rounds, model->outputs is known; sets bias, features and weight, or coefficient. */
leman_status lm_final_fit_linear(leman_context *ctx, const lm_final_fit *fit, leman_model *model);
leman_status lm_final_fit_kernel(leman_context *ctx, const lm_final_fit *fit, leman_model *model);

#endif
