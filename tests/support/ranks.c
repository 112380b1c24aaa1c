/* Ranks as threads; ranks.h. They meet at a barrier before and after they look at what others show. */
#include "support/ranks.h"
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

typedef struct group {
    test_ranks *t;
    pthread_barrier_t barrier;
    const void *shown[TEST_MAX_RANKS];
    const size_t *bytes[TEST_MAX_RANKS];
    _Atomic uint64_t next;
    test_rank_work *work;
    void *const *state;
} group;

typedef struct member {
    group *group;
    size_t rank;
    pthread_t thread;
    atomic_size_t allocations, live;
} member;

/* ---- The communicator ------------------------------------------------------------------------ */

static leman_status gather(void *state, const void *mine, const size_t *bytes, void *all)
{
    member *m = state;
    group *g = m->group;
    char *to = all;
    g->shown[m->rank] = mine;
    pthread_barrier_wait(&g->barrier);
    for (size_t r = 0; r < g->t->ranks; r++) {
        if (bytes[r]) memcpy(to, g->shown[r], bytes[r]);
        to += bytes[r];
    }
    pthread_barrier_wait(&g->barrier);
    return LEMAN_OK;
}

static leman_status exchange(void *state, const void *send, const size_t *send_bytes, void *receive,
                             const size_t *receive_bytes)
{
    member *m = state;
    group *g = m->group;
    char *to = receive;
    leman_status st = LEMAN_OK;
    g->shown[m->rank] = send;
    g->bytes[m->rank] = send_bytes;
    pthread_barrier_wait(&g->barrier);
    for (size_t r = 0; r < g->t->ranks; r++) {
        const char *from = g->shown[r];
        for (size_t i = 0; i < m->rank; i++) from += g->bytes[r][i];
        if (g->bytes[r][m->rank] != receive_bytes[r]) st = LEMAN_ERROR_INTERNAL;
        if (receive_bytes[r]) memcpy(to, from, receive_bytes[r]);
        to += receive_bytes[r];
    }
    pthread_barrier_wait(&g->barrier);
    return st;
}

static leman_status write_at(void *state, const char *path, uint64_t offset, const void *bytes, size_t count)
{
    const member *m = state;
    const int file = open(path, O_WRONLY | O_CLOEXEC);
    const bool put = file >= 0 && pwrite(file, bytes, count, (off_t)offset) == (ssize_t)count;
    if (file >= 0) close(file);
    pthread_barrier_wait(&m->group->barrier);
    return put ? LEMAN_OK : LEMAN_ERROR_FILE;
}

static leman_status next(void *state, uint64_t *number)
{
    *number = atomic_fetch_add(&((member *)state)->group->next, 1);
    return LEMAN_OK;
}

/* ---- Allocations ----------------------------------------------------------------------------- */

static bool fails(member *m)
{
    const test_ranks *t = m->group->t;
    const size_t number = atomic_fetch_add(&m->allocations, 1) + 1;
    return t->failing_allocation && number >= t->failing_allocation && m->rank == t->failing_rank;
}

static void *allocate(void *user, size_t size)
{
    member *m = user;
    void *pointer = fails(m) ? NULL : malloc(size);
    if (pointer) atomic_fetch_add(&m->live, 1);
    return pointer;
}

static void *reallocate(void *user, void *pointer, size_t size)
{
    member *m = user;
    void *moved = fails(m) ? NULL : realloc(pointer, size);
    if (moved && !pointer) atomic_fetch_add(&m->live, 1);
    return moved;
}

static void release(void *user, void *pointer)
{
    if (pointer) atomic_fetch_sub(&((member *)user)->live, 1);
    free(pointer);
}

/* ---- Running --------------------------------------------------------------------------------- */

static void *live(void *argument)
{
    member *m = argument;
    test_ranks *t = m->group->t;
    leman_communicator communicator = leman_communicator_default();
    leman_settings settings = leman_settings_default();
    leman_context *ctx = NULL;
    communicator.rank = m->rank;
    communicator.ranks = t->ranks;
    communicator.state = m;
    communicator.gather = gather;
    communicator.exchange = exchange;
    communicator.write = t->plain ? NULL : write_at;
    communicator.next = t->plain ? NULL : next;
    settings.threads = 1;
    settings.memory = t->memory;
    settings.allocate = allocate;
    settings.reallocate = reallocate;
    settings.release = release;
    settings.allocator_user = m;
    settings.communicator = &communicator;
    t->status[m->rank] = leman_context_new(&settings, &ctx);
    if (ctx) t->status[m->rank] = m->group->work(ctx, m->group->state[m->rank]);
    snprintf(t->message[m->rank], sizeof *t->message, "%s", leman_context_message(ctx));
    t->traffic[m->rank] = leman_context_traffic(ctx);
    leman_context_free(ctx);
    t->allocations[m->rank] = atomic_load(&m->allocations);
    t->live[m->rank] = atomic_load(&m->live);
    return NULL;
}

void test_ranks_run(test_ranks *t, test_rank_work *work, void *const *state)
{
    group g = {.t = t, .work = work, .state = state};
    member members[TEST_MAX_RANKS] = {0};
    pthread_barrier_init(&g.barrier, NULL, (unsigned)t->ranks);
    for (size_t r = 0; r < t->ranks; r++) {
        members[r].group = &g;
        members[r].rank = r;
        assert_int_equal(pthread_create(&members[r].thread, NULL, live, members + r), 0);
    }
    for (size_t r = 0; r < t->ranks; r++) pthread_join(members[r].thread, NULL);
    pthread_barrier_destroy(&g.barrier);
    for (size_t r = 0; r < t->ranks; r++)
        if (t->live[r]) fail_msg("rank %zu of %zu: %zu blocks leaked", r, t->ranks, t->live[r]);
}

void test_ranks_succeed(size_t ranks, test_rank_work *work, void *const *state)
{
    test_ranks t = {.ranks = ranks};
    test_ranks_run(&t, work, state);
    for (size_t r = 0; r < ranks; r++)
        if (t.status[r]) fail_msg("rank %zu of %zu: %s", r, ranks, t.message[r]);
}
