/* The published tables hang together: columns of words that repeat each other, ratios of the times, marks of misprints.
 */
#include "learn/published.h"
#include "support/support.h"
#include <math.h>

static void for_each(lm_paper_part part, void (*look)(lm_paper_part, lm_paper_method, lm_paper_set, lm_figure))
{
    for (unsigned m = 0; m < LM_PAPER_METHODS; m++)
        for (unsigned s = 0; s < LM_PAPER_SETS; s++) {
            lm_paper_method method = (lm_paper_method)m;
            lm_paper_set set = (lm_paper_set)s;
            look(part, method, set, lm_published(part, method, set));
        }
}

static void look_at_accuracy(lm_paper_part part, lm_paper_method method, lm_paper_set set, lm_figure f)
{
    (void)method;
    (void)set;
    if (f.kind == LM_FIGURE_NUMBER) {
        assert_true(f.value > 20 && f.value < 100);
        assert_int_equal(f.spread_known, part == LM_PAPER_TEST);
        if (f.spread_known) assert_true(f.spread >= 0.2 && f.spread <= 3.2);
    } else {
        assert_true(f.kind != LM_FIGURE_BELOW);
        assert_int_equal(f.misprint, 0);
    }
}

/* Whoever ran out of memory or time has neither an accuracy nor seconds. */
static void look_at_words(lm_paper_part part, lm_paper_method method, lm_paper_set set, lm_figure f)
{
    lm_figure seconds = lm_published(LM_PAPER_SECONDS, method, set);
    (void)part;
    assert_true(f.kind != LM_FIGURE_NONE && seconds.kind != LM_FIGURE_NONE);
    assert_int_equal(f.kind == LM_FIGURE_MEMORY, seconds.kind == LM_FIGURE_MEMORY);
    assert_int_equal(f.kind == LM_FIGURE_TIME, seconds.kind == LM_FIGURE_TIME);
}

/* A ratio is that of the seconds, rounded, but for the one misprint. */
static void look_at_ratio(lm_paper_part part, lm_paper_method method, lm_paper_set set, lm_figure f)
{
    (void)part;
    if (f.kind == LM_FIGURE_NONE) return;
    double seconds = lm_published(LM_PAPER_SECONDS, method, set).value;
    double unit = lm_published(LM_PAPER_SECONDS, LM_PAPER_LWL2, set).value;
    bool misprint = method == LM_PAPER_WL2 && set == LM_PAPER_NCI1;
    assert_int_equal(f.misprint, misprint);
    assert_int_equal(fabs(seconds / unit - f.value) > 0.05 + 1e-9, misprint);
}

static size_t numbers, misprints;

static void count(lm_paper_part part, lm_paper_method method, lm_paper_set set, lm_figure f)
{
    (void)part;
    (void)method;
    (void)set;
    numbers += f.kind == LM_FIGURE_NUMBER;
    misprints += f.misprint;
}

static void test_shape(void **state)
{
    (void)state;
    const struct {
        lm_paper_part part;
        size_t numbers, misprints;
    } PARTS[] = {{LM_PAPER_TEST, 82, 1}, {LM_PAPER_TRAIN, 23, 0}, {LM_PAPER_SECONDS, 63, 1}, {LM_PAPER_RATIO, 12, 1}};
    for_each(LM_PAPER_TEST, look_at_accuracy);
    for_each(LM_PAPER_TRAIN, look_at_accuracy);
    for_each(LM_PAPER_TEST, look_at_words);
    for_each(LM_PAPER_RATIO, look_at_ratio);
    for (size_t i = 0; i < sizeof PARTS / sizeof *PARTS; i++) {
        numbers = misprints = 0;
        for_each(PARTS[i].part, count);
        assert_int_equal(misprints, PARTS[i].misprints);
        assert_int_equal(numbers, PARTS[i].numbers);
    }
}

static void test_marks(void **state)
{
    (void)state;
    assert_true(lm_published(LM_PAPER_TEST, LM_PAPER_DWL3, LM_PAPER_IMDB_MULTI).misprint);
    lm_figure slip = lm_published(LM_PAPER_SECONDS, LM_PAPER_WL3, LM_PAPER_PTC_FM);
    assert_true(slip.misprint);
    assert_true(slip.value == lm_published(LM_PAPER_SECONDS, LM_PAPER_WL3, LM_PAPER_IMDB_MULTI).value);
}

/* Names are kernels that exist, with the k that they say, and all different. */
static void test_names(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    for (unsigned m = 0; m < LM_PAPER_METHODS; m++) {
        const char *name = lm_paper_method_name((lm_paper_method)m);
        leman_kernel kernel = leman_kernel_default();
        assert_int_equal(leman_kernel_parse(ctx, lm_paper_method_kernel((lm_paper_method)m), &kernel), LEMAN_OK);
        const char *digit = strpbrk(name, "123");
        if (digit) assert_int_equal(kernel.k, *digit - '0');
        assert_int_equal(kernel.kind == LEMAN_KERNEL_KIND_COLORS, strcmp(name, "GR") && strcmp(name, "SP"));
        if (strstr(name, "delta-")) assert_non_null(strstr(lm_paper_method_title((lm_paper_method)m), "δ-"));
        assert_int_equal(strchr(name, '+') != NULL, kernel.algorithm == LEMAN_ALGORITHM_LOCAL_PLUS);
        for (unsigned other = 0; other < m; other++)
            assert_string_not_equal(name, lm_paper_method_name((lm_paper_method)other));
    }
    for (unsigned s = 0; s < LM_PAPER_SETS; s++) assert_non_null(lm_paper_set_name((lm_paper_set)s));
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
