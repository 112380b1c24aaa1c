/* Cancellation works inside a round, not only between rounds: one round of these graphs takes seconds. */
#include "support/support.h"

enum { DENSE = 250, PERCENT = 50 };

static bool always_cancel(void *user, const leman_progress *progress)
{
    (void)progress;
    ++*(int *)user;
    return false;
}

/* A context whose progress callback always cancels. */
static leman_context *impatient(int threads, int *asked)
{
    leman_settings settings = leman_settings_default();
    leman_context *ctx = NULL;
    settings.threads = threads;
    settings.memory = (size_t)8 << 30;
    settings.progress = always_cancel;
    settings.callback_user = asked;
    assert_int_equal(leman_context_new(&settings, &ctx), LEMAN_OK);
    return ctx;
}

static void expect_stopped(leman_context *ctx, leman_status st, int *asked)
{
    assert_int_equal(st, LEMAN_ERROR_CANCELLED);
    assert_int_equal(*asked, 1); /* once is enough */
    assert_non_null(strstr(leman_context_message(ctx), "stopped"));
    *asked = 0;
}

/* 250^3 triples, each with three sums over about 125 neighbours. */
static leman_coloring one_long_round(void)
{
    leman_coloring c = leman_coloring_default();
    c.k = 3;
    c.rounds = 1;
    return c;
}

static leman_dataset *dense_graphs(leman_context *ctx, size_t graphs)
{
    uint64_t random = 5;
    leman_dataset *one = test_random_graph(ctx, &random, DENSE, PERCENT, 0, 0, false), *all = NULL;
    static const size_t SAME[8] = {0};
    assert_int_equal(leman_dataset_select(ctx, one, graphs, SAME, &all), LEMAN_OK);
    leman_dataset_free(one);
    return all;
}

static void every_call(int threads)
{
    int asked = 0;
    leman_context *ctx = impatient(threads, &asked);
    leman_dataset *data = dense_graphs(ctx, 1);
    leman_graph graph = leman_dataset_graph(data, 0);
    leman_coloring c = one_long_round();
    leman_census *census = NULL;
    leman_histogram *histogram = NULL;
    leman_difference difference;
    leman_graph_hash hash; /* there is one graph */
    expect_stopped(ctx, leman_census_compute(ctx, data, &c, false, &census), &asked);
    expect_stopped(ctx, leman_histogram_compute(ctx, &graph, &c, &histogram), &asked);
    expect_stopped(ctx, leman_distinguish(ctx, &graph, &graph, &c, false, &difference), &asked);
    expect_stopped(ctx, leman_graph_hashes(ctx, data, &c, &hash), &asked);
    uint64_t *colors = malloc((size_t)DENSE * DENSE * DENSE * sizeof *colors);
    expect_stopped(ctx, leman_tuple_colors(ctx, &graph, &c, 1, colors), &asked);
    free(colors);
    leman_dataset_free(data);
    leman_context_free(ctx);
}

static void test_one_thread(void **state)
{
    (void)state;
    every_call(1);
}

static void test_two_threads(void **state)
{
    (void)state;
    every_call(2);
}

/* Two workers with a graph each, none of them in a position to ask for the other. */
static void test_two_graphs(void **state)
{
    (void)state;
    int asked = 0;
    leman_context *ctx = impatient(2, &asked);
    leman_dataset *data = dense_graphs(ctx, 2);
    leman_coloring c = one_long_round();
    leman_census *census = NULL;
    expect_stopped(ctx, leman_census_compute(ctx, data, &c, false, &census), &asked);
    leman_dataset_free(data);
    leman_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_thread),
        cmocka_unit_test(test_two_threads),
        cmocka_unit_test(test_two_graphs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
