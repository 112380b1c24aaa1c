/* What vertices contribute to a score: they add up to it whatever the model, equal vertices contribute equally, and
 * where the weights can be read off single vertices, each contributes its own. */
#include "learn/model_fixture.h"
#include <math.h>

enum { MOST = 16 };

static double total(leman_context *ctx, const leman_model *model, const leman_dataset *data, size_t graph,
                    size_t class_number, double *vertex)
{
    leman_attribution *a = NULL;
    if (leman_model_attribute(ctx, model, data, graph, class_number, LEMAN_ATTRIBUTION_METHOD_WEIGHTS, 0, &a))
        fail_msg("%s", leman_context_message(ctx));
    double sum = a->rest;
    for (size_t v = 0; v < a->vertices; v++) sum += vertex[v] = a->vertex[v];
    leman_attribution_free(a);
    return sum;
}

/* The sum is the score of the class that is predicted; of two classes, that of the other is its negative. */
static void assert_adds_up(leman_context *ctx, const leman_model *model, const leman_dataset *data)
{
    const leman_model_shape *shape = leman_model_describe(model);
    const predictions p = predict(ctx, model, data);
    double vertex[MOST];
    for (size_t g = 0; g < leman_dataset_shape(data)->graphs; g++) {
        size_t own = 0;
        while (!shape->regression && shape->class_label[own] != p.label[g]) own++;
        const double sum = total(ctx, model, data, g, own, vertex);
        assert_true(fabs(sum - p.score[g]) < 1e-9 * fmax(1, fabs(sum)));
        if (shape->classes == 2) assert_true(fabs(total(ctx, model, data, g, 1 - own, vertex) + sum) < 1e-9);
    }
}

static void test_sums(void **state)
{
    (void)state;
    static const leman_algorithm ALGORITHMS[] = {LEMAN_ALGORITHM_LOCAL, LEMAN_ALGORITHM_DELTA, LEMAN_ALGORITHM_WL,
                                                 LEMAN_ALGORITHM_LOCAL_PLUS, LEMAN_ALGORITHM_FOLKLORE};
    leman_context *ctx = test_context_new(2);
    for (int64_t classes = 2; classes <= 3; classes++)
        for (int svm = LEMAN_SVM_KERNEL; svm <= LEMAN_SVM_LINEAR; svm++)
            for (unsigned k = 1; k <= 3; k++)
                for (size_t a = 0; a < sizeof ALGORITHMS / sizeof *ALGORITHMS; a++) {
                    if (k != 2 && a) continue;
                    leman_dataset *data = kinds(ctx, GRAPHS, classes, a == 1);
                    leman_kernel kernel[2] = {kernel_of(ALGORITHMS[a], k, false),
                                              kernel_of(LEMAN_ALGORITHM_LOCAL, 1, false)};
                    leman_fit_options options = quick((leman_svm)svm);
                    options.apex = a == 2;
                    options.max_rounds = k == 3 ? 1 : 2;
                    kernel[0].weight = 2.5;
                    leman_model *model = fit(ctx, data, kernel, 1 + a % 2, &options);
                    assert_adds_up(ctx, model, data);
                    leman_model_free(model);
                    leman_dataset_free(data);
                }
    test_context_free(ctx);
}

static void test_regression_and_large_tuples(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = kinds(ctx, 8, 2, false);
    for (unsigned k = 2; k <= 4; k++) {
        leman_kernel kernel = kernel_of(LEMAN_ALGORITHM_LOCAL, k, false);
        leman_fit_options options = quick(LEMAN_SVM_AUTO);
        if (k == 3) kernel.coloring.components = 1; /* connected triples alone */
        options.target = 0;
        options.max_rounds = 1;
        leman_model *model = fit(ctx, data, &kernel, 1, &options);
        assert_adds_up(ctx, model, data);
        leman_model_free(model);
    }
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* With 1-WL in round 0 the features are counts of labels, so that the score of a single vertex has its weight. */
static void test_weights_of_labels(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = kinds(ctx, GRAPHS, 2, false), *single = NULL;
    leman_kernel kernel = kernel_of(LEMAN_ALGORITHM_LOCAL, 1, false);
    leman_fit_options options = quick(LEMAN_SVM_LINEAR);
    leman_columns columns = {.vertex_labels = 1};
    leman_builder *b = NULL;
    double vertex[MOST], weight[2];
    leman_attribution *a = NULL;
    options.max_rounds = 0;
    leman_model *model = fit(ctx, data, &kernel, 1, &options);
    assert_int_equal(leman_builder_new(ctx, "single", &columns, &b), LEMAN_OK);
    for (int64_t label = 0; label < 2; label++) {
        leman_builder_graph(b, NULL, NULL, NULL);
        leman_builder_vertex(b, NULL, &label, NULL);
    }
    assert_int_equal(leman_builder_finish(b, NULL, NULL, &single), LEMAN_OK);
    leman_builder_free(b);
    const predictions p = predict(ctx, model, single);
    const int64_t first = leman_model_describe(model)->class_label[0];
    assert_int_equal(leman_model_attribute(ctx, model, data, 0, 0, LEMAN_ATTRIBUTION_METHOD_WEIGHTS, 0, &a), LEMAN_OK);
    for (size_t i = 0; i < 2; i++) weight[i] = (p.label[i] == first ? p.score[i] : -p.score[i]) - a->rest;
    leman_attribution_free(a);
    for (size_t g = 0; g < GRAPHS; g++) {
        const leman_graph graph = leman_dataset_graph(data, g);
        double count[2] = {0, 0};
        for (size_t v = 0; v < graph.vertices; v++) count[graph.vertex_label[v]]++;
        total(ctx, model, data, g, 0, vertex);
        for (size_t v = 0; v < graph.vertices; v++)
            assert_true(fabs(vertex[v] - weight[graph.vertex_label[v]] / hypot(count[0], count[1])) < 1e-12);
    }
    leman_model_free(model);
    leman_dataset_free(single);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* A star without labels: all leaves contribute the same, in pairs and triples as well. */
static void test_equal_vertices(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(2);
    leman_dataset *data = kinds(ctx, GRAPHS, 4, false);
    for (unsigned k = 1; k <= 3; k++) {
        leman_kernel kernel = kernel_of(LEMAN_ALGORITHM_DELTA, k, false);
        leman_fit_options options = quick(LEMAN_SVM_AUTO);
        double vertex[MOST];
        kernel.coloring.ignore_vertex_labels = true;
        options.max_rounds = 1;
        leman_model *model = fit(ctx, data, &kernel, 1, &options);
        total(ctx, model, data, 3, 3, vertex);
        assert_true(fabs(vertex[0] - vertex[1]) > 1e-6);
        for (size_t v = 2; v < leman_dataset_graph(data, 3).vertices; v++)
            assert_true(fabs(vertex[v] - vertex[1]) < 1e-12);
        leman_model_free(model);
    }
    leman_dataset_free(data);
    test_context_free(ctx);
}

static void test_refusals(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = kinds(ctx, GRAPHS, 2, false);
    leman_attribution *a = NULL;
    leman_fit_options options = quick(LEMAN_SVM_AUTO);
    for (int turn = 0; turn < 3; turn++) { /* assignment, paths, a sum of colours with and without assignment */
        leman_kernel kernel[2] = {kernel_of(LEMAN_ALGORITHM_LOCAL, 1, !turn),
                                  kernel_of(LEMAN_ALGORITHM_LOCAL, 1, true)};
        if (turn == 1) kernel[0].kind = LEMAN_KERNEL_KIND_SHORTEST_PATH;
        leman_model *model = fit(ctx, data, kernel, turn == 2 ? 2 : 1, &options);
        assert_int_equal(leman_model_attribute(ctx, model, data, 0, 0, LEMAN_ATTRIBUTION_METHOD_WEIGHTS, 0, &a),
                         LEMAN_ERROR_UNSUPPORTED);
        assert_non_null(strstr(leman_context_message(ctx), turn == 1 ? "SP" : "minima"));
        leman_model_free(model);
    }
    assert_null(a);
    leman_dataset_free(data);
    test_context_free(ctx);
}

static leman_status contribute(leman_context *ctx, void *state)
{
    const leman_model *const *model = state;
    leman_attribution *a = NULL;
    leman_dataset *data = NULL;
    leman_family_options options = leman_family_options_default();
    options.vertices = 5;
    leman_status st = leman_dataset_generate(ctx, LEMAN_FAMILY_CYCLE, &options, &data);
    if (!st) st = leman_model_attribute(ctx, *model, data, 0, 0, LEMAN_ATTRIBUTION_METHOD_WEIGHTS, 0, &a);
    leman_attribution_free(a);
    leman_dataset_free(data);
    return st;
}

static void test_allocations(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = kinds(ctx, GRAPHS, 2, false);
    leman_kernel kernel = kernel_of(LEMAN_ALGORITHM_LOCAL, 2, false);
    leman_fit_options options = quick(LEMAN_SVM_AUTO);
    kernel.coloring.ignore_vertex_labels = true;
    leman_model *model = fit(ctx, data, &kernel, 1, &options);
    assert_true(test_fail_each_allocation(contribute, &model) > 5);
    leman_model_free(model);
    leman_dataset_free(data);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums),
        cmocka_unit_test(test_regression_and_large_tuples),
        cmocka_unit_test(test_weights_of_labels),
        cmocka_unit_test(test_equal_vertices),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
