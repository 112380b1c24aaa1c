/* The meter of a context: what it counts, where it refuses, how long it lives. */
#include "base/context.h"
#include "base/thread_pool.h"
#include "support/meter.h"

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
    size_t before = lm_meter_used(ctx->meter), peak;
    void *a = lm_alloc(ctx, 10, MIB), *b = lm_alloc(ctx, 3, MIB);
    assert_in_range(lm_meter_used(ctx->meter) - before, 13 * MIB, 13 * MIB + 100);
    lm_free(ctx, a);
    assert_in_range(lm_meter_used(ctx->meter) - before, 3 * MIB, 3 * MIB + 50);
    peak = lm_meter_peak(ctx->meter);
    assert_in_range(peak - before, 13 * MIB, 13 * MIB + 100);
    lm_vector vector = {0};
    assert_int_equal(lm_vector_reserve(ctx, &vector, MIB, 1), LEMAN_OK);
    assert_int_equal(lm_vector_reserve(ctx, &vector, 4 * MIB, 1), LEMAN_OK);
    assert_true(lm_meter_used(ctx->meter) - before < 9 * MIB);
    lm_vector_free(ctx, &vector);
    lm_free(ctx, b);
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
    lm_free(ctx, a);
    assert_int_equal(lm_budget(ctx), 20 * MIB);
    assert_non_null(b = lm_alloc(ctx, 18, MIB));
    lm_free(ctx, b);
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
    lm_vector_free(ctx, &vector);
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
    lm_free(ctx, a);
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
    lm_free(ctx, a);
    leman_context_free(ctx);
}

static leman_status take_some(lm_worker *worker, void *state, size_t item)
{
    (void)state;
    for (size_t i = 0; i < 200; i++) {
        void *a = lm_alloc(worker->ctx, item + 1, 100);
        if (!a) return lm_refusal(worker->ctx);
        lm_free(worker->ctx, a);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_refuses),
        cmocka_unit_test(test_arrays_use_what_there_is),
        cmocka_unit_test(test_takes_for_others),
        cmocka_unit_test(test_what_is_free),
        cmocka_unit_test(test_shared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
