/* leman_dataset_apex(): one more vertex a graph, marked, joined to all others; everything else as it was. */
#include "support/random_graphs.h"
#include "support/support.h"

/* Are the columns of two items the same? NULL columns are none. */
static bool same_labels(const int64_t *a, const int64_t *b, size_t columns)
{
    for (size_t i = 0; i < columns; i++)
        if (a[i] != b[i]) return false;
    return true;
}

static void check_vertices(const leman_graph *g, const leman_graph *h)
{
    static const int64_t zeros[RANDOM_GRAPH_COLUMNS] = {0};
    assert_int_equal(h->vertices, g->vertices + 1);
    assert_int_equal(h->vertex_labels, g->vertex_labels + 1);
    for (size_t v = 0; v <= g->vertices; v++) {
        const int64_t *before = v < g->vertices && g->vertex_labels ? g->vertex_label + v * g->vertex_labels : zeros;
        const int64_t *after = h->vertex_label + v * h->vertex_labels;
        assert_true(same_labels(before, after, g->vertex_labels));
        assert_int_equal(after[g->vertex_labels], v == g->vertices);
    }
}

/* The arcs of each vertex as they were, then one to the apex; the apex has one to each other vertex. */
static void check_arcs(const leman_graph *g, const leman_graph *h)
{
    static const int64_t zeros[RANDOM_GRAPH_COLUMNS] = {0};
    assert_int_equal(h->arcs, g->arcs + 2 * g->vertices);
    assert_int_equal(h->edge_labels, g->edge_labels);
    for (size_t v = 0; v < g->vertices; v++) {
        size_t degree = g->start[v + 1] - g->start[v];
        assert_int_equal(h->start[v + 1] - h->start[v], degree + 1);
        for (size_t i = 0; i <= degree; i++) {
            uint64_t e = g->start[v] + i, f = h->start[v] + i;
            const int64_t *before = i < degree && g->edge_labels ? g->edge_label + e * g->edge_labels : zeros;
            assert_int_equal(h->head[f], i < degree ? g->head[e] : g->vertices);
            if (g->edge_labels) assert_true(same_labels(before, h->edge_label + f * g->edge_labels, g->edge_labels));
        }
        assert_int_equal(h->head[h->start[g->vertices] + v], v);
    }
}

static void test_any_graph(void **unused)
{
    (void)unused;
    enum { GRAPHS = 3 };
    leman_context *ctx = test_context_new(1);
    random_graph *graph = malloc(GRAPHS * sizeof *graph);
    size_t cases = test_cases(200);
    assert_non_null(graph);
    for (size_t i = 0; i < cases; i++) {
        uint64_t state = i;
        random_graph_kind kind = random_graph_kind_draw(&state);
        random_graph_draw_family(&state, &kind, 7, false, GRAPHS, graph);
        leman_dataset *data = random_graph_dataset(ctx, &kind, graph, GRAPHS), *out = NULL;
        assert_int_equal(leman_dataset_apex(ctx, data, &out), LEMAN_OK);
        assert_int_equal(leman_dataset_check(ctx, out), LEMAN_OK);
        assert_int_equal(leman_dataset_shape(out)->directed, kind.directed);
        for (size_t g = 0; g < GRAPHS; g++) {
            leman_graph before = leman_dataset_graph(data, g), after = leman_dataset_graph(out, g);
            check_vertices(&before, &after);
            check_arcs(&before, &after);
        }
        leman_dataset_free(data);
        leman_dataset_free(out);
    }
    free(graph);
    test_context_free(ctx);
}

/* Classes, targets and attributes stay; the apex has zeros. */
static void test_other_columns(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    leman_columns columns = {.vertex_attributes = 2, .edge_attributes = 1, .targets = 1, .classes = true};
    leman_builder *builder = NULL;
    leman_dataset *data = NULL, *out = NULL;
    int64_t class_label = -4;
    double target = 2.5, real[2] = {0.25, -8};
    assert_int_equal(leman_builder_new(ctx, "reals", &columns, &builder), LEMAN_OK);
    assert_int_equal(leman_builder_graph(builder, NULL, &class_label, &target), LEMAN_OK);
    for (int v = 0; v < 2; v++) assert_int_equal(leman_builder_vertex(builder, NULL, NULL, real), LEMAN_OK);
    assert_int_equal(leman_builder_edge(builder, 0, 1, NULL, real), LEMAN_OK);
    assert_int_equal(leman_builder_finish(builder, NULL, NULL, &data), LEMAN_OK);
    leman_builder_free(builder);
    assert_int_equal(leman_dataset_apex(ctx, data, &out), LEMAN_OK);
    leman_graph g = leman_dataset_graph(out, 0);
    assert_int_equal(leman_dataset_classes(out)[0], -4);
    assert_true(leman_dataset_targets(out)[0] == 2.5);
    assert_int_equal(g.vertex_attributes, 2);
    assert_true(g.vertex_attribute[2] == 0.25 && g.vertex_attribute[3] == -8);
    assert_true(g.vertex_attribute[4] == 0 && g.vertex_attribute[5] == 0);
    assert_true(g.edge_attribute[0] == 0.25 && g.edge_attribute[1] == 0);
    leman_dataset_free(data);
    leman_dataset_free(out);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_graph),
        cmocka_unit_test(test_other_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
