/*
 * A thread pool: items that do not depend on each other, the costliest first, done by as many workers as there are
 * threads. An item whose memory does not fit beside others is done alone, with all threads for itself.
 *
 * Every worker has a context of its own, whose scratch is reset after each item and which has no callbacks. The
 * caller's thread is worker 0; it alone reports progress, also for the others. The first failure ends the work, and its
 * status and sentence are what the caller gets, whatever fails after it.
 */
#ifndef LM_THREAD_POOL_H
#define LM_THREAD_POOL_H

#include "base/cancellation.h"

typedef struct lm_thread_pool lm_thread_pool;

typedef struct lm_worker {
    leman_context *ctx;           /* its own: scratch, message */
    int number;                   /* 0 .. lm_thread_pool_workers() - 1 */
    int threads;                  /* that it may use for the item at hand */
    lm_cancellation cancellation; /* for long items; when it stops, the item ends with LEMAN_ERROR_CANCELLED */
    lm_thread_pool *pool;
} lm_worker;

/* Calls of one worker do not overlap. */
typedef leman_status lm_task(lm_worker *worker, void *state, size_t item);

int lm_thread_pool_workers(const leman_context *ctx);

/* How many of `wanted` threads, with the caller's, the system lets this process have: at least 1. OpenMP ends the
 * process where it cannot start a thread, so contexts ask first. Threads are started and ended for it, once in a
 * process for any number. */
int lm_threads_allowed(int wanted);
/* Where the address space of the process is limited, OpenMP starts the threads of the context now and keeps them,
 * before the work takes the memory for their stacks. */
void lm_threads_start(const leman_context *ctx);

/* Does every item once. cost[items] orders them, equal ones by number, where there are several workers; the `alone`
 * costliest are done alone. The caller has begun the progress that the tasks advance. O(items) besides the tasks. */
leman_status lm_thread_pool_run(leman_context *ctx, const uint64_t *cost, size_t items, size_t alone, lm_task *task,
                                void *state);

/* So much more of the progress is done. LEMAN_ERROR_CANCELLED when it is time to stop. */
leman_status lm_worker_advance(lm_worker *worker, uint64_t amount);
/* For an item that hands its context to other functions of the library: these stop when it is time to. */
void lm_worker_stops_with_pool(lm_worker *worker);

#endif
