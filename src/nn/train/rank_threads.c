/*
 * Ranks as threads; rank_threads.h has the contracts. The threads meet at a barrier that can be given up. A sum needs two
 * barriers: every rank shows its array; then each rank sums one slice of all arrays and writes the sum to all of them;
 * no rank continues before all slices are done.
 */
#include "nn/train/rank_threads.h"
#include <pthread.h>
#include <string.h>

typedef struct member {
    lm_communicator base; /* first, so that a pointer to the communicator is a pointer to its member */
    lm_rank_threads *group;
    leman_context *ctx, own; /* own: context of ranks above 0 */
    pthread_t thread;
    const void *shown;
    leman_status status;
    uint64_t done; /* pieces of work completed */
} member;

struct lm_rank_threads {
    leman_context *ctx;
    member *members; /* [ranks] */
    size_t ranks, started;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    size_t waiting;   /* ranks at the barrier */
    uint64_t meeting; /* barriers passed so far */
    bool given_up;
    size_t failed; /* the rank that gave up first */
    /* The current work of the threads. */
    lm_rank_work *work;
    void *state;
    uint64_t given; /* pieces of work started */
    bool ends;
};

/* ---- The communicator ------------------------------------------------------------------------ */

static member *member_of(lm_communicator *communicator)
{
    return (member *)communicator;
}

/* Waits until all ranks are here. Returns false if a rank has given up. */
static bool meet(lm_rank_threads *group)
{
    pthread_mutex_lock(&group->lock);
    const uint64_t meeting = group->meeting;
    if (++group->waiting == group->ranks) {
        group->waiting = 0;
        group->meeting++;
        pthread_cond_broadcast(&group->changed);
    }
    while (group->meeting == meeting && !group->given_up) pthread_cond_wait(&group->changed, &group->lock);
    const bool fine = !group->given_up;
    pthread_mutex_unlock(&group->lock);
    return fine;
}

static leman_status cancelled(const member *m)
{
    return lm_fail(m->ctx, LEMAN_ERROR_CANCELLED, "rank %zu stopped: rank %zu failed", m->base.rank, m->group->failed);
}

#define ADD_UP(type)                                                                                                   \
    for (size_t i = first; i < end; i++) {                                                                             \
        type sum = ((const type *)of->shown)[i];                                                                       \
        for (size_t r = 1; r < group->ranks; r++) sum += ((const type *)of[r].shown)[i];                               \
        for (size_t r = 0; r < group->ranks; r++) ((type *)(uintptr_t)of[r].shown)[i] = sum;                           \
    }

static void add_up(const lm_rank_threads *group, lm_number_kind kind, size_t first, size_t end)
{
    const member *of = group->members;
    switch (kind) {
    case LM_FLOAT32: ADD_UP(float) break;
    case LM_FLOAT64: ADD_UP(double) break;
    case LM_UINT64: ADD_UP(uint64_t) break;
    }
}

static leman_status sum(lm_communicator *communicator, lm_number_kind kind, void *data, size_t count)
{
    member *m = member_of(communicator);
    const size_t rank = communicator->rank, ranks = communicator->ranks, each = count / ranks + 1;
    const size_t first = rank * each < count ? rank * each : count, end = first + each < count ? first + each : count;
    m->shown = data;
    if (!meet(m->group)) return cancelled(m);
    add_up(m->group, kind, first, end);
    return meet(m->group) ? LEMAN_OK : cancelled(m);
}

static leman_status gather(lm_communicator *communicator, const void *mine, size_t bytes, void *all)
{
    member *m = member_of(communicator);
    m->shown = mine;
    if (!meet(m->group)) return cancelled(m);
    for (size_t r = 0; r < communicator->ranks && bytes; r++)
        memcpy((char *)all + r * bytes, m->group->members[r].shown, bytes);
    return meet(m->group) ? LEMAN_OK : cancelled(m);
}

static void give_up(lm_communicator *communicator)
{
    lm_rank_threads *group = member_of(communicator)->group;
    pthread_mutex_lock(&group->lock);
    if (!group->given_up) group->failed = communicator->rank;
    group->given_up = true;
    pthread_cond_broadcast(&group->changed);
    pthread_mutex_unlock(&group->lock);
}

static bool given_up(lm_communicator *communicator)
{
    lm_rank_threads *group = member_of(communicator)->group;
    pthread_mutex_lock(&group->lock);
    const bool found = group->given_up;
    pthread_mutex_unlock(&group->lock);
    return found;
}

/* ---- Work ------------------------------------------------------------------------------------ */

static void do_work(member *m)
{
    m->status = m->group->work(m->ctx, &m->base, m->group->state);
    if (m->status) give_up(&m->base);
}

static void *live(void *argument)
{
    member *m = argument;
    lm_rank_threads *group = m->group;
    for (;;) {
        pthread_mutex_lock(&group->lock);
        while (m->done == group->given && !group->ends) pthread_cond_wait(&group->changed, &group->lock);
        const bool ends = m->done == group->given;
        pthread_mutex_unlock(&group->lock);
        if (ends) return NULL;
        do_work(m);
        pthread_mutex_lock(&group->lock);
        m->done++;
        pthread_cond_broadcast(&group->changed);
        pthread_mutex_unlock(&group->lock);
    }
}

/* Starts the work in all threads, does the work of rank 0, and waits for the others. */
static void run(lm_rank_threads *group, lm_rank_work *work, void *state)
{
    pthread_mutex_lock(&group->lock);
    group->waiting = 0;
    group->work = work;
    group->state = state;
    group->given++;
    pthread_cond_broadcast(&group->changed);
    pthread_mutex_unlock(&group->lock);
    do_work(group->members);
    pthread_mutex_lock(&group->lock);
    for (size_t r = 1; r < group->ranks; r++)
        while (group->members[r].done != group->given) pthread_cond_wait(&group->changed, &group->lock);
    pthread_mutex_unlock(&group->lock);
}

leman_status lm_rank_threads_run(lm_rank_threads *group, lm_rank_work *work, void *state)
{
    const member *failed = group->members + group->failed;
    if (group->given_up) return failed->status;
    run(group, work, state);
    if (!group->given_up) return LEMAN_OK;
    failed = group->members + group->failed;
    if (group->failed) lm_fail_as(group->ctx, failed->ctx);
    return failed->status;
}

void lm_rank_threads_finish(lm_rank_threads *group, lm_rank_work *work, void *state)
{
    run(group, work, state);
}

/* ---- Creation -------------------------------------------------------------------------------- */

/* The context of a rank above 0, with its share of the threads. */
static void make_context(leman_context *ctx, size_t ranks, member *m)
{
    lm_context_for_worker(ctx, &m->own);
    m->own.settings.threads = ctx->settings.threads > (int)ranks ? ctx->settings.threads / (int)ranks : 1;
    m->ctx = &m->own;
}

leman_status lm_rank_threads_new(leman_context *ctx, size_t ranks, lm_rank_threads **out)
{
    leman_status st = LEMAN_OK;
    lm_rank_threads *group = NULL;
    NEW(ctx, group, 1);
    *group = (lm_rank_threads){.ctx = ctx, .ranks = ranks};
    pthread_mutex_init(&group->lock, NULL);
    pthread_cond_init(&group->changed, NULL);
    NEW(ctx, group->members, ranks);
    for (size_t r = 0; r < ranks; r++) {
        member *m = group->members + r;
        *m = (member){.base = {r, ranks, sum, gather, give_up, given_up}, .group = group, .ctx = ctx};
        if (r) make_context(ctx, ranks, m);
    }
    for (group->started = 1; group->started < ranks; group->started++) {
        member *m = group->members + group->started;
        const int error = pthread_create(&m->thread, NULL, live, m);
        if (error)
            FAIL(ctx, LEMAN_ERROR_MEMORY, "rank %zu: no thread could be started: %s", m->base.rank, strerror(error));
    }
    *out = group;
done:
    if (st) lm_rank_threads_free(group);
    return st;
}

void lm_rank_threads_free(lm_rank_threads *group)
{
    if (!group) return;
    pthread_mutex_lock(&group->lock);
    group->ends = true;
    pthread_cond_broadcast(&group->changed);
    pthread_mutex_unlock(&group->lock);
    for (size_t r = 1; r < group->started; r++) pthread_join(group->members[r].thread, NULL);
    for (size_t r = 1; r < group->ranks && group->members; r++) lm_arena_free(&group->members[r].own.scratch);
    pthread_cond_destroy(&group->changed);
    pthread_mutex_destroy(&group->lock);
    lm_free(group->ctx, group->members);
    lm_free(group->ctx, group);
}
