/*
 * Curves against their definitions over all pairs and all thresholds, on random probabilities with ties; bins against
 * sums over graphs.
 */
#include "report/curves.h"
#include "support/support.h"
#include <math.h>
#include <string.h>

enum { MOST = 2000 };

static double probability[MOST];
static bool positive[MOST];

/* cmocka compares floats. */
static void assert_near(double a, double b)
{
    assert_true(fabs(a - b) < 1e-9);
}

static double real(uint64_t *state)
{
    return (double)(test_random(state) % 1000001) / 1e6;
}

/* Draws graphs: more positive ones among large probabilities. levels: how many different probabilities, 0 for many. */
static lm_judged draw(uint64_t *state, size_t count, size_t levels)
{
    lm_judged j = {.probability = probability, .positive = positive, .count = count};
    for (size_t i = 0; i < count; i++) {
        probability[i] = levels ? (double)(test_random(state) % levels) / (double)levels : real(state);
        positive[i] = real(state) < 0.2 + 0.6 * probability[i];
        j.positives += positive[i];
    }
    return j;
}

/* The share of pairs in the right order. */
static double pairs_in_order(const lm_judged *j)
{
    double right = 0, all = 0;
    for (size_t i = 0; i < j->count; i++)
        for (size_t k = 0; k < j->count; k++) {
            if (!j->positive[i] || j->positive[k]) continue;
            all++;
            right += j->probability[i] > j->probability[k] ? 1 : j->probability[i] < j->probability[k] ? 0 : 0.5;
        }
    return all > 0 ? right / all : NAN;
}

/* Counts the graphs of a class from a threshold on. */
static size_t count_from(const lm_judged *j, double threshold, bool of)
{
    size_t count = 0;
    for (size_t i = 0; i < j->count; i++) count += j->positive[i] == of && j->probability[i] >= threshold;
    return count;
}

/* The mean over positive graphs of the precision at their probability; the same as the sum over thresholds. */
static double average_precision(const lm_judged *j)
{
    double sum = 0;
    for (size_t i = 0; i < j->count; i++) {
        if (!j->positive[i]) continue;
        const double right = (double)count_from(j, j->probability[i], true);
        sum += right / (right + (double)count_from(j, j->probability[i], false));
    }
    return sum / (double)j->positives;
}

/* Returns true if some threshold gives this point. */
static bool is_of_threshold(const lm_judged *j, double x, double y, bool roc)
{
    if (roc ? !(x > 0 || y > 0) : !(x > 0)) return true; /* the beginning */
    for (size_t i = 0; i < j->count; i++) {
        const double right = (double)count_from(j, j->probability[i], true);
        const double wrong = (double)count_from(j, j->probability[i], false);
        const double recall = right / (double)j->positives;
        const double own_x = roc ? wrong / (double)(j->count - j->positives) : recall;
        const double own_y = roc ? recall : right / (right + wrong);
        if (fabs(own_x - x) < 1e-12 && fabs(own_y - y) < 1e-12) return true;
    }
    return false;
}

static void test_areas_and_points(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    uint64_t state = 5;
    for (size_t round = 0; round < test_cases(40); round++) {
        const lm_judged j = draw(&state, 2 + test_random(&state) % 60, round % 3 ? 1 + test_random(&state) % 9 : 0);
        lm_curve roc, precision;
        assert_int_equal(lm_curve_roc(ctx, &j, &roc), LEMAN_OK);
        assert_int_equal(lm_curve_precision(ctx, &j, &precision), LEMAN_OK);
        if (!j.positives || j.positives == j.count) {
            assert_true(isnan(roc.area) && isnan(precision.area) && !roc.count && !precision.count);
            continue;
        }
        assert_near(roc.area, pairs_in_order(&j));
        assert_near(precision.area, average_precision(&j));
        for (size_t i = 0; i < roc.count; i++) assert_true(is_of_threshold(&j, roc.x[i], roc.y[i], true));
        for (size_t i = 0; i < precision.count; i++)
            assert_true(is_of_threshold(&j, precision.x[i], precision.y[i], false));
        assert_near(roc.x[roc.count - 1] + roc.y[roc.count - 1], 2);
        assert_near(precision.x[precision.count - 1], 1);
    }
    test_context_free(ctx);
}

/* Many graphs: few points, no large gaps, the exact area. */
static void test_many_graphs(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    uint64_t state = 6;
    const lm_judged j = draw(&state, MOST, 0);
    lm_curve roc;
    assert_int_equal(lm_curve_roc(ctx, &j, &roc), LEMAN_OK);
    assert_near(roc.area, pairs_in_order(&j));
    assert_in_range(roc.count, 100, LM_CURVE_POINTS);
    for (size_t i = 1; i < roc.count; i++) {
        assert_true(roc.x[i] >= roc.x[i - 1] && roc.y[i] >= roc.y[i - 1]);
        assert_true(roc.x[i] - roc.x[i - 1] < 0.02 && roc.y[i] - roc.y[i - 1] < 0.02);
    }
    test_context_free(ctx);
}

static void test_reliability(void **unused)
{
    (void)unused;
    uint64_t state = 7;
    for (size_t round = 0; round < test_cases(20); round++) {
        const lm_judged j = draw(&state, 1 + test_random(&state) % 500, round % 2 ? 10 : 0);
        lm_curve_bin bin[LM_BINS];
        double brier, error, square = 0, distance = 0;
        size_t sum = 0;
        lm_reliability(&j, bin, &brier, &error);
        for (size_t i = 0; i < j.count; i++) square += pow(j.probability[i] - (j.positive[i] ? 1 : 0), 2);
        assert_near(brier, square / (double)j.count);
        for (size_t b = 0; b < LM_BINS; b++) {
            double value = 0, observed = 0;
            size_t count = 0;
            for (size_t i = 0; i < j.count; i++) {
                const bool last = b == LM_BINS - 1 && j.probability[i] >= 1;
                if (!last && (size_t)floor(j.probability[i] * LM_BINS) != b) continue;
                value += j.probability[i], observed += j.positive[i], count++;
            }
            assert_int_equal(bin[b].count, count);
            sum += count;
            if (!count) assert_true(isnan(bin[b].value));
            if (!count) continue;
            assert_near(bin[b].value, value / (double)count);
            assert_near(bin[b].observed, observed / (double)count);
            assert_true(bin[b].spread > 0 && bin[b].spread < 0.5);
            distance += fabs(value - observed);
        }
        assert_int_equal(sum, j.count);
        assert_near(error, distance / (double)j.count);
    }
}

static void test_bins_of_pairs(void **unused)
{
    (void)unused;
    static double pair[MOST][2];
    uint64_t state = 8;
    for (size_t round = 0; round < test_cases(40); round++) {
        const size_t count = 1 + test_random(&state) % 300, most = 1 + test_random(&state) % 9;
        lm_curve_bin bin[9];
        double sum = 0, found = 0;
        size_t graphs = 0;
        for (size_t i = 0; i < count; i++) {
            pair[i][0] = round % 2 ? real(&state) : (double)(test_random(&state) % 5);
            sum += pair[i][1] = real(&state);
        }
        const size_t bins = lm_bins_of_pairs(pair, count, most, bin);
        assert_in_range(bins, 1, most);
        for (size_t b = 0; b < bins; b++) {
            assert_true(bin[b].low <= bin[b].value + 1e-12 && bin[b].value <= bin[b].high + 1e-12);
            if (b) assert_true(bin[b - 1].high < bin[b].low); /* equal values are together */
            found += bin[b].observed * (double)bin[b].count;
            graphs += bin[b].count;
            if (round % 2) assert_in_range(bin[b].count, count / most, count / most + 1);
        }
        assert_int_equal(graphs, count);
        assert_near(found, sum);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_areas_and_points), cmocka_unit_test(test_many_graphs),
                                       cmocka_unit_test(test_reliability), cmocka_unit_test(test_bins_of_pairs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
