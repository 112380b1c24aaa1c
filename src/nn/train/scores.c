/* Means and deviations of targets, errors of predictions; scores.h has the formulas. */
#include "nn/train/scores.h"
#include <math.h>
#include <string.h>

static const double ROUNDING = 1e-12; /* of a mean: a deviation below it is of targets that are all the same */

leman_status lm_scale_measure(leman_context *ctx, const double *target, size_t columns, const size_t *column,
                              size_t count, const uint32_t *training, size_t trained, bool applied, lm_scale *out)
{
    leman_status st = LEMAN_OK;
    lm_scale scale = {.count = count, .applied = applied};
    NEW(ctx, scale.mean, count);
    NEW(ctx, scale.deviation, count);
    for (size_t t = 0; t < count; t++) {
        double sum = 0, squares = 0;
        for (size_t i = 0; i < trained; i++) sum += target[training[i] * columns + column[t]];
        const double mean = trained ? sum / (double)trained : 0;
        for (size_t i = 0; i < trained; i++) {
            double off = target[training[i] * columns + column[t]] - mean;
            squares += off * off;
        }
        const double deviation = trained > 1 ? sqrt(squares / (double)(trained - 1)) : 0;
        const bool varies = deviation > ROUNDING * fabs(mean) && isfinite(deviation);
        scale.mean[t] = mean;
        scale.deviation[t] = varies ? deviation : 1;
    }
    *out = scale;
done:
    if (st) lm_scale_free(ctx, &scale);
    return st;
}

void lm_scale_free(leman_context *ctx, lm_scale *scale)
{
    lm_free(ctx, scale->mean);
    lm_free(ctx, scale->deviation);
    *scale = (lm_scale){0};
}

/* ---- Errors ---------------------------------------------------------------------------------- */

void lm_score_clear(lm_score *score)
{
    score->graphs = score->wrong = 0;
    if (score->sum) memset(score->sum, 0, score->outputs * sizeof *score->sum);
}

static size_t largest(const lm_real *output, size_t count)
{
    size_t best = 0;
    for (size_t i = 1; i < count; i++)
        if (output[i] > output[best]) best = i;
    return best;
}

void lm_score_add(lm_score *score, const lm_batch *batch, const lm_real *predicted)
{
    const size_t graphs = batch->extent.rows[LM_GRAPHS], outputs = score->outputs;
    for (size_t g = 0; g < graphs; g++) {
        const lm_real *output = predicted + g * outputs;
        if (score->classes)
            score->wrong += largest(output, outputs) != batch->class_id[g];
        else
            for (size_t t = 0; t < outputs; t++)
                score->sum[t] += fabs((double)output[t] - (double)batch->target[g * outputs + t]);
    }
    score->graphs += graphs;
}

double lm_score_of_target(const lm_score *score, size_t t)
{
    return score->graphs ? score->sum[t] / (double)score->graphs : NAN;
}

double lm_score_error(const lm_score *score)
{
    double sum = 0;
    if (!score->graphs) return NAN;
    if (score->classes) return 100 * (double)score->wrong / (double)score->graphs;
    for (size_t t = 0; t < score->outputs; t++) sum += lm_score_of_target(score, t);
    return sum / (double)score->outputs;
}

double lm_log_mean(const double *error, size_t count)
{
    double sum = 0;
    for (size_t t = 0; t < count; t++) sum += log(error[t]);
    return sum / (double)count;
}
