/*
 * Ranks as threads of one process, for instance one for each GPU. Rank 0 is the caller's thread with the caller's
 * context. The other ranks are threads that live as long as the group, so that what belongs to a thread (the current
 * CUDA device) persists; each has its own context, which has no callbacks.
 */
#ifndef LM_RANK_THREADS_H
#define LM_RANK_THREADS_H

#include "base/context.h"
#include "nn/communicator.h"

typedef struct lm_rank_threads lm_rank_threads;

/* The work of one rank, with the context of that rank. */
typedef leman_status lm_rank_work(leman_context *ctx, lm_communicator *communicator, void *state);

/* Starts a group of at least 1 rank. Fails with LEMAN_ERROR_MEMORY if a thread cannot be started. */
leman_status lm_rank_threads_new(leman_context *ctx, size_t ranks, lm_rank_threads **out);
/* Calls work(state) in every rank. The first failure ends the work of all ranks; its status is returned, and its
 * sentence is copied to the context of rank 0. After a failure the group does no further work. */
leman_status lm_rank_threads_run(lm_rank_threads *group, lm_rank_work *work, void *state);
/* Calls work(state) in every rank to clean up, even if an earlier call of lm_rank_threads_run() failed. Failures of
 * this work are not reported. */
void lm_rank_threads_finish(lm_rank_threads *group, lm_rank_work *work, void *state);
void lm_rank_threads_free(lm_rank_threads *group);

#endif
