/* Dense matrices as files: what other tests do not cover. tests/cli/test_gram.py reads them back. */
#include "support/support.h"

#include <unistd.h>

static bool stop(void *user, const leman_progress *progress)
{
    ++*(int *)user;
    (void)progress;
    return false;
}

static leman_context *stopping_context(int *asked)
{
    leman_context *ctx = NULL;
    leman_settings settings = leman_settings_default();
    settings.progress = stop;
    settings.callback_user = asked;
    assert_int_equal(leman_context_new(&settings, &ctx), LEMAN_OK);
    return ctx;
}

/* The caller can cancel between rows of text, and nothing is left of the file. */
static void test_stopping(void **unused)
{
    (void)unused;
    static const char *const NAMES[] = {"k.csv", "k.txt", "k.svm"};
    static const double VALUE[4] = {1, 2, 2, 3};
    const char *folder = test_folder_new();
    int asked = 0;
    leman_context *ctx = stopping_context(&asked);
    for (size_t i = 0; i < 3; i++) {
        const char *path = test_path(folder, NAMES[i]);
        asked = 0;
        assert_int_equal(leman_matrix_write(ctx, VALUE, 2, 2, NULL, path), LEMAN_ERROR_CANCELLED);
        assert_non_null(strstr(leman_context_message(ctx), "k."));
        assert_int_equal(asked, 1);
        assert_int_not_equal(access(path, F_OK), 0);
    }
    leman_context_free(ctx);
    test_folder_remove(folder);
}

/* The same inside a long row of features, whose compression takes a while. */
static void test_stopping_features(void **unused)
{
    (void)unused;
    enum { ENTRIES = 6000000 };
    static const char *const NAMES[] = {"f.svm.gz", "f.mtx.gz"};
    const char *folder = test_folder_new();
    int asked = 0;
    leman_context *ctx = stopping_context(&asked);
    uint64_t start[] = {0, ENTRIES};
    leman_features f = {.rows = 1, .columns = ENTRIES, .entries = ENTRIES, .start = start};
    f.column = malloc(ENTRIES * sizeof *f.column);
    f.value = malloc(ENTRIES * sizeof *f.value);
    for (uint32_t i = 0; i < ENTRIES; i++) {
        f.column[i] = i;
        f.value[i] = 1;
    }
    for (size_t i = 0; i < 2; i++) {
        const char *path = test_path(folder, NAMES[i]);
        assert_int_equal(leman_features_write(ctx, &f, NULL, path), LEMAN_ERROR_CANCELLED);
        assert_int_not_equal(access(path, F_OK), 0);
    }
    free(f.column);
    free(f.value);
    leman_context_free(ctx);
    test_folder_remove(folder);
}

static void test_endings(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    static const char *const GOOD[] = {"k.npy", "k.csv", "k.txt", "k.svm", "k.libsvm", "-"}, *const BAD[] = {
                                                                                                 "k", "k.npz", "csv",
                                                                                                 "-.gz", ""};
    for (size_t i = 0; i < sizeof GOOD / sizeof *GOOD; i++)
        assert_int_equal(leman_matrix_check(ctx, GOOD[i]), LEMAN_OK);
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++)
        assert_int_equal(leman_matrix_check(ctx, BAD[i]), LEMAN_ERROR_ARGUMENT);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_stopping), cmocka_unit_test(test_stopping_features),
                                       cmocka_unit_test(test_endings)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
