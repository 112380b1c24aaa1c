/* From the chosen rounds and C to what a model holds: the last training, on all graphs, and its weights or supports. */
#ifndef LM_WEIGH_H
#define LM_WEIGH_H

#include "learn/learner.h"
#include "learn/model.h"

/* Graphs and what is learnt of them, by a learner that has the model's rounds. */
typedef struct lm_weighing {
    const leman_dataset *data;
    const lm_learner *learner;
    lm_lesson all; /* all graphs, in their order */
} lm_weighing;

/* model->kernel has its rounds, model->outputs is known; sets bias, features and weight, or coefficient. */
leman_status lm_weigh_linear(leman_context *ctx, const lm_weighing *weighing, leman_model *model);
leman_status lm_weigh_kernel(leman_context *ctx, const lm_weighing *weighing, leman_model *model);

#endif
