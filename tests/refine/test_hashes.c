/*
 * Hashes of graphs: the published values, which another program computed from docs/color_definition.md alone, and copies
 * of a graph. They must never change; another definition of the hash is another version.
 */
#include "support/golden.h"
#include "support/rounds.h"

static const struct golden {
    const char *graph;
    leman_algorithm algorithm;
    unsigned k;
    uint32_t rounds;
    bool every_round;
    uint64_t components;
    const char *hash;
} GOLDEN[] = {
#include "golden_hashes.inc" /* what golden_hashes.py prints */
};

static void check_golden(leman_context *ctx, const struct golden *g)
{
    leman_dataset *data = test_golden_graph(ctx, g->graph);
    const leman_coloring c = {.size = sizeof c,
                              .algorithm = g->algorithm,
                              .k = g->k,
                              .rounds = g->rounds,
                              .count_every_round = g->every_round,
                              .in_arcs = true,
                              .components = g->components};
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
