/* Models: their decisions by the definition, and data and arguments that do not fit. */
#include "learn/model_fixture.h"
#include "support/linear_fit.h"
#include "svm/svm.h"
#include <math.h>

static leman_dataset *molecules(leman_context *ctx, size_t graphs, uint64_t seed)
{
    leman_family_options options = leman_family_options_default();
    leman_dataset *data = NULL;
    options.graphs = graphs;
    options.vertices = 16;
    options.seed = seed;
    assert_int_equal(leman_dataset_generate(ctx, LEMAN_FAMILY_MOLECULES, &options, &data), LEMAN_OK);
    return data;
}

static leman_dataset *part(leman_context *ctx, const leman_dataset *data, size_t first, size_t count, bool backwards)
{
    leman_dataset *some = NULL;
    size_t which[GRAPHS];
    for (size_t i = 0; i < count; i++) which[i] = backwards ? first + count - 1 - i : first + i;
    assert_int_equal(leman_dataset_select(ctx, data, count, which, &some), LEMAN_OK);
    return some;
}

/* ---- Decisions ------------------------------------------------------------------------------- */

/* The score of an SVM on a Gram matrix of training and new graphs, trained once more. */
static void assert_kernel_scores(leman_context *ctx, const leman_dataset *data, const leman_dataset *train,
                                 const leman_model *model, const leman_kernel *kernels, size_t count)
{
    const leman_model_shape *shape = leman_model_describe(model);
    double exact[GRAPHS * GRAPHS], pairs[HALF * 6];
    float gram[GRAPHS * GRAPHS];
    uint32_t item[HALF], test[HALF], label[HALF];
    leman_kernel of_h[2];
    lm_svm *svm = NULL;
    leman_dataset *rest = part(ctx, data, HALF, HALF, false);
    predictions a = predict(ctx, model, rest);
    for (size_t i = 0; i < count; i++) {
        of_h[i] = kernels[i];
        of_h[i].coloring.rounds = shape->rounds;
    }
    assert_int_equal(leman_gram_compute(ctx, data, NULL, of_h, count, true, exact), LEMAN_OK);
    for (size_t i = 0; i < GRAPHS * GRAPHS; i++) gram[i] = (float)exact[i];
    for (uint32_t i = 0; i < HALF; i++) {
        item[i] = i;
        test[i] = HALF + i;
        for (label[i] = 0; shape->class_label[label[i]] != leman_dataset_classes(train)[i];) label[i]++;
    }
    lm_svm_problem problem = {
        .gram = gram, .graphs = GRAPHS, .set = {item, label, .count = HALF, .classes = shape->classes}};
    assert_int_equal(lm_svm_new(ctx, &problem, &svm), LEMAN_OK);
    assert_int_equal(lm_svm_train(svm, shape->C, NULL), LEMAN_OK);
    assert_int_equal(lm_svm_decide(svm, test, HALF, pairs), LEMAN_OK);
    size_t outputs = lm_multiclass_outputs(LM_ONE_VS_ONE, shape->classes);
    for (size_t i = 0; i < HALF; i++) {
        const double *own = pairs + i * outputs;
        size_t winner = lm_svm_vote(own, shape->classes), at = 0;
        double sum = 0;
        for (size_t x = 0; x < shape->classes; x++)
            for (size_t y = x + 1; y < shape->classes; y++, at++)
                sum += x == winner ? own[at] : y == winner ? -own[at] : 0;
        assert_int_equal(a.label[i], shape->class_label[winner]);
        assert_true(fabs(a.score[i] - sum / (double)(shape->classes - 1)) < 1e-4);
    }
    lm_svm_free(svm);
    leman_dataset_free(rest);
}

/* Products become weights; minima, sums with them, and Tanimoto keep their supports: always the SVM on the matrix. */
static void test_kernel_scores(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(2);
    leman_fit_options options = quick(LEMAN_SVM_KERNEL);
    for (int64_t classes = 2; classes <= 4; classes++) {
        leman_dataset *data = kinds(ctx, GRAPHS, classes, false), *train = part(ctx, data, 0, HALF, false);
        for (int turn = 0; turn < 6; turn++) {
            leman_kernel kernels[2] = {kernel_of(turn == 3 ? LEMAN_ALGORITHM_LOCAL_PLUS : LEMAN_ALGORITHM_LOCAL,
                                                 turn == 2 ? 1 : 2, turn == 1 || turn == 5),
                                       kernel_of(LEMAN_ALGORITHM_WL, 1, true)};
            size_t count = turn == 2 ? 2 : 1;
            kernels[1].weight = 0.5;
            if (turn >= 4) kernels->normalization = LEMAN_NORMALIZATION_TANIMOTO;
            leman_model *model = fit(ctx, train, kernels, count, &options);
            assert_int_equal(leman_model_describe(model)->supports > 0, turn == 1 || turn == 2 || turn >= 4);
            assert_kernel_scores(ctx, data, train, model, kernels, count);
            leman_model_free(model);
        }
        leman_dataset_free(train);
        leman_dataset_free(data);
    }
    test_context_free(ctx);
}

/* The model of a linear SVM decides as the SVM does about the same graphs. */
static void test_linear_scores(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(2);
    leman_fit_options options = quick(LEMAN_SVM_AUTO);
    for (int64_t classes = 2; classes <= 4; classes++)
        for (int turn = 0; turn < 2; turn++) {
            leman_dataset *data = kinds(ctx, GRAPHS, classes, turn == 1);
            leman_kernel kernel = kernel_of(turn ? LEMAN_ALGORITHM_LOCAL_PLUS : LEMAN_ALGORITHM_DELTA, 2, false);
            leman_model *model = fit(ctx, data, &kernel, 1, &options);
            const leman_model_shape *shape = leman_model_describe(model);
            predictions a = predict(ctx, model, data);
            lm_round_features features;
            lm_rows rows;
            lm_linear_svm linear;
            uint32_t item[GRAPHS], label[GRAPHS];
            double decision[GRAPHS * 4];
            for (uint32_t i = 0; i < GRAPHS; i++) {
                item[i] = i;
                for (label[i] = 0; shape->class_label[label[i]] != leman_dataset_classes(data)[i];) label[i]++;
            }
            assert_int_equal(shape->svm, LEMAN_SVM_LINEAR);
            assert_int_equal(lm_round_features_compute(ctx, data, &kernel, 1, shape->rounds, &features), LEMAN_OK);
            assert_int_equal(lm_rows_make(ctx, &features, shape->rounds, &rows), LEMAN_OK);
            lm_linear_task task = {.rows = &rows, .set = {item, label, .count = GRAPHS, .classes = (size_t)classes}};
            assert_int_equal(test_linear_svm_fit(ctx, &task, shape->C, &linear), LEMAN_OK);
            lm_linear_svm_decide(&linear, &rows, item, GRAPHS, decision);
            for (size_t i = 0; i < GRAPHS; i++) {
                const double *own = decision + i * linear.outputs;
                uint32_t winner = lm_linear_svm_class((size_t)classes, own);
                double score = classes == 2 && winner ? -own[0] : own[classes == 2 ? 0 : winner];
                assert_true(fabs(a.score[i] - score) < 1e-2); /* merged otherwise: the same to the solver's accuracy */
                if (score > 0.05) assert_int_equal(a.label[i], shape->class_label[winner]);
                assert_true(a.out_of_vocabulary[i] < 1e-12);
            }
            test_linear_svm_free(&linear);
            lm_rows_free(&rows);
            lm_round_features_free(&features);
            leman_model_free(model);
            leman_dataset_free(data);
        }
    test_context_free(ctx);
}

/* Probabilities sum to 1; with two classes they rise with the decision. Easy classes are found. */
static void test_probabilities(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(2);
    leman_kernel kernel = kernel_of(LEMAN_ALGORITHM_LOCAL, 1, false);
    for (int svm = LEMAN_SVM_KERNEL; svm <= LEMAN_SVM_LINEAR; svm++)
        for (int64_t classes = 2; classes <= 4; classes++) {
            leman_fit_options options = quick((leman_svm)svm);
            leman_dataset *data = kinds(ctx, GRAPHS, classes, false);
            leman_model *model = fit(ctx, data, &kernel, 1, &options);
            predictions a = predict(ctx, model, data);
            size_t found = 0;
            for (size_t i = 0; i < GRAPHS; i++) {
                const double *p = a.probability + i * (size_t)classes;
                double sum = 0;
                for (int64_t c = 0; c < classes; c++) {
                    assert_true(p[c] >= 0 && p[c] <= 1);
                    sum += p[c];
                }
                assert_true(fabs(sum - 1) < 1e-9);
                found += a.label[i] == leman_dataset_classes(data)[i];
                double toward = a.label[i] == -5 ? a.score[i] : -a.score[i];
                for (size_t j = 0; j < i && classes == 2; j++) {
                    double other = a.label[j] == -5 ? a.score[j] : -a.score[j];
                    if (toward > other) assert_true(p[0] >= a.probability[2 * j]);
                }
            }
            assert_true(found >= GRAPHS * 9 / 10);
            assert_true(leman_model_describe(model)->score > 70);
            leman_model_free(model);
            leman_dataset_free(data);
        }
    test_context_free(ctx);
}

static void test_regression(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(2);
    leman_kernel kernel = kernel_of(LEMAN_ALGORITHM_LOCAL, 1, false);
    leman_dataset *data = kinds(ctx, GRAPHS, 2, false);
    for (int svm = LEMAN_SVM_KERNEL; svm <= LEMAN_SVM_LINEAR; svm++) {
        leman_fit_options options = quick((leman_svm)svm);
        options.target = 0;
        leman_model *model = fit(ctx, data, &kernel, 1, &options);
        predictions a = predict(ctx, model, data);
        double error = 0;
        for (size_t i = 0; i < GRAPHS; i++) error += fabs(a.score[i] - leman_dataset_targets(data)[i]) / (double)GRAPHS;
        assert_true(error < 0.5); /* they are 1.5 from their mean */
        assert_true(leman_model_describe(model)->regression && leman_model_describe(model)->score < 0.8);
        leman_model_free(model);
        options.target = 1;
        assert_int_equal(leman_model_fit(ctx, data, &kernel, 1, &options, &model), LEMAN_ERROR_INPUT);
        options.target = 0;
        for (int i = 0; i < 2; i++) { /* weights are floats: they could not hold these */
            double target[GRAPHS];
            leman_dataset *odd = NULL;
            for (size_t g = 0; g < GRAPHS; g++) target[g] = (double)g * (i ? 1e-50 : 1e50);
            assert_int_equal(leman_dataset_set_targets(ctx, data, NULL, target, 1, &odd), LEMAN_OK);
            assert_int_equal(leman_model_fit(ctx, odd, &kernel, 1, &options, &model), LEMAN_ERROR_INPUT);
            assert_non_null(strstr(leman_context_message(ctx), i ? "more than 1e-30" : "to 1e30"));
            leman_dataset_free(odd);
        }
    }
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* The prediction for a graph is its own: whatever stands beside it, in whatever order, on however many threads. */
static void test_predictions_are_independent(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1), *many = test_context_new(3);
    for (int turn = 0; turn < 2; turn++) {
        leman_kernel kernel = kernel_of(LEMAN_ALGORITHM_LOCAL, 2, turn);
        leman_fit_options options = quick(LEMAN_SVM_AUTO);
        leman_dataset *data = molecules(ctx, GRAPHS, 7), *train = part(ctx, data, 0, HALF, false),
                      *rest = part(ctx, data, HALF, HALF, true);
        leman_model *model = fit(ctx, train, &kernel, 1, &options), *same = fit(many, train, &kernel, 1, &options);
        predictions all = predict(ctx, model, data), threads = predict(many, same, data),
                    some = predict(many, model, rest);
        assert_memory_equal(&all, &threads, sizeof all);
        for (size_t i = 0; i < HALF; i++) {
            size_t there = GRAPHS - 1 - i;
            assert_true(some.score[i] == all.score[there] && some.out_of_vocabulary[i] == all.out_of_vocabulary[there]);
            assert_memory_equal(some.probability + 2 * i, all.probability + 2 * there, 2 * sizeof(double));
        }
        leman_model_free(model);
        leman_model_free(same);
        leman_dataset_free(rest);
        leman_dataset_free(train);
        leman_dataset_free(data);
    }
    test_context_free(ctx);
    test_context_free(many);
}

/* A graph of colours that no training graph had: all of it is out of vocabulary, and the biases decide. */
static void test_out_of_vocabulary(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = kinds(ctx, GRAPHS, 2, false), *strange = NULL;
    leman_columns columns = {.vertex_labels = 1};
    leman_builder *b = NULL;
    assert_int_equal(leman_builder_new(ctx, "strange", &columns, &b), LEMAN_OK);
    leman_builder_graph(b, NULL, NULL, NULL);
    for (int64_t v = 0; v < 3; v++) leman_builder_vertex(b, NULL, (int64_t[]){100 + v}, NULL);
    leman_builder_graph(b, NULL, NULL, NULL);
    assert_int_equal(leman_builder_finish(b, NULL, NULL, &strange), LEMAN_OK);
    leman_builder_free(b);
    for (int turn = 0; turn < 2; turn++) {
        leman_kernel kernel = kernel_of(LEMAN_ALGORITHM_LOCAL, 1, turn);
        leman_fit_options options = quick(LEMAN_SVM_AUTO);
        leman_model *model = fit(ctx, data, &kernel, 1, &options);
        predictions a = predict(ctx, model, strange);
        assert_true(a.out_of_vocabulary[0] == 1 && a.out_of_vocabulary[1] == 0); /* the second graph has no vertices */
        for (int i = 0; i < 2; i++) assert_true(fabs(a.score[i]) == fabs(model->bias[0]));
        leman_model_free(model);
    }
    leman_dataset_free(strange);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* ---- Data that does not fit ------------------------------------------------------------------ */

static void assert_refused(leman_context *ctx, const leman_model *model, const leman_dataset *data, const char *words)
{
    int64_t label[GRAPHS];
    assert_int_equal(leman_model_predict(ctx, model, data, label, NULL, NULL, NULL), LEMAN_ERROR_INPUT);
    assert_non_null(strstr(leman_context_message(ctx), words));
}

static void test_required_inputs(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = kinds(ctx, GRAPHS, 2, false), *arcs = kinds(ctx, GRAPHS, 2, true), *bare = NULL;
    leman_columns keep = {.classes = true};
    leman_kernel kernel = kernel_of(LEMAN_ALGORITHM_LOCAL, 2, false);
    leman_fit_options options = quick(LEMAN_SVM_AUTO);
    assert_int_equal(leman_dataset_keep(ctx, data, &keep, &bare), LEMAN_OK);
    for (int turn = 0; turn < 2; turn++) { /* also where a marked vertex is added, with a label of its own */
        options.apex = turn;
        kernel.coloring.ignore_vertex_labels = false;
        leman_model *labels = fit(ctx, data, &kernel, 1, &options), *none = fit(ctx, bare, &kernel, 1, &options);
        kernel.coloring.ignore_vertex_labels = true;
        leman_model *away = fit(ctx, data, &kernel, 1, &options);
        assert_refused(ctx, labels, bare, "vertex labels");
        assert_refused(ctx, labels, arcs, "directed");
        predictions a = predict(ctx, none, bare), b = predict(ctx, none, data), c = predict(ctx, away, data),
                    d = predict(ctx, away, bare);
        assert_memory_equal(&a, &b, sizeof a); /* labels that were not there are not looked at */
        assert_memory_equal(&a, &c, sizeof a);
        assert_memory_equal(&a, &d, sizeof a);
        leman_model_free(labels);
        leman_model_free(none);
        leman_model_free(away);
    }
    leman_dataset_free(bare);
    leman_dataset_free(arcs);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* `bonded` joins the vertices of every graph by one labelled edge; otherwise there are none, and no column for labels.
 */
static leman_dataset *pairs_of_atoms(leman_context *ctx, bool bonded)
{
    leman_columns columns = {.vertex_labels = 1, .edge_labels = bonded, .classes = true};
    leman_builder *b = NULL;
    leman_dataset *data = NULL;
    assert_int_equal(leman_builder_new(ctx, "atoms", &columns, &b), LEMAN_OK);
    for (int64_t i = 0; i < GRAPHS; i++) {
        int64_t class_label = i % 2;
        assert_int_equal(leman_builder_graph(b, NULL, &class_label, NULL), LEMAN_OK);
        for (int v = 0; v < 2; v++) assert_int_equal(leman_builder_vertex(b, NULL, &class_label, NULL), LEMAN_OK);
        if (bonded) assert_int_equal(leman_builder_edge(b, 0, 1, &class_label, NULL), LEMAN_OK);
    }
    assert_int_equal(leman_builder_finish(b, NULL, NULL, &data), LEMAN_OK);
    leman_builder_free(b);
    return data;
}

/* Graphs without edges have no labels of edges to miss, unless an apex brings edges; shortest paths need none. */
static void test_graphs_without_edges(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = pairs_of_atoms(ctx, true), *lonely = pairs_of_atoms(ctx, false), *bare = NULL;
    leman_kernel kernel = kernel_of(LEMAN_ALGORITHM_LOCAL, 1, false), paths = kernel;
    leman_fit_options options = quick(LEMAN_SVM_AUTO), marked = options;
    leman_columns keep = {.vertex_labels = 1, .classes = true};
    int64_t label[GRAPHS];
    paths.kind = LEMAN_KERNEL_KIND_SHORTEST_PATH;
    marked.apex = true;
    assert_int_equal(leman_dataset_keep(ctx, data, &keep, &bare), LEMAN_OK);
    leman_model *model = fit(ctx, data, &kernel, 1, &options), *joined = fit(ctx, data, &kernel, 1, &marked),
                *far = fit(ctx, data, &paths, 1, &options);
    assert_int_equal(leman_model_predict(ctx, model, lonely, label, NULL, NULL, NULL), LEMAN_OK);
    for (int64_t i = 0; i < GRAPHS; i++) assert_int_equal(label[i], i % 2); /* by the atoms */
    assert_refused(ctx, model, bare, "found 0 columns of edge labels, expected 1");
    assert_refused(ctx, joined, lonely, "found 0 columns of edge labels, expected 1");
    assert_int_equal(leman_model_predict(ctx, far, bare, label, NULL, NULL, NULL), LEMAN_OK);
    for (int64_t i = 0; i < GRAPHS; i++) assert_int_equal(label[i], i % 2);
    leman_model_free(model);
    leman_model_free(joined);
    leman_model_free(far);
    leman_dataset_free(bare);
    leman_dataset_free(lonely);
    leman_dataset_free(data);
    test_context_free(ctx);
}

static void assert_no_fit(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernel,
                          leman_fit_options options, leman_status status)
{
    leman_model *model = NULL;
    assert_int_equal(leman_model_fit(ctx, data, kernel, 1, &options, &model), status);
    assert_true(*leman_context_message(ctx) && !model);
}

static void test_bad_arguments(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = kinds(ctx, GRAPHS, 2, false), *same = kinds(ctx, 4, 1, false),
                  *one = part(ctx, data, 0, 1, false);
    leman_kernel kernel = kernel_of(LEMAN_ALGORITHM_LOCAL, 1, false),
                 minima = kernel_of(LEMAN_ALGORITHM_LOCAL, 1, true);
    leman_fit_options options = quick(LEMAN_SVM_AUTO), wrong;
    leman_model *model = NULL;
    assert_no_fit(ctx, same, &kernel, options, LEMAN_ERROR_INPUT);
    assert_no_fit(ctx, one, &kernel, options, LEMAN_ERROR_INPUT);
    assert_no_fit(ctx, data, &minima, quick(LEMAN_SVM_LINEAR), LEMAN_ERROR_ARGUMENT);
    assert_int_equal(leman_model_fit(ctx, data, &kernel, 0, &options, &model), LEMAN_ERROR_ARGUMENT);
    wrong = options, wrong.folds = 1;
    assert_no_fit(ctx, data, &kernel, wrong, LEMAN_ERROR_ARGUMENT);
    wrong = options, wrong.folds = GRAPHS + 1; /* as in an evaluation */
    assert_no_fit(ctx, data, &kernel, wrong, LEMAN_ERROR_INPUT);
    wrong = options, wrong.min_rounds = 3;
    assert_no_fit(ctx, data, &kernel, wrong, LEMAN_ERROR_ARGUMENT);
    wrong = options, wrong.C = (const double[]){10, 1};
    assert_no_fit(ctx, data, &kernel, wrong, LEMAN_ERROR_ARGUMENT);
    double weight[GRAPHS];
    int8_t censoring[GRAPHS] = {0};
    for (size_t g = 0; g < GRAPHS; g++) weight[g] = 1;
    for (int i = 0; i < 4; i++) {
        wrong = options, wrong.weight = weight;
        weight[5] = (const double[]){0, -1, NAN, INFINITY}[i];
        assert_no_fit(ctx, data, &kernel, wrong, LEMAN_ERROR_INPUT);
        assert_non_null(strstr(leman_context_message(ctx), "as the weight of graph 5, expected a number above 0"));
    }
    wrong = options, wrong.censoring = censoring; /* of classes */
    assert_no_fit(ctx, data, &kernel, wrong, LEMAN_ERROR_ARGUMENT);
    wrong.target = 0;
    censoring[7] = 2;
    assert_no_fit(ctx, data, &kernel, wrong, LEMAN_ERROR_ARGUMENT);
    memset(censoring, -1, sizeof censoring);
    assert_no_fit(ctx, data, &kernel, wrong, LEMAN_ERROR_INPUT);
    wrong = options, wrong.C_count = 0;
    assert_no_fit(ctx, data, &kernel, wrong, LEMAN_ERROR_ARGUMENT);
    leman_dataset_free(one);
    leman_dataset_free(same);
    leman_dataset_free(data);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kernel_scores),
        cmocka_unit_test(test_linear_scores),
        cmocka_unit_test(test_probabilities),
        cmocka_unit_test(test_regression),
        cmocka_unit_test(test_predictions_are_independent),
        cmocka_unit_test(test_out_of_vocabulary),
        cmocka_unit_test(test_required_inputs),
        cmocka_unit_test(test_graphs_without_edges),
        cmocka_unit_test(test_bad_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
