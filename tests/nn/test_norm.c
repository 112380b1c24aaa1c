/*
 * Batch norm in the numbers of the product, against its definition in double: columns that vary little beside their
 * mean keep their digits, and a bias that the norm takes away again gets no gradient.
 */
#include "nn/check.h"

/* ---- Statistics ------------------------------------------------------------------------------ */

/* Y = (X - mean) / deviation of x[rows][CHECK_COLUMNS], in double. */
static void define(const lm_real *x, size_t rows, size_t column, double *y)
{
    double mean = 0, square = 0;
    for (size_t r = 0; r < rows; r++) mean += (double)x[r * CHECK_COLUMNS + column] / (double)rows;
    for (size_t r = 0; r < rows; r++) square += pow((double)x[r * CHECK_COLUMNS + column] - mean, 2);
    for (size_t r = 0; r < rows; r++)
        y[r] = ((double)x[r * CHECK_COLUMNS + column] - mean) / sqrt(square / (double)rows + 1e-5);
}

/* The rounding of a row is its own; what is off in all rows the same way comes from the statistics. */
static void test_mean(void **state)
{
    (void)state;
    static const size_t MANY[] = {40, 30, 7, SIZE_MAX};
    check_fixture s = {.ctx = test_context_new(2)};
    check_batch(s.ctx, 2, MANY, 10, false, 5, &s.b);
    assert_int_equal(lm_program_new(s.ctx, 2, &s.p), LEMAN_OK);
    uint32_t x = lm_program_input(s.p, LM_FROM_TUPLE_ATTRIBUTES, CHECK_COLUMNS);
    uint32_t y = lm_program_norm(s.p, x, lm_norm_new(s.p, "norm", CHECK_COLUMNS), LM_IDENTITY);
    const size_t rows = s.b.extent.rows[LM_TUPLES];
    for (size_t r = 0; r < rows; r++)
        for (size_t i = 0; i < CHECK_COLUMNS; i++) s.b.tuple_attribute[r * CHECK_COLUMNS + i] += (lm_real)(30 * i);
    s.n = check_run_new(s.ctx, s.p, LM_WHOLE, 3, false); /* scale 1, shift 0 */
    assert_int_equal(lm_executor_forward(s.n.executor, &s.b, true, 0), LEMAN_OK);
    lm_real *given = check_value(&s.n, &s.b, y);
    double *slow = malloc(rows * sizeof *slow);
    for (size_t i = 0; i < CHECK_COLUMNS; i++) {
        double off = 0;
        define(s.b.tuple_attribute, rows, i, slow);
        for (size_t r = 0; r < rows; r++) {
            const double error = (double)given[r * CHECK_COLUMNS + i] - slow[r];
            if (!(fabs(error) < 1e-6)) fail_msg("column %zu, row %zu: off by %g", i, r, error);
            off += error / (double)rows;
        }
        if (!(fabs(off) < 3e-8)) fail_msg("column %zu: all rows are off by %g", i, off);
    }
    free(slow);
    free(given);
    check_fixture_free(&s);
}

/* ---- Biases ---------------------------------------------------------------------------------- */

typedef enum reader { ONLY_A_NORM, A_NORM_BEHIND_RELU, A_NORM_AND_A_POOL } reader;

static double largest_of(const check_fixture *s, uint32_t weight)
{
    const lm_weight *w = lm_program_weight(s->p, weight);
    double largest = 0;
    for (size_t i = w->offset; i < w->offset + w->rows * w->columns; i++)
        if (fabs((double)s->n.gradients[i]) > largest) largest = fabs((double)s->n.gradients[i]);
    return largest;
}

/* The largest gradient of the bias of a linear map that is read so. */
static double bias_gradient(reader by)
{
    enum { WIDTH = 5 };
    check_fixture s = check_fixture_new(2, false, 50, 3);
    uint32_t x = lm_program_input(s.p, LM_FROM_TUPLE_ATTRIBUTES, CHECK_COLUMNS);
    const lm_linear map = lm_linear_new(s.p, "map", CHECK_COLUMNS, WIDTH);
    uint32_t h = lm_program_linear(s.p, x, map, by == A_NORM_BEHIND_RELU ? LM_RELU : LM_IDENTITY);
    uint32_t y = lm_program_pool(s.p, lm_program_norm(s.p, h, lm_norm_new(s.p, "norm", WIDTH), LM_RELU), true);
    if (by == A_NORM_AND_A_POOL) y = lm_program_add(s.p, y, lm_program_pool(s.p, h, true), LM_IDENTITY);
    const lm_linear last = lm_linear_new(s.p, "last", WIDTH, CHECK_TARGETS);
    lm_program_predict(s.p, lm_program_linear(s.p, y, last, LM_IDENTITY));
    lm_program_set_loss(s.p, LM_OP_SQUARE);
    s.n = check_run_new(s.ctx, s.p, LM_TRAIN, 8, true);
    check_pass(&s.n, &s.b);
    const double largest = largest_of(&s, map.bias);
    assert_true(largest_of(&s, map.weight) > 1e-4);
    check_fixture_free(&s);
    return largest;
}

/* Not nearly 0: Adam makes a step of the whole learning rate out of the smallest number. */
static void test_idle_bias(void **state)
{
    (void)state;
    assert_true(bias_gradient(ONLY_A_NORM) == 0);
    assert_true(bias_gradient(A_NORM_BEHIND_RELU) > 1e-4);
    assert_true(bias_gradient(A_NORM_AND_A_POOL) > 1e-4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_mean), cmocka_unit_test(test_idle_bias)};
    const int missing = check_without_device();
    return missing ? missing : cmocka_run_group_tests(tests, NULL, NULL);
}
