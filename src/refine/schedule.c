/*
 * Many graphs, largest first. A graph so large that two of them, or the work of its threads, would not fit the budget
 * side by side is taken alone and refined by all threads; the rest is taken by one worker each, as many at a time as
 * threads. What a graph costs is known beforehand from its vertices up to twins: nothing starts that would not fit.
 */
#include "base/sort.h"
#include "graph/dataset.h"
#include "refine/refine.h"
#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

typedef struct plan {
    lm_pair *order; /* [graphs] (cost in tuples, inverted so that the largest comes first; graph) */
    size_t alone;   /* how many of them are taken alone */
    uint64_t work;  /* tuples of all */
} plan;

typedef struct crew {
    leman_context *ctx;
    leman_context *member; /* [workers] contexts of their own: scratch, message */
    int count;
    leman_status status; /* the first failure, of the lowest worker */
    atomic_bool stop;
    atomic_size_t next;    /* graph to take, in the plan's order */
    _Atomic uint64_t done; /* tuples */
    atomic_int idle;       /* workers that have no graph left */
} crew;

int lm_refine_workers(const leman_context *ctx)
{
    return ctx->settings.threads;
}

/* ---- The plan --------------------------------------------------------------------------------------------- */

static leman_status make_plan(leman_context *ctx, const leman_dataset *data, const leman_coloring *c, bool branches,
                              plan *p)
{
    leman_status st = LEMAN_OK;
    uint64_t budget = lm_budget(ctx) / (branches ? 2 : 1); /* a branch needs as much again */
    int threads = ctx->settings.threads;
    lm_pair *spare;
    SCRATCH(ctx, p->order, data->graphs);
    SCRATCH(ctx, spare, data->graphs);
    p->alone = 0;
    p->work = 0;
    for (size_t g = 0; g < data->graphs; g++) {
        leman_graph graph = leman_dataset_graph(data, g);
        size_t kept;
        char name[32];
        snprintf(name, sizeof name, "graph %zu", g + 1);
        TRY(lm_refinement_fits(ctx, &graph, c, true, &(lm_demand){name, .graphs = 1, .budget = budget}, &kept));
        uint64_t bytes = lm_refinement_bytes(kept, c, 1);
        uint64_t tuples = lm_power(kept, c->k);
        p->alone += threads > 1 && (bytes > budget / (uint64_t)threads || tuples > UINT64_C(1) << 26);
        p->work += tuples;
        p->order[g] = (lm_pair){~tuples, g};
    }
    lm_sort_pairs(p->order, spare, data->graphs, 1);
done:
    return st;
}

/* ---- The crew --------------------------------------------------------------------------------------------- */

static leman_status crew_new(leman_context *ctx, crew *team)
{
    leman_status st = LEMAN_OK;
    *team = (crew){.ctx = ctx, .count = lm_refine_workers(ctx)};
    SCRATCH(ctx, team->member, (size_t)team->count);
    for (int i = 0; i < team->count; i++) {
        team->member[i] = *ctx;
        lm_arena_init(&team->member[i].scratch, &ctx->allocator);
        team->member[i].scratch.keeps = true;
        team->member[i].settings.progress = NULL; /* the caller's thread reports for all */
    }
done:
    return st;
}

static void crew_free(crew *team)
{
    for (int i = 0; i < team->count && team->member; i++) lm_arena_free(&team->member[i].scratch);
}

/* Keeps the sentence of a failure and stops the others. Being cancelled has left its sentence in place. */
static void give_up(crew *team, int worker, leman_status st)
{
#pragma omp critical(lm_schedule_failure)
    if (!team->status) {
        team->status = st;
        if (st != LEMAN_ERROR_CANCELLED)
            memcpy(team->ctx->message, team->member[worker].message, sizeof team->ctx->message);
    }
    atomic_store(&team->stop, true);
}

/* The caller's thread tells how far everybody is; false when it is time to stop. */
static bool may_go_on(crew *team, int worker)
{
    if (worker == 0 && !atomic_load(&team->stop)) {
        leman_status st = lm_progress_step(team->ctx, atomic_load(&team->done));
        if (st) {
            team->status = st;
            atomic_store(&team->stop, true);
        }
    }
    return !atomic_load(&team->stop);
}

static leman_status refine_one(crew *team, int worker, const leman_dataset *data, size_t graph, const leman_coloring *c,
                               bool branches, int threads, lm_round_visitor *visit, void *state)
{
    leman_status st = LEMAN_OK;
    leman_context *ctx = team->member + worker;
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    leman_graph view = leman_dataset_graph(data, graph);
    lm_refinement r, b;
    lm_watch watch = lm_watch_of(worker ? NULL : team->ctx, &team->stop); /* worker 0 is the caller's thread */
    TRY(lm_refinement_begin(ctx, &view, c, true, threads, &watch, &r));
    branches &= c->rounds > 0;
    if (branches) TRY(lm_branch_new(ctx, &r, &b));
    for (uint32_t last = branches ? c->rounds - 1 : c->rounds;;) {
        TRY(visit(ctx, state, worker, graph, &r));
        if (branches) {
            TRY(lm_branch_take(&r, &b));
            TRY(visit(ctx, state, worker, graph, &b));
        }
        atomic_fetch_add(&team->done, r.space.tuples);
        if (r.round == last || !may_go_on(team, worker)) break;
        TRY(lm_refinement_step(&r, r.round + 1 == c->rounds));
    }
done:
    lm_arena_reset(&ctx->scratch, mark);
    return st;
}

/* The caller's thread has no graph left: it goes on asking while the others work. */
static void wait_for_others(crew *team)
{
    static const struct timespec MOMENT = {.tv_nsec = 200000};
    while (atomic_load(&team->idle) < omp_get_num_threads() && may_go_on(team, 0)) nanosleep(&MOMENT, NULL);
}

leman_status lm_refine_all(leman_context *ctx, const leman_dataset *data, const leman_coloring *c, bool branches,
                           lm_round_visitor *visit, void *state)
{
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    plan p;
    crew team = {0};
    TRY(make_plan(ctx, data, c, branches, &p));
    TRY(crew_new(ctx, &team));
    lm_progress_begin(ctx, lm_saturating_multiply(p.work, c->rounds + UINT64_C(1)), "colouring %s", data->name);

    for (size_t i = 0; i < p.alone && !team.status; i++) {
        leman_status one = refine_one(&team, 0, data, p.order[i].payload, c, branches, team.count, visit, state);
        if (one) give_up(&team, 0, one);
    }
    atomic_store(&team.next, p.alone);
#pragma omp parallel num_threads(team.count) if (team.count > 1 && data->graphs > p.alone + 1)
    {
        int worker = omp_get_thread_num();
        while (!atomic_load(&team.stop)) {
            size_t i = atomic_fetch_add(&team.next, 1);
            if (i >= data->graphs) break;
            leman_status one = refine_one(&team, worker, data, p.order[i].payload, c, branches, 1, visit, state);
            if (one) give_up(&team, worker, one);
        }
        atomic_fetch_add(&team.idle, 1);
        if (worker == 0) wait_for_others(&team);
    }
    st = team.status;
done:
    crew_free(&team);
    lm_arena_reset(&ctx->scratch, mark);
    return st;
}
