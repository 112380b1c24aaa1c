/*
 * Colours of pairs that are only counted. The oracle follows the definition, with lists and without hashes; larger graphs are
 * compared with the list of all classes, whose tests are those of the histogram.
 */
#include "refine/refine.h"
#include "support/graphs.h"
#include "support/random_graphs.h"
#include "support/rounds.h"

static void test_small(void **unused)
{
    (void)unused;
    enum { ROUNDS = 4 };
    leman_context *ctx = test_context_new(2);
    random_graph *graph = malloc(sizeof *graph);
    assert_non_null(graph);
    for (size_t i = 0, cases = test_cases(30); i < cases; i++) {
        uint64_t state = 300 + i;
        random_graph_kind kind = random_graph_kind_draw(&state);
        random_graph_draw(&state, &kind, 1 + test_random(&state) % 14, i % 3 == 0, graph);
        leman_dataset *data = random_graph_dataset(ctx, &kind, graph, 1);
        const leman_graph view = leman_dataset_graph(data, 0);
        for (unsigned variant = 0; variant < TEST_VARIANTS; variant++) {
            leman_coloring c = test_variant(variant, 2, ROUNDS);
            c.in_arcs = test_random(&state) % 2;
            leman_census *census = test_census(ctx, data, &c);
            oracle *o = oracle_new(&view, 1, &c);
            for (uint32_t r = 0; r <= ROUNDS; r++) {
                if (census->round[r].colors != o->classes || census->round[r].pairs != o->classes)
                    fail_msg("%s", test_coloring_text(&c, r));
                oracle *next = oracle_next(o, c.count_every_round || r + 1 == ROUNDS);
                oracle_free(o);
                o = next;
            }
            oracle_free(o);
            leman_census_free(census);
        }
        leman_dataset_free(data);
    }
    free(graph);
    test_context_free(ctx);
}

/* Twins, vertices that become single soon, late or never, many equal rows. */
static leman_dataset *draw_large(leman_context *ctx, uint64_t *state)
{
    leman_family_options options = leman_family_options_default();
    const unsigned kind = (unsigned)(test_random(state) % 4);
    options.seed = test_random(state);
    options.vertices = 20 + test_random(state) % 120;
    options.degree = 1 + (unsigned)(test_random(state) % 3);
    options.rows = 2 + test_random(state) % 9;
    options.columns = 3 + test_random(state) % 9;
    if (kind == 0) return test_made(ctx, LEMAN_FAMILY_POWER_LAW, &options);
    if (kind == 1) return test_made(ctx, LEMAN_FAMILY_GRID, &options);
    return test_random_graph(ctx, state, options.vertices, 3, 0, kind == 2 ? 2 : 0, kind == 3);
}

static void test_large(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(2);
    size_t single = 0, equal = 0;
    for (size_t i = 0, cases = 1 + test_cases(39); i < cases; i++) { /* the first graph is neither */
        uint64_t state = 800 + i;
        leman_dataset *data = draw_large(ctx, &state);
        const leman_graph graph = leman_dataset_graph(data, 0);
        for (unsigned variant = 0; variant < TEST_VARIANTS; variant++) {
            leman_coloring c = test_variant(variant, 2, variant == 3 || i % 3 == 0 ? 5 : LEMAN_STABLE);
            leman_census *census = test_census(ctx, data, &c);
            c.rounds = census->rounds - 1;
            leman_histogram *h = test_histogram(ctx, &graph, &c);
            for (uint32_t r = 0; r < census->rounds; r++)
                if (census->round[r].colors != h->start[r + 1] - h->start[r]) fail_msg("%s", test_coloring_text(&c, r));
            const uint64_t last = census->round[c.rounds].colors, all = (uint64_t)graph.vertices * graph.vertices;
            single += last == all;
            equal += last < all / 2;
            leman_histogram_free(h);
            leman_census_free(census);
        }
        leman_dataset_free(data);
    }
    assert_true(single + equal > 0);
    test_context_free(ctx);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static leman_status count_colors(leman_context *ctx, void *state)
{
    leman_census *census = NULL;
    leman_coloring c = test_variant(2, 2, LEMAN_STABLE);
    const leman_status st = leman_census_compute(ctx, state, &c, true, &census);
    leman_census_free(census);
    return st;
}

static void test_each_allocation(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    uint64_t state = 4;
    leman_dataset *data = test_random_graph(ctx, &state, 60, 5, 0, 0, false);
    assert_true(test_fail_each_allocation(count_colors, data) > 0);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* Two arrays of colours are all that large graphs take. */
static void test_bytes(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    const leman_coloring c = test_variant(2, 2, 5);
    const leman_graph graph = {.vertices = 14000, .arcs = 280000};
    for (size_t counted = 0; counted < 2; counted++) {
        lm_space_extent extent;
        const lm_demand demand = {"the graph", .graphs = 1, .counted = counted, .budget = UINT64_MAX};
        assert_int_equal(lm_refinement_fits(ctx, &graph, &c, false, &demand, &extent), LEMAN_OK);
        const uint64_t bytes = lm_refinement_bytes(&extent, &c, false, 1);
        assert_true(counted ? bytes < UINT64_C(13) << 28 : bytes > UINT64_C(6) << 30);
    }
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small),
        cmocka_unit_test(test_large),
        cmocka_unit_test(test_each_allocation),
        cmocka_unit_test(test_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
