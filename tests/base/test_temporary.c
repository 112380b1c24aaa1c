/* Temporary files: what was written is read again, and nothing is left in the folder. */
#include "base/temporary.h"
#include "support/support.h"
#include <dirent.h>
#include <errno.h>
#include <stdio.h>

static size_t files_in(const char *folder)
{
    size_t count = 0;
    DIR *all = opendir(folder);
    for (const struct dirent *entry; (entry = readdir(all));) count += *entry->d_name != '.';
    closedir(all);
    return count;
}

static void written_and_read(void **state)
{
    (void)state;
    const char *folder = test_folder_new();
    leman_context *ctx = test_context_new(1);
    lm_temporary t = {0};
    uint64_t place[3], random = 7;
    static char bytes[3][100000], found[100000];
    for (int i = 0; i < 3; i++)
        for (size_t j = 0; j < sizeof bytes[i]; j++) bytes[i][j] = (char)test_random(&random);
    assert_int_equal(lm_temporary_open(ctx, test_path(folder, "out.svm"), &t), LEMAN_OK);
    assert_int_equal(files_in(folder), 0);
    for (int i = 0; i < 2; i++) assert_int_equal(lm_temporary_append(&t, bytes[i], 100000, place + i), LEMAN_OK);
    assert_int_equal(lm_temporary_write(&t, place[1] + 10, bytes[2], 500), LEMAN_OK);
    memcpy(bytes[1] + 10, bytes[2], 500);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(lm_temporary_read(&t, place[i], found, 100000), LEMAN_OK);
        assert_memory_equal(found, bytes[i], 100000);
    }
    assert_int_equal(lm_temporary_read(&t, t.size - 10, found, 20), LEMAN_ERROR_FILE); /* past its end */
    lm_temporary_close(&t);
    lm_temporary_close(&t);
    assert_int_equal(lm_temporary_open(ctx, "-", &t), LEMAN_OK); /* where such files go */
    lm_temporary_close(&t);
    assert_int_equal(lm_temporary_open(ctx, "/nowhere/at all", &t), LEMAN_ERROR_FILE);
    assert_non_null(strstr(leman_context_message(ctx), "/nowhere/: a temporary file cannot be made there"));
    assert_int_equal(files_in(folder), 0);
    test_context_free(ctx);
    test_folder_remove(folder);
}

static leman_status body(leman_context *ctx, void *path)
{
    lm_temporary t = {0};
    leman_status st = lm_temporary_open(ctx, path, &t);
    lm_temporary_close(&t);
    return st;
}

static void memory(void **state)
{
    (void)state;
    assert_true(test_fail_each_allocation(body, NULL) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(written_and_read), cmocka_unit_test(memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
