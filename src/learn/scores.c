/* Accuracy, balanced accuracy, area under the ROC curve, errors of values; means and deviations. */
#include "learn/scores.h"
#include "svm/linear_svm.h"
#include "svm/svm.h"
#include <math.h>
#include <stdlib.h>
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

double lm_absolute_error(const double *target, const double *predicted, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) sum += fabs(predicted[i] - target[i]);
    return count ? sum / (double)count : NAN;
}

double lm_squared_error(const double *target, const double *predicted, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) sum += (predicted[i] - target[i]) * (predicted[i] - target[i]);
    return count ? sqrt(sum / (double)count) : NAN;
}

double lm_r2(const double *target, const double *predicted, size_t count)
{
    double deviation = lm_deviation(target, count), error = lm_squared_error(target, predicted, count);
    return deviation > 0 ? 1 - error * error / (deviation * deviation) : NAN;
}

/* ---- Classes --------------------------------------------------------------------------------- */

double lm_accuracy(const uint32_t *labels, const uint32_t *predicted, size_t count)
{
    size_t right = 0;
    for (size_t i = 0; i < count; i++) right += labels[i] == predicted[i];
    return count ? 100.0 * (double)right / (double)count : NAN;
}

leman_status lm_balanced_accuracy(leman_context *ctx, const uint32_t *labels, const uint32_t *predicted, size_t count,
                                  size_t classes, double *out)
{
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    size_t *all, *right, present = 0;
    double sum = 0;
    SCRATCH(ctx, all, classes);
    SCRATCH(ctx, right, classes);
    memset(all, 0, classes * sizeof *all);
    memset(right, 0, classes * sizeof *right);
    for (size_t i = 0; i < count; i++) {
        all[labels[i]]++;
        right[labels[i]] += labels[i] == predicted[i];
    }
    for (size_t c = 0; c < classes; c++) {
        if (!all[c]) continue;
        present++;
        sum += (double)right[c] / (double)all[c];
    }
    *out = present ? 100 * sum / (double)present : NAN;
done:
    lm_arena_reset(&ctx->scratch, mark);
    return st;
}

typedef struct scored {
    double score;
    bool positive;
} scored;

static int compare(const void *a, const void *b)
{
    double x = ((const scored *)a)->score, y = ((const scored *)b)->score;
    return (x > y) - (x < y);
}

/* Sorts, then walks over groups of equal scores: every positive beats the negatives below its group, and half of those
 * in it. NAN where there are no pairs. */
static double area(scored *graph, size_t count)
{
    double won = 0, below = 0, positives = 0;
    qsort(graph, count, sizeof *graph, compare);
    for (size_t i = 0, end; i < count; i = end) {
        double here[2] = {0, 0};
        for (end = i; end < count && graph[end].score == graph[i].score; end++) here[graph[end].positive]++;
        won += here[1] * (below + here[0] / 2);
        below += here[0];
        positives += here[1];
    }
    return positives > 0 && below > 0 ? won / (positives * below) : NAN;
}

leman_status lm_auc(leman_context *ctx, const uint32_t *labels, const double *score, size_t count, size_t classes,
                    double *out)
{
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    scored *graph;
    double sum = 0;
    size_t present = 0;
    SCRATCH(ctx, graph, count);
    for (size_t c = 0; c < classes; c++) {
        for (size_t i = 0; i < count; i++) graph[i] = (scored){score[i * classes + c], labels[i] == c};
        double one = area(graph, count);
        if (isnan(one)) continue;
        present++;
        sum += one;
    }
    *out = present ? 100 * sum / (double)present : NAN;
done:
    lm_arena_reset(&ctx->scratch, mark);
    return st;
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
