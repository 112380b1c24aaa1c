/* Training, validation and test parts: shares cover the data once, files hold what is documented, mistakes are refused.
 */
#include "support/support.h"
#include <stdio.h>

/* Every graph once. */
static void expect_cover(const leman_parts *parts, size_t graphs)
{
    char *seen = calloc(graphs, 1);
    assert_int_equal(parts->count[0] + parts->count[1] + parts->count[2], graphs);
    for (size_t i = 0; i < graphs; i++) {
        assert_true(parts->graph[i] < graphs);
        assert_false(seen[parts->graph[i]]++);
    }
    free(seen);
}

static void test_shares(void **state)
{
    (void)state;
    static const struct {
        size_t graphs;
        double val, test;
        size_t counts[3];
    } CASES[] = {{129433, 0.1, 0.1, {103547, 12943, 12943}}, /* QM9 as the paper splits it */
                 {100, 0.29, 0, {71, 29, 0}},                /* 0.29 * 100 is below 29 in binary */
                 {30, 0.1, 0.1, {24, 3, 3}},
                 {3, 0.1, 0.1, {1, 1, 1}},
                 {2, 0.1, 0, {1, 1, 0}}};
    leman_context *ctx = test_context_new(1);
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        leman_parts *parts = NULL, *again = NULL;
        assert_int_equal(leman_parts_draw(ctx, CASES[i].graphs, CASES[i].val, CASES[i].test, &parts), LEMAN_OK);
        assert_memory_equal(parts->count, CASES[i].counts, sizeof parts->count);
        expect_cover(parts, CASES[i].graphs);
        assert_int_equal(leman_parts_draw(ctx, CASES[i].graphs, CASES[i].val, CASES[i].test, &again), LEMAN_OK);
        assert_memory_equal(parts->graph, again->graph, CASES[i].graphs * sizeof *parts->graph);
        leman_parts_free(parts);
        leman_parts_free(again);
    }
    leman_parts *parts = NULL;
    assert_int_equal(leman_parts_draw(ctx, 2, 0.1, 0.1, &parts), LEMAN_ERROR_INPUT);
    assert_int_equal(leman_parts_draw(ctx, 0, 0.1, 0.1, &parts), LEMAN_ERROR_INPUT);
    assert_int_equal(leman_parts_draw(ctx, 10, 0, 0.1, &parts), LEMAN_ERROR_ARGUMENT);
    assert_int_equal(leman_parts_draw(ctx, 10, 0.5, 0.5, &parts), LEMAN_ERROR_ARGUMENT);
    assert_null(parts);
    test_context_free(ctx);
}

/* Different seeds, different parts; each part is spread over the whole data set. */
static void test_seeds(void **state)
{
    (void)state;
    leman_parts *parts[2] = {NULL, NULL};
    for (uint64_t seed = 0; seed < 2; seed++) {
        leman_settings settings = leman_settings_default();
        leman_context *ctx = NULL;
        settings.seed = seed;
        assert_int_equal(leman_context_new(&settings, &ctx), LEMAN_OK);
        assert_int_equal(leman_parts_draw(ctx, 1000, 0.2, 0.2, parts + seed), LEMAN_OK);
        size_t low = 0;
        for (size_t i = 600; i < 800; i++) low += parts[seed]->graph[i] < 500;
        assert_in_range(low, 70, 130);
        leman_context_free(ctx);
    }
    assert_memory_not_equal(parts[0]->graph, parts[1]->graph, 1000 * sizeof *parts[0]->graph);
    leman_parts_free(parts[0]); /* after their contexts */
    leman_parts_free(parts[1]);
}

static void expect_sentence(leman_context *ctx, const char *folder, const char *text, const char *words)
{
    leman_parts *parts = NULL;
    const char *good = test_file_text(folder, "good.index", "0,1,2\n");
    const char *bad = test_file_text(folder, "bad.index", text);
    assert_int_equal(leman_parts_read(ctx, 12, good, bad, good, &parts), LEMAN_ERROR_INPUT);
    if (!strstr(leman_context_message(ctx), words)) fail_msg("'%s' in: %s", words, leman_context_message(ctx));
    assert_null(parts);
}

static void test_files(void **state)
{
    (void)state;
    static const uint32_t EXPECTED[] = {0, 4, 2, 1, 3, 11};
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new();
    leman_parts *parts = NULL;
    const char *train = test_file_text(folder, "train.index", "0,4,2");
    const char *val = test_file_text(folder, "val.index", "1\r\n\n3\n");
    const char *test = test_file_text(folder, "test.index", " 11,\n");
    assert_int_equal(leman_parts_read(ctx, 12, train, val, test, &parts), LEMAN_OK);
    assert_true(parts->count[0] == 3 && parts->count[1] == 2 && parts->count[2] == 1);
    assert_memory_equal(parts->graph, EXPECTED, sizeof EXPECTED);
    leman_parts_free(parts);
    parts = NULL;
    assert_int_equal(leman_parts_read(ctx, 12, train, val, NULL, &parts), LEMAN_OK);
    assert_int_equal(parts->count[2], 0);
    leman_parts_free(parts);
    parts = NULL;
    expect_sentence(ctx, folder, "0,1\n2,12\n", "bad.index:2: found 12, expected a graph number from 0 to 11");
    expect_sentence(ctx, folder, "-1\n", "bad.index:1: found -1");
    expect_sentence(ctx, folder, "0;1\n", "bad.index:1: found '0;1', expected a graph number");
    expect_sentence(ctx, folder, "0,1\n3,,4\n", "bad.index:2: ");
    expect_sentence(ctx, folder, "\n \n", "found no graph number");
    expect_sentence(ctx, folder, "", "found no graph number");
    assert_int_equal(leman_parts_read(ctx, 12, test_path(folder, "none"), val, test, &parts), LEMAN_ERROR_FILE);
    assert_int_equal(leman_parts_read(ctx, 0, train, val, test, &parts), LEMAN_ERROR_INPUT);
    test_folder_remove(folder);
    test_context_free(ctx);
}

/* Files that count inside parts, which stand in any order; a part without a file is taken whole. */
static void test_inside(void **state)
{
    (void)state;
    static const size_t FIRST[3] = {0, 9, 6}, COUNT[3] = {6, 3, 3}; /* train, then test, then val */
    static const uint32_t EXPECTED[] = {5, 0, 11, 9, 8}, WHOLE[] = {5, 0, 9, 10, 11, 6, 7, 8};
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new();
    leman_parts *parts = NULL;
    const char *train = test_file_text(folder, "train.index", "5,0");
    const char *val = test_file_text(folder, "val.index", "2,0");
    const char *test = test_file_text(folder, "test.index", "2");
    assert_int_equal(leman_parts_read_inside(ctx, 12, FIRST, COUNT, train, val, test, &parts), LEMAN_OK);
    assert_true(parts->count[0] == 2 && parts->count[1] == 2 && parts->count[2] == 1);
    assert_memory_equal(parts->graph, EXPECTED, sizeof EXPECTED);
    leman_parts_free(parts);
    parts = NULL;
    assert_int_equal(leman_parts_read_inside(ctx, 12, FIRST, COUNT, train, NULL, NULL, &parts), LEMAN_OK);
    assert_true(parts->count[0] == 2 && parts->count[1] == 3 && parts->count[2] == 3);
    assert_memory_equal(parts->graph, WHOLE, sizeof WHOLE);
    leman_parts_free(parts);
    parts = NULL;
    assert_int_equal(leman_parts_read_inside(ctx, 12, FIRST, COUNT, train, train, test, &parts), LEMAN_ERROR_INPUT);
    assert_non_null(strstr(leman_context_message(ctx), "train.index:1: found 5, expected a graph number from 0 to 2"));
    assert_int_equal(leman_parts_read_inside(ctx, 11, FIRST, COUNT, train, val, test, &parts), LEMAN_ERROR_INPUT);
    assert_non_null(
        strstr(leman_context_message(ctx), "the val part: found 3 graphs from 9 on, expected them below 11"));
    assert_null(parts);
    test_folder_remove(folder);
    test_context_free(ctx);
}

/* The caller's lists are copied. */
static void test_lists(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    uint32_t train[] = {7, 7, 3}, val[] = {1};
    static const uint32_t EXPECTED[] = {7, 7, 3, 1};
    leman_parts *parts = NULL;
    assert_int_equal(leman_parts_new(ctx, train, 3, val, 1, NULL, 0, &parts), LEMAN_OK);
    train[0] = val[0] = 0;
    assert_true(parts->count[0] == 3 && parts->count[1] == 1 && parts->count[2] == 0);
    assert_memory_equal(parts->graph, EXPECTED, sizeof EXPECTED);
    leman_parts_free(parts);
    test_context_free(ctx);
}

typedef struct sentences {
    char text[4][200];
    size_t count;
} sentences;

static void keep_message(void *user, const char *message)
{
    sentences *all = user;
    if (all->count < 4) snprintf(all->text[all->count++], sizeof all->text[0], "%s", message);
}

/* Published files repeat graphs: they are kept, and logged. */
static void test_repeats(void **state)
{
    (void)state;
    sentences said = {.count = 0};
    leman_settings settings = leman_settings_default();
    leman_context *ctx = NULL;
    const char *folder = test_folder_new();
    leman_parts *parts = NULL;
    settings.log = keep_message;
    settings.callback_user = &said;
    assert_int_equal(leman_context_new(&settings, &ctx), LEMAN_OK);
    const char *train = test_file_text(folder, "train.index", "0,1,1,2,1");
    const char *val = test_file_text(folder, "val.index", "5,2");
    const char *test = test_file_text(folder, "test.index", "5,0,2,7");
    const char *twice = test_file_text(folder, "twice.index", "9,9");
    assert_int_equal(leman_parts_read(ctx, 12, twice, val, NULL, &parts), LEMAN_OK);
    assert_non_null(strstr(said.text[0], "twice.index: 1 of its graph numbers is a repetition"));
    leman_parts_free(parts);
    said.count = 0;
    assert_int_equal(leman_parts_read(ctx, 12, train, val, test, &parts), LEMAN_OK);
    assert_int_equal(parts->count[0], 5);
    assert_int_equal(said.count, 4);
    assert_non_null(strstr(said.text[0], "train.index: 2 of its graph numbers are repetitions"));
    assert_non_null(strstr(said.text[1], "val.index: 1 of its graphs is also in the train part"));
    assert_non_null(strstr(said.text[2], "test.index: 2 of its graphs are also in the train part"));
    assert_non_null(strstr(said.text[3], "test.index: 2 of its graphs are also in the val part"));
    leman_parts_free(parts);
    leman_context_free(ctx);
    test_folder_remove(folder);
}

/* Lists that lie in the folder of the data, or further down. */
static void test_lists_of_data(void **state)
{
    (void)state;
    static const uint32_t EXPECTED[] = {5, 0, 11, 9, 8};
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new();
    leman_parts *parts = NULL;
    bool listed = true;
    assert_int_equal(leman_parts_are_listed(ctx, test_path(folder, "none.zip"), &listed), LEMAN_OK);
    assert_false(listed);
    test_file_text(folder, "train.index", "5,0");
    test_file_text(folder, "val.index", "11\n9\n");
    listed = true;
    assert_int_equal(leman_parts_are_listed(ctx, folder, &listed), LEMAN_OK);
    assert_false(listed); /* two of three */
    assert_int_equal(leman_parts_listed(ctx, folder, 12, &parts), LEMAN_ERROR_FILE);
    assert_non_null(strstr(leman_context_message(ctx), "found no test.index, expected that list"));
    test_file_text(folder, "test.index", "8");
    assert_int_equal(leman_parts_are_listed(ctx, folder, &listed), LEMAN_OK);
    assert_true(listed);
    assert_int_equal(leman_parts_listed(ctx, folder, 12, &parts), LEMAN_OK);
    assert_true(parts->count[0] == 2 && parts->count[1] == 2 && parts->count[2] == 1);
    assert_memory_equal(parts->graph, EXPECTED, sizeof EXPECTED);
    leman_parts_free(parts);
    parts = NULL;
    assert_int_equal(leman_parts_listed(ctx, folder, 11, &parts), LEMAN_ERROR_INPUT);
    assert_non_null(strstr(leman_context_message(ctx), "val.index:1: found 11, expected a graph number from 0 to 10"));
    const char *text = test_file_text(folder, "graphs.txt", "0");
    assert_int_equal(leman_parts_are_listed(ctx, text, &listed), LEMAN_OK);
    assert_false(listed); /* neither folder nor zip */
    test_folder_remove(folder);
    test_context_free(ctx);
}

static leman_status read_lists(leman_context *ctx, void *state)
{
    leman_parts *parts = NULL;
    bool listed;
    leman_status st = leman_parts_are_listed(ctx, state, &listed);
    if (!st) st = leman_parts_listed(ctx, state, 12, &parts);
    leman_parts_free(parts);
    return st;
}

static leman_status read_and_draw(leman_context *ctx, void *state)
{
    leman_parts *parts = NULL;
    leman_status st = leman_parts_read(ctx, 12, state, state, state, &parts);
    leman_parts_free(parts);
    parts = NULL;
    static const size_t FIRST[3] = {0}, COUNT[3] = {12, 12, 12};
    if (!st) st = leman_parts_read_inside(ctx, 12, FIRST, COUNT, state, NULL, NULL, &parts);
    leman_parts_free(parts);
    parts = NULL;
    if (!st) st = leman_parts_draw(ctx, 12, 0.1, 0.1, &parts);
    leman_parts_free(parts);
    parts = NULL;
    const uint32_t graph[] = {4, 2, 9};
    if (!st) st = leman_parts_new(ctx, graph, 1, graph + 1, 1, graph + 2, 1, &parts);
    leman_parts_free(parts);
    return st;
}

static void test_allocations(void **state)
{
    (void)state;
    const char *folder = test_folder_new();
    char path[512];
    snprintf(path, sizeof path, "%s", test_file_text(folder, "a.index", "0,1,2,3,4,5,6,7,8,9,10,11\n"));
    assert_true(test_fail_each_allocation(read_and_draw, path) > 2);
    test_file_text(folder, "train.index", "5,0");
    test_file_text(folder, "val.index", "11");
    test_file_text(folder, "test.index", "8");
    snprintf(path, sizeof path, "%s", folder);
    assert_true(test_fail_each_allocation(read_lists, path) > 2);
    test_folder_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shares), cmocka_unit_test(test_lists),         cmocka_unit_test(test_seeds),
        cmocka_unit_test(test_files),  cmocka_unit_test(test_repeats),       cmocka_unit_test(test_allocations),
        cmocka_unit_test(test_inside), cmocka_unit_test(test_lists_of_data),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
