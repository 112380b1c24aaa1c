/* Accuracy, balanced accuracy, area under the ROC curve, errors of values; means and deviations. */
#include "learn/scores.h"
#include "base/arguments.h"
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

/* ---- By name --------------------------------------------------------------------------------- */

static const char *const SCORES[] = {
    [LEMAN_SCORE_AUTO] = "auto", [LEMAN_SCORE_ACCURACY] = "accuracy", [LEMAN_SCORE_BALANCED] = "balanced",
    [LEMAN_SCORE_AUC] = "auc",   [LEMAN_SCORE_MAE] = "mae",           [LEMAN_SCORE_RMSE] = "rmse",
    [LEMAN_SCORE_R2] = "r2"};
_Static_assert(sizeof SCORES / sizeof *SCORES == LEMAN_SCORE_COUNT, "a name for every score");

const char *leman_score_name(leman_score score)
{
    return lm_names_get(LM_NAMES("score", SCORES, ), (int)score);
}

leman_status leman_score_parse(leman_context *ctx, const char *name, leman_score *score)
{
    return PARSE_ENUM(ctx, LM_NAMES("score", SCORES, ), name, score);
}

leman_status lm_score_resolve(leman_context *ctx, bool regression, leman_score *score)
{
    if (*score == LEMAN_SCORE_AUTO) *score = regression ? LEMAN_SCORE_MAE : LEMAN_SCORE_ACCURACY;
    if (regression == (*score >= LEMAN_SCORE_MAE)) return LEMAN_OK;
    return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "score: found %s, expected %s", leman_score_name(*score),
                   regression ? "mae, rmse or r2, as targets are predicted"
                              : "accuracy, balanced or auc, as classes are predicted");
}

leman_status lm_score_decisions(leman_context *ctx, leman_score score, lm_multiclass multiclass, size_t classes,
                                const uint32_t *label, const double *decision, size_t width, size_t count, double *out)
{
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    uint32_t *found;
    double *scores;
    if (score == LEMAN_SCORE_AUC) {
        SCRATCH(ctx, scores, count * classes);
        for (size_t i = 0; i < count; i++)
            lm_class_scores(multiclass, classes, decision + i * width, scores + i * classes);
        TRY(lm_auc(ctx, label, scores, count, classes, out));
        if (isnan(*out)) *out = 50;
        goto done;
    }
    SCRATCH(ctx, found, count);
    for (size_t i = 0; i < count; i++) found[i] = lm_predict_class(multiclass, classes, decision + i * width);
    if (score == LEMAN_SCORE_BALANCED)
        TRY(lm_balanced_accuracy(ctx, label, found, count, classes, out));
    else
        *out = lm_accuracy(label, found, count);
done:
    lm_arena_reset(&ctx->scratch, mark);
    return st;
}

double lm_score_values(leman_score score, const double *target, const double *value, size_t count)
{
    if (score == LEMAN_SCORE_RMSE) return lm_squared_error(target, value, count);
    if (score == LEMAN_SCORE_MAE) return lm_absolute_error(target, value, count);
    double r2 = lm_r2(target, value, count);
    return isnan(r2) ? 0 : r2;
}
