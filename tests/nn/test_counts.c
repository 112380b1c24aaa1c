/* # against its definition: count, on the line of a tuple, the tuples of its colour by the slow oracle. */
#include "graph/dataset.h"
#include "nn/encode/counts.h"
#include "support/oracle.h"
#include "support/random_graphs.h"
#include "support/support.h"

enum { ROUNDS = 4, GRAPHS = 4 };

/* How many tuples on the line of x along component j have its colour. */
static uint32_t slow_count(const oracle *o, size_t graph, size_t n, unsigned k, size_t x, size_t j)
{
    size_t stride = 1;
    uint32_t count = 0;
    for (size_t i = j + 1; i < k; i++) stride *= n;
    const size_t first = x - x / stride % n * stride;
    for (size_t w = 0; w < n; w++) count += o->colors[graph][first + w * stride] == o->colors[graph][x];
    return count;
}

static void check_round(const lm_counts *c, const oracle *o, unsigned k, size_t round)
{
    for (size_t g = 0; g < GRAPHS; g++) {
        const size_t n = o->graph[g].vertices, tuples = o->tuples[g];
        uint32_t *found = calloc(tuples + 1, sizeof *found);
        for (size_t j = 0; n && j < k; j++) {
            lm_counts_read(c, g, n, k, round, j, found);
            for (size_t x = 0; x < tuples; x++)
                assert_int_equal(found[x], lm_count_bucket(slow_count(o, g, n, k, x, j)));
        }
        free(found);
    }
}

static void test_definition(void **unused)
{
    (void)unused;
    uint64_t state = 21;
    for (size_t i = 0; i < test_cases(24); i++) {
        leman_context *ctx = test_context_new(1 + (int)(i % 2));
        const unsigned k = 2 + i / 2 % 2;
        static random_graph graph[GRAPHS];
        leman_graph view[GRAPHS];
        random_graph_kind kind = random_graph_kind_draw(&state);
        for (size_t g = 0; g < GRAPHS; g++)
            random_graph_draw(&state, &kind, g ? test_random(&state) % (k == 2 ? 12 : 6) : 3, g % 2, graph + g);
        leman_dataset *data = random_graph_dataset(ctx, &kind, graph, GRAPHS);
        const lm_encoding_options options = {.k = k, .rounds = ROUNDS};
        const leman_coloring coloring = {
            .algorithm = LEMAN_ALGORITHM_LOCAL_PLUS, .k = k, .rounds = ROUNDS, .count_every_round = true};
        lm_encoding *e = NULL;
        lm_counts counts = {0};
        assert_int_equal(lm_encoding_learn(ctx, data, NULL, 0, &options, &e), LEMAN_OK);
        assert_int_equal(e->widths.counts, ROUNDS * k);
        assert_int_equal(lm_counts_compute(ctx, data, e, &counts), LEMAN_OK);
        for (size_t g = 0; g < GRAPHS; g++) view[g] = leman_dataset_graph(data, g);
        oracle *o = oracle_new(view, GRAPHS, &coloring);
        for (size_t round = 0; round < ROUNDS; round++) {
            check_round(&counts, o, k, round);
            oracle *next = oracle_next(o, true);
            oracle_free(o);
            o = next;
        }
        oracle_free(o);
        lm_counts_free(&counts);
        lm_encoding_free(e);
        leman_dataset_free(data);
        test_context_free(ctx);
    }
}

/* Up to 16 all differ; the buckets grow with #, and the borders lie at powers of the square root of 2. */
static void test_buckets(void **unused)
{
    (void)unused;
    static const uint32_t border[] = {17,  23,  32,  46,   64,   91,   128,  182, 256,
                                      363, 512, 725, 1024, 1449, 2048, 2897, 4096};
    for (uint32_t count = 1; count <= 16; count++) assert_int_equal(lm_count_bucket(count), count - 1);
    for (size_t i = 0; i < sizeof border / sizeof *border; i++) {
        assert_int_equal(lm_count_bucket(border[i] - 1), 15 + i);
        assert_int_equal(lm_count_bucket(border[i]), 16 + i);
    }
    assert_int_equal(lm_count_bucket(UINT32_MAX), LM_COUNT_BUCKETS - 1);
}

static leman_status compute(leman_context *ctx, void *state)
{
    lm_counts counts = {0};
    leman_dataset *data = NULL;
    lm_encoding *e = NULL;
    const lm_encoding_options o = {.k = 2, .rounds = 2};
    leman_status st = leman_dataset_generate(ctx, LEMAN_FAMILY_CYCLES, NULL, &data);
    (void)state;
    if (!st) st = lm_encoding_learn(ctx, data, NULL, 0, &o, &e);
    if (!st) st = lm_counts_compute(ctx, data, e, &counts);
    lm_counts_free(&counts);
    lm_encoding_free(e);
    leman_dataset_free(data);
    return st;
}

static void test_failing_allocations(void **unused)
{
    (void)unused;
    assert_true(test_fail_each_allocation(compute, NULL) > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_definition), cmocka_unit_test(test_buckets),
                                       cmocka_unit_test(test_failing_allocations)};
    return cmocka_run_group_tests_name("counts", tests, NULL, NULL);
}
