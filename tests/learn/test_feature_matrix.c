/* Learning from feature files: what learning from the graphs that they were made of gives. */
#include "base/context.h"
#include "kernel/feature_files.h"
#include "kernel/features/feature_matrix.h"
#include <math.h>
#include <unistd.h>

enum { GRAPHS = 60 };

/* The features of the graphs, in a file whose labels are their classes or, with a target, that. */
static char *write_features(leman_context *ctx, const char *folder, const leman_dataset *data)
{
    leman_kernel kernel = leman_kernel_default();
    char *path = strdup(test_path(folder, "f.svm"));
    kernel.coloring.rounds = 1;
    assert_int_equal(leman_features_save(ctx, data, &kernel, 1, NULL, path, NULL), LEMAN_OK);
    return path;
}

static leman_feature_matrix *read_matrix(leman_context *ctx, const char *path, size_t entries)
{
    leman_feature_matrix *matrix = NULL;
    if (lm_feature_matrix_read(ctx, path, entries, &matrix)) fail_msg("%s", leman_context_message(ctx));
    return matrix;
}

/* Slices of any size; classes and targets; the model as it was fitted and from its file. */
static void test_model(void **unused)
{
    (void)unused;
    static const double C[] = {0.1, 10};
    const char *folder = test_folder_new();
    leman_context *ctx = test_context_new(2);
    leman_dataset *data = molecules(ctx, GRAPHS), *targets;
    assert_int_equal(leman_dataset_use_target(ctx, data, 0, &targets), LEMAN_OK);
    for (int regression = 0; regression < 2; regression++) {
        leman_kernel kernel = leman_kernel_default();
        leman_fit_options options = leman_fit_options_default();
        leman_model *graphs, *rows, *again;
        double expected[GRAPHS], score[GRAPHS], probability[GRAPHS][2], unknown[GRAPHS], share[GRAPHS];
        int64_t label[GRAPHS], wanted[GRAPHS];
        options.min_rounds = options.max_rounds = 1;
        options.C = C;
        options.C_count = 2;
        if (regression) options.target = 0;
        assert_int_equal(leman_model_fit(ctx, data, &kernel, 1, &options, &graphs), LEMAN_OK);
        assert_int_equal(leman_model_predict(ctx, graphs, data, wanted, expected, NULL, share), LEMAN_OK);
        char *path = write_features(ctx, folder, regression ? targets : data);
        for (size_t entries = 10; entries < 100000; entries *= 50) {
            leman_feature_matrix *matrix = read_matrix(ctx, path, entries);
            if (leman_model_fit_matrix(ctx, matrix, &options, &rows)) fail_msg("%s", leman_context_message(ctx));
            assert_int_equal(leman_model_describe(rows)->kernels, 0);
            assert_int_equal(leman_model_describe(rows)->data_graphs, GRAPHS);
            assert_true(leman_model_describe(rows)->C == leman_model_describe(graphs)->C);
            assert_int_equal(leman_model_write(ctx, rows, test_path(folder, "m")), LEMAN_OK);
            assert_int_equal(leman_model_read(ctx, test_path(folder, "m"), &again), LEMAN_OK);
            assert_int_equal(
                leman_model_predict_matrix(ctx, again, matrix, label, score, regression ? NULL : *probability, unknown),
                LEMAN_OK);
            for (size_t g = 0; g < GRAPHS; g++) {
                assert_true(fabs(score[g] - expected[g]) < 1e-5);
                assert_true(fabs(unknown[g] - share[g]) < 1e-9);
                assert_true(regression || label[g] == wanted[g]);
                assert_true(regression || fabs(probability[g][0] + probability[g][1] - 1) < 1e-12);
            }
            assert_int_equal(leman_model_predict_matrix(ctx, graphs, matrix, NULL, score, NULL, NULL),
                             LEMAN_ERROR_INPUT);
            assert_int_equal(leman_model_predict(ctx, rows, data, NULL, score, NULL, NULL), LEMAN_ERROR_INPUT);
            assert_non_null(strstr(leman_context_message(ctx), "expected a feature file"));
            leman_model_free(rows);
            leman_model_free(again);
            leman_feature_matrix_free(matrix);
        }
        free(path);
        leman_model_free(graphs);
    }
    leman_dataset_free(targets);
    leman_dataset_free(data);
    test_context_free(ctx);
    test_folder_remove(folder);
}

/* Folds, scores and choices of the protocol; also from a journal. */
static void test_evaluate(void **unused)
{
    (void)unused;
    const char *folder = test_folder_new();
    leman_context *ctx = test_context_new(2);
    leman_dataset *data = molecules(ctx, GRAPHS);
    leman_kernel kernel = leman_kernel_default();
    leman_protocol protocol = leman_protocol_default();
    leman_evaluation *graphs, *rows;
    char *path = write_features(ctx, folder, data), *journal = strdup(test_path(folder, "journal"));
    protocol.repetitions = 2;
    protocol.folds = 3;
    protocol.min_rounds = protocol.max_rounds = 1;
    protocol.svm = LEMAN_SVM_LINEAR;
    assert_int_equal(leman_evaluate(ctx, data, &kernel, 1, &protocol, &graphs), LEMAN_OK);
    protocol.svm = LEMAN_SVM_AUTO;
    protocol.journal = journal;
    for (int again = 0; again < 2; again++) {
        leman_feature_matrix *matrix = read_matrix(ctx, path, 300);
        if (leman_evaluate_matrix(ctx, matrix, &protocol, &rows)) fail_msg("%s", leman_context_message(ctx));
        assert_int_equal(rows->resumed, again ? 6 : 0);
        for (size_t i = 0; i < 6; i++) {
            assert_true(rows->fold[i].test == graphs->fold[i].test);
            assert_true(rows->fold[i].C == graphs->fold[i].C);
            assert_true(rows->fold[i].validation == graphs->fold[i].validation);
        }
        leman_evaluation_free(rows);
        leman_feature_matrix_free(matrix);
    }
    leman_feature_matrix *other = /* other features of the same labels are no part of that run */
        read_matrix(ctx, test_file_text(folder, "g.svm", "1 1:1\n0 2:1\n1 1:2\n0 2:2\n1 3:1\n0 4:1\n"), 300);
    assert_int_equal(leman_evaluate_matrix(ctx, other, &protocol, &rows), LEMAN_ERROR_INPUT);
    protocol.svm = LEMAN_SVM_KERNEL;
    assert_int_equal(leman_evaluate_matrix(ctx, other, &protocol, &rows), LEMAN_ERROR_ARGUMENT);
    leman_feature_matrix_free(other);
    free(path);
    free(journal);
    leman_evaluation_free(graphs);
    leman_dataset_free(data);
    test_context_free(ctx);
    test_folder_remove(folder);
}

/* Rows without a label take no part, as if they were not there; columns that only they have are unknown. */
static void test_missing(void **unused)
{
    (void)unused;
    static const char ALL[] = "1 1:1 5:2\nnan 9:3\n0 2:1 5:1\n1 1:2\n0 2:3 6:1\nnan 1:1 9:1\n1 1:1 6:1\n0 2:1\n";
    static const char KNOWN[] = "1 1:1 5:2\n0 2:1 5:1\n1 1:2\n0 2:3 6:1\n1 1:1 6:1\n0 2:1\n";
    static const char NEW[] = "0 1:3 9:4\n0 5:1 6:2\n1 77:2\n";
    const char *folder = test_folder_new();
    leman_context *ctx = test_context_new(1);
    leman_fit_options options = leman_fit_options_default();
    double score[2][3], unknown[3];
    options.folds = 2;
    leman_feature_matrix *rows = read_matrix(ctx, test_file_text(folder, "n.svm", NEW), 2);
    for (int i = 0; i < 2; i++) {
        leman_model *model;
        leman_feature_matrix *matrix = read_matrix(ctx, test_file_text(folder, "f.svm", i ? KNOWN : ALL), 3);
        assert_int_equal(leman_dataset_shape(leman_feature_matrix_labels(matrix))->graphs, i ? 6 : 8);
        assert_int_equal(leman_model_fit_matrix(ctx, matrix, &options, &model), LEMAN_OK);
        assert_int_equal(leman_model_describe(model)->features, 4);
        assert_int_equal(leman_model_predict_matrix(ctx, model, rows, NULL, score[i], NULL, unknown), LEMAN_OK);
        assert_true(fabs(unknown[0] - 0.64) < 1e-12 && unknown[1] == 0 && unknown[2] == 1);
        leman_model_free(model);
        leman_feature_matrix_free(matrix);
    }
    assert_memory_equal(score[0], score[1], sizeof score[0]);
    leman_feature_matrix_free(rows);
    test_context_free(ctx);
    test_folder_remove(folder);
}

static void refused(leman_context *ctx, const char *folder, const char *text, const char *sentence)
{
    leman_feature_matrix *matrix = NULL;
    leman_model *model = NULL;
    leman_fit_options options = leman_fit_options_default();
    options.folds = 2;
    leman_status st = lm_feature_matrix_read(ctx, test_file_text(folder, "f.svm", text), 100, &matrix);
    if (!st) st = leman_model_fit_matrix(ctx, matrix, &options, &model);
    assert_int_equal(st, LEMAN_ERROR_INPUT);
    if (!strstr(leman_context_message(ctx), sentence)) fail_msg("%s", leman_context_message(ctx));
    leman_feature_matrix_free(matrix);
}

static void test_bad_files(void **unused)
{
    (void)unused;
    const char *folder = test_folder_new();
    leman_context *ctx = test_context_new(1);
    refused(ctx, folder, "1 0:1 1:3 2:4\n-1 0:2 1:4 2:5\n", "found a precomputed kernel");
    refused(ctx, folder, "0 1:1\n0 2:1\n0 3:1\n", "one class only");
    refused(ctx, folder, "0.5 1:1\n0 2:1\n0 3:1\n", "class");
    refused(ctx, folder, "", "at least two");
    refused(ctx, folder, "1 1:1\nnan 2:1\nnan 3:1\n", "found 1 graph with a class");
    test_context_free(ctx);
    test_folder_remove(folder);
}

static leman_status body(leman_context *ctx, void *state)
{
    const char *path = state;
    leman_feature_matrix *matrix = NULL;
    leman_model *model = NULL;
    leman_fit_options options = leman_fit_options_default();
    double score[8];
    options.folds = 2;
    options.C = (const double[]){1};
    options.C_count = 1;
    leman_status st = lm_feature_matrix_read(ctx, path, 3, &matrix);
    if (!st) st = leman_model_fit_matrix(ctx, matrix, &options, &model);
    if (!st) st = leman_model_predict_matrix(ctx, model, matrix, NULL, score, NULL, NULL);
    leman_model_free(model);
    leman_feature_matrix_free(matrix);
    return st;
}

typedef struct told {
    size_t reading, loading, training, rounds; /* how often a task was that, or had to do with them */
} told;

static bool count_reports(void *user, const leman_progress *progress)
{
    told *t = user;
    t->reading += !strncmp(progress->task, "reading ", 8);
    t->loading += !strcmp(progress->task, "loading features of f");
    t->training += !strcmp(progress->task, "training");
    t->rounds += strstr(progress->task, "rounds") != NULL;
    return true;
}

/* A caller is told what is done, not line by line, and not of rounds that there are not. */
static void test_progress(void **unused)
{
    (void)unused;
    enum { ROWS = 400 };
    const char *folder = test_folder_new();
    char text[ROWS * 8 + 1] = "";
    for (size_t i = 0; i < ROWS; i++) memcpy(text + i * 6, i % 2 ? "1 1:1\n" : "0 2:1\n", 7);
    const char *path = test_file_text(folder, "f.svm", text);
    told t = {0};
    leman_settings settings = leman_settings_default();
    leman_context *ctx = NULL;
    leman_fit_options options = leman_fit_options_default();
    leman_model *model;
    settings.threads = 1;
    settings.progress = count_reports;
    settings.callback_user = &t;
    assert_int_equal(leman_context_new(&settings, &ctx), LEMAN_OK);
    leman_feature_matrix *matrix = read_matrix(ctx, path, 1000);
    assert_in_range(t.reading, 1, ROWS / 10);
    assert_int_equal(leman_model_fit_matrix(ctx, matrix, &options, &model), LEMAN_OK);
    assert_true(t.loading);
    assert_true(t.training);
    assert_int_equal(t.rounds, 0);
    leman_model_free(model);
    leman_feature_matrix_free(matrix);
    leman_context_free(ctx);
    test_folder_remove(folder);
}

static void test_memory(void **unused)
{
    (void)unused;
    const char *folder = test_folder_new();
    char *path = strdup(test_file_text(folder, "f.svm", "1 1:1 5:2\nnan 9:3\n0 2:1 5:1\n1 1:2\n0 2:3 6:1\n1 6:1\n"));
    assert_true(test_fail_each_allocation(body, path) > 60);
    free(path);
    test_folder_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_model),     cmocka_unit_test(test_evaluate), cmocka_unit_test(test_missing),
        cmocka_unit_test(test_bad_files), cmocka_unit_test(test_progress), cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
