/* The graphlet kernel against all sets of vertices, one by one, and graphs whose subgraphs are known. */
#include "support/features.h"
#include "support/graphs.h"
#include "support/random_graphs.h"

enum { GRAPHS = 8, MAX = 16, LARGEST = 5, SHAPES = 64 };

static leman_kernel graphlets(unsigned size)
{
    leman_kernel kernel = leman_kernel_default();
    kernel.kind = LEMAN_KERNEL_KIND_GRAPHLET;
    kernel.graphlet = size;
    return kernel;
}

/* The arc u -> v, or NULL: its place gives its labels. */
static const uint32_t *arc(const leman_graph *g, size_t u, size_t v)
{
    for (uint64_t e = g->start[u]; e < g->start[u + 1]; e++)
        if (g->head[e] == v) return g->head + e;
    return NULL;
}

static bool joined(const leman_graph *g, size_t u, size_t v)
{
    return arc(g, u, v) || arc(g, v, u);
}

static void assert_oracle(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernel,
                          test_features *features)
{
    size_t count;
    lm_pair *entry = test_entries(ctx, data, kernel, &count);
    assert_true(test_features_match(features, entry, count));
    test_features_free(features);
    free(entry);
}

/* ---- Three vertices with labels -------------------------------------------------------------- */

/* Everything that is known about three vertices in this order. */
static test_feature describe(const leman_graph *g, const leman_coloring *c, const size_t *v, size_t number)
{
    test_feature feature = {.graph = number};
    int64_t *word = feature.word;
    size_t vertex_labels = c->ignore_vertex_labels ? 0 : g->vertex_labels;
    size_t edge_labels = c->ignore_edge_labels ? 0 : g->edge_labels;
    for (size_t i = 0; i < 3; i++, word += 2)
        for (size_t j = 0; j < vertex_labels; j++) word[j] = g->vertex_label[v[i] * g->vertex_labels + j];
    for (size_t i = 0; i < 3; i++)
        for (size_t other = 0; other < 3; other++) {
            if (i == other) continue;
            const uint32_t *there = arc(g, v[i], v[other]);
            word[0] = there != NULL;
            for (size_t j = 0; there && j < edge_labels; j++)
                word[1 + j] = g->edge_label[(size_t)(there - g->head) * g->edge_labels + j];
            word += 3;
        }
    return feature;
}

/* Of the six orders, the one with the smallest description. */
static void add_triple(const leman_graph *g, const leman_coloring *c, size_t a, size_t b, size_t d, size_t number,
                       test_features *features)
{
    const size_t order[6][3] = {{a, b, d}, {a, d, b}, {b, a, d}, {b, d, a}, {d, a, b}, {d, b, a}};
    test_feature min = describe(g, c, order[0], number);
    if (joined(g, a, b) + joined(g, a, d) + joined(g, b, d) < 2) return;
    for (size_t i = 1; i < 6; i++) {
        test_feature other = describe(g, c, order[i], number);
        if (memcmp(other.word, min.word, sizeof min.word) < 0) min = other;
    }
    test_features_add(features, &min);
}

static void assert_triples(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernel)
{
    test_features features = {0};
    const leman_coloring coloring = kernel->coloring;
    for (size_t i = 0; i < leman_dataset_shape(data)->graphs; i++) {
        leman_graph g = leman_dataset_graph(data, i);
        for (size_t a = 0; a < g.vertices; a++)
            for (size_t b = a + 1; b < g.vertices; b++)
                for (size_t c = b + 1; c < g.vertices; c++) add_triple(&g, &coloring, a, b, c, i, &features);
    }
    assert_oracle(ctx, data, kernel, &features);
}

static leman_dataset *random_graphs(leman_context *ctx, uint64_t *random, size_t max, bool twins)
{
    random_graph_kind kind = random_graph_kind_draw(random);
    random_graph graph[GRAPHS];
    random_graph_draw_family(random, &kind, test_random(random) % (max + 1), twins, GRAPHS, graph);
    return random_graph_dataset(ctx, &kind, graph, GRAPHS);
}

static void test_three_vertices(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    uint64_t random = 1;
    for (size_t i = 0; i < test_cases(300); i++) {
        leman_kernel kernel = graphlets(3);
        leman_dataset *data = random_graphs(ctx, &random, MAX, i % 2);
        kernel.coloring.ignore_vertex_labels = test_random(&random) % 4 == 0;
        kernel.coloring.ignore_edge_labels = test_random(&random) % 4 == 0;
        assert_triples(ctx, data, &kernel);
        leman_dataset_free(data);
    }
    test_context_free(ctx);
}

/* Arcs both ways with labels of their own: the richest triangles there are. */
static void test_labelled_triangles(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    uint64_t random = 2;
    leman_kernel kernel = graphlets(3);
    for (size_t i = 0; i < test_cases(30); i++) {
        leman_dataset *data = test_random_graph(ctx, &random, 20, 85, 2, 2, true);
        assert_triples(ctx, data, &kernel);
        leman_dataset_free(data);
    }
    test_context_free(ctx);
}

/* ---- Four and five vertices ------------------------------------------------------------------ */

typedef struct shape {
    bool joined[LARGEST][LARGEST];
} shape;

/* Is there an order of the vertices of b, from place `at` on, in which it looks like a? */
static bool isomorphic(const shape *a, const shape *b, size_t size, size_t at, size_t *order)
{
    if (at == size || at == LARGEST) return true;
    for (size_t v = 0; v < size; v++) {
        bool fits = true;
        for (size_t i = 0; i < at; i++) fits &= order[i] != v && a->joined[i][at] == b->joined[order[i]][v];
        order[at] = v;
        if (fits && isomorphic(a, b, size, at + 1, order)) return true;
    }
    return false;
}

static bool connected(const shape *a, size_t size)
{
    uint32_t reached = 1;
    for (size_t again = 0; again < size; again++)
        for (size_t i = 0; i < size; i++)
            for (size_t j = 0; j < size; j++)
                if (reached >> i & 1 && a->joined[i][j]) reached |= UINT32_C(1) << j;
    return reached == (UINT32_C(1) << size) - 1;
}

/* Every set of `size` vertices that contains chosen[0..count) and otherwise larger ones. */
static void add_sets(const leman_graph *g, size_t size, size_t count, size_t *chosen, shape *known, size_t *shapes,
                     size_t number, test_features *features)
{
    if (count < size) {
        for (size_t v = count ? chosen[count - 1] + 1 : 0; v < g->vertices; v++) {
            chosen[count] = v;
            add_sets(g, size, count + 1, chosen, known, shapes, number, features);
        }
        return;
    }
    shape found = {0};
    size_t order[LARGEST], at = 0;
    for (size_t i = 0; i < size; i++)
        for (size_t j = 0; j < size; j++) found.joined[i][j] = i != j && joined(g, chosen[i], chosen[j]);
    if (!connected(&found, size)) return;
    while (at < *shapes && !isomorphic(known + at, &found, size, 0, order)) at++;
    if (at == *shapes) known[(*shapes)++] = found;
    assert_true(*shapes < SHAPES);
    test_features_add(features, &(test_feature){.graph = number, .word = {(int64_t)at}});
}

static void assert_sets(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernel)
{
    test_features features = {0};
    shape known[SHAPES];
    size_t shapes = 0, chosen[LARGEST];
    for (size_t i = 0; i < leman_dataset_shape(data)->graphs; i++) {
        leman_graph g = leman_dataset_graph(data, i);
        add_sets(&g, kernel->graphlet, 0, chosen, known, &shapes, i, &features);
    }
    assert_oracle(ctx, data, kernel, &features);
}

static void test_four_and_five_vertices(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    uint64_t random = 3;
    for (size_t i = 0; i < test_cases(60); i++) {
        leman_kernel kernel = graphlets(4 + (unsigned)(i % 2));
        leman_dataset *data = random_graphs(ctx, &random, 11, i % 3 == 0);
        assert_sets(ctx, data, &kernel);
        leman_dataset_free(data);
    }
    test_context_free(ctx);
}

/* There are 6 connected graphs on 4 vertices and 21 on 5; a large random graph has them all. */
static void test_all_shapes(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    uint64_t random = 4;
    leman_dataset *data = test_random_graph(ctx, &random, 30, 50, 0, 0, false);
    for (unsigned size = 3; size <= 5; size++) {
        leman_kernel kernel = graphlets(size);
        size_t count;
        free(test_entries(ctx, data, &kernel, &count));
        assert_int_equal(count, size == 3 ? 2 : size == 4 ? 6 : 21);
    }
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* ---- Well-known graphs ----------------------------------------------------------------------- */

static void expect(leman_context *ctx, const leman_dataset *data, unsigned size, const uint64_t *value, size_t values)
{
    leman_kernel kernel = graphlets(size);
    size_t count;
    lm_pair *entry = test_entries(ctx, data, &kernel, &count);
    assert_true(test_values_are(entry, count, 0, value, values));
    free(entry);
}

static void test_known_graphs(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_family_options options = leman_family_options_default();
    options.vertices = 9;
    leman_dataset *complete = test_made(ctx, LEMAN_FAMILY_COMPLETE, &options);
    expect(ctx, complete, 3, (uint64_t[]){84}, 1);
    expect(ctx, complete, 4, (uint64_t[]){126}, 1);
    expect(ctx, complete, 5, (uint64_t[]){126}, 1);
    leman_dataset *cycle = test_made(ctx, LEMAN_FAMILY_CYCLE, &options);
    for (unsigned size = 3; size <= 5; size++) expect(ctx, cycle, size, (uint64_t[]){9}, 1);
    options.vertices = 0;
    /* Cubic, no cycle below 5: 10 * 3 paths of 3 vertices; of 4, 15 * 4 paths and 10 claws; of 5, 12 cycles, and from
     * each claw 3 * 2 forks. A path of 4 vertices goes on at either end in two ways, one of which closes a 5-cycle: 60
     * * 2 / 2 paths of 5 that stay open. */
    leman_dataset *petersen = test_made(ctx, LEMAN_FAMILY_PETERSEN, &options);
    expect(ctx, petersen, 3, (uint64_t[]){30}, 1);
    expect(ctx, petersen, 4, (uint64_t[]){10, 60}, 2);
    expect(ctx, petersen, 5, (uint64_t[]){12, 60, 60}, 3);
    leman_dataset *star = test_star(ctx, 50, false);
    expect(ctx, star, 3, (uint64_t[]){1225}, 1);
    expect(ctx, star, 4, (uint64_t[]){19600}, 1);
    expect(ctx, star, 5, (uint64_t[]){230300}, 1);
    leman_dataset_free(complete);
    leman_dataset_free(cycle);
    leman_dataset_free(petersen);
    leman_dataset_free(star);
    leman_dataset *hub = test_star(ctx, 100000, false); /* counted by kinds of neighbours, not one by one */
    expect(ctx, hub, 3, (uint64_t[]){UINT64_C(100000) * 99999 / 2}, 1);
    leman_dataset_free(hub);
    test_context_free(ctx);
}

/* A path and a triangle of the same labels are two features. */
static void test_path_is_no_triangle(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    random_graph_kind kind = {0};
    random_graph graph[2] = {{.n = 3}, {.n = 3}};
    leman_kernel kernel = graphlets(3);
    for (size_t i = 0; i < 2; i++) {
        random_graph_toggle(&kind, graph + i, 0, 1);
        random_graph_toggle(&kind, graph + i, 1, 2);
    }
    random_graph_toggle(&kind, graph + 1, 0, 2);
    leman_dataset *data = random_graph_dataset(ctx, &kind, graph, 2);
    size_t count;
    lm_pair *entry = test_entries(ctx, data, &kernel, &count);
    assert_int_equal(count, 2);
    assert_int_not_equal(entry[0].key, entry[1].key);
    free(entry);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* ---- Orders, threads, failures --------------------------------------------------------------- */

static void assert_same_graphs(const lm_pair *entry, size_t count, size_t one, size_t two)
{
    size_t a, b;
    lm_pair *of = test_entries_of(entry, count, one, &a), *other = test_entries_of(entry, count, two, &b);
    assert_int_equal(a, b);
    assert_memory_equal(of, other, a * sizeof *of);
    free(of);
    free(other);
}

static void test_orders_and_threads(void **state)
{
    (void)state;
    uint64_t random = 6;
    for (size_t i = 0; i < test_cases(45); i++) {
        leman_context *ctx = test_context_new(1);
        random_graph_kind kind = random_graph_kind_draw(&random);
        random_graph graph[GRAPHS];
        leman_kernel kernel = graphlets(3 + (unsigned)(i % 3));
        size_t place[RANDOM_GRAPH_MAX], count, other;
        for (size_t g = 0; g < GRAPHS; g += 2) {
            random_graph_draw(&random, &kind, test_random(&random) % (MAX + 1), false, graph + g);
            random_graph_shuffle(&random, graph[g].n, place);
            random_graph_relabel(graph + g, place, graph + g + 1);
        }
        leman_dataset *data = random_graph_dataset(ctx, &kind, graph, GRAPHS);
        lm_pair *entry = test_entries(ctx, data, &kernel, &count);
        for (size_t g = 0; g < GRAPHS; g += 2) assert_same_graphs(entry, count, g, g + 1);
        for (int threads = 2; threads <= 3; threads++) {
            leman_context *crowd = test_context_new(threads);
            lm_pair *again = test_entries(crowd, data, &kernel, &other);
            assert_int_equal(count, other);
            assert_memory_equal(entry, again, count * sizeof *entry);
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
    lm_triples triples = {0};
    lm_pair *entry = NULL;
    size_t count;
    TRY(lm_triples_new(ctx, 3, 2, &triples));
    for (unsigned size = 3; size <= 5; size++) {
        leman_kernel kernel = graphlets(size);
        TRY(lm_triples_of_graphlets(ctx, state, &kernel, size - 3, 1, &triples)); /* the same graph as three */
    }
    TRY(lm_triples_sort(ctx, &triples, 1, 0, &entry, &count));
    assert_true(lm_pair_graph(entry[0]) < 3);
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
    leman_dataset *data = test_random_graph(ctx, &random, 30, 20, 3, 2, true);
    assert_true(test_fail_each_allocation(compute, data) > 3);
    leman_dataset_free(data);
    test_context_free(ctx);
}

static void test_wrong_sizes(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = test_star(ctx, 3, false);
    double out = 77;
    for (unsigned size = 0; size < 9; size++) {
        leman_kernel kernel = graphlets(size);
        if (size >= 3 && size <= 5) continue;
        assert_int_equal(leman_gram_compute(ctx, data, NULL, &kernel, 1, false, &out), LEMAN_ERROR_ARGUMENT);
        assert_non_null(strstr(leman_context_message(ctx), "expected 3, 4 or 5"));
        assert_true(out == 77);
    }
    leman_dataset_free(data);
    test_context_free(ctx);
}

static void test_stopping(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_kernel three = graphlets(3), five = graphlets(5);
    leman_dataset *different = test_star(ctx, 30000, true), *alike = test_star(ctx, 2000, false);
    test_stops(different, &three);
    test_stops(alike, &five);
    leman_dataset_free(different);
    leman_dataset_free(alike);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_three_vertices),
        cmocka_unit_test(test_labelled_triangles),
        cmocka_unit_test(test_four_and_five_vertices),
        cmocka_unit_test(test_all_shapes),
        cmocka_unit_test(test_known_graphs),
        cmocka_unit_test(test_path_is_no_triangle),
        cmocka_unit_test(test_orders_and_threads),
        cmocka_unit_test(test_failing_allocations),
        cmocka_unit_test(test_wrong_sizes),
        cmocka_unit_test(test_stopping),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
