/* From the chosen rounds and C to what a model holds: the last training, on all graphs, and its weights or supports. */
#ifndef LM_WEIGH_H
#define LM_WEIGH_H

#include "learn/choose.h"
#include "learn/model.h"

/* model->kernel has its rounds, model->outputs is known; sets bias, features and weight, or coefficient. */
leman_status lm_weigh_linear(leman_context *ctx, const lm_choosing *choosing, leman_model *model);
leman_status lm_weigh_kernel(leman_context *ctx, const lm_choosing *choosing, leman_model *model);

#endif
