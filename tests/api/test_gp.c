/* leman/gp.h: every function with what it must refuse; what a Gaussian process says of itself. */
#include "support/refused.h"
#include "support/training_data.h"
#include <math.h>

enum { GRAPHS = 12 };

static leman_kernel some_kernel(leman_context *ctx)
{
    leman_kernel kernel = leman_kernel_default();
    assert_int_equal(leman_kernel_parse(ctx, "wl:1", &kernel), LEMAN_OK);
    return kernel;
}

static leman_dataset *some_data(leman_context *ctx)
{
    leman_dataset *data = test_families(ctx, GRAPHS, 2, NULL), *out = NULL;
    double target[GRAPHS];
    for (size_t g = 0; g < GRAPHS; g++) target[g] = (double)(g % 5);
    assert_int_equal(leman_dataset_set_targets(ctx, data, NULL, target, 1, &out), LEMAN_OK);
    leman_dataset_free(data);
    return out;
}

static void test_fit(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = some_data(ctx);
    leman_kernel kernel = some_kernel(ctx);
    leman_gp_options bad = leman_gp_options_default();
    leman_gp *const before = TEST_UNTOUCHED(leman_gp), *out = before;
    assert_refused_without(leman_gp_fit(NULL, data, &kernel, 1, NULL, &out));
    assert_refused(ctx, "data", leman_gp_fit(ctx, NULL, &kernel, 1, NULL, &out));
    assert_refused(ctx, "kernels", leman_gp_fit(ctx, data, NULL, 1, NULL, &out));
    assert_refused(ctx, "kernels", leman_gp_fit(ctx, data, &kernel, 0, NULL, &out));
    assert_refused(ctx, "out", leman_gp_fit(ctx, data, &kernel, 1, NULL, NULL));
    bad.size = 3;
    assert_refused(ctx, "leman_gp_options", leman_gp_fit(ctx, data, &kernel, 1, &bad, &out));
    bad = leman_gp_options_default(), bad.noise = NAN;
    assert_refused(ctx, "noise", leman_gp_fit(ctx, data, &kernel, 1, &bad, &out));
    bad = leman_gp_options_default(), bad.rounds = 5000;
    assert_refused(ctx, "rounds", leman_gp_fit(ctx, data, &kernel, 1, &bad, &out));
    bad = leman_gp_options_default(), bad.target_name = "a\nb";
    assert_refused(ctx, "target_name", leman_gp_fit(ctx, data, &kernel, 1, &bad, &out));
    bad = leman_gp_options_default(), bad.target = 7;
    assert_refused_for_data(ctx, "column 7", leman_gp_fit(ctx, data, &kernel, 1, &bad, &out));
    assert_ptr_equal(out, before);
    leman_dataset_free(data);
    test_context_free(ctx);
}

static void test_fitted(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = some_data(ctx);
    leman_kernel kernel = some_kernel(ctx);
    leman_gp_options options;
    leman_gp *gp = NULL, *const before = TEST_UNTOUCHED(leman_gp), *out = before;
    double value[GRAPHS];
    leman_gp_options_init(&options, sizeof options);
    options.rounds = 1;
    assert_int_equal(leman_gp_fit(ctx, data, &kernel, 1, &options, &gp), LEMAN_OK);
    const leman_gp_shape *shape = leman_gp_describe(gp);
    assert_null(leman_gp_describe(NULL));
    assert_int_equal(shape->blocks, 2);
    assert_true(shape->block_round[1] == 1 && shape->block_kernel[1] == 0 && shape->noise > 0);
    assert_true(shape->model->regression && shape->model->supports == GRAPHS && shape->model->rounds == 1);
    assert_refused_without(leman_gp_predict(NULL, gp, data, value, NULL, NULL));
    assert_refused(ctx, "gp", leman_gp_predict(ctx, NULL, data, value, NULL, NULL));
    assert_refused(ctx, "data", leman_gp_predict(ctx, gp, NULL, value, NULL, NULL));
    assert_int_equal(leman_gp_predict(ctx, gp, data, NULL, NULL, NULL), LEMAN_OK);
    assert_refused_without(leman_gp_leave_one_out(NULL, gp, value, NULL, NULL));
    assert_refused(ctx, "gp", leman_gp_leave_one_out(ctx, NULL, value, NULL, NULL));
    assert_int_equal(leman_gp_leave_one_out(ctx, gp, NULL, NULL, NULL), LEMAN_OK);
    assert_refused_without(leman_gp_likelihood(NULL, gp, shape->weight, 1, value, NULL));
    assert_refused(ctx, "gp", leman_gp_likelihood(ctx, NULL, shape->weight, 1, value, NULL));
    assert_refused(ctx, "weight", leman_gp_likelihood(ctx, gp, NULL, 1, value, NULL));
    assert_refused(ctx, "value", leman_gp_likelihood(ctx, gp, shape->weight, 1, NULL, NULL));
    assert_refused(ctx, "noise", leman_gp_likelihood(ctx, gp, shape->weight, -1, value, NULL));
    assert_refused_without(leman_gp_extend(NULL, gp, data, NULL, &out));
    assert_refused(ctx, "gp", leman_gp_extend(ctx, NULL, data, NULL, &out));
    assert_refused(ctx, "data", leman_gp_extend(ctx, gp, NULL, NULL, &out));
    assert_refused(ctx, "out", leman_gp_extend(ctx, gp, data, NULL, NULL));
    assert_refused_without(leman_gp_write(NULL, gp, "x"));
    assert_refused(ctx, "gp", leman_gp_write(ctx, NULL, "x"));
    assert_refused(ctx, "path", leman_gp_write(ctx, gp, NULL));
    assert_refused_without(leman_gp_read(NULL, "x", &out));
    assert_refused(ctx, "path", leman_gp_read(ctx, NULL, &out));
    assert_refused(ctx, "out", leman_gp_read(ctx, "x", NULL));
    assert_ptr_equal(out, before);
    leman_gp_free(NULL);
    leman_gp_free(gp);
    leman_dataset_free(data);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_fit), cmocka_unit_test(test_fitted)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
