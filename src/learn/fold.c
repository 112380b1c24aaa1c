/*
 * One fold. For every number of rounds and every C, increasing, a machine learns from the training part and is scored
 * on the validation part; the best of all is tested, once:
 *
 *   (h, C) = argmax over h, C of score(machine(h, C, training), validation)          ties: least h, then largest C
 *
 * The best C of every h is tested too, for the curve over rounds; nothing is chosen by that. Regressions learn targets
 * scaled to mean 0 and deviation 1 on the training part. Cost: rounds * C trainings; memory: the decisions of all
 * graphs, beside what the machines take.
 */
#include "learn/fold.h"
#include "learn/scores.h"
#include <math.h>
#include <string.h>

/* Some graphs with their answers, true and found. */
typedef struct part {
    const uint32_t *item;
    size_t count;
    uint32_t *label, *found; /* [count] classes */
    double *target, *value;  /* [count] targets */
    double *decision;        /* [count][width] */
} part;

typedef struct bench {
    lm_worker *worker;
    const lm_run *run;
    size_t width; /* decisions of a graph */
    part train, validation, test;
    double *scaled;         /* [training graphs] targets as they are learnt */
    double mean, deviation; /* of the targets of the training part */
    double *chosen;         /* [test graphs][width] decisions of the best machine so far */
    lm_fold_result result;
} bench;

/* ---- Choosing -------------------------------------------------------------------------------- */

static bool better(const lm_grid_choice *choice, double a, double b)
{
    return choice->lower ? a < b : a > b;
}

lm_verdict lm_grid_choice_see(lm_grid_choice *choice, uint32_t rounds, double score)
{
    bool first = !choice->begun || rounds != choice->rounds;
    if (first && choice->begun) {
        if (!choice->earlier || better(choice, choice->here, choice->before)) choice->before = choice->here;
        choice->earlier = true;
    }
    choice->begun = true;
    choice->rounds = rounds;
    if (!first && better(choice, choice->here, score)) return LM_VERDICT_WORSE;
    choice->here = score;
    return !choice->earlier || better(choice, score, choice->before) ? LM_VERDICT_BEST : LM_VERDICT_BEST_OF_ROUNDS;
}

/* ---- Parts ----------------------------------------------------------------------------------- */

static leman_status part_new(leman_context *ctx, const bench *b, const uint32_t *item, size_t count, part *out)
{
    leman_status st = LEMAN_OK;
    part p = {.item = item, .count = count};
    SCRATCH(ctx, p.decision, count * b->width);
    if (b->run->target) {
        SCRATCH(ctx, p.target, count);
        SCRATCH(ctx, p.value, count);
        for (size_t i = 0; i < count; i++) p.target[i] = b->run->target[item[i]];
    } else {
        SCRATCH(ctx, p.label, count);
        SCRATCH(ctx, p.found, count);
        for (size_t i = 0; i < count; i++) p.label[i] = b->run->number[item[i]];
    }
    *out = p;
done:
    return st;
}

/* Training graphs, and where they are values, their scale. */
static leman_status training_part(leman_context *ctx, bench *b, const uint32_t *item, size_t count)
{
    leman_status st = LEMAN_OK;
    TRY(part_new(ctx, b, item, count, &b->train));
    if (!b->run->target) goto done;
    SCRATCH(ctx, b->scaled, count);
    b->mean = lm_mean(b->train.target, count);
    b->deviation = lm_deviation(b->train.target, count);
    if (!(b->deviation > 0)) b->deviation = 1;
    for (size_t i = 0; i < count; i++) b->scaled[i] = (b->train.target[i] - b->mean) / b->deviation;
done:
    return st;
}

/* From decisions to answers. */
static void read_decisions(const bench *b, const double *decision, part *p)
{
    for (size_t i = 0; i < p->count; i++) {
        const double *one = decision + i * b->width;
        if (b->run->target)
            p->value[i] = b->mean + b->deviation * one[0];
        else
            p->found[i] = lm_answer(b->run->factory->calls->machines, b->run->classes, one);
    }
}

static double score_of(const bench *b, const part *p)
{
    return b->run->target ? lm_absolute_error(p->target, p->value, p->count)
                          : lm_accuracy(p->label, p->found, p->count);
}

static leman_status judge(const bench *b, const lm_estimator *estimator, part *p, double *score)
{
    leman_status st = LEMAN_OK;
    TRY(b->run->factory->calls->decide(estimator, p->item, p->count, p->decision));
    read_decisions(b, p->decision, p);
    *score = score_of(b, p);
done:
    return st;
}

/* ---- Learning -------------------------------------------------------------------------------- */

static leman_status open_estimator(leman_context *ctx, const bench *b, uint32_t rounds, lm_estimator **out)
{
    lm_training_set set = {.item = b->train.item,
                           .label = b->train.label,
                           .target = b->scaled,
                           .count = b->train.count,
                           .classes = b->run->classes};
    return b->run->factory->calls->open(ctx, b->run->factory, rounds, &set, out);
}

/* Every C for one number of rounds. */
static leman_status try_rounds(leman_context *ctx, bench *b, uint32_t rounds, lm_grid_choice *choice)
{
    leman_status st = LEMAN_OK;
    const lm_run *run = b->run;
    leman_trial *trial = b->result.trial + (rounds - run->factory->min_rounds);
    leman_fold *fold = b->result.fold;
    lm_estimator *estimator = NULL;
    TRY(open_estimator(ctx, b, rounds, &estimator));
    for (size_t i = 0; i < run->C_count; i++) {
        double validation;
        TRY(run->factory->calls->train(estimator, run->C[i], &b->worker->cancellation));
        TRY(judge(b, estimator, &b->validation, &validation));
        lm_verdict verdict = lm_grid_choice_see(choice, rounds, validation);
        if (verdict != LM_VERDICT_WORSE) {
            trial->C = run->C[i];
            trial->validation = validation;
            TRY(judge(b, estimator, &b->test, &trial->test));
            TRY(judge(b, estimator, &b->train, &trial->train));
        }
        if (verdict == LM_VERDICT_BEST) {
            fold->rounds = rounds;
            fold->C = trial->C;
            fold->validation = validation;
            fold->train = trial->train;
            memcpy(b->chosen, b->test.decision, b->test.count * b->width * sizeof *b->chosen);
        }
        TRY(lm_worker_advance(b->worker, 1));
    }
done:
    if (estimator) run->factory->calls->close(estimator);
    return st;
}

/* The chosen machine once more, with the validation part. */
static leman_status learn_again(leman_context *ctx, bench *b)
{
    leman_status st = LEMAN_OK;
    const lm_estimator_type *calls = b->run->factory->calls;
    lm_estimator *estimator = NULL;
    size_t count = b->train.count + b->validation.count;
    uint32_t *item;
    double test;
    SCRATCH(ctx, item, count);
    memcpy(item, b->train.item, b->train.count * sizeof *item);
    memcpy(item + b->train.count, b->validation.item, b->validation.count * sizeof *item);
    TRY(training_part(ctx, b, item, count));
    TRY(open_estimator(ctx, b, b->result.fold->rounds, &estimator));
    TRY(calls->train(estimator, b->result.fold->C, &b->worker->cancellation));
    TRY(judge(b, estimator, &b->test, &test));
    TRY(judge(b, estimator, &b->train, &b->result.fold->train));
    memcpy(b->chosen, b->test.decision, b->test.count * b->width * sizeof *b->chosen);
done:
    if (estimator) calls->close(estimator);
    return st;
}

/* ---- The result ------------------------------------------------------------------------------ */

static leman_status score_classes(leman_context *ctx, const bench *b)
{
    leman_status st = LEMAN_OK;
    leman_fold *fold = b->result.fold;
    const part *test = &b->test;
    size_t classes = b->run->classes;
    double *score;
    SCRATCH(ctx, score, test->count * classes);
    for (size_t i = 0; i < test->count; i++) {
        lm_answer_scores(b->run->factory->calls->machines, classes, b->chosen + i * b->width, score + i * classes);
        b->result.predicted[i] = test->found[i];
    }
    TRY(lm_balanced_accuracy(ctx, test->label, test->found, test->count, classes, &fold->balanced));
    TRY(lm_auc(ctx, test->label, score, test->count, classes, &fold->auc));
    fold->rmse = fold->r2 = NAN;
done:
    return st;
}

static void score_values(const bench *b)
{
    leman_fold *fold = b->result.fold;
    const part *test = &b->test;
    memcpy(b->result.predicted, test->value, test->count * sizeof *test->value);
    fold->rmse = lm_squared_error(test->target, test->value, test->count);
    fold->r2 = lm_r2(test->target, test->value, test->count);
    fold->balanced = fold->auc = NAN;
}

leman_status lm_fold_run(lm_worker *worker, const lm_run *run, size_t i, lm_fold_result result)
{
    leman_status st = LEMAN_OK;
    leman_context *ctx = worker->ctx;
    const lm_estimator_factory *factory = run->factory;
    double began = lm_now();
    bench b = {.worker = worker, .run = run, .result = result};
    lm_part test = lm_split_test(run->splits, i), validation = lm_split_validation(run->splits, i);
    lm_grid_choice choice = {.lower = run->target != NULL};
    uint32_t *item;
    b.width = run->target ? 1 : lm_multiclass_count(factory->calls->machines, run->classes);
    SCRATCH(ctx, item, run->splits->graphs);
    TRY(training_part(ctx, &b, item, lm_split_training(run->splits, i, item)));
    TRY(part_new(ctx, &b, validation.graph, validation.count, &b.validation));
    TRY(part_new(ctx, &b, test.graph, test.count, &b.test));
    SCRATCH(ctx, b.chosen, test.count * b.width);
    *result.fold =
        (leman_fold){.repetition = (uint32_t)(i / run->splits->folds), .fold = (uint32_t)(i % run->splits->folds)};
    for (uint32_t h = factory->min_rounds; h <= factory->max_rounds; h++) TRY(try_rounds(ctx, &b, h, &choice));
    if (run->retrain) TRY(learn_again(ctx, &b));
    read_decisions(&b, b.chosen, &b.test);
    result.fold->test = score_of(&b, &b.test);
    if (run->target)
        score_values(&b);
    else
        TRY(score_classes(ctx, &b));
    result.fold->seconds = lm_now() - began;
done:
    return st;
}
