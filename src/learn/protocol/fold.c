/*
 * Folds, one or several fitted together. For every number of rounds and every C, increasing, an SVM is fitted to the
 * training part and scored on the validation part by the score of the run. The best of all is tested, once:
 *
 *   (h, C) = argmax over h, C of score(SVM(h, C, training), validation)          ties: smallest h, then largest C
 *
 * The best C of every h is tested too, for the curve over rounds; these test scores select nothing. Regressions are
 * fitted to targets scaled to mean 0 and deviation 1 on the training part. Cost: rounds * C fits. Memory: the decisions
 * of all graphs, besides the SVMs.
 */
#include "learn/protocol/fold.h"
#include "learn/protocol/grid_search.h"
#include "learn/protocol/scores.h"
#include <math.h>
#include <string.h>

/* One part of a fold: graphs with their labels and predictions. */
typedef struct part {
    const uint32_t *item;  /* [count] graphs whose class or target is known */
    const uint32_t *place; /* [count] their positions in the part of the splits */
    size_t count;
    uint32_t *label, *found; /* [count] true and predicted classes */
    double *target, *value;  /* [count] true and predicted targets */
    double *decision;        /* [count][width] */
} part;

typedef struct fold_state {
    lm_worker *worker;
    const lm_run *run;
    size_t width; /* number of decisions for each graph */
    part train, validation, test;
    double *scaled;         /* [training graphs] scaled targets */
    double mean, deviation; /* of the targets of the training part */
    double *chosen;         /* [test graphs][width] decisions of the best SVM so far */
    lm_selection selection;
    lm_fold_result result;
} fold_state;

/* ---- Parts ----------------------------------------------------------------------------------- */

static bool is_known(const lm_run *run, uint32_t graph)
{
    return run->target ? !isnan(run->target[graph]) : run->number[graph] < run->classes;
}

/* Creates a part of those graphs of all[whole] that have a class or target. */
static leman_status part_new(leman_context *ctx, const fold_state *f, const uint32_t *all, size_t whole, part *out)
{
    part p = {0};
    uint32_t *item, *place;
    size_t count = 0;
    PASS_SCRATCH(ctx, item, whole);
    PASS_SCRATCH(ctx, place, whole);
    for (size_t i = 0; i < whole; i++) {
        if (!is_known(f->run, all[i])) continue;
        item[count] = all[i];
        place[count++] = (uint32_t)i;
    }
    p.item = item;
    p.place = place;
    p.count = count;
    PASS_SCRATCH(ctx, p.decision, count * f->width);
    if (f->run->target) {
        PASS_SCRATCH(ctx, p.target, count);
        PASS_SCRATCH(ctx, p.value, count);
        for (size_t i = 0; i < count; i++) p.target[i] = f->run->target[item[i]];
    } else {
        PASS_SCRATCH(ctx, p.label, count);
        PASS_SCRATCH(ctx, p.found, count);
        for (size_t i = 0; i < count; i++) p.label[i] = f->run->number[item[i]];
    }
    *out = p;
    return LEMAN_OK;
}

/* Creates the training part; in a regression, also scales its targets. */
static leman_status training_part(leman_context *ctx, fold_state *f, const uint32_t *item, size_t count)
{
    PASS(part_new(ctx, f, item, count, &f->train));
    count = f->train.count;
    if (!count)
        return lm_fail(ctx, LEMAN_ERROR_INPUT,
                       "found a fold whose training part has no graph with a known %s, expected some",
                       f->run->target ? "target" : "class");
    if (!f->run->target) return LEMAN_OK;
    PASS_SCRATCH(ctx, f->scaled, count);
    f->mean = lm_mean(f->train.target, count);
    f->deviation = lm_deviation(f->train.target, count);
    if (!(f->deviation > 0)) f->deviation = 1;
    for (size_t i = 0; i < count; i++) f->scaled[i] = (f->train.target[i] - f->mean) / f->deviation;
    return LEMAN_OK;
}

/* Turns decisions into predictions. */
static void read_decisions(const fold_state *f, const double *decision, part *p)
{
    for (size_t i = 0; i < p->count; i++) {
        const double *one = decision + i * f->width;
        if (f->run->target)
            p->value[i] = f->mean + f->deviation * one[0];
        else
            p->found[i] = lm_predict_class(f->run->factory->multiclass, f->run->classes, one);
    }
}

static double score_of(const fold_state *f, const part *p)
{
    return f->run->target ? lm_absolute_error(p->target, p->value, p->count)
                          : lm_accuracy(p->label, p->found, p->count);
}

static leman_status score_part(const fold_state *f, const lm_estimator *estimator, part *p, double *score)
{
    PASS(lm_estimator_decide(estimator, p->item, p->count, p->decision));
    read_decisions(f, p->decision, p);
    *score = score_of(f, p);
    return LEMAN_OK;
}

/* The score by which validation selects. score_part() must have computed the decisions of the validation part. */
static leman_status validation_score(leman_context *ctx, const fold_state *f, double *score)
{
    const lm_run *run = f->run;
    const part *p = &f->validation;
    if (!run->target)
        return lm_score_decisions(ctx, run->score, run->factory->multiclass, run->classes, p->label, p->decision,
                                  f->width, p->count, score);
    *score = lm_score_values(run->score, p->target, p->value, p->count);
    return LEMAN_OK;
}

/* ---- Fitting --------------------------------------------------------------------------------- */

static leman_status new_estimator(leman_context *ctx, const fold_state *f, uint32_t rounds, lm_estimator **out)
{
    lm_training_set set = {.item = f->train.item,
                           .label = f->train.label,
                           .target = f->scaled,
                           .count = f->train.count,
                           .classes = f->run->classes,
                           .class_weight = f->run->class_weight,
                           .balanced = f->run->balanced};
    return lm_estimator_new(ctx, f->run->factory, rounds, &set, out);
}

/* Scores an SVM that was fitted with C on the validation part, and keeps its results if it is the best so far. */
static leman_status consider(leman_context *ctx, fold_state *f, const lm_estimator *estimator, uint32_t rounds,
                             double C)
{
    leman_trial *trial = f->result.trial + (rounds - f->run->factory->min_rounds);
    leman_fold *fold = f->result.fold;
    double validation;
    PASS(score_part(f, estimator, &f->validation, &validation));
    PASS(validation_score(ctx, f, &validation));
    lm_improvement improvement = lm_selection_update(&f->selection, rounds, validation);
    if (improvement == LM_IMPROVEMENT_NONE) return LEMAN_OK;
    trial->C = C;
    trial->validation = validation;
    PASS(score_part(f, estimator, &f->test, &trial->test));
    PASS(score_part(f, estimator, &f->train, &trial->train));
    if (improvement != LM_IMPROVEMENT_BEST) return LEMAN_OK;
    fold->rounds = rounds;
    fold->C = C;
    fold->validation = validation;
    fold->train = trial->train;
    memcpy(f->chosen, f->test.decision, f->test.count * f->width * sizeof *f->chosen);
    return LEMAN_OK;
}

/* Tries every C with one number of rounds, in all folds f[count]. */
static leman_status try_rounds(leman_context *ctx, fold_state *f, size_t count, uint32_t rounds)
{
    leman_status st = LEMAN_OK;
    const lm_run *run = f->run;
    lm_estimator *estimator[LM_TOGETHER] = {0};
    for (size_t j = 0; j < count; j++) TRY(new_estimator(ctx, f + j, rounds, estimator + j));
    for (size_t i = 0; i < run->C_count; i++) {
        TRY(lm_estimator_fit(estimator, count, run->C[i], &f->worker->cancellation));
        for (size_t j = 0; j < count; j++) TRY(consider(ctx, f + j, estimator[j], rounds, run->C[i]));
        TRY(lm_worker_advance(f->worker, count));
    }
done:
    for (size_t j = 0; j < count; j++) lm_estimator_free(estimator[j]);
    return st;
}

/* Fits the selected SVM once more, to the training and validation parts together. */
static leman_status refit(leman_context *ctx, fold_state *f)
{
    leman_status st = LEMAN_OK;
    lm_estimator *estimator = NULL;
    size_t count = f->train.count + f->validation.count;
    uint32_t *item;
    double test;
    SCRATCH(ctx, item, count);
    memcpy(item, f->train.item, f->train.count * sizeof *item);
    memcpy(item + f->train.count, f->validation.item, f->validation.count * sizeof *item);
    TRY(training_part(ctx, f, item, count));
    TRY(new_estimator(ctx, f, f->result.fold->rounds, &estimator));
    TRY(lm_estimator_fit(&estimator, 1, f->result.fold->C, &f->worker->cancellation));
    TRY(score_part(f, estimator, &f->test, &test));
    TRY(score_part(f, estimator, &f->train, &f->result.fold->train));
    memcpy(f->chosen, f->test.decision, f->test.count * f->width * sizeof *f->chosen);
done:
    lm_estimator_free(estimator);
    return st;
}

/* ---- The result ------------------------------------------------------------------------------ */

static leman_status score_classes(leman_context *ctx, const fold_state *f)
{
    leman_fold *fold = f->result.fold;
    const part *test = &f->test;
    size_t classes = f->run->classes;
    double *score;
    PASS_SCRATCH(ctx, score, test->count * classes);
    for (size_t i = 0; i < test->count; i++) {
        lm_class_scores(f->run->factory->multiclass, classes, f->chosen + i * f->width, score + i * classes);
        f->result.predicted[test->place[i]] = test->found[i];
    }
    PASS(lm_balanced_accuracy(ctx, test->label, test->found, test->count, classes, &fold->balanced));
    PASS(lm_auc(ctx, test->label, score, test->count, classes, &fold->auc));
    fold->rmse = fold->r2 = NAN;
    return LEMAN_OK;
}

static void score_regression(const fold_state *f)
{
    leman_fold *fold = f->result.fold;
    const part *test = &f->test;
    for (size_t i = 0; i < test->count; i++) f->result.predicted[test->place[i]] = test->value[i];
    fold->rmse = lm_squared_error(test->target, test->value, test->count);
    fold->r2 = lm_r2(test->target, test->value, test->count);
    fold->balanced = fold->auc = NAN;
}

static leman_status begin_fold(lm_worker *worker, const lm_run *run, size_t i, lm_fold_result result, fold_state *f)
{
    leman_context *ctx = worker->ctx;
    lm_part test = lm_split_test(run->splits, i), validation = lm_split_validation(run->splits, i);
    uint32_t *item;
    *f = (fold_state){.worker = worker,
                      .run = run,
                      .width = lm_estimator_outputs(run->factory, run->target, run->classes),
                      .selection = {.lower = lm_score_is_error(run->score)},
                      .result = result};
    PASS_SCRATCH(ctx, item, run->splits->graphs);
    PASS(training_part(ctx, f, item, lm_split_training(run->splits, i, item)));
    PASS(part_new(ctx, f, validation.graph, validation.count, &f->validation));
    PASS(part_new(ctx, f, test.graph, test.count, &f->test));
    PASS_SCRATCH(ctx, f->chosen, f->test.count * f->width);
    *result.fold =
        (leman_fold){.repetition = (uint32_t)(i / run->splits->folds), .fold = (uint32_t)(i % run->splits->folds)};
    return LEMAN_OK;
}

static leman_status end_fold(leman_context *ctx, fold_state *f)
{
    if (f->run->retrain) PASS(refit(ctx, f));
    read_decisions(f, f->chosen, &f->test);
    f->result.fold->test = score_of(f, &f->test);
    if (f->run->target)
        score_regression(f);
    else
        PASS(score_classes(ctx, f));
    return LEMAN_OK;
}

leman_status lm_folds_run(lm_worker *worker, const lm_run *run, const size_t *fold, size_t count, uint32_t first,
                          uint32_t last, const lm_fold_result *result)
{
    double began = lm_now();
    fold_state f[LM_TOGETHER];
    for (size_t j = 0; j < count; j++) PASS(begin_fold(worker, run, fold[j], result[j], f + j));
    for (uint32_t h = first; h <= last; h++) PASS(try_rounds(worker->ctx, f, count, h));
    for (size_t j = 0; j < count; j++) PASS(end_fold(worker->ctx, f + j));
    for (size_t j = 0; j < count; j++) result[j].fold->seconds = (lm_now() - began) / (double)count;
    return LEMAN_OK;
}
