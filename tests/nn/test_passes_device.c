/*
 * One pass forward and back of every model on the device of the test against the CPU: predictions, loss, and the
 * gradient of every weight, on a batch of small graphs one of which has a single vertex and one no edges. Small enough
 * to be emulated; test_models_device.c trains them.
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
    assert_int_equal(lm_executor_predictions(cpu.executor, b), LEMAN_OK);
    near(a, b, count, largest(b, count), what, "prediction");
    const double all = largest(cpu.gradients, cpu.trainable);
    for (uint32_t i = 0; i < m.program->weights.count; i++) {
        const lm_weight *w = lm_program_weight(m.program, i);
        const size_t numbers = w->rows * w->columns;
        if (!w->trainable) continue; /* a gradient that is small beside others may be the difference of large numbers */
        near(m.run.gradients + w->offset, cpu.gradients + w->offset, numbers,
             fmax(all / 10, largest(cpu.gradients + w->offset, numbers)), what, w->name);
    }
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_passes)};
    const int missing = check_without_device();
    return missing ? missing : cmocka_run_group_tests(tests, NULL, NULL);
}
