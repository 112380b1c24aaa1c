/* The arrays of an evaluation, and the means over all folds. */
#include "learn/protocol/evaluation.h"
#include "base/context.h"
#include "learn/protocol/compare.h"
#include "learn/protocol/scores.h"
#include <math.h>
#include <string.h>

void leman_evaluation_free(leman_evaluation *e)
{
    if (!e) return;
    leman_splits_free(e->splits);
    RELEASE(e->class_label, e->fold, e->trial, e->round, e->predicted, e->decision, e->probability, e->confusion, e);
}

leman_status lm_evaluation_allocate(leman_context *ctx, const lm_classes *classes, leman_evaluation *e)
{
    size_t folds = lm_evaluation_folds(e), entries = e->splits->start[2 * folds];
    PASS_NEW(ctx, e->fold, folds);
    PASS_NEW(ctx, e->trial, folds * e->rounds);
    PASS_NEW(ctx, e->round, e->rounds);
    PASS_NEW(ctx, e->predicted, entries);
    for (size_t i = 0; i < entries; i++) e->predicted[i] = NAN;
    if (!classes->count) return LEMAN_OK;
    e->classes = classes->count;
    PASS_NEW(ctx, e->class_label, classes->count);
    memcpy(e->class_label, classes->label, classes->count * sizeof *e->class_label);
    PASS_NEW_ZERO(ctx, e->confusion, classes->count * classes->count);
    if (classes->count != 2) return LEMAN_OK;
    PASS_NEW(ctx, e->decision, entries);
    PASS_NEW(ctx, e->probability, entries);
    for (size_t i = 0; i < entries; i++) e->decision[i] = e->probability[i] = NAN;
    return LEMAN_OK;
}

lm_fold_result lm_evaluation_fold(const leman_evaluation *e, size_t fold)
{
    const uint64_t first = e->splits->start[2 * fold];
    return (lm_fold_result){e->fold + fold, e->trial + fold * e->rounds, e->predicted + first,
                            e->decision ? e->decision + first : NULL};
}

/* ---- Means ----------------------------------------------------------------------------------- */

/* The mean of a member over the folds in which it is not NAN. */
static double mean_of(const leman_evaluation *e, size_t member)
{
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < lm_evaluation_folds(e); i++) {
        double value;
        memcpy(&value, (const char *)(e->fold + i) + member, sizeof value);
        if (isnan(value)) continue;
        sum += value;
        count++;
    }
    return count ? sum / (double)count : NAN;
}

static void average_rounds(leman_evaluation *e)
{
    size_t folds = lm_evaluation_folds(e);
    for (size_t h = 0; h < e->rounds; h++) {
        leman_trial sum = {0};
        for (size_t i = 0; i < folds; i++) {
            const leman_trial *trial = e->trial + i * e->rounds + h;
            sum.C += log10(trial->C);
            sum.validation += trial->validation;
            sum.test += trial->test;
            sum.train += trial->train;
        }
        double n = (double)folds;
        e->round[h] = (leman_trial){pow(10, sum.C / n), sum.validation / n, sum.test / n, sum.train / n};
    }
}

static void count_confusion(const lm_classes *classes, leman_evaluation *e)
{
    for (size_t i = 0; i < lm_evaluation_folds(e); i++) {
        lm_part test = lm_split_test(e->splits, i);
        const double *predicted = e->predicted + e->splits->start[2 * i];
        for (size_t j = 0; j < test.count; j++) {
            const uint32_t label = classes->number[test.graph[j]];
            if (label < classes->count && !isnan(predicted[j])) /* otherwise the class is missing */
                e->confusion[label * e->classes + (size_t)predicted[j]]++;
        }
    }
}

/* ---- Probabilities --------------------------------------------------------------------------- */

/* The decisions from which the sigmoid of a fold is fitted. */
typedef struct known_decisions {
    double *decision;
    bool *positive;
    size_t count;
} known_decisions;

/* Adds the decisions about entries first .. end - 1 whose class is known. */
static void add_decisions(const lm_classes *classes, const leman_evaluation *e, uint64_t first, uint64_t end,
                          known_decisions *to)
{
    for (uint64_t i = first; i < end; i++) {
        const uint32_t label = classes->number[e->splits->graph[i]];
        if (label >= classes->count || isnan(e->decision[i])) continue;
        to->decision[to->count] = e->decision[i];
        to->positive[to->count++] = label == 1;
    }
}

static leman_status find_probabilities(leman_context *ctx, const lm_classes *classes, leman_evaluation *e)
{
    SCRATCH_SCOPE(ctx);
    const size_t folds = e->splits->folds, entries = e->splits->start[2 * lm_evaluation_folds(e)];
    known_decisions known = {0};
    PASS_SCRATCH(ctx, known.decision, entries + 1);
    PASS_SCRATCH(ctx, known.positive, entries + 1);
    for (size_t i = 0; i < lm_evaluation_folds(e); i++) {
        const uint64_t *start = e->splits->start;
        const size_t first = i - i % folds; /* fold of the repetition */
        lm_platt sigmoid;
        known.count = 0;
        for (size_t k = first; k < first + folds; k++)
            if (k != i) add_decisions(classes, e, start[2 * k], start[2 * k + 1], &known);
        if (folds == 1) add_decisions(classes, e, start[2 * i + 1], start[2 * i + 2], &known);
        PASS(lm_platt_fit(ctx, known.decision, known.positive, NULL, known.count, &sigmoid));
        for (uint64_t k = start[2 * i]; k < start[2 * i + 1]; k++)
            e->probability[k] = isnan(e->predicted[k]) ? (double)NAN : lm_platt_at(sigmoid, e->decision[k]);
    }
    return LEMAN_OK;
}

leman_status lm_evaluation_summarize(leman_context *ctx, const lm_classes *classes, leman_evaluation *e)
{
    SCRATCH_SCOPE(ctx);
    size_t folds = lm_evaluation_folds(e), tested = 0, repetitions = 0;
    double *test, *repetition;
    PASS_SCRATCH(ctx, test, folds);
    PASS_SCRATCH(ctx, repetition, e->splits->repetitions);
    for (size_t r = 0; r < e->splits->repetitions; r++) {
        size_t before = tested;
        for (size_t f = 0; f < e->splits->folds; f++) {
            test[tested] = e->fold[r * e->splits->folds + f].test;
            tested += isnan(test[tested]) == 0; /* a test part may contain no known label */
        }
        if (tested > before) repetition[repetitions++] = lm_mean(test + before, tested - before);
    }
    e->test_mean = lm_mean(repetition, repetitions);
    e->test_std = repetitions > 1 ? lm_deviation(repetition, repetitions) : NAN;
    e->test_std_folds = tested > 1 ? lm_deviation(test, tested) : NAN;
    e->test_low = e->test_high = NAN;
    if (tested == folds)
        lm_corrected_interval(e->splits, test, 0, classes->count ? 100 : INFINITY, &e->test_low, &e->test_high);
    e->train_mean = mean_of(e, offsetof(leman_fold, train));
    e->validation_mean = mean_of(e, offsetof(leman_fold, validation));
    e->balanced_mean = mean_of(e, offsetof(leman_fold, balanced));
    e->auc_mean = mean_of(e, offsetof(leman_fold, auc));
    e->rmse_mean = mean_of(e, offsetof(leman_fold, rmse));
    e->r2_mean = mean_of(e, offsetof(leman_fold, r2));
    average_rounds(e);
    if (e->confusion) count_confusion(classes, e);
    return e->decision ? find_probabilities(ctx, classes, e) : LEMAN_OK;
}
