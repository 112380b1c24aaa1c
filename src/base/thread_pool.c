/* Many items spread over workers. */
#include "base/thread_pool.h"
#include "base/sort.h"
#include <omp.h>
#include <string.h>
#include <time.h>

struct lm_thread_pool {
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

int lm_thread_pool_workers(const leman_context *ctx)
{
    return ctx->settings.threads;
}

/* ---- Making and ending ----------------------------------------------------------------------- */

static leman_status start_workers(leman_context *ctx, lm_thread_pool *pool)
{
    leman_status st = LEMAN_OK;
    SCRATCH(ctx, pool->member, (size_t)pool->count);
    for (int i = 0; i < pool->count; i++) {
        pool->member[i] = *ctx;
        lm_arena_init(&pool->member[i].scratch, &ctx->allocator);
        pool->member[i].scratch.keeps = true;
        pool->member[i].settings.progress = NULL; /* the caller's thread reports for all */
    }
done:
    return st;
}

static void stop_workers(lm_thread_pool *pool)
{
    for (int i = 0; i < pool->count && pool->member; i++) lm_arena_free(&pool->member[i].scratch);
}

static leman_status put_in_order(leman_context *ctx, const uint64_t *cost, lm_thread_pool *pool)
{
    leman_status st = LEMAN_OK;
    lm_pair *spare;
    SCRATCH(ctx, pool->order, pool->items);
    SCRATCH(ctx, spare, pool->items);
    for (size_t i = 0; i < pool->items; i++) pool->order[i] = (lm_pair){~cost[i], i};
    lm_sort_pairs(pool->order, spare, pool->items, 1);
done:
    return st;
}

/* ---- Working --------------------------------------------------------------------------------- */

static void give_up(lm_thread_pool *pool, int worker, leman_status st)
{
#pragma omp critical(lm_thread_pool_failure)
    if (!pool->status) {
        pool->status = st;
        pool->failed = worker;
    }
    atomic_store(&pool->stop, true);
}

/* The caller's thread tells how far everybody is. */
static leman_status go_on(lm_thread_pool *pool, int worker)
{
    if (worker == 0 && !atomic_load(&pool->stop) && lm_progress_step(pool->ctx, atomic_load(&pool->done)))
        give_up(pool, worker, LEMAN_ERROR_CANCELLED);
    return atomic_load(&pool->stop) ? LEMAN_ERROR_CANCELLED : LEMAN_OK;
}

leman_status lm_worker_advance(lm_worker *worker, uint64_t amount)
{
    atomic_fetch_add(&worker->pool->done, amount);
    return go_on(worker->pool, worker->number);
}

static void do_item(lm_thread_pool *pool, int number, int threads, size_t place)
{
    lm_worker worker = {.ctx = pool->member + number, .number = number, .threads = threads, .pool = pool};
    worker.cancellation = lm_cancellation_of(number ? NULL : pool->ctx, &pool->stop);
    lm_arena_mark mark = lm_arena_now(&worker.ctx->scratch);
    leman_status st = pool->task(&worker, pool->state, pool->order[place].payload);
    lm_arena_reset(&worker.ctx->scratch, mark);
    if (st) give_up(pool, number, st);
}

/* The caller's thread has no item left: it goes on asking while the others work. */
static void wait_for_others(lm_thread_pool *pool)
{
    static const struct timespec MOMENT = {.tv_nsec = 200000};
    while (atomic_load(&pool->idle) < omp_get_num_threads() && !go_on(pool, 0)) nanosleep(&MOMENT, NULL);
}

static void work_together(lm_thread_pool *pool)
{
    size_t left = pool->items - atomic_load(&pool->next);
#pragma omp parallel num_threads(pool->count) if (pool->count > 1 && left > 1)
    {
        int number = omp_get_thread_num();
        while (!atomic_load(&pool->stop)) {
            size_t place = atomic_fetch_add(&pool->next, 1);
            if (place >= pool->items) break;
            do_item(pool, number, 1, place);
        }
        atomic_fetch_add(&pool->idle, 1);
        if (number == 0) wait_for_others(pool);
    }
}

/* Being cancelled has left its sentence in the caller's context; any other failure has it in that of its worker. */
static leman_status outcome(lm_thread_pool *pool)
{
    if (!pool->status) return atomic_load(&pool->stop) ? LEMAN_ERROR_CANCELLED : LEMAN_OK;
    if (pool->status != LEMAN_ERROR_CANCELLED)
        memcpy(pool->ctx->message, pool->member[pool->failed].message, sizeof pool->ctx->message);
    return pool->status;
}

leman_status lm_thread_pool_run(leman_context *ctx, const uint64_t *cost, size_t items, size_t alone, lm_task *task,
                                void *state)
{
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    lm_thread_pool pool = {
        .ctx = ctx, .count = lm_thread_pool_workers(ctx), .items = items, .task = task, .state = state};
    TRY(put_in_order(ctx, cost, &pool));
    TRY(start_workers(ctx, &pool));
    for (size_t place = 0; place < alone && !atomic_load(&pool.stop); place++) do_item(&pool, 0, pool.count, place);
    atomic_store(&pool.next, alone);
    work_together(&pool);
    st = outcome(&pool);
done:
    stop_workers(&pool);
    lm_arena_reset(&ctx->scratch, mark);
    return st;
}
