/*
 * leman_distinguish() against the oracle: whether, in which round, and a witness whose counts are right; each graph
 * alone and in the disjoint union; and what it refuses.
 */
#include "support/oracle.h"
#include "support/random_graphs.h"
#include "support/rounds.h"

enum { MAX_ROUNDS = 40 };

/* ---- What the oracle says -------------------------------------------------------------------- */

typedef struct verdict {
    bool distinguished;
    uint32_t round;
    uint64_t fewest; /* tuples of a colour whose counts differ, both graphs together */
} verdict;

/* Counts by colour of the tuples of graph g all of whose components lie in first .. first + n - 1. */
static size_t *counts_inside(const oracle *o, size_t g, size_t first, size_t n)
{
    size_t *count = calloc(o->classes + 1, sizeof *count), all = o->graph[g].vertices;
    assert_non_null(count);
    for (size_t t = 0; t < o->tuples[g]; t++) {
        bool inside = true;
        size_t rest = t;
        for (unsigned j = 0; j < o->coloring.k; j++, rest /= all)
            inside &= rest % all >= first && rest % all < first + n;
        if (inside && o->colors[g][t] != UINT32_MAX) count[o->colors[g][t]]++; /* that: not in the set of tuples */
    }
    return count;
}

static bool differ(const oracle *o, const size_t *a, const size_t *b, verdict *v)
{
    v->fewest = UINT64_MAX;
    for (size_t c = 0; c < o->classes; c++)
        if (a[c] != b[c] && a[c] + b[c] < v->fewest) v->fewest = a[c] + b[c];
    return v->fewest < UINT64_MAX;
}

/* graph[0] and graph[1] beside each other, or their union as graph[0], parts of n[0] and n[1] vertices. */
static verdict ask_oracle(const leman_graph *graph, const size_t *n, const leman_coloring *c, bool as_union)
{
    verdict v = {0};
    size_t before = SIZE_MAX;
    for (uint32_t r = 0; r < MAX_ROUNDS; r++) {
        oracle *o = oracle_at(graph, as_union ? 1 : 2, c, r);
        size_t *a = counts_inside(o, 0, 0, n[0]), *b = counts_inside(o, as_union ? 0 : 1, as_union ? n[0] : 0, n[1]);
        size_t classes = o->classes;
        v.round = r;
        v.distinguished = differ(o, a, b, &v);
        free(a);
        free(b);
        oracle_free(o);
        bool ends = c->rounds == LEMAN_STABLE ? classes == before : r == c->rounds;
        if (v.distinguished || ends) return v;
        before = classes;
    }
    fail_msg("not stable after %d rounds", MAX_ROUNDS);
    return v;
}

/* ---- What the engine says -------------------------------------------------------------------- */

/* The witness has its counts, in graphs coloured alone. */
static void check_witness(leman_context *ctx, const leman_graph *graph, const leman_coloring *c,
                          const leman_difference *d)
{
    for (size_t i = 0; i < 2; i++) {
        uint64_t *colors = test_tuple_colors(ctx, graph + i, c, d->round), count = 0;
        size_t tuples = 1;
        for (unsigned j = 0; j < c->k; j++) tuples *= graph[i].vertices;
        for (size_t t = 0; t < tuples; t++) count += colors[t] == d->color;
        assert_int_equal(d->count[i], count);
        free(colors);
    }
}

static void check_pair(leman_context *ctx, const leman_graph *pair, const leman_graph *both, const leman_coloring *c)
{
    size_t n[2] = {pair[0].vertices, pair[1].vertices};
    for (int as_union = 0; as_union < 2; as_union++) {
        verdict v = ask_oracle(as_union ? both : pair, n, c, as_union);
        leman_difference d;
        assert_int_equal(leman_distinguish(ctx, pair, pair + 1, c, as_union, &d), LEMAN_OK);
        if (d.distinguished != v.distinguished)
            fail_msg("%s%s: engine says %d, oracle %d", test_coloring_text(c, v.round), as_union ? ", union" : "",
                     d.distinguished, v.distinguished);
        if (v.distinguished) {
            assert_int_equal(d.round, v.round);
            assert_int_not_equal(d.count[0], d.count[1]);
            assert_int_equal(d.count[0] + d.count[1], v.fewest);
        } else {
            assert_true(d.round <= v.round);
        }
        if (v.distinguished && !as_union) check_witness(ctx, pair, c, &d);
    }
}

/* Both graphs in one, the second behind the first. */
static void join_graphs(const random_graph *pair, random_graph *out)
{
    *out = pair[0];
    out->n += pair[1].n;
    for (size_t u = 0; u < pair[1].n; u++) {
        size_t at = pair[0].n + u;
        memcpy(out->label[at], pair[1].label[u], sizeof out->label[at]);
        for (size_t v = 0; v < pair[1].n; v++) {
            out->arc[at][pair[0].n + v] = pair[1].arc[u][v];
            memcpy(out->arc_label[at][pair[0].n + v], pair[1].arc_label[u][v], sizeof out->arc_label[0][0]);
        }
    }
}

static void check_random(unsigned k, size_t vertices, size_t cases, uint64_t seed)
{
    leman_context *ctx = test_context_new(1);
    random_graph *graph = malloc(3 * sizeof *graph);
    assert_non_null(graph);
    cases = test_cases(cases);
    for (size_t i = 0; i < cases; i++) {
        uint64_t state = seed + i;
        random_graph_kind kind = random_graph_kind_draw(&state);
        random_graph_draw_family(&state, &kind, vertices, test_random(&state) % 2, 2, graph);
        join_graphs(graph, graph + 2);
        leman_dataset *data = random_graph_dataset(ctx, &kind, graph, 3);
        leman_graph view[3];
        for (size_t g = 0; g < 3; g++) view[g] = leman_dataset_graph(data, g);
        for (unsigned variant = 0; variant < TEST_VARIANTS; variant++) {
            leman_coloring c = test_variant(variant, k, (uint32_t)(test_random(&state) % 4));
            c.in_arcs = test_random(&state) % 2;
            c.ignore_vertex_labels = test_random(&state) % 4 == 0;
            c.ignore_edge_labels = test_random(&state) % 4 == 0;
            c.components = test_random(&state) % (k + 1);
            check_pair(ctx, view, view + 2, &c);
            if (c.algorithm == LEMAN_ALGORITHM_LOCAL_PLUS && !c.count_every_round) continue;
            c.rounds = LEMAN_STABLE;
            check_pair(ctx, view, view + 2, &c);
        }
        leman_dataset_free(data);
    }
    free(graph);
    test_context_free(ctx);
}

static void test_against_oracle(void **unused)
{
    (void)unused;
    check_random(1, 7, 300, 100);
    check_random(2, 5, 100, 200);
    check_random(3, 3, 25, 300);
    check_random(4, 2, 10, 400);
}

/* ---- # in the last round only ---------------------------------------------------------------- */

/*
 * Colours may be stable long before the last round, and still its # may distinguish graphs. Six arcs a_i -> w_i, and
 * each w_i -> one of three sinks, which get as many arcs as the row says. Sums and sums of squares of the rows are
 * equal, so pairs look alike; but without entering arcs only # knows how many arcs enter a sink.
 */
static void build_sinks(const size_t *entering, random_graph *g)
{
    static const random_graph_kind kind = {.directed = true};
    *g = (random_graph){.n = 15};
    for (size_t i = 0, sink = 0, left = entering[0]; i < 6; i++, left--) {
        while (!left) left = entering[++sink];
        random_graph_toggle(&kind, g, i, 6 + i);
        random_graph_toggle(&kind, g, 6 + i, 12 + sink);
    }
}

static void test_last_round_counts_after_stable(void **unused)
{
    (void)unused;
    static const size_t rows[2][3] = {{1, 1, 4}, {0, 3, 3}};
    static const random_graph_kind kind = {.directed = true};
    leman_context *ctx = test_context_new(1);
    random_graph *graph = malloc(3 * sizeof *graph);
    assert_non_null(graph);
    for (size_t g = 0; g < 2; g++) build_sinks(rows[g], graph + g);
    join_graphs(graph, graph + 2);
    leman_dataset *data = random_graph_dataset(ctx, &kind, graph, 3);
    leman_graph view[3];
    for (size_t g = 0; g < 3; g++) view[g] = leman_dataset_graph(data, g);
    leman_coloring plain = test_variant(2, 2, LEMAN_STABLE), last = test_variant(3, 2, 9);
    leman_difference d;
    check_pair(ctx, view, view + 2, &plain);
    check_pair(ctx, view, view + 2, &last);
    assert_int_equal(leman_distinguish(ctx, view, view + 1, &plain, false, &d), LEMAN_OK);
    assert_false(d.distinguished);
    assert_true(d.round < 9);
    assert_int_equal(leman_distinguish(ctx, view, view + 1, &last, false, &d), LEMAN_OK);
    assert_true(d.distinguished);
    assert_int_equal(d.round, 9);
    leman_dataset_free(data);
    free(graph);
    test_context_free(ctx);
}

/* ---- What is refused ------------------------------------------------------------------------- */

static leman_dataset *one_edge(leman_context *ctx, const random_graph_kind *kind)
{
    random_graph *graph = calloc(1, sizeof *graph);
    assert_non_null(graph);
    graph->n = 2;
    random_graph_toggle(kind, graph, 0, 1);
    leman_dataset *data = random_graph_dataset(ctx, kind, graph, 1);
    free(graph);
    return data;
}

static void check_refused(const random_graph_kind *a, const random_graph_kind *b, const leman_coloring *c,
                          leman_status expected, const char *word)
{
    leman_context *ctx = test_context_new(1);
    leman_dataset *left = one_edge(ctx, a), *right = one_edge(ctx, b);
    leman_graph g = leman_dataset_graph(left, 0), h = leman_dataset_graph(right, 0);
    for (int as_union = 0; as_union < 2; as_union++) {
        leman_difference d = {.round = 99, .color = 99};
        assert_int_equal(leman_distinguish(ctx, &g, &h, c, as_union, &d), expected);
        if (expected) {
            assert_non_null(strstr(leman_context_message(ctx), word));
            assert_int_equal(d.round, 99); /* untouched */
            assert_int_equal(d.color, 99);
        }
    }
    leman_dataset_free(left);
    leman_dataset_free(right);
    test_context_free(ctx);
}

static void test_refused(void **unused)
{
    (void)unused;
    leman_coloring c = test_variant(2, 2, LEMAN_STABLE), blind = c;
    random_graph_kind plain = {0}, directed = {.directed = true}, labelled = {.vertex_labels = 1, .vertex_columns = 1},
                      two = {.vertex_labels = 1, .vertex_columns = 2}, edges = {.edge_labels = 1, .edge_columns = 1};
    blind.ignore_vertex_labels = blind.ignore_edge_labels = true;
    check_refused(&plain, &directed, &c, LEMAN_ERROR_INPUT, "directed");
    check_refused(&plain, &labelled, &c, LEMAN_ERROR_INPUT, "label columns");
    check_refused(&two, &labelled, &c, LEMAN_ERROR_INPUT, "label columns");
    check_refused(&edges, &plain, &c, LEMAN_ERROR_INPUT, "label columns");
    check_refused(&edges, &two, &blind, LEMAN_OK, "");
    check_refused(&two, &two, &c, LEMAN_OK, "");
    c = test_variant(3, 2, LEMAN_STABLE);
    check_refused(&plain, &plain, &c, LEMAN_ERROR_ARGUMENT, "last round");
    c = test_variant(5, 2, LEMAN_STABLE);
    check_refused(&plain, &plain, &c, LEMAN_OK, "");
    c.k = 0;
    check_refused(&plain, &plain, &c, LEMAN_ERROR_ARGUMENT, "k:");
    c.k = 1000;
    check_refused(&plain, &plain, &c, LEMAN_ERROR_ARGUMENT, "k:");
    c = test_variant(0, 2, 3);
    c.algorithm = (leman_algorithm)LEMAN_ALGORITHM_COUNT;
    check_refused(&plain, &plain, &c, LEMAN_ERROR_ARGUMENT, "algorithm");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_oracle),
        cmocka_unit_test(test_last_round_counts_after_stable),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
