/* Names from outside: what lm_text_clean leaves is printable UTF-8, and every message has gone through it. */
#include "support/support.h"

#include "base/context.h"
#include "base/text.h"

static void expect_clean(const char *text, const char *expected)
{
    char copy[64];
    strcpy(copy, text);
    assert_int_equal(lm_text_printable(text, strlen(text)), !strcmp(text, expected));
    lm_text_clean(copy, '?');
    assert_string_equal(copy, expected);
    lm_text_clean(copy, '?'); /* what is clean stays */
    assert_string_equal(copy, expected);
}

static void utf8_stays_and_the_rest_goes(void **state)
{
    (void)state;
    expect_clean("", "");
    expect_clean("NCI1_A.txt", "NCI1_A.txt");
    expect_clean("P\xc3\xb3lya \xe2\x82\xac \xf0\x9f\x98\x80", "P\xc3\xb3lya \xe2\x82\xac \xf0\x9f\x98\x80");
    expect_clean("a\nb\tc\x1b[31m\x7f", "a?b?c?[31m?");
    expect_clean("\xff\xfe", "??");
    expect_clean("\xc3", "?");                /* cut short */
    expect_clean("\xe2\x82", "??");           /* cut short */
    expect_clean("\xe2\x82z", "??z");         /* interrupted */
    expect_clean("\xc0\xaf", "??");           /* longer than it must be */
    expect_clean("\xe0\x80\xaf", "???");      /* longer than it must be */
    expect_clean("\xed\xa0\x80", "???");      /* half of a surrogate pair */
    expect_clean("\xf4\x90\x80\x80", "????"); /* past the last code point */
    expect_clean("\xc2\x9b"
                 "31m",
                 "??31m"); /* a control character of two bytes */
}

static void a_sequence_must_not_reach_past_the_end(void **state)
{
    (void)state;
    assert_true(lm_text_printable("\xe2\x82\xac", 3));
    assert_false(lm_text_printable("\xe2\x82\xac", 2));
    assert_false(lm_text_printable("a\0b", 3));
    assert_true(lm_text_printable("", 0));
}

static void remember(void *user, const char *message)
{
    strcpy(user, message);
}

static void messages_are_clean(void **state)
{
    (void)state;
    char logged[2048] = "";
    leman_settings settings = leman_settings_default();
    settings.log = remember;
    settings.callback_user = logged;
    leman_context *ctx = NULL;
    assert_int_equal(leman_context_new(&settings, &ctx), LEMAN_OK);
    assert_int_equal(lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: bad", "a\xff\nb"), LEMAN_ERROR_INPUT);
    assert_string_equal(leman_context_message(ctx), "a??b: bad");
    lm_log(ctx, "%s: odd", "a\xff\nb");
    assert_string_equal(logged, "a??b: odd");
    leman_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(utf8_stays_and_the_rest_goes),
                                       cmocka_unit_test(a_sequence_must_not_reach_past_the_end),
                                       cmocka_unit_test(messages_are_clean)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
