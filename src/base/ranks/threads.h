/*
 * Ranks as threads of one process, for instance one for each GPU. Rank 0 is the caller's thread with the caller's
 * context; the others are threads that live as long as the group, each with a context of its own, which has no
 * callbacks. So what belongs to a thread (the current CUDA device) stays.
 */
#ifndef LM_RANK_THREADS_H
#define LM_RANK_THREADS_H

#include "base/context.h"
#include "base/ranks/communicator.h"

typedef struct lm_rank_threads lm_rank_threads;

/* What a rank does, with its context. */
typedef leman_status lm_rank_work(leman_context *ctx, lm_communicator *communicator, void *state);

/* At least 1 rank. LEMAN_ERROR_MEMORY where a thread cannot be started. */
leman_status lm_rank_threads_new(leman_context *ctx, size_t ranks, lm_rank_threads **out);
/* work(state) in every rank. The first failure ends the work of all; it becomes that of the context of rank 0, and the
 * group can do nothing more. */
leman_status lm_rank_threads_run(lm_rank_threads *group, lm_rank_work *work, void *state);
/* The same for cleaning up: also after a failure. */
void lm_rank_threads_finish(lm_rank_threads *group, lm_rank_work *work, void *state);
void lm_rank_threads_free(lm_rank_threads *group);

#endif
