/*
 * The published colours, version 1: values that another program computed from docs/colours.md alone. They must never
 * change; a colouring that needs other values is a new version.
 */
#include "support/rounds.h"

static const struct golden {
    const char *graph;
    leman_algorithm algorithm;
    unsigned k;
    uint32_t round; /* the last */
    bool every_round, in_arcs;
    uint64_t seed;
    uint64_t first, second, check; /* colours of the first two tuples; sum of colour * (2 number + 1) over all */
} GOLDEN[] = {
#include "golden_colours.inc" /* what golden_colours.py prints */
};

/* ---- The graphs of docs/colours.md ------------------------------------------------------------------------------- */

typedef struct recipe {
    const char *name;
    bool directed;
    size_t vertices, vertex_columns, edges, edge_columns;
    int64_t vertex_label[4][2];
    size_t edge[5][2];
    int64_t edge_label[5][2];
} recipe;

static const recipe GRAPHS[] = {
    {.name = "edge", .vertices = 2, .edges = 1, .edge = {{0, 1}}},
    {.name = "kite",
     .vertices = 4,
     .vertex_columns = 1,
     .edges = 4,
     .edge_columns = 1,
     .vertex_label = {{1}, {1}, {2}, {-3}},
     .edge = {{0, 1}, {1, 2}, {0, 2}, {2, 3}},
     .edge_label = {{0}, {1}, {1}, {5}}},
    {.name = "wheel",
     .directed = true,
     .vertices = 3,
     .vertex_columns = 2,
     .edges = 5,
     .edge_columns = 2,
     .vertex_label = {{0, 7}, {0, 7}, {1, 0}},
     .edge = {{0, 1}, {1, 2}, {2, 0}, {0, 2}, {1, 1}},
     .edge_label = {{0, 0}, {1, 0}, {0, 1}, {0, 0}, {2, 2}}},
};

static leman_dataset *build(leman_context *ctx, const char *name)
{
    const recipe *r = GRAPHS;
    while (strcmp(r->name, name)) r++;
    leman_columns columns = {.vertex_labels = r->vertex_columns, .edge_labels = r->edge_columns};
    leman_policy policy = leman_policy_default();
    leman_builder *builder = NULL;
    leman_dataset *data = NULL;
    policy.directed = r->directed;
    policy.self_loops = LEMAN_KEEP;
    assert_int_equal(leman_builder_new(ctx, name, &columns, &builder), LEMAN_OK);
    assert_int_equal(leman_builder_graph(builder, NULL, NULL, NULL), LEMAN_OK);
    for (size_t v = 0; v < r->vertices; v++)
        assert_int_equal(leman_builder_vertex(builder, NULL, r->vertex_label[v], NULL), LEMAN_OK);
    for (size_t e = 0; e < r->edges; e++)
        assert_int_equal(leman_builder_edge(builder, r->edge[e][0], r->edge[e][1], r->edge_label[e], NULL), LEMAN_OK);
    assert_int_equal(leman_builder_finish(builder, &policy, NULL, &data), LEMAN_OK);
    leman_builder_free(builder);
    return data;
}

/* ---- The values ----------------------------------------------------------------------------------------------------
 */

static void check_golden(leman_context *ctx, const struct golden *g)
{
    leman_dataset *data = build(ctx, g->graph);
    leman_graph graph = leman_dataset_graph(data, 0);
    leman_coloring c = {.algorithm = g->algorithm,
                        .k = g->k,
                        .rounds = g->round,
                        .count_every_round = g->every_round,
                        .in_arcs = g->in_arcs,
                        .seed = g->seed};
    uint64_t *colors = test_tuple_colors(ctx, &graph, &c, g->round), check = 0, tuples = 1;
    for (unsigned i = 0; i < g->k; i++) tuples *= graph.vertices;
    for (uint64_t t = 0; t < tuples; t++) check += colors[t] * (2 * t + 1);
    if (colors[0] != g->first || colors[1] != g->second || check != g->check)
        fail_msg("%s, %s: %016lx %016lx %016lx, expected %016lx %016lx %016lx", g->graph,
                 test_coloring_text(&c, g->round), colors[0], colors[1], check, g->first, g->second, g->check);
    free(colors);
    leman_dataset_free(data);
}

static void test_golden(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    for (size_t i = 0; i < sizeof GOLDEN / sizeof *GOLDEN; i++) check_golden(ctx, GOLDEN + i);
    test_context_free(ctx);
}

/* For k = 1, wl and folklore are local; ignored labels are labels that are not there; arcs both ways are an edge. */
static void test_same_colours(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    uint64_t state = 8;
    leman_dataset *labelled = test_random_graph(ctx, &state, 9, 40, 3, 3, false), *plain = NULL;
    leman_columns none = {0};
    assert_int_equal(leman_dataset_keep(ctx, labelled, &none, &plain), LEMAN_OK);
    leman_graph g = leman_dataset_graph(labelled, 0), h = leman_dataset_graph(plain, 0);
    for (unsigned k = 1; k <= 2; k++)
        for (unsigned variant = 0; variant < TEST_VARIANTS; variant++) {
            leman_coloring c = test_variant(variant, k, 3), blind = c, local = test_variant(2, k, 3);
            blind.ignore_vertex_labels = blind.ignore_edge_labels = true;
            leman_graph arcs = g; /* each edge is there both ways, so nothing changes */
            arcs.directed = true;
            size_t bytes = sizeof(uint64_t) * (k == 1 ? 9 : 81);
            uint64_t *ignored = test_tuple_colors(ctx, &g, &blind, 3), *absent = test_tuple_colors(ctx, &h, &c, 3);
            uint64_t *edges = test_tuple_colors(ctx, &g, &c, 3), *both = test_tuple_colors(ctx, &arcs, &c, 3);
            uint64_t *refined = test_tuple_colors(ctx, &g, &local, 3);
            assert_memory_equal(ignored, absent, bytes);
            assert_memory_equal(edges, both, bytes);
            bool same = k == 1 && (c.algorithm == LEMAN_WL || c.algorithm == LEMAN_FOLKLORE);
            assert_int_equal(!memcmp(edges, refined, bytes), same || c.algorithm == LEMAN_LOCAL);
            free(ignored);
            free(absent);
            free(edges);
            free(both);
            free(refined);
        }
    leman_dataset_free(labelled);
    leman_dataset_free(plain);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden),
        cmocka_unit_test(test_same_colours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
