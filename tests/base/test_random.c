/* The seeded stream: bounds, no bias, independence of streams, permutations. */
#include "base/random.h"
#include "support/support.h"

static void test_words_are_equal_on_every_machine(void **state)
{
    (void)state;
    /* from the definition in random.h, with mix written out in arbitrary precision */
    lm_random random = lm_random_stream(1, 2, 3);
    assert_int_equal(lm_random_word(&random), UINT64_C(0x4db11a693a1f183f));
    assert_int_equal(lm_random_word(&random), UINT64_C(0xb7694293dbdaaa97));
    random = lm_random_stream(0, 0, 0);
    assert_int_equal(lm_random_word(&random), UINT64_C(0x8c64b9e760b41026));
}

/* Chi-square of 7 cells over 70,000 draws has mean 6 and deviation 3.5. */
static void test_below_is_uniform(void **state)
{
    (void)state;
    enum { CELLS = 7, DRAWS = 70000 };
    lm_random random = lm_random_stream(5, 0, 0);
    double count[CELLS] = {0}, distance = 0;
    for (int i = 0; i < DRAWS; i++) {
        uint64_t value = lm_random_below(&random, CELLS);
        assert_true(value < CELLS);
        count[value]++;
    }
    for (int i = 0; i < CELLS; i++) distance += (count[i] - DRAWS / CELLS) * (count[i] - DRAWS / CELLS);
    assert_true(distance / (DRAWS / CELLS) < 25);
}

/* With a bound of 3/4 of 2^64 a plain remainder would fall into the lower third half of the time. */
static void test_below_has_no_bias(void **state)
{
    (void)state;
    enum { DRAWS = 30000 };
    const uint64_t third = UINT64_C(1) << 62;
    lm_random random = lm_random_stream(6, 0, 0);
    int low = 0;
    for (int i = 0; i < DRAWS; i++) {
        uint64_t value = lm_random_below(&random, 3 * third);
        assert_true(value < 3 * third);
        low += value < third;
    }
    assert_in_range(low, DRAWS / 3 - 500, DRAWS / 3 + 500);
    assert_int_equal(lm_random_below(&random, 1), 0);
}

static void test_reals(void **state)
{
    (void)state;
    enum { DRAWS = 100000 };
    lm_random random = lm_random_stream(7, 0, 0);
    double sum = 0, squares = 0;
    for (int i = 0; i < DRAWS; i++) {
        double x = lm_random_real(&random);
        assert_true(x >= 0 && x < 1);
        sum += x;
        squares += x * x;
    }
    assert_true(sum / (double)DRAWS > 0.495 && sum / (double)DRAWS < 0.505);
    assert_true(squares / (double)DRAWS > 0.328 && squares / (double)DRAWS < 0.339);
}

static void test_streams_differ(void **state)
{
    (void)state;
    const lm_random streams[] = {lm_random_stream(1, 0, 0), lm_random_stream(0, 1, 0), lm_random_stream(0, 0, 1),
                                 lm_random_stream(1, 1, 0), lm_random_stream(1, 0, 1), lm_random_stream(0, 0, 0)};
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < i; j++) {
            lm_random a = streams[i], b = streams[j];
            int differing = 0;
            for (int word = 0; word < 64; word++)
                differing += __builtin_popcountll(lm_random_word(&a) ^ lm_random_word(&b));
            assert_in_range(differing, 64 * 32 - 150, 64 * 32 + 150); /* deviation 32 */
        }
}

/* All 24 permutations of four, 24,000 times: each about 1,000 times, deviation 31. */
static void test_permutations_are_uniform(void **state)
{
    (void)state;
    lm_random random = lm_random_stream(8, 0, 0);
    int count[256] = {0}, different = 0;
    for (int i = 0; i < 24000; i++) {
        uint32_t order[4];
        lm_random_permutation(&random, order, 4);
        assert_int_equal(1u << order[0] | 1u << order[1] | 1u << order[2] | 1u << order[3], 15);
        count[order[0] | order[1] << 2 | order[2] << 4 | order[3] << 6]++;
    }
    for (int i = 0; i < 256; i++)
        if (count[i]) {
            different++;
            assert_in_range(count[i], 850, 1150);
        }
    assert_int_equal(different, 24);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words_are_equal_on_every_machine),
        cmocka_unit_test(test_below_is_uniform),
        cmocka_unit_test(test_below_has_no_bias),
        cmocka_unit_test(test_reals),
        cmocka_unit_test(test_streams_differ),
        cmocka_unit_test(test_permutations_are_uniform),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
