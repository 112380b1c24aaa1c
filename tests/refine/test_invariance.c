/*
 * What must not change anything: the numbering of vertices, the order of graphs, the other graphs of the data set, the
 * number of threads. Colours are canonical, so "the same" means bit by bit.
 */
#include "support/random_graphs.h"
#include "support/rounds.h"

enum { ROUNDS = 4, GRAPHS = 6 };

/* ---- The numbering of vertices --------------------------------------------------------------- */

/* The number of the tuple whose components are those of `tuple` renamed. */
static size_t renamed(size_t tuple, size_t n, unsigned k, const size_t *place)
{
    size_t out = 0;
    for (size_t j = 0, power = 1; j < k; j++, power *= n, tuple /= n) out += place[tuple % n] * power;
    return out;
}

static void check_relabelled(leman_context *ctx, const leman_graph *g, const leman_graph *h, const size_t *place,
                             const leman_coloring *c)
{
    size_t tuples = 1;
    for (unsigned i = 0; i < c->k; i++) tuples *= g->vertices;
    for (uint32_t r = 0; r <= c->rounds; r++) {
        uint64_t *a = test_tuple_colors(ctx, g, c, r), *b = test_tuple_colors(ctx, h, c, r);
        for (size_t t = 0; t < tuples; t++) assert_int_equal(a[t], b[renamed(t, g->vertices, c->k, place)]);
        free(a);
        free(b);
    }
    leman_histogram *a = test_histogram(ctx, g, c), *b = test_histogram(ctx, h, c);
    assert_true(test_same_histogram(a, b));
    leman_histogram_free(a);
    leman_histogram_free(b);
}

static void test_numbering(void **unused)
{
    (void)unused;
    static const size_t max[] = {0, 30, 16, 7, 4};
    leman_context *ctx = test_context_new(1);
    random_graph *graph = malloc(2 * sizeof *graph);
    size_t cases = test_cases(120);
    assert_non_null(graph);
    for (size_t i = 0; i < cases; i++) {
        uint64_t state = 100 + i;
        unsigned k = 1 + (unsigned)(i % 4);
        size_t place[RANDOM_GRAPH_MAX], n = test_random(&state) % (max[k] + 1);
        random_graph_kind kind = random_graph_kind_draw(&state);
        random_graph_draw(&state, &kind, n, i % 3 == 0, graph);
        random_graph_shuffle(&state, n, place);
        random_graph_relabel(graph, place, graph + 1);
        leman_dataset *data = random_graph_dataset(ctx, &kind, graph, 2);
        leman_graph g = leman_dataset_graph(data, 0), h = leman_dataset_graph(data, 1);
        for (unsigned variant = 0; variant < TEST_VARIANTS; variant++) {
            leman_coloring c = test_variant(variant, k, ROUNDS);
            c.in_arcs = test_random(&state) % 2;
            c.components = test_random(&state) % (k + 1);
            c.seed = test_random(&state) % 2 ? 0 : test_random(&state);
            check_relabelled(ctx, &g, &h, place, &c);
        }
        leman_dataset_free(data);
    }
    free(graph);
    test_context_free(ctx);
}

/* ---- Order, company and threads -------------------------------------------------------------- */

/* The census of the graphs in another order, by other numbers of threads. */
static void check_order(const leman_dataset *data, uint64_t *state, const leman_coloring *c)
{
    leman_context *ctx = test_context_new(1);
    leman_census *first = test_census(ctx, data, c);
    for (int threads = 1; threads <= 3; threads++) {
        leman_context *many = test_context_new(threads);
        leman_dataset *shuffled = NULL;
        size_t order[GRAPHS];
        random_graph_shuffle(state, GRAPHS, order);
        assert_int_equal(leman_dataset_select(many, data, GRAPHS, order, &shuffled), LEMAN_OK);
        leman_census *again = test_census(many, shuffled, c);
        assert_true(test_same_census(first, again));
        leman_census_free(again);
        for (size_t i = 0; i < GRAPHS; i++) { /* a graph is the same wherever it stands */
            leman_graph g = leman_dataset_graph(shuffled, i), h = leman_dataset_graph(data, order[i]);
            leman_histogram *a = test_histogram(many, &g, c), *b = test_histogram(ctx, &h, c);
            assert_true(test_same_histogram(a, b));
            leman_histogram_free(a);
            leman_histogram_free(b);
        }
        leman_dataset_free(shuffled);
        test_context_free(many);
    }
    leman_census_free(first);
    test_context_free(ctx);
}

static void test_order_and_threads(void **unused)
{
    (void)unused;
    static const size_t max[] = {0, 40, 20, 8};
    leman_context *ctx = test_context_new(1);
    random_graph *graph = malloc(GRAPHS * sizeof *graph);
    size_t cases = test_cases(12);
    assert_non_null(graph);
    for (size_t i = 0; i < cases; i++) {
        uint64_t state = 500 + i;
        unsigned k = 1 + (unsigned)(i % 3);
        random_graph_kind kind = random_graph_kind_draw(&state);
        random_graph_draw_family(&state, &kind, max[k], i % 2, GRAPHS, graph);
        leman_dataset *data = random_graph_dataset(ctx, &kind, graph, GRAPHS);
        for (unsigned variant = 0; variant < TEST_VARIANTS; variant++) {
            leman_coloring c = test_variant(variant, k, ROUNDS);
            c.in_arcs = test_random(&state) % 2;
            c.components = test_random(&state) % (k + 1);
            check_order(data, &state, &c);
        }
        leman_dataset_free(data);
    }
    free(graph);
    test_context_free(ctx);
}

/* A small budget makes graphs go one at a time, with all threads inside; the census is the same. */
static void test_budget_does_not_matter(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    uint64_t state = 9;
    random_graph_kind kind = {.vertex_labels = 2, .vertex_columns = 1};
    random_graph *graph = malloc(GRAPHS * sizeof *graph);
    assert_non_null(graph);
    for (size_t i = 0; i < GRAPHS; i++) random_graph_draw(&state, &kind, 30 + i, false, graph + i);
    leman_dataset *data = random_graph_dataset(ctx, &kind, graph, GRAPHS);
    for (unsigned variant = 0; variant < TEST_VARIANTS; variant++) {
        leman_coloring c = test_variant(variant, 2, ROUNDS);
        c.components = variant % 2;
        leman_census *roomy = test_census(ctx, data, &c), *tight = NULL;
        size_t refused = 0, done = 0;
        for (size_t memory = 1 << 14; memory <= 1 << 22; memory *= 2) {
            leman_settings settings = leman_settings_default();
            leman_context *small = NULL;
            settings.threads = 2;
            settings.memory = memory;
            assert_int_equal(leman_context_new(&settings, &small), LEMAN_OK);
            leman_status st = leman_census_compute(small, data, &c, false, &tight);
            if (st) {
                assert_int_equal(st, LEMAN_ERROR_BUDGET);
                refused++;
            } else {
                assert_true(test_same_census(roomy, tight));
                leman_census_free(tight);
                done++;
            }
            leman_context_free(small);
        }
        assert_true(refused && done);
        leman_census_free(roomy);
    }
    leman_dataset_free(data);
    free(graph);
    test_context_free(ctx);
}

/* A large graph under k = 1 is coloured in place, without looking for twins, its vertices shared by threads. The same
 * arcs called directed are copied, and twins looked for. */
static void test_large_graph(void **unused)
{
    (void)unused;
    leman_context *one = test_context_new(1), *two = test_context_new(2);
    leman_family_options o = leman_family_options_default();
    leman_dataset *data = NULL;
    leman_coloring c = test_variant(2, 1, LEMAN_STABLE);
    o.vertices = 70000;
    o.degree = 2;
    assert_int_equal(leman_dataset_generate(one, LEMAN_FAMILY_POWER_LAW, &o, &data), LEMAN_OK);
    leman_graph g = leman_dataset_graph(data, 0), arcs = g;
    arcs.directed = true;
    leman_histogram *a = test_histogram(one, &g, &c), *b = test_histogram(two, &g, &c),
                    *d = test_histogram(one, &arcs, &c);
    leman_census *census = test_census(two, data, &c);
    assert_true(test_same_histogram(a, b));
    assert_true(test_same_histogram(a, d));
    assert_int_equal(census->rounds, a->rounds);
    for (uint32_t r = 0; r < a->rounds; r++) assert_int_equal(census->round[r].colors, a->start[r + 1] - a->start[r]);
    leman_census_free(census);
    leman_histogram_free(a);
    leman_histogram_free(b);
    leman_histogram_free(d);
    leman_dataset_free(data);
    test_context_free(one);
    test_context_free(two);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbering),
        cmocka_unit_test(test_order_and_threads),
        cmocka_unit_test(test_budget_does_not_matter),
        cmocka_unit_test(test_large_graph),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
