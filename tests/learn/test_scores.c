/* Scores against their definitions, written slowly. */
#include "learn/protocol/scores.h"
#include "support/support.h"
#include "svm/svm.h"
#include <math.h>
#include <string.h>

static void close_to(double a, double b)
{
    if (!(fabs(a - b) <= 1e-9 * (1 + fabs(b)))) fail_msg("found %.17g, expected %.17g", a, b);
}

static void test_numbers(void **state)
{
    (void)state;
    const double x[] = {2, 4, 4, 4, 5, 5, 7, 9}, y[] = {1, 4, 6, 4, 5, 5, 7, 9};
    close_to(lm_mean(x, 8), 5);
    close_to(lm_deviation(x, 8), 2); /* squares of differences: 9 1 1 1 0 0 4 16 */
    close_to(lm_deviation(x, 1), 0);
    assert_true(isnan(lm_mean(x, 0)));
    lm_training_set set = {.target = x, .count = 8};
    close_to(lm_absolute_error(&set, y), 3. / 8);
    close_to(lm_squared_error(&set, y), sqrt(5. / 8));
    close_to(lm_r2(&set, y), 1 - 5. / 32);
    close_to(lm_r2(&set, x), 1);
    set.count = 1;
    assert_true(isnan(lm_r2(&set, y)));
}

static void test_accuracies(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    const uint32_t labels[] = {0, 0, 0, 0, 2, 2}, found[] = {0, 0, 0, 2, 2, 1};
    double balanced;
    close_to(lm_accuracy(labels, found, NULL, 6), 100 * 4. / 6);
    assert_int_equal(lm_balanced_accuracy(ctx, labels, found, NULL, 6, 4, &balanced), LEMAN_OK);
    close_to(balanced, 100 * (3. / 4 + 1. / 2) / 2); /* class 1 and 3 have no graph */
    test_context_free(ctx);
}

/* Counts all pairs. */
static double slow_auc(const uint32_t *labels, const double *score, size_t count, size_t classes)
{
    double sum = 0;
    size_t present = 0;
    for (size_t c = 0; c < classes; c++) {
        double won = 0, pairs = 0;
        for (size_t i = 0; i < count; i++)
            for (size_t j = 0; j < count; j++) {
                if (labels[i] != c || labels[j] == c) continue;
                double a = score[i * classes + c], b = score[j * classes + c];
                pairs++;
                won += a > b ? 1 : a == b ? 0.5 : 0;
            }
        if (pairs == 0) continue;
        sum += won / pairs;
        present++;
    }
    return 100 * sum / (double)present;
}

static void test_auc(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    uint64_t random = 7;
    for (int round = 0; round < 200; round++) {
        size_t classes = 2 + test_random(&random) % 4, count = 1 + test_random(&random) % 30, kinds = 0;
        uint64_t grain = 1 + test_random(&random) % 20; /* few different scores: many ties */
        uint32_t labels[30];
        double score[150], found;
        for (size_t i = 0; i < count; i++) {
            labels[i] = (uint32_t)(test_random(&random) % classes);
            kinds += labels[i] != labels[0];
            for (size_t c = 0; c < classes; c++) score[i * classes + c] = (double)(test_random(&random) % grain) - 3;
        }
        assert_int_equal(lm_auc(ctx, labels, score, NULL, count, classes, &found), LEMAN_OK);
        if (kinds)
            close_to(found, slow_auc(labels, score, count, classes));
        else
            assert_true(isnan(found));
    }
    test_context_free(ctx);
}

/* Two classes: one curve. A perfect ranking has 100, its reverse 0, equal scores 50. */
static void test_auc_extremes(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    const uint32_t labels[] = {0, 0, 1, 1};
    double score[8], found;
    static const double DECISIONS[3][4] = {{2, 1, -1, -3}, {-1, -2, 4, 4}, {1, 1, 1, 1}};
    static const double EXPECTED[3] = {100, 0, 50};
    for (int k = 0; k < 3; k++) {
        for (size_t i = 0; i < 4; i++) lm_class_scores(LM_ONE_VS_ONE, 2, DECISIONS[k] + i, score + 2 * i);
        assert_int_equal(lm_auc(ctx, labels, score, NULL, 4, 2, &found), LEMAN_OK);
        close_to(found, EXPECTED[k]);
    }
    test_context_free(ctx);
}

static void test_predicted_classes(void **state)
{
    (void)state;
    const double rests[] = {-1, 0.5, 0.5, -2}, pairs[] = {1, -0.5, 3}; /* (0,1) (0,2) (1,2) */
    double score[4], two = -0.1;
    assert_int_equal(lm_predict_class(LM_ONE_VS_REST, 4, rests), 1);
    assert_int_equal(lm_predict_class(LM_ONE_VS_REST, 2, &two), 1);
    assert_int_equal(lm_predict_class(LM_ONE_VS_ONE, 3, pairs), 0); /* each won once; the smallest number */
    lm_class_scores(LM_ONE_VS_ONE, 3, pairs, score);
    /* 0: 1 - 0.5 = 0.5; 1: -1 + 3 = 2; 2: 0.5 - 3 = -2.5 */
    close_to(score[0], 1 + 0.5 / (3 * 1.5));
    close_to(score[1], 1 + 2. / (3 * 3));
    close_to(score[2], 1 - 2.5 / (3 * 3.5));
    lm_class_scores(LM_ONE_VS_REST, 4, rests, score);
    assert_memory_equal(score, rests, sizeof rests);
}

/* A graph of weight w has the scores of w graphs. */
static void weights_are_repetitions(void **state)
{
    (void)state;
    enum { COUNT = 12, MOST = 4, CLASSES = 3 };
    leman_context *ctx = test_context_new(1);
    uint64_t random = 11;
    for (int round = 0; round < 50; round++) {
        uint32_t label[2][COUNT * MOST], found[2][COUNT * MOST];
        double target[2][COUNT * MOST], value[2][COUNT * MOST], score[2][COUNT * MOST * CLASSES], weight[COUNT], a, b;
        size_t all = 0;
        for (size_t i = 0; i < COUNT; i++) {
            const uint64_t times = 1 + test_random(&random) % MOST;
            weight[i] = (double)times / 2;
            label[0][i] = (uint32_t)(test_random(&random) % CLASSES);
            found[0][i] = (uint32_t)(test_random(&random) % CLASSES);
            target[0][i] = (double)(test_random(&random) % 9);
            value[0][i] = (double)(test_random(&random) % 9);
            for (size_t c = 0; c < CLASSES; c++) score[0][i * CLASSES + c] = (double)(test_random(&random) % 7);
            for (uint64_t t = 0; t < times; t++, all++) {
                label[1][all] = label[0][i];
                found[1][all] = found[0][i];
                target[1][all] = target[0][i];
                value[1][all] = value[0][i];
                memcpy(score[1] + all * CLASSES, score[0] + i * CLASSES, CLASSES * sizeof **score);
            }
        }
        close_to(lm_accuracy(label[0], found[0], weight, COUNT), lm_accuracy(label[1], found[1], NULL, all));
        assert_int_equal(lm_balanced_accuracy(ctx, label[0], found[0], weight, COUNT, CLASSES, &a), LEMAN_OK);
        assert_int_equal(lm_balanced_accuracy(ctx, label[1], found[1], NULL, all, CLASSES, &b), LEMAN_OK);
        close_to(a, b);
        assert_int_equal(lm_auc(ctx, label[0], score[0], weight, COUNT, CLASSES, &a), LEMAN_OK);
        assert_int_equal(lm_auc(ctx, label[1], score[1], NULL, all, CLASSES, &b), LEMAN_OK);
        close_to(a, b);
        const lm_training_set weighted = {.target = target[0], .weight = weight, .count = COUNT};
        const lm_training_set repeated = {.target = target[1], .count = all};
        for (int name = LEMAN_SCORE_MAE; name <= LEMAN_SCORE_R2; name++)
            close_to(lm_score_values((leman_score)name, &weighted, value[0]),
                     lm_score_values((leman_score)name, &repeated, value[1]));
    }
    test_context_free(ctx);
}

static leman_status allocate(leman_context *ctx, void *user)
{
    (void)user;
    const uint32_t labels[] = {0, 1, 1}, found[] = {0, 1, 0};
    const double score[] = {1, 0, 0, 1, 0.5, 0.5};
    double out;
    leman_status st = lm_balanced_accuracy(ctx, labels, found, NULL, 3, 2, &out);
    return st ? st : lm_auc(ctx, labels, score, NULL, 3, 2, &out);
}

static void test_allocations(void **state)
{
    (void)state;
    assert_true(test_fail_each_allocation(allocate, NULL) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_accuracies),
        cmocka_unit_test(weights_are_repetitions),
        cmocka_unit_test(test_auc),
        cmocka_unit_test(test_auc_extremes),
        cmocka_unit_test(test_predicted_classes),
        cmocka_unit_test(test_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
