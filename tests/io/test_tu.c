/* Reading TU folders: what every file means, what sloppy text may look like, and the sentence for each mistake. */
#include "support/support.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Small sets ---------------------------------------------------------------------------------------------- */

enum { FILES = 8 };
static const char *const ENDINGS[FILES] = {"A",           "graph_indicator", "graph_labels", "graph_attributes",
                                           "node_labels", "node_attributes", "edge_labels",  "edge_attributes"};

/* The text of each file; NULL: there is none. */
typedef struct set {
    const char *text[FILES];
} set;

/* Two graphs: a triangle without one side, and an edge. */
static const set GOOD = {{"1, 2\n2, 1\n2, 3\n3, 2\n4, 5\n5, 4\n", "1\n1\n1\n2\n2\n", "7\n-1\n", "0.5, 1\n-2, 1e3\n",
                          "0\n1\n0\n2\n2\n", "1.5\n2\n3\n4\n5e-1\n", "9\n9\n8\n8\n-7\n-7\n",
                          "1, 2\n3, 4\n5, 6\n7, 8\n0, 0\n0, 1\n"}};

static const char *make_set(const char *folder, const char *name, const set *s)
{
    char file[256];
    mkdir(test_path(folder, name), 0777);
    for (int i = 0; i < FILES; i++) {
        snprintf(file, sizeof file, "%s/%s_%s.txt", name, name, ENDINGS[i]);
        if (s->text[i])
            test_file_text(folder, file, s->text[i]);
        else
            unlink(test_path(folder, file));
    }
    return test_path(folder, name);
}

static leman_dataset *read_set(leman_context *ctx, const char *path, const leman_policy *policy, leman_report *report)
{
    leman_read_options options = leman_read_options_default();
    leman_dataset *data = NULL;
    if (policy) options.policy = *policy;
    if (leman_dataset_read(ctx, path, &options, report, &data)) fail_msg("%s", leman_context_message(ctx));
    assert_int_equal(leman_dataset_check(ctx, data), LEMAN_OK);
    return data;
}

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

/* GOOD with one file replaced (or, NULL, left out). */
static set good_but(const char *ending, const char *text)
{
    set s = GOOD;
    for (int i = 0; i < FILES; i++)
        if (!strcmp(ENDINGS[i], ending)) s.text[i] = text;
    return s;
}

/* ---- What the files mean -------------------------------------------------------------------------------------- */

static void every_file_is_read(void **state)
{
    (void)state;
    const char *folder = test_folder_new();
    leman_context *ctx = test_context_new(1);
    leman_report report;
    leman_dataset *data = read_set(ctx, make_set(folder, "GOOD", &GOOD), NULL, &report);
    leman_shape shape = leman_dataset_shape(data);
    assert_string_equal(shape.name, "GOOD");
    assert_int_equal(shape.graphs, 2);
    assert_int_equal(shape.vertices, 5);
    assert_int_equal(shape.arcs, 6);
    assert_int_equal(shape.edges, 3);
    assert_false(shape.directed);
    assert_int_equal(leman_dataset_classes(data)[0], 7);
    assert_int_equal(leman_dataset_classes(data)[1], -1);
    const double targets[] = {0.5, 1, -2, 1000};
    assert_int_equal(shape.columns.targets, 2);
    assert_memory_equal(leman_dataset_targets(data), targets, sizeof targets);
    const leman_report clean = {0};
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
    leman_shape shape = leman_dataset_shape(data);
    assert_int_equal(shape.vertices, 2);
    assert_int_equal(shape.arcs, 0);
    assert_false(shape.columns.classes);
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
    leman_report report;
    leman_policy policy = leman_policy_default();
    set s = {{"1, 2\n2, 1\n", "2\n2\n5\n", "1\n2\n3\n4\n5\n"}};
    leman_dataset *data = read_set(ctx, make_set(folder, "S", &s), NULL, &report);
    const size_t vertices[] = {0, 2, 0, 0, 1};
    assert_int_equal(leman_dataset_shape(data).graphs, 5);
    for (size_t g = 0; g < 5; g++) assert_int_equal(leman_dataset_graph(data, g).vertices, vertices[g]);
    assert_int_equal(report.empty_graphs, 3);
    assert_int_equal(report.isolated_vertices, 1);
    leman_dataset_free(data);

    policy.empty_graphs = LEMAN_REMOVE;
    data = read_set(ctx, test_path(folder, "S"), &policy, &report);
    assert_int_equal(leman_dataset_shape(data).graphs, 2);
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

/* ---- Mistakes ------------------------------------------------------------------------------------------------ */

static void mistakes_are_told_by_line(void **state)
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
        {"graph_labels", "7\n", "graph_labels.txt:2: 1 lines 2: largest S_graph_indicator.txt"},
        {"graph_labels", "7\n-1\n3\n", "graph_labels.txt:3: 3 lines 2: largest S_graph_indicator.txt"},
        {"graph_labels", "7\n1.0\n", "graph_labels.txt:2: '1.0' integer"},
        {"graph_labels", "7, 1\n8, 2\n", "graph_labels.txt:1: 2 numbers one class"},
        {"graph_labels", "", "graph_labels.txt:1: 0 lines 2"},
        {"graph_attributes", "1\n", "graph_attributes.txt:2: 1 lines 2: largest S_graph_indicator.txt"},
        {"graph_attributes", "1\nnan\n", "graph_attributes.txt:2: 'nan' finite"},
        {"graph_attributes", "1\n1e999\n", "graph_attributes.txt:2: '1e999' finite"},
        {"graph_attributes", "1\n0x10\n", "graph_attributes.txt:2: '0x10' target"},
        {"node_labels", "1\n2\n3\n4\n", "node_labels.txt:5: 4 lines 5: S_graph_indicator.txt"},
        {"node_labels", "1\n2\n3\n4\n5\n6\n7\n", "node_labels.txt:6: 7 lines 5: S_graph_indicator.txt"},
        {"node_labels", "1\n2, 3\n3\n4\n5\n", "node_labels.txt:2: 2 numbers 1 line 1"},
        {"node_labels", "1, 2\n2\n", "node_labels.txt:2: 1 numbers 2 line 1"},
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
    assert_int_equal(leman_dataset_shape(data).graphs, 1000000);
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
        assert_int_equal(leman_policy_parse(ctx, CASES[i].policy, &options.policy), LEMAN_OK);
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

/* ---- Folders ------------------------------------------------------------------------------------------------- */

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

    if (geteuid()) {
        make_set(folder, "N", &GOOD);
        chmod(test_path(folder, "N/N_A.txt"), 0);
        test_read_fails(test_path(folder, "N"), "N_A.txt");
        chmod(test_path(folder, "N"), 0);
        test_read_fails(test_path(folder, "N"), "N");
        chmod(test_path(folder, "N"), 0777);
    } else {
        print_message("the superuser may read everything: permissions are not tested\n");
    }
    test_folder_remove(folder);
}

static void hidden_files_and_strangers_do_not_matter(void **state)
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
    assert_int_equal(leman_dataset_shape(data).vertices, 5);
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
    assert_string_equal(leman_dataset_shape(data).name, "a__b_");
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

/* ---- Random text against the builder ------------------------------------------------------------------------- */

/* A random set, written here line by line in random order and style, must be what the builder makes of its edges. */
static void random_text_is_what_the_builder_builds(void **state)
{
    (void)state;
    static const char *const COMMAS[] = {", ", ",", " , ", "\t", " "}, *const LINES[] = {"\n", "\r\n", " \n", ",\n",
                                                                                         ", \r\n"};
    enum { GRAPHS = 5, MOST = 9 };
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
            size_t n = test_random(&random) % MOST + (g == GRAPHS);
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
        policy.self_loops = round % 4 < 2 ? LEMAN_KEEP : LEMAN_REMOVE;
        leman_report expected, report;
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

/* ---- Memory -------------------------------------------------------------------------------------------------- */

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_file_is_read),
        cmocka_unit_test(two_files_are_enough),
        cmocka_unit_test(columns_stand_side_by_side),
        cmocka_unit_test(gaps_are_empty_graphs),
        cmocka_unit_test(scattered_vertices_are_gathered),
        cmocka_unit_test(sloppy_text_means_the_same),
        cmocka_unit_test(mistakes_are_told_by_line),
        cmocka_unit_test(a_giant_graph_number_is_bounded),
        cmocka_unit_test(the_policy_refuses_by_line),
        cmocka_unit_test(odd_folders_get_a_sentence),
        cmocka_unit_test(hidden_files_and_strangers_do_not_matter),
        cmocka_unit_test(any_name_is_safe),
        cmocka_unit_test(a_limit_on_bytes_holds),
        cmocka_unit_test(random_text_is_what_the_builder_builds),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
