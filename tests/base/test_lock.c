/* Locks on files: one run has one, others are refused until it ends. */
#include "base/context.h"
#include "base/lock.h"
#include "support/support.h"
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static void test_one_at_a_time(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new();
    lm_lock first = {0}, second = {0};
    const char *path = test_path(folder, "net"), *beside = test_path(folder, "net.lock");
    assert_int_equal(lm_lock_begin(ctx, path, "checkpoint", &first), LEMAN_OK);
    assert_int_equal(access(beside, F_OK), 0);
    assert_int_equal(lm_lock_begin(ctx, path, "checkpoint", &second), LEMAN_ERROR_FILE);
    assert_non_null(strstr(leman_context_message(ctx), "net: another run is writing this checkpoint"));
    assert_int_equal(access(beside, F_OK), 0); /* it is the first one's */
    assert_int_equal(lm_lock_begin(ctx, path, "checkpoint", &second), LEMAN_ERROR_FILE);
    lm_lock_end(&first);
    assert_int_not_equal(access(beside, F_OK), 0);
    assert_int_equal(lm_lock_begin(ctx, path, "checkpoint", &second), LEMAN_OK);
    lm_lock_end(&second);
    lm_lock_end(&second); /* once more does nothing */
    test_folder_remove(folder);
    test_context_free(ctx);
}

/* The file is replaced by renaming while it is locked, and has several names. */
static void test_names(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new();
    lm_lock first = {0}, second = {0};
    const char *path = test_file_text(folder, "net", "old"), *link_path = test_path(folder, "link");
    assert_int_equal(symlink(path, link_path), 0);
    assert_int_equal(lm_lock_begin(ctx, path, "map", &first), LEMAN_OK);
    assert_int_equal(rename(test_file_text(folder, "new", "new"), path), 0);
    assert_int_equal(lm_lock_begin(ctx, path, "map", &second), LEMAN_ERROR_FILE);
    assert_int_equal(lm_lock_begin(ctx, link_path, "map", &second), LEMAN_ERROR_FILE);
    lm_lock_end(&first);
    char name[300];
    memset(name, 'a', 255);
    name[255] = 0; /* the longest that file systems allow: its lock has another one */
    path = test_path(folder, name);
    assert_int_equal(lm_lock_begin(ctx, path, "map", &first), LEMAN_OK);
    assert_int_equal(lm_lock_begin(ctx, path, "map", &second), LEMAN_ERROR_FILE);
    name[254] = 'b';
    assert_int_equal(lm_lock_begin(ctx, test_path(folder, name), "map", &second), LEMAN_OK);
    lm_lock_end(&first);
    lm_lock_end(&second);
    test_folder_remove(folder);
    test_context_free(ctx);
}

/* A run that was killed leaves its file, but not its lock. */
static void test_killed(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new();
    lm_lock lock = {0};
    int pipes[2];
    char word = 0;
    const char *path = test_path(folder, "net");
    assert_int_equal(pipe(pipes), 0);
    const pid_t child = fork();
    if (!child) {
        word = lm_lock_begin(ctx, path, "checkpoint", &lock) ? 'n' : 'y';
        if (write(pipes[1], &word, 1) != 1) _exit(1);
        for (;;) pause();
    }
    assert_int_equal(read(pipes[0], &word, 1), 1);
    assert_int_equal(word, 'y');
    assert_int_equal(lm_lock_begin(ctx, path, "checkpoint", &lock), LEMAN_ERROR_FILE);
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_int_equal(access(test_path(folder, "net.lock"), F_OK), 0);
    assert_int_equal(lm_lock_begin(ctx, path, "checkpoint", &lock), LEMAN_OK);
    lm_lock_end(&lock);
    assert_int_not_equal(access(test_path(folder, "net.lock"), F_OK), 0);
    close(pipes[0]);
    close(pipes[1]);
    test_folder_remove(folder);
    test_context_free(ctx);
}

static void test_nothing_to_lock(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    const char *const paths[] = {NULL, "-", "/dev/null"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        lm_lock first = {0}, second = {0};
        assert_int_equal(lm_lock_begin(ctx, paths[i], "checkpoint", &first), LEMAN_OK);
        assert_int_equal(lm_lock_begin(ctx, paths[i], "checkpoint", &second), LEMAN_OK);
        lm_lock_end(&first);
        lm_lock_end(&second);
    }
    lm_lock lock = {0};
    assert_int_equal(lm_lock_begin(ctx, "/no/such/folder/net", "checkpoint", &lock), LEMAN_ERROR_FILE);
    lm_lock_end(&lock);
    test_context_free(ctx);
}

static leman_status begin_and_end(leman_context *ctx, void *state)
{
    lm_lock lock = {0};
    const leman_status st = lm_lock_begin(ctx, state, "checkpoint", &lock);
    lm_lock_end(&lock);
    return st;
}

static void test_failing_allocations(void **unused)
{
    (void)unused;
    const char *folder = test_folder_new();
    char path[256];
    snprintf(path, sizeof path, "%s", test_path(folder, "net"));
    assert_true(test_fail_each_allocation(begin_and_end, path) > 0);
    test_folder_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_at_a_time),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_killed),
        cmocka_unit_test(test_nothing_to_lock),
        cmocka_unit_test(test_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
