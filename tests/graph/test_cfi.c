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

/* ---- Base graphs ----------------------------------------------------------------------------- */

/* A data set with one undirected graph. Self-loops are kept. */
static leman_dataset *base_graph(leman_context *ctx, size_t vertices, size_t edges, const size_t edge[][2],
                                 bool directed)
{
    leman_builder *builder = NULL;
    leman_dataset *data = NULL;
    leman_policy policy = leman_policy_default();
    const leman_columns none = {0};
    policy.self_loops = LEMAN_ACTION_KEEP;
    policy.directed = directed;
    assert_int_equal(leman_builder_new(ctx, "base", &none, &builder), LEMAN_OK);
    assert_int_equal(leman_builder_graph(builder, NULL, NULL, NULL), LEMAN_OK);
    for (size_t v = 0; v < vertices; v++) assert_int_equal(leman_builder_vertex(builder, NULL, NULL, NULL), LEMAN_OK);
    for (size_t e = 0; e < edges; e++)
        assert_int_equal(leman_builder_edge(builder, edge[e][0], edge[e][1], NULL, NULL), LEMAN_OK);
    assert_int_equal(leman_builder_finish(builder, &policy, NULL, &data), LEMAN_OK);
    leman_builder_free(builder);
    return data;
}

/* The complete graph as a base gives the pair of the paper, vertex by vertex. */
static void test_cfi_complete_base(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_family_options o = leman_family_options_default(), complete = o;
    for (o.k = 2; o.k <= 5; o.k++) {
        complete.vertices = o.k + 1;
        leman_dataset *expected = test_made(ctx, LEMAN_FAMILY_CFI, &o);
        leman_dataset *base = test_made(ctx, LEMAN_FAMILY_COMPLETE, &complete);
        leman_family_options with_base = leman_family_options_default();
        with_base.base = base;
        leman_dataset *found = test_made(ctx, LEMAN_FAMILY_CFI, &with_base);
        assert_int_equal(leman_dataset_checksum(found), leman_dataset_checksum(expected));
        leman_dataset_free(found);
        leman_dataset_free(base);
        leman_dataset_free(expected);
    }
    test_context_free(ctx);
}

/* Several bases: pairs in their order, 0 and 1 as classes, sizes by the formula, copies behind all pairs. */
static void test_cfi_bases(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_family_options random = leman_family_options_default(), o = random;
    random.graphs = 4;
    random.vertices = 7;
    random.probability = 0.9;
    leman_dataset *bases = test_made(ctx, LEMAN_FAMILY_RANDOM, &random);
    o.base = bases;
    o.graphs = 2;
    leman_dataset *data = test_made(ctx, LEMAN_FAMILY_CFI, &o);
    assert_int_equal(leman_dataset_shape(data)->graphs, 16);
    for (size_t i = 0; i < 16; i++) {
        leman_graph g = leman_dataset_graph(data, i), base = leman_dataset_graph(bases, i % 8 / 2);
        size_t vertices = base.arcs, edges = base.arcs / 2;
        for (size_t v = 0; v < base.vertices; v++) {
            vertices += (size_t)1 << (test_degree(&base, v) - 1);
            edges += test_degree(&base, v) << (test_degree(&base, v) - 1);
        }
        assert_int_equal(g.vertices, vertices);
        assert_int_equal(g.arcs, 2 * edges);
        assert_int_equal(leman_dataset_classes(data)[i], i % 2);
    }
    test_assert_named(data, 3, "H_1");
    test_assert_named(data, 14, "G_3-1");
    leman_dataset_free(data);
    leman_dataset_free(bases);
    test_context_free(ctx);
}

static void test_cfi_bases_refused(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_family_options o = leman_family_options_default(), star = o;
    static const size_t TRIANGLES[6][2] = {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}};
    static const size_t LEAF[4][2] = {{0, 1}, {1, 2}, {2, 0}, {2, 3}}, LOOP[4][2] = {{0, 1}, {1, 2}, {2, 0}, {1, 1}};
    leman_dataset *base[] = {base_graph(ctx, 6, 6, TRIANGLES, false), base_graph(ctx, 4, 4, LEAF, false),
                             base_graph(ctx, 3, 4, LOOP, false), base_graph(ctx, 3, 3, TRIANGLES, true),
                             base_graph(ctx, 2, 1, LEAF, false)};
    const char *words[] = {"base graph 0 is not connected: 3 of its 6", "vertex 3 of base graph 0 has degree 1",
                           "self-loop at vertex 1", "directed", "2 vertices, expected at least 3"};
    for (size_t i = 0; i < sizeof base / sizeof *base; i++) {
        o.base = base[i];
        test_refused(LEMAN_FAMILY_CFI, &o, words[i]);
        leman_dataset_free(base[i]);
    }
    for (star.vertices = 33; star.vertices <= 90; star.vertices += 57) { /* degrees 32 and 89 */
        leman_dataset *complete = test_made(ctx, LEMAN_FAMILY_COMPLETE, &star);
        o.base = complete;
        test_refused(LEMAN_FAMILY_CFI, &o, star.vertices == 33 ? "2 graphs of 70866961440 vertices" : "more than");
        leman_dataset_free(complete);
    }
    test_context_free(ctx);
}

static leman_status base_body(leman_context *ctx, void *state)
{
    leman_family_options o = leman_family_options_default();
    leman_dataset *data = NULL;
    o.base = state;
    o.graphs = 2;
    leman_status st = leman_dataset_generate(ctx, LEMAN_FAMILY_CFI, &o, &data);
    if (st) assert_null(data);
    leman_dataset_free(data);
    return st;
}

static void test_cfi_base_allocations(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_family_options o = leman_family_options_default();
    leman_dataset *base = test_made(ctx, LEMAN_FAMILY_PETERSEN, &o);
    assert_true(test_fail_each_allocation(base_body, base) > 5);
    leman_dataset_free(base);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cfi_sizes),
        cmocka_unit_test(test_cfi_one),
        cmocka_unit_test(test_cfi_pair_is_not_isomorphic),
        cmocka_unit_test(test_cfi_too_large),
        cmocka_unit_test(test_cfi_complete_base),
        cmocka_unit_test(test_cfi_bases),
        cmocka_unit_test(test_cfi_bases_refused),
        cmocka_unit_test(test_cfi_base_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
