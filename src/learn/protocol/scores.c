/* Means and deviations, errors of values, scores of decisions. */
#include "learn/protocol/scores.h"
#include "svm/linear_svm.h"
#include "svm/svm.h"
#include <math.h>
#include <string.h>

/* ---- Numbers --------------------------------------------------------------------------------- */

double lm_mean(const double *value, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) sum += value[i];
    return count ? sum / (double)count : NAN;
}

double lm_deviation(const double *value, size_t count)
{
    double mean = lm_mean(value, count), sum = 0;
    for (size_t i = 0; i < count; i++) sum += (value[i] - mean) * (value[i] - mean);
    return count ? sqrt(sum / (double)count) : NAN;
}

void lm_target_moments(const lm_training_set *set, double *mean, double *deviation)
{
    double all = 0, sum = 0, square = 0;
    for (size_t i = 0; i < set->count; i++) {
        all += lm_weight_of(set->weight, i);
        sum += lm_weight_of(set->weight, i) * set->target[i];
    }
    *mean = set->count ? sum / all : NAN;
    for (size_t i = 0; i < set->count; i++)
        square += lm_weight_of(set->weight, i) * (set->target[i] - *mean) * (set->target[i] - *mean);
    *deviation = set->count ? sqrt(square / all) : NAN;
}

/* Returns the mean of the errors, or of their squares. */
static double mean_error(const lm_training_set *set, const double *predicted, bool squared)
{
    double all = 0, sum = 0;
    for (size_t i = 0; i < set->count; i++) {
        const double error = fabs(lm_error_beyond(predicted[i], set->target[i], set->bound ? set->bound[i] : 0));
        all += lm_weight_of(set->weight, i);
        sum += lm_weight_of(set->weight, i) * error * (squared ? error : 1);
    }
    return set->count ? sum / all : NAN;
}

double lm_absolute_error(const lm_training_set *set, const double *predicted)
{
    return mean_error(set, predicted, false);
}

double lm_squared_error(const lm_training_set *set, const double *predicted)
{
    return sqrt(mean_error(set, predicted, true));
}

double lm_r2(const lm_training_set *set, const double *predicted)
{
    double mean, deviation, error = lm_squared_error(set, predicted);
    lm_target_moments(set, &mean, &deviation);
    return deviation > 0 ? 1 - error * error / (deviation * deviation) : NAN;
}

/* ---- What decisions predict ------------------------------------------------------------------ */

uint32_t lm_predict_class(lm_multiclass multiclass, size_t classes, const double *decision)
{
    return multiclass == LM_ONE_VS_ONE ? lm_svm_vote(decision, classes) : lm_linear_svm_class(classes, decision);
}

void lm_class_scores(lm_multiclass multiclass, size_t classes, const double *decision, double *score)
{
    if (multiclass == LM_ONE_VS_REST && classes != 2) {
        memcpy(score, decision, classes * sizeof *score);
        return;
    }
    if (classes == 2) {
        score[0] = decision[0];
        score[1] = -decision[0];
        return;
    }
    for (size_t c = 0; c < classes; c++) {
        double won = 0, sum = 0;
        for (size_t a = 0, pair = 0; a < classes; a++)
            for (size_t b = a + 1; b < classes; b++, pair++) {
                if (a != c && b != c) continue;
                double mine = a == c ? decision[pair] : -decision[pair];
                won += a == c ? decision[pair] > 0 : !(decision[pair] > 0);
                sum += mine;
            }
        score[c] = won + sum / (3 * (fabs(sum) + 1));
    }
}

/* ---- By name --------------------------------------------------------------------------------- */

leman_status lm_score_decisions(leman_context *ctx, leman_score score, lm_multiclass multiclass,
                                const lm_training_set *set, const double *decision, double *out)
{
    SCRATCH_SCOPE(ctx);
    const size_t count = set->count, classes = set->classes, width = lm_multiclass_outputs(multiclass, classes);
    uint32_t *found;
    double *scores;
    if (score == LEMAN_SCORE_AUC) {
        PASS_SCRATCH(ctx, scores, count * classes);
        for (size_t i = 0; i < count; i++)
            lm_class_scores(multiclass, classes, decision + i * width, scores + i * classes);
        PASS(lm_auc(ctx, set->label, scores, set->weight, count, classes, out));
        if (isnan(*out)) *out = 50;
        return LEMAN_OK;
    }
    PASS_SCRATCH(ctx, found, count);
    for (size_t i = 0; i < count; i++) found[i] = lm_predict_class(multiclass, classes, decision + i * width);
    if (score == LEMAN_SCORE_BALANCED)
        PASS(lm_balanced_accuracy(ctx, set->label, found, set->weight, count, classes, out));
    else
        *out = lm_accuracy(set->label, found, set->weight, count);
    return LEMAN_OK;
}

double lm_score_values(leman_score score, const lm_training_set *set, const double *value)
{
    if (score == LEMAN_SCORE_RMSE) return lm_squared_error(set, value);
    if (score == LEMAN_SCORE_MAE) return lm_absolute_error(set, value);
    double r2 = lm_r2(set, value);
    return isnan(r2) ? 0 : r2;
}
