/* The thread pool; thread_pool.h has the contracts. */
#include "base/thread_pool.h"
#include "base/sort.h"
#include "base/system/system.h"
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

struct lm_thread_pool {
    leman_context *ctx;
    leman_context *contexts; /* [count] contexts of the workers */
    int count;
    lm_pair *order; /* [items] (inverted cost, so that the costliest item comes first; item) */
    size_t items;
    lm_task *task;
    void *state;

    leman_status status; /* the first failure */
    int failed;          /* the worker that failed */
    atomic_bool stop;
    atomic_size_t next;    /* first place in `order` that no worker has taken */
    _Atomic uint64_t done; /* progress so far */
    atomic_int idle;       /* workers without an item left */
};

int lm_thread_pool_workers(const leman_context *ctx)
{
    return ctx->settings.threads;
}

/* ---- Number of threads ----------------------------------------------------------------------- */

/* Each thread starts the next one and waits for its end, so that all threads exist when the last one runs. */
typedef struct trial {
    int wanted, started;
} trial;

static void *start_next(void *state)
{
    trial *t = state;
    pthread_t next;
    if (++t->started < t->wanted && !pthread_create(&next, NULL, start_next, t)) (void)pthread_join(next, NULL);
    return NULL;
}

/* Returns how many of `wanted` threads beside the caller's can exist at the same time. They are ended again. */
static int count_startable(int wanted)
{
    trial t = {.wanted = wanted};
    pthread_t first;
    if (!pthread_create(&first, NULL, start_next, &t)) (void)pthread_join(first, NULL);
    return t.started;
}

int lm_threads_allowed(int wanted)
{
    enum { MARGIN = 160 << 20 }; /* bytes of address space to be left for the work: products of one thread */
    static atomic_int proven = 1;
    if (wanted <= atomic_load(&proven)) return wanted;
    void *margin = lm_system_reserve(MARGIN);
    const int allowed = margin ? 1 + count_startable(wanted - 1) : 1;
    lm_system_release(margin, MARGIN);
    if (allowed == wanted) atomic_store(&proven, wanted);
    return allowed;
}

void lm_threads_start(const leman_context *ctx)
{
    const int threads = ctx->settings.threads;
    atomic_int count = 0;
    if (!lm_system_limits_memory()) return;
#pragma omp parallel num_threads(threads) if (threads > 1)
    atomic_fetch_add(&count, 1);
}

/* ---- The work -------------------------------------------------------------------------------- */

static void record_failure(lm_thread_pool *pool, int worker, leman_status st)
{
#pragma omp critical(lm_thread_pool_failure)
    if (!pool->status) {
        pool->status = st;
        pool->failed = worker;
    }
    atomic_store(&pool->stop, true);
}

/* The caller's thread reports the progress of all workers. */
static leman_status keep_going(lm_thread_pool *pool, int worker)
{
    if (worker == 0 && !atomic_load(&pool->stop) && lm_progress_step(pool->ctx, atomic_load(&pool->done)))
        record_failure(pool, worker, LEMAN_ERROR_CANCELLED);
    return atomic_load(&pool->stop) ? LEMAN_ERROR_CANCELLED : LEMAN_OK;
}

leman_status lm_worker_advance(lm_worker *worker, uint64_t amount)
{
    atomic_fetch_add(&worker->pool->done, amount);
    return keep_going(worker->pool, worker->number);
}

static bool goes_on(void *user, const leman_progress *progress)
{
    (void)progress;
    return !lm_cancellation_poll(user);
}

void lm_worker_stops_with_pool(lm_worker *worker)
{
    worker->ctx->settings.progress = goes_on;
    worker->ctx->settings.callback_user = &worker->cancellation;
}

static void run_item(lm_thread_pool *pool, int number, int threads, size_t place)
{
    lm_worker worker = {.ctx = pool->contexts + number, .number = number, .threads = threads, .pool = pool};
    worker.cancellation = lm_cancellation_of(number ? NULL : pool->ctx, &pool->stop);
    lm_arena_mark mark = lm_arena_now(&worker.ctx->scratch);
    leman_status st = pool->task(&worker, pool->state, pool->order[place].payload);
    lm_arena_reset(&worker.ctx->scratch, mark);
    worker.ctx->settings.progress = NULL;
    if (st) record_failure(pool, number, st);
}

/* Reports progress while the other workers finish; called when the caller's thread has no item left. */
static void wait_for_others(lm_thread_pool *pool)
{
    static const struct timespec MOMENT = {.tv_nsec = 200000};
    while (atomic_load(&pool->idle) < omp_get_num_threads() && !keep_going(pool, 0)) nanosleep(&MOMENT, NULL);
}

static void run_workers(lm_thread_pool *pool)
{
    size_t left = pool->items - atomic_load(&pool->next);
#pragma omp parallel num_threads(pool->count) if (pool->count > 1 && left > 1)
    {
        int number = omp_get_thread_num();
        while (!atomic_load(&pool->stop)) {
            size_t place = atomic_fetch_add(&pool->next, 1);
            if (place >= pool->items) break;
            run_item(pool, number, 1, place);
        }
        atomic_fetch_add(&pool->idle, 1);
        if (number == 0) wait_for_others(pool);
    }
}

/* Returns the status of the work. The sentence of a cancellation is already in the caller's context; the sentence of
 * any other failure is copied there from the context of the worker. */
static leman_status outcome(lm_thread_pool *pool)
{
    if (!pool->status) return atomic_load(&pool->stop) ? LEMAN_ERROR_CANCELLED : LEMAN_OK;
    if (pool->status != LEMAN_ERROR_CANCELLED) lm_fail_as(pool->ctx, pool->contexts + pool->failed);
    return pool->status;
}

leman_status lm_thread_pool_run(leman_context *ctx, const uint64_t *cost, size_t items, size_t alone, lm_task *task,
                                void *state)
{
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    lm_thread_pool pool = {
        .ctx = ctx, .count = lm_thread_pool_workers(ctx), .items = items, .task = task, .state = state};
    /* A task that takes several runs of the pool continues its progress. */
    atomic_store(&pool.done, ctx->progress.done < ctx->progress.total ? ctx->progress.done : 0);
    lm_pair *spare;
    SCRATCH(ctx, pool.order, items);
    SCRATCH(ctx, spare, items);
    for (size_t i = 0; i < items; i++) pool.order[i] = (lm_pair){cost ? ~cost[i] : 0, i};
    if (pool.count > 1 || alone) lm_sort_pairs(pool.order, spare, items, 1);
    SCRATCH(ctx, pool.contexts, (size_t)pool.count);
    for (int i = 0; i < pool.count; i++) lm_context_for_worker(ctx, pool.contexts + i);
    for (size_t place = 0; place < alone && !atomic_load(&pool.stop); place++) run_item(&pool, 0, pool.count, place);
    atomic_store(&pool.next, alone);
    run_workers(&pool);
    st = outcome(&pool);
done:
    for (int i = 0; i < pool.count && pool.contexts; i++) lm_arena_free(&pool.contexts[i].scratch);
    lm_arena_reset(&ctx->scratch, mark);
    return st;
}
