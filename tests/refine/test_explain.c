/* Explanations against the definition: every node of an unrolling is looked up in the graph and its colours, and every
 * branch is counted one vertex at a time. */
#include "support/graphs.h"
#include "support/random_graphs.h"
#include "support/rounds.h"

enum { MAX_ROUNDS = 64 };

/* What an unrolling talks about. */
typedef struct fixture {
    leman_context *ctx;
    const leman_graph *graph[2];
    leman_coloring coloring;
    uint64_t *colors[2][MAX_ROUNDS];
    const leman_unrolling *u;
} fixture;

static size_t power(size_t n, unsigned k)
{
    size_t p = 1;
    while (k--) p *= n;
    return p;
}

static uint64_t color_of(const fixture *s, uint32_t graph, uint32_t round, const uint32_t *tuple)
{
    size_t index = 0;
    for (unsigned j = 0; j < s->coloring.k; j++) index = index * s->graph[graph]->vertices + tuple[j];
    return s->colors[graph][round][index];
}

/* The arc from u to v, or -1. */
static int64_t arc_of(const leman_graph *g, uint32_t u, uint32_t v)
{
    for (uint64_t e = g->start[u]; e < g->start[u + 1]; e++)
        if (g->head[e] == v) return (int64_t)e;
    return -1;
}

static const uint32_t *tuple_of(const leman_unrolling *u, size_t node)
{
    return u->vertex + node * u->k;
}

/* ---- Branches -------------------------------------------------------------------------------- */

static bool related(const leman_graph *g, leman_relation relation, uint32_t v, uint32_t w)
{
    switch (relation) {
    case LEMAN_RELATION_NEIGHBOR: return arc_of(g, v, w) >= 0;
    case LEMAN_RELATION_ENTERING: return arc_of(g, w, v) >= 0;
    case LEMAN_RELATION_OTHER: return arc_of(g, v, w) < 0;
    case LEMAN_RELATION_ANY:
    case LEMAN_RELATION_VECTOR: return true;
    case LEMAN_RELATION_ITSELF:
    case LEMAN_RELATION_END: /* of items: test_explain_items.c */
    case LEMAN_RELATION_PATH:
    case LEMAN_RELATION_POOLED:
    case LEMAN_RELATION_DISTANCE:
    case LEMAN_RELATION_LESS:
    case LEMAN_RELATION_MORE: break;
    }
    return false;
}

/* For k = 1 the label of the edge belongs to what is seen. */
static bool same_labels(const fixture *s, const leman_graph *g, leman_relation relation, uint32_t v, uint32_t w,
                        uint32_t x)
{
    bool entering = relation == LEMAN_RELATION_ENTERING;
    if (s->coloring.k > 1 || s->coloring.ignore_edge_labels || !g->edge_labels) return true;
    if (relation != LEMAN_RELATION_NEIGHBOR && !entering) return true;
    int64_t e = entering ? arc_of(g, w, v) : arc_of(g, v, w), f = entering ? arc_of(g, x, v) : arc_of(g, v, x);
    size_t bytes = g->edge_labels * sizeof *g->edge_label;
    return !memcmp(g->edge_label + (size_t)e * g->edge_labels, g->edge_label + (size_t)f * g->edge_labels, bytes);
}

/* Does w give what the branch says? */
static bool belongs(const fixture *s, size_t node, const leman_branch *b, uint32_t w)
{
    const leman_unrolling *u = s->u;
    uint32_t graph = u->node[node].graph, x[8];
    const uint32_t *v = tuple_of(u, node);
    const leman_graph *g = s->graph[graph];
    bool vector = b->relation == LEMAN_RELATION_VECTOR;
    if (!related(g, b->relation, v[b->position], w)) return false;
    if (!same_labels(s, g, b->relation, v[b->position], b->vertex, w)) return false;
    for (unsigned j = vector ? 0 : b->position; j < (vector ? u->k : b->position + 1); j++) {
        memcpy(x, v, u->k * sizeof *x);
        x[j] = w;
        size_t to = u->target[b->target + (vector ? j : 0)];
        if (color_of(s, graph, u->node[node].round - 1, x) != u->node[to].color) return false;
    }
    return true;
}

static uint64_t repeats(const fixture *s, size_t node, const leman_branch *b)
{
    uint32_t graph = s->u->node[node].graph, x[8], round = s->u->node[node].round - 1;
    uint64_t count = 0;
    memcpy(x, tuple_of(s->u, node), s->u->k * sizeof *x);
    for (x[b->position] = 0; x[b->position] < s->graph[graph]->vertices; x[b->position]++)
        count += color_of(s, graph, round, x) == s->u->node[s->u->target[b->target]].color;
    return count;
}

/* Every vertex that the rule asks for belongs to exactly one branch of its relation and position, and each branch has
 * as many as it says. */
static void check_branches(const fixture *s, size_t node)
{
    const leman_unrolling_node *n = s->u->node + node;
    const leman_graph *g = s->graph[n->graph];
    bool plus = s->coloring.algorithm == LEMAN_ALGORITHM_LOCAL_PLUS;
    bool counted = plus && (s->coloring.count_every_round || n->round == s->coloring.rounds);
    size_t seen[LEMAN_RELATION_VECTOR + 1][8] = {{0}};
    for (size_t i = 0; i < n->branches; i++) {
        const leman_branch *b = s->u->branch + n->branch + i;
        uint64_t count = 0;
        size_t targets = b->relation == LEMAN_RELATION_VECTOR ? s->u->k : 1;
        for (size_t t = 0; t < targets; t++)
            assert_int_equal(s->u->node[s->u->target[b->target + t]].round, n->round - 1);
        if (b->relation == LEMAN_RELATION_ITSELF) {
            assert_int_equal(i, 0);
            assert_int_equal(s->u->node[s->u->target[b->target]].color,
                             color_of(s, n->graph, n->round - 1, tuple_of(s->u, node)));
            continue;
        }
        for (uint32_t w = 0; w < g->vertices; w++) count += belongs(s, node, b, w);
        assert_int_equal(count, b->count);
        assert_true(belongs(s, node, b, b->vertex));
        assert_int_equal(b->repeats, counted ? repeats(s, node, b) : 0);
        seen[b->relation][b->position] += count;
    }
    const bool asks[] = {[LEMAN_RELATION_NEIGHBOR] = s->coloring.algorithm != LEMAN_ALGORITHM_WL &&
                                                     s->coloring.algorithm != LEMAN_ALGORITHM_FOLKLORE,
                         [LEMAN_RELATION_ENTERING] = s->coloring.in_arcs && g->directed &&
                                                     s->coloring.algorithm != LEMAN_ALGORITHM_WL &&
                                                     s->coloring.algorithm != LEMAN_ALGORITHM_FOLKLORE,
                         [LEMAN_RELATION_OTHER] = s->coloring.algorithm == LEMAN_ALGORITHM_DELTA,
                         [LEMAN_RELATION_ANY] = s->coloring.algorithm == LEMAN_ALGORITHM_WL,
                         [LEMAN_RELATION_VECTOR] = s->coloring.algorithm == LEMAN_ALGORITHM_FOLKLORE};
    for (leman_relation r = LEMAN_RELATION_NEIGHBOR; r <= LEMAN_RELATION_VECTOR; r++)
        for (unsigned j = 0; j < s->u->k; j++) {
            size_t expected = 0;
            for (uint32_t w = 0; w < g->vertices; w++) expected += related(g, r, tuple_of(s->u, node)[j], w);
            bool asked = asks[r] && (r != LEMAN_RELATION_VECTOR || j == 0);
            assert_int_equal(seen[r][j], asked ? expected : 0);
        }
}

/* ---- The whole ------------------------------------------------------------------------------- */

static void check_carriers(const fixture *s)
{
    const leman_difference *d = &s->u->difference;
    for (uint32_t g = 0; g < 2; g++) {
        size_t tuples = power(s->graph[g]->vertices, s->u->k), found = 0;
        uint64_t count = 0;
        for (size_t t = 0; t < tuples; t++) {
            if (s->colors[g][d->round][t] != d->color) continue;
            count++;
            if (found == LEMAN_CARRIERS) continue;
            size_t rest = t;
            for (unsigned j = s->u->k; j-- > 0; rest /= s->graph[g]->vertices)
                assert_int_equal(s->u->carrier[g][found * s->u->k + j], rest % s->graph[g]->vertices);
            found++;
        }
        assert_int_equal(count, d->count[g]);
        assert_int_equal(found, s->u->carriers[g]);
    }
    assert_true(d->count[0] != d->count[1]);
}

static void check_roots(const fixture *s)
{
    const leman_unrolling *u = s->u;
    const leman_difference *d = &u->difference;
    assert_int_equal(u->node[0].color, d->color);
    assert_int_equal(u->node[0].round, d->round);
    assert_int_equal(u->node[0].graph, d->count[1] > d->count[0]);
    assert_int_equal(u->other, d->round > 0);
    if (!u->other) return;
    const leman_unrolling_node *other = u->node + u->other;
    assert_int_equal(other->round, d->round);
    assert_int_equal(other->graph, !u->node[0].graph);
    assert_true(other->color != d->color);
    assert_int_equal(color_of(s, other->graph, d->round - 1, tuple_of(u, u->other)),
                     color_of(s, u->node[0].graph, d->round - 1, tuple_of(u, 0)));
}

static void check_unrolling(fixture *s)
{
    const leman_unrolling *u = s->u;
    uint32_t rounds = u->difference.round;
    assert_true(rounds < MAX_ROUNDS);
    for (uint32_t r = 0; r <= rounds; r++)
        for (int g = 0; g < 2; g++) s->colors[g][r] = test_tuple_colors(s->ctx, s->graph[g], &s->coloring, r);
    check_carriers(s);
    check_roots(s);
    for (size_t i = 0; i < u->nodes; i++) {
        assert_int_equal(u->node[i].color, color_of(s, u->node[i].graph, u->node[i].round, tuple_of(u, i)));
        assert_int_equal(u->node[i].branches > 0, u->node[i].round > 0);
        if (u->node[i].round) check_branches(s, i);
        for (size_t j = 0; j < i; j++) /* equal subtrees are one node */
            assert_true(u->node[i].color != u->node[j].color || u->node[i].round != u->node[j].round);
    }
    for (uint32_t r = 0; r <= rounds; r++)
        for (int g = 0; g < 2; g++) free(s->colors[g][r]);
}

static bool try_pair(leman_context *ctx, const leman_dataset *data, leman_coloring coloring)
{
    leman_graph a = leman_dataset_graph(data, 0), b = leman_dataset_graph(data, 1);
    leman_unrolling *u = NULL;
    leman_difference d;
    assert_int_equal(leman_explain(ctx, &a, &b, &coloring, false, 0, &u), LEMAN_OK);
    assert_int_equal(leman_distinguish(ctx, &a, &b, &coloring, false, &d), LEMAN_OK);
    assert_int_equal(u->difference.distinguished, d.distinguished);
    assert_int_equal(u->k, coloring.k);
    if (d.distinguished) {
        assert_int_equal(u->difference.round, d.round);
        assert_int_equal(u->difference.color, d.color);
        if (coloring.k == 1 &&
            (coloring.algorithm == LEMAN_ALGORITHM_WL || coloring.algorithm == LEMAN_ALGORITHM_FOLKLORE))
            coloring.algorithm = LEMAN_ALGORITHM_LOCAL; /* colour refinement */
        fixture s = {.ctx = ctx, .graph = {&a, &b}, .coloring = coloring, .u = u};
        check_unrolling(&s);
    } else {
        assert_int_equal(u->nodes, 0);
    }
    leman_unrolling_free(u);
    return d.distinguished;
}

static void test_random_pairs(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(2);
    uint64_t random = 11;
    size_t distinguished = 0;
    for (int i = 0; i < 400; i++) {
        random_graph_kind kind = random_graph_kind_draw(&random);
        static random_graph graph[2];
        unsigned k = 1 + (unsigned)i % 3;
        random_graph_draw_family(&random, &kind, k == 3 ? 5 : 8, i % 5 == 0, 2, graph);
        leman_dataset *data = random_graph_dataset(ctx, &kind, graph, 2);
        leman_coloring coloring = test_variant((unsigned)(test_random(&random) % TEST_VARIANTS), k, 3);
        coloring.in_arcs = i % 2;
        coloring.ignore_edge_labels = i % 7 == 0;
        distinguished += try_pair(ctx, data, coloring);
        leman_dataset_free(data);
    }
    assert_true(distinguished > 100);
    test_context_free(ctx);
}

/* The pairs that people ask about, with rounds until stable. */
static void test_known_pairs(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *pair[] = {test_made(ctx, LEMAN_FAMILY_CYCLES, NULL), test_made(ctx, LEMAN_FAMILY_CFI, NULL),
                             test_made(ctx, LEMAN_FAMILY_ROOK_SHRIKHANDE, NULL)};
    for (unsigned variant = 0; variant < TEST_VARIANTS; variant++)
        for (size_t i = 0; i < 3; i++)
            for (unsigned k = 1; k <= 2; k++) {
                leman_coloring coloring = test_variant(variant, k, LEMAN_STABLE);
                coloring.count_every_round = true;
                bool distinguished = try_pair(ctx, pair[i], coloring);
                assert_int_equal(distinguished, k == 2 && i < 2 && coloring.algorithm != LEMAN_ALGORITHM_WL);
            }
    for (size_t i = 0; i < 3; i++) leman_dataset_free(pair[i]);
    test_context_free(ctx);
}

/* Inside a union the second graph's vertices follow the first's, and carriers are those of each graph. */
static void test_union(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = test_made(ctx, LEMAN_FAMILY_CFI, NULL);
    leman_graph a = leman_dataset_graph(data, 0), b = leman_dataset_graph(data, 1);
    for (unsigned variant = 0; variant < TEST_VARIANTS; variant++) {
        leman_coloring coloring = test_variant(variant, 2, 5);
        leman_unrolling *u = NULL;
        leman_difference d;
        assert_int_equal(leman_explain(ctx, &a, &b, &coloring, true, 0, &u), LEMAN_OK);
        assert_int_equal(leman_distinguish(ctx, &a, &b, &coloring, true, &d), LEMAN_OK);
        assert_int_equal(u->difference.distinguished, d.distinguished);
        for (size_t i = 0; i < 2 * u->nodes; i++) assert_true(u->vertex[i] < a.vertices + b.vertices);
        for (int g = 0; g < 2 && d.distinguished; g++) {
            assert_int_equal(u->carriers[g], d.count[g] < LEMAN_CARRIERS ? d.count[g] : LEMAN_CARRIERS);
            for (size_t i = 0; i < 2 * u->carriers[g]; i++) assert_true(u->carrier[g][i] < (g ? b : a).vertices);
        }
        leman_unrolling_free(u);
    }
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* With room for one node only the root has branches, and what they lead to is there. */
static void test_limit(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = test_made(ctx, LEMAN_FAMILY_CFI, NULL);
    leman_graph a = leman_dataset_graph(data, 0), b = leman_dataset_graph(data, 1);
    leman_coloring coloring = test_variant(LEMAN_ALGORITHM_LOCAL, 2, 5);
    leman_unrolling *u = NULL;
    assert_int_equal(leman_explain(ctx, &a, &b, &coloring, false, 1, &u), LEMAN_OK);
    assert_int_equal(u->difference.round, 2);
    assert_true(u->node[0].branches > 1 && u->nodes > 2);
    for (size_t i = 1; i < u->nodes; i++) assert_int_equal(u->node[i].branches, 0);
    leman_unrolling_free(u);
    leman_dataset_free(data);
    test_context_free(ctx);
}

static leman_status explain_cycles(leman_context *ctx, void *state)
{
    leman_dataset *data = NULL;
    leman_unrolling *u = NULL;
    leman_coloring coloring = test_variant(LEMAN_ALGORITHM_LOCAL, 2, 3);
    leman_status st = leman_dataset_generate(ctx, LEMAN_FAMILY_CYCLES, NULL, &data);
    if (!st) {
        leman_graph a = leman_dataset_graph(data, 0), b = leman_dataset_graph(data, 1);
        st = leman_explain(ctx, &a, &b, &coloring, *(bool *)state, 0, &u);
        leman_unrolling_free(u);
    }
    leman_dataset_free(data);
    return st;
}

static void test_allocations(void **state)
{
    (void)state;
    for (int as_union = 0; as_union < 2; as_union++) {
        bool flag = as_union;
        assert_true(test_fail_each_allocation(explain_cycles, &flag) > 0);
    }
}

/* A budget that is just enough to distinguish does not hold the colours of all rounds. */
static void test_budget(void **state)
{
    (void)state;
    leman_context *plain = test_context_new(1);
    leman_family_options options = leman_family_options_default();
    leman_coloring coloring = test_variant(LEMAN_ALGORITHM_LOCAL, 2, LEMAN_STABLE);
    options.vertices = 60;
    leman_dataset *data = test_made(plain, LEMAN_FAMILY_CYCLES, &options);
    leman_graph a = leman_dataset_graph(data, 0), b = leman_dataset_graph(data, 1);
    leman_status st = LEMAN_ERROR_BUDGET;
    for (size_t memory = 1 << 12; st; memory += memory / 16) {
        leman_settings settings = leman_settings_default();
        leman_context *ctx = NULL;
        leman_difference d;
        leman_unrolling *u = NULL;
        settings.memory = memory;
        settings.threads = 1;
        assert_int_equal(leman_context_new(&settings, &ctx), LEMAN_OK);
        st = leman_distinguish(ctx, &a, &b, &coloring, false, &d);
        assert_true(st == LEMAN_OK || st == LEMAN_ERROR_BUDGET);
        assert_int_equal(leman_explain(ctx, &a, &b, &coloring, false, 0, &u), LEMAN_ERROR_BUDGET);
        assert_non_null(strstr(leman_context_message(ctx), "budget"));
        leman_context_free(ctx);
    }
    leman_dataset_free(data);
    test_context_free(plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_pairs), cmocka_unit_test(test_known_pairs), cmocka_unit_test(test_union),
        cmocka_unit_test(test_limit),        cmocka_unit_test(test_allocations), cmocka_unit_test(test_budget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
