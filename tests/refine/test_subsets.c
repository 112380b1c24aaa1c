/* Sums by subsets are the sums over neighbours, taken one by one. */
#include "refine/subsets.h"
#include "support/support.h"

enum { MOST = 200, STEP = MOST + 3 };

static void check(size_t n, unsigned percent, uint64_t *state)
{
    const size_t sets = lm_subset_count(n);
    uint8_t *subset = calloc(n + 1, sets + 1);
    uint64_t *from = malloc(n * STEP * sizeof *from + 1), *into = malloc(n * STEP * sizeof *into + 1);
    uint64_t *table = malloc(LM_SUBSET_TABLE * sizeof *table), *expected = calloc(n * LM_SUBSET_ROW + 1, sizeof *from);
    for (size_t i = 0; i < n * STEP; i++) from[i] = into[i] = test_random(state);
    for (size_t v = 0; v < n; v++)
        for (size_t w = 0; w < n; w++) {
            if (test_random(state) % 100 >= percent) continue;
            subset[v * sets + w / LM_SUBSET_OF] |= (uint8_t)(1 << w % LM_SUBSET_OF);
            for (size_t i = 0; i < LM_SUBSET_ROW; i++) expected[v * LM_SUBSET_ROW + i] += from[w * STEP + i];
        }
    lm_subset_sums(subset, n, from, STEP, table, into, STEP);
    for (size_t v = 0; v < n; v++) {
        assert_memory_equal(into + v * STEP, expected + v * LM_SUBSET_ROW, LM_SUBSET_ROW * sizeof *into);
        for (size_t i = LM_SUBSET_ROW; i < STEP; i++) assert_true(into[v * STEP + i] == from[v * STEP + i]);
    }
    free(subset);
    free(from);
    free(into);
    free(table);
    free(expected);
}

/* Numbers of vertices that fives divide and others, more than have their tables at a time; graphs of every density. */
static void test_sums(void **unused)
{
    (void)unused;
    uint64_t state = 3;
    for (size_t n = 0; n <= MOST; n += n < 20 ? 1 : 9)
        for (unsigned percent = 0; percent <= 100; percent += 25) check(n, percent, &state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sums)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
