/* Files of columns, and features that go to a file some graphs at a time. */
#include "support/formats.h"
#include "support/graphs.h"
#include "support/support.h"

#include "base/context.h"
#include "base/hash.h"
#include "kernel/feature_columns.h"
#include <stdio.h>
#include <unistd.h>

enum { HEAD = 48, CHECKED_FROM = 24 };

static leman_dataset *molecules(leman_context *ctx, size_t graphs)
{
    leman_family_options options = leman_family_options_default();
    options.graphs = graphs;
    options.vertices = 10;
    return test_made(ctx, LEMAN_FAMILY_MOLECULES, &options);
}

/* Two kernels, one round of one and two of the other. */
static void two_kernels(leman_kernel *kernels)
{
    kernels[0] = kernels[1] = leman_kernel_default();
    kernels[0].coloring.rounds = 1;
    kernels[1].coloring.k = 1;
    kernels[1].coloring.rounds = 2;
    kernels[1].weight = 0.25;
}

typedef struct bytes {
    char *data;
    size_t size;
} bytes;

static bytes read_file(const char *path)
{
    bytes b = {.data = malloc(1 << 24)};
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    b.size = fread(b.data, 1, 1 << 24, file);
    assert_true(b.size < 1 << 24);
    fclose(file);
    return b;
}

/* ---- Columns ------------------------------------------------------------------------------------------------ */

static void test_round_trip(void **unused)
{
    (void)unused;
    const char *folder = test_folder_new(), *path = test_path(folder, "columns");
    leman_context *ctx = test_context_new(2);
    leman_dataset *data = molecules(ctx, 6);
    leman_kernel kernels[2];
    leman_features f, g;
    two_kernels(kernels);
    assert_int_equal(leman_features_take(ctx, data, kernels, 2, NULL, &f), LEMAN_OK);
    assert_int_equal(leman_feature_columns_write(ctx, &f, kernels, 2, path), LEMAN_OK);
    kernels[1].weight = 3; /* weights do not matter to columns */
    assert_int_equal(leman_feature_columns_read(ctx, path, kernels, 2, &g), LEMAN_OK);
    assert_int_equal(g.rows + g.entries, 0);
    assert_int_equal(g.columns, f.columns);
    for (size_t c = 0; c < f.columns; c++) {
        assert_int_equal(g.feature[c].kernel, f.feature[c].kernel);
        assert_int_equal(g.feature[c].round, f.feature[c].round);
        assert_int_equal(g.feature[c].key, f.feature[c].key);
    }
    leman_features_free(ctx, &g);
    g = (leman_features){.feature = f.feature}; /* no columns are columns too */
    assert_int_equal(leman_feature_columns_write(ctx, &g, kernels, 2, path), LEMAN_OK);
    assert_int_equal(leman_feature_columns_read(ctx, path, kernels, 2, &g), LEMAN_OK);
    assert_int_equal(g.columns, 0);
    leman_features_free(ctx, &g);
    leman_features_free(ctx, &f);
    leman_dataset_free(data);
    test_context_free(ctx);
    test_folder_remove(folder);
}

/* Whatever changes what a column means is noticed; one difference at a time. */
static void test_other_kernels(void **unused)
{
    (void)unused;
    const char *folder = test_folder_new(), *path = test_path(folder, "columns");
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = molecules(ctx, 2);
    leman_kernel kernels[2], other[2];
    leman_features f, g;
    two_kernels(kernels);
    assert_int_equal(leman_features_take(ctx, data, kernels, 2, NULL, &f), LEMAN_OK);
    assert_int_equal(leman_feature_columns_write(ctx, &f, kernels, 2, path), LEMAN_OK);
    assert_int_equal(leman_feature_columns_read(ctx, path, kernels, 1, &g), LEMAN_ERROR_INPUT);
    for (int i = 0; i < 9; i++) {
        two_kernels(other);
        leman_coloring *c = &other[1].coloring;
        if (i == 0) c->rounds = 1;
        if (i == 1) c->k = 2;
        if (i == 2) c->algorithm = LEMAN_DELTA;
        if (i == 3) c->ignore_vertex_labels = true;
        if (i == 4) c->ignore_edge_labels = true;
        if (i == 5) c->in_arcs = true;
        if (i == 6) c->seed = 5;
        if (i == 7) other[1].kind = LEMAN_KERNEL_SHORTEST_PATH;
        if (i == 8) other[1].kind = LEMAN_KERNEL_GRAPHLET;
        assert_int_equal(leman_feature_columns_read(ctx, path, other, 2, &g), LEMAN_ERROR_INPUT);
        assert_non_null(
            strstr(leman_context_message(ctx), "found columns of 'local:1, 2 rounds', expected those of '"));
    }
    two_kernels(other);
    other[1].coloring.algorithm = LEMAN_WL; /* for k = 1 the same */
    assert_int_equal(leman_feature_columns_read(ctx, path, other, 2, &g), LEMAN_OK);
    leman_features_free(ctx, &g);
    leman_features_free(ctx, &f);
    leman_dataset_free(data);
    test_context_free(ctx);
    test_folder_remove(folder);
}

static void assert_bad(leman_context *ctx, bytes b, const leman_kernel *kernels, const char *words)
{
    leman_features g = {.rows = 77};
    char *copy = malloc(b.size ? b.size : 1); /* so that reading past the end is noticed */
    memcpy(copy, b.data, b.size);
    assert_int_equal(lm_feature_columns_parse(ctx, "c.map", (lm_bytes){copy, b.size, false}, kernels, 2, &g),
                     LEMAN_ERROR_INPUT);
    assert_int_equal(strncmp(leman_context_message(ctx), "c.map: ", 7), 0);
    if (!strstr(leman_context_message(ctx), words)) fail_msg("%s", leman_context_message(ctx));
    assert_int_equal(g.rows, 77);
    free(copy);
}

static void put(bytes *b, size_t at, uint64_t value, size_t size)
{
    memcpy(b->data + at, &value, size);
    uint64_t sum = lm_checksum(b->data + CHECKED_FROM, b->size - CHECKED_FROM, 1);
    memcpy(b->data + 16, &sum, sizeof sum);
}

static void test_damage(void **unused)
{
    (void)unused;
    const char *folder = test_folder_new(), *path = test_path(folder, "columns");
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = molecules(ctx, 1);
    leman_kernel kernels[2];
    leman_features f;
    two_kernels(kernels);
    assert_int_equal(leman_features_take(ctx, data, kernels, 2, NULL, &f), LEMAN_OK);
    assert_int_equal(leman_feature_columns_write(ctx, &f, kernels, 2, path), LEMAN_OK);
    bytes b = read_file(path);
    for (size_t size = 0; size < b.size; size++) assert_bad(ctx, (bytes){b.data, size}, kernels, "");
    for (size_t i = 0; i < b.size; i++) {
        b.data[i] = (char)(b.data[i] ^ 0x10);
        assert_bad(ctx, b, kernels, "");
        b.data[i] = (char)(b.data[i] ^ 0x10);
    }
    uint64_t text, blocks, columns, first, second;
    memcpy(&text, b.data + 24, 8);
    memcpy(&blocks, b.data + 32, 8);
    memcpy(&columns, b.data + 40, 8);
    assert_int_equal(blocks, 5);
    assert_int_equal(columns, f.columns);
    size_t block = HEAD + (text + 7) / 8 * 8, key = block + 16 * blocks;
    for (int field = 0; field < 3; field++) { /* sizes that wrap */
        uint64_t was = field == 0 ? text : field == 1 ? blocks : columns;
        for (uint64_t wrong = 1; wrong; wrong *= 2)
            if (wrong != was) {
                put(&b, 24 + 8 * (size_t)field, wrong, 8);
                assert_bad(ctx, b, kernels, "");
            }
        put(&b, 24 + 8 * (size_t)field, UINT64_MAX, 8);
        assert_bad(ctx, b, kernels, "cut off");
        put(&b, 24 + 8 * (size_t)field, was, 8);
    }
    put(&b, block, 2, 4); /* a kernel that is not there */
    assert_bad(ctx, b, kernels, "not in order");
    put(&b, block, 1, 4); /* blocks out of order */
    assert_bad(ctx, b, kernels, "not in order");
    put(&b, block, 0, 4);
    put(&b, block + 4, 2, 4); /* a round that is not there */
    assert_bad(ctx, b, kernels, "not in order");
    put(&b, block + 4, 0, 4);
    memcpy(&first, b.data + block + 8, 8);
    put(&b, block + 8, UINT64_MAX, 8); /* more columns in a block than there are */
    assert_bad(ctx, b, kernels, "not in order");
    put(&b, block + 8, first - 1, 8);
    assert_bad(ctx, b, kernels, "not in order");
    put(&b, block + 8, first, 8);
    memcpy(&first, b.data + key, 8);
    memcpy(&second, b.data + key + 8, 8);
    put(&b, key, second, 8); /* a key twice */
    assert_bad(ctx, b, kernels, "not in order");
    put(&b, key, first, 8);
    leman_features g; /* all is well again */
    assert_int_equal(lm_feature_columns_parse(ctx, "c.map", (lm_bytes){b.data, b.size, false}, kernels, 2, &g),
                     LEMAN_OK);
    leman_features_free(ctx, &g);
    uint32_t order;
    memcpy(&order, b.data + 8, 4);
    put(&b, 8, __builtin_bswap32(order), 4);
    assert_bad(ctx, b, kernels, "other byte order");
    put(&b, 8, order, 4);
    put(&b, 12, 2, 4);
    assert_bad(ctx, b, kernels, "found version 2 of the format, expected 1");
    free(b.data);
    leman_features_free(ctx, &f);
    leman_dataset_free(data);
    test_context_free(ctx);
    test_folder_remove(folder);
}

/* ---- Streams ------------------------------------------------------------------------------------------------ */

/* Slices of any size give the file that all graphs at once give. */
static void test_slices(void **unused)
{
    (void)unused;
    const char *folder = test_folder_new();
    leman_context *ctx = test_context_new(2);
    leman_dataset *data = molecules(ctx, 23);
    leman_kernel kernels[2];
    leman_features known, whole;
    two_kernels(kernels);
    const size_t some[] = {0, 1, 2, 3, 4, 5, 6, 7};
    leman_dataset *train;
    assert_int_equal(leman_dataset_select(ctx, data, 8, some, &train), LEMAN_OK);
    assert_int_equal(leman_features_take(ctx, train, kernels, 2, NULL, &known), LEMAN_OK);
    const leman_feature_options ways[] = {
        {.columns = &known}, {.columns = &known, .normalize = true}, {.hash_bits = 6}};
    for (size_t way = 0; way < 3; way++) {
        assert_int_equal(leman_features_take(ctx, data, kernels, 2, ways + way, &whole), LEMAN_OK);
        const char *path = test_path(folder, "whole.svm");
        assert_int_equal(leman_features_write(ctx, &whole, data, path), LEMAN_OK);
        bytes expected = read_file(path);
        for (uint64_t most = 0; most < UINT64_C(1) << 40; most = most * 16 + 500) {
            leman_features sizes;
            path = test_path(folder, "sliced.svm");
            assert_int_equal(lm_features_stream(ctx, data, kernels, 2, ways + way, most, path, &sizes), LEMAN_OK);
            bytes found = read_file(path);
            assert_int_equal(found.size, expected.size);
            assert_memory_equal(found.data, expected.data, found.size);
            free(found.data);
            assert_int_equal(sizes.rows, whole.rows);
            assert_int_equal(sizes.columns, whole.columns);
            assert_int_equal(sizes.entries, whole.entries);
            assert_int_equal(sizes.unseen, whole.unseen);
            assert_true(way == 2 || sizes.unseen > 0);
        }
        free(expected.data);
        leman_features_free(ctx, &whole);
    }
    leman_features_free(ctx, &known);
    leman_dataset_free(train);
    leman_dataset_free(data);
    test_context_free(ctx);
    test_folder_remove(folder);
}

/* The graph at fault has its number in the file, not in its slice; and no file is left. */
static void test_refused_in_a_slice(void **unused)
{
    (void)unused;
    const char *folder = test_folder_new(), *path = test_path(folder, "f.svm");
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = molecules(ctx, 6), *repeated;
    const size_t which[] = {0, 0, 0, 0, 1, 0};
    leman_kernel kernels[2];
    leman_features known, sizes = {.rows = 77};
    two_kernels(kernels);
    assert_int_equal(leman_dataset_select(ctx, data, 1, which, &repeated), LEMAN_OK);
    assert_int_equal(leman_features_take(ctx, repeated, kernels, 2, NULL, &known), LEMAN_OK);
    leman_dataset_free(repeated);
    assert_int_equal(leman_dataset_select(ctx, data, 6, which, &repeated), LEMAN_OK);
    leman_feature_options options = {.columns = &known, .refuse_unseen = true};
    assert_int_equal(lm_features_stream(ctx, repeated, kernels, 2, &options, 1, path, &sizes), LEMAN_ERROR_INPUT);
    assert_non_null(strstr(leman_context_message(ctx), "graph 5 has feature "));
    assert_int_not_equal(access(path, F_OK), 0);
    assert_int_equal(sizes.rows, 77);
    leman_features_free(ctx, &known);
    leman_dataset_free(repeated);
    leman_dataset_free(data);
    test_context_free(ctx);
    test_folder_remove(folder);
}

/* Saving logs what was left out, once for all slices. */
static void test_log_of_unseen(void **unused)
{
    (void)unused;
    const char *folder = test_folder_new();
    test_log log;
    test_log_new(&log);
    leman_dataset *data = molecules(log.ctx, 5), *one;
    leman_kernel kernel = leman_kernel_default();
    leman_features known, sizes;
    size_t which = 2;
    assert_int_equal(leman_dataset_select(log.ctx, data, 1, &which, &one), LEMAN_OK);
    assert_int_equal(leman_features_take(log.ctx, one, &kernel, 1, NULL, &known), LEMAN_OK);
    leman_feature_options options = {.columns = &known};
    static const char *const NAMES[] = {"f.svm", "f.npz"};
    char expected[256];
    *log.text = 0;
    for (int i = 0; i < 2; i++) {
        const char *path = test_path(folder, NAMES[i]);
        assert_int_equal(leman_features_save(log.ctx, data, &kernel, 1, &options, path, &sizes), LEMAN_OK);
        snprintf(expected, sizeof expected, "%s: left out %llu of %llu entries, whose features have no column\n",
                 leman_dataset_shape(data).name, (unsigned long long)sizes.unseen,
                 (unsigned long long)(sizes.unseen + sizes.entries));
        assert_string_equal(log.text, expected);
        assert_null(sizes.start);
        *log.text = 0;
    }
    leman_features_free(log.ctx, &known);
    leman_dataset_free(one);
    leman_dataset_free(data);
    test_log_free(&log);
    test_folder_remove(folder);
}

/* ---- Memory ------------------------------------------------------------------------------------------------- */

typedef struct attempt {
    leman_dataset *data;
    leman_kernel kernels[2];
    const leman_features *known;
    const char *columns, *path;
} attempt;

static leman_status body(leman_context *ctx, void *state)
{
    leman_status st = LEMAN_OK;
    const attempt *a = state;
    leman_features read = {0}, sizes;
    leman_feature_options options = {.columns = &read};
    TRY(leman_feature_columns_write(ctx, a->known, a->kernels, 2, a->columns));
    TRY(leman_feature_columns_read(ctx, a->columns, a->kernels, 2, &read));
    TRY(leman_features_save(ctx, a->data, a->kernels, 2, &options, a->path, &sizes));
done:
    leman_features_free(ctx, &read);
    return st;
}

static void test_memory(void **unused)
{
    (void)unused;
    const char *folder = test_folder_new();
    leman_context *ctx = test_context_new(1);
    leman_features known;
    attempt a = {.data = molecules(ctx, 3), .columns = test_path(folder, "c"), .path = test_path(folder, "f.svm")};
    two_kernels(a.kernels);
    assert_int_equal(leman_features_take(ctx, a.data, a.kernels, 2, NULL, &known), LEMAN_OK);
    a.known = &known;
    assert_true(test_fail_each_allocation(body, &a) > 10);
    a.path = test_path(folder, "f.npz");
    assert_true(test_fail_each_allocation(body, &a) > 10);
    leman_features_free(ctx, &known);
    leman_dataset_free(a.data);
    test_context_free(ctx);
    test_folder_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_other_kernels),
        cmocka_unit_test(test_damage),
        cmocka_unit_test(test_slices),
        cmocka_unit_test(test_refused_in_a_slice),
        cmocka_unit_test(test_log_of_unseen),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
