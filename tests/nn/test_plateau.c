/* The plateau rule: the epochs at which runs of a constant value end, and each clause of the rule on its own. */
#include "nn/train/plateau.h"
#include "support/support.h"
#include <math.h>

/* The number of the last epoch of a run whose validation value never changes. */
static unsigned last_epoch(double rate, uint64_t patience)
{
    lm_plateau plateau = lm_plateau_new(rate, patience);
    for (unsigned epoch = 1; epoch < 1000; epoch++) {
        double used = plateau.rate;
        lm_plateau_step(&plateau, 0.25);
        if (lm_plateau_ends(used)) return epoch;
    }
    return 0;
}

static void test_epochs(void **state)
{
    (void)state;
    assert_int_equal(last_epoch(1e-3, 5), 62);
    assert_int_equal(last_epoch(1e-3, 10), 112);
    assert_int_equal(last_epoch(1e-3, 15), 162);
    assert_int_equal(last_epoch(1e-2, 5), 86);
}

/* Values that fall by enough never cut the rate; values that fall by less are bad epochs. */
static void test_better(void **state)
{
    (void)state;
    lm_plateau plateau = lm_plateau_new(1e-3, 2);
    for (int i = 0; i < 100; i++) lm_plateau_step(&plateau, pow(0.999, i));
    assert_true(plateau.rate == 1e-3 && plateau.bad == 0);
    double best = plateau.best;
    for (int i = 0; i < 2; i++) lm_plateau_step(&plateau, best * (1 - 0.99e-4));
    assert_true(plateau.rate == 1e-3 && plateau.bad == 2 && plateau.best == best);
    lm_plateau_step(&plateau, best * (1 - 1.01e-4)); /* just in time */
    assert_true(plateau.rate == 1e-3 && plateau.bad == 0 && plateau.best < best);
    for (int i = 0; i < 2; i++) lm_plateau_step(&plateau, best);
    assert_true(plateau.rate == 1e-3);
    lm_plateau_step(&plateau, best); /* the third: more than the patience */
    assert_true(plateau.rate == 5e-4 && plateau.bad == 0);
}

static void test_limits(void **state)
{
    (void)state;
    lm_plateau plateau = lm_plateau_new(1e-3, 0);
    lm_plateau_step(&plateau, 1);
    for (int i = 0; i < 100; i++) lm_plateau_step(&plateau, i % 2 ? NAN : INFINITY);
    assert_true(plateau.rate == 1e-7); /* 2^-13 of 1e-3 is still above it, and the step down is above 1e-8 */
    assert_true(plateau.best == 1);
    plateau = lm_plateau_new(1.05e-7, 0); /* 1e-7 would be a change of half of 1e-8 */
    lm_plateau_step(&plateau, 1);
    lm_plateau_step(&plateau, 1);
    assert_true(plateau.rate == 1.05e-7);
    assert_false(lm_plateau_ends(1e-6));
    assert_true(lm_plateau_ends(0.999e-6));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_epochs),
        cmocka_unit_test(test_better),
        cmocka_unit_test(test_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
