/* Arrays of tuples against their definitions: every tuple of vertices is tried, every arc is looked for, and distances
 * are those of Floyd and Warshall. */
#include "support/full.h"
#include "support/graphs.h"
#include "support/random_graphs.h"
#include "support/rounds.h"
#include <string.h>

enum { MOST = 9 /* vertices */ };

static bool joined(const leman_graph *g, uint32_t u, uint32_t w)
{
    return test_joined(g, u, w) || test_joined(g, w, u);
}

/* The number of connected components that the vertices of a tuple induce. */
static unsigned components_of(const leman_graph *g, const uint32_t *v, unsigned k)
{
    unsigned part[LEMAN_TUPLES_MAX_K], count = 0;
    for (unsigned i = 0; i < k; i++) part[i] = i;
    for (unsigned turn = 0; turn < k; turn++)
        for (unsigned i = 0; i < k; i++)
            for (unsigned j = 0; j < k; j++)
                if ((v[i] == v[j] || joined(g, v[i], v[j])) && part[j] < part[i]) part[i] = part[j];
    for (unsigned i = 0; i < k; i++) count += part[i] == i;
    return count;
}

/* Returns the number of the tuple of a graph, UINT32_MAX if it is not listed. */
static uint32_t find(const leman_tuples *t, size_t graph, const uint32_t *v)
{
    for (uint64_t i = t->start[graph]; i < t->start[graph + 1]; i++)
        if (!memcmp(t->vertex + i * t->k, v, t->k * sizeof *v)) return (uint32_t)i;
    return UINT32_MAX;
}

static void check_links(const leman_tuples *t, size_t graph, const leman_graph *g, const leman_tuple_links *links,
                        unsigned j, uint32_t tuple, bool back)
{
    uint32_t v[LEMAN_TUPLES_MAX_K];
    uint64_t found = 0, listed = links->start[tuple + 1] - links->start[tuple];
    memcpy(v, t->vertex + (size_t)tuple * t->k, t->k * sizeof *v);
    const uint32_t own = v[j];
    for (uint32_t w = 0; w < g->vertices; w++) {
        if (!(back ? test_joined(g, w, own) : test_joined(g, own, w))) continue;
        v[j] = w;
        const uint32_t other = find(t, graph, v);
        if (other == UINT32_MAX) continue;
        bool has = false;
        for (uint64_t e = links->start[tuple]; e < links->start[tuple + 1]; e++) has |= links->tuple[e] == other;
        assert_true(has);
        found++;
    }
    assert_int_equal(found, listed);
}

static void check_lines(const leman_tuples *t, unsigned j, size_t graph)
{
    for (uint64_t a = t->start[graph]; a < t->start[graph + 1]; a++) {
        assert_true(t->line[j][a] < t->lines);
        for (uint64_t b = 0; b < t->tuples; b++) {
            bool same = b >= t->start[graph] && b < t->start[graph + 1];
            for (unsigned i = 0; i < t->k; i++) same &= i == j || t->vertex[a * t->k + i] == t->vertex[b * t->k + i];
            assert_int_equal(t->line[j][a] == t->line[j][b], same);
        }
    }
}

static void check_distances(const leman_tuples *t, size_t graph, const leman_graph *g)
{
    const uint32_t far = UINT32_MAX;
    uint32_t d[MOST][MOST];
    for (size_t u = 0; u < g->vertices; u++)
        for (size_t w = 0; w < g->vertices; w++) d[u][w] = u == w ? 0 : test_joined(g, u, w) ? 1 : far;
    for (size_t m = 0; m < g->vertices; m++)
        for (size_t u = 0; u < g->vertices; u++)
            for (size_t w = 0; w < g->vertices; w++)
                if (d[u][m] != far && d[m][w] != far && d[u][m] + d[m][w] < d[u][w]) d[u][w] = d[u][m] + d[m][w];
    for (uint64_t i = t->start[graph]; i < t->start[graph + 1]; i++) {
        const uint32_t *v = t->vertex + i * t->k, *at = t->distance + i * t->k * (t->k - 1) / 2;
        for (unsigned a = 0; a < t->k; a++)
            for (unsigned b = a + 1; b < t->k; b++) assert_int_equal(*at++, d[v[a]][v[b]]);
    }
}

/* All tuples that are in the set are listed in order, and no others; colours are those of the graph alone. */
static void check_tuples(leman_context *ctx, const leman_tuples *t, size_t graph, const leman_graph *g,
                         const leman_coloring *c, uint32_t round)
{
    uint64_t *colors = test_tuple_colors(ctx, g, c, round), at = t->start[graph];
    size_t all = 1;
    for (unsigned i = 0; i < c->k; i++) all *= g->vertices;
    for (size_t index = 0; index < all; index++) {
        uint32_t v[LEMAN_TUPLES_MAX_K];
        size_t rest = index;
        for (unsigned j = c->k; j-- > 0; rest /= g->vertices) v[j] = (uint32_t)(rest % g->vertices);
        if (c->components && components_of(g, v, c->k) > c->components) continue;
        assert_true(at < t->start[graph + 1]);
        assert_memory_equal(t->vertex + at * t->k, v, c->k * sizeof *v);
        assert_int_equal(t->color[at++], colors[index]);
    }
    assert_int_equal(at, t->start[graph + 1]);
    free(colors);
}

static void check(bool directed, unsigned k, unsigned components, size_t max, uint64_t seed)
{
    leman_context *ctx = test_context_new(1);
    uint64_t state = seed;
    leman_dataset *data = test_full_dataset(ctx, &state, 4, max, directed);
    leman_coloring c = test_variant(0, k, 2);
    leman_tuples *t = NULL;
    c.algorithm = LEMAN_ALGORITHM_LOCAL;
    c.components = components;
    c.in_arcs = directed;
    assert_int_equal(leman_tuples_compute(ctx, data, &c, 1, LEMAN_TUPLES_LINKS | LEMAN_TUPLES_DISTANCES, &t), LEMAN_OK);
    assert_int_equal(t->graphs, leman_dataset_shape(data)->graphs);
    for (size_t i = 0; i < t->graphs; i++) {
        const leman_graph g = leman_dataset_graph(data, i);
        check_tuples(ctx, t, i, &g, &c, 1);
        assert_int_equal(t->vertex_start[i + 1] - t->vertex_start[i], g.vertices);
        check_distances(t, i, &g);
        for (unsigned j = 0; j < k; j++) {
            check_lines(t, j, i);
            assert_int_equal(t->entering[j].start != NULL, directed);
            for (uint64_t n = t->start[i]; n < t->start[i + 1]; n++) {
                check_links(t, i, &g, t->leaving + j, j, (uint32_t)n, false);
                if (directed) check_links(t, i, &g, t->entering + j, j, (uint32_t)n, true);
            }
        }
    }
    leman_tuples_free(t);
    leman_dataset_free(data);
    test_context_free(ctx);
}

static void test_definitions(void **unused)
{
    (void)unused;
    for (uint64_t seed = 0; seed < test_cases(6); seed++)
        for (int directed = 0; directed < 2; directed++) {
            check(directed, 2, 0, MOST, 10 + seed);
            check(directed, 2, 1, MOST, 20 + seed);
            check(directed, 3, 0, 5, 30 + seed);
            check(directed, 3, 1, 6, 40 + seed);
            check(directed, 3, 2, 5, 50 + seed);
            check(directed, 4, 1, 4, 60 + seed);
        }
}

static void test_refusals(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    uint64_t state = 1;
    leman_dataset *data = test_full_dataset(ctx, &state, 1, 5, false);
    leman_coloring c = test_variant(0, 1, 2);
    leman_tuples *t = NULL;
    assert_int_equal(leman_tuples_compute(ctx, data, &c, 0, 0, &t), LEMAN_ERROR_ARGUMENT);
    assert_non_null(strstr(leman_context_message(ctx), "k: found 1, expected 2 to 6"));
    c.k = 2;
    assert_int_equal(leman_tuples_compute(ctx, data, &c, 0, 0, &t), LEMAN_OK);
    assert_null(t->line[0]);
    assert_null(t->leaving[0].start);
    assert_null(t->distance);
    leman_tuples_free(t);
    leman_tuples_free(NULL);
    leman_dataset_free(data);
    test_context_free(ctx);
}

static leman_status list_all(leman_context *ctx, void *data)
{
    leman_coloring c = test_variant(0, 3, 1);
    leman_tuples *t = NULL;
    c.in_arcs = true;
    const leman_status st = leman_tuples_compute(ctx, data, &c, 1, LEMAN_TUPLES_LINKS | LEMAN_TUPLES_DISTANCES, &t);
    leman_tuples_free(t);
    return st;
}

static void test_failing_allocations(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    uint64_t state = 3;
    leman_dataset *data = test_full_dataset(ctx, &state, 2, 5, true);
    assert_true(test_fail_each_allocation(list_all, data) > 20);
    leman_dataset_free(data);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_definitions), cmocka_unit_test(test_refusals),
                                       cmocka_unit_test(test_failing_allocations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
