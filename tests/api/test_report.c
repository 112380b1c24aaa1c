/* leman/report.h: every function with what it must refuse; no file appears. */
#include "support/refused.h"
#include <math.h>
#include <stdio.h>
#include <unistd.h>

typedef struct fixture {
    leman_context *ctx;
    leman_dataset *data;
    const char *folder;
    char path[300];
} fixture;

static fixture fixture_new(void)
{
    fixture f = {.ctx = test_context_new(1), .folder = test_folder_new()};
    leman_family_options family = leman_family_options_default();
    family.graphs = 20;
    family.vertices = 12;
    assert_int_equal(leman_dataset_generate(f.ctx, LEMAN_FAMILY_MOLECULES, &family, &f.data), LEMAN_OK);
    snprintf(f.path, sizeof f.path, "%s", test_path(f.folder, "page.html"));
    return f;
}

static void fixture_free(fixture *f)
{
    assert_int_not_equal(access(f->path, F_OK), 0);
    leman_dataset_free(f->data);
    test_folder_remove(f->folder);
    test_context_free(f->ctx);
}

static void test_report(void **state)
{
    (void)state;
    fixture f = fixture_new();
    leman_context *ctx = f.ctx;
    leman_kernel kernel = leman_kernel_default();
    leman_protocol protocol = leman_protocol_default();
    leman_evaluation *evaluation = NULL;
    protocol.repetitions = 1;
    protocol.folds = 2;
    protocol.max_rounds = 1;
    assert_int_equal(leman_evaluate(ctx, f.data, &kernel, 1, &protocol, &evaluation), LEMAN_OK);
    const leman_method right = {.kernels = &kernel, .count = 1, .evaluation = evaluation};
    leman_method method = right;
    assert_refused_without(leman_report_write(NULL, f.data, &right, 1, NULL, f.path));
    assert_refused(ctx, "data", leman_report_write(ctx, NULL, &right, 1, NULL, f.path));
    assert_refused(ctx, "methods", leman_report_write(ctx, f.data, NULL, 1, NULL, f.path));
    assert_refused(ctx, "methods", leman_report_write(ctx, f.data, &right, 0, NULL, f.path));
    assert_refused(ctx, "path", leman_report_write(ctx, f.data, &right, 1, NULL, NULL));
    method.kernels = NULL;
    assert_refused(ctx, "kernels", leman_report_write(ctx, f.data, &method, 1, NULL, f.path));
    method = right, method.count = 0;
    assert_refused(ctx, "kernels", leman_report_write(ctx, f.data, &method, 1, NULL, f.path));
    method = right, method.evaluation = NULL;
    assert_refused(ctx, "evaluation", leman_report_write(ctx, f.data, &method, 1, NULL, f.path));
    for (size_t i = 0; i < sizeof method.reserved / sizeof *method.reserved; i++) {
        method = right, method.reserved[i] = 1;
        assert_refused(ctx, "reserved", leman_report_write(ctx, f.data, &method, 1, NULL, f.path));
    }
    leman_kernel wrong = kernel;
    method = right, method.kernels = &wrong;
    wrong.kind = (leman_kernel_kind)99;
    assert_refused(ctx, "kind", leman_report_write(ctx, f.data, &method, 1, NULL, f.path));
    wrong = kernel, wrong.size = 0;
    assert_refused(ctx, "leman_kernel", leman_report_write(ctx, f.data, &method, 1, NULL, f.path));
    leman_evaluation_free(evaluation);
    fixture_free(&f);
}

static void test_tasks_report(void **state)
{
    (void)state;
    fixture f = fixture_new();
    leman_context *ctx = f.ctx;
    leman_kernel kernel = leman_kernel_default(), wrong = kernel;
    leman_protocol protocol = leman_protocol_default();
    leman_evaluation *e = NULL, *none = NULL, *other = NULL;
    leman_dataset *data = NULL;
    leman_builder *b = NULL;
    const leman_columns columns = {.targets = 2};
    const size_t column = 1, beyond = 2;
    assert_int_equal(leman_builder_new(ctx, "tasks", &columns, &b), LEMAN_OK);
    for (int g = 0; g < 12; g++) {
        assert_int_equal(leman_builder_graph(b, NULL, NULL, (double[]){0, g % 2}), LEMAN_OK);
        assert_int_equal(leman_builder_vertex(b, NULL, NULL, NULL), LEMAN_OK);
    }
    assert_int_equal(leman_builder_finish(b, NULL, NULL, &data), LEMAN_OK);
    leman_builder_free(b);
    protocol.repetitions = 1;
    protocol.folds = 2;
    protocol.max_rounds = 1;
    assert_int_equal(leman_evaluate_tasks(ctx, data, &kernel, 1, &protocol, &column, 1, &e), LEMAN_OK);
    assert_int_equal(leman_evaluate(ctx, f.data, &kernel, 1, &protocol, &other), LEMAN_OK);
    assert_refused_without(leman_tasks_report_write(NULL, data, &kernel, 1, &column, 1, &e, NULL, f.path));
    assert_refused(ctx, "data", leman_tasks_report_write(ctx, NULL, &kernel, 1, &column, 1, &e, NULL, f.path));
    assert_refused(ctx, "kernels", leman_tasks_report_write(ctx, data, NULL, 1, &column, 1, &e, NULL, f.path));
    assert_refused(ctx, "kernels", leman_tasks_report_write(ctx, data, &kernel, 0, &column, 1, &e, NULL, f.path));
    assert_refused(ctx, "columns", leman_tasks_report_write(ctx, data, &kernel, 1, NULL, 1, &e, NULL, f.path));
    assert_refused(ctx, "columns", leman_tasks_report_write(ctx, data, &kernel, 1, &beyond, 1, &e, NULL, f.path));
    assert_refused(ctx, "tasks", leman_tasks_report_write(ctx, data, &kernel, 1, &column, 0, &e, NULL, f.path));
    assert_refused(ctx, "evaluations", leman_tasks_report_write(ctx, data, &kernel, 1, &column, 1, NULL, NULL, f.path));
    assert_refused(ctx, "evaluations",
                   leman_tasks_report_write(ctx, data, &kernel, 1, &column, 1, &none, NULL, f.path));
    assert_refused(ctx, "evaluations",
                   leman_tasks_report_write(ctx, data, &kernel, 1, &column, 1, &other, NULL, f.path));
    assert_refused(ctx, "path", leman_tasks_report_write(ctx, data, &kernel, 1, &column, 1, &e, NULL, NULL));
    wrong.kind = (leman_kernel_kind)99;
    assert_refused(ctx, "kind", leman_tasks_report_write(ctx, data, &wrong, 1, &column, 1, &e, NULL, f.path));
    leman_evaluation_free(e), leman_evaluation_free(other);
    leman_dataset_free(data);
    fixture_free(&f);
}

static void test_training_page(void **state)
{
    (void)state;
    fixture f = fixture_new();
    leman_context *ctx = f.ctx;
    leman_architecture architecture = leman_architecture_default();
    leman_parts *parts = NULL;
    leman_network *network = NULL;
    leman_history *history = NULL;
    architecture.kind = LEMAN_NETWORK_KIND_GIN;
    architecture.layers = architecture.width = 2;
    leman_training training = leman_training_default(&architecture);
    training.epochs = 1;
    assert_int_equal(leman_parts_draw(ctx, 20, 0.2, 0.2, &parts), LEMAN_OK);
    assert_int_equal(leman_train(ctx, f.data, parts, &architecture, &training, &network, &history), LEMAN_OK);
    assert_refused_without(leman_training_page_write(NULL, f.data, parts, network, history, NULL, f.path));
    assert_refused(ctx, "data", leman_training_page_write(ctx, NULL, parts, network, history, NULL, f.path));
    assert_refused(ctx, "parts", leman_training_page_write(ctx, f.data, NULL, network, history, NULL, f.path));
    assert_refused(ctx, "network", leman_training_page_write(ctx, f.data, parts, NULL, history, NULL, f.path));
    assert_refused(ctx, "history", leman_training_page_write(ctx, f.data, parts, network, NULL, NULL, f.path));
    assert_refused(ctx, "path", leman_training_page_write(ctx, f.data, parts, network, history, NULL, NULL));
    leman_history_free(history);
    leman_network_free(network);
    leman_runs *runs = NULL;
    assert_int_equal(leman_train_runs(ctx, f.data, parts, &architecture, &training, 1, &network, &runs), LEMAN_OK);
    assert_refused_without(leman_runs_page_write(NULL, f.data, parts, network, runs, NULL, f.path));
    assert_refused(ctx, "data", leman_runs_page_write(ctx, NULL, parts, network, runs, NULL, f.path));
    assert_refused(ctx, "parts", leman_runs_page_write(ctx, f.data, NULL, network, runs, NULL, f.path));
    assert_refused(ctx, "network", leman_runs_page_write(ctx, f.data, parts, NULL, runs, NULL, f.path));
    assert_refused(ctx, "runs", leman_runs_page_write(ctx, f.data, parts, network, NULL, NULL, f.path));
    assert_refused(ctx, "path", leman_runs_page_write(ctx, f.data, parts, network, runs, NULL, NULL));
    leman_runs_free(runs);
    leman_network_free(network);
    leman_parts_free(parts);
    fixture_free(&f);
}

static void test_model_page(void **state)
{
    (void)state;
    fixture f = fixture_new();
    leman_context *ctx = f.ctx;
    const leman_kernel kernel = leman_kernel_default();
    leman_fit_options options = leman_fit_options_default();
    leman_model *model = NULL, *none = NULL;
    leman_dataset *bare = NULL;
    options.folds = 2;
    options.max_rounds = 1;
    assert_int_equal(leman_model_fit(ctx, f.data, &kernel, 1, &options, &model), LEMAN_OK);
    leman_dataset *placed = NULL;
    assert_refused_without(leman_dataset_lay_out(NULL, f.data, &placed));
    assert_refused(ctx, "data", leman_dataset_lay_out(ctx, NULL, &placed));
    assert_refused(ctx, "out", leman_dataset_lay_out(ctx, f.data, NULL));
    assert_refused_without(leman_model_page_write(NULL, &model, 1, f.data, NULL, f.path));
    assert_refused(ctx, "models", leman_model_page_write(ctx, NULL, 1, f.data, NULL, f.path));
    assert_refused(ctx, "models", leman_model_page_write(ctx, &model, 0, f.data, NULL, f.path));
    assert_refused(ctx, "models[0]", leman_model_page_write(ctx, &none, 1, f.data, NULL, f.path));
    assert_refused(ctx, "path", leman_model_page_write(ctx, &model, 1, f.data, NULL, NULL));
    assert_int_equal(leman_dataset_set_targets(ctx, f.data, NULL, NULL, 0, &bare), LEMAN_OK);
    assert_int_equal(leman_model_page_write(ctx, &model, 1, bare, NULL, f.path), LEMAN_ERROR_INPUT);
    leman_dataset_free(bare);
    leman_model_free(model);
    fixture_free(&f);
}

static void test_predictions(void **state)
{
    (void)state;
    fixture f = fixture_new();
    leman_context *ctx = f.ctx;
    const double values[4] = {0, 1, NAN, 0.5};
    const char *const names[2] = {"y", NULL};
    leman_predictions_view right = leman_predictions_view_default(), view;
    leman_predictions_view_init(NULL, sizeof view);
    assert_true(!right.data && !right.predicted && !right.graphs);
    right.data = "d", right.graphs = 4, right.outputs = 1, right.name = names;
    right.predicted = right.truth = values;
    assert_refused_without(leman_predictions_page_write(NULL, &right, NULL, f.path));
    assert_refused(ctx, "view", leman_predictions_page_write(ctx, NULL, NULL, f.path));
    assert_refused(ctx, "path", leman_predictions_page_write(ctx, &right, NULL, NULL));
    view = right, view.size = 1;
    assert_refused(ctx, "leman_predictions_view", leman_predictions_page_write(ctx, &view, NULL, f.path));
    view = right, view.data = NULL;
    assert_refused(ctx, "data", leman_predictions_page_write(ctx, &view, NULL, f.path));
    view = right, view.truth = NULL;
    assert_refused(ctx, "truth", leman_predictions_page_write(ctx, &view, NULL, f.path));
    view = right, view.outputs = 0;
    assert_refused(ctx, "outputs", leman_predictions_page_write(ctx, &view, NULL, f.path));
    view = right, view.outputs = 2, view.graphs = 2;
    assert_refused(ctx, "name[1]", leman_predictions_page_write(ctx, &view, NULL, f.path));
    fixture_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_report), cmocka_unit_test(test_predictions),
                                       cmocka_unit_test(test_tasks_report), cmocka_unit_test(test_training_page),
                                       cmocka_unit_test(test_model_page)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
