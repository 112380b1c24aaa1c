/* Adam against its formula in double, step by step; the first step is the rate; clipping and decay. */
#include "nn/on_device.h"
#include <math.h>

enum { COUNT = 37 };

typedef struct oracle {
    double w[COUNT], m[COUNT], v[COUNT];
    double decay, clip;
    int t;
} oracle;

static void oracle_step(oracle *o, double rate, const lm_real *gradient)
{
    double length = 0, scale = 1;
    for (int i = 0; i < COUNT; i++) length += (double)gradient[i] * (double)gradient[i];
    if (o->clip > 0 && sqrt(length) > o->clip) scale = o->clip / sqrt(length);
    o->t++;
    for (int i = 0; i < COUNT; i++) {
        double g = scale * (double)gradient[i] + o->decay * o->w[i];
        o->m[i] = 0.9 * o->m[i] + 0.1 * g;
        o->v[i] = 0.999 * o->v[i] + 0.001 * g * g;
        double m = o->m[i] / (1 - pow(0.9, o->t)), v = o->v[i] / (1 - pow(0.999, o->t));
        o->w[i] -= rate * m / (sqrt(v) + 1e-8);
    }
}

/* Adam on a backend, with moments in its memory. */
typedef struct optimizer {
    lm_backend *backend;
    size_t count;
    lm_real *first, *second;
    lm_adam rule;
    uint64_t t;
} optimizer;

static optimizer optimizer_new(leman_context *ctx, size_t count, double decay, double clip)
{
    static const lm_real ZEROS[COUNT] = {0};
    optimizer o = {.backend = check_backend(ctx), .count = count, .rule = lm_adam_rule(decay, clip)};
    o.first = check_upload(o.backend, ZEROS, count * sizeof *o.first);
    o.second = check_upload(o.backend, ZEROS, count * sizeof *o.second);
    return o;
}

static void optimizer_free(optimizer *o)
{
    o->backend->release(o->backend, o->first);
    o->backend->release(o->backend, o->second);
    lm_backend_free(o->backend);
}

/* One step with numbers of the host. */
static void step_on_device(optimizer *o, double rate, lm_real *weights, const lm_real *gradient)
{
    lm_backend *backend = o->backend;
    const size_t bytes = o->count * sizeof *weights;
    lm_real *w = check_upload(backend, weights, bytes), *g = check_upload(backend, gradient, bytes);
    backend->control(backend, &(lm_control){.t = ++o->t, .rate = rate});
    backend->adam(backend, &o->rule, NULL, o->count, w, g, o->first, o->second);
    assert_int_equal(backend->read(backend, weights, w, bytes), LEMAN_OK);
    backend->release(backend, w);
    backend->release(backend, g);
}

static void compare(double decay, double clip)
{
    leman_context *ctx = test_context_new(2);
    oracle slow = {.decay = decay, .clip = clip};
    lm_real weights[COUNT], gradient[COUNT];
    uint64_t random = 5;
    optimizer o = optimizer_new(ctx, COUNT, decay, clip);
    for (int i = 0; i < COUNT; i++) weights[i] = (lm_real)(i - 10) / 7;
    for (int i = 0; i < COUNT; i++) slow.w[i] = (double)weights[i];
    for (int step = 0; step < 200; step++) {
        for (int i = 0; i < COUNT; i++)
            gradient[i] = (lm_real)((double)(test_random(&random) % 2001) / 1000 - 1) * (lm_real)(i % 5);
        step_on_device(&o, step < 100 ? 1e-2 : 1e-3, weights, gradient);
        oracle_step(&slow, step < 100 ? 1e-2 : 1e-3, gradient);
    }
    for (int i = 0; i < COUNT; i++)
        if (fabs((double)weights[i] - slow.w[i]) > 2e-5) fail_msg("%d: %.9g, %.9g", i, (double)weights[i], slow.w[i]);
    optimizer_free(&o);
    test_context_free(ctx);
}

static void test_formula(void **state)
{
    (void)state;
    compare(0, 0);
    compare(0.1, 0);
    compare(0, 2);
    compare(0.1, 2);
}

/* The moments of float numbers keep the digits of a float: after the first step, and after so many that a decay and its
 * rest that do not add up to 1 would show. Gradients are of one size, so that nothing cancels; their signs are drawn.
 */
static void test_moments(void **state)
{
    (void)state;
    enum { STEPS = 6000 };
    leman_context *ctx = test_context_new(2);
    oracle slow = {0};
    lm_real weights[COUNT] = {0}, gradient[COUNT], second[COUNT];
    uint64_t random = 11;
    optimizer o = optimizer_new(ctx, COUNT, 0, 0);
    for (int step = 1; step <= STEPS; step++) {
        for (int i = 0; i < COUNT; i++)
            gradient[i] =
                (lm_real)(1 + (double)(test_random(&random) % 1000) / 1000) * (test_random(&random) % 2 ? 1 : -1);
        step_on_device(&o, 1e-3, weights, gradient);
        oracle_step(&slow, 1e-3, gradient);
        double error = 0;
        assert_int_equal(o.backend->read(o.backend, second, o.second, sizeof second), LEMAN_OK);
        for (int i = 0; i < COUNT; i++) error += ((double)second[i] / slow.v[i] - 1) / (double)COUNT;
        if (fabs(error) > (step == 1 ? 2e-7 : 3e-6))
            fail_msg("step %d: second moments are %.3g of themselves too large", step, error);
    }
    optimizer_free(&o);
    test_context_free(ctx);
}

/* f(x) = x^2 / 2 from 1: the first step is -rate, whatever the gradient; after many x is near 0. */
static void test_parabola(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    lm_real x = 1, gradient = x;
    optimizer o = optimizer_new(ctx, 1, 0, 0);
    step_on_device(&o, 1e-3, &x, &gradient);
    assert_true(fabs(1 - (double)x - 1e-3) < 6e-8); /* 1e-8 of the rule, and the rounding of a float near 1 */
    for (int step = 0; step < 3000; step++) {
        gradient = x;
        step_on_device(&o, 1e-2, &x, &gradient);
    }
    assert_true(fabs((double)x) < 1e-3);
    optimizer_free(&o);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_formula),
        cmocka_unit_test(test_moments),
        cmocka_unit_test(test_parabola),
    };
    const int missing = check_without_device();
    return missing ? missing : cmocka_run_group_tests(tests, NULL, NULL);
}
