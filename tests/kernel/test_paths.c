/* The shortest-path kernel against Floyd and Warshall, known graphs, and the order of vertices, graphs and threads. */
#include "support/features.h"
#include "support/graphs.h"
#include "support/random_graphs.h"
#include <math.h>

enum { GRAPHS = 8, MAX = 20, SIDE = 256 };

static leman_kernel shortest_path(void)
{
    leman_kernel kernel = leman_kernel_default();
    kernel.kind = LEMAN_KERNEL_KIND_SHORTEST_PATH;
    return kernel;
}

/* ---- The oracle ------------------------------------------------------------------------------ */

static double distance[SIDE][SIDE];

static void floyd_warshall(const leman_graph *g, bool weighted)
{
    size_t n = g->vertices;
    assert_true(n <= SIDE);
    for (size_t u = 0; u < n; u++)
        for (size_t v = 0; v < n; v++) distance[u][v] = u == v ? 0 : INFINITY;
    for (size_t u = 0; u < n; u++)
        for (uint64_t e = g->start[u]; e < g->start[u + 1]; e++) {
            double length = weighted ? g->edge_attribute[e * g->edge_attributes] : 1;
            if (length < distance[u][g->head[e]]) distance[u][g->head[e]] = length;
        }
    for (size_t w = 0; w < n; w++)
        for (size_t u = 0; u < n; u++)
            for (size_t v = 0; v < n; v++)
                if (distance[u][w] + distance[w][v] < distance[u][v]) distance[u][v] = distance[u][w] + distance[w][v];
}

/* Distances that are multiples of a quarter are whole numbers here. */
static void add_pairs(const leman_graph *g, size_t number, const leman_kernel *kernel, test_features *features)
{
    size_t columns = kernel->coloring.ignore_vertex_labels ? 0 : g->vertex_labels;
    floyd_warshall(g, kernel->weighted);
    for (size_t u = 0; u < g->vertices; u++)
        for (size_t v = 0; v < g->vertices; v++) {
            if (u == v || distance[u][v] == INFINITY) continue;
            test_feature feature = {.graph = number, .word = {(int64_t)(4 * distance[u][v])}};
            for (size_t i = 0; i < columns; i++) {
                feature.word[1 + i] = g->vertex_label[u * columns + i];
                feature.word[8 + i] = g->vertex_label[v * columns + i];
            }
            test_features_add(features, &feature);
        }
}

static void assert_as_defined(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernel)
{
    test_features features = {0};
    size_t count;
    lm_pair *entry = test_entries(ctx, data, kernel, &count);
    for (size_t i = 0; i < leman_dataset_shape(data)->graphs; i++) {
        leman_graph g = leman_dataset_graph(data, i);
        add_pairs(&g, i, kernel, &features);
    }
    assert_true(test_features_match(&features, entry, count));
    test_features_free(&features);
    free(entry);
}

/* ---- Against the oracle ---------------------------------------------------------------------- */

static void test_small_graphs(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    uint64_t random = 1;
    for (size_t i = 0; i < test_cases(300); i++) {
        random_graph_kind kind = random_graph_kind_draw(&random);
        random_graph graph[GRAPHS];
        leman_kernel kernel = shortest_path();
        random_graph_draw_family(&random, &kind, test_random(&random) % (MAX + 1), i % 2, GRAPHS, graph);
        leman_dataset *data = random_graph_dataset(ctx, &kind, graph, GRAPHS);
        kernel.coloring.ignore_vertex_labels = test_random(&random) % 4 == 0;
        kernel.coloring.ignore_edge_labels = test_random(&random) % 2;
        assert_as_defined(ctx, data, &kernel);
        leman_dataset_free(data);
    }
    test_context_free(ctx);
}

/* More sources than fit one batch, sparse enough that not every vertex is reached. */
static void test_larger_graphs(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(2);
    uint64_t random = 2;
    leman_kernel kernel = shortest_path();
    for (unsigned labels = 0; labels <= 200; labels = labels ? labels * 10 : 2)
        for (int directed = 0; directed < 2; directed++)
            for (unsigned percent = 1; percent <= 4; percent += 3) {
                leman_dataset *data = test_random_graph(ctx, &random, 200, percent, labels, 0, directed);
                assert_as_defined(ctx, data, &kernel);
                leman_dataset_free(data);
            }
    test_context_free(ctx);
}

static void test_tiny_graphs(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(2);
    random_graph_kind kind = {0};
    random_graph graph[4] = {{.n = 0}, {.n = 1}, {.n = 2}, {.n = 2}};
    leman_kernel kernel = shortest_path();
    random_graph_toggle(&kind, graph + 3, 0, 1);
    leman_dataset *data = random_graph_dataset(ctx, &kind, graph, 4), *none = NULL;
    size_t count;
    lm_pair *entry = test_entries(ctx, data, &kernel, &count);
    assert_int_equal(count, 1);
    assert_int_equal(lm_pair_graph(entry[0]), 3);
    assert_int_equal(lm_pair_value(entry[0]), 2);
    free(entry);
    assert_int_equal(leman_dataset_select(ctx, data, 0, NULL, &none), LEMAN_OK);
    free(test_entries(ctx, none, &kernel, &count));
    assert_int_equal(count, 0);
    leman_dataset_free(none);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* ---- Well-known graphs ----------------------------------------------------------------------- */

static void expect(leman_context *ctx, leman_dataset *data, const uint64_t *value, size_t values)
{
    leman_kernel kernel = shortest_path();
    size_t count;
    lm_pair *entry = test_entries(ctx, data, &kernel, &count);
    assert_true(test_values_are(entry, count, 0, value, values));
    free(entry);
    leman_dataset_free(data);
}

static void test_known_graphs(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_family_options options = leman_family_options_default();
    options.vertices = 70;
    expect(ctx, test_made(ctx, LEMAN_FAMILY_COMPLETE, &options), (uint64_t[]){70 * 69}, 1);
    options.vertices = 7; /* two vertices at each distance 1, 2, 3 */
    expect(ctx, test_made(ctx, LEMAN_FAMILY_CYCLE, &options), (uint64_t[]){14, 14, 14}, 3);
    options.vertices = 6; /* one opposite */
    expect(ctx, test_made(ctx, LEMAN_FAMILY_CYCLE, &options), (uint64_t[]){6, 12, 12}, 3);
    options.vertices = 0;
    expect(ctx, test_made(ctx, LEMAN_FAMILY_PETERSEN, &options), (uint64_t[]){30, 60}, 2);
    expect(ctx, test_star(ctx, 1000, false), (uint64_t[]){2000, 1000 * 999}, 2);
    uint64_t path[199]; /* 2 (200 - d) pairs at distance d */
    for (size_t i = 0; i < 199; i++) path[i] = 2 * (i + 1);
    options.vertices = 200;
    expect(ctx, test_made(ctx, LEMAN_FAMILY_PATH, &options), path, 199);
    test_context_free(ctx);
}

/* ---- Lengths --------------------------------------------------------------------------------- */

typedef double draw(uint64_t *random);

static double quarters(uint64_t *random)
{
    return 0.25 * (double)(test_random(random) % 9); /* 0 is a length too */
}

static double ones(uint64_t *random)
{
    (void)random;
    return 1;
}

static double reals(uint64_t *random)
{
    return (double)test_random(random) / 1e19;
}

static double zeros(uint64_t *random)
{
    return test_random(random) % 2 ? 0.0 : -0.0;
}

/* A random graph, and the same with its vertices in another order, as graphs 0 and 1. */
static leman_dataset *with_lengths(leman_context *ctx, uint64_t *random, size_t n, bool directed, draw *length)
{
    leman_columns columns = {.vertex_labels = 1, .edge_attributes = 2};
    leman_policy policy = leman_policy_default();
    leman_builder *builder = NULL;
    leman_dataset *data = NULL;
    size_t place[MAX], vertex[MAX];
    double attributes[MAX][MAX][2];
    bool arc[MAX][MAX];
    int64_t label[MAX];
    random_graph_shuffle(random, n, place);
    for (size_t u = 0; u < n; u++) {
        vertex[place[u]] = u;
        label[u] = (int64_t)(test_random(random) % 2);
        for (size_t v = 0; v < n; v++) {
            arc[u][v] = u != v && test_random(random) % 100 < 20;
            attributes[u][v][0] = length(random);
            attributes[u][v][1] = -1; /* of no concern */
        }
    }
    policy.directed = directed;
    assert_int_equal(leman_builder_new(ctx, "lengths", &columns, &builder), LEMAN_OK);
    for (int shuffled = 0; shuffled < 2; shuffled++) {
        assert_int_equal(leman_builder_graph(builder, NULL, NULL, NULL), LEMAN_OK);
        for (size_t v = 0; v < n; v++)
            assert_int_equal(leman_builder_vertex(builder, NULL, label + (shuffled ? vertex[v] : v), NULL), LEMAN_OK);
        for (size_t u = 0; u < n; u++)
            for (size_t v = 0; v < n; v++)
                if (arc[u][v] && (directed || u < v))
                    assert_int_equal(leman_builder_edge(builder, shuffled ? place[u] : u, shuffled ? place[v] : v, NULL,
                                                        attributes[u][v]),
                                     LEMAN_OK);
    }
    assert_int_equal(leman_builder_finish(builder, &policy, NULL, &data), LEMAN_OK);
    leman_builder_free(builder);
    return data;
}

static bool same_entries(const lm_pair *a, size_t count, const lm_pair *b, size_t other)
{
    return count == other && !memcmp(a, b, count * sizeof *a);
}

static bool same_graphs(const lm_pair *entry, size_t count, size_t one, size_t two)
{
    size_t a, b;
    lm_pair *of = test_entries_of(entry, count, one, &a), *other = test_entries_of(entry, count, two, &b);
    bool same = same_entries(of, a, other, b);
    free(of);
    free(other);
    return same;
}

static void test_lengths(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    uint64_t random = 3;
    leman_kernel plain = shortest_path(), kernel = plain;
    kernel.weighted = true;
    for (size_t i = 0; i < test_cases(100); i++) {
        size_t n = test_random(&random) % (MAX + 1), count, other;
        leman_dataset *data = with_lengths(ctx, &random, n, i % 2, quarters);
        assert_as_defined(ctx, data, &kernel);
        leman_dataset_free(data);

        data = with_lengths(ctx, &random, n, i % 2, ones); /* the plain kernel */
        lm_pair *entry = test_entries(ctx, data, &kernel, &count), *steps = test_entries(ctx, data, &plain, &other);
        assert_true(same_entries(entry, count, steps, other));
        free(entry);
        free(steps);
        leman_dataset_free(data);

        data = with_lengths(ctx, &random, n, i % 2, reals); /* rounded, but in no order of vertices */
        entry = test_entries(ctx, data, &kernel, &count);
        assert_true(same_graphs(entry, count, 0, 1));
        free(entry);
        leman_dataset_free(data);

        data = with_lengths(ctx, &random, n, i % 2, zeros); /* both zeros are the same length */
        assert_as_defined(ctx, data, &kernel);
        leman_dataset_free(data);
    }
    test_context_free(ctx);
}

static void refuses(leman_context *ctx, double length, const char *word)
{
    uint64_t random = 4;
    leman_kernel kernel = shortest_path();
    leman_columns columns = {.edge_attributes = 1};
    leman_builder *builder = NULL;
    leman_dataset *data = NULL;
    lm_triples triples;
    kernel.weighted = true;
    assert_int_equal(leman_builder_new(ctx, "odd", &columns, &builder), LEMAN_OK);
    for (int graph = 0; graph < 3; graph++) {
        double good = quarters(&random);
        assert_int_equal(leman_builder_graph(builder, NULL, NULL, NULL), LEMAN_OK);
        for (int v = 0; v < 2; v++) assert_int_equal(leman_builder_vertex(builder, NULL, NULL, NULL), LEMAN_OK);
        assert_int_equal(leman_builder_edge(builder, 0, 1, NULL, graph ? &length : &good), LEMAN_OK);
    }
    assert_int_equal(leman_builder_finish(builder, NULL, NULL, &data), LEMAN_OK);
    leman_builder_free(builder);
    assert_int_equal(lm_triples_new(ctx, 3, 1, &triples), LEMAN_OK);
    assert_int_equal(lm_triples_of_paths(ctx, data, &kernel, 0, 0, &triples), LEMAN_ERROR_INPUT);
    assert_non_null(strstr(leman_context_message(ctx), "graph 1 of odd")); /* the first that is wrong */
    assert_non_null(strstr(leman_context_message(ctx), word));
    lm_triples_free(&triples);
    leman_dataset_free(data);
}

static void test_wrong_lengths(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(2);
    refuses(ctx, -0.5, "-0.5");
    refuses(ctx, 1.5e308, "1.5e+308"); /* twice that is no number any more */
    uint64_t random = 5;
    leman_dataset *data = test_random_graph(ctx, &random, 5, 50, 0, 0, false);
    leman_kernel kernel = shortest_path();
    lm_triples triples;
    kernel.weighted = true;
    assert_int_equal(lm_triples_new(ctx, 1, 1, &triples), LEMAN_OK);
    assert_int_equal(lm_triples_of_paths(ctx, data, &kernel, 0, 0, &triples), LEMAN_ERROR_INPUT);
    assert_non_null(strstr(leman_context_message(ctx), "no edge attributes"));
    lm_triples_free(&triples);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* ---- Orders, threads, failures --------------------------------------------------------------- */

static leman_dataset *shuffled_pairs(leman_context *ctx, uint64_t *random, random_graph *graph)
{
    random_graph_kind kind = random_graph_kind_draw(random);
    size_t place[RANDOM_GRAPH_MAX];
    for (size_t i = 0; i < GRAPHS; i += 2) {
        random_graph_draw(random, &kind, test_random(random) % (MAX + 1), false, graph + i);
        random_graph_shuffle(random, graph[i].n, place);
        random_graph_relabel(graph + i, place, graph + i + 1);
    }
    return random_graph_dataset(ctx, &kind, graph, GRAPHS);
}

static void test_orders_and_threads(void **state)
{
    (void)state;
    uint64_t random = 6;
    leman_kernel kernel = shortest_path();
    for (size_t i = 0; i < test_cases(50); i++) {
        leman_context *ctx = test_context_new(1);
        random_graph graph[GRAPHS];
        leman_dataset *data = shuffled_pairs(ctx, &random, graph);
        size_t count, other;
        lm_pair *entry = test_entries(ctx, data, &kernel, &count);
        for (size_t g = 0; g < GRAPHS; g += 2) assert_true(same_graphs(entry, count, g, g + 1));
        for (int threads = 2; threads <= 3; threads++) {
            leman_context *crowd = test_context_new(threads);
            lm_pair *again = test_entries(crowd, data, &kernel, &other);
            assert_true(same_entries(entry, count, again, other));
            free(again);
            test_context_free(crowd);
        }
        free(entry);
        leman_dataset_free(data);
        test_context_free(ctx);
    }
}

static leman_status compute(leman_context *ctx, void *state)
{
    leman_status st = LEMAN_OK;
    leman_kernel kernel = shortest_path();
    lm_triples triples = {0};
    lm_pair *entry = NULL;
    size_t count;
    TRY(lm_triples_new(ctx, 4, 2, &triples));
    TRY(lm_triples_of_paths(ctx, state, &kernel, 0, 1, &triples));
    kernel.weighted = true;
    TRY(lm_triples_of_paths(ctx, state, &kernel, 2, 1, &triples)); /* further graphs of the same block */
    TRY(lm_triples_sort(ctx, &triples, 1, 0, &entry, &count));
    assert_true(lm_pair_graph(entry[0]) < 4);
done:
    lm_release(entry);
    lm_triples_free(&triples);
    return st;
}

static void test_failing_allocations(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    uint64_t random = 7;
    leman_dataset *data = with_lengths(ctx, &random, MAX, false, reals);
    assert_true(test_fail_each_allocation(compute, data) > 3);
    leman_dataset_free(data);
    test_context_free(ctx);
}

static void test_stopping(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_family_options options = leman_family_options_default();
    leman_kernel kernel = shortest_path();
    options.vertices = 40000;
    leman_dataset *data = test_made(ctx, LEMAN_FAMILY_PATH, &options);
    test_stops(data, &kernel);
    leman_dataset_free(data);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_graphs),
        cmocka_unit_test(test_larger_graphs),
        cmocka_unit_test(test_tiny_graphs),
        cmocka_unit_test(test_known_graphs),
        cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_wrong_lengths),
        cmocka_unit_test(test_orders_and_threads),
        cmocka_unit_test(test_failing_allocations),
        cmocka_unit_test(test_stopping),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
