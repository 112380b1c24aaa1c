/*
 * Colourings of items (pairs in order, vertices with distances, sets): failing allocations, memory against its estimate, and
 * graphs whose vertices change their numbers. tests/cli/test_items.py compares the colours with their definitions.
 */
#include "support/meter.h"
#include "support/random_graphs.h"
#include "support/rounds.h"

enum { FIRST = LEMAN_ALGORITHM_SWL_VS };

static leman_coloring item_coloring(int algorithm, unsigned k)
{
    leman_coloring c = leman_coloring_default();
    c.algorithm = (leman_algorithm)algorithm;
    c.k = leman_algorithm_k(c.algorithm) ? leman_algorithm_k(c.algorithm) : k;
    c.rounds = 3;
    return c;
}

/* ---- Failing allocations --------------------------------------------------------------------- */

typedef struct attempt {
    leman_coloring coloring;
    const leman_dataset *data;
    bool as_union;
} attempt;

static leman_status try_census(leman_context *ctx, void *state)
{
    const attempt *a = state;
    leman_census *census = NULL;
    leman_status st = leman_census_compute(ctx, a->data, &a->coloring, false, &census);
    leman_census_free(census);
    return st;
}

static leman_status try_distinguish(leman_context *ctx, void *state)
{
    const attempt *a = state;
    leman_difference difference;
    const leman_graph g = leman_dataset_graph(a->data, 0), h = leman_dataset_graph(a->data, 1);
    return leman_distinguish(ctx, &g, &h, &a->coloring, a->as_union, &difference);
}

static void test_each_allocation(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    uint64_t random = 5;
    const random_graph_kind kind = {
        .vertex_labels = 2, .vertex_columns = 1, .edge_labels = 2, .edge_columns = 1, .directed = true};
    random_graph *graph = malloc(2 * sizeof *graph);
    assert_non_null(graph);
    random_graph_draw_family(&random, &kind, 12, false, 2, graph);
    leman_dataset *data = random_graph_dataset(ctx, &kind, graph, 2);
    for (int algorithm = FIRST; algorithm < LEMAN_ALGORITHM_COUNT; algorithm++) {
        attempt a = {.coloring = item_coloring(algorithm, 3), .data = data};
        a.coloring.in_arcs = true;
        a.coloring.components = a.coloring.k == 3 ? 2 : 0;
        assert_true(test_fail_each_allocation(try_census, &a) > 0);
        for (int as_union = 0; as_union < 2; as_union++) {
            a.as_union = as_union;
            assert_true(test_fail_each_allocation(try_distinguish, &a) > 0);
        }
    }
    leman_dataset_free(data);
    free(graph);
    test_context_free(ctx);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static leman_dataset *sparse_graph(leman_context *ctx)
{
    leman_family_options options = leman_family_options_default();
    leman_dataset *data = NULL;
    options.graphs = 1;
    options.vertices = 400;
    options.degree = 3;
    assert_int_equal(leman_dataset_generate(ctx, LEMAN_FAMILY_REGULAR, &options, &data), LEMAN_OK);
    return data;
}

/* Half of what the work takes is refused, and three times as much is accepted and not exceeded. Balls are
 * counted if memory is scarce, and then take less. */
static void test_estimates(void **unused)
{
    (void)unused;
    for (int algorithm = FIRST; algorithm < LEMAN_ALGORITHM_COUNT; algorithm++) {
        size_t used = (size_t)1 << 28; /* of step 0, once it has run */
        for (int step = 0; step < 3; step++) {
            test_meter m;
            leman_context *ctx = test_meter_context(&m, step == 0 ? used : step == 1 ? used / 2 : 3 * used, 1);
            leman_dataset *data = sparse_graph(ctx);
            attempt a = {.coloring = item_coloring(algorithm, 3), .data = data};
            a.coloring.components = a.coloring.k == 3 ? 1 : 0;
            const size_t held = m.live;
            m.peak = m.live;
            const leman_status st = try_census(ctx, &a);
            const bool counted = algorithm == LEMAN_ALGORITHM_DRFWL || algorithm == LEMAN_ALGORITHM_BAG_EGO;
            if (st != (step == 1 && !counted ? LEMAN_ERROR_BUDGET : LEMAN_OK))
                fail_msg("%s, step %d, %zu bytes: %s", leman_algorithm_name((leman_algorithm)algorithm), step, used,
                         leman_context_message(ctx));
            if (step == 0) used = m.peak;
            if (step == 1) assert_true(m.peak - held < (counted ? used / 2 : used));
            leman_dataset_free(data);
            test_meter_free(&m, ctx);
        }
    }
}

/* ---- Other numbers for the vertices ---------------------------------------------------------- */

static void test_relabelled(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(2);
    uint64_t random = 17;
    random_graph *graph = malloc(2 * sizeof *graph);
    assert_non_null(graph);
    for (int algorithm = FIRST; algorithm < LEMAN_ALGORITHM_COUNT; algorithm++)
        for (int i = 0; i < 4; i++) {
            const random_graph_kind kind = random_graph_kind_draw(&random);
            size_t place[RANDOM_GRAPH_MAX];
            leman_graph_hash hash[2];
            leman_difference difference;
            const leman_coloring c = item_coloring(algorithm, 2 + (unsigned)i % 2);
            random_graph_draw(&random, &kind, 12, false, graph);
            random_graph_shuffle(&random, graph->n, place);
            random_graph_relabel(graph, place, graph + 1);
            leman_dataset *data = random_graph_dataset(ctx, &kind, graph, 2);
            assert_int_equal(leman_graph_hashes(ctx, data, &c, hash), LEMAN_OK);
            assert_memory_equal(hash[0].hash, hash[1].hash, sizeof hash[0].hash);
            assert_int_equal(leman_distinguish_pairs(ctx, data, &c, i % 2, &difference), LEMAN_OK);
            assert_false(difference.distinguished);
            leman_dataset_free(data);
        }
    free(graph);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_allocation),
        cmocka_unit_test(test_estimates),
        cmocka_unit_test(test_relabelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
