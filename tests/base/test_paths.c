/* Paths: names beyond ASCII, paths longer than the 260 characters of older programs for Windows, and every separator. */
#include "base/context.h"
#include "base/file.h"
#include "base/system/system.h"
#include "support/support.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FOLDERS = 12, LEAST = 300 };
static const char NAME[] = "gr\xc3\xb6\xc3\x9f"
                           "e \xce\xb4 \xe5\x90\x8d";

/* Makes folder/NAME.../... and writes the path of the last folder. Wine 8 cuts paths with many characters beyond ASCII. */
static void make_deep(const char *folder, char path[PATH_MAX])
{
    size_t length = (size_t)snprintf(path, PATH_MAX, "%s", folder);
    for (int i = 0; i < FOLDERS; i++) {
        length +=
            (size_t)snprintf(path + length, PATH_MAX - length, "/%s, folder number %d", i ? "and in it" : NAME, i);
        assert_int_equal(mkdir(path, 0755), 0);
    }
    assert_true(length > LEAST);
}

/* The only name in a folder, or "" if there is none. */
static const char *only_name(const char *folder)
{
    static char name[1024];
    size_t count = 0;
    DIR *list = opendir(folder);
    assert_non_null(list);
    *name = 0;
    for (const struct dirent *entry; (entry = readdir(list));)
        if (entry->d_name[0] != '.' && ++count) snprintf(name, sizeof name, "%s", entry->d_name);
    closedir(list);
    assert_true(count <= 1);
    return name;
}

static leman_status write_text(leman_context *ctx, const char *path, const char *text, bool fresh)
{
    lm_output out = {0};
    const leman_status st = lm_output_open(ctx, path, &out);
    if (st) return st;
    lm_output_write(&out, text, strlen(text));
    return fresh ? lm_output_commit_new(&out) : lm_output_commit(&out);
}

static void assert_content(leman_context *ctx, const char *path, const char *expected)
{
    lm_bytes bytes;
    assert_int_equal(lm_bytes_open(ctx, path, 1 << 20, &bytes), LEMAN_OK);
    assert_int_equal(bytes.size, strlen(expected));
    assert_memory_equal(bytes.data, expected, bytes.size);
    lm_bytes_close(&bytes);
}

/* A file in a deep folder is written, replaced, listed, compared, moved and removed. */
static void test_file(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new();
    char deep[PATH_MAX], path[PATH_MAX + 64], moved[PATH_MAX + 64], real[PATH_MAX];
    struct stat about, same;
    make_deep(folder, deep);
    snprintf(path, sizeof path, "%s/%s.txt", deep, NAME);
    snprintf(moved, sizeof moved, "%s/%s", folder, "\xf0\x9f\x98\x80.txt");
    assert_int_equal(write_text(ctx, path, "first\n", true), LEMAN_OK);
    assert_int_equal(write_text(ctx, path, "second\n", true), LEMAN_ERROR_FILE);
    assert_content(ctx, path, "first\n");
    assert_int_equal(write_text(ctx, path, "third\n", false), LEMAN_OK);
    assert_content(ctx, path, "third\n");
    assert_int_equal(strncmp(only_name(deep), NAME, sizeof NAME - 1), 0);
    assert_string_equal(only_name(deep) + sizeof NAME - 1, ".txt");

    const int file = open(path, O_RDONLY | O_CLOEXEC);
    assert_true(file >= 0);
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(fstat(file, &same), 0);
    assert_true(about.st_ino == same.st_ino && about.st_dev == same.st_dev && about.st_size == 6);
    close(file);
    assert_non_null(realpath(path, real));
    assert_int_equal(stat(real, &same), 0);
    assert_true(about.st_ino == same.st_ino && about.st_dev == same.st_dev);

    assert_int_equal(rename(path, moved), 0);
    assert_content(ctx, moved, "third\n");
    assert_true(access(path, F_OK) && errno == ENOENT);
    assert_string_equal(only_name(deep), "");
    assert_int_equal(unlink(moved), 0);
    assert_true(unlink(moved) && errno == ENOENT);
    assert_int_equal(rmdir(deep), 0);
    snprintf(path, sizeof path, "%s", folder);
    test_folder_remove(folder);
    assert_true(stat(path, &about) && errno == ENOENT);
    test_context_free(ctx);
}

/* The sentence of a failure has the name as it was given. */
static void test_sentence(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    lm_bytes bytes;
    assert_int_equal(lm_bytes_open(ctx, NAME, 1 << 20, &bytes), LEMAN_ERROR_FILE);
    assert_int_equal(strncmp(leman_context_message(ctx), NAME, sizeof NAME - 1), 0);
    test_context_free(ctx);
}

static void test_separators(void **state)
{
    (void)state;
    for (const char *separator = LM_SEPARATORS; *separator; separator++) {
        char path[64], expected[64], made[64];
        snprintf(path, sizeof path, "runs.d%cbest", *separator);
        snprintf(expected, sizeof expected, "runs.d%cbest.run3", *separator);
        assert_int_equal(leman_runs_path(path, 3, made, sizeof made), strlen(expected));
        assert_string_equal(made, expected);
        assert_string_equal(lm_path_base(path), "best");
    }
}

/* What the environment says can be longer than any buffer, empty, or missing. */
static void test_variables(void **state)
{
    (void)state;
    char long_value[3000];
    memset(long_value, 'x', sizeof long_value - 1);
    long_value[sizeof long_value - 1] = 0;
    static const char VARIABLE[] = "LEMAN_TEST_VARIABLE";
    assert_null(getenv(VARIABLE));
    const char *const values[] = {NAME, long_value};
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(setenv(VARIABLE, values[i], 1), 0);
        assert_string_equal(getenv(VARIABLE), values[i]);
    }
    unsetenv(VARIABLE);
    assert_null(getenv(VARIABLE));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_file),
        cmocka_unit_test(test_sentence),
        cmocka_unit_test(test_separators),
        cmocka_unit_test(test_variables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
