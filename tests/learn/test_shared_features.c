/* Fits of several tasks share the features of all graphs: rows that are selected from them are those that the graphs
 * alone give, bit for bit, and so are the models. */
#include "base/context.h"
#include "learn/model/fit.h"
#include "learn/model_fixture.h"
#include <math.h>
#include <stdio.h>

enum { TASKS = 3, ROUNDS = 2 };

/* Random graphs of labelled vertices with three columns: of dense graphs 1; the same, missing of some; noise, missing
 * of others. */
static leman_dataset *with_tasks(leman_context *ctx)
{
    const leman_columns columns = {.vertex_labels = 1, .targets = TASKS};
    leman_builder *b = NULL;
    leman_dataset *data = NULL;
    uint64_t state = 5;
    assert_int_equal(leman_builder_new(ctx, "tasks", &columns, &b), LEMAN_OK);
    for (size_t g = 0; g < GRAPHS; g++) {
        const double dense = (double)(g % 2), noise = g * 7 % 11 < 4;
        const size_t n = 3 + test_random(&state) % 5;
        double target[TASKS] = {dense, g % 5 == 2 ? NAN : dense, g < 4 ? NAN : noise};
        assert_int_equal(leman_builder_graph(b, NULL, NULL, target), LEMAN_OK);
        for (size_t v = 0; v < n; v++)
            leman_builder_vertex(b, NULL, (int64_t[]){(int64_t)(test_random(&state) % 3)}, NULL);
        for (size_t v = 1; v < n; v++)
            for (size_t u = 0; u < v; u++)
                if (u + 1 == v || test_random(&state) % 8 < 2 * (g % 2)) leman_builder_edge(b, u, v, NULL, NULL);
    }
    assert_int_equal(leman_builder_finish(b, NULL, NULL, &data), LEMAN_OK);
    leman_builder_free(b);
    return data;
}

static void assert_same_features(const lm_round_features *a, const lm_round_features *b)
{
    const leman_features *f = &a->features, *g = &b->features;
    assert_true(f->rows == g->rows && f->columns == g->columns && f->entries == g->entries && a->rounds == b->rounds);
    assert_memory_equal(f->start, g->start, (f->rows + 1) * sizeof *f->start);
    assert_memory_equal(f->column, g->column, f->entries * sizeof *f->column);
    assert_memory_equal(f->value, g->value, f->entries * sizeof *f->value);
    for (size_t c = 0; c < f->columns; c++)
        assert_true(f->feature[c].kernel == g->feature[c].kernel && f->feature[c].round == g->feature[c].round &&
                    f->feature[c].key == g->feature[c].key);
    assert_memory_equal(a->first, b->first, f->columns * sizeof *a->first);
    assert_memory_equal(a->order, b->order, f->columns * sizeof *a->order);
    assert_memory_equal(a->begins, b->begins, f->columns * sizeof *a->begins);
}

static void rows_are_those_of_the_graphs_alone(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(2);
    leman_dataset *data = with_tasks(ctx);
    for (uint64_t turn = 0; turn < 12; turn++) {
        leman_kernel kernels[2] = {
            kernel_of(turn % 2 ? LEMAN_ALGORITHM_LOCAL_PLUS : LEMAN_ALGORITHM_LOCAL, turn % 3 == 2 ? 2 : 1, false),
            kernel_of(LEMAN_ALGORITHM_WL, 1, false)};
        uint64_t state = turn;
        size_t row[GRAPHS], count = 0;
        lm_round_features all = {0}, selected = {0}, alone = {0};
        leman_dataset *some = NULL;
        for (size_t g = 0; g < GRAPHS; g++)
            if (test_random(&state) % 3 <= turn % 3) row[count++] = g;
        kernels[1].weight = 0.3;
        assert_int_equal(leman_dataset_select(ctx, data, count, row, &some), LEMAN_OK);
        assert_int_equal(lm_round_features_compute(ctx, data, kernels, 2, ROUNDS, &all), LEMAN_OK);
        assert_int_equal(lm_round_features_compute(ctx, some, kernels, 2, ROUNDS, &alone), LEMAN_OK);
        assert_int_equal(lm_round_features_select(ctx, &all, row, count, &selected), LEMAN_OK);
        assert_same_features(&selected, &alone);
        lm_round_features_free(&selected);
        assert_int_equal(lm_round_features_select(ctx, &all, NULL, GRAPHS, &selected), LEMAN_OK);
        assert_same_features(&selected, &all);
        lm_round_features_free(&selected), lm_round_features_free(&alone), lm_round_features_free(&all);
        leman_dataset_free(some);
    }
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* The file of a model. */
static char *written(leman_context *ctx, const leman_model *model, const char *folder, size_t *size)
{
    const char *path = test_path(folder, "m.model");
    assert_int_equal(leman_model_write(ctx, model, path), LEMAN_OK);
    FILE *file = fopen(path, "rb");
    char *bytes = malloc(1 << 20);
    assert_true(file && bytes);
    *size = fread(bytes, 1, 1 << 20, file);
    fclose(file);
    return bytes;
}

static void assert_same_models(leman_context *ctx, const leman_model *a, const leman_model *b)
{
    const char *folder = test_folder_new();
    size_t size[2];
    char *first = written(ctx, a, folder, size), *second = written(ctx, b, folder, size + 1);
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(first, second, size[0]);
    free(first), free(second);
    test_folder_remove(folder);
}

/* The model of one column alone. */
static leman_model *alone(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernel,
                          const leman_fit_options *given, size_t column, lm_shared_features *shared)
{
    leman_fit_options options = *given;
    leman_dataset *labelled = NULL;
    leman_model *model = NULL;
    options.target_name = (const char *[TASKS]){"0", "1", "2"}[column];
    assert_int_equal(leman_dataset_use_class(ctx, data, column, &labelled), LEMAN_OK);
    if (lm_model_fit(ctx, labelled, kernel, 1, &options, shared, &model)) fail_msg("%s", leman_context_message(ctx));
    leman_dataset_free(labelled);
    return model;
}

static void models_are_those_of_the_columns_alone(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(2);
    leman_dataset *data = with_tasks(ctx);
    for (int turn = 0; turn < 5; turn++) {
        leman_kernel kernel =
            kernel_of(turn == 1 ? LEMAN_ALGORITHM_LOCAL_PLUS : LEMAN_ALGORITHM_LOCAL, turn < 2 ? 2 : 1, turn == 3);
        leman_fit_options options = quick(turn == 4 ? LEMAN_SVM_KERNEL : LEMAN_SVM_AUTO);
        leman_model *together[TASKS] = {0};
        const size_t columns[TASKS] = {1, 0, 2};
        options.apex = turn == 2;
        if (leman_model_fit_tasks(ctx, data, &kernel, 1, &options, columns, TASKS, together))
            fail_msg("%s", leman_context_message(ctx));
        for (size_t t = 0; t < TASKS; t++) {
            leman_model *model = alone(ctx, data, &kernel, &options, columns[t], NULL);
            assert_same_models(ctx, model, together[t]);
            leman_model_free(model), leman_model_free(together[t]);
        }
    }
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* Tasks may be targets, each with bounds of its own. */
static void models_of_targets_are_those_alone(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(2);
    leman_dataset *data = with_tasks(ctx);
    const size_t columns[TASKS] = {2, 0, 1}, graphs = leman_dataset_shape(data)->graphs;
    int8_t *bound = calloc(TASKS * graphs, sizeof *bound);
    for (size_t i = 0; i < TASKS * graphs; i++) bound[i] = i % 7 == 3 ? 1 : i % 11 == 2 ? -1 : 0;
    for (int turn = 0; turn < 3; turn++) {
        leman_kernel kernel = kernel_of(LEMAN_ALGORITHM_LOCAL, 1, false);
        leman_fit_options options = quick(turn == 2 ? LEMAN_SVM_KERNEL : LEMAN_SVM_AUTO);
        leman_model *together[TASKS] = {0};
        options.regression = true;
        if (turn) options.censoring = bound;
        if (leman_model_fit_tasks(ctx, data, &kernel, 1, &options, columns, TASKS, together))
            fail_msg("%s", leman_context_message(ctx));
        for (size_t t = 0; t < TASKS; t++) {
            leman_model *model = NULL;
            options.target = columns[t];
            options.target_name = (const char *[TASKS]){"0", "1", "2"}[columns[t]];
            if (turn) options.censoring = bound + t * graphs;
            if (leman_model_fit(ctx, data, &kernel, 1, &options, &model)) fail_msg("%s", leman_context_message(ctx));
            assert_true(leman_model_describe(together[t])->regression);
            assert_same_models(ctx, model, together[t]);
            leman_model_free(model), leman_model_free(together[t]);
        }
    }
    free(bound);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* Features are computed by the first fit and used by the next; where they take too much, every fit has its own. */
static void features_are_computed_once(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = with_tasks(ctx);
    leman_kernel kernel = kernel_of(LEMAN_ALGORITHM_LOCAL, 1, false);
    leman_fit_options options = quick(LEMAN_SVM_AUTO);
    lm_shared_features shared = {0};
    leman_model *first = alone(ctx, data, &kernel, &options, 1, &shared);
    assert_true(shared.made && !shared.refused);
    assert_int_equal(shared.all.features.rows, GRAPHS);
    assert_true(lm_round_features_bytes(&shared.all) >= shared.all.features.entries * 12);
    lm_round_features_free(&shared.all); /* what is used now are the features of a constant */
    leman_kernel none = kernel;
    none.coloring.ignore_vertex_labels = true;
    assert_int_equal(lm_round_features_compute(ctx, data, &none, 1, 0, &shared.all), LEMAN_OK);
    options.max_rounds = 0;
    leman_model *model = alone(ctx, data, &kernel, &options, 0, &shared), *other;
    other = alone(ctx, data, &kernel, &options, 0, NULL);
    assert_true(leman_model_describe(model)->features <= 1 && leman_model_describe(other)->features > 1);
    leman_model_free(model), leman_model_free(other);
    lm_shared_features_free(&shared);
    options.max_rounds = 2;
    shared.refused = true;
    other = alone(ctx, data, &kernel, &options, 1, &shared);
    assert_true(shared.refused && !shared.made);
    assert_same_models(ctx, first, other);
    leman_model_free(first), leman_model_free(other);
    lm_shared_features_free(&shared);
    leman_dataset_free(data);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_those_of_the_graphs_alone),
        cmocka_unit_test(models_are_those_of_the_columns_alone),
        cmocka_unit_test(models_of_targets_are_those_alone),
        cmocka_unit_test(features_are_computed_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
