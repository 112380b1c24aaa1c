/* The schedules of the learning rate: their rates by the formulas, and the warm-up before each of them. */
#include "nn/train/schedule.h"
#include "support/support.h"
#include <math.h>

static leman_training training(leman_schedule kind, size_t epochs, size_t warm_up)
{
    leman_training t = leman_training_default(NULL);
    t.schedule = kind;
    t.learning_rate = 0.04;
    t.epochs = epochs;
    t.warm_up = warm_up;
    t.patience = 0;
    return t;
}

static void same_rate(double rate, double expected)
{
    if (!(fabs(rate - expected) <= 1e-15)) fail_msg("rate %.17g, expected %.17g", rate, expected);
}

/* Values of the cosine that are known without computing it: cos 0, pi / 3, pi / 2, 2 pi / 3. */
static void test_cosine(void **state)
{
    (void)state;
    leman_training t = training(LEMAN_SCHEDULE_COSINE, 6, 0);
    t.min_learning_rate = 0.01;
    lm_schedule s = lm_schedule_new(&t);
    same_rate(lm_schedule_rate(&s, 1), 0.04);
    same_rate(lm_schedule_rate(&s, 3), 0.01 + 0.03 * 0.75);
    same_rate(lm_schedule_rate(&s, 4), 0.01 + 0.03 * 0.5);
    same_rate(lm_schedule_rate(&s, 5), 0.01 + 0.03 * 0.25);
    same_rate(lm_schedule_rate(&s, 7), 0.01); /* after the last epoch */
    same_rate(lm_schedule_rate(&s, 1000), 0.01);
    for (uint64_t epoch = 1; epoch < 6; epoch++)
        assert_true(lm_schedule_rate(&s, epoch) > lm_schedule_rate(&s, epoch + 1));
    for (uint64_t epoch = 1; epoch <= 6; epoch++) { /* the values of validation change nothing */
        const double before = lm_schedule_rate(&s, epoch);
        lm_schedule_step(&s, epoch, 1);
        same_rate(lm_schedule_rate(&s, epoch), before);
        assert_false(lm_schedule_ends(&s, epoch, 1e-9));
    }
}

/* The first epochs have the shares 1/4, 2/4 and 3/4 of the rate; the cosine takes the four that are left. */
static void test_warm_up(void **state)
{
    (void)state;
    for (int kind = 0; kind < LEMAN_SCHEDULE_COUNT; kind++) {
        const leman_training t = training((leman_schedule)kind, 7, 3);
        lm_schedule s = lm_schedule_new(&t);
        for (uint64_t epoch = 1; epoch <= 3; epoch++) {
            same_rate(lm_schedule_rate(&s, epoch), 0.01 * (double)epoch);
            assert_false(lm_schedule_ends(&s, epoch, 1e-9));
            lm_schedule_step(&s, epoch, 1); /* no patience: the plateau rule would halve the rate */
        }
        same_rate(lm_schedule_rate(&s, 4), 0.04);
        if (kind == LEMAN_SCHEDULE_COSINE) same_rate(lm_schedule_rate(&s, 6), 0.02);
        if (kind == LEMAN_SCHEDULE_CONSTANT) same_rate(lm_schedule_rate(&s, 7), 0.04);
    }
}

/* Without a warm-up the schedule is the plateau rule, bit by bit; after a warm-up it is the rule from there on. */
static void test_plateau(void **state)
{
    (void)state;
    for (size_t warm_up = 0; warm_up < 3; warm_up++) {
        const leman_training t = training(LEMAN_SCHEDULE_PLATEAU, 100, warm_up);
        lm_schedule s = lm_schedule_new(&t);
        lm_plateau rule = lm_plateau_new(t.learning_rate, t.patience);
        for (uint64_t epoch = 1; epoch <= 100; epoch++) {
            const double value = (double)(epoch % 7);
            if (epoch > warm_up) {
                assert_true(lm_schedule_rate(&s, epoch) == rule.rate);
                assert_int_equal(lm_schedule_ends(&s, epoch, rule.rate), lm_plateau_ends(rule.rate));
                lm_plateau_step(&rule, value);
            }
            lm_schedule_step(&s, epoch, value);
        }
    }
}

/* Files may say anything: a cosine of no epochs has a rate all the same. */
static void test_no_epochs(void **state)
{
    (void)state;
    const leman_training t = training(LEMAN_SCHEDULE_COSINE, 2, 5);
    const lm_schedule s = lm_schedule_new(&t);
    same_rate(lm_schedule_rate(&s, 6), 0.04);
    same_rate(lm_schedule_rate(&s, 7), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cosine), cmocka_unit_test(test_warm_up),
                                       cmocka_unit_test(test_plateau), cmocka_unit_test(test_no_epochs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
