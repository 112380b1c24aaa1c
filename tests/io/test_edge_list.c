/* Edge lists: separators, headers, names, labels, one-way edges; round trips; everything that is refused. */
#include "support/formats.h"
#include <stdio.h>

static leman_dataset *read_list(leman_context *ctx, const char *text)
{
    return test_text_read(ctx, lm_format_edge_list.read, text, NULL);
}

static void assert_vertex(const leman_dataset *data, size_t graph, size_t vertex, const char *name)
{
    size_t length;
    const char *found = leman_dataset_vertex_name(data, graph, vertex, &length);
    assert_int_equal(length, strlen(name));
    assert_memory_equal(found, name, length);
}

static void assert_graph(const leman_dataset *data, size_t graph, const char *name)
{
    size_t length;
    const char *found = leman_dataset_graph_name(data, graph, &length);
    assert_int_equal(length, strlen(name));
    assert_memory_equal(found, name, length);
}

/* The arc u -> v of graph g. */
static uint64_t arc(const leman_dataset *data, size_t graph, size_t u, size_t v)
{
    leman_graph g = leman_dataset_graph(data, graph);
    for (uint64_t e = g.start[u]; e < g.start[u + 1]; e++)
        if (g.head[e] == v) return e;
    fail_msg("no arc %zu -> %zu", u, v);
    return 0;
}

/* ---- Reading --------------------------------------------------------------------------------- */

static void every_separator(void **state)
{
    (void)state;
    static const char *const TEXTS[] = {
        "1,2,5\n2,3,-6\n",
        "1, 2, 5\r\n2, 3, -6\r\n",
        "1\t2\t5\n2\t3\t-6",
        "1;2;5\n2;3;-6\n\n",
        "1 2 5\n2  3   -6\n",
        "  1 \t 2\t 5\n2\t3\t-6\n",
        "# a comment, with; every\tseparator\n\n1,2,5,\n  # another\n2,3,-6,\n",
        "\357\273\2771,2,5\n2,3,-6\n", /* a byte order mark */
        "source,target,label\n1,2,5\n2,3,-6\n",
        "LABEL;To;From\n5;2;1\n-6;3;2\n",
    };
    leman_context *ctx = test_context_new(1);
    leman_dataset *first = read_list(ctx, TEXTS[0]);
    assert_int_equal(leman_dataset_shape(first)->edges, 2);
    assert_int_equal(leman_dataset_graph(first, 0).edge_label[arc(first, 0, 2, 1)], -6);
    for (size_t i = 1; i < sizeof TEXTS / sizeof *TEXTS; i++) {
        leman_dataset *data = read_list(ctx, TEXTS[i]);
        if (!test_same_dataset(first, data)) fail_msg("case %zu: %s", i, TEXTS[i]);
        leman_dataset_free(data);
    }
    leman_dataset_free(first);
    test_context_free(ctx);
}

static void integers_are_ordered_by_value(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = read_list(ctx, "100,-5\n7,100\n9223372036854775807,-9223372036854775808\n");
    static const char *const NAMES[] = {"-9223372036854775808", "-5", "7", "100", "9223372036854775807"};
    for (size_t v = 0; v < 5; v++) assert_vertex(data, 0, v, NAMES[v]);
    assert_true(test_has_arc(data, 0, 3, 1) && test_has_arc(data, 0, 2, 3) && test_has_arc(data, 0, 4, 0));
    leman_dataset_free(data);
    test_context_free(ctx);
}

static void words_keep_their_order(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    /* one id that is no integer, and none is ordered by value; 07 is not 7, and "7" is */
    leman_dataset *data = read_list(ctx, "9,8\n8,07\n7,\"7\"\n\"a, \"\"b\"\"\",9\n");
    static const char *const NAMES[] = {"9", "8", "07", "7", "a, \"b\""};
    assert_int_equal(leman_dataset_shape(data)->vertices, 5);
    for (size_t v = 0; v < 5; v++) assert_vertex(data, 0, v, NAMES[v]);
    assert_true(test_has_arc(data, 0, 4, 0));
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* A quote opens a field where a field may begin: inside of one it is a character, and what is between two of them
 * counts. */
static void separators_and_quotes(void **state)
{
    (void)state;
    static const struct {
        const char *text, *name[2];
    } CASES[] = {{"5\" pipe;6\" pipe\n", {"5\" pipe", "6\" pipe"}},
                 {"\"a; b\",c\n", {"a; b", "c"}},
                 {"x, \"a; \"\"b\"\"; c\"\n", {"x", "a; \"b\"; c"}},
                 {"a\"\";b\n", {"a\"\"", "b"}}};
    leman_context *ctx = test_context_new(1);
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        leman_dataset *data = read_list(ctx, CASES[i].text);
        assert_int_equal(leman_dataset_shape(data)->vertices, 2);
        for (size_t v = 0; v < 2; v++) assert_vertex(data, 0, v, CASES[i].name[v]);
        leman_dataset_free(data);
    }
    test_context_free(ctx);
}

static void graphs_and_declared_vertices(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = read_list(ctx, "graph,source,target\nb,2,1\na,1,2\nempty,,\nb,1,3\nb,7,\na,3,\n");
    static const char *const GRAPHS[] = {"b", "a", "empty"};
    static const size_t VERTICES[] = {4, 3, 0}, ARCS[] = {4, 2, 0};
    assert_int_equal(leman_dataset_shape(data)->graphs, 3);
    for (size_t i = 0; i < 3; i++) {
        leman_graph g = leman_dataset_graph(data, i);
        assert_graph(data, i, GRAPHS[i]);
        assert_int_equal(g.vertices, VERTICES[i]);
        assert_int_equal(g.start[g.vertices] - g.start[0], ARCS[i]);
    }
    assert_vertex(data, 0, 3, "7");
    assert_vertex(data, 1, 2, "3");
    leman_dataset_free(data);
    data = read_list(ctx, "1 2\n5\n"); /* where blanks separate, a word alone declares a vertex */
    assert_int_equal(leman_dataset_shape(data)->vertices, 3);
    leman_dataset_free(data);
    data = read_list(ctx, "graph,source,target\n");
    assert_int_equal(leman_dataset_shape(data)->graphs, 0);
    leman_dataset_free(data);
    data = read_list(ctx, "source,target\n");
    assert_int_equal(leman_dataset_shape(data)->graphs, 1);
    leman_dataset_free(data);
    test_context_free(ctx);
}

static void one_way_or_each_edge_once(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_policy refuse = leman_policy_default(), removed = refuse, directed = refuse;
    leman_cleaning report;
    leman_dataset *data = NULL;
    refuse.one_way_edges = LEMAN_ACTION_REFUSE;
    removed.one_way_edges = LEMAN_ACTION_REMOVE;
    directed.directed = true;
    const char *once = "1,2\n3,2\n2,2\n1,2\n", *mixed = "1,2\n2,1\n3,2\n";
    assert_int_equal(test_read_text(ctx, lm_format_edge_list.read, "a", once, &refuse, &report, &data), LEMAN_OK);
    assert_int_equal(report.one_way_edges, 0);
    assert_int_equal(report.repeated_edges, 1);
    assert_int_equal(report.self_loops, 1);
    assert_int_equal(leman_dataset_shape(data)->edges, 2);
    leman_dataset_free(data);
    data = NULL;
    assert_int_equal(test_read_text(ctx, lm_format_edge_list.read, "a", mixed, NULL, &report, &data), LEMAN_OK);
    assert_int_equal(report.one_way_edges, 1);
    assert_int_equal(leman_dataset_shape(data)->edges, 2);
    leman_dataset_free(data);
    data = NULL;
    assert_int_equal(test_read_text(ctx, lm_format_edge_list.read, "a", mixed, &removed, &report, &data), LEMAN_OK);
    assert_int_equal(leman_dataset_shape(data)->edges, 1);
    leman_dataset_free(data);
    data = NULL;
    assert_int_equal(
        test_read_text(ctx, lm_format_edge_list.read, "a.csv", "# x\na,b\nb,a\n\nc,a\n", &refuse, NULL, &data),
        LEMAN_ERROR_INPUT);
    assert_string_equal(leman_context_message(ctx), "a.csv:5: edge (c, a) has no way back, which the policy refuses");
    assert_null(data);
    assert_int_equal(test_read_text(ctx, lm_format_edge_list.read, "a", mixed, &directed, &report, &data), LEMAN_OK);
    assert_int_equal(leman_dataset_shape(data)->arcs, 3);
    leman_dataset_free(data);
    test_context_free(ctx);
}

static void columns_by_what_they_hold(void **state)
{
    (void)state;
    test_log log;
    test_log_new(&log);
    leman_dataset *data = read_list(log.ctx, "source,target,weight,label,note,label_2\n"
                                             "1,2,0.5,single,x,07\n2,3,-1e3,double,,8\n3,1,7,single,y,-9\n4,\n");
    assert_string_equal(log.text, "test: the words in column 'label' become 2 labels: 0 is double, 1 is single\n"
                                  "test: column 'note' is left out: it does not hold a number for every edge\n");
    leman_graph g = leman_dataset_graph(data, 0);
    assert_int_equal(g.vertices, 4);
    assert_int_equal(g.edge_labels, 2);
    assert_int_equal(g.edge_attributes, 1);
    static const int64_t LABEL[][2] = {{1, 7}, {0, 8}, {1, -9}};
    static const double WEIGHT[] = {0.5, -1000, 7};
    for (size_t v = 0; v < 3; v++) {
        uint64_t e = arc(data, 0, v, (v + 1) % 3), back = arc(data, 0, (v + 1) % 3, v);
        assert_memory_equal(g.edge_label + 2 * e, LABEL[v], sizeof LABEL[v]);
        assert_memory_equal(g.edge_label + 2 * back, LABEL[v], sizeof LABEL[v]);
        assert_true(g.edge_attribute[e] == WEIGHT[v] && g.edge_attribute[back] == WEIGHT[v]);
    }
    leman_dataset_free(data);
    log.text[0] = 0;
    data = read_list(log.ctx, "1 2 0.5\n2 3 1\n"); /* weights without a header */
    assert_int_equal(leman_dataset_shape(data)->columns->edge_labels, 0);
    assert_int_equal(leman_dataset_shape(data)->columns->edge_attributes, 1);
    assert_string_equal(log.text, "test: column 'label' is an edge attribute: it holds numbers that are no integers\n");
    leman_dataset_free(data);
    test_log_free(&log);
}

/* The labels of graph 0 and of graph 1 come from both ends of edges and from declared vertices. */
static void vertices_have_labels(void **state)
{
    (void)state;
    test_log log;
    test_log_new(&log);
    leman_dataset *data = read_list(log.ctx, "graph,source,target,source_label,target_label,label\n"
                                             "a,2,1,-7,5,0\na,1,3,,9,0\na,4,,5\nb,1,2,9,9,1\n");
    static const int64_t INTEGERS[] = {5, -7, 9, 5, 9, 9};
    assert_int_equal(leman_dataset_shape(data)->columns->vertex_labels, 1);
    assert_memory_equal(leman_dataset_graph(data, 0).vertex_label, INTEGERS, sizeof INTEGERS);
    char *text = test_text_written(log.ctx, lm_format_edge_list.write, data);
    leman_dataset *back = read_list(log.ctx, text);
    assert_true(test_same_dataset(data, back));
    free(text);
    leman_dataset_free(back);
    leman_dataset_free(data);
    data = read_list(log.ctx, "source,target,source_label,target_label\nx,y,N,C\nz,y,Cl,\n");
    static const int64_t WORDS[] = {2, 0, 1};
    assert_memory_equal(leman_dataset_graph(data, 0).vertex_label, WORDS, sizeof WORDS);
    assert_non_null(strstr(log.text, "become 3 labels: 0 is C, 1 is Cl, 2 is N"));
    leman_dataset_free(data);
    test_log_free(&log);
    test_text_fails(lm_format_edge_list.read, "e.csv", "source,target,source_label\n1,2,5\n2,3,5\n1,3,6\n",
                    "e.csv:4: found a vertex with label '6', expected '5' as in another line");
    test_text_fails(lm_format_edge_list.read, "e.csv", "source,target,source_label\n1,2,5\n",
                    "e.csv: found no label of vertex '2', expected one for every vertex");
}

static leman_status read_two_files(leman_context *ctx, const char *edges, const char *labels, leman_dataset **out)
{
    const char *folder = test_folder_new();
    leman_read_options options = leman_read_options_default();
    options.vertex_labels = test_file_text(folder, "labels.csv", labels);
    leman_status st = leman_dataset_read(ctx, test_file_text(folder, "edges.csv", edges), &options, NULL, out);
    test_folder_remove(folder);
    return st;
}

static void labels_in_a_second_file(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = NULL;
    static const int64_t LABELS[] = {7, 70, 8, 80, 9, 90};
    static const char *const EDGES = "graph,source,target\na,1,2\nb,1,1\n";
    if (read_two_files(ctx, EDGES, "vertex;label_2;label;graph\n2;80;8;a\n1;70;7;a\n1;90;9;b\n", &data))
        fail_msg("%s", leman_context_message(ctx));
    assert_int_equal(leman_dataset_shape(data)->columns->vertex_labels, 2);
    assert_memory_equal(leman_dataset_graph(data, 0).vertex_label, LABELS, sizeof LABELS);
    leman_dataset_free(data);
    assert_int_equal(read_two_files(ctx, "1,2\n", "node,label\n1,6\n2,6\n3,8\n", &data), LEMAN_OK);
    assert_int_equal(leman_dataset_graph(data, 0).vertices, 3); /* the third has no edge */
    leman_dataset_free(data);
    static const struct {
        const char *edges, *labels, *words;
    } WRONG[] = {{"1,2\n", "node,label\n1,6\n", "found no label of vertex '2'"},
                 {"1,2\n", "1,6\n2,6\n", "labels.csv:1: found no header of vertex labels, expected one that names"},
                 {"1,2\n", "", "labels.csv:1: found no header"},
                 {"1,2\n", "node,label\n1,6\n1,7\n", "labels.csv:3: found a vertex with label '7', expected '6'"},
                 {"1,2\n", "node,label\n,6\n", "labels.csv:2: found no vertex, expected one in column 1"},
                 {"graph,source,target\na,1,2\n", "node,label\n1,6\n", "names the columns graph, vertex and label"},
                 {"source,target,source_label\n1,1,5\n", "node,label\n1,6\n", "expected them in one place"}};
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        data = NULL;
        assert_int_equal(read_two_files(ctx, WRONG[i].edges, WRONG[i].labels, &data), LEMAN_ERROR_INPUT);
        if (!strstr(leman_context_message(ctx), WRONG[i].words)) fail_msg("%s", leman_context_message(ctx));
        assert_null(data);
    }
    test_context_free(ctx);
}

static leman_status two_files_body(leman_context *ctx, void *state)
{
    (void)state;
    leman_dataset *data = NULL;
    leman_status st = read_two_files(ctx, "1,2\n", "node,label,label_2\n1,C,1\n2,N,1\n", &data);
    leman_dataset_free(data);
    return st;
}

static void labels_and_failing_allocations(void **state)
{
    (void)state;
    assert_true(test_fail_each_allocation(two_files_body, NULL) > 20);
}

#define NO_HEADER                                                                                                      \
    ", expected an edge like those below, or a header that names a source (source, from, node1, u, ...) and a target " \
    "(target, to, node2, v, ...); above a first edge of such words put a line 'source,target'; for a table of "        \
    "molecules --smiles names the column of SMILES"

static void headers_are_recognised(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t vertices, edges, attributes;
    } CASES[] = {{"node1,node2,weight\n1,2,0.5\n2,3,1\n", 3, 2, 1},
                 {"u,v\n1,2\n2,3\n", 3, 2, 0},
                 {"U;V;Weight\nx;y;2.5\n", 2, 1, 1},
                 {"\"From\",\"To\"\n1,2\n", 2, 1, 0},
                 {"dst src\na b\n", 2, 1, 0},
                 {"weight,head,tail\n1.5,a,b\n", 2, 1, 1},
                 {"u,v\nv,w\n", 3, 2, 0},
                 {"source,target\nsmiles,active\n", 2, 1, 0},
                 {"name,x\nx,name\n", 2, 1, 0},
                 {"a,1\nb,2\n", 4, 2, 0}};
    leman_context *ctx = test_context_new(1);
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        leman_dataset *data = read_list(ctx, CASES[i].text);
        const leman_shape *shape = leman_dataset_shape(data);
        if (shape->vertices != CASES[i].vertices || shape->edges != CASES[i].edges) fail_msg("%s", CASES[i].text);
        assert_int_equal(shape->columns->edge_attributes, CASES[i].attributes);
        leman_dataset_free(data);
    }
    test_context_free(ctx);
}

static void refused_with_file_and_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *sentence;
    } CASES[] = {
        {"", "e.csv:1: found the end of the file, expected lines of source, target [, label]"},
        {"# only\n\n", "e.csv:3: found the end of the file, expected lines of source, target [, label]"},
        {"1,2\n3\n", "e.csv:2: found 1 of the columns, expected source and target (which may be empty)"},
        {"1,2\n,3\n", "e.csv:2: found no source vertex, expected one in column 1"},
        {"1,2\n,\n", "e.csv:2: found no source vertex, expected one in column 1"},
        {"1,2\n2,3,4\n",
         "e.csv:2: found 3 columns, expected source, target as in the first edge; more need a header that names them"},
        {"1,2,3,4\n",
         "e.csv:1: found 4 columns, expected source, target as in the first edge; more need a header that names them"},
        {"1,2,3\n1,3,4,5\n",
         "e.csv:2: found 4 columns, expected source, target, label; more need a header that names them"},
        {"1,2,3\n\n2,3\n", "e.csv:3: found no label, expected one in column 3"},
        {"source,target\n1,2\n1,2,3\n", "e.csv:3: found 3 columns, expected 2 as in the header"},
        {"source,target,from\n", "e.csv:1: found a second source column 'from', expected one"},
        {"graph,source,target\n1,1,2\n,2,3\n", "e.csv:3: found no graph, expected one in column 1"},
        {"graph,source,target\n1,,2\n", "e.csv:2: found no source vertex, expected one in column 2"},
        {"1,2\n3,\"4\n", "e.csv:2: found a quote that is not closed"},
        {"1,2\n3,\"4\"5\n", "e.csv:2: found text behind a closing quote, expected the end of the field"},
        {"1,2\n3,\xe4\n", "e.csv:2: found bytes that are no printable UTF-8 text"},
        {"1,2\n3,\x01\n", "e.csv:2: found bytes that are no printable UTF-8 text"},
        {"# edges\nalpha,beta\n1,2\n2,3\n", "e.csv:2: found the columns 'alpha', 'beta'" NO_HEADER},
        {"alpha,beta,weight\nx,y,0.5\n", "e.csv:1: found the columns 'alpha', 'beta', 'weight'" NO_HEADER},
        {"alpha,beta,gamma\nx,y,0.5\n", "e.csv:1: found the columns 'alpha', 'beta', 'gamma'" NO_HEADER},
        {"molecule,active\nCCO,1\nCCN,0\n", "e.csv:1: found the columns 'molecule', 'active'" NO_HEADER},
        {"source,weight\nx,y\n", "e.csv:1: found the columns 'source', 'weight'" NO_HEADER},
        {"u,v\nx,y\n", "e.csv:1: found the columns 'u', 'v'" NO_HEADER},
        {"name,a,b,c\nx,1,2,3\n", "e.csv:1: found the columns 'name', 'a', 'b', 'c'" NO_HEADER},
        {"smiles,active\nCCO,yes\nCCN,no\n", "e.csv:1: found the columns 'smiles', 'active'" NO_HEADER},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
        test_text_fails(lm_format_edge_list.read, "e.csv", CASES[i].text, CASES[i].sentence);
    char wide[200] = "1";
    for (int i = 0; i < 64; i++) strcat(wide, ",1");
    test_text_fails(lm_format_edge_list.read, "e.csv", wide, "e.csv:1: found more than 64 columns, expected fewer");
}

static void zero_bytes_are_refused(void **state)
{
    (void)state;
    const char *folder = test_folder_new();
    test_read_fails(test_file_text(folder, "w.csv", "1\n2\n"), "w.csv:1: found 1 expected source target");
    test_read_fails(test_file_write(folder, "a.csv", "1,2\n\0,3\n", 8), "a.csv:2: UTF-8");
    test_folder_remove(folder);
}

/* ---- Round trips ----------------------------------------------------------------------------- */

static void assert_comes_back(leman_context *ctx, const leman_dataset *data)
{
    leman_policy policy = leman_policy_default();
    policy.directed = leman_dataset_shape(data)->directed;
    policy.self_loops = LEMAN_ACTION_KEEP;
    policy.repeated_edges = policy.label_conflicts = LEMAN_ACTION_REFUSE;
    char *text = test_text_written(ctx, lm_format_edge_list.write, data);
    leman_dataset *back = test_text_read(ctx, lm_format_edge_list.read, text, &policy);
    if (!test_same_dataset(data, back)) fail_msg("not the same after\n%s", text);
    char *again = test_text_written(ctx, lm_format_edge_list.write, back); /* ids are names now, and say the same */
    assert_string_equal(text, again);
    free(again);
    free(text);
    leman_dataset_free(back);
}

/* A random data set of several graphs with loops, isolated vertices, empty graphs, labels and attributes. */
static leman_dataset *random_set(leman_context *ctx, uint64_t *random, bool names, bool directed)
{
    leman_columns columns = {.edge_labels = test_random(random) % 3,
                             .edge_attributes = test_random(random) % 3,
                             .graph_names = names,
                             .vertex_names = names};
    leman_policy policy = leman_policy_default();
    leman_builder *builder = NULL;
    leman_dataset *data = NULL;
    policy.directed = directed;
    policy.self_loops = LEMAN_ACTION_KEEP;
    static const char *const ODD[] = {"", "#", "a b", "\"", ",", " x", "\xc3\xa9;", "-"};
    assert_int_equal(leman_builder_new(ctx, "set", &columns, &builder), LEMAN_OK);
    size_t graphs = test_random(random) % 5, style = test_random(random) % 3;
    for (size_t i = 0; i < graphs; i++) {
        char name[32];
        snprintf(name, sizeof name, "%s%zu", ODD[i], 9 - i);
        assert_int_equal(leman_builder_graph(builder, name, NULL, NULL), LEMAN_OK);
        size_t n = test_random(random) % 9;
        for (size_t v = 0; v < n; v++) {
            if (style == 0) snprintf(name, sizeof name, "%zu", 10 * v + i);      /* integers that rise */
            if (style == 1) snprintf(name, sizeof name, "%zu", 20 - v);          /* integers that do not */
            if (style == 2) snprintf(name, sizeof name, "%s%zu", ODD[v % 8], v); /* words */
            assert_int_equal(leman_builder_vertex(builder, name, NULL, NULL), LEMAN_OK);
        }
        for (size_t u = 0; u < n; u++)
            for (size_t v = directed ? 0 : u; v < n; v++) {
                int64_t label[2] = {(int64_t)test_random(random), (int64_t)(test_random(random) % 3) - 1};
                double real[2] = {(double)(test_random(random) % 1000) / 7, 1e300 * (double)(test_random(random) % 2)};
                if (test_random(random) % 3) continue;
                assert_int_equal(leman_builder_edge(builder, u, v, label, real), LEMAN_OK);
                real[0] += (double)(test_random(random) % 2); /* the way back may have attributes of its own */
                if (!directed && u != v) assert_int_equal(leman_builder_edge(builder, v, u, label, real), LEMAN_OK);
            }
    }
    assert_int_equal(leman_builder_finish(builder, &policy, NULL, &data), LEMAN_OK);
    leman_builder_free(builder);
    return data;
}

static void random_sets_come_back(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    uint64_t random = 11;
    for (size_t round = 0; round < 2000; round++) {
        leman_dataset *data = random_set(ctx, &random, round % 2, round % 3 == 0);
        assert_comes_back(ctx, data);
        leman_dataset_free(data);
    }
    test_context_free(ctx);
}

static void written_as_documented(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = read_list(ctx, "graph,source,target,label\nx,1,2,3\nx,5,\ny,,\nx,0,2,4\n");
    char *text = test_text_written(ctx, lm_format_edge_list.write, data);
    assert_string_equal(text, "graph,source,target,label\nx,5,\nx,0,2,4\nx,1,2,3\ny,,\n");
    free(text);
    leman_dataset_free(data);
    data = read_list(ctx, "b c\na b\n");
    text = test_text_written(ctx, lm_format_edge_list.write, data);
    assert_string_equal(text, "graph,source,target\n0,b,\n0,c,\n0,a,\n0,b,c\n0,b,a\n");
    free(text);
    leman_dataset_free(data);
    test_context_free(ctx);
}

static void what_is_lost_is_logged(void **state)
{
    (void)state;
    test_log log;
    uint64_t random = 2;
    test_log_new(&log);
    leman_dataset *data = test_random_graph(log.ctx, &random, 5, 50, 3, 2, true);
    free(test_text_written(log.ctx, lm_format_edge_list.write, data));
    assert_string_equal(log.text, "random: directed, which the file does not say: read it as directed\n");
    leman_dataset_free(data);
    log.text[0] = 0;
    leman_builder *builder = NULL; /* two vertices and two graphs of one name */
    leman_columns columns = {.graph_names = true, .vertex_names = true};
    assert_int_equal(leman_builder_new(log.ctx, "twins", &columns, &builder), LEMAN_OK);
    for (int i = 0; i < 4; i++) {
        if (i % 2 == 0) assert_int_equal(leman_builder_graph(builder, "g", NULL, NULL), LEMAN_OK);
        assert_int_equal(leman_builder_vertex(builder, "v", NULL, NULL), LEMAN_OK);
    }
    assert_int_equal(leman_builder_finish(builder, NULL, NULL, &data), LEMAN_OK);
    leman_builder_free(builder);
    char *text = test_text_written(log.ctx, lm_format_edge_list.write, data);
    assert_string_equal(text, "graph,source,target\n0,0,\n0,1,\n1,0,\n1,1,\n");
    assert_string_equal(log.text, "twins: graphs are numbered: their names are not all different and printable\n"
                                  "twins: vertices are numbered: their names are not all different and printable\n");
    free(text);
    leman_dataset_free(data);
    test_log_free(&log);
}

static void files_are_recognised(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new();
    static const char *const NAMES[] = {"a.csv", "a.tsv", "a.edges", "a.txt", "plain"};
    for (size_t i = 0; i < 5; i++) {
        leman_dataset *data = NULL;
        const char *path = test_file_text(folder, NAMES[i], "# edges\n1 2\n2 3\n");
        if (leman_dataset_read(ctx, path, NULL, NULL, &data)) fail_msg("%s", leman_context_message(ctx));
        assert_int_equal(leman_dataset_graph(data, 0).vertices, 3);
        leman_dataset_free(data);
    }
    test_read_fails(test_file_text(folder, "plain", "some words\n"), "plain format");
    test_folder_remove(folder);
    test_context_free(ctx);
}

static leman_status read_and_write(leman_context *ctx, void *state)
{
    leman_status st = LEMAN_OK;
    leman_dataset *data = NULL;
    const char *folder = state;
    TRY(test_read_text(ctx, lm_format_edge_list.read, "a",
                       "graph,source,target,label,weight,note\ng,\"a\"\"b\",c,single,0.5,x\nh,1,2,double,1,y\nh,3,\n",
                       NULL, NULL, &data));
    TRY(leman_dataset_write(ctx, data, test_path(folder, "a.csv"), LEMAN_FORMAT_AUTO));
done:
    leman_dataset_free(data);
    return st;
}

static void allocations_may_fail(void **state)
{
    (void)state;
    const char *folder = test_folder_new();
    assert_true(test_fail_each_allocation(read_and_write, (void *)(uintptr_t)folder) > 20);
    test_folder_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_separator),
        cmocka_unit_test(separators_and_quotes),
        cmocka_unit_test(integers_are_ordered_by_value),
        cmocka_unit_test(words_keep_their_order),
        cmocka_unit_test(graphs_and_declared_vertices),
        cmocka_unit_test(one_way_or_each_edge_once),
        cmocka_unit_test(columns_by_what_they_hold),
        cmocka_unit_test(vertices_have_labels),
        cmocka_unit_test(labels_in_a_second_file),
        cmocka_unit_test(labels_and_failing_allocations),
        cmocka_unit_test(headers_are_recognised),
        cmocka_unit_test(refused_with_file_and_line),
        cmocka_unit_test(zero_bytes_are_refused),
        cmocka_unit_test(random_sets_come_back),
        cmocka_unit_test(written_as_documented),
        cmocka_unit_test(what_is_lost_is_logged),
        cmocka_unit_test(files_are_recognised),
        cmocka_unit_test(allocations_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
