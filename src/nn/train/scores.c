/* Means and deviations of targets, errors of predictions; scores.h has the formulas. */
#include "nn/train/scores.h"
#include <math.h>
#include <string.h>

static const double ROUNDING = 1e-12; /* relative to the mean: with a smaller deviation all targets count as equal */

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

leman_status lm_score_new(leman_context *ctx, lm_learned learned, size_t outputs, size_t kept, lm_score *out)
{
    leman_status st = LEMAN_OK;
    lm_score score = {.learned = learned, .outputs = outputs};
    size_t numbers;
    if (!lm_multiply(kept, outputs, &numbers)) numbers = SIZE_MAX;
    if (learned == LM_LEARN_TARGETS) {
        NEW(ctx, score.target, outputs);
    } else if (kept) {
        NEW(ctx, score.output, numbers);
        NEW(ctx, score.label, learned == LM_LEARN_TASKS ? numbers : kept);
    }
    *out = score;
done:
    if (st) lm_score_free(ctx, &score);
    return st;
}

void lm_score_free(leman_context *ctx, lm_score *score)
{
    lm_free(ctx, score->target);
    lm_free(ctx, score->output);
    lm_free(ctx, score->label);
    *score = (lm_score){0};
}

void lm_score_clear(lm_score *score)
{
    score->graphs = score->labels = score->wrong = 0;
    for (size_t t = 0; score->target && t < score->outputs; t++) score->target[t] = (lm_target_score){0};
}

static size_t largest(const lm_real *output, size_t count)
{
    size_t best = 0;
    for (size_t i = 1; i < count; i++)
        if (output[i] > output[best]) best = i;
    return best;
}

static void add_class(lm_score *score, const lm_batch *batch, size_t g, const lm_real *output)
{
    const bool known = lm_batch_has_class(batch, g);
    score->labels += known;
    score->wrong += known && largest(output, score->outputs) != batch->class_id[g];
    if (score->label) score->label[score->graphs] = known ? batch->class_id[g] : LM_NO_TYPE;
}

static void add_tasks(lm_score *score, const lm_batch *batch, size_t g, const lm_real *output)
{
    for (size_t t = 0; t < score->outputs; t++) {
        const double label = (double)batch->target[g * score->outputs + t];
        const bool known = !isnan(label), positive = label > 0.5;
        score->labels += known;
        score->wrong += known && (output[t] > 0) != positive;
        if (score->label) score->label[score->graphs * score->outputs + t] = known ? positive : LM_NO_TYPE;
    }
}

static void add_targets(lm_score *score, const lm_batch *batch, size_t g, const lm_real *output)
{
    for (size_t t = 0; t < score->outputs; t++) {
        const double known = (double)batch->target[g * score->outputs + t];
        if (isnan(known)) continue;
        score->target[t].sum += fabs((double)output[t] - known);
        score->target[t].count++;
    }
}

void lm_score_add(lm_score *score, const lm_batch *batch, const lm_real *predicted)
{
    static void (*const ADD[])(lm_score *, const lm_batch *, size_t, const lm_real *) = {
        [LM_LEARN_TARGETS] = add_targets, [LM_LEARN_CLASSES] = add_class, [LM_LEARN_TASKS] = add_tasks};
    const size_t outputs = score->outputs;
    for (size_t g = 0; g < batch->extent.rows[LM_GRAPHS]; g++, score->graphs++) {
        const lm_real *output = predicted + g * outputs;
        ADD[score->learned](score, batch, g, output);
        if (score->output) memcpy(score->output + score->graphs * outputs, output, outputs * sizeof *output);
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
    if (score->learned != LM_LEARN_TARGETS)
        return score->labels ? 100 * (double)score->wrong / (double)score->labels : NAN;
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

/* ---- Other scores ---------------------------------------------------------------------------- */

/* Collects the known labels of one task or, for classes, of all graphs: label[], and graph[], the graphs that have
 * them. Returns their number. */
static size_t known_labels(const lm_score *score, size_t task, uint32_t *label, size_t *graph)
{
    const size_t step = score->learned == LM_LEARN_TASKS ? score->outputs : 1;
    size_t count = 0;
    for (size_t g = 0; g < score->graphs; g++) {
        if (score->label[g * step + task] == LM_NO_TYPE) continue;
        graph[count] = g;
        label[count++] = score->label[g * step + task];
    }
    return count;
}

leman_status lm_score_of_task(leman_context *ctx, const lm_score *score, leman_score metric, size_t task, double *out)
{
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    uint32_t *label, *found;
    size_t *graph;
    double *output;
    bool *positive;
    SCRATCH(ctx, label, score->graphs);
    SCRATCH(ctx, found, score->graphs);
    SCRATCH(ctx, graph, score->graphs);
    SCRATCH(ctx, output, score->graphs);
    SCRATCH(ctx, positive, score->graphs);
    const size_t count = known_labels(score, task, label, graph);
    for (size_t i = 0; i < count; i++) {
        output[i] = (double)score->output[graph[i] * score->outputs + task];
        positive[i] = label[i];
        found[i] = output[i] > 0;
    }
    if (metric == LEMAN_SCORE_AUC)
        TRY(lm_binary_auc(ctx, positive, output, count, out));
    else if (metric == LEMAN_SCORE_BALANCED)
        TRY(lm_balanced_accuracy(ctx, label, found, count, 2, out));
    else
        *out = lm_accuracy(label, found, count);
done:
    lm_arena_reset(&ctx->scratch, mark);
    return st;
}

/* to[outputs] = softmax of the outputs: graphs are ranked by the probability of a class, not by its output. */
static void softmax(const lm_real *output, size_t outputs, double *to)
{
    const double max = (double)output[largest(output, outputs)];
    double sum = 0;
    for (size_t i = 0; i < outputs; i++) sum += to[i] = exp((double)output[i] - max);
    for (size_t i = 0; i < outputs; i++) to[i] /= sum;
}

static leman_status score_of_classes(leman_context *ctx, const lm_score *score, leman_score metric, double *out)
{
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    const size_t outputs = score->outputs;
    uint32_t *label, *found;
    size_t *graph;
    double *probability;
    SCRATCH(ctx, label, score->graphs);
    SCRATCH(ctx, found, score->graphs);
    SCRATCH(ctx, graph, score->graphs);
    SCRATCH(ctx, probability, score->graphs * outputs);
    const size_t count = known_labels(score, 0, label, graph);
    for (size_t i = 0; i < count; i++) {
        const lm_real *output = score->output + graph[i] * outputs;
        softmax(output, outputs, probability + i * outputs);
        found[i] = (uint32_t)largest(output, outputs);
    }
    if (metric == LEMAN_SCORE_AUC)
        TRY(lm_auc(ctx, label, probability, count, outputs, out));
    else
        TRY(lm_balanced_accuracy(ctx, label, found, count, outputs, out));
done:
    lm_arena_reset(&ctx->scratch, mark);
    return st;
}

leman_status lm_score_by(leman_context *ctx, const lm_score *score, leman_score metric, double *out)
{
    leman_status st = LEMAN_OK;
    double sum = 0, one = NAN;
    size_t scored = 0;
    const double error = lm_score_error(score);
    *out = metric == LEMAN_SCORE_ACCURACY ? 100 - error : error;
    if (isnan(error) || (metric != LEMAN_SCORE_BALANCED && metric != LEMAN_SCORE_AUC)) return st;
    for (size_t t = 0; t < (score->learned == LM_LEARN_TASKS ? score->outputs : 1); t++) {
        TRY(score->learned == LM_LEARN_TASKS ? lm_score_of_task(ctx, score, metric, t, &one)
                                             : score_of_classes(ctx, score, metric, &one));
        if (isnan(one)) continue;
        sum += one;
        scored++;
    }
    *out = scored ? sum / (double)scored : 50; /* all labels are of one class */
done:
    return st;
}
