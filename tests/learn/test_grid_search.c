/* The rule of selection on tables made by hand: the best validation score, then the fewest rounds, then the largest C.
 */
#include "learn/protocol/grid_search.h"
#include "support/support.h"

enum { ROUNDS = 3, GRID = 3 };

typedef struct selected {
    int round, C;
    int best[ROUNDS]; /* the C of each number of rounds */
} selected;

static selected select_from(const double table[ROUNDS][GRID], bool lower)
{
    lm_selection selection = {.lower = lower};
    selected found = {-1, -1, {-1, -1, -1}};
    for (int h = 0; h < ROUNDS; h++)
        for (int c = 0; c < GRID; c++) {
            lm_improvement improvement = lm_selection_update(&selection, (uint32_t)(h + 4), table[h][c]);
            if (improvement != LM_IMPROVEMENT_NONE) found.best[h] = c;
            if (improvement == LM_IMPROVEMENT_BEST) found.round = h, found.C = c;
        }
    return found;
}

static void test_tables(void **state)
{
    (void)state;
    static const struct {
        double table[ROUNDS][GRID];
        int round, C, best[ROUNDS];
    } CASES[] = {
        {{{50, 60, 55}, {50, 70, 55}, {50, 60, 65}}, 1, 1, {1, 1, 2}}, /* one best */
        {{{50, 60, 60}, {60, 60, 60}, {60, 50, 60}}, 0, 2, {2, 2, 2}}, /* all the same: no rounds, largest C */
        {{{50, 50, 50}, {70, 50, 70}, {70, 70, 70}}, 1, 2, {2, 2, 2}}, /* fewest rounds before the larger C */
        {{{90, 10, 10}, {10, 10, 90}, {10, 90, 10}}, 0, 0, {0, 2, 1}}, /* fewest rounds, though its C is smaller */
        {{{10, 20, 30}, {31, 20, 10}, {30, 31, 30}}, 1, 0, {2, 0, 1}},
        {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, 0, 2, {2, 2, 2}},
        {{{80, 80, 10}, {10, 10, 10}, {80, 80.5, 80.5}}, 2, 2, {1, 2, 2}},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        selected found = select_from(CASES[i].table, false);
        assert_int_equal(found.round, CASES[i].round);
        assert_int_equal(found.C, CASES[i].C);
        assert_memory_equal(found.best, CASES[i].best, sizeof found.best);
        double errors[ROUNDS][GRID]; /* the same where small is good */
        for (int h = 0; h < ROUNDS; h++)
            for (int c = 0; c < GRID; c++) errors[h][c] = 100 - CASES[i].table[h][c];
        found = select_from((const double(*)[GRID])errors, true);
        assert_int_equal(found.round, CASES[i].round);
        assert_int_equal(found.C, CASES[i].C);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_tables)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
