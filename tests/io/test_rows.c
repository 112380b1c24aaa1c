/* Tables of chemists: headers, missing values, what is almost a number; the rows of files with what they say. */
#include "io/molecule/smiles_table.h"
#include "support/formats.h"
#include <math.h>
#include <stdio.h>

static leman_dataset *read_with(leman_context *ctx, const char *name, const char *text, leman_read_options *options)
{
    leman_dataset *data = NULL;
    leman_policy policy = leman_policy_default();
    lm_bytes bytes = {.data = text, .size = strlen(text)};
    options->policy = &policy;
    if (lm_format_smiles.read(ctx, name, &bytes, options, NULL, &data))
        fail_msg("%s: %s", text, leman_context_message(ctx));
    return data;
}

/* A column whose name says structure holds SMILES if the line below has one, or most lines do; other tables are as before. Missing values
 * are written in many ways, and what is almost a number is named with its line. */
static void tables_of_chemists(void **state)
{
    (void)state;
    test_log log;
    test_log_new(&log);
    static const char *const HEADERS[] = {"Structure", "mol", "MOLECULE", "canonical_smiles"};
    for (size_t i = 0; i < sizeof HEADERS / sizeof *HEADERS; i++) {
        const char *folder = test_folder_new();
        char text[200];
        leman_dataset *data = NULL;
        snprintf(text, sizeof text, "pIC50,%s,y\n1.5,CCO,?\nnull,CN,2\n3,c1ccccc1,NA\n", HEADERS[i]);
        if (leman_dataset_read(log.ctx, test_file_text(folder, "t.csv", text), NULL, NULL, &data))
            fail_msg("%s: %s", HEADERS[i], leman_context_message(log.ctx));
        const double targets[] = {1.5, NAN, NAN, 2, 3, NAN};
        assert_int_equal(leman_dataset_shape(data)->graphs, 3);
        assert_memory_equal(leman_dataset_targets(data), targets, sizeof targets);
        leman_dataset_free(data);
        snprintf(text, sizeof text, "pIC50,%s\n1,\n2,C1CC(\n3,CCO\n4,C\n5,CN\n", HEADERS[i]); /* the first is missing */
        leman_read_options skip = leman_read_options_default();
        skip.skip_unreadable = true;
        if (leman_dataset_read(log.ctx, test_file_text(folder, "b.csv", text), &skip, NULL, &data))
            fail_msg("%s: %s", HEADERS[i], leman_context_message(log.ctx));
        assert_int_equal(leman_dataset_shape(data)->graphs, 3);
        leman_dataset_free(data);
        assert_int_equal(leman_dataset_read(log.ctx,
                                            test_file_text(folder, "e2.csv", "a,mol\nx,water\nwater,y\nz,CN\n"), NULL,
                                            NULL, &data),
                         LEMAN_OK); /* an edge list */
        assert_int_equal(leman_dataset_shape(data)->graphs, 1);
        leman_dataset_free(data);
        assert_int_equal(leman_dataset_read(log.ctx, test_file_text(folder, "e.csv", "source,target,mol\na,b,1\n"),
                                            NULL, NULL, &data),
                         LEMAN_OK);
        assert_int_equal(leman_dataset_shape(data)->vertices, 2);
        leman_dataset_free(data);
        test_folder_remove(folder);
    }
    leman_read_options options = leman_read_options_default();
    leman_dataset *data = read_with(log.ctx, "t.csv", "smiles,a,b\nC,1,\"1,5\"\nN,>10,2\nO,<2,3\n", &options);
    assert_int_equal(leman_dataset_shape(data)->columns->targets, 0);
    assert_non_null(strstr(
        log.text,
        "t: column 'a' is no target, since '>10' in line 3 is no number; leman fit --censored reads it as a bound\n"));
    assert_non_null(strstr(log.text, "t: column 'b' is no target, since '1,5' in line 2 is no number\n"));
    leman_dataset_free(data);
    test_log_free(&log);
}

/* Every line is a row, with or without a graph, and keeps the texts of the columns that are asked for. */
static void rows_of_tables(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_rows *rows = NULL;
    leman_read_options options = leman_read_options_default();
    size_t length;
    options.skip_unreadable = true;
    options.rows = &rows;
    options.row_columns = "y,z";
    leman_dataset *data =
        read_with(ctx, "t.csv", "smiles,name,y,z\nC,a,1,\"q \"\"r\"\"\"\nC(,b,2,\n\nN,,4,w\n", &options);
    assert_int_equal(leman_dataset_shape(data)->graphs, 2);
    assert_int_equal(leman_rows_count(rows), 3);
    const leman_row first = leman_rows_get(rows, 0), bad = leman_rows_get(rows, 1), last = leman_rows_get(rows, 2);
    assert_true(first.graph == 0 && bad.graph == SIZE_MAX && last.graph == 1);
    assert_true(first.line == 2 && bad.line == 3 && last.line == 5);
    assert_string_equal(first.name, "a");
    assert_string_equal(bad.smiles, "C(");
    assert_string_equal(first.fault, "");
    assert_non_null(strstr(bad.fault, "t.csv:3: column 2"));
    assert_string_equal(leman_rows_value(rows, 0, 1), "q \"r\"");
    assert_string_equal(leman_rows_value(rows, 1, 0), "2");
    assert_string_equal(leman_rows_value(rows, 1, 1), "");
    assert_string_equal(leman_rows_value(rows, 9, 0), "");
    assert_string_equal(leman_rows_value(rows, 0, 2), "");
    assert_memory_equal(leman_rows_column(rows, 1, &length), "z", 1);
    assert_null(leman_rows_column(rows, 2, &length));
    assert_true(leman_rows_get(rows, 3).graph == SIZE_MAX && leman_rows_count(NULL) == 0);
    leman_dataset_free(data);
    leman_rows_free(rows);
    test_context_free(ctx);
}

static leman_status rows_once(leman_context *ctx, void *user)
{
    leman_dataset *data = NULL;
    leman_rows *rows = NULL;
    leman_read_options options = leman_read_options_default();
    leman_policy policy = leman_policy_default();
    const char *text = "smiles,name,y\nC,a,1\nC(,b,2\nCC,c,3\n";
    lm_bytes bytes = {.data = text, .size = strlen(text)};
    (void)user;
    options.policy = &policy;
    options.skip_unreadable = true;
    options.rows = &rows;
    options.row_columns = "y";
    leman_status st = lm_format_smiles.read(ctx, "m.csv", &bytes, &options, NULL, &data);
    leman_dataset_free(data);
    leman_rows_free(rows);
    return st;
}

static void rows_may_fail(void **state)
{
    (void)state;
    assert_true(test_fail_each_allocation(rows_once, NULL) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_of_chemists),
        cmocka_unit_test(rows_of_tables),
        cmocka_unit_test(rows_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
