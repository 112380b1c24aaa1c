/*
 * What is proved about the colourings of undirected graphs, compared with the engine:
 *
 *   2-WL distinguishes what 1-WL does;  (k+1)-WL what folklore k-WL does;  delta-k-LWL+ (# in every round) what
 * delta-k-WL does, on connected graphs;  on the CFI pairs (G_k, H_k) k-WL fails and the local and delta variants do
 * not;  the 4x4 rook's graph and the Shrikhande graph are strongly regular, so pairs cannot distinguish them, and
 * triples can.
 *
 * Random pairs are mostly distinguished by everything, so the pairs here are near each other: degrees kept, an edge
 * switched, regular graphs, the same pattern blown up in two ways.
 */
#include "support/random_graphs.h"
#include "support/rounds.h"

enum { WL, DELTA, LOCAL, LAST, FOLKLORE, PLUS }; /* the order of test_variant() */

static bool apart(leman_context *ctx, const leman_graph *g, const leman_graph *h, unsigned variant, unsigned k,
                  bool as_union)
{
    leman_coloring c = test_variant(variant, k, LEMAN_STABLE);
    leman_difference d;
    if (leman_distinguish(ctx, g, h, &c, as_union, &d)) fail_msg("%s", leman_context_message(ctx));
    return d.distinguished;
}

/* Any variant, both ways of looking. */
static void expect(leman_context *ctx, const leman_graph *g, const leman_graph *h, unsigned variant, unsigned k,
                   bool expected)
{
    for (int as_union = 0; as_union < 2; as_union++)
        if (apart(ctx, g, h, variant, k, as_union) != expected) {
            leman_coloring c = test_variant(variant, k, LEMAN_STABLE);
            fail_msg("%s%s: expected %s", test_coloring_text(&c, 0), as_union ? ", union" : "",
                     expected ? "distinguished" : "not distinguished");
        }
}

/* ---- Pairs that are near each other ---------------------------------------------------------- */

/* Takes edges ab, cd out and puts ac, bd in, where that keeps the graph simple: all degrees stay. */
static void switch_edges(uint64_t *state, random_graph *g)
{
    static const random_graph_kind kind = {0};
    for (int attempt = 0; attempt < 200; attempt++) {
        size_t v[4];
        for (int i = 0; i < 4; i++) v[i] = (size_t)(test_random(state) % g->n);
        if (v[0] == v[2] || v[1] == v[3] || v[0] == v[3] || v[1] == v[2]) continue;
        if (!g->arc[v[0]][v[1]] || !g->arc[v[2]][v[3]] || g->arc[v[0]][v[2]] || g->arc[v[1]][v[3]]) continue;
        random_graph_toggle(&kind, g, v[0], v[1]);
        random_graph_toggle(&kind, g, v[2], v[3]);
        random_graph_toggle(&kind, g, v[0], v[2]);
        random_graph_toggle(&kind, g, v[1], v[3]);
        return;
    }
}

/* Every vertex joined to the next `half` of n on a circle: regular, to be switched. */
static void build_circulant(size_t n, size_t half, random_graph *g)
{
    *g = (random_graph){.n = n};
    for (size_t v = 0; v < n; v++)
        for (size_t i = 1; i <= half; i++) g->arc[v][(v + i) % n] = g->arc[(v + i) % n][v] = true;
}

static bool is_connected(const random_graph *g)
{
    bool seen[RANDOM_GRAPH_MAX] = {true};
    size_t stack[RANDOM_GRAPH_MAX] = {0}, top = 1, count = 1;
    while (top && g->n) {
        size_t u = stack[--top];
        for (size_t v = 0; v < g->n; v++)
            if (g->arc[u][v] && !seen[v]) {
                seen[v] = true;
                stack[top++] = v;
                count++;
            }
    }
    return count == g->n;
}

/* Fills pair[2]: same degrees as a rule. Edge labels only where the kind has them; connected if asked. */
static void draw_pair(uint64_t *state, const random_graph_kind *kind, size_t n, bool connected, random_graph *pair)
{
    do {
        if (!kind->vertex_labels && test_random(state) % 2) {
            build_circulant(n, 1 + test_random(state) % 2, pair);
            for (size_t i = test_random(state) % 8; i > 0; i--) switch_edges(state, pair);
        } else {
            random_graph_draw(state, kind, n, test_random(state) % 2, pair);
        }
        pair[1] = pair[0];
        for (size_t i = 1 + test_random(state) % 3; i > 0; i--) switch_edges(state, pair + 1);
    } while (connected && !(is_connected(pair) && is_connected(pair + 1)));
}

typedef void claim(leman_context *ctx, const leman_graph *g, const leman_graph *h, bool *distinguished);

/* Checks the claim on many pairs, of which some must be distinguished and some not. */
static void check_claim(claim *holds, size_t vertices, bool connected, size_t cases, uint64_t seed)
{
    leman_context *ctx = test_context_new(1);
    random_graph *pair = malloc(2 * sizeof *pair);
    size_t count[2] = {0};
    assert_non_null(pair);
    cases = test_cases(cases);
    for (size_t i = 0; i < cases; i++) {
        uint64_t state = seed + i;
        random_graph_kind kind = {.vertex_labels = test_random(&state) % 3 ? 0 : 2, .vertex_columns = 1};
        draw_pair(&state, &kind, vertices - test_random(&state) % 3, connected, pair);
        leman_dataset *data = random_graph_dataset(ctx, &kind, pair, 2);
        leman_graph g = leman_dataset_graph(data, 0), h = leman_dataset_graph(data, 1);
        bool distinguished;
        holds(ctx, &g, &h, &distinguished);
        count[distinguished]++;
        leman_dataset_free(data);
    }
    if (cases > 50) assert_true(count[0] > cases / 10 && count[1] > cases / 10);
    free(pair);
    test_context_free(ctx);
}

/* ---- Claims ---------------------------------------------------------------------------------- */

static void pairs_see_what_vertices_see(leman_context *ctx, const leman_graph *g, const leman_graph *h,
                                        bool *distinguished)
{
    *distinguished = apart(ctx, g, h, LOCAL, 1, false);
    expect(ctx, g, h, WL, 2, *distinguished);
    expect(ctx, g, h, LOCAL, 1, *distinguished);
}

static void test_two_wl_is_one_wl(void **unused)
{
    (void)unused;
    check_claim(pairs_see_what_vertices_see, 9, false, 400, 100);
    check_claim(pairs_see_what_vertices_see, 16, false, 200, 600);
}

static void triples_see_what_folklore_pairs_see(leman_context *ctx, const leman_graph *g, const leman_graph *h,
                                                bool *distinguished)
{
    *distinguished = apart(ctx, g, h, FOLKLORE, 2, false);
    expect(ctx, g, h, WL, 3, *distinguished);
    expect(ctx, g, h, FOLKLORE, 2, *distinguished);
}

static void test_three_wl_is_folklore_two_wl(void **unused)
{
    (void)unused;
    check_claim(triples_see_what_folklore_pairs_see, 8, false, 200, 1000);
}

/* In both ways of looking: the theorem is about the union, and for connected graphs both are the same. */
static void counting_makes_up_for_lines(leman_context *ctx, const leman_graph *g, const leman_graph *h,
                                        bool *distinguished)
{
    *distinguished = apart(ctx, g, h, DELTA, 2, false);
    expect(ctx, g, h, DELTA, 2, *distinguished);
    expect(ctx, g, h, PLUS, 2, *distinguished);
    bool local = apart(ctx, g, h, LOCAL, 2, false);
    assert_true(*distinguished || !local); /* local is no stronger */
    expect(ctx, g, h, LOCAL, 2, local);
    assert_true(*distinguished || !apart(ctx, g, h, WL, 2, false));
}

static void counting_makes_up_for_lines_of_triples(leman_context *ctx, const leman_graph *g, const leman_graph *h,
                                                   bool *distinguished)
{
    *distinguished = apart(ctx, g, h, DELTA, 3, false);
    expect(ctx, g, h, PLUS, 3, *distinguished);
    expect(ctx, g, h, DELTA, 3, *distinguished);
}

static void test_local_plus_is_delta(void **unused)
{
    (void)unused;
    check_claim(counting_makes_up_for_lines, 9, true, 300, 2000);
    check_claim(counting_makes_up_for_lines_of_triples, 8, true, 100, 3000);
}

/* An apex makes any graph connected. */
static void test_apex_makes_local_plus_delta(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    random_graph *pair = malloc(2 * sizeof *pair);
    random_graph_kind kind = {0};
    size_t disconnected = 0, cases = test_cases(150);
    assert_non_null(pair);
    for (size_t i = 0; i < cases; i++) {
        uint64_t state = 4000 + i;
        draw_pair(&state, &kind, 9, false, pair);
        disconnected += !is_connected(pair) || !is_connected(pair + 1);
        leman_dataset *data = random_graph_dataset(ctx, &kind, pair, 2), *with_apex = NULL;
        assert_int_equal(leman_dataset_apex(ctx, data, &with_apex), LEMAN_OK);
        leman_graph g = leman_dataset_graph(with_apex, 0), h = leman_dataset_graph(with_apex, 1);
        bool distinguished;
        counting_makes_up_for_lines(ctx, &g, &h, &distinguished);
        leman_dataset_free(data);
        leman_dataset_free(with_apex);
    }
    if (cases > 50) assert_true(disconnected > cases / 10);
    free(pair);
    test_context_free(ctx);
}

/* ---- Known pairs ----------------------------------------------------------------------------- */

static leman_dataset *family(leman_context *ctx, leman_family which, unsigned k, size_t vertices)
{
    leman_family_options options = leman_family_options_default();
    leman_dataset *data = NULL;
    options.k = k;
    options.graphs = 1;
    options.vertices = vertices;
    if (leman_dataset_generate(ctx, which, &options, &data)) fail_msg("%s", leman_context_message(ctx));
    assert_int_equal(leman_dataset_shape(data)->graphs, 2);
    return data;
}

static void test_cfi(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(2);
    for (unsigned k = 2; k <= 3; k++) {
        leman_dataset *data = family(ctx, LEMAN_FAMILY_CFI, k, 0);
        leman_graph g = leman_dataset_graph(data, 0), h = leman_dataset_graph(data, 1);
        expect(ctx, &g, &h, LOCAL, 1, false);
        expect(ctx, &g, &h, WL, k, false);
        expect(ctx, &g, &h, FOLKLORE, k - 1, false);
        expect(ctx, &g, &h, LOCAL, k, true);
        expect(ctx, &g, &h, PLUS, k, true);
        expect(ctx, &g, &h, DELTA, k, true);
        if (k == 2) {
            expect(ctx, &g, &h, WL, 3, true);
            expect(ctx, &g, &h, FOLKLORE, 2, true);
        }
        leman_dataset_free(data);
    }
    test_context_free(ctx);
}

static void test_rook_and_shrikhande(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = family(ctx, LEMAN_FAMILY_ROOK_SHRIKHANDE, 0, 0);
    leman_graph g = leman_dataset_graph(data, 0), h = leman_dataset_graph(data, 1);
    static const unsigned variants[] = {WL, DELTA, LOCAL, FOLKLORE, PLUS};
    for (size_t i = 0; i < 5; i++) expect(ctx, &g, &h, variants[i], 2, false);
    expect(ctx, &g, &h, WL, 3, false);
    expect(ctx, &g, &h, LOCAL, 3, true);
    expect(ctx, &g, &h, PLUS, 3, true);
    expect(ctx, &g, &h, DELTA, 3, true);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* One cycle of 2n vertices against two of n, which colour refinement takes for one another. */
static void test_cycles(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    for (size_t n = 3; n <= 6; n++) {
        leman_dataset *data = family(ctx, LEMAN_FAMILY_CYCLES, 0, 2 * n);
        leman_graph g = leman_dataset_graph(data, 0), h = leman_dataset_graph(data, 1);
        assert_int_equal(g.vertices, 2 * n);
        expect(ctx, &g, &h, WL, 1, false);
        expect(ctx, &g, &h, WL, 2, false);
        expect(ctx, &g, &h, LOCAL, 2, true);
        expect(ctx, &g, &h, DELTA, 2, true);
        expect(ctx, &g, &h, PLUS, 2, true);
        expect(ctx, &g, &h, WL, 3, true);
        expect(ctx, &g, &h, FOLKLORE, 2, true);
        leman_dataset_free(data);
    }
    test_context_free(ctx);
}

/* A graph and the same with its vertices shuffled: nothing distinguishes them, whatever k. */
static void test_isomorphic(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    random_graph *pair = malloc(2 * sizeof *pair);
    size_t cases = test_cases(60);
    assert_non_null(pair);
    for (size_t i = 0; i < cases; i++) {
        uint64_t state = 5000 + i;
        random_graph_kind kind = random_graph_kind_draw(&state);
        size_t place[RANDOM_GRAPH_MAX];
        random_graph_draw(&state, &kind, 7, i % 2, pair);
        random_graph_shuffle(&state, 7, place);
        random_graph_relabel(pair, place, pair + 1);
        leman_dataset *data = random_graph_dataset(ctx, &kind, pair, 2);
        leman_graph g = leman_dataset_graph(data, 0), h = leman_dataset_graph(data, 1);
        for (unsigned k = 1; k <= 3; k++)
            for (unsigned variant = 0; variant < TEST_VARIANTS; variant++)
                if (variant != LAST) expect(ctx, &g, &h, variant, k, false);
        leman_dataset_free(data);
    }
    free(pair);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_wl_is_one_wl),
        cmocka_unit_test(test_three_wl_is_folklore_two_wl),
        cmocka_unit_test(test_local_plus_is_delta),
        cmocka_unit_test(test_apex_makes_local_plus_delta),
        cmocka_unit_test(test_cfi),
        cmocka_unit_test(test_rook_and_shrikhande),
        cmocka_unit_test(test_cycles),
        cmocka_unit_test(test_isomorphic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
