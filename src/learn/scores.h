/* How good predictions are, with base/metrics.h. Deviations are population deviations. */
#ifndef LM_SCORES_H
#define LM_SCORES_H

#include "base/metrics.h"
#include "svm/calibrate.h"

double lm_mean(const double *value, size_t count);
double lm_deviation(const double *value, size_t count);

/* Of targets instead of classes. r2 is 1 less the squared errors over those of the mean; NAN where all are equal. */
double lm_absolute_error(const double *target, const double *predicted, size_t count);
double lm_squared_error(const double *target, const double *predicted, size_t count); /* root of the mean */
double lm_r2(const double *target, const double *predicted, size_t count);

/* What decision[outputs] of one graph predicts, read as calibrate.h has it: the class (most pairs won, or the largest;
 * the smaller number among equals), and score[classes], larger for likelier classes. Pairs give the number of pairs
 * won, and below 1/3 more or less for how clearly. */
uint32_t lm_predict_class(lm_multiclass multiclass, size_t classes, const double *decision);
void lm_class_scores(lm_multiclass multiclass, size_t classes, const double *decision, double *score);

static inline bool lm_score_is_error(leman_score score)
{
    return score == LEMAN_SCORE_MAE || score == LEMAN_SCORE_RMSE;
}
/* A score of classes from decision[count][width], and one of values. */
leman_status lm_score_decisions(leman_context *ctx, leman_score score, lm_multiclass multiclass, size_t classes,
                                const uint32_t *label, const double *decision, size_t width, size_t count, double *out);
double lm_score_values(leman_score score, const double *target, const double *value, size_t count);

#endif
