/*
 * Ranks as threads of one process, for instance one for each GPU. Rank 0 is the caller's thread with the caller's
 * context. Every other rank is a thread with a context of its own, which has no callbacks. During the work the contexts
 * are those of ranks (base/ranks/ranks.h), so the work does not know whether its ranks are threads or processes.
 */
#ifndef LM_RANK_THREADS_H
#define LM_RANK_THREADS_H

#include "base/ranks/ranks.h"

/* The work of one rank, with the context of that rank. It must end with lm_ranks_end() on every rank. */
typedef leman_status lm_rank_work(leman_context *ctx, void *state);

/* Calls work(state) in each of `ranks` ranks, at least 1, and returns the status of rank 0. Fails with
 * LEMAN_ERROR_MEMORY if a thread cannot be started. The context must not have other ranks. */
leman_status lm_rank_threads_run(leman_context *ctx, size_t ranks, lm_rank_work *work, void *state);

#endif
