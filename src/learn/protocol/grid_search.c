/*
 * The search: numbers of rounds one after the other, folds in parallel, several in one thread. Every fold uses
 * increasing C, so that each fit starts from the solution of the previous one. Memory: what the factory holds, and the
 * decisions of one h for every C.
 */
#include "learn/protocol/grid_search.h"
#include "base/thread_pool.h"
#include "learn/protocol/scores.h"
#include "learn/protocol/splits.h"
#include <string.h>

/* ---- The rule -------------------------------------------------------------------------------- */

static bool better(const lm_selection *selection, double a, double b)
{
    return selection->lower ? a < b : a > b;
}

lm_improvement lm_selection_update(lm_selection *selection, uint32_t rounds, double score)
{
    bool first = !selection->begun || rounds != selection->rounds;
    if (first && selection->begun) {
        if (!selection->earlier || better(selection, selection->here, selection->before))
            selection->before = selection->here;
        selection->earlier = true;
    }
    selection->begun = true;
    selection->rounds = rounds;
    if (!first && better(selection, selection->here, score)) return LM_IMPROVEMENT_NONE;
    selection->here = score;
    return !selection->earlier || better(selection, score, selection->before) ? LM_IMPROVEMENT_BEST
                                                                              : LM_IMPROVEMENT_BEST_OF_ROUNDS;
}

/* ---- Training sets and scores ---------------------------------------------------------------- */

leman_status lm_run_training_set(leman_context *ctx, const lm_run *run, const uint32_t *item, size_t count,
                                 lm_training_set *set)
{
    uint32_t *label;
    double *target, *weight;
    int8_t *bound;
    PASS_SCRATCH(ctx, label, run->all.target ? 0 : count);
    PASS_SCRATCH(ctx, target, run->all.target ? count : 0);
    PASS_SCRATCH(ctx, weight, run->all.weight ? count : 0);
    PASS_SCRATCH(ctx, bound, run->all.bound ? count : 0);
    for (size_t i = 0; i < count; i++) {
        if (run->all.target)
            target[i] = run->all.target[item[i]];
        else
            label[i] = run->all.label[item[i]];
        if (run->all.weight) weight[i] = run->all.weight[item[i]];
        if (run->all.bound) bound[i] = run->all.bound[item[i]];
    }
    *set = run->all;
    set->item = item;
    set->label = label;
    set->target = run->all.target ? target : NULL;
    set->weight = run->all.weight ? weight : NULL;
    set->bound = run->all.bound ? bound : NULL;
    set->count = count;
    return LEMAN_OK;
}

leman_status lm_run_score(leman_context *ctx, const lm_run *run, const lm_training_set *set, const double *decision,
                          const double *value, double *score)
{
    if (!set->target) return lm_score_decisions(ctx, run->score, run->factory->multiclass, set, decision, score);
    *score = lm_score_values(run->score, set, value);
    return LEMAN_OK;
}

/* ---- One fold -------------------------------------------------------------------------------- */

/* All fits with one number of rounds. */
typedef struct trials {
    const lm_run *run;
    uint32_t rounds;
    size_t graphs, outputs;
    size_t together;  /* number of folds that a thread fits together */
    double *decision; /* [C_count][graphs][outputs] */
} trials;

/* Stores the decisions of an SVM about its test part, for the c-th C. */
static leman_status keep_decisions(leman_context *ctx, const trials *t, const lm_estimator *estimator, lm_part test,
                                   size_t c)
{
    SCRATCH_SCOPE(ctx);
    double *decision;
    PASS_SCRATCH(ctx, decision, test.count * t->outputs);
    PASS(lm_estimator_decide(estimator, test.graph, test.count, decision));
    for (size_t i = 0; i < test.count; i++)
        memcpy(t->decision + (c * t->graphs + test.graph[i]) * t->outputs, decision + i * t->outputs,
               t->outputs * sizeof *decision);
    return LEMAN_OK;
}

static leman_status try_folds(lm_worker *worker, void *state, size_t item)
{
    leman_status st = LEMAN_OK;
    const trials *t = state;
    const lm_run *run = t->run;
    const size_t begin = item * t->together, rest = run->splits->folds - begin;
    const size_t count = rest < t->together ? rest : t->together;
    lm_part test[LM_TOGETHER];
    lm_training_set set[LM_TOGETHER];
    lm_estimator *estimator[LM_TOGETHER] = {0};
    for (size_t j = 0; j < count; j++) {
        uint32_t *train;
        test[j] = lm_split_test(run->splits, begin + j);
        SCRATCH(worker->ctx, train, t->graphs);
        const size_t size = lm_graphs_outside(t->graphs, test[j], (lm_part){0}, train);
        TRY(lm_run_training_set(worker->ctx, run, train, size, set + j));
        TRY(lm_estimator_new(worker->ctx, run->factory, t->rounds, set + j, estimator + j));
    }
    for (size_t c = 0; c < run->C_count; c++) {
        TRY(lm_estimator_fit(estimator, count, run->C[c], &worker->cancellation));
        for (size_t j = 0; j < count; j++) TRY(keep_decisions(worker->ctx, t, estimator[j], test[j], c));
        TRY(lm_worker_advance(worker, count));
    }
done:
    for (size_t j = 0; j < count; j++) lm_estimator_free(estimator[j]);
    return st;
}

/* ---- All rounds ------------------------------------------------------------------------------ */

/* Compares every C of one number of rounds with the best so far. */
static leman_status select_best(leman_context *ctx, const trials *t, lm_selection *selection, lm_grid_result *best)
{
    for (size_t c = 0; c < t->run->C_count; c++) {
        const double *decision = t->decision + c * t->graphs * t->outputs;
        double score;
        PASS(lm_run_score(ctx, t->run, &t->run->all, decision, decision, &score));
        if (lm_selection_update(selection, t->rounds, score) != LM_IMPROVEMENT_BEST) continue;
        best->rounds = t->rounds;
        best->C = t->run->C[c];
        best->score = score;
        memcpy(best->decision, decision, t->graphs * t->outputs * sizeof *decision);
    }
    return LEMAN_OK;
}

static leman_status try_rounds(leman_context *ctx, trials *t)
{
    const lm_estimator_factory *factory = t->run->factory;
    const size_t folds = t->run->splits->folds, groups = (folds + t->together - 1) / t->together;
    if (factory->max_rounds)
        lm_progress_rename(ctx, "training with %u of %u rounds", t->rounds, factory->max_rounds);
    else
        lm_progress_rename(ctx, "training");
    ctx->progress.done = (t->rounds - factory->min_rounds) * folds * t->run->C_count;
    return lm_thread_pool_run(ctx, NULL, groups, factory->alone ? groups : 0, try_folds, t);
}

leman_status lm_grid_search_run(leman_context *ctx, const lm_run *run, lm_grid_result *best)
{
    const lm_estimator_factory *factory = run->factory;
    const size_t graphs = run->all.count, outputs = lm_estimator_outputs(factory, run->all.target, run->all.classes);
    const size_t threads = (size_t)lm_thread_pool_workers(ctx);
    trials t = {.run = run, .graphs = graphs, .outputs = outputs};
    t.together = lm_estimators_together(factory, outputs, run->splits->folds, threads);
    lm_selection selection = {.lower = lm_score_is_error(run->score)};
    AUTO(lm_release_at) double *decision = NULL;
    /* One progress count for all numbers of rounds, so that the displayed time is that of the whole search. */
    lm_progress_begin(ctx, lm_estimator_factory_rounds(factory) * run->splits->folds * run->C_count, "training");
    PASS_NEW(ctx, decision, lm_saturating_multiply(lm_saturating_multiply(graphs, outputs), run->C_count));
    t.decision = decision;
    for (t.rounds = factory->min_rounds; t.rounds <= factory->max_rounds; t.rounds++) {
        PASS(try_rounds(ctx, &t));
        PASS(select_best(ctx, &t, &selection, best));
    }
    return LEMAN_OK;
}
