/* The end of a round is what its definition says, in place or not. */
#include "refine/mix.h"
#include "support/support.h"
#include <string.h>

enum { MOST = 70 };

static void check(size_t terms, size_t n, uint64_t *state)
{
    uint64_t sums[LM_MIX_TERMS][MOST], base[MOST + 1], to[MOST + 1];
    lm_mix_terms m = {.count = terms};
    for (size_t i = 0; i <= MOST; i++) base[i] = test_random(state);
    for (size_t t = 0; t < terms; t++) {
        m.multiplier[t] = test_random(state) | 1;
        m.sums[t] = sums[t];
        for (size_t i = 0; i < MOST; i++) sums[t][i] = test_random(state);
    }
    memset(to, 0, sizeof to);
    lm_mix_sums(&m, base, n, to);
    assert_true(to[n] == 0); /* nothing behind the end */
    for (size_t i = 0; i < n; i++) {
        uint64_t x = base[i];
        for (size_t t = 0; t < terms; t++) x += sums[t][i] * m.multiplier[t];
        assert_true(to[i] == lm_mix(x));
    }
    lm_mix_sums(&m, base, n, base);
    assert_memory_equal(base, to, n * sizeof *to);
}

static void test_sums_are_mixed(void **unused)
{
    (void)unused;
    uint64_t state = 7;
    for (size_t terms = 1; terms <= LM_MIX_TERMS; terms++)
        for (size_t n = 0; n < MOST; n++) check(terms, n, &state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sums_are_mixed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
