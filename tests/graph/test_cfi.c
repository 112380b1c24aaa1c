/* The pair G_k, H_k: sizes, degrees, and the lemma of the paper that distinguishes them. */
#include "support/graphs.h"

static void test_cfi_sizes(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_family_options o = leman_family_options_default();
    for (o.k = 1; o.k <= 5; o.k++) {
        leman_dataset *data = test_made(ctx, LEMAN_FAMILY_CFI, &o);
        size_t k = o.k, cloud = (size_t)1 << (k - 1), pairs = (k + 1) * k / 2;
        assert_int_equal(leman_dataset_shape(data)->graphs, 2);
        for (size_t i = 0; i < 2; i++) {
            leman_graph g = leman_dataset_graph(data, i);
            char name[8] = {i ? 'H' : 'G', '_', (char)('0' + k)};
            assert_int_equal(g.vertices, (k + 1) * cloud + 2 * pairs);
            assert_int_equal(g.arcs, 2 * (pairs + (k + 1) * cloud * k));
            assert_int_equal(leman_dataset_classes(data)[i], i);
            assert_int_equal(test_reached(&g, 0), g.vertices);
            test_assert_named(data, i, name);
            size_t inner = 0, outer = 0; /* (v, S) has degree k, e^b one from its twin and 2 * 2^(k-2) */
            for (size_t v = 0; v < g.vertices && k >= 2; v++) {
                inner += test_degree(&g, v) == k;
                outer += test_degree(&g, v) == 1 + cloud;
            }
            if (k >= 2) assert_int_equal(inner, (k + 1) * cloud);
            if (k >= 2) assert_int_equal(outer, 2 * pairs);
        }
        leman_dataset_free(data);
    }
    test_context_free(ctx);
}

/* For k = 1: the star with three rays against the path of four vertices. */
static void test_cfi_one(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_family_options o = leman_family_options_default();
    o.k = 1;
    leman_dataset *data = test_made(ctx, LEMAN_FAMILY_CFI, &o);
    for (size_t i = 0; i < 2; i++) {
        leman_graph g = leman_dataset_graph(data, i);
        size_t max = 0;
        for (size_t v = 0; v < 4; v++) max = test_degree(&g, v) > max ? test_degree(&g, v) : max;
        assert_int_equal(max, i ? 2 : 3);
    }
    leman_dataset_free(data);
    test_context_free(ctx);
}

/*
 * A cloud, found from the graph alone: vertices of degree k whose neighbours lie in the same pairs e^0, e^1 (the pairs
 * are the edges between vertices of the other degree). Returns the number of clouds.
 */
static size_t find_clouds(const leman_graph *g, size_t k, size_t *cloud)
{
    size_t clouds = 0, pairs = 0, *pair = calloc(g->vertices, sizeof *pair);
    uint64_t *sees = calloc(g->vertices, sizeof *sees);
    for (size_t u = 0; u < g->vertices; u++)
        for (size_t v = u + 1; v < g->vertices; v++)
            if (test_joined(g, u, v) && test_degree(g, u) != k && test_degree(g, v) != k) pair[u] = pair[v] = pairs++;
    for (size_t v = 0; v < g->vertices; v++) {
        cloud[v] = SIZE_MAX;
        if (test_degree(g, v) != k) continue;
        for (uint64_t e = g->start[v]; e < g->start[v + 1]; e++) sees[v] |= UINT64_C(1) << pair[g->head[e]];
        for (size_t u = 0; u < v && cloud[v] == SIZE_MAX; u++)
            if (sees[u] == sees[v]) cloud[v] = cloud[u];
        if (cloud[v] == SIZE_MAX) cloud[v] = clouds++;
    }
    free(pair);
    free(sees);
    return clouds;
}

/* Can one vertex be chosen from each cloud so that any two are at distance two? */
static bool clique_exists(const leman_graph *g, const size_t *cloud, size_t clouds, size_t *chosen, size_t count)
{
    if (count == clouds) return true;
    for (size_t v = 0; v < g->vertices; v++) {
        bool good = cloud[v] == count;
        for (size_t i = 0; i < count && good; i++)
            good = !test_joined(g, v, chosen[i]) && test_common_neighbours(g, v, chosen[i]) > 0;
        chosen[count] = v;
        if (good && clique_exists(g, cloud, clouds, chosen, count + 1)) return true;
    }
    return false;
}

static void test_cfi_pair_is_not_isomorphic(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_family_options o = leman_family_options_default();
    o.graphs = 2; /* the second pair is shuffled: the answer must not depend on the numbering */
    for (o.k = 2; o.k <= 4; o.k++) {
        leman_dataset *data = test_made(ctx, LEMAN_FAMILY_CFI, &o);
        for (size_t i = 0; i < 4; i++) {
            leman_graph g = leman_dataset_graph(data, i);
            size_t *cloud = calloc(g.vertices, sizeof *cloud), chosen[8];
            assert_int_equal(find_clouds(&g, o.k, cloud), o.k + 1);
            assert_int_equal(clique_exists(&g, cloud, o.k + 1, chosen, 0), i % 2 == 0);
            free(cloud);
        }
        leman_dataset_free(data);
    }
    test_context_free(ctx);
}

static void test_cfi_too_large(void **state)
{
    (void)state;
    leman_family_options o = leman_family_options_default();
    o.k = 0;
    test_refused(LEMAN_FAMILY_CFI, &o, "k = 0");
    o.k = 30; /* 31 * 2^29 + 2 * 465 vertices */
    test_refused(LEMAN_FAMILY_CFI, &o, "2 graphs of 16642999202 vertices");
    for (o.k = 31; o.k < 70; o.k++) test_refused(LEMAN_FAMILY_CFI, &o, "vertices");
    o.k = UINT32_MAX;
    test_refused(LEMAN_FAMILY_CFI, &o, "more than");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cfi_sizes),
        cmocka_unit_test(test_cfi_one),
        cmocka_unit_test(test_cfi_pair_is_not_isomorphic),
        cmocka_unit_test(test_cfi_too_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
