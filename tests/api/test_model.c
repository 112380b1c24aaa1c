/* leman/model.h: every function with what it must refuse; what a model says of itself; kinds of files. */
#include "support/refused.h"
#include "support/training_data.h"
#include <math.h>
#include <stdio.h>

enum { GRAPHS = 12 };

static leman_fit_options some_options(void)
{
    leman_fit_options options = leman_fit_options_default();
    options.folds = 3;
    options.max_rounds = 1;
    return options;
}

static leman_kernel some_kernel(leman_context *ctx)
{
    leman_kernel kernel = leman_kernel_default();
    assert_int_equal(leman_kernel_parse(ctx, "wl:1", &kernel), LEMAN_OK);
    return kernel;
}

static leman_model *some_model(leman_context *ctx, const leman_dataset *data)
{
    leman_kernel kernel = some_kernel(ctx);
    leman_fit_options options = some_options();
    leman_model *model = NULL;
    assert_int_equal(leman_model_fit(ctx, data, &kernel, 1, &options, &model), LEMAN_OK);
    return model;
}

static void test_fit(void **state)
{
    (void)state;
    static const int NO_SVM[] = {-1, LEMAN_SVM_COUNT, 9};
    static const double unsorted[] = {2, 1};
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = test_families(ctx, GRAPHS, 2, NULL);
    leman_kernel kernel = some_kernel(ctx), bad_kernel = kernel;
    leman_fit_options options = some_options(), bad;
    leman_model *const before = TEST_UNTOUCHED(leman_model), *out = before;
    assert_refused_without(leman_model_fit(NULL, data, &kernel, 1, &options, &out));
    assert_refused(ctx, "data", leman_model_fit(ctx, NULL, &kernel, 1, &options, &out));
    assert_refused(ctx, "kernels", leman_model_fit(ctx, data, NULL, 1, &options, &out));
    assert_refused(ctx, "kernels", leman_model_fit(ctx, data, &kernel, 0, &options, &out));
    assert_refused(ctx, "out", leman_model_fit(ctx, data, &kernel, 1, &options, NULL));
    bad_kernel.kind = (leman_kernel_kind)99;
    assert_refused(ctx, "kind", leman_model_fit(ctx, data, &bad_kernel, 1, &options, &out));
    for (int i = 0; i < 3; i++) {
        bad = options, bad.svm = (leman_svm)NO_SVM[i];
        assert_refused(ctx, "svm", leman_model_fit(ctx, data, &kernel, 1, &bad, &out));
    }
    bad = options, bad.size = 3;
    assert_refused(ctx, "leman_fit_options", leman_model_fit(ctx, data, &kernel, 1, &bad, &out));
    bad = options, bad.C = unsorted, bad.C_count = 2;
    assert_refused(ctx, "C", leman_model_fit(ctx, data, &kernel, 1, &bad, &out));
    const double large = 1e300;
    bad = options, bad.C = &large, bad.C_count = 1;
    assert_refused(ctx, "up to 1e100", leman_model_fit(ctx, data, &kernel, 1, &bad, &out));
    bad = options, bad.C = unsorted, bad.C_count = 0;
    assert_refused(ctx, "no C", leman_model_fit(ctx, data, &kernel, 1, &bad, &out));
    bad = options, bad.min_rounds = 2;
    assert_refused(ctx, "rounds", leman_model_fit(ctx, data, &kernel, 1, &bad, &out));
    bad = options, bad.folds = 1;
    assert_refused(ctx, "folds", leman_model_fit(ctx, data, &kernel, 1, &bad, &out));
    bad = options, bad.target_name = "a\nb";
    assert_refused(ctx, "target_name", leman_model_fit(ctx, data, &kernel, 1, &bad, &out));
    uint32_t group[GRAPHS] = {0};
    bad = options, bad.group = group;
    assert_refused_for_data(ctx, "1 group", leman_model_fit(ctx, data, &kernel, 1, &bad, &out));
    group[3] = GRAPHS;
    assert_refused(ctx, "group", leman_model_fit(ctx, data, &kernel, 1, &bad, &out));
    bad = options, bad.target = 7;
    assert_refused_for_data(ctx, "no column 7", leman_model_fit(ctx, data, &kernel, 1, &bad, &out));
    bad = options, bad.svm = LEMAN_SVM_LINEAR;
    bad_kernel = kernel, bad_kernel.assignment = true;
    assert_refused(ctx, "linear SVM", leman_model_fit(ctx, data, &bad_kernel, 1, &bad, &out));
    assert_ptr_equal(out, before);
    leman_model_free(NULL);
    leman_fit_options_init(NULL, sizeof(leman_fit_options));
    leman_dataset_free(data);
    test_context_free(ctx);
}

static void test_use(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new(), *path = test_path(folder, "m");
    leman_dataset *data = test_families(ctx, GRAPHS, 2, NULL);
    leman_model *model = some_model(ctx, data), *const before = TEST_UNTOUCHED(leman_model), *out = before;
    int64_t label[GRAPHS];
    assert_refused_without(leman_model_write(NULL, model, path));
    assert_refused(ctx, "model", leman_model_write(ctx, NULL, path));
    assert_refused(ctx, "path", leman_model_write(ctx, model, NULL));
    assert_int_equal(leman_model_write(ctx, model, path), LEMAN_OK);
    assert_refused_without(leman_model_read(NULL, path, &out));
    assert_refused(ctx, "path", leman_model_read(ctx, NULL, &out));
    assert_refused(ctx, "out", leman_model_read(ctx, path, NULL));
    assert_ptr_equal(out, before);
    memset(label, 0x5a, sizeof label);
    assert_refused_without(leman_model_predict(NULL, model, data, label, NULL, NULL, NULL));
    assert_refused(ctx, "model", leman_model_predict(ctx, NULL, data, label, NULL, NULL, NULL));
    assert_refused(ctx, "data", leman_model_predict(ctx, model, NULL, label, NULL, NULL, NULL));
    for (size_t i = 0; i < sizeof label; i++) assert_int_equal(((char *)label)[i], 0x5a);
    assert_int_equal(leman_model_predict(ctx, model, data, NULL, NULL, NULL, NULL), LEMAN_OK);
    double low[GRAPHS], high[GRAPHS];
    assert_refused_without(leman_model_domain(NULL, model, data, low, high));
    assert_refused(ctx, "model", leman_model_domain(ctx, NULL, data, low, high));
    assert_refused(ctx, "data", leman_model_domain(ctx, model, NULL, low, high));
    assert_int_equal(leman_model_domain(ctx, model, data, NULL, NULL), LEMAN_OK);
    assert_refused_without(leman_model_intervals(NULL, model, data, 0.9, low, high));
    assert_refused(ctx, "model", leman_model_intervals(ctx, NULL, data, 0.9, low, high));
    assert_refused(ctx, "data", leman_model_intervals(ctx, model, NULL, 0.9, low, high));
    assert_refused(ctx, "low", leman_model_intervals(ctx, model, data, 0.9, NULL, high));
    assert_refused(ctx, "high", leman_model_intervals(ctx, model, data, 0.9, low, NULL));
    assert_refused(ctx, "coverage", leman_model_intervals(ctx, model, data, 1, low, high));
    assert_refused(ctx, "coverage", leman_model_intervals(ctx, model, data, (double)NAN, low, high));
    assert_int_equal(leman_model_intervals(ctx, model, data, 0.9, low, high), LEMAN_ERROR_UNSUPPORTED);
    leman_feature_matrix *matrix;
    leman_fit_options options = leman_fit_options_default(), wrong = options;
    assert_int_equal(leman_feature_matrix_read(ctx, test_file_text(folder, "f.svm", "1 1:2\n0 2:1\n"), &matrix),
                     LEMAN_OK);
    wrong.svm = LEMAN_SVM_KERNEL;
    assert_refused_without(leman_model_fit_matrix(NULL, matrix, NULL, &out));
    assert_refused(ctx, "matrix", leman_model_fit_matrix(ctx, NULL, NULL, &out));
    assert_refused(ctx, "out", leman_model_fit_matrix(ctx, matrix, NULL, NULL));
    assert_refused(ctx, "kernel SVM", leman_model_fit_matrix(ctx, matrix, &wrong, &out));
    wrong = options;
    wrong.apex = true;
    assert_refused(ctx, "apex", leman_model_fit_matrix(ctx, matrix, &wrong, &out));
    wrong.folds = 1;
    assert_refused(ctx, "folds", leman_model_fit_matrix(ctx, matrix, &wrong, &out));
    assert_ptr_equal(out, before);
    assert_refused_without(leman_model_predict_matrix(NULL, model, matrix, label, NULL, NULL, NULL));
    assert_refused(ctx, "model", leman_model_predict_matrix(ctx, NULL, matrix, label, NULL, NULL, NULL));
    assert_refused(ctx, "matrix", leman_model_predict_matrix(ctx, model, NULL, label, NULL, NULL, NULL));
    leman_feature_matrix_free(matrix);
    assert_null(leman_model_describe(NULL));
    const leman_model_shape *shape = leman_model_describe(model);
    assert_ptr_equal(shape, leman_model_describe(model));
    assert_true(shape->classes == 2 && shape->class_label[0] == 10 && shape->class_label[1] == 20);
    assert_true(shape->data_graphs == GRAPHS && shape->folds == 3 && shape->kernels == 1 && !shape->regression);
    assert_int_equal(leman_model_read(ctx, path, &out), LEMAN_OK);
    assert_true(leman_model_describe(out)->score == shape->score && leman_model_describe(out)->C == shape->C);
    leman_model_free(out);
    leman_model_free(model);
    leman_dataset_free(data);
    test_folder_remove(folder);
    test_context_free(ctx);
}

static void test_tasks(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = test_families(ctx, GRAPHS, 2, NULL);
    leman_kernel kernel = some_kernel(ctx);
    leman_fit_options options = some_options(), bad = options;
    leman_model *model = some_model(ctx, data), *out = NULL, **list = NULL;
    const size_t column = 0;
    size_t count = 7;
    double auc = 5;
    assert_refused_without(leman_model_fit_tasks(NULL, data, &kernel, 1, &options, &column, 1, &out));
    assert_refused(ctx, "data", leman_model_fit_tasks(ctx, NULL, &kernel, 1, &options, &column, 1, &out));
    assert_refused(ctx, "columns", leman_model_fit_tasks(ctx, data, &kernel, 1, &options, NULL, 1, &out));
    assert_refused(ctx, "tasks", leman_model_fit_tasks(ctx, data, &kernel, 1, &options, &column, 0, &out));
    assert_refused(ctx, "out", leman_model_fit_tasks(ctx, data, &kernel, 1, &options, &column, 1, NULL));
    bad.target = 0;
    assert_refused(ctx, "a target", leman_model_fit_tasks(ctx, data, &kernel, 1, &bad, &column, 1, &out));
    assert_refused_without(leman_models_write(NULL, &model, 1, "x"));
    assert_refused(ctx, "models", leman_models_write(ctx, NULL, 1, "x"));
    assert_refused(ctx, "path", leman_models_write(ctx, &model, 1, NULL));
    assert_refused(ctx, "count", leman_models_write(ctx, &model, 0, "x"));
    assert_refused(ctx, "name of its task", leman_models_write(ctx, &model, 1, "x"));
    assert_refused_without(leman_models_read(NULL, "x", &list, &count));
    assert_refused(ctx, "path", leman_models_read(ctx, NULL, &list, &count));
    assert_refused(ctx, "out", leman_models_read(ctx, "x", NULL, &count));
    assert_refused(ctx, "count", leman_models_read(ctx, "x", &list, NULL));
    leman_models_free(NULL, 3);
    const double score[] = {1, 2, 2, 3};
    const bool positive[] = {false, true, false, true};
    assert_refused_without(leman_auc(NULL, score, positive, 4, &auc));
    assert_refused(ctx, "score", leman_auc(ctx, NULL, positive, 4, &auc));
    assert_refused(ctx, "positive", leman_auc(ctx, score, NULL, 4, &auc));
    assert_refused(ctx, "count", leman_auc(ctx, score, positive, 0, &auc));
    assert_refused(ctx, "auc", leman_auc(ctx, score, positive, 4, NULL));
    assert_true(auc == 5 && count == 7 && !out && !list);
    assert_int_equal(leman_auc(ctx, score, positive, 4, &auc), LEMAN_OK);
    assert_true(auc == 87.5); /* of four pairs three, and a tie */
    leman_model_free(model);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* Every kind that the library writes, by its own writer. */
static void test_file_kinds(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new(), *path = test_path(folder, "data.lmg");
    const char *model_path = test_path(folder, "m"), *text = test_path(folder, "text"), *empty = test_path(folder, "e");
    leman_dataset *data = test_families(ctx, GRAPHS, 2, NULL);
    leman_model *model = some_model(ctx, data);
    leman_file_kind kind = LEMAN_FILE_KIND_NETWORK;
    assert_int_equal(leman_file_kind_detect(ctx, path, &kind), LEMAN_ERROR_FILE); /* not there yet */
    FILE *file = fopen(text, "w");
    assert_true(file && fputs("LEMANSV", file) >= 0 && !fclose(file)); /* a byte too few */
    file = fopen(empty, "w");
    assert_true(file && !fclose(file));
    assert_int_equal(leman_dataset_write(ctx, data, path, LEMAN_FORMAT_BINARY), LEMAN_OK);
    assert_int_equal(leman_model_write(ctx, model, model_path), LEMAN_OK);
    assert_refused_without(leman_file_kind_detect(NULL, path, &kind));
    assert_refused(ctx, "path", leman_file_kind_detect(ctx, NULL, &kind));
    assert_refused(ctx, "kind", leman_file_kind_detect(ctx, path, NULL));
    assert_int_equal(kind, LEMAN_FILE_KIND_NETWORK);
    const struct {
        const char *path;
        leman_file_kind kind;
    } CASES[] = {{path, LEMAN_FILE_KIND_DATASET},
                 {model_path, LEMAN_FILE_KIND_MODEL},
                 {text, LEMAN_FILE_KIND_OTHER},
                 {empty, LEMAN_FILE_KIND_OTHER}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        assert_int_equal(leman_file_kind_detect(ctx, CASES[i].path, &kind), LEMAN_OK);
        assert_int_equal(kind, CASES[i].kind);
    }
    leman_model_free(model);
    leman_dataset_free(data);
    test_folder_remove(folder);
    test_context_free(ctx);
}

static void test_names(void **state)
{
    (void)state;
    for (int i = 0; i < LEMAN_FILE_KIND_COUNT; i++)
        assert_string_not_equal(leman_file_kind_name((leman_file_kind)i), "unknown");
    assert_string_equal(leman_file_kind_name((leman_file_kind)-1), "unknown");
    assert_string_equal(leman_file_kind_name((leman_file_kind)LEMAN_FILE_KIND_COUNT), "unknown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fit),        cmocka_unit_test(test_use),   cmocka_unit_test(test_tasks),
        cmocka_unit_test(test_file_kinds), cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
