/*
 * A hash of 128 bits for each graph of a data set, as docs/color_definition.md defines it (lm1): two streams of 64 bits,
 * which differ in the seed of all colours. Two graphs get the same hash exactly if the colouring does not distinguish
 * them, up to collisions; a collision of 64-bit colours merges graphs only if it occurs in both streams.
 *
 * With LEMAN_STABLE the last round is the one that splits no class, not the round before it: K_4 and C_4 have one class
 * each in round 0 of colour refinement, and only the colours of round 1 differ. If two graphs have the same colours
 * equally often in a round that splits no class, the colours of all later rounds are equal, too: that round translates the
 * colours of the round before one by one, and what a colour sees is translated with it.
 *
 * Graphs are refined in parallel, the largest first; a graph that leaves no memory for others is refined alone. Small
 * graphs with k = 1 are refined in blocks (small_hashes.c).
 */
#include "base/arguments.h"
#include "base/hash.h"
#include "base/thread_pool.h"
#include "graph/dataset.h"
#include "refine/distinguish.h"
#include "refine/small_hashes.h"
#include <inttypes.h>
#include <stdio.h>

enum { ALONE = 1 << 26 /* graphs with more tuples are refined by all threads */ };

/* What one thread does at a time: a stream of a graph, or a block of small graphs. */
typedef struct hash_item {
    size_t first, count; /* places in the list of graphs */
    unsigned stream;     /* of a graph that is not small */
    bool small, by_classes;
    uint64_t arcs, bytes;
} hash_item;

typedef struct hash_job {
    const leman_dataset *data;
    const size_t *which;
    leman_coloring coloring;
    unsigned streams;
    hash_item *item;  /* [count * streams], of which `items` are used */
    uint64_t *tuples; /* likewise */
    size_t items;
    leman_graph_hash *hash; /* [count] */
} hash_job;

static size_t graph_of(const hash_job *j, size_t place)
{
    return j->which ? j->which[place] : place;
}

/* The hash of one stream: of the multiset of (colour, number of tuples), the number of vertices, the round and whether
 * the graph is directed. A class of tuples has `colors` different colours, each on the same number of tuples. The array
 * of the next round is free, and is scratch for the colours of a class. */
static uint64_t hash_round(const lm_refinement *r, const leman_graph *graph)
{
    const lm_histogram *h = &r->histogram;
    uint64_t sum = r->coloring.seed;
    for (size_t i = 0; i < h->count; i++) {
        const uint64_t tuples = h->orbits[i] * h->orbit[i].times;
        const size_t colors = lm_orbit_colors(&r->space, r->colors, h->tuple[i], r->next);
        for (size_t j = 0; j < colors; j++)
            sum = lm_multiset_add(sum, lm_mix(r->next[j]) + tuples * lm_multiplier_of(LM_GRAPH_HASH, 0));
    }
    sum = lm_mix(sum + graph->vertices * lm_multiplier_of(LM_GRAPH_HASH, 1));
    return lm_mix(sum + (2 * (uint64_t)r->round + graph->directed) * lm_multiplier_of(LM_GRAPH_HASH, 2));
}

leman_status lm_hash_cost(leman_context *ctx, const leman_graph *graph, const leman_coloring *c, const char *name,
                          uint64_t budget, lm_pair_cost *cost)
{
    lm_space_extent extent;
    const lm_demand demand = {name, .graphs = 1, .by_classes = true, .budget = budget};
    const leman_status st = lm_refinement_fits(ctx, graph, c, true, &demand, &extent);
    if (st && st != LEMAN_ERROR_BUDGET) return st;
    cost->tuples = extent.tuples;
    cost->bytes = lm_refinement_bytes(&extent, c, false, 1);
    cost->by_classes = extent.by_classes;
    return st;
}

/* Refines the graph by the colours of one stream, and writes that half of its hash. */
static leman_status hash_stream(lm_worker *worker, const hash_job *j, const hash_item *item)
{
    leman_context *ctx = worker->ctx;
    SCRATCH_SCOPE(ctx);
    const leman_graph graph = leman_dataset_graph(j->data, graph_of(j, item->first));
    const lm_refinement_options options = {true, worker->threads, &worker->cancellation, .extent = NULL,
                                           .by_classes = item->by_classes};
    leman_graph_hash *hash = j->hash + item->first;
    leman_coloring c = j->coloring;
    lm_refinement r;
    c.seed += item->stream * LEMAN_HASH_SEED;
    PASS(lm_refinement_begin(ctx, &graph, &c, &options, &r));
    while (!lm_refinement_ended(&r)) {
        PASS(lm_refinement_step(&r));
        PASS(lm_worker_advance(worker, 0));
    }
    hash->hash[item->stream] = hash_round(&r, &graph);
    if (!item->stream) hash->stable_round = r.stable ? (int64_t)r.round - 1 : -1;
    return LEMAN_OK;
}

static leman_status hash_one_item(lm_worker *worker, void *state, size_t number)
{
    const hash_job *j = state;
    const hash_item *item = j->item + number;
    lm_arena_reserve(&worker->ctx->scratch, item->bytes);
    if (item->small)
        PASS(lm_small_hashes(worker->ctx, j->data, graph_of(j, item->first), item->count, &j->coloring, j->streams,
                             j->hash + item->first));
    else
        PASS(hash_stream(worker, j, item));
    return lm_worker_advance(worker, j->tuples[number]);
}

/* Adds a small graph to the last item, if that is a block that ends before the graph and has room, or begins another. */
static void add_small(hash_job *j, size_t place, const leman_graph *graph)
{
    hash_item *last = j->items ? j->item + j->items - 1 : NULL;
    if (last && last->small && j->tuples[j->items - 1] + graph->vertices <= LM_SMALL_VERTICES &&
        last->arcs + graph->arcs <= LM_SMALL_ARCS && graph_of(j, place) == graph_of(j, place - 1) + 1) {
        last->count++;
        last->arcs += graph->arcs;
        j->tuples[j->items - 1] += graph->vertices;
        return;
    }
    j->item[j->items] = (hash_item){.first = place, .count = 1, .small = true, .arcs = graph->arcs};
    j->tuples[j->items++] = graph->vertices;
}

/* Divides the graphs into items. Returns, in *alone, how many of them must be processed alone. */
static leman_status list_items(leman_context *ctx, hash_job *j, size_t count, size_t *alone)
{
    const uint64_t budget = lm_budget(ctx), threads = (uint64_t)lm_thread_pool_workers(ctx);
    for (size_t i = 0; i < count; i++) {
        const leman_graph graph = leman_dataset_graph(j->data, graph_of(j, i));
        lm_pair_cost cost;
        char name[32];
        if (lm_hash_is_small(&graph, &j->coloring)) {
            add_small(j, i, &graph);
            continue;
        }
        snprintf(name, sizeof name, "graph %zu", j->data->first_graph + graph_of(j, i));
        PASS(lm_hash_cost(ctx, &graph, &j->coloring, name, budget, &cost));
        for (unsigned stream = 0; stream < j->streams; stream++) {
            *alone += threads > 1 && (cost.bytes > budget / threads || cost.tuples > ALONE);
            j->item[j->items] = (hash_item){
                .first = i, .count = 1, .stream = stream, .by_classes = cost.by_classes, .bytes = cost.bytes};
            j->tuples[j->items++] = cost.tuples;
        }
    }
    return LEMAN_OK;
}

leman_status lm_hash_graphs(leman_context *ctx, const leman_dataset *data, const size_t *which, size_t count,
                            const leman_coloring *c, unsigned streams, leman_graph_hash *hash)
{
    SCRATCH_SCOPE(ctx);
    hash_job j = {.data = data, .which = which, .coloring = *c, .streams = streams};
    uint64_t work = 0;
    size_t alone = 0;
    PASS_SCRATCH(ctx, j.item, count * streams);
    PASS_SCRATCH(ctx, j.tuples, count * streams);
    PASS_SCRATCH_ZERO(ctx, j.hash, count);
    PASS(list_items(ctx, &j, count, &alone));
    for (size_t i = 0; i < j.items; i++) work = lm_saturating_add(work, j.tuples[i]);
    lm_progress_begin(ctx, work, "colouring %zu graph%s", count, lm_plural(count));
    PASS(lm_thread_pool_run(ctx, j.tuples, j.items, alone, hash_one_item, &j));
    for (size_t i = 0; i < count; i++) hash[i] = j.hash[i];
    return LEMAN_OK;
}

leman_status leman_graph_hashes(leman_context *ctx, const leman_dataset *data, const leman_coloring *coloring,
                                leman_graph_hash *hash)
{
    leman_coloring c;
    REQUIRE(ctx, data, hash);
    PASS(lm_coloring_given(ctx, coloring, &c));
    return lm_hash_graphs(ctx, data, NULL, data->graphs, &c, 2, hash);
}

size_t leman_graph_hash_text(const leman_graph_hash *hash, char *text, size_t size)
{
    const int length = hash ? snprintf(text, size, "lm1:%016" PRIx64 "%016" PRIx64, hash->hash[0], hash->hash[1]) : 0;
    if (!hash && size) *text = '\0';
    return (size_t)length;
}
