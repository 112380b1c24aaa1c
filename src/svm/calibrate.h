/*
 * From decision values to probabilities: a sigmoid for each SVM (Platt), fitted to decision values of graphs that it
 * was not trained on, and coupling of the SVMs of all pairs (Wu, Lin and Weng) or normalisation of those of one class
 * against the rest.
 */
#ifndef LM_CALIBRATE_H
#define LM_CALIBRATE_H

#include "base/context.h"

/* Platt's sigmoid, P(positive | f) = 1 / (1 + exp(a f + b)); that of a useful SVM has a < 0. */
typedef struct lm_platt {
    double a, b;
} lm_platt;

double lm_platt_at(lm_platt sigmoid, double decision);
/* The sigmoid that makes the smoothed labels likeliest. Takes any numbers, also of one class, or none. */
leman_status lm_platt_fit(leman_context *ctx, const double *decision, const bool *positive, size_t count,
                          lm_platt *out);

/* How the decision values of one graph are to be read. */
typedef enum lm_multiclass {
    LM_ONE_VS_ONE, /* one for each pair of classes, as lm_svm_decide(): classes (classes - 1) / 2 */
    LM_ONE_VS_REST /* one for each class against the rest: `classes`, or 1 (positive: class 0) for two classes */
} lm_multiclass;
size_t lm_multiclass_outputs(lm_multiclass multiclass, size_t classes);

/* One sigmoid for each output, from decision[count][outputs] and the classes label[count]. */
leman_status lm_calibration_fit(leman_context *ctx, lm_multiclass multiclass, size_t classes, const double *decision,
                                const uint32_t *label, size_t count, lm_platt *out);
/* probability[classes], which sums to 1, of one graph from its decision[outputs]. O(classes^3) for pairs. */
leman_status lm_calibration_apply(leman_context *ctx, lm_multiclass multiclass, size_t classes, const lm_platt *sigmoid,
                                  const double *decision, double *probability);

#endif
