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

/* ---- One fold -------------------------------------------------------------------------------- */

/* All fits with one number of rounds. */
typedef struct trials {
    const lm_grid_search *search;
    uint32_t rounds;
    size_t graphs, outputs;
    size_t together;  /* number of folds that a thread fits together */
    double *decision; /* [C_count][graphs][outputs] */
} trials;

/* Lists all graphs outside the test part, in the scratch memory of the context. */
static leman_status training_set_without(leman_context *ctx, const lm_training_set *all, lm_part test,
                                         lm_training_set *out)
{
    bool *tested;
    uint32_t *item, *label;
    double *target;
    size_t count = 0;
    PASS_SCRATCH_ZERO(ctx, tested, all->count);
    PASS_SCRATCH(ctx, item, all->count);
    PASS_SCRATCH(ctx, label, all->count);
    PASS_SCRATCH(ctx, target, all->count);
    for (size_t i = 0; i < test.count; i++) tested[test.graph[i]] = true;
    for (size_t g = 0; g < all->count; g++) {
        if (tested[g]) continue;
        item[count] = all->item[g];
        if (all->target)
            target[count++] = all->target[g];
        else
            label[count++] = all->label[g];
    }
    *out = *all;
    out->item = item;
    out->label = label;
    out->target = all->target ? target : NULL;
    out->count = count;
    return LEMAN_OK;
}

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
    const lm_grid_search *search = t->search;
    size_t begin = item * t->together, rest = search->splits->folds - begin;
    size_t count = rest < t->together ? rest : t->together;
    lm_training_set set[LM_TOGETHER];
    lm_estimator *estimator[LM_TOGETHER] = {0};
    for (size_t j = 0; j < count; j++) {
        TRY(training_set_without(worker->ctx, &search->all, lm_split_test(search->splits, begin + j), set + j));
        TRY(lm_estimator_new(worker->ctx, search->factory, t->rounds, set + j, estimator + j));
    }
    for (size_t c = 0; c < search->C_count; c++) {
        TRY(lm_estimator_fit(estimator, count, search->C[c], &worker->cancellation));
        for (size_t j = 0; j < count; j++)
            TRY(keep_decisions(worker->ctx, t, estimator[j], lm_split_test(search->splits, begin + j), c));
        TRY(lm_worker_advance(worker, count));
    }
done:
    for (size_t j = 0; j < count; j++) lm_estimator_free(estimator[j]);
    return st;
}

/* ---- Scores ---------------------------------------------------------------------------------- */

static leman_status score_of(leman_context *ctx, const trials *t, const double *decision, double *out)
{
    const lm_training_set *all = &t->search->all;
    lm_multiclass multiclass = t->search->factory->multiclass;
    if (!all->target)
        return lm_score_decisions(ctx, t->search->score, multiclass, all->classes, all->label, decision, t->outputs,
                                  t->graphs, out);
    *out = lm_score_values(t->search->score, all->target, decision, t->graphs);
    return LEMAN_OK;
}

/* Compares every C of one number of rounds with the best so far. */
static leman_status select_best(leman_context *ctx, const trials *t, lm_selection *selection, lm_grid_result *best)
{
    for (size_t c = 0; c < t->search->C_count; c++) {
        const double *decision = t->decision + c * t->graphs * t->outputs;
        double score;
        PASS(score_of(ctx, t, decision, &score));
        if (lm_selection_update(selection, t->rounds, score) != LM_IMPROVEMENT_BEST) continue;
        best->rounds = t->rounds;
        best->C = t->search->C[c];
        best->score = score;
        memcpy(best->decision, decision, t->graphs * t->outputs * sizeof *decision);
    }
    return LEMAN_OK;
}

/* ---- All rounds ------------------------------------------------------------------------------ */

static leman_status try_rounds(leman_context *ctx, trials *t)
{
    size_t folds = t->search->splits->folds, groups = (folds + t->together - 1) / t->together;
    uint64_t *cost;
    PASS_SCRATCH(ctx, cost, groups);
    for (size_t i = 0; i < groups; i++) cost[i] = 1;
    if (t->search->factory->max_rounds)
        lm_progress_rename(ctx, "training with %u of %u rounds", t->rounds, t->search->factory->max_rounds);
    else
        lm_progress_rename(ctx, "training");
    ctx->progress.done = (t->rounds - t->search->factory->min_rounds) * folds * t->search->C_count;
    return lm_thread_pool_run(ctx, cost, groups, t->search->factory->alone ? groups : 0, try_folds, t);
}

leman_status lm_grid_search_run(leman_context *ctx, const lm_grid_search *search, lm_grid_result *out)
{
    leman_status st = LEMAN_OK;
    const lm_estimator_factory *factory = search->factory;
    trials t = {.search = search,
                .graphs = search->all.count,
                .outputs = lm_estimator_outputs(factory, search->all.target, search->all.classes)};
    t.together = lm_estimators_together(factory, t.outputs, search->splits->folds, (size_t)lm_thread_pool_workers(ctx));
    lm_selection selection = {.lower = lm_score_is_error(search->score)};
    lm_grid_result best = {0};
    size_t cells, all, bytes;
    if (!lm_multiply(t.graphs, t.outputs, &cells) || !lm_multiply(cells, search->C_count, &all) ||
        !lm_multiply(all, sizeof(double), &bytes) || bytes > lm_budget(ctx))
        FAIL(ctx, LEMAN_ERROR_BUDGET, "the decisions of %zu SVM%s about %zu graph%s do not fit the memory budget",
             t.outputs, lm_plural(t.outputs), t.graphs, lm_plural(t.graphs));
    NEW(ctx, t.decision, all);
    NEW(ctx, best.decision, cells);
    /* One progress count for all numbers of rounds, so that the displayed time is that of the whole search. */
    lm_progress_begin(
        ctx, (factory->max_rounds - factory->min_rounds + UINT64_C(1)) * search->splits->folds * search->C_count,
        "training");
    for (t.rounds = factory->min_rounds; t.rounds <= factory->max_rounds; t.rounds++) {
        TRY(try_rounds(ctx, &t));
        TRY(select_best(ctx, &t, &selection, &best));
    }
    *out = best;
done:
    lm_release(t.decision);
    if (st) lm_release(best.decision);
    return st;
}
