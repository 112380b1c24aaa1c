/* Ranks as threads; rank_threads.h has the contract. The threads meet at a barrier before and after they read what the
 * other ranks show. */
#include "base/ranks/rank_threads.h"
#include <pthread.h>
#include <string.h>

typedef struct rank_group rank_group;

typedef struct rank_member {
    rank_group *group;
    leman_context *ctx, own; /* own: context of ranks above 0 */
    pthread_t thread;
    const void *shown;
    const size_t *bytes;
} rank_member;

struct rank_group {
    rank_member *members; /* [ranks] */
    size_t ranks;
    pthread_mutex_t meeting; /* guards `arrived` and `meetings` */
    pthread_cond_t all_here;
    size_t arrived, meetings;
    pthread_mutex_t gate; /* locked until all threads exist */
    bool complete;
    lm_rank_work *work;
    void *state;
};

/* Returns when every rank has called it. macOS has no pthread_barrier_wait(). */
static void meet(rank_group *g)
{
    pthread_mutex_lock(&g->meeting);
    const size_t now = g->meetings;
    if (++g->arrived == g->ranks) {
        g->arrived = 0;
        g->meetings++;
        pthread_cond_broadcast(&g->all_here);
    }
    while (g->meetings == now) pthread_cond_wait(&g->all_here, &g->meeting);
    pthread_mutex_unlock(&g->meeting);
}

/* ---- The communicator ------------------------------------------------------------------------ */

static leman_status gather(void *state, const void *mine, const size_t *bytes, void *all)
{
    rank_member *m = state;
    char *to = all;
    m->shown = mine;
    meet(m->group);
    for (size_t r = 0; r < m->group->ranks; to += bytes[r++])
        if (bytes[r]) memcpy(to, m->group->members[r].shown, bytes[r]);
    meet(m->group);
    return LEMAN_OK;
}

static leman_status exchange(void *state, const void *send, const size_t *send_bytes, void *receive,
                             const size_t *receive_bytes)
{
    rank_member *m = state;
    const size_t own = (size_t)(m - m->group->members);
    char *to = receive;
    m->shown = send;
    m->bytes = send_bytes;
    meet(m->group);
    for (size_t r = 0; r < m->group->ranks; to += receive_bytes[r++]) {
        const rank_member *other = m->group->members + r;
        const char *from = other->shown;
        for (size_t i = 0; i < own; i++) from += other->bytes[i];
        if (receive_bytes[r]) memcpy(to, from, receive_bytes[r]);
    }
    meet(m->group);
    return LEMAN_OK;
}

/* ---- The threads ----------------------------------------------------------------------------- */

static void *live(void *argument)
{
    rank_member *m = argument;
    pthread_mutex_lock(&m->group->gate);
    const bool complete = m->group->complete;
    pthread_mutex_unlock(&m->group->gate);
    if (complete) (void)m->group->work(m->ctx, m->group->state); /* rank 0 returns the status of all ranks */
    return NULL;
}

/* Makes a member of rank r, whose context is that of a rank from now on. words[LM_RANK_WORDS * ranks] is for it. */
static void make_member(rank_group *g, size_t r, leman_context *ctx, uint64_t *words, bool *stopped)
{
    rank_member *m = g->members + r;
    *m = (rank_member){.group = g, .ctx = r ? &m->own : ctx};
    if (r) {
        lm_context_for_worker(ctx, &m->own);
        m->own.settings.threads = ctx->settings.threads > (int)g->ranks ? ctx->settings.threads / (int)g->ranks : 1;
    }
    m->ctx->ranks =
        (lm_ranks){.communicator = {.rank = r, .ranks = g->ranks, .state = m, .gather = gather, .exchange = exchange},
                   .told = words,
                   .bytes = (size_t *)(void *)(words + LM_TOLD_WORDS * g->ranks),
                   .stopped = stopped};
}

leman_status lm_rank_threads_run(leman_context *ctx, size_t ranks, lm_rank_work *work, void *state)
{
    leman_status st = LEMAN_OK;
    const lm_ranks before = ctx->ranks;
    rank_group g = {.ranks = ranks, .work = work, .state = state};
    uint64_t *words = NULL;
    bool stopped = false;
    size_t started = 1;
    pthread_mutex_init(&g.gate, NULL);
    pthread_mutex_init(&g.meeting, NULL);
    pthread_cond_init(&g.all_here, NULL);
    pthread_mutex_lock(&g.gate);
    NEW(ctx, g.members, ranks);
    NEW(ctx, words, LM_RANK_WORDS * ranks * ranks);
    for (size_t r = ranks; r-- > 0;) make_member(&g, r, ctx, words + LM_RANK_WORDS * ranks * r, &stopped);
    for (; started < ranks; started++) {
        const int error = pthread_create(&g.members[started].thread, NULL, live, g.members + started);
        if (error) FAIL(ctx, LEMAN_ERROR_MEMORY, "rank %zu: no thread could be started: %s", started, strerror(error));
    }
    g.complete = true;
done:
    pthread_mutex_unlock(&g.gate);
    if (!st) st = work(ctx, state);
    for (size_t r = 1; g.members && r < started; r++) pthread_join(g.members[r].thread, NULL);
    for (size_t r = 1; words && r < ranks; r++) lm_arena_free(&g.members[r].own.scratch);
    ctx->ranks = before;
    RELEASE(words, g.members);
    pthread_cond_destroy(&g.all_here);
    pthread_mutex_destroy(&g.meeting);
    pthread_mutex_destroy(&g.gate);
    return st;
}
