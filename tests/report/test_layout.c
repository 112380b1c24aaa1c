/* Layouts: finite, deterministic, no vertex on another, paths and cycles as one would draw them. */
#include "report/drawing/layout.h"
#include "support/support.h"
#include <math.h>

enum { MAX = 40 };

static double between(const lm_point *p, size_t u, size_t v)
{
    return hypot(p[u].x - p[v].x, p[u].y - p[v].y);
}

/* A graph of n vertices from a list of pairs. */
static leman_dataset *graph_of(leman_context *ctx, size_t n, const size_t (*edge)[2], size_t edges)
{
    leman_builder *b = NULL;
    leman_dataset *data = NULL;
    assert_int_equal(leman_builder_new(ctx, "g", &(leman_columns){0}, &b), LEMAN_OK);
    assert_int_equal(leman_builder_graph(b, NULL, NULL, NULL), LEMAN_OK);
    for (size_t v = 0; v < n; v++) assert_int_equal(leman_builder_vertex(b, NULL, NULL, NULL), LEMAN_OK);
    for (size_t e = 0; e < edges; e++)
        assert_int_equal(leman_builder_edge(b, edge[e][0], edge[e][1], NULL, NULL), LEMAN_OK);
    assert_int_equal(leman_builder_finish(b, NULL, NULL, &data), LEMAN_OK);
    leman_builder_free(b);
    return data;
}

static void test_random_graphs(void **unused)
{
    (void)unused;
    uint64_t state = 8;
    leman_context *ctx = test_context_new(1);
    lm_point p[MAX], again[MAX];
    for (size_t i = 0; i < 60; i++) {
        size_t n = test_random(&state) % MAX;
        leman_dataset *data = test_random_graph(ctx, &state, n, 5 + (unsigned)(i % 30), 0, 0, i % 2);
        leman_graph g = leman_dataset_graph(data, 0);
        assert_int_equal(lm_layout_compute(ctx, &g, p), LEMAN_OK);
        assert_int_equal(lm_layout_compute(ctx, &g, again), LEMAN_OK);
        assert_memory_equal(p, again, n * sizeof *p);
        double x = 0, y = 0;
        for (size_t v = 0; v < n; v++) {
            assert_true(isfinite(p[v].x) && isfinite(p[v].y));
            x += p[v].x, y += p[v].y;
            for (size_t u = 0; u < v; u++) assert_true(between(p, u, v) > 0.05);
        }
        assert_true(fabs(x) < 1e-6 && fabs(y) < 1e-6);
        leman_dataset_free(data);
    }
    test_context_free(ctx);
}

/* After pushing, discs of that size no longer lie on each other, even where all began in one point. */
static void test_separate(void **unused)
{
    (void)unused;
    lm_point p[MAX] = {{0, 0}};
    uint64_t state = 14;
    for (size_t i = 0; i < 20; i++) {
        size_t n = 2 + test_random(&state) % 20;
        for (size_t v = 0; v < n; v++) {
            p[v].x = i ? (double)(test_random(&state) % 100) : 1;
            p[v].y = i ? (double)(test_random(&state) % 60) : 1;
        }
        lm_layout_separate(p, n, 5);
        for (size_t v = 0; v < n; v++)
            for (size_t u = 0; u < v; u++) assert_true(isfinite(p[v].x) && between(p, u, v) > 4);
    }
}

/* What stress can bring to 0 it does: the places of a path are its distances, level. */
static void test_level_path(void **unused)
{
    (void)unused;
    size_t edge[9][2];
    lm_point p[10];
    leman_context *ctx = test_context_new(1);
    for (size_t i = 0; i < 9; i++) edge[i][0] = i, edge[i][1] = i + 1;
    leman_dataset *data = graph_of(ctx, 10, edge, 9);
    leman_graph g = leman_dataset_graph(data, 0);
    assert_int_equal(lm_layout_compute(ctx, &g, p), LEMAN_OK);
    for (size_t u = 0; u < 10; u++) {
        assert_true(fabs(p[u].y) < 0.3);
        for (size_t v = 0; v < 10; v++) assert_true(fabs(between(p, u, v) - fabs((double)u - (double)v)) < 0.1);
    }
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* A cycle is drawn round: all edges alike, all vertices equally far from the middle. */
static void test_cycle(void **unused)
{
    (void)unused;
    size_t edge[8][2];
    lm_point p[8];
    leman_context *ctx = test_context_new(1);
    for (size_t i = 0; i < 8; i++) edge[i][0] = i * 3 % 8, edge[i][1] = (i + 1) * 3 % 8;
    leman_dataset *data = graph_of(ctx, 8, edge, 8);
    leman_graph g = leman_dataset_graph(data, 0);
    assert_int_equal(lm_layout_compute(ctx, &g, p), LEMAN_OK);
    for (size_t i = 0; i < 8; i++) {
        assert_true(fabs(between(p, edge[i][0], edge[i][1]) - between(p, edge[0][0], edge[0][1])) < 0.02);
        assert_true(fabs(hypot(p[i].x, p[i].y) - hypot(p[0].x, p[0].y)) < 0.02);
    }
    leman_dataset_free(data);
    test_context_free(ctx);
}

static void test_limits(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    lm_point *p = malloc((LM_LAYOUT_VERTICES + 1) * sizeof *p);
    leman_dataset *data = graph_of(ctx, 0, NULL, 0);
    leman_graph g = leman_dataset_graph(data, 0);
    assert_int_equal(lm_layout_compute(ctx, &g, p), LEMAN_OK);
    leman_dataset_free(data);
    data = graph_of(ctx, 1, NULL, 0);
    g = leman_dataset_graph(data, 0);
    assert_int_equal(lm_layout_compute(ctx, &g, p), LEMAN_OK);
    assert_true(p[0].x == 0 && p[0].y == 0);
    leman_dataset_free(data);
    data = graph_of(ctx, LM_LAYOUT_VERTICES + 1, NULL, 0);
    g = leman_dataset_graph(data, 0);
    assert_int_equal(lm_layout_compute(ctx, &g, p), LEMAN_ERROR_ARGUMENT);
    leman_dataset_free(data);
    free(p);
    test_context_free(ctx);
}

static leman_status take(leman_context *ctx, void *state)
{
    lm_point p[6];
    return lm_layout_compute(ctx, state, p);
}

static void test_allocations(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    uint64_t state = 3;
    leman_dataset *data = test_random_graph(ctx, &state, 6, 50, 0, 0, false);
    leman_graph g = leman_dataset_graph(data, 0);
    assert_true(test_fail_each_allocation(take, &g) > 1);
    leman_dataset_free(data);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_graphs), cmocka_unit_test(test_separate),
                                       cmocka_unit_test(test_level_path),    cmocka_unit_test(test_cycle),
                                       cmocka_unit_test(test_limits),        cmocka_unit_test(test_allocations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
