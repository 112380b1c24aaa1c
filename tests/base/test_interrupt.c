/* A wait for a pipe ends when a signal comes and the caller cancels, and goes on when the caller does not. */
#include "support/support.h"

#include "base/file.h"
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/time.h>
#include <unistd.h>

typedef struct caller {
    int asked, stop_at; /* cancels the stop_at-th time it is asked */
    int to_close;       /* when asked after the wait, this end of the pipe is closed, so that the next wait ends */
} caller;

static bool answer(void *user, const leman_progress *progress)
{
    caller *c = user;
    (void)progress;
    if (++c->asked == 2 && c->to_close >= 0) {
        close(c->to_close);
        c->to_close = -1;
    }
    return c->asked != c->stop_at;
}

static void on_alarm(int number)
{
    (void)number;
}

static leman_context *context_of(caller *c)
{
    leman_context *ctx = NULL;
    leman_settings settings = leman_settings_default();
    settings.progress = answer;
    settings.callback_user = c;
    assert_int_equal(leman_context_new(&settings, &ctx), LEMAN_OK);
    return ctx;
}

static void alarm_soon(void)
{
    struct sigaction action = {.sa_handler = on_alarm};
    struct itimerval soon = {.it_value.tv_usec = 50000};
    assert_int_equal(sigaction(SIGALRM, &action, NULL), 0);
    assert_int_equal(setitimer(ITIMER_REAL, &soon, NULL), 0);
}

/* Reads a pipe that nobody writes to; the alarm rings while it waits. */
static leman_status read_pipe(caller *c)
{
    int ends[2];
    lm_bytes bytes = {0};
    assert_int_equal(pipe(ends), 0);
    assert_true(dup2(ends[0], STDIN_FILENO) == STDIN_FILENO);
    close(ends[0]);
    if (c->stop_at)
        c->to_close = -1;
    else
        c->to_close = ends[1];
    leman_context *ctx = context_of(c);
    alarm_soon();
    leman_status st = lm_bytes_open(ctx, "-", 1 << 20, &bytes);
    if (st) assert_non_null(strstr(leman_context_message(ctx), "standard input was stopped"));
    if (!st) lm_bytes_close(&bytes);
    if (c->stop_at) close(ends[1]);
    leman_context_free(ctx);
    return st;
}

static void test_reading(void **state)
{
    (void)state;
    caller before = {.stop_at = 1}, meanwhile = {.stop_at = 2}, goes_on = {0};
    assert_int_equal(read_pipe(&before), LEMAN_ERROR_CANCELLED); /* the caller had cancelled: no wait begins */
    assert_int_equal(before.asked, 1);
    assert_int_equal(read_pipe(&meanwhile), LEMAN_ERROR_CANCELLED);
    assert_int_equal(meanwhile.asked, 2);
    assert_int_equal(read_pipe(&goes_on), LEMAN_OK); /* it went on to the end of the closed pipe */
    assert_true(goes_on.asked >= 2);
}

/* Writes more than a pipe holds to one that nobody reads; returns how much of it went into the pipe. */
static int write_pipe(caller *stops)
{
    static char block[1 << 16];
    int ends[2], written = -1;
    lm_output out = {0};
    char path[64];
    assert_int_equal(pipe(ends), 0);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[1]);
    leman_context *ctx = context_of(stops);
    assert_int_equal(lm_output_open(ctx, path, &out), LEMAN_OK);
    alarm_soon();
    leman_status st = LEMAN_OK;
    for (int i = 0; i < 64 && !st; i++) st = lm_output_write(&out, block, sizeof block);
    assert_int_equal(st, LEMAN_ERROR_CANCELLED);
    lm_output_abort(&out);
    leman_context_free(ctx);
    assert_int_equal(ioctl(ends[0], FIONREAD, &written), 0);
    close(ends[0]);
    close(ends[1]);
    return written;
}

static void test_writing(void **state)
{
    (void)state;
    caller before = {.stop_at = 1, .to_close = -1}, meanwhile = {.stop_at = 2, .to_close = -1};
    assert_int_equal(write_pipe(&before), 0); /* the caller had cancelled: no wait begins */
    assert_int_equal(before.asked, 1);
    assert_true(write_pipe(&meanwhile) > 0);
    assert_int_equal(meanwhile.asked, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_reading), cmocka_unit_test(test_writing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
