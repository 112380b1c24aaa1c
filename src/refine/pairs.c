/*
 * Distinguishes many pairs of graphs, the largest first. A pair that leaves no memory for another one is compared by
 * all threads; every other pair is compared by one worker.
 */
#include "base/arguments.h"
#include "base/thread_pool.h"
#include "graph/dataset.h"
#include "refine/distinguish.h"
#include <stdio.h>

enum { ALONE = 1 << 26 }; /* pairs with more tuples are compared by all threads */

typedef struct pairs_job {
    const leman_dataset *data;
    const size_t *which; /* numbers of the pairs; NULL: all */
    leman_coloring coloring;
    bool as_union;
    uint64_t *tuples, *bytes; /* [pairs] */
    leman_difference *difference;
} pairs_job;

static void graphs_of(const pairs_job *j, size_t item, leman_graph pair[2])
{
    const size_t number = j->which ? j->which[item] : item;
    for (size_t i = 0; i < 2; i++) pair[i] = leman_dataset_graph(j->data, 2 * number + i);
}

/* Checks that every pair fits before any work. *alone: number of costliest pairs that are compared alone, by all
 * threads. *work: tuples of all pairs. */
static leman_status plan_pairs(leman_context *ctx, pairs_job *j, size_t pairs, size_t *alone, uint64_t *work)
{
    uint64_t budget = lm_budget(ctx), threads = (uint64_t)lm_thread_pool_workers(ctx);
    PASS_SCRATCH(ctx, j->tuples, pairs);
    PASS_SCRATCH(ctx, j->bytes, pairs);
    *alone = 0;
    *work = 0;
    for (size_t i = 0; i < pairs; i++) {
        leman_graph pair[2];
        char of[32];
        lm_pair_cost cost;
        graphs_of(j, i, pair);
        snprintf(of, sizeof of, " of pair %zu", j->which ? j->which[i] : i);
        PASS(lm_pair_fits(ctx, pair, &j->coloring, j->as_union, of, budget, &cost));
        *alone += threads > 1 && (cost.bytes > budget / threads || cost.tuples > ALONE);
        *work += cost.tuples;
        j->tuples[i] = cost.tuples;
        j->bytes[i] = cost.bytes;
    }
    return LEMAN_OK;
}

static leman_status distinguish_pair(lm_worker *worker, void *state, size_t number)
{
    const pairs_job *j = state;
    leman_graph pair[2];
    graphs_of(j, number, pair);
    lm_arena_reserve(&worker->ctx->scratch, j->bytes[number]);
    PASS(lm_pair_distinguish(worker->ctx, pair, &j->coloring, j->as_union, worker->threads, &worker->cancellation,
                             j->difference + number));
    return lm_worker_advance(worker, j->tuples[number]);
}

leman_status lm_distinguish_pairs(leman_context *ctx, const leman_dataset *data, const size_t *which, size_t pairs,
                                  const leman_coloring *c, bool as_union, leman_difference *difference)
{
    SCRATCH_SCOPE(ctx);
    pairs_job j = {.data = data, .which = which, .coloring = *c, .as_union = as_union};
    size_t alone;
    uint64_t work;
    PASS_SCRATCH(ctx, j.difference, pairs);
    PASS(plan_pairs(ctx, &j, pairs, &alone, &work));
    lm_progress_begin(ctx, work, "distinguishing %zu pair%s", pairs, lm_plural(pairs));
    PASS(lm_thread_pool_run(ctx, j.tuples, pairs, alone, distinguish_pair, &j));
    for (size_t i = 0; i < pairs; i++) difference[i] = j.difference[i];
    return LEMAN_OK;
}

leman_status leman_distinguish_pairs(leman_context *ctx, const leman_dataset *data, const leman_coloring *coloring,
                                     bool as_union, leman_difference *difference)
{
    leman_coloring c;
    REQUIRE(ctx, data, difference);
    if (data->graphs % 2)
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s has %zu graph%s, expected pairs", data->name, data->graphs,
                       lm_plural(data->graphs));
    PASS(lm_coloring_given(ctx, coloring, &c));
    return lm_distinguish_pairs(ctx, data, NULL, data->graphs / 2, &c, as_union, difference);
}
