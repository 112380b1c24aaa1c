/* Pairs of neighbourhoods and trees: trees against a table of all trees, pairs in known graphs, and the order of vertices,
 * graphs and threads. tests/python/test_grakel_features.py has the definition of pairs. */
#include "support/features.h"
#include "support/graphs.h"
#include "support/random_graphs.h"
#include <math.h>

enum { GRAPHS = 6, MAX = 9, CHILDREN = MAX, TREES = 100000 };

static const leman_kernel_kind KINDS[] = {LEMAN_KERNEL_KIND_NEIGHBORHOOD_PAIRS, LEMAN_KERNEL_KIND_TREES};

static leman_kernel kernel_of(leman_kernel_kind kind, uint8_t radius, uint8_t distance)
{
    leman_kernel kernel = leman_kernel_default();
    kernel.kind = kind;
    kernel.radius = radius;
    kernel.distance = distance;
    return kernel;
}

/* ---- Trees, numbered ------------------------------------------------------------------------- */

/* A tree: its label, and its children, sorted, each with the label of its arc. */
typedef struct tree {
    int64_t label[2];
    int64_t child[CHILDREN][3]; /* number, label of the arc */
    size_t children;
} tree;

static tree *known;
static size_t known_count;

static int compare_children(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(int64_t[3]));
}

static size_t number_of(tree *t)
{
    size_t i = 0;
    qsort(t->child, t->children, sizeof *t->child, compare_children);
    while (i < known_count && memcmp(known + i, t, sizeof *t)) i++;
    assert_true(i < TREES);
    if (i == known_count) known[known_count++] = *t;
    return i;
}

static void find_depths(const leman_graph *g, size_t root, size_t depth[MAX])
{
    for (size_t v = 0; v < g->vertices; v++) depth[v] = v == root ? 0 : SIZE_MAX;
    for (size_t d = 0; d < g->vertices; d++)
        for (size_t u = 0; u < g->vertices; u++)
            for (uint64_t e = g->start[u]; e < g->start[u + 1] && depth[u] == d; e++)
                if (depth[g->head[e]] == SIZE_MAX) depth[g->head[e]] = d + 1;
}

static size_t tree_at(const leman_graph *g, size_t u, const leman_kernel *kernel, const size_t *depth)
{
    tree t;
    memset(&t, 0, sizeof t);
    for (size_t i = 0; i < g->vertex_labels && !kernel->coloring.ignore_vertex_labels; i++)
        t.label[i] = g->vertex_label[u * g->vertex_labels + i];
    for (uint64_t e = g->start[u]; e < g->start[u + 1] && depth[u] < kernel->radius; e++) {
        if (depth[g->head[e]] != depth[u] + 1) continue;
        int64_t *child = t.child[t.children++];
        child[0] = (int64_t)tree_at(g, g->head[e], kernel, depth);
        for (size_t i = 0; i < g->edge_labels && !kernel->coloring.ignore_edge_labels; i++)
            child[1 + i] = g->edge_label[e * g->edge_labels + i];
    }
    return number_of(&t);
}

static void test_trees(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(2);
    uint64_t random = 1;
    known = malloc(TREES * sizeof *known);
    assert_non_null(known);
    for (size_t i = 0; i < test_cases(60); i++) {
        random_graph_kind kind = random_graph_kind_draw(&random);
        random_graph graph[GRAPHS];
        const size_t radius = test_random(&random) % 5;
        leman_kernel kernel = kernel_of(LEMAN_KERNEL_KIND_TREES, (uint8_t)(radius < 4 ? radius : 255), 0);
        random_graph_draw_family(&random, &kind, test_random(&random) % (MAX + 1), i % 2, GRAPHS, graph);
        leman_dataset *data = random_graph_dataset(ctx, &kind, graph, GRAPHS);
        kernel.coloring.ignore_vertex_labels = test_random(&random) % 4 == 0;
        kernel.coloring.ignore_edge_labels = test_random(&random) % 2;
        test_features features = {0};
        size_t count, depth[MAX];
        known_count = 0;
        for (size_t number = 0; number < GRAPHS; number++) {
            leman_graph g = leman_dataset_graph(data, number);
            for (size_t root = 0; root < g.vertices; root++) {
                find_depths(&g, root, depth);
                for (size_t u = 0; u < g.vertices; u++) {
                    if (depth[u] > kernel.radius) continue;
                    test_feature feature = {.graph = number, .word = {(int64_t)tree_at(&g, u, &kernel, depth)}};
                    test_features_add(&features, &feature);
                }
            }
        }
        lm_pair *entry = test_entries(ctx, data, &kernel, &count);
        assert_true(test_features_match(&features, entry, count));
        test_features_free(&features);
        free(entry);
        leman_dataset_free(data);
    }
    free(known);
    test_context_free(ctx);
}

/* ---- Known graphs ---------------------------------------------------------------------------- */

/* All balls of a cycle are alike: for every radius and distance one feature, of length 1. A path of three vertices has two
 * ends and a middle; at radius 0 all are alike. At radius 1, distance 0: ends twice, the middle once: 2 and 1 of sqrt(5);
 * distance 1: end - middle twice, middle - end twice; distance 2: two ends, twice. */
static void test_known_graphs(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_family_options options = leman_family_options_default();
    const double unit = 1 / LM_KERNEL_PAIR_UNIT;
    size_t count;
    uint64_t ones[12];
    options.vertices = 9;
    leman_dataset *cycle = test_made(ctx, LEMAN_FAMILY_CYCLE, &options);
    leman_kernel kernel = kernel_of(LEMAN_KERNEL_KIND_NEIGHBORHOOD_PAIRS, 2, 3);
    lm_pair *entry = test_entries(ctx, cycle, &kernel, &count);
    for (size_t i = 0; i < 12; i++) ones[i] = (uint64_t)unit;
    assert_true(test_values_are(entry, count, 0, ones, 12));
    free(entry);
    double gram = 0;
    assert_int_equal(leman_gram_compute(ctx, cycle, NULL, &kernel, 1, false, &gram), LEMAN_OK);
    assert_true(gram == 12);
    kernel.assignment = true;
    assert_int_equal(leman_gram_compute(ctx, cycle, NULL, &kernel, 1, false, &gram), LEMAN_OK);
    assert_true(gram == 12);
    leman_dataset_free(cycle);
    options.vertices = 3;
    leman_dataset *path = test_made(ctx, LEMAN_FAMILY_PATH, &options);
    kernel = kernel_of(LEMAN_KERNEL_KIND_NEIGHBORHOOD_PAIRS, 1, 4);
    entry = test_entries(ctx, path, &kernel, &count);
    assert_int_equal(count, 8); /* radius 0: distances 0, 1 and 2; radius 1: 2 + 2 + 1 */
    const double expected_values[] = {1 / sqrt(5), 1 / sqrt(2), 1 / sqrt(2), 2 / sqrt(5), 1, 1, 1, 1};
    uint64_t expected[8];
    for (size_t i = 0; i < 8; i++) expected[i] = (uint64_t)llround(expected_values[i] * unit);
    assert_true(test_values_are(entry, count, 0, expected, 8));
    free(entry);
    leman_features *features = NULL;
    assert_int_equal(leman_features_compute(ctx, path, &kernel, 1, NULL, &features), LEMAN_OK);
    double square = 0;
    for (size_t i = 0; i < features->entries; i++) square += features->value[i] * features->value[i];
    assert_true(fabs(square - 6) < 1e-8); /* six pairs of a radius and a distance */
    leman_features_free(features);
    leman_dataset_free(path);
    test_context_free(ctx);
}

/* ---- Orders, threads, failures --------------------------------------------------------------- */

static void test_orders_and_threads(void **state)
{
    (void)state;
    uint64_t random = 6;
    for (size_t i = 0; i < test_cases(40); i++) {
        leman_context *ctx = test_context_new(1), *crowd = test_context_new(3);
        random_graph graph[GRAPHS];
        random_graph_kind kind = random_graph_kind_draw(&random);
        size_t place[RANDOM_GRAPH_MAX], count, other;
        leman_kernel kernel = kernel_of(KINDS[i % 2], 2, 3);
        for (size_t g = 0; g < GRAPHS; g += 2) {
            random_graph_draw(&random, &kind, test_random(&random) % (2 * MAX), false, graph + g);
            random_graph_shuffle(&random, graph[g].n, place);
            random_graph_relabel(graph + g, place, graph + g + 1);
        }
        leman_dataset *data = random_graph_dataset(ctx, &kind, graph, GRAPHS);
        lm_pair *entry = test_entries(ctx, data, &kernel, &count), *again = test_entries(crowd, data, &kernel, &other);
        assert_true(count == other && !memcmp(entry, again, count * sizeof *entry));
        for (size_t g = 0; g < GRAPHS; g += 2) {
            size_t a, b;
            lm_pair *of = test_entries_of(entry, count, g, &a), *copy = test_entries_of(entry, count, g + 1, &b);
            assert_true(a == b && !memcmp(of, copy, a * sizeof *of));
            free(of);
            free(copy);
        }
        free(again);
        free(entry);
        leman_dataset_free(data);
        test_context_free(crowd);
        test_context_free(ctx);
    }
}

static leman_status compute(leman_context *ctx, void *state)
{
    leman_status st = LEMAN_OK;
    leman_kernel pairs = kernel_of(LEMAN_KERNEL_KIND_NEIGHBORHOOD_PAIRS, 1, 2);
    leman_kernel trees = kernel_of(LEMAN_KERNEL_KIND_TREES, 2, 0);
    lm_triples triples = {0};
    TRY(lm_triples_new(ctx, 1, 2, &triples));
    TRY(lm_triples_of_ball_pairs(ctx, state, &pairs, 0, 0, &triples));
    TRY(lm_triples_of_trees(ctx, state, &trees, 0, 1, &triples));
done:
    lm_triples_free(&triples);
    return st;
}

static void test_failing_allocations(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    uint64_t random = 7;
    leman_dataset *data = test_random_graph(ctx, &random, 60, 5, 3, 2, false);
    assert_true(test_fail_each_allocation(compute, data) > 2);
    leman_dataset_free(data);
    test_context_free(ctx);
}

static void test_stopping(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_family_options options = leman_family_options_default();
    options.vertices = 20000;
    leman_dataset *data = test_made(ctx, LEMAN_FAMILY_CYCLE, &options);
    for (size_t i = 0; i < 2; i++) {
        leman_kernel kernel = kernel_of(KINDS[i], 255, 255);
        test_stops(data, &kernel);
    }
    leman_dataset_free(data);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trees),
        cmocka_unit_test(test_known_graphs),
        cmocka_unit_test(test_orders_and_threads),
        cmocka_unit_test(test_failing_allocations),
        cmocka_unit_test(test_stopping),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
