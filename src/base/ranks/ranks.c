/*
 * Ranks; ranks.h has the contracts. Every collective step begins with three words from each rank: its status, the step,
 * and often a size. Ranks that are at different steps fail, so that no message is mistaken for another.
 *
 * Cost on P ranks, in messages and bytes that one rank sends. Step: P - 1 messages of 24 bytes. Gather: P - 1 messages
 * with its own bytes. Exchange: one message to each rank that gets something. Sum of n numbers of s bytes: 2 (P - 1)
 * messages for each piece of PIECE bytes, and 2 n s (P - 1) / P bytes in total; for fewer than SMALL numbers P - 1
 * messages of n s bytes.
 */
#include "base/ranks/ranks.h"
#include "base/context.h"
#include "base/hash.h"
#include "base/sort.h"
#include <string.h>

enum { SMALL = 512, PIECE = 1 << 25 };

/* Words that ranks tell each other in one step: indices into a rank's words of ranks.told. */
enum { STATUS, STEP, WORD, WORDS };
_Static_assert((int)WORDS == (int)LM_TOLD_WORDS, "ranks.told has words for it");

/* Kinds of steps. Some have a size that must be equal on all ranks. */
enum { AGREE, GATHER, GATHER_EQUAL, EXCHANGE, SUM, LARGEST, COMPARE };
static uint64_t step_of(unsigned kind, uint64_t size)
{
    return (uint64_t)kind << 56 | (size & (UINT64_MAX >> 8));
}

/* Details of a failure that are sent to all ranks. */
typedef struct failure {
    int error;
    char message[LM_SENTENCE];
} failure;

/* ---- The functions of the communicator, counted ---------------------------------------------- */

static void count(leman_context *ctx, const size_t *send, const size_t *receive)
{
    leman_traffic *t = &ctx->ranks.traffic;
    t->calls++;
    for (size_t r = 0; r < lm_rank_count(ctx); r++) {
        if (r == lm_rank(ctx)) continue;
        t->messages += send[r] > 0;
        t->sent += send[r];
        t->received += receive[r];
    }
}

static leman_status lost(leman_context *ctx, leman_status st)
{
    if (!st) return st;
    ctx->ranks.failed_depth = 1; /* the failure lasts until the outermost work ends */
    ctx->ranks.failed = st;
    if (st == LEMAN_ERROR_CANCELLED)
        return lm_fail(ctx, st, "%s was stopped", *ctx->progress.task ? ctx->progress.task : "the work");
    return lm_fail(ctx, st, "rank %zu of %zu: the ranks cannot reach each other", lm_rank(ctx), lm_rank_count(ctx));
}

/* `bytes` must not be ranks.bytes + ranks, which is overwritten. */
static leman_status call_gather(leman_context *ctx, const void *mine, const size_t *bytes, void *all)
{
    const leman_communicator *c = &ctx->ranks.communicator;
    if (!lm_has_ranks(ctx)) {
        if (*bytes) memcpy(all, mine, *bytes);
        return LEMAN_OK;
    }
    size_t *send = ctx->ranks.bytes + c->ranks;
    for (size_t r = 0; r < c->ranks; r++) send[r] = bytes[c->rank];
    count(ctx, send, bytes);
    return lost(ctx, c->gather(c->state, mine, bytes, all));
}

static leman_status call_exchange(leman_context *ctx, const void *send, const size_t *send_bytes, void *receive,
                                  const size_t *receive_bytes)
{
    const leman_communicator *c = &ctx->ranks.communicator;
    count(ctx, send_bytes, receive_bytes);
    return lost(ctx, c->exchange(c->state, send, send_bytes, receive, receive_bytes));
}

static size_t *equal_bytes(leman_context *ctx, size_t bytes)
{
    for (size_t r = 0; r < lm_rank_count(ctx); r++) ctx->ranks.bytes[r] = bytes;
    return ctx->ranks.bytes;
}

/* ---- Failures -------------------------------------------------------------------------------- */

/* Gives all ranks the status and the sentence of one rank. */
static leman_status fail_as(leman_context *ctx, size_t rank, leman_status st)
{
    failure own = {.error = ctx->error}, told;
    strcpy(own.message, ctx->message);
    size_t *bytes = equal_bytes(ctx, 0);
    bytes[rank] = sizeof own;
    if (call_gather(ctx, &own, bytes, &told)) return ctx->ranks.failed;
    told.message[LM_SENTENCE - 1] = 0;
    strcpy(ctx->message, told.message);
    ctx->error = told.error;
    ctx->ranks.failed = st;
    return st;
}

static uint64_t told(const leman_context *ctx, size_t rank, unsigned word)
{
    return ctx->ranks.told[WORDS * rank + word];
}

/* Returns the first rank whose word differs from that of rank 0, or the number of ranks if there is none. */
static size_t first_other(const leman_context *ctx, unsigned word)
{
    size_t rank = 1;
    while (rank < lm_rank_count(ctx) && told(ctx, rank, word) == told(ctx, 0, word)) rank++;
    return rank;
}

/* Fails because a rank is at another step. All ranks detect this and set the same sentence. */
static leman_status refuse_step(leman_context *ctx, size_t rank)
{
    ctx->ranks.failed_depth = 1;
    return ctx->ranks.failed =
               lm_fail(ctx, LEMAN_ERROR_INPUT,
                       "rank %zu of %zu: found another step of the work than that of rank 0, expected the same data "
                       "and options on all ranks",
                       rank, lm_rank_count(ctx));
}

/* Tells all ranks the status, the step and a word of this rank. A failure lasts until the outermost work in which a
 * rank has failed ends: until then, steps of nested work return the failure without communication. */
static leman_status announce(leman_context *ctx, leman_status st, uint64_t step, uint64_t word)
{
    lm_ranks *r = &ctx->ranks;
    size_t first = lm_rank_count(ctx);
    if (!lm_has_ranks(ctx)) return st;
    if (r->failed) return r->failed;
    if (!st) st = lm_progress_step(ctx, ctx->progress.done); /* a rank that is cancelled reports it here */
    if (st && r->stopped && __atomic_exchange_n(r->stopped, true, __ATOMIC_ACQ_REL))
        st = LEMAN_OK; /* only the rank that failed first reports its failure: it may be the cause of this one */
    const uint64_t mine[WORDS] = {[STATUS] = (uint64_t)st << 32 | r->depth, [STEP] = step, [WORD] = word};
    if (call_gather(ctx, mine, equal_bytes(ctx, sizeof mine), r->told)) return r->failed;
    for (size_t i = lm_rank_count(ctx); i-- > 0;) {
        const unsigned depth = (unsigned)told(ctx, i, STATUS);
        if (!(told(ctx, i, STATUS) >> 32)) continue;
        if (first == lm_rank_count(ctx) || depth < r->failed_depth) r->failed_depth = depth;
        first = i;
    }
    if (first < lm_rank_count(ctx)) return fail_as(ctx, first, (leman_status)(told(ctx, first, STATUS) >> 32));
    const size_t other = first_other(ctx, STEP);
    return other < lm_rank_count(ctx) ? refuse_step(ctx, other) : LEMAN_OK;
}

bool lm_ranks_stopped(const leman_context *ctx)
{
    return ctx->ranks.failed || (ctx->ranks.stopped && __atomic_load_n(ctx->ranks.stopped, __ATOMIC_ACQUIRE));
}

void lm_ranks_begin(leman_context *ctx)
{
    ctx->ranks.depth++;
}

leman_status lm_ranks_agree(leman_context *ctx, leman_status st)
{
    return announce(ctx, st, step_of(AGREE, 0), 0);
}

leman_status lm_ranks_end(leman_context *ctx, leman_status st)
{
    lm_ranks *r = &ctx->ranks;
    st = lm_ranks_agree(ctx, st);
    if (r->depth <= r->failed_depth) r->failed = LEMAN_OK;
    r->depth--;
    return st;
}

leman_status lm_ranks_same(leman_context *ctx, const char *what, uint64_t checksum)
{
    leman_status st = announce(ctx, LEMAN_OK, step_of(COMPARE, lm_checksum(what, strlen(what), 0)), checksum);
    if (st || !lm_has_ranks(ctx)) return st;
    const size_t other = first_other(ctx, WORD);
    if (other == lm_rank_count(ctx)) return LEMAN_OK;
    return lm_fail(ctx, LEMAN_ERROR_INPUT,
                   "rank %zu of %zu: found %s than on rank 0 (checksum %016llx), expected the same on all ranks "
                   "(checksum %016llx)",
                   other, lm_rank_count(ctx), what, (unsigned long long)told(ctx, other, WORD),
                   (unsigned long long)told(ctx, 0, WORD));
}

/* ---- Gathering and exchanging ---------------------------------------------------------------- */

leman_status lm_ranks_gather(leman_context *ctx, const void *mine, size_t size, size_t *bytes, void **out)
{
    AUTO(lm_release_at) char *all = NULL;
    size_t sum = 0;
    bool fits = true;
    PASS(announce(ctx, LEMAN_OK, step_of(GATHER, 0), size));
    for (size_t r = 0; r < lm_rank_count(ctx); r++) {
        bytes[r] = lm_has_ranks(ctx) ? (size_t)told(ctx, r, WORD) : size;
        fits = fits && bytes[r] <= SIZE_MAX - sum;
        sum += bytes[r];
    }
    PASS(lm_ranks_agree(ctx, fits ? LM_SET(ctx, all, lm_alloc, sum) : lm_refuse_size(ctx, SIZE_MAX, 2)));
    PASS(call_gather(ctx, mine, bytes, all));
    return HAND_OVER(out, all);
}

leman_status lm_ranks_gather_equal(leman_context *ctx, const void *mine, size_t size, void *all)
{
    PASS(announce(ctx, LEMAN_OK, step_of(GATHER_EQUAL, size), 0));
    return call_gather(ctx, mine, lm_has_ranks(ctx) ? equal_bytes(ctx, size) : &size, all);
}

leman_status lm_ranks_broadcast(leman_context *ctx, void **bytes, size_t *size)
{
    AUTO(lm_release_at) void *all = NULL;
    AUTO(lm_release_at) size_t *sizes = NULL;
    if (!lm_has_ranks(ctx)) return LEMAN_OK;
    PASS(lm_ranks_agree(ctx, LM_SET(ctx, sizes, lm_alloc, lm_rank_count(ctx))));
    PASS(lm_ranks_gather(ctx, lm_rank(ctx) ? NULL : *bytes, lm_rank(ctx) ? 0 : *size, sizes, &all));
    if (lm_rank(ctx)) {
        *bytes = all;
        *size = sizes[0];
        all = NULL;
    }
    return LEMAN_OK;
}

leman_status lm_ranks_exchange(leman_context *ctx, const void *send, const size_t *send_bytes, size_t *receive_bytes,
                               void **out)
{
    const size_t ranks = lm_rank_count(ctx);
    AUTO(lm_release_at) char *received = NULL;
    size_t sum = 0;
    PASS(announce(ctx, LEMAN_OK, step_of(EXCHANGE, 0), 0));
    if (lm_has_ranks(ctx))
        PASS(call_exchange(ctx, send_bytes, equal_bytes(ctx, sizeof *send_bytes), receive_bytes, ctx->ranks.bytes));
    else
        receive_bytes[0] = send_bytes[0];
    for (size_t r = 0; r < ranks; r++) sum += receive_bytes[r];
    PASS(lm_ranks_agree(ctx, LM_SET(ctx, received, lm_alloc, sum)));
    if (lm_has_ranks(ctx))
        PASS(call_exchange(ctx, send, send_bytes, received, receive_bytes));
    else if (sum)
        memcpy(received, send, sum);
    return HAND_OVER(out, received);
}

/* ---- Sums ------------------------------------------------------------------------------------ */

static size_t size_of(lm_number_kind kind)
{
    return kind == LM_FLOAT32 ? sizeof(float) : sizeof(double);
}

#define ADD_UP(type)                                                                                                   \
    for (size_t i = 0; i < numbers; i++) {                                                                             \
        type sum = ((const type *)all)[i];                                                                             \
        for (size_t r = 1; r < ranks; r++) sum += ((const type *)all)[r * numbers + i];                                \
        ((type *)to)[i] = sum;                                                                                         \
    }                                                                                                                  \
    break;

/* Sets to[numbers] to the sum of all[ranks][numbers]. */
static void add_up(lm_number_kind kind, const void *all, size_t ranks, size_t numbers, void *to)
{
    switch (kind) {
    case LM_FLOAT32: ADD_UP(float)
    case LM_FLOAT64: ADD_UP(double)
    case LM_UINT64: ADD_UP(uint64_t)
    }
}

/* Sums one piece: each rank sums one slice, and all ranks gather all slices. work must hold a piece, a slice, and up to
 * `ranks` numbers more. */
static leman_status sum_piece(leman_context *ctx, lm_number_kind kind, char *data, size_t numbers, char *work)
{
    const size_t ranks = lm_rank_count(ctx), rank = lm_rank(ctx), size = size_of(kind);
    size_t *bytes = ctx->ranks.bytes, *receive = bytes + ranks;
    const size_t first = numbers * rank / ranks, own = numbers * (rank + 1) / ranks - first;
    for (size_t r = 0; r < ranks; r++) {
        bytes[r] = (numbers * (r + 1) / ranks - numbers * r / ranks) * size;
        receive[r] = own * size;
    }
    PASS(call_exchange(ctx, data, bytes, work, receive));
    add_up(kind, work, ranks, own, work + ranks * own * size);
    return call_gather(ctx, work + ranks * own * size, bytes, data);
}

leman_status lm_ranks_sum(leman_context *ctx, lm_number_kind kind, void *data, size_t numbers)
{
    const size_t ranks = lm_rank_count(ctx), size = size_of(kind), most = PIECE / size;
    const size_t piece = numbers < most ? numbers : most;
    AUTO(lm_release_at) char *work = NULL;
    if (!lm_has_ranks(ctx)) return LEMAN_OK;
    work = lm_alloc(ctx, numbers < SMALL ? ranks * numbers : 2 * piece + 2 * ranks, size);
    PASS(announce(ctx, work ? LEMAN_OK : lm_refusal(ctx), step_of(SUM, 4 * (uint64_t)numbers + (uint64_t)kind), 0));
    if (numbers < SMALL) {
        PASS(call_gather(ctx, data, equal_bytes(ctx, numbers * size), work));
        add_up(kind, work, ranks, numbers, data);
        return LEMAN_OK;
    }
    for (size_t at = 0; at < numbers; at += piece)
        PASS(sum_piece(ctx, kind, (char *)data + at * size, numbers - at < piece ? numbers - at : piece, work));
    return LEMAN_OK;
}

leman_status lm_ranks_max(leman_context *ctx, uint64_t *value)
{
    leman_status st = announce(ctx, LEMAN_OK, step_of(LARGEST, 0), *value);
    for (size_t r = 0; !st && lm_has_ranks(ctx) && r < lm_rank_count(ctx); r++)
        if (told(ctx, r, WORD) > *value) *value = told(ctx, r, WORD);
    return st;
}

leman_status lm_ranks_min(leman_context *ctx, uint64_t *value)
{
    uint64_t inverted = ~*value;
    leman_status st = lm_ranks_max(ctx, &inverted);
    *value = ~inverted;
    return st;
}

/* ---- Dealing out ----------------------------------------------------------------------------- */

leman_status lm_ranks_deal(leman_context *ctx, const uint64_t *cost, size_t items, bool *mine)
{
    SCRATCH_SCOPE(ctx);
    const size_t ranks = lm_rank_count(ctx);
    lm_pair *order, *spare;
    uint64_t *load;
    PASS_SCRATCH(ctx, order, items);
    PASS_SCRATCH(ctx, spare, items);
    PASS_SCRATCH_ZERO(ctx, load, ranks);
    for (size_t i = 0; i < items; i++) order[i] = (lm_pair){~cost[i], i};
    lm_sort_pairs(order, spare, items, 1);
    for (size_t i = 0; i < items; i++) {
        const size_t item = (size_t)order[i].payload;
        size_t least = 0;
        for (size_t r = 1; r < ranks; r++)
            if (load[r] < load[least]) least = r;
        load[least] = lm_saturating_add(load[least], cost[item] + !cost[item]);
        mine[item] = least == lm_rank(ctx);
        if (mine[item] && lm_has_ranks(ctx))
            ctx->ranks.traffic.work = lm_saturating_add(ctx->ranks.traffic.work, cost[item]);
    }
    return LEMAN_OK;
}

leman_status lm_rank_tasks_begin(leman_context *ctx, lm_rank_tasks *tasks)
{
    const leman_communicator *c = &ctx->ranks.communicator;
    *tasks = (lm_rank_tasks){0};
    if (!lm_has_ranks(ctx)) return LEMAN_OK;
    if (!c->next) {
        tasks->taken = c->rank;
        return LEMAN_OK;
    }
    PASS(lm_ranks_agree(ctx, LEMAN_OK));
    PASS(lost(ctx, c->next(c->state, &tasks->first))); /* every rank takes a number; the largest is the last taken */
    PASS(lm_ranks_max(ctx, &tasks->first));
    tasks->first++;
    return LEMAN_OK;
}

leman_status lm_rank_tasks_next(leman_context *ctx, lm_rank_tasks *tasks, size_t *task)
{
    const leman_communicator *c = &ctx->ranks.communicator;
    uint64_t number = tasks->taken;
    leman_status st = LEMAN_OK;
    if (lm_has_ranks(ctx) && c->next) {
        st = lost(ctx, c->next(c->state, &number));
        ctx->ranks.traffic.calls++;
        number -= tasks->first;
    }
    tasks->taken += lm_rank_count(ctx);
    *task = number < SIZE_MAX ? (size_t)number : SIZE_MAX;
    return st;
}
