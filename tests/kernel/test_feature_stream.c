/* Features that go to a file some graphs at a time, against all of them at once. */
#include "kernel/feature_files.h"
#include "support/formats.h"
#include "support/meter.h"

#include "base/context.h"
#include "io/stream/stream.h"
#include "kernel/features/features.h"
#include "kernel/features/saving.h"
#include "kernel/kernel.h"
#include <stdio.h>
#include <unistd.h>

enum { OPTIONS = sizeof(leman_feature_options) };

/* leman_features_save() in slices of at most `max` tuples in all rounds, or of one graph. */
static leman_status save_in_slices(leman_context *ctx, const leman_dataset *data, const leman_kernel *normal,
                                   size_t count, const leman_feature_options *options, uint64_t max, const char *path,
                                   leman_features *sizes)
{
    const lm_saving saving = {
        .ctx = ctx, .data = data, .normal = normal, .count = count, .options = options, .max = max, .path = path};
    return lm_saving_run(&saving, sizes);
}

/* ---- Slices ---------------------------------------------------------------------------------- */

static void assert_same_file(const char *path, contents expected)
{
    contents found = read_file(path);
    assert_int_equal(found.size, expected.size);
    assert_memory_equal(found.data, expected.data, found.size);
    free(found.data);
}

static const char *const NAMES[] = {"f.svm", "f.mtx", "f.npz", "f.lmf", "f.svm.gz"};

/* Slices of any size give the file that all graphs at once give, in every format, with new columns, those of other
 * graphs, and folded ones. */
static void test_slices(void **unused)
{
    (void)unused;
    const char *folder = test_folder_new();
    leman_context *ctx = test_context_new(2);
    leman_dataset *data = molecules(ctx, 23);
    leman_kernel kernels[2];
    leman_features *known, *whole;
    two_kernels(kernels);
    const size_t some[] = {0, 1, 2, 3, 4, 5, 6, 7};
    leman_dataset *train;
    assert_int_equal(leman_dataset_select(ctx, data, 8, some, &train), LEMAN_OK);
    assert_int_equal(leman_features_compute(ctx, train, kernels, 2, NULL, &known), LEMAN_OK);
    const leman_feature_options ways[] = {{.size = OPTIONS},
                                          {.size = OPTIONS, .normalize = true},
                                          {.size = OPTIONS, .columns = known},
                                          {.size = OPTIONS, .columns = known, .normalize = true},
                                          {.size = OPTIONS, .hash_bits = 6}};
    for (size_t way = 0; way < 5; way++)
        for (size_t format = 0; format < 5; format++) {
            assert_int_equal(leman_features_compute(ctx, data, kernels, 2, ways + way, &whole), LEMAN_OK);
            const char *path = test_path(folder, NAMES[format]);
            if (ways[way].columns) whole->feature = known->feature; /* their names are part of our own format */
            assert_int_equal(leman_features_write(ctx, whole, data, path), LEMAN_OK);
            if (ways[way].columns) whole->feature = NULL;
            contents expected = read_file(path);
            for (uint64_t max = 0; max < UINT64_C(1) << 40; max = max * 16 + 500) {
                leman_features sizes;
                assert_int_equal(save_in_slices(ctx, data, kernels, 2, ways + way, max, path, &sizes), LEMAN_OK);
                assert_same_file(path, expected);
                assert_int_equal(sizes.rows, whole->rows);
                assert_int_equal(sizes.columns, whole->columns);
                assert_int_equal(sizes.entries, whole->entries);
                assert_int_equal(sizes.out_of_vocabulary, whole->out_of_vocabulary);
                assert_true((way == 2 || way == 3) == (sizes.out_of_vocabulary > 0));
                assert_int_equal(sizes.blocks, whole->blocks);
                assert_int_equal(sizes.blocks, way == 4 ? 0 : 5);
                for (size_t i = 0; i < sizes.blocks; i++)
                    assert_memory_equal(sizes.block + i, whole->block + i, sizeof *sizes.block);
                lm_features_clear(&sizes);
            }
            free(expected.data);
            leman_features_free(whole);
        }
    leman_features_free(known);
    leman_dataset_free(train);
    leman_dataset_free(data);
    test_context_free(ctx);
    test_folder_remove(folder);
}

/* Threads take slices of many graphs each, and make the text of slices; the file is that of one thread. */
static void test_threads(void **unused)
{
    (void)unused;
    enum { MAX = 8000 };
    const char *folder = test_folder_new();
    leman_context *one = test_context_new(1), *three = test_context_new(3);
    leman_dataset *data = molecules(one, 211);
    leman_kernel kernels[2];
    leman_features *known, *whole, sizes;
    two_kernels(kernels);
    assert_true(lm_features_slice(data, kernels, 2, MAX, 0) >= 16); /* graphs from which a thread takes a slice */
    assert_true(lm_features_slice(data, kernels, 2, MAX, 0) < 211 / 4);
    const size_t some[] = {3, 1, 4, 15, 9, 2, 6, 5};
    leman_dataset *train;
    assert_int_equal(leman_dataset_select(one, data, 8, some, &train), LEMAN_OK);
    assert_int_equal(leman_features_compute(one, train, kernels, 2, NULL, &known), LEMAN_OK);
    const leman_feature_options ways[] = {
        {.size = OPTIONS}, {.size = OPTIONS, .columns = known}, {.size = OPTIONS, .hash_bits = 6}};
    for (size_t way = 0; way < 3; way++)
        for (size_t format = 0; format < 5; format++) {
            const char *path = test_path(folder, NAMES[format]);
            assert_int_equal(leman_features_compute(one, data, kernels, 2, ways + way, &whole), LEMAN_OK);
            if (ways[way].columns) whole->feature = known->feature;
            assert_int_equal(leman_features_write(one, whole, data, path), LEMAN_OK);
            if (ways[way].columns) whole->feature = NULL;
            contents expected = read_file(path);
            assert_int_equal(save_in_slices(three, data, kernels, 2, ways + way, MAX, path, &sizes), LEMAN_OK);
            assert_same_file(path, expected);
            assert_int_equal(sizes.rows, 211);
            assert_int_equal(sizes.out_of_vocabulary, whole->out_of_vocabulary);
            lm_features_clear(&sizes);
            free(expected.data);
            leman_features_free(whole);
        }
    test_meter meter;
    leman_context *stopped = test_meter_context(&meter, 0, 3);
    meter.says_stop = true; /* a caller that cancels when first asked: no file, nothing lost */
    const char *path = test_path(folder, "stopped.svm");
    assert_int_equal(save_in_slices(stopped, data, kernels, 2, ways, MAX, path, &sizes), LEMAN_ERROR_CANCELLED);
    assert_int_not_equal(access(path, F_OK), 0);
    test_meter_free(&meter, stopped);
    leman_features_free(known);
    leman_dataset_free(train);
    leman_dataset_free(data);
    test_context_free(three);
    test_context_free(one);
    test_folder_remove(folder);
}

/* Cycles of so many vertices. */
static leman_dataset *cycles(leman_context *ctx, const size_t *vertices, size_t graphs)
{
    leman_builder *builder;
    leman_dataset *data;
    assert_int_equal(leman_builder_new(ctx, "cycles", &(leman_columns){0}, &builder), LEMAN_OK);
    for (size_t g = 0; g < graphs; g++) {
        assert_int_equal(leman_builder_graph(builder, NULL, NULL, NULL), LEMAN_OK);
        for (size_t v = 0; v < vertices[g]; v++)
            assert_int_equal(leman_builder_vertex(builder, NULL, NULL, NULL), LEMAN_OK);
        for (size_t v = 0; v < vertices[g]; v++)
            assert_int_equal(leman_builder_edge(builder, v, (v + 1) % vertices[g], NULL, NULL), LEMAN_OK);
    }
    assert_int_equal(leman_builder_finish(builder, NULL, NULL, &data), LEMAN_OK);
    leman_builder_free(builder);
    return data;
}

/* Who cancels need not wait for slices that take long: neither of a large graph behind small ones, nor of many graphs.
 * Each takes many seconds. */
static void test_cancelled_in_a_slice(void **unused)
{
    (void)unused;
    enum { SMALL = 20, MANY = 40 };
    const char *folder = test_folder_new(), *path = test_path(folder, "stopped.svm");
    leman_kernel kernel = leman_kernel_default();
    const leman_feature_options options = {.size = OPTIONS};
    size_t large_behind_small[SMALL + 1], equal[MANY];
    kernel.coloring.k = 3;
    kernel.coloring.rounds = 300;
    for (size_t g = 0; g < SMALL; g++) large_behind_small[g] = 3;
    large_behind_small[SMALL] = 150;
    for (size_t g = 0; g < MANY; g++) equal[g] = 60;
    for (int i = 0; i < 2; i++) {
        test_meter meter;
        leman_context *ctx = test_meter_context(&meter, 0, 2);
        leman_dataset *data = cycles(ctx, i ? equal : large_behind_small, i ? MANY : SMALL + 1);
        const uint64_t max = (uint64_t)(kernel.coloring.rounds + 1) * (i ? 60 * 60 * 60 : 3 * 3 * 3) * SMALL;
        leman_features sizes;
        assert_int_equal(lm_features_slice(data, &kernel, 1, max, 0), SMALL);
        meter.says_stop = true;
        const double began = lm_now();
        assert_int_equal(save_in_slices(ctx, data, &kernel, 1, &options, max, path, &sizes), LEMAN_ERROR_CANCELLED);
        assert_true(lm_now() - began < 3);
        assert_int_not_equal(access(path, F_OK), 0);
        leman_dataset_free(data);
        test_meter_free(&meter, ctx);
    }
    test_folder_remove(folder);
}

/* Without a device, "auto" is the CPU, where threads share slices. */
static void test_automatic_device(void **unused)
{
    (void)unused;
    leman_settings settings = leman_settings_default();
    leman_context *ctx = NULL;
    leman_kernel kernel = leman_kernel_default();
    bool wanted = true;
    settings.device = "auto";
    assert_int_equal(leman_context_new(&settings, &ctx), LEMAN_OK);
    assert_int_equal(lm_kernels_want_device(ctx, &kernel, 1, &wanted), LEMAN_OK);
    assert_int_equal(wanted, leman_cuda_devices() > 0);
    leman_context_free(ctx);
}

/* A slice ends before the graph whose tuples would take it beyond the limit, and has at least one graph. Tuples are
 * those of the kernels that are counted, of `count` and no more, in each of their rounds and before the first. */
static void test_slice_limits(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = molecules(ctx, 23);
    leman_kernel kernels[2];
    two_kernels(kernels);
    for (size_t count = 1; count <= 2; count++)
        for (uint64_t max = 0; max < UINT64_C(1) << 20; max = max * 3 + 100)
            for (size_t first = 0; first < data->graphs; first++) {
                size_t end = lm_features_slice(data, kernels, count, max, first);
                uint64_t inside = 0, next = 0;
                assert_true(end > first && end <= data->graphs);
                for (size_t g = first; g <= end && g < data->graphs; g++) {
                    uint64_t n = leman_dataset_graph(data, g).vertices, tuples = 0;
                    for (size_t i = 0; i < count; i++)
                        tuples += (kernels[i].coloring.k == 1 ? n : n * n) * (kernels[i].coloring.rounds + 1);
                    *(g < end ? &inside : &next) += tuples;
                }
                assert_true(inside <= max || end == first + 1);
                assert_true(end == data->graphs || inside + next > max);
            }
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* No graphs at all, and graphs without vertices. */
static void test_nothing(void **unused)
{
    (void)unused;
    const char *folder = test_folder_new();
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = molecules(ctx, 2), *none;
    leman_kernel kernels[2];
    leman_features *whole;
    leman_features sizes;
    two_kernels(kernels);
    assert_int_equal(leman_dataset_select(ctx, data, 0, (const size_t[]){0}, &none), LEMAN_OK);
    for (size_t format = 0; format < 5; format++) {
        const char *path = test_path(folder, NAMES[format]);
        assert_int_equal(leman_features_compute(ctx, none, kernels, 2, NULL, &whole), LEMAN_OK);
        assert_int_equal(leman_features_write(ctx, whole, none, path), LEMAN_OK);
        contents expected = read_file(path);
        assert_int_equal(
            save_in_slices(ctx, none, kernels, 2, &(leman_feature_options){.size = OPTIONS}, 0, path, &sizes),
            LEMAN_OK);
        assert_same_file(path, expected);
        assert_int_equal(sizes.rows + sizes.columns + sizes.entries, 0);
        free(expected.data);
        lm_features_clear(&sizes);
        leman_features_free(whole);
    }
    leman_dataset_free(none);
    leman_dataset_free(data);
    test_context_free(ctx);
    test_folder_remove(folder);
}

/* The new columns are kept beside the features: the file that they give by themselves. Where either cannot be written,
 * neither is there. */
static void test_kept_columns(void **unused)
{
    (void)unused;
    const char *folder = test_folder_new();
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = molecules(ctx, 9);
    leman_kernel kernels[2];
    leman_features *whole, *saved = NULL;
    leman_features sizes;
    char columns[512], path[512];
    two_kernels(kernels);
    snprintf(columns, sizeof columns, "%s", test_path(folder, "columns"));
    snprintf(path, sizeof path, "%s", test_path(folder, "f.svm"));
    assert_int_equal(leman_features_compute(ctx, data, kernels, 2, NULL, &whole), LEMAN_OK);
    assert_int_equal(leman_feature_columns_write(ctx, whole, test_path(folder, "whole")), LEMAN_OK);
    contents expected = read_file(test_path(folder, "whole"));
    leman_feature_options options = {.size = OPTIONS, .keep = columns};
    for (uint64_t max = 0; max < 1 << 20; max = 8 * max + 300) {
        assert_int_equal(save_in_slices(ctx, data, kernels, 2, &options, max, path, &sizes), LEMAN_OK);
        lm_features_clear(&sizes);
        contents found = read_file(columns);
        leman_features *read;
        assert_int_equal(leman_feature_columns_read(ctx, columns, &read), LEMAN_OK);
        assert_int_equal(read->columns, whole->columns);
        assert_int_equal(found.size, expected.size);
        assert_memory_equal(found.data, expected.data, found.size);
        leman_features_free(read);
        free(found.data);
        unlink(columns);
        unlink(path);
    }
    assert_int_equal(leman_features_save(ctx, data, kernels, 2, &options, "/nowhere/f.svm", &saved), LEMAN_ERROR_FILE);
    assert_int_not_equal(access(columns, F_OK), 0);
    options.keep = "/nowhere/columns";
    assert_int_equal(leman_features_save(ctx, data, kernels, 2, &options, path, &saved), LEMAN_ERROR_FILE);
    assert_int_not_equal(access(path, F_OK), 0);
    options.keep = columns;
    FILE *other = fopen(columns, "w"); /* of another run, which was quicker */
    assert_non_null(other);
    assert_true(fputs("other", other) >= 0 && !fclose(other));
    assert_int_equal(leman_features_save(ctx, data, kernels, 2, &options, path, &saved), LEMAN_ERROR_FILE);
    assert_int_not_equal(access(path, F_OK), 0);
    contents stays = read_file(columns);
    assert_int_equal(stays.size, 5);
    assert_memory_equal(stays.data, "other", 5);
    free(stays.data);
    unlink(columns);
    if (!access("/dev/full", W_OK)) { /* a device that is full when the features are flushed */
        const char *full = test_path(folder, "full.svm");
        assert_int_equal(symlink("/dev/full", full), 0);
        assert_int_equal(leman_features_save(ctx, data, kernels, 2, &options, full, &saved), LEMAN_ERROR_FILE);
        assert_int_not_equal(access(columns, F_OK), 0);
    }
    options.hash_bits = 3;
    assert_int_equal(leman_features_save(ctx, data, kernels, 2, &options, path, &saved), LEMAN_ERROR_ARGUMENT);
    assert_null(saved);
    free(expected.data);
    leman_features_free(whole);
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
    leman_features *known;
    leman_features sizes = {.rows = 77};
    two_kernels(kernels);
    assert_int_equal(leman_dataset_select(ctx, data, 1, which, &repeated), LEMAN_OK);
    assert_int_equal(leman_features_compute(ctx, repeated, kernels, 2, NULL, &known), LEMAN_OK);
    leman_dataset_free(repeated);
    assert_int_equal(leman_dataset_select(ctx, data, 6, which, &repeated), LEMAN_OK);
    leman_feature_options options = {.size = OPTIONS, .columns = known, .refuse_out_of_vocabulary = true};
    assert_int_equal(save_in_slices(ctx, repeated, kernels, 2, &options, 1, path, &sizes), LEMAN_ERROR_INPUT);
    assert_non_null(strstr(leman_context_message(ctx), "graph 4 has feature "));
    assert_int_not_equal(access(path, F_OK), 0);
    assert_int_equal(sizes.rows, 77);
    leman_features_free(known);
    leman_dataset_free(repeated);
    leman_dataset_free(data);
    test_context_free(ctx);
    test_folder_remove(folder);
}

/* Saving logs what was left out, once for all slices. */
static void test_log_of_out_of_vocabulary(void **unused)
{
    (void)unused;
    const char *folder = test_folder_new();
    test_log log;
    test_log_new(&log);
    leman_dataset *data = molecules(log.ctx, 5), *one;
    leman_kernel kernel = leman_kernel_default();
    leman_features *known, *sizes;
    size_t which = 2;
    assert_int_equal(leman_dataset_select(log.ctx, data, 1, &which, &one), LEMAN_OK);
    assert_int_equal(leman_features_compute(log.ctx, one, &kernel, 1, NULL, &known), LEMAN_OK);
    leman_feature_options options = {.size = OPTIONS, .columns = known};
    char expected[256];
    *log.text = 0;
    for (int i = 0; i < 4; i++) {
        const char *path = test_path(folder, NAMES[i]);
        assert_int_equal(leman_features_save(log.ctx, data, &kernel, 1, &options, path, &sizes), LEMAN_OK);
        snprintf(expected, sizeof expected, "%s: left out %llu of %llu entries, whose features have no column\n",
                 leman_dataset_shape(data)->name, (unsigned long long)sizes->out_of_vocabulary,
                 (unsigned long long)(sizes->out_of_vocabulary + sizes->entries));
        assert_string_equal(log.text, expected);
        assert_null(sizes->start);
        leman_features_free(sizes);
        *log.text = 0;
    }
    leman_features strange = {.feature = &(leman_feature){0, 0, 1}, .columns = 1}; /* nothing is of that colour */
    options.columns = &strange;
    assert_int_equal(leman_features_save(log.ctx, data, &kernel, 1, &options, test_path(folder, "f.svm"), &sizes),
                     LEMAN_OK);
    assert_int_equal(sizes->entries, 0);
    assert_non_null(strstr(log.text, ": left out all "));
    assert_non_null(strstr(log.text, " entries: no feature of these graphs has a column\n"));
    leman_features_free(sizes);
    leman_features_free(known);
    leman_dataset_free(one);
    leman_dataset_free(data);
    test_log_free(&log);
    test_folder_remove(folder);
}

/* ---- Streams --------------------------------------------------------------------------------- */

static const char TABLE[] = "smiles,name,kind,weight\nCCO,ethanol,alcohol,46.07\nC,methane,alkane,16.04\n"
                            "CC(=O)[O-],acetate,ion,\nc1ccccc1,benzene,ring,78.11\nO,water,,18.02\n"
                            "C1CC1,cyclopropane,ring,42.08\nCCCCCCCC,octane,alkane,114.23\nN#N,nitrogen,,28.01\n"
                            "c1ccccc1CCO,phenethyl alcohol,alcohol,122.16\nCC,ethane,alkane,30.07\n";

/* A stream gives the file that its graphs give when they are read at once, with the same labels, in every format. */
static void test_stream(void **unused)
{
    (void)unused;
    const char *folder = test_folder_new();
    leman_context *ctx = test_context_new(1);
    leman_dataset *data, *alone;
    leman_kernel kernels[2];
    leman_features *sizes, *found;
    leman_read_options reading = leman_read_options_default();
    char input[512], path[512];
    snprintf(input, sizeof input, "%s", test_file_text(folder, "t.csv", TABLE));
    two_kernels(kernels);
    reading.class_column = "kind";
    assert_int_equal(leman_dataset_read(ctx, input, &reading, NULL, &data), LEMAN_OK);
    assert_int_equal(leman_dataset_use_target(ctx, data, 0, &alone), LEMAN_OK);
    const leman_feature_options ways[] = {{.size = OPTIONS}, {.size = OPTIONS, .normalize = true, .hash_bits = 5}};
    for (int way = 0; way < 4; way++)
        for (size_t format = 0; format < 5; format++) {
            const leman_feature_options *options = ways + way % 2;
            snprintf(path, sizeof path, "%s", test_path(folder, NAMES[format]));
            assert_int_equal(leman_features_save(ctx, way < 2 ? data : alone, kernels, 2, options, path, &sizes),
                             LEMAN_OK);
            contents expected = read_file(path);
            for (size_t limit = 200; limit < 20000; limit *= 5) {
                leman_stream *stream;
                assert_int_equal(lm_stream_open(ctx, input, &reading, limit, &stream), LEMAN_OK);
                if (leman_features_save_stream(ctx, stream, kernels, 2, options, way < 2 ? NULL : "weight", path,
                                               &found))
                    fail_msg("%s", leman_context_message(ctx));
                assert_same_file(path, expected);
                assert_int_equal(found->rows, sizes->rows);
                assert_int_equal(found->entries, sizes->entries);
                leman_features_free(found);
                leman_stream_free(stream);
            }
            free(expected.data);
            leman_features_free(sizes);
        }
    leman_dataset_free(alone);
    leman_dataset_free(data);
    test_context_free(ctx);
    test_folder_remove(folder);
}

/* Values of every size wait in the file and come back: counts beyond one byte and beyond two, and reals. */
static void test_values_that_wait(void **unused)
{
    (void)unused;
    const char *folder = test_folder_new(), *path = test_path(folder, "f.svm");
    leman_context *ctx = test_context_new(1);
    leman_dataset *data;
    leman_kernel kernel = leman_kernel_default();
    leman_features *whole;
    leman_features sizes;
    leman_builder *builder;
    const size_t vertices[] = {3, 20, 300, 2};
    assert_int_equal(leman_builder_new(ctx, "empty", &(leman_columns){0}, &builder), LEMAN_OK);
    for (int g = 0; g < 4; g++) { /* n vertices and no edge: n^2 - n pairs of one colour */
        assert_int_equal(leman_builder_graph(builder, NULL, NULL, NULL), LEMAN_OK);
        for (size_t v = 0; v < vertices[g]; v++)
            assert_int_equal(leman_builder_vertex(builder, NULL, NULL, NULL), LEMAN_OK);
    }
    assert_int_equal(leman_builder_finish(builder, NULL, NULL, &data), LEMAN_OK);
    leman_builder_free(builder);
    kernel.coloring.rounds = 1;
    for (int real = 0; real < 2; real++) {
        const leman_feature_options options = {.size = OPTIONS, .normalize = real};
        assert_int_equal(leman_features_compute(ctx, data, &kernel, 1, &options, &whole), LEMAN_OK);
        assert_int_equal(leman_features_write(ctx, whole, data, path), LEMAN_OK);
        contents expected = read_file(path);
        if (!real) assert_non_null(memmem(expected.data, expected.size, ":89700", 6)); /* 300 * 299 */
        assert_int_equal(save_in_slices(ctx, data, &kernel, 1, &options, 1, path, &sizes), LEMAN_OK);
        assert_same_file(path, expected);
        lm_features_clear(&sizes);
        leman_features_free(whole);
        free(expected.data);
    }
    leman_dataset_free(data);
    test_context_free(ctx);
    test_folder_remove(folder);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

typedef struct attempt {
    leman_dataset *data;
    leman_kernel kernels[2];
    leman_feature_options options;
    uint64_t max;
    const char *path;
} attempt;

static leman_status body(leman_context *ctx, void *state)
{
    const attempt *a = state;
    leman_features sizes = {0};
    leman_status st = save_in_slices(ctx, a->data, a->kernels, 2, &a->options, a->max, a->path, &sizes);
    if (a->options.keep) unlink(a->options.keep); /* the next one must be new */
    lm_features_clear(&sizes);
    return st;
}

/* In one slice and in several, rows written at once and held, with new columns and known ones. */
static void test_memory(void **unused)
{
    (void)unused;
    const char *folder = test_folder_new();
    leman_context *ctx = test_context_new(1);
    leman_features *known;
    attempt a = {.data = molecules(ctx, 3)};
    char columns[512];
    snprintf(columns, sizeof columns, "%s", test_path(folder, "c"));
    two_kernels(a.kernels);
    assert_int_equal(leman_features_compute(ctx, a.data, a.kernels, 2, NULL, &known), LEMAN_OK);
    const leman_feature_options ways[] = {
        {.size = OPTIONS, .keep = columns}, {.size = OPTIONS, .columns = known}, {.size = OPTIONS, .hash_bits = 4}};
    for (size_t way = 0; way < 3; way++)
        for (size_t format = 0; format < 4; format++)
            for (int slices = 0; slices < 2; slices++) {
                a.options = ways[way];
                a.max = slices ? 0 : 1 << 20;
                a.path = test_path(folder, NAMES[format]);
                assert_true(test_fail_each_allocation(body, &a) > 10);
            }
    leman_features_free(known);
    leman_dataset_free(a.data);
    test_context_free(ctx);
    test_folder_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slices),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_cancelled_in_a_slice),
        cmocka_unit_test(test_automatic_device),
        cmocka_unit_test(test_slice_limits),
        cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_kept_columns),
        cmocka_unit_test(test_refused_in_a_slice),
        cmocka_unit_test(test_log_of_out_of_vocabulary),
        cmocka_unit_test(test_stream),
        cmocka_unit_test(test_values_that_wait),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
