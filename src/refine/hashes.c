/*
 * A hash for each graph of a data set: of the colours of its last round with their counts, and of the number of that round.
 * Two graphs get the same hash exactly if the colouring does not distinguish them, up to collisions.
 *
 * With LEMAN_STABLE the last round is the one that splits no class, not the round before it: K_4 and C_4 have one class
 * each in round 0 of colour refinement, and only the colours of round 1 differ. If two graphs have the same colours
 * equally often in a round that splits no class, the colours of all later rounds are equal, too: that round translates the
 * colours of the round before one by one, and what a colour sees is translated with it.
 *
 * Graphs are refined in parallel, the largest first; a graph that leaves no memory for others is refined alone.
 */
#include "base/arguments.h"
#include "base/hash.h"
#include "base/sort.h"
#include "base/thread_pool.h"
#include "graph/dataset.h"
#include "refine/distinguish.h"
#include <stdio.h>

enum {
    ALONE = 1 << 26, /* graphs with more tuples are refined by all threads */
    CLASS_WORDS = 2 * sizeof(lm_pair) / sizeof(uint64_t)
};

typedef struct hash_job {
    const leman_dataset *data;
    const size_t *which;
    leman_coloring coloring;
    uint64_t *tuples, *bytes; /* [count] */
    leman_graph_hash *hash;
} hash_job;

static size_t graph_of(const hash_job *j, size_t item)
{
    return j->which ? j->which[item] : item;
}

/* The classes are sorted, so a chained hash is determined by them. Two chains with different beginnings are 128 bits. */
static void hash_classes(const lm_pair *pair, size_t count, uint32_t round, uint64_t hash[2])
{
    for (unsigned chain = 0; chain < 2; chain++) {
        uint64_t h = lm_mix(lm_multiplier(chain) + round);
        for (size_t i = 0; i < count; i++) {
            h = lm_mix(h + pair[i].key * lm_multiplier(2 + chain));
            h = lm_mix(h + pair[i].payload * lm_multiplier(4 + chain));
        }
        hash[chain] = h;
    }
}

leman_status lm_hash_cost(leman_context *ctx, const leman_graph *graph, const leman_coloring *c, const char *name,
                          uint64_t budget, lm_pair_cost *cost)
{
    lm_space_extent extent;
    const lm_demand demand = {name, .graphs = 1, .class_words = CLASS_WORDS, .budget = budget};
    const leman_status st = lm_refinement_fits(ctx, graph, c, true, &demand, &extent);
    if (st && st != LEMAN_ERROR_BUDGET) return st;
    cost->tuples = extent.tuples;
    cost->bytes = lm_saturating_add(lm_refinement_bytes(&extent, c, false, 1),
                                    lm_saturating_multiply(CLASS_WORDS * sizeof(uint64_t), extent.orbits));
    return st;
}

static leman_status hash_graph(lm_worker *worker, void *state, size_t item)
{
    const hash_job *j = state;
    leman_context *ctx = worker->ctx;
    const leman_coloring *c = &j->coloring;
    const leman_graph graph = leman_dataset_graph(j->data, graph_of(j, item));
    const lm_refinement_options options = {true, worker->threads, &worker->cancellation, .extent = NULL};
    lm_refinement r;
    lm_pair *pair, *spare;
    lm_arena_reserve(&ctx->scratch, j->bytes[item]);
    PASS(lm_refinement_begin(ctx, &graph, c, &options, &r));
    while (!lm_refinement_ended(&r)) {
        PASS(lm_refinement_step(&r));
        PASS(lm_worker_advance(worker, 0));
    }
    PASS_SCRATCH(ctx, pair, lm_space_orbits(&r.space));
    PASS_SCRATCH(ctx, spare, lm_space_orbits(&r.space));
    const size_t classes = lm_refinement_classes(&r, pair, spare);
    hash_classes(pair, classes, r.round, j->hash[item].hash);
    j->hash[item].stable_round = r.stable ? (int64_t)r.round - 1 : -1;
    return lm_worker_advance(worker, j->tuples[item]);
}

leman_status lm_hash_graphs(leman_context *ctx, const leman_dataset *data, const size_t *which, size_t count,
                            const leman_coloring *c, leman_graph_hash *hash)
{
    SCRATCH_SCOPE(ctx);
    hash_job j = {.data = data, .which = which, .coloring = *c};
    const uint64_t budget = lm_budget(ctx), threads = (uint64_t)lm_thread_pool_workers(ctx);
    uint64_t work = 0;
    size_t alone = 0;
    PASS_SCRATCH(ctx, j.tuples, count);
    PASS_SCRATCH(ctx, j.bytes, count);
    PASS_SCRATCH(ctx, j.hash, count);
    for (size_t i = 0; i < count; i++) {
        const leman_graph graph = leman_dataset_graph(data, graph_of(&j, i));
        lm_pair_cost cost;
        char name[32];
        snprintf(name, sizeof name, "graph %zu", data->first_graph + graph_of(&j, i));
        PASS(lm_hash_cost(ctx, &graph, c, name, budget, &cost));
        alone += threads > 1 && (cost.bytes > budget / threads || cost.tuples > ALONE);
        j.tuples[i] = cost.tuples;
        j.bytes[i] = cost.bytes;
        work = lm_saturating_add(work, cost.tuples);
    }
    lm_progress_begin(ctx, work, "colouring %zu graph%s", count, lm_plural(count));
    PASS(lm_thread_pool_run(ctx, j.tuples, count, alone, hash_graph, &j));
    for (size_t i = 0; i < count; i++) hash[i] = j.hash[i];
    return LEMAN_OK;
}

leman_status leman_graph_hashes(leman_context *ctx, const leman_dataset *data, const leman_coloring *coloring,
                                leman_graph_hash *hash)
{
    leman_coloring c;
    REQUIRE(ctx, data, hash);
    PASS(lm_coloring_given(ctx, coloring, &c));
    return lm_hash_graphs(ctx, data, NULL, data->graphs, &c, hash);
}
