/* The loops over rows compute what their definitions say, taken number by number, in every version that this processor
 * can run. */
#include "base/hash.h"
#include "refine/row_loops.h"
#include "support/support.h"
#include <string.h>

enum { MIXED = 70 };

static void check_mix(const lm_row_loops *loops, size_t terms, size_t n, uint64_t *state)
{
    uint64_t sums[LM_MIX_TERMS][MIXED], base[MIXED + 1], to[MIXED + 1];
    lm_mix_terms m = {.count = terms};
    for (size_t i = 0; i <= MIXED; i++) base[i] = test_random(state);
    for (size_t t = 0; t < terms; t++) {
        m.multiplier[t] = test_random(state) | 1;
        m.sums[t] = sums[t];
        for (size_t i = 0; i < MIXED; i++) sums[t][i] = test_random(state);
    }
    memset(to, 0, sizeof to);
    loops->mix(&m, base, n, to);
    assert_true(to[n] == 0); /* nothing behind the end */
    for (size_t i = 0; i < n; i++) {
        uint64_t x = base[i];
        for (size_t t = 0; t < terms; t++) x += sums[t][i] * m.multiplier[t];
        assert_true(to[i] == lm_mix(x));
    }
    loops->mix(&m, base, n, base);
    assert_memory_equal(base, to, n * sizeof *to);
}

static void test_sums_are_mixed(void **given)
{
    const lm_row_loops *loops = *given;
    uint64_t state = 7;
    for (size_t terms = 1; terms <= LM_MIX_TERMS; terms++)
        for (size_t n = 0; n < MIXED; n++) check_mix(loops, terms, n, &state);
}

enum { MOST = 40 };

/* Lists of up to `longest` vertices each, of which some may be repeated. */
static void lists(size_t n, size_t longest, uint64_t *state, uint64_t *start, uint32_t *head)
{
    start[0] = 0;
    for (size_t v = 0; v < n; v++) {
        start[v + 1] = start[v] + test_random(state) % (longest + 1);
        for (uint64_t e = start[v]; e < start[v + 1]; e++) head[e] = (uint32_t)(test_random(state) % n);
    }
}

static void check_gather(const lm_row_loops *loops, size_t n, size_t rows, size_t longest, uint64_t *state)
{
    uint64_t start[MOST + 1], from[LM_BLOCK * MOST], into[LM_BLOCK * MOST + 1], beside[LM_BLOCK * MOST];
    uint32_t head[MOST * MOST];
    lists(n, longest, state, start, head);
    for (size_t i = 0; i < rows * n; i++) from[i] = test_random(state);
    into[rows * n] = 17;
    loops->gather(start, head, from, n, rows, beside, into);
    for (size_t b = 0; b < rows; b++)
        for (size_t v = 0; v < n; v++) {
            uint64_t sum = 0;
            for (uint64_t e = start[v]; e < start[v + 1]; e++) sum += from[b * n + head[e]];
            assert_true(into[b * n + v] == sum);
        }
    assert_int_equal(into[rows * n], 17);
}

static void test_gather(void **given)
{
    const lm_row_loops *loops = *given;
    uint64_t state = 1;
    for (size_t n = 1; n <= MOST; n++)
        for (size_t rows = 1; rows <= LM_BLOCK; rows++) check_gather(loops, n, rows, rows % 2 ? 5 : MOST, &state);
}

static void check_rows(const lm_row_loops *loops, size_t n, size_t count, uint64_t *state)
{
    enum { STRIDE = MOST + 2, ROWS = 5 };
    uint64_t from[ROWS * STRIDE], into[MOST + 1];
    uint32_t head[MOST];
    for (size_t i = 0; i < ROWS * STRIDE; i++) from[i] = test_random(state);
    for (size_t i = 0; i < count; i++) head[i] = (uint32_t)(test_random(state) % ROWS);
    for (size_t i = 0; i <= n; i++) into[i] = 17;
    loops->sum(from, STRIDE, head, count, n, into);
    for (size_t i = 0; i < n; i++) {
        uint64_t sum = 0;
        for (size_t e = 0; e < count; e++) sum += from[head[e] * STRIDE + i];
        assert_true(into[i] == sum);
    }
    assert_int_equal(into[n], 17);
}

static void test_rows(void **given)
{
    const lm_row_loops *loops = *given;
    uint64_t state = 2;
    for (size_t n = 1; n <= MOST; n++)
        for (size_t count = 0; count <= 20; count++) check_rows(loops, n, count, &state);
}

enum { LARGEST = 200, STEP = LARGEST + 3 };

static void check_subsets(const lm_row_loops *loops, size_t n, unsigned percent, uint64_t *state)
{
    const size_t sets = lm_subset_count(n);
    uint8_t *subset = calloc(n + 1, sets + 1);
    uint64_t *from = malloc(n * STEP * sizeof *from + 1), *into = malloc(n * STEP * sizeof *into + 1);
    uint64_t *table = malloc(LM_SUBSET_TABLE * sizeof *table), *expected = calloc(n * LM_BLOCK + 1, sizeof *from);
    for (size_t i = 0; i < n * STEP; i++) from[i] = into[i] = test_random(state);
    for (size_t v = 0; v < n; v++)
        for (size_t w = 0; w < n; w++) {
            if (test_random(state) % 100 >= percent) continue;
            subset[v * sets + w / LM_SUBSET_OF] |= (uint8_t)(1 << w % LM_SUBSET_OF);
            for (size_t i = 0; i < LM_BLOCK; i++) expected[v * LM_BLOCK + i] += from[w * STEP + i];
        }
    loops->subsets(subset, n, from, STEP, table, into, STEP);
    for (size_t v = 0; v < n; v++) {
        assert_memory_equal(into + v * STEP, expected + v * LM_BLOCK, LM_BLOCK * sizeof *into);
        for (size_t i = LM_BLOCK; i < STEP; i++) assert_true(into[v * STEP + i] == from[v * STEP + i]);
    }
    free(subset);
    free(from);
    free(into);
    free(table);
    free(expected);
}

/* Numbers of vertices that fives divide and others, more than have their tables at a time; graphs of every density. */
static void test_subset_sums(void **given)
{
    const lm_row_loops *loops = *given;
    uint64_t state = 3;
    for (size_t n = 0; n <= LARGEST; n += n < 20 ? 1 : 9)
        for (unsigned percent = 0; percent <= 100; percent += 25) check_subsets(loops, n, percent, &state);
}

static int take_plain(void **given)
{
    *given = (void *)(uintptr_t)&lm_row_loops_plain;
    return 0;
}

/* Loops for AVX2, which processors with AVX-512 do not take by themselves. */
static int take_middle(void **given)
{
    *given = (void *)(uintptr_t)&lm_row_loops_plain;
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2")) *given = (void *)(uintptr_t)&lm_row_loops_avx2;
#endif
    return 0;
}

static int take_best(void **given)
{
    *given = (void *)(uintptr_t)lm_row_loops_best();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sums_are_mixed), cmocka_unit_test(test_gather),
                                       cmocka_unit_test(test_rows), cmocka_unit_test(test_subset_sums)};
    return cmocka_run_group_tests(tests, take_plain, NULL) + cmocka_run_group_tests(tests, take_middle, NULL) +
           cmocka_run_group_tests(tests, take_best, NULL);
}
