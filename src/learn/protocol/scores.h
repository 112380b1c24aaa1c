/* Scores of predictions, in addition to nn/metrics.h. Deviations are population deviations. */
#ifndef LM_SCORES_H
#define LM_SCORES_H

#include "nn/metrics.h"
#include "svm/calibrate.h"

double lm_mean(const double *value, size_t count);
double lm_deviation(const double *value, size_t count);

/* Scores of predicted values: mean absolute error, root mean squared error, and the coefficient of determination, 1 -
 * (squared errors / squared errors of the mean target). lm_r2() is NAN if all targets are equal. */
double lm_absolute_error(const double *target, const double *predicted, size_t count);
double lm_squared_error(const double *target, const double *predicted, size_t count); /* root of the mean */
double lm_r2(const double *target, const double *predicted, size_t count);

/* Predict from decision[outputs] of one graph, whose order is described in calibrate.h. lm_predict_class() returns the
 * class that wins most pairs, or that has the largest decision; the smaller number wins ties. lm_class_scores() writes
 * score[classes], larger for more likely classes. With decisions of pairs, the score is the number of pairs that the
 * class won, plus a term between -1/3 and 1/3 that grows with the sum of its decisions. */
uint32_t lm_predict_class(lm_multiclass multiclass, size_t classes, const double *decision);
void lm_class_scores(lm_multiclass multiclass, size_t classes, const double *decision, double *score);

static inline bool lm_score_is_error(leman_score score)
{
    return score == LEMAN_SCORE_MAE || score == LEMAN_SCORE_RMSE;
}
/* Compute the score of predicted classes, from decision[count][width], or of predicted values. An undefined AUC becomes
 * 50, an undefined r2 becomes 0. */
leman_status lm_score_decisions(leman_context *ctx, leman_score score, lm_multiclass multiclass, size_t classes,
                                const uint32_t *label, const double *decision, size_t width, size_t count, double *out);
double lm_score_values(leman_score score, const double *target, const double *value, size_t count);

#endif
