/*
 * The protocol of the field: repeated cross-validation in which a validation part chooses the number of rounds and C.
 *
 *   1. what was asked is checked, and the splits are drawn or taken
 *   2. features of all graphs for every number of rounds, once: Gram matrices, or rows of a linear machine
 *   3. every fold, over threads: fold.c
 *   4. means and deviations: evaluation.c
 *
 * Folds do not depend on each other, and each is one thread's: their number never changes a result. With a journal,
 * folds that it holds are not done again.
 */
#include "base/arguments.h"
#include "base/thread_pool.h"
#include "learn/evaluation.h"
#include "learn/journal.h"
#include <math.h>
#include <string.h>

const double LM_USUAL_C[LM_USUAL_COUNT] = {1e-3, 1e-2, 1e-1, 1, 1e1, 1e2, 1e3};

void leman_protocol_init(leman_protocol *protocol, size_t size)
{
    const leman_protocol defaults = {.repetitions = 10, .folds = 10, .max_rounds = 5, .target = LEMAN_NO_TARGET};
    lm_options_init(protocol, size, &defaults, sizeof defaults);
}

/* ---- What was asked -------------------------------------------------------------------------- */

static leman_status check_grid(leman_context *ctx, const leman_protocol *asked, lm_run *run)
{
    run->C = asked->C ? asked->C : LM_USUAL_C;
    run->C_count = asked->C ? asked->C_count : LM_USUAL_COUNT;
    for (size_t i = 0; i < run->C_count; i++)
        if (!(run->C[i] > (i ? run->C[i - 1] : 0)) || isinf(run->C[i]))
            return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "found C = %g in place %zu, expected increasing numbers above 0",
                           run->C[i], i + 1);
    if (!run->C_count) return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "found no C to try, expected at least one");
    if (asked->min_rounds > asked->max_rounds)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "found rounds %u to %u, expected the smaller number first",
                       asked->min_rounds, asked->max_rounds);
    return LEMAN_OK;
}

/* Classes or targets of every graph. */
static leman_status take_answers(leman_context *ctx, const leman_dataset *data, size_t target, lm_classes *classes,
                                 double **values)
{
    leman_status st = LEMAN_OK;
    const leman_shape *shape = leman_dataset_shape(data);
    size_t columns = shape->columns->targets;
    if (target == LEMAN_NO_TARGET) {
        TRY(lm_classes_compute(ctx, data, classes));
        if (classes->count < 2)
            FAIL(ctx, LEMAN_ERROR_INPUT, "%s: found %zu class%s, expected at least two to tell apart", shape->name,
                 classes->count, classes->count == 1 ? "" : "es");
        goto done;
    }
    if (target >= columns)
        FAIL(ctx, LEMAN_ERROR_ARGUMENT, "%s: found %zu column%s of targets, expected one of number %zu, counted from 0",
             shape->name, columns, columns == 1 ? "" : "s", target);
    NEW(ctx, *values, shape->graphs);
    for (size_t i = 0; i < shape->graphs; i++) (*values)[i] = leman_dataset_targets(data)[i * columns + target];
done:
    return st;
}

static leman_status take_splits(leman_context *ctx, const leman_dataset *data, const leman_protocol *asked,
                                leman_splits *out)
{
    const leman_shape *shape = leman_dataset_shape(data);
    if (!asked->splits) return leman_splits_draw(ctx, data, asked->repetitions, asked->folds, asked->stratified, out);
    if (asked->splits->graphs != shape->graphs)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "%s: found splits of %zu graphs, expected %zu", shape->name,
                       asked->splits->graphs, shape->graphs);
    return lm_splits_copy(ctx, asked->splits, out);
}

/* Which machine, and which numbers of rounds there are to choose from. */
static leman_status converge(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels, size_t count,
                             const leman_protocol *asked, leman_evaluation *e)
{
    bool assignment = false;
    size_t graphs = leman_dataset_shape(data)->graphs;
    if (!count) return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "no kernel was named");
    for (size_t i = 0; i < count; i++) {
        assignment |= kernels[i].assignment;
        e->has_rounds |= kernels[i].kind == LEMAN_KERNEL_KIND_COLORS;
    }
    e->min_rounds = e->has_rounds ? asked->min_rounds : 0;
    e->rounds = e->has_rounds ? (size_t)asked->max_rounds - asked->min_rounds + 1 : 1;
    e->svm = asked->svm;
    if (asked->target != LEMAN_NO_TARGET) e->target = asked->target;
    if (asked->svm == LEMAN_SVM_AUTO)
        e->svm = assignment || graphs <= LEMAN_KERNEL_GRAPHS ? LEMAN_SVM_KERNEL : LEMAN_SVM_LINEAR;
    if (e->svm == LEMAN_SVM_LINEAR && assignment)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                       "the linear machine cannot take assignment kernels, which have no features; the kernel machine "
                       "can");
    return LEMAN_OK;
}

/* ---- The run --------------------------------------------------------------------------------- */

typedef struct state {
    lm_run run;
    leman_evaluation *evaluation;
    lm_journal journal;
    bool *done;   /* [folds] they came from the journal */
    size_t *todo; /* folds that did not */
} state;

static leman_status one_fold(lm_worker *worker, void *user, size_t item)
{
    leman_status st = LEMAN_OK;
    state *s = user;
    size_t fold = s->todo[item];
    worker->ctx->settings.memory = s->run.factory->share ? s->run.factory->share : 1;
    TRY(lm_fold_run(worker, &s->run, fold, lm_evaluation_fold(s->evaluation, fold)));
    if (s->journal.open) TRY(lm_journal_add(worker->ctx, &s->journal, s->evaluation, fold));
done:
    return st;
}

static leman_status all_folds(leman_context *ctx, state *s, size_t left)
{
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    uint64_t *cost;
    SCRATCH(ctx, cost, left);
    for (size_t i = 0; i < left; i++) cost[i] = 1;
    lm_progress_begin(ctx, left * s->evaluation->rounds * s->run.C_count, "learning in %zu folds", left);
    TRY(lm_thread_pool_run(ctx, cost, left, 0, one_fold, s));
done:
    lm_arena_reset(&ctx->scratch, mark);
    return st;
}

static leman_status open_journal(leman_context *ctx, const leman_kernel *kernels, size_t count,
                                 const leman_protocol *asked, state *s)
{
    leman_status st = LEMAN_OK;
    char head[LM_JOURNAL_HEAD];
    NEW(ctx, s->done, lm_evaluation_folds(s->evaluation));
    memset(s->done, 0, lm_evaluation_folds(s->evaluation) * sizeof *s->done);
    if (!asked->journal) goto done;
    TRY(lm_journal_head(ctx, kernels, count, &s->run, asked, s->evaluation, head));
    TRY(lm_journal_open(ctx, asked->journal, head, s->evaluation, s->done, &s->journal));
done:
    return st;
}

static leman_status learn(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels, size_t count,
                          state *s)
{
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    leman_evaluation *e = s->evaluation;
    lm_estimator_factory factory = {0};
    size_t folds = lm_evaluation_folds(e), left = 0;
    uint32_t max = e->min_rounds + (uint32_t)e->rounds - 1;
    SCRATCH(ctx, s->todo, folds);
    for (size_t i = 0; i < folds; i++)
        if (!s->done[i]) s->todo[left++] = i;
    e->resumed = folds - left;
    if (!left) goto done;
    double began = lm_now();
    TRY((e->svm == LEMAN_SVM_LINEAR ? lm_linear_estimators_new : lm_kernel_estimators_new)(
        ctx, data, kernels, count, e->min_rounds, max, &factory));
    e->seconds_features = lm_now() - began;
    s->run.factory = &factory;
    TRY(all_folds(ctx, s, left));
    e->seconds_svm = lm_now() - began - e->seconds_features;
done:
    if (factory.calls) factory.calls->free(ctx, &factory);
    lm_arena_reset(&ctx->scratch, mark);
    return st;
}

leman_status leman_evaluate(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels, size_t count,
                            const leman_protocol *protocol, leman_evaluation *out)
{
    leman_status st = LEMAN_OK;
    leman_protocol usual = leman_protocol_default();
    const leman_protocol *asked = protocol ? protocol : &usual;
    leman_evaluation e = {0};
    lm_classes classes = {0};
    double *values = NULL;
    state s = {.run = {.retrain = asked->retrain}, .evaluation = &e};
    TRY(check_grid(ctx, asked, &s.run));
    TRY(converge(ctx, data, kernels, count, asked, &e));
    TRY(take_answers(ctx, data, asked->target, &classes, &values));
    TRY(take_splits(ctx, data, asked, &e.splits));
    TRY(lm_evaluation_room(ctx, &classes, &e));
    s.run.splits = &e.splits;
    s.run.number = classes.number;
    s.run.classes = classes.count;
    s.run.target = values;
    e.seed = ctx->settings.seed;
    e.data_checksum = leman_dataset_checksum(data);
    e.splits_checksum = leman_splits_checksum(&e.splits);
    TRY(open_journal(ctx, kernels, count, asked, &s));
    TRY(learn(ctx, data, kernels, count, &s));
    TRY(lm_evaluation_close(ctx, &classes, &e));
    *out = e;
done:
    lm_journal_close(&s.journal);
    lm_free(ctx, s.done);
    lm_classes_free(ctx, &classes);
    lm_free(ctx, values);
    if (st) leman_evaluation_free(ctx, &e);
    return st;
}
