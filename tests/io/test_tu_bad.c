/* Bad TU folders: each mistake gets its sentence, with file and line, and costs no more than it must. */
#include "tu_sets.h"

/* ---- Mistakes in the text -------------------------------------------------------------------- */

static void mistakes_are_reported_by_line(void **state)
{
    (void)state;
    static const struct {
        const char *ending, *text, *words;
    } CASES[] = {
        {"A", "1, 2\n2, two\n", "A.txt:2: 'two' vertex number"},
        {"A", "1, 2\n0, 1\n", "A.txt:2: vertex 0, from 1 to 5"},
        {"A", "1, 2\n\n2, 1\n", "A.txt:2: end of the line vertex number"},
        {"A", "1, 2\n2, 1\n-1, 2\n", "A.txt:3: -1, from 1 to 5"},
        {"A", "1, 6\n", "A.txt:1: vertex 6, from 1 to 5"},
        {"A", "1, 2\r\n2, 1\r\n3, 4\r\n", "A.txt:3: vertex 3 graph 1 4 graph 2"},
        {"A", "1, 99999999999999999999999\n", "A.txt:1: 99999999999999999999999 64 bits"},
        {"A", "1, 9223372036854775808\n", "A.txt:1: 9223372036854775808 64 bits"},
        {"A", "1, 2, 3\n", "A.txt:1: ',', end of the line"},
        {"A", "1\n", "A.txt:1: end of the line comma"},
        {"A", "1, 2\n2,", "A.txt:2: end of the file vertex number"},
        {"A", "1,, 2\n", "A.txt:1: ',' vertex number"},
        {"A", "1.0, 2\n", "A.txt:1: '1.0' vertex number"},
        {"A", "\x01\x02\xff\xfe binary", "A.txt:1: '\?\?\?\? vertex number"},
        {"A", NULL, "S_graph_indicator.txt S_A.txt"},
        {"graph_indicator", "", "graph_indicator.txt:1: no lines graph number"},
        {"graph_indicator", " \r\n\n", "graph_indicator.txt:1: no lines graph number"},
        {"graph_indicator", "1\n1\n0\n", "graph_indicator.txt:3: graph 0 from 1"},
        {"graph_indicator", "1\n-5\n", "graph_indicator.txt:2: graph -5 from 1"},
        {"graph_indicator", "1\n1 1\n", "graph_indicator.txt:2: '1' end of the line"},
        {"graph_indicator", "1\n1000000000000\n", "graph_indicator.txt:2: 1000000000000 at most"},
        {"graph_indicator", "1\n2000000000\n", "graph_indicator.txt:2: 2000000000 at most"},
        {"graph_indicator", NULL, "_graph_indicator.txt"},
        {"graph_labels", "7\n", "graph_labels.txt:2: 1 line, 2: largest S_graph_indicator.txt"},
        {"graph_labels", "7\n-1\n3\n", "graph_labels.txt:3: 3 lines 2: largest S_graph_indicator.txt"},
        {"graph_labels", "7\n1.0\n", "graph_labels.txt:2: '1.0' integer"},
        {"graph_labels", "7, 1\n8, 2\n", "graph_labels.txt:1: 2 numbers one class"},
        {"graph_labels", "", "graph_labels.txt:1: 0 lines 2"},
        {"graph_attributes", "1\n", "graph_attributes.txt:2: 1 line, 2: largest S_graph_indicator.txt"},
        {"graph_attributes", "1\ninf\n", "graph_attributes.txt:2: 'inf' finite"},
        {"graph_attributes", "1\nnano\n", "graph_attributes.txt:2: 'nano' target"},
        {"graph_attributes", "1, 2\n3\n", "graph_attributes.txt:2: 1 number, 2 line 1"},
        {"graph_labels", "7\n\n", "graph_labels.txt:2: 1 line, 2"},
        {"node_attributes", "1\nnan\n", "node_attributes.txt:2: 'nan' finite"},
        {"target_names", "a\nb\nc\n", "target_names.txt:3: 'c' end of the file"},
        {"target_names", "a", "target_names.txt:1: end of the file 2 targets"},
        {"target_names", "a\n\x01\n", "target_names.txt:2: printable"},
        {"class_names", "7, a\nb, 8\n", "class_names.txt:2: 'b' class"},
        {"class_names", "7, a\n7, b\n", "two names of class 7"},
        {"graph_attributes", "1\n1e999\n", "graph_attributes.txt:2: '1e999' finite"},
        {"graph_attributes", "1\n0x10\n", "graph_attributes.txt:2: '0x10' target"},
        {"node_labels", "1\n2\n3\n4\n", "node_labels.txt:5: 4 lines 5: S_graph_indicator.txt"},
        {"node_labels", "1\n2\n3\n4\n5\n6\n7\n", "node_labels.txt:6: 7 lines 5: S_graph_indicator.txt"},
        {"node_labels", "1\n2, 3\n3\n4\n5\n", "node_labels.txt:2: 2 numbers 1 line 1"},
        {"node_labels", "1, 2\n2\n", "node_labels.txt:2: 1 number, 2 line 1"},
        {"node_labels", "1\n\n3\n4\n5\n", "node_labels.txt:2: end of the line vertex label"},
        {"node_labels", ",\n", "node_labels.txt:1: ',' vertex label"},
        {"node_attributes", "1\n2\n", "node_attributes.txt:3: 2 lines 5: S_graph_indicator.txt"},
        {"node_attributes", "1\n2\n3;4\n", "node_attributes.txt:3: '3;4' vertex attribute"},
        {"edge_labels", "9\n", "edge_labels.txt:2: 1 lines 6: S_A.txt"},
        {"edge_labels", "9\n9\n8\n8\n7\n7\n6\n", "edge_labels.txt:7: 7 lines 6: S_A.txt"},
        {"edge_attributes", "1\n2\n3\n4\n5\n6\n7\n", "edge_attributes.txt:7: 7 lines 6: S_A.txt"},
    };
    const char *folder = test_folder_new();
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        set s = good_but(CASES[i].ending, CASES[i].text);
        test_read_fails(make_set(folder, "S", &s), CASES[i].words);
    }
    test_folder_remove(folder);
}

/* One wrong number in a file that is too short for it must not become memory. */
static void a_giant_graph_number_is_bounded(void **state)
{
    (void)state;
    const char *folder = test_folder_new();
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = read_set(ctx, make_set(folder, "S", &(set){{"", "1000000\n"}}), NULL, NULL);
    assert_int_equal(leman_dataset_shape(data)->graphs, 1000000);
    leman_dataset_free(data);
    test_context_free(ctx);
    test_read_fails(make_set(folder, "S", &(set){{"", "1100000\n"}}), "S_graph_indicator.txt:1: 1100000 at most");
    test_folder_remove(folder);
}

static void the_policy_refuses_by_line(void **state)
{
    (void)state;
    static const struct {
        const char *policy, *edges, *words;
    } CASES[] = {
        {"repeated-edges=refuse", "1, 2\n2, 1\n2, 3\n3, 2\n2, 1\n5, 4\n", "S_A.txt:5: (2, 1) repeated"},
        {"one-way-edges=refuse", "1, 2\n2, 1\n2, 3\n3, 2\n4, 5\n2, 1\n", "S_A.txt:5: (4, 5) way back"},
        {"self-loops=refuse", "1, 2\n2, 1\n2, 3\n3, 2\n4, 4\n5, 4\n", "S_A.txt:5: (4, 4) self-loop"},
        {"label-conflicts=refuse", "1, 2\n2, 1\n2, 3\n4, 5\n3, 2\n5, 4\n", "S_A.txt:5: (3, 2) labels"},
    };
    const char *folder = test_folder_new();
    leman_context *ctx = test_context_new(1);
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        leman_read_options options = leman_read_options_default();
        leman_dataset *data = NULL;
        set s = good_but("A", CASES[i].edges);
        leman_policy policy = leman_policy_default();
        assert_int_equal(leman_policy_parse(ctx, CASES[i].policy, &policy), LEMAN_OK);
        options.policy = &policy;
        assert_int_equal(leman_dataset_read(ctx, make_set(folder, "S", &s), &options, NULL, &data), LEMAN_ERROR_INPUT);
        assert_null(data);
        char words[128];
        snprintf(words, sizeof words, "%s", CASES[i].words);
        for (char *word = strtok(words, " "); word; word = strtok(NULL, " "))
            if (!strstr(leman_context_message(ctx), word))
                fail_msg("'%s' does not say '%s'", leman_context_message(ctx), word);
    }
    test_context_free(ctx);
    test_folder_remove(folder);
}

/* ---- Folders --------------------------------------------------------------------------------- */

static void odd_folders_get_a_sentence(void **state)
{
    (void)state;
    const char *folder = test_folder_new();
    test_read_fails(test_path(folder, "missing"), "missing");
    mkdir(test_path(folder, "empty"), 0777);
    test_read_fails(test_path(folder, "empty"), "_graph_indicator.txt");

    set s = good_but("node_labels", NULL);
    make_set(folder, "D", &s);
    mkdir(test_path(folder, "D/D_node_labels.txt"), 0777);
    test_read_fails(test_path(folder, "D"), "D_node_labels.txt folder");

    make_set(folder, "L", &s);
    assert_int_equal(symlink("nowhere", test_path(folder, "L/L_node_labels.txt")), 0);
    test_read_fails(test_path(folder, "L"), "L_node_labels.txt link");

    make_set(folder, "P", &s);
    assert_int_equal(mkfifo(test_path(folder, "P/P_node_labels.txt"), 0666), 0);
    test_read_fails(test_path(folder, "P"), "P_node_labels.txt pipe");

    make_set(folder, "T", &GOOD);
    test_file_text(folder, "T/U_graph_indicator.txt", "1\n");
    test_read_fails(test_path(folder, "T"), "T_graph_indicator.txt U_graph_indicator.txt one");

    test_folder_remove(folder);
}

/* The superuser may read everything, so it becomes somebody else for a while. */
static void permissions_are_reported(void **state)
{
    (void)state;
    enum { NOBODY = 65534 };
    const char *folder = test_folder_new();
    make_set(folder, "N", &GOOD);
    make_set(folder, "F", &GOOD);
    chmod(test_path(folder, "N/N_A.txt"), 0);
    chmod(test_path(folder, "F"), 0);
    chmod(folder, 0755);
    uid_t user = geteuid();
    if (!user) assert_int_equal(seteuid(NOBODY), 0);
    test_read_fails(test_path(folder, "N"), "N_A.txt Permission");
    test_read_fails(test_path(folder, "F"), "F: folder Permission");
    if (!user) assert_int_equal(seteuid(user), 0);
    chmod(test_path(folder, "F"), 0777);
    test_folder_remove(folder);
}

static void hidden_and_other_files_do_not_matter(void **state)
{
    (void)state;
    const char *folder = test_folder_new();
    leman_context *ctx = test_context_new(1);
    make_set(folder, "S", &GOOD);
    test_file_text(folder, "S/._S_graph_indicator.txt", "\x00\x05\x16\x07");
    test_file_text(folder, "S/.S_graph_indicator.txt", "1\n");
    test_file_text(folder, "S/README.txt", "graph\n");
    test_file_text(folder, "S/train.index", "1, 2\n");
    char slashes[4096];
    snprintf(slashes, sizeof slashes, "%s//", test_path(folder, "S"));
    leman_dataset *data = read_set(ctx, slashes, NULL, NULL);
    assert_int_equal(leman_dataset_shape(data)->vertices, 5);
    leman_dataset_free(data);
    test_context_free(ctx);
    test_folder_remove(folder);
}

static void any_name_is_safe(void **state)
{
    (void)state;
    const char *folder = test_folder_new();
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = read_set(ctx, make_set(folder, "a\xff\nb\x1b", &GOOD), NULL, NULL);
    assert_string_equal(leman_dataset_shape(data)->name, "a__b_");
    leman_dataset_free(data);
    test_context_free(ctx);
    set s = good_but("A", "x\n");
    test_read_fails(make_set(folder, "a\xff\nb\x1b", &s), "a\?\?b?_A.txt:1:");
    test_folder_remove(folder);
}

static void a_limit_on_bytes_holds(void **state)
{
    (void)state;
    const char *folder = test_folder_new();
    leman_context *ctx = test_context_new(1);
    leman_read_options options = leman_read_options_default();
    leman_dataset *data = NULL;
    options.max_bytes = 20;
    assert_int_equal(leman_dataset_read(ctx, make_set(folder, "S", &GOOD), &options, NULL, &data), LEMAN_ERROR_INPUT);
    assert_non_null(strstr(leman_context_message(ctx), "S_A.txt"));
    test_context_free(ctx);
    test_folder_remove(folder);
}

/* Large files are compared with the memory budget; what fits the text must also fit the sorting. */
static void the_budget_holds(void **state)
{
    (void)state;
    enum { LINES = 1100000, LINE = 5 };
    char *edges = malloc(LINES * LINE + 1);
    assert_non_null(edges);
    for (size_t i = 0; i < LINES; i++) memcpy(edges + LINE * i, i % 2 ? "2, 1\n" : "1, 2\n", LINE);
    edges[LINES * LINE] = 0;
    const char *folder = test_folder_new(), *path = make_set(folder, "S", &(set){{edges, "1\n1\n"}});
    const size_t budgets[] = {1 << 20, 1 << 24, 1 << 30};
    for (int i = 0; i < 3; i++) {
        leman_settings settings = leman_settings_default();
        leman_context *ctx = NULL;
        leman_dataset *data = NULL;
        settings.memory = budgets[i];
        assert_int_equal(leman_context_new(&settings, &ctx), LEMAN_OK);
        assert_int_equal(leman_dataset_read(ctx, path, NULL, NULL, &data), i < 2 ? LEMAN_ERROR_BUDGET : LEMAN_OK);
        leman_dataset_free(data);
        leman_context_free(ctx);
    }
    test_folder_remove(folder);
    free(edges);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mistakes_are_reported_by_line),
        cmocka_unit_test(a_giant_graph_number_is_bounded),
        cmocka_unit_test(the_policy_refuses_by_line),
        cmocka_unit_test(odd_folders_get_a_sentence),
        cmocka_unit_test(permissions_are_reported),
        cmocka_unit_test(hidden_and_other_files_do_not_matter),
        cmocka_unit_test(any_name_is_safe),
        cmocka_unit_test(a_limit_on_bytes_holds),
        cmocka_unit_test(the_budget_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
