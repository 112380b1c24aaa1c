/* leman/substructure.h: texts by definition, what must be refused, and failing allocations. */
#include "support/refused.h"
#include "support/training_data.h"
#include <math.h>
#include <string.h>

enum { GRAPHS = 12 };

static leman_kernel vertices_of_rounds(uint32_t rounds)
{
    leman_kernel kernel = leman_kernel_default();
    kernel.coloring.k = 1;
    kernel.coloring.rounds = rounds;
    return kernel;
}

/* A path of three vertices with labels 7, 3, 7 and edges with labels 1 and 2, and a triangle. */
static leman_dataset *two_graphs(leman_context *ctx, bool labels)
{
    leman_columns columns = {.vertex_labels = labels, .edge_labels = labels};
    leman_builder *b = NULL;
    leman_dataset *data = NULL;
    assert_int_equal(leman_builder_new(ctx, "two", &columns, &b), LEMAN_OK);
    for (int g = 0; g < 2; g++) {
        leman_builder_graph(b, NULL, NULL, NULL);
        for (int v = 0; v < 3; v++) leman_builder_vertex(b, NULL, (int64_t[]){v == 1 ? 3 : 7}, NULL);
        leman_builder_edge(b, 0, 1, (int64_t[]){1}, NULL);
        leman_builder_edge(b, 1, 2, (int64_t[]){2}, NULL);
        if (g) leman_builder_edge(b, 0, 2, (int64_t[]){1}, NULL);
    }
    assert_int_equal(leman_builder_finish(b, NULL, NULL, &data), LEMAN_OK);
    leman_builder_free(b);
    return data;
}

static void assert_texts(leman_context *ctx, const leman_dataset *data, uint32_t rounds, const char *const *expected,
                         size_t count)
{
    const leman_kernel kernel = vertices_of_rounds(rounds);
    leman_features *features = NULL;
    leman_substructures *found = NULL;
    assert_int_equal(leman_features_compute(ctx, data, &kernel, 1, NULL, &features), LEMAN_OK);
    if (leman_features_substructures(ctx, features, data, &found)) fail_msg("%s", leman_context_message(ctx));
    assert_int_equal(found->count, features->columns);
    assert_int_equal(found->count, count);
    for (size_t i = 0; i < count; i++) {
        size_t at = 0;
        while (at < found->count && strcmp(found->item[at].text, expected[i])) at++;
        if (at == found->count) fail_msg("no feature is called %s, the first %s", expected[i], found->item->text);
        assert_true(isnan(found->item[at].effect));
    }
    leman_substructures_free(found);
    leman_features_free(features);
}

static void test_texts(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *plain = two_graphs(ctx, false), *labelled = two_graphs(ctx, true);
    const char *const structure[] = {"*", "[*;D1]~*",
                                     "[*;D2](~*)~*"}; /* the triangle has the colour of the path's middle */
    const char *const labels[] = {"[7]",
                                  "[3]",
                                  "[7;D1]{1}[3]",
                                  "[3;D2]({1}[7]){2}[7]",
                                  "[7;D1]{2}[3]",
                                  "[7;D2]({1}[3]){1}[7]",
                                  "[7;D2]({1}[7]){2}[3]"};
    assert_texts(ctx, plain, 1, structure, 3);
    assert_texts(ctx, labelled, 1, labels, 7);
    leman_dataset_free(plain);
    leman_dataset_free(labelled);
    test_context_free(ctx);
}

static leman_model *some_model(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernel, bool apex)
{
    leman_fit_options options = leman_fit_options_default();
    leman_model *model = NULL;
    options.folds = 3;
    options.max_rounds = 1;
    options.apex = apex;
    assert_int_equal(leman_model_fit(ctx, data, kernel, 1, &options, &model), LEMAN_OK);
    return model;
}

static void test_refused(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = test_families(ctx, GRAPHS, 2, NULL);
    leman_kernel kernel = vertices_of_rounds(1);
    leman_feature_options hashed = leman_feature_options_default();
    leman_features *features = NULL, *folded = NULL;
    leman_substructures *const before = TEST_UNTOUCHED(leman_substructures), *out = before;
    leman_model *model = some_model(ctx, data, &kernel, false), *marked = some_model(ctx, data, &kernel, true);
    hashed.hash_bits = 4;
    assert_int_equal(leman_features_compute(ctx, data, &kernel, 1, NULL, &features), LEMAN_OK);
    assert_int_equal(leman_features_compute(ctx, data, &kernel, 1, &hashed, &folded), LEMAN_OK);
    assert_refused_without(leman_features_substructures(NULL, features, data, &out));
    assert_refused(ctx, "features", leman_features_substructures(ctx, NULL, data, &out));
    assert_refused(ctx, "data", leman_features_substructures(ctx, features, NULL, &out));
    assert_refused(ctx, "out", leman_features_substructures(ctx, features, data, NULL));
    assert_refused(ctx, "features", leman_features_substructures(ctx, folded, data, &out));
    assert_refused_without(leman_model_substructures(NULL, model, data, 0, 3, &out));
    assert_refused(ctx, "model", leman_model_substructures(ctx, NULL, data, 0, 3, &out));
    assert_refused(ctx, "data", leman_model_substructures(ctx, model, NULL, 0, 3, &out));
    assert_refused(ctx, "out", leman_model_substructures(ctx, model, data, 0, 3, NULL));
    assert_refused(ctx, "class_number", leman_model_substructures(ctx, model, data, 2, 3, &out));
    assert_int_equal(leman_model_substructures(ctx, marked, data, 0, 3, &out), LEMAN_ERROR_UNSUPPORTED);
    kernel.assignment = true;
    leman_model *minima = some_model(ctx, data, &kernel, false);
    assert_int_equal(leman_model_substructures(ctx, minima, data, 0, 3, &out), LEMAN_ERROR_UNSUPPORTED);
    assert_ptr_equal(out, before);
    leman_substructures_free(NULL);
    leman_model_free(minima);
    leman_model_free(marked);
    leman_model_free(model);
    leman_features_free(folded);
    leman_features_free(features);
    leman_dataset_free(data);
    test_context_free(ctx);
}

typedef struct subject {
    const leman_dataset *data;
    const leman_model *model;
} subject;

static leman_status show(leman_context *ctx, void *state)
{
    const subject *s = state;
    leman_substructures *found = NULL;
    const leman_status st = leman_model_substructures(ctx, s->model, s->data, 1, 3, &found);
    if (!st) assert_int_equal(found->count, 3);
    leman_substructures_free(found);
    return st;
}

static void test_failing_allocations(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = test_families(ctx, GRAPHS, 2, NULL);
    const leman_kernel kernel = vertices_of_rounds(1);
    leman_model *model = some_model(ctx, data, &kernel, false);
    assert_true(test_fail_each_allocation(show, &(subject){data, model}) > 10);
    leman_model_free(model);
    leman_dataset_free(data);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_texts), cmocka_unit_test(test_refused),
                                       cmocka_unit_test(test_failing_allocations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
