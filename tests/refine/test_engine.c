/*
 * The engine against the oracle, on random graphs of every sort: in every round and for every variant the same
 * partition of the tuples of several graphs together, the same counts, the same numbers of colours and pairs, the same
 * stable round.
 */
#include "support/oracle.h"
#include "support/random_graphs.h"
#include "support/rounds.h"

enum { ROUNDS = 4, MAX_ROUNDS = 40, MAX_GRAPHS = 3 };

/* The rounds of one data set as the oracle sees them, all by one rule, until two behind the stable one. */
typedef struct chain {
    leman_graph graph[MAX_GRAPHS];
    size_t graphs;
    oracle *round[MAX_ROUNDS];
    uint32_t rounds; /* at least ROUNDS + 1 */
    uint32_t stable;
} chain;

static void chain_new(const leman_dataset *data, const leman_coloring *c, bool counted, chain *out)
{
    *out = (chain){.graphs = leman_dataset_shape(data)->graphs, .stable = UINT32_MAX};
    for (size_t g = 0; g < out->graphs; g++) out->graph[g] = leman_dataset_graph(data, g);
    for (uint32_t r = 0; r <= ROUNDS || out->stable == UINT32_MAX; r++) {
        assert_true(r < MAX_ROUNDS);
        out->round[r] = r ? oracle_next(out->round[r - 1], counted) : oracle_new(out->graph, out->graphs, c);
        out->rounds = r + 1;
        if (r && out->stable == UINT32_MAX && out->round[r]->classes == out->round[r - 1]->classes) out->stable = r - 1;
    }
}

static void chain_free(chain *c)
{
    for (uint32_t r = 0; r < c->rounds; r++) oracle_free(c->round[r]);
}

/* ---- One round, and all rounds --------------------------------------------------------------- */

static void check_tuples(leman_context *ctx, const leman_coloring *c, uint32_t round, const oracle *o,
                         leman_histogram *const *histogram)
{
    uint64_t *colors[MAX_GRAPHS];
    for (size_t g = 0; g < o->graphs; g++) {
        colors[g] = test_tuple_colors(ctx, o->graph + g, c, round);
        if (!test_counts_agree(histogram[g], round, colors[g], o->tuples[g]))
            fail_msg("%s: the histogram of graph %zu does not count its tuples", test_coloring_text(c, round), g);
        assert_int_equal(histogram[g]->start[round + 1] - histogram[g]->start[round], oracle_classes_of(o, g));
    }
    if (!oracle_same_partition(o, colors)) fail_msg("%s: not the oracle's partition", test_coloring_text(c, round));
    for (size_t g = 0; g < o->graphs; g++) free(colors[g]);
}

/* Rounds 0 .. c->rounds against round[]; nothing splits any more after `stable` (-1: not within these rounds). */
static void check_rounds(leman_context *ctx, const leman_dataset *data, const leman_coloring *c, oracle *const *round,
                         int64_t stable)
{
    leman_histogram *histogram[MAX_GRAPHS];
    leman_census *census = test_census(ctx, data, c);
    size_t graphs = round[0]->graphs;
    for (size_t g = 0; g < graphs; g++) {
        histogram[g] = test_histogram(ctx, round[0]->graph + g, c);
        assert_int_equal(histogram[g]->rounds, c->rounds + 1);
    }
    assert_int_equal(census->rounds, c->rounds + 1);
    for (uint32_t r = 0; r <= c->rounds; r++) {
        uint64_t pairs = 0;
        check_tuples(ctx, c, r, round[r], histogram);
        for (size_t g = 0; g < graphs; g++) pairs += oracle_classes_of(round[r], g);
        if (census->round[r].colors != round[r]->classes || census->round[r].pairs != pairs)
            fail_msg("%s: census says %lu colours, %lu pairs; expected %zu, %lu", test_coloring_text(c, r),
                     census->round[r].colors, census->round[r].pairs, round[r]->classes, pairs);
    }
    assert_int_equal(census->stable_round, stable);
    for (size_t g = 0; g < graphs; g++) leman_histogram_free(histogram[g]);
    leman_census_free(census);
}

/* ---- Every variant --------------------------------------------------------------------------- */

/* The first of the rounds 0 .. last after which nothing splits, as far as they can tell. */
static int64_t stable_within(const chain *o, uint32_t last)
{
    return o->stable < last ? (int64_t)o->stable : -1;
}

/* LEMAN_STABLE: all graphs together in the census, each graph by itself in a histogram. */
static void check_until_stable(leman_context *ctx, const leman_dataset *data, const leman_coloring *asked,
                               const chain *o)
{
    leman_coloring c = *asked;
    c.rounds = LEMAN_STABLE;
    leman_census *census = test_census(ctx, data, &c);
    assert_int_equal(census->stable_round, o->stable);
    assert_int_equal(census->rounds, o->stable + 1);
    for (uint32_t r = 0; r < census->rounds; r++) assert_int_equal(census->round[r].colors, o->round[r]->classes);
    leman_census_free(census);
    for (size_t g = 0; g < o->graphs; g++) {
        leman_histogram *h = test_histogram(ctx, o->graph + g, &c);
        uint32_t own = 0;
        while (oracle_classes_of(o->round[own], g) < oracle_classes_of(o->round[own + 1], g)) own++;
        assert_int_equal(h->rounds, own + 1);
        leman_histogram_free(h);
    }
}

static void check_variant(leman_context *ctx, const leman_dataset *data, const leman_coloring *asked)
{
    leman_coloring c = *asked;
    chain o;
    bool last_only = c.algorithm == LEMAN_ALGORITHM_LOCAL_PLUS && !c.count_every_round;
    chain_new(data, &c, c.count_every_round, &o);
    if (!last_only) {
        check_rounds(ctx, data, &c, o.round, stable_within(&o, ROUNDS));
        check_until_stable(ctx, data, &c, &o);
    }
    for (c.rounds = 0; last_only && c.rounds <= ROUNDS; c.rounds++) { /* each last round is another colouring */
        oracle *round[ROUNDS + 1];
        for (uint32_t r = 0; r <= c.rounds; r++) round[r] = o.round[r];
        if (c.rounds) round[c.rounds] = oracle_next(o.round[c.rounds - 1], true);
        check_rounds(ctx, data, &c, round, c.rounds ? stable_within(&o, c.rounds - 1) : -1);
        if (c.rounds) oracle_free(round[c.rounds]);
    }
    chain_free(&o);
}

static void check_family(leman_context *ctx, uint64_t *state, const random_graph_kind *kind, const random_graph *graph,
                         size_t count, unsigned k, bool sparse)
{
    leman_dataset *data = random_graph_dataset(ctx, kind, graph, count);
    for (unsigned variant = 0; variant < TEST_VARIANTS; variant++) {
        leman_coloring c = test_variant(variant, k, ROUNDS);
        c.in_arcs = test_random(state) % 2;
        c.ignore_vertex_labels = test_random(state) % 8 == 0;
        c.ignore_edge_labels = test_random(state) % 8 == 0;
        c.seed = test_random(state) % 4 ? 0 : test_random(state);
        if (sparse) c.components = 1 + test_random(state) % k;
        check_variant(ctx, data, &c);
    }
    leman_dataset_free(data);
}

/* ---- Graphs of every sort -------------------------------------------------------------------- */

static void check_kind(unsigned k, size_t vertices, bool twins, size_t cases, uint64_t seed, bool sparse)
{
    leman_context *contexts[] = {test_context_new(1), test_context_new(2)};
    random_graph *graph = malloc(MAX_GRAPHS * sizeof *graph);
    assert_non_null(graph);
    cases = test_cases(cases);
    for (size_t i = 0; i < cases; i++) {
        uint64_t state = seed + i;
        random_graph_kind kind = random_graph_kind_draw(&state);
        size_t count = 2 + test_random(&state) % 2;
        random_graph_draw_family(&state, &kind, vertices, twins, count, graph);
        check_family(contexts[i % 32 == 0], &state, &kind, graph, count, k, sparse);
    }
    free(graph);
    test_context_free(contexts[0]);
    test_context_free(contexts[1]);
}

static void check_random(unsigned k, size_t vertices, bool twins, size_t cases, uint64_t seed)
{
    check_kind(k, vertices, twins, cases, seed, false);
}

static void test_one_component(void **unused)
{
    (void)unused;
    check_random(1, 9, false, 800, 1000);
    check_random(1, 9, true, 400, 2000);
}

static void test_pairs(void **unused)
{
    (void)unused;
    check_random(2, 5, false, 500, 3000);
    check_random(2, 7, true, 250, 4000);
}

static void test_triples(void **unused)
{
    (void)unused;
    check_random(3, 4, false, 120, 5000);
    check_random(3, 5, true, 60, 6000);
}

static void test_quadruples(void **unused)
{
    (void)unused;
    check_random(4, 3, false, 60, 7000);
    check_random(4, 6, true, 3, 8000);
}

/* Tuples of at most s components, s = 1 .. k. */
static void test_sparse(void **unused)
{
    (void)unused;
    check_kind(2, 6, false, 200, 9000, true);
    check_kind(2, 8, true, 100, 9300, true);
    check_kind(3, 5, false, 60, 9600, true);
    check_kind(3, 6, true, 20, 9700, true);
    check_kind(4, 4, false, 20, 9800, true);
    check_kind(4, 6, true, 2, 9900, true);
}

/* No vertex, one, two: every graph with loops or without, alone and beside the others. */
static void test_tiny(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    random_graph graph[MAX_GRAPHS] = {{.n = 0}, {.n = 1}, {.n = 2}};
    random_graph_kind kind = {.loops = true};
    uint64_t state = 11;
    for (unsigned k = 1; k <= 4; k++) {
        for (unsigned arcs = 0; arcs < 8; arcs++) {
            graph[1].arc[0][0] = arcs & 1;
            graph[2].arc[0][1] = graph[2].arc[1][0] = arcs & 2;
            graph[2].arc[1][1] = arcs & 4;
            check_family(ctx, &state, &kind, graph, 3, k, false);
            check_family(ctx, &state, &kind, graph, 3, k, true);
        }
        check_family(ctx, &state, &kind, graph, 1, k, false);
        check_family(ctx, &state, &kind, graph, 1, k, true);
        check_family(ctx, &state, &kind, graph, 0, k, false);
        check_family(ctx, &state, &kind, graph, 0, k, true);
    }
    test_context_free(ctx);
}

/* Graphs in which most vertices are joined to most others, or to half of them: sums are taken over the others, over
 * rows side by side, or by subsets. One vertex has few arcs; two are twins of another. */
static void test_dense(void **unused)
{
    (void)unused;
    enum { N = 17, SUBSETS = 45 };
    leman_context *ctx = test_context_new(2);
    random_graph *graph = calloc(2, sizeof *graph);
    uint64_t state = 12;
    for (unsigned way = 0; way < 7; way++) {
        const random_graph_kind kind = {.directed = way % 2};
        const unsigned k = way != 4 ? 2 : 3, percent = way < 2 || way > 4 ? 50 : 85;
        graph[0] = (random_graph){.n = way > 4 ? SUBSETS : k == 2 ? N + 2 : N};
        for (size_t u = 0; u < graph->n; u++)
            for (size_t v = kind.directed ? 0 : u + 1; v < graph->n; v++)
                if (u != v && test_random(&state) % 100 < (u == 3 || v == 3 ? 15 : percent))
                    random_graph_toggle(&kind, graph, u, v);
        for (size_t u = 0; u < 3; u++)
            for (size_t v = 0; v < graph->n; v++) {
                graph->arc[u][v] = v < 3 ? u != v : graph->arc[0][v];
                graph->arc[v][u] = v < 3 ? u != v : graph->arc[v][0];
            }
        graph[1] = graph[0];
        random_graph_toggle(&kind, graph + 1, 4, 9);
        check_family(ctx, &state, &kind, graph, 2, k, false);
    }
    free(graph);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tiny),    cmocka_unit_test(test_one_component), cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_triples), cmocka_unit_test(test_quadruples),    cmocka_unit_test(test_sparse),
        cmocka_unit_test(test_dense),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
