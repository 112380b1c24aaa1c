/*
 * One pass forward and back of every model on the device of the test against the CPU: predictions, loss, and the
 * gradient of every weight, on a batch of small graphs one of which has a single vertex and one no edges. Small enough
 * to be emulated; test_models_device.c trains them. And one of a network with more biases than any model has.
 */
#include "nn/made.h"

static double largest(const lm_real *x, size_t count)
{
    double most = 1e-6;
    for (size_t i = 0; i < count; i++)
        if (fabs((double)x[i]) > most) most = fabs((double)x[i]);
    return most;
}

static void near(const lm_real *a, const lm_real *b, size_t count, double scale, const char *what, const char *of)
{
    for (size_t i = 0; i < count; i++)
        if (!(fabs((double)a[i] - (double)b[i]) <= 1e-4 * scale))
            fail_msg("%s: %s[%zu]: %g there, %g on the CPU", what, of, i, (double)a[i], (double)b[i]);
}

static void compare_gradients(const check_run *there, const check_run *cpu, const char *what)
{
    const double all = largest(cpu->gradients, cpu->trainable);
    for (uint32_t i = 0; i < cpu->program->weights.count; i++) {
        const lm_weight *w = lm_program_weight(cpu->program, i);
        const size_t numbers = w->rows * w->columns;
        if (!w->trainable) continue; /* a gradient that is small beside others may be the difference of large numbers */
        near(there->gradients + w->offset, cpu->gradients + w->offset, numbers,
             fmax(all / 10, largest(cpu->gradients + w->offset, numbers)), what, w->name);
    }
}

static void compare(leman_network_kind kind, leman_preset preset)
{
    const uint64_t seed = 5;
    leman_context *ctx = test_context_new(1);
    uint64_t random = 17;
    leman_dataset *data = made_data(ctx, &random, MADE_SIZES, 50);
    made m;
    made_new(&m, ctx, data, made_shape(kind, 2, preset), MADE_GRAPHS, LM_TRAIN, seed);
    const char *what = made_text(&m.options.shape);
    check_run cpu = check_run_on(ctx, m.program, "cpu", LM_TRAIN, seed, true);
    for (size_t i = 0; i < cpu.trainable; i++) /* values of moderate size through all layers */
        cpu.weights[i] = m.run.weights[i] = cpu.weights[i] * (lm_real)0.3;
    const double there = check_pass(&m.run, &m.batch), here = check_pass(&cpu, &m.batch);
    check_close(there, here, 1e-4, what);
    const size_t count = MADE_GRAPHS * m.options.outputs;
    lm_real *a = made_predictions(&m), *b = malloc(count * sizeof *b);
    assert_int_equal(lm_executor_value(cpu.executor, cpu.executor->program->prediction, b), LEMAN_OK);
    near(a, b, count, largest(b, count), what, "prediction");
    compare_gradients(&m.run, &cpu, what);
    free(a), free(b);
    check_run_free(&cpu);
    made_free(&m);
    leman_dataset_free(data);
    test_context_free(ctx);
}

static void test_passes(void **state)
{
    (void)state;
#ifdef TEST_EMULATED /* slowly: what other tests do not emulate */
    for (int kind = LEMAN_NETWORK_KIND_MPNN; kind < LEMAN_NETWORK_KIND_COUNT; kind++)
        compare((leman_network_kind)kind, LEMAN_PRESET_QM9);
    return;
#endif
    for (int kind = 0; kind < LEMAN_NETWORK_KIND_COUNT; kind++)
        for (int preset = LEMAN_PRESET_ZINC; preset <= LEMAN_PRESET_QM9; preset++)
            if (preset != LEMAN_PRESET_ALCHEMY) compare((leman_network_kind)kind, (leman_preset)preset);
}

/* More biases than a device adds up at once, and, with little memory, than it has room for. */
static void compare_biases(size_t memory)
{
    enum { MAPS = 100, WIDTH = 64 };
    static const size_t SIZES[] = {130, 1, 0, 7, SIZE_MAX};
    leman_context *ctx = test_context_new(1);
    lm_program *p = NULL;
    lm_batch batch;
    ctx->settings.device_memory = memory;
    ctx->settings.precision = LEMAN_PRECISION_FP32;
    check_batch(ctx, 1, SIZES, 5, false, 3, &batch);
    assert_int_equal(lm_program_new(ctx, 1, &p), LEMAN_OK);
    const uint32_t x = lm_program_embed(p, LM_INDEX_VERTEX_TYPE, 0, lm_table_new(p, "types", CHECK_TYPES, WIDTH));
    uint32_t sum = x;
    for (int i = 0; i < MAPS; i++) {
        char name[16];
        snprintf(name, sizeof name, "map%d", i);
        const lm_linear map = lm_linear_new(p, name, WIDTH, WIDTH);
        sum = lm_program_add(p, sum, lm_program_linear(p, x, map, LM_RELU), LM_IDENTITY);
    }
    const lm_linear last = lm_linear_new(p, "last", WIDTH, CHECK_TARGETS);
    lm_program_predict(p, lm_program_linear(p, lm_program_pool(p, sum, true), last, LM_IDENTITY));
    lm_program_set_loss(p, LM_OP_SQUARE);
    check_run there = check_run_new(ctx, p, LM_WHOLE, 5, true), cpu = check_run_on(ctx, p, "cpu", LM_WHOLE, 5, true);
    for (int pass = 0; pass < 2; pass++) {
        check_close(check_pass(&there, &batch), check_pass(&cpu, &batch), 1e-4, "many biases");
        compare_gradients(&there, &cpu, "many biases");
    }
    check_run_free(&there);
    check_run_free(&cpu);
    lm_program_free(p);
    lm_batch_free(&batch);
    test_context_free(ctx);
}

static void test_many_biases(void **state)
{
    (void)state;
    compare_biases(0);
    compare_biases((size_t)64 << 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_passes), cmocka_unit_test(test_many_biases)};
    const int missing = check_without_device();
    return missing ? missing : cmocka_run_group_tests(tests, NULL, NULL);
}
