/* The final fit of a model on all graphs, with the chosen rounds and C, and the weights or support graphs that the
 * model keeps. */
#ifndef LM_FINAL_FIT_H
#define LM_FINAL_FIT_H

#include "learn/model/model.h"
#include "learn/protocol/estimator.h"

/* Fits an SVM to all graphs and writes its bias, and its features with either weights or coefficients, into the model.
 * model->kernel must have its rounds; svm, rounds, C and outputs must be set. The factory must be of the kind
 * model->svm and cover these rounds. `all` lists all graphs in their order. */
leman_status lm_final_fit(leman_context *ctx, const leman_dataset *data, const lm_estimator_factory *factory,
                          const lm_training_set *all, leman_model *model);

#endif
