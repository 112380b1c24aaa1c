/* Transfers that are cut, continued, answered wrongly, stopped, or stalled. */
#include "io/download/transfer.h"
#include "support/download_fixture.h"
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* The connection breaks in the middle; the same call goes on, and asks for what is missing. */
static void test_resume(void **state)
{
    fixture *s = *state;
    test_answer answers[2] = {
        {.code = 200, .body = s->large.bytes, .size = s->large.size, .etag = "\"a\"", .ranges = true}};
    answers[1] = answers[0];
    answers[0].cut = 20000;
    char url[128];
    test_server server = test_server_start(answers, 2);
    snprintf(url, sizeof url, "%sToy.zip", server.url);
    leman_download_options options = fixture_options(s, url);
    assert_int_equal(leman_dataset_download(s->ctx, "Toy", &options, s->path, sizeof s->path), LEMAN_OK);
    assert_int_equal(server.log->requests, 2);
    assert_null(strstr(server.log->request[0], "Range:"));
    assert_non_null(strstr(server.log->request[1], "\nRange: bytes=19999-\r"));
    assert_non_null(strstr(server.log->request[1], "\nIf-Range: \"a\"\r"));
    test_server_stop(&server);
    fixture_assert_cached(s, &s->large);
}

/* All attempts are cut: an error, the part stays, and the next call goes on from it. */
static void test_resume_later(void **state)
{
    fixture *s = *state;
    test_answer answers[2] = {
        {.code = 200, .body = s->large.bytes, .size = s->large.size, .modified = "Mon, 01 Jan 2024 00:00:00 GMT"}};
    answers[0].ranges = true;
    answers[1] = answers[0];
    answers[0].cut = 5000;
    char url[128];
    test_server server = test_server_start(answers, 1);
    snprintf(url, sizeof url, "%sToy.zip", server.url);
    leman_download_options options = fixture_options(s, url);
    assert_int_equal(leman_dataset_download(s->ctx, "Toy", &options, s->path, sizeof s->path), LEMAN_ERROR_NETWORK);
    fixture_says(s, "(4 attempts); 19997 bytes are kept"); /* each attempt repeats one byte */
    assert_int_equal(test_server_stop(&server), 4);
    assert_true(fixture_has(s, "Toy.zip.part") && fixture_has(s, "Toy.zip.part.origin") && !fixture_has(s, "Toy.zip"));
    struct stat about;
    assert_int_equal(stat(test_path(s->folder, "Toy.zip.part"), &about), 0);
    assert_int_equal(about.st_size, 19997);

    /* The note names the old server's address; another one gets to send everything. */
    size_t requests;
    assert_int_equal(fixture_download(s, answers + 1, 1, &requests), LEMAN_OK);
    assert_int_equal(requests, 1);
    fixture_assert_cached(s, &s->large);
}

/* A part and a note as an earlier call would have left them; the server's replies then differ. */
static leman_status go_on(fixture *s, const test_answer *answers, size_t count, const test_blob *before, size_t part,
                          size_t *requests, char first_request[2048])
{
    char url[128], note[256];
    test_server server = test_server_start(answers, count);
    snprintf(url, sizeof url, "%sToy.zip", server.url);
    snprintf(note, sizeof note, "%s\n\"a\"\n", url);
    test_file_write(s->folder, "Toy.zip.part", before->bytes, part);
    test_file_text(s->folder, "Toy.zip.part.origin", note);
    leman_download_options options = fixture_options(s, url);
    leman_status st = leman_dataset_download(s->ctx, "Toy", &options, s->path, sizeof s->path);
    if (first_request) strcpy(first_request, server.log->request[0]);
    *requests = test_server_stop(&server);
    return st;
}

static void test_range_honoured(void **state)
{
    fixture *s = *state;
    size_t requests;
    char request[2048];
    test_answer answer = {.code = 200, .body = s->large.bytes, .size = s->large.size, .etag = "\"a\"", .ranges = true};
    assert_int_equal(go_on(s, &answer, 1, &s->large, 30000, &requests, request), LEMAN_OK);
    assert_int_equal(requests, 1);
    assert_non_null(strstr(request, "\nRange: bytes=29999-\r"));
    fixture_assert_cached(s, &s->large);
}

static void test_part_was_complete(void **state)
{
    fixture *s = *state;
    size_t requests;
    test_answer answer = {.code = 200, .body = s->large.bytes, .size = s->large.size, .etag = "\"a\"", .ranges = true};
    assert_int_equal(go_on(s, &answer, 1, &s->large, s->large.size, &requests, NULL), LEMAN_OK);
    assert_int_equal(requests, 1);
    fixture_assert_cached(s, &s->large);
}

static void test_range_ignored(void **state)
{
    fixture *s = *state;
    size_t requests;
    test_answer answer = {.code = 200, .body = s->small.bytes, .size = s->small.size, .etag = "\"a\""};
    assert_int_equal(go_on(s, &answer, 1, &s->large, 30000, &requests, NULL), LEMAN_OK); /* shorter than the part */
    assert_int_equal(requests, 1);
    fixture_assert_cached(s, &s->small);
}

static void test_changed_meanwhile(void **state)
{
    fixture *s = *state;
    size_t requests;
    test_blob other = fixture_zip("Toy", 4000);
    test_answer answer = {.code = 200, .body = s->large.bytes, .size = s->large.size, .etag = "\"b\"", .ranges = true};
    assert_int_equal(go_on(s, &answer, 1, &other, 30000, &requests, NULL), LEMAN_OK); /* If-Range: all of the new one */
    assert_int_equal(requests, 1);
    fixture_assert_cached(s, &s->large);

    unlink(test_path(s->folder, "Toy.zip"));
    unlink(test_path(s->folder, "Toy.zip.sha256"));
    answer.careless = true; /* a rest of other content */
    assert_int_equal(go_on(s, &answer, 1, &other, 30000, &requests, NULL), LEMAN_OK);
    assert_int_equal(requests, 2);
    fixture_assert_cached(s, &s->large);
    free(other.bytes);
}

static void test_wrong_ranges(void **state)
{
    fixture *s = *state;
    size_t requests;
    test_answer answer = {.code = 200, .body = s->large.bytes, .size = s->large.size, .etag = "\"a\"", .ranges = true};
    answer.shift = 10; /* 206, but not from where we asked */
    assert_int_equal(go_on(s, &answer, 1, &s->large, 30000, &requests, NULL), LEMAN_OK);
    assert_int_equal(requests, 2);
    fixture_assert_cached(s, &s->large);
    answer.shift = 0;
    unlink(test_path(s->folder, "Toy.zip"));
    test_blob longer = {calloc(1, s->large.size + 100), s->large.size + 100};
    assert_non_null(longer.bytes);
    assert_int_equal(go_on(s, &answer, 1, &longer, longer.size, &requests, NULL), LEMAN_OK); /* 416, then all */
    assert_int_equal(requests, 2);
    fixture_assert_cached(s, &s->large);
    free(longer.bytes);
}

/* A part that does not belong to its note: found when the whole is checked, and fetched anew. */
static void test_damaged_part(void **state)
{
    fixture *s = *state;
    size_t requests;
    test_answer answer = {.code = 200, .body = s->large.bytes, .size = s->large.size, .etag = "\"a\"", .ranges = true};
    test_blob zeros = {calloc(1, 30000), 30000};
    assert_non_null(zeros.bytes);
    assert_int_equal(go_on(s, &answer, 1, &zeros, zeros.size, &requests, NULL), LEMAN_OK);
    assert_int_equal(requests, 2);
    assert_non_null(strstr(s->log, "fetching the whole file"));
    fixture_assert_cached(s, &s->large);
    free(zeros.bytes);
}

static void test_cancel_keeps_part(void **state)
{
    fixture *s = *state;
    struct stat about;
    test_answer answer = {.code = 200, .body = s->large.bytes, .size = s->large.size, .etag = "\"a\"", .ranges = true};
    answer.pause = 40;
    s->stop_after = 3;
    assert_int_equal(fixture_download(s, &answer, 1, NULL), LEMAN_ERROR_CANCELLED);
    fixture_says(s, "downloading Toy.zip was stopped");
    assert_int_equal(stat(test_path(s->folder, "Toy.zip.part"), &about), 0);
    assert_true(about.st_size > 0 && (size_t)about.st_size < s->large.size);
    test_blob kept = fixture_read(test_path(s->folder, "Toy.zip.part"));
    assert_memory_equal(kept.bytes, s->large.bytes, kept.size);
    free(kept.bytes);
    assert_true(fixture_has(s, "Toy.zip.part.origin"));
    assert_false(fixture_has(s, "Toy.zip") || fixture_has(s, "Toy.zip.lock"));
}

/* A server that stops sending is a failure. */
static void test_stall(void **state)
{
    fixture *s = *state;
    test_answer answer = {.code = 200, .body = s->large.bytes, .size = s->large.size, .etag = "\"a\""};
    answer.pause = 20000;
    answer.piece = 20;
    test_server server = test_server_start(&answer, 1);
    char part[4200], origin[4200];
    snprintf(part, sizeof part, "%s/part", s->folder);
    snprintf(origin, sizeof origin, "%s/origin", s->folder);
    lm_transfer request = {.url = server.url, .part = part, .origin = origin, .max_bytes = 1 << 20, .attempts = 1};
    request.connect_seconds = 2;
    request.stall_seconds = 1;
    request.min_speed = 64;
    bool resumed = false;
    double began = lm_now();
    assert_int_equal(lm_transfer_run(s->ctx, &request, &resumed), LEMAN_ERROR_NETWORK);
    assert_true(lm_now() - began < 10);
    fixture_says(s, "Less than 64 bytes/sec");
    fixture_says(s, "(1 attempt)");
    fixture_says(s, "kept");
    test_server_stop(&server);
    lm_transfer_discard(&request);
    fixture_assert_empty(s);
}

/* A server that drips is given up once, however many attempts there would be; so is a transfer that takes too long. */
static void test_drip(void **state)
{
    fixture *s = *state;
    test_answer answer = {.code = 200, .body = s->large.bytes, .size = s->large.size, .etag = "\"a\""};
    answer.ranges = true;
    answer.pause = 20;
    answer.piece = 1;
    for (int limited = 0; limited < 2; limited++) {
        test_server server = test_server_start(&answer, 1);
        char part[4200], origin[4200];
        snprintf(part, sizeof part, "%s/part", s->folder);
        snprintf(origin, sizeof origin, "%s/origin", s->folder);
        lm_transfer request = {.url = server.url, .part = part, .origin = origin, .max_bytes = 1 << 20, .attempts = 4};
        request.wait = 0.1;
        request.connect_seconds = 2;
        request.stall_seconds = 1;
        request.min_speed = limited ? 10 : 1024; /* some 50 bytes come in a second */
        request.time_limit = limited ? 2.5 : 100;
        bool resumed = false;
        double began = lm_now();
        assert_int_equal(lm_transfer_run(s->ctx, &request, &resumed), LEMAN_ERROR_NETWORK);
        double took = lm_now() - began;
        assert_true(took < 8);
        assert_true(limited ? took > 2.4 : took > 0.9);
        fixture_says(s, limited ? "timed out" : "Less than 1024 bytes/sec");
        fixture_says(s, "the next download continues there");
        assert_int_equal(test_server_stop(&server), 1);
        lm_transfer_discard(&request);
    }
    fixture_assert_empty(s);
}

static bool raise_pipe(void *user, const leman_progress *progress)
{
    (void)progress;
    ++*(int *)user;
    raise(SIGPIPE);
    return true;
}

/* A broken pipe inside the transfer does not end the program, and leaves no trace in its signals. */
static void test_pipe_signal(void **state)
{
    fixture *s = *state;
    int raised = 0;
    sigset_t blocked, waiting;
    test_answer answer = {.code = 200, .body = s->large.bytes, .size = s->large.size, .pause = 5};
    test_server server = test_server_start(&answer, 1);
    char part[4200], origin[4200];
    snprintf(part, sizeof part, "%s/part", s->folder);
    snprintf(origin, sizeof origin, "%s/origin", s->folder);
    lm_transfer request = {.url = server.url, .part = part, .origin = origin, .max_bytes = 1 << 20, .attempts = 1};
    request.connect_seconds = request.stall_seconds = 5;
    bool resumed = true;
    s->ctx->settings.progress = raise_pipe;
    s->ctx->settings.callback_user = &raised;
    s->ctx->settings.log = NULL;
    assert_true(signal(SIGPIPE, SIG_DFL) != SIG_ERR);
    assert_int_equal(lm_transfer_run(s->ctx, &request, &resumed), LEMAN_OK);
    assert_true(raised > 0 && !resumed);
    assert_int_equal(sigprocmask(SIG_SETMASK, NULL, &blocked), 0);
    assert_int_equal(sigpending(&waiting), 0);
    assert_false(sigismember(&blocked, SIGPIPE) || sigismember(&waiting, SIGPIPE));
    test_server_stop(&server);
    lm_transfer_discard(&request);
}

#define CASE(function) cmocka_unit_test_setup_teardown(function, fixture_begin, fixture_end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_resume),
        CASE(test_resume_later),
        CASE(test_range_honoured),
        CASE(test_part_was_complete),
        CASE(test_range_ignored),
        CASE(test_changed_meanwhile),
        CASE(test_wrong_ranges),
        CASE(test_damaged_part),
        CASE(test_cancel_keeps_part),
        CASE(test_stall),
        CASE(test_drip),
        CASE(test_pipe_signal),
    };
    if (!lm_transfer_available()) {
        print_message("skipped: this build has no libcurl\n");
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
