/*
 * The tables of networks from files of finished runs: several files are one table, the first one's lines count last,
 * results of other methods stand beside them on the page, and memory may end anywhere.
 */
#include "base/context.h"
#include "learn/network_runs.h"
#include "support/support.h"
#include <math.h>
#include <stdio.h>

static const leman_network_table ZINC = LEMAN_NETWORK_TABLE_ZINC;
enum { GINE, LOCAL = 3, PAGE = 1 << 16 };

typedef struct files {
    char own[300], others[2][300], html[300];
} files;

static void add(const char *path, size_t row, uint64_t run, double error)
{
    leman_context *ctx = test_context_new(1);
    const lm_network_run line = {.table = ZINC,
                                 .row = row,
                                 .run = run,
                                 .seed = 1,
                                 .limit = 500,
                                 .data_checksum = 7,
                                 .value = {error, NAN},
                                 .epochs = 100,
                                 .seconds = 60,
                                 .parameters = 1000};
    assert_int_equal(lm_network_runs_add(ctx, path, &line), LEMAN_OK);
    test_context_free(ctx);
}

static files files_new(const char *folder)
{
    files f;
    snprintf(f.own, sizeof f.own, "%s", test_path(folder, "own"));
    snprintf(f.others[0], sizeof f.others[0], "%s", test_path(folder, "first"));
    snprintf(f.others[1], sizeof f.others[1], "%s", test_path(folder, "second"));
    snprintf(f.html, sizeof f.html, "%s", test_path(folder, "page.html"));
    add(f.others[0], GINE, 0, 0.25);
    add(f.others[0], GINE, 1, 0.5);
    add(f.others[1], LOCAL, 0, 0.125);
    add(f.own, GINE, 1, 0.75); /* instead of that of the first file */
    return f;
}

static leman_status read_and_write(leman_context *ctx, void *state)
{
    leman_status st = LEMAN_OK;
    const files *f = state;
    leman_network_tables *r = NULL;
    leman_network_tables_options o = leman_network_tables_options_default();
    o.tables = 1 << ZINC;
    o.sets = "ZINC_10k";
    o.runs = 2;
    o.cells = f->own;
    o.others = (const char *const[]){f->others[0], f->others[1]};
    o.others_count = 2;
    o.finished_only = true;
    TRY(leman_network_tables_new(ctx, &o, &r));
    TRY(leman_network_tables_beside(ctx, r, "ZINC_10k", "delta-2-LWL", 0.375, NAN, 12, 0));
    const leman_network_cell gine = leman_network_tables_cell(r, ZINC, GINE, 0),
                             local = leman_network_tables_cell(r, ZINC, LOCAL, 0);
    assert_int_equal(gine.runs, 2);
    assert_float_equal(gine.value[0], 0.5, 0);
    assert_float_equal(gine.deviation[0], 0.25, 0);
    assert_int_equal(local.runs, 1);
    assert_float_equal(local.value[0], 0.125, 0);
    bool several = true;
    assert_int_equal(leman_network_tables_checksum(r, "ZINC_10k", &several), 7);
    assert_false(several);
    TRY(leman_network_tables_write(ctx, r, NULL, f->html));
done:
    leman_network_tables_free(r);
    return st;
}

static void test_files(void **state)
{
    (void)state;
    const char *folder = test_folder_new();
    files f = files_new(folder);
    static char page[PAGE];
    assert_true(test_fail_each_allocation(read_and_write, &f) > 5);
    FILE *file = fopen(f.html, "r");
    assert_non_null(file);
    assert_true(fread(page, 1, sizeof page - 1, file) > 1000);
    fclose(file);
    assert_non_null(strstr(page, "Error against seconds"));
    assert_non_null(strstr(page, "Error against parameters"));
    assert_non_null(strstr(page, "δ-2-LWL: 0.375 in 12"));
    assert_non_null(strstr(page, "δ-2-LGNN: 0.125 in 60 s, 1,000 parameters"));
    test_folder_remove(folder);
}

/* What rounds to nothing has no sign. Published is 0.278. */
static void test_zero_difference(void **state)
{
    (void)state;
    static const double error[] = {0.27796, 0.27804, 0.2786, 0.2774};
    static const char *const shown[] = {">0.000<", ">0.000<", ">+0.001<", ">-0.001<"};
    for (size_t i = 0; i < sizeof error / sizeof *error; i++) {
        const char *folder = test_folder_new();
        leman_context *ctx = test_context_new(1);
        leman_network_tables *r = NULL;
        leman_network_tables_options o = leman_network_tables_options_default();
        char own[300], html[300];
        static char page[PAGE];
        snprintf(own, sizeof own, "%s", test_path(folder, "own"));
        snprintf(html, sizeof html, "%s", test_path(folder, "page.html"));
        add(own, GINE, 0, error[i]);
        o.tables = 1 << ZINC;
        o.sets = "ZINC_10k";
        o.cells = own;
        o.finished_only = true;
        assert_int_equal(leman_network_tables_new(ctx, &o, &r), LEMAN_OK);
        assert_int_equal(leman_network_tables_write(ctx, r, NULL, html), LEMAN_OK);
        FILE *file = fopen(html, "r");
        assert_non_null(file);
        page[fread(page, 1, sizeof page - 1, file)] = 0;
        fclose(file);
        assert_non_null(strstr(page, shown[i]));
        leman_network_tables_free(r);
        test_context_free(ctx);
        test_folder_remove(folder);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_files), cmocka_unit_test(test_zero_difference)};
    return cmocka_run_group_tests_name("network tables", tests, NULL, NULL);
}
