/* Kernel PCA against a slow Jacobi eigen-solver on the centred matrix, written out in full. */
#include "report/kernel_pca.h"
#include "support/support.h"
#include <math.h>

enum { MAX = 40 };

static double real(uint64_t *state)
{
    return (double)(test_random(state) % 2000001) / 1e6 - 1;
}

/* A product of random vectors: positive semi-definite of at most this rank, with falling weights. */
static void random_matrix(uint64_t *state, size_t n, size_t rank, double *k)
{
    memset(k, 0, n * n * sizeof *k);
    for (size_t r = 0; r < rank; r++) {
        double x[MAX], weight = pow(0.6, (double)r);
        for (size_t i = 0; i < n; i++) x[i] = real(state);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) k[i * n + j] += weight * x[i] * x[j];
    }
}

/* All eigenvalues of a symmetric matrix, decreasing: classical Jacobi, the largest entry first. */
static void eigenvalues(double *a, size_t n, double *value)
{
    for (size_t step = 0; step < 200 * n * n; step++) {
        size_t p = 0, q = 0;
        double largest = 1e-14;
        for (size_t i = 0; i < n; i++)
            for (size_t j = i + 1; j < n; j++)
                if (fabs(a[i * n + j]) > largest) largest = fabs(a[i * n + j]), p = i, q = j;
        if (p == q) break;
        double angle = 0.5 * atan2(2 * a[p * n + q], a[p * n + p] - a[q * n + q]), c = cos(angle), s = sin(angle);
        for (size_t i = 0; i < n; i++) {
            double x = a[i * n + p], y = a[i * n + q];
            a[i * n + p] = c * x + s * y, a[i * n + q] = c * y - s * x;
        }
        for (size_t i = 0; i < n; i++) {
            double x = a[p * n + i], y = a[q * n + i];
            a[p * n + i] = c * x + s * y, a[q * n + i] = c * y - s * x;
        }
    }
    for (size_t i = 0; i < n; i++) {
        size_t at = i;
        for (; at > 0 && value[at - 1] < a[i * n + i]; at--) value[at] = value[at - 1];
        value[at] = a[i * n + i];
    }
}

static void centre(const double *k, size_t n, double *out)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double row = 0, column = 0, all = 0;
            for (size_t a = 0; a < n; a++) row += k[i * n + a], column += k[a * n + j];
            for (size_t a = 0; a < n * n; a++) all += k[a];
            out[i * n + j] = k[i * n + j] - row / (double)n - column / (double)n + all / (double)(n * n);
        }
}

static void test_against_jacobi(void **unused)
{
    (void)unused;
    static double k[MAX * MAX], centred[MAX * MAX], work[MAX * MAX], at[2 * MAX], value[MAX];
    uint64_t state = 21;
    for (size_t i = 0; i < 60; i++) {
        size_t n = 2 + test_random(&state) % (MAX - 1), rank = 1 + test_random(&state) % 12;
        leman_context *ctx = test_context_new(1 + (int)(i % 3));
        lm_kernel_pca about;
        random_matrix(&state, n, rank, k);
        centre(k, n, centred);
        memcpy(work, centred, n * n * sizeof *work);
        memset(value, 0, sizeof value);
        eigenvalues(work, n, value);
        assert_int_equal(lm_kernel_pca_compute(ctx, k, n, at, &about), LEMAN_OK);
        double trace = 0;
        for (size_t v = 0; v < n; v++) trace += centred[v * n + v];
        for (size_t a = 0; a < 2 && a < n; a++) {
            double length = 0;
            assert_true(fabs(about.value[a] - fmax(value[a], 0)) < 1e-7 * value[0]);
            assert_true(fabs(about.share[a] - about.value[a] / trace) < 1e-9);
            for (size_t v = 0; v < n; v++) { /* A x = l x, |x|^2 = l */
                double image = 0;
                for (size_t u = 0; u < n; u++) image += centred[v * n + u] * at[a * n + u];
                assert_true(fabs(image - about.value[a] * at[a * n + v]) < 1e-3 * value[0]);
                length += at[a * n + v] * at[a * n + v];
            }
            assert_true(fabs(length - about.value[a]) < 1e-9 * (1 + value[0]));
        }
        test_context_free(ctx);
    }
}

static void test_threads_and_signs(void **unused)
{
    (void)unused;
    static double k[MAX * MAX], one[2 * MAX], other[2 * MAX];
    uint64_t state = 2;
    lm_kernel_pca about;
    for (size_t i = 0; i < 10; i++) {
        leman_context *a = test_context_new(1), *b = test_context_new(4);
        random_matrix(&state, MAX, 6, k);
        assert_int_equal(lm_kernel_pca_compute(a, k, MAX, one, &about), LEMAN_OK);
        assert_int_equal(lm_kernel_pca_compute(b, k, MAX, other, &about), LEMAN_OK);
        assert_memory_equal(one, other, sizeof one);
        for (size_t axis = 0; axis < 2; axis++) {
            double cubes = 0;
            for (size_t v = 0; v < MAX; v++) cubes += pow(one[axis * MAX + v], 3);
            assert_true(cubes > 0);
        }
        test_context_free(a);
        test_context_free(b);
    }
}

static void test_small_and_constant(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    double k[9], at[6];
    lm_kernel_pca about;
    for (size_t i = 0; i < 9; i++) k[i] = 0.3;
    for (size_t n = 0; n <= 3; n++) {
        for (size_t i = 0; i < 6; i++) at[i] = 7;
        assert_int_equal(lm_kernel_pca_compute(ctx, k, n, at, &about), LEMAN_OK);
        for (size_t i = 0; i < 2 * n; i++) assert_true(at[i] == 0);
        assert_true(about.share[0] == 0 && about.share[1] == 0);
    }
    double pair[4] = {2, 0, 0, 2}; /* two points: one axis, at -1 and 1 */
    assert_int_equal(lm_kernel_pca_compute(ctx, pair, 2, at, &about), LEMAN_OK);
    assert_true(fabs(fabs(at[0]) - 1) < 1e-12 && fabs(at[0] + at[1]) < 1e-12 && at[2] == 0 && at[3] == 0);
    assert_true(fabs(about.share[0] - 1) < 1e-12);
    test_context_free(ctx);
}

static leman_status take(leman_context *ctx, void *k)
{
    double at[2 * MAX];
    lm_kernel_pca about;
    return lm_kernel_pca_compute(ctx, k, MAX, at, &about);
}

static void test_allocations(void **unused)
{
    (void)unused;
    static double k[MAX * MAX];
    uint64_t state = 1;
    random_matrix(&state, MAX, 5, k);
    assert_true(test_fail_each_allocation(take, k) > 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_against_jacobi), cmocka_unit_test(test_threads_and_signs),
                                       cmocka_unit_test(test_small_and_constant), cmocka_unit_test(test_allocations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
