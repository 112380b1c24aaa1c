/* Many items spread over workers. */
#include "base/crew.h"
#include "base/sort.h"
#include <omp.h>
#include <string.h>
#include <time.h>

struct lm_crew {
    leman_context *ctx;
    leman_context *member; /* [count] contexts of their own */
    int count;
    lm_pair *order; /* [items] (cost inverted, so that the costliest comes first; item) */
    size_t items;
    lm_task *task;
    void *state;

    leman_status status; /* the first failure */
    int failed;          /* whose it was */
    atomic_bool stop;
    atomic_size_t next;    /* place in the order that nobody has taken */
    _Atomic uint64_t done; /* of the progress */
    atomic_int idle;       /* workers that have no item left */
};

int lm_crew_workers(const leman_context *ctx)
{
    return ctx->settings.threads;
}

/* ---- Making and ending ----------------------------------------------------------------------- */

static leman_status hire(leman_context *ctx, lm_crew *crew)
{
    leman_status st = LEMAN_OK;
    SCRATCH(ctx, crew->member, (size_t)crew->count);
    for (int i = 0; i < crew->count; i++) {
        crew->member[i] = *ctx;
        lm_arena_init(&crew->member[i].scratch, &ctx->allocator);
        crew->member[i].scratch.keeps = true;
        crew->member[i].settings.progress = NULL; /* the caller's thread reports for all */
    }
done:
    return st;
}

static void dismiss(lm_crew *crew)
{
    for (int i = 0; i < crew->count && crew->member; i++) lm_arena_free(&crew->member[i].scratch);
}

static leman_status put_in_order(leman_context *ctx, const uint64_t *cost, lm_crew *crew)
{
    leman_status st = LEMAN_OK;
    lm_pair *spare;
    SCRATCH(ctx, crew->order, crew->items);
    SCRATCH(ctx, spare, crew->items);
    for (size_t i = 0; i < crew->items; i++) crew->order[i] = (lm_pair){~cost[i], i};
    lm_sort_pairs(crew->order, spare, crew->items, 1);
done:
    return st;
}

/* ---- Working --------------------------------------------------------------------------------- */

static void give_up(lm_crew *crew, int worker, leman_status st)
{
#pragma omp critical(lm_crew_failure)
    if (!crew->status) {
        crew->status = st;
        crew->failed = worker;
    }
    atomic_store(&crew->stop, true);
}

/* The caller's thread tells how far everybody is. */
static leman_status go_on(lm_crew *crew, int worker)
{
    if (worker == 0 && !atomic_load(&crew->stop) && lm_progress_step(crew->ctx, atomic_load(&crew->done)))
        give_up(crew, worker, LEMAN_ERROR_CANCELLED);
    return atomic_load(&crew->stop) ? LEMAN_ERROR_CANCELLED : LEMAN_OK;
}

leman_status lm_worker_advance(lm_worker *worker, uint64_t amount)
{
    atomic_fetch_add(&worker->crew->done, amount);
    return go_on(worker->crew, worker->number);
}

static void do_item(lm_crew *crew, int number, int threads, size_t place)
{
    lm_worker worker = {.ctx = crew->member + number, .number = number, .threads = threads, .crew = crew};
    worker.watch = lm_watch_of(number ? NULL : crew->ctx, &crew->stop);
    lm_arena_mark mark = lm_arena_now(&worker.ctx->scratch);
    leman_status st = crew->task(&worker, crew->state, crew->order[place].payload);
    lm_arena_reset(&worker.ctx->scratch, mark);
    if (st) give_up(crew, number, st);
}

/* The caller's thread has no item left: it goes on asking while the others work. */
static void wait_for_others(lm_crew *crew)
{
    static const struct timespec MOMENT = {.tv_nsec = 200000};
    while (atomic_load(&crew->idle) < omp_get_num_threads() && !go_on(crew, 0)) nanosleep(&MOMENT, NULL);
}

static void work_together(lm_crew *crew)
{
    size_t left = crew->items - atomic_load(&crew->next);
#pragma omp parallel num_threads(crew->count) if (crew->count > 1 && left > 1)
    {
        int number = omp_get_thread_num();
        while (!atomic_load(&crew->stop)) {
            size_t place = atomic_fetch_add(&crew->next, 1);
            if (place >= crew->items) break;
            do_item(crew, number, 1, place);
        }
        atomic_fetch_add(&crew->idle, 1);
        if (number == 0) wait_for_others(crew);
    }
}

/* Being cancelled has left its sentence in the caller's context; any other failure has it in that of its worker. */
static leman_status outcome(lm_crew *crew)
{
    if (!crew->status) return atomic_load(&crew->stop) ? LEMAN_ERROR_CANCELLED : LEMAN_OK;
    if (crew->status != LEMAN_ERROR_CANCELLED)
        memcpy(crew->ctx->message, crew->member[crew->failed].message, sizeof crew->ctx->message);
    return crew->status;
}

leman_status lm_crew_run(leman_context *ctx, const uint64_t *cost, size_t items, size_t alone, lm_task *task,
                         void *state)
{
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    lm_crew crew = {.ctx = ctx, .count = lm_crew_workers(ctx), .items = items, .task = task, .state = state};
    TRY(put_in_order(ctx, cost, &crew));
    TRY(hire(ctx, &crew));
    for (size_t place = 0; place < alone && !atomic_load(&crew.stop); place++) do_item(&crew, 0, crew.count, place);
    atomic_store(&crew.next, alone);
    work_together(&crew);
    st = outcome(&crew);
done:
    dismiss(&crew);
    lm_arena_reset(&ctx->scratch, mark);
    return st;
}
