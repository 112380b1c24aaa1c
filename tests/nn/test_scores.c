/* Scales of targets and errors of predictions, against small sums done by hand. */
#include "nn/train/scores.h"
#include "support/support.h"
#include <math.h>

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-6 * fmax(1, fabs(b));
}

static void test_scale(void **state)
{
    (void)state;
    static const double TARGET[][3] = {{1, 100, 5}, {2, 200, 5}, {1000, -7, 6}, {4, 600, 5}};
    static const size_t COLUMN[] = {2, 0};
    static const uint32_t TRAINING[] = {0, 3, 1}; /* graph 2 does not count */
    leman_context *ctx = test_context_new(1);
    lm_scale scale = {0};
    assert_int_equal(lm_scale_measure(ctx, TARGET[0], 3, COLUMN, 2, TRAINING, 3, true, &scale), LEMAN_OK);
    assert_true(near(scale.mean[1], 7.0 / 3));
    assert_true(near(scale.deviation[1], sqrt(7.0 / 3))); /* squares 16/9 + 1/9 + 25/9 = 42/9, over two */
    assert_true(scale.mean[0] == 5 && scale.deviation[0] == 1);
    assert_true(near(lm_scale_in(&scale, 1, 4), (4 - 7.0 / 3) / sqrt(7.0 / 3)));
    assert_true(near(lm_scale_out(&scale, 1, lm_scale_in(&scale, 1, -3)), -3));
    double sum = 0, squares = 0;
    for (int i = 0; i < 3; i++) {
        double value = lm_scale_in(&scale, 1, TARGET[TRAINING[i]][0]);
        sum += value;
        squares += value * value;
    }
    assert_true(fabs(sum) < 1e-12 && near(squares, 2));
    scale.applied = false;
    assert_true(lm_scale_in(&scale, 1, 4) == 4 && lm_scale_out(&scale, 1, 4) == 4);
    lm_scale_free(&scale);
    assert_int_equal(lm_scale_measure(ctx, TARGET[0], 3, COLUMN, 2, TRAINING, 1, true, &scale), LEMAN_OK);
    assert_true(scale.mean[1] == 1 && scale.deviation[1] == 1);
    lm_scale_free(&scale);
    test_context_free(ctx);
}

static const uint32_t GRAPHS[] = {0, 1, 2, 3};

/* Predictions for the first `graphs` graphs. */
static lm_predicted predictions(lm_learned learned, size_t outputs, const lm_labels *labels, size_t graphs,
                                const lm_real *output)
{
    return (lm_predicted){learned, outputs, labels, GRAPHS, graphs, output};
}

static void test_targets(void **state)
{
    (void)state;
    double target[] = {1, 10, 2, 20, 3, 30};
    const lm_real output[] = {2, 10, 0, 23, 3, 24};
    const lm_labels labels = {.target = target};
    lm_predicted p = predictions(LM_LEARN_TARGETS, 2, &labels, 0, output);
    assert_true(isnan(lm_error_of(&p)));
    p.graphs = 3;
    assert_true(near(lm_error_of_target(&p, 0), 1) && near(lm_error_of_target(&p, 1), 3));
    assert_true(near(lm_error_of(&p), 2));
    p.graph = (const uint32_t[]){2, 0, 1}; /* the outputs belong to these graphs: |2-3|, |0-1|, |3-2| */
    assert_true(near(lm_error_of_target(&p, 0), 1) && near(lm_error_of_target(&p, 1), (20 + 13 + 4) / 3.0));
}

/* A constant prediction of 0 on scaled targets gives the mean of |y|. */
static void test_zero(void **state)
{
    (void)state;
    double target[] = {-1, 0.5, 2, -0.25};
    const lm_real output[4] = {0};
    const lm_labels labels = {.target = target};
    const lm_predicted p = predictions(LM_LEARN_TARGETS, 1, &labels, 4, output);
    assert_true(near(lm_error_of(&p), 3.75 / 4));
}

static void test_classes(void **state)
{
    (void)state;
    uint32_t class_id[] = {2, 0, 1, 0};
    const lm_real output[] = {-1, -2, 0, 1, 1, 0, 1, 1, 0, -5, -4, -6};
    const lm_labels labels = {.class_id = class_id};
    const lm_predicted p = predictions(LM_LEARN_CLASSES, 3, &labels, 4, output);
    /* right, right (the first of two), wrong (the first of two), wrong */
    assert_true(lm_error_of(&p) == 50);
    double probability[3];
    lm_softmax((const lm_real[]){1000, 1000, (lm_real)(1000 + log(2))}, 3, probability);
    assert_true(fabs(probability[0] - 0.25) < 1e-4 && fabs(probability[2] - 0.5) < 1e-4);
}

/* Missing values count nowhere. */
static void test_missing(void **state)
{
    (void)state;
    const double target[][2] = {{1, NAN}, {NAN, NAN}, {2, 7}, {4, NAN}};
    static const size_t COLUMN[] = {0, 1};
    leman_context *ctx = test_context_new(1);
    lm_scale scale = {0};
    assert_int_equal(lm_scale_measure(ctx, target[0], 2, COLUMN, 2, GRAPHS, 4, true, &scale), LEMAN_OK);
    assert_true(near(scale.mean[0], 7.0 / 3) && near(scale.deviation[0], sqrt(7.0 / 3)));
    assert_true(near(scale.mean[1], 7) && near(scale.deviation[1], 1));
    lm_scale_free(&scale);
    test_context_free(ctx);

    double known[] = {1, NAN, NAN, 20, 3, NAN, NAN, NAN};
    const lm_real predicted[] = {2, 9, 9, 23, 6, 9, 9, 9};
    const lm_labels targets = {.target = known};
    const lm_predicted p = predictions(LM_LEARN_TARGETS, 2, &targets, 4, predicted);
    assert_true(near(lm_error_of_target(&p, 0), 2) && near(lm_error_of_target(&p, 1), 3));
    assert_true(near(lm_error_of(&p), 2.5));
    known[3] = NAN; /* nothing of the second target */
    assert_true(isnan(lm_error_of_target(&p, 1)) && near(lm_error_of(&p), 2));

    uint32_t class_id[] = {0, LM_NO_TYPE, 1, 0};
    const lm_real output[] = {1, 0, 0, 1, 0, 1, 0, 1};
    const lm_labels classes = {.class_id = class_id, .missing = 1};
    const lm_predicted c = predictions(LM_LEARN_CLASSES, 2, &classes, 4, output);
    assert_true(near(lm_error_of(&c), 100.0 / 3)); /* right, without a class, right, wrong */
}

/* Two tasks over four graphs, by hand. */
static void test_tasks(void **state)
{
    (void)state;
    double label[] = {1, 0, 0, 0, 1, NAN, 0, 0}, found;
    const lm_real output[] = {2, -1, 1, 3, -1, 9, -2, -5};
    leman_context *ctx = test_context_new(1);
    const lm_labels labels = {.target = label};
    lm_predicted p = predictions(LM_LEARN_TASKS, 2, &labels, 0, output);
    assert_int_equal(lm_score_by(ctx, &p, LEMAN_SCORE_AUC, &found), LEMAN_OK);
    assert_true(isnan(found));
    p.graphs = 4;
    assert_true(near(lm_error_of(&p), 300.0 / 7)); /* graph 1 in both tasks, graph 2 in the first */
    assert_int_equal(lm_score_of_task(ctx, &p, LEMAN_SCORE_AUC, 0, &found), LEMAN_OK);
    assert_true(near(found, 75)); /* 2 beats 1 and -2, -1 beats -2 */
    assert_int_equal(lm_score_of_task(ctx, &p, LEMAN_SCORE_AUC, 1, &found), LEMAN_OK);
    assert_true(isnan(found)); /* no positive */
    assert_int_equal(lm_score_by(ctx, &p, LEMAN_SCORE_AUC, &found), LEMAN_OK);
    assert_true(near(found, 75));
    assert_int_equal(lm_score_by(ctx, &p, LEMAN_SCORE_BALANCED, &found), LEMAN_OK);
    assert_true(near(found, (50 + 200.0 / 3) / 2));
    assert_int_equal(lm_score_by(ctx, &p, LEMAN_SCORE_ACCURACY, &found), LEMAN_OK);
    assert_true(near(found, 400.0 / 7));
    label[0] = label[4] = 0; /* no positive at all */
    assert_int_equal(lm_score_by(ctx, &p, LEMAN_SCORE_AUC, &found), LEMAN_OK);
    assert_true(near(found, 50));
    test_context_free(ctx);
}

static leman_status measure(leman_context *ctx, void *state)
{
    static const double TARGET[] = {1, 2};
    static const size_t COLUMN[] = {0};
    static const uint32_t TRAINING[] = {0, 1};
    (void)state;
    lm_scale scale = {0};
    leman_status st = lm_scale_measure(ctx, TARGET, 1, COLUMN, 1, TRAINING, 2, true, &scale);
    lm_scale_free(&scale);
    return st;
}

static void test_allocations(void **state)
{
    (void)state;
    assert_true(test_fail_each_allocation(measure, NULL) >= 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scale),       cmocka_unit_test(test_targets), cmocka_unit_test(test_zero),
        cmocka_unit_test(test_classes),     cmocka_unit_test(test_missing), cmocka_unit_test(test_tasks),
        cmocka_unit_test(test_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
