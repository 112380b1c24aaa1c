/* Markup: what is filled in is escaped, base64 is that of RFC 4648, numbers are said as people say them. */
#include "base/context.h"
#include "report/page.h"
#include "support/captured_output.h"
#include <locale.h>
#include <stdio.h>

static void test_formats(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    test_captured_output c = {0};
    lm_output out;
    assert_int_equal(test_captured_output_open(ctx, &c, &out), LEMAN_OK);
    lm_page(&out, "<p a=\"%s\">%d|%u|%5.2f|%zu|%llu|%016llx|%g|%.*s|%%|%.1f%s</p>", "<b>\"x\" & 'y'</b>", -3, 7u, 1.005,
            (size_t)12, 1ull << 40, 255ull, 0.25, 2, "abc", 1234.56, "");
    assert_int_equal(lm_output_commit(&out), LEMAN_OK);
    assert_string_equal(c.text,
                        "<p a=\"&lt;b&gt;&quot;x&quot; &amp; &#39;y&#39;&lt;/b&gt;\">-3|7| 1.00|12|1099511627776|"
                        "00000000000000ff|0.25|ab|%|1234.6</p>");
    test_captured_output_free(&c);
    test_context_free(ctx);
}

/* Nothing but text comes through: no tag, no broken UTF-8, no control that XML forbids. */
static void test_any_bytes(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    test_captured_output c = {0};
    lm_output out;
    uint64_t state = 3;
    for (size_t i = 0; i < 300; i++) {
        char bytes[40];
        size_t length = test_random(&state) % sizeof bytes;
        for (size_t b = 0; b < length; b++) bytes[b] = (char)(test_random(&state) % 256);
        assert_int_equal(test_captured_output_open(ctx, &c, &out), LEMAN_OK);
        lm_page_text(&out, bytes, length);
        assert_int_equal(lm_output_commit(&out), LEMAN_OK);
        for (size_t b = 0; b < c.used; b++) {
            unsigned char byte = (unsigned char)c.text[b];
            assert_true(byte == '\n' || byte >= ' ');
            assert_null(strchr("<>\"'", byte));
        }
        assert_true(c.used >= length);
    }
    const char *printable = "Zürich 2 × 3";
    assert_int_equal(test_captured_output_open(ctx, &c, &out), LEMAN_OK);
    lm_page(&out, "%s", printable);
    assert_int_equal(lm_output_commit(&out), LEMAN_OK);
    assert_string_equal(c.text, printable);
    test_captured_output_free(&c);
    test_context_free(ctx);
}

static void test_base64(void **unused)
{
    (void)unused;
    static const char *const VECTORS[][2] = {{"", ""},
                                             {"f", "Zg=="},
                                             {"fo", "Zm8="},
                                             {"foo", "Zm9v"},
                                             {"foob", "Zm9vYg=="},
                                             {"fooba", "Zm9vYmE="},
                                             {"foobar", "Zm9vYmFy"}};
    leman_context *ctx = test_context_new(1);
    test_captured_output c = {0};
    lm_output out;
    for (size_t i = 0; i < sizeof VECTORS / sizeof *VECTORS; i++) {
        assert_int_equal(test_captured_output_open(ctx, &c, &out), LEMAN_OK);
        lm_page_base64(&out, (const unsigned char *)VECTORS[i][0], strlen(VECTORS[i][0]));
        assert_int_equal(lm_output_commit(&out), LEMAN_OK);
        assert_string_equal(c.text, VECTORS[i][1]);
    }
    assert_int_equal(test_captured_output_open(ctx, &c, &out), LEMAN_OK);
    lm_page_base64(&out, (const unsigned char *)"\xfb\xff\xfe", 3); /* the last two digits of the alphabet */
    assert_int_equal(lm_output_commit(&out), LEMAN_OK);
    assert_string_equal(c.text, "+//+");
    test_captured_output_free(&c);
    test_context_free(ctx);
}

static void test_numbers(void **unused)
{
    (void)unused;
    char text[LM_NUMBER_TEXT];
    assert_string_equal(lm_count_text(0, text), "0");
    assert_string_equal(lm_count_text(999, text), "999");
    assert_string_equal(lm_count_text(1000, text), "1,000");
    assert_string_equal(lm_count_text(UINT64_MAX - 1, text), "18,446,744,073,709,551,614");
    assert_string_equal(lm_page_seconds(0, text), "0 ms");
    assert_string_equal(lm_page_seconds(0.0123, text), "13 ms");
    assert_string_equal(lm_page_seconds(1.96, text), "2.0 s");
    assert_string_equal(lm_page_seconds(3.14, text), "3.1 s");
    assert_string_equal(lm_page_seconds(59.6, text), "60 s");
    assert_string_equal(lm_page_seconds(125, text), "2 min 5 s");
    assert_string_equal(lm_page_seconds(7260, text), "2 h 1 min");
    assert_string_equal(lm_page_seconds(-1, text), "unknown");
}

static leman_status write_page(leman_context *ctx, void *state)
{
    leman_status st = LEMAN_OK;
    lm_output out = {0};
    TRY(test_captured_output_open(ctx, state, &out));
    lm_page_begin(&out, "a <title>", "about \"it\"");
    lm_page(&out, "<p>%s</p>", "text");
    lm_page_end(&out);
    TRY(lm_output_commit(&out));
done:
    lm_output_abort(&out);
    return st;
}

static void test_frame(void **unused)
{
    (void)unused;
    test_captured_output c = {0};
    assert_true(test_fail_each_allocation(write_page, &c) > 1);
    assert_non_null(strstr(c.text, "<title>a &lt;title&gt;</title>"));
    assert_non_null(strstr(c.text, "content=\"about &quot;it&quot;\""));
    assert_non_null(strstr(c.text, "prefers-color-scheme:dark"));
    assert_null(strstr(c.text, "http"));
    test_captured_output_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_formats), cmocka_unit_test(test_any_bytes),
                                       cmocka_unit_test(test_base64), cmocka_unit_test(test_numbers),
                                       cmocka_unit_test(test_frame)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
