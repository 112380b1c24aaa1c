/* Models: their decisions by the definition, files that come back, files that are damaged, data that does not fit. */
#include "support/support.h"

#include "learn/model.h"
#include "svm/linear_svm.h"
#include "svm/svm.h"
#include <math.h>
#include <stdio.h>

enum { GRAPHS = 36, HALF = 18 };

/* ---- What the tests share -------------------------------------------------------------------- */

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

/* Graphs of `classes` kinds that colour refinement tells apart: a path, a cycle, a clique, a star of 4 to 7 vertices.
 */
static leman_dataset *kinds(leman_context *ctx, size_t graphs, int64_t classes, bool directed)
{
    leman_columns columns = {.vertex_labels = 1, .classes = true, .targets = 1};
    leman_policy policy = leman_policy_default();
    leman_builder *b = NULL;
    leman_dataset *data = NULL;
    policy.directed = directed;
    assert_int_equal(leman_builder_new(ctx, "kinds", &columns, &b), LEMAN_OK);
    for (size_t g = 0; g < graphs; g++) {
        int64_t kind = (int64_t)g % classes, label = 10 * kind - 5;
        size_t n = 4 + g / (size_t)classes % 4;
        double target = 3 * (double)kind + 0.1 * (double)n;
        leman_builder_graph(b, NULL, &label, &target);
        for (size_t v = 0; v < n; v++) leman_builder_vertex(b, NULL, (int64_t[]){(int64_t)(v + g) % 2}, NULL);
        for (size_t u = 0; u < n; u++)
            for (size_t v = u + 1; v < n; v++)
                if (kind == 0 ? v == u + 1 : kind == 1 ? v == u + 1 || v == u + n - 1 : kind == 2 || u == 0)
                    leman_builder_edge(b, u, v, NULL, NULL);
    }
    assert_int_equal(leman_builder_finish(b, &policy, NULL, &data), LEMAN_OK);
    leman_builder_free(b);
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

static leman_kernel kernel_of(leman_algorithm algorithm, unsigned k, bool assignment)
{
    leman_kernel kernel = leman_kernel_default();
    kernel.algorithm = algorithm;
    kernel.k = k;
    kernel.assignment = assignment;
    return kernel;
}

static const double SOME_C[] = {1, 10};

static leman_fit_options quick(leman_svm svm)
{
    leman_fit_options options = leman_fit_options_default();
    options.max_rounds = 2;
    options.C = SOME_C;
    options.C_count = 2;
    options.folds = 3;
    options.svm = svm;
    return options;
}

static leman_model *fit(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels, size_t count,
                        const leman_fit_options *options)
{
    leman_model *model = NULL;
    if (leman_model_fit(ctx, data, kernels, count, options, &model)) fail_msg("%s", leman_context_message(ctx));
    return model;
}

typedef struct predictions {
    int64_t label[GRAPHS];
    double score[GRAPHS], probability[GRAPHS * 4], out_of_vocabulary[GRAPHS];
} predictions;

static predictions predict(leman_context *ctx, const leman_model *model, const leman_dataset *data)
{
    predictions a;
    memset(&a, 0, sizeof a);
    if (leman_model_predict(ctx, model, data, a.label, a.score, a.probability, a.out_of_vocabulary))
        fail_msg("%s", leman_context_message(ctx));
    return a;
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
        of_h[i].rounds = shape->rounds;
    }
    assert_int_equal(leman_gram_compute(ctx, data, NULL, of_h, count, true, exact), LEMAN_OK);
    for (size_t i = 0; i < GRAPHS * GRAPHS; i++) gram[i] = (float)exact[i];
    for (uint32_t i = 0; i < HALF; i++) {
        item[i] = i;
        test[i] = HALF + i;
        for (label[i] = 0; shape->class_label[label[i]] != leman_dataset_classes(train)[i];) label[i]++;
    }
    lm_svm_problem problem = {
        .gram = gram, .graphs = GRAPHS, .item = item, .label = label, .count = HALF, .classes = shape->classes};
    assert_int_equal(lm_svm_new(ctx, &problem, &svm), LEMAN_OK);
    assert_int_equal(lm_svm_train(svm, shape->C, NULL), LEMAN_OK);
    assert_int_equal(lm_svm_decide(svm, test, HALF, pairs), LEMAN_OK);
    size_t outputs = lm_svm_pairs(svm);
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

/* Products become weights, minima keep their supports, sums of both as well: always the SVM on the matrix. */
static void kernel_svms_decide_by_the_kernel(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(2);
    leman_fit_options options = quick(LEMAN_SVM_KERNEL);
    for (int64_t classes = 2; classes <= 4; classes++) {
        leman_dataset *data = kinds(ctx, GRAPHS, classes, false), *train = part(ctx, data, 0, HALF, false);
        for (int turn = 0; turn < 4; turn++) {
            leman_kernel kernels[2] = {
                kernel_of(turn == 3 ? LEMAN_ALGORITHM_LOCAL_PLUS : LEMAN_ALGORITHM_LOCAL, turn == 2 ? 1 : 2, turn == 1),
                kernel_of(LEMAN_ALGORITHM_WL, 1, true)};
            size_t count = turn == 2 ? 2 : 1;
            kernels[1].weight = 0.5;
            leman_model *model = fit(ctx, train, kernels, count, &options);
            assert_int_equal(leman_model_describe(model)->supports > 0, turn == 1 || turn == 2);
            assert_kernel_scores(ctx, data, train, model, kernels, count);
            leman_model_free(model);
        }
        leman_dataset_free(train);
        leman_dataset_free(data);
    }
    test_context_free(ctx);
}

/* The model of a linear SVM decides as the SVM does about the same graphs. */
static void linear_svms_keep_their_decisions(void **unused)
{
    (void)unused;
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
            assert_int_equal(
                lm_linear_svm_fit(ctx, &rows, item, label, GRAPHS, (size_t)classes, shape->C, NULL, &linear), LEMAN_OK);
            lm_linear_svm_decide(&linear, &rows, item, GRAPHS, decision);
            for (size_t i = 0; i < GRAPHS; i++) {
                const double *own = decision + i * linear.outputs;
                uint32_t winner = lm_linear_svm_class((size_t)classes, own);
                double score = classes == 2 && winner ? -own[0] : own[classes == 2 ? 0 : winner];
                assert_true(fabs(a.score[i] - score) < 1e-2); /* merged otherwise: the same to LIBLINEAR's accuracy */
                if (score > 0.05) assert_int_equal(a.label[i], shape->class_label[winner]);
                assert_true(a.out_of_vocabulary[i] < 1e-12);
            }
            lm_linear_svm_free(ctx, &linear);
            lm_rows_free(ctx, &rows);
            lm_round_features_free(ctx, &features);
            leman_model_free(model);
            leman_dataset_free(data);
        }
    test_context_free(ctx);
}

/* Probabilities sum to 1; with two classes they rise with the decision. Easy classes are found. */
static void probabilities_are_in_order(void **unused)
{
    (void)unused;
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

static void targets_are_met(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(2);
    leman_kernel kernel = kernel_of(LEMAN_ALGORITHM_LOCAL, 1, false);
    leman_dataset *data = kinds(ctx, GRAPHS, 2, false);
    for (int svm = LEMAN_SVM_KERNEL; svm <= LEMAN_SVM_LINEAR; svm++) {
        leman_fit_options options = quick((leman_svm)svm);
        options.target = 0;
        leman_model *model = fit(ctx, data, &kernel, 1, &options);
        predictions a = predict(ctx, model, data);
        double error = 0;
        for (size_t i = 0; i < GRAPHS; i++) error += fabs(a.score[i] - leman_dataset_targets(data)[i]) / GRAPHS;
        assert_true(error < 0.5); /* they are 1.5 from their mean */
        assert_true(leman_model_describe(model)->regression && leman_model_describe(model)->score < 0.8);
        leman_model_free(model);
        options.target = 1;
        assert_int_equal(leman_model_fit(ctx, data, &kernel, 1, &options, &model), LEMAN_ERROR_ARGUMENT);
    }
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* The prediction for a graph is its own: whatever stands beside it, in whatever order, on however many threads. */
static void answers_do_not_depend_on_company(void **unused)
{
    (void)unused;
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
static void colors_out_of_vocabulary_say_nothing(void **unused)
{
    (void)unused;
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
        assert_true(a.out_of_vocabulary[0] == 1 &&
                    a.out_of_vocabulary[1] == 0); /* of nothing, nothing is out of vocabulary */
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

static void models_know_what_they_need(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = kinds(ctx, GRAPHS, 2, false), *arcs = kinds(ctx, GRAPHS, 2, true), *bare = NULL;
    leman_columns keep = {.classes = true};
    leman_kernel kernel = kernel_of(LEMAN_ALGORITHM_LOCAL, 2, false);
    leman_fit_options options = quick(LEMAN_SVM_AUTO);
    assert_int_equal(leman_dataset_keep(ctx, data, &keep, &bare), LEMAN_OK);
    for (int turn = 0; turn < 2; turn++) { /* also where a marked vertex is added, with a label of its own */
        options.apex = turn;
        kernel.ignore_vertex_labels = false;
        leman_model *labels = fit(ctx, data, &kernel, 1, &options), *none = fit(ctx, bare, &kernel, 1, &options);
        kernel.ignore_vertex_labels = true;
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
static void molecules_of_single_atoms(void **unused)
{
    (void)unused;
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

static void wrong_questions(void **unused)
{
    (void)unused;
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
    wrong = options, wrong.C_count = 0;
    assert_no_fit(ctx, data, &kernel, wrong, LEMAN_ERROR_ARGUMENT);
    leman_dataset_free(one);
    leman_dataset_free(same);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* ---- Files ----------------------------------------------------------------------------------- */

static char *bytes_of(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*size + 1);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

static void assert_damage_is_seen(leman_context *ctx, char *bytes, size_t size)
{
    leman_model *model = NULL;
    for (size_t i = 0; i < size; i++)
        for (int bit = 0; bit < 8; bit += 7) {
            bytes[i] = (char)(bytes[i] ^ 1 << bit);
            assert_int_equal(lm_model_parse(ctx, "model", (lm_bytes){.data = bytes, .size = size}, &model),
                             LEMAN_ERROR_INPUT);
            bytes[i] = (char)(bytes[i] ^ 1 << bit);
        }
    for (size_t cut = 0; cut < size; cut += cut < 64 ? 1 : 37) {
        char *own = malloc(cut + 1);
        memcpy(own, bytes, cut);
        assert_int_equal(lm_model_parse(ctx, "model", (lm_bytes){.data = own, .size = cut}, &model), LEMAN_ERROR_INPUT);
        assert_true(*leman_context_message(ctx) != 0);
        free(own);
    }
    assert_int_equal(lm_model_parse(ctx, "model", (lm_bytes){.data = bytes, .size = size}, &model), LEMAN_OK);
    leman_model_free(model);
}

static void files_come_back(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new();
    for (int turn = 0; turn < 5; turn++) {
        leman_kernel kernels[2] = {kernel_of(LEMAN_ALGORITHM_LOCAL, 1, turn == 1),
                                   kernel_of(LEMAN_ALGORITHM_LOCAL_PLUS, 1, false)};
        leman_fit_options options = quick(turn == 2 ? LEMAN_SVM_KERNEL : LEMAN_SVM_AUTO);
        leman_dataset *data = kinds(ctx, GRAPHS, turn == 3 ? 4 : 2, false);
        leman_model *back = NULL;
        size_t size[2];
        if (turn == 4) options.target = 0;
        options.max_rounds = 1;
        leman_model *model = fit(ctx, data, kernels, turn == 3 ? 2 : 1, &options);
        const char *path[2] = {test_path(folder, "a.model"), test_path(folder, "b.model")};
        assert_int_equal(leman_model_write(ctx, model, path[0]), LEMAN_OK);
        if (leman_model_read(ctx, path[0], &back)) fail_msg("%s", leman_context_message(ctx));
        assert_int_equal(leman_model_write(ctx, back, path[1]), LEMAN_OK);
        char *bytes[2] = {bytes_of(path[0], &size[0]), bytes_of(path[1], &size[1])};
        assert_int_equal(size[0], size[1]);
        assert_memory_equal(bytes[0], bytes[1], size[0]);
        predictions a = predict(ctx, model, data), b = predict(ctx, back, data);
        assert_memory_equal(&a, &b, sizeof a);
        const leman_model_shape *was = leman_model_describe(model), *is = leman_model_describe(back);
        assert_true(was->C == is->C && was->score == is->score && was->rounds == is->rounds &&
                    was->features == is->features && was->supports == is->supports && was->classes == is->classes &&
                    was->folds == is->folds && was->data_checksum == is->data_checksum &&
                    was->regression == is->regression);
        assert_string_equal(is->data_name, "kinds");
        if (turn < 2) assert_damage_is_seen(ctx, bytes[0], size[0]);
        free(bytes[0]);
        free(bytes[1]);
        leman_model_free(back);
        leman_model_free(model);
        leman_dataset_free(data);
    }
    test_folder_remove(folder);
    test_context_free(ctx);
}

static void other_files_are_refused(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new();
    leman_model *model = NULL;
    static const struct {
        const char *bytes;
        size_t size;
        const char *words;
    } FILES[] = {{"", 0, "a model of leman fit"},
                 {"LEMANDS\n................................", 40, "something else"},
                 {"LEMANSV\n\2\0\0\0\0\0\0\0................", 32, "version 2"},
                 {"LEMANSV\n\1\0\0\0\0\0\0\0........\377\377\377\377\377\377\377\377", 32, "cut off"},
                 {"LEMANSV\n\1\0\0\0\0\0\0\0........\0\0\0\0\0\0\0\0", 32, "damaged"}};
    for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++) {
        const char *path = test_file_write(folder, "x.model", FILES[i].bytes, FILES[i].size);
        assert_int_equal(leman_model_read(ctx, path, &model), LEMAN_ERROR_INPUT);
        assert_non_null(strstr(leman_context_message(ctx), FILES[i].words));
        assert_non_null(strstr(leman_context_message(ctx), "x.model"));
    }
    assert_int_equal(leman_model_read(ctx, test_path(folder, "none.model"), &model), LEMAN_ERROR_FILE);
    test_folder_remove(folder);
    test_context_free(ctx);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

typedef struct route {
    const char *path;
    bool assignment;
} route;

static leman_status all_the_way(leman_context *ctx, void *state)
{
    const route *r = state;
    leman_status st;
    leman_columns columns = {.classes = true};
    leman_builder *b = NULL;
    leman_dataset *data = NULL;
    leman_model *model = NULL, *back = NULL;
    leman_kernel kernel = kernel_of(LEMAN_ALGORITHM_LOCAL, 1, r->assignment);
    leman_fit_options options = quick(LEMAN_SVM_AUTO);
    int64_t label[6];
    double probability[12];
    options.max_rounds = 1;
    options.C_count = 1;
    options.folds = 2;
    options.apex = true;
    st = leman_builder_new(ctx, "six", &columns, &b);
    for (size_t g = 0; g < 6 && !st; g++) {
        st = leman_builder_graph(b, NULL, (int64_t[]){(int64_t)g % 2}, NULL);
        for (size_t v = 0; v < 3 && !st; v++) st = leman_builder_vertex(b, NULL, NULL, NULL);
        for (size_t v = 0; v < 1 + g % 2 && !st; v++) st = leman_builder_edge(b, v, v + 1, NULL, NULL);
    }
    if (!st) st = leman_builder_finish(b, NULL, NULL, &data);
    leman_builder_free(b);
    if (!st) st = leman_model_fit(ctx, data, &kernel, 1, &options, &model);
    if (!st) st = leman_model_write(ctx, model, r->path);
    if (!st) st = leman_model_read(ctx, r->path, &back);
    if (!st) st = leman_model_predict(ctx, back, data, label, NULL, probability, NULL);
    leman_model_free(model);
    leman_model_free(back);
    leman_dataset_free(data);
    return st;
}

static void memory_runs_out(void **unused)
{
    (void)unused;
    const char *folder = test_folder_new();
    for (int turn = 0; turn < 2; turn++) {
        route r = {test_path(folder, "m.model"), turn};
        assert_true(test_fail_each_allocation(all_the_way, &r) > 20);
    }
    test_folder_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernel_svms_decide_by_the_kernel),
        cmocka_unit_test(linear_svms_keep_their_decisions),
        cmocka_unit_test(probabilities_are_in_order),
        cmocka_unit_test(targets_are_met),
        cmocka_unit_test(answers_do_not_depend_on_company),
        cmocka_unit_test(colors_out_of_vocabulary_say_nothing),
        cmocka_unit_test(models_know_what_they_need),
        cmocka_unit_test(molecules_of_single_atoms),
        cmocka_unit_test(wrong_questions),
        cmocka_unit_test(files_come_back),
        cmocka_unit_test(other_files_are_refused),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
