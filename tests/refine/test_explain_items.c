/*
 * Explanations of colourings of pairs, of vertices with distances and of sets, against their definitions: every branch is
 * counted one vertex at a time in the graph and its colours.
 */
#include "support/random_graphs.h"
#include "support/rounds.h"
#include <math.h>

enum { FIRST = LEMAN_ALGORITHM_SWL_VS, ROUNDS = 3, ABSENT = UINT32_MAX, FAR = UINT32_MAX };

typedef struct fixture {
    leman_context *ctx;
    const leman_graph *graph[2];
    leman_coloring coloring;
    uint64_t *colors[2][ROUNDS + 1];
    const leman_unrolling *u;
} fixture;

static bool is_set(const fixture *s)
{
    return s->coloring.algorithm == LEMAN_ALGORITHM_SET_WL;
}

static bool has_distances(const fixture *s)
{
    return s->coloring.algorithm >= LEMAN_ALGORITHM_SPD_WL && s->coloring.algorithm <= LEMAN_ALGORITHM_GD_WL;
}

/* The colour of an item; 0 if it is none. A set is found at the tuple that repeats its last vertex. */
static uint64_t color_of(const fixture *s, uint32_t graph, uint32_t round, const uint32_t *v)
{
    size_t index = 0;
    for (unsigned j = 0, last = 0; j < s->coloring.k; j++) {
        if (v[j] != ABSENT) last = j;
        index = index * s->graph[graph]->vertices + v[last];
    }
    return s->colors[graph][round][index];
}

/* The arc from u to v, or -1. */
static int64_t arc_of(const leman_graph *g, uint32_t u, uint32_t v)
{
    for (uint64_t e = g->start[u]; e < g->start[u + 1]; e++)
        if (g->head[e] == v) return (int64_t)e;
    return -1;
}

/* The arc between v and w in the direction that counts. */
static int64_t directed_arc(const leman_graph *g, uint32_t v, uint32_t w, bool entering)
{
    return entering ? arc_of(g, w, v) : arc_of(g, v, w);
}

static bool same_label(const fixture *s, const leman_graph *g, int64_t e, int64_t f)
{
    if (s->coloring.ignore_edge_labels || !g->edge_labels) return true;
    if (e < 0 || f < 0) return e < 0 && f < 0;
    return !memcmp(g->edge_label + (size_t)e * g->edge_labels, g->edge_label + (size_t)f * g->edge_labels,
                   g->edge_labels * sizeof *g->edge_label);
}

/* Lengths of shortest paths by Bellman and Ford. */
static uint32_t distance(const leman_graph *g, uint32_t u, uint32_t v)
{
    uint32_t d[RANDOM_GRAPH_MAX];
    for (size_t i = 0; i < g->vertices; i++) d[i] = i == u ? 0 : FAR;
    for (size_t again = 0; again < g->vertices; again++)
        for (uint32_t a = 0; a < g->vertices; a++)
            for (uint64_t e = g->start[a]; e < g->start[a + 1] && d[a] != FAR; e++)
                if (d[a] + 1 < d[g->head[e]]) d[g->head[e]] = d[a] + 1;
    return d[v];
}

/* The resistance between u and v if every edge is one of one ohm: every other vertex is replaced by a mesh. */
static double resistance(const leman_graph *g, uint32_t u, uint32_t v)
{
    double wire[RANDOM_GRAPH_MAX][RANDOM_GRAPH_MAX]; /* conductances */
    const uint32_t n = (uint32_t)g->vertices;
    if (u == v) return 0;
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = 0; b < n; b++) wire[a][b] = a != b && (arc_of(g, a, b) >= 0 || arc_of(g, b, a) >= 0);
    for (uint32_t w = 0; w < n; w++) {
        double all = 0;
        for (uint32_t a = 0; a < n; a++) all += wire[w][a];
        if (w == u || w == v || all <= 0) continue;
        for (uint32_t a = 0; a < n; a++)
            for (uint32_t b = 0; b < n; b++)
                if (a != b && a != w && b != w) wire[a][b] += wire[w][a] * wire[w][b] / all;
        for (uint32_t a = 0; a < n; a++) wire[w][a] = wire[a][w] = 0;
    }
    return wire[u][v] > 0 ? 1 / wire[u][v] : -1;
}

/* ---- What a branch reads --------------------------------------------------------------------- */

/* The vertices of one component replaced, or of a set with or without w; returns false if there is no such set. */
static bool replace(const fixture *s, const uint32_t *v, const leman_branch *b, uint32_t w, uint32_t *x)
{
    unsigned size = 0, at;
    memcpy(x, v, s->u->k * sizeof *x);
    if (b->relation != LEMAN_RELATION_LESS && b->relation != LEMAN_RELATION_MORE) {
        x[b->position] = w;
        return true;
    }
    while (size < s->u->k && v[size] != ABSENT) size++;
    for (at = 0; at < size && v[at] < w; at++) continue;
    const bool inside = at < size && v[at] == w;
    if (b->relation == LEMAN_RELATION_LESS) {
        if (!inside || size == 1) return false;
        for (; at + 1 < s->u->k; at++) x[at] = x[at + 1];
        x[s->u->k - 1] = ABSENT;
        return true;
    }
    if (inside || size == s->u->k) return false;
    memmove(x + at + 1, x + at, (size - at) * sizeof *x);
    x[at] = w;
    return true;
}

/* Is w among the vertices of this relation? color[2] gets the colours that the branch reads. */
static bool reads(const fixture *s, size_t node, const leman_branch *b, uint32_t w, uint64_t *color)
{
    const leman_algorithm algorithm = s->coloring.algorithm;
    const uint32_t graph = s->u->node[node].graph, *v = s->u->vertex + node * s->u->k;
    const uint32_t round = s->u->node[node].round - (b->relation != LEMAN_RELATION_POOLED);
    const leman_graph *g = s->graph[graph];
    uint32_t x[8];
    color[1] = 0;
    if (b->relation == LEMAN_RELATION_PATH) {
        const bool back = b->position, near = directed_arc(g, v[1], w, back) >= 0;
        if (algorithm == LEMAN_ALGORITHM_LFWL && !near) return false;
        if (algorithm == LEMAN_ALGORITHM_SLFWL && !near && directed_arc(g, v[0], w, back) < 0) return false;
        color[0] = color_of(s, graph, round, (uint32_t[]){v[0], w});
        color[1] = color_of(s, graph, round, (uint32_t[]){w, v[1]});
        return color[0] && color[1];
    }
    if (b->relation == LEMAN_RELATION_END) {
        color[0] = color_of(s, graph, round, (uint32_t[]){v[1], v[1]});
        return w == v[1];
    }
    if (b->relation == LEMAN_RELATION_DISTANCE) {
        color[0] = color_of(s, graph, round, &w);
        return true;
    }
    if (b->relation == LEMAN_RELATION_NEIGHBOR && arc_of(g, v[b->position], w) < 0) return false;
    if (b->relation == LEMAN_RELATION_ENTERING && arc_of(g, w, v[b->position]) < 0) return false;
    if (!replace(s, v, b, w, x)) return false;
    color[0] = color_of(s, graph, round, x);
    return color[0];
}

/* Does w give the same message as the branch's vertex, apart from colours? */
static bool looks_like(const fixture *s, size_t node, const leman_branch *b, uint32_t w)
{
    const uint32_t graph = s->u->node[node].graph, *v = s->u->vertex + node * s->u->k, x = b->vertex;
    const leman_graph *g = s->graph[graph];
    const leman_algorithm algorithm = s->coloring.algorithm;
    const bool entering = b->relation == LEMAN_RELATION_ENTERING;
    if (b->relation == LEMAN_RELATION_DISTANCE) {
        const bool back = b->position;
        const uint32_t one = back ? distance(g, w, v[0]) : distance(g, v[0], w);
        const uint32_t other = back ? distance(g, x, v[0]) : distance(g, v[0], x);
        return (algorithm == LEMAN_ALGORITHM_RD_WL || one == other) &&
               (algorithm == LEMAN_ALGORITHM_SPD_WL || fabs(resistance(g, v[0], w) - resistance(g, v[0], x)) < 1e-9) &&
               same_label(s, g, directed_arc(g, v[0], w, back), directed_arc(g, v[0], x, back));
    }
    if (b->relation == LEMAN_RELATION_PATH && algorithm != LEMAN_ALGORITHM_DRFWL)
        return same_label(s, g, directed_arc(g, v[1], w, b->position), directed_arc(g, v[1], x, b->position)) &&
               (algorithm == LEMAN_ALGORITHM_LFWL ||
                same_label(s, g, directed_arc(g, v[0], w, b->position), directed_arc(g, v[0], x, b->position)));
    if (!entering && b->relation != LEMAN_RELATION_NEIGHBOR) return true;
    return same_label(s, g, directed_arc(g, v[b->position], w, entering), directed_arc(g, v[b->position], x, entering));
}

/* ---- Branches -------------------------------------------------------------------------------- */

/* The relations that an algorithm asks for at one node. */
static bool is_asked(const fixture *s, size_t node, leman_relation relation, unsigned position)
{
    const uint32_t *v = s->u->vertex + node * s->u->k;
    const bool both_ways = s->coloring.in_arcs && s->graph[0]->directed;
    const leman_algorithm a = s->coloring.algorithm;
    const bool paths = a == LEMAN_ALGORITHM_LFWL || a == LEMAN_ALGORITHM_SLFWL, drfwl = a == LEMAN_ALGORITHM_DRFWL;
    const bool pair = !is_set(s) && !has_distances(s);
    if (pair && (v[0] == ABSENT || v[1] == ABSENT)) {
        const bool column = a == LEMAN_ALGORITHM_SWL_SV || a == LEMAN_ALGORITHM_PSWL_SV;
        assert_true(v[column] != ABSENT);
        return relation == LEMAN_RELATION_POOLED && position == !column;
    }
    switch (relation) {
    case LEMAN_RELATION_NEIGHBOR:
    case LEMAN_RELATION_ENTERING:
        if (relation == LEMAN_RELATION_ENTERING && !both_ways) return false;
        return pair && !paths && !drfwl && (position == 1 || a == LEMAN_ALGORITHM_SSWL);
    case LEMAN_RELATION_ANY: return a == LEMAN_ALGORITHM_GSWL && position == 0;
    case LEMAN_RELATION_END: return (a == LEMAN_ALGORITHM_PSWL_VS || a == LEMAN_ALGORITHM_PSWL_SV) && position == 1;
    case LEMAN_RELATION_PATH: return (paths && (!position || both_ways)) || (drfwl && !position);
    case LEMAN_RELATION_DISTANCE: return has_distances(s) && (!position || both_ways);
    case LEMAN_RELATION_LESS:
    case LEMAN_RELATION_MORE: return is_set(s) && !position;
    case LEMAN_RELATION_ITSELF:
    case LEMAN_RELATION_OTHER:
    case LEMAN_RELATION_VECTOR:
    case LEMAN_RELATION_POOLED: break;
    }
    return false;
}

static void check_branch(const fixture *s, size_t node, const leman_branch *b)
{
    const leman_unrolling_node *n = s->u->node + node;
    uint64_t count = 0, color[2];
    bool example = false;
    for (uint32_t w = 0; w < s->graph[n->graph]->vertices; w++) {
        if (!reads(s, node, b, w, color)) continue;
        bool same = looks_like(s, node, b, w);
        for (unsigned i = 0; i < (b->relation == LEMAN_RELATION_PATH ? 2u : 1u); i++) {
            const leman_unrolling_node *to = s->u->node + s->u->target[b->target + i];
            assert_int_equal(to->round, n->round - (b->relation != LEMAN_RELATION_POOLED));
            same &= to->color == color[i];
        }
        count += same;
        example |= same && w == b->vertex;
    }
    assert_true(example);
    if (b->count != count)
        fail_msg("%s, relation %s: found %d, expected %d", leman_algorithm_name(s->coloring.algorithm),
                 leman_relation_name(b->relation), (int)b->count, (int)count);
}

/* Every vertex that a relation asks for is counted by one of its branches. */
static void check_node(const fixture *s, size_t node)
{
    const leman_unrolling_node *n = s->u->node + node;
    uint64_t seen[LEMAN_RELATION_COUNT][2] = {{0}}, color[2];
    for (size_t i = 0; i < n->branches; i++) {
        const leman_branch *b = s->u->branch + n->branch + i;
        assert_true(b->position < 2);
        seen[b->relation][b->position] += b->count;
        if (b->relation == LEMAN_RELATION_ITSELF)
            assert_int_equal(s->u->node[s->u->target[b->target]].color,
                             color_of(s, n->graph, n->round - 1, s->u->vertex + node * s->u->k));
        else
            check_branch(s, node, b);
    }
    for (leman_relation r = LEMAN_RELATION_NEIGHBOR; r < LEMAN_RELATION_COUNT; r++)
        for (unsigned position = 0; position < 2; position++) {
            uint64_t expected = 0;
            const leman_branch b = {.relation = r, .position = position};
            if (!n->round && r != LEMAN_RELATION_POOLED) continue;
            for (uint32_t w = 0; is_asked(s, node, r, position) && w < s->graph[n->graph]->vertices; w++)
                expected += reads(s, node, &b, w, color);
            assert_int_equal(seen[r][position], expected);
        }
}

/* ---- The whole ------------------------------------------------------------------------------- */

static bool is_pool(const fixture *s, const uint32_t *v)
{
    return !is_set(s) && s->u->k == 2 && (v[0] == ABSENT || v[1] == ABSENT);
}

static void check_unrolling(fixture *s)
{
    const leman_unrolling *u = s->u;
    const leman_difference *d = &u->difference;
    for (uint32_t r = 0; r <= d->round; r++)
        for (int g = 0; g < 2; g++) s->colors[g][r] = test_tuple_colors(s->ctx, s->graph[g], &s->coloring, r);
    assert_true(u->node[0].color == d->color && u->node[0].round == d->round);
    assert_int_equal(u->node[0].graph, d->count[1] > d->count[0]);
    assert_int_equal(u->other > 0, d->round > 0);
    for (size_t i = 0; i < u->nodes; i++) {
        const uint32_t *v = u->vertex + i * u->k;
        const bool pool = is_pool(s, v);
        if (!pool) assert_int_equal(u->node[i].color, color_of(s, u->node[i].graph, u->node[i].round, v));
        assert_true(!pool || i == 0 || i == u->other);
        assert_int_equal(u->node[i].branches > 0, pool || u->node[i].round > 0);
        check_node(s, i);
        for (size_t j = 0; j < i; j++)
            assert_true(u->node[i].color != u->node[j].color || u->node[i].round != u->node[j].round);
    }
    for (uint32_t g = 0; g < 2; g++) {
        assert_int_equal(u->carriers[g], d->count[g] < LEMAN_CARRIERS ? d->count[g] : LEMAN_CARRIERS);
        for (size_t i = 0; i < u->carriers[g]; i++) {
            const uint32_t *v = u->carrier[g] + i * u->k;
            if (!is_pool(s, v)) assert_int_equal(color_of(s, g, d->round, v), d->color);
        }
        for (uint32_t r = 0; r <= d->round; r++) free(s->colors[g][r]);
    }
}

static leman_coloring item_coloring(int algorithm, unsigned number)
{
    leman_coloring c = leman_coloring_default();
    c.algorithm = (leman_algorithm)algorithm;
    c.k = leman_algorithm_k(c.algorithm) ? leman_algorithm_k(c.algorithm) : 2 + number % 2;
    c.rounds = ROUNDS;
    c.in_arcs = number % 2;
    c.ignore_edge_labels = number % 5 == 0;
    c.distance = leman_algorithm_k(c.algorithm) == 2 ? number % 4 : 0;
    c.components = leman_algorithm_k(c.algorithm) ? 0 : number % 3;
    return c;
}

static void test_random_pairs(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(2);
    uint64_t random = 23;
    size_t distinguished = 0;
    static random_graph graph[2];
    for (int algorithm = FIRST; algorithm < LEMAN_ALGORITHM_COUNT; algorithm++)
        for (unsigned i = 0; i < 24; i++) {
            const random_graph_kind kind = random_graph_kind_draw(&random);
            leman_coloring c = item_coloring(algorithm, i);
            leman_unrolling *u = NULL;
            leman_difference d;
            random_graph_draw_family(&random, &kind, 7, i % 5 == 0, 2, graph);
            leman_dataset *data = random_graph_dataset(ctx, &kind, graph, 2);
            const leman_graph a = leman_dataset_graph(data, 0), b = leman_dataset_graph(data, 1);
            assert_int_equal(leman_explain(ctx, &a, &b, &c, false, 0, &u), LEMAN_OK);
            assert_int_equal(leman_distinguish(ctx, &a, &b, &c, false, &d), LEMAN_OK);
            assert_true(u->difference.distinguished == d.distinguished && u->k == c.k);
            fixture s = {.ctx = ctx, .graph = {&a, &b}, .coloring = c, .u = u};
            if (d.distinguished) check_unrolling(&s);
            distinguished += d.distinguished;
            leman_unrolling_free(u);
            leman_dataset_free(data);
        }
    assert_true(distinguished > 100);
    test_context_free(ctx);
}

/* A hexagon and two triangles, alone and as parts of their union, in words and as pictures. */
static leman_status explain_cycles(leman_context *ctx, void *state)
{
    const leman_coloring *c = state;
    leman_dataset *data = NULL;
    leman_unrolling *u = NULL;
    leman_explanation *e = NULL;
    leman_status st = leman_dataset_generate(ctx, LEMAN_FAMILY_CYCLES, NULL, &data);
    for (int i = 0; !st && i < 2 * LEMAN_EXPLANATION_FORMAT_COUNT; i++) {
        const leman_graph a = leman_dataset_graph(data, 0), b = leman_dataset_graph(data, 1);
        leman_explained_pair pair = leman_explained_pair_default();
        pair.data[0] = pair.data[1] = data;
        st = leman_explain(ctx, &a, &b, c, i % 2, 0, &u);
        if (!st) st = leman_explanation_write(ctx, u, &pair, (leman_explanation_format)(i / 2), &e);
        if (!st) {
            assert_int_equal(u->difference.distinguished, c->algorithm != LEMAN_ALGORITHM_SET_WL);
            assert_null(strstr(e->text, "4294967295"));
            if (u->difference.distinguished) assert_non_null(strstr(e->text, "carried by"));
        }
        leman_explanation_free(e);
        leman_unrolling_free(u);
        u = NULL;
        e = NULL;
    }
    leman_dataset_free(data);
    return st;
}

static void test_cycles(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    for (int algorithm = FIRST; algorithm < LEMAN_ALGORITHM_COUNT; algorithm++) {
        leman_coloring c = item_coloring(algorithm, 12);
        assert_int_equal(explain_cycles(ctx, &c), LEMAN_OK);
        if (algorithm == LEMAN_ALGORITHM_SWL_SV || algorithm == LEMAN_ALGORITHM_DRFWL ||
            algorithm == LEMAN_ALGORITHM_GD_WL || algorithm == LEMAN_ALGORITHM_SET_WL)
            assert_true(test_fail_each_allocation(explain_cycles, &c) > 0);
    }
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_pairs),
        cmocka_unit_test(test_cycles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
