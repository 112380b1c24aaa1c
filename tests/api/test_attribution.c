/* leman/attribution.h and pictures of attributions: every function with what it must refuse. */
#include "support/refused.h"
#include "support/training_data.h"
#include <math.h>
#include <stdio.h>
#include <unistd.h>

enum { GRAPHS = 12 };

static leman_model *some_model(leman_context *ctx, const leman_dataset *data)
{
    leman_kernel kernel = leman_kernel_default();
    leman_fit_options options = leman_fit_options_default();
    leman_model *model = NULL;
    options.folds = 3;
    options.max_rounds = 1;
    assert_int_equal(leman_kernel_parse(ctx, "wl:1", &kernel), LEMAN_OK);
    assert_int_equal(leman_model_fit(ctx, data, &kernel, 1, &options, &model), LEMAN_OK);
    return model;
}

static void test_methods(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_attribution_method method = LEMAN_ATTRIBUTION_METHOD_LEAVE_ONE_OUT;
    for (int i = 0; i < LEMAN_ATTRIBUTION_METHOD_COUNT; i++) {
        assert_int_equal(
            leman_attribution_method_parse(ctx, leman_attribution_method_name((leman_attribution_method)i), &method),
            LEMAN_OK);
        assert_int_equal((int)method, i);
    }
    assert_string_equal(leman_attribution_method_name((leman_attribution_method)3), "unknown");
    assert_refused(ctx, "guess", leman_attribution_method_parse(ctx, "guess", &method));
    assert_refused(ctx, "name", leman_attribution_method_parse(ctx, NULL, &method));
    assert_refused_without(leman_attribution_method_parse(NULL, "weights", &method));
    test_context_free(ctx);
}

static void test_models(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = test_families(ctx, GRAPHS, 2, NULL);
    leman_model *model = some_model(ctx, data);
    leman_attribution *const before = TEST_UNTOUCHED(leman_attribution), *out = before;
    assert_refused_without(leman_model_attribute(NULL, model, data, 0, 0, LEMAN_ATTRIBUTION_METHOD_AUTO, 0, &out));
    assert_refused(ctx, "model", leman_model_attribute(ctx, NULL, data, 0, 0, LEMAN_ATTRIBUTION_METHOD_AUTO, 0, &out));
    assert_refused(ctx, "data", leman_model_attribute(ctx, model, NULL, 0, 0, LEMAN_ATTRIBUTION_METHOD_AUTO, 0, &out));
    assert_refused(ctx, "out", leman_model_attribute(ctx, model, data, 0, 0, LEMAN_ATTRIBUTION_METHOD_AUTO, 0, NULL));
    assert_refused(ctx, "graph",
                   leman_model_attribute(ctx, model, data, GRAPHS, 0, LEMAN_ATTRIBUTION_METHOD_AUTO, 0, &out));
    assert_refused(ctx, "class_number",
                   leman_model_attribute(ctx, model, data, 0, 2, LEMAN_ATTRIBUTION_METHOD_AUTO, 0, &out));
    assert_refused(ctx, "method", leman_model_attribute(ctx, model, data, 0, 0, (leman_attribution_method)3, 0, &out));
    assert_ptr_equal(out, before);
    leman_attribution_free(NULL);
    leman_model_free(model);
    leman_dataset_free(data);
    test_context_free(ctx);
}

static void test_networks(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = test_families(ctx, GRAPHS, 2, NULL);
    leman_architecture architecture = leman_architecture_default();
    leman_parts *parts = NULL;
    leman_network *network = NULL;
    leman_predictor *predictor = NULL;
    leman_history *history = NULL;
    leman_attribution *const before = TEST_UNTOUCHED(leman_attribution), *out = before;
    architecture.layers = 1;
    architecture.width = 4;
    leman_training training = leman_training_default(&architecture);
    training.epochs = 1;
    assert_int_equal(leman_parts_draw(ctx, GRAPHS, 0.2, 0.2, &parts), LEMAN_OK);
    assert_int_equal(leman_train(ctx, data, parts, &architecture, &training, &network, &history), LEMAN_OK);
    assert_int_equal(leman_predictor_new(ctx, network, &predictor), LEMAN_OK);
    assert_refused_without(leman_predictor_attribute(NULL, predictor, data, 0, 0, &out));
    assert_refused(ctx, "predictor", leman_predictor_attribute(ctx, NULL, data, 0, 0, &out));
    assert_refused(ctx, "data", leman_predictor_attribute(ctx, predictor, NULL, 0, 0, &out));
    assert_refused(ctx, "out", leman_predictor_attribute(ctx, predictor, data, 0, 0, NULL));
    assert_refused(ctx, "graph", leman_predictor_attribute(ctx, predictor, data, GRAPHS, 0, &out));
    assert_refused(ctx, "output", leman_predictor_attribute(ctx, predictor, data, 0, 2, &out));
    assert_ptr_equal(out, before);
    leman_predictor_free(predictor);
    leman_network_free(network);
    leman_history_free(history);
    leman_parts_free(parts);
    leman_dataset_free(data);
    test_context_free(ctx);
}

static void test_pictures(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new();
    leman_dataset *data = test_families(ctx, GRAPHS, 2, NULL), *fewer = NULL;
    leman_model *model = some_model(ctx, data);
    leman_attribution *a = NULL;
    leman_explanation *const before = TEST_UNTOUCHED(leman_explanation), *svg = before;
    char path[300];
    const size_t first = 0;
    snprintf(path, sizeof path, "%s", test_path(folder, "page.html"));
    assert_int_equal(
        leman_model_attribute(ctx, model, data, 3, LEMAN_CLASS_PREDICTED, LEMAN_ATTRIBUTION_METHOD_AUTO, 0, &a),
        LEMAN_OK);
    assert_int_equal(leman_dataset_select(ctx, data, 1, &first, &fewer), LEMAN_OK);
    const leman_attribution *const list[] = {a}, *const none[] = {NULL};
    assert_refused_without(leman_attribution_draw(NULL, data, list, 1, NULL, &svg));
    assert_refused(ctx, "data", leman_attribution_draw(ctx, NULL, list, 1, NULL, &svg));
    assert_refused(ctx, "attributions", leman_attribution_draw(ctx, data, NULL, 1, NULL, &svg));
    assert_refused(ctx, "attributions", leman_attribution_draw(ctx, data, list, 0, NULL, &svg));
    assert_refused(ctx, "attributions[0]", leman_attribution_draw(ctx, data, none, 1, NULL, &svg));
    assert_refused(ctx, "attributions[0]", leman_attribution_draw(ctx, fewer, list, 1, NULL, &svg));
    assert_refused(ctx, "svg", leman_attribution_draw(ctx, data, list, 1, NULL, NULL));
    assert_refused_without(leman_attribution_page_write(NULL, data, list, 1, NULL, NULL, NULL, NULL, path));
    assert_refused(ctx, "data", leman_attribution_page_write(ctx, NULL, list, 1, NULL, NULL, NULL, NULL, path));
    assert_refused(ctx, "attributions", leman_attribution_page_write(ctx, data, NULL, 1, NULL, NULL, NULL, NULL, path));
    assert_refused(ctx, "attributions", leman_attribution_page_write(ctx, data, list, 0, NULL, NULL, NULL, NULL, path));
    assert_refused(ctx, "path", leman_attribution_page_write(ctx, data, list, 1, NULL, NULL, NULL, NULL, NULL));
    assert_ptr_equal(svg, before);
    assert_int_not_equal(access(path, F_OK), 0);
    leman_drawing_options options;
    leman_drawing_options_init(NULL, sizeof options);
    leman_drawing_options_init(&options, sizeof options);
    assert_true(!options.atom_numbers && !options.transparent && !options.smiles);
    options.size = 1;
    assert_refused(ctx, "leman_drawing_options", leman_attribution_draw(ctx, data, list, 1, &options, &svg));
    assert_int_equal(leman_attribution_draw(ctx, data, list, 1, NULL, &svg), LEMAN_OK);
    assert_int_equal(strlen(svg->text), svg->length);
    leman_explanation_free(svg);
    leman_attribution_free(a);
    leman_model_free(model);
    leman_dataset_free(fewer);
    leman_dataset_free(data);
    test_folder_remove(folder);
    test_context_free(ctx);
}

static void test_symbols(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = NULL, *plain = test_families(ctx, 2, 2, NULL);
    const char *smiles = "C[NH3+]";
    char text[8], little[2];
    assert_int_equal(leman_dataset_from_smiles(ctx, &smiles, NULL, 1, NULL, NULL, &data), LEMAN_OK);
    const leman_graph g = leman_dataset_graph(data, 0), other = leman_dataset_graph(plain, 0);
    assert_true(leman_graph_is_molecule(&g));
    assert_false(leman_graph_is_molecule(&other));
    assert_false(leman_graph_is_molecule(NULL));
    assert_int_equal(leman_atom_symbol(g.vertex_label[1], text, sizeof text), 2);
    assert_string_equal(text, "N+");
    assert_int_equal(leman_atom_symbol(g.vertex_label[1], little, sizeof little), 2);
    assert_string_equal(little, "N");
    assert_int_equal(leman_atom_symbol(g.vertex_label[1], NULL, 0), 2);
    assert_int_equal(leman_atom_symbol(-1, text, sizeof text), 0);
    leman_dataset_free(plain);
    leman_dataset_free(data);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_methods),  cmocka_unit_test(test_models),  cmocka_unit_test(test_networks),
        cmocka_unit_test(test_pictures), cmocka_unit_test(test_symbols),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
