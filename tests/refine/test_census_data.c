/* Numbers of colours of the real sets, counted by an independent program, or by the slow oracle. */
#include "refine/refine.h"
#include "support/random_graphs.h"
#include "support/rounds.h"

/* Sums over rounds 0 .. 5, vertex labels used, edge labels not. */
typedef struct counts {
    const char *name;
    leman_algorithm algorithm;
    bool every_round;
    unsigned k;
    uint64_t colors, pairs;
} counts;

static const counts COUNTS[] = {
    {"PTC_FM", LEMAN_ALGORITHM_LOCAL, false, 2, 184998, 244886},
    {"PTC_FM", LEMAN_ALGORITHM_DELTA, false, 2, 247459, 259298},
    {"IMDB-BINARY", LEMAN_ALGORITHM_LOCAL, false, 2, 174194, 228034},
    {"IMDB-BINARY", LEMAN_ALGORITHM_WL, false, 2, 181535, 222690},
    {"IMDB-BINARY", LEMAN_ALGORITHM_DELTA, false, 2, 187608, 228288},
    {"ENZYMES", LEMAN_ALGORITHM_LOCAL, false, 2, 2273486, 2576986},
    {"ENZYMES", LEMAN_ALGORITHM_LOCAL_PLUS, false, 2, 2274306, 2577723},
    {"ENZYMES", LEMAN_ALGORITHM_LOCAL_PLUS, true, 2, 2535969, 2610090},
    {"ENZYMES", LEMAN_ALGORITHM_WL, false, 2, 2434389, 2482165},
    {"ENZYMES", LEMAN_ALGORITHM_DELTA, false, 2, 2681641, 2732288},
    {"ENZYMES", LEMAN_ALGORITHM_LOCAL, false, 3, 97786987, 104973387},
};

static leman_dataset *read_set(leman_context *ctx, const char *path)
{
    leman_dataset *data = NULL;
    if (leman_dataset_read(ctx, path, NULL, NULL, &data)) fail_msg("%s", leman_context_message(ctx));
    return data;
}

static void test_counts(void **state)
{
    const counts *expected = *state;
    const char *path = test_set(expected->name);
    leman_context *ctx = test_context_new(2);
    leman_dataset *data = read_set(ctx, path);
    leman_coloring c = {.size = sizeof c,
                        .algorithm = expected->algorithm,
                        .k = expected->k,
                        .rounds = 5,
                        .count_every_round = expected->every_round,
                        .ignore_edge_labels = true};
    leman_census *census = test_census(ctx, data, &c);
    uint64_t colors = 0, pairs = 0;
    for (uint32_t r = 0; r < census->rounds; r++) {
        colors += census->round[r].colors;
        pairs += census->round[r].pairs;
    }
    if (colors != expected->colors || pairs != expected->pairs)
        fail_msg("%s, %s: %lu colours, %lu pairs; expected %lu, %lu", expected->name, test_coloring_text(&c, 5), colors,
                 pairs, expected->colors, expected->pairs);
    leman_census_free(census);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* With edge labels, which nobody has counted: the oracle does. */
static void check_against_oracle(leman_context *ctx, const leman_dataset *data, unsigned variant, unsigned k)
{
    enum { ROUNDS = 3 };
    leman_coloring c = test_variant(variant, k, ROUNDS);
    size_t graphs = leman_dataset_shape(data)->graphs;
    leman_graph *graph = malloc(graphs * sizeof *graph);
    leman_census *census = test_census(ctx, data, &c);
    assert_non_null(graph);
    for (size_t g = 0; g < graphs; g++) graph[g] = leman_dataset_graph(data, g);
    oracle *o = oracle_new(graph, graphs, &c);
    for (uint32_t r = 0;; r++) {
        uint64_t pairs = 0;
        for (size_t g = 0; g < graphs; g++) pairs += oracle_classes_of(o, g);
        assert_int_equal(census->round[r].colors, o->classes);
        assert_int_equal(census->round[r].pairs, pairs);
        if (r == ROUNDS) break;
        oracle *next = oracle_next(o, c.count_every_round || r + 1 == ROUNDS);
        oracle_free(o);
        o = next;
    }
    oracle_free(o);
    leman_census_free(census);
    free(graph);
}

static void test_edge_labels(void **unused)
{
    (void)unused;
    const char *path = test_set("MUTAG");
    leman_context *ctx = test_context_new(2);
    leman_dataset *data = read_set(ctx, path);
    for (unsigned variant = 0; variant < TEST_VARIANTS; variant++)
        for (unsigned k = 1; k <= 2; k++) check_against_oracle(ctx, data, variant, k);
    leman_dataset_free(data);
    test_context_free(ctx);
}

int main(void)
{
    enum { ROWS = sizeof COUNTS / sizeof *COUNTS };
    struct CMUnitTest tests[ROWS + 1] = {[ROWS] = cmocka_unit_test(test_edge_labels)};
    for (size_t i = 0; i < ROWS; i++)
        tests[i] = (struct CMUnitTest){COUNTS[i].name, test_counts, NULL, NULL, (void *)(COUNTS + i)};
    return test_run(tests);
}
