/* One spelling for names of methods, and names with a number inside. */
#include "refine/spelling.h"
#include "support/support.h"

static void test_fold(void **unused)
{
    (void)unused;
    static const char *const PAIRS[][2] = {{"", ""},
                                           {"δ-2-LWL⁺", "delta-2-lwl+"},
                                           {"Δ–2−LWL", "delta-2-lwl"},
                                           {"GIN-ε", "gin-eps"},
                                           {"GIN_Epsilon", "gin-eps"},
                                           {"GIN\u2011ϵ", "gin-eps"},
                                           {"eps", "eps"},
                                           {"\xff?", "\xff?"}};
    char folded[LM_SPELLING];
    for (size_t i = 0; i < sizeof PAIRS / sizeof *PAIRS; i++) {
        assert_true(lm_spelling_fold(PAIRS[i][0], folded));
        assert_string_equal(folded, PAIRS[i][1]);
        assert_true(lm_spelling_equal(PAIRS[i][0], PAIRS[i][1]));
    }
    char longest[2 * LM_SPELLING];
    for (size_t length = LM_SPELLING - 8; length < sizeof longest; length++) {
        memset(longest, 'x', length);
        longest[length] = 0;
        assert_int_equal(lm_spelling_fold(longest, folded), length < LM_SPELLING);
        memcpy(longest + length - 2, "δ", 2); /* three letters longer */
        assert_int_equal(lm_spelling_fold(longest, folded), length + 3 < LM_SPELLING);
    }
    assert_false(lm_spelling_equal(longest, longest)); /* nothing that is too long is a name */
}

static void test_patterns(void **unused)
{
    (void)unused;
    static const struct {
        const char *pattern, *name;
        bool match;
        unsigned k;
    } CASES[] = {{"k-WL", "2-wl", true, 2},
                 {"k-WL", "k-wl", true, 0},
                 {"k-WL", "-wl", false, 0},
                 {"k-WL", "2-wl+", false, 0},
                 {"k-WL", "2-w", false, 0},
                 {"k-WL", "0-wl", false, 0},
                 {"k-WL", "9999-wl", true, 9999},
                 {"k-WL", "10000-wl", false, 0},
                 {"k-WL", "99999999999999999999-wl", false, 0},
                 {"delta-k-LWL+", "delta-13-lwl+", true, 13},
                 {"delta-k-LWL+", "delta-13-lwl", false, 0},
                 {"k-WL-GNN", "3-wl-gnn", true, 3},
                 {"GIN-eps", "gin-eps", true, 0}};
    unsigned k;
    char text[8];
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        assert_int_equal(lm_pattern_match(CASES[i].pattern, CASES[i].name, &k), CASES[i].match);
        if (CASES[i].match) assert_int_equal(k, CASES[i].k);
    }
    assert_int_equal(lm_pattern_write("delta-k-LWL+", 12, text, sizeof text), strlen("delta-12-LWL+"));
    assert_string_equal(text, "delta-1");
    assert_int_equal(lm_pattern_write("GIN-0", 2, text, sizeof text), 5);
    assert_string_equal(text, "GIN-0");
    assert_int_equal(lm_pattern_write("k-WL", 2, NULL, 0), 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_fold), cmocka_unit_test(test_patterns)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
