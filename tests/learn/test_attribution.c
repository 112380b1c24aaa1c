/* What vertices and edges add to a score: sums of models with weights, differences of predictions elsewhere, and the
 * support graphs of assignment kernels. */
#include "learn/model_fixture.h"
#include "leman/attribution.h"
#include <math.h>
#include <stdio.h>

static leman_attribution *attribute(leman_context *ctx, const leman_model *model, const leman_dataset *data,
                                    size_t graph, size_t class_number)
{
    leman_attribution *a = NULL;
    if (leman_model_attribute(ctx, model, data, graph, class_number, LEMAN_ATTRIBUTION_METHOD_AUTO, SIZE_MAX, &a))
        fail_msg("%s", leman_context_message(ctx));
    return a;
}

static double sum(const double *value, size_t count)
{
    double all = 0;
    for (size_t i = 0; i < count; i++) all += value[i];
    return all;
}

static bool near(double a, double b)
{
    return fabs(a - b) < 1e-9 * fmax(1, fabs(a));
}

/* ---- Weights --------------------------------------------------------------------------------- */

/* Vertices and edges each add up to the score of the predicted class, and edges are those of the graph. */
static void assert_adds_up(leman_context *ctx, const leman_model *model, const leman_dataset *data)
{
    const predictions p = predict(ctx, model, data);
    for (size_t g = 0; g < leman_dataset_shape(data)->graphs; g++) {
        leman_attribution *a = attribute(ctx, model, data, g, LEMAN_CLASS_PREDICTED);
        const leman_graph graph = leman_dataset_graph(data, g);
        assert_int_equal(a->method, LEMAN_ATTRIBUTION_METHOD_WEIGHTS);
        assert_int_equal(a->vertices, graph.vertices);
        assert_int_equal(a->edges, graph.directed ? graph.arcs : graph.arcs / 2);
        assert_true(near(a->score, p.score[g]));
        assert_true(near(sum(a->vertex, a->vertices) + a->rest, a->score));
        assert_true(near(sum(a->edge, a->edges) + a->edge_rest, a->score));
        if (!leman_model_describe(model)->regression) assert_int_equal(a->label, p.label[g]);
        leman_attribution_free(a);
    }
}

static void test_sums(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(2);
    for (int64_t classes = 2; classes <= 3; classes++)
        for (int svm = LEMAN_SVM_KERNEL; svm <= LEMAN_SVM_LINEAR; svm++)
            for (unsigned k = 1; k <= 3; k++) {
                leman_dataset *data = kinds(ctx, 12, classes, k == 2 && svm == LEMAN_SVM_LINEAR);
                leman_kernel kernel[2] = {kernel_of(LEMAN_ALGORITHM_LOCAL, k, false),
                                          kernel_of(LEMAN_ALGORITHM_LOCAL, 1, false)};
                leman_fit_options options = quick((leman_svm)svm);
                options.apex = k == 2 && classes == 3;
                options.max_rounds = k == 3 ? 1 : 2;
                options.target = k == 1 && classes == 3 ? 0 : LEMAN_NO_TARGET;
                leman_model *model = fit(ctx, data, kernel, k == 2 ? 2 : 1, &options);
                assert_adds_up(ctx, model, data);
                leman_model_free(model);
                leman_dataset_free(data);
            }
    test_context_free(ctx);
}

/* By how much an edge differs from what its ends have, spread evenly over their edges; the largest of a graph. */
static double apart(const leman_attribution *a, const leman_graph *graph)
{
    double most = 0;
    const double surplus = a->score - a->rest; /* spread evenly over vertices, and over edges */
    for (size_t e = 0; e < a->edges; e++) {
        double expected = 0;
        for (size_t i = 0; i < 2; i++) {
            const uint32_t v = a->end[2 * e + i];
            expected +=
                (a->vertex[v] - surplus / (double)a->vertices) / (double)(graph->start[v + 1] - graph->start[v]);
        }
        most = fmax(most, fabs(a->edge[e] - surplus / (double)a->edges - expected));
    }
    return most;
}

/* With labels of vertices alone each spreads its contribution evenly over its edges. So it is with pairs where all edges are
 * equal: a vertex has half of each of its edges' pairs, and an edge has two halves of its own. Where they have weights
 * of their own, as labelled pairs in round 0, an edge keeps what it brings. */
static void test_edges(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = kinds(ctx, GRAPHS, 4, false);
    for (int turn = 0; turn < 3; turn++) {
        leman_kernel kernel = kernel_of(LEMAN_ALGORITHM_LOCAL, turn ? 2 : 1, false);
        leman_fit_options options = quick(LEMAN_SVM_LINEAR);
        double most = 0;
        kernel.coloring.ignore_vertex_labels = turn == 1;
        options.max_rounds = 0;
        leman_model *model = fit(ctx, data, &kernel, 1, &options);
        for (size_t g = 0; g < GRAPHS; g++) {
            leman_attribution *a = attribute(ctx, model, data, g, 2);
            const leman_graph graph = leman_dataset_graph(data, g);
            most = fmax(most, apart(a, &graph));
            leman_attribution_free(a);
        }
        assert_true(turn == 2 ? most > 1e-3 : most < 1e-9);
        leman_model_free(model);
    }
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* ---- Leaving out ----------------------------------------------------------------------------- */

/* A path of four vertices with labels 0 1 0 1, or without one vertex or edge: built by hand. */
static leman_dataset *path(leman_context *ctx, int without_vertex, int without_edge)
{
    leman_columns columns = {.vertex_labels = 1};
    leman_builder *b = NULL;
    leman_dataset *data = NULL;
    size_t place[4], next = 0;
    assert_int_equal(leman_builder_new(ctx, "path", &columns, &b), LEMAN_OK);
    leman_builder_graph(b, NULL, NULL, NULL);
    for (int v = 0; v < 4; v++) {
        if (v == without_vertex) continue;
        place[v] = next++;
        leman_builder_vertex(b, NULL, (int64_t[]){v % 2}, NULL);
    }
    for (int e = 0; e < 3; e++)
        if (e != without_edge && e != without_vertex && e + 1 != without_vertex)
            leman_builder_edge(b, place[e], place[e + 1], NULL, NULL);
    assert_int_equal(leman_builder_finish(b, NULL, NULL, &data), LEMAN_OK);
    leman_builder_free(b);
    return data;
}

/* The score of the first class. */
static double score_of(leman_context *ctx, const leman_model *model, leman_dataset *data)
{
    const predictions p = predict(ctx, model, data);
    leman_dataset_free(data);
    return p.label[0] == leman_model_describe(model)->class_label[0] ? p.score[0] : -p.score[0];
}

static void test_leaving_out(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = kinds(ctx, GRAPHS, 2, false), *one = path(ctx, -1, -1);
    for (int turn = 0; turn < 3; turn++) {
        leman_kernel kernel = kernel_of(LEMAN_ALGORITHM_LOCAL, 1, turn == 0);
        leman_fit_options options = quick(LEMAN_SVM_AUTO);
        if (turn == 1) kernel.kind = LEMAN_KERNEL_KIND_SHORTEST_PATH;
        if (turn == 2) kernel.kind = LEMAN_KERNEL_KIND_GRAPHLET;
        leman_model *model = fit(ctx, data, &kernel, 1, &options);
        leman_attribution *a = NULL;
        assert_int_equal(
            leman_model_attribute(ctx, model, one, 0, 0,
                                  turn ? LEMAN_ATTRIBUTION_METHOD_AUTO : LEMAN_ATTRIBUTION_METHOD_LEAVE_ONE_OUT, 9, &a),
            LEMAN_OK);
        const double whole = score_of(ctx, model, path(ctx, -1, -1));
        assert_int_equal(a->method, LEMAN_ATTRIBUTION_METHOD_LEAVE_ONE_OUT);
        assert_true(near(a->score, whole) && isnan(a->rest));
        for (int v = 0; v < 4; v++) assert_true(near(a->vertex[v], whole - score_of(ctx, model, path(ctx, v, -1))));
        for (int e = 0; e < 3; e++) assert_true(near(a->edge[e], whole - score_of(ctx, model, path(ctx, -1, e))));
        assert_int_equal(a->supports > 0, turn == 0);
        leman_attribution_free(a);
        leman_model_free(model);
    }
    leman_dataset_free(one);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* ---- Support graphs -------------------------------------------------------------------------- */

/* All of them and the bias add up to the score; the largest stand first; class and similarity are those of the graph.
 */
static void assert_supports(leman_context *ctx, const leman_model *model, const leman_dataset *data)
{
    for (size_t g = 0; g < leman_dataset_shape(data)->graphs; g += 5) {
        leman_attribution *a = attribute(ctx, model, data, g, LEMAN_CLASS_PREDICTED), *few = NULL;
        double all = a->bias, shares = 0;
        assert_int_equal(a->supports, leman_model_describe(model)->supports);
        for (size_t i = 0; i < a->supports; i++) {
            const leman_support *s = a->support + i;
            char name[8];
            all += s->contribution;
            shares += s->share;
            assert_true(s->similarity >= 0 && s->similarity < 1 + 1e-12);
            if (s->graph == g) assert_true(near(s->similarity, 1)); /* the graph itself */
            assert_int_equal(s->class_label, leman_dataset_classes(data)[s->graph]);
            snprintf(name, sizeof name, "g%zu", s->graph);
            assert_string_equal(s->name, name);
            if (i) assert_true(fabs(s->contribution) <= fabs(s[-1].contribution));
        }
        assert_true(near(all, a->score) && near(shares, 1));
        assert_int_equal(
            leman_model_attribute(ctx, model, data, g, LEMAN_CLASS_PREDICTED, LEMAN_ATTRIBUTION_METHOD_AUTO, 2, &few),
            LEMAN_OK);
        assert_int_equal(few->supports, 2);
        assert_int_equal(few->all_supports, a->supports);
        assert_int_equal(few->support[1].graph, a->support[1].graph);
        leman_attribution_free(few);
        leman_attribution_free(a);
    }
}

/* The graphs of kinds() with names g0, g1, ... and no class for every fourth. */
static leman_dataset *named(leman_context *ctx)
{
    leman_dataset *all = kinds(ctx, GRAPHS, 3, false), *out = NULL;
    leman_columns columns = *leman_dataset_shape(all)->columns;
    leman_builder *b = NULL;
    columns.graph_names = true;
    assert_int_equal(leman_builder_new(ctx, "named", &columns, &b), LEMAN_OK);
    for (size_t g = 0; g < GRAPHS; g++) {
        const leman_graph graph = leman_dataset_graph(all, g);
        int64_t label = leman_dataset_classes(all)[g];
        char name[8];
        snprintf(name, sizeof name, "g%zu", g);
        if (g % 4 == 1) label = LEMAN_CLASS_MISSING;
        leman_builder_graph(b, name, &label, leman_dataset_targets(all) + g);
        for (size_t v = 0; v < graph.vertices; v++) leman_builder_vertex(b, NULL, graph.vertex_label + v, NULL);
        for (size_t v = 0; v < graph.vertices; v++)
            for (uint64_t e = graph.start[v]; e < graph.start[v + 1]; e++)
                leman_builder_edge(b, v, graph.head[e], NULL, NULL);
    }
    assert_int_equal(leman_builder_finish(b, NULL, NULL, &out), LEMAN_OK);
    leman_builder_free(b);
    leman_dataset_free(all);
    return out;
}

static void test_supports(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(2);
    const char *folder = test_folder_new();
    leman_dataset *data = named(ctx);
    leman_kernel kernel = kernel_of(LEMAN_ALGORITHM_LOCAL, 1, true);
    leman_fit_options options = quick(LEMAN_SVM_AUTO);
    leman_model *model = fit(ctx, data, &kernel, 1, &options), *read = NULL;
    assert_supports(ctx, model, data);
    assert_int_equal(leman_model_write(ctx, model, test_path(folder, "model")), LEMAN_OK);
    assert_int_equal(leman_model_read(ctx, test_path(folder, "model"), &read), LEMAN_OK);
    assert_supports(ctx, read, data);
    leman_model_free(read);
    leman_model_free(model);
    leman_dataset_free(data);
    test_folder_remove(folder);
    test_context_free(ctx);
}

/* The file of several tasks keeps them too. */
static void test_supports_of_tasks(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new();
    leman_dataset *data = kinds(ctx, GRAPHS, 2, false), *two = NULL;
    leman_kernel kernel = kernel_of(LEMAN_ALGORITHM_LOCAL, 1, true);
    leman_fit_options options = quick(LEMAN_SVM_AUTO);
    double target[2 * GRAPHS];
    leman_model *models[2], **read = NULL;
    const size_t columns[2] = {0, 1};
    size_t count = 0;
    for (size_t g = 0; g < GRAPHS; g++) target[2 * g] = (double)(g % 2), target[2 * g + 1] = (double)(g / 2 % 2);
    assert_int_equal(leman_dataset_set_targets(ctx, data, NULL, target, 2, &two), LEMAN_OK);
    assert_int_equal(leman_model_fit_tasks(ctx, two, &kernel, 1, &options, columns, 2, models), LEMAN_OK);
    assert_int_equal(leman_models_write(ctx, models, 2, test_path(folder, "models")), LEMAN_OK);
    assert_int_equal(leman_models_read(ctx, test_path(folder, "models"), &read, &count), LEMAN_OK);
    for (size_t t = 0; t < 2; t++) {
        leman_attribution *a = attribute(ctx, read[t], two, 3, 1);
        for (size_t i = 0; i < a->supports; i++)
            assert_true((double)a->support[i].class_label == target[2 * a->support[i].graph + t]);
        assert_string_equal(a->column, t ? "1" : "0");
        leman_attribution_free(a);
        leman_model_free(models[t]);
    }
    leman_models_free(read, count);
    leman_dataset_free(two);
    leman_dataset_free(data);
    test_folder_remove(folder);
    test_context_free(ctx);
}

/* ---- Networks -------------------------------------------------------------------------------- */

static void test_network(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *all = kinds(ctx, GRAPHS, 2, false), *data = NULL, *one = path(ctx, -1, -1);
    assert_int_equal(leman_dataset_set_targets(ctx, all, leman_dataset_classes(all), NULL, 0, &data), LEMAN_OK);
    leman_dataset_free(all);
    leman_architecture architecture = leman_architecture_default();
    assert_int_equal(leman_architecture_parse(ctx, "GIN-eps", &architecture), LEMAN_OK);
    architecture.layers = 2;
    architecture.width = 8;
    leman_training training = leman_training_default(&architecture);
    training.epochs = 2;
    leman_network *network = NULL;
    leman_history *history = NULL;
    leman_parts *parts = NULL;
    assert_int_equal(leman_parts_draw(ctx, GRAPHS, 0.2, 0.2, &parts), LEMAN_OK);
    if (leman_train(ctx, data, parts, &architecture, &training, &network, &history))
        fail_msg("%s", leman_context_message(ctx));
    leman_attribution *a = NULL;
    leman_predictor *predictor = NULL;
    assert_int_equal(leman_predictor_new(ctx, network, &predictor), LEMAN_OK);
    assert_int_equal(leman_predictor_attribute(ctx, predictor, one, 0, LEMAN_CLASS_PREDICTED, &a), LEMAN_OK);
    double whole[2];
    assert_int_equal(leman_network_predict(ctx, network, one, 0, whole), LEMAN_OK);
    assert_int_equal(a->output, whole[1] > whole[0]);
    /* Networks compute in float, and how a sum is rounded depends on the processor and on the graphs of a batch. */
    assert_true(fabs(a->probability - whole[a->output]) < 1e-5);
    assert_true(fabs(a->score - log(whole[a->output] / whole[1 - a->output])) < 1e-5);
    for (int i = 0; i < 7; i++) {
        leman_dataset *less = i < 4 ? path(ctx, i, -1) : path(ctx, -1, i - 4);
        double found[2];
        assert_int_equal(leman_network_predict(ctx, network, less, 0, found), LEMAN_OK);
        const double expected = a->score - log(found[a->output] / found[1 - a->output]);
        assert_true(fabs((i < 4 ? a->vertex[i] : a->edge[i - 4]) - expected) < 1e-4);
        leman_dataset_free(less);
    }
    leman_attribution_free(a);
    leman_predictor_free(predictor);
    leman_network_free(network);
    leman_history_free(history);
    leman_parts_free(parts);
    leman_dataset_free(one);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static leman_status attribute_one(leman_context *ctx, void *state)
{
    const leman_model *const *model = state;
    leman_attribution *a = NULL;
    leman_dataset *data = NULL;
    leman_family_options options = leman_family_options_default();
    options.vertices = 5;
    leman_status st = leman_dataset_generate(ctx, LEMAN_FAMILY_CYCLE, &options, &data);
    if (!st)
        st = leman_model_attribute(ctx, *model, data, 0, LEMAN_CLASS_PREDICTED, LEMAN_ATTRIBUTION_METHOD_AUTO, 3, &a);
    leman_attribution_free(a);
    leman_dataset_free(data);
    return st;
}

static void test_allocations(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = kinds(ctx, GRAPHS, 2, false);
    for (int assignment = 0; assignment < 2; assignment++) {
        leman_kernel kernel = kernel_of(LEMAN_ALGORITHM_LOCAL, assignment ? 1 : 2, assignment);
        leman_fit_options options = quick(LEMAN_SVM_AUTO);
        kernel.coloring.ignore_vertex_labels = true;
        leman_model *model = fit(ctx, data, &kernel, 1, &options);
        assert_true(test_fail_each_allocation(attribute_one, &model) > 10);
        leman_model_free(model);
    }
    leman_dataset_free(data);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums),
        cmocka_unit_test(test_edges),
        cmocka_unit_test(test_leaving_out),
        cmocka_unit_test(test_supports),
        cmocka_unit_test(test_supports_of_tasks),
        cmocka_unit_test(test_network),
        cmocka_unit_test(test_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
