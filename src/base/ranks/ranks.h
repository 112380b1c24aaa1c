/*
 * Collective operations of the ranks of a context. Before each operation, the ranks tell each other their status. If a
 * rank has failed, every rank ends with the status and the sentence of the first failed rank. Work of all ranks
 * therefore stands between lm_ranks_begin() and lm_ranks_end():
 *
 *   lm_ranks_begin(ctx);
 *   TRY(...);                 any step may fail on any rank
 *   done:
 *       return lm_ranks_end(ctx, st);
 *
 * All functions may be called if there is only one rank. Sums are computed in the order of the ranks: all ranks get the
 * same bits, and so do two runs.
 */
#ifndef LM_RANKS_H
#define LM_RANKS_H

#include "base/context.h"

typedef enum lm_number_kind { LM_FLOAT32, LM_FLOAT64, LM_UINT64 } lm_number_kind;

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

/* Returns true if a rank is known to have failed. Operations of a device in which the other ranks take part will then
 * never finish. */
bool lm_ranks_stopped(const leman_context *ctx);

/* Begins work of all ranks. Calls may be nested. */
void lm_ranks_begin(leman_context *ctx);
/* Ends work of all ranks. Returns st, or the failure of another rank. */
leman_status lm_ranks_end(leman_context *ctx, leman_status st);
/* Tells the other ranks the status of this rank. Returns st, or the failure of another rank. */
leman_status lm_ranks_agree(leman_context *ctx, leman_status st);
/* Compares a checksum that must be equal on all ranks; `what` says what would differ: "other data". If a rank has
 * another checksum than rank 0, all ranks fail with LEMAN_ERROR_INPUT and a sentence that names the rank. */
leman_status lm_ranks_same(leman_context *ctx, const char *what, uint64_t checksum);

/* Gathers `count` bytes of each rank, which may differ between ranks: *all gets the bytes of all ranks in their order,
 * and bytes[ranks] the number of each. The caller frees *all with lm_release(). */
leman_status lm_ranks_gather(leman_context *ctx, const void *mine, size_t count, size_t *bytes, void **all);
/* Sets all[ranks][bytes] to mine[bytes] of each rank. */
leman_status lm_ranks_gather_equal(leman_context *ctx, const void *mine, size_t bytes, void *all);
/* Copies the *count bytes at *bytes of rank 0 to all other ranks. There *bytes is set to a new allocation, which the
 * caller frees with lm_release(), and *count to its size. */
leman_status lm_ranks_broadcast(leman_context *ctx, void **bytes, size_t *count);
/* Sends one part of `send` to each rank: send_bytes[ranks] are the sizes of the consecutive parts. Sets *received to
 * the parts that the ranks sent to this one, in their order, and receive_bytes[ranks] to their sizes. The caller frees
 * *received with lm_release(). */
leman_status lm_ranks_exchange(leman_context *ctx, const void *send, const size_t *send_bytes, size_t *receive_bytes,
                               void **received);
/* Replaces data[count] of every rank by the sum over all ranks. */
leman_status lm_ranks_sum(leman_context *ctx, lm_number_kind kind, void *data, size_t count);
leman_status lm_ranks_max(leman_context *ctx, uint64_t *value);
leman_status lm_ranks_min(leman_context *ctx, uint64_t *value);

/* Distributes items to ranks: sets mine[items] to true for the items of this rank. The costliest remaining item always
 * goes to the rank with the smallest load; no load exceeds 4/3 of the smallest possible maximum. */
leman_status lm_ranks_deal(leman_context *ctx, const uint64_t *cost, size_t items, bool *mine);

/* Tasks 0, 1, ... that are given to ranks on request. */
typedef struct lm_rank_tasks {
    uint64_t first, taken;
} lm_rank_tasks;
leman_status lm_rank_tasks_begin(leman_context *ctx, lm_rank_tasks *tasks);
/* Sets *task to the next task that no rank has taken. A number past the caller's last task means that nothing is
 * left. */
leman_status lm_rank_tasks_next(leman_context *ctx, lm_rank_tasks *tasks, size_t *task);

#endif
