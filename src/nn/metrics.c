/* Accuracy, balanced accuracy, area under the ROC curve; the names of scores. */
#include "nn/metrics.h"
#include "base/arguments.h"
#include "base/sort.h"
#include "base/weight.h"
#include <math.h>
#include <stdlib.h>

/* ---- Classes --------------------------------------------------------------------------------- */

double lm_accuracy(const uint32_t *labels, const uint32_t *predicted, const double *weight, size_t count)
{
    double right = 0, all = 0;
    for (size_t i = 0; i < count; i++) {
        all += lm_weight_of(weight, i);
        if (labels[i] == predicted[i]) right += lm_weight_of(weight, i);
    }
    return count ? 100 * right / all : NAN;
}

leman_status lm_balanced_accuracy(leman_context *ctx, const uint32_t *labels, const uint32_t *predicted,
                                  const double *weight, size_t count, size_t classes, double *out)
{
    SCRATCH_SCOPE(ctx);
    double *all, *right, sum = 0;
    size_t present = 0;
    PASS_SCRATCH_ZERO(ctx, all, classes);
    PASS_SCRATCH_ZERO(ctx, right, classes);
    for (size_t i = 0; i < count; i++) {
        all[labels[i]] += lm_weight_of(weight, i);
        if (labels[i] == predicted[i]) right[labels[i]] += lm_weight_of(weight, i);
    }
    for (size_t c = 0; c < classes; c++) {
        if (all[c] == 0) continue;
        present++;
        sum += right[c] / all[c];
    }
    *out = present ? 100 * sum / (double)present : NAN;
    return LEMAN_OK;
}

typedef struct scored {
    double score, weight;
    bool positive;
} scored;

/* Returns the area under the ROC curve in 0 .. 1, or NAN if there are no pairs. Sorts by score, then visits groups of
 * equal scores: every positive wins against the negatives below its group, and half against those in its group. */
static double area(scored *graph, size_t count)
{
    double won = 0, below = 0, positives = 0;
    qsort(graph, count, sizeof *graph, lm_compare_double);
    for (size_t i = 0, end; i < count; i = end) {
        double here[2] = {0, 0};
        for (end = i; end < count && graph[end].score == graph[i].score; end++)
            here[graph[end].positive] += graph[end].weight;
        won += here[1] * (below + here[0] / 2);
        below += here[0];
        positives += here[1];
    }
    return positives > 0 && below > 0 ? won / (positives * below) : NAN;
}

leman_status lm_binary_auc(leman_context *ctx, const bool *positive, const double *score, size_t count, double *out)
{
    SCRATCH_SCOPE(ctx);
    scored *graph;
    PASS_SCRATCH(ctx, graph, count);
    for (size_t i = 0; i < count; i++) graph[i] = (scored){score[i], 1, positive[i]};
    *out = 100 * area(graph, count);
    return LEMAN_OK;
}

leman_status lm_auc(leman_context *ctx, const uint32_t *labels, const double *score, const double *weight, size_t count,
                    size_t classes, double *out)
{
    SCRATCH_SCOPE(ctx);
    scored *graph;
    double sum = 0;
    size_t present = 0;
    PASS_SCRATCH(ctx, graph, count);
    for (size_t c = 0; c < classes; c++) {
        for (size_t i = 0; i < count; i++)
            graph[i] = (scored){score[i * classes + c], lm_weight_of(weight, i), labels[i] == c};
        double one = area(graph, count);
        if (isnan(one)) continue;
        present++;
        sum += one;
    }
    *out = present ? 100 * sum / (double)present : NAN;
    return LEMAN_OK;
}

/* ---- By name --------------------------------------------------------------------------------- */

static const char *const SCORES[] = {
    [LEMAN_SCORE_AUTO] = "auto", [LEMAN_SCORE_ACCURACY] = "accuracy", [LEMAN_SCORE_BALANCED] = "balanced",
    [LEMAN_SCORE_AUC] = "auc",   [LEMAN_SCORE_MAE] = "mae",           [LEMAN_SCORE_RMSE] = "rmse",
    [LEMAN_SCORE_R2] = "r2"};

LM_ENUM(leman_score, score, "score", SCORES, , LEMAN_SCORE_COUNT)

leman_status lm_score_resolve(leman_context *ctx, bool regression, leman_score *score)
{
    if (*score == LEMAN_SCORE_AUTO) *score = regression ? LEMAN_SCORE_MAE : LEMAN_SCORE_ACCURACY;
    if (regression == (*score >= LEMAN_SCORE_MAE)) return LEMAN_OK;
    return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "score: found %s, expected %s", leman_score_name(*score),
                   regression ? "mae, rmse or r2, as targets are predicted"
                              : "accuracy, balanced or auc, as classes are predicted");
}
