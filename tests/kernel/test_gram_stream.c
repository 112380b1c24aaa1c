/* Gram matrices of graphs that are read some at a time: the bytes of those that are computed in memory. */
#include "base/context.h"
#include "io/stream/stream.h"
#include "kernel/feature_files.h"
#include "kernel/kernel.h"
#include <unistd.h>

enum { GRAPHS = 130, FEW = 5, ROUNDS = 2 };

static void assert_same_file(const char *path, contents expected)
{
    contents found = read_file(path);
    assert_int_equal(found.size, expected.size);
    assert_memory_equal(found.data, expected.data, found.size);
    free(found.data);
}

static leman_stream *open_in_slices(leman_context *ctx, const char *path, size_t limit)
{
    leman_stream *stream;
    if (lm_stream_open(ctx, path, NULL, limit, &stream)) fail_msg("%s", leman_context_message(ctx));
    return stream;
}

/* Slices of one graph and more, any number of rows at a time, in every format: products and minima, sums of two
 * kernels, cosines, square matrices and others. */
static void test_same_bytes(void **unused)
{
    (void)unused;
    static const char *const NAMES[] = {"k.npy", "k.csv", "k.txt", "k.svm"};
    const char *folder = test_folder_new();
    char *graphs = strdup(test_path(folder, "a.leman")), *others = strdup(test_path(folder, "b.g6"));
    leman_context *ctx = test_context_new(2);
    leman_dataset *data = molecules(ctx, GRAPHS), *few, *read;
    const size_t which[FEW] = {5, 3, 100, 42, 3};
    double *whole = malloc(GRAPHS * GRAPHS * sizeof *whole);
    assert_int_equal(leman_dataset_select(ctx, data, FEW, which, &few), LEMAN_OK);
    assert_int_equal(leman_dataset_write(ctx, data, graphs, LEMAN_FORMAT_BINARY), LEMAN_OK);
    assert_int_equal(leman_dataset_write(ctx, few, others, LEMAN_FORMAT_GRAPH6), LEMAN_OK);
    assert_int_equal(leman_dataset_read(ctx, others, NULL, NULL, &read), LEMAN_OK);
    for (int way = 0; way < 16; way++) {
        const bool normalize = way & 1, minima = way & 2, against = way & 4;
        const size_t count = way & 8 ? 2 : 1;
        const char *path = test_path(folder, NAMES[way % 4]);
        leman_kernel kernels[2];
        two_kernels(kernels);
        for (int i = 0; i < 2; i++) {
            kernels[i].assignment = minima;
            kernels[i].ignore_vertex_labels = kernels[i].ignore_edge_labels = true; /* graph6 has none */
        }
        assert_int_equal(leman_gram_compute(ctx, data, against ? read : NULL, kernels, count, normalize, whole),
                         LEMAN_OK);
        assert_int_equal(
            leman_matrix_write(ctx, whole, GRAPHS, against ? FEW : GRAPHS, leman_dataset_classes(data), path),
            LEMAN_OK);
        contents expected = read_file(path);
        for (size_t rows = 0, limit = 1; rows < 200; rows = 3 * rows + 4, limit *= 60) {
            leman_stream *stream = open_in_slices(ctx, graphs, limit);
            leman_stream *columns = against ? open_in_slices(ctx, others, limit * 32) : NULL;
            assert_true(limit > 1 || !leman_stream_is_whole(stream));
            unlink(path);
            assert_int_equal(lm_gram_stream(ctx, stream, columns, kernels, count, normalize, rows, path), LEMAN_OK);
            assert_same_file(path, expected);
            leman_stream_free(stream);
            leman_stream_free(columns);
        }
        free(expected.data);
    }
    free(whole);
    free(graphs);
    free(others);
    leman_dataset_free(read);
    leman_dataset_free(few);
    leman_dataset_free(data);
    test_context_free(ctx);
    test_folder_remove(folder);
}

/* A matrix for each number of rounds, of a colouring whose last round has a rule of its own and of one that has none.
 */
static void test_rounds(void **unused)
{
    (void)unused;
    const char *folder = test_folder_new(), *graphs = test_path(folder, "a.leman");
    static const char *const NAMES[] = {"0.npy", "1.npy", "2.npy"};
    leman_context *ctx = test_context_new(2);
    leman_dataset *data = molecules(ctx, GRAPHS);
    double *whole[ROUNDS + 1];
    const char *path[ROUNDS + 1];
    contents expected[ROUNDS + 1];
    for (int h = 0; h <= ROUNDS; h++) whole[h] = malloc(GRAPHS * GRAPHS * sizeof **whole);
    for (int h = 0; h <= ROUNDS; h++) path[h] = test_path(folder, NAMES[h]);
    assert_int_equal(leman_dataset_write(ctx, data, graphs, LEMAN_FORMAT_BINARY), LEMAN_OK);
    for (int way = 0; way < 4; way++) {
        leman_kernel kernel = leman_kernel_default();
        kernel.algorithm = way & 1 ? LEMAN_ALGORITHM_LOCAL_PLUS : LEMAN_ALGORITHM_LOCAL;
        kernel.rounds = ROUNDS;
        assert_int_equal(leman_gram_rounds(ctx, data, NULL, &kernel, way & 2, whole), LEMAN_OK);
        for (int h = 0; h <= ROUNDS; h++) {
            assert_int_equal(leman_matrix_write(ctx, whole[h], GRAPHS, GRAPHS, NULL, path[h]), LEMAN_OK);
            expected[h] = read_file(path[h]);
        }
        for (size_t rows = 0; rows < 100; rows = 2 * rows + 37) {
            const char *wanted[ROUNDS + 1] = {rows ? path[0] : NULL, path[1], path[2]};
            leman_stream *stream = open_in_slices(ctx, graphs, 5000);
            for (int h = 0; h <= ROUNDS; h++) unlink(path[h]);
            assert_int_equal(lm_gram_rounds_stream(ctx, stream, NULL, &kernel, way & 2, rows, wanted), LEMAN_OK);
            leman_stream_free(stream);
            assert_true(!access(path[0], F_OK) == (rows > 0));
            for (int h = rows ? 0 : 1; h <= ROUNDS; h++) assert_same_file(path[h], expected[h]);
        }
        for (int h = 0; h <= ROUNDS; h++) free(expected[h].data);
    }
    for (int h = 0; h <= ROUNDS; h++) free(whole[h]);
    leman_dataset_free(data);
    test_context_free(ctx);
    test_folder_remove(folder);
}

/* Graphs whose labels cannot be compared are refused, wherever in the stream they become known. */
static void test_other_labels(void **unused)
{
    (void)unused;
    const char *folder = test_folder_new(), *graphs = test_path(folder, "a.leman");
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = molecules(ctx, 20);
    leman_kernel kernel = leman_kernel_default();
    assert_int_equal(leman_dataset_write(ctx, data, graphs, LEMAN_FORMAT_BINARY), LEMAN_OK);
    leman_stream *stream = open_in_slices(ctx, graphs, 1);
    leman_stream *columns = open_in_slices(ctx, test_file_text(folder, "b.g6", "Bw\nBg\nBG\nB?\n"), 1);
    assert_int_equal(lm_gram_stream(ctx, stream, columns, &kernel, 1, false, 0, test_path(folder, "k.npy")),
                     LEMAN_ERROR_INPUT);
    assert_non_null(strstr(leman_context_message(ctx), "columns of vertex labels, expected 1, as"));
    assert_int_equal(access(test_path(folder, "k.npy"), F_OK), -1);
    leman_stream_free(stream);
    leman_stream_free(columns);
    leman_dataset_free(data);
    test_context_free(ctx);
    test_folder_remove(folder);
}

typedef struct attempt {
    const char *graphs, *path;
} attempt;

static leman_status body(leman_context *ctx, void *state)
{
    const attempt *a = state;
    leman_stream *stream = NULL;
    leman_kernel kernels[2];
    two_kernels(kernels);
    leman_status st = lm_stream_open(ctx, a->graphs, NULL, 1, &stream);
    if (!st) st = lm_gram_stream(ctx, stream, NULL, kernels, 2, true, 2, a->path);
    leman_stream_free(stream);
    return st;
}

static void test_memory(void **unused)
{
    (void)unused;
    const char *folder = test_folder_new();
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = molecules(ctx, 3);
    attempt a = {test_path(folder, "a.leman"), test_path(folder, "k.npy")};
    assert_int_equal(leman_dataset_write(ctx, data, a.graphs, LEMAN_FORMAT_BINARY), LEMAN_OK);
    assert_true(test_fail_each_allocation(body, &a) > 40);
    leman_dataset_free(data);
    test_context_free(ctx);
    test_folder_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_bytes),
        cmocka_unit_test(test_rounds),
        cmocka_unit_test(test_other_labels),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
