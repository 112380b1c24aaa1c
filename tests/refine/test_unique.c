/* leman_unique_write() with failing allocations, by lines and at once. tests/cli/test_unique.py has what it writes. */
#include "support/support.h"
#include <stdio.h>
#include <stdlib.h>

typedef struct paths {
    char *in, *out, *table;
    bool exact;
} paths;

static leman_status unique_body(leman_context *ctx, void *state)
{
    const paths *p = state;
    leman_unique found;
    leman_unique_options options = leman_unique_options_default();
    options.classes = p->table;
    options.exact = p->exact;
    return leman_unique_write(ctx, p->in, NULL, &options, p->out, NULL, &found);
}

static void test_allocations(void **state)
{
    (void)state;
    const char *folder = test_folder_new();
    paths p = {.in = strdup(test_path(folder, "x.smi")), .table = strdup(test_path(folder, "t.csv"))};
    FILE *file = fopen(p.in, "w");
    assert_non_null(file);
    fputs("CCO a\nOCC b\nCN c\n", file); /* no symmetries: nauty is not needed */
    fclose(file);
    static const char *const OUT[] = {"y.smi", "y.leman"};
    for (size_t i = 0; i < 3; i++) {
        p.exact = i > 1;
        p.out = strdup(test_path(folder, OUT[i % 2]));
        assert_true(test_fail_each_allocation(unique_body, &p) > 5);
        free(p.out);
    }
    free(p.in);
    free(p.table);
    test_folder_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_allocations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
