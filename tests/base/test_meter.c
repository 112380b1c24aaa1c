/* The meter of a context: what it counts, where it refuses, how long it lives. */
#include "base/context.h"
#include "base/thread_pool.h"
#include "support/meter.h"
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { MIB = 1 << 20 };

static leman_context *context_of(size_t memory, size_t held)
{
    leman_settings settings = leman_settings_default();
    leman_context *ctx = NULL;
    settings.memory = memory;
    settings.memory_held = held;
    settings.threads = 4;
    assert_int_equal(leman_context_new(&settings, &ctx), LEMAN_OK);
    return ctx;
}

static void test_counts(void **unused)
{
    (void)unused;
    leman_context *ctx = context_of(64 * MIB, 0);
    size_t before = lm_meter_used(ctx->meter);
    void *a = lm_alloc(ctx, 10, MIB), *b = lm_alloc(ctx, 3, MIB);
    assert_in_range(lm_meter_used(ctx->meter) - before, 13 * MIB, 13 * MIB + 100);
    lm_release(a);
    assert_in_range(lm_meter_used(ctx->meter) - before, 3 * MIB, 3 * MIB + 50);
    lm_vector vector = {0};
    assert_int_equal(lm_vector_reserve(ctx, &vector, MIB, 1), LEMAN_OK);
    assert_int_equal(lm_vector_reserve(ctx, &vector, 4 * MIB, 1), LEMAN_OK);
    assert_true(lm_meter_used(ctx->meter) - before < 9 * MIB);
    lm_vector_release(&vector);
    lm_release(b);
    assert_int_equal(lm_meter_used(ctx->meter), before);
    leman_context_free(ctx);
}

/* Past the budget and what is left for bookkeeping: a sentence with both figures, and nothing is lost. */
static void test_refuses(void **unused)
{
    (void)unused;
    leman_context *ctx = context_of(30 * MIB, 10 * MIB);
    assert_int_equal(lm_budget(ctx), 20 * MIB);
    void *a = lm_alloc(ctx, 18, MIB), *b = lm_alloc(ctx, 18, MIB);
    assert_non_null(a);
    assert_null(b);
    assert_int_equal(lm_refusal(ctx), LEMAN_ERROR_BUDGET);
    assert_non_null(strstr(leman_context_message(ctx), "18.0 MiB"));
    assert_non_null(strstr(leman_context_message(ctx), "the memory budget is 30.0 MiB"));
    assert_true(lm_budget(ctx) < 7 * MIB);
    assert_null(lm_scratch(ctx, 18, MIB));
    assert_int_equal(lm_refusal(ctx), LEMAN_ERROR_BUDGET);
    lm_release(a);
    assert_int_equal(lm_budget(ctx), 20 * MIB);
    assert_non_null(b = lm_alloc(ctx, 18, MIB));
    lm_release(b);
    leman_context_free(ctx);
}

/* An array that cannot double grows by less. */
static void test_arrays_use_what_there_is(void **unused)
{
    (void)unused;
    leman_context *ctx = context_of(28 * MIB, 0); /* 32 MiB with what is for bookkeeping */
    lm_vector vector = {0};
    leman_status st = LEMAN_OK;
    while (!st) {
        st = lm_vector_reserve(ctx, &vector, MIB / 4, 1);
        if (!st) vector.count += MIB / 4;
    }
    assert_int_equal(st, LEMAN_ERROR_BUDGET);
    assert_true(vector.count > 24 * (size_t)MIB);
    lm_vector_release(&vector);
    leman_context_free(ctx);
}

static void test_takes_for_others(void **unused)
{
    (void)unused;
    leman_context *ctx = context_of(20 * MIB, 0);
    assert_true(lm_meter_take(ctx->meter, 15 * MIB));
    assert_false(lm_meter_take(ctx->meter, 15 * MIB));
    assert_false(lm_meter_take(ctx->meter, SIZE_MAX));
    assert_null(lm_alloc(ctx, 15, MIB));
    lm_meter_give(ctx->meter, 15 * MIB);
    void *a = lm_alloc(ctx, 15, MIB);
    assert_non_null(a);
    lm_release(a);
    leman_context_free(ctx);
}

/* Without a setting the limit is what is free: more than any machine has is refused, not tried. */
static void test_what_is_free(void **unused)
{
    (void)unused;
    leman_context *ctx = context_of(0, 0);
    assert_true(lm_memory_free() > 0);
    assert_null(lm_alloc(ctx, SIZE_MAX / 4, 1));
    assert_int_equal(lm_refusal(ctx), LEMAN_ERROR_BUDGET);
    void *a = lm_alloc(ctx, 8, MIB);
    assert_non_null(a);
    lm_release(a);
    leman_context_free(ctx);
}

static leman_status take_some(lm_worker *worker, void *state, size_t item)
{
    (void)state;
    for (size_t i = 0; i < 200; i++) {
        void *a = lm_alloc(worker->ctx, item + 1, 100);
        if (!a) return lm_refusal(worker->ctx);
        lm_release(a);
    }
    return LEMAN_OK;
}

/* Workers share the meter of their context; an object that outlives the context keeps it. */
static void test_shared(void **unused)
{
    (void)unused;
    test_meter meter;
    leman_context *ctx = test_meter_context(&meter, 20 * MIB, 4);
    uint64_t cost[64] = {0};
    size_t before = lm_meter_used(ctx->meter);
    assert_int_equal(lm_thread_pool_run(ctx, cost, 64, 0, take_some, NULL), LEMAN_OK);
    assert_in_range(lm_meter_used(ctx->meter), before, before + (1 << 17)); /* the arena keeps a small chunk */
    leman_dataset *data = NULL;
    assert_int_equal(leman_dataset_generate(ctx, LEMAN_FAMILY_PETERSEN, NULL, &data), LEMAN_OK);
    leman_context_free(ctx);
    assert_true(meter.blocks > 1);
    leman_dataset_free(data);
    assert_int_equal(meter.blocks, 0);
}

/* ---- Threads --------------------------------------------------------------------------------- */

enum { THREADS = 4, TRIES = 1000000 };

typedef struct rival {
    pthread_barrier_t *start;
    lm_meter *meter;
    size_t bytes, limit;
    size_t taken, passed; /* how often the bytes were there; how often more than the limit was counted then */
} rival;

static void *take_and_give(void *state)
{
    rival *c = state;
    pthread_barrier_wait(c->start);
    for (size_t i = 0; i < TRIES; i++) {
        if (!lm_meter_take(c->meter, c->bytes)) continue;
        c->taken++;
        c->passed += lm_meter_used(c->meter) > c->limit;
        lm_meter_give(c->meter, c->bytes);
    }
    return NULL;
}

/* bytes[t]: what thread t takes and gives back, again and again, within a budget of 1,020 MiB and 4 for bookkeeping. */
static void compete(const size_t bytes[THREADS], rival found[THREADS])
{
    leman_context *ctx = context_of((size_t)1020 * MIB, 0);
    pthread_t thread[THREADS];
    pthread_barrier_t start;
    assert_int_equal(pthread_barrier_init(&start, NULL, THREADS), 0);
    for (int t = 0; t < THREADS; t++) {
        found[t] = (rival){.start = &start, .meter = ctx->meter, .bytes = bytes[t], .limit = (size_t)1024 * MIB};
        assert_int_equal(pthread_create(&thread[t], NULL, take_and_give, &found[t]), 0);
    }
    for (int t = 0; t < THREADS; t++) assert_int_equal(pthread_join(thread[t], NULL), 0);
    pthread_barrier_destroy(&start);
    leman_context_free(ctx);
}

/* Each fits, no two do: whoever has taken them sees that nobody else has. */
static void test_no_two_threads_take_the_same(void **unused)
{
    (void)unused;
    const size_t bytes[THREADS] = {(size_t)600 * MIB, (size_t)600 * MIB, (size_t)700 * MIB, (size_t)600 * MIB};
    rival found[THREADS];
    compete(bytes, found);
    size_t taken = 0;
    for (int t = 0; t < THREADS; t++) {
        taken += found[t].taken;
        assert_int_equal(found[t].passed, 0);
    }
    assert_true(taken > 0);
}

/* A request that never fits is never in the way of one that does. */
static void test_refusals_do_not_count(void **unused)
{
    (void)unused;
    const size_t much = (size_t)1025 * MIB, bytes[THREADS] = {(size_t)900 * MIB, much, much, much};
    rival found[THREADS];
    compete(bytes, found);
    assert_int_equal(found[0].taken, TRIES);
    for (int t = 1; t < THREADS; t++) assert_int_equal(found[t].taken, 0);
}

/* The hooks below keep their own sum of what is really allocated. */
typedef struct sum {
    atomic_size_t now, most;
} sum;

static void *sum_allocate(void *user, size_t size)
{
    sum *s = user;
    size_t *block = malloc(size + 16);
    if (!block) return NULL;
    *block = size;
    const size_t now = atomic_fetch_add(&s->now, size) + size;
    size_t most = atomic_load(&s->most);
    while (now > most && !atomic_compare_exchange_weak(&s->most, &most, now)) {
    }
    return (char *)block + 16;
}

static void sum_release(void *user, void *pointer)
{
    sum *s = user;
    if (!pointer) return;
    size_t *block = (size_t *)(void *)((char *)pointer - 16);
    sched_yield(); /* a thread that believes them gone comes now */
    atomic_fetch_sub(&s->now, *block);
    free(block);
}

static void *sum_reallocate(void *user, void *pointer, size_t size)
{
    (void)user, (void)pointer, (void)size;
    return NULL; /* nobody asks in this test */
}

static void *allocate_and_release(void *state)
{
    lm_allocator *hooks = state;
    for (size_t i = 0; i < 2000; i++) hooks->release(hooks->user, hooks->allocate(hooks->user, 5 * MIB));
    return NULL;
}

/* What a block took counts until the block is gone. */
static void test_blocks_stay_within_the_limit(void **unused)
{
    (void)unused;
    sum s = {0};
    lm_meter *meter = lm_meter_new(&(lm_allocator){sum_allocate, sum_reallocate, sum_release, &s}, 4 * MIB);
    assert_non_null(meter);
    lm_allocator hooks = lm_meter_hooks(meter);
    pthread_t thread[THREADS];
    for (int t = 0; t < THREADS; t++)
        assert_int_equal(pthread_create(&thread[t], NULL, allocate_and_release, &hooks), 0);
    for (int t = 0; t < THREADS; t++) assert_int_equal(pthread_join(thread[t], NULL), 0);
    assert_true(atomic_load(&s.most) >= 5 * MIB);
    assert_true(atomic_load(&s.most) <= 8 * MIB + 4096); /* and the meter itself */
    lm_meter_close(meter);
    assert_int_equal(atomic_load(&s.now), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_refuses),
        cmocka_unit_test(test_arrays_use_what_there_is),
        cmocka_unit_test(test_takes_for_others),
        cmocka_unit_test(test_what_is_free),
        cmocka_unit_test(test_shared),
        cmocka_unit_test(test_no_two_threads_take_the_same),
        cmocka_unit_test(test_refusals_do_not_count),
        cmocka_unit_test(test_blocks_stay_within_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
