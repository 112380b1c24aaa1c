/* The library's copy of a serial OpenBLAS serves several threads at once: products of matrices on many threads are, bit
 * for bit, those of one thread. Such a BLAS hands out work space from a list that it need not lock for itself. */
#include "base/private.h"
#include "support/support.h"
#include <cblas.h>
#include <pthread.h>
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_kernels_are_those_of_the_processor),
                                       cmocka_unit_test(test_threads_do_not_disturb_each_other)};
    return test_run(tests);
}
