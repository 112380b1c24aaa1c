/*
 * Shortcuts against plain counting. leman_tuple_colors() looks at every tuple of the graph itself;
 * leman_histogram_compute() reduces twins, looks at one tuple an orbit, and cuts large graphs into parts that threads
 * count. Both must say the same, always.
 */
#include "refine/refine.h"
#include "support/random_graphs.h"
#include "support/rounds.h"

enum { ROUNDS = 3 };

static void check_counts(leman_context *ctx, const leman_graph *graph, const leman_coloring *c)
{
    leman_histogram *h = test_histogram(ctx, graph, c);
    size_t tuples = 1;
    for (unsigned i = 0; i < c->k; i++) tuples *= graph->vertices;
    for (uint32_t r = 0; r < h->rounds; r++) {
        uint64_t *colors = test_tuple_colors(ctx, graph, c, r);
        if (!test_counts_agree(h, r, colors, tuples))
            fail_msg("%s: the histogram does not count the tuples", test_coloring_text(c, r));
        free(colors);
    }
    leman_histogram_free(h);
}

static size_t kept_vertices(leman_context *ctx, const leman_graph *graph, const leman_coloring *asked)
{
    size_t kept = 0;
    leman_coloring c;
    assert_int_equal(lm_coloring_check(ctx, asked, &c), LEMAN_OK);
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    assert_int_equal(lm_kept_vertices(ctx, graph, &c, &kept), LEMAN_OK);
    lm_arena_reset(&ctx->scratch, mark);
    return kept;
}

/* ---- Twins ----------------------------------------------------------------------------------- */

/* Blown-up patterns; many of them must really be reduced, or this would test nothing. */
static void check_blown_up(unsigned k, size_t vertices, size_t cases, uint64_t seed)
{
    leman_context *ctx = test_context_new(1);
    random_graph *graph = malloc(sizeof *graph);
    size_t reduced = 0;
    assert_non_null(graph);
    cases = test_cases(cases);
    for (size_t i = 0; i < cases; i++) {
        uint64_t state = seed + i;
        random_graph_kind kind = random_graph_kind_draw(&state);
        random_graph_draw(&state, &kind, vertices / 2 + test_random(&state) % (vertices / 2 + 1), true, graph);
        if (test_random(&state) % 4 == 0)
            random_graph_toggle(&kind, graph, 0, graph->n - 1); /* spoils one or two classes */
        leman_dataset *data = random_graph_dataset(ctx, &kind, graph, 1);
        leman_graph view = leman_dataset_graph(data, 0);
        for (unsigned variant = 0; variant < TEST_VARIANTS; variant++) {
            leman_coloring c = test_variant(variant, k, ROUNDS);
            c.in_arcs = test_random(&state) % 2;
            c.ignore_edge_labels = test_random(&state) % 4 == 0;
            check_counts(ctx, &view, &c);
            reduced += kept_vertices(ctx, &view, &c) < view.vertices;
        }
        leman_dataset_free(data);
    }
    if (reduced < cases) fail_msg("k = %u: only %zu of %zu colourings were reduced", k, reduced, 6 * cases);
    free(graph);
    test_context_free(ctx);
}

static void test_blown_up(void **unused)
{
    (void)unused;
    check_blown_up(1, 40, 200, 100);
    check_blown_up(2, 40, 100, 200);
    check_blown_up(3, 14, 60, 300);
    check_blown_up(4, 16, 16, 400);
}

/* Classes as they meet in one graph: each row is (members, 1: closed, joined to the class before). */
static void build_chain(const size_t (*class)[3], size_t classes, random_graph *g)
{
    *g = (random_graph){.n = 0};
    size_t first_before = 0;
    for (size_t i = 0; i < classes; i++) {
        size_t first = g->n;
        g->n += class[i][0];
        for (size_t u = first; u < g->n; u++) {
            for (size_t v = first; v < g->n; v++) g->arc[u][v] = class[i][1] && u != v;
            for (size_t v = first_before; v < first && class[i][2]; v++) g->arc[u][v] = g->arc[v][u] = true;
        }
        first_before = first;
    }
}

/* A star, a clique, complete bipartite, two stars, a clique beside isolated vertices, a path with leaves at its end. */
static void test_known_twins(void **unused)
{
    (void)unused;
    static const struct {
        size_t classes, class[4][3];
    } shapes[] = {
        {2, {{1, 0, 0}, {13, 0, 1}}}, {1, {{14, 1, 0}}},
        {2, {{6, 0, 0}, {8, 0, 1}}},  {4, {{1, 0, 0}, {6, 0, 1}, {1, 0, 0}, {6, 0, 1}}},
        {2, {{7, 1, 0}, {7, 0, 0}}},  {4, {{1, 0, 0}, {1, 0, 1}, {1, 0, 1}, {11, 0, 1}}},
        {2, {{7, 1, 0}, {7, 1, 0}}},  {3, {{5, 1, 0}, {4, 0, 1}, {5, 1, 1}}},
    };
    leman_context *ctx = test_context_new(1);
    random_graph *graph = malloc(sizeof *graph);
    random_graph_kind kind = {0};
    assert_non_null(graph);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        build_chain(shapes[i].class, shapes[i].classes, graph);
        leman_dataset *data = random_graph_dataset(ctx, &kind, graph, 1);
        leman_graph view = leman_dataset_graph(data, 0);
        for (unsigned k = 1; k <= 3; k++)
            for (unsigned variant = 0; variant < TEST_VARIANTS; variant++) {
                leman_coloring c = test_variant(variant, k, ROUNDS);
                size_t kept = 0;
                for (size_t j = 0; j < shapes[i].classes; j++)
                    kept += shapes[i].class[j][0] < k ? shapes[i].class[j][0] : k;
                if (c.algorithm == LEMAN_ALGORITHM_FOLKLORE && k > 1) kept = view.vertices;
                assert_int_equal(kept_vertices(ctx, &view, &c), kept);
                check_counts(ctx, &view, &c);
            }
        leman_dataset_free(data);
    }
    free(graph);
    test_context_free(ctx);
}

/* ---- Large graphs: the histogram cut into parts ---------------------------------------------- */

static void check_large(const leman_dataset *data, unsigned k, unsigned variant, uint32_t rounds)
{
    leman_graph graph = leman_dataset_graph(data, 0);
    leman_coloring c = test_variant(variant, k, rounds);
    c.in_arcs = true;
    leman_context *ctx = test_context_new(1);
    leman_histogram *one = test_histogram(ctx, &graph, &c);
    check_counts(ctx, &graph, &c);
    for (int threads = 2; threads <= 3; threads++) {
        leman_context *many = test_context_new(threads);
        leman_histogram *h = test_histogram(many, &graph, &c);
        assert_true(test_same_histogram(one, h));
        leman_histogram_free(h);
        check_counts(many, &graph, &c);
        test_context_free(many);
    }
    leman_histogram_free(one);
    test_context_free(ctx);
}

/* More than 2^14 orbits or 2^17, of all colours different or nearly all alike. */
static void check_large_random(unsigned k, size_t n, unsigned percent, unsigned vertex_labels, bool directed,
                               uint64_t seed)
{
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = test_random_graph(ctx, &seed, n, percent, vertex_labels, 0, directed);
    for (unsigned variant = 0; variant < TEST_VARIANTS; variant++)
        if (lm_orbit_count(n, k) > 1 << 17 ? variant == 2 : k < 3 || variant != 4) /* folklore costs n^(k+1) */
            check_large(data, k, variant, variant == 4 ? 1 : 2);
    leman_dataset_free(data);
    test_context_free(ctx);
}

static void test_large(void **unused)
{
    (void)unused;
    check_large_random(2, 190, 4, 3, false, 1);
    check_large_random(2, 181, 2, 0, true, 2);
    check_large_random(2, 200, 0, 2, false, 3);
    check_large_random(3, 47, 10, 2, false, 4);
    check_large_random(2, 520, 1, 3, false, 5);
    check_large_random(2, 515, 0, 2, true, 6);
    check_large_random(3, 93, 4, 2, false, 7);
}

/* Colours that all fall into one part, as hashes never do: they share their 24 top bits. The histogram must still be
 * right. */
static void test_full_part(void **unused)
{
    (void)unused;
    enum { N = 520, ORBITS = N * (N + 1) / 2 };
    leman_context *ctx = test_context_new(1);
    uint64_t state = 3;
    leman_dataset *data = test_random_graph(ctx, &state, N, 5, 0, 0, false);
    leman_graph graph = leman_dataset_graph(data, 0);
    leman_coloring c = test_variant(2, 2, 1);
    for (int threads = 1; threads <= 2; threads++) {
        lm_arena_mark mark = lm_arena_now(&ctx->scratch);
        lm_refinement r;
        assert_int_equal(lm_refinement_begin(ctx, &graph, &c, &(lm_refinement_options){.threads = threads}, &r),
                         LEMAN_OK);
        for (uint64_t u = 0; u < N; u++)
            for (uint64_t v = 0; v < N; v++) { /* a colour for each unordered pair */
                uint64_t low = u < v ? u : v, high = u < v ? v : u;
                r.colors[u * N + v] = (low * N + high) * UINT64_C(0x9e3779b97f4a7c15) >> 24;
            }
        lm_histogram_begin(&r.space, r.colors, r.next, r.scratch, threads, &r.histogram);
        assert_int_equal(r.histogram.count, ORBITS);
        assert_int_equal(r.histogram.pairs, ORBITS);
        for (size_t i = 0; i < ORBITS; i++) {
            uint32_t digit[LM_MAX_K];
            lm_tuple_digits(&r.space, r.space.k, r.histogram.tuple[i], digit);
            assert_int_equal(r.histogram.color[i], r.colors[digit[0] * N + digit[1]]);
            assert_int_equal(r.histogram.orbits[i], 1);
        }
        lm_arena_reset(&ctx->scratch, mark);
    }
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* Reduced and still large: a path of hubs with leaves, of which k each are kept. */
static void check_large_reduced(unsigned k, size_t hubs, size_t leaves)
{
    leman_context *ctx = test_context_new(1);
    leman_columns columns = {0};
    leman_builder *builder = NULL;
    leman_dataset *data = NULL;
    assert_int_equal(leman_builder_new(ctx, "hubs", &columns, &builder), LEMAN_OK);
    assert_int_equal(leman_builder_graph(builder, NULL, NULL, NULL), LEMAN_OK);
    for (size_t v = 0; v < hubs * (leaves + 1); v++)
        assert_int_equal(leman_builder_vertex(builder, NULL, NULL, NULL), LEMAN_OK);
    for (size_t hub = 0; hub < hubs; hub++) {
        if (hub) assert_int_equal(leman_builder_edge(builder, hub - 1, hub, NULL, NULL), LEMAN_OK);
        for (size_t i = 0; i < leaves; i++)
            assert_int_equal(leman_builder_edge(builder, hub, hubs + i * hubs + hub, NULL, NULL), LEMAN_OK);
    }
    assert_int_equal(leman_builder_finish(builder, NULL, NULL, &data), LEMAN_OK);
    leman_builder_free(builder);
    leman_graph graph = leman_dataset_graph(data, 0);
    leman_coloring c = test_variant(2, k, 2);
    assert_int_equal(kept_vertices(ctx, &graph, &c), hubs * (1 + k));
    for (unsigned variant = 0; variant < TEST_VARIANTS; variant++)
        if (lm_orbit_count(hubs * (1 + k), k) > 1 << 17 ? variant == 2 : variant != 4) check_large(data, k, variant, 2);
    leman_dataset_free(data);
    test_context_free(ctx);
}

static void test_large_reduced(void **unused)
{
    (void)unused;
    check_large_reduced(2, 64, 4);
    check_large_reduced(3, 12, 5);
    check_large_reduced(2, 173, 4);
    check_large_reduced(3, 24, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_twins), cmocka_unit_test(test_blown_up),      cmocka_unit_test(test_large),
        cmocka_unit_test(test_full_part),   cmocka_unit_test(test_large_reduced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
