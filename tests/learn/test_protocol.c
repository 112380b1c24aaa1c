/* The protocol from end to end: easy classes are found, noise is not, threads change nothing, and every fold
 * is as defined. */
#include "learn/protocol/evaluation.h"
#include "learn/protocol/scores.h"
#include "support/training_data.h"
#include "svm/svm.h"
#include <math.h>

static leman_kernel kernel_of(leman_context *ctx, const char *name)
{
    leman_kernel kernel = leman_kernel_default();
    assert_int_equal(leman_kernel_parse(ctx, name, &kernel), LEMAN_OK);
    return kernel;
}

static leman_protocol small(void)
{
    leman_protocol protocol = leman_protocol_default();
    protocol.repetitions = 2;
    protocol.folds = 5;
    protocol.max_rounds = 2;
    return protocol;
}

static leman_evaluation *evaluate(leman_context *ctx, const leman_dataset *data, const char *kernel,
                                  const leman_protocol *protocol)
{
    leman_evaluation *e = NULL;
    leman_kernel parsed = kernel_of(ctx, kernel);
    leman_status st = leman_evaluate(ctx, data, &parsed, 1, protocol, &e);
    if (st) fail_msg("%s", leman_context_message(ctx));
    return e;
}

static void test_easy(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(2);
    for (unsigned classes = 2; classes <= 4; classes++)
        for (int svm = LEMAN_SVM_KERNEL; svm <= LEMAN_SVM_LINEAR; svm++) {
            leman_dataset *data = test_families(ctx, 80, classes, NULL);
            leman_protocol protocol = small();
            protocol.svm = (leman_svm)svm;
            leman_evaluation *e = evaluate(ctx, data, "local:1", &protocol);
            assert_true(e->test_mean == 100 && e->test_std == 0 && e->test_std_folds == 0);
            assert_true(e->balanced_mean == 100 && e->auc_mean == 100 && e->train_mean == 100);
            assert_int_equal(e->svm, svm);
            assert_int_equal(e->classes, classes);
            for (size_t c = 0; c < classes; c++) {
                assert_int_equal(e->class_label[c], 10 + 10 * (int)c);
                size_t members = 80 / classes + (c < 80 % classes);
                for (size_t d = 0; d < classes; d++)
                    assert_int_equal(e->confusion[c * classes + d], c == d ? 2 * members : 0);
            }
            leman_evaluation_free(e);
            leman_dataset_free(data);
        }
    test_context_free(ctx);
}

static int64_t coin(size_t graph)
{
    uint64_t random = graph * 2 + 1;
    for (int i = 0; i < 10; i++) test_random(&random);
    return (int64_t)(test_random(&random) >> 20 & 1);
}

/* Classes that have nothing to do with the graphs: chance, up to five deviations of 200 coins. */
static void test_noise(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(2);
    leman_dataset *data = test_families(ctx, 200, 4, coin);
    leman_protocol protocol = small();
    leman_evaluation *e = evaluate(ctx, data, "local:1", &protocol);
    assert_true(fabs(e->test_mean - 50) < 5 * 100 * sqrt(0.25 / 200));
    assert_true(fabs(e->auc_mean - 50) < 20);
    leman_evaluation_free(e);
    leman_dataset_free(data);
    test_context_free(ctx);
}

static void test_threads(void **state)
{
    (void)state;
    leman_context *one = test_context_new(1), *two = test_context_new(2), *five = test_context_new(5);
    leman_dataset *data = test_families(one, 90, 3, coin);
    leman_protocol protocol = small();
    for (protocol.svm = LEMAN_SVM_KERNEL; protocol.svm <= LEMAN_SVM_LINEAR; protocol.svm++) {
        leman_evaluation *a = evaluate(one, data, "local:2", &protocol), *b = evaluate(two, data, "local:2", &protocol);
        leman_evaluation *c = evaluate(five, data, "local:2", &protocol);
        test_same_results(a, b);
        test_same_results(a, c);
        leman_evaluation_free(a);
        leman_evaluation_free(b);
        leman_evaluation_free(c);
    }
    leman_dataset_free(data);
    test_context_free(one);
    test_context_free(two);
    test_context_free(five);
}

/* One fold done again by hand: every SVM trained in order, the table of validation scores, the rule, the test. */
static void check_fold(leman_context *ctx, const leman_dataset *data, const leman_evaluation *e, size_t i, bool again)
{
    static const double GRID[] = {1e-3, 1e-2, 1e-1, 1, 10, 100, 1000};
    size_t n = e->splits->graphs, best_h = 0, best_c = 0;
    double *whole = malloc(n * n * sizeof *whole), best = -1, decision[100];
    float *gram = malloc(n * n * sizeof *gram);
    uint32_t train[100], label[100], labels[100], found[100];
    const int64_t *class_label = leman_dataset_classes(data);
    lm_part test = lm_split_test(e->splits, i), validation = lm_split_validation(e->splits, i);
    size_t count = lm_split_training(e->splits, i, train);
    for (size_t pass = 0; pass < 2; pass++)
        for (size_t h = 0; h < e->rounds; h++) {
            leman_kernel kernel = kernel_of(ctx, "local:1");
            lm_svm *svm = NULL;
            kernel.coloring.rounds = (uint32_t)h;
            if (pass && h != best_h) continue;
            if (pass && again) {
                memcpy(train + count, validation.graph, validation.count * sizeof *train);
                count += validation.count;
            }
            for (size_t j = 0; j < count; j++) label[j] = class_label[train[j]] != 0;
            assert_int_equal(leman_gram_compute(ctx, data, NULL, &kernel, 1, true, whole), LEMAN_OK);
            for (size_t j = 0; j < n * n; j++) gram[j] = (float)whole[j];
            lm_svm_problem problem = {.gram = gram, .graphs = n, .set = {train, label, .count = count, .classes = 2}};
            assert_int_equal(lm_svm_new(ctx, &problem, &svm), LEMAN_OK);
            for (size_t c = 0; c < 7; c++) {
                if (pass && again && c != best_c) continue;
                assert_int_equal(lm_svm_train(svm, GRID[c], NULL), LEMAN_OK);
                lm_part part = pass ? test : validation;
                assert_int_equal(lm_svm_decide(svm, part.graph, part.count, decision), LEMAN_OK);
                for (size_t j = 0; j < part.count; j++) {
                    labels[j] = class_label[part.graph[j]] != 0;
                    found[j] = decision[j] > 0 ? 0 : 1;
                }
                double score = lm_accuracy(labels, found, NULL, part.count);
                if (!pass && (score > best || (score == best && h == best_h))) best = score, best_h = h, best_c = c;
                if (pass && c == best_c) assert_true(score == e->fold[i].test);
            }
            lm_svm_free(svm);
        }
    assert_int_equal(e->fold[i].rounds, best_h);
    assert_true(e->fold[i].C == GRID[best_c] && e->fold[i].validation == best);
    free(whole);
    free(gram);
}

static void test_definition(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(2);
    leman_dataset *data = test_families(ctx, 60, 4, coin);
    for (int again = 0; again < 2; again++) {
        leman_protocol protocol = small();
        protocol.svm = LEMAN_SVM_KERNEL;
        protocol.retrain = again;
        leman_evaluation *e = evaluate(ctx, data, "local:1", &protocol);
        for (size_t i = 0; i < 10; i++) check_fold(ctx, data, e, i, again);
        double mean[2] = {0, 0};
        for (size_t i = 0; i < 10; i++) mean[i / 5] += e->fold[i].test / 5;
        assert_true(fabs(e->test_mean - (mean[0] + mean[1]) / 2) < 1e-9);
        assert_true(fabs(e->test_std - fabs(mean[0] - mean[1]) / 2) < 1e-9);
        leman_evaluation_free(e);
    }
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* Sums of kernels, kernels without rounds, assignment, a few rounds only. */
static void test_kernels(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(2);
    leman_dataset *data = test_families(ctx, 60, 2, NULL);
    leman_kernel kernels[2] = {kernel_of(ctx, "sp"), kernel_of(ctx, "local:1")};
    leman_protocol protocol = small();
    leman_evaluation *e = evaluate(ctx, data, "graphlet", &protocol);
    assert_true(!e->has_rounds && e->rounds == 1 && e->min_rounds == 0);
    leman_evaluation_free(e);
    e = evaluate(ctx, data, "wloa", &protocol);
    assert_int_equal(e->svm, LEMAN_SVM_KERNEL);
    leman_evaluation_free(e);
    protocol.min_rounds = 1;
    e = evaluate(ctx, data, "local+:2", &protocol);
    assert_true(e->rounds == 2 && e->min_rounds == 1);
    leman_evaluation_free(e);
    assert_int_equal(leman_evaluate(ctx, data, kernels, 2, &protocol, &e), LEMAN_OK);
    assert_true(e->has_rounds && e->rounds == 2 && e->test_mean == 100);
    leman_evaluation_free(e);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* The matrices come out the same whether all rounds fit at once or one by one, with any number of threads: where their
 * lists do not fit into the budget, fewer threads are used. */
static void test_budgets(void **state)
{
    (void)state;
    leman_settings settings = leman_settings_default();
    leman_context *ctx = test_context_new(1), *tight = NULL;
    leman_dataset *data = test_families(ctx, 300, 3, coin);
    leman_protocol protocol = small();
    leman_evaluation *a = evaluate(ctx, data, "local:1", &protocol), *b = NULL;
    settings.memory = 300 * 300 * 40; /* 3 * 4 + 8 bytes a pair of graphs one by one, 3 * 8 + 4 at once */
    for (settings.threads = 1; settings.threads <= 64; settings.threads *= 8) {
        assert_int_equal(leman_context_new(&settings, &tight), LEMAN_OK);
        b = evaluate(tight, data, "local:1", &protocol);
        assert_int_equal(b->svm, LEMAN_SVM_KERNEL);
        test_same_results(a, b);
        assert_string_equal(leman_context_message(tight), "");
        leman_evaluation_free(b);
        leman_context_free(tight);
    }
    leman_evaluation_free(a);
    settings.threads = 1;
    settings.memory = 300 * 300 * 19;
    assert_int_equal(leman_context_new(&settings, &tight), LEMAN_OK);
    leman_kernel kernel = kernel_of(ctx, "local:1");
    protocol.svm = LEMAN_SVM_KERNEL;
    assert_int_equal(leman_evaluate(tight, data, &kernel, 1, &protocol, &b), LEMAN_ERROR_BUDGET);
    assert_non_null(strstr(leman_context_message(tight), "linear"));
    protocol.svm = LEMAN_SVM_AUTO; /* which SVM it is does not depend on memory */
    assert_int_equal(leman_evaluate(tight, data, &kernel, 1, &protocol, &b), LEMAN_ERROR_BUDGET);
    assert_non_null(strstr(leman_context_message(tight), "linear SVM"));
    protocol.svm = LEMAN_SVM_LINEAR;
    b = evaluate(tight, data, "local:1", &protocol);
    leman_evaluation_free(b);
    leman_context_free(tight);
    leman_dataset_free(data);
    test_context_free(ctx);
}

static void count_sentences(void *user, const char *sentence)
{
    if (strstr(sentence, "passes over the graphs")) ++*(size_t *)user;
}

/* The same evaluation where the pairs come in slices: of every h by itself, and of all at once. */
static void test_slices(void **state)
{
    (void)state;
    static const char *const kernels[] = {"local:2", "local+:2"};
    leman_settings settings = leman_settings_default();
    leman_context *ctx = test_context_new(1);
    leman_family_options options = leman_family_options_default();
    leman_dataset *data = NULL;
    leman_protocol protocol = small();
    size_t sentences = 0;
    options.graphs = 120;
    assert_int_equal(leman_dataset_generate(ctx, LEMAN_FAMILY_MOLECULES, &options, &data), LEMAN_OK);
    settings.threads = 1;
    settings.log = count_sentences;
    settings.callback_user = &sentences;
    for (size_t i = 0; i < 4; i++) {
        leman_context *tight = NULL;
        leman_evaluation *a = evaluate(ctx, data, kernels[i / 2], &protocol), *b = NULL;
        settings.memory = i % 2 ? 950000 : 700000; /* all at once where it is twice 28 bytes a pair of graphs */
        assert_int_equal(leman_context_new(&settings, &tight), LEMAN_OK);
        b = evaluate(tight, data, kernels[i / 2], &protocol);
        test_same_results(a, b);
        leman_evaluation_free(a);
        leman_evaluation_free(b);
        leman_context_free(tight);
        assert_true(sentences > i);
    }
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* The number of vertices from the graph: much better than the mean of all, whose scores are in the comment. */
static void test_values(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(2);
    leman_dataset *data = test_families(ctx, 80, 2, NULL);
    leman_protocol protocol = small();
    protocol.target = 0;
    leman_evaluation *e = evaluate(ctx, data, "sp", &protocol);
    assert_true(e->test_mean < 0.6 && e->rmse_mean < 0.8 && e->r2_mean > 0.6 && isnan(e->auc_mean)); /* 1.2, 1.4, 0 */
    assert_true(e->classes == 0 && !e->confusion);
    for (size_t i = 0; i < 10; i++) {
        lm_part test = lm_split_test(e->splits, i);
        double sum = 0;
        for (size_t j = 0; j < test.count; j++)
            sum += fabs(e->predicted[e->splits->start[2 * i] + j] - leman_dataset_targets(data)[test.graph[j]]);
        assert_true(fabs(sum / (double)test.count - e->fold[i].test) < 1e-12);
    }
    leman_evaluation_free(e);
    protocol.target = 1;
    leman_kernel kernel = kernel_of(ctx, "sp");
    assert_int_equal(leman_evaluate(ctx, data, &kernel, 1, &protocol, &e), LEMAN_ERROR_INPUT);
    leman_dataset_free(data);
    test_context_free(ctx);
}

static int64_t lonely(size_t graph)
{
    return graph == 7 ? 5 : graph % 2 ? 1 : 2;
}

static int64_t constant(size_t graph)
{
    (void)graph;
    return 3;
}

static void refused(leman_context *ctx, const leman_dataset *data, const char *name, const leman_protocol *protocol,
                    leman_status expected, const char *words)
{
    leman_kernel kernel = kernel_of(ctx, name);
    leman_evaluation *e = NULL;
    assert_int_equal(leman_evaluate(ctx, data, &kernel, 1, protocol, &e), expected);
    if (!strstr(leman_context_message(ctx), words))
        fail_msg("said '%s', without '%s'", leman_context_message(ctx), words);
}

static void test_awkward(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(2);
    leman_protocol protocol = small();
    leman_dataset *data = test_families(ctx, 40, 2, lonely), *bare = NULL;
    for (int svm = LEMAN_SVM_KERNEL; svm <= LEMAN_SVM_LINEAR; svm++) { /* a class of one graph */
        protocol.svm = (leman_svm)svm;
        leman_evaluation *e = evaluate(ctx, data, "local:1", &protocol);
        assert_int_equal(e->classes, 3);
        assert_true(e->test_mean >= 97 && e->test_mean < 100); /* that one cannot be found */
        leman_evaluation_free(e);
    }
    leman_columns none = {0};
    assert_int_equal(leman_dataset_keep(ctx, data, &none, &bare), LEMAN_OK);
    refused(ctx, bare, "local:1", &protocol, LEMAN_ERROR_INPUT, "without classes");
    leman_dataset_free(bare);
    refused(ctx, data, "wloa", &protocol, LEMAN_ERROR_ARGUMENT, "assignment");
    protocol = small();
    protocol.folds = 41;
    refused(ctx, data, "local:1", &protocol, LEMAN_ERROR_INPUT, "at least 41");
    protocol = small();
    protocol.min_rounds = 3;
    refused(ctx, data, "local:1", &protocol, LEMAN_ERROR_ARGUMENT, "3 to 2");
    double grid[] = {1, 1};
    protocol = small();
    protocol.C = grid;
    protocol.C_count = 2;
    refused(ctx, data, "local:1", &protocol, LEMAN_ERROR_ARGUMENT, "increasing");
    grid[1] = 1e300;
    refused(ctx, data, "local:1", &protocol, LEMAN_ERROR_ARGUMENT, "up to 1e100");
    protocol.C_count = 0;
    refused(ctx, data, "local:1", &protocol, LEMAN_ERROR_ARGUMENT, "no C");
    leman_dataset_free(data);
    data = test_families(ctx, 40, 2, constant);
    protocol = small();
    refused(ctx, data, "local:1", &protocol, LEMAN_ERROR_INPUT, "1 class");
    leman_dataset_free(data);
    test_context_free(ctx);
}

typedef struct fixture {
    leman_dataset *data;
    leman_svm svm;
} fixture;

static leman_status run(leman_context *ctx, void *user)
{
    const fixture *s = user;
    leman_protocol protocol = small();
    leman_evaluation *e = NULL;
    leman_kernel kernel = leman_kernel_default();
    kernel.coloring.k = 1;
    protocol.svm = s->svm;
    protocol.repetitions = 1;
    protocol.folds = 2;
    protocol.max_rounds = 1;
    leman_status st = leman_evaluate(ctx, s->data, &kernel, 1, &protocol, &e);
    leman_evaluation_free(e);
    return st;
}

static void test_allocations(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    fixture s = {test_families(ctx, 30, 2, NULL), LEMAN_SVM_KERNEL};
    assert_true(test_fail_each_allocation(run, &s) > 20);
    s.svm = LEMAN_SVM_LINEAR;
    assert_true(test_fail_each_allocation(run, &s) > 20);
    leman_dataset_free(s.data);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_easy),        cmocka_unit_test(test_noise),   cmocka_unit_test(test_threads),
        cmocka_unit_test(test_definition),  cmocka_unit_test(test_kernels), cmocka_unit_test(test_budgets),
        cmocka_unit_test(test_slices),      cmocka_unit_test(test_values),  cmocka_unit_test(test_awkward),
        cmocka_unit_test(test_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
