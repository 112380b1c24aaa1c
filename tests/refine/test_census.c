/* Numbers of colours of whole data sets, under a second hash. */
#include "refine/refine.h"
#include "support/meter.h"
#include "support/random_graphs.h"
#include "support/rounds.h"
#include <stdio.h>

/* ---- A second hash must agree ---------------------------------------------------------------- */

static void test_verify(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(2);
    random_graph *graph = malloc(4 * sizeof *graph);
    size_t cases = test_cases(40);
    assert_non_null(graph);
    for (size_t i = 0; i < cases; i++) {
        uint64_t state = 20 + i;
        random_graph_kind kind = random_graph_kind_draw(&state);
        random_graph_draw_family(&state, &kind, 8, i % 2, 4, graph);
        leman_dataset *data = random_graph_dataset(ctx, &kind, graph, 4);
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

/* No two colours of 64 bits will collide for a test, so the figures are changed by hand. */
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

/* ---- Refused --------------------------------------------------------------------------------- */

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

/* In parts, where the colours of all graphs do not fit the budget: the same numbers, in less memory. */
static void test_in_parts(void **unused)
{
    (void)unused;
    leman_family_options options = leman_family_options_default();
    leman_context *plain = test_context_new(2);
    leman_dataset *data = NULL;
    options.graphs = 300;
    options.vertices = 24;
    assert_int_equal(leman_dataset_generate(plain, LEMAN_FAMILY_MOLECULES, &options, &data), LEMAN_OK);
    for (unsigned k = 1; k <= 3; k++)
        for (int threads = 1; threads <= 3; threads += 2) {
            leman_coloring c = leman_coloring_default();
            test_meter meter;
            const size_t budget = k == 3 ? 3 << 20 : k == 2 ? 1 << 20 : 1 << 18;
            leman_context *ctx = test_meter_context(&meter, budget, threads);
            c.k = k;
            c.rounds = 3;
            leman_census *whole = test_census(plain, data, &c), *parts = test_census(ctx, data, &c);
            assert_true(test_same_census(whole, parts));
            if (k > 1) assert_non_null(strstr(meter.log, "several passes"));
            assert_true(meter.peak < budget + budget / 4);
            leman_census_free(whole);
            leman_census_free(parts);
            test_meter_free(&meter, ctx);
        }
    leman_dataset_free(data);
    test_context_free(plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_verify),  cmocka_unit_test(test_seeds_are_independent), cmocka_unit_test(test_in_parts),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_collision_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
