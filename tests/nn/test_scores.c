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
    lm_scale_free(ctx, &scale);
    assert_int_equal(lm_scale_measure(ctx, TARGET[0], 3, COLUMN, 2, TRAINING, 1, true, &scale), LEMAN_OK);
    assert_true(scale.mean[1] == 1 && scale.deviation[1] == 1);
    lm_scale_free(ctx, &scale);
    test_context_free(ctx);
}

static void test_targets(void **state)
{
    (void)state;
    lm_real target[] = {1, 10, 2, 20, 3, 30}, predicted[] = {2, 10, 0, 23, 3, 24};
    lm_batch batch = {.target = target, .targets = 2};
    lm_target_score sums[2] = {{9, 9}, {9, 9}};
    lm_score score = {.outputs = 2, .target = sums};
    lm_score_clear(&score);
    assert_true(isnan(lm_score_error(&score)));
    batch.extent.rows[LM_GRAPHS] = 2;
    lm_score_add(&score, &batch, predicted);
    batch.extent.rows[LM_GRAPHS] = 1;
    batch.target = target + 4;
    lm_score_add(&score, &batch, predicted + 4);
    assert_true(near(lm_score_of_target(&score, 0), 1) && near(lm_score_of_target(&score, 1), 3));
    assert_true(near(lm_score_error(&score), 2));
    const double errors[] = {exp(-1), exp(-4)};
    assert_true(near(lm_log_mean(errors, 2), -2.5));
}

/* A constant prediction of 0 on scaled targets gives the mean of |y|. */
static void test_zero(void **state)
{
    (void)state;
    lm_real target[] = {-1, 0.5, 2, -0.25}, predicted[4] = {0};
    lm_batch batch = {.target = target, .targets = 1};
    lm_target_score sums[1];
    lm_score score = {.outputs = 1, .target = sums};
    lm_score_clear(&score);
    batch.extent.rows[LM_GRAPHS] = 4;
    lm_score_add(&score, &batch, predicted);
    assert_true(near(lm_score_error(&score), 3.75 / 4));
}

static void test_classes(void **state)
{
    (void)state;
    uint32_t class_id[] = {2, 0, 1, 0};
    lm_real predicted[] = {-1, -2, 0, 1, 1, 0, 1, 1, 0, -5, -4, -6};
    lm_batch batch = {.class_id = class_id, .classes = true};
    lm_score score = {.outputs = 3, .learned = LM_LEARN_CLASSES};
    lm_score_clear(&score);
    batch.extent.rows[LM_GRAPHS] = 4;
    lm_score_add(&score, &batch, predicted); /* right, right (the first of two), wrong (the first of two), wrong */
    assert_true(lm_score_error(&score) == 50);
}

/* Missing values count nowhere. */
static void test_missing(void **state)
{
    (void)state;
    const double target[][2] = {{1, NAN}, {NAN, NAN}, {2, 7}, {4, NAN}};
    static const size_t COLUMN[] = {0, 1};
    static const uint32_t TRAINING[] = {0, 1, 2, 3};
    leman_context *ctx = test_context_new(1);
    lm_scale scale = {0};
    assert_int_equal(lm_scale_measure(ctx, target[0], 2, COLUMN, 2, TRAINING, 4, true, &scale), LEMAN_OK);
    assert_true(near(scale.mean[0], 7.0 / 3) && near(scale.deviation[0], sqrt(7.0 / 3)));
    assert_true(near(scale.mean[1], 7) && near(scale.deviation[1], 1));
    lm_scale_free(ctx, &scale);
    test_context_free(ctx);

    const lm_real nothing = (lm_real)NAN;
    lm_real known[] = {1, nothing, nothing, 20, 3, nothing, nothing, nothing}, predicted[] = {2, 9, 9, 23, 6, 9, 9, 9};
    lm_batch batch = {.target = known, .targets = 2};
    lm_target_score sums[2];
    lm_score score = {.outputs = 2, .target = sums};
    lm_score_clear(&score);
    batch.extent.rows[LM_GRAPHS] = 4;
    lm_score_add(&score, &batch, predicted);
    assert_true(near(lm_score_of_target(&score, 0), 2) && near(lm_score_of_target(&score, 1), 3));
    assert_true(near(lm_score_error(&score), 2.5));
    known[3] = nothing; /* nothing of the second target */
    lm_score_clear(&score);
    lm_score_add(&score, &batch, predicted);
    assert_true(isnan(lm_score_of_target(&score, 1)) && near(lm_score_error(&score), 2));

    uint32_t class_id[] = {0, 0, 1, 0};
    double weight[] = {1, 0, 2, 1};
    lm_real output[] = {1, 0, 0, 1, 0, 1, 0, 1};
    lm_batch classes = {.class_id = class_id, .classes = true, .graph_weight = weight};
    score = (lm_score){.outputs = 2, .learned = LM_LEARN_CLASSES};
    lm_score_clear(&score);
    classes.extent.rows[LM_GRAPHS] = 4;
    lm_score_add(&score, &classes, output); /* right, without a class, right, wrong */
    assert_true(near(lm_score_error(&score), 100.0 / 3));
}

/* Two tasks over four graphs, by hand. */
static void test_tasks(void **state)
{
    (void)state;
    const lm_real nothing = (lm_real)NAN;
    lm_real label[] = {1, 0, 0, 0, 1, nothing, 0, 0}, predicted[] = {2, -1, 1, 3, -1, 9, -2, -5};
    leman_context *ctx = test_context_new(1);
    lm_batch batch = {.target = label, .targets = 2};
    lm_score score = {0};
    double found;
    assert_int_equal(lm_score_new(ctx, LM_LEARN_TASKS, 2, 4, &score), LEMAN_OK);
    lm_score_clear(&score);
    assert_int_equal(lm_score_by(ctx, &score, LEMAN_SCORE_AUC, &found), LEMAN_OK);
    assert_true(isnan(found));
    batch.extent.rows[LM_GRAPHS] = 4;
    lm_score_add(&score, &batch, predicted);
    assert_true(near(lm_score_error(&score), 300.0 / 7)); /* graph 1 in both tasks, graph 2 in the first */
    assert_int_equal(lm_score_of_task(ctx, &score, LEMAN_SCORE_AUC, 0, &found), LEMAN_OK);
    assert_true(near(found, 75)); /* 2 beats 1 and -2, -1 beats -2 */
    assert_int_equal(lm_score_of_task(ctx, &score, LEMAN_SCORE_AUC, 1, &found), LEMAN_OK);
    assert_true(isnan(found)); /* no positive */
    assert_int_equal(lm_score_by(ctx, &score, LEMAN_SCORE_AUC, &found), LEMAN_OK);
    assert_true(near(found, 75));
    assert_int_equal(lm_score_by(ctx, &score, LEMAN_SCORE_BALANCED, &found), LEMAN_OK);
    assert_true(near(found, (50 + 200.0 / 3) / 2));
    assert_int_equal(lm_score_by(ctx, &score, LEMAN_SCORE_ACCURACY, &found), LEMAN_OK);
    assert_true(near(found, 400.0 / 7));
    label[0] = label[4] = 0; /* no positive at all */
    lm_score_clear(&score);
    lm_score_add(&score, &batch, predicted);
    assert_int_equal(lm_score_by(ctx, &score, LEMAN_SCORE_AUC, &found), LEMAN_OK);
    assert_true(near(found, 50));
    lm_score_free(ctx, &score);
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
    lm_scale_free(ctx, &scale);
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
