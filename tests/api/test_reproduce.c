/* leman/reproduce.h: every function with what it must refuse, and the names of enum values. */
#include "support/refused.h"
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#define BEYOND 99 /* of every enum */

/* Every name is read back as its value; NULL and other texts are refused, and the value stays. */
#define CHECK_NAMES(ctx, TYPE, COUNT, argument, get_name, parse)                                                       \
    do {                                                                                                               \
        TYPE value = (TYPE)BEYOND;                                                                                     \
        assert_refused_without(parse(NULL, "x", &value));                                                              \
        assert_refused(ctx, "text", parse(ctx, NULL, &value));                                                         \
        assert_refused(ctx, argument, parse(ctx, "x", NULL));                                                          \
        assert_refused(ctx, "expected one of: ", parse(ctx, "x", &value));                                             \
        assert_int_equal(value, BEYOND);                                                                               \
        for (int i = 0; i < (COUNT); i++) {                                                                            \
            assert_int_equal(parse(ctx, get_name((TYPE)i), &value), LEMAN_OK);                                         \
            assert_int_equal(value, i);                                                                                \
        }                                                                                                              \
        assert_string_equal(get_name((TYPE)(COUNT)), "unknown");                                                       \
        assert_string_equal(get_name((TYPE)-1), "unknown");                                                            \
    } while (0)

static void test_names(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_paper_method method;
    CHECK_NAMES(ctx, leman_paper_method, LEMAN_PAPER_METHOD_COUNT, "method", leman_paper_method_name,
                leman_paper_method_parse);
    CHECK_NAMES(ctx, leman_paper_set, LEMAN_PAPER_SET_COUNT, "set", leman_paper_set_name, leman_paper_set_parse);
    CHECK_NAMES(ctx, leman_paper_table, LEMAN_PAPER_TABLE_COUNT, "table", leman_paper_table_name,
                leman_paper_table_parse);
    CHECK_NAMES(ctx, leman_paper_quantity, LEMAN_PAPER_QUANTITY_COUNT, "quantity", leman_paper_quantity_name,
                leman_paper_quantity_parse);
    CHECK_NAMES(ctx, leman_cell_state, LEMAN_CELL_STATE_COUNT, "state", leman_cell_state_name, leman_cell_state_parse);
    for (int i = 0; i < LEMAN_PAPER_METHOD_COUNT; i++) {
        assert_int_equal(leman_paper_method_parse(ctx, leman_paper_method_title((leman_paper_method)i), &method), 0);
        assert_int_equal(method, i);
        assert_int_equal(leman_paper_method_parse(ctx, leman_paper_method_kernel((leman_paper_method)i), &method), 0);
        assert_int_equal(method, i);
    }
    assert_string_equal(leman_paper_method_title((leman_paper_method)BEYOND), "unknown");
    assert_string_equal(leman_paper_method_kernel((leman_paper_method)BEYOND), "unknown");
    assert_null(leman_paper_method_remark((leman_paper_method)BEYOND));
    test_context_free(ctx);
}

static void test_published(void **state)
{
    (void)state;
    assert_int_equal(leman_published((leman_paper_quantity)BEYOND, 0, 0).state, LEMAN_CELL_STATE_EMPTY);
    assert_int_equal(leman_published(0, (leman_paper_method)BEYOND, 0).state, LEMAN_CELL_STATE_EMPTY);
    assert_int_equal(leman_published(0, 0, (leman_paper_set)-1).state, LEMAN_CELL_STATE_EMPTY);
    assert_true(isnan(leman_paper_set_majority((leman_paper_set)-1)));
    assert_true(isnan(leman_paper_set_majority(LEMAN_PAPER_SET_COUNT)));
    assert_int_equal(leman_published(0, 0, 0).state, LEMAN_CELL_STATE_NUMBER);
}

/* Options that are refused, each with a word about it. */
static void test_options(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_reproduction *const before = TEST_UNTOUCHED(leman_reproduction), *r = before;
    leman_reproduction_options right = leman_reproduction_options_default(), o;
    leman_reproduction_options_init(NULL, sizeof o);
    assert_int_equal(right.repetitions, 10);
    assert_refused_without(leman_reproduction_new(NULL, &right, &r));
    assert_refused(ctx, "out", leman_reproduction_new(ctx, &right, NULL));
    o = right, o.size = 0;
    assert_refused(ctx, "size", leman_reproduction_new(ctx, &o, &r));
    o = right, o.tables = 1 << LEMAN_PAPER_TABLE_COUNT;
    assert_refused(ctx, "tables", leman_reproduction_new(ctx, &o, &r));
    o = right, o.methods = 1 << LEMAN_PAPER_METHOD_COUNT;
    assert_refused(ctx, "methods", leman_reproduction_new(ctx, &o, &r));
    o = right, o.sets = 1 << LEMAN_PAPER_SET_COUNT;
    assert_refused(ctx, "sets", leman_reproduction_new(ctx, &o, &r));
    o = right, o.repetitions = 0;
    assert_refused(ctx, "repetitions", leman_reproduction_new(ctx, &o, &r));
    o = right, o.time_limit = -1;
    assert_refused(ctx, "time limit", leman_reproduction_new(ctx, &o, &r));
    o.time_limit = NAN;
    assert_refused(ctx, "time limit", leman_reproduction_new(ctx, &o, &r));
    o = right, o.finished_only = true;
    assert_refused(ctx, "file", leman_reproduction_new(ctx, &o, &r));
    assert_ptr_equal(r, before);
    assert_int_equal(leman_reproduction_new(ctx, NULL, &r), LEMAN_OK);
    leman_reproduction_free(r);
    leman_reproduction_free(NULL);
    test_context_free(ctx);
}

static void test_cells(void **state)
{
    (void)state;
    const leman_paper_quantity test = LEMAN_PAPER_QUANTITY_TEST;
    const leman_paper_method sp = LEMAN_PAPER_METHOD_SP;
    const leman_paper_set set = LEMAN_PAPER_SET_ENZYMES;
    leman_context *ctx = test_context_new(1);
    uint64_t seed = 1;
    leman_dataset *data = test_random_graph(ctx, &seed, 5, 50, 0, 0, false);
    leman_reproduction *r = NULL;
    bool computed = true, several = true;
    assert_int_equal(leman_reproduction_new(ctx, NULL, &r), LEMAN_OK);
    assert_refused_without(leman_reproduction_run(NULL, r, test, sp, set, data, &computed));
    assert_refused(ctx, "reproduction", leman_reproduction_run(ctx, NULL, test, sp, set, data, &computed));
    assert_refused(ctx, "quantity", leman_reproduction_run(ctx, r, BEYOND, sp, set, data, &computed));
    assert_refused(ctx, "method", leman_reproduction_run(ctx, r, test, BEYOND, set, data, &computed));
    assert_refused(ctx, "set", leman_reproduction_run(ctx, r, test, sp, BEYOND, data, &computed));
    assert_refused(ctx, "data", leman_reproduction_run(ctx, r, test, sp, set, NULL, &computed));
    assert_refused(ctx, "seconds", /* no table of times was asked for */
                   leman_reproduction_run(ctx, r, LEMAN_PAPER_QUANTITY_SECONDS, sp, set, data, &computed));
    assert_true(computed);
    assert_refused_without(leman_reproduction_set_missing(NULL, r, set, "lost"));
    assert_refused(ctx, "reproduction", leman_reproduction_set_missing(ctx, NULL, set, "lost"));
    assert_refused(ctx, "set", leman_reproduction_set_missing(ctx, r, BEYOND, "lost"));
    assert_refused(ctx, "why", leman_reproduction_set_missing(ctx, r, set, NULL));
    assert_string_equal(leman_reproduction_missing(r, set), "");
    assert_string_equal(leman_reproduction_missing(NULL, set), "");
    assert_string_equal(leman_reproduction_missing(r, BEYOND), "");
    assert_false(leman_reproduction_has(NULL, test, sp, set));
    assert_false(leman_reproduction_has(r, BEYOND, sp, set));
    assert_false(leman_reproduction_has(r, test, BEYOND, set));
    assert_false(leman_reproduction_has(r, test, sp, BEYOND));
    assert_null(leman_reproduction_cell(NULL, test, sp, set));
    assert_null(leman_reproduction_cell(r, BEYOND, sp, set));
    assert_null(leman_reproduction_cell(r, test, BEYOND, set));
    assert_null(leman_reproduction_cell(r, test, sp, BEYOND));
    assert_true(isnan(leman_reproduction_value(NULL, test, sp, set)));
    assert_true(isnan(leman_reproduction_value(r, BEYOND, sp, set)));
    assert_true(isnan(leman_reproduction_difference(NULL, test, sp, set)));
    assert_true(isnan(leman_reproduction_difference(r, test, sp, BEYOND)));
    assert_int_equal(leman_reproduction_checksum(NULL, set, &several), 0);
    assert_false(several);
    assert_int_equal(leman_reproduction_checksum(r, BEYOND, NULL), 0);
    leman_reproduction_free(r);
    leman_dataset_free(data);
    test_context_free(ctx);
}

static void test_write(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new();
    leman_reproduction *r = NULL;
    char path[300];
    snprintf(path, sizeof path, "%s", test_path(folder, "page.pdf"));
    assert_int_equal(leman_reproduction_new(ctx, NULL, &r), LEMAN_OK);
    assert_refused_without(leman_reproduction_write(NULL, r, NULL, path));
    assert_refused(ctx, "reproduction", leman_reproduction_write(ctx, NULL, NULL, path));
    assert_refused(ctx, "path", leman_reproduction_write(ctx, r, NULL, NULL));
    assert_refused(ctx, "page.pdf", leman_reproduction_write(ctx, r, NULL, path));
    assert_int_not_equal(access(path, F_OK), 0);
    leman_reproduction_free(r);
    test_folder_remove(folder);
    test_context_free(ctx);
}

static void test_network_tables(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_network_tables *const before = TEST_UNTOUCHED(leman_network_tables), *r = before;
    leman_network_tables_options right = leman_network_tables_options_default(), o;
    const leman_network_table zinc = LEMAN_NETWORK_TABLE_ZINC;
    CHECK_NAMES(ctx, leman_network_table, LEMAN_NETWORK_TABLE_COUNT, "table", leman_network_table_name,
                leman_network_table_parse);
    assert_null(leman_network_table_describe((leman_network_table)BEYOND));
    assert_int_equal(leman_network_published((leman_network_table)BEYOND, 0, 0, 0).state, LEMAN_CELL_STATE_EMPTY);
    assert_int_equal(leman_network_published(zinc, 1, 0, 0).state, LEMAN_CELL_STATE_EMPTY);
    assert_int_equal(leman_network_published(zinc, 0, 4, 0).state, LEMAN_CELL_STATE_EMPTY);
    assert_int_equal(leman_network_published(zinc, 0, 0, 3).state, LEMAN_CELL_STATE_EMPTY);
    assert_null(leman_network_set_file(NULL));
    assert_null(leman_network_set_file("ZINC"));
    assert_string_equal(leman_network_set_file("ZINC_50k"), "ZINC_full");
    leman_network_tables_options_init(NULL, sizeof o);
    assert_refused_without(leman_network_tables_new(NULL, &right, &r));
    assert_refused(ctx, "out", leman_network_tables_new(ctx, &right, NULL));
#define WITH(words, change)                                                                                            \
    do {                                                                                                               \
        o = right;                                                                                                     \
        o.change;                                                                                                      \
        assert_refused(ctx, words, leman_network_tables_new(ctx, &o, &r));                                             \
    } while (0)
    WITH("size", size = 0);
    WITH("tables", tables = 1 << LEMAN_NETWORK_TABLE_COUNT);
    WITH("no method", methods = "GINE-eps,GAT");
    WITH("no data set", sets = "ZINC_10k,CIFAR");
    WITH("0 runs", runs = 0);
    WITH("time limit", time_limit = -1);
    WITH("time limit", time_limit = NAN);
    WITH("file", finished_only = true);
    WITH("others", others_count = 1);
    o = right;
    o.others = (const char *const[]){NULL};
    o.others_count = 1;
    assert_refused(ctx, "others[0]", leman_network_tables_new(ctx, &o, &r));
    assert_ptr_equal(r, before);
    assert_int_equal(leman_network_tables_new(ctx, NULL, &r), LEMAN_OK);
    assert_refused_without(leman_network_tables_beside(NULL, r, "QM9", "SP", 1, NAN, 1, 0));
    assert_refused(ctx, "tables", leman_network_tables_beside(ctx, NULL, "QM9", "SP", 1, NAN, 1, 0));
    assert_refused(ctx, "set", leman_network_tables_beside(ctx, r, NULL, "SP", 1, NAN, 1, 0));
    assert_refused(ctx, "method", leman_network_tables_beside(ctx, r, "QM9", NULL, 1, NAN, 1, 0));
    assert_refused(ctx, "expected a result", leman_network_tables_beside(ctx, r, "QM9", "SP", NAN, NAN, 1, 0));
    assert_refused(ctx, "expected a result", leman_network_tables_beside(ctx, r, "QM9", "SP", 1, NAN, -1, 0));
    assert_int_equal(leman_network_tables_beside(ctx, r, "CIFAR", "SP", 1, NAN, 1, 0), LEMAN_ERROR_INPUT);
    leman_dataset *data = NULL;
    size_t computed = 7;
    assert_int_equal(leman_dataset_generate(ctx, LEMAN_FAMILY_PETERSEN, NULL, &data), LEMAN_OK);
    assert_refused_without(leman_network_tables_run(NULL, r, zinc, 0, 0, data, "x", &computed));
    assert_refused(ctx, "tables", leman_network_tables_run(ctx, NULL, zinc, 0, 0, data, "x", &computed));
    assert_refused(ctx, "table", leman_network_tables_run(ctx, r, BEYOND, 0, 0, data, "x", &computed));
    assert_refused(ctx, "row 4", leman_network_tables_run(ctx, r, zinc, 4, 0, data, "x", &computed));
    assert_refused(ctx, "column 3", leman_network_tables_run(ctx, r, zinc, 0, 3, data, "x", &computed));
    assert_refused(ctx, "data", leman_network_tables_run(ctx, r, zinc, 0, 0, NULL, "x", &computed));
    assert_refused(ctx, "path", leman_network_tables_run(ctx, r, zinc, 0, 0, data, NULL, &computed));
    assert_int_equal(leman_network_tables_status(NULL, zinc, 0, 0), LEMAN_OK);
    assert_int_equal(leman_network_tables_status(r, BEYOND, 0, 0), LEMAN_OK);
    assert_int_equal(leman_network_tables_status(r, zinc, 9, 0), LEMAN_OK);
    assert_int_equal(leman_network_tables_checksum(NULL, "QM9", NULL), 0);
    assert_int_equal(leman_network_tables_checksum(r, NULL, NULL), 0);
    assert_int_equal(leman_network_tables_checksum(r, "QM9", NULL), 0);
    assert_refused_without(leman_network_tables_set_missing(NULL, r, "QM9", "lost"));
    assert_refused(ctx, "tables", leman_network_tables_set_missing(ctx, NULL, "QM9", "lost"));
    assert_refused(ctx, "set", leman_network_tables_set_missing(ctx, r, NULL, "lost"));
    assert_refused(ctx, "why", leman_network_tables_set_missing(ctx, r, "QM9", NULL));
    assert_true(leman_network_tables_has(r, zinc, 3, 2));
    assert_false(leman_network_tables_has(NULL, zinc, 0, 0));
    assert_false(leman_network_tables_has(r, BEYOND, 0, 0));
    assert_int_equal(leman_network_tables_cell(NULL, zinc, 0, 0).runs, 0);
    assert_int_equal(leman_network_tables_cell(r, BEYOND, 0, 0).runs, 0);
    assert_string_equal(leman_network_tables_cell(r, zinc, 9, 0).note, "");
    assert_refused_without(leman_network_tables_write(NULL, r, NULL, "x.md"));
    assert_refused(ctx, "tables", leman_network_tables_write(ctx, NULL, NULL, "x.md"));
    assert_refused(ctx, "path", leman_network_tables_write(ctx, r, NULL, NULL));
    assert_refused(ctx, ".html", leman_network_tables_write(ctx, r, NULL, "x.pdf"));
    leman_dataset_free(data);
    leman_network_tables_free(r);
    leman_network_tables_free(NULL);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_network_tables), cmocka_unit_test(test_names),
                                       cmocka_unit_test(test_published),      cmocka_unit_test(test_options),
                                       cmocka_unit_test(test_cells),          cmocka_unit_test(test_write)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
