/* Gram matrices in parts of their rows: the bytes of the whole matrix. */
#include "base/context.h"
#include "kernel/feature_files.h"
#include "kernel/kernel.h"
#include <unistd.h>

static void assert_same_file(const char *path, contents expected)
{
    contents found = read_file(path);
    assert_int_equal(found.size, expected.size);
    assert_memory_equal(found.data, expected.data, found.size);
    free(found.data);
}

/* Any number of rows at a time, in every format: products and minima, sums of two kernels, cosines, square matrices and
 * others, few graphs and as many as a table of shared colours takes. */
static void test_same_bytes(void **unused)
{
    (void)unused;
    static const char *const NAMES[] = {"k.npy", "k.csv", "k.txt", "k.svm"};
    const char *folder = test_folder_new();
    leman_context *ctx = test_context_new(2);
    leman_dataset *data = molecules(ctx, 130), *few;
    const size_t which[] = {5, 3, 100, 42, 3};
    double *whole = malloc(130 * 130 * sizeof *whole);
    assert_int_equal(leman_dataset_select(ctx, data, 5, which, &few), LEMAN_OK);
    for (int way = 0; way < 16; way++) {
        const bool normalize = way & 1, minima = way & 2, against = way & 4;
        const size_t count = way & 8 ? 2 : 1;
        const char *path = test_path(folder, NAMES[way % 4]);
        leman_kernel kernels[2];
        two_kernels(kernels);
        kernels[0].assignment = kernels[1].assignment = minima;
        const leman_dataset *columns = against ? few : NULL;
        assert_int_equal(leman_gram_compute(ctx, data, columns, kernels, count, normalize, whole), LEMAN_OK);
        assert_int_equal(leman_matrix_write(ctx, whole, 130, against ? 5 : 130, leman_dataset_classes(data), path),
                         LEMAN_OK);
        contents expected = read_file(path);
        for (size_t rows = 1; rows < 200; rows = 3 * rows + 4) {
            unlink(path);
            assert_int_equal(lm_gram_tiles(ctx, data, columns, kernels, count, normalize, rows, path), LEMAN_OK);
            assert_same_file(path, expected);
        }
        assert_int_equal(leman_gram_save(ctx, data, columns, kernels, count, normalize, path), LEMAN_OK);
        assert_same_file(path, expected);
        free(expected.data);
    }
    free(whole);
    leman_dataset_free(few);
    leman_dataset_free(data);
    test_context_free(ctx);
    test_folder_remove(folder);
}

/* Rounds until nothing splits are those of all graphs, not of the rows at hand; no graphs make an empty matrix. */
static void test_stable_and_none(void **unused)
{
    (void)unused;
    const char *folder = test_folder_new(), *path = test_path(folder, "k.npy");
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = molecules(ctx, 9), *none;
    leman_kernel kernel = leman_kernel_default();
    double whole[81];
    kernel.coloring.k = 1;
    kernel.coloring.rounds = LEMAN_STABLE;
    assert_int_equal(leman_gram_compute(ctx, data, NULL, &kernel, 1, false, whole), LEMAN_OK);
    assert_int_equal(leman_matrix_write(ctx, whole, 9, 9, NULL, path), LEMAN_OK);
    contents expected = read_file(path);
    assert_int_equal(lm_gram_tiles(ctx, data, NULL, &kernel, 1, false, 1, path), LEMAN_OK);
    assert_same_file(path, expected);
    free(expected.data);
    assert_int_equal(leman_dataset_select(ctx, data, 0, (const size_t[]){0}, &none), LEMAN_OK);
    assert_int_equal(leman_matrix_write(ctx, NULL, 0, 0, NULL, path), LEMAN_OK);
    expected = read_file(path);
    assert_int_equal(leman_gram_save(ctx, none, NULL, &kernel, 1, false, path), LEMAN_OK);
    assert_same_file(path, expected);
    free(expected.data);
    leman_dataset_free(none);
    leman_dataset_free(data);
    test_context_free(ctx);
    test_folder_remove(folder);
}

typedef struct attempt {
    leman_dataset *data;
    const char *path;
} attempt;

static leman_status body(leman_context *ctx, void *state)
{
    const attempt *a = state;
    leman_kernel kernels[2];
    two_kernels(kernels);
    return lm_gram_tiles(ctx, a->data, NULL, kernels, 2, true, 2, a->path);
}

static void test_memory(void **unused)
{
    (void)unused;
    const char *folder = test_folder_new();
    leman_context *ctx = test_context_new(1);
    attempt a = {molecules(ctx, 3), test_path(folder, "k.npy")};
    assert_true(test_fail_each_allocation(body, &a) > 20);
    leman_dataset_free(a.data);
    test_context_free(ctx);
    test_folder_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_bytes),
        cmocka_unit_test(test_stable_and_none),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
