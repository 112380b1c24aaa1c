/* The scanner: integers at their limits, reals against strtod bit for bit, line ends, and sentences with file and line.
 */
#include "base/text.h"
#include "support/support.h"
#include <inttypes.h>
#include <stdio.h>

static lm_text text_of(leman_context *ctx, const char *words)
{
    return lm_text_of(ctx, "F.txt", (lm_bytes){words, strlen(words), false});
}

/* ---- Integers -------------------------------------------------------------------------------- */

static void expect_integer(const char *words, int64_t expected)
{
    leman_context *ctx = test_context_new(1);
    lm_text text = text_of(ctx, words);
    int64_t value = 77;
    if (lm_text_integer(&text, "a number", &value)) fail_msg("'%s': %s", words, leman_context_message(ctx));
    assert_true(value == expected);
    assert_true(lm_text_line_end(&text));
    test_context_free(ctx);
}

static void refuse_integer(const char *words, const char *message)
{
    leman_context *ctx = test_context_new(1);
    lm_text text = text_of(ctx, words);
    int64_t value = 77;
    assert_int_equal(lm_text_integer(&text, "a number", &value), LEMAN_ERROR_INPUT);
    assert_true(value == 77);
    assert_string_equal(leman_context_message(ctx), message);
    test_context_free(ctx);
}

static void test_integers(void **unused)
{
    (void)unused;
    expect_integer("0", 0);
    expect_integer("-0", 0);
    expect_integer("+5", 5);
    expect_integer("  \t42 ", 42);
    expect_integer("007", 7);
    expect_integer("9223372036854775807", INT64_MAX);
    expect_integer("-9223372036854775808", INT64_MIN);
    expect_integer("0000000000000000000000000000009223372036854775807", INT64_MAX);
    expect_integer("-0000000000000000000000000000009223372036854775808", INT64_MIN);
    expect_integer("12\r", 12);
    expect_integer("12 ,\r\n13", 12);
    refuse_integer("9223372036854775808",
                   "F.txt:1: found '9223372036854775808', expected a number that fits into 64 bits");
    refuse_integer("-9223372036854775809",
                   "F.txt:1: found '-9223372036854775809', expected a number that fits into 64 bits");
    refuse_integer("18446744073709551617",
                   "F.txt:1: found '18446744073709551617', expected a number that fits into 64 bits");
    refuse_integer("99999999999999999999999999",
                   "F.txt:1: found '99999999999999999999999999', expected a number that fits into 64 bits");
    refuse_integer("two", "F.txt:1: found 'two', expected a number");
    refuse_integer("1.5", "F.txt:1: found '1.5', expected a number");
    refuse_integer("12a", "F.txt:1: found '12a', expected a number");
    refuse_integer("--1", "F.txt:1: found '--1', expected a number");
    refuse_integer("+-1", "F.txt:1: found '+-1', expected a number");
    refuse_integer("- 1", "F.txt:1: found '-', expected a number");
    refuse_integer("", "F.txt:1: found the end of the file, expected a number");
    refuse_integer(" \r\n1", "F.txt:1: found the end of the line, expected a number");
    refuse_integer(", 1", "F.txt:1: found ',', expected a number");
    refuse_integer("\xff\x01", "F.txt:1: found '\?\?', expected a number");
    refuse_integer("0123456789012345678901234567890123456789012345678901234567890x",
                   "F.txt:1: found '01234567890123456789012345678901234567890123...', expected a number");
}

static void test_random_integers(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    uint64_t state = 1;
    for (int i = 0; i < 20000; i++) {
        int64_t expected = (int64_t)(test_random(&state) >> (i % 64)), value = 0;
        if (i & 1) expected = -expected;
        char words[32];
        snprintf(words, sizeof words, "%" PRId64, expected);
        lm_text text = text_of(ctx, words);
        assert_int_equal(lm_text_integer(&text, "", &value), LEMAN_OK);
        assert_true(value == expected);
    }
    test_context_free(ctx);
}

/* ---- Reals ----------------------------------------------------------------------------------- */

static void same_as_strtod(leman_context *ctx, const char *words)
{
    lm_text text = text_of(ctx, words);
    double value = 0, expected = strtod(words, NULL);
    if (lm_text_real(&text, "a number", &value)) fail_msg("'%s': %s", words, leman_context_message(ctx));
    if (memcmp(&value, &expected, sizeof value)) fail_msg("'%s': read %a, expected %a", words, value, expected);
    assert_ptr_equal(text.at, text.end);
}

/* A decimal number of any shape: signs, leading zeros, a point anywhere, an exponent or none. */
static void random_decimal(char *p, uint64_t *state)
{
    uint64_t shape = test_random(state);
    unsigned before = (unsigned)(shape % 12), after = (unsigned)(shape >> 8 & 15);
    if (shape & 1u << 16) *p++ = shape & 1u << 17 ? '-' : '+';
    if (shape & 1u << 20) before += 10;
    if (!before && !after) before = 1;
    for (unsigned i = 0; i < before; i++) *p++ = (char)('0' + test_random(state) % 10);
    if (after) *p++ = '.';
    for (unsigned i = 0; i < after; i++) *p++ = (char)('0' + test_random(state) % 10);
    if ((shape >> 24 & 3) == 0)
        sprintf(p, "%c%d", shape & 1u << 26 ? 'e' : 'E', (int)(shape >> 32 & 511) - 270);
    else
        *p = 0;
}

static void test_reals_equal_strtod(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    uint64_t state = 2;
    char words[1200];
    for (int i = 0; i < 100000; i++) {
        random_decimal(words, &state);
        same_as_strtod(ctx, words);
    }
    for (int i = 0; i < 20000; i++) { /* doubles of every size, as they are printed */
        uint64_t bits = test_random(&state);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (value - value != 0) continue;
        snprintf(words, sizeof words, "%.*g", 1 + i % 17, value);
        if (strstr(words, "inf")) continue;
        double read = strtod(words, NULL);
        if (read - read == 0) same_as_strtod(ctx, words);
    }
    static const char *const SPECIAL[] = {"0",
                                          "-0",
                                          "0.0",
                                          "-0.0",
                                          ".5",
                                          "5.",
                                          "1e22",
                                          "1e23",
                                          "9007199254740993",
                                          "9007199254740992.5",
                                          "4.9e-324",
                                          "2e-324",
                                          "1e-400",
                                          "1.7976931348623157e308",
                                          "0.000000000000000000000000000000000001"};
    for (size_t i = 0; i < sizeof SPECIAL / sizeof *SPECIAL; i++) same_as_strtod(ctx, SPECIAL[i]);
    snprintf(words, sizeof words, "%f", 1e300);
    same_as_strtod(ctx, words);
    snprintf(words, sizeof words, "%.1074f", 4.9e-324);
    same_as_strtod(ctx, words);
    test_context_free(ctx);
}

static void test_what_is_no_real(void **unused)
{
    (void)unused;
    static const char *const WORDS[] = {"nan", "-inf", "infinity", "1e999", "0x10",   "0X1p3", "1e",      "1.2.3",
                                        ".",   "-",    "e5",       "1,5x",  "\v1.5",  "\f1",   "1_000",   "12a",
                                        "",    "1.5f", "+-1",      "1e5.5", "nan(1)", "- 1",   "\xd9\xa1"};
    leman_context *ctx = test_context_new(1);
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++) {
        lm_text text = text_of(ctx, WORDS[i]);
        double value = 77;
        leman_status st = lm_text_real(&text, "a real number", &value);
        if (!strcmp(WORDS[i], "1,5x")) { /* the comma ends the number */
            assert_true(st == LEMAN_OK && value == 1);
            continue;
        }
        if (st != LEMAN_ERROR_INPUT || value != 77) fail_msg("'%s' was read as %g", WORDS[i], value);
        assert_non_null(strstr(leman_context_message(ctx), "F.txt:1: found"));
    }
    const char with_nul[] = {'1', 0, '2'};
    lm_text text = lm_text_of(ctx, "F.txt", (lm_bytes){with_nul, 3, false});
    double value;
    assert_int_equal(lm_text_real(&text, "a real number", &value), LEMAN_ERROR_INPUT);
    test_context_free(ctx);
}

/* ---- Lines ----------------------------------------------------------------------------------- */

/* Rows of two numbers in every form that files use; the sum of all numbers is 36. */
static void test_rows(void **unused)
{
    (void)unused;
    static const char *const DRESSES[] = {
        "1,2\n3,4\n5,6\n7,8\n",
        "1, 2\r\n3, 4\r\n5, 6\r\n7, 8\r\n",
        "1 2\n3\t4\n5  6\n7 8",
        "1,2,\n3,4 ,\n5,6, \n7,8,\r\n",
        "\357\273\2771,2\n3,4\n5,6\n7,8", /* a byte order mark; octal, which ends after three digits */
        "  1 , 2\n\t3,4\n 5 , 6 \n7,8\n\n\r\n  \n",
    };
    leman_context *ctx = test_context_new(1);
    for (size_t i = 0; i < sizeof DRESSES / sizeof *DRESSES; i++) {
        lm_text text = text_of(ctx, DRESSES[i]);
        int64_t a, b, sum = 0;
        size_t rows = 0;
        for (; !lm_text_end(&text); rows++) {
            assert_int_equal(text.line, rows + 1);
            assert_int_equal(lm_text_integer(&text, "a number", &a), LEMAN_OK);
            assert_int_equal(lm_text_comma(&text), LEMAN_OK);
            assert_int_equal(lm_text_integer(&text, "a number", &b), LEMAN_OK);
            assert_int_equal(lm_text_newline(&text), LEMAN_OK);
            sum += a + b;
        }
        assert_true(rows == 4 && sum == 36);
    }
    test_context_free(ctx);
}

static void test_wrong_rows(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    int64_t value;
    lm_text text = text_of(ctx, "1\n2\n3 x\n");
    for (int i = 0; i < 2; i++) {
        assert_int_equal(lm_text_integer(&text, "a number", &value), LEMAN_OK);
        assert_int_equal(lm_text_newline(&text), LEMAN_OK);
    }
    assert_int_equal(lm_text_integer(&text, "a number", &value), LEMAN_OK);
    assert_int_equal(lm_text_newline(&text), LEMAN_ERROR_INPUT);
    assert_string_equal(leman_context_message(ctx), "F.txt:3: found 'x', expected the end of the line");
    text = text_of(ctx, "1\n");
    assert_int_equal(lm_text_integer(&text, "a number", &value), LEMAN_OK);
    assert_int_equal(lm_text_comma(&text), LEMAN_ERROR_INPUT);
    assert_string_equal(leman_context_message(ctx), "F.txt:1: found the end of the line, expected a comma");
    text = text_of(ctx, "1,2,,\n"); /* one comma may trail, not two */
    assert_int_equal(lm_text_integer(&text, "a number", &value), LEMAN_OK);
    assert_int_equal(lm_text_comma(&text), LEMAN_OK);
    assert_int_equal(lm_text_integer(&text, "a number", &value), LEMAN_OK);
    assert_int_equal(lm_text_newline(&text), LEMAN_ERROR_INPUT);
    assert_int_equal(lm_text_fail(&text, "%d words", 3), LEMAN_ERROR_INPUT);
    assert_string_equal(leman_context_message(ctx), "F.txt:1: 3 words");
    test_context_free(ctx);
}

static void test_questions_leave_no_sentence(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    int64_t whole;
    double real;
    assert_true(lm_text_is_integer(ctx, "-12x", 3, &whole) && whole == -12);
    assert_true(lm_text_is_real(ctx, "1.5e3", 5, &real) && real == 1500);
    assert_false(lm_text_is_integer(ctx, "12x", 3, &whole));
    assert_false(lm_text_is_integer(ctx, "1.5", 3, &whole));
    assert_false(lm_text_is_integer(ctx, "1 ", 2, &whole));
    assert_false(lm_text_is_integer(ctx, "", 0, &whole));
    assert_false(lm_text_is_real(ctx, "C1", 2, &real));
    assert_false(lm_text_is_real(ctx, "nan", 3, &real));
    assert_string_equal(leman_context_message(ctx), "");
    test_context_free(ctx);
}

/* Any bytes at all: every function stays inside them (the sanitizers check) and comes to an end. */
static void test_junk(void **unused)
{
    (void)unused;
    static const char LETTERS[] = "0123456789+-.,eE \t\r\n\vxn\xff";
    leman_context *ctx = test_context_new(1);
    uint64_t state = 3;
    for (int round = 0; round < 5000; round++) {
        size_t size = test_random(&state) % 40, steps = 0;
        char *bytes = malloc(size ? size : 1); /* its end is the end of what may be read */
        for (size_t i = 0; i < size; i++) bytes[i] = LETTERS[test_random(&state) % (sizeof LETTERS - 1)];
        lm_text text = lm_text_of(ctx, "junk", (lm_bytes){bytes, size, false});
        while (!lm_text_end(&text) && steps++ < 100) {
            const char *before = text.at;
            int64_t whole;
            double real;
            if (round & 1 ? lm_text_integer(&text, "", &whole) : lm_text_real(&text, "", &real)) text.at++;
            if (text.at < text.end && lm_text_comma(&text) && lm_text_newline(&text)) text.at++;
            assert_true(text.at > before && text.at <= text.end + 1);
            if (text.at > text.end) break;
        }
        assert_true(steps < 100);
        free(bytes);
    }
    test_context_free(ctx);
}

/* For every size of the array a text is whole, or a beginning and "...". */
static void test_joined(void **unused)
{
    (void)unused;
    static const char *const NAMES[] = {"repeated-edges", "one", "", "isolated-vertices"};
    static const char WHOLE[] = "repeated-edges, one, , isolated-vertices: 4";
    for (size_t size = 4; size < 2 * sizeof WHOLE; size++) {
        char *text = malloc(size); /* of exactly that size: a write past it is found by AddressSanitizer */
        assert_non_null(text);
        lm_joined j = lm_joined_begin(text, size);
        assert_string_equal(text, "");
        for (size_t i = 0; i < 4; i++) lm_joined_name(&j, NAMES[i]);
        lm_joined_add(&j, ": %d", 4);
        assert_int_equal(j.cut, size < sizeof WHOLE);
        assert_int_equal(j.used, strlen(text));
        if (j.cut) {
            assert_int_equal(strlen(text), size - 1);
            assert_string_equal(text + size - 4, "...");
        } else {
            assert_string_equal(text, WHOLE);
        }
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_joined),
        cmocka_unit_test(test_integers),
        cmocka_unit_test(test_random_integers),
        cmocka_unit_test(test_reals_equal_strtod),
        cmocka_unit_test(test_what_is_no_real),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_wrong_rows),
        cmocka_unit_test(test_questions_leave_no_sentence),
        cmocka_unit_test(test_junk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
