/* The flat block: shapes by counting, selections as slices, costs, and a check that catches every broken promise. */
#include "graph/dataset.h"
#include "support/full.h"
#include <math.h>
#include <stdio.h>

#define WRITABLE(type, pointer) ((type *)(uintptr_t)(pointer))

/* ---- Views ----------------------------------------------------------------------------------- */

static void test_shapes_by_counting(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    uint64_t state = 1;
    for (size_t round = 0; round < test_cases(100); round++) {
        leman_dataset *data = test_full_dataset(ctx, &state, round % 6, 8, round & 1);
        const leman_shape *shape = leman_dataset_shape(data);
        size_t vertices = 0, arcs = 0, loops = 0, max = 0, degree = 0;
        for (size_t i = 0; i < shape->graphs; i++) {
            leman_graph g = leman_dataset_graph(data, i);
            size_t graph_arcs = 0;
            for (size_t v = 0; v < g.vertices; v++) {
                size_t leaving = 0;
                for (uint64_t e = g.start[v]; e < g.start[v + 1]; e++, leaving++) loops += g.head[e] == v;
                if (leaving > degree) degree = leaving;
                graph_arcs += leaving;
            }
            assert_true(g.arcs == graph_arcs && g.directed == (round & 1));
            vertices += g.vertices;
            arcs += g.arcs;
            if (g.vertices > max) max = g.vertices;
        }
        size_t edges = round & 1 ? arcs : (arcs + loops) / 2; /* a loop is one arc and one edge */
        assert_int_equal(leman_dataset_check(ctx, data), LEMAN_OK);
        assert_true(shape->graphs == round % 6 && shape->vertices == vertices && shape->arcs == arcs);
        assert_true(shape->loops == loops && shape->edges == edges);
        assert_true(shape->max_vertices == max && shape->max_degree == degree);
        leman_dataset_free(data);
    }
    leman_dataset_free(NULL);
    test_context_free(ctx);
}

static void test_absent_columns_are_null(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    uint64_t state = 2;
    leman_dataset *data = test_random_graph(ctx, &state, 5, 50, 0, 0, false);
    leman_graph g = leman_dataset_graph(data, 0);
    size_t length = 77;
    assert_true(!g.vertex_label && !g.edge_label && !g.vertex_attribute && !g.edge_attribute);
    assert_true(!leman_dataset_classes(data) && !leman_dataset_targets(data));
    assert_string_equal(leman_dataset_graph_name(data, 0, &length), "");
    assert_int_equal(length, 0);
    assert_string_equal(leman_dataset_vertex_name(data, 0, 3, &length), "");
    leman_dataset_free(data);
    test_context_free(ctx);
}

static void test_costs(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    leman_columns none = {0};
    leman_builder *builder = NULL;
    leman_dataset *data = NULL;
    static const size_t SIZES[] = {0, 1, 5, 3, 300};
    assert_int_equal(leman_builder_new(ctx, "sizes", &none, &builder), LEMAN_OK);
    for (int g = 0; g < 5; g++) {
        assert_int_equal(leman_builder_graph(builder, NULL, NULL, NULL), LEMAN_OK);
        for (size_t v = 0; v < SIZES[g]; v++)
            assert_int_equal(leman_builder_vertex(builder, NULL, NULL, NULL), LEMAN_OK);
    }
    assert_int_equal(leman_builder_finish(builder, NULL, NULL, &data), LEMAN_OK);
    assert_int_equal(leman_dataset_cost(data, 1).tuples, 309);
    assert_int_equal(leman_dataset_cost(data, 2).tuples, 1 + 25 + 9 + 90000);
    assert_true(leman_dataset_cost(data, 2).bytes >= 90000 * sizeof(uint64_t));
    assert_true(leman_dataset_cost(data, 7).tuples == UINT64_C(218700000000000000) + 78125 + 2187 + 1);
    assert_true(leman_dataset_cost(data, 8).tuples == UINT64_MAX);
    assert_true(leman_dataset_cost(data, 8).bytes == UINT64_MAX);
    leman_dataset_free(data);
    leman_builder_free(builder);
    test_context_free(ctx);
}

/* ---- Selection ------------------------------------------------------------------------------- */

/* Graph i of `part` is graph j of `whole`, in everything. */
static void same_graph(const leman_dataset *part, size_t i, const leman_dataset *whole, size_t j)
{
    leman_graph g = leman_dataset_graph(part, i), h = leman_dataset_graph(whole, j);
    size_t m, n, targets = part->columns.targets;
    assert_true(g.vertices == h.vertices && g.arcs == h.arcs);
    assert_true(leman_dataset_classes(part)[i] == leman_dataset_classes(whole)[j]);
    for (size_t x = 0; x < targets; x++)
        assert_memory_equal(leman_dataset_targets(part) + i * targets + x,
                            leman_dataset_targets(whole) + j * targets + x, sizeof(double));
    const char *a = leman_dataset_graph_name(part, i, &m), *b = leman_dataset_graph_name(whole, j, &n);
    assert_true(m == n && !memcmp(a, b, m));
    for (size_t v = 0; v < g.vertices; v++) {
        a = leman_dataset_vertex_name(part, i, v, &m);
        b = leman_dataset_vertex_name(whole, j, v, &n);
        assert_true(m == n && !memcmp(a, b, m));
        for (size_t x = 0; x < g.vertex_labels; x++)
            assert_true(g.vertex_label[v * g.vertex_labels + x] == h.vertex_label[v * h.vertex_labels + x]);
        for (size_t x = 0; x < g.vertex_attributes; x++)
            assert_true(g.vertex_attribute[v * g.vertex_attributes + x] ==
                        h.vertex_attribute[v * h.vertex_attributes + x]);
        assert_true(g.start[v + 1] - g.start[v] == h.start[v + 1] - h.start[v]);
        for (uint64_t e = g.start[v], f = h.start[v]; e < g.start[v + 1]; e++, f++) {
            assert_true(g.head[e] == h.head[f] && g.edge_attribute[e] == h.edge_attribute[f]);
            assert_true(g.edge_label[2 * e] == h.edge_label[2 * f] &&
                        g.edge_label[2 * e + 1] == h.edge_label[2 * f + 1]);
        }
    }
}

static void test_selections_are_slices(void **unused)
{
    (void)unused;
    enum { GRAPHS = 7 };
    leman_context *ctx = test_context_new(1);
    uint64_t state = 3;
    for (size_t round = 0; round < test_cases(60); round++) {
        leman_dataset *whole = test_full_dataset(ctx, &state, GRAPHS, 6, round & 1), *part = NULL;
        size_t which[12], count = test_random(&state) % 12;
        for (size_t i = 0; i < count; i++) which[i] = test_random(&state) % GRAPHS; /* with repeats */
        assert_int_equal(leman_dataset_select(ctx, whole, count, which, &part), LEMAN_OK);
        assert_int_equal(leman_dataset_check(ctx, part), LEMAN_OK);
        assert_int_equal(leman_dataset_shape(part)->graphs, count);
        assert_string_equal(leman_dataset_shape(part)->name, "full");
        for (size_t i = 0; i < count; i++) same_graph(part, i, whole, which[i]);
        leman_dataset_free(part);
        static const size_t ALL[] = {0, 1, 2, 3, 4, 5, 6};
        assert_int_equal(leman_dataset_select(ctx, whole, GRAPHS, ALL, &part), LEMAN_OK);
        assert_true(test_same_all(whole, part));
        leman_dataset_free(part);
        part = NULL;
        which[0] = GRAPHS;
        assert_int_equal(leman_dataset_select(ctx, whole, 1, which, &part), LEMAN_ERROR_ARGUMENT);
        assert_null(part);
        leman_dataset_free(whole);
    }
    test_context_free(ctx);
}

/* ---- The check ------------------------------------------------------------------------------- */

/* Two graphs: the path 0 - 1 - 2 with labelled edges, and one edge. Arcs: 0>1, 1>0, 1>2, 2>1; 0>1, 1>0. */
static leman_dataset *two_paths(leman_context *ctx)
{
    leman_columns columns = test_full_columns();
    leman_builder *builder = NULL;
    leman_dataset *data = NULL;
    const int64_t labels[2] = {4, 5};
    const double reals[3] = {1, 2, 3};
    assert_int_equal(leman_builder_new(ctx, "paths", &columns, &builder), LEMAN_OK);
    for (size_t n = 3; n >= 2; n--) {
        assert_int_equal(leman_builder_graph(builder, "ab", labels, reals), LEMAN_OK);
        for (size_t v = 0; v < n; v++) assert_int_equal(leman_builder_vertex(builder, "c", labels, reals), LEMAN_OK);
        for (size_t v = 1; v < n; v++) assert_int_equal(leman_builder_edge(builder, v - 1, v, labels, reals), LEMAN_OK);
    }
    assert_int_equal(leman_builder_finish(builder, NULL, NULL, &data), LEMAN_OK);
    leman_builder_free(builder);
    return data;
}

static void expect_broken(leman_context *ctx, leman_dataset *data, const char *words)
{
    assert_int_equal(leman_dataset_check(ctx, data), LEMAN_ERROR_INPUT);
    if (!strstr(leman_context_message(ctx), words)) fail_msg("'%s' lacks '%s'", leman_context_message(ctx), words);
}

/* Sets one element, expects the complaint, and puts it back. */
#define BREAK(type, field, index, wrong, words)                                                                        \
    do {                                                                                                               \
        type before = data->field[index];                                                                              \
        WRITABLE(type, data->field)[index] = (wrong);                                                                  \
        expect_broken(ctx, data, words);                                                                               \
        WRITABLE(type, data->field)[index] = before;                                                                   \
        assert_int_equal(leman_dataset_check(ctx, data), LEMAN_OK);                                                    \
    } while (0)

static void test_broken_offsets(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = two_paths(ctx);
    assert_true(data->graphs == 2 && data->vertices == 5 && data->arcs == 6);
    BREAK(uint64_t, graph_start, 0, 1, "offsets");
    BREAK(uint64_t, graph_start, 1, 6, "offsets");
    BREAK(uint64_t, graph_start, 1, UINT64_MAX, "offsets");
    BREAK(uint64_t, graph_start, 2, 4, "offsets");
    BREAK(uint64_t, graph_start, 2, 6, "offsets");
    BREAK(uint64_t, vertex_start, 0, 1, "offsets");
    BREAK(uint64_t, vertex_start, 2, 0, "offsets");
    BREAK(uint64_t, vertex_start, 5, 7, "offsets");
    BREAK(uint64_t, vertex_start, 3, UINT64_C(1) << 63, "offsets");
    BREAK(uint64_t, graph_name_start, 0, 1, "offsets");
    BREAK(uint64_t, graph_name_start, 1, 5, "offsets");
    BREAK(uint64_t, graph_name_start, 2, 3, "offsets");
    BREAK(uint64_t, vertex_name_start, 1, 6, "offsets");
    BREAK(uint64_t, vertex_name_start, 5, 6, "offsets");
    leman_dataset_free(data);
    test_context_free(ctx);
}

static void test_broken_arcs(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = two_paths(ctx);
    BREAK(uint32_t, arc_head, 0, 3, "paths: graph 0: vertex 0 has an arc to vertex 3 of 3");
    BREAK(uint32_t, arc_head, 4, UINT32_MAX, "graph 1: vertex 0");
    BREAK(uint32_t, arc_head, 1, 2, "graph 0: the arcs of vertex 1 are not in order"); /* twice the same */
    BREAK(uint32_t, arc_head, 2, 0, "not in order");
    BREAK(uint32_t, arc_head, 0, 2, "graph 0: edge 0-2 has no way back");
    BREAK(uint32_t, arc_head, 3, 0, "no way back");
    BREAK(int64_t, edge_label, 0, 9, "graph 0: edge 0-1 has two labels");
    BREAK(int64_t, edge_label, 11, 9, "graph 1: edge 0-1 has two labels");
    data->directed = true; /* arcs alone need no way back, and have labels of their own */
    WRITABLE(uint32_t, data->arc_head)[0] = 2;
    WRITABLE(int64_t, data->edge_label)[0] = 9;
    assert_int_equal(leman_dataset_check(ctx, data), LEMAN_OK);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* So many graphs that several threads check them: the first that is not sound is named, by whichever thread. */
static void test_broken_among_many(void **unused)
{
    (void)unused;
    enum { PATHS = 1 << 17 };
    static const size_t BROKEN[] = {PATHS - 1, PATHS / 2 + 1, PATHS / 3, 5};
    leman_context *ctx = test_context_new(3);
    leman_dataset *data = NULL;
    const leman_dataset shape = {.graphs = PATHS, .vertices = 2 * PATHS, .arcs = 2 * PATHS};
    assert_int_equal(lm_dataset_new(ctx, &shape, "paths", &data), LEMAN_OK);
    for (size_t g = 0; g <= PATHS; g++) WRITABLE(uint64_t, data->graph_start)[g] = 2 * g;
    for (size_t v = 0; v <= 2 * PATHS; v++) WRITABLE(uint64_t, data->vertex_start)[v] = v;
    for (size_t v = 0; v < 2 * PATHS; v++) WRITABLE(uint32_t, data->arc_head)[v] = 1 - v % 2;
    assert_int_equal(leman_dataset_check(ctx, data), LEMAN_OK);
    for (size_t i = 0; i < sizeof BROKEN / sizeof *BROKEN; i++) {
        char words[80];
        WRITABLE(uint32_t, data->arc_head)[2 * BROKEN[i]] = 2;
        snprintf(words, sizeof words, "paths: graph %zu: vertex 0 has an arc to vertex 2 of 2", BROKEN[i]);
        expect_broken(ctx, data, words);
    }
    leman_dataset_free(data);
    test_context_free(ctx);
}

static void test_broken_reals(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = two_paths(ctx);
    BREAK(double, vertex_attribute, 14, NAN, "finite");
    BREAK(double, edge_attribute, 0, INFINITY, "finite");
    BREAK(double, target, 3, -INFINITY, "finite");
    BREAK(double, target, 3, -NAN, "finite"); /* only one NaN stands for a missing value */
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static void test_impossible_sizes(void **unused)
{
    (void)unused;
    static const leman_dataset SHAPES[] = {
        {.graphs = SIZE_MAX},
        {.vertices = SIZE_MAX},
        {.vertices = SIZE_MAX / 8},
        {.arcs = SIZE_MAX / 2, .columns = {.edge_labels = 4}},
        {.vertices = SIZE_MAX / 64, .columns = {.vertex_labels = SIZE_MAX / 64}},
        {.graphs = 3, .columns = {.targets = SIZE_MAX / 3 + 1}},
        {.arcs = 2, .columns = {.edge_attributes = SIZE_MAX / 8}},
        {.vertex_name_bytes = SIZE_MAX},
    };
    leman_context *ctx = test_context_new(1);
    for (size_t i = 0; i < sizeof SHAPES / sizeof *SHAPES; i++) {
        leman_dataset *data = NULL;
        assert_int_equal(lm_dataset_new(ctx, SHAPES + i, "large", &data), LEMAN_ERROR_MEMORY);
        assert_null(data);
    }
    test_context_free(ctx);
}

static leman_status select_some(leman_context *ctx, void *state)
{
    static const size_t WHICH[] = {3, 0, 3};
    leman_dataset *part = NULL;
    leman_status st = leman_dataset_select(ctx, state, 3, WHICH, &part);
    assert_int_equal(st == LEMAN_OK, part != NULL);
    leman_dataset_free(part);
    return st;
}

static void test_failing_allocations(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    uint64_t state = 4;
    leman_dataset *data = test_full_dataset(ctx, &state, 5, 6, false);
    assert_int_equal(test_fail_each_allocation(select_some, data), 5); /* meter, context, data set, name, block */
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* Every array counts but those of names: one changed bit is another checksum. */
static void test_checksums(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    uint64_t state = 9;
    leman_dataset *data = test_full_dataset(ctx, &state, 4, 6, false), *plain = NULL;
    uint64_t sum = leman_dataset_checksum(data);
    leman_columns keep = *leman_dataset_shape(data)->columns;
    for (int i = 0; i < LM_ARRAYS; i++) {
        const lm_array *array = lm_dataset_arrays + i;
        unsigned char *bytes = lm_dataset_array(data, array);
        if (!lm_array_bytes(data, array)) continue;
        size_t last = lm_array_bytes(data, array) - 1;
        bytes[last] ^= 1;
        assert_int_equal(leman_dataset_checksum(data) == sum, strstr(array->name, "name") != NULL);
        bytes[last] ^= 1;
    }
    assert_true(leman_dataset_checksum(data) == sum);
    keep.graph_names = keep.vertex_names = false;
    assert_int_equal(leman_dataset_keep(ctx, data, &keep, &plain), LEMAN_OK);
    assert_true(leman_dataset_checksum(plain) == sum);
    leman_dataset_free(plain);
    keep.targets = 0;
    assert_int_equal(leman_dataset_keep(ctx, data, &keep, &plain), LEMAN_OK);
    assert_true(leman_dataset_checksum(plain) != sum);
    leman_dataset_free(plain);
    leman_dataset_free(data);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes_by_counting),
        cmocka_unit_test(test_absent_columns_are_null),
        cmocka_unit_test(test_costs),
        cmocka_unit_test(test_checksums),
        cmocka_unit_test(test_selections_are_slices),
        cmocka_unit_test(test_broken_offsets),
        cmocka_unit_test(test_broken_arcs),
        cmocka_unit_test(test_broken_among_many),
        cmocka_unit_test(test_broken_reals),
        cmocka_unit_test(test_impossible_sizes),
        cmocka_unit_test(test_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
