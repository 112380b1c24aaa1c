/* Files of sparse features, each read back by the definition of its format. */
#include "support/support.h"

#include "base/context.h"
#include "io/archive/gzip.h"
#include <stdio.h>
#include <unistd.h>
#include <zip.h>

/* Three rows, the second empty; values that need all digits, and large counts. */
static uint64_t START[] = {0, 3, 3, 5};
static uint32_t COLUMN[] = {0, 2, 6, 1, 2};
static double VALUE[] = {1, 0.1 + 0.2, 123456789012345678., 1e-9, 2};
static const leman_features SMALL = {
    .rows = 3, .columns = 7, .entries = 5, .start = START, .column = COLUMN, .value = VALUE};

/* Three graphs without vertices, with classes or `targets` targets. */
static leman_dataset *labels(leman_context *ctx, bool classes, size_t targets)
{
    leman_columns columns = {.classes = classes, .targets = targets};
    leman_builder *b = NULL;
    leman_dataset *data = NULL;
    assert_int_equal(leman_builder_new(ctx, "labels", &columns, &b), LEMAN_OK);
    for (int64_t i = 0; i < 3; i++) {
        int64_t class_label = i - 1;
        double target[2] = {(double)i / 3, 99};
        assert_int_equal(leman_builder_graph(b, NULL, classes ? &class_label : NULL, targets ? target : NULL),
                         LEMAN_OK);
    }
    assert_int_equal(leman_builder_finish(b, NULL, NULL, &data), LEMAN_OK);
    leman_builder_free(b);
    return data;
}

/* The file's text, decompressed where it is compressed; static. */
static char *text_of(const char *path)
{
    static char text[1 << 16];
    gzFile file = gzopen(path, "rb"); /* reads plain files too */
    assert_non_null(file);
    int size = gzread(file, text, sizeof text - 1);
    assert_true(size >= 0);
    gzclose(file);
    text[size] = 0;
    return text;
}

static bool is_compressed(const char *path)
{
    unsigned char mark[2] = {0};
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fread(mark, 1, 2, file), 2);
    fclose(file);
    return mark[0] == 0x1f && mark[1] == 0x8b;
}

static void write_to(leman_context *ctx, const leman_dataset *data, const char *path)
{
    if (leman_features_write(ctx, &SMALL, data, path)) fail_msg("%s", leman_context_message(ctx));
}

/* ---- Text ------------------------------------------------------------------------------------ */

static void assert_svmlight(char *text, const double *label)
{
    for (size_t i = 0; i < 3; i++) {
        assert_true(strtod(text, &text) == label[i]);
        for (uint64_t e = START[i]; e < START[i + 1]; e++) {
            assert_int_equal(*text++, ' ');
            assert_int_equal(strtoul(text, &text, 10), COLUMN[e] + 1);
            assert_int_equal(*text++, ':');
            assert_true(strtod(text, &text) == VALUE[e]);
        }
        assert_int_equal(*text++, '\n');
    }
    assert_int_equal(*text, 0);
}

static void test_svmlight(void **unused)
{
    (void)unused;
    static const char *const NAMES[] = {"f.svm", "f.svmlight", "f.libsvm", "F.SVM", "f.svm.gz", "f.libsvm.GZ"};
    const char *folder = test_folder_new();
    leman_context *ctx = test_context_new(1);
    leman_dataset *classes = labels(ctx, true, 1), *targets = labels(ctx, false, 2), *nothing = labels(ctx, false, 0);
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        const char *path = test_path(folder, NAMES[i]);
        write_to(ctx, classes, path);
        assert_svmlight(text_of(path), (double[]){-1, 0, 1});
        assert_int_equal(is_compressed(path), i >= 4);
        write_to(ctx, targets, path);
        assert_svmlight(text_of(path), (double[]){0, 1.0 / 3, 2.0 / 3});
        write_to(ctx, nothing, path);
        assert_svmlight(text_of(path), (double[]){0, 0, 0});
        write_to(ctx, NULL, path);
        assert_svmlight(text_of(path), (double[]){0, 0, 0});
    }
    write_to(ctx, classes, test_path(folder, "f.svm"));
    assert_string_equal(text_of(test_path(folder, "f.svm")), "-1 1:1 3:0.30000000000000004 7:1.2345678901234568e+17\n"
                                                             "0\n1 2:1e-09 3:2\n");
    leman_dataset_free(classes);
    leman_dataset_free(targets);
    leman_dataset_free(nothing);
    test_context_free(ctx);
    test_folder_remove(folder);
}

static void test_matrix_market(void **unused)
{
    (void)unused;
    static const char *const NAMES[] = {"f.mtx", "f.mtx.gz"};
    const char *folder = test_folder_new();
    leman_context *ctx = test_context_new(1);
    for (size_t i = 0; i < 2; i++) {
        const char *path = test_path(folder, NAMES[i]);
        write_to(ctx, NULL, path);
        assert_string_equal(text_of(path), "%%MatrixMarket matrix coordinate real general\n3 7 5\n"
                                           "1 1 1\n1 3 0.30000000000000004\n1 7 1.2345678901234568e+17\n"
                                           "3 2 1e-09\n3 3 2\n");
        assert_int_equal(is_compressed(path), i == 1);
    }
    test_context_free(ctx);
    test_folder_remove(folder);
}

/* ---- Arrays ---------------------------------------------------------------------------------- */

/* The member is a .npy file with this dictionary, and these bytes follow. */
static void assert_member(zip_t *zip, const char *name, const char *dictionary, const void *bytes, size_t size)
{
    unsigned char content[1024];
    zip_file_t *file = zip_fopen(zip, name, 0);
    assert_non_null(file);
    zip_int64_t got = zip_fread(file, content, sizeof content);
    assert_true(got > 10);
    zip_fclose(file);
    size_t head = 10u + content[8] + 256u * content[9];
    assert_memory_equal(content, "\x93NUMPY\x01\x00", 8);
    assert_memory_equal(content + 10, dictionary, strlen(dictionary));
    assert_int_equal((size_t)got, head + size);
    if (size) assert_memory_equal(content + head, bytes, size);
}

static zip_t *open_zip(const char *path)
{
    int error;
    zip_t *zip = zip_open(path, ZIP_RDONLY | ZIP_CHECKCONS, &error);
    assert_non_null(zip);
    assert_int_equal(zip_get_num_entries(zip, 0), 5);
    return zip;
}

static void test_npz(void **unused)
{
    (void)unused;
    const char *folder = test_folder_new(), *path = test_path(folder, "f.npz");
    leman_context *ctx = test_context_new(1);
    const uint64_t shape[2] = {3, 7};
    write_to(ctx, NULL, path);
    zip_t *zip = open_zip(path);
    assert_member(zip, "data.npy", "{'descr': '<f8', 'fortran_order': False, 'shape': (5,), }", VALUE, sizeof VALUE);
    assert_member(zip, "indices.npy", "{'descr': '<i4', 'fortran_order': False, 'shape': (5,), }", COLUMN,
                  sizeof COLUMN);
    assert_member(zip, "indptr.npy", "{'descr': '<i8', 'fortran_order': False, 'shape': (4,), }", START, sizeof START);
    assert_member(zip, "shape.npy", "{'descr': '<i8', 'fortran_order': False, 'shape': (2,), }", shape, sizeof shape);
    assert_member(zip, "format.npy", "{'descr': '|S3', 'fortran_order': False, 'shape': (), }", "csr", 3);
    zip_close(zip);
    leman_features wide = SMALL; /* column numbers that are no int32 */
    wide.columns = UINT32_MAX;
    assert_int_equal(leman_features_write(ctx, &wide, NULL, path), LEMAN_OK);
    zip = open_zip(path);
    assert_member(zip, "indices.npy", "{'descr': '<u4', 'fortran_order': False, 'shape': (5,), }", COLUMN,
                  sizeof COLUMN);
    zip_close(zip);
    leman_features none = {.start = START};
    assert_int_equal(leman_features_write(ctx, &none, NULL, path), LEMAN_OK);
    zip = open_zip(path);
    assert_member(zip, "data.npy", "{'descr': '<f8', 'fortran_order': False, 'shape': (0,), }", NULL, 0);
    zip_close(zip);
    test_context_free(ctx);
    test_folder_remove(folder);
}

/* ---- What goes wrong ------------------------------------------------------------------------- */

static void test_refusals(void **unused)
{
    (void)unused;
    static const char *const NAMES[] = {"f", "f.csv", "f.gz", "f.npz.gz", "svm", "f.svm.zip"};
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = labels(ctx, true, 0);
    leman_features two = {.rows = 2, .columns = 7, .start = START};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        assert_int_equal(leman_features_check(ctx, NAMES[i]), LEMAN_ERROR_ARGUMENT);
        assert_non_null(strstr(leman_context_message(ctx), "expected .svm, .npz, .mtx or .lmf"));
        assert_int_equal(leman_features_write(ctx, &SMALL, NULL, NAMES[i]), LEMAN_ERROR_ARGUMENT);
        assert_int_not_equal(access(NAMES[i], F_OK), 0);
    }
    assert_int_equal(leman_features_check(ctx, "-"), LEMAN_OK);
    assert_int_equal(leman_features_write(ctx, &two, data, "f.svm"), LEMAN_ERROR_ARGUMENT);
    assert_int_equal(leman_features_write(ctx, &SMALL, data, "/nowhere/f.svm.gz"), LEMAN_ERROR_FILE);
    if (!access("/dev/full", W_OK)) {
        const char *folder = test_folder_new();
        static const char *const FULL[] = {"f.svm", "f.mtx.gz", "f.npz"};
        for (size_t i = 0; i < 3; i++) {
            const char *path = test_path(folder, FULL[i]);
            assert_int_equal(symlink("/dev/full", path), 0);
            assert_int_equal(leman_features_write(ctx, &SMALL, data, path), LEMAN_ERROR_FILE);
            assert_non_null(strstr(leman_context_message(ctx), "cannot be written"));
        }
        test_folder_remove(folder);
    }
    leman_dataset_free(data);
    test_context_free(ctx);
}

static leman_status body(leman_context *ctx, void *path)
{
    return leman_features_write(ctx, &SMALL, NULL, path);
}

static void test_memory(void **unused)
{
    (void)unused;
    static const char *const NAMES[] = {"f.svm", "f.svm.gz", "f.mtx", "f.npz"};
    const char *folder = test_folder_new();
    for (size_t i = 0; i < 4; i++)
        assert_true(test_fail_each_allocation(body, (void *)(uintptr_t)test_path(folder, NAMES[i])) > 1);
    test_folder_remove(folder);
}

/* Compressed bytes depend on the text alone. */
static void test_gzip_has_no_date(void **unused)
{
    (void)unused;
    const char *folder = test_folder_new();
    leman_context *ctx = test_context_new(1);
    lm_gzip file = {0};
    unsigned char head[8];
    const char *path = test_path(folder, "t.gz");
    assert_int_equal(lm_gzip_open(ctx, path, &file), LEMAN_OK);
    for (int i = 0; i < 300000; i++) lm_output_write(file.text, "x", 1); /* more than one buffer */
    assert_int_equal(lm_gzip_commit(&file), LEMAN_OK);
    FILE *read = fopen(path, "rb");
    assert_non_null(read);
    assert_int_equal(fread(head, 1, 8, read), 8);
    fclose(read);
    assert_memory_equal(head + 4, "\0\0\0\0", 4);
    gzFile decompressed = gzopen(path, "rb");
    size_t size = 0;
    while (gzgetc(decompressed) == 'x') size++;
    assert_int_equal(size, 300000);
    gzclose(decompressed);
    assert_int_equal(lm_gzip_open(ctx, test_path(folder, "u.gz"), &file), LEMAN_OK);
    lm_gzip_abort(&file);
    assert_int_not_equal(access(test_path(folder, "u.gz"), F_OK), 0);
    test_context_free(ctx);
    test_folder_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_svmlight), cmocka_unit_test(test_matrix_market), cmocka_unit_test(test_npz),
        cmocka_unit_test(test_refusals), cmocka_unit_test(test_memory),        cmocka_unit_test(test_gzip_has_no_date),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
