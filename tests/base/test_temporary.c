/* Temporary files: what was written is read again, and nothing is left in the folder. */
#include "base/temporary.h"
#include "support/support.h"
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

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
    assert_int_equal(lm_temporary_open(ctx, test_path(folder, "out.svm"), 0, &t), LEMAN_OK);
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
    assert_int_equal(lm_temporary_open(ctx, "-", 0, &t), LEMAN_OK); /* where such files go */
    lm_temporary_close(&t);
    assert_int_equal(lm_temporary_open(ctx, "/nowhere/at all", 0, &t), LEMAN_ERROR_FILE);
    assert_non_null(strstr(leman_context_message(ctx), "/nowhere/: a temporary file cannot be made there"));
    assert_int_equal(files_in(folder), 0);
    test_context_free(ctx);
    test_folder_remove(folder);
}

enum { MEMORY = 33 << 20, TEXT = 100003, TEXTS = 400 };

static off_t file_size(const lm_temporary *t)
{
    struct stat about;
    assert_int_equal(fstat(t->file, &about), 0);
    return about.st_size;
}

/* Bytes that differ from one text to the next. */
static void make_text(size_t i, char *text)
{
    for (size_t j = 0; j < TEXT; j++) text[j] = (char)(i * 31 + j + (j >> 8));
}

/* Within the memory that was given nothing goes to the file; behind it everything does. Reads and writes may begin in
 * one and end in the other. */
static void in_memory_first(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    lm_temporary t = {0};
    static char text[TEXT], found[3 * TEXT];
    uint64_t place;
    assert_int_equal(lm_temporary_open(ctx, NULL, MEMORY, &t), LEMAN_OK);
    for (size_t i = 0; i < TEXTS; i++) {
        make_text(i, text);
        assert_int_equal(lm_temporary_append(&t, text, TEXT, &place), LEMAN_OK);
        assert_int_equal(place, i * TEXT);
        if (t.size <= MEMORY / 2) assert_int_equal(file_size(&t), 0);
        if (t.size > MEMORY) assert_int_equal(file_size(&t), (off_t)t.size);
    }
    for (size_t i = 7; i < TEXTS; i += 13) { /* every 13th becomes another */
        make_text(i + 1000, text);
        assert_int_equal(lm_temporary_write(&t, i * TEXT, text, TEXT), LEMAN_OK);
    }
    for (size_t i = 0; i + 3 <= TEXTS; i++) {
        assert_int_equal(lm_temporary_read(&t, i * TEXT, found, sizeof found), LEMAN_OK);
        for (size_t j = 0; j < 3; j++) {
            make_text(i + j + ((i + j) % 13 == 7 ? 1000 : 0), text);
            assert_memory_equal(found + j * TEXT, text, TEXT);
        }
    }
    lm_temporary_close(&t);
    assert_int_equal(lm_temporary_open(ctx, NULL, MEMORY, &t), LEMAN_OK);
    assert_int_equal(lm_temporary_append(&t, text, TEXT, NULL), LEMAN_OK);
    assert_int_equal(lm_temporary_read(&t, 1, found, TEXT), LEMAN_ERROR_FILE); /* past its end */
    lm_temporary_close(&t);
    test_context_free(ctx);
}

static leman_status body(leman_context *ctx, void *path)
{
    lm_temporary t = {0};
    static char text[TEXT];
    leman_status st = lm_temporary_open(ctx, path, MEMORY, &t);
    if (!st) st = lm_temporary_append(&t, text, TEXT, NULL);
    lm_temporary_close(&t);
    return st;
}

static void memory(void **state)
{
    (void)state;
    assert_true(test_fail_each_allocation(body, NULL) > 0);
}

/* ---- Mapped files ---------------------------------------------------------------------------- */

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(written_and_read), cmocka_unit_test(in_memory_first),
                                       cmocka_unit_test(memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
