/* Hashes of graphs and dimensions with failing allocations, and classes of copies. tests/python/test_theory.py compares
 * the answers with an exhaustive search. */
#include "support/graphs.h"

/* Pairs that need k = 2, cycles, and k = 3, strongly regular graphs. */
static leman_dataset *pair_data(leman_context *ctx, leman_family family)
{
    leman_family_options o = leman_family_options_default();
    o.graphs = 2;
    return test_made(ctx, family, &o);
}

static leman_status hash_body(leman_context *ctx, void *state)
{
    leman_graph_hash hash[4];
    leman_coloring c = leman_coloring_default();
    c.rounds = LEMAN_STABLE;
    return leman_graph_hashes(ctx, state, &c, hash);
}

static leman_status pairs_body(leman_context *ctx, void *state)
{
    leman_dimension d[2];
    return leman_pair_dimensions(ctx, state, NULL, 3, d);
}

static leman_status graphs_body(leman_context *ctx, void *state)
{
    leman_graph_dimension d[4];
    size_t classes[3];
    return leman_graph_dimensions(ctx, state, NULL, 3, d, classes);
}

static void test_allocations(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    static const leman_family FAMILIES[] = {LEMAN_FAMILY_CYCLES, LEMAN_FAMILY_ROOK_SHRIKHANDE};
    for (size_t i = 0; i < 2; i++) {
        leman_dataset *data = pair_data(ctx, FAMILIES[i]);
        assert_true(test_fail_each_allocation(hash_body, data) > 0);
        assert_true(test_fail_each_allocation(pairs_body, data) > 1);
        assert_true(test_fail_each_allocation(graphs_body, data) > 1);
        leman_dataset_free(data);
    }
    test_context_free(ctx);
}

/* Copies of a pair are in the class of their first copy; the pairs of a data set get what the two graphs alone get. */
static void test_classes(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(2);
    leman_dataset *data = pair_data(ctx, LEMAN_FAMILY_ROOK_SHRIKHANDE);
    leman_graph_dimension d[4];
    leman_dimension pair[2], alone;
    size_t classes[3];
    leman_graph a = leman_dataset_graph(data, 0), b = leman_dataset_graph(data, 1), copy = leman_dataset_graph(data, 2);
    assert_int_equal(leman_graph_dimensions(ctx, data, NULL, 3, d, classes), LEMAN_OK);
    assert_int_equal(leman_pair_dimensions(ctx, data, NULL, 3, pair), LEMAN_OK);
    assert_int_equal(leman_pair_dimension(ctx, &a, &b, NULL, 3, &alone), LEMAN_OK);
    for (size_t i = 0; i < 4; i++) assert_int_equal(d[i].first, i % 2);
    for (size_t i = 0; i < 4; i++) assert_int_equal(d[i].at_least, 3);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(d[i].within, 0); /* whether the copies are isomorphic is not decided */
    for (size_t k = 0; k < 3; k++) assert_int_equal(classes[k], k < 2 ? 1 : 2);
    for (size_t i = 0; i < 2; i++) assert_int_equal(pair[i].folklore, 3);
    for (size_t i = 0; i < 2; i++) assert_int_equal(pair[i].wl, 4);
    assert_int_equal(alone.folklore, 3);
    assert_int_equal(alone.round, pair[0].round);
    assert_int_equal(leman_pair_dimension(ctx, &a, &copy, NULL, 3, &alone), LEMAN_OK);
    assert_int_equal(alone.folklore, 0);
    assert_int_equal(alone.tried, 3);
    assert_false(alone.isomorphic);
    leman_dataset_free(data);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_allocations),
        cmocka_unit_test(test_classes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
