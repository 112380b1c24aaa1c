/* The family of counts: targets and attributes against all maps from a pattern to the vertices of a graph. */
#include "support/graphs.h"
#include <math.h>

/* The patterns by their names, as edge lists. */
typedef struct shape {
    const char *name;
    size_t vertices, edges;
    size_t edge[7][2];
} shape;
static const shape SHAPES[] = {
    {"cycle3", 3, 3, {{0, 1}, {1, 2}, {2, 0}}},
    {"cycle4", 4, 4, {{0, 1}, {1, 2}, {2, 3}, {3, 0}}},
    {"cycle5", 5, 5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}}},
    {"cycle6", 6, 6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 0}}},
    {"chordal-cycle4", 4, 5, {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {1, 3}}},
    {"chordal-cycle5", 5, 6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}, {1, 3}}},
    {"tailed-triangle", 4, 4, {{0, 1}, {1, 2}, {2, 0}, {2, 3}}},
    {"clique4", 4, 6, {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}},
    {"path4", 4, 3, {{0, 1}, {1, 2}, {2, 3}}},
    {"star3", 4, 3, {{3, 0}, {3, 1}, {3, 2}}},
};
enum { SHAPE_COUNT = sizeof SHAPES / sizeof *SHAPES, MOST = 7 };

static const shape *shape_of(const char *name)
{
    for (size_t i = 0; i < SHAPE_COUNT; i++)
        if (!strcmp(SHAPES[i].name, name)) return SHAPES + i;
    fail_msg("%s is not a pattern of this test", name);
    return NULL;
}

typedef struct totals {
    double graph, vertex[MOST], edge[MOST][MOST];
} totals;

/* Counts the maps from the pattern to the vertices 0 .. n-1, all or the injective ones, that send edges to edges. Each
 * adds 1 to the vertices and edges of its image. */
static totals count_maps(const shape *p, size_t n, bool joined[MOST][MOST], bool injective)
{
    totals t = {0};
    size_t maps = 1;
    for (size_t i = 0; i < p->vertices; i++) maps *= n;
    for (size_t map = 0; map < maps; map++) {
        size_t image[6] = {0}, rest = map;
        bool valid = true, vertex[MOST] = {0}, edge[MOST][MOST] = {{0}};
        for (size_t i = 0; i < p->vertices; i++, rest /= n) {
            image[i] = rest % n;
            valid = valid && !(injective && vertex[image[i]]);
            vertex[image[i]] = true;
        }
        for (size_t e = 0; valid && e < p->edges; e++) {
            const size_t u = image[p->edge[e][0]], v = image[p->edge[e][1]];
            valid = joined[u][v];
            edge[u][v] = edge[v][u] = true;
        }
        if (!valid) continue;
        t.graph++;
        for (size_t u = 0; u < n; u++) {
            t.vertex[u] += vertex[u];
            for (size_t v = 0; v < n; v++) t.edge[u][v] += edge[u][v];
        }
    }
    return t;
}

/* The number of injective maps from a pattern to itself that send edges to edges. */
static double automorphisms(const shape *p)
{
    bool joined[MOST][MOST] = {{0}};
    for (size_t e = 0; e < p->edges; e++)
        joined[p->edge[e][0]][p->edge[e][1]] = joined[p->edge[e][1]][p->edge[e][0]] = true;
    return count_maps(p, p->vertices, joined, true).graph;
}

static void check_graph(const leman_dataset *data, size_t graph, leman_level level)
{
    const leman_graph g = leman_dataset_graph(data, graph);
    const double *target = leman_dataset_targets(data) + graph * LEMAN_COUNTED_PATTERNS;
    bool joined[MOST][MOST] = {{0}};
    for (size_t u = 0; u < g.vertices; u++)
        for (size_t v = 0; v < g.vertices; v++) joined[u][v] = test_joined(&g, u, v);
    for (size_t i = 0; i < LEMAN_COUNTED_PATTERNS; i++) {
        const char *name = leman_counted_pattern_name(i);
        const bool maps = !strncmp(name, "hom-", 4);
        const shape *p = shape_of(maps ? name + 4 : name);
        const totals t = count_maps(p, g.vertices, joined, !maps);
        const double each = maps ? 1 : automorphisms(p);
        assert_true(target[i] == t.graph / each);
        for (size_t v = 0; level == LEMAN_LEVEL_VERTEX && v < g.vertices; v++)
            assert_true(g.vertex_attribute[v * LEMAN_COUNTED_PATTERNS + i] == t.vertex[v] / each);
        for (size_t v = 0; level == LEMAN_LEVEL_EDGE && v < g.vertices; v++)
            for (uint64_t e = g.start[v]; e < g.start[v + 1]; e++)
                assert_true(g.edge_attribute[e * LEMAN_COUNTED_PATTERNS + i] == t.edge[v][g.head[e]] / each);
    }
}

static void test_all_maps(void **state)
{
    (void)state;
    static const double PROBABILITIES[] = {0.3, 0.6, 1};
    leman_context *ctx = test_context_new(1);
    for (int level = 0; level < LEMAN_LEVEL_COUNT; level++)
        for (size_t i = 0; i < sizeof PROBABILITIES / sizeof *PROBABILITIES; i++)
            for (size_t n = 1; n <= MOST; n += 2) {
                leman_family_options o = leman_family_options_default();
                o.vertices = n;
                o.graphs = 2;
                o.probability = PROBABILITIES[i];
                o.level = (leman_level)level;
                leman_dataset *data = test_made(ctx, LEMAN_FAMILY_COUNTS, &o);
                const leman_columns *columns = leman_dataset_shape(data)->columns;
                assert_int_equal(columns->targets, LEMAN_COUNTED_PATTERNS);
                assert_int_equal(columns->vertex_attributes, level == LEMAN_LEVEL_VERTEX ? LEMAN_COUNTED_PATTERNS : 0);
                assert_int_equal(columns->edge_attributes, level == LEMAN_LEVEL_EDGE ? LEMAN_COUNTED_PATTERNS : 0);
                for (size_t g = 0; g < 2; g++) check_graph(data, g, o.level);
                leman_dataset_free(data);
            }
    test_context_free(ctx);
}

/* Every number of edges is about as frequent as in G(n, p), and the level changes neither graphs nor targets. */
static void test_graphs(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *plain[2];
    leman_family_options o = leman_family_options_default();
    const leman_columns kept = {.targets = 1};
    o.graphs = 60;
    for (int i = 0; i < 2; i++) {
        o.level = i ? LEMAN_LEVEL_EDGE : LEMAN_LEVEL_GRAPH;
        leman_dataset *data = test_made(ctx, LEMAN_FAMILY_COUNTS, &o);
        assert_int_equal(leman_dataset_keep(ctx, data, &kept, plain + i), LEMAN_OK);
        leman_dataset_free(data);
    }
    const double pairs = 60.0 * 20 * 19 / 2, edges = (double)leman_dataset_shape(*plain)->edges;
    assert_true(fabs(edges - pairs * o.probability) < 5 * sqrt(pairs * o.probability * (1 - o.probability)));
    assert_true(test_same_dataset(plain[0], plain[1]));
    for (int i = 0; i < 2; i++) leman_dataset_free(plain[i]);
    test_context_free(ctx);
}

static void test_names_and_refusals(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_family_options o = leman_family_options_default();
    leman_dataset *data = test_made(ctx, LEMAN_FAMILY_COUNTS, NULL);
    assert_int_equal(leman_dataset_shape(data)->graphs, 200);
    for (size_t i = 0; i < LEMAN_COUNTED_PATTERNS; i++) {
        size_t column;
        assert_int_equal(leman_dataset_target_find(ctx, data, leman_counted_pattern_name(i), &column), LEMAN_OK);
        assert_int_equal(column, i);
    }
    assert_null(leman_counted_pattern_name(LEMAN_COUNTED_PATTERNS));
    leman_dataset_free(data);
    o.level = (leman_level)LEMAN_LEVEL_COUNT;
    test_refused(LEMAN_FAMILY_COUNTS, &o, "level 3");
    o.level = LEMAN_LEVEL_GRAPH;
    o.probability = 2;
    test_refused(LEMAN_FAMILY_COUNTS, &o, "counts: found probability 2");
    for (int i = 0; i < LEMAN_LEVEL_COUNT; i++) {
        leman_level level;
        assert_int_equal(leman_level_parse(ctx, leman_level_name((leman_level)i), &level), LEMAN_OK);
        assert_int_equal(level, i);
    }
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_maps),
        cmocka_unit_test(test_graphs),
        cmocka_unit_test(test_names_and_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
