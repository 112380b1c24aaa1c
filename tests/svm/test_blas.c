/* The library's copy of a serial OpenBLAS serves several threads at once: products of matrices on many threads are, bit
 * for bit, those of one thread. Such a BLAS hands out work space from a list that it need not lock for itself.
 *
 * The copy lacks kernels for some processors, which get others (private_replaced of cmake/private.cmake). CMake runs this
 * program once more for each of these, with the name of the processor in OPENBLAS_CORETYPE. */
#include "base/private.h"
#include "support/support.h"
#include <cblas.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 24, KINDS = 4, THREADS = 8, PRODUCTS = 40000 };

typedef struct products {
    float a[KINDS][SIZE * SIZE], b[KINDS][SIZE * SIZE], c[KINDS][SIZE * SIZE];
} products;

static void multiply(const products *p, int kind, float *c)
{
    cblas_sgemm(CblasRowMajor, kind & 1 ? CblasTrans : CblasNoTrans, kind & 2 ? CblasTrans : CblasNoTrans, SIZE, SIZE,
                SIZE, 1, p->a[kind], SIZE, p->b[kind], SIZE, 0, c, SIZE);
}

static void *work(void *state)
{
    const products *p = state;
    size_t wrong = 0;
    for (int i = 0; i < PRODUCTS; i++) {
        float c[SIZE * SIZE];
        multiply(p, i % KINDS, c);
        wrong += memcmp(c, p->c[i % KINDS], sizeof c) != 0;
    }
    return (void *)wrong;
}

static void test_threads_do_not_disturb_each_other(void **state)
{
    (void)state;
    static products p; /* too large for the stack of a thread */
    uint64_t random = 7;
    pthread_t thread[THREADS];
    size_t wrong = 0;
    for (int kind = 0; kind < KINDS; kind++) {
        for (int i = 0; i < SIZE * SIZE; i++) {
            p.a[kind][i] = (float)(test_random(&random) % 2001) / 1000 - 1;
            p.b[kind][i] = (float)(test_random(&random) % 2001) / 1000 - 1;
        }
        multiply(&p, kind, p.c[kind]);
    }
    for (int t = 0; t < THREADS; t++) assert_int_equal(pthread_create(&thread[t], NULL, work, &p), 0);
    for (int t = 0; t < THREADS; t++) {
        void *found;
        pthread_join(thread[t], &found);
        wrong += (size_t)found;
    }
    assert_int_equal(wrong, 0);
}

/* A product is the sum that defines it. */
static void test_products_are_those_of_the_definition(void **state)
{
    enum { ROWS = 37, COLUMNS = 41, INNER = 53 };
    static double a[ROWS][INNER], b[INNER][COLUMNS], c[ROWS][COLUMNS];
    uint64_t random = 11;
    (void)state;
    for (int i = 0; i < ROWS * INNER; i++) a[i / INNER][i % INNER] = (double)(test_random(&random) % 2001) / 1000 - 1;
    for (int i = 0; i < INNER * COLUMNS; i++)
        b[i / COLUMNS][i % COLUMNS] = (double)(test_random(&random) % 2001) / 1000 - 1;
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, ROWS, COLUMNS, INNER, 1, &a[0][0], INNER, &b[0][0], COLUMNS,
                0, &c[0][0], COLUMNS);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            double sum = 0;
            for (int k = 0; k < INNER; k++) sum += a[i][k] * b[k][j];
            assert_true(fabs(c[i][j] - sum) < 1e-12);
        }
}

#ifdef __x86_64__
/* Processors whose kernels are left out, and the kernels that they get: NULL if this processor cannot run these. */
static const char *expected_core(const char *processor)
{
    const char *sse3[] = {"Core2", "Penryn", "Dunnington", "Opteron_SSE3", "Barcelona", "Bobcat", "Atom", "Nano"};
    const char *avx[] = {"Bulldozer", "Piledriver", "Steamroller", "Excavator"};
    for (size_t i = 0; i < sizeof sse3 / sizeof *sse3; i++)
        if (!strcmp(processor, sse3[i])) return "Prescott";
    for (size_t i = 0; i < sizeof avx / sizeof *avx; i++)
        if (!strcmp(processor, avx[i])) return __builtin_cpu_supports("avx") ? "Sandybridge" : NULL;
    if (!strcmp(processor, "Zen"))
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? "Haswell" : NULL;
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") ? "SkylakeX" : NULL;
}

static void test_left_out_kernels_are_replaced(void **state)
{
    const char *processor = getenv("TEST_LEFT_OUT"), *core = processor ? expected_core(processor) : NULL;
    (void)state;
    if (core && *lm_products_core()) assert_string_equal(lm_products_core(), core);
}
#endif

/* A processor that OpenBLAS's list of models does not have is not left with kernels for SSE3. Runs first. */
static void test_kernels_are_those_of_the_processor(void **state)
{
    leman_context *ctx = test_context_new(1);
    size_t threads = 0;
    (void)state;
    assert_int_equal(lm_products_reserve(ctx, 1, &threads), LEMAN_OK);
    assert_int_equal(threads, 1);
#ifdef __x86_64__
    const char *user = getenv("OPENBLAS_CORETYPE");
    if (!(user && *user) && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        assert_string_not_equal(lm_products_core(), "Prescott");
#endif
    lm_products_release(threads);
    test_context_free(ctx);
}

int main(void)
{
#ifdef __x86_64__
    const char *processor = getenv("TEST_LEFT_OUT");
    if (processor && !expected_core(processor)) {
        printf("not run: this processor has no instructions for the kernels of %s\n", processor);
        return 0;
    }
#endif
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_kernels_are_those_of_the_processor),
#ifdef __x86_64__
                                       cmocka_unit_test(test_left_out_kernels_are_replaced),
#endif
                                       cmocka_unit_test(test_products_are_those_of_the_definition),
                                       cmocka_unit_test(test_threads_do_not_disturb_each_other)};
    return test_run(tests);
}
