/* Downloads against a scripted server: what arrives and what is refused. */
#include "io/download/transfer.h"
#include "support/download_fixture.h"
#include <stdio.h>
#include <unistd.h>

/* ---- What arrives ---------------------------------------------------------------------------- */

static void test_plain(void **state)
{
    fixture *s = *state;
    size_t requests;
    test_answer answer = {.code = 200, .body = s->large.bytes, .size = s->large.size, .etag = "\"a\""};
    assert_int_equal(fixture_download(s, &answer, 1, &requests), LEMAN_OK);
    assert_int_equal(requests, 1);
    fixture_assert_cached(s, &s->large);
    answer.code = 500; /* the second time nobody is asked */
    assert_int_equal(fixture_download(s, &answer, 1, &requests), LEMAN_OK);
    assert_int_equal(requests, 0);
    answer = (test_answer){.code = 200, .body = s->small.bytes, .size = s->small.size, .no_length = true};
    unlink(test_path(s->folder, "Toy.zip"));
    unlink(test_path(s->folder, "Toy.zip.sha256"));
    assert_int_equal(fixture_download(s, &answer, 1, NULL), LEMAN_OK);
    fixture_assert_cached(s, &s->small);
}

static void test_http_errors(void **state)
{
    fixture *s = *state;
    size_t requests;
    test_answer answer = {.code = 404, .body = "no such page", .size = 12};
    assert_int_equal(fixture_download(s, &answer, 1, &requests), LEMAN_ERROR_NETWORK);
    fixture_says(s, "Toy.zip: the server answered HTTP 404");
    assert_int_equal(requests, 1);
    fixture_assert_empty(s);
    answer.code = 403;
    assert_int_equal(fixture_download(s, &answer, 1, &requests), LEMAN_ERROR_NETWORK);
    assert_int_equal(requests, 1);
    answer.code = 204;
    answer.size = 0;
    assert_int_equal(fixture_download(s, &answer, 1, &requests), LEMAN_ERROR_NETWORK);
    fixture_says(s, "HTTP 204");
    fixture_assert_empty(s);
}

static void test_passing_errors(void **state)
{
    fixture *s = *state;
    size_t requests;
    test_answer answers[] = {{.code = 503}, {.code = 0}, {.code = 200, .body = s->small.bytes, .size = s->small.size}};
    assert_int_equal(fixture_download(s, answers, 3, &requests), LEMAN_OK);
    assert_int_equal(requests, 3);
    fixture_assert_cached(s, &s->small);
    unlink(test_path(s->folder, "Toy.zip"));
    assert_int_equal(fixture_download(s, answers, 1, &requests), LEMAN_ERROR_NETWORK);
    assert_int_equal(requests, 4);
    fixture_says(s, "HTTP 503 (4 attempts)");
    answers[0] = (test_answer){.code = 200, .body = s->large.bytes, .size = s->large.size, .cut = 9000};
    assert_int_equal(fixture_download(s, answers, 1, &requests), LEMAN_ERROR_NETWORK);
    assert_int_equal(requests, 4);
    assert_false(fixture_has(s, "Toy.zip.part")); /* without a name for its content it cannot be continued */
}

static void test_no_server(void **state)
{
    fixture *s = *state;
    test_answer answer = {.code = 200};
    test_server server = test_server_start(&answer, 1);
    char url[128];
    snprintf(url, sizeof url, "%sToy.zip", server.url);
    test_server_stop(&server);
    leman_download_options options = fixture_options(s, url);
    assert_int_equal(leman_dataset_download(s->ctx, "Toy", &options, s->path, sizeof s->path), LEMAN_ERROR_NETWORK);
    fixture_says(s, "cannot be fetched");
}

/* ---- What is refused ------------------------------------------------------------------------- */

static void test_too_large(void **state)
{
    fixture *s = *state;
    leman_download_options options = leman_download_options_default();
    options.max_bytes = s->large.size - 1;
    test_answer answer = {.code = 200, .body = s->large.bytes, .size = s->large.size, .etag = "\"a\""};
    assert_int_equal(fixture_download_named(s, "Toy", &answer, 1, options, NULL), LEMAN_ERROR_INPUT);
    fixture_says(s, "larger than the limit of");
    fixture_assert_empty(s);
    answer.no_length = true; /* nobody says how large it will be */
    assert_int_equal(fixture_download_named(s, "Toy", &answer, 1, options, NULL), LEMAN_ERROR_INPUT);
    fixture_says(s, "larger than the limit of");
    fixture_assert_empty(s);
    answer.no_length = false;
    answer.promised = 1000; /* what comes after the promised bytes is not the file's, and the zip is not whole */
    assert_int_equal(fixture_download_named(s, "Toy", &answer, 1, options, NULL), LEMAN_ERROR_INPUT);
    fixture_says(s, "is not a TU zip");
    fixture_assert_empty(s);
    answer.promised = 0;
    options.max_bytes++;
    assert_int_equal(fixture_download_named(s, "Toy", &answer, 1, options, NULL), LEMAN_OK);
    fixture_assert_cached(s, &s->large);
}

static void test_redirections(void **state)
{
    fixture *s = *state;
    size_t requests;
    static const char *const bad[] = {"file:///etc/passwd", "ftp://127.0.0.1/Toy.zip", "http://me@127.0.0.1/Toy.zip",
                                      "gopher://127.0.0.1/"};
    test_answer answers[2] = {{.code = 302, .body = "<html>", .size = 6}};
    answers[1] = (test_answer){.code = 200, .body = s->small.bytes, .size = s->small.size};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        answers[0].location = bad[i];
        assert_int_equal(fixture_download(s, answers, 2, &requests), LEMAN_ERROR_NETWORK);
        assert_int_equal(requests, 1);
        fixture_says(s, bad[i]);
    }
    answers[0].location = NULL;
    assert_int_equal(fixture_download(s, answers, 2, &requests), LEMAN_ERROR_NETWORK);
    fixture_says(s, "HTTP 302");
    answers[0].location = "/elsewhere/Toy.zip?x=1";
    assert_int_equal(fixture_download(s, answers, 1, &requests), LEMAN_ERROR_NETWORK); /* for ever */
    fixture_says(s, "redirected more than 8 times");
    assert_int_equal(requests, 9);
    assert_int_equal(fixture_download(s, answers, 2, &requests), LEMAN_OK);
    assert_int_equal(requests, 2);
    fixture_assert_cached(s, &s->small);
}

static void test_garbage(void **state)
{
    fixture *s = *state;
    static const char page[] = "<html>Welcome to this hotel's network</html>";
    test_answer answer = {.code = 200, .body = page, .size = strlen(page), .etag = "\"a\""};
    assert_int_equal(fixture_download(s, &answer, 1, NULL), LEMAN_ERROR_INPUT);
    fixture_says(s, "is not a TU zip");
    fixture_assert_empty(s);
    answer.size = 0;
    assert_int_equal(fixture_download(s, &answer, 1, NULL), LEMAN_ERROR_INPUT);
    fixture_assert_empty(s);
    char *damaged = malloc(s->large.size);
    assert_non_null(damaged);
    memcpy(damaged, s->large.bytes, s->large.size);
    damaged[s->large.size / 2] ^= 1;
    answer = (test_answer){.code = 200, .body = damaged, .size = s->large.size};
    assert_int_equal(fixture_download(s, &answer, 1, NULL), LEMAN_ERROR_INPUT);
    fixture_assert_empty(s);
    free(damaged);
    char *longer = calloc(s->small.size + 5000, 1);
    assert_non_null(longer);
    memcpy(longer, s->small.bytes, s->small.size);
    answer = (test_answer){.code = 200, .body = longer, .size = s->small.size + 5000};
    assert_int_equal(fixture_download(s, &answer, 1, NULL), LEMAN_ERROR_INPUT);
    fixture_says(s, "5000 bytes behind the end of the zip");
    fixture_assert_empty(s);
    free(longer);
}

static void test_wrong_statistics(void **state)
{
    fixture *s = *state;
    test_blob wrong = fixture_zip("PTC_FM", 5);
    test_answer answer = {.code = 200, .body = wrong.bytes, .size = wrong.size};
    assert_int_equal(fixture_download_named(s, "PTC_FM", &answer, 1, leman_download_options_default(), NULL),
                     LEMAN_ERROR_INPUT);
    fixture_says(s, "found 1 graph with 5.00 vertices and 5.00 edges on average, expected 349 with 14.1 and 14.5");
    fixture_assert_empty(s);
    free(wrong.bytes);
}

/* ---- What needs no network ------------------------------------------------------------------- */

static void test_arguments(void **state)
{
    fixture *s = *state;
    leman_download_options options = fixture_options(s, "file:///etc/passwd");
    assert_int_equal(leman_dataset_download(s->ctx, "Toy", &options, s->path, sizeof s->path), LEMAN_ERROR_ARGUMENT);
    options.url = NULL;
    assert_int_equal(leman_dataset_download(s->ctx, "../Toy", &options, s->path, sizeof s->path), LEMAN_ERROR_ARGUMENT);
    options.offline = true;
    assert_int_equal(leman_dataset_download(s->ctx, "Toy", &options, s->path, 8), LEMAN_ERROR_ARGUMENT);
    fixture_says(s, "longer than the 8 bytes");
    options.refresh = true;
    assert_int_equal(leman_dataset_download(s->ctx, "Toy", &options, s->path, sizeof s->path), LEMAN_ERROR_ARGUMENT);
    fixture_assert_empty(s);
}

static void test_without_library(void **state)
{
    fixture *s = *state;
    leman_download_options options = fixture_options(s, "http://127.0.0.1:1/Toy.zip");
    assert_int_equal(leman_dataset_download(s->ctx, "Toy", &options, s->path, sizeof s->path), LEMAN_ERROR_UNSUPPORTED);
    fixture_says(s, "no libcurl");
    fixture_says(s, test_path(s->folder, "Toy.zip"));
    fixture_assert_empty(s);
}

#define CASE(function) cmocka_unit_test_setup_teardown(function, fixture_begin, fixture_end)

int main(void)
{
    const struct CMUnitTest network[] = {
        CASE(test_plain),     CASE(test_http_errors),      CASE(test_passing_errors),
        CASE(test_no_server), CASE(test_too_large),        CASE(test_redirections),
        CASE(test_garbage),   CASE(test_wrong_statistics), CASE(test_arguments),
    };
    const struct CMUnitTest without[] = {CASE(test_without_library), CASE(test_arguments)};
    if (lm_transfer_available()) return cmocka_run_group_tests(network, NULL, NULL);
    print_message("this build has no libcurl: downloads are not tested\n");
    return cmocka_run_group_tests(without, NULL, NULL);
}
