/*
 * Many graphs, largest first. A graph so large that two of them, or the work of its threads, would not fit the budget
 * side by side is taken alone and refined by all threads; the rest is taken by one worker each, as many at a time as
 * threads. What a graph costs is known beforehand from its vertices up to twins: nothing starts that would not fit.
 */
#include "base/crew.h"
#include "graph/dataset.h"
#include "refine/refine.h"
#include <stdio.h>

typedef struct plan {
    uint64_t *tuples; /* [graphs] */
    size_t alone;     /* how many graphs are taken alone */
    uint64_t work;    /* tuples of all */
} plan;

typedef struct job {
    const leman_dataset *data;
    const leman_coloring *coloring;
    bool branches;
    lm_round_visitor *visit;
    void *state;
} job;

static leman_status make_plan(leman_context *ctx, const leman_dataset *data, const leman_coloring *c, bool branches,
                              plan *p)
{
    leman_status st = LEMAN_OK;
    uint64_t budget = lm_budget(ctx) / (branches ? 2 : 1); /* a branch needs as much again */
    int threads = lm_crew_workers(ctx);
    *p = (plan){0};
    SCRATCH(ctx, p->tuples, data->graphs);
    for (size_t g = 0; g < data->graphs; g++) {
        leman_graph graph = leman_dataset_graph(data, g);
        size_t kept;
        char name[32];
        snprintf(name, sizeof name, "graph %zu", g + 1);
        TRY(lm_refinement_fits(ctx, &graph, c, true, &(lm_demand){name, .graphs = 1, .budget = budget}, &kept));
        uint64_t bytes = lm_refinement_bytes(kept, c, 1);
        p->tuples[g] = lm_power(kept, c->k);
        p->alone += threads > 1 && (bytes > budget / (uint64_t)threads || p->tuples[g] > UINT64_C(1) << 26);
        p->work += p->tuples[g];
    }
done:
    return st;
}

static leman_status refine_one(lm_worker *worker, void *state, size_t graph)
{
    leman_status st = LEMAN_OK;
    const job *j = state;
    const leman_coloring *c = j->coloring;
    bool branches = j->branches && c->rounds > 0;
    leman_graph view = leman_dataset_graph(j->data, graph);
    lm_refinement r, b;
    TRY(lm_refinement_begin(worker->ctx, &view, c, true, worker->threads, &worker->watch, &r));
    if (branches) TRY(lm_branch_new(worker->ctx, &r, &b));
    for (uint32_t last = branches ? c->rounds - 1 : c->rounds;;) {
        TRY(j->visit(worker->ctx, j->state, worker->number, graph, &r));
        if (branches) {
            TRY(lm_branch_take(&r, &b));
            TRY(j->visit(worker->ctx, j->state, worker->number, graph, &b));
        }
        TRY(lm_worker_advance(worker, r.space.tuples));
        if (r.round == last) break;
        TRY(lm_refinement_step(&r, r.round + 1 == c->rounds));
    }
done:
    return st;
}

leman_status lm_refine_all(leman_context *ctx, const leman_dataset *data, const leman_coloring *c, bool branches,
                           lm_round_visitor *visit, void *state)
{
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    job j = {data, c, branches, visit, state};
    plan p;
    TRY(make_plan(ctx, data, c, branches, &p));
    lm_progress_begin(ctx, lm_saturating_multiply(p.work, c->rounds + UINT64_C(1)), "colouring %s", data->name);
    TRY(lm_crew_run(ctx, p.tuples, data->graphs, p.alone, refine_one, &j));
done:
    lm_arena_reset(&ctx->scratch, mark);
    return st;
}
