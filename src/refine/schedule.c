/*
 * Refines many graphs, the largest first. A graph is refined alone, by all threads, if as many such graphs as threads
 * would not fit into half of the budget together. The other graphs are refined by one worker each, as many at a time as
 * threads. The other half of the budget is for the results of the visitors. The cost of a graph is known in advance
 * from its kept vertices, so nothing starts that does not fit.
 */
#include "base/ranks/ranks.h"
#include "graph/dataset.h"
#include "refine/device_choice.h"
#include "refine/engine.h"
#include <stdio.h>

typedef struct plan {
    uint64_t *cost;          /* [graphs] sort key, largest first: graphs of engines that work alone, then by tuples */
    lm_space_extent *extent; /* [graphs] */
    size_t alone;            /* number of graphs that are refined alone */
    uint64_t work;           /* tuples of all graphs */
    uint64_t large;          /* bytes of the largest graph */
    uint64_t usual;          /* bytes of the largest graph that is not refined alone */
} plan;

typedef struct refine_job {
    const leman_dataset *data;
    const leman_coloring *coloring;
    lm_refine_options options;
    lm_round_visitor *visit;
    void *state;
    const bool *mine;              /* [graphs] graphs of this rank; NULL: all */
    const lm_space_extent *extent; /* [graphs] */
} refine_job;

/* Larger graphs are refined alone. The first worker keeps the memory of the largest graph. */
static uint64_t max_beside(const lm_memory_limit *limit, uint64_t largest, uint64_t threads)
{
    uint64_t left = limit->budget > limit->held ? limit->budget - limit->held : 0;
    uint64_t rest = left > largest ? (left - largest) / (threads - 1) : 0;
    return rest < left / 2 / threads ? rest : left / 2 / threads;
}

/* Replaces p->cost, the bytes of each graph with one thread, by the sort keys. */
static void choose_alone(const leman_context *ctx, const leman_dataset *data, const leman_coloring *c, bool branches,
                         const lm_memory_limit *limit, const lm_space_extent *extent, plan *p)
{
    int threads = lm_thread_pool_workers(ctx);
    uint64_t max = threads > 1 ? max_beside(limit, p->large, (uint64_t)threads) : UINT64_MAX;
    for (size_t g = 0; g < data->graphs; g++) {
        uint64_t bytes = p->cost[g];
        bool alone = extent[g].engine->alone || bytes > max || (threads > 1 && extent[g].tuples > UINT64_C(1) << 26);
        if (alone && threads > 1) bytes = lm_refinement_bytes(extent + g, c, branches, threads);
        bytes = lm_saturating_add(bytes, LM_REFINE_SCRATCH);
        p->alone += alone;
        if (!alone && bytes > p->usual) p->usual = bytes;
        if (bytes > p->large) p->large = bytes;
        p->cost[g] = extent[g].tuples | (uint64_t)extent[g].engine->alone << 63;
    }
}

static leman_status make_plan(leman_context *ctx, const leman_dataset *data, const leman_coloring *c,
                              const lm_refine_options *options, plan *p)
{
    const lm_memory_limit limit = options->limit ? *options->limit : (lm_memory_limit){lm_budget(ctx), 0};
    const bool branches = options->branches;
    lm_space_extent *extent;
    *p = (plan){0};
    PASS_SCRATCH(ctx, p->cost, data->graphs);
    PASS_SCRATCH(ctx, extent, data->graphs);
    p->extent = extent;
    for (size_t g = 0; g < data->graphs; g++) {
        leman_graph graph = leman_dataset_graph(data, g);
        char name[32];
        snprintf(name, sizeof name, "graph %zu", data->first_graph + g);
        lm_demand demand = {name, .graphs = 1, .branches = branches, .held = limit.held, .budget = limit.budget};
        if (!branches) demand.team = lm_thread_pool_workers(ctx);
        PASS(lm_refinement_fits(ctx, &graph, c, true, &demand, extent + g));
        p->cost[g] = lm_refinement_bytes(extent + g, c, branches, 1);
        uint64_t bytes = lm_saturating_add(p->cost[g], LM_REFINE_SCRATCH);
        p->work = lm_saturating_add(p->work, extent[g].tuples);
        if (bytes > p->large) p->large = bytes;
    }
    choose_alone(ctx, data, c, branches, &limit, extent, p);
    return LEMAN_OK;
}

leman_status lm_refine_bytes(leman_context *ctx, const leman_dataset *data, const leman_coloring *c,
                             const lm_refine_options *options, uint64_t *bytes)
{
    SCRATCH_SCOPE(ctx);
    plan p;
    bool done;
    PASS(lm_device_run(ctx, &(lm_device_task){.data = data, .coloring = c, .expanded = true, .bytes = bytes}, &done));
    if (done) return LEMAN_OK;
    PASS(make_plan(ctx, data, c, options, &p));
    *bytes = lm_saturating_add(p.large, lm_saturating_multiply(p.usual, (uint64_t)lm_thread_pool_workers(ctx) - 1));
    return LEMAN_OK;
}

/* ---- One graph ------------------------------------------------------------------------------- */

static leman_status refine_one(lm_worker *worker, void *state, size_t graph)
{
    leman_status st = LEMAN_OK;
    const refine_job *j = state;
    const lm_engine *engine = j->extent[graph].engine;
    const lm_engine_task task = {.graph = leman_dataset_graph(j->data, graph),
                                 .number = graph,
                                 .shown = j->data->first_graph + graph,
                                 .coloring = *j->coloring,
                                 .branches = j->options.branches && j->coloring->rounds > 0,
                                 .expanded = j->options.expanded,
                                 .known = lm_vertex_rounds_from(&j->options.vertices, j->data->graph_start[graph]),
                                 .extent = j->extent + graph,
                                 .visit = j->visit,
                                 .state = j->state};
    void *run = NULL;
    bool more = !j->mine || j->mine[graph];
    if (more) TRY(engine->begin(worker, &task, &run));
    while (more) TRY(engine->round(worker, run, &more));
done:
    if (run) engine->end(run);
    return st;
}

/* ---- Ranks ----------------------------------------------------------------------------------- */

/* Sets *done to true if a device has refined the graphs of this rank. */
static leman_status refine_on_device(leman_context *ctx, const refine_job *j, bool *done)
{
    size_t *which = NULL;
    lm_device_task task = {.data = j->data,
                           .coloring = j->coloring,
                           .branches = j->options.branches,
                           .expanded = j->options.expanded,
                           .visit = j->visit,
                           .state = j->state};
    if (j->mine) PASS_SCRATCH(ctx, which, j->data->graphs);
    for (size_t g = 0; g < j->data->graphs && which; g++)
        if (j->mine[g]) which[task.graphs++] = g;
    task.which = which;
    return lm_device_run(ctx, &task, done);
}

/* Assigns graphs to ranks. The cost of a graph is its tuples and their neighbours in a round, n^k (1 + mean degree). */
static leman_status deal(leman_context *ctx, const leman_dataset *data, const leman_coloring *c, bool **out)
{
    uint64_t *cost;
    bool *mine;
    PASS_SCRATCH(ctx, mine, data->graphs);
    PASS_SCRATCH(ctx, cost, data->graphs);
    for (size_t g = 0; g < data->graphs; g++) {
        const leman_graph graph = leman_dataset_graph(data, g);
        const uint64_t degree = graph.vertices ? 1 + graph.arcs / graph.vertices : 1;
        cost[g] = lm_saturating_multiply(lm_power(graph.vertices, c->k), degree);
    }
    PASS(lm_ranks_deal(ctx, cost, data->graphs, mine));
    *out = mine;
    return LEMAN_OK;
}

leman_status lm_refine(leman_context *ctx, const leman_dataset *data, const leman_coloring *c,
                       const lm_refine_options *options, lm_round_visitor *visitor, void *state)
{
    SCRATCH_SCOPE(ctx);
    refine_job j = {data, c, *options, visitor, state, .mine = NULL};
    bool *mine = NULL, done;
    plan p;
    if (options->shared && lm_has_ranks(ctx)) PASS(deal(ctx, data, c, &mine));
    j.mine = mine;
    PASS(refine_on_device(ctx, &j, &done));
    if (done) return LEMAN_OK;
    PASS(make_plan(ctx, data, c, options, &p));
    j.extent = p.extent;
    if (mine) {
        p.work = 0;
        for (size_t g = 0; g < data->graphs; g++) p.work = lm_saturating_add(p.work, mine[g] ? p.extent[g].tuples : 0);
    }
    lm_progress_begin(ctx, lm_saturating_multiply(p.work, c->rounds + UINT64_C(1)), "colouring %s", data->name);
    return lm_thread_pool_run(ctx, p.cost, data->graphs, p.alone, refine_one, &j);
}
