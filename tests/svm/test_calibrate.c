/* Probabilities from decision values: against a slow search for the likeliest sigmoid, against the definition of
 * coupling, and what must hold of probabilities. */
#include "support/support.h"
#include "svm/calibrate.h"
#include <math.h>

static double draw(uint64_t *random)
{
    return (double)(test_random(random) >> 11) * 0x1p-53;
}

/* ---- Sigmoids -------------------------------------------------------------------------------- */

enum { COUNT = 60 };

/* Minus the logarithm of the likelihood of smoothed labels, as it is defined: weights of mean 1 count graphs. */
static double loss(const double *decision, const bool *positive, const double *weight, size_t count, double a, double b)
{
    double positives = 0, sum = 0, all = 0;
    for (size_t i = 0; i < count; i++) all += weight ? weight[i] : 1;
    for (size_t i = 0; i < count; i++) positives += positive[i] ? (weight ? weight[i] * (double)count / all : 1) : 0;
    for (size_t i = 0; i < count; i++) {
        double label = positive[i] ? (positives + 1) / (positives + 2) : 1 / ((double)count - positives + 2);
        double p = 1 / (1 + exp(a * decision[i] + b)), own = weight ? weight[i] * (double)count / all : 1;
        sum -= own * (label * log(p) + (1 - label) * log(1 - p));
    }
    return sum;
}

/* No point around the fit, near or far, is likelier. */
static void check_likeliest(const double *decision, const bool *positive, const double *weight, size_t count,
                            lm_platt fit)
{
    double here = loss(decision, positive, weight, count, fit.a, fit.b);
    assert_true(isfinite(here));
    for (double radius = 10; radius > 1e-4; radius /= 3)
        for (int i = 0; i < 64; i++) {
            double angle = i * 0.1, a = fit.a + radius * cos(angle), b = fit.b + radius * sin(angle);
            double there = loss(decision, positive, weight, count, a, b);
            if (isfinite(there) && there < here - 1e-9 * (1 + here))
                fail_msg("%.12g at (%g, %g), %.12g at (%g, %g)", here, fit.a, fit.b, there, a, b);
        }
}

static void test_likeliest_sigmoid(void **unused)
{
    (void)unused;
    uint64_t random = 1;
    leman_context *ctx = test_context_new(1);
    for (size_t i = 0; i < test_cases(40); i++) {
        double decision[COUNT], own[COUNT], noise = 3 * draw(&random), shift = 2 * draw(&random) - 1;
        const double *weight = i % 2 ? own : NULL;
        bool positive[COUNT];
        size_t count = test_random(&random) % (COUNT + 1);
        for (size_t k = 0; k < count; k++) {
            decision[k] = 4 * draw(&random) - 2;
            own[k] = 0.01 + 5 * draw(&random);
            positive[k] = decision[k] + noise * (draw(&random) - 0.5) > shift;
        }
        lm_platt fit;
        assert_int_equal(lm_platt_fit(ctx, decision, positive, weight, count, &fit), LEMAN_OK);
        check_likeliest(decision, positive, weight, count, fit);
    }
    test_context_free(ctx);
}

/* Separated classes, one class, equal values, nothing, huge and tiny values: finite, and between 0 and 1. */
static void test_corners(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    bool positive[6] = {true, true, true, false, false, false}, same[6] = {true, true, true, true, true, true};
    lm_platt fit;
    for (double scale = 1e-9; scale < 1e10; scale *= 1e3) {
        double apart[6] = {3 * scale, 2 * scale, scale, -scale, -2 * scale, -3 * scale};
        assert_int_equal(lm_platt_fit(ctx, apart, positive, NULL, 6, &fit), LEMAN_OK);
        assert_true(fit.a < 0);
        assert_true(lm_platt_at(fit, 3 * scale) > 0.75 && lm_platt_at(fit, 3 * scale) < 1);
        assert_true(fabs(lm_platt_at(fit, 0) - 0.5) < 1e-6); /* by symmetry */
        assert_int_equal(lm_platt_fit(ctx, apart, same, NULL, 6, &fit), LEMAN_OK);
        assert_true(fabs(lm_platt_at(fit, 0) - 7.0 / 8) < 1e-3); /* the smoothed label of six positive graphs */
    }
    double equal[6] = {2, 2, 2, 2, 2, 2};
    assert_int_equal(lm_platt_fit(ctx, equal, positive, NULL, 6, &fit), LEMAN_OK);
    assert_true(fabs(lm_platt_at(fit, 2) - 0.5) < 1e-6);
    assert_int_equal(lm_platt_fit(ctx, equal, positive, NULL, 0, &fit), LEMAN_OK);
    assert_true(lm_platt_at(fit, 1) == 0.5);
    double wrong[2] = {1, NAN};
    assert_int_equal(lm_platt_fit(ctx, wrong, positive, NULL, 2, &fit), LEMAN_ERROR_INPUT);
    test_context_free(ctx);
}

static void test_sigmoid_is_monotone(void **unused)
{
    (void)unused;
    lm_platt sigmoid = {-2, 0.3};
    for (double d = -800; d < 800; d += 0.5) {
        double p = lm_platt_at(sigmoid, d), next = lm_platt_at(sigmoid, d + 0.5);
        assert_true(p >= 0 && p <= next && next <= 1);
        if (fabs(d) < 10) assert_true(p < next);
        assert_true(fabs(p + lm_platt_at((lm_platt){2, -0.3}, d) - 1) < 1e-15);
    }
}

/* ---- Several classes ------------------------------------------------------------------------- */

static double distance_of_pairs(const double *r, const double *p, size_t classes)
{
    double sum = 0;
    for (size_t a = 0, m = 0; a < classes; a++)
        for (size_t b = a + 1; b < classes; b++, m++) {
            double apart = (1 - r[m]) * p[a] - r[m] * p[b]; /* r_ba p_a - r_ab p_b */
            sum += 2 * apart * apart;
        }
    return sum;
}

/* The coupled probabilities are the best of the simplex: no mass moved from one class to another improves them. */
static void check_coupled(const double *r, const double *p, size_t classes)
{
    double here = distance_of_pairs(r, p, classes), sum = 0, other[8];
    for (size_t c = 0; c < classes; c++) {
        assert_true(p[c] >= 0 && p[c] <= 1);
        sum += p[c];
    }
    assert_true(fabs(sum - 1) < 1e-12);
    for (double step = 0.3; step > 1e-6; step /= 4)
        for (size_t a = 0; a < classes; a++)
            for (size_t b = 0; b < classes; b++) {
                if (a == b || p[a] < step) continue;
                memcpy(other, p, classes * sizeof *p);
                other[a] -= step;
                other[b] += step;
                assert_true(distance_of_pairs(r, other, classes) >= here - 1e-13);
            }
}

static void test_coupling(void **unused)
{
    (void)unused;
    uint64_t random = 2;
    leman_context *ctx = test_context_new(1);
    for (size_t i = 0; i < test_cases(200); i++) {
        size_t classes = 2 + i % 6, pairs = lm_multiclass_outputs(LM_ONE_VS_ONE, classes);
        double decision[21], r[21], p[8], scale = i % 3 ? 3 : 40;
        lm_platt sigmoid[21];
        for (size_t m = 0; m < pairs; m++) {
            sigmoid[m] = (lm_platt){-1, 0.1};
            decision[m] = scale * (2 * draw(&random) - 1);
            r[m] = fmin(fmax(lm_platt_at(sigmoid[m], decision[m]), 1e-7), 1 - 1e-7);
        }
        assert_int_equal(lm_calibration_apply(ctx, LM_ONE_VS_ONE, classes, sigmoid, decision, p), LEMAN_OK);
        check_coupled(r, p, classes);
        if (classes == 2) assert_true(p[0] == lm_platt_at(sigmoid[0], decision[0]));
    }
    test_context_free(ctx);
}

/* Pairs that agree with some probabilities, r_ab = p_a / (p_a + p_b), give these back. */
static void test_coupling_gives_back(void **unused)
{
    (void)unused;
    uint64_t random = 3;
    leman_context *ctx = test_context_new(1);
    for (size_t i = 0; i < test_cases(50); i++) {
        size_t classes = 3 + i % 4, m = 0;
        double p[8], sum = 0, decision[21], found[8];
        lm_platt sigmoid[21];
        for (size_t c = 0; c < classes; c++) sum += p[c] = 0.01 + draw(&random);
        for (size_t a = 0; a < classes; a++)
            for (size_t b = a + 1; b < classes; b++, m++) {
                sigmoid[m] = (lm_platt){-1, 0};
                decision[m] = log(p[a] / p[b]);
            }
        assert_int_equal(lm_calibration_apply(ctx, LM_ONE_VS_ONE, classes, sigmoid, decision, found), LEMAN_OK);
        for (size_t c = 0; c < classes; c++) assert_true(fabs(found[c] - p[c] / sum) < 1e-9);
    }
    test_context_free(ctx);
}

/* The sigmoid of each output is that of its own graphs. */
static void test_fit_of_all(void **unused)
{
    (void)unused;
    uint64_t random = 4;
    leman_context *ctx = test_context_new(1);
    for (int kind = 0; kind < 2; kind++)
        for (size_t classes = 1; classes < 5; classes++) {
            lm_multiclass multiclass = kind ? LM_ONE_VS_REST : LM_ONE_VS_ONE;
            size_t count = 40, all = lm_multiclass_outputs(multiclass, classes), a = 0, b = 1;
            double decision[40 * 6], own[40];
            uint32_t label[40];
            bool positive[40];
            lm_platt sigmoid[6], one;
            for (size_t i = 0; i < count; i++) label[i] = (uint32_t)(test_random(&random) % classes);
            for (size_t i = 0; i < count * all; i++) decision[i] = 2 * draw(&random) - 1;
            assert_int_equal(lm_calibration_fit(ctx, multiclass, classes, decision, label, NULL, count, sigmoid),
                             LEMAN_OK);
            for (size_t m = 0; m < all; m++, b++) {
                size_t used = 0;
                if (b == classes) b = ++a + 1;
                for (size_t i = 0; i < count; i++)
                    if (kind || label[i] == a || label[i] == b) {
                        positive[used] = label[i] == (kind ? m : a);
                        own[used++] = decision[i * all + m];
                    }
                assert_int_equal(lm_platt_fit(ctx, own, positive, NULL, used, &one), LEMAN_OK);
                assert_memory_equal(&one, &sigmoid[m], sizeof one);
            }
            double p[5], sum = 0;
            assert_int_equal(lm_calibration_apply(ctx, multiclass, classes, sigmoid, decision, p), LEMAN_OK);
            for (size_t c = 0; c < classes; c++) sum += p[c];
            assert_true(fabs(sum - 1) < 1e-12);
            if (kind && classes > 2) /* in the proportion of the sigmoids */
                assert_true(fabs(p[0] * lm_platt_at(sigmoid[1], decision[1]) -
                                 p[1] * lm_platt_at(sigmoid[0], decision[0])) < 1e-12);
        }
    assert_int_equal(lm_multiclass_outputs(LM_ONE_VS_ONE, 4), 6);
    assert_int_equal(lm_multiclass_outputs(LM_ONE_VS_REST, 4), 4);
    assert_int_equal(lm_multiclass_outputs(LM_ONE_VS_REST, 2), 1);
    test_context_free(ctx);
}

static leman_status calibrate(leman_context *ctx, void *unused)
{
    (void)unused;
    double decision[4 * 3] = {1, 2, 3, -1, 1, 1, 1, -2, -2, 0, 0, -1}, p[3];
    uint32_t label[4] = {0, 1, 2, 1};
    lm_platt sigmoid[3];
    leman_status st = lm_calibration_fit(ctx, LM_ONE_VS_ONE, 3, decision, label, NULL, 4, sigmoid);
    if (!st) st = lm_calibration_apply(ctx, LM_ONE_VS_ONE, 3, sigmoid, decision, p);
    return st;
}

static void test_failing_allocations(void **unused)
{
    (void)unused;
    assert_true(test_fail_each_allocation(calibrate, NULL) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_likeliest_sigmoid),   cmocka_unit_test(test_corners),
        cmocka_unit_test(test_sigmoid_is_monotone), cmocka_unit_test(test_coupling),
        cmocka_unit_test(test_coupling_gives_back), cmocka_unit_test(test_fit_of_all),
        cmocka_unit_test(test_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
