/* The builder: what goes in comes out, misuse is refused and leaves no trace, and it can be used again. */
#include "support/full.h"
#include <math.h>

static leman_builder *builder_of(leman_context *ctx, leman_columns columns)
{
    leman_builder *builder = NULL;
    assert_int_equal(leman_builder_new(ctx, "built", &columns, &builder), LEMAN_OK);
    return builder;
}

static leman_dataset *finished(leman_builder *builder)
{
    leman_dataset *data = NULL;
    assert_int_equal(leman_builder_finish(builder, NULL, NULL, &data), LEMAN_OK);
    return data;
}

static void test_what_goes_in_comes_out(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    leman_builder *b = builder_of(ctx, test_full_columns());
    const int64_t class_label = -3, labels[3][2] = {{1, 2}, {3, 4}, {5, 6}}, edge[2] = {7, 8};
    const double targets[2] = {0.5, -1}, reals[3] = {1, 2, 3}, weight = 0.25;
    assert_int_equal(leman_builder_graph(b, "first", &class_label, targets), LEMAN_OK);
    for (int v = 0; v < 3; v++)
        assert_int_equal(leman_builder_vertex(b, v ? NULL : "zero", labels[v], reals), LEMAN_OK);
    assert_int_equal(leman_builder_edge(b, 2, 0, edge, &weight), LEMAN_OK);
    assert_int_equal(leman_builder_edge(b, 0, 2, edge, &weight), LEMAN_OK);
    assert_int_equal(leman_builder_graph(b, NULL, &class_label, targets), LEMAN_OK);
    leman_dataset *data = finished(b);
    const leman_shape *shape = leman_dataset_shape(data);
    leman_graph g = leman_dataset_graph(data, 0);
    size_t length;
    assert_string_equal(shape->name, "built");
    assert_true(shape->graphs == 2 && shape->vertices == 3 && shape->arcs == 2 && shape->edges == 1 &&
                !shape->directed);
    assert_true(g.vertices == 3 && g.start[1] - g.start[0] == 1 && g.head[g.start[0]] == 2 && g.head[g.start[2]] == 0);
    assert_true(g.vertex_label[3] == 4 && g.vertex_attribute[8] == 3);
    assert_true(g.edge_label[2 * g.start[2]] == 7 && g.edge_attribute[g.start[2]] == 0.25);
    assert_true(leman_dataset_classes(data)[1] == -3 && leman_dataset_targets(data)[2] == 0.5);
    assert_memory_equal(leman_dataset_graph_name(data, 0, &length), "first", 5);
    assert_int_equal(length, 5);
    assert_string_equal(leman_dataset_graph_name(data, 1, &length), "");
    assert_int_equal(length, 0);
    assert_memory_equal(leman_dataset_vertex_name(data, 0, 0, &length), "zero", 4);
    assert_string_equal(leman_dataset_vertex_name(data, 0, 2, &length), "");
    leman_dataset_free(data);
    leman_builder_free(b);
    leman_builder_free(NULL);
    test_context_free(ctx);
}

static void test_nothing_and_again(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    leman_builder *b = builder_of(ctx, (leman_columns){0});
    leman_dataset *data = finished(b);
    assert_int_equal(leman_dataset_shape(data)->graphs, 0);
    assert_int_equal(leman_dataset_check(ctx, data), LEMAN_OK);
    leman_dataset_free(data);
    for (size_t round = 1; round < 4; round++) { /* finishing left it empty */
        for (size_t g = 0; g < round; g++) {
            assert_int_equal(leman_builder_graph(b, NULL, NULL, NULL), LEMAN_OK);
            assert_int_equal(leman_builder_vertex(b, NULL, NULL, NULL), LEMAN_OK);
        }
        data = finished(b);
        assert_true(leman_dataset_shape(data)->graphs == round && leman_dataset_shape(data)->vertices == round);
        leman_dataset_free(data);
    }
    leman_builder_free(b);
    test_context_free(ctx);
}

/* Two graphs of three and of no vertices, then one of two, as arrays: what the same calls one by one give. */
static leman_graph_arrays some_arrays(void)
{
    static const uint64_t start[] = {0, 3, 3, 5};
    static const int64_t tail[] = {3, 0, 2}, head[] = {4, 1, 0}, vertex[][2] = {{1, 2}, {3, 4}, {5, 6}, {7, 8}, {9, 1}};
    static const int64_t edge[][2] = {{7, 8}, {1, 1}, {2, 2}}, class_label[] = {-3, 4, LEMAN_CLASS_MISSING};
    static const double real[5][3] = {{1, 2, 3}, {4, 5, 6}}, weight[] = {0.5, 1, 2}, target[3][2] = {{1, 2}, {0.5, 7}};
    static const char *const graph_name[] = {"first", NULL, "last"}, *const vertex_name[] = {"a", "b", NULL, "", "e"};
    leman_graph_arrays arrays = leman_graph_arrays_default();
    arrays.graphs = arrays.edges = 3;
    arrays.vertex_start = start;
    arrays.tail = tail, arrays.head = head;
    arrays.vertex_label = vertex[0], arrays.edge_label = edge[0];
    arrays.vertex_attribute = real[0], arrays.edge_attribute = weight;
    arrays.class_label = class_label, arrays.target = target[0];
    arrays.graph_name = graph_name, arrays.vertex_name = vertex_name;
    return arrays;
}

static leman_dataset *one_by_one(leman_context *ctx, const leman_graph_arrays *a, size_t times)
{
    leman_builder *b = builder_of(ctx, test_full_columns());
    for (size_t i = 0; i < times * a->graphs; i++) {
        const size_t g = i % a->graphs, first = a->vertex_start[g], end = a->vertex_start[g + 1];
        assert_int_equal(leman_builder_graph(b, a->graph_name[g], a->class_label + g, a->target + 2 * g), LEMAN_OK);
        for (size_t v = first; v < end; v++)
            assert_int_equal(
                leman_builder_vertex(b, a->vertex_name[v], a->vertex_label + 2 * v, a->vertex_attribute + 3 * v),
                LEMAN_OK);
        for (size_t e = 0; e < a->edges; e++)
            if ((size_t)a->tail[e] >= first && (size_t)a->tail[e] < end)
                assert_int_equal(leman_builder_edge(b, (size_t)a->tail[e] - first, (size_t)a->head[e] - first,
                                                    a->edge_label + 2 * e, a->edge_attribute + e),
                                 LEMAN_OK);
    }
    leman_dataset *data = finished(b);
    leman_builder_free(b);
    return data;
}

static void test_arrays_equal_calls_one_by_one(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    const leman_graph_arrays arrays = some_arrays();
    const int64_t label[2] = {1, 1}, class_label = 0;
    const double reals[3] = {0}, targets[2] = {0};
    for (size_t times = 1; times < 3; times++) {
        leman_dataset *expected = one_by_one(ctx, &arrays, times), *data;
        leman_builder *b = builder_of(ctx, test_full_columns());
        for (size_t i = 0; i < times; i++) assert_int_equal(leman_builder_arrays(b, &arrays), LEMAN_OK);
        data = finished(b);
        size_t length;
        assert_true(leman_dataset_checksum(data) == leman_dataset_checksum(expected));
        assert_memory_equal(leman_dataset_graph_name(data, 2, &length), "last", 4);
        assert_memory_equal(leman_dataset_vertex_name(data, 2, 1, &length), "e", 1);
        leman_dataset_free(data);
        leman_dataset_free(expected);
        /* An edge of the next call joins vertices of the last graph. */
        assert_int_equal(leman_builder_arrays(b, &arrays), LEMAN_OK);
        assert_int_equal(leman_builder_edge(b, 0, 1, label, reals), LEMAN_OK);
        assert_int_equal(leman_builder_edge(b, 0, 2, label, reals), LEMAN_ERROR_INPUT);
        assert_int_equal(leman_builder_graph(b, "more", &class_label, targets), LEMAN_OK);
        data = finished(b);
        assert_int_equal(leman_dataset_shape(data)->graphs, 4);
        leman_dataset_free(data);
        leman_builder_free(b);
    }
    test_context_free(ctx);
}

static void refused(leman_context *ctx, leman_status st, leman_status expected, const char *words)
{
    assert_int_equal(st, expected);
    if (!strstr(leman_context_message(ctx), words)) fail_msg("'%s' lacks '%s'", leman_context_message(ctx), words);
}

/* Every wrong call in between right ones; the data set is that of the right ones alone. */
static void test_misuse_leaves_no_trace(void **unused)
{
    (void)unused;
    const leman_status argument = LEMAN_ERROR_ARGUMENT;
    leman_context *ctx = test_context_new(1);
    leman_builder *b = builder_of(ctx, test_full_columns());
    const int64_t one = 1, labels[2] = {1, 2};
    const double targets[2] = {1, 2}, nan_target[2] = {1, NAN}, infinite[2] = {1, INFINITY}, reals[3] = {1, 2, 3},
                 bad[3] = {1, -INFINITY, 3};
    refused(ctx, leman_builder_vertex(b, NULL, labels, reals), argument, "before the first graph");
    refused(ctx, leman_builder_edge(b, 0, 0, labels, reals), LEMAN_ERROR_INPUT, "expected one of its 0 vertices");
    refused(ctx, leman_builder_graph(b, "x", NULL, targets), argument, "1 class expected");
    refused(ctx, leman_builder_graph(b, "x", &one, NULL), argument, "2 targets expected");
    refused(ctx, leman_builder_graph(b, "x", &one, infinite), argument, "targets that are neither finite nor");
    assert_int_equal(leman_builder_graph(b, "g", &one, targets), LEMAN_OK);
    refused(ctx, leman_builder_vertex(b, "x", NULL, reals), argument, "2 vertex labels expected");
    refused(ctx, leman_builder_vertex(b, "x", labels, NULL), argument, "3 vertex attributes expected");
    refused(ctx, leman_builder_vertex(b, "x", labels, bad), argument,
            "graph 0: found -infinity in column 1 of vertex attributes");
    assert_int_equal(leman_builder_vertex(b, "v", labels, reals), LEMAN_OK);
    assert_int_equal(leman_builder_vertex(b, "w", labels, reals), LEMAN_OK);
    refused(ctx, leman_builder_edge(b, 0, 2, labels, reals), LEMAN_ERROR_INPUT, "an edge to vertex 2");
    refused(ctx, leman_builder_edge(b, 7, 0, labels, reals), LEMAN_ERROR_INPUT, "an edge to vertex 7");
    refused(ctx, leman_builder_edge(b, 0, 1, NULL, reals), argument, "2 edge labels expected");
    refused(ctx, leman_builder_edge(b, 0, 1, labels, NULL), argument, "1 edge attributes expected");
    refused(ctx, leman_builder_edge(b, 0, 1, labels, nan_target + 1), argument,
            "graph 0: found NaN in column 0 of edge attributes");
    assert_int_equal(leman_builder_edge(b, 0, 1, labels, reals), LEMAN_OK);
    leman_dataset *data = finished(b);
    const leman_shape *shape = leman_dataset_shape(data);
    size_t length;
    assert_true(shape->graphs == 1 && shape->vertices == 2 && shape->edges == 1);
    assert_true(leman_dataset_targets(data)[1] == 2);
    assert_memory_equal(leman_dataset_vertex_name(data, 0, 1, &length), "w", 1);
    assert_memory_equal(leman_dataset_graph_name(data, 0, &length), "g", 1);
    leman_dataset_free(data);
    leman_builder_free(b);
    test_context_free(ctx);
}

/* An edge may only join vertices of the current graph. */
static void test_graphs_are_apart(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    leman_builder *b = builder_of(ctx, (leman_columns){0});
    assert_int_equal(leman_builder_graph(b, NULL, NULL, NULL), LEMAN_OK);
    assert_int_equal(leman_builder_vertex(b, NULL, NULL, NULL), LEMAN_OK);
    assert_int_equal(leman_builder_graph(b, NULL, NULL, NULL), LEMAN_OK);
    refused(ctx, leman_builder_edge(b, 0, 0, NULL, NULL), LEMAN_ERROR_INPUT, "built: graph 1: found an edge");
    leman_builder_free(b);
    test_context_free(ctx);
}

static void test_refusals_count_inside_the_graph(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    leman_policy policy = leman_policy_default();
    leman_builder *b = builder_of(ctx, (leman_columns){0});
    leman_dataset *data = NULL;
    for (int g = 0; g < 2; g++) {
        assert_int_equal(leman_builder_graph(b, NULL, NULL, NULL), LEMAN_OK);
        for (int v = 0; v < 4; v++) assert_int_equal(leman_builder_vertex(b, NULL, NULL, NULL), LEMAN_OK);
    }
    assert_int_equal(leman_builder_edge(b, 1, 3, NULL, NULL), LEMAN_OK);
    policy.one_way_edges = LEMAN_ACTION_REFUSE;
    refused(ctx, leman_builder_finish(b, &policy, NULL, &data), LEMAN_ERROR_INPUT,
            "built: graph 1: edge (1, 3) has no way back");
    assert_null(data);
    leman_builder_free(b);
    test_context_free(ctx);
}

/* Each allocation fails once and the call is repeated: the data set is the same as without failures. */
static leman_status build_stubbornly(leman_context *ctx, void *expected)
{
    leman_columns columns = test_full_columns();
    leman_policy policy = leman_policy_default();
    leman_builder *builder = NULL;
    leman_dataset *data = NULL;
    uint64_t state = 5;
    leman_status st = leman_builder_new(ctx, "full", &columns, &builder);
    policy.self_loops = LEMAN_ACTION_KEEP;
    if (!st) st = test_full_build(builder, &state, 4, 9);
    if (!st) st = leman_builder_finish(builder, &policy, NULL, &data);
    if (!st) assert_true(test_same_all(data, expected));
    leman_dataset_free(data);
    leman_builder_free(builder);
    return st;
}

static void test_failing_allocations(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    uint64_t state = 5;
    leman_dataset *expected = test_full_dataset(ctx, &state, 4, 9, false);
    assert_true(leman_dataset_shape(expected)->edges > 5);
    assert_true(test_fail_each_allocation(build_stubbornly, expected) > 15);
    leman_dataset_free(expected);
    test_context_free(ctx);
}

static void test_bad_arrays_add_nothing(void **unused)
{
    (void)unused;
    static const uint64_t falling[] = {0, 3, 2, 5}, late[] = {1, 3, 3, 5};
    static const int64_t beyond[] = {3, 0, 5}, below[] = {3, -1, 2}, across[] = {3, 3, 2};
    static const double infinite[5][3] = {[3] = {0, INFINITY}}, unknown[3][1] = {{NAN}};
    leman_context *ctx = test_context_new(1);
    leman_builder *b = builder_of(ctx, test_full_columns());
    const leman_graph_arrays good = some_arrays();
    leman_graph_arrays a = good;
    assert_int_equal(leman_builder_arrays(b, &good), LEMAN_OK);
#define TRIED(member, value, status, words)                                                                            \
    (a = good, a.member = (value), refused(ctx, leman_builder_arrays(b, &a), status, words))
    TRIED(vertex_start, falling, LEMAN_ERROR_INPUT, "graph 1: found vertex_start 2 behind 3");
    TRIED(vertex_start, late, LEMAN_ERROR_ARGUMENT, "begins with 0");
    TRIED(vertex_start, NULL, LEMAN_ERROR_ARGUMENT, "vertex_start");
    TRIED(tail, NULL, LEMAN_ERROR_ARGUMENT, "tails and heads of 3 edges");
    TRIED(tail, beyond, LEMAN_ERROR_INPUT, "edge 2: found vertex 5, expected one of the 5 vertices");
    TRIED(tail, below, LEMAN_ERROR_INPUT, "edge 1: found vertex -1");
    TRIED(tail, across, LEMAN_ERROR_INPUT, "edge 1: found vertex 3 of graph 2 and vertex 1 of graph 0");
    TRIED(edges, SIZE_MAX, LEMAN_ERROR_INPUT, "expected at most");
    TRIED(vertex_label, NULL, LEMAN_ERROR_ARGUMENT, "vertex labels expected");
    TRIED(vertex_attribute, infinite[0], LEMAN_ERROR_ARGUMENT,
          "graph 5: found infinity in column 1 of vertex attributes");
    TRIED(edge_attribute, unknown[0], LEMAN_ERROR_ARGUMENT, "graph 5: found NaN in column 0 of edge attributes");
    TRIED(class_label, NULL, LEMAN_ERROR_ARGUMENT, "classes expected");
    TRIED(target, NULL, LEMAN_ERROR_ARGUMENT, "targets expected");
#undef TRIED
    leman_dataset *data = finished(b), *expected = one_by_one(ctx, &good, 1);
    assert_true(leman_dataset_checksum(data) == leman_dataset_checksum(expected));
    leman_dataset_free(data);
    leman_dataset_free(expected);
    leman_builder_free(b);
    test_context_free(ctx);
}

static leman_status arrays_built(leman_context *ctx, void *user)
{
    leman_builder *builder = NULL;
    leman_dataset *data = NULL;
    const leman_columns columns = test_full_columns();
    const leman_graph_arrays arrays = some_arrays();
    leman_status st = leman_builder_new(ctx, "built", &columns, &builder);
    (void)user;
    if (!st) st = leman_builder_arrays(builder, &arrays);
    if (!st) st = leman_builder_finish(builder, NULL, NULL, &data);
    leman_dataset_free(data);
    leman_builder_free(builder);
    return st;
}

static void test_arrays_survive_failing_allocations(void **unused)
{
    (void)unused;
    assert_true(test_fail_each_allocation(arrays_built, NULL) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_goes_in_comes_out),
        cmocka_unit_test(test_nothing_and_again),
        cmocka_unit_test(test_misuse_leaves_no_trace),
        cmocka_unit_test(test_graphs_are_apart),
        cmocka_unit_test(test_refusals_count_inside_the_graph),
        cmocka_unit_test(test_failing_allocations),
        cmocka_unit_test(test_arrays_equal_calls_one_by_one),
        cmocka_unit_test(test_bad_arrays_add_nothing),
        cmocka_unit_test(test_arrays_survive_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
