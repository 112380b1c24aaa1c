/* Reading TU folders: what every file means, and what sloppy text may look like. */
#include "tu_sets.h"
#include <math.h>

/* The two sets read as the same data set. */
static void expect_same(const set *a, const set *b)
{
    const char *folder = test_folder_new();
    leman_context *ctx = test_context_new(1);
    leman_dataset *x = read_set(ctx, make_set(folder, "X", a), NULL, NULL);
    leman_dataset *y = read_set(ctx, make_set(folder, "Y", b), NULL, NULL);
    assert_true(test_same_dataset(x, y));
    leman_dataset_free(x);
    leman_dataset_free(y);
    test_context_free(ctx);
    test_folder_remove(folder);
}

/* ---- What the files mean --------------------------------------------------------------------- */

static void every_file_is_read(void **state)
{
    (void)state;
    const char *folder = test_folder_new();
    leman_context *ctx = test_context_new(1);
    leman_cleaning report;
    leman_dataset *data = read_set(ctx, make_set(folder, "GOOD", &GOOD), NULL, &report);
    const leman_shape *shape = leman_dataset_shape(data);
    assert_string_equal(shape->name, "GOOD");
    assert_int_equal(shape->graphs, 2);
    assert_int_equal(shape->vertices, 5);
    assert_int_equal(shape->arcs, 6);
    assert_int_equal(shape->edges, 3);
    assert_false(shape->directed);
    assert_int_equal(leman_dataset_classes(data)[0], 7);
    assert_int_equal(leman_dataset_classes(data)[1], -1);
    const double targets[] = {0.5, 1, -2, 1000};
    assert_int_equal(shape->columns->targets, 2);
    assert_memory_equal(leman_dataset_targets(data), targets, sizeof targets);
    const leman_cleaning clean = {0};
    assert_memory_equal(&report, &clean, sizeof report);

    leman_graph g = leman_dataset_graph(data, 0), h = leman_dataset_graph(data, 1);
    assert_int_equal(g.vertices, 3);
    assert_int_equal(h.vertices, 2);
    assert_int_equal(g.vertex_label[1], 1);
    assert_true(h.vertex_attribute[1] == 0.5);
    assert_int_equal(g.start[1] - g.start[0], 1); /* vertex 2 is in the middle */
    assert_int_equal(g.start[2] - g.start[1], 2);
    assert_int_equal(g.head[g.start[1]], 0);
    assert_int_equal(g.head[g.start[1] + 1], 2);
    assert_int_equal(g.edge_label[g.start[1]], 9);
    assert_int_equal(g.edge_label[g.start[1] + 1], 8);
    assert_true(g.edge_attribute[2 * g.start[1] + 1] == 4); /* line 2 */
    assert_true(h.edge_attribute[2 * h.start[1] + 1] == 1); /* line 6: each direction keeps its own */
    const leman_columns all = *shape->columns;
    leman_dataset_free(data);

    leman_read_options fewer = leman_read_options_default();
    fewer.without_vertex_attributes = true;
    assert_int_equal(leman_dataset_read(ctx, test_path(folder, "GOOD"), &fewer, NULL, &data), LEMAN_OK);
    leman_columns columns = *leman_dataset_shape(data)->columns;
    assert_int_equal(columns.vertex_attributes, 0);
    assert_int_equal(columns.vertex_labels, all.vertex_labels);
    assert_int_equal(columns.edge_attributes, all.edge_attributes);
    leman_dataset_free(data);
    test_context_free(ctx);
    test_folder_remove(folder);
}

static void two_files_are_enough(void **state)
{
    (void)state;
    const char *folder = test_folder_new();
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = read_set(ctx, make_set(folder, "S", &(set){{"", "1\n1\n"}}), NULL, NULL);
    const leman_shape *shape = leman_dataset_shape(data);
    assert_int_equal(shape->vertices, 2);
    assert_int_equal(shape->arcs, 0);
    assert_false(shape->columns->classes);
    assert_null(leman_dataset_classes(data));
    assert_null(leman_dataset_targets(data));
    leman_dataset_free(data);
    test_context_free(ctx);
    test_folder_remove(folder);
}

static void columns_stand_side_by_side(void **state)
{
    (void)state;
    const char *folder = test_folder_new();
    leman_context *ctx = test_context_new(1);
    set s = {{"1 2\n2 1\n", "1\n1\n", NULL, NULL, "1, -2, 3\n4, 5, -9223372036854775808\n", NULL,
              "1 9223372036854775807\n1 9223372036854775807\n"}};
    leman_dataset *data = read_set(ctx, make_set(folder, "S", &s), NULL, NULL);
    leman_graph g = leman_dataset_graph(data, 0);
    const int64_t labels[] = {1, -2, 3, 4, 5, INT64_MIN}, edge[] = {1, INT64_MAX, 1, INT64_MAX};
    assert_int_equal(g.vertex_labels, 3);
    assert_memory_equal(g.vertex_label, labels, sizeof labels);
    assert_int_equal(g.edge_labels, 2);
    assert_memory_equal(g.edge_label, edge, sizeof edge);
    leman_dataset_free(data);
    test_context_free(ctx);
    test_folder_remove(folder);
}

static void gaps_are_empty_graphs(void **state)
{
    (void)state;
    const char *folder = test_folder_new();
    leman_context *ctx = test_context_new(1);
    leman_cleaning report;
    leman_policy policy = leman_policy_default();
    set s = {{"1, 2\n2, 1\n", "2\n2\n5\n", "1\n2\n3\n4\n5\n"}};
    leman_dataset *data = read_set(ctx, make_set(folder, "S", &s), NULL, &report);
    const size_t vertices[] = {0, 2, 0, 0, 1};
    assert_int_equal(leman_dataset_shape(data)->graphs, 5);
    for (size_t g = 0; g < 5; g++) assert_int_equal(leman_dataset_graph(data, g).vertices, vertices[g]);
    assert_int_equal(report.empty_graphs, 3);
    assert_int_equal(report.isolated_vertices, 1);
    leman_dataset_free(data);

    policy.empty_graphs = LEMAN_ACTION_REMOVE;
    data = read_set(ctx, test_path(folder, "S"), &policy, &report);
    assert_int_equal(leman_dataset_shape(data)->graphs, 2);
    assert_int_equal(leman_dataset_classes(data)[0], 2);
    assert_int_equal(leman_dataset_classes(data)[1], 5);
    leman_dataset_free(data);
    test_context_free(ctx);
    test_folder_remove(folder);
}

static void scattered_vertices_are_gathered(void **state)
{
    (void)state;
    set scattered = {{"1, 3\n3, 1\n2, 4\n4, 2\n", "1\n2\n1\n2\n", NULL, NULL, "10\n20\n11\n21\n"}};
    set together = {{"1, 2\n2, 1\n3, 4\n4, 3\n", "1\n1\n2\n2\n", NULL, NULL, "10\n11\n20\n21\n"}};
    expect_same(&scattered, &together);
}

static void sloppy_text_means_the_same(void **state)
{
    (void)state;
    set s = GOOD;
    expect_same(&GOOD, &s);
    s.text[0] = "\xef\xbb\xbf"
                "1, 2\r\n2,1\r\n 2 ,3 \r\n3\t2\r\n4,5,\r\n+5,  4 , \r\n"; /* a mark, CRLF, blanks, commas */
    s.text[1] = "1\n1 \n1,\n2 , \n2";                                     /* no last newline */
    s.text[2] = "+7\n-1\n\n  \n\r\n";                                     /* blank lines at the end */
    s.text[3] = ".5, 1.\n-2.0e0 1000\n";
    s.text[4] = "00\n001\n-0\n00000000000000000000000002\n2\n";
    s.text[5] = "  1.5\n 2.0\n3.000000000000000000000\n4\n0.5,";
    expect_same(&GOOD, &s);
}

/* ---- Random text against the builder --------------------------------------------------------- */

/* A random set, written here line by line in random order and style, must be what the builder makes of its edges. */
static void random_text_is_what_the_builder_builds(void **state)
{
    (void)state;
    static const char *const COMMAS[] = {", ", ",", " , ", "\t", " "}, *const LINES[] = {"\n", "\r\n", " \n", ",\n",
                                                                                         ", \r\n"};
    enum { GRAPHS = 5, MAX = 9 };
    const char *folder = test_folder_new();
    uint64_t random = 5;
    for (int round = 0; round < 40; round++) {
        leman_context *ctx = test_context_new(1);
        leman_columns columns = {.vertex_labels = 1, .edge_labels = 1, .classes = true};
        leman_builder *builder = NULL;
        leman_dataset *built = NULL;
        char text[4][8192] = {"", "", "", ""}, labels[8192] = "";
        size_t first = 1;
        assert_int_equal(leman_builder_new(ctx, "S", &columns, &builder), LEMAN_OK);
        for (int g = 1; g <= GRAPHS; g++) {
            int64_t class = (int64_t)(test_random(&random) % 7) - 3;
            size_t n = test_random(&random) % MAX + (g == GRAPHS);
            const char *line = LINES[test_random(&random) % 5], *comma = COMMAS[test_random(&random) % 5];
            leman_builder_graph(builder, NULL, &class, NULL);
            sprintf(strchr(text[2], 0), "%lld%s", (long long)class, line);
            for (size_t v = 0; v < n; v++) {
                int64_t label = (int64_t)(test_random(&random) % 5) - 2;
                leman_builder_vertex(builder, NULL, &label, NULL);
                sprintf(strchr(text[1], 0), "%d%s", g, line);
                sprintf(strchr(text[3], 0), "%lld%s", (long long)label, line);
            }
            for (size_t e = 0; n && e < 2 * n; e++) { /* repeats, loops and one-way edges happen */
                size_t u = test_random(&random) % n, v = test_random(&random) % n;
                int64_t label = (int64_t)(test_random(&random) % 3);
                leman_builder_edge(builder, u, v, &label, NULL);
                sprintf(strchr(text[0], 0), "%zu%s%zu%s", first + u, comma, first + v, line);
                sprintf(strchr(labels, 0), "%lld%s", (long long)label, line);
            }
            first += n;
        }
        leman_policy policy = leman_policy_default();
        policy.directed = round % 2;
        policy.self_loops = round % 4 < 2 ? LEMAN_ACTION_KEEP : LEMAN_ACTION_REMOVE;
        leman_cleaning expected, report;
        assert_int_equal(leman_builder_finish(builder, &policy, &expected, &built), LEMAN_OK);
        set s = {{text[0], text[1], text[2], NULL, text[3], NULL, *labels ? labels : NULL}};
        leman_dataset *data = read_set(ctx, make_set(folder, "S", &s), &policy, &report);
        if (*labels) assert_true(test_same_dataset(data, built));
        assert_memory_equal(&report, &expected, sizeof report);
        leman_dataset_free(data);
        leman_dataset_free(built);
        leman_builder_free(builder);
        test_context_free(ctx);
    }
    test_folder_remove(folder);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static leman_status read_body(leman_context *ctx, void *path)
{
    leman_dataset *data = NULL;
    leman_status st = leman_dataset_read(ctx, path, NULL, NULL, &data);
    assert_true((st == LEMAN_OK) == (data != NULL));
    leman_dataset_free(data);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    const char *folder = test_folder_new();
    char path[4096];
    set s = good_but("A", "1, 2\n2, 1\n2, 1\n2, 2\n4, 5\n5, 4\n"); /* the long way through assembling */
    strcpy(path, make_set(folder, "S", &GOOD));
    assert_true(test_fail_each_allocation(read_body, path) > 20);
    make_set(folder, "S", &s);
    assert_true(test_fail_each_allocation(read_body, path) > 20);
    test_folder_remove(folder);
}

static void missing_values_and_names(void **state)
{
    (void)state;
    static const struct {
        const char *attributes;
        double first[4];
    } CASES[] = {{"nan, 1\n2, 3\n", {NAN, 1, 2, 3}}, {", 1\n2, NaN \n", {NAN, 1, 2, NAN}},
                 {"0, ,\n,3\n", {0, NAN, NAN, 3}},   {"0 1\n2,\n", {0, 1, 2, NAN}},
                 {"0,1,\n2 , \r\n", {0, 1, 2, NAN}}, {"nan nan\nNAN,,\n", {NAN, NAN, NAN, NAN}}};
    const char *folder = test_folder_new();
    leman_context *ctx = test_context_new(1);
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        set s = good_but("graph_attributes", CASES[i].attributes);
        leman_dataset *data = read_set(ctx, make_set(folder, "S", &s), NULL, NULL);
        assert_int_equal(leman_dataset_shape(data)->columns->targets, 2);
        assert_memory_equal(leman_dataset_targets(data), CASES[i].first, sizeof CASES[i].first);
        leman_dataset_free(data);
    }
    set s = good_but("graph_labels", "nan\n3\n");
    s.text[FILES - 2] = " log P\r\n\n";
    s.text[FILES - 1] = "3, yes, or no\n-1 other\n";
    leman_dataset *data = read_set(ctx, make_set(folder, "S", &s), NULL, NULL);
    size_t length;
    assert_true(leman_dataset_classes(data)[0] == LEMAN_CLASS_MISSING && leman_dataset_classes(data)[1] == 3);
    assert_memory_equal(leman_dataset_target_name(data, 0, &length), "log P", 5);
    assert_int_equal(length, 5);
    assert_string_equal(leman_dataset_target_name(data, 1, &length), "");
    assert_memory_equal(leman_dataset_class_name(data, 3, &length), "yes, or no", 10);
    assert_int_equal(length, 10);
    assert_memory_equal(leman_dataset_class_name(data, -1, &length), "other", 5);
    leman_dataset_free(data);
    test_context_free(ctx);
    test_folder_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(missing_values_and_names),   cmocka_unit_test(every_file_is_read),
        cmocka_unit_test(two_files_are_enough),       cmocka_unit_test(columns_stand_side_by_side),
        cmocka_unit_test(gaps_are_empty_graphs),      cmocka_unit_test(scattered_vertices_are_gathered),
        cmocka_unit_test(sloppy_text_means_the_same), cmocka_unit_test(random_text_is_what_the_builder_builds),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
