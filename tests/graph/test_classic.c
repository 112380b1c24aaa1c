/* Graphs with a name: what makes each of them what its name says. */
#include "support/graphs.h"

static void test_csl(void **state)
{
    (void)state;
    enum { LENGTHS = 12 };
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = test_made(ctx, LEMAN_FAMILY_CSL, NULL);
    double walks[10][LENGTHS + 1] = {{0}};
    assert_int_equal(leman_dataset_shape(data)->graphs, 10);
    test_assert_named(data, 9, "CSL_41_16");
    for (size_t i = 0; i < 10; i++) {
        leman_graph g = leman_dataset_graph(data, i);
        assert_int_equal(g.vertices, 41);
        test_assert_regular(&g, 4);
        assert_int_equal(leman_dataset_classes(data)[i], i);
        test_closed_walks(&g, 0, LENGTHS, walks[i]);
        for (size_t j = 0; j < i; j++) assert_memory_not_equal(walks[i], walks[j], sizeof *walks);
    }
    leman_dataset_free(data);
    test_context_free(ctx);
}

static void test_csl_options(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_family_options o = leman_family_options_default();
    const size_t skips[] = {2, 3}, one[] = {1}, divisor[] = {5, 6}, large[] = {9};
    o.vertices = 11;
    o.graphs = 3;
    o.skips = skips;
    o.skip_count = 2;
    leman_dataset *data = test_made(ctx, LEMAN_FAMILY_CSL, &o);
    assert_int_equal(leman_dataset_shape(data)->graphs, 6);
    for (size_t i = 0; i < 6; i++) {
        leman_graph g = leman_dataset_graph(data, i);
        test_assert_regular(&g, 4);
        assert_int_equal(leman_dataset_classes(data)[i], i % 2);
        bool in_place = true;
        for (size_t v = 0; v < 11; v++) in_place &= test_joined(&g, v, (v + skips[i % 2]) % 11);
        assert_int_equal(in_place, i < 2);
        double walks[2][8] = {{0}};
        leman_graph first = leman_dataset_graph(data, i % 2);
        test_closed_walks(&g, 0, 7, walks[0]);
        test_closed_walks(&first, 0, 7, walks[1]);
        assert_memory_equal(walks[0], walks[1], sizeof *walks);
    }
    test_assert_named(data, 4, "CSL_11_2-2");
    leman_dataset_free(data);
    test_context_free(ctx);
    o.skips = one;
    o.skip_count = 1;
    test_refused(LEMAN_FAMILY_CSL, &o, "skip 1 with 11 vertices, expected 2 to 9");
    o.vertices = 10;
    o.skips = large;
    test_refused(LEMAN_FAMILY_CSL, &o, "skip 9 with 10 vertices, expected 2 to 8");
    o.vertices = 9;
    o.skips = divisor;
    o.skip_count = 2;
    test_refused(LEMAN_FAMILY_CSL, &o, "skip 6 with 9 vertices, expected two numbers without the common divisor 3");
    o.skip_count = 0;
    test_refused(LEMAN_FAMILY_CSL, &o, "no skip");
    o.vertices = 4;
    test_refused(LEMAN_FAMILY_CSL, &o, "at least 5");
}

/* The six neighbours of a vertex form two triangles in the rook's graph and a hexagon in the other. */
static void test_rook_shrikhande(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = test_made(ctx, LEMAN_FAMILY_ROOK_SHRIKHANDE, NULL);
    assert_int_equal(leman_dataset_shape(data)->graphs, 2);
    for (size_t i = 0; i < 2; i++) {
        leman_graph g = leman_dataset_graph(data, i);
        assert_int_equal(g.vertices, 16);
        test_assert_regular(&g, 6);
        for (size_t u = 0; u < 16; u++) {
            size_t triangles = 0;
            for (size_t v = 0; v < 16; v++) {
                if (u != v) assert_int_equal(test_common_neighbours(&g, u, v), 2);
                for (size_t w = 0; w < 16; w++) /* within the neighbourhood of u */
                    for (size_t x = 0; x < 16; x++)
                        triangles += test_joined(&g, u, v) && test_joined(&g, u, w) && test_joined(&g, u, x) &&
                                     test_joined(&g, v, w) && test_joined(&g, w, x) && test_joined(&g, x, v);
            }
            assert_int_equal(triangles, i ? 0 : 2 * 6);
        }
    }
    test_assert_named(data, 0, "rook");
    test_assert_named(data, 1, "shrikhande");
    leman_dataset_free(data);
    test_context_free(ctx);
}

static void test_cycles(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_family_options o = leman_family_options_default();
    for (o.vertices = 0; o.vertices <= 16; o.vertices += 8) {
        leman_dataset *data = test_made(ctx, LEMAN_FAMILY_CYCLES, &o);
        for (size_t i = 0; i < 2; i++) {
            leman_graph g = leman_dataset_graph(data, i);
            assert_int_equal(g.vertices, o.vertices ? o.vertices : 6);
            test_assert_regular(&g, 2);
            for (size_t v = 0; v < g.vertices; v++)
                assert_int_equal(test_reached(&g, v), i ? g.vertices / 2 : g.vertices);
        }
        leman_dataset_free(data);
    }
    o.vertices = 7;
    test_refused(LEMAN_FAMILY_CYCLES, &o, "7 vertices, expected an even number");
    o.vertices = 4;
    test_refused(LEMAN_FAMILY_CYCLES, &o, "at least 6");
    test_context_free(ctx);
}

/* A connected graph on n vertices with n-1 edges and degrees at most 2 is a path; n edges and degree 2 a cycle. */
static void test_simple_graphs(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_family_options o = leman_family_options_default();
    for (o.vertices = 1; o.vertices <= 12; o.vertices++) {
        size_t n = o.vertices;
        leman_dataset *path = test_made(ctx, LEMAN_FAMILY_PATH, &o),
                      *complete = test_made(ctx, LEMAN_FAMILY_COMPLETE, &o);
        leman_graph g = leman_dataset_graph(path, 0);
        assert_int_equal(g.arcs, 2 * (n - 1));
        assert_int_equal(test_reached(&g, 0), n);
        for (size_t v = 0; v < n; v++) assert_true(test_degree(&g, v) <= 2);
        g = leman_dataset_graph(complete, 0);
        assert_int_equal(g.vertices, n);
        test_assert_regular(&g, n - 1);
        leman_dataset_free(path);
        leman_dataset_free(complete);
        if (n < 3) {
            test_refused(LEMAN_FAMILY_CYCLE, &o, "at least 3");
            continue;
        }
        leman_dataset *cycle = test_made(ctx, LEMAN_FAMILY_CYCLE, &o);
        g = leman_dataset_graph(cycle, 0);
        assert_int_equal(test_reached(&g, 0), n);
        test_assert_regular(&g, 2);
        leman_dataset_free(cycle);
    }
    test_context_free(ctx);
}

static void test_grid(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_family_options o = leman_family_options_default();
    for (o.rows = 1; o.rows <= 4; o.rows++)
        for (o.columns = 1; o.columns <= 5; o.columns++) {
            leman_dataset *data = test_made(ctx, LEMAN_FAMILY_GRID, &o);
            leman_graph g = leman_dataset_graph(data, 0);
            assert_int_equal(g.vertices, o.rows * o.columns);
            for (size_t u = 0; u < g.vertices; u++)
                for (size_t v = 0; v < g.vertices; v++) {
                    long down = (long)(u / o.columns) - (long)(v / o.columns);
                    long right = (long)(u % o.columns) - (long)(v % o.columns);
                    assert_int_equal(test_joined(&g, u, v), labs(down) + labs(right) == 1);
                }
            leman_dataset_free(data);
        }
    o.rows = 0;
    test_refused(LEMAN_FAMILY_GRID, &o, "0 rows");
    o.rows = o.columns = SIZE_MAX;
    test_refused(LEMAN_FAMILY_GRID, &o, "more than");
    test_context_free(ctx);
}

/* The only strongly regular graph (10, 3, 0, 1). */
static void test_petersen(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = test_made(ctx, LEMAN_FAMILY_PETERSEN, NULL);
    leman_graph g = leman_dataset_graph(data, 0);
    assert_int_equal(g.vertices, 10);
    test_assert_regular(&g, 3);
    for (size_t u = 0; u < 10; u++)
        for (size_t v = 0; v < u; v++) assert_int_equal(test_common_neighbours(&g, u, v), !test_joined(&g, u, v));
    leman_dataset_free(data);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_csl),      cmocka_unit_test(test_csl_options),   cmocka_unit_test(test_rook_shrikhande),
        cmocka_unit_test(test_cycles),   cmocka_unit_test(test_simple_graphs), cmocka_unit_test(test_grid),
        cmocka_unit_test(test_petersen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
