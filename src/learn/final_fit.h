/* From the chosen rounds and C to what a model holds: the final fit, on all graphs, and its weights or supports. */
#ifndef LM_FINAL_FIT_H
#define LM_FINAL_FIT_H

#include "learn/estimator.h"
#include "learn/model.h"

/* model->kernel has its rounds; svm, C and outputs are known, and the factory, of that kind, has the rounds. all: all
 * graphs, in their order. Sets bias, features and weight, or coefficient. */
leman_status lm_final_fit(leman_context *ctx, const leman_dataset *data, const lm_estimator_factory *factory,
                          const lm_training_set *all, leman_model *model);

#endif
