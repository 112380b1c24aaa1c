/* Rows of every round: their products are the normalised Gram matrix of that many rounds, whatever was merged. */
#include "support/random_graphs.h"
#include "support/rounds.h"
#include "support/support.h"

#include "kernel/features/features.h"
#include "support/linear_fit.h"
#include "svm/round_features.h"
#include <math.h>

enum { GRAPHS = 9, MAX_VERTICES = 6, ROUNDS = 3 };

static leman_dataset *any_set(leman_context *ctx, uint64_t *state)
{
    static random_graph graph[GRAPHS];
    random_graph_kind kind = random_graph_kind_draw(state);
    random_graph_draw_family(state, &kind, MAX_VERTICES, test_random(state) % 2, GRAPHS, graph);
    graph[GRAPHS / 2].n = 0; /* a graph without vertices is a row with the bias alone */
    return random_graph_dataset(ctx, &kind, graph, GRAPHS);
}

/* Without the bias. Values are floats, lengths are 1. */
static double product(const lm_rows *rows, size_t i, size_t j)
{
    double sum = 0;
    size_t a = rows->start[i], b = rows->start[j];
    while (a < rows->start[i + 1] && b < rows->start[j + 1]) {
        uint32_t left = rows->node[a].column, right = rows->node[b].column;
        if (left == right) sum += (double)rows->node[a].value * rows->node[b].value;
        a += left <= right;
        b += right <= left;
    }
    return sum;
}

static void assert_rows(const lm_rows *rows)
{
    size_t *support = calloc(rows->columns + 1, sizeof *support);
    for (size_t i = 0; i < rows->rows; i++) {
        for (size_t e = rows->start[i]; e < rows->start[i + 1]; e++) {
            assert_true(rows->node[e].column < rows->columns);
            assert_true(e == rows->start[i] || rows->node[e].column > rows->node[e - 1].column);
            assert_true(rows->node[e].value > 0);
            support[rows->node[e].column]++;
        }
    }
    for (size_t c = 0; c < rows->columns; c++) assert_true(support[c] && (!c || support[c] <= support[c - 1]));
    free(support);
}

static void assert_rows_of_round(leman_context *ctx, const leman_dataset *data, const lm_round_features *all,
                                 const leman_kernel *kernels, size_t count, uint32_t h)
{
    lm_rows rows;
    leman_kernel of_h[2];
    double gram[GRAPHS][GRAPHS];
    for (size_t i = 0; i < count; i++) {
        of_h[i] = kernels[i];
        of_h[i].coloring.rounds = h;
    }
    if (lm_rows_make(ctx, all, h, &rows)) fail_msg("%s", leman_context_message(ctx));
    if (leman_gram_compute(ctx, data, NULL, of_h, count, true, gram[0])) fail_msg("%s", leman_context_message(ctx));
    assert_int_equal(rows.rows, GRAPHS);
    assert_rows(&rows);
    for (size_t i = 0; i < GRAPHS; i++)
        for (size_t j = 0; j < GRAPHS; j++) assert_true(fabs(product(&rows, i, j) - gram[i][j]) < 1e-6);
    lm_rows_free(&rows);
}

static void products_are_the_kernel(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(2);
    uint64_t state = 41;
    for (size_t test = 0; test < test_cases(60); test++) {
        leman_dataset *data = any_set(ctx, &state);
        leman_kernel kernels[2] = {leman_kernel_default(), leman_kernel_default()};
        size_t count = 1 + test % 2;
        leman_coloring first = test_variant((unsigned)(test % TEST_VARIANTS), 1 + (unsigned)(test / 6 % 3), 5);
        leman_coloring second = test_variant((unsigned)(test_random(&state) % TEST_VARIANTS), 1, 1);
        kernels[0].coloring = first;
        kernels[1].coloring = second;
        if (test % 3 == 0) kernels[1].kind = LEMAN_KERNEL_KIND_SHORTEST_PATH;
        kernels[1].weight = 0.3;
        lm_round_features all;
        if (lm_round_features_compute(ctx, data, kernels, count, ROUNDS, &all))
            fail_msg("%s", leman_context_message(ctx));
        assert_int_equal(all.rounds, ROUNDS);
        for (uint32_t h = 0; h <= ROUNDS; h++) assert_rows_of_round(ctx, data, &all, kernels, count, h);
        lm_round_features_free(&all);
        leman_dataset_free(data);
    }
    test_context_free(ctx);
}

static double cell(const leman_features *f, size_t row, size_t column)
{
    for (uint64_t e = f->start[row]; e < f->start[row + 1]; e++)
        if (f->column[e] == column) return f->value[e];
    return 0;
}

/* place and share rotate the space of a run with h rounds into that of the rows: what the columns of one place add up
 * to, by their shares, is the value of the node. */
static void assert_rotation(const lm_round_features *all, const lm_rows *rows, const leman_features *small, uint32_t h)
{
    double(*dense)[GRAPHS] = calloc(rows->columns + 1, sizeof *dense);
    size_t colors = 0;
    for (size_t c = 0; c < all->features.columns; c++) {
        leman_feature feature;
        bool has = lm_round_features_has(all, c, h, &feature);
        assert_int_equal(has, rows->place[c] != 0);
        if (!has) continue;
        size_t same = 0;
        while (same < small->columns && memcmp(&feature, small->feature + same, sizeof feature)) same++;
        assert_true(same < small->columns);
        uint32_t orbit = LM_MULTIPLICITY[all->features.feature[c].round % LM_TRIPLE_LISTS];
        colors += orbit;
        for (size_t i = 0; i < GRAPHS; i++)
            dense[rows->place[c] - 1][i] += rows->share[c] * sqrt(orbit) * cell(small, i, same);
    }
    assert_int_equal(colors, small->columns);
    for (size_t i = 0; i < GRAPHS; i++) {
        size_t e = rows->start[i];
        for (size_t column = 0; column < rows->columns; column++) {
            bool has = e < rows->start[i + 1] && rows->node[e].column == column;
            assert_true(fabs(dense[column][i] - (has ? rows->node[e++].value : 0)) < 1e-7);
        }
    }
    free(dense);
}

static void columns_are_those_of_a_smaller_run(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    uint64_t state = 43;
    for (size_t test = 0; test < test_cases(40); test++) {
        leman_dataset *data = any_set(ctx, &state);
        leman_kernel kernel = leman_kernel_default();
        lm_round_features all;
        leman_coloring coloring = test_variant((unsigned)(test % TEST_VARIANTS), 1 + (unsigned)(test % 5 % 3), ROUNDS);
        kernel.coloring = coloring;
        if (lm_round_features_compute(ctx, data, &kernel, 1, ROUNDS, &all)) fail_msg("%s", leman_context_message(ctx));
        for (uint32_t h = 0; h <= ROUNDS; h++) {
            leman_features *small;
            lm_rows rows;
            leman_feature_options normal = leman_feature_options_default();
            normal.normalize = true;
            kernel.coloring.rounds = h;
            assert_int_equal(leman_features_compute(ctx, data, &kernel, 1, &normal, &small), LEMAN_OK);
            assert_int_equal(lm_rows_make(ctx, &all, h, &rows), LEMAN_OK);
            assert_rotation(&all, &rows, small, h);
            lm_rows_free(&rows);
            leman_features_free(small);
        }
        lm_round_features_free(&all);
        leman_dataset_free(data);
    }
    test_context_free(ctx);
}

/* No two columns of the rows are multiples of each other. */
static void everything_that_can_be_merged_is(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    uint64_t state = 47;
    for (size_t test = 0; test < test_cases(20); test++) {
        leman_dataset *data = any_set(ctx, &state);
        leman_kernel kernel = leman_kernel_default();
        lm_round_features all;
        lm_rows rows;
        assert_int_equal(lm_round_features_compute(ctx, data, &kernel, 1, ROUNDS, &all), LEMAN_OK);
        assert_int_equal(lm_rows_make(ctx, &all, ROUNDS, &rows), LEMAN_OK);
        double(*dense)[GRAPHS] = calloc(rows.columns + 1, sizeof *dense);
        for (size_t i = 0; i < GRAPHS; i++)
            for (size_t e = rows.start[i]; e < rows.start[i + 1]; e++)
                dense[rows.node[e].column][i] = rows.node[e].value;
        for (size_t a = 0; a < rows.columns; a++)
            for (size_t b = 0; b < a; b++) {
                double aa = 0, ab = 0, bb = 0;
                for (size_t i = 0; i < GRAPHS; i++) {
                    aa += dense[a][i] * dense[a][i];
                    ab += dense[a][i] * dense[b][i];
                    bb += dense[b][i] * dense[b][i];
                }
                assert_true(ab * ab < aa * bb * (1 - 1e-9));
            }
        free(dense);
        lm_rows_free(&rows);
        lm_round_features_free(&all);
        leman_dataset_free(data);
    }
    test_context_free(ctx);
}

static leman_status compute_rows(leman_context *ctx, void *state)
{
    leman_status st;
    lm_round_features all = {0};
    lm_rows rows = {0};
    leman_kernel kernel = leman_kernel_default();
    leman_family_options options = leman_family_options_default();
    leman_dataset *data = NULL;
    (void)state;
    options.graphs = 4;
    kernel.coloring.algorithm = LEMAN_ALGORITHM_LOCAL_PLUS;
    st = leman_dataset_generate(ctx, LEMAN_FAMILY_MOLECULES, &options, &data);
    if (!st) st = lm_round_features_compute(ctx, data, &kernel, 1, 2, &all);
    if (!st) st = lm_rows_make(ctx, &all, 2, &rows);
    lm_rows_free(&rows);
    lm_round_features_free(&all);
    leman_dataset_free(data);
    return st;
}

static void test_allocations(void **unused)
{
    (void)unused;
    assert_true(test_fail_each_allocation(compute_rows, NULL) > 10);
}

static void minima_have_no_rows(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    uint64_t state = 5;
    leman_dataset *data = any_set(ctx, &state);
    leman_kernel kernel = leman_kernel_default();
    lm_round_features all;
    kernel.assignment = true;
    assert_int_equal(lm_round_features_compute(ctx, data, &kernel, 1, 2, &all), LEMAN_ERROR_ARGUMENT);
    lm_round_features_free(&all);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* ---- Where memory is short ------------------------------------------------------------------- */

static void assert_same_features(const lm_round_features *a, const lm_round_features *b)
{
    const leman_features *f = &a->features, *g = &b->features;
    assert_int_equal(f->rows, g->rows);
    assert_int_equal(f->columns, g->columns);
    assert_int_equal(f->entries, g->entries);
    assert_memory_equal(f->start, g->start, (f->rows + 1) * sizeof *f->start);
    assert_memory_equal(f->column, g->column, f->entries * sizeof *f->column);
    assert_memory_equal(f->value, g->value, f->entries * sizeof *f->value);
    assert_memory_equal(f->feature, g->feature, f->columns * sizeof *f->feature);
    assert_memory_equal(a->first, b->first, f->columns * sizeof *a->first);
    assert_memory_equal(a->order, b->order, f->columns * sizeof *a->order);
}

static void assert_same_rows(const lm_rows *a, const lm_rows *b)
{
    assert_int_equal(a->columns, b->columns);
    assert_int_equal(a->shared, b->shared);
    assert_memory_equal(a->start, b->start, (a->rows + 1) * sizeof *a->start);
    assert_memory_equal(a->node, b->node, a->start[a->rows] * sizeof *a->node);
}

/* Features and rows in files, made at once or some graphs at a time, are those in memory; so is the SVM. */
static void test_little_memory(void **unused)
{
    (void)unused;
    enum { MANY = 3000 };
    leman_context *ctx = test_context_new(1), *little = NULL;
    leman_family_options options = leman_family_options_default();
    leman_dataset *data = NULL;
    leman_kernel kernel = leman_kernel_default();
    lm_round_features all, few;
    lm_rows rows, mapped;
    static uint32_t item[MANY], label[MANY];
    size_t features_mapped = 0, rows_mapped = 0;
    options.graphs = MANY;
    assert_int_equal(leman_dataset_generate(ctx, LEMAN_FAMILY_MOLECULES, &options, &data), LEMAN_OK);
    for (uint32_t i = 0; i < MANY; i++) {
        item[i] = i;
        label[i] = (uint32_t)leman_dataset_classes(data)[i];
    }
    assert_int_equal(lm_round_features_compute(ctx, data, &kernel, 1, 1, &all), LEMAN_OK);
    assert_int_equal(lm_rows_make(ctx, &all, 1, &rows), LEMAN_OK);
    assert_true(!all.mapped && !rows.mapped);
    lm_linear_task task = {.rows = &rows, .set = {item, label, .count = MANY, .classes = 2}};
    lm_linear_svm svm = {0}, same = {0};
    assert_int_equal(test_linear_svm_fit(ctx, &task, 1, &svm), LEMAN_OK);
    for (size_t mib = 16; mib > 2; mib -= mib > 8 ? 8 : 1) {
        leman_settings settings = leman_settings_default();
        settings.threads = 1;
        settings.memory = mib << 20;
        assert_int_equal(leman_context_new(&settings, &little), LEMAN_OK);
        leman_status st = lm_round_features_compute(little, data, &kernel, 1, 1, &few);
        assert_true(st == LEMAN_OK || st == LEMAN_ERROR_BUDGET);
        if (!st) {
            features_mapped += few.mapped != NULL;
            assert_same_features(&all, &few);
            st = lm_rows_make(little, &few, 1, &mapped);
            assert_true(st == LEMAN_OK || st == LEMAN_ERROR_BUDGET);
            if (!st) {
                rows_mapped += mapped.mapped != NULL;
                assert_same_rows(&rows, &mapped);
                task.rows = &mapped;
                st = test_linear_svm_fit(little, &task, 1, &same);
                if (!st) assert_memory_equal(svm.weight, same.weight, (rows.columns + 1) * sizeof *svm.weight);
                if (!st) test_linear_svm_free(&same);
            }
            lm_rows_free(&mapped);
        }
        lm_round_features_free(&few);
        leman_context_free(little);
    }
    assert_true(features_mapped > 2 && rows_mapped > 0);
    test_linear_svm_free(&svm);
    lm_rows_free(&rows);
    lm_round_features_free(&all);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* A few graphs at a time, with allocations that fail. */
static leman_status slices_body(leman_context *ctx, void *state)
{
    leman_kernel kernel = leman_kernel_default(), *normal = NULL;
    lm_round_features all = {0};
    const leman_feature_options options = leman_feature_options_default();
    kernel.coloring.rounds = 1;
    leman_status st = lm_features_prepare(ctx, &kernel, 1, &options, &normal);
    if (!st) st = lm_round_features_in_slices(ctx, state, normal, 1, 100, &all);
    lm_round_features_free(&all);
    return st;
}

static void test_allocations_of_slices(void **unused)
{
    (void)unused;
    uint64_t state = 77;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = any_set(ctx, &state);
    assert_true(test_fail_each_allocation(slices_body, data) > 20);
    leman_dataset_free(data);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_little_memory),
        cmocka_unit_test(test_allocations_of_slices),
        cmocka_unit_test(products_are_the_kernel),
        cmocka_unit_test(columns_are_those_of_a_smaller_run),
        cmocka_unit_test(everything_that_can_be_merged_is),
        cmocka_unit_test(test_allocations),
        cmocka_unit_test(minima_have_no_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
