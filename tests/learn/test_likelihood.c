/* The arithmetic of Gaussian processes beside its definition: Cholesky factors and inverses in tiles, the marginal
 * likelihood and its gradient, and the search for its maximum. */
#include "base/private.h"
#include "learn/gaussian/maximize.h"
#include "learn/gp_fixture.h"

/* ---- Factors --------------------------------------------------------------------------------- */

static double uniform(uint64_t *state)
{
    return (double)(test_random(state) >> 11) / 9007199254740992.0 - 0.5;
}

/* A positive definite matrix: B B' / n + I. */
static double *definite_matrix(size_t n, uint64_t seed)
{
    double *b = malloc(n * n * sizeof *b), *a = calloc(n * n, sizeof *a);
    for (size_t i = 0; i < n * n; i++) b[i] = uniform(&seed);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            for (size_t k = 0; k < n; k++) a[i * n + j] += b[i * n + k] * b[j * n + k] / (double)n;
            a[i * n + j] += i == j;
        }
    free(b);
    return a;
}

typedef struct whole_inverse {
    double *entry; /* [n][n] */
    size_t n;
} whole_inverse;

static void copy_tile(void *user, const lm_inverse_tile *tile)
{
    whole_inverse *w = user;
    for (size_t i = 0; i < tile->rows; i++)
        for (size_t j = 0; j < tile->columns; j++)
            w->entry[(tile->row + i) * w->n + tile->column + j] = tile->entry[i * LM_CHOLESKY_TILE + j];
}

static void test_factors(void **state)
{
    (void)state;
    static const size_t SIZES[] = {
        1, 2, 5, LM_CHOLESKY_TILE - 1, LM_CHOLESKY_TILE, LM_CHOLESKY_TILE + 1, 2 * LM_CHOLESKY_TILE + 7};
    leman_context *ctx = test_context_new(2);
    size_t threads;
    assert_int_equal(lm_products_reserve(ctx, 2, &threads), LEMAN_OK);
    for (size_t s = 0; s < sizeof SIZES / sizeof *SIZES; s++) {
        const size_t n = SIZES[s];
        double *a = definite_matrix(n, n + 1), *factor = malloc(n * n * sizeof *a), *one = malloc(n * n * sizeof *a);
        whole_inverse w = {.entry = calloc(n * n, sizeof *a), .n = n};
        double *lower = malloc(n * n * sizeof *a);
        bool definite;
        memcpy(factor, a, n * n * sizeof *a);
        memcpy(one, a, n * n * sizeof *a);
        assert_int_equal(lm_cholesky_factor(ctx, threads, factor, n, &definite), LEMAN_OK);
        assert_true(definite);
        assert_int_equal(lm_cholesky_factor(ctx, 1, one, n, &definite), LEMAN_OK);
        assert_int_equal(lm_cholesky_invert(ctx, threads, factor, n, lower), LEMAN_OK);
        assert_int_equal(lm_inverse_each(ctx, threads, lower, n, copy_tile, &w), LEMAN_OK);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j <= i; j++) {
                double product = 0, unit = 0;
                assert_true(factor[i * n + j] == one[i * n + j]); /* bit for bit, for every number of threads */
                for (size_t k = 0; k <= j; k++) product += factor[i * n + k] * factor[j * n + k];
                assert_true(fabs(product - a[i * n + j]) < 1e-10);
                for (size_t k = 0; k < n; k++) unit += a[i * n + k] * w.entry[(k > j ? k : j) * n + (k > j ? j : k)];
                assert_true(fabs(unit - (i == j)) < 1e-10);
            }
        free(a);
        free(factor);
        free(one);
        free(w.entry);
        free(lower);
    }
    lm_products_release(threads);
    test_context_free(ctx);
}

/* Zero and negative pivots in the first and in a later tile, and an entry that is no number. */
static void test_indefinite(void **state)
{
    (void)state;
    enum { N = LM_CHOLESKY_TILE + 20 };
    static const size_t AT[] = {0, 7, LM_CHOLESKY_TILE, N - 1};
    leman_context *ctx = test_context_new(1);
    size_t threads;
    assert_int_equal(lm_products_reserve(ctx, 1, &threads), LEMAN_OK);
    for (size_t i = 0; i < sizeof AT / sizeof *AT; i++)
        for (int turn = 0; turn < 3; turn++) {
            double *a = definite_matrix(N, 3);
            bool definite = true;
            a[AT[i] * N + AT[i]] = turn == 0 ? 0 : turn == 1 ? -1 : NAN;
            assert_int_equal(lm_cholesky_factor(ctx, 1, a, N, &definite), LEMAN_OK);
            assert_false(definite);
            free(a);
        }
    lm_products_release(threads);
    test_context_free(ctx);
}

static void test_solutions(void **state)
{
    (void)state;
    enum { N = 90, STRIDE = N + 3 };
    leman_context *ctx = test_context_new(1);
    double factor[N * STRIDE], x[N], y[N], *rows = calloc((size_t)LM_CHOLESKY_ROWS * N, sizeof *rows);
    double *square = malloc(N * N * sizeof *square);
    uint64_t seed = 5;
    size_t threads;
    assert_int_equal(lm_products_reserve(ctx, 1, &threads), LEMAN_OK);
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j <= i; j++)
            square[i * N + j] = factor[i * STRIDE + j] = i == j ? 2 + uniform(&seed) : uniform(&seed) / 4;
    for (size_t i = 0; i < N; i++) x[i] = y[i] = uniform(&seed);
    lm_cholesky_solve_lower(factor, N, STRIDE, x);
    for (size_t i = 0; i < N; i++) {
        double sum = 0;
        for (size_t j = 0; j <= i; j++) sum += factor[i * STRIDE + j] * x[j];
        assert_true(fabs(sum - y[i]) < 1e-12);
    }
    memcpy(rows + 7 * N, y, sizeof y);
    memcpy(rows + 31 * N, y, sizeof y);
    lm_cholesky_solve_rows(square, N, rows);
    for (size_t i = 0; i < N; i++) assert_true(fabs(rows[7 * N + i] - x[i]) < 1e-12 && rows[i] == 0);
    assert_memory_equal(rows + 7 * N, rows + 31 * N, sizeof y);
    memcpy(x, y, sizeof x);
    lm_cholesky_solve_transposed(factor, N, STRIDE, x);
    for (size_t i = 0; i < N; i++) {
        double sum = 0;
        for (size_t j = i; j < N; j++) sum += factor[j * STRIDE + i] * x[j];
        assert_true(fabs(sum - y[i]) < 1e-12);
    }
    free(rows);
    free(square);
    lm_products_release(threads);
    test_context_free(ctx);
}

/* ---- The likelihood -------------------------------------------------------------------------- */

enum { BLOCKS = 3 };

/* The log density of N(c 1, K) at y, with the mean c of largest density. */
static double density(const lm_triangles *k, const double *weight, double noise, const double *y, double *mean)
{
    const size_t n = k->n;
    double *a = malloc(n * n * sizeof *a), *ones = malloc(n * sizeof *ones), *x = malloc(n * sizeof *x);
    double top = 0, below = 0, square = 0;
    for (size_t i = 0; i < n; i++) {
        ones[i] = 1;
        for (size_t j = 0; j < n; j++) {
            const size_t high = i > j ? i : j, low = i > j ? j : i;
            a[i * n + j] = i == j ? noise : 0;
            for (size_t b = 0; b < k->blocks; b++) a[i * n + j] += weight[b] * k->block[b][high * (high + 1) / 2 + low];
        }
    }
    solved(a, ones, n, ones);
    for (size_t i = 0; i < n; i++) top += ones[i] * y[i], below += ones[i];
    *mean = top / below;
    for (size_t i = 0; i < n; i++) x[i] = y[i] - *mean;
    const double logarithm = solved(a, x, n, x);
    for (size_t i = 0; i < n; i++) square += (y[i] - *mean) * x[i];
    free(a);
    free(ones);
    free(x);
    return -square / 2 - logarithm / 2 - (double)n / 2 * log(2 * M_PI);
}

/* Values by the definition, gradients by central differences of the definition, for one and several tiles. */
static void test_likelihood(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(2);
    size_t threads;
    assert_int_equal(lm_products_reserve(ctx, 2, &threads), LEMAN_OK);
    for (size_t n = 20; n <= 150; n += 130) {
        double *block[BLOCKS], weight[BLOCKS] = {0.7, 0.01, 3}, gradient[BLOCKS + 1], mean;
        double *y = malloc(n * sizeof *y), *alpha = malloc(n * sizeof *y), *factor = malloc(n * n * sizeof *y);
        double *diagonal = malloc(n * sizeof *y);
        uint64_t seed = n;
        const lm_triangles k = {.block = block, .blocks = BLOCKS, .n = n};
        for (size_t b = 0; b < BLOCKS; b++) {
            double *square = definite_matrix(n, 10 + b);
            block[b] = malloc(n * (n + 1) / 2 * sizeof(double));
            for (size_t i = 0; i < n; i++) memcpy(block[b] + i * (i + 1) / 2, square + i * n, (i + 1) * sizeof(double));
            free(square);
        }
        for (size_t i = 0; i < n; i++) y[i] = 5 + uniform(&seed);
        lm_posterior p = {.n = n, .target = y, .weight = weight, .noise = 0.2, .factor = factor, .alpha = alpha};
        assert_int_equal(lm_posterior_compute(ctx, threads, &k, &p), LEMAN_OK);
        assert_int_equal(lm_posterior_gradient(ctx, threads, &k, &p, gradient, diagonal), LEMAN_OK);
        const double value = density(&k, weight, 0.2, y, &mean);
        assert_true(fabs(p.likelihood - value) < 1e-9 * fabs(value));
        assert_true(fabs(p.mean - mean) < 1e-9);
        for (size_t b = 0; b <= BLOCKS; b++) {
            const double step = 1e-5, noise = 0.2;
            double up[BLOCKS], down[BLOCKS];
            for (size_t i = 0; i < BLOCKS; i++) {
                up[i] = weight[i] + (i == b ? step : 0);
                down[i] = weight[i] - (i == b ? step : 0);
            }
            const double change = b == BLOCKS ? step : 0;
            const double slope =
                (density(&k, up, noise + change, y, &mean) - density(&k, down, noise - change, y, &mean)) / (2 * step);
            assert_true(fabs(gradient[b] - slope) < 1e-5 * fmax(1, fabs(slope)));
        }
        for (size_t b = 0; b < BLOCKS; b++) free(block[b]);
        free(y);
        free(alpha);
        free(factor);
        free(diagonal);
    }
    lm_products_release(threads);
    test_context_free(ctx);
}

/* ---- The search ------------------------------------------------------------------------------ */

typedef struct hill {
    double top[4], width[4];
    bool curved; /* Rosenbrock's valley, upside down */
    size_t calls;
} hill;

static leman_status height(void *user, const double *x, double *value, double *gradient)
{
    hill *h = user;
    h->calls++;
    if (h->curved) {
        const double bent = x[1] - x[0] * x[0];
        *value = -100 * bent * bent - (1 - x[0]) * (1 - x[0]);
        if (x[0] < -3) *value = -INFINITY;
        if (gradient) gradient[0] = 400 * x[0] * bent + 2 * (1 - x[0]), gradient[1] = -200 * bent;
        return LEMAN_OK;
    }
    *value = 0;
    for (size_t i = 0; i < 4; i++) {
        const double away = (x[i] - h->top[i]) / h->width[i];
        *value -= away * away / 2;
        if (gradient) gradient[i] = -away / h->width[i];
    }
    return LEMAN_OK;
}

static void test_search(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    const double low[4] = {-10, -10, -10, -2}, high[4] = {10, 10, 3, 10};
    hill h = {.top = {1, -2, 5, -7}, .width = {1, 0.1, 2, 1}};
    double x[4] = {0, 0, 0, 0}, value;
    assert_int_equal(lm_maximize(ctx, height, &h, (lm_bounds){low, high, 4}, 1e-9, 200, x, &value), LEMAN_OK);
    assert_true(fabs(x[0] - 1) < 1e-6 && fabs(x[1] + 2) < 1e-6 && x[2] == 3 && x[3] == -2); /* two at their bounds */
    assert_true(fabs(value + 1.0 / 2 + 25.0 / 2) < 1e-6 && h.calls < 100);
    h.curved = true;
    double start[2] = {-1.2, 1};
    assert_int_equal(lm_maximize(ctx, height, &h, (lm_bounds){low, high, 2}, 1e-9, 500, start, &value), LEMAN_OK);
    assert_true(fabs(start[0] - 1) < 1e-4 && fabs(start[1] - 1) < 1e-4);
    start[0] = -5; /* not allowed */
    assert_int_equal(lm_maximize(ctx, height, &h, (lm_bounds){low, high, 2}, 1e-9, 500, start, &value), LEMAN_OK);
    assert_true(isinf(value) && start[0] == -5);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_factors), cmocka_unit_test(test_indefinite),
                                       cmocka_unit_test(test_solutions), cmocka_unit_test(test_likelihood),
                                       cmocka_unit_test(test_search)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
