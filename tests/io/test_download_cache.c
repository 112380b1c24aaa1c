/* The cache in use: files put there by hand, changed there or on the server, shared by processes. */
#include "io/download/transfer.h"
#include "support/download_fixture.h"
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void test_offline(void **state)
{
    fixture *s = *state;
    leman_download_options options = fixture_options(s, NULL);
    options.offline = true;
    assert_int_equal(leman_dataset_download(s->ctx, "Toy", &options, s->path, sizeof s->path), LEMAN_ERROR_FILE);
    fixture_says(s, "Toy.zip: is not there");
    fixture_says(s, "https://www.chrsmrrs.com/graphkerneldatasets/Toy.zip");
    fixture_assert_empty(s);
    test_file_write(s->folder, "Toy.zip", s->small.bytes, s->small.size); /* by hand */
    assert_int_equal(leman_dataset_download(s->ctx, "Toy", &options, s->path, sizeof s->path), LEMAN_OK);
    fixture_assert_cached(s, &s->small);
    assert_non_null(strstr(s->log, "recorded"));
    s->log[0] = 0;
    assert_int_equal(leman_dataset_download(s->ctx, "Toy", &options, s->path, sizeof s->path), LEMAN_OK);
    assert_string_equal(s->log, "");
    char missing[4200];
    snprintf(missing, sizeof missing, "%s/no/such/folder", s->folder);
    options.cache = missing;
    assert_int_equal(leman_dataset_download(s->ctx, "Toy", &options, s->path, sizeof s->path), LEMAN_ERROR_FILE);
    assert_false(fixture_has(s, "no")); /* looking makes nothing */
}

static void test_offline_bad_file(void **state)
{
    fixture *s = *state;
    leman_download_options options = fixture_options(s, NULL);
    options.offline = true;
    test_file_text(s->folder, "Toy.zip", "junk");
    assert_int_equal(leman_dataset_download(s->ctx, "Toy", &options, s->path, sizeof s->path), LEMAN_ERROR_INPUT);
    fixture_says(s, "Toy.zip: is not a TU zip");
    assert_false(fixture_has(s, "Toy.zip.sha256"));
    unlink(test_path(s->folder, "Toy.zip"));
    mkdir(test_path(s->folder, "Toy.zip"), 0777);
    assert_int_equal(leman_dataset_download(s->ctx, "Toy", &options, s->path, sizeof s->path), LEMAN_ERROR_FILE);
}

static void test_changed_in_cache(void **state)
{
    fixture *s = *state;
    test_answer answer = {.code = 200, .body = s->small.bytes, .size = s->small.size};
    size_t requests;
    assert_int_equal(fixture_download(s, &answer, 1, NULL), LEMAN_OK);
    test_file_write(s->folder, "Toy.zip", s->large.bytes, s->large.size);
    assert_int_equal(fixture_download(s, &answer, 1, &requests), LEMAN_ERROR_INPUT);
    assert_int_equal(requests, 0);
    fixture_says(s, "refresh");
    leman_download_options options = leman_download_options_default();
    options.refresh = true;
    assert_int_equal(fixture_download_named(s, "Toy", &answer, 1, options, NULL), LEMAN_OK);
    fixture_assert_cached(s, &s->small);
    test_file_text(s->folder, "Toy.zip.sha256", "nonsense\n");
    assert_int_equal(fixture_download(s, &answer, 1, &requests), LEMAN_ERROR_INPUT);
    fixture_says(s, "Toy.zip.sha256:1:");
    fixture_says(s, "refresh");
    assert_int_equal(fixture_download_named(s, "Toy", &answer, 1, options, NULL), LEMAN_OK);
    fixture_assert_cached(s, &s->small);
    assert_int_equal(fixture_download(s, &answer, 1, &requests), LEMAN_OK);
}

/* The sum outlives the file: another content under the old name is refused until asked for. */
static void test_changed_on_server(void **state)
{
    fixture *s = *state;
    leman_download_options options = leman_download_options_default();
    test_answer first = {.code = 200, .body = s->small.bytes, .size = s->small.size};
    test_answer second = {.code = 200, .body = s->large.bytes, .size = s->large.size};
    assert_int_equal(fixture_download(s, &first, 1, NULL), LEMAN_OK);
    unlink(test_path(s->folder, "Toy.zip"));
    assert_int_equal(fixture_download(s, &second, 1, NULL), LEMAN_ERROR_INPUT);
    fixture_says(s, "found SHA-256");
    fixture_says(s, "refresh");
    assert_false(fixture_has(s, "Toy.zip") || fixture_has(s, "Toy.zip.part"));
    assert_int_equal(fixture_download(s, &first, 1, NULL), LEMAN_OK);
    options.refresh = true;
    assert_int_equal(fixture_download_named(s, "Toy", &first, 1, options, NULL), LEMAN_OK);
    assert_non_null(strstr(s->log, "unchanged"));
    s->log[0] = 0;
    assert_int_equal(fixture_download_named(s, "Toy", &second, 1, options, NULL), LEMAN_OK);
    assert_non_null(strstr(s->log, "its content has changed"));
    fixture_assert_cached(s, &s->large);
    first.code = 404; /* a refresh that fails leaves what was there */
    assert_int_equal(fixture_download_named(s, "Toy", &first, 1, options, NULL), LEMAN_ERROR_NETWORK);
    fixture_assert_cached(s, &s->large);
}

/* A cache that one may only read: a recorded file, and one without record. */
static void test_read_only_cache(void **state)
{
    fixture *s = *state;
    leman_download_options options = fixture_options(s, NULL);
    options.offline = true;
    test_file_write(s->folder, "Toy.zip", s->small.bytes, s->small.size);
    chmod(s->folder, 0555);
    pid_t child = fork();
    assert_true(child >= 0);
    if (!child) {
        if (!geteuid() && setuid(65534)) _exit(2);
        _exit(leman_dataset_download(s->ctx, "Toy", &options, s->path, sizeof s->path) != LEMAN_OK);
    }
    int status = -1;
    waitpid(child, &status, 0);
    chmod(s->folder, 0755);
    assert_int_equal(status, 0);
    assert_false(fixture_has(s, "Toy.zip.sha256"));
}

/* Two processes ask at once: one fetches, the other waits and finds it. */
static void test_two_at_once(void **state)
{
    fixture *s = *state;
    test_answer answer = {.code = 200, .body = s->large.bytes, .size = s->large.size, .etag = "\"a\"", .pause = 5};
    char url[128];
    test_server server = test_server_start(&answer, 1);
    snprintf(url, sizeof url, "%sToy.zip", server.url);
    leman_download_options options = fixture_options(s, url);
    pid_t children[3];
    for (size_t i = 0; i < 3; i++) {
        children[i] = fork();
        assert_true(children[i] >= 0);
        if (!children[i]) _exit(leman_dataset_download(s->ctx, "Toy", &options, s->path, sizeof s->path) != LEMAN_OK);
    }
    for (size_t i = 0; i < 3; i++) {
        int status = -1;
        waitpid(children[i], &status, 0);
        assert_int_equal(status, 0);
    }
    assert_int_equal(test_server_stop(&server), 1);
    fixture_assert_cached(s, &s->large);
}

static leman_status body_of(leman_context *ctx, void *state)
{
    char path[4096];
    return leman_dataset_download(ctx, "Toy", state, path, sizeof path);
}

static void test_allocations_cached(void **state)
{
    fixture *s = *state;
    leman_download_options options = fixture_options(s, NULL);
    options.offline = true;
    test_file_write(s->folder, "Toy.zip", s->small.bytes, s->small.size);
    assert_true(test_fail_each_allocation(body_of, &options) > 1); /* adopts it */
    assert_true(test_fail_each_allocation(body_of, &options) > 1); /* finds it */
    fixture_assert_cached(s, &s->small);
}

static void test_allocations_fetched(void **state)
{
    fixture *s = *state;
    char url[128];
    test_answer answer = {.code = 200, .body = s->small.bytes, .size = s->small.size, .etag = "\"a\"", .ranges = true};
    test_server server = test_server_start(&answer, 1);
    snprintf(url, sizeof url, "%sToy.zip", server.url);
    leman_download_options options = fixture_options(s, url);
    options.refresh = true;
    assert_true(test_fail_each_allocation(body_of, &options) > 5);
    test_server_stop(&server);
    fixture_assert_cached(s, &s->small);
}

#define CASE(function) cmocka_unit_test_setup_teardown(function, fixture_begin, fixture_end)

int main(void)
{
    const struct CMUnitTest offline[] = {
        CASE(test_offline),
        CASE(test_offline_bad_file),
        CASE(test_read_only_cache),
        CASE(test_allocations_cached),
    };
    const struct CMUnitTest network[] = {
        CASE(test_changed_in_cache),
        CASE(test_changed_on_server),
        CASE(test_two_at_once),
        CASE(test_allocations_fetched),
    };
    int failed = cmocka_run_group_tests(offline, NULL, NULL);
    if (lm_transfer_available()) failed += cmocka_run_group_tests(network, NULL, NULL);
    return failed;
}
