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
        size_t known = 0;
        for (size_t i = 0; i < trained; i++) {
            const double value = target[training[i] * columns + column[t]];
            if (isnan(value)) continue;
            sum += value;
            known++;
        }
        const double mean = known ? sum / (double)known : 0;
        for (size_t i = 0; i < trained; i++) {
            const double value = target[training[i] * columns + column[t]];
            if (!isnan(value)) squares += (value - mean) * (value - mean);
        }
        const double deviation = known > 1 ? sqrt(squares / (double)(known - 1)) : 0;
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
    for (size_t t = 0; score->target && t < score->outputs; t++) score->target[t] = (lm_target_score){0};
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
        if (score->classes && lm_batch_has_class(batch, g)) {
            score->wrong += largest(output, outputs) != batch->class_id[g];
            score->graphs++;
        }
        for (size_t t = 0; !score->classes && t < outputs; t++) {
            const double known = (double)batch->target[g * outputs + t];
            if (isnan(known)) continue;
            score->target[t].sum += fabs((double)output[t] - known);
            score->target[t].count++;
        }
    }
}

double lm_score_of_target(const lm_score *score, size_t t)
{
    return score->target[t].count ? score->target[t].sum / (double)score->target[t].count : NAN;
}

double lm_score_error(const lm_score *score)
{
    double sum = 0;
    size_t scored = 0;
    if (score->classes) return score->graphs ? 100 * (double)score->wrong / (double)score->graphs : NAN;
    for (size_t t = 0; t < score->outputs; t++) {
        if (!score->target[t].count) continue;
        sum += lm_score_of_target(score, t);
        scored++;
    }
    return scored ? sum / (double)scored : NAN;
}

double lm_log_mean(const double *error, size_t count)
{
    double sum = 0;
    for (size_t t = 0; t < count; t++) sum += log(error[t]);
    return sum / (double)count;
}
