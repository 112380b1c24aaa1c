/* The known statistics: a set built to them passes, and one that is off in a single figure does not. */
#include "io/download/cache.h"
#include "support/support.h"
#include <stdio.h>
#include <unistd.h>

/* `graphs` graphs that share `vertices` vertices and `edges` edges out as evenly as they can, in `classes` classes
 * and with `targets` targets: a path in each, and then chords. */
static leman_dataset *build(leman_context *ctx, size_t graphs, size_t vertices, size_t edges, size_t classes,
                            size_t targets)
{
    static const double zeros[32];
    leman_columns columns = {.classes = classes > 0, .targets = targets};
    leman_builder *builder = NULL;
    leman_dataset *data = NULL;
    assert_int_equal(leman_builder_new(ctx, "built", &columns, &builder), LEMAN_OK);
    for (size_t i = 0; i < graphs; i++) {
        int64_t class_label = (int64_t)(i % (classes ? classes : 1));
        size_t n = vertices / graphs + (i < vertices % graphs), m = edges / graphs + (i < edges % graphs);
        assert_int_equal(leman_builder_graph(builder, NULL, &class_label, zeros), LEMAN_OK);
        for (size_t v = 0; v < n; v++) assert_int_equal(leman_builder_vertex(builder, NULL, NULL, NULL), LEMAN_OK);
        for (size_t step = 1; step < n; step++)
            for (size_t v = 0; v + step < n && m; v++, m--)
                assert_int_equal(leman_builder_edge(builder, v, v + step, NULL, NULL), LEMAN_OK);
        assert_int_equal(m, 0);
    }
    assert_int_equal(leman_builder_finish(builder, NULL, NULL, &data), LEMAN_OK);
    leman_builder_free(builder);
    return data;
}

static leman_status check(const char *name, size_t graphs, size_t vertices, size_t edges, size_t classes,
                          const char *words)
{
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = build(ctx, graphs, vertices, edges, classes, 0);
    leman_status st = lm_catalogue_check(ctx, "file.zip", name, data);
    if (st && !strstr(leman_context_message(ctx), words))
        fail_msg("'%s' says no '%s'", leman_context_message(ctx), words);
    leman_dataset_free(data);
    test_context_free(ctx);
    return st;
}

/* PTC_FM has 349 graphs in two classes, with 14.1 vertices and 14.5 edges on average. */
static void test_one_figure_off(void **state)
{
    (void)state;
    assert_int_equal(check("PTC_FM", 349, 4921, 5061, 2, ""), LEMAN_OK);
    assert_int_equal(check("PTC_FM", 348, 4907, 5046, 2, "found 348 graphs"), LEMAN_ERROR_INPUT);
    assert_int_equal(check("PTC_FM", 349, 4956, 5061, 2, "14.20 vertices"), LEMAN_ERROR_INPUT);
    assert_int_equal(check("PTC_FM", 349, 4921, 5026, 2, "14.40 edges"), LEMAN_ERROR_INPUT);
    assert_int_equal(check("PTC_FM", 349, 4921, 5061, 3, "found 3 classes, expected 2"), LEMAN_ERROR_INPUT);
    assert_int_equal(check("PTC_FM", 349, 4921, 5061, 0, "found 0 classes"), LEMAN_ERROR_INPUT);
    assert_int_equal(check("PTC_FM", 349, 4921, 5061, 100, "expected 2"), LEMAN_ERROR_INPUT);
}

/* Averages that round to the printed decimal pass, those beyond do not. */
static void test_rounding(void **state)
{
    (void)state;
    for (size_t vertices = 4890; vertices < 4950; vertices++) {
        char shown[16];
        snprintf(shown, sizeof shown, "%.1f", (double)vertices / 349);
        leman_status expected = strcmp(shown, "14.1") ? LEMAN_ERROR_INPUT : LEMAN_OK;
        assert_int_equal(check("PTC_FM", 349, vertices, 5061, 2, "vertices"), expected);
    }
}

static void test_unknown_name(void **state)
{
    (void)state;
    assert_int_equal(check("SOMETHING", 3, 9, 6, 0, ""), LEMAN_OK);
    assert_int_equal(check("ptc_fm", 3, 9, 6, 0, ""), LEMAN_OK);
}

/* QM9 has at least 12 targets, with 129433 graphs of 18.0 vertices and 18.6 edges. */
static void test_targets(void **state)
{
    (void)state;
    for (size_t targets = 11; targets <= 13; targets++) {
        leman_context *ctx = test_context_new(1);
        leman_dataset *data = build(ctx, 129433, 2329794, 2407454, 0, targets);
        leman_status st = lm_catalogue_check(ctx, "file.zip", "QM9", data);
        assert_int_equal(st, targets < 12 ? LEMAN_ERROR_INPUT : LEMAN_OK);
        if (st) assert_non_null(strstr(leman_context_message(ctx), "found 11 targets, expected at least 12"));
        leman_dataset_free(data);
        test_context_free(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_figure_off),
        cmocka_unit_test(test_rounding),
        cmocka_unit_test(test_unknown_name),
        cmocka_unit_test(test_targets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
