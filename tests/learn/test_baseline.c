/* What constants score, against every constant tried one by one; Wilson's interval against the test that it inverts;
 * the interval of folds against its formula. */
#include "learn/protocol/baseline.h"
#include "learn/protocol/compare.h"
#include "learn/protocol/splits.h"
#include "support/support.h"
#include <math.h>

enum { GRAPHS = 37, CLASSES = 4 };

static void near(double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance)) fail_msg("found %.17g, expected %.17g", a, b);
}

static leman_dataset *labelled(leman_context *ctx, uint64_t seed)
{
    leman_columns columns = {.classes = true, .targets = 2};
    leman_builder *b = NULL;
    leman_dataset *data = NULL;
    uint64_t state = seed;
    assert_int_equal(leman_builder_new(ctx, "labelled", &columns, &b), LEMAN_OK);
    for (size_t g = 0; g < GRAPHS; g++) {
        int64_t label = (int64_t)(test_random(&state) % CLASSES) * 7 - 9;
        double target[2] = {(double)(test_random(&state) % 1000) / 7, (double)(test_random(&state) % 3)};
        assert_int_equal(leman_builder_graph(b, NULL, &label, target), LEMAN_OK);
        assert_int_equal(leman_builder_vertex(b, NULL, NULL, NULL), LEMAN_OK);
    }
    assert_int_equal(leman_builder_finish(b, NULL, NULL, &data), LEMAN_OK);
    leman_builder_free(b);
    return data;
}

/* The best of all constants: every class, every value that a graph has. */
static double best_constant(const leman_dataset *data, const uint32_t *graph, size_t count, size_t target)
{
    const int64_t *label = leman_dataset_classes(data);
    const double *value = leman_dataset_targets(data);
    double best = target == LEMAN_NO_TARGET ? 0 : INFINITY;
    for (size_t constant = 0; constant < GRAPHS; constant++) {
        double sum = 0;
        for (size_t i = 0; i < count; i++)
            sum += target == LEMAN_NO_TARGET ? 100.0 * (label[graph[i]] == label[constant])
                                             : fabs(value[2 * graph[i] + target] - value[2 * constant + target]);
        if (target == LEMAN_NO_TARGET ? sum > best : sum < best) best = sum;
    }
    return best / (double)count;
}

static void test_constants(void **unused)
{
    (void)unused;
    static const size_t TARGETS[] = {LEMAN_NO_TARGET, 0, 1};
    leman_context *ctx = test_context_new(1);
    uint64_t state = 3;
    for (uint64_t seed = 1; seed < 9; seed++) {
        leman_dataset *data = labelled(ctx, seed);
        uint32_t graph[GRAPHS];
        size_t count = 1 + test_random(&state) % GRAPHS;
        for (size_t i = 0; i < count; i++) graph[i] = (uint32_t)(test_random(&state) % GRAPHS);
        for (size_t t = 0; t < 3; t++) {
            double score = -1;
            assert_int_equal(leman_baseline(ctx, data, graph, count, TARGETS[t], &score), LEMAN_OK);
            near(score, best_constant(data, graph, count, TARGETS[t]), 1e-9);
        }
        leman_dataset_free(data);
    }
    test_context_free(ctx);
}

/* Every graph is tested once in a repetition, so the baseline of the folds is that of all graphs. */
static void test_splits(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = labelled(ctx, 5);
    leman_splits *splits = NULL;
    uint32_t all[GRAPHS];
    size_t both[2] = {0, 1};
    double score = 0, deviation[2] = {2, 4};
    for (uint32_t g = 0; g < GRAPHS; g++) all[g] = g;
    assert_int_equal(leman_splits_draw(ctx, data, 3, 5, false, &splits), LEMAN_OK);
    assert_int_equal(lm_baseline_of_splits(ctx, data, splits, LEMAN_NO_TARGET, &score), LEMAN_OK);
    near(score, best_constant(data, all, GRAPHS, LEMAN_NO_TARGET), 1e-9);
    assert_int_equal(lm_baseline_of_splits(ctx, data, splits, 0, &score), LEMAN_OK);
    near(score, best_constant(data, all, GRAPHS, 0), 1e-9);
    assert_int_equal(lm_baseline_of_targets(ctx, data, all, GRAPHS, both, 2, deviation, &score), LEMAN_OK);
    near(score, (best_constant(data, all, GRAPHS, 0) / 2 + best_constant(data, all, GRAPHS, 1) / 4) / 2, 1e-9);
    leman_splits_free(splits);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* The ends of Wilson's interval are the shares p with |x - n p| = z sqrt(n p (1 - p)). */
static void test_wilson(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    for (uint64_t n = 1; n < 400; n = n * 3 + 1)
        for (uint64_t x = 0; x <= n; x += 1 + n / 7) {
            double low = -1, high = -1;
            assert_int_equal(leman_wilson_interval(ctx, x, n, &low, &high), LEMAN_OK);
            assert_true(low >= 0 && high <= 100 && low < high);
            for (int end = 0; end < 2; end++) {
                double p = (end ? high : low) / 100, off = fabs((double)x - (double)n * p);
                if (p <= 0 || p >= 1) {
                    assert_true(end ? x == n : x == 0);
                    continue;
                }
                near(off / sqrt((double)n * p * (1 - p)), 1.959963984540054, 1e-6);
            }
        }
    test_context_free(ctx);
}

static void test_interval(void **unused)
{
    (void)unused;
    static const double SCORE[] = {61, 70, 66, 58, 75, 69, 64, 72, 63, 68};
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = labelled(ctx, 2);
    leman_splits *splits = NULL;
    double mean = 0, squares = 0, ratio = 0, low, high;
    /* t with P(|T| > t) = 5 %: two degrees of freedom have a closed form, sqrt(2) 0.95 / sqrt(1 - 0.95^2). */
    near(lm_t_quantile(0.05, 2), sqrt(2) * 0.95 / sqrt(1 - 0.95 * 0.95), 1e-9);
    near(lm_t_two_sided(lm_t_quantile(0.05, 9), 9), 0.05, 1e-12);
    assert_int_equal(leman_splits_draw(ctx, data, 2, 5, false, &splits), LEMAN_OK);
    for (size_t i = 0; i < 10; i++) {
        mean += SCORE[i] / 10;
        double tests = (double)lm_split_test(splits, i).count;
        ratio += tests / ((double)GRAPHS - tests) / 10;
    }
    for (size_t i = 0; i < 10; i++) squares += pow(SCORE[i] - mean, 2);
    double half = lm_t_quantile(0.05, 9) * sqrt((0.1 + ratio) * squares / 9);
    lm_corrected_interval(splits, SCORE, 0, 100, &low, &high);
    near(low, mean - half, 1e-9);
    near(high, mean + half, 1e-9);
    lm_corrected_interval(splits, SCORE, 65, 67, &low, &high); /* scores have bounds */
    assert_true(low == 65 && high == 67);
    leman_splits_free(splits);
    leman_dataset_free(data);
    test_context_free(ctx);
}

static leman_status compute(leman_context *ctx, void *state)
{
    const leman_dataset *data = state;
    static const uint32_t ALL[] = {0, 1, 2, 3, 4};
    leman_status st = LEMAN_OK;
    double score;
    TRY(leman_baseline(ctx, data, ALL, 5, LEMAN_NO_TARGET, &score));
    TRY(leman_baseline(ctx, data, ALL, 5, 1, &score));
done:
    return st;
}

static void test_allocations(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = labelled(ctx, 2);
    assert_true(test_fail_each_allocation(compute, data) > 0);
    leman_dataset_free(data);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_constants), cmocka_unit_test(test_splits),
                                       cmocka_unit_test(test_wilson), cmocka_unit_test(test_interval),
                                       cmocka_unit_test(test_allocations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
