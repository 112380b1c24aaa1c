/* The cache folder: which one, which names, and one owner at a time. */
#include "base/context.h"
#include "io/download/cache.h"
#include "support/support.h"
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void test_names(void **state)
{
    (void)state;
    static const char *const good[] = {"MUTAG", "PTC_FM", "OVCAR-8H", "a", "C++", "v1.2", "0"};
    static const char *const bad[] = {"",          ".",   "..",   "../x", "a/b",         "/etc/passwd",
                                      ".hidden",   "a b", "a\nb", "a\\b", "caf\xc3\xa9", "a%2fb",
                                      "MUTAG.zip", "a?b", "a#b",  "a:b"};
    leman_context *ctx = test_context_new(1);
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_int_equal(lm_cache_name_check(ctx, good[i]), LEMAN_OK);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (lm_cache_name_check(ctx, bad[i]) != LEMAN_ERROR_ARGUMENT) fail_msg("'%s' was accepted", bad[i]);
    char longest[202];
    memset(longest, 'a', sizeof longest);
    longest[201] = 0;
    assert_int_equal(lm_cache_name_check(ctx, longest), LEMAN_ERROR_ARGUMENT);
    longest[200] = 0;
    assert_int_equal(lm_cache_name_check(ctx, longest), LEMAN_OK);
    test_context_free(ctx);
}

static void put(const char *name, const char *value)
{
    if (value)
        setenv(name, value, 1);
    else
        unsetenv(name);
}

static void test_which_folder(void **state)
{
    (void)state;
    static const struct {
        const char *given, *own, *shared, *home, *zip; /* zip NULL: refused */
    } cases[] = {
        {"/g", "/o", "/s", "/h", "/g/X.zip"},
        {NULL, "/o", "/s", "/h", "/o/X.zip"},
        {"", "/o", "/s", "/h", "/o/X.zip"},
        {NULL, NULL, "/s", "/h", "/s/leman/X.zip"},
        {NULL, "", "/s", "/h", "/s/leman/X.zip"},
        {NULL, NULL, NULL, "/h", "/h/.cache/leman/X.zip"},
        {NULL, NULL, "relative", "/h", "/h/.cache/leman/X.zip"},
        {NULL, NULL, NULL, NULL, NULL},
        {NULL, "", "", "", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        leman_context *ctx = test_context_new(1);
        lm_cache_entry place = {0};
        put("LEMAN_CACHE", cases[i].own);
        put("XDG_CACHE_HOME", cases[i].shared);
        put("HOME", cases[i].home);
        leman_status st = lm_cache_place(ctx, "X", cases[i].given, &place);
        assert_int_equal(st, cases[i].zip ? LEMAN_OK : LEMAN_ERROR_FILE);
        if (cases[i].zip) {
            assert_string_equal(place.zip, cases[i].zip);
            assert_string_equal(place.file, "X.zip");
        }
        test_context_free(ctx);
    }
}

static void test_make(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    const char *top = test_folder_new();
    char folder[4096];
    lm_cache_entry place;
    struct stat about;
    mode_t mask = umask(022);
    snprintf(folder, sizeof folder, "%s/a//b/c/", top);
    assert_int_equal(lm_cache_place(ctx, "X", folder, &place), LEMAN_OK);
    assert_int_equal(lm_cache_make(ctx, &place), LEMAN_OK);
    assert_int_equal(stat(folder, &about), 0);
    assert_true(S_ISDIR(about.st_mode) && (about.st_mode & 0777) == 0755);
    assert_int_equal(lm_cache_make(ctx, &place), LEMAN_OK);
    test_file_text(top, "file", "x");
    snprintf(folder, sizeof folder, "%s/file/below", top);
    assert_int_equal(lm_cache_place(ctx, "X", folder, &place), LEMAN_OK);
    assert_int_equal(lm_cache_make(ctx, &place), LEMAN_ERROR_FILE);
    assert_non_null(strstr(leman_context_message(ctx), "/file"));
    umask(mask);
    test_folder_remove(top);
    test_context_free(ctx);
}

/* Several processes add one to a number in a file, many times: with one owner at a time none is lost. */
static void test_lock(void **state)
{
    (void)state;
    enum { PROCESSES = 6, TURNS = 40 };
    const char *folder = test_folder_new();
    const char *count = test_file_text(folder, "count", "0");
    pid_t children[PROCESSES];
    for (int i = 0; i < PROCESSES; i++) {
        children[i] = fork();
        assert_true(children[i] >= 0);
        if (children[i]) continue;
        leman_context *ctx = test_context_new(1);
        lm_cache_entry place;
        int lock = -1, number = -1, status = lm_cache_place(ctx, "X", folder, &place) != LEMAN_OK;
        for (int turn = 0; turn < TURNS && !status; turn++) {
            if (lm_cache_lock(ctx, &place, &lock)) _exit(1);
            FILE *f = fopen(count, "r+");
            status = !f || fscanf(f, "%d", &number) != 1;
            usleep(300); /* so that the others do come in between, if they can */
            if (!status) rewind(f), fprintf(f, "%d\n", number + 1);
            if (f) fclose(f);
            lm_cache_unlock(&place, lock);
        }
        _exit(status);
    }
    for (int i = 0; i < PROCESSES; i++) {
        int status = -1;
        waitpid(children[i], &status, 0);
        assert_int_equal(status, 0);
    }
    int number = 0;
    FILE *f = fopen(count, "r");
    assert_non_null(f);
    assert_int_equal(fscanf(f, "%d", &number), 1);
    fclose(f);
    assert_int_equal(number, PROCESSES * TURNS);
    assert_int_not_equal(access(test_path(folder, "X.zip.lock"), F_OK), 0); /* nothing stays behind */
    test_folder_remove(folder);
}

static bool stop(void *user, const leman_progress *progress)
{
    (void)progress;
    ++*(int *)user;
    return false;
}

/* Waiting for a lock that is not let go ends when the caller says so; the holder keeps it. */
static void test_lock_cancel(void **state)
{
    (void)state;
    const char *folder = test_folder_new();
    leman_context *ctx = test_context_new(1);
    lm_cache_entry place;
    int first = -1, second = -1, calls = 0;
    assert_int_equal(lm_cache_place(ctx, "X", folder, &place), LEMAN_OK);
    assert_int_equal(lm_cache_lock(ctx, &place, &first), LEMAN_OK);
    ctx->settings.progress = stop;
    ctx->settings.callback_user = &calls;
    assert_int_equal(lm_cache_lock(ctx, &place, &second), LEMAN_ERROR_CANCELLED);
    assert_true(calls > 0 && second == -1);
    assert_int_equal(access(place.lock, F_OK), 0);
    lm_cache_unlock(&place, first);
    assert_int_equal(lm_cache_lock(ctx, &place, &second), LEMAN_OK);
    lm_cache_unlock(&place, second);
    lm_cache_unlock(&place, -1);
    test_folder_remove(folder);
    test_context_free(ctx);
}

static leman_status place_make_lock(leman_context *ctx, void *state)
{
    lm_cache_entry place;
    int lock = -1;
    leman_status st = lm_cache_place(ctx, "X", state, &place);
    if (!st) st = lm_cache_make(ctx, &place);
    if (!st) st = lm_cache_lock(ctx, &place, &lock);
    if (!st) lm_cache_unlock(&place, lock);
    return st;
}

static void test_allocations(void **state)
{
    (void)state;
    const char *top = test_folder_new();
    char folder[4096];
    snprintf(folder, sizeof folder, "%s/a/b", top);
    assert_true(test_fail_each_allocation(place_make_lock, folder) > 0);
    test_folder_remove(top);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names), cmocka_unit_test(test_which_folder), cmocka_unit_test(test_make),
        cmocka_unit_test(test_lock),  cmocka_unit_test(test_lock_cancel),  cmocka_unit_test(test_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
