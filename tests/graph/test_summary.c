/* The summary against counting by the definition: every pair of labels compared, components by repeated flooding. */
#include "support/support.h"

static size_t different(const int64_t *rows, size_t count, size_t columns)
{
    size_t result = 0;
    for (size_t i = 0; i < count && columns; i++) {
        bool seen = false;
        for (size_t j = 0; j < i && !seen; j++)
            seen = !memcmp(rows + i * columns, rows + j * columns, columns * sizeof *rows);
        result += !seen;
    }
    return result;
}

/* Every vertex takes the smallest number among itself and its neighbours, until nothing changes. */
static size_t flood(const leman_graph *g, size_t *isolated)
{
    size_t number[64], components = 0;
    bool changed = true, joined[64] = {false};
    for (size_t v = 0; v < g->vertices; v++) number[v] = v;
    while (changed) {
        changed = false;
        for (size_t v = 0; v < g->vertices; v++)
            for (uint64_t e = g->start[v]; e < g->start[v + 1]; e++) {
                size_t *a = number + v, *b = number + g->head[e];
                joined[v] = joined[g->head[e]] = true;
                changed |= *a != *b;
                *a = *b = *a < *b ? *a : *b;
            }
    }
    for (size_t v = 0; v < g->vertices; v++) {
        components += number[v] == v;
        *isolated += !joined[v];
    }
    return components;
}

static void test_random_graphs(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    uint64_t random = 7;
    for (unsigned i = 0; i < 200; i++) {
        leman_summary s = {0};
        size_t n = test_random(&random) % 40, isolated = 0;
        leman_dataset *data = test_random_graph(ctx, &random, n, (unsigned)(test_random(&random) % 12),
                                                (unsigned)(test_random(&random) % 100), i % 5, i % 2);
        leman_graph g = leman_dataset_graph(data, 0);
        size_t components = flood(&g, &isolated);
        assert_int_equal(leman_dataset_summary(ctx, data, &s), LEMAN_OK);
        assert_int_equal(s.vertex_labels, different(g.vertex_label, g.vertices, g.vertex_labels));
        assert_int_equal(s.edge_labels, different(g.edge_label, g.arcs, g.edge_labels));
        assert_int_equal(s.classes, 0);
        assert_int_equal(s.components, components);
        assert_int_equal(s.disconnected_graphs, components > 1);
        assert_int_equal(s.isolated_vertices, isolated);
        assert_int_equal(s.empty_graphs, n == 0);
        leman_dataset_free(data);
    }
    test_context_free(ctx);
}

/* Two label columns are one label: (0,1) and (1,0) differ; classes are counted by value, and a missing one is none. */
static leman_status two_columns(leman_context *ctx, leman_summary *summary)
{
    static const int64_t CLASSES[] = {LEMAN_CLASS_MISSING, INT64_MAX, INT64_MIN + 1, INT64_MAX},
                         LABELS[][2] = {{0, 1}, {1, 0}, {0, 1}};
    leman_columns columns = {.vertex_labels = 2, .classes = true};
    leman_builder *b = NULL;
    leman_dataset *data = NULL;
    leman_status st = leman_builder_new(ctx, "two", &columns, &b);
    for (int i = 0; i < 4 && !st; i++) {
        st = leman_builder_graph(b, NULL, CLASSES + i, NULL);
        for (int v = 0; v < i && !st; v++) st = leman_builder_vertex(b, NULL, LABELS[v], NULL);
    }
    if (!st) st = leman_builder_finish(b, NULL, NULL, &data);
    if (!st) st = leman_dataset_summary(ctx, data, summary);
    leman_dataset_free(data);
    leman_builder_free(b);
    return st;
}

static void test_columns_and_classes(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_summary s = {0};
    assert_int_equal(two_columns(ctx, &s), LEMAN_OK);
    assert_int_equal(s.vertex_labels, 2);
    assert_int_equal(s.classes, 2);
    assert_int_equal(s.empty_graphs, 1);
    assert_int_equal(s.isolated_vertices, 6);
    assert_int_equal(s.components, 6);
    assert_int_equal(s.disconnected_graphs, 2);
    test_context_free(ctx);
}

static leman_status summarise(leman_context *ctx, void *state)
{
    leman_summary s;
    (void)state;
    return two_columns(ctx, &s);
}

static void test_allocations(void **state)
{
    (void)state;
    assert_true(test_fail_each_allocation(summarise, NULL) > 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_graphs), cmocka_unit_test(test_columns_and_classes),
                                       cmocka_unit_test(test_allocations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
