/*
 * Probabilities from decision values: Platt's sigmoid for each SVM, fitted to the decision values of graphs that the
 * SVM was not trained on; then coupling for the SVMs of all pairs of classes (Wu, Lin and Weng), or normalisation for
 * those of one class against the rest.
 */
#ifndef LM_CALIBRATE_H
#define LM_CALIBRATE_H

#include "base/context.h"

/* Platt's sigmoid, P(positive | f) = 1 / (1 + exp(a f + b)). A useful SVM has a < 0. */
typedef struct lm_platt {
    double a, b;
} lm_platt;

double lm_platt_at(lm_platt sigmoid, double decision);
/* Fits the sigmoid that maximises the likelihood of the smoothed labels. weight[count], which may be NULL, has the
 * weight of each graph; only the ratios of weights matter. count may be 0, and all graphs may be of one class. Fails
 * with LEMAN_ERROR_INPUT if a decision value is not finite. */
leman_status lm_platt_fit(leman_context *ctx, const double *decision, const bool *positive, const double *weight,
                          size_t count, lm_platt *out);

/* The meaning of the decision values of one graph. */
typedef enum lm_multiclass {
    LM_ONE_VS_ONE, /* one for each pair of classes, as lm_svm_decide(): classes (classes - 1) / 2 */
    LM_ONE_VS_REST /* one for each class against the rest: `classes`, or 1 (positive: class 0) for two classes */
} lm_multiclass;
size_t lm_multiclass_outputs(lm_multiclass multiclass, size_t classes);

/* Fits one sigmoid for each output to decision[count][outputs] and the classes label[count], with weight[count] or
 * NULL. */
leman_status lm_calibration_fit(leman_context *ctx, lm_multiclass multiclass, size_t classes, const double *decision,
                                const uint32_t *label, const double *weight, size_t count, lm_platt *out);
/* Sets probability[classes], whose sum is 1, from the decision[outputs] of one graph. O(classes^3) for pairs. */
leman_status lm_calibration_apply(leman_context *ctx, lm_multiclass multiclass, size_t classes, const lm_platt *sigmoid,
                                  const double *decision, double *probability);

#endif
