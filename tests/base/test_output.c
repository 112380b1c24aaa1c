/* Outputs in awkward places, and waits that end when the caller says so. */
#include "base/context.h"
#include "base/file.h"
#include "support/support.h"
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void assert_content(const char *path, const char *expected)
{
    char text[256] = "";
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    size_t size = fread(text, 1, sizeof text - 1, f);
    fclose(f);
    assert_int_equal(size, strlen(expected));
    assert_string_equal(text, expected);
}

static size_t entries(const char *folder)
{
    size_t count = 0;
    DIR *list = opendir(folder);
    assert_non_null(list);
    for (struct dirent *entry; (entry = readdir(list));) count += entry->d_name[0] != '.';
    closedir(list);
    return count;
}

static leman_status write_text(leman_context *ctx, const char *path, const char *text)
{
    lm_output out = {0};
    leman_status st = lm_output_open(ctx, path, &out);
    if (st) return st;
    lm_output_write(&out, text, strlen(text));
    return lm_output_commit(&out);
}

/* Large blocks go to the file in pieces, small ones through the buffer: what comes out is what went in, in order. */
static void test_large_blocks(void **state)
{
    (void)state;
    const size_t size = ((size_t)9 << 20) + 5;
    char *block = malloc(size), *back = malloc(2 * size + 16);
    assert_non_null(block);
    assert_non_null(back);
    for (size_t i = 0; i < size; i++) block[i] = (char)(i * 2654435761u >> 13);
    for (int threads = 1; threads <= 3; threads += 2) {
        leman_context *ctx = test_context_new(threads);
        const char *folder = test_folder_new(), *path = test_path(folder, "x");
        lm_output out = {0};
        assert_int_equal(lm_output_open(ctx, path, &out), LEMAN_OK);
        lm_output_write(&out, "front", 5);
        lm_output_write(&out, block, size);
        lm_output_write(&out, "middle", 6);
        lm_output_write(&out, block, size);
        lm_output_write(&out, "end", 3);
        assert_int_equal(lm_output_commit(&out), LEMAN_OK);
        FILE *f = fopen(path, "r");
        assert_non_null(f);
        assert_int_equal(fread(back, 1, 2 * size + 16, f), 2 * size + 14);
        fclose(f);
        assert_memory_equal(back, "front", 5);
        assert_memory_equal(back + 5, block, size);
        assert_memory_equal(back + 5 + size, "middle", 6);
        assert_memory_equal(back + 11 + size, block, size);
        assert_memory_equal(back + 11 + 2 * size, "end", 3);
        assert_int_equal(entries(folder), 1);
        test_folder_remove(folder);
        test_context_free(ctx);
    }
    free(block);
    free(back);
}

/* ---- What stands in the place ---------------------------------------------------------------- */

/* A file that one may not write is not replaced either, though its folder would allow it. */
static void test_read_only_stays(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new(), *path = test_file_text(folder, "x", "old");
    chmod(folder, 0777);
    chmod(path, 0444);
    pid_t child = fork();
    assert_true(child >= 0);
    if (!child) {
        if (!geteuid() && setuid(65534)) _exit(2);
        _exit(write_text(ctx, path, "new") != LEMAN_ERROR_FILE);
    }
    int status = -1;
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
    assert_content(path, "old");
    assert_int_equal(entries(folder), 1);
    test_folder_remove(folder);
    test_context_free(ctx);
}

static void test_longest_name(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new();
    char name[256];
    memset(name, 'n', 255);
    name[255] = 0;
    assert_int_equal(write_text(ctx, test_path(folder, name), "x"), LEMAN_OK);
    assert_content(test_path(folder, name), "x");
    assert_int_equal(entries(folder), 1);
    test_folder_remove(folder);
    test_context_free(ctx);
}

/* In a process without standard output a file gets its number, and is a file all the same. */
static void test_number_of_standard_output(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new(), *path = test_path(folder, "x");
    pid_t child = fork();
    assert_true(child >= 0);
    if (!child) {
        lm_output out = {0};
        close(STDOUT_FILENO);
        if (lm_output_open(ctx, path, &out) || out.file != STDOUT_FILENO) _exit(2);
        lm_output_write(&out, "x", 1);
        if (lm_output_commit(&out)) _exit(3);
        _exit(fcntl(STDOUT_FILENO, F_GETFD) >= 0); /* it was closed */
    }
    int status = -1;
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
    assert_content(path, "x");
    test_folder_remove(folder);
    test_context_free(ctx);
}

/* ---- Waits ----------------------------------------------------------------------------------- */

/* Cancels the third time. */
static bool third_is_enough(void *user, const leman_progress *progress)
{
    (void)progress;
    return ++*(int *)user < 3;
}

/* No signal ends the wait: it came before, or in another thread. The caller is asked nevertheless, again and again. */
static void test_waits_ask(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    static char block[1 << 20];
    char path[64];
    int ends[2], asked = 0;
    lm_bytes bytes = {0};
    lm_output out = {0};
    assert_int_equal(pipe(ends), 0);
    ctx->settings.progress = third_is_enough;
    ctx->settings.callback_user = &asked;
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    assert_int_equal(lm_bytes_open(ctx, path, 1 << 20, &bytes), LEMAN_ERROR_CANCELLED);
    assert_int_equal(asked, 3);
    asked = 0;
    snprintf(path, sizeof path, "/dev/fd/%d", ends[1]);
    assert_int_equal(lm_output_open(ctx, path, &out), LEMAN_OK);
    assert_int_equal(lm_output_write(&out, block, sizeof block), LEMAN_ERROR_CANCELLED); /* nobody reads */
    assert_int_equal(asked, 3);
    lm_output_abort(&out);
    close(ends[0]);
    close(ends[1]);
    test_context_free(ctx);
}

/* Somebody has made our standard output and input non-blocking, as remote shells do: everything gets through. */
static void test_non_blocking_pipe(void **state)
{
    (void)state;
    enum { SIZE = 1 << 20 };
    static char block[SIZE];
    leman_context *ctx = test_context_new(1);
    int ends[2];
    for (size_t i = 0; i < SIZE; i++) block[i] = (char)(i * 7 >> 3);
    assert_int_equal(pipe(ends), 0);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    pid_t child = fork();
    assert_true(child >= 0);
    if (!child) {
        lm_output out = {0};
        int keep = dup(STDOUT_FILENO);
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        usleep(50000); /* the reader comes first */
        int failed = lm_output_open(ctx, "-", &out) || lm_output_write(&out, block, SIZE) || lm_output_commit(&out);
        dup2(keep, STDOUT_FILENO);
        _exit(failed);
    }
    close(ends[1]);
    int keep = dup(STDIN_FILENO);
    lm_bytes bytes = {0};
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    leman_status st = lm_bytes_open(ctx, "-", 2 * SIZE, &bytes);
    dup2(keep, STDIN_FILENO);
    close(keep);
    assert_int_equal(st, LEMAN_OK);
    assert_int_equal(bytes.size, SIZE);
    assert_memory_equal(bytes.data, block, SIZE);
    lm_bytes_close(&bytes);
    int status = -1;
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
    test_context_free(ctx);
}

static leman_status write_link(leman_context *ctx, void *state)
{
    return write_text(ctx, state, "new");
}

static void test_allocations(void **state)
{
    (void)state;
    const char *folder = test_folder_new(), *link = test_path(folder, "link");
    test_file_text(folder, "real", "old");
    assert_int_equal(symlink("real", link), 0);
    assert_true(test_fail_each_allocation(write_link, (void *)(uintptr_t)link) >= 4);
    assert_int_equal(entries(folder), 2);
    test_folder_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_large_blocks), cmocka_unit_test(test_read_only_stays),
        cmocka_unit_test(test_longest_name), cmocka_unit_test(test_number_of_standard_output),
        cmocka_unit_test(test_waits_ask),    cmocka_unit_test(test_non_blocking_pipe),
        cmocka_unit_test(test_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
