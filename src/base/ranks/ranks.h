/*
 * What the ranks of a context do together. A rank that fails tells the others: before each step all ranks tell each
 * other whether they are still well, and where one is not, every rank ends with the status and the sentence of the
 * first that is not. For that, work of all ranks stands between lm_ranks_begin() and lm_ranks_end().
 *
 *   lm_ranks_begin(ctx);
 *   TRY(...);                 any step may fail on any rank
 *   done:
 *       return lm_ranks_end(ctx, st);
 *
 * All functions may be called where there is one rank, and do nothing much. Sums are taken in the order of the ranks:
 * all get the same bits, and so do two runs.
 */
#ifndef LM_RANKS_H
#define LM_RANKS_H

#include "base/context.h"
#include "base/ranks/communicator.h"

static inline size_t lm_rank(const leman_context *ctx)
{
    return ctx->ranks.communicator.rank;
}

static inline size_t lm_rank_count(const leman_context *ctx)
{
    return ctx->ranks.communicator.ranks;
}

static inline bool lm_has_ranks(const leman_context *ctx)
{
    return ctx->ranks.communicator.ranks > 1;
}

/* May be nested. */
void lm_ranks_begin(leman_context *ctx);
/* st, or the failure of another rank. */
leman_status lm_ranks_end(leman_context *ctx, leman_status st);
/* Tells the others how this rank fares: st, or the failure of another. */
leman_status lm_ranks_agree(leman_context *ctx, leman_status st);
/* Compares a checksum of what all ranks must have in common; what says what differs: "other data". Where a rank has
 * another one than rank 0 all ranks fail with LEMAN_ERROR_INPUT and a sentence that names the rank. */
leman_status lm_ranks_same(leman_context *ctx, const char *what, uint64_t checksum);

/* *all = what each rank gave, one after the other, bytes[ranks] of each; lm_free() it. */
leman_status lm_ranks_gather(leman_context *ctx, const void *mine, size_t count, size_t *bytes, void **all);
/* all[ranks][bytes]. */
leman_status lm_ranks_gather_equal(leman_context *ctx, const void *mine, size_t bytes, void *all);
/* What rank 0 has; on the others *bytes becomes a block of their own: lm_free() it. */
leman_status lm_ranks_broadcast(leman_context *ctx, void **bytes, size_t *count);
/* Parts of send, one for each rank, to them; *received: what each had for this one, lm_free() it. */
leman_status lm_ranks_exchange(leman_context *ctx, const void *send, const size_t *send_bytes, size_t *receive_bytes,
                               void **received);
/* data[count] of every rank becomes the sum over ranks. */
leman_status lm_ranks_sum(leman_context *ctx, lm_number_kind kind, void *data, size_t count);
leman_status lm_ranks_max(leman_context *ctx, uint64_t *value);
leman_status lm_ranks_min(leman_context *ctx, uint64_t *value);

/* mine[items]: is it this rank's? Every item goes, the costliest first, to the rank that has least: none has more than
 * 4/3 of the smallest possible maximum. */
leman_status lm_ranks_deal(leman_context *ctx, const uint64_t *cost, size_t items, bool *mine);

/* Tasks 0 .. that are handed out to ranks as they ask. */
typedef struct lm_rank_tasks {
    uint64_t first, taken;
} lm_rank_tasks;
leman_status lm_rank_tasks_begin(leman_context *ctx, lm_rank_tasks *tasks);
/* The next that nobody has; past the last one there is nothing more to do. */
leman_status lm_rank_tasks_next(leman_context *ctx, lm_rank_tasks *tasks, size_t *task);

/* The same ranks as a communicator of base/ranks/communicator.h, which knows its context. */
typedef struct lm_context_communicator {
    lm_communicator base; /* first */
    leman_context *ctx;
} lm_context_communicator;
lm_context_communicator lm_communicator_of(leman_context *ctx);

#endif
