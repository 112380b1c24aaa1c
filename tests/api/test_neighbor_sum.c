/* leman/neighbor_sum.h: every function with what it must refuse; a refused call writes nothing. */
#include "support/refused.h"

static void test_refused(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    const int64_t start[] = {0, 2, 3}, other[] = {0, 1, 1}, falls[] = {0, 3, 2}, late[] = {1, 2, 3},
                  outside[][3] = {{0, 1, 2}, {0, -1, 1}};
    const float x[] = {1, 2, 3, 4}, epsilon = 0;
    float y[4] = {-1, -1, -1, -1};
    int64_t back[4] = {-1, -1, -1, -1}, there[3] = {-1, -1, -1};
    leman_row_lists lists = leman_row_lists_default(), bad;
    leman_row_lists_init(NULL, sizeof lists);
    assert_int_equal(lists.size, sizeof lists);
    lists.rows = lists.others = 2;
    lists.start = start;
    lists.other = other;
    assert_refused_without(leman_neighbor_sum(NULL, &lists, LEMAN_NUMBER_FLOAT32, x, 2, &epsilon, y));
    assert_refused(ctx, "lists", leman_neighbor_sum(ctx, NULL, LEMAN_NUMBER_FLOAT32, x, 2, &epsilon, y));
    assert_refused(ctx, "x", leman_neighbor_sum(ctx, &lists, LEMAN_NUMBER_FLOAT32, NULL, 2, &epsilon, y));
    assert_refused(ctx, "y", leman_neighbor_sum(ctx, &lists, LEMAN_NUMBER_FLOAT32, x, 2, &epsilon, NULL));
    assert_refused(ctx, "number", leman_neighbor_sum(ctx, &lists, (leman_number)2, x, 2, &epsilon, y));
    assert_refused_without(leman_row_lists_transpose(NULL, &lists, back, there, NULL));
    assert_refused(ctx, "lists", leman_row_lists_transpose(ctx, NULL, back, there, NULL));
    assert_refused(ctx, "start", leman_row_lists_transpose(ctx, &lists, NULL, there, NULL));
    assert_refused(ctx, "other", leman_row_lists_transpose(ctx, &lists, back, NULL, NULL));
    bad = lists;
    bad.size = 0;
    assert_refused(ctx, "leman_row_lists", leman_neighbor_sum(ctx, &bad, LEMAN_NUMBER_FLOAT32, x, 2, NULL, y));
    bad = lists;
    bad.start = NULL;
    assert_refused(ctx, "start", leman_neighbor_sum(ctx, &bad, LEMAN_NUMBER_FLOAT32, x, 2, NULL, y));
    bad = lists;
    bad.other = NULL;
    assert_refused(ctx, "other", leman_neighbor_sum(ctx, &bad, LEMAN_NUMBER_FLOAT32, x, 2, NULL, y));
    bad = lists;
    bad.device = (leman_device)9;
    assert_refused(ctx, "device", leman_neighbor_sum(ctx, &bad, LEMAN_NUMBER_FLOAT32, x, 2, NULL, y));
    bad.device = LEMAN_DEVICE_CUDA;
    assert_refused(ctx, "CUDA", leman_row_lists_transpose(ctx, &bad, back, there, NULL));
    bad.device_number = -1;
    assert_refused(ctx, "device_number", leman_neighbor_sum(ctx, &bad, LEMAN_NUMBER_FLOAT32, x, 2, NULL, y));
    bad.device_number = 1000; /* no build and no machine has this one */
    assert_int_equal(leman_neighbor_sum(ctx, &bad, LEMAN_NUMBER_FLOAT32, x, 2, NULL, y), LEMAN_ERROR_UNSUPPORTED);
    bad = lists;
    bad.others = 3;
    assert_refused(ctx, "epsilon", leman_neighbor_sum(ctx, &bad, LEMAN_NUMBER_FLOAT32, x, 1, &epsilon, y));
    for (int i = 0; i < 4; i++) {
        bad = lists;
        bad.start = i == 0 ? falls : i == 1 ? late : start;
        bad.other = i < 2 ? other : outside[i - 2];
        assert_int_equal(leman_neighbor_sum(ctx, &bad, LEMAN_NUMBER_FLOAT32, x, 2, NULL, y), LEMAN_ERROR_INPUT);
        assert_int_equal(leman_row_lists_transpose(ctx, &bad, back, there, NULL), LEMAN_ERROR_INPUT);
    }
    for (int i = 0; i < 4; i++) assert_true(y[i] == -1 && back[i] == -1 && there[i % 3] == -1);
    assert_int_equal(leman_neighbor_sum(ctx, &lists, LEMAN_NUMBER_FLOAT32, x, 2, &epsilon, y), LEMAN_OK);
    assert_true(y[0] == 5 && y[1] == 8 && y[2] == 6 && y[3] == 8);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
