/* leman/evaluate.h: every function with what it must refuse; ownership; the names of enum values. */
#include "support/refused.h"
#include "support/training_data.h"
#include <math.h>

enum { GRAPHS = 12 };

static leman_dataset *some_data(leman_context *ctx)
{
    return test_families(ctx, GRAPHS, 2, NULL);
}

static leman_kernel some_kernel(leman_context *ctx)
{
    leman_kernel kernel = leman_kernel_default();
    assert_int_equal(leman_kernel_parse(ctx, "wl:1", &kernel), LEMAN_OK);
    return kernel;
}

/* One repetition of three folds, no rounds. */
static leman_protocol some_protocol(void)
{
    leman_protocol protocol = leman_protocol_default();
    protocol.repetitions = 1;
    protocol.folds = 3;
    protocol.max_rounds = 0;
    return protocol;
}

/* ---- Splits ---------------------------------------------------------------------------------- */

static void test_splits(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = some_data(ctx);
    leman_splits *const before = TEST_UNTOUCHED(leman_splits), *out = before, *splits = NULL;
    const char *folder = test_folder_new(), *path = test_path(folder, "s.txt");
    assert_refused_without(leman_splits_draw(NULL, data, 1, 3, false, &out));
    assert_refused(ctx, "data", leman_splits_draw(ctx, NULL, 1, 3, false, &out));
    assert_refused(ctx, "out", leman_splits_draw(ctx, data, 1, 3, false, NULL));
    assert_refused(ctx, "0 repetitions", leman_splits_draw(ctx, data, 0, 3, false, &out));
    assert_refused(ctx, "1 fold,", leman_splits_draw(ctx, data, 1, 1, false, &out));
    const uint32_t group[64] = {0, 1, 2, 3}, beyond[64] = {9999};
    uint32_t number[64];
    size_t groups = 0;
    assert_refused_without(leman_splits_draw_groups(NULL, data, group, 1, 3, &out));
    assert_refused(ctx, "data", leman_splits_draw_groups(ctx, NULL, group, 1, 3, &out));
    assert_refused(ctx, "group", leman_splits_draw_groups(ctx, data, NULL, 1, 3, &out));
    assert_refused(ctx, "out", leman_splits_draw_groups(ctx, data, group, 1, 3, NULL));
    assert_refused(ctx, "1 fold,", leman_splits_draw_groups(ctx, data, group, 1, 1, &out));
    assert_refused(ctx, "group 9999", leman_splits_draw_groups(ctx, data, beyond, 1, 3, &out));
    assert_refused_without(leman_dataset_scaffolds(NULL, data, number, &groups));
    assert_refused(ctx, "data", leman_dataset_scaffolds(ctx, NULL, number, &groups));
    assert_refused(ctx, "group", leman_dataset_scaffolds(ctx, data, NULL, &groups));
    assert_refused(ctx, "groups", leman_dataset_scaffolds(ctx, data, number, NULL));
    assert_ptr_equal(out, before);
    assert_int_equal(leman_splits_draw(ctx, data, 1, 3, false, &splits), LEMAN_OK);
    assert_refused_without(leman_splits_write(NULL, splits, path));
    assert_refused(ctx, "splits", leman_splits_write(ctx, NULL, path));
    assert_refused(ctx, "path", leman_splits_write(ctx, splits, NULL));
    assert_int_equal(leman_splits_write(ctx, splits, path), LEMAN_OK);
    assert_refused_without(leman_splits_read(NULL, data, path, &out));
    assert_refused(ctx, "data", leman_splits_read(ctx, NULL, path, &out));
    assert_refused(ctx, "path", leman_splits_read(ctx, data, NULL, &out));
    assert_refused(ctx, "out", leman_splits_read(ctx, data, path, NULL));
    assert_ptr_equal(out, before);
    leman_splits_free(NULL);
    leman_splits_free(splits);
    test_folder_remove(folder);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* ---- Baselines ------------------------------------------------------------------------------- */

static void test_baselines(void **state)
{
    (void)state;
    static const uint32_t graph[] = {0, 1, 5}, beyond[] = {0, GRAPHS};
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = some_data(ctx);
    double score = -1, low = -1, high = -1;
    assert_refused_without(leman_baseline(NULL, data, graph, 3, LEMAN_NO_TARGET, &score));
    assert_refused(ctx, "data", leman_baseline(ctx, NULL, graph, 3, LEMAN_NO_TARGET, &score));
    assert_refused(ctx, "graphs", leman_baseline(ctx, data, NULL, 3, LEMAN_NO_TARGET, &score));
    assert_refused(ctx, "score", leman_baseline(ctx, data, graph, 3, LEMAN_NO_TARGET, NULL));
    assert_refused(ctx, "graph 12", leman_baseline(ctx, data, beyond, 2, LEMAN_NO_TARGET, &score));
    assert_refused(ctx, "target 7", leman_baseline(ctx, data, graph, 3, 7, &score));
    assert_int_equal(leman_baseline(ctx, data, graph, 0, LEMAN_NO_TARGET, &score), LEMAN_OK);
    assert_true(isnan(score));
    assert_refused_without(leman_wilson_interval(NULL, 1, 2, &low, &high));
    assert_refused(ctx, "low", leman_wilson_interval(ctx, 1, 2, NULL, &high));
    assert_refused(ctx, "high", leman_wilson_interval(ctx, 1, 2, &low, NULL));
    assert_refused(ctx, "0 right of 0", leman_wilson_interval(ctx, 0, 0, &low, &high));
    assert_refused(ctx, "3 right of 2", leman_wilson_interval(ctx, 3, 2, &low, &high));
    assert_true(low == -1 && high == -1);
    leman_dataset_free(data);
    test_context_free(ctx);
}

static void test_own_splits(void **state)
{
    (void)state;
    static const struct {
        const char *words;
        uint64_t start[5];
        uint32_t graph[8];
    } BAD[] = {
        {"start", {1, 2, 3, 4, 5}, {0, 1, 2, 3, 4}},      {"start", {0, 2, 1, 3, 4}, {0, 1, 2, 3, 4}},
        {"test part", {0, 0, 1, 2, 3}, {0, 1, 2}},        {"validation part", {0, 1, 1, 2, 3}, {0, 1, 2}},
        {"graph 6", {0, 1, 2, 3, 4}, {0, 1, 6, 2}},       {"increasing", {0, 2, 3, 4, 5}, {1, 0, 2, 3, 4}},
        {"increasing", {0, 2, 3, 4, 5}, {1, 1, 2, 3, 4}}, {"one part", {0, 2, 3, 4, 5}, {0, 1, 1, 3, 4}},
        {"one test part", {0, 1, 2, 3, 4}, {0, 1, 0, 2}}, {"left to train", {0, 3, 6, 7, 8}, {0, 1, 2, 3, 4, 5, 3, 4}},
    };
    static const uint64_t start[] = {0, 2, 3, 4, 5};
    static const uint32_t graph[] = {0, 1, 2, 4, 1};
    leman_context *ctx = test_context_new(1);
    leman_splits *const before = TEST_UNTOUCHED(leman_splits), *out = before;
    assert_refused_without(leman_splits_new(NULL, 6, 1, 2, start, graph, &out));
    assert_refused(ctx, "start", leman_splits_new(ctx, 6, 1, 2, NULL, graph, &out));
    assert_refused(ctx, "graph", leman_splits_new(ctx, 6, 1, 2, start, NULL, &out));
    assert_refused(ctx, "out", leman_splits_new(ctx, 6, 1, 2, start, graph, NULL));
    assert_refused(ctx, "0 folds", leman_splits_new(ctx, 6, 1, 0, start, graph, &out));
    assert_refused(ctx, "0 repetitions", leman_splits_new(ctx, 6, 0, 2, start, graph, &out));
    assert_refused(ctx, "repetitions", leman_splits_new(ctx, 6, SIZE_MAX / 2, 2, start, graph, &out));
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++)
        assert_refused(ctx, BAD[i].words, leman_splits_new(ctx, 6, 1, 2, BAD[i].start, BAD[i].graph, &out));
    assert_ptr_equal(out, before);
    assert_int_equal(leman_splits_new(ctx, 6, 1, 2, start, graph, &out), LEMAN_OK);
    assert_memory_equal(out->start, start, sizeof start);
    assert_memory_equal(out->graph, graph, sizeof graph);
    assert_true(out->graphs == 6 && out->repetitions == 1 && out->folds == 2);
    leman_splits_free(out);
    assert_int_equal(leman_splits_new(ctx, 6, 2, 1, start, (uint32_t[]){0, 1, 2, 1, 4}, &out), LEMAN_OK);
    leman_splits_free(out); /* another repetition may test a graph again */
    test_context_free(ctx);
}

/* What was made outlives its context. */
static void test_ownership(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1), *other = NULL;
    const leman_settings settings = leman_settings_default();
    leman_dataset *data = some_data(ctx);
    leman_kernel kernel = some_kernel(ctx);
    leman_protocol protocol = some_protocol();
    leman_splits *splits = NULL;
    leman_evaluation *evaluation = NULL;
    assert_int_equal(leman_context_new(&settings, &other), LEMAN_OK);
    assert_int_equal(leman_splits_draw(other, data, 1, 3, false, &splits), LEMAN_OK);
    protocol.splits = splits;
    assert_int_equal(leman_evaluate(other, data, &kernel, 1, &protocol, &evaluation), LEMAN_OK);
    leman_context_free(other);
    assert_true(evaluation->splits != splits);
    assert_memory_equal(evaluation->splits->graph, splits->graph, splits->start[6] * sizeof *splits->graph);
    leman_splits_free(splits);
    assert_int_equal(evaluation->splits->folds, 3);
    leman_evaluation_free(evaluation);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* ---- Evaluation ------------------------------------------------------------------------------ */

static void test_evaluate(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = some_data(ctx), *larger = test_families(ctx, GRAPHS + 1, 2, NULL);
    leman_kernel kernel = some_kernel(ctx), bad_kernel = kernel;
    leman_protocol protocol = some_protocol(), bad;
    leman_evaluation *const before = TEST_UNTOUCHED(leman_evaluation), *out = before;
    leman_splits *splits = NULL;
    assert_refused_without(leman_evaluate(NULL, data, &kernel, 1, &protocol, &out));
    assert_refused(ctx, "data", leman_evaluate(ctx, NULL, &kernel, 1, &protocol, &out));
    assert_refused(ctx, "kernels", leman_evaluate(ctx, data, NULL, 1, &protocol, &out));
    assert_refused(ctx, "kernels", leman_evaluate(ctx, data, &kernel, 0, &protocol, &out));
    assert_refused(ctx, "out", leman_evaluate(ctx, data, &kernel, 1, &protocol, NULL));
    const char *folder = test_folder_new();
    leman_feature_matrix *matrix;
    assert_int_equal(leman_feature_matrix_read(ctx, test_file_text(folder, "f.svm", "1 1:2\n0 2:1\n"), &matrix),
                     LEMAN_OK);
    bad = protocol;
    bad.svm = (leman_svm)99;
    assert_refused_without(leman_evaluate_matrix(NULL, matrix, &protocol, &out));
    assert_refused(ctx, "matrix", leman_evaluate_matrix(ctx, NULL, &protocol, &out));
    assert_refused(ctx, "out", leman_evaluate_matrix(ctx, matrix, &protocol, NULL));
    assert_refused(ctx, "svm", leman_evaluate_matrix(ctx, matrix, &bad, &out));
    bad.svm = LEMAN_SVM_KERNEL;
    assert_refused(ctx, "kernel SVM", leman_evaluate_matrix(ctx, matrix, &bad, &out));
    leman_feature_matrix_free(matrix);
    test_folder_remove(folder);
    bad_kernel.kind = (leman_kernel_kind)99;
    assert_refused(ctx, "kind", leman_evaluate(ctx, data, &bad_kernel, 1, &protocol, &out));
    static const int NO_SVM[] = {-1, LEMAN_SVM_COUNT, 9};
    for (int i = 0; i < 3; i++) {
        bad = protocol, bad.svm = (leman_svm)NO_SVM[i];
        assert_refused(ctx, "svm", leman_evaluate(ctx, data, &kernel, 1, &bad, &out));
    }
    bad = protocol, bad.size = 0;
    assert_refused(ctx, "leman_protocol", leman_evaluate(ctx, data, &kernel, 1, &bad, &out));
    bad = protocol, bad.min_rounds = 1;
    assert_refused(ctx, "rounds", leman_evaluate(ctx, data, &kernel, 1, &bad, &out));
    bad = protocol, bad.max_rounds = LEMAN_STABLE;
    assert_refused(ctx, "rounds", leman_evaluate(ctx, data, &kernel, 1, &bad, &out));
    static const double unsorted[] = {1, 1}, negative[] = {-1};
    const size_t columns[] = {0, 99};
    assert_refused_without(leman_evaluate_tasks(NULL, data, &kernel, 1, &protocol, columns, 1, &out));
    assert_refused(ctx, "data", leman_evaluate_tasks(ctx, NULL, &kernel, 1, &protocol, columns, 1, &out));
    assert_refused(ctx, "kernels", leman_evaluate_tasks(ctx, data, NULL, 1, &protocol, columns, 1, &out));
    assert_refused(ctx, "columns", leman_evaluate_tasks(ctx, data, &kernel, 1, &protocol, NULL, 1, &out));
    assert_refused(ctx, "tasks", leman_evaluate_tasks(ctx, data, &kernel, 1, &protocol, columns, 0, &out));
    assert_refused(ctx, "out", leman_evaluate_tasks(ctx, data, &kernel, 1, &protocol, columns, 1, NULL));
    bad = protocol, bad.target = 0;
    assert_refused(ctx, "several tasks and a target",
                   leman_evaluate_tasks(ctx, data, &kernel, 1, &bad, columns, 1, &out));
    bad = protocol, bad.score = (leman_score)LEMAN_SCORE_COUNT;
    assert_refused(ctx, "score", leman_evaluate(ctx, data, &kernel, 1, &bad, &out));
    bad = protocol, bad.score = LEMAN_SCORE_R2;
    assert_refused(ctx, "found r2", leman_evaluate(ctx, data, &kernel, 1, &bad, &out));
    bad = protocol, bad.class_weight = negative, bad.class_weights = 1;
    assert_refused(ctx, "1 weight of classes", leman_evaluate(ctx, data, &kernel, 1, &bad, &out));
    bad = protocol, bad.class_weight = (double[]){1, -1}, bad.class_weights = 2;
    assert_refused(ctx, "-1 as the weight of class", leman_evaluate(ctx, data, &kernel, 1, &bad, &out));
    bad = protocol, bad.C = unsorted, bad.C_count = 2;
    assert_refused(ctx, "C = 1", leman_evaluate(ctx, data, &kernel, 1, &bad, &out));
    bad = protocol, bad.C = negative, bad.C_count = 1;
    assert_refused(ctx, "C = -1", leman_evaluate(ctx, data, &kernel, 1, &bad, &out));
    bad = protocol, bad.C = negative, bad.C_count = 0;
    assert_refused(ctx, "no C", leman_evaluate(ctx, data, &kernel, 1, &bad, &out));
    bad = protocol, bad.target = 7;
    assert_refused_for_data(ctx, "no column 7", leman_evaluate(ctx, data, &kernel, 1, &bad, &out));
    bad = protocol, bad.folds = 1;
    assert_refused(ctx, "folds", leman_evaluate(ctx, data, &kernel, 1, &bad, &out));
    assert_int_equal(leman_splits_draw(ctx, larger, 1, 3, false, &splits), LEMAN_OK);
    bad = protocol, bad.splits = splits;
    assert_refused(ctx, "splits", leman_evaluate(ctx, data, &kernel, 1, &bad, &out));
    bad = protocol, bad.svm = LEMAN_SVM_LINEAR;
    bad_kernel = kernel, bad_kernel.assignment = true;
    assert_refused(ctx, "linear SVM", leman_evaluate(ctx, data, &bad_kernel, 1, &bad, &out));
    assert_ptr_equal(out, before);
    leman_evaluation_free(NULL);
    leman_splits_free(splits);
    leman_dataset_free(larger);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* A kernel and a protocol of an older header: shorter structs, whose missing members keep their defaults. */
static void test_shorter_structs(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = some_data(ctx);
    leman_protocol protocol = some_protocol(), shorter = protocol;
    leman_kernel kernel = some_kernel(ctx), short_kernel = kernel;
    leman_evaluation *a = NULL, *b = NULL;
    shorter.size = offsetof(leman_protocol, svm);
    memset((char *)&shorter + shorter.size, 0x5a, sizeof shorter - shorter.size);
    short_kernel.size = offsetof(leman_kernel, coloring.components);
    memset((char *)&short_kernel + short_kernel.size, 0x5a, sizeof short_kernel - short_kernel.size);
    assert_int_equal(leman_evaluate(ctx, data, &kernel, 1, &protocol, &a), LEMAN_OK);
    assert_int_equal(leman_evaluate(ctx, data, &short_kernel, 1, &shorter, &b), LEMAN_OK);
    test_same_results(a, b);
    leman_evaluation_free(a);
    leman_evaluation_free(b);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* ---- Comparisons ----------------------------------------------------------------------------- */

static void test_compare(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = some_data(ctx);
    leman_kernel kernel = some_kernel(ctx);
    leman_protocol protocol = some_protocol();
    leman_evaluation *e = NULL;
    leman_pair_comparison pair[1];
    assert_int_equal(leman_evaluate(ctx, data, &kernel, 1, &protocol, &e), LEMAN_OK);
    const leman_evaluation *both[] = {e, e}, *one[] = {e, NULL};
    memset(pair, 0x5a, sizeof pair);
    const leman_pair_comparison untouched = pair[0];
    assert_refused_without(leman_compare_all(NULL, both, 2, pair));
    assert_refused(ctx, "evaluations", leman_compare_all(ctx, NULL, 2, pair));
    assert_refused(ctx, "evaluations", leman_compare_all(ctx, one, 2, pair));
    assert_refused(ctx, "comparisons", leman_compare_all(ctx, both, 2, NULL));
    assert_memory_equal(pair, &untouched, sizeof pair);
    assert_int_equal(leman_compare_all(ctx, both, 2, pair), LEMAN_OK);
    assert_true(pair[0].comparison.p == 1 && pair[0].p_holm == 1);
    leman_evaluation_free(e);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* ---- Names and defaults ---------------------------------------------------------------------- */

static void test_names(void **state)
{
    (void)state;
    static const char *const NAMES[LEMAN_SVM_COUNT] = {"auto", "kernel", "linear"};
    leman_context *ctx = test_context_new(1);
    leman_svm svm = LEMAN_SVM_KERNEL;
    for (int i = 0; i < LEMAN_SVM_COUNT; i++) {
        leman_svm back = LEMAN_SVM_AUTO;
        assert_string_equal(leman_svm_name((leman_svm)i), NAMES[i]);
        assert_int_equal(leman_svm_parse(ctx, NAMES[i], &back), LEMAN_OK);
        assert_int_equal(back, i);
    }
    assert_string_equal(leman_svm_name((leman_svm)LEMAN_SVM_COUNT), "unknown");
    assert_string_equal(leman_svm_name((leman_svm)-1), "unknown");
    assert_refused_without(leman_svm_parse(NULL, "auto", &svm));
    assert_refused(ctx, "name", leman_svm_parse(ctx, NULL, &svm));
    assert_refused(ctx, "svm", leman_svm_parse(ctx, "auto", NULL));
    assert_refused(ctx, "auto, kernel, linear", leman_svm_parse(ctx, "machine", &svm));
    assert_int_equal(svm, LEMAN_SVM_KERNEL);
    test_context_free(ctx);
}

static void test_score_names(void **state)
{
    (void)state;
    static const char *const NAMES[LEMAN_SCORE_COUNT] = {"auto", "accuracy", "balanced", "auc", "mae", "rmse", "r2"};
    leman_context *ctx = test_context_new(1);
    leman_score score = LEMAN_SCORE_AUC;
    for (int i = 0; i < LEMAN_SCORE_COUNT; i++) {
        leman_score back = LEMAN_SCORE_AUTO;
        assert_string_equal(leman_score_name((leman_score)i), NAMES[i]);
        assert_int_equal(leman_score_parse(ctx, NAMES[i], &back), LEMAN_OK);
        assert_int_equal(back, i);
    }
    assert_string_equal(leman_score_name((leman_score)LEMAN_SCORE_COUNT), "unknown");
    assert_refused_without(leman_score_parse(NULL, "auto", &score));
    assert_refused(ctx, "name", leman_score_parse(ctx, NULL, &score));
    assert_refused(ctx, "score", leman_score_parse(ctx, "auc", NULL));
    assert_refused(ctx, "balanced, auc", leman_score_parse(ctx, "f1", &score));
    assert_int_equal(score, LEMAN_SCORE_AUC);
    test_context_free(ctx);
}

static void test_defaults(void **state)
{
    (void)state;
    size_t count = 0;
    const double *C = leman_default_C(&count);
    assert_int_equal(count, 7);
    for (int i = 0; i < 7; i++) assert_true(fabs(C[i] / pow(10, i - 3) - 1) < 1e-15);
    assert_ptr_equal(leman_default_C(NULL), C);
    leman_protocol_init(NULL, sizeof(leman_protocol));
    leman_protocol protocol = leman_protocol_default();
    assert_true(protocol.size == sizeof protocol && protocol.repetitions == 10 && protocol.folds == 10);
    assert_true(protocol.max_rounds == 5 && protocol.target == LEMAN_NO_TARGET && !protocol.C && !protocol.splits);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_splits),    cmocka_unit_test(test_own_splits), cmocka_unit_test(test_baselines),
        cmocka_unit_test(test_ownership), cmocka_unit_test(test_evaluate),   cmocka_unit_test(test_shorter_structs),
        cmocka_unit_test(test_compare),   cmocka_unit_test(test_names),      cmocka_unit_test(test_score_names),
        cmocka_unit_test(test_defaults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
