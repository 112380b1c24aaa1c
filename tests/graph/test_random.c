/* Random graphs: edge counts, independence, regularity, uniformity. */
#include "support/graphs.h"
#include <math.h>

/* Edges of G(n, p) in all: five deviations around the mean. */
static void test_random_edge_counts(void **state)
{
    (void)state;
    static const double PROBABILITIES[] = {0.001, 0.02, 0.3, 0.5, 0.9, 0.999};
    leman_context *ctx = test_context_new(1);
    leman_family_options o = leman_family_options_default();
    o.vertices = 60;
    o.graphs = 40;
    for (size_t i = 0; i < sizeof PROBABILITIES / sizeof *PROBABILITIES; i++) {
        double p = PROBABILITIES[i], pairs = 40.0 * 60 * 59 / 2;
        o.probability = p;
        leman_dataset *data = test_made(ctx, LEMAN_FAMILY_RANDOM, &o);
        double edges = (double)leman_dataset_shape(data)->edges;
        assert_true(fabs(edges - pairs * p) < 5 * sqrt(pairs * p * (1 - p)));
        leman_dataset_free(data);
    }
    test_context_free(ctx);
}

/* Each of the 10 pairs of 5 vertices is an edge in about p of 4,000 graphs, and two pairs together in p^2. */
static void test_random_pairs_are_independent(void **state)
{
    (void)state;
    enum { GRAPHS = 4000, N = 5 };
    leman_context *ctx = test_context_new(1);
    leman_family_options o = leman_family_options_default();
    o.vertices = N;
    o.graphs = GRAPHS;
    o.probability = 0.3;
    leman_dataset *data = test_made(ctx, LEMAN_FAMILY_RANDOM, &o);
    int single[N * N] = {0}, both[N * N][N * N] = {{0}};
    for (size_t i = 0; i < GRAPHS; i++) {
        leman_graph g = leman_dataset_graph(data, i);
        for (size_t a = 0; a < N * N; a++) {
            if (!test_joined(&g, a / N, a % N)) continue;
            single[a]++;
            for (size_t b = 0; b < N * N; b++) both[a][b] += test_joined(&g, b / N, b % N);
        }
    }
    for (size_t a = 0; a < N * N; a++)
        for (size_t b = 0; b < N * N; b++) {
            if (a / N >= a % N || b / N >= b % N || a == b) continue;
            assert_in_range(single[a], 0.3 * (double)GRAPHS - 145, 0.3 * (double)GRAPHS + 145);
            assert_in_range(both[a][b], 0.09 * (double)GRAPHS - 90, 0.09 * (double)GRAPHS + 90);
        }
    leman_dataset_free(data);
    test_context_free(ctx);
}

static void test_random_extremes(void **state)
{
    (void)state;
    static const double WRONG[] = {-0.1, 1.5, NAN, INFINITY};
    leman_context *ctx = test_context_new(1);
    leman_family_options o = leman_family_options_default();
    for (o.vertices = 1; o.vertices < 9; o.vertices++)
        for (int p = 0; p < 2; p++) {
            o.probability = p;
            leman_dataset *data = test_made(ctx, LEMAN_FAMILY_RANDOM, &o);
            leman_graph g = leman_dataset_graph(data, 0);
            test_assert_regular(&g, p ? o.vertices - 1 : 0);
            leman_dataset_free(data);
        }
    o.probability = 1e-300;
    leman_dataset *data = test_made(ctx, LEMAN_FAMILY_RANDOM, &o);
    assert_int_equal(leman_dataset_shape(data)->edges, 0);
    leman_dataset_free(data);
    for (int i = 0; i < 4; i++) {
        o.probability = WRONG[i];
        test_refused(LEMAN_FAMILY_RANDOM, &o, "expected 0 to 1");
    }
    test_context_free(ctx);
}

static void test_regular_is_regular_and_simple(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_family_options o = leman_family_options_default();
    o.graphs = 3;
    for (o.vertices = 1; o.vertices <= 16; o.vertices++)
        for (o.degree = 0; o.degree < o.vertices; o.degree++) {
            if (o.vertices * o.degree % 2) {
                test_refused(LEMAN_FAMILY_REGULAR, &o, "expected an even number");
                continue;
            }
            leman_dataset *data = test_made(ctx, LEMAN_FAMILY_REGULAR, &o); /* leman_dataset_check() knows simple */
            assert_int_equal(leman_dataset_shape(data)->loops, 0);
            for (size_t i = 0; i < 3; i++) {
                leman_graph g = leman_dataset_graph(data, i);
                assert_int_equal(g.vertices, o.vertices);
                test_assert_regular(&g, o.degree);
            }
            leman_dataset_free(data);
        }
    o.degree = o.vertices;
    test_refused(LEMAN_FAMILY_REGULAR, &o, "expected less");
    test_context_free(ctx);
}

/* Long rows are kept in another way than short ones. */
static void test_regular_large(void **state)
{
    (void)state;
    static const size_t DEGREES[] = {1, 2, 3, 4, 5, 60, 150, 200, 297, 298, 299};
    leman_context *ctx = test_context_new(1);
    leman_family_options o = leman_family_options_default();
    o.vertices = 300;
    for (size_t i = 0; i < sizeof DEGREES / sizeof *DEGREES; i++) {
        o.degree = DEGREES[i];
        leman_dataset *data = test_made(ctx, LEMAN_FAMILY_REGULAR, &o);
        leman_graph g = leman_dataset_graph(data, 0);
        test_assert_regular(&g, o.degree);
        leman_dataset_free(data);
    }
    test_context_free(ctx);
}

/* There are 70 graphs of degree 2 on six numbered vertices: 60 hexagons, 10 pairs of triangles. 7,000 drawn: the
 * chi-square statistic has mean 69 and deviation 12. Degree 3 are their complements. */
static void test_regular_is_uniform(void **state)
{
    (void)state;
    enum { N = 6, GRAPHS = 7000, KINDS = 70 };
    leman_context *ctx = test_context_new(1);
    leman_family_options o = leman_family_options_default();
    o.vertices = N;
    o.graphs = GRAPHS;
    for (o.degree = 2; o.degree <= 3; o.degree++) {
        leman_dataset *data = test_made(ctx, LEMAN_FAMILY_REGULAR, &o);
        int *count = calloc(1 << 15, sizeof *count), kinds = 0;
        double distance = 0;
        for (size_t i = 0; i < GRAPHS; i++) {
            leman_graph g = leman_dataset_graph(data, i);
            size_t code = 0;
            for (size_t u = 0; u < N; u++)
                for (size_t v = 0; v < u; v++) code = 2 * code + test_joined(&g, u, v);
            count[code]++;
        }
        for (size_t code = 0; code < 1 << 15; code++) {
            kinds += count[code] > 0;
            if (count[code]) distance += (count[code] - 100.0) * (count[code] - 100.0) / 100;
        }
        assert_int_equal(kinds, KINDS);
        assert_true(distance < 69 + 4 * 12);
        free(count);
        leman_dataset_free(data);
    }
    test_context_free(ctx);
}

/* ---- Power law ------------------------------------------------------------------------------- */

static void test_power_law_is_what_it_says(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_family_options o = leman_family_options_default();
    for (o.vertices = 2; o.vertices <= 30; o.vertices += 7)
        for (o.degree = 1; o.degree < o.vertices && o.degree < 6; o.degree++) {
            leman_dataset *data = test_made(ctx, LEMAN_FAMILY_POWER_LAW, &o);
            leman_graph g = leman_dataset_graph(data, 0);
            assert_int_equal(g.arcs, (o.degree + 1) * o.degree + 2 * (o.vertices - o.degree - 1) * o.degree);
            for (size_t v = 0; v < g.vertices; v++) {
                size_t earlier = 0;
                for (uint64_t e = g.start[v]; e < g.start[v + 1]; e++) earlier += g.head[e] < v;
                assert_int_equal(earlier, v < o.degree ? v : o.degree);
            }
            leman_dataset_free(data);
        }
    o.degree = 0;
    test_refused(LEMAN_FAMILY_POWER_LAW, &o, "expected 1 or more");
    o.degree = o.vertices;
    test_refused(LEMAN_FAMILY_POWER_LAW, &o, "less than that");
    test_context_free(ctx);
}

/* In trees, the share of vertices of degree d tends to 4 / (d (d + 1) (d + 2)): 2/3, 1/6, 1/15. */
static void test_power_law_of_trees(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_family_options o = leman_family_options_default();
    size_t count[4] = {0};
    o.vertices = 40000;
    o.degree = 1;
    leman_dataset *data = test_made(ctx, LEMAN_FAMILY_POWER_LAW, &o);
    leman_graph g = leman_dataset_graph(data, 0);
    for (size_t v = 0; v < g.vertices; v++) {
        const size_t degree = g.start[v + 1] - g.start[v];
        if (degree < 4) count[degree]++;
    }
    for (size_t d = 1; d < 4; d++) {
        const double share = (double)count[d] / (double)o.vertices, expected = 4.0 / (double)(d * (d + 1) * (d + 2));
        assert_true(share > expected - 0.012 && share < expected + 0.012);
    }
    leman_dataset_free(data);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_edge_counts),
        cmocka_unit_test(test_random_pairs_are_independent),
        cmocka_unit_test(test_random_extremes),
        cmocka_unit_test(test_regular_is_regular_and_simple),
        cmocka_unit_test(test_regular_large),
        cmocka_unit_test(test_regular_is_uniform),
        cmocka_unit_test(test_power_law_is_what_it_says),
        cmocka_unit_test(test_power_law_of_trees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
