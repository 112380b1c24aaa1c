/*
 * Hashes of graphs: the published values, which another program computed from docs/color_definition.md alone, and copies
 * of a graph. They must never change; another definition of the hash is another version.
 */
#include "base/hash.h"
#include "support/golden.h"
#include "support/random_graphs.h"
#include "support/rounds.h"
#include <stdlib.h>

static const struct golden {
    const char *graph;
    leman_algorithm algorithm;
    unsigned k;
    uint32_t rounds;
    bool every_round;
    uint64_t components;
    uint32_t distance;
    int digits; /* of attributes; -1: they do not count */
    const char *hash;
} GOLDEN[] = {
#include "golden_hashes.inc" /* what golden_hashes.py prints */
};

static void check_golden(leman_context *ctx, const struct golden *g)
{
    leman_dataset *data = test_golden_graph(ctx, g->graph);
    if (g->digits >= 0) {
        leman_dataset *given = data;
        assert_int_equal(leman_dataset_round_attributes(ctx, given, (unsigned)g->digits, &data), LEMAN_OK);
        leman_dataset_free(given);
    }
    const leman_coloring c = {.size = sizeof c,
                              .algorithm = g->algorithm,
                              .k = g->k,
                              .rounds = g->rounds,
                              .count_every_round = g->every_round,
                              .in_arcs = true,
                              .components = g->components,
                              .distance = g->distance};
    leman_graph_hash hash;
    char text[LEMAN_GRAPH_HASH_TEXT];
    assert_int_equal(leman_graph_hashes(ctx, data, &c, &hash), LEMAN_OK);
    assert_int_equal(leman_graph_hash_text(&hash, text, sizeof text), LEMAN_GRAPH_HASH_TEXT - 1);
    if (strcmp(text, g->hash))
        fail_msg("%s, %s: %s, expected %s", g->graph, test_coloring_text(&c, g->rounds), text, g->hash);
    leman_dataset_free(data);
}

static void test_golden(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    for (size_t i = 0; i < sizeof GOLDEN / sizeof *GOLDEN; i++) check_golden(ctx, GOLDEN + i);
    test_context_free(ctx);
}

/* A text that is cut off still says how long the whole is. */
static void test_text(void **unused)
{
    (void)unused;
    const leman_graph_hash hash = {.hash = {0x12, UINT64_C(0xfedcba9876543210)}};
    char text[LEMAN_GRAPH_HASH_TEXT] = "?", few[5];
    assert_int_equal(leman_graph_hash_text(&hash, text, sizeof text), 36);
    assert_string_equal(text, "lm1:0000000000000012fedcba9876543210");
    assert_int_equal(leman_graph_hash_text(&hash, few, sizeof few), 36);
    assert_string_equal(few, "lm1:");
    assert_int_equal(leman_graph_hash_text(NULL, text, sizeof text), 0);
    assert_string_equal(text, "");
}

/* A seed of one's own is another hash. */
static void test_seed(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = test_golden_graph(ctx, "kite");
    leman_coloring c = leman_coloring_default();
    leman_graph_hash one, other;
    assert_int_equal(leman_graph_hashes(ctx, data, &c, &one), LEMAN_OK);
    c.seed = LEMAN_HASH_SEED;
    assert_int_equal(leman_graph_hashes(ctx, data, &c, &other), LEMAN_OK);
    assert_true(one.hash[1] == other.hash[0]); /* the second stream is that of the seed */
    assert_true(one.hash[0] != other.hash[0] && one.hash[1] != other.hash[1]);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* ---- Many graphs at once --------------------------------------------------------------------- */

static int compare_colors(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Sorts colours, and returns how many different ones there are. */
static size_t sort_colors(uint64_t *color, size_t n)
{
    size_t different = 0;
    qsort(color, n, sizeof *color, compare_colors);
    for (size_t v = 0; v < n; v++) different += !v || color[v] != color[v - 1];
    return different;
}

/* h_i of the page. */
static uint64_t part(uint64_t i)
{
    return lm_multiplier((UINT64_C(16) << 32) + i);
}

/* One stream of a graph's hash by the formula of the page, from the colours of another engine. */
static uint64_t stream_of(leman_context *ctx, const leman_graph *g, const leman_coloring *c)
{
    uint64_t color[RANDOM_GRAPH_MAX], sum = c->seed;
    uint32_t round = 0;
    size_t before, classes;
    assert_int_equal(leman_tuple_colors(ctx, g, c, 0, color), LEMAN_OK);
    classes = sort_colors(color, g->vertices);
    do {
        if (round == c->rounds) break;
        before = classes;
        assert_int_equal(leman_tuple_colors(ctx, g, c, ++round, color), LEMAN_OK);
        classes = sort_colors(color, g->vertices);
    } while (classes > before);
    for (size_t v = 0, end; v < g->vertices; v = end) {
        for (end = v; end < g->vertices && color[end] == color[v];) end++;
        sum += lm_mix(lm_mix(color[v]) + (end - v) * part(0));
    }
    sum = lm_mix(sum + g->vertices * part(1));
    return lm_mix(sum + (2 * (uint64_t)round + g->directed) * part(2));
}

/* Blocks of graphs end where their vertices or arcs are many, and graphs leave them in different rounds. */
static void test_many_graphs(void **unused)
{
    (void)unused;
    enum { GRAPHS = 120 };
    leman_context *ctx = test_context_new(2);
    random_graph *graph = malloc(GRAPHS * sizeof *graph);
    leman_graph_hash hash[GRAPHS];
    uint64_t random = 11;
    assert_non_null(graph);
    for (int trial = 0; trial < 12; trial++) {
        const random_graph_kind kind = random_graph_kind_draw(&random);
        leman_coloring c = {.size = sizeof c, .algorithm = LEMAN_ALGORITHM_LOCAL, .k = 1, .in_arcs = trial % 3 != 0};
        c.rounds = trial % 4 ? LEMAN_STABLE : (uint32_t)(trial / 4);
        c.ignore_edge_labels = trial == 5, c.ignore_vertex_labels = trial == 6;
        for (size_t i = 0; i < GRAPHS; i++)
            random_graph_draw(&random, &kind, 1 + i * 7 % RANDOM_GRAPH_MAX, i % 2, graph + i);
        leman_dataset *data = random_graph_dataset(ctx, &kind, graph, GRAPHS);
        assert_int_equal(leman_graph_hashes(ctx, data, &c, hash), LEMAN_OK);
        for (size_t i = 0; i < GRAPHS; i++) {
            const leman_graph g = leman_dataset_graph(data, i);
            for (int stream = 0; stream < 2; stream++) {
                c.seed = (uint64_t)stream * LEMAN_HASH_SEED;
                assert_true(hash[i].hash[stream] == stream_of(ctx, &g, &c));
            }
        }
        leman_dataset_free(data);
    }
    free(graph);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_seed),
        cmocka_unit_test(test_many_graphs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
