/*
 * The published colours, version 1: values that another program computed from docs/color_definition.md alone. They must
 * never change; a colouring that needs other values is a new version.
 */
#include "support/golden.h"
#include "support/rounds.h"

static const struct golden {
    const char *graph;
    leman_algorithm algorithm;
    unsigned k;
    uint32_t round; /* the last */
    bool every_round, in_arcs;
    uint64_t seed, components;
    uint64_t first, second, check; /* colours of the first two tuples; sum of colour * (2 number + 1) over all */
} GOLDEN[] = {
#include "golden_colors.inc" /* what golden_colors.py prints */
};

/* ---- The values ------------------------------------------------------------------------------ */

static void check_golden(leman_context *ctx, const struct golden *g)
{
    leman_dataset *data = test_golden_graph(ctx, g->graph);
    leman_graph graph = leman_dataset_graph(data, 0);
    leman_coloring c = {.size = sizeof c,
                        .algorithm = g->algorithm,
                        .k = g->k,
                        .rounds = g->round,
                        .count_every_round = g->every_round,
                        .in_arcs = g->in_arcs,
                        .seed = g->seed,
                        .components = g->components};
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
            bool same = k == 1 && (c.algorithm == LEMAN_ALGORITHM_WL || c.algorithm == LEMAN_ALGORITHM_FOLKLORE);
            assert_int_equal(!memcmp(edges, refined, bytes), same || c.algorithm == LEMAN_ALGORITHM_LOCAL);
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
