/* Addresses, reply lines and origin notes. */
#include "io/download/http.h"
#include "support/support.h"
#include <stdio.h>

static void test_addresses(void **state)
{
    (void)state;
    static const struct {
        const char *url, *from;
        leman_status status;
    } cases[] = {
        {"http://a/x.zip", NULL, LEMAN_OK},
        {"HTTPS://a:8080/x.zip?a@b", NULL, LEMAN_OK},
        {"https://a/x.zip", "http://a/", LEMAN_OK},
        {"http://a/x.zip", "http://a/", LEMAN_OK},
        {"http://a/x.zip", "https://a/", LEMAN_ERROR_NETWORK},
        {"http://a/x.zip", "HTTPS://a/", LEMAN_ERROR_NETWORK},
        {"file:///etc/passwd", "http://a/", LEMAN_ERROR_NETWORK},
        {"file:///etc/passwd", NULL, LEMAN_ERROR_ARGUMENT},
        {"ftp://a/x.zip", NULL, LEMAN_ERROR_ARGUMENT},
        {"x.zip", NULL, LEMAN_ERROR_ARGUMENT},
        {"", NULL, LEMAN_ERROR_ARGUMENT},
        {"https://", NULL, LEMAN_ERROR_ARGUMENT},
        {"https://me:secret@a/x.zip", NULL, LEMAN_ERROR_ARGUMENT},
        {"http://a/x y.zip", NULL, LEMAN_ERROR_ARGUMENT},
        {"http://a/x\r\nHost: b", NULL, LEMAN_ERROR_ARGUMENT},
        {"http://\xc3\xa4/", NULL, LEMAN_ERROR_ARGUMENT},
    };
    leman_context *ctx = test_context_new(1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        leman_status st = lm_url_check(ctx, cases[i].url, cases[i].from);
        if (st != cases[i].status) fail_msg("'%s' from '%s': status %d", cases[i].url, cases[i].from, (int)st);
    }
    test_context_free(ctx);
}

static void parse_line(lm_reply *reply, const char *line)
{
    size_t length = strlen(line);
    char *exact = malloc(length ? length : 1); /* without its NUL, so that reading past the end is caught */
    assert_non_null(exact);
    memcpy(exact, line, length);
    lm_reply_line(reply, exact, length);
    free(exact);
}

static void test_reply(void **state)
{
    (void)state;
    lm_reply reply = {.etag = ""};
    parse_line(&reply, "HTTP/1.1 301 Moved\r\n");
    parse_line(&reply, "ETag: \"old\"\r\n");
    assert_string_equal(lm_reply_validator(&reply), "\"old\"");
    parse_line(&reply, "HTTP/2 206\r\n");
    assert_string_equal(lm_reply_validator(&reply), "");
    parse_line(&reply, "last-modified:  Mon, 01 Jan 2024 00:00:00 GMT \r\n");
    assert_string_equal(lm_reply_validator(&reply), "Mon, 01 Jan 2024 00:00:00 GMT");
    parse_line(&reply, "etag: W/\"weak\"\r\n");
    assert_string_equal(lm_reply_validator(&reply), "Mon, 01 Jan 2024 00:00:00 GMT");
    parse_line(&reply, "ETAG: \"strong\"\r\n");
    assert_string_equal(lm_reply_validator(&reply), "\"strong\"");
    parse_line(&reply, "Content-Range: bytes 10-19/20\r\n");
    assert_string_equal(reply.range, "bytes 10-19/20");
}

/* What a confused or hostile server sends is ignored. */
static void test_reply_nonsense(void **state)
{
    (void)state;
    static const char *const lines[] = {"ETag: \"a\x01\"", "ETag", ":", "", "\r\n", "ETag-More: \"a\"", "HTTP/"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        lm_reply reply = {.etag = ""};
        parse_line(&reply, lines[i]);
        if (*lm_reply_validator(&reply) || *reply.range) fail_msg("'%s' was believed", lines[i]);
    }
    lm_reply reply = {.etag = ""};
    char longest[400] = "ETag: \"";
    memset(longest + 7, 'a', sizeof longest - 9);
    longest[sizeof longest - 2] = '"';
    parse_line(&reply, longest);
    assert_string_equal(lm_reply_validator(&reply), "");
}

static void test_origin(void **state)
{
    (void)state;
    static const char *const broken[] = {"",
                                         "http://a/x",
                                         "http://a/x\n",
                                         "http://a/x\n\n",
                                         "http://a/x\n\"tag\"",
                                         "http://a/x\n\"tag\"\nmore",
                                         "http://a/y\n\"tag\"\n",
                                         "http://a/x\n\"\x01\"\n"};
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new();
    char path[4096], validator[LM_VALIDATOR_SIZE] = "";
    bool found = true;
    snprintf(path, sizeof path, "%s/x.origin", folder);
    assert_int_equal(lm_origin_read(ctx, path, "http://a/x", &found, validator), LEMAN_OK);
    assert_false(found);
    assert_int_equal(lm_origin_write(ctx, path, "http://a/x", "\"tag\""), LEMAN_OK);
    assert_int_equal(lm_origin_read(ctx, path, "http://a/x", &found, validator), LEMAN_OK);
    assert_true(found);
    assert_string_equal(validator, "\"tag\"");
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        test_file_text(folder, "x.origin", broken[i]);
        assert_int_equal(lm_origin_read(ctx, path, "http://a/x", &found, validator), LEMAN_OK);
        if (found) fail_msg("note %zu was believed", i);
    }
    test_folder_remove(folder);
    test_context_free(ctx);
}

static leman_status note(leman_context *ctx, void *state)
{
    char validator[LM_VALIDATOR_SIZE];
    bool found = false;
    leman_status st = lm_origin_write(ctx, state, "http://a/x", "\"tag\"");
    return st ? st : lm_origin_read(ctx, state, "http://a/x", &found, validator);
}

static void test_allocations(void **state)
{
    (void)state;
    const char *folder = test_folder_new();
    char path[4096];
    snprintf(path, sizeof path, "%s/x.origin", folder);
    assert_true(test_fail_each_allocation(note, path) > 1);
    test_folder_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_addresses), cmocka_unit_test(test_reply),       cmocka_unit_test(test_reply_nonsense),
        cmocka_unit_test(test_origin),    cmocka_unit_test(test_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
