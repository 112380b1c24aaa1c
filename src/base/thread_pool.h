/*
 * A thread pool: processes independent items, the costliest first, with one worker for each thread. An item whose
 * memory does not fit beside others is processed alone and uses all threads.
 *
 * Every worker has its own context, which has no callbacks and whose scratch arena is reset after each item. The
 * caller's thread is worker 0; only this thread reports progress, also for the other workers. The first failure ends
 * the work. The caller gets its status and sentence, whatever fails later.
 */
#ifndef LM_THREAD_POOL_H
#define LM_THREAD_POOL_H

#include "base/cancellation.h"

typedef struct lm_thread_pool lm_thread_pool;

typedef struct lm_worker {
    leman_context *ctx;           /* the worker's own: scratch, message */
    int number;                   /* 0 .. lm_thread_pool_workers() - 1 */
    int threads;                  /* threads that it may use for the current item */
    lm_cancellation cancellation; /* for long items to poll; a cancelled item returns LEMAN_ERROR_CANCELLED */
    lm_thread_pool *pool;
} lm_worker;

/* Returns true if the item must stop. Asks in every 16th step of a loop, for steps that are short on small graphs. */
static inline bool lm_worker_cancelled(const lm_worker *worker, size_t step)
{
    return step % 16 == 15 && lm_cancellation_poll(&worker->cancellation);
}

/* Processes one item. Calls for the same worker do not overlap. */
typedef leman_status lm_task(lm_worker *worker, void *state, size_t item);

int lm_thread_pool_workers(const leman_context *ctx);

/* Returns how many of `wanted` threads, including the caller's, the system lets this process have: at least 1. OpenMP
 * ends the process if it cannot start a thread, so contexts call this first. The function starts and ends
 * threads to find out; a number that was allowed once is not checked again. */
int lm_threads_allowed(int wanted);
/* If the address space of the process is limited, makes OpenMP start the threads of the context, which it keeps, before
 * the work takes the memory for their stacks. Otherwise does nothing. */
void lm_threads_start(const leman_context *ctx);

/* Calls task once for every item. If there are several workers, items are processed by decreasing cost[items], equal
 * ones by number, and by number if cost is NULL; the `alone` costliest are processed alone, one after the other. The
 * caller must have begun the progress that the tasks advance. O(items) besides the tasks. */
leman_status lm_thread_pool_run(leman_context *ctx, const uint64_t *cost, size_t items, size_t alone, lm_task *task,
                                void *state);

/* Advances the progress by `amount`. Returns LEMAN_ERROR_CANCELLED if the item must stop. */
leman_status lm_worker_advance(lm_worker *worker, uint64_t amount);
/* For an item that passes its context to other functions of the library: makes these functions return
 * LEMAN_ERROR_CANCELLED when the pool stops. */
void lm_worker_stops_with_pool(lm_worker *worker);

#endif
