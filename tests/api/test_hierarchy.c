/* Hierarchies of tests and their pages with arguments that nobody can mean. */
#include "support/support.h"

enum { TESTS = 2 };

typedef struct corpus {
    leman_context *ctx;
    leman_dataset *data; /* a hexagon and two triangles */
    leman_coloring test[TESTS];
} corpus;

static corpus corpus_new(void)
{
    leman_family_options options = leman_family_options_default();
    corpus c = {.ctx = test_context_new(1)};
    assert_int_equal(leman_dataset_generate(c.ctx, LEMAN_FAMILY_CYCLES, &options, &c.data), LEMAN_OK);
    for (unsigned t = 0; t < TESTS; t++) {
        c.test[t] = leman_coloring_default();
        c.test[t].k = t + 1;
    }
    return c;
}

static void test_bad_arguments(void **unused)
{
    (void)unused;
    corpus c = corpus_new();
    leman_hierarchy *h = NULL;
    const size_t only = 0;
    leman_dataset *odd = NULL;
    assert_int_equal(leman_hierarchy_compute(NULL, c.data, c.test, TESTS, true, &h), LEMAN_ERROR_ARGUMENT);
    assert_int_equal(leman_hierarchy_compute(c.ctx, NULL, c.test, TESTS, true, &h), LEMAN_ERROR_ARGUMENT);
    assert_int_equal(leman_hierarchy_compute(c.ctx, c.data, NULL, TESTS, true, &h), LEMAN_ERROR_ARGUMENT);
    assert_int_equal(leman_hierarchy_compute(c.ctx, c.data, c.test, 0, true, &h), LEMAN_ERROR_ARGUMENT);
    assert_int_equal(leman_hierarchy_compute(c.ctx, c.data, c.test, TESTS, true, NULL), LEMAN_ERROR_ARGUMENT);
    assert_int_equal(leman_dataset_select(c.ctx, c.data, 1, &only, &odd), LEMAN_OK);
    assert_int_equal(leman_hierarchy_compute(c.ctx, odd, c.test, TESTS, true, &h), LEMAN_ERROR_INPUT);
    assert_null(h);
    assert_int_equal(leman_hierarchy_compute(c.ctx, c.data, c.test, TESTS, true, &h), LEMAN_OK);
    const char *name = "all";
    const size_t size = 3;
    assert_int_equal(leman_hierarchy_page_write(c.ctx, c.data, h, &name, &size, 1, NULL, "/dev/null"),
                     LEMAN_ERROR_ARGUMENT);
    assert_int_equal(leman_hierarchy_page_write(c.ctx, odd, h, NULL, NULL, 0, NULL, "/dev/null"), LEMAN_ERROR_ARGUMENT);
    assert_int_equal(leman_hierarchy_page_write(c.ctx, c.data, NULL, NULL, NULL, 0, NULL, "/dev/null"),
                     LEMAN_ERROR_ARGUMENT);
    leman_hierarchy_free(h);
    leman_hierarchy_free(NULL);
    leman_dataset_free(odd);
    leman_dataset_free(c.data);
    test_context_free(c.ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
