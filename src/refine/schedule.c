/*
 * Many graphs, largest first. A graph so large that two of them, or the work of its threads, would not fit the budget
 * side by side is taken alone and refined by all threads; the rest is taken by one worker each, as many at a time as
 * threads. What a graph costs is known beforehand from its vertices up to twins: nothing starts that would not fit.
 */
#include "base/crew.h"
#include "graph/dataset.h"
#include "refine/refine.h"

typedef struct plan {
    uint64_t *tuples; /* [graphs] */
    size_t alone;     /* how many graphs are taken alone */
    uint64_t work;    /* tuples of all */
} plan;

typedef struct job {
    const leman_dataset *data;
    const leman_coloring *coloring;
    lm_round_visitor *visit;
    void *state;
} job;

int lm_refine_workers(const leman_context *ctx)
{
    return lm_crew_workers(ctx);
}

static leman_status make_plan(leman_context *ctx, const leman_dataset *data, const leman_coloring *c, plan *p)
{
    leman_status st = LEMAN_OK;
    uint64_t budget = lm_budget(ctx);
    int threads = lm_crew_workers(ctx);
    *p = (plan){0};
    SCRATCH(ctx, p->tuples, data->graphs);
    for (size_t g = 0; g < data->graphs; g++) {
        leman_graph graph = leman_dataset_graph(data, g);
        size_t kept;
        TRY(lm_refinement_fits(ctx, &graph, g, c, true, budget, &kept));
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
    leman_graph view = leman_dataset_graph(j->data, graph);
    lm_refinement r;
    TRY(lm_refinement_begin(worker->ctx, &view, j->coloring, true, worker->threads, &worker->watch, &r));
    for (;;) {
        TRY(j->visit(worker->ctx, j->state, worker->number, graph, &r));
        TRY(lm_worker_advance(worker, r.space.tuples));
        if (r.round == j->coloring->rounds) break;
        TRY(lm_refinement_step(&r, r.round + 1 == j->coloring->rounds));
    }
done:
    return st;
}

leman_status lm_refine_all(leman_context *ctx, const leman_dataset *data, const leman_coloring *c,
                           lm_round_visitor *visit, void *state)
{
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    job j = {data, c, visit, state};
    plan p;
    TRY(make_plan(ctx, data, c, &p));
    lm_progress_begin(ctx, lm_saturating_multiply(p.work, c->rounds + UINT64_C(1)), "colouring %s", data->name);
    TRY(lm_crew_run(ctx, p.tuples, data->graphs, p.alone, refine_one, &j));
done:
    lm_arena_reset(&ctx->scratch, mark);
    return st;
}
