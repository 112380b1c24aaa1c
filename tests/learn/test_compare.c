/* The corrected resampled t-test: the tail of Student's t against its integral, the statistic against its formula. */
#include "learn/compare.h"
#include "learn/splits.h"
#include "support/learning.h"
#include <math.h>

static void near(double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance)) fail_msg("found %.17g, expected %.17g", a, b);
}

/* P(|T| > t) by Simpson's rule. With x = sqrt(n) tan(u) the density of Student's t becomes
 * Gamma((n+1)/2) / (sqrt(pi) Gamma(n/2)) cos(u)^(n-1), on u from atan(t / sqrt(n)) to pi/2. */
static double slow_tail(double t, double n)
{
    enum { STEPS = 20000 };
    double from = atan(fabs(t) / sqrt(n)), to = acos(0), h = (to - from) / STEPS, sum = 0;
    for (int i = 0; i <= STEPS; i++) {
        double u = from + i * h, value = i == STEPS ? (n > 1 ? 0 : 1) : pow(cos(u), n - 1);
        sum += value * (i == 0 || i == STEPS ? 1 : i % 2 ? 4 : 2);
    }
    return 2 * exp(lgamma((n + 1) / 2) - lgamma(n / 2)) / sqrt(2 * to) * sum * h / 3;
}

static void test_tail(void **state)
{
    (void)state;
    static const double T[] = {0, 0.1, 0.5, 1, 1.96, 3, 7, 20}, N[] = {1, 2, 3, 9, 30, 99, 999};
    for (size_t i = 0; i < sizeof T / sizeof *T; i++)
        for (size_t j = 0; j < sizeof N / sizeof *N; j++) {
            near(lm_student_tail(T[i], N[j]), slow_tail(T[i], N[j]), 1e-8);
            near(lm_student_tail(-T[i], N[j]), lm_student_tail(T[i], N[j]), 0);
        }
    /* Closed forms: one degree of freedom is Cauchy's distribution, two have an algebraic tail. */
    for (double t = 0.25; t < 40; t *= 2) {
        near(lm_student_tail(t, 1), 1 - 2 * atan(t) / (2 * acos(0)), 1e-14);
        near(lm_student_tail(t, 2), 1 - t / sqrt(2 + t * t), 1e-14);
    }
    assert_true(lm_student_tail(INFINITY, 5) == 0);
    assert_true(lm_student_tail(0, 5) == 1);
}

/* I_x(a, b) = 1 - I_{1-x}(b, a); for whole a and b it is a binomial sum. */
static void test_beta(void **state)
{
    (void)state;
    for (int a = 1; a < 9; a++)
        for (int b = 1; b < 9; b++)
            for (double x = 0; x <= 1; x += 0.125) {
                double sum = 0;
                int n = a + b - 1;
                for (int j = a; j <= n; j++)
                    sum += exp(lgamma(n + 1) - lgamma(j + 1) - lgamma(n - j + 1)) * pow(x, j) * pow(1 - x, n - j);
                near(lm_incomplete_beta(a, b, x), sum, 1e-13);
                near(lm_incomplete_beta(a, b, x) + lm_incomplete_beta(b, a, 1 - x), 1, 1e-13);
            }
    assert_true(lm_incomplete_beta(5e5, 0.5, 0.5) < 1e-100); /* converges far out too */
}

static leman_evaluation scored(leman_context *ctx, const leman_dataset *data, uint64_t *random, double shift)
{
    leman_evaluation e = {.classes = 2, .data_checksum = 5};
    assert_int_equal(leman_splits_draw(ctx, data, 3, 5, false, &e.splits), LEMAN_OK);
    e.splits_checksum = leman_splits_checksum(&e.splits);
    static leman_fold folds[4][15]; /* of the last four */
    static int used;
    e.fold = folds[used++ % 4];
    for (int i = 0; i < 15; i++)
        e.fold[i] = (leman_fold){.test = 70 + shift + (random ? (double)(test_random(random) % 100) / 10 : 0)};
    return e;
}

static void test_statistic(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = test_families(ctx, 50, 2, NULL);
    uint64_t random = 3;
    leman_evaluation a = scored(ctx, data, &random, 0), b = scored(ctx, data, &random, 2);
    leman_comparison found, reverse;
    assert_int_equal(leman_compare(ctx, &a, &b, &found), LEMAN_OK);
    assert_int_equal(leman_compare(ctx, &b, &a, &reverse), LEMAN_OK);
    double mean = 0, square = 0;
    for (int i = 0; i < 15; i++) mean += (a.fold[i].test - b.fold[i].test) / 15;
    for (int i = 0; i < 15; i++) square += pow(a.fold[i].test - b.fold[i].test - mean, 2) / 14;
    near(found.difference, mean, 1e-12);
    near(found.t, mean / sqrt((1. / 15 + 10. / 40) * square), 1e-12);
    near(found.p, slow_tail(found.t, 14), 1e-8);
    assert_int_equal(found.degrees_of_freedom, 14);
    near(reverse.t, -found.t, 1e-12);
    near(reverse.p, found.p, 1e-12);
    leman_splits_free(ctx, &a.splits);
    leman_splits_free(ctx, &b.splits);
    leman_dataset_free(data);
    test_context_free(ctx);
}

static void test_extremes(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = test_families(ctx, 50, 2, NULL);
    leman_evaluation a = scored(ctx, data, NULL, 0), b = scored(ctx, data, NULL, 2);
    leman_comparison found;
    assert_int_equal(leman_compare(ctx, &a, &a, &found), LEMAN_OK);
    assert_true(found.t == 0 && found.p == 1);
    assert_int_equal(leman_compare(ctx, &a, &b, &found), LEMAN_OK); /* two points worse in every fold */
    assert_true(isinf(found.t) && found.t < 0 && found.p == 0);
    b.splits_checksum++;
    assert_int_equal(leman_compare(ctx, &a, &b, &found), LEMAN_ERROR_ARGUMENT);
    leman_splits_free(ctx, &a.splits);
    leman_splits_free(ctx, &b.splits);
    leman_dataset_free(data);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tail),
        cmocka_unit_test(test_beta),
        cmocka_unit_test(test_statistic),
        cmocka_unit_test(test_extremes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
