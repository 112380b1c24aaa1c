/* The loop over tiles of the dense table computes what its definition says, taken number by number, in every version that
 * this processor can run. */
#include "kernel/gram/dense_loops.h"
#include "support/support.h"

enum { COLUMNS = 37 };

static void check_tile(lm_dense_run *loop, size_t columns, size_t row, bool minima, uint64_t multiplicity,
                       uint64_t *state)
{
    static float left[COLUMNS + 1][LM_TABLE_BLOCK], right[COLUMNS + 1][LM_TABLE_BLOCK];
    uint64_t sum[LM_DENSE_ROWS][LM_TABLE_BLOCK], before[LM_DENSE_ROWS][LM_TABLE_BLOCK];
    for (size_t f = 0; f <= COLUMNS; f++)
        for (size_t b = 0; b < LM_TABLE_BLOCK; b++) {
            left[f][b] = (float)(test_random(state) % 600);
            right[f][b] = (float)(test_random(state) % 600);
        }
    for (size_t a = 0; a < LM_DENSE_ROWS; a++)
        for (size_t b = 0; b < LM_TABLE_BLOCK; b++) sum[a][b] = before[a][b] = test_random(state);
    loop(left[0] + row, right[0], columns, minima, multiplicity, sum);
    for (size_t a = 0; a < LM_DENSE_ROWS; a++)
        for (size_t b = 0; b < LM_TABLE_BLOCK; b++) {
            uint64_t expected = before[a][b];
            for (size_t f = 0; f < columns; f++) {
                uint64_t x = (uint64_t)left[f][row + a], y = (uint64_t)right[f][b];
                expected += multiplicity * (!minima ? x * y : x < y ? x : y);
            }
            assert_true(sum[a][b] == expected);
        }
}

static void test_tiles(void **given)
{
    lm_dense_run *const *loop = *given;
    const uint64_t multiplicity[] = {0, 1, 3, UINT64_MAX, UINT64_C(0x123456789abcdef1)};
    uint64_t state = 5;
    for (size_t columns = 0; columns <= COLUMNS; columns++)
        for (size_t i = 0; i < 5; i++)
            for (int minima = 0; minima < 2; minima++)
                check_tile(*loop, columns, i % 4 * LM_DENSE_ROWS, minima, multiplicity[i], &state);
}

static lm_dense_run *plain = lm_dense_run_plain, *best;

static int take_plain(void **given)
{
    *given = &plain;
    return 0;
}

static int take_best(void **given)
{
    best = lm_dense_run_best();
    *given = &best;
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_tiles)};
    return cmocka_run_group_tests(tests, take_plain, NULL) + cmocka_run_group_tests(tests, take_best, NULL);
}
