/*
 * Numbers of colours of whole data sets: under a second hash, and on the real sets, whose numbers were counted by an
 * independent program.
 */
#include "refine/refine.h"
#include "support/rounds.h"
#include "support/zoo.h"
#include <stdio.h>

/* ---- A second hash must agree --------------------------------------------------------------------------------------
 */

static void test_verify(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(2);
    zoo_graph *graph = malloc(4 * sizeof *graph);
    size_t cases = test_cases(40);
    assert_non_null(graph);
    for (size_t i = 0; i < cases; i++) {
        uint64_t state = 20 + i;
        zoo_kind kind = zoo_kind_random(&state);
        zoo_family_random(&state, &kind, 8, i % 2, 4, graph);
        leman_dataset *data = zoo_dataset(ctx, &kind, graph, 4);
        for (unsigned variant = 0; variant < TEST_VARIANTS; variant++) {
            leman_coloring c = test_variant(variant, 1 + (unsigned)(i % 3), i % 5 && variant != 3 ? LEMAN_STABLE : 3);
            leman_census *census = NULL, *plain = test_census(ctx, data, &c);
            if (leman_census_compute(ctx, data, &c, true, &census)) fail_msg("%s", leman_context_message(ctx));
            assert_true(test_same_census(plain, census));
            leman_census_free(census);
            leman_census_free(plain);
        }
        leman_dataset_free(data);
    }
    free(graph);
    test_context_free(ctx);
}

/* Another seed is another hash: no colour stays, the partition does. */
static void test_seeds_are_independent(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    uint64_t state = 4;
    leman_dataset *data = test_random_graph(ctx, &state, 12, 30, 3, 2, false);
    leman_graph graph = leman_dataset_graph(data, 0);
    for (unsigned k = 1; k <= 2; k++) {
        leman_coloring c = test_variant(2, k, 3), d = c;
        d.seed = LEMAN_VERIFY_SEED;
        for (uint32_t r = 0; r <= 3; r++) {
            size_t tuples = k == 1 ? 12 : 144;
            uint64_t *a = test_tuple_colors(ctx, &graph, &c, r), *b = test_tuple_colors(ctx, &graph, &d, r);
            for (size_t i = 0; i < tuples; i++)
                for (size_t j = 0; j < tuples; j++) {
                    assert_int_not_equal(a[i], b[j]);
                    assert_int_equal(a[i] == a[j], b[i] == b[j]);
                }
            free(a);
            free(b);
        }
    }
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* No two colours of 64 bits will collide for a test, so the figures are doctored. */
static void test_collision_is_reported(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    leman_round_count one[] = {{5, 8}, {70, 90}, {700, 900}}, other[] = {{5, 8}, {70, 90}, {700, 900}};
    assert_int_equal(lm_census_agree(ctx, "SET", one, other, 3), LEMAN_OK);
    other[1].colors = 71;
    assert_int_equal(lm_census_agree(ctx, "SET", one, other, 3), LEMAN_ERROR_INTERNAL);
    assert_non_null(strstr(leman_context_message(ctx), "SET: round 1 has 70 colours under one hash and 71 "));
    assert_int_equal(lm_census_agree(ctx, "SET", one, other, 1), LEMAN_OK);
    other[1].colors = 70;
    one[2].pairs = 901;
    assert_int_equal(lm_census_agree(ctx, "SET", one, other, 3), LEMAN_ERROR_INTERNAL);
    assert_non_null(
        strstr(leman_context_message(ctx), "round 2 has 901 (graph, colour) pairs under one hash and 900 "));
    test_context_free(ctx);
}

/* ---- Refused
 * --------------------------------------------------------------------------------------------------------- */

static void test_refused(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    uint64_t state = 4;
    leman_dataset *data = test_random_graph(ctx, &state, 5, 30, 0, 0, false);
    leman_graph graph = leman_dataset_graph(data, 0);
    leman_coloring c = test_variant(3, 2, LEMAN_STABLE);
    leman_census *census = NULL;
    leman_histogram *histogram = NULL;
    assert_int_equal(leman_census_compute(ctx, data, &c, false, &census), LEMAN_ERROR_ARGUMENT);
    assert_int_equal(leman_histogram_compute(ctx, &graph, &c, &histogram), LEMAN_ERROR_ARGUMENT);
    c = test_variant(2, 0, 3);
    assert_int_equal(leman_census_compute(ctx, data, &c, false, &census), LEMAN_ERROR_ARGUMENT);
    c = test_variant(2, 2, LEMAN_STABLE - 1);
    assert_int_equal(leman_census_compute(ctx, data, &c, false, &census), LEMAN_ERROR_ARGUMENT);
    assert_int_equal(leman_histogram_compute(ctx, &graph, &c, &histogram), LEMAN_ERROR_ARGUMENT);
    assert_null(census);
    assert_null(histogram);
    uint64_t colors[25];
    c = test_variant(2, 2, 3);
    assert_int_equal(leman_tuple_colors(ctx, &graph, &c, LEMAN_STABLE, colors), LEMAN_ERROR_ARGUMENT);
    assert_int_equal(leman_tuple_colors(ctx, &graph, &c, 4, colors), LEMAN_OK);
    c = test_variant(3, 2, 3);
    assert_int_equal(leman_tuple_colors(ctx, &graph, &c, 4, colors), LEMAN_ERROR_ARGUMENT); /* 3 is the last */
    assert_int_equal(leman_tuple_colors(ctx, &graph, &c, 3, colors), LEMAN_OK);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* ---- The real sets
 * --------------------------------------------------------------------------------------------------- */

/* Sums over rounds 0 .. 5, vertex labels used, edge labels not. */
static const struct {
    const char *name;
    leman_algorithm algorithm;
    bool every_round;
    unsigned k;
    uint64_t colors, pairs;
} COUNTS[] = {
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

static leman_dataset *real_set(leman_context *ctx, const char *name)
{
    char path[4200];
    leman_dataset *data = NULL;
    if (!test_data()) return NULL;
    snprintf(path, sizeof path, "%s/%s.zip", test_data(), name);
    if (leman_dataset_read(ctx, path, NULL, NULL, &data)) print_message("%s\n", leman_context_message(ctx));
    return data;
}

static void test_real_sets(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(2);
    size_t checked = 0, rows = sizeof COUNTS / sizeof *COUNTS;
    for (size_t i = 0; i < rows; i++) {
        leman_dataset *data = real_set(ctx, COUNTS[i].name);
        if (!data) continue;
        leman_coloring c = {.size = sizeof c,
                            .algorithm = COUNTS[i].algorithm,
                            .k = COUNTS[i].k,
                            .rounds = 5,
                            .count_every_round = COUNTS[i].every_round,
                            .ignore_edge_labels = true};
        leman_census *census = test_census(ctx, data, &c);
        uint64_t colors = 0, pairs = 0;
        for (uint32_t r = 0; r < census->rounds; r++) {
            colors += census->round[r].colors;
            pairs += census->round[r].pairs;
        }
        if (colors != COUNTS[i].colors || pairs != COUNTS[i].pairs)
            fail_msg("%s, %s: %lu colours, %lu pairs; expected %lu, %lu", COUNTS[i].name, test_coloring_text(&c, 5),
                     colors, pairs, COUNTS[i].colors, COUNTS[i].pairs);
        leman_census_free(census);
        leman_dataset_free(data);
        checked++;
    }
    if (checked < rows) print_message("%zu of %zu counts skipped: no data sets here\n", rows - checked, rows);
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

static void test_edge_labels_of_real_sets(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(2);
    leman_dataset *data = real_set(ctx, "MUTAG");
    if (!data) print_message("skipped: no data sets here\n");
    for (unsigned variant = 0; data && variant < TEST_VARIANTS; variant++)
        for (unsigned k = 1; k <= 2; k++) check_against_oracle(ctx, data, variant, k);
    leman_dataset_free(data);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_verify),    cmocka_unit_test(test_seeds_are_independent),
        cmocka_unit_test(test_refused),   cmocka_unit_test(test_collision_is_reported),
        cmocka_unit_test(test_real_sets), cmocka_unit_test(test_edge_labels_of_real_sets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
