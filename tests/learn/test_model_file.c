/* Model files: they come back as they were written, damage is found, other files are refused; failing allocations. */
#include "learn/model_fixture.h"
#include <math.h>
#include <stdio.h>

static char *bytes_of(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*size + 1);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

static void assert_damage_is_found(leman_context *ctx, char *bytes, size_t size)
{
    leman_model *model = NULL;
    for (size_t i = 0; i < size; i++)
        for (int bit = 0; bit < 8; bit += 7) {
            bytes[i] = (char)(bytes[i] ^ 1 << bit);
            assert_int_equal(lm_model_parse(ctx, "model", (lm_bytes){.data = bytes, .size = size}, &model),
                             LEMAN_ERROR_INPUT);
            bytes[i] = (char)(bytes[i] ^ 1 << bit);
        }
    for (size_t cut = 0; cut < size; cut += cut < 64 ? 1 : 37) {
        char *own = malloc(cut + 1);
        memcpy(own, bytes, cut);
        assert_int_equal(lm_model_parse(ctx, "model", (lm_bytes){.data = own, .size = cut}, &model), LEMAN_ERROR_INPUT);
        assert_true(*leman_context_message(ctx) != 0);
        free(own);
    }
    assert_int_equal(lm_model_parse(ctx, "model", (lm_bytes){.data = bytes, .size = size}, &model), LEMAN_OK);
    leman_model_free(model);
}

static void test_write_and_read(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new();
    for (int turn = 0; turn < 5; turn++) {
        leman_kernel kernels[2] = {kernel_of(LEMAN_ALGORITHM_LOCAL, 1, turn == 1),
                                   kernel_of(LEMAN_ALGORITHM_LOCAL_PLUS, 1, false)};
        leman_fit_options options = quick(turn == 2 ? LEMAN_SVM_KERNEL : LEMAN_SVM_AUTO);
        leman_dataset *data = kinds(ctx, GRAPHS, turn == 3 ? 4 : 2, false);
        leman_model *back = NULL;
        size_t size[2];
        if (turn == 4) options.target = 0;
        options.max_rounds = 1;
        leman_model *model = fit(ctx, data, kernels, turn == 3 ? 2 : 1, &options);
        const char *path[2] = {test_path(folder, "a.model"), test_path(folder, "b.model")};
        assert_int_equal(leman_model_write(ctx, model, path[0]), LEMAN_OK);
        if (leman_model_read(ctx, path[0], &back)) fail_msg("%s", leman_context_message(ctx));
        assert_int_equal(leman_model_write(ctx, back, path[1]), LEMAN_OK);
        char *bytes[2] = {bytes_of(path[0], &size[0]), bytes_of(path[1], &size[1])};
        assert_int_equal(size[0], size[1]);
        assert_memory_equal(bytes[0], bytes[1], size[0]);
        predictions a = predict(ctx, model, data), b = predict(ctx, back, data);
        assert_memory_equal(&a, &b, sizeof a);
        const leman_model_shape *was = leman_model_describe(model), *is = leman_model_describe(back);
        assert_true(was->C == is->C && was->score == is->score && was->rounds == is->rounds &&
                    was->features == is->features && was->supports == is->supports && was->classes == is->classes &&
                    was->folds == is->folds && was->data_checksum == is->data_checksum &&
                    was->regression == is->regression);
        assert_string_equal(is->data_name, "kinds");
        if (turn < 2) assert_damage_is_found(ctx, bytes[0], size[0]);
        free(bytes[0]);
        free(bytes[1]);
        leman_model_free(back);
        leman_model_free(model);
        leman_dataset_free(data);
    }
    test_folder_remove(folder);
    test_context_free(ctx);
}

/* Names come back, and so does their absence. */
static void test_names(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new();
    leman_kernel kernel = kernel_of(LEMAN_ALGORITHM_LOCAL, 1, false);
    leman_fit_options options = quick(LEMAN_SVM_AUTO);
    leman_dataset *data = kinds(ctx, GRAPHS, 2, false);
    leman_model *bare = fit(ctx, data, &kernel, 1, &options), *back = NULL;
    assert_null(leman_model_describe(bare)->target_name);
    assert_null(leman_model_describe(bare)->class_name);
    options.target_name = "toxic";
    leman_model *named = fit(ctx, data, &kernel, 1, &options);
    const char *path = test_path(folder, "a.model");
    size_t size;
    assert_int_equal(leman_model_write(ctx, bare, path), LEMAN_OK);
    assert_int_equal(leman_model_read(ctx, path, &back), LEMAN_OK);
    assert_null(leman_model_describe(back)->target_name);
    leman_model_free(back);
    assert_int_equal(leman_model_write(ctx, named, path), LEMAN_OK);
    char *bytes = bytes_of(path, &size);
    assert_damage_is_found(ctx, bytes, size);
    assert_int_equal(leman_model_read(ctx, path, &back), LEMAN_OK);
    assert_string_equal(leman_model_describe(back)->target_name, "toxic");
    assert_null(leman_model_describe(back)->class_name);
    free(bytes);
    leman_model_free(bare);
    leman_model_free(named);
    leman_model_free(back);
    leman_dataset_free(data);
    test_folder_remove(folder);
    test_context_free(ctx);
}

static void test_other_files(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new();
    leman_model *model = NULL;
    static const struct {
        const char *bytes;
        size_t size;
        const char *words;
    } FILES[] = {{"", 0, "a model of leman fit"},
                 {"LEMANDS\n................................", 40, "something else"},
                 {"LEMANSV\n\6\0\0\0\0\0\0\0................", 32, "version 6"},
                 {"LEMANSV\n\1\0\0\0\0\0\0\0........\377\377\377\377\377\377\377\377", 32, "cut off"},
                 {"LEMANSV\n\1\0\0\0\0\0\0\0........\0\0\0\0\0\0\0\0", 32, "damaged"}};
    for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++) {
        const char *path = test_file_write(folder, "x.model", FILES[i].bytes, FILES[i].size);
        assert_int_equal(leman_model_read(ctx, path, &model), LEMAN_ERROR_INPUT);
        assert_non_null(strstr(leman_context_message(ctx), FILES[i].words));
        assert_non_null(strstr(leman_context_message(ctx), "x.model"));
    }
    assert_int_equal(leman_model_read(ctx, test_path(folder, "none.model"), &model), LEMAN_ERROR_FILE);
    test_folder_remove(folder);
    test_context_free(ctx);
}

/* ---- Several tasks --------------------------------------------------------------------------- */

/* 8 paths of 3 to 6 vertices; target 0: is it long; 1: not known of the first; 2: three classes. */
static leman_status eight_paths(leman_context *ctx, leman_dataset **data)
{
    leman_columns columns = {.targets = 3};
    leman_builder *b = NULL;
    leman_status st = leman_builder_new(ctx, "eight", &columns, &b);
    for (size_t g = 0; g < 8 && !st; g++) {
        size_t n = 3 + g % 4;
        st = leman_builder_graph(b, NULL, NULL, (double[]){n > 4, g ? (double)(n % 2) : NAN, (double)(g % 3)});
        for (size_t i = 0; i < n && !st; i++) st = leman_builder_vertex(b, NULL, NULL, NULL);
        for (size_t i = 0; i + 1 < n && !st; i++) st = leman_builder_edge(b, i, i + 1, NULL, NULL);
    }
    if (!st) st = leman_builder_finish(b, NULL, NULL, data);
    leman_builder_free(b);
    return st;
}

static leman_status fit_write_read_tasks(leman_context *ctx, void *state)
{
    const char *path = state;
    leman_dataset *data = NULL;
    leman_model *models[2] = {NULL, NULL}, **back = NULL;
    leman_kernel kernel = kernel_of(LEMAN_ALGORITHM_LOCAL, 1, false);
    leman_fit_options options = quick(LEMAN_SVM_AUTO);
    size_t count = 0;
    options.max_rounds = 1;
    options.C_count = 1;
    options.folds = 2;
    leman_status st = eight_paths(ctx, &data);
    if (!st) st = leman_model_fit_tasks(ctx, data, &kernel, 1, &options, (size_t[]){0, 1}, 2, models);
    if (!st) st = leman_models_write(ctx, models, 2, path);
    if (!st) st = leman_models_read(ctx, path, &back, &count);
    for (size_t t = 0; t < count; t++) {
        double is[16] = {0}, was[16] = {0};
        if (!st) assert_string_equal(leman_model_describe(back[t])->target_name, t ? "1" : "0");
        if (!st) st = leman_model_predict(ctx, models[t], data, NULL, NULL, was, NULL);
        if (!st) st = leman_model_predict(ctx, back[t], data, NULL, NULL, is, NULL);
        if (!st) assert_memory_equal(was, is, sizeof was);
    }
    leman_models_free(back, count);
    for (size_t t = 0; t < 2; t++) leman_model_free(models[t]);
    leman_dataset_free(data);
    return st;
}

static void test_tasks(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new();
    char *path = (char *)(uintptr_t)test_path(folder, "t.model");
    leman_dataset *data = NULL;
    leman_kernel kernel = kernel_of(LEMAN_ALGORITHM_LOCAL, 1, false);
    leman_fit_options options = quick(LEMAN_SVM_AUTO);
    leman_model *none[2] = {NULL, NULL}, **back = NULL;
    size_t count = 0, size;
    if (fit_write_read_tasks(ctx, path)) fail_msg("%s", leman_context_message(ctx));
    assert_int_equal(eight_paths(ctx, &data), LEMAN_OK);
    options.folds = 2;
    assert_int_equal(leman_model_fit_tasks(ctx, data, &kernel, 1, &options, (size_t[]){0, 2}, 2, none),
                     LEMAN_ERROR_INPUT);
    assert_non_null(strstr(leman_context_message(ctx), "found 3 classes in target 2"));
    assert_true(!none[0] && !none[1]);
    char *bytes = bytes_of(path, &size);
    for (size_t i = 0; i < size; i += 3) {
        bytes[i] ^= 1;
        test_file_write(folder, "d.model", bytes, size);
        assert_int_equal(leman_models_read(ctx, test_path(folder, "d.model"), &back, &count), LEMAN_ERROR_INPUT);
        bytes[i] ^= 1;
    }
    assert_int_equal(leman_model_read(ctx, path, none), LEMAN_ERROR_INPUT); /* of another kind */
    free(bytes);
    leman_dataset_free(data);
    test_context_free(ctx);
    assert_true(test_fail_each_allocation(fit_write_read_tasks, path) > 20);
    test_folder_remove(folder);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

typedef struct variant {
    const char *path;
    bool assignment, regression;
} variant;

static leman_status fit_write_read_predict(leman_context *ctx, void *state)
{
    const variant *v = state;
    leman_status st;
    static const double WEIGHT[] = {1, 2, 1, 0.5, 1, 3};
    static const int8_t CENSORING[] = {0, 0, 1, 0, -1, 0};
    leman_columns columns = {.classes = true, .targets = 1};
    leman_builder *b = NULL;
    leman_dataset *data = NULL;
    leman_model *model = NULL, *back = NULL;
    leman_kernel kernel = kernel_of(LEMAN_ALGORITHM_LOCAL, 1, v->assignment);
    leman_fit_options options = quick(LEMAN_SVM_AUTO);
    int64_t label[6];
    double probability[12];
    options.max_rounds = 1;
    options.C_count = 1;
    options.folds = 2;
    options.apex = true;
    options.weight = WEIGHT;
    if (v->regression) options.censoring = CENSORING, options.target = 0;
    st = leman_builder_new(ctx, "six", &columns, &b);
    for (size_t g = 0; g < 6 && !st; g++) {
        st = leman_builder_graph(b, NULL, (int64_t[]){(int64_t)g % 2}, (double[]){(double)g});
        for (size_t i = 0; i < 3 && !st; i++) st = leman_builder_vertex(b, NULL, NULL, NULL);
        for (size_t i = 0; i < 1 + g % 2 && !st; i++) st = leman_builder_edge(b, i, i + 1, NULL, NULL);
    }
    if (!st) st = leman_builder_class_name(b, 1, "yes");
    if (!st) st = leman_builder_finish(b, NULL, NULL, &data);
    leman_builder_free(b);
    options.target_name = "toxic";
    if (!st) st = leman_model_fit(ctx, data, &kernel, 1, &options, &model);
    if (!st) st = leman_model_write(ctx, model, v->path);
    if (!st) st = leman_model_read(ctx, v->path, &back);
    if (!st && !v->regression) assert_string_equal(leman_model_describe(back)->class_name[0], "");
    if (!st && !v->regression) assert_string_equal(leman_model_describe(back)->class_name[1], "yes");
    if (!st) st = leman_model_predict(ctx, back, data, label, NULL, probability, NULL);
    leman_model_free(model);
    leman_model_free(back);
    leman_dataset_free(data);
    return st;
}

static void test_allocations(void **state)
{
    (void)state;
    const char *folder = test_folder_new();
    for (int turn = 0; turn < 4; turn++) {
        variant v = {test_path(folder, "m.model"), turn & 1, turn & 2};
        assert_true(test_fail_each_allocation(fit_write_read_predict, &v) > 20);
    }
    test_folder_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_write_and_read), cmocka_unit_test(test_names),       cmocka_unit_test(test_tasks),
        cmocka_unit_test(test_other_files),    cmocka_unit_test(test_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
