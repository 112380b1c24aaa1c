/* Many pairs at once give what each gives alone, for any number of threads and within any budget that holds one. */
#include "support/random_graphs.h"
#include "support/rounds.h"

enum { PAIRS = 12 };

static void expect_same(const leman_difference *a, const leman_difference *b)
{
    assert_int_equal(a->distinguished, b->distinguished);
    assert_int_equal(a->round, b->round);
    if (!a->distinguished) return;
    assert_int_equal(a->color, b->color);
    assert_memory_equal(a->count, b->count, sizeof a->count);
}

static void check_pairs(leman_context *ctx, const leman_dataset *data, const leman_coloring *coloring, bool as_union)
{
    leman_difference all[PAIRS], one;
    size_t pairs = leman_dataset_shape(data)->graphs / 2;
    assert_int_equal(leman_distinguish_pairs(ctx, data, coloring, as_union, all), LEMAN_OK);
    for (size_t i = 0; i < pairs; i++) {
        leman_graph a = leman_dataset_graph(data, 2 * i), b = leman_dataset_graph(data, 2 * i + 1);
        assert_int_equal(leman_distinguish(ctx, &a, &b, coloring, as_union, &one), LEMAN_OK);
        expect_same(&all[i], &one);
    }
}

static void test_each_alone(void **state)
{
    (void)state;
    uint64_t random = 3;
    for (int i = 0; i < 36; i++) {
        leman_context *ctx = test_context_new(1 + i % 3);
        random_graph_kind kind = random_graph_kind_draw(&random);
        static random_graph graph[2 * PAIRS];
        random_graph_draw_family(&random, &kind, 7, i % 2, 2 * PAIRS, graph);
        leman_dataset *data = random_graph_dataset(ctx, &kind, graph, 2 * PAIRS);
        leman_coloring coloring = test_variant((unsigned)i % TEST_VARIANTS, 1 + (unsigned)i / 12, 4);
        check_pairs(ctx, data, &coloring, i % 5 == 0);
        leman_dataset_free(data);
        test_context_free(ctx);
    }
}

/* Pairs that leave no memory for others are taken one after the other. */
static void test_small_budget(void **state)
{
    (void)state;
    leman_context *plain = test_context_new(1);
    uint64_t random = 9;
    random_graph_kind kind = {0};
    static random_graph graph[8];
    random_graph_draw_family(&random, &kind, 40, false, 8, graph);
    leman_dataset *data = random_graph_dataset(plain, &kind, graph, 8);
    leman_coloring coloring = test_variant(LEMAN_ALGORITHM_LOCAL, 2, LEMAN_STABLE);
    leman_difference expected[PAIRS], found[PAIRS];
    assert_int_equal(leman_distinguish_pairs(plain, data, &coloring, false, expected), LEMAN_OK);
    leman_status st = LEMAN_ERROR_BUDGET;
    for (size_t memory = 1 << 12; st; memory += memory / 8) {
        leman_settings settings = leman_settings_default();
        leman_context *ctx = NULL;
        settings.memory = memory;
        settings.threads = 4;
        assert_int_equal(leman_context_new(&settings, &ctx), LEMAN_OK);
        st = leman_distinguish_pairs(ctx, data, &coloring, false, found);
        assert_true(st == LEMAN_OK || st == LEMAN_ERROR_BUDGET);
        if (st) assert_non_null(strstr(leman_context_message(ctx), "of pair "));
        leman_context_free(ctx);
    }
    for (size_t i = 0; i < 4; i++) expect_same(&found[i], &expected[i]);
    leman_dataset_free(data);
    test_context_free(plain);
}

static void test_odd(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = NULL;
    leman_coloring coloring = leman_coloring_default();
    leman_difference d = {.round = 77};
    assert_int_equal(leman_dataset_generate(ctx, LEMAN_FAMILY_PETERSEN, NULL, &data), LEMAN_OK);
    assert_int_equal(leman_distinguish_pairs(ctx, data, &coloring, false, &d), LEMAN_ERROR_INPUT);
    assert_int_equal(d.round, 77);
    leman_dataset_free(data);
    test_context_free(ctx);
}

static leman_status tell_apart(leman_context *ctx, void *state)
{
    leman_dataset *data = NULL;
    leman_coloring coloring = leman_coloring_default();
    leman_difference d;
    leman_status st = leman_dataset_generate(ctx, LEMAN_FAMILY_CYCLES, NULL, &data);
    if (!st) st = leman_distinguish_pairs(ctx, data, &coloring, *(bool *)state, &d);
    leman_dataset_free(data);
    return st;
}

static void test_allocations(void **state)
{
    (void)state;
    for (int as_union = 0; as_union < 2; as_union++) {
        bool flag = as_union;
        assert_true(test_fail_each_allocation(tell_apart, &flag) > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_alone),
        cmocka_unit_test(test_small_budget),
        cmocka_unit_test(test_odd),
        cmocka_unit_test(test_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
