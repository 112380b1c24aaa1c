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
    leman_coloring coloring;
    bool as_union;
    uint64_t *tuples, *bytes; /* [pairs] */
    leman_difference *difference;
} pairs_job;

typedef struct pair {
    leman_graph graph[2];
    const leman_graph *both[2];
} pair;

static void pair_of(const leman_dataset *data, size_t number, pair *p)
{
    for (size_t i = 0; i < 2; i++) {
        p->graph[i] = leman_dataset_graph(data, 2 * number + i);
        p->both[i] = p->graph + i;
    }
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
        pair p;
        char of[32];
        lm_pair_cost cost;
        pair_of(j->data, i, &p);
        snprintf(of, sizeof of, " of pair %zu", i);
        PASS(lm_pair_fits(ctx, p.both, &j->coloring, j->as_union, of, budget, &cost));
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
    pair p;
    pair_of(j->data, number, &p);
    lm_arena_reserve(&worker->ctx->scratch, j->bytes[number]);
    PASS(lm_pair_distinguish(worker->ctx, p.both, &j->coloring, j->as_union, worker->threads, &worker->cancellation,
                             j->difference + number));
    return lm_worker_advance(worker, j->tuples[number]);
}

static leman_status distinguish_all(leman_context *ctx, pairs_job *j, size_t pairs, leman_difference *difference)
{
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    size_t alone;
    uint64_t work;
    SCRATCH(ctx, j->difference, pairs);
    TRY(plan_pairs(ctx, j, pairs, &alone, &work));
    lm_progress_begin(ctx, work, "distinguishing %zu pair%s", pairs, lm_plural(pairs));
    TRY(lm_thread_pool_run(ctx, j->tuples, pairs, alone, distinguish_pair, j));
    for (size_t i = 0; i < pairs; i++) difference[i] = j->difference[i];
done:
    lm_arena_reset(&ctx->scratch, mark);
    return st;
}

leman_status leman_distinguish_pairs(leman_context *ctx, const leman_dataset *data, const leman_coloring *coloring,
                                     bool as_union, leman_difference *difference)
{
    pairs_job j = {.data = data, .as_union = as_union};
    REQUIRE(ctx, data, difference);
    if (data->graphs % 2)
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s has %zu graph%s, expected pairs", data->name, data->graphs,
                       lm_plural(data->graphs));
    PASS(lm_coloring_given(ctx, coloring, &j.coloring));
    return distinguish_all(ctx, &j, data->graphs / 2, difference);
}
