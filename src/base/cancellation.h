/*
 * Stopping from inside a round: a large graph may spend minutes in one, and the caller wants to be asked several times
 * a second. Only the caller's thread asks; the others look at a flag.
 */
#ifndef LM_CANCELLATION_H
#define LM_CANCELLATION_H

#include "base/context.h"
#include <pthread.h>
#include <stdatomic.h>

typedef struct lm_cancellation {
    leman_context *ctx; /* whose progress callback is asked; NULL on threads that only read the flag */
    atomic_bool *stop;
    pthread_t caller;
} lm_cancellation;

/* For work that begins on the caller's thread, or on one of its own where ctx is NULL. */
static inline lm_cancellation lm_cancellation_of(leman_context *ctx, atomic_bool *stop)
{
    return (lm_cancellation){ctx, stop, pthread_self()};
}

/* Has cancellation been requested? Reads the flag: cheap enough for every step. */
static inline bool lm_cancellation_requested(const lm_cancellation *cancellation)
{
    return cancellation && atomic_load_explicit(cancellation->stop, memory_order_relaxed);
}

/* Is it time to stop? Reads the clock, and asks when that is due: for steps of a microsecond or more. NULL: never. */
static inline bool lm_cancellation_poll(const lm_cancellation *cancellation)
{
    if (!cancellation || lm_cancellation_requested(cancellation)) return cancellation;
    if (!cancellation->ctx || !pthread_equal(cancellation->caller, pthread_self())) return false;
    if (!lm_progress_step(cancellation->ctx, cancellation->ctx->progress.done)) return false;
    atomic_store(cancellation->stop, true);
    return true;
}

/* After work that lm_cancellation_poll() may have cut short. */
static inline leman_status lm_cancellation_status(const lm_cancellation *cancellation)
{
    return lm_cancellation_requested(cancellation) ? LEMAN_ERROR_CANCELLED : LEMAN_OK;
}

#endif
