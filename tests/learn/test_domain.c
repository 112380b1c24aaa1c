/* The domain of a model: similarities and the knot by their definitions, probabilities between Platt's and the shares of
 * the classes, intervals that cover, files, and allocations that fail. */
#include "learn/model_fixture.h"
#include <math.h>
#include <stdlib.h>

enum { NEAREST = 5, MANY = 400, MOST = 64, FOLDS = 3 };

/* Sum of minima over sum of maxima of the counts of 1-WL colours in rounds 0 to 2. */
static double similarity_of(leman_context *ctx, const leman_graph *a, const leman_graph *b, bool labels)
{
    leman_coloring coloring = leman_coloring_default();
    const leman_graph *g[2] = {a, b};
    double minima = 0, maxima = 0;
    coloring.algorithm = LEMAN_ALGORITHM_LOCAL;
    coloring.k = 1;
    coloring.rounds = 2;
    coloring.ignore_vertex_labels = !labels;
    for (uint32_t round = 0; round <= 2; round++) {
        uint64_t color[2][MOST];
        double shared = 0;
        bool used[MOST] = {false};
        for (int i = 0; i < 2; i++)
            assert_int_equal(leman_tuple_colors(ctx, g[i], &coloring, round, color[i]), LEMAN_OK);
        for (size_t u = 0; u < a->vertices; u++)
            for (size_t v = 0; v < b->vertices; v++) {
                if (used[v] || color[0][u] != color[1][v]) continue;
                used[v] = true;
                shared++;
                break;
            }
        minima += shared;
        maxima += (double)(a->vertices + b->vertices) - shared;
    }
    return maxima > 0 ? minima / maxima : 0;
}

static int decreasing(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? 1 : x > y ? -1 : 0;
}

/* The mean of the largest similarities of a graph to graphs of another data set whose fold is not `fold`. */
static double nearest(leman_context *ctx, const leman_graph *g, const leman_dataset *data, const size_t *folds,
                      size_t fold, bool labels)
{
    double all[GRAPHS], mean = 0;
    size_t count = 0;
    for (size_t i = 0; i < GRAPHS; i++) {
        const leman_graph other = leman_dataset_graph(data, i);
        if (!folds || folds[i] != fold) all[count++] = similarity_of(ctx, g, &other, labels);
    }
    qsort(all, count, sizeof *all, decreasing);
    for (size_t i = 0; i < NEAREST; i++) mean += all[i] / NEAREST;
    return mean;
}

/* The 30 % quantile of the similarities of the training graphs to those of other folds. */
static double knot_of(leman_context *ctx, const leman_dataset *data, bool labels)
{
    leman_splits *splits = NULL;
    double value[GRAPHS];
    size_t fold[GRAPHS];
    assert_int_equal(leman_splits_draw(ctx, data, 1, FOLDS, true, &splits), LEMAN_OK);
    for (size_t i = 0; i < FOLDS; i++)
        for (uint64_t j = splits->start[2 * i]; j < splits->start[2 * i + 1]; j++) fold[splits->graph[j]] = i;
    leman_splits_free(splits);
    for (size_t g = 0; g < GRAPHS; g++) {
        const leman_graph graph = leman_dataset_graph(data, g);
        value[g] = nearest(ctx, &graph, data, fold, fold[g], labels);
    }
    qsort(value, GRAPHS, sizeof *value, decreasing);
    const double at = 0.7 * (GRAPHS - 1);
    const size_t low = (size_t)at;
    return value[low] + (at - (double)low) * (value[low + 1] - value[low]);
}

static void test_definition(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(2);
    leman_dataset *data = kinds(ctx, GRAPHS, 3, false), *other = kinds(ctx, GRAPHS, 4, false);
    for (int turn = 0; turn < 4; turn++) { /* pairs, a kernel SVM, an assignment kernel, no labels */
        leman_kernel kernel = kernel_of(LEMAN_ALGORITHM_LOCAL, turn == 0 ? 2 : 1, turn == 2);
        const leman_fit_options options = quick(turn == 1 ? LEMAN_SVM_KERNEL : LEMAN_SVM_AUTO);
        double similarity[GRAPHS], domain[GRAPHS], platt[GRAPHS * 4];
        kernel.coloring.ignore_vertex_labels = turn == 3;
        leman_model *model = fit(ctx, data, &kernel, 1, &options);
        const double knot = knot_of(ctx, data, turn != 3);
        assert_true(fabs(model->domain.knot - knot) < 1e-12);
        assert_int_equal(leman_model_domain(ctx, model, other, similarity, domain), LEMAN_OK);
        const predictions p = predict(ctx, model, other);
        double *base = model->domain.base;
        model->domain.base = NULL; /* leaves Platt's probabilities */
        assert_int_equal(leman_model_predict(ctx, model, other, NULL, NULL, platt, NULL), LEMAN_OK);
        model->domain.base = base;
        for (size_t g = 0; g < GRAPHS; g++) {
            const leman_graph graph = leman_dataset_graph(other, g);
            assert_true(fabs(similarity[g] - nearest(ctx, &graph, data, NULL, 0, turn != 3)) < 1e-12);
            assert_true(fabs(domain[g] - fmin(1, similarity[g] / knot)) < 1e-12);
            for (size_t c = 3 * g; c < 3 * g + 3; c++)
                assert_true(fabs(p.probability[c] - (1 / 3. + domain[g] * (platt[c] - 1 / 3.))) < 1e-12);
        }
        leman_model_free(model);
    }
    leman_dataset_free(other);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* The deviation of predictions from the targets of the five nearest training graphs, of equal ones the first. */
static void test_deviation(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(2);
    leman_dataset *data = kinds(ctx, GRAPHS, 3, false), *other = kinds(ctx, GRAPHS, 4, false);
    const leman_kernel kernel = kernel_of(LEMAN_ALGORITHM_LOCAL, 1, false);
    leman_fit_options options = quick(LEMAN_SVM_AUTO);
    double value[GRAPHS], similarity[GRAPHS], deviation[GRAPHS];
    options.target = 0;
    leman_model *model = fit(ctx, data, &kernel, 1, &options);
    for (size_t g = 0; g < GRAPHS; g++) value[g] = 0.3 * (double)g;
    assert_int_equal(lm_domain_similarities(ctx, model, other, value, similarity, deviation), LEMAN_OK);
    for (size_t g = 0; g < GRAPHS; g++) {
        const leman_graph graph = leman_dataset_graph(other, g);
        bool used[GRAPHS] = {false};
        double sum = 0, weights = 0;
        for (int turn = 0; turn < NEAREST; turn++) {
            size_t at = GRAPHS;
            double best = -1;
            for (size_t i = 0; i < GRAPHS; i++) {
                const leman_graph known = leman_dataset_graph(data, i);
                const double s = used[i] ? -1 : similarity_of(ctx, &graph, &known, true);
                if (s > best) best = s, at = i;
            }
            assert_true(at < GRAPHS);
            used[at] = true;
            sum += (best * best + 1e-9) * fabs(leman_dataset_targets(data)[at] - value[g]);
            weights += best * best + 1e-9;
        }
        assert_true(fabs(deviation[g] - sum / weights) < 1e-9);
    }
    leman_model_free(model);
    leman_dataset_free(other);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* Paths of one label. */
static leman_dataset *strangers(leman_context *ctx)
{
    leman_columns columns = {.vertex_labels = 1};
    leman_builder *b = NULL;
    leman_dataset *data = NULL;
    assert_int_equal(leman_builder_new(ctx, "strangers", &columns, &b), LEMAN_OK);
    for (size_t g = 0; g < GRAPHS; g++) {
        leman_builder_graph(b, NULL, NULL, NULL);
        for (size_t v = 0; v < 4 + g; v++) leman_builder_vertex(b, NULL, (int64_t[]){77}, NULL);
        for (size_t v = 1; v < 4 + g; v++) leman_builder_edge(b, v - 1, v, NULL, NULL);
    }
    assert_int_equal(leman_builder_finish(b, NULL, NULL, &data), LEMAN_OK);
    leman_builder_free(b);
    return data;
}

/* A graph without a known colour gets the shares of the classes, however large its decision value. */
static void test_strangers(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = kinds(ctx, GRAPHS, 4, false), *strange = strangers(ctx);
    const leman_kernel kernel = kernel_of(LEMAN_ALGORITHM_LOCAL, 1, false);
    const leman_fit_options options = quick(LEMAN_SVM_AUTO);
    double similarity[GRAPHS], domain[GRAPHS];
    leman_model *model = fit(ctx, data, &kernel, 1, &options);
    const predictions p = predict(ctx, model, strange);
    assert_int_equal(leman_model_domain(ctx, model, strange, similarity, domain), LEMAN_OK);
    for (size_t g = 0; g < GRAPHS; g++) {
        assert_true(similarity[g] <= 0 && domain[g] <= 0 && p.out_of_vocabulary[g] >= 1);
        for (size_t c = 0; c < 4; c++) assert_true(fabs(p.probability[4 * g + c] - 0.25) < 1e-12);
    }
    leman_model_free(model);
    leman_dataset_free(strange);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* Random trees of 5 to 24 vertices with two labels. The target is the number of leaves, with noise that grows with the
 * size. */
static leman_dataset *trees(leman_context *ctx, uint64_t seed)
{
    leman_columns columns = {.vertex_labels = 1, .targets = 1};
    leman_builder *b = NULL;
    leman_dataset *data = NULL;
    assert_int_equal(leman_builder_new(ctx, "trees", &columns, &b), LEMAN_OK);
    for (size_t g = 0; g < MANY; g++) {
        const size_t n = 5 + test_random(&seed) % 20;
        size_t parent[MOST], leaves = n;
        bool inner[MOST] = {false};
        for (size_t v = 1; v < n; v++) {
            parent[v] = test_random(&seed) % v;
            leaves -= !inner[parent[v]];
            inner[parent[v]] = true;
        }
        const double noise = (double)(test_random(&seed) % 2001) / 1000 - 1;
        leman_builder_graph(b, NULL, NULL, (double[]){(double)leaves + 0.1 * (double)n * noise});
        for (size_t v = 0; v < n; v++)
            leman_builder_vertex(b, NULL, (int64_t[]){(int64_t)(test_random(&seed) % 2)}, NULL);
        for (size_t v = 1; v < n; v++) leman_builder_edge(b, parent[v], v, NULL, NULL);
    }
    assert_int_equal(leman_builder_finish(b, NULL, NULL, &data), LEMAN_OK);
    leman_builder_free(b);
    return data;
}

/* Intervals have the targets of other graphs as often as they promise, within four standard deviations of the share. */
static void test_coverage(void **state)
{
    (void)state;
    static const double COVERAGE[] = {0.5, 0.8, 0.9, 0.95};
    leman_context *ctx = test_context_new(2);
    leman_dataset *data = trees(ctx, 1), *other = trees(ctx, 2);
    const leman_kernel kernel = kernel_of(LEMAN_ALGORITHM_LOCAL, 1, false);
    leman_fit_options options = quick(LEMAN_SVM_AUTO);
    options.target = 0;
    leman_model *model = fit(ctx, data, &kernel, 1, &options);
    double before = 0;
    for (size_t c = 0; c < sizeof COVERAGE / sizeof *COVERAGE; c++) {
        double low[MANY], high[MANY], score[MANY], width = 0;
        size_t inside = 0;
        assert_int_equal(leman_model_intervals(ctx, model, other, COVERAGE[c], low, high), LEMAN_OK);
        assert_int_equal(leman_model_predict(ctx, model, other, NULL, score, NULL, NULL), LEMAN_OK);
        for (size_t g = 0; g < MANY; g++) {
            const double target = leman_dataset_targets(other)[g];
            inside += low[g] <= target && target <= high[g];
            width += (high[g] - low[g]) / MANY;
            assert_true(fabs(low[g] + high[g] - 2 * score[g]) < 1e-9);
        }
        const double share = (double)inside / MANY, deviation = sqrt(COVERAGE[c] * (1 - COVERAGE[c]) / MANY);
        assert_true(fabs(share - COVERAGE[c]) < 4 * sqrt(2.) * deviation); /* both sets are samples */
        assert_true(width > before);
        before = width;
    }
    leman_model_free(model);
    leman_dataset_free(other);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* A model that was written and read has the same domain and the same intervals. */
static void test_file(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new(), *path = test_path(folder, "m");
    leman_dataset *data = trees(ctx, 3);
    const leman_kernel kernel = kernel_of(LEMAN_ALGORITHM_LOCAL, 1, false);
    leman_fit_options options = quick(LEMAN_SVM_AUTO);
    options.target = 0;
    leman_model *model[2] = {fit(ctx, data, &kernel, 1, &options), NULL};
    double found[2][4][MANY];
    assert_int_equal(leman_model_write(ctx, model[0], path), LEMAN_OK);
    assert_int_equal(leman_model_read(ctx, path, &model[1]), LEMAN_OK);
    memset(found, 0, sizeof found);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(leman_model_domain(ctx, model[i], data, found[i][0], found[i][1]), LEMAN_OK);
        assert_int_equal(leman_model_intervals(ctx, model[i], data, 0.7, found[i][2], found[i][3]), LEMAN_OK);
        leman_model_free(model[i]);
    }
    assert_memory_equal(found[0], found[1], sizeof found[0]);
    leman_dataset_free(data);
    test_folder_remove(folder);
    test_context_free(ctx);
}

typedef struct asked {
    const leman_model *model;
    const leman_dataset *data;
} asked;

static leman_status ask(leman_context *ctx, void *state)
{
    const asked *a = state;
    double low[MANY], high[MANY];
    leman_status st = leman_model_domain(ctx, a->model, a->data, low, NULL);
    if (!st) st = leman_model_intervals(ctx, a->model, a->data, 0.9, low, high);
    return st;
}

static void test_allocations(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = trees(ctx, 4);
    const leman_kernel kernel = kernel_of(LEMAN_ALGORITHM_LOCAL, 1, true);
    leman_fit_options options = quick(LEMAN_SVM_AUTO);
    options.target = 0;
    leman_model *model = fit(ctx, data, &kernel, 1, &options);
    asked a = {model, data};
    assert_true(test_fail_each_allocation(ask, &a) > 5);
    leman_model_free(model);
    leman_dataset_free(data);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_definition), cmocka_unit_test(test_deviation), cmocka_unit_test(test_strangers),
        cmocka_unit_test(test_coverage),   cmocka_unit_test(test_file),      cmocka_unit_test(test_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
