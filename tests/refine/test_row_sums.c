/* Sums of rows and along rows are those of their definition, taken one by one. */
#include "refine/row_sums.h"
#include "support/support.h"

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

static void check_gather(size_t n, size_t rows, size_t longest, uint64_t *state)
{
    uint64_t start[MOST + 1], from[LM_BLOCK * MOST], into[LM_BLOCK * MOST + 1], beside[LM_BLOCK * MOST];
    uint32_t head[MOST * MOST];
    lists(n, longest, state, start, head);
    for (size_t i = 0; i < rows * n; i++) from[i] = test_random(state);
    into[rows * n] = 17;
    lm_gather_rows(start, head, from, n, rows, beside, into);
    for (size_t b = 0; b < rows; b++)
        for (size_t v = 0; v < n; v++) {
            uint64_t sum = 0;
            for (uint64_t e = start[v]; e < start[v + 1]; e++) sum += from[b * n + head[e]];
            assert_true(into[b * n + v] == sum);
        }
    assert_int_equal(into[rows * n], 17);
}

static void test_gather(void **unused)
{
    (void)unused;
    uint64_t state = 1;
    for (size_t n = 1; n <= MOST; n++)
        for (size_t rows = 1; rows <= LM_BLOCK; rows++) check_gather(n, rows, rows % 2 ? 5 : MOST, &state);
}

static void check_rows(size_t n, size_t count, uint64_t *state)
{
    enum { STRIDE = MOST + 2, ROWS = 5 };
    uint64_t from[ROWS * STRIDE], into[MOST + 1];
    uint32_t head[MOST];
    for (size_t i = 0; i < ROWS * STRIDE; i++) from[i] = test_random(state);
    for (size_t i = 0; i < count; i++) head[i] = (uint32_t)(test_random(state) % ROWS);
    for (size_t i = 0; i <= n; i++) into[i] = 17;
    lm_sum_rows(from, STRIDE, head, count, n, into);
    for (size_t i = 0; i < n; i++) {
        uint64_t sum = 0;
        for (size_t e = 0; e < count; e++) sum += from[head[e] * STRIDE + i];
        assert_true(into[i] == sum);
    }
    assert_int_equal(into[n], 17);
}

static void test_rows(void **unused)
{
    (void)unused;
    uint64_t state = 2;
    for (size_t n = 1; n <= MOST; n++)
        for (size_t count = 0; count <= 20; count++) check_rows(n, count, &state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_gather), cmocka_unit_test(test_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
