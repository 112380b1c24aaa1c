/* The page of a hierarchy of tests: the warning where a proved inclusion is violated, and failing allocations. */
#include "support/graphs.h"
#include <stdio.h>

enum { TESTS = 2 };

typedef struct corpus {
    leman_context *ctx;
    leman_dataset *data; /* a hexagon and two triangles */
    leman_hierarchy *hierarchy;
    const char *folder, *path;
} corpus;

/* 1-WL and delta-2-LWL, of which the second tells the pair apart. */
static corpus corpus_new(void)
{
    corpus c = {.ctx = test_context_new(1), .folder = test_folder_new()};
    leman_coloring test[TESTS];
    for (unsigned t = 0; t < TESTS; t++) {
        test[t] = leman_coloring_default();
        test[t].k = t + 1;
    }
    c.path = test_path(c.folder, "page.html");
    c.data = test_made(c.ctx, LEMAN_FAMILY_CYCLES, NULL);
    assert_int_equal(leman_hierarchy_compute(c.ctx, c.data, test, TESTS, true, &c.hierarchy), LEMAN_OK);
    return c;
}

static void corpus_free(corpus *c)
{
    leman_hierarchy_free(c->hierarchy);
    leman_dataset_free(c->data);
    test_context_free(c->ctx);
    test_folder_remove(c->folder);
}

static leman_status write_page(leman_context *ctx, void *state)
{
    const corpus *c = state;
    return leman_hierarchy_page_write(ctx, c->data, c->hierarchy, NULL, NULL, 0, NULL, c->path);
}

static bool page_says(corpus *c, const char *words)
{
    static char text[1 << 20];
    assert_int_equal(write_page(c->ctx, c), LEMAN_OK);
    FILE *file = fopen(c->path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    return strstr(text, words);
}

static void test_warning(void **unused)
{
    (void)unused;
    corpus c = corpus_new();
    assert_false(page_says(&c, "violated"));
    c.hierarchy->proved[1 * TESTS + 0] = true; /* as if 1-WL were above delta-2-LWL */
    assert_true(page_says(&c, "violated: δ-2-LWL tells apart 1 pair that 1-WL does not"));
    corpus_free(&c);
}

static void test_each_allocation(void **unused)
{
    (void)unused;
    corpus c = corpus_new();
    assert_true(test_fail_each_allocation(write_page, &c) > 0);
    corpus_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_warning),
        cmocka_unit_test(test_each_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
