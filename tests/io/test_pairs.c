/* Lists of pairs: the graphs of every line, what may stand around them, and what is refused, with its line. */
#include "support/formats.h"

static leman_dataset *read_text(leman_context *ctx, const char *text, leman_policy policy)
{
    const char *folder = test_folder_new();
    leman_read_options options = leman_read_options_default();
    options.format = LEMAN_FORMAT_PAIRS;
    options.policy = &policy;
    leman_dataset *data = NULL;
    const char *path = test_file_text(folder, "pairs.tsv", text);
    assert_int_equal(leman_dataset_read(ctx, path, &options, NULL, &data), LEMAN_OK);
    test_folder_remove(folder);
    return data;
}

/* The same graphs, a line each. */
static leman_dataset *read_lines(leman_context *ctx, const char *text)
{
    const char *folder = test_folder_new();
    leman_dataset *data = NULL;
    assert_int_equal(leman_dataset_read(ctx, test_file_text(folder, "lines.g6", text), NULL, NULL, &data), LEMAN_OK);
    test_folder_remove(folder);
    return data;
}

static void test_lines(void **state)
{
    (void)state;
    static const char *const TEXTS[] = {
        "EhEG\tEwCW\nBw\t:An\n",
        "EhEG\tEwCW\r\nBw\t:An",
        "\n\nEhEG  EwCW\n \t\nBw \t :An \n\n",
    };
    leman_context *ctx = test_context_new(1);
    leman_dataset *expected = read_lines(ctx, "EhEG\nEwCW\nBw\n:An\n");
    for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
        leman_dataset *data = read_text(ctx, TEXTS[i], leman_policy_default());
        assert_int_equal(leman_dataset_check(ctx, data), LEMAN_OK);
        assert_true(test_same_dataset(data, expected));
        leman_dataset_free(data);
    }
    leman_dataset_free(expected);
    test_context_free(ctx);
}

/* A pair stays a pair, whatever the policy says about graphs without vertices. */
static void test_empty_graphs(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_policy policy = leman_policy_default();
    policy.empty_graphs = LEMAN_ACTION_REMOVE;
    leman_dataset *data = read_text(ctx, "?\tBw\nBw\t?\n", policy);
    assert_int_equal(leman_dataset_shape(data)->graphs, 4);
    leman_dataset_free(data);
    test_context_free(ctx);
}

static void test_refused_lines(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words[2];
    } CASES[] = {
        {"", {"pairs.tsv:1:", "end of the file"}},
        {"\n \n", {"pairs.tsv", "end of the file"}},
        {"EhEG\n", {"pairs.tsv:1:", "second graph"}},
        {"EhEG\tEwCW\n\nEhEG\t\n", {"pairs.tsv:3:", "second graph"}},
        {"EhEG\tEwCW\tBw\n", {"pairs.tsv:1:", "behind the second graph"}},
        {"EhEG\tEwC\n", {"pairs.tsv:1:", "characters"}},
        {"EhE\tEwCW\n", {"pairs.tsv:1:", "characters"}},
        {"EhEG\t;An\n", {"pairs.tsv:1:", "incremental"}},
        {"Bw\tBw\nBw\t\x7f\n", {"pairs.tsv:2:", "0x7f"}},
    };
    leman_context *ctx = test_context_new(1);
    leman_read_options options = leman_read_options_default();
    options.format = LEMAN_FORMAT_PAIRS;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        const char *folder = test_folder_new(), *path = test_file_text(folder, "pairs.tsv", CASES[i].text);
        leman_dataset *data = NULL;
        assert_int_equal(leman_dataset_read(ctx, path, &options, NULL, &data), LEMAN_ERROR_INPUT);
        assert_null(data);
        for (int w = 0; w < 2; w++) assert_non_null(strstr(leman_context_message(ctx), CASES[i].words[w]));
        test_folder_remove(folder);
    }
    test_context_free(ctx);
}

static leman_status read_pairs(leman_context *ctx, void *path)
{
    leman_read_options options = leman_read_options_default();
    leman_dataset *data = NULL;
    options.format = LEMAN_FORMAT_PAIRS;
    leman_status st = leman_dataset_read(ctx, path, &options, NULL, &data);
    leman_dataset_free(data);
    return st;
}

static void test_allocations(void **state)
{
    (void)state;
    const char *folder = test_folder_new();
    char path[512];
    strcpy(path, test_file_text(folder, "pairs.tsv", "EhEG\tEwCW\nBw\t:An\n"));
    assert_true(test_fail_each_allocation(read_pairs, path) > 0);
    test_folder_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_empty_graphs),
        cmocka_unit_test(test_refused_lines),
        cmocka_unit_test(test_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
