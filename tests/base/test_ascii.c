/* Letters and words of ASCII: every byte, whether `char` is signed or not. */
#include "base/ascii.h"
#include "support/support.h"

static void test_bytes(void **unused)
{
    (void)unused;
    static const char UPPER[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", LOWER[] = "abcdefghijklmnopqrstuvwxyz";
    for (int byte = 1; byte < 256; byte++) {
        const char c = (char)(unsigned char)byte;
        const char *upper = strchr(UPPER, c), *lower = strchr(LOWER, c);
        assert_true(lm_lower(c) == (upper ? LOWER[upper - UPPER] : c));
        assert_true(lm_upper(c) == (lower ? UPPER[lower - LOWER] : c));
        assert_int_equal(lm_is_letter(c), upper || lower);
        assert_int_equal(lm_is_digit(c), strchr("0123456789", c) != NULL);
        assert_int_equal(lm_is_blank(c), strchr(" \t\r", c) != NULL);
    }
    assert_false(lm_is_letter(0) || lm_is_digit(0) || lm_is_blank(0));
}

static void test_words(void **unused)
{
    (void)unused;
    assert_true(lm_begins("δ-2-LWL", "δ"));
    assert_true(lm_begins("Epsilon", "eps"));
    assert_true(lm_begins("SMILES", "smiles"));
    assert_true(lm_begins("anything", ""));
    assert_false(lm_begins("ep", "eps"));
    assert_false(lm_begins("Δ", "δ")); /* letters outside ASCII are compared as they are */
    assert_true(lm_is_word("NaN,", 3, "nan"));
    assert_false(lm_is_word("nano", 4, "nan"));
    assert_false(lm_is_word("na", 2, "nan"));
    assert_true(lm_same_word("GIN-ε", "gin-ε", strlen("gin-ε")));
    assert_false(lm_same_word("\xce", "\xcf", 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bytes), cmocka_unit_test(test_words)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
