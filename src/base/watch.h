/*
 * Stopping from inside a round: a large graph may spend minutes in one, and the caller wants to be asked several times
 * a second. Only the caller's thread asks; the others look at a flag.
 */
#ifndef LM_WATCH_H
#define LM_WATCH_H

#include "base/context.h"
#include <pthread.h>

typedef struct lm_watch {
    leman_context *ctx; /* whose progress callback is asked; NULL on threads that are only told */
    atomic_bool *stop;
    pthread_t caller;
} lm_watch;

/* For work that begins on the caller's thread, or on one of its own where ctx is NULL. */
static inline lm_watch lm_watch_of(leman_context *ctx, atomic_bool *stop)
{
    return (lm_watch){ctx, stop, pthread_self()};
}

/* Was stop said? A look at the flag, for every step. */
static inline bool lm_watch_stopped(const lm_watch *watch)
{
    return watch && atomic_load_explicit(watch->stop, memory_order_relaxed);
}

/* Is it time to stop? Reads the clock, and asks when that is due: for steps of a microsecond or more. NULL: never. */
static inline bool lm_watch_stops(const lm_watch *watch)
{
    if (!watch || lm_watch_stopped(watch)) return watch;
    if (!watch->ctx || !pthread_equal(watch->caller, pthread_self())) return false;
    if (!lm_progress_step(watch->ctx, watch->ctx->progress.done)) return false;
    atomic_store(watch->stop, true);
    return true;
}

/* After work that lm_watch_stops() may have cut short. */
static inline leman_status lm_watch_status(const lm_watch *watch)
{
    return lm_watch_stopped(watch) ? LEMAN_ERROR_CANCELLED : LEMAN_OK;
}

#endif
