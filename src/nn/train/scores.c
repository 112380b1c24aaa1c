/* Means and deviations of targets, errors of predictions; scores.h has the formulas. */
#include "nn/train/scores.h"
#include <math.h>

static const double ROUNDING = 1e-12; /* relative to the mean: with a smaller deviation all targets count as equal */

leman_status lm_scale_measure(leman_context *ctx, const double *target, size_t columns, const size_t *column,
                              size_t count, const uint32_t *training, size_t trained, bool applied, lm_scale *out)
{
    AUTO(lm_scale_free) lm_scale scale = {.count = count, .applied = applied};
    PASS_NEW(ctx, scale.mean, count);
    PASS_NEW(ctx, scale.deviation, count);
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
    scale = (lm_scale){0};
    return LEMAN_OK;
}

void lm_scale_free(lm_scale *scale)
{
    RELEASE(scale->mean, scale->deviation);
    *scale = (lm_scale){0};
}

/* ---- Errors ---------------------------------------------------------------------------------- */

static size_t largest(const lm_real *output, size_t count)
{
    size_t best = 0;
    for (size_t i = 1; i < count; i++)
        if (output[i] > output[best]) best = i;
    return best;
}

/* Returns the true value of an output of graph i in the precision that networks learn; NAN: missing. */
static double target_of(const lm_predicted *p, size_t i, size_t t)
{
    return (double)(lm_real)p->labels->target[p->graph[i] * p->outputs + t];
}

/* Returns the label of graph i, of one task or of the class, or LM_NO_TYPE. Sets *found to the predicted label. */
static uint32_t label_of(const lm_predicted *p, size_t i, size_t task, uint32_t *found)
{
    const lm_real *output = p->output + i * p->outputs;
    if (p->learned == LM_LEARN_TASKS) {
        const double target = target_of(p, i, task);
        *found = output[task] > 0;
        return isnan(target) ? LM_NO_TYPE : target > 0.5;
    }
    *found = (uint32_t)largest(output, p->outputs);
    return p->labels->class_id[p->graph[i]];
}

/* Returns the number of labels that a graph may have: one for each task, or its class. */
static size_t labels_each(const lm_predicted *p)
{
    return p->learned == LM_LEARN_TASKS ? p->outputs : 1;
}

double lm_error_of_target(const lm_predicted *p, size_t t)
{
    double sum = 0;
    size_t known = 0;
    for (size_t i = 0; i < p->graphs; i++) {
        const double target = target_of(p, i, t);
        if (isnan(target)) continue;
        sum += fabs((double)p->output[i * p->outputs + t] - target);
        known++;
    }
    return known ? sum / (double)known : NAN;
}

double lm_error_of(const lm_predicted *p)
{
    double sum = 0;
    size_t known = 0;
    if (p->learned == LM_LEARN_TARGETS) {
        for (size_t t = 0; t < p->outputs; t++) {
            const double error = lm_error_of_target(p, t);
            if (isnan(error)) continue;
            sum += error;
            known++;
        }
        return known ? sum / (double)known : NAN;
    }
    for (size_t i = 0; i < p->graphs * labels_each(p); i++) {
        uint32_t found, label = label_of(p, i / labels_each(p), i % labels_each(p), &found);
        known += label != LM_NO_TYPE;
        sum += label != LM_NO_TYPE && label != found;
    }
    return known ? 100 * sum / (double)known : NAN;
}

/* ---- Other scores ---------------------------------------------------------------------------- */

void lm_softmax(const lm_real *output, size_t outputs, double *to)
{
    const double max = (double)output[largest(output, outputs)];
    double sum = 0;
    for (size_t i = 0; i < outputs; i++) sum += to[i] = exp((double)output[i] - max);
    for (size_t i = 0; i < outputs; i++) to[i] /= sum;
}

leman_status lm_score_of_task(leman_context *ctx, const lm_predicted *p, leman_score metric, size_t task, double *out)
{
    SCRATCH_SCOPE(ctx);
    const bool tasks = p->learned == LM_LEARN_TASKS;
    uint32_t *label, *found;
    double *value; /* [known][classes] probabilities, or [known] outputs of the task: graphs are ranked by them */
    bool *positive;
    size_t known = 0;
    PASS_SCRATCH(ctx, label, p->graphs);
    PASS_SCRATCH(ctx, found, p->graphs);
    PASS_SCRATCH(ctx, value, p->graphs * p->outputs);
    PASS_SCRATCH(ctx, positive, p->graphs);
    for (size_t i = 0; i < p->graphs; i++) {
        label[known] = label_of(p, i, task, found + known);
        if (label[known] == LM_NO_TYPE) continue;
        positive[known] = label[known];
        if (tasks)
            value[known] = (double)p->output[i * p->outputs + task];
        else
            lm_softmax(p->output + i * p->outputs, p->outputs, value + known * p->outputs);
        known++;
    }
    if (metric == LEMAN_SCORE_BALANCED)
        PASS(lm_balanced_accuracy(ctx, label, found, NULL, known, tasks ? 2 : p->outputs, out));
    else if (tasks)
        PASS(lm_binary_auc(ctx, positive, value, known, out));
    else
        PASS(lm_auc(ctx, label, value, NULL, known, p->outputs, out));
    return LEMAN_OK;
}

leman_status lm_score_by(leman_context *ctx, const lm_predicted *p, leman_score metric, double *out)
{
    double sum = 0, one = NAN;
    size_t scored = 0;
    const double error = lm_error_of(p);
    *out = metric == LEMAN_SCORE_ACCURACY ? 100 - error : error;
    if (isnan(error) || (metric != LEMAN_SCORE_BALANCED && metric != LEMAN_SCORE_AUC)) return LEMAN_OK;
    for (size_t t = 0; t < labels_each(p); t++) {
        PASS(lm_score_of_task(ctx, p, metric, t, &one));
        if (isnan(one)) continue;
        sum += one;
        scored++;
    }
    *out = scored ? sum / (double)scored : 50; /* all labels are of one class */
    return LEMAN_OK;
}
