/* The corrected resampled t-test: the tail of Student's t against its integral, the statistic against its formula. */
#include "learn/protocol/compare.h"
#include "learn/protocol/evaluation.h"
#include "learn/protocol/splits.h"
#include "support/training_data.h"
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
    double from = atan(fabs(t) / sqrt(n)), to = acos(0), h = (to - from) / (double)STEPS, sum = 0;
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
            near(lm_t_two_sided(T[i], N[j]), slow_tail(T[i], N[j]), 1e-8);
            near(lm_t_two_sided(-T[i], N[j]), lm_t_two_sided(T[i], N[j]), 0);
        }
    /* Closed forms: with n = 1 it is Cauchy's distribution, two have an algebraic tail. */
    for (double t = 0.25; t < 40; t *= 2) {
        near(lm_t_two_sided(t, 1), 1 - 2 * atan(t) / (2 * acos(0)), 1e-14);
        near(lm_t_two_sided(t, 2), 1 - t / sqrt(2 + t * t), 1e-14);
    }
    assert_true(lm_t_two_sided(INFINITY, 5) == 0);
    assert_true(lm_t_two_sided(0, 5) == 1);
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

static leman_evaluation *scored(leman_context *ctx, const leman_dataset *data, uint64_t *random, double shift)
{
    leman_evaluation *e = NULL;
    assert_non_null(e = lm_alloc_zero(ctx, 1, sizeof *e));
    e->classes = 2;
    e->data_checksum = 5;
    assert_int_equal(leman_splits_draw(ctx, data, 3, 5, false, &e->splits), LEMAN_OK);
    e->splits_checksum = lm_splits_checksum(e->splits);
    e->fold = lm_alloc(ctx, 15, sizeof *e->fold);
    assert_non_null(e->fold);
    for (int i = 0; i < 15; i++)
        e->fold[i] = (leman_fold){.test = 70 + shift + (random ? (double)(test_random(random) % 100) / 10 : 0)};
    return e;
}

static void test_statistic(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = test_families(ctx, 50, 2, NULL);
    uint64_t random = 3;
    leman_evaluation *a = scored(ctx, data, &random, 0), *b = scored(ctx, data, &random, 2);
    leman_comparison found, reverse;
    assert_int_equal(lm_compare(ctx, a, b, &found), LEMAN_OK);
    assert_int_equal(lm_compare(ctx, b, a, &reverse), LEMAN_OK);
    double mean = 0, square = 0;
    for (int i = 0; i < 15; i++) mean += (a->fold[i].test - b->fold[i].test) / 15;
    for (int i = 0; i < 15; i++) square += pow(a->fold[i].test - b->fold[i].test - mean, 2) / 14;
    near(found.difference, mean, 1e-12);
    near(found.t, mean / sqrt((1. / 15 + 10. / 40) * square), 1e-12);
    near(found.p, slow_tail(found.t, 14), 1e-8);
    assert_int_equal(found.degrees_of_freedom, 14);
    near(reverse.t, -found.t, 1e-12);
    near(reverse.p, found.p, 1e-12);
    leman_evaluation_free(a);
    leman_evaluation_free(b);
    leman_dataset_free(data);
    test_context_free(ctx);
}

static void test_extremes(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = test_families(ctx, 50, 2, NULL);
    leman_evaluation *a = scored(ctx, data, NULL, 0), *b = scored(ctx, data, NULL, 2);
    leman_comparison found;
    assert_int_equal(lm_compare(ctx, a, a, &found), LEMAN_OK);
    assert_true(found.t == 0 && found.p == 1);
    assert_int_equal(lm_compare(ctx, a, b, &found), LEMAN_OK); /* two points worse in every fold */
    assert_true(isinf(found.t) && found.t < 0 && found.p == 0);
    b->splits_checksum++;
    assert_int_equal(lm_compare(ctx, a, b, &found), LEMAN_ERROR_ARGUMENT);
    leman_evaluation_free(a);
    leman_evaluation_free(b);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* Holm by its definition: the smallest level at which the step-down procedure rejects the hypothesis. It walks up the
 * sorted p-values and stops at the first that is above level / (number of those left). */
static double slow_holm(const double *p, size_t count, size_t which)
{
    double level = 1;
    for (size_t candidate = 0; candidate < count * count; candidate++) {
        double at = p[candidate / count] * (double)(candidate % count + 1);
        if (!(at < level)) continue;
        bool taken[8] = {false}, rejected = false;
        for (size_t left = count; left && !rejected; left--) {
            size_t min = count;
            for (size_t i = 0; i < count; i++)
                if (!taken[i] && (min == count || p[i] < p[min])) min = i;
            if (p[min] * (double)left > at) break;
            taken[min] = true;
            rejected = min == which;
        }
        if (rejected) level = at;
    }
    return level;
}

static void test_holm(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    uint64_t random = 11;
    for (int trial = 0; trial < 300; trial++) {
        size_t count = test_random(&random) % 8;
        double p[8], adjusted[8];
        for (size_t i = 0; i < count; i++) p[i] = (double)(test_random(&random) % 40) / 100; /* with equal ones */
        assert_int_equal(lm_holm(ctx, p, count, adjusted), LEMAN_OK);
        for (size_t i = 0; i < count; i++) near(adjusted[i], slow_holm(p, count, i), 1e-15);
        assert_int_equal(lm_holm(ctx, p, count, p), LEMAN_OK); /* in place */
        assert_memory_equal(p, adjusted, count * sizeof *p);
    }
    test_context_free(ctx);
}

static void test_all_pairs(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = test_families(ctx, 50, 2, NULL);
    uint64_t random = 5;
    leman_evaluation *e[4];
    leman_pair_comparison pair[6];
    double p[6], holm[6];
    for (int i = 0; i < 4; i++) e[i] = scored(ctx, data, &random, i);
    assert_int_equal(leman_compare_all(ctx, (const leman_evaluation *const *)e, 4, pair), LEMAN_OK);
    size_t at = 0;
    for (size_t a = 0; a < 4; a++)
        for (size_t b = a + 1; b < 4; b++, at++) {
            leman_comparison one;
            assert_int_equal(lm_compare(ctx, e[a], e[b], &one), LEMAN_OK);
            assert_true(pair[at].first == a && pair[at].second == b);
            assert_memory_equal(&one, &pair[at].comparison, sizeof one);
            p[at] = one.p;
        }
    assert_int_equal(lm_holm(ctx, p, 6, holm), LEMAN_OK);
    for (size_t i = 0; i < 6; i++) assert_true(pair[i].p_holm == holm[i]);
    for (int i = 0; i < 4; i++) leman_evaluation_free(e[i]);
    leman_dataset_free(data);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tail),     cmocka_unit_test(test_beta), cmocka_unit_test(test_statistic),
        cmocka_unit_test(test_extremes), cmocka_unit_test(test_holm), cmocka_unit_test(test_all_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
