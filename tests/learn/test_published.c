/* The published tables are consistent: columns of words that repeat each other, ratios of the times, marks of
 * misprints.
 */
#include "support/support.h"
#include <math.h>

static void for_each(leman_paper_quantity quantity,
                     void (*look)(leman_paper_quantity, leman_paper_method, leman_paper_set, leman_published_value))
{
    for (unsigned m = 0; m < LEMAN_PAPER_METHOD_COUNT; m++)
        for (unsigned s = 0; s < LEMAN_PAPER_SET_COUNT; s++) {
            leman_paper_method method = (leman_paper_method)m;
            leman_paper_set set = (leman_paper_set)s;
            look(quantity, method, set, leman_published(quantity, method, set));
        }
}

static void look_at_accuracy(leman_paper_quantity quantity, leman_paper_method method, leman_paper_set set,
                             leman_published_value f)
{
    (void)method;
    (void)set;
    if (f.state == LEMAN_CELL_STATE_NUMBER) {
        assert_true(f.value > 20 && f.value < 100);
        assert_int_equal(f.has_deviation, quantity == LEMAN_PAPER_QUANTITY_TEST);
        if (f.has_deviation) assert_true(f.deviation >= 0.2 && f.deviation <= 3.2);
    } else {
        assert_true(f.state != LEMAN_CELL_STATE_BELOW);
        assert_int_equal(f.misprint, 0);
    }
}

/* A method that ran out of memory or time has neither an accuracy nor seconds. */
static void look_at_words(leman_paper_quantity quantity, leman_paper_method method, leman_paper_set set,
                          leman_published_value f)
{
    leman_published_value seconds = leman_published(LEMAN_PAPER_QUANTITY_SECONDS, method, set);
    (void)quantity;
    assert_true(f.state != LEMAN_CELL_STATE_EMPTY && seconds.state != LEMAN_CELL_STATE_EMPTY);
    assert_int_equal(f.state == LEMAN_CELL_STATE_MEMORY, seconds.state == LEMAN_CELL_STATE_MEMORY);
    assert_int_equal(f.state == LEMAN_CELL_STATE_TIME, seconds.state == LEMAN_CELL_STATE_TIME);
}

/* A ratio is that of the seconds, rounded, but for the one misprint. */
static void look_at_ratio(leman_paper_quantity quantity, leman_paper_method method, leman_paper_set set,
                          leman_published_value f)
{
    (void)quantity;
    if (f.state == LEMAN_CELL_STATE_EMPTY) return;
    double seconds = leman_published(LEMAN_PAPER_QUANTITY_SECONDS, method, set).value;
    double unit = leman_published(LEMAN_PAPER_QUANTITY_SECONDS, LEMAN_PAPER_METHOD_LWL2, set).value;
    bool misprint = method == LEMAN_PAPER_METHOD_WL2 && set == LEMAN_PAPER_SET_NCI1;
    assert_int_equal(f.misprint, misprint);
    assert_int_equal(fabs(seconds / unit - f.value) > 0.05 + 1e-9, misprint);
}

static size_t numbers, misprints;

static void count(leman_paper_quantity quantity, leman_paper_method method, leman_paper_set set,
                  leman_published_value f)
{
    (void)quantity;
    (void)method;
    (void)set;
    numbers += f.state == LEMAN_CELL_STATE_NUMBER;
    misprints += f.misprint;
}

static void test_shape(void **state)
{
    (void)state;
    const struct {
        leman_paper_quantity quantity;
        size_t numbers, misprints;
    } PARTS[] = {{LEMAN_PAPER_QUANTITY_TEST, 82, 1},
                 {LEMAN_PAPER_QUANTITY_TRAIN, 23, 0},
                 {LEMAN_PAPER_QUANTITY_SECONDS, 63, 1},
                 {LEMAN_PAPER_QUANTITY_RATIO, 12, 1}};
    for_each(LEMAN_PAPER_QUANTITY_TEST, look_at_accuracy);
    for_each(LEMAN_PAPER_QUANTITY_TRAIN, look_at_accuracy);
    for_each(LEMAN_PAPER_QUANTITY_TEST, look_at_words);
    for_each(LEMAN_PAPER_QUANTITY_RATIO, look_at_ratio);
    for (size_t i = 0; i < sizeof PARTS / sizeof *PARTS; i++) {
        numbers = misprints = 0;
        for_each(PARTS[i].quantity, count);
        assert_int_equal(misprints, PARTS[i].misprints);
        assert_int_equal(numbers, PARTS[i].numbers);
    }
}

static void test_marks(void **state)
{
    (void)state;
    assert_true(
        leman_published(LEMAN_PAPER_QUANTITY_TEST, LEMAN_PAPER_METHOD_DWL3, LEMAN_PAPER_SET_IMDB_MULTI).misprint);
    leman_published_value slip =
        leman_published(LEMAN_PAPER_QUANTITY_SECONDS, LEMAN_PAPER_METHOD_WL3, LEMAN_PAPER_SET_PTC_FM);
    assert_true(slip.misprint);
    assert_true(
        slip.value ==
        leman_published(LEMAN_PAPER_QUANTITY_SECONDS, LEMAN_PAPER_METHOD_WL3, LEMAN_PAPER_SET_IMDB_MULTI).value);
}

/* Names are kernels that exist, with the k of their name, and all different. */
static void test_names(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    for (unsigned m = 0; m < LEMAN_PAPER_METHOD_COUNT; m++) {
        const char *name = leman_paper_method_name((leman_paper_method)m);
        leman_kernel kernel = leman_kernel_default();
        assert_int_equal(leman_kernel_parse(ctx, leman_paper_method_kernel((leman_paper_method)m), &kernel), LEMAN_OK);
        const char *digit = strpbrk(name, "123");
        if (digit) assert_int_equal(kernel.k, *digit - '0');
        assert_int_equal(kernel.kind == LEMAN_KERNEL_KIND_COLORS, strcmp(name, "GR") && strcmp(name, "SP"));
        if (strstr(name, "delta-")) assert_non_null(strstr(leman_paper_method_title((leman_paper_method)m), "δ-"));
        assert_int_equal(strchr(name, '+') != NULL, kernel.algorithm == LEMAN_ALGORITHM_LOCAL_PLUS);
        for (unsigned other = 0; other < m; other++)
            assert_string_not_equal(name, leman_paper_method_name((leman_paper_method)other));
    }
    for (unsigned s = 0; s < LEMAN_PAPER_SET_COUNT; s++) assert_non_null(leman_paper_set_name((leman_paper_set)s));
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shape),
        cmocka_unit_test(test_marks),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
