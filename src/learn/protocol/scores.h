/* Scores of predictions, in addition to nn/metrics.h. Deviations are population deviations. */
#ifndef LM_SCORES_H
#define LM_SCORES_H

#include "nn/metrics.h"
#include "svm/calibrate.h"
#include "svm/training_set.h"

/* Sets the weighted mean and deviation of the targets of a set; NAN without targets. */
void lm_target_moments(const lm_training_set *set, double *mean, double *deviation);

double lm_mean(const double *value, size_t count);
double lm_deviation(const double *value, size_t count);

/* Scores of predicted[set->count] for the targets of a set: mean absolute error, root mean squared error, and the
 * coefficient of determination, 1 - (squared errors / squared errors of the mean target). A graph of weight w counts as
 * w graphs. A bound that is kept is no error. lm_r2() is NAN if all targets are equal. */
double lm_absolute_error(const lm_training_set *set, const double *predicted);
double lm_squared_error(const lm_training_set *set, const double *predicted); /* root of the mean */
double lm_r2(const lm_training_set *set, const double *predicted);

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
/* Compute the score of predictions for a set: of classes, from the decisions decision[count][outputs], or of
 * value[count]. An undefined AUC becomes 50, an undefined r2 becomes 0. */
leman_status lm_score_decisions(leman_context *ctx, leman_score score, lm_multiclass multiclass,
                                const lm_training_set *set, const double *decision, double *out);
double lm_score_values(leman_score score, const lm_training_set *set, const double *value);

#endif
