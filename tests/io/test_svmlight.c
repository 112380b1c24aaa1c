/* svmlight files: what is read, in windows of any size, and what is refused, with its line. */
#include "base/context.h"
#include "io/array/svmlight.h"
#include "support/support.h"
#include <math.h>
#include <zlib.h>

static const char TEXT[] = "# rows\n"
                           "1 1:2 3:0.5 7:-1e-3\n"
                           "-1\t2:1   4:0 9:4 # a comment, 3:x\r\n"
                           "\n"
                           "nan 4294967294:1.25\n"
                           "  +2.5 \n"
                           "0 0:3";

/* Rows of all slices behind each other. */
static lm_svmlight_rows read_all(leman_context *ctx, const char *path, size_t window, size_t entries)
{
    lm_svmlight reader = {0};
    lm_svmlight_rows all = {0}, rows = {0};
    assert_int_equal(lm_svmlight_open(ctx, path, window, &reader), LEMAN_OK);
    for (;;) {
        if (lm_svmlight_next(&reader, entries, &rows)) fail_msg("%s", leman_context_message(ctx));
        if (!rows.end.count) break;
        for (size_t i = 0; i < rows.end.count; i++) ((uint64_t *)rows.end.items)[i] += all.index.count;
        assert_int_equal(lm_vector_append(ctx, &all.end, rows.end.items, rows.end.count, 8), LEMAN_OK);
        assert_int_equal(lm_vector_append(ctx, &all.label, rows.label.items, rows.label.count, 8), LEMAN_OK);
        assert_int_equal(lm_vector_append(ctx, &all.index, rows.index.items, rows.index.count, 4), LEMAN_OK);
        assert_int_equal(lm_vector_append(ctx, &all.value, rows.value.items, rows.value.count, 8), LEMAN_OK);
    }
    lm_svmlight_rows_free(&rows);
    lm_svmlight_close(&reader);
    return all;
}

static void test_rows(void **unused)
{
    (void)unused;
    static const uint64_t END[] = {3, 5, 6, 6, 7};
    static const uint32_t INDEX[] = {1, 3, 7, 2, 9, 4294967294u, 0};
    static const double VALUE[] = {2, 0.5, -1e-3, 1, 4, 1.25, 3}, LABEL[] = {1, -1, 0, 2.5, 0};
    const char *folder = test_folder_new();
    leman_context *ctx = test_context_new(1);
    char *plain = strdup(test_file_text(folder, "f.svm", TEXT)), *packed = strdup(test_path(folder, "f.svm.gz"));
    gzFile file = gzopen(packed, "wb");
    assert_int_equal(gzwrite(file, TEXT, sizeof TEXT - 1), sizeof TEXT - 1);
    gzclose(file);
    for (size_t window = 1; window < 200; window = window * 3 + 5)
        for (size_t entries = 0; entries < 12; entries = entries * 2 + 1) {
            lm_svmlight_rows all = read_all(ctx, window % 2 ? plain : packed, window, entries);
            assert_int_equal(all.end.count, 5);
            assert_memory_equal(all.end.items, END, sizeof END);
            assert_memory_equal(all.index.items, INDEX, sizeof INDEX);
            assert_memory_equal(all.value.items, VALUE, sizeof VALUE);
            for (size_t i = 0; i < 5; i++) {
                const double label = ((double *)all.label.items)[i];
                assert_true(i == 2 ? isnan(label) : label == LABEL[i]);
            }
            lm_svmlight_rows_free(&all);
        }
    free(plain);
    free(packed);
    test_context_free(ctx);
    test_folder_remove(folder);
}

static void test_refused(void **unused)
{
    (void)unused;
    static const struct {
        const char *text, *sentence;
    } CASES[] = {
        {"1 2:3\n1:2 2:3\n", ":2: found '1:2', expected the label of a row"},
        {"1 2:3\n\n1 3:1 3:2\n", ":3: found index 3 behind 3, expected increasing ones"},
        {"1 4:3 2:1\n", ":1: found index 2 behind 4"},
        {"1 qid:4 2:1\n", ":1: found qid"},
        {"1 2:nan\n", ":1: found 'nan', expected"},
        {"1 2:inf\n", ":1: found 'inf', expected"},
        {"1 2:\n", ":1: found the end of the line, expected a value"},
        {"1 2: 3\n", ":1: found no value behind index 2"},
        {"1 2\n", ":1: found '2', expected index:value"},
        {"1 -2:1\n", ":1: found '-2:1', expected index:value"},
        {"1,2 3:1\n", ":1: found ','"},
        {", 3:1\n", ":1: found ','"},
        {"a 3:1\n", ":1: found 'a', expected the label"},
        {"1 4294967295:1\n", ":1: found '4294967295:1', expected an index below 2^32 - 1"},
        {"1 99999999999999999999999:1\n", ":1: found '99999999999999999999999:1', expected an index below"},
        {"1 1:1 2:1e200\n", ":1: found values whose squares add up to inf"},
        {"1 1:3\n1 1:1e154 2:1e154 3:1e154\n", ":2: found values whose squares add up to inf"},
        {"1 1:1e-200\n", ":1: found values whose squares add up to 0"},
        {"1 2:3,4:5\n", ":1: found ','"},
        {"1 2:3#4\n", ":1: found '3#4', expected a value"},
    };
    const char *folder = test_folder_new();
    leman_context *ctx = test_context_new(1);
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        lm_svmlight reader = {0};
        lm_svmlight_rows rows = {0};
        assert_int_equal(lm_svmlight_open(ctx, test_file_text(folder, "f.svm", CASES[i].text), 1, &reader), LEMAN_OK);
        assert_int_equal(lm_svmlight_next(&reader, 1000, &rows), LEMAN_ERROR_INPUT);
        if (!strstr(leman_context_message(ctx), CASES[i].sentence))
            fail_msg("%s: %s", CASES[i].text, leman_context_message(ctx));
        lm_svmlight_rows_free(&rows);
        lm_svmlight_close(&reader);
    }
    test_context_free(ctx);
    test_folder_remove(folder);
}

static void test_names(void **unused)
{
    (void)unused;
    static const char *const YES[] = {"f.svm", "a/f.svmlight", "f.libsvm.gz"};
    static const char *const NO[] = {"f.npz", "svm", "f.svm.zip", "-", "f.csv"};
    for (size_t i = 0; i < 3; i++) assert_true(lm_svmlight_is(YES[i]));
    for (size_t i = 0; i < 5; i++) assert_false(lm_svmlight_is(NO[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
