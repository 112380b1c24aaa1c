/* Data sets to train on. */
#include "support/training_data.h"
#include <math.h>

static void edge(leman_builder *builder, size_t a, size_t b)
{
    assert_int_equal(leman_builder_edge(builder, a, b, NULL, NULL), LEMAN_OK);
}

static void draw(leman_builder *builder, unsigned family, size_t n)
{
    for (size_t v = 0; v < n; v++) assert_int_equal(leman_builder_vertex(builder, NULL, NULL, NULL), LEMAN_OK);
    for (size_t v = 1; v < n; v++) {
        if (family == 0) edge(builder, 0, v);
        if (family == 1 || family == 2) edge(builder, v - 1, v);
        for (size_t u = 0; family == 3 && u < v; u++) edge(builder, u, v);
    }
    if (family == 1) edge(builder, n - 1, 0);
    if (family == 2) edge(builder, 0, 2);
}

leman_dataset *test_families(leman_context *ctx, size_t graphs, unsigned classes, int64_t (*label_of)(size_t graph))
{
    leman_columns columns = {.classes = true, .targets = 1};
    leman_builder *builder = NULL;
    leman_dataset *data = NULL;
    assert_int_equal(leman_builder_new(ctx, "families", &columns, &builder), LEMAN_OK);
    for (size_t i = 0; i < graphs; i++) {
        size_t n = 5 + i / classes % 5;
        int64_t label = label_of ? label_of(i) : 10 + 10 * (int64_t)(i % classes);
        double target = (double)n;
        assert_int_equal(leman_builder_graph(builder, NULL, &label, &target), LEMAN_OK);
        draw(builder, (unsigned)(i % classes), n);
    }
    assert_int_equal(leman_builder_finish(builder, NULL, NULL, &data), LEMAN_OK);
    leman_builder_free(builder);
    return data;
}

static bool same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

void test_same_results(const leman_evaluation *a, const leman_evaluation *b)
{
    size_t folds = a->splits->repetitions * a->splits->folds;
    assert_int_equal(folds, b->splits->repetitions * b->splits->folds);
    assert_true(a->splits_checksum == b->splits_checksum);
    for (size_t i = 0; i < folds; i++) {
        const leman_fold *x = a->fold + i, *y = b->fold + i;
        assert_true(x->rounds == y->rounds && same(x->C, y->C) && same(x->validation, y->validation));
        assert_true(same(x->test, y->test) && same(x->train, y->train) && same(x->balanced, y->balanced));
        assert_true(same(x->auc, y->auc) && same(x->rmse, y->rmse) && same(x->r2, y->r2));
    }
    assert_memory_equal(a->trial, b->trial, folds * a->rounds * sizeof *a->trial);
    for (uint64_t i = 0; i < a->splits->start[2 * folds]; i++) assert_true(same(a->predicted[i], b->predicted[i]));
    assert_true(a->test_mean == b->test_mean && same(a->test_std, b->test_std) && same(a->auc_mean, b->auc_mean));
}
