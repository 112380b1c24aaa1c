/* What vertices contribute to a score: with the mean score of the training graphs they add up to it whatever the model,
 * equal vertices contribute equally, and where the weights can be read off single vertices, each contributes by its own. */
#include "kernel/features/features.h"
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

/* The bias of the score of a class. */
static double bias_of(const leman_model *model, size_t class_number)
{
    double factor[8], bias = 0;
    lm_model_class_factors(model, class_number, factor);
    for (size_t m = 0; m < model->outputs; m++) bias += factor[m] * model->bias[m];
    return bias;
}

static double mean_of(const leman_model *model, size_t class_number)
{
    double factor[8], mean = 0;
    lm_model_class_factors(model, class_number, factor);
    for (size_t m = 0; m < model->outputs; m++) mean += factor[m] * model->mean[m];
    return mean;
}

/* The rest is the mean, over the training graphs, of the score of the class. */
static void assert_centred(leman_context *ctx, const leman_model *model, const leman_dataset *data, size_t class_number)
{
    const size_t graphs = leman_dataset_shape(data)->graphs;
    double vertex[MOST], mean = 0;
    leman_attribution *a = NULL;
    for (size_t g = 0; g < graphs; g++) mean += total(ctx, model, data, g, class_number, vertex) / (double)graphs;
    if (leman_model_attribute(ctx, model, data, 0, class_number, LEMAN_ATTRIBUTION_METHOD_WEIGHTS, 0, &a))
        fail_msg("%s", leman_context_message(ctx));
    assert_true(a->centered && fabs(a->bias - mean) < 1e-5 * fmax(1, fabs(mean)));
    if (!model->shape.apex) assert_true(fabs(a->rest - a->bias) < 1e-9);
    leman_attribution_free(a);
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
        if (!g) assert_centred(ctx, model, data, own);
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

/* The effect of one more tuple of a colour with `count` tuples, by a difference: how much weight . counts / length
 * grows, where `part` is that value, and `square` the squared length. */
static double effect(double part, double square, double weight, double count)
{
    const double step = 1e-6, length = sqrt(square);
    const double more = (part * length + weight * step) / sqrt(square + 2 * count * step + step * step);
    const double less = (part * length - weight * step) / sqrt(square - 2 * count * step + step * step);
    return (more - less) / (2 * step);
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
    const double bias = bias_of(model, 0);
    for (size_t i = 0; i < 2; i++) weight[i] = (p.label[i] == first ? p.score[i] : -p.score[i]) - bias;
    for (size_t g = 0; g < GRAPHS; g++) {
        const leman_graph graph = leman_dataset_graph(data, g);
        double count[2] = {0, 0};
        for (size_t v = 0; v < graph.vertices; v++) count[graph.vertex_label[v]]++;
        const double score = total(ctx, model, data, g, 0, vertex), square = count[0] * count[0] + count[1] * count[1];
        const double surplus = (score - mean_of(model, 0)) / (double)graph.vertices;
        for (size_t v = 0; v < graph.vertices; v++) {
            const int64_t label = graph.vertex_label[v];
            assert_true(fabs(vertex[v] - surplus - effect(score - bias, square, weight[label], count[label])) < 1e-8);
        }
    }
    leman_model_free(model);
    leman_dataset_free(single);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* The weight of a colour in the score of class 0, found by comparing it with every column of the model. */
static double weight_of(const leman_model *model, uint32_t round, uint64_t color, size_t different)
{
    double factor[4], weight = 0;
    lm_model_class_factors(model, 0, factor);
    for (size_t c = 0; c < model->features.columns; c++) {
        const leman_feature *f = model->features.feature + c;
        if (f->round / LM_TRIPLE_LISTS != round || f->round % LM_TRIPLE_LISTS != different - 1 || f->key != color)
            continue;
        for (size_t m = 0; m < model->outputs; m++) weight += factor[m] * (double)model->weight[c * model->outputs + m];
    }
    return weight;
}

/* Distances by relaxing every arc as often as there are vertices. */
static void distances(const leman_graph *g, uint32_t distance[MOST][MOST])
{
    for (size_t u = 0; u < g->vertices; u++)
        for (size_t v = 0; v < g->vertices; v++) distance[u][v] = u == v ? 0 : 1000;
    for (size_t turn = 0; turn < g->vertices; turn++)
        for (size_t u = 0; u < g->vertices; u++)
            for (size_t v = 0; v < g->vertices; v++)
                for (uint64_t e = g->start[v]; e < g->start[v + 1]; e++)
                    if (distance[u][v] + 1 < distance[u][g->head[e]]) distance[u][g->head[e]] = distance[u][v] + 1;
}

/* The definition: the tuple (u, v), or (u, u) for single vertices, shares the effect of its colour in each round, and
 * all vertices share the surplus. */
static void expected_shares(leman_context *ctx, const leman_model *model, const leman_graph *g, double score,
                            double *vertex)
{
    const leman_kernel *kernel = model->kernel;
    const size_t n = g->vertices, others = kernel->coloring.k == 2 ? n : 1;
    uint64_t color[MOST * MOST];
    uint32_t distance[MOST][MOST];
    double square = 0;
    leman_histogram *h = NULL;
    distances(g, distance);
    for (size_t v = 0; v < n; v++) vertex[v] = (score - mean_of(model, 0)) / (double)n;
    assert_int_equal(leman_histogram_compute(ctx, g, &kernel->coloring, &h), LEMAN_OK);
    for (uint64_t i = 0; i < h->start[h->rounds]; i++) square += pow((double)h->color[i].count, 2);
    leman_histogram_free(h);
    for (uint32_t r = 0; r <= kernel->coloring.rounds; r++) {
        assert_int_equal(leman_tuple_colors(ctx, g, &kernel->coloring, r, color), LEMAN_OK);
        for (size_t u = 0; u < n; u++)
            for (size_t o = 0; o < others; o++) {
                const size_t v = others > 1 ? o : u;
                const uint64_t own = color[u * others + o], turned = others > 1 ? color[v * n + u] : own;
                const size_t different = own == turned ? 1 : 2;
                const double weight =
                    weight_of(model, r, own < turned ? own : turned, different) / sqrt((double)different);
                double share[MOST], sum = 0, count = 0;
                for (size_t t = 0; t < n * others; t++) count += color[t] == own;
                const double part = effect(score - bias_of(model, 0), square, weight, count);
                for (size_t x = 0; x < n; x++) {
                    const uint32_t d = distance[u][x] < distance[v][x] ? distance[u][x] : distance[v][x];
                    share[x] = d <= r ? pow(0.5, d) : 0;
                    sum += share[x];
                }
                for (size_t x = 0; x < n; x++) vertex[x] += part * share[x] / sum;
            }
    }
}

/* Every vertex within r steps of a tuple has a part of its effect in round r, half as much with every step. */
static void test_shares(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(2);
    leman_dataset *data = kinds(ctx, GRAPHS, 3, false);
    for (unsigned k = 1; k <= 2; k++)
        for (int svm = LEMAN_SVM_KERNEL; svm <= LEMAN_SVM_LINEAR; svm++) {
            const leman_kernel kernel = kernel_of(LEMAN_ALGORITHM_LOCAL, k, false);
            leman_fit_options options = quick((leman_svm)svm);
            double vertex[MOST], expected[MOST];
            options.min_rounds = options.max_rounds = 2;
            leman_model *model = fit(ctx, data, &kernel, 1, &options);
            for (size_t g = 0; g < GRAPHS; g++) {
                const leman_graph graph = leman_dataset_graph(data, g);
                const double score = total(ctx, model, data, g, 0, vertex);
                expected_shares(ctx, model, &graph, score, expected);
                for (size_t v = 0; v < graph.vertices; v++) assert_true(fabs(vertex[v] - expected[v]) < 1e-7);
            }
            leman_model_free(model);
        }
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

/* ---- Support graphs -------------------------------------------------------------------------- */

/* Sums of vertices, and the mean, of models of minima and of sums of minima and products. */
static void test_sums_of_minima(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(2);
    for (int turn = 0; turn < 16; turn++) {
        const int64_t classes = 2 + turn % 2;
        leman_dataset *data = kinds(ctx, GRAPHS, classes, false);
        leman_kernel kernel[2] = {kernel_of(LEMAN_ALGORITHM_LOCAL, turn & 2 ? 2 : 1, true),
                                  kernel_of(LEMAN_ALGORITHM_DELTA, 2, false)};
        leman_fit_options options = quick(LEMAN_SVM_AUTO);
        double vertex[MOST], mean = 0;
        kernel[0].weight = 0.7;
        for (int i = 0; turn & 4 && i < 2; i++) kernel[i].normalization = LEMAN_NORMALIZATION_TANIMOTO;
        if (turn % 5 == 0) options.target = 0;
        leman_model *model = fit(ctx, data, kernel, turn & 8 ? 2 : 1, &options);
        const predictions p = predict(ctx, model, data);
        const size_t own = options.target == 0 ? 0 : (size_t)turn % (size_t)classes;
        leman_attribution *a = NULL;
        assert_null(model->weight);
        for (size_t g = 0; g < GRAPHS; g++) {
            const double sum = total(ctx, model, data, g, own, vertex);
            mean += sum / GRAPHS;
            if (options.target == 0 || p.label[g] == leman_model_describe(model)->class_label[own])
                assert_true(fabs(sum - p.score[g]) < 1e-9 * fmax(1, fabs(sum)));
        }
        assert_int_equal(leman_model_attribute(ctx, model, data, 0, own, LEMAN_ATTRIBUTION_METHOD_AUTO, 0, &a),
                         LEMAN_OK);
        assert_int_equal(a->method, LEMAN_ATTRIBUTION_METHOD_WEIGHTS);
        assert_true(a->centered && fabs(a->rest - mean) < 1e-5 * fmax(1, fabs(mean)));
        double edges = a->edge_rest;
        for (size_t e = 0; e < a->edges; e++) edges += a->edge[e];
        assert_true(fabs(edges - a->score) < 1e-9 * fmax(1, fabs(edges)));
        leman_attribution_free(a);
        leman_model_free(model);
        leman_dataset_free(data);
    }
    test_context_free(ctx);
}

static void count_labels(const leman_dataset *data, size_t graph, double count[2])
{
    const leman_graph g = leman_dataset_graph(data, graph);
    count[0] = count[1] = 0;
    for (size_t v = 0; v < g.vertices; v++) count[g.vertex_label[v]]++;
}

/* The score of class 0, without the bias, of a graph with these counts of labels, by the definition of the kernel. */
static double score_of_counts(const leman_model *model, const leman_dataset *data, const double count[2])
{
    double factor[8], score = 0;
    lm_model_class_factors(model, 0, factor);
    for (size_t i = 0; i < model->features.rows; i++) {
        double other[2], both = 0;
        count_labels(data, model->origin.graph[i], other);
        for (int l = 0; l < 2; l++) both += fmin(count[l], other[l]);
        const double one = count[0] + count[1], two = other[0] + other[1];
        const bool tanimoto = model->kernel->normalization == LEMAN_NORMALIZATION_TANIMOTO;
        for (size_t m = 0; m < model->outputs; m++)
            score += factor[m] * model->coefficient[i * model->outputs + m] * both /
                     (tanimoto ? one + two - both : sqrt(one * two));
    }
    return score;
}

/* With WLOA in round 0 a vertex adds what the score grows by with the count of its label, from below. */
static void test_minima_of_labels(void **state)
{
    (void)state;
    const double step = 1e-6;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = kinds(ctx, GRAPHS, 2, false);
    for (int tanimoto = 0; tanimoto < 2; tanimoto++) {
        leman_kernel kernel = kernel_of(LEMAN_ALGORITHM_LOCAL, 1, true);
        leman_fit_options options = quick(LEMAN_SVM_AUTO);
        double vertex[MOST], count[2], grown[2];
        options.max_rounds = 0;
        if (tanimoto) kernel.normalization = LEMAN_NORMALIZATION_TANIMOTO;
        leman_model *model = fit(ctx, data, &kernel, 1, &options);
        for (size_t g = 0; g < GRAPHS; g++) {
            const leman_graph graph = leman_dataset_graph(data, g);
            const double score = total(ctx, model, data, g, 0, vertex);
            count_labels(data, g, count);
            const double whole = score_of_counts(model, data, count);
            double effects = 0;
            assert_true(fabs(whole + bias_of(model, 0) - score) < 1e-9);
            for (int l = 0; l < 2; l++) {
                count[l] -= step;
                grown[l] = (whole - score_of_counts(model, data, count)) / step;
                count[l] += step;
                effects += count[l] * grown[l];
            }
            const double surplus = (score - mean_of(model, 0) - effects) / (double)graph.vertices;
            for (size_t v = 0; v < graph.vertices; v++)
                assert_true(fabs(vertex[v] - surplus - grown[graph.vertex_label[v]]) < 1e-4);
        }
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
    leman_kernel kernel = kernel_of(LEMAN_ALGORITHM_LOCAL, 1, false);
    kernel.kind = LEMAN_KERNEL_KIND_SHORTEST_PATH;
    leman_model *model = fit(ctx, data, &kernel, 1, &options);
    assert_int_equal(leman_model_attribute(ctx, model, data, 0, 0, LEMAN_ATTRIBUTION_METHOD_WEIGHTS, 0, &a),
                     LEMAN_ERROR_UNSUPPORTED);
    assert_non_null(strstr(leman_context_message(ctx), "SP"));
    leman_model_free(model);
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
        cmocka_unit_test(test_shares),
        cmocka_unit_test(test_equal_vertices),
        cmocka_unit_test(test_sums_of_minima),
        cmocka_unit_test(test_minima_of_labels),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
