/* Sparse features against histograms of single graphs, and against Gram matrices; columns that are used again. */
#include "support/random_graphs.h"
#include "support/rounds.h"
#include "support/support.h"

#include "base/hash.h"
#include <math.h>

enum { OPTIONS = sizeof(leman_feature_options) };

enum { GRAPHS = 8, MAX_VERTICES = 7, ROUNDS = 3 };

/* ---- What the tests share -------------------------------------------------------------------- */

static leman_dataset *random_set(leman_context *ctx, uint64_t *state, const random_graph_kind *kind, size_t graphs)
{
    static random_graph graph[16];
    random_graph_draw_family(state, kind, MAX_VERTICES, test_random(state) % 2, graphs, graph);
    graph[graphs / 2].n = 0; /* a graph without vertices is a row without entries */
    return random_graph_dataset(ctx, kind, graph, graphs);
}

static leman_dataset *any_set(leman_context *ctx, uint64_t *state, size_t graphs)
{
    random_graph_kind kind = random_graph_kind_draw(state);
    return random_set(ctx, state, &kind, graphs);
}

static leman_kernel kernel_of(leman_coloring coloring)
{
    leman_kernel kernel = leman_kernel_default();
    kernel.coloring = coloring;
    return kernel;
}

static leman_features *compute(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels, size_t count,
                               const leman_feature_options *options)
{
    leman_features *f = NULL;
    leman_status st = leman_features_compute(ctx, data, kernels, count, options, &f);
    if (st) fail_msg("%s", leman_context_message(ctx));
    return f;
}

static double cell(const leman_features *f, size_t row, size_t column)
{
    for (uint64_t e = f->start[row]; e < f->start[row + 1]; e++)
        if (f->column[e] == column) return f->value[e];
    return 0;
}

static double product(const leman_features *f, size_t a, size_t b)
{
    double sum = 0;
    for (uint64_t e = f->start[a]; e < f->start[a + 1]; e++) sum += f->value[e] * cell(f, b, f->column[e]);
    return sum;
}

static bool same_feature(leman_feature a, leman_feature b)
{
    return a.kernel == b.kernel && a.round == b.round && a.key == b.key;
}

static bool before(leman_feature a, leman_feature b)
{
    if (a.kernel != b.kernel) return a.kernel < b.kernel;
    return a.round != b.round ? a.round < b.round : a.key < b.key;
}

/* Offsets, order within rows, order of columns; and no column is empty unless it was given. */
static void assert_sound(const leman_features *f)
{
    assert_int_equal(f->start[0], 0);
    assert_int_equal(f->start[f->rows], f->entries);
    for (size_t i = 0; i < f->rows; i++)
        for (uint64_t e = f->start[i]; e < f->start[i + 1]; e++) {
            assert_true(f->column[e] < f->columns);
            assert_true(e == f->start[i] || f->column[e - 1] < f->column[e]);
            assert_true(f->value[e] > 0);
        }
    if (!f->feature) return;
    bool *used = calloc(f->columns + 1, 1);
    for (size_t e = 0; e < f->entries; e++) used[f->column[e]] = true;
    for (size_t c = 0; c < f->columns; c++) {
        assert_true(used[c]);
        assert_true(!c || before(f->feature[c - 1], f->feature[c]));
    }
    free(used);
}

static void assert_same(const leman_features *a, const leman_features *b)
{
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->columns, b->columns);
    assert_int_equal(a->entries, b->entries);
    assert_memory_equal(a->start, b->start, (a->rows + 1) * sizeof *a->start);
    if (a->entries) assert_memory_equal(a->column, b->column, a->entries * sizeof *a->column);
    if (a->entries) assert_memory_equal(a->value, b->value, a->entries * sizeof *a->value);
    for (size_t c = 0; a->feature && b->feature && c < a->columns; c++)
        assert_true(same_feature(a->feature[c], b->feature[c]));
}

/* ---- The definition -------------------------------------------------------------------------- */

/* phi_r(G)_c is the number of tuples of colour c after round r: entry by entry what the histogram of the graph says. */
static void assert_row(leman_context *ctx, const leman_features *f, size_t row, const leman_graph *graph,
                       const leman_coloring *coloring)
{
    leman_histogram *h = test_histogram(ctx, graph, coloring);
    uint64_t e = f->start[row];
    assert_int_equal(f->start[row + 1] - e, h->start[h->rounds]);
    for (uint32_t r = 0; r < h->rounds; r++)
        for (uint64_t i = h->start[r]; i < h->start[r + 1]; i++, e++) {
            leman_feature feature = f->feature[f->column[e]];
            assert_int_equal(feature.kernel, 0);
            assert_int_equal(feature.round, r);
            assert_int_equal(feature.key, h->color[i].color);
            assert_true(f->value[e] == (double)h->color[i].count);
        }
    leman_histogram_free(h);
}

static void test_definition(void **unused)
{
    (void)unused;
    uint64_t state = 3;
    for (size_t trial = 0; trial < test_cases(60); trial++) {
        leman_context *ctx = test_context_new(1 + (int)(trial % 3));
        unsigned k = 1 + (unsigned)(trial % 4);
        leman_dataset *data = any_set(ctx, &state, k > 3 ? 3 : GRAPHS);
        leman_kernel kernel = kernel_of(test_variant((unsigned)(test_random(&state) % TEST_VARIANTS), k, ROUNDS));
        leman_features *f = compute(ctx, data, &kernel, 1, NULL);
        assert_sound(f);
        assert_int_equal(f->rows, leman_dataset_shape(data)->graphs);
        for (size_t g = 0; g < f->rows; g++) {
            leman_graph graph = leman_dataset_graph(data, g);
            const leman_coloring coloring = kernel.coloring;
            assert_row(ctx, f, g, &graph, &coloring);
        }
        leman_features_free(f);
        leman_dataset_free(data);
        test_context_free(ctx);
    }
}

/* Products of rows are the Gram matrix of the same sum of kernels, normalised or not. */
static void test_gram(void **unused)
{
    (void)unused;
    uint64_t state = 4;
    for (size_t trial = 0; trial < test_cases(40); trial++) {
        leman_context *ctx = test_context_new(2);
        leman_dataset *data = any_set(ctx, &state, GRAPHS);
        leman_feature_options options = {.size = OPTIONS, .normalize = trial % 2};
        leman_kernel kernels[3];
        size_t count = 1 + trial % 3;
        double gram[GRAPHS * GRAPHS];
        for (size_t i = 0; i < count; i++) {
            kernels[i] = kernel_of(test_variant((unsigned)(test_random(&state) % TEST_VARIANTS), 1 + (unsigned)i, 2));
            kernels[i].weight = i ? 0.3 * (double)i : 1;
        }
        leman_features *f = compute(ctx, data, kernels, count, &options);
        assert_int_equal(leman_gram_compute(ctx, data, NULL, kernels, count, options.normalize, gram), LEMAN_OK);
        for (size_t i = 0; i < GRAPHS; i++)
            for (size_t j = 0; j < GRAPHS; j++)
                assert_true(fabs(product(f, i, j) - gram[i * GRAPHS + j]) <= 1e-12 * (1 + gram[i * GRAPHS + j]));
        assert_sound(f);
        leman_features_free(f);
        leman_dataset_free(data);
        test_context_free(ctx);
    }
}

/* Kernels without rounds: the same columns, a block in all. */
static void test_other_kernels(void **unused)
{
    (void)unused;
    uint64_t state = 5;
    leman_context *ctx = test_context_new(2);
    leman_dataset *data = any_set(ctx, &state, GRAPHS);
    static const char *const NAMES[] = {"sp", "graphlet"};
    for (size_t i = 0; i < 2; i++) {
        leman_kernel kernels[2] = {leman_kernel_default(), leman_kernel_default()};
        leman_features *f = NULL;
        double gram[GRAPHS * GRAPHS];
        assert_int_equal(leman_kernel_parse(ctx, NAMES[i], kernels + 1), LEMAN_OK);
        leman_status st = leman_features_compute(ctx, data, kernels, 2, NULL, &f);
        if (st == LEMAN_ERROR_UNSUPPORTED) {
            print_message("skipped: %s\n", leman_context_message(ctx));
            continue;
        }
        assert_int_equal(st, LEMAN_OK);
        assert_sound(f);
        assert_int_equal(leman_gram_compute(ctx, data, NULL, kernels, 2, false, gram), LEMAN_OK);
        for (size_t a = 0; a < GRAPHS; a++)
            for (size_t b = 0; b < GRAPHS; b++) assert_true(product(f, a, b) == gram[a * GRAPHS + b]);
        leman_features_free(f);
    }
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* Another order of the graphs permutes the rows; another number of threads changes nothing. */
static void test_order_and_threads(void **unused)
{
    (void)unused;
    uint64_t state = 6;
    for (size_t trial = 0; trial < test_cases(20); trial++) {
        leman_context *one = test_context_new(1), *many = test_context_new(4);
        leman_dataset *data = any_set(one, &state, GRAPHS), *shuffled;
        size_t place[GRAPHS];
        leman_kernel kernels[2] = {kernel_of(test_variant((unsigned)(trial % TEST_VARIANTS), 2, ROUNDS)),
                                   kernel_of(test_variant(2, 1, ROUNDS))};
        leman_feature_options options = {.size = OPTIONS, .normalize = trial % 2, .hash_bits = trial % 3 ? 0 : 4};
        kernels[1].weight = 0.1;
        random_graph_shuffle(&state, GRAPHS, place);
        assert_int_equal(leman_dataset_select(one, data, GRAPHS, place, &shuffled), LEMAN_OK);
        leman_features *a = compute(one, data, kernels, 2, &options), *b = compute(many, data, kernels, 2, &options);
        leman_features *c = compute(many, shuffled, kernels, 2, &options);
        assert_same(a, b);
        assert_int_equal(a->columns, c->columns);
        for (size_t i = 0; i < GRAPHS; i++) {
            size_t from = place[i], length = a->start[from + 1] - a->start[from];
            assert_int_equal(c->start[i + 1] - c->start[i], length);
            if (!length) continue;
            assert_memory_equal(c->column + c->start[i], a->column + a->start[from], length * sizeof *a->column);
            assert_memory_equal(c->value + c->start[i], a->value + a->start[from], length * sizeof *a->value);
        }
        for (size_t i = 0; a->feature && i < a->columns; i++) assert_true(same_feature(a->feature[i], c->feature[i]));
        leman_features_free(a);
        leman_features_free(b);
        leman_features_free(c);
        leman_dataset_free(data);
        leman_dataset_free(shuffled);
        test_context_free(one);
        test_context_free(many);
    }
}

/* ---- Columns that are used again ------------------------------------------------------------- */

/* Features of some graphs under the columns of others: every cell is that of the features of all, and what has no
 * column is counted. Normalised rows keep the length that they have with all their features. */
static void test_known_columns(void **unused)
{
    (void)unused;
    uint64_t state = 7;
    for (size_t trial = 0; trial < test_cases(30); trial++) {
        leman_context *ctx = test_context_new(2);
        leman_dataset *data = any_set(ctx, &state, GRAPHS), *train, *test;
        const size_t first[] = {0, 1, 2, 3, 4}, rest[] = {5, 6, 7, 1};
        leman_kernel kernel = kernel_of(test_variant((unsigned)(trial % TEST_VARIANTS), 1 + (unsigned)(trial % 2), 2));
        leman_feature_options options = {.size = OPTIONS, .normalize = trial % 3 == 0}, again = options;
        assert_int_equal(leman_dataset_select(ctx, data, 5, first, &train), LEMAN_OK);
        assert_int_equal(leman_dataset_select(ctx, data, 4, rest, &test), LEMAN_OK);
        leman_features *all = compute(ctx, data, &kernel, 1, &options),
                       *known = compute(ctx, train, &kernel, 1, &options);
        again.columns = known;
        leman_features *f = compute(ctx, test, &kernel, 1, &again), *same = compute(ctx, train, &kernel, 1, &again);
        assert_same(known, same);
        assert_int_equal(same->out_of_vocabulary, 0);
        assert_sound(f);
        assert_null(f->feature);
        assert_int_equal(f->columns, known->columns);
        uint64_t entries = 0;
        for (size_t i = 0; i < 4; i++) entries += all->start[rest[i] + 1] - all->start[rest[i]];
        assert_int_equal(f->entries + f->out_of_vocabulary, entries);
        for (size_t c = 0, d = 0; c < known->columns; c++) {
            while (!same_feature(all->feature[d], known->feature[c])) d++;
            for (size_t i = 0; i < 4; i++) assert_true(cell(f, i, c) == cell(all, rest[i], d));
        }
        again.refuse_out_of_vocabulary = true;
        leman_features *strict = NULL;
        leman_status st = leman_features_compute(ctx, test, &kernel, 1, &again, &strict);
        assert_int_equal(st, f->out_of_vocabulary ? LEMAN_ERROR_INPUT : LEMAN_OK);
        if (st) assert_non_null(strstr(leman_context_message(ctx), "have a column"));
        leman_features_free(strict);
        leman_features_free(all);
        leman_features_free(known);
        leman_features_free(f);
        leman_features_free(same);
        leman_dataset_free(data);
        leman_dataset_free(train);
        leman_dataset_free(test);
        test_context_free(ctx);
    }
}

/* Folding, from the formula of docs/kernels.md and the features that are not folded. */
static void test_hash_bits(void **unused)
{
    (void)unused;
    uint64_t state = 8;
    for (unsigned bits = 1; bits <= 31; bits += bits < 8 ? 1 : 23) {
        leman_context *ctx = test_context_new(1 + (int)bits % 3);
        leman_dataset *data = any_set(ctx, &state, GRAPHS);
        leman_kernel kernels[2] = {kernel_of(test_variant(2, 2, 2)), kernel_of(test_variant(2, 1, 2))};
        leman_feature_options options = {.size = OPTIONS, .hash_bits = bits, .normalize = bits % 2};
        leman_features *all = compute(ctx, data, kernels, 2, NULL), *f = compute(ctx, data, kernels, 2, &options);
        assert_sound(f);
        assert_int_equal(f->columns, UINT64_C(1) << bits);
        for (size_t i = 0; i < GRAPHS; i++) {
            double square = 0, scale;
            for (uint64_t e = f->start[i]; e < f->start[i + 1]; e++) square += f->value[e] * f->value[e];
            if (options.normalize && f->start[i] < f->start[i + 1]) assert_true(fabs(square - 1) < 1e-12);
            scale = 0;
            for (uint64_t e = f->start[i]; e < f->start[i + 1]; e++) {
                double sum = 0;
                for (uint64_t a = all->start[i]; a < all->start[i + 1]; a++) {
                    leman_feature c = all->feature[all->column[a]];
                    uint64_t word = lm_mix(c.key + lm_multiplier((uint64_t)c.kernel << 32 | c.round));
                    if (word >> (64 - bits) == f->column[e]) sum += all->value[a];
                }
                if (scale == 0) scale = f->value[e] / sum;
                assert_true(options.normalize ? fabs(f->value[e] - scale * sum) < 1e-12 : f->value[e] == sum);
            }
        }
        leman_features_free(all);
        leman_features_free(f);
        leman_dataset_free(data);
        test_context_free(ctx);
    }
}

/* ---- Corners --------------------------------------------------------------------------------- */

static void test_no_graphs(void **unused)
{
    (void)unused;
    uint64_t state = 9;
    leman_context *ctx = test_context_new(2);
    leman_dataset *data = any_set(ctx, &state, 3), *none, *empty;
    size_t which = 1; /* the one without vertices */
    leman_kernel kernel = leman_kernel_default();
    assert_int_equal(leman_dataset_select(ctx, data, 0, NULL, &none), LEMAN_OK);
    assert_int_equal(leman_dataset_select(ctx, data, 1, &which, &empty), LEMAN_OK);
    leman_features *f = compute(ctx, none, &kernel, 1, NULL), *g = compute(ctx, empty, &kernel, 1, NULL);
    assert_int_equal(f->rows + f->columns + f->entries + g->columns + g->entries, 0);
    assert_int_equal(g->rows, 1);
    leman_feature_options options = {
        .size = OPTIONS, .normalize = true, .columns = g}; /* no column at all: everything is out of vocabulary */
    leman_features *h = compute(ctx, data, &kernel, 1, &options);
    assert_int_equal(h->entries, 0);
    assert_true(h->out_of_vocabulary > 0);
    options = (leman_feature_options){.size = OPTIONS, .normalize = true, .hash_bits = 3};
    leman_features *i = compute(ctx, empty, &kernel, 1, &options);
    assert_int_equal(i->entries, 0);
    leman_features_free(f);
    leman_features_free(g);
    leman_features_free(h);
    leman_features_free(i);
    leman_dataset_free(data);
    leman_dataset_free(none);
    leman_dataset_free(empty);
    test_context_free(ctx);
}

static void assert_refused(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels, size_t count,
                           const leman_feature_options *options, const char *words)
{
    leman_features untouched = {0}, *f = &untouched;
    assert_int_equal(leman_features_compute(ctx, data, kernels, count, options, &f), LEMAN_ERROR_ARGUMENT);
    if (!strstr(leman_context_message(ctx), words)) fail_msg("%s", leman_context_message(ctx));
    assert_ptr_equal(f, &untouched);
}

static void test_refusals(void **unused)
{
    (void)unused;
    uint64_t state = 10;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = any_set(ctx, &state, 3);
    leman_kernel kernels[2] = {leman_kernel_default(), leman_kernel_default()};
    leman_feature_options options = leman_feature_options_default();
    leman_features *known = compute(ctx, data, kernels, 1, NULL);
    assert_refused(ctx, data, kernels, 0, NULL, "kernels");
    kernels[1].assignment = true;
    assert_refused(ctx, data, kernels, 2, NULL, "assignment");
    options.hash_bits = 32;
    assert_refused(ctx, data, kernels, 1, &options, "1 to 31");
    options = (leman_feature_options){.size = OPTIONS, .hash_bits = 5, .columns = known};
    assert_refused(ctx, data, kernels, 1, &options, "both");
    leman_features folded = {.columns = 4};
    options = (leman_feature_options){.size = OPTIONS, .columns = &folded};
    assert_refused(ctx, data, kernels, 1, &options, "names of columns");
    assert_true(known->columns > 1);
    known->feature[1] = known->feature[0];
    options.columns = known;
    assert_refused(ctx, data, kernels, 1, &options, "column 1");
    kernels[0].weight = 0;
    assert_refused(ctx, data, kernels, 1, NULL, "weight");
    kernels[0] = leman_kernel_default();
    kernels[0].coloring.rounds = 5000;
    assert_refused(ctx, data, kernels, 1, NULL, "rounds");
    leman_features_free(known);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

typedef struct attempt {
    leman_dataset *data;
    leman_feature_options options;
} attempt;

static leman_status body(leman_context *ctx, void *state)
{
    const attempt *a = state;
    leman_kernel kernels[2] = {kernel_of(test_variant(2, 2, 1)), kernel_of(test_variant(2, 1, 1))};
    leman_features *f;
    leman_status st = leman_features_compute(ctx, a->data, kernels, 2, &a->options, &f);
    if (!st) leman_features_free(f);
    return st;
}

static void test_memory(void **unused)
{
    (void)unused;
    uint64_t state = 11;
    leman_context *ctx = test_context_new(1);
    leman_kernel kernels[2] = {kernel_of(test_variant(2, 2, 1)), kernel_of(test_variant(2, 1, 1))};
    attempt a = {.data = any_set(ctx, &state, 4), .options = {.size = OPTIONS}};
    leman_features *known = compute(ctx, a.data, kernels, 2, NULL);
    assert_true(test_fail_each_allocation(body, &a) > 5);
    a.options = (leman_feature_options){.size = OPTIONS, .hash_bits = 3, .normalize = true};
    assert_true(test_fail_each_allocation(body, &a) > 1);
    a.options = (leman_feature_options){.size = OPTIONS, .columns = known};
    assert_true(test_fail_each_allocation(body, &a) > 1);
    leman_features_free(known);
    leman_dataset_free(a.data);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_definition),    cmocka_unit_test(test_gram),
        cmocka_unit_test(test_other_kernels), cmocka_unit_test(test_order_and_threads),
        cmocka_unit_test(test_known_columns), cmocka_unit_test(test_hash_bits),
        cmocka_unit_test(test_no_graphs),     cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
