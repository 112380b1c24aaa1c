/*
 * Rounds one after the other, folds side by side, every fold along increasing C so that each training begins where the
 * last one ended. Memory: what the factory holds, and the decisions of one h for every C.
 */
#include "learn/choose.h"
#include "base/thread_pool.h"
#include "learn/splits.h"
#include "svm/linear.h"
#include "svm/svm.h"
#include <math.h>
#include <string.h>

/* All trainings with one number of rounds. */
typedef struct trials {
    const lm_choosing *q;
    uint32_t rounds;
    size_t graphs, outputs;
    double *decision; /* [C_count][graphs][outputs] */
} trials;

/* ---- One fold -------------------------------------------------------------------------------- */

/* All graphs but those of the test part, in the context's scratch. */
static leman_status training_set_without(leman_context *ctx, const lm_training_set *all, lm_part test,
                                         lm_training_set *out)
{
    leman_status st = LEMAN_OK;
    bool *tested;
    uint32_t *item, *label;
    double *target;
    size_t count = 0;
    SCRATCH(ctx, tested, all->count);
    SCRATCH(ctx, item, all->count);
    SCRATCH(ctx, label, all->count);
    SCRATCH(ctx, target, all->count);
    memset(tested, 0, all->count * sizeof *tested);
    for (size_t i = 0; i < test.count; i++) tested[test.graph[i]] = true;
    for (size_t g = 0; g < all->count; g++) {
        if (tested[g]) continue;
        item[count] = all->item[g];
        if (all->target)
            target[count++] = all->target[g];
        else
            label[count++] = all->label[g];
    }
    *out = (lm_training_set){item, label, all->target ? target : NULL, count, all->classes};
done:
    return st;
}

static leman_status try_fold(lm_worker *worker, void *state, size_t fold)
{
    leman_status st = LEMAN_OK;
    const trials *t = state;
    const lm_choosing *q = t->q;
    const lm_estimator_type *calls = q->factory->calls;
    lm_part test = lm_split_test(q->splits, fold);
    lm_training_set set;
    lm_estimator *estimator = NULL;
    double *decision;
    SCRATCH(worker->ctx, decision, test.count * t->outputs);
    TRY(training_set_without(worker->ctx, &q->all, test, &set));
    TRY(calls->open(worker->ctx, q->factory, t->rounds, &set, &estimator));
    for (size_t c = 0; c < q->C_count; c++) {
        TRY(calls->train(estimator, q->C[c], &worker->cancellation));
        TRY(calls->decide(estimator, test.graph, test.count, decision));
        for (size_t i = 0; i < test.count; i++)
            memcpy(t->decision + (c * t->graphs + test.graph[i]) * t->outputs, decision + i * t->outputs,
                   t->outputs * sizeof *decision);
        TRY(lm_worker_advance(worker, 1));
    }
done:
    if (estimator) calls->close(estimator);
    return st;
}

/* ---- Scores ---------------------------------------------------------------------------------- */

static double score(const trials *t, const double *decision)
{
    const lm_training_set *all = &t->q->all;
    bool pairs = t->q->factory->calls->machines == LM_ONE_VS_ONE;
    double sum = 0;
    for (size_t g = 0; g < t->graphs; g++) {
        const double *own = decision + g * t->outputs;
        if (all->target)
            sum += fabs(own[0] - all->target[g]);
        else
            sum += (pairs ? lm_svm_vote(own, all->classes) : lm_linear_class(all->classes, own)) == all->label[g];
    }
    return sum / (double)t->graphs * (all->target ? 1 : 100);
}

/* Takes over what is better than the best so far; rounds and C increase. */
static void compare(const trials *t, bool first, lm_choice *best)
{
    for (size_t c = 0; c < t->q->C_count; c++) {
        const double *decision = t->decision + c * t->graphs * t->outputs;
        double found = score(t, decision);
        bool better = t->q->all.target ? found < best->score : found > best->score;
        if (!(first && !c) && !better && !(found == best->score && best->rounds == t->rounds)) continue;
        best->rounds = t->rounds;
        best->C = t->q->C[c];
        best->score = found;
        memcpy(best->decision, decision, t->graphs * t->outputs * sizeof *decision);
    }
}

/* ---- All rounds ------------------------------------------------------------------------------ */

static leman_status try_rounds(leman_context *ctx, trials *t)
{
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    size_t folds = t->q->splits->folds;
    uint64_t *cost;
    SCRATCH(ctx, cost, folds);
    for (size_t i = 0; i < folds; i++) cost[i] = 1;
    lm_progress_begin(ctx, folds * t->q->C_count, "training with %u of %u rounds", t->rounds,
                      t->q->factory->max_rounds);
    TRY(lm_thread_pool_run(ctx, cost, folds, 0, try_fold, t));
done:
    lm_arena_reset(&ctx->scratch, mark);
    return st;
}

leman_status lm_choose(leman_context *ctx, const lm_choosing *q, lm_choice *out)
{
    leman_status st = LEMAN_OK;
    const lm_estimator_factory *factory = q->factory;
    trials t = {.q = q, .graphs = q->all.count, .outputs = lm_choosing_outputs(q)};
    lm_choice best = {0};
    size_t cells, all, bytes;
    if (!lm_multiply(t.graphs, t.outputs, &cells) || !lm_multiply(cells, q->C_count, &all) ||
        !lm_multiply(all, sizeof(double), &bytes) || bytes > lm_budget(ctx))
        FAIL(ctx, LEMAN_ERROR_BUDGET, "the decisions of %zu machines about %zu graphs do not fit the memory budget",
             t.outputs, t.graphs);
    NEW(ctx, t.decision, all);
    NEW(ctx, best.decision, cells);
    for (t.rounds = factory->min_rounds; t.rounds <= factory->max_rounds; t.rounds++) {
        TRY(try_rounds(ctx, &t));
        compare(&t, t.rounds == factory->min_rounds, &best);
    }
    *out = best;
done:
    lm_free(ctx, t.decision);
    if (st) lm_free(ctx, best.decision);
    return st;
}
