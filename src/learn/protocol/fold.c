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
    lm_training_set set;   /* the graphs whose class or target is known */
    const uint32_t *place; /* [count] their positions in the part of the splits */
    uint32_t *found;       /* [count] predicted classes */
    double *value;         /* [count] predicted targets */
    double *decision;      /* [count][width] */
} part;

typedef struct fold_state {
    lm_worker *worker;
    const lm_run *run;
    size_t width; /* number of decisions for each graph */
    size_t tests; /* graphs of the test part, also those without a label */
    part train, validation, test;
    lm_training_set fitted; /* the training part, with scaled targets */
    double mean, deviation; /* of the targets of the training part */
    double *chosen;         /* [test graphs][width] decisions of the best SVM so far */
    double *held;           /* [validation graphs][width] likewise */
    lm_selection selection;
    lm_fold_result result;
} fold_state;

/* ---- Parts ----------------------------------------------------------------------------------- */

static bool is_known(const lm_training_set *all, uint32_t graph)
{
    return all->target ? !isnan(all->target[graph]) : all->label[graph] < all->classes;
}

/* Creates a part of those graphs of all[whole] that have a class or target. */
static leman_status part_new(leman_context *ctx, const fold_state *f, const uint32_t *all, size_t whole, part *p)
{
    uint32_t *item, *place;
    size_t count = 0;
    PASS_SCRATCH(ctx, item, whole);
    PASS_SCRATCH(ctx, place, whole);
    for (size_t i = 0; i < whole; i++) {
        if (!is_known(&f->run->all, all[i])) continue;
        item[count] = all[i];
        place[count++] = (uint32_t)i;
    }
    PASS(lm_run_training_set(ctx, f->run, item, count, &p->set));
    p->place = place;
    PASS_SCRATCH(ctx, p->decision, count * f->width);
    PASS_SCRATCH(ctx, p->value, count);
    PASS_SCRATCH(ctx, p->found, count);
    return LEMAN_OK;
}

/* Creates the training part; in a regression, also scales its targets. */
static leman_status training_part(leman_context *ctx, fold_state *f, const uint32_t *item, size_t count)
{
    const lm_training_set *set = &f->train.set;
    double *scaled;
    PASS(part_new(ctx, f, item, count, &f->train));
    f->fitted = *set;
    if (f->run->plain_scores) f->train.set.weight = NULL;
    if (!set->count)
        return lm_fail(ctx, LEMAN_ERROR_INPUT,
                       "found a fold whose training part has no graph with a known %s, expected some",
                       set->target ? "target" : "class");
    if (!set->target) return LEMAN_OK;
    PASS_SCRATCH(ctx, scaled, set->count);
    lm_target_moments(&f->fitted, &f->mean, &f->deviation);
    if (!(f->deviation > 0)) f->deviation = 1;
    for (size_t i = 0; i < set->count; i++) scaled[i] = (set->target[i] - f->mean) / f->deviation;
    f->fitted.target = scaled;
    return LEMAN_OK;
}

/* Turns decisions into predictions. */
static void read_decisions(const fold_state *f, const double *decision, part *p)
{
    for (size_t i = 0; i < p->set.count; i++) {
        const double *one = decision + i * f->width;
        if (p->set.target)
            p->value[i] = f->mean + f->deviation * one[0];
        else
            p->found[i] = lm_predict_class(f->run->factory->multiclass, p->set.classes, one);
    }
}

static double score_of(const part *p)
{
    return p->set.target ? lm_absolute_error(&p->set, p->value)
                         : lm_accuracy(p->set.label, p->found, p->set.weight, p->set.count);
}

static leman_status score_part(const fold_state *f, const lm_estimator *estimator, part *p, double *score)
{
    PASS(lm_estimator_decide(estimator, p->set.item, p->set.count, p->decision));
    read_decisions(f, p->decision, p);
    *score = score_of(p);
    return LEMAN_OK;
}

/* ---- Fitting --------------------------------------------------------------------------------- */

/* Scores an SVM that was fitted with C on the validation part, and keeps its results if it is the best so far. */
static leman_status consider(leman_context *ctx, fold_state *f, const lm_estimator *estimator, uint32_t rounds,
                             double C)
{
    leman_trial *trial = f->result.trial + (rounds - f->run->factory->min_rounds);
    leman_fold *fold = f->result.fold;
    double validation;
    PASS(score_part(f, estimator, &f->validation, &validation));
    PASS(lm_run_score(ctx, f->run, &f->validation.set, f->validation.decision, f->validation.value, &validation));
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
    memcpy(f->chosen, f->test.decision, f->test.set.count * f->width * sizeof *f->chosen);
    memcpy(f->held, f->validation.decision, f->validation.set.count * f->width * sizeof *f->held);
    return LEMAN_OK;
}

/* Tries every C with one number of rounds, in all folds f[count]. */
static leman_status try_rounds(leman_context *ctx, fold_state *f, size_t count, uint32_t rounds)
{
    leman_status st = LEMAN_OK;
    const lm_run *run = f->run;
    lm_estimator *estimator[LM_TOGETHER] = {0};
    for (size_t j = 0; j < count; j++) TRY(lm_estimator_new(ctx, run->factory, rounds, &f[j].fitted, estimator + j));
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
    AUTO(lm_estimator_drop) lm_estimator *estimator = NULL;
    const lm_training_set *train = &f->train.set, *validation = &f->validation.set;
    const size_t count = train->count + validation->count;
    uint32_t *item;
    double test;
    PASS_SCRATCH(ctx, item, count);
    memcpy(item, train->item, train->count * sizeof *item);
    memcpy(item + train->count, validation->item, validation->count * sizeof *item);
    PASS(training_part(ctx, f, item, count));
    PASS(lm_estimator_new(ctx, f->run->factory, f->result.fold->rounds, &f->fitted, &estimator));
    PASS(lm_estimator_fit(&estimator, 1, f->result.fold->C, &f->worker->cancellation));
    PASS(score_part(f, estimator, &f->test, &test));
    PASS(score_part(f, estimator, &f->train, &f->result.fold->train));
    memcpy(f->chosen, f->test.decision, f->test.set.count * f->width * sizeof *f->chosen);
    return LEMAN_OK;
}

/* ---- The result ------------------------------------------------------------------------------ */

static leman_status begin_fold(lm_worker *worker, const lm_run *run, size_t i, lm_fold_result result, fold_state *f)
{
    leman_context *ctx = worker->ctx;
    lm_part test = lm_split_test(run->splits, i), validation = lm_split_validation(run->splits, i);
    uint32_t *item;
    *f = (fold_state){.worker = worker,
                      .run = run,
                      .width = lm_estimator_outputs(run->factory, run->all.target, run->all.classes),
                      .tests = test.count,
                      .selection = {.lower = lm_score_is_error(run->score)},
                      .result = result};
    PASS_SCRATCH(ctx, item, run->splits->graphs);
    PASS(training_part(ctx, f, item, lm_split_training(run->splits, i, item)));
    PASS(part_new(ctx, f, validation.graph, validation.count, &f->validation));
    PASS(part_new(ctx, f, test.graph, test.count, &f->test));
    if (run->plain_scores) f->validation.set.weight = f->test.set.weight = NULL;
    PASS_SCRATCH(ctx, f->chosen, f->test.set.count * f->width);
    PASS_SCRATCH(ctx, f->held, f->validation.set.count * f->width);
    *result.fold =
        (leman_fold){.repetition = (uint32_t)(i / run->splits->folds), .fold = (uint32_t)(i % run->splits->folds)};
    return LEMAN_OK;
}

/* Writes the decisions about a part, one for each graph, so that positive ones are for the second class. */
static void put_decisions(const part *p, const double *decision, double *to)
{
    for (size_t i = 0; i < p->set.count; i++) to[p->place[i]] = -decision[i];
}

/* Scores the chosen decisions about the test part. */
static leman_status end_fold(leman_context *ctx, fold_state *f)
{
    if (f->run->retrain) PASS(refit(ctx, f));
    const part *test = &f->test;
    const lm_training_set *set = &test->set;
    leman_fold *fold = f->result.fold;
    double *score;
    read_decisions(f, f->chosen, &f->test);
    for (size_t i = 0; i < set->count; i++)
        f->result.predicted[test->place[i]] = set->target ? test->value[i] : test->found[i];
    fold->test = score_of(test);
    fold->rmse = fold->r2 = fold->balanced = fold->auc = NAN;
    if (set->target) {
        fold->rmse = lm_squared_error(set, test->value);
        fold->r2 = lm_r2(set, test->value);
        return LEMAN_OK;
    }
    if (f->result.decision) {
        put_decisions(test, f->chosen, f->result.decision);
        put_decisions(&f->validation, f->held, f->result.decision + f->tests);
    }
    PASS_SCRATCH(ctx, score, set->count * set->classes);
    for (size_t i = 0; i < set->count; i++)
        lm_class_scores(f->run->factory->multiclass, set->classes, f->chosen + i * f->width, score + i * set->classes);
    PASS(lm_balanced_accuracy(ctx, set->label, test->found, set->weight, set->count, set->classes, &fold->balanced));
    return lm_auc(ctx, set->label, score, set->weight, set->count, set->classes, &fold->auc);
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
