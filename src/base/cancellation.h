/*
 * Cancellation from inside a refinement round. A round of a large graph may take minutes, but the caller's progress
 * callback must be called several times a second. Only the caller's thread calls it; other threads read a flag.
 */
#ifndef LM_CANCELLATION_H
#define LM_CANCELLATION_H

#include "base/context.h"
#include <pthread.h>
#include <stdatomic.h>

typedef struct lm_cancellation {
    leman_context *ctx; /* the context whose progress callback is called; NULL on threads that only read the flag */
    atomic_bool *stop;
    pthread_t caller;
} lm_cancellation;

/* Returns a cancellation for work that begins on this thread. ctx is NULL if this is not the caller's thread. */
static inline lm_cancellation lm_cancellation_of(leman_context *ctx, atomic_bool *stop)
{
    return (lm_cancellation){ctx, stop, pthread_self()};
}

/* Returns true if cancellation has been requested. Only reads the flag: cheap enough for every step. */
static inline bool lm_cancellation_requested(const lm_cancellation *cancellation)
{
    return cancellation && atomic_load_explicit(cancellation->stop, memory_order_relaxed);
}

/* Returns true if the work must stop; always false if cancellation is NULL. Reads the clock, and calls the progress
 * callback if that is due: for steps of a microsecond or more. */
static inline bool lm_cancellation_poll(const lm_cancellation *cancellation)
{
    if (!cancellation || lm_cancellation_requested(cancellation)) return cancellation;
    if (!cancellation->ctx || !pthread_equal(cancellation->caller, pthread_self())) return false;
    if (!lm_progress_step(cancellation->ctx, cancellation->ctx->progress.done)) return false;
    atomic_store(cancellation->stop, true);
    return true;
}

/* For the end of work that polls: returns LEMAN_ERROR_CANCELLED if cancellation was requested, otherwise LEMAN_OK. */
static inline leman_status lm_cancellation_status(const lm_cancellation *cancellation)
{
    return lm_cancellation_requested(cancellation) ? LEMAN_ERROR_CANCELLED : LEMAN_OK;
}

#endif
