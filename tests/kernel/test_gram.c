/* Gram matrices against sums over histograms, word by word from the definition. */
#include "support/support.h"
#include <math.h>

enum { GRAPHS = 90 }; /* enough for dense columns: 64 graphs that share a colour */

/* A data set of small random graphs, some without vertices, so that early colours are shared by nearly all. */
static leman_dataset *random_set(leman_context *ctx, uint64_t *state, size_t graphs, bool labels)
{
    leman_columns columns = {.vertex_labels = labels, .edge_labels = labels, .classes = true};
    leman_builder *b = NULL;
    leman_dataset *data = NULL;
    assert_int_equal(leman_builder_new(ctx, "random", &columns, &b), LEMAN_OK);
    for (size_t g = 0; g < graphs; g++) {
        int64_t class_label = (int64_t)(g % 2);
        size_t n = g % 17 == 0 ? 0 : 1 + test_random(state) % 9;
        assert_int_equal(leman_builder_graph(b, NULL, &class_label, NULL), LEMAN_OK);
        for (size_t v = 0; v < n; v++) {
            int64_t label = (int64_t)(test_random(state) % 2);
            assert_int_equal(leman_builder_vertex(b, NULL, &label, NULL), LEMAN_OK);
        }
        for (size_t u = 0; u < n; u++)
            for (size_t v = u + 1; v < n; v++) {
                int64_t label = (int64_t)(test_random(state) % 2);
                if (test_random(state) % 100 < 30)
                    assert_int_equal(leman_builder_edge(b, u, v, &label, NULL), LEMAN_OK);
            }
    }
    assert_int_equal(leman_builder_finish(b, NULL, NULL, &data), LEMAN_OK);
    leman_builder_free(b);
    return data;
}

/* The definition: over rounds 0..h and colours, the sum of products or of minima of the counts. */
static double oracle(const leman_histogram *a, const leman_histogram *b, bool minima)
{
    double sum = 0;
    for (uint32_t r = 0; r < a->rounds; r++)
        for (uint64_t i = a->start[r]; i < a->start[r + 1]; i++)
            for (uint64_t j = b->start[r]; j < b->start[r + 1]; j++)
                if (a->color[i].color == b->color[j].color) {
                    double x = (double)a->color[i].count, y = (double)b->color[j].count;
                    sum += minima ? fmin(x, y) : x * y;
                }
    return sum;
}

static void oracle_matrix(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernel, double *out)
{
    size_t n = leman_dataset_shape(data)->graphs;
    const leman_coloring coloring = kernel->coloring;
    leman_histogram **h = calloc(n, sizeof *h);
    assert_non_null(h);
    for (size_t i = 0; i < n; i++) {
        leman_graph g = leman_dataset_graph(data, i);
        assert_int_equal(leman_histogram_compute(ctx, &g, &coloring, &h[i]), LEMAN_OK);
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) out[i * n + j] = kernel->weight * oracle(h[i], h[j], kernel->assignment);
    for (size_t i = 0; i < n; i++) leman_histogram_free(h[i]);
    free(h);
}

static void assert_same(const double *a, const double *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (a[i] != b[i]) fail_msg("cell %zu: %.17g, expected %.17g", i, a[i], b[i]);
}

static const leman_algorithm ALL[] = {LEMAN_ALGORITHM_WL, LEMAN_ALGORITHM_DELTA, LEMAN_ALGORITHM_LOCAL,
                                      LEMAN_ALGORITHM_LOCAL_PLUS, LEMAN_ALGORITHM_FOLKLORE};

static void test_definition(void **unused)
{
    (void)unused;
    uint64_t state = 11;
    double *k = malloc(GRAPHS * GRAPHS * sizeof *k), *want = malloc(GRAPHS * GRAPHS * sizeof *want);
    for (int threads = 1; threads <= 3; threads += 2)
        for (size_t a = 0; a < 5; a++)
            for (unsigned size = 1; size <= 3; size++)
                for (int minima = 0; minima < 2; minima++) {
                    leman_context *ctx = test_context_new(threads);
                    leman_dataset *data = random_set(ctx, &state, size == 3 ? 12 : GRAPHS, a % 2);
                    size_t n = leman_dataset_shape(data)->graphs;
                    leman_kernel kernel = leman_kernel_default();
                    kernel.coloring.algorithm = ALL[a];
                    kernel.coloring.k = size;
                    kernel.coloring.rounds = 3;
                    kernel.assignment = minima;
                    kernel.weight = 2;
                    assert_int_equal(leman_gram_compute(ctx, data, NULL, &kernel, 1, false, k), LEMAN_OK);
                    oracle_matrix(ctx, data, &kernel, want);
                    assert_same(k, want, n * n);
                    leman_dataset_free(data);
                    test_context_free(ctx);
                }
    free(k);
    free(want);
}

/* k = 4 goes the way of colours one by one. */
static void test_large_k(void **unused)
{
    (void)unused;
    uint64_t state = 5;
    leman_context *ctx = test_context_new(2);
    leman_dataset *data = random_set(ctx, &state, 8, true);
    double k[64], want[64];
    leman_kernel kernel = leman_kernel_default();
    kernel.coloring.k = 4;
    kernel.coloring.rounds = 2;
    assert_int_equal(leman_gram_compute(ctx, data, NULL, &kernel, 1, false, k), LEMAN_OK);
    oracle_matrix(ctx, data, &kernel, want);
    assert_same(k, want, 64);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* Every h in one call is what h alone gives, for both ways of counting #. */
static void test_every_round(void **unused)
{
    (void)unused;
    enum { ROUNDS = 4, N = 40 };
    uint64_t state = 3;
    leman_context *ctx = test_context_new(2);
    leman_dataset *data = random_set(ctx, &state, N, true);
    double *all[ROUNDS + 1], *one = malloc(N * N * sizeof *one);
    for (int h = 0; h <= ROUNDS; h++) all[h] = malloc(N * N * sizeof **all);
    for (int variant = 0; variant < 3; variant++)
        for (int normalize = 0; normalize < 2; normalize++) {
            leman_kernel kernel = leman_kernel_default();
            kernel.coloring.algorithm = variant ? LEMAN_ALGORITHM_LOCAL_PLUS : LEMAN_ALGORITHM_LOCAL;
            kernel.coloring.count_every_round = variant == 2;
            kernel.coloring.rounds = ROUNDS;
            assert_int_equal(leman_gram_rounds(ctx, data, NULL, &kernel, normalize, all), LEMAN_OK);
            for (uint32_t h = 0; h <= ROUNDS; h++) {
                kernel.coloring.rounds = h;
                assert_int_equal(leman_gram_compute(ctx, data, NULL, &kernel, 1, normalize, one), LEMAN_OK);
                assert_same(all[h], one, N * N);
            }
        }
    for (int h = 0; h <= ROUNDS; h++) free(all[h]);
    free(one);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* Test against train is a slice of the whole, whatever the order of the graphs. */
static void test_slices(void **unused)
{
    (void)unused;
    enum { N = GRAPHS, ROWS = 30 };
    uint64_t state = 8;
    leman_context *ctx = test_context_new(2);
    leman_dataset *data = random_set(ctx, &state, N, true), *rows = NULL, *columns = NULL;
    size_t order[N];
    for (size_t i = 0; i < N; i++) order[i] = i;
    for (size_t i = N; i-- > 1;) {
        size_t j = test_random(&state) % (i + 1), swap = order[i];
        order[i] = order[j];
        order[j] = swap;
    }
    assert_int_equal(leman_dataset_select(ctx, data, ROWS, order, &rows), LEMAN_OK);
    assert_int_equal(leman_dataset_select(ctx, data, N - ROWS, order + ROWS, &columns), LEMAN_OK);
    double *whole = malloc(N * N * sizeof *whole), *part = malloc(ROWS * (N - ROWS) * sizeof *part);
    for (int minima = 0; minima < 2; minima++)
        for (int normalize = 0; normalize < 2; normalize++) {
            leman_kernel kernel[2] = {leman_kernel_default(), leman_kernel_default()};
            kernel[0].assignment = kernel[1].assignment = minima;
            kernel[1].coloring.k = 1;
            kernel[1].weight = 0.5;
            assert_int_equal(leman_gram_compute(ctx, data, NULL, kernel, 2, normalize, whole), LEMAN_OK);
            assert_int_equal(leman_gram_compute(ctx, rows, columns, kernel, 2, normalize, part), LEMAN_OK);
            for (size_t i = 0; i < ROWS; i++)
                for (size_t j = 0; j < N - ROWS; j++)
                    assert_true(part[i * (N - ROWS) + j] == whole[order[i] * N + order[ROWS + j]]);
        }
    free(whole);
    free(part);
    leman_dataset_free(rows);
    leman_dataset_free(columns);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* Cosine: 1 on the diagonal, 0 for graphs without vertices, positive semidefinite up to rounding. */
static void test_normalized(void **unused)
{
    (void)unused;
    enum { N = 40 };
    uint64_t state = 21;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = random_set(ctx, &state, N, false);
    double *k = malloc(N * N * sizeof *k), x[N];
    leman_kernel kernel = leman_kernel_default();
    assert_int_equal(leman_gram_compute(ctx, data, NULL, &kernel, 1, true, k), LEMAN_OK);
    for (size_t i = 0; i < N; i++) {
        bool empty = leman_dataset_graph(data, i).vertices == 0;
        assert_true(fabs(k[i * N + i] - (empty ? 0 : 1)) < 1e-15);
        for (size_t j = 0; j < N; j++) assert_true(k[i * N + j] == k[j * N + i] && k[i * N + j] <= 1 + 1e-15);
    }
    for (int turn = 0; turn < 200; turn++) {
        double form = 0;
        for (size_t i = 0; i < N; i++) x[i] = (double)(test_random(&state) % 2001) / 1000 - 1;
        for (size_t i = 0; i < N; i++)
            for (size_t j = 0; j < N; j++) form += x[i] * k[i * N + j] * x[j];
        assert_true(form > -1e-9);
    }
    free(k);
    leman_dataset_free(data);
    test_context_free(ctx);
}

static void test_names_and_refusals(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    leman_kernel kernel = leman_kernel_default();
    double k[1];
    uint64_t state = 1;
    leman_dataset *data = random_set(ctx, &state, 1, false);
    assert_int_equal(leman_kernel_parse(ctx, "local+:3", &kernel), LEMAN_OK);
    assert_true(kernel.coloring.algorithm == LEMAN_ALGORITHM_LOCAL_PLUS && kernel.coloring.k == 3 &&
                !kernel.assignment);
    assert_int_equal(leman_kernel_parse(ctx, "DWL3", &kernel), LEMAN_OK);
    assert_true(kernel.coloring.algorithm == LEMAN_ALGORITHM_DELTA && kernel.coloring.k == 3);
    assert_int_equal(leman_kernel_parse(ctx, "WLOA", &kernel), LEMAN_OK);
    assert_true(kernel.coloring.k == 1 && kernel.assignment);
    assert_int_equal(leman_kernel_parse(ctx, "SP", &kernel), LEMAN_OK);
    assert_int_equal(kernel.kind, LEMAN_KERNEL_KIND_SHORTEST_PATH);
    const char *const wrong[] = {"", "lokal", "local:", "local:0", "local:2x", "local:99999999999999999999", ":2"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(leman_kernel_parse(ctx, wrong[i], &kernel), LEMAN_ERROR_ARGUMENT);
    kernel = leman_kernel_default();
    kernel.weight = 0;
    assert_int_equal(leman_gram_compute(ctx, data, NULL, &kernel, 1, false, k), LEMAN_ERROR_ARGUMENT);
    kernel = leman_kernel_default();
    assert_int_equal(leman_gram_compute(ctx, data, NULL, &kernel, 0, false, k), LEMAN_ERROR_ARGUMENT);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* ---- Sums past 64 bits ----------------------------------------------------------------------- */

__extension__ typedef unsigned __int128 exact;

/* Graphs without edges, all vertices of a graph with one label. */
typedef struct edgeless {
    size_t vertices;
    int64_t label;
} edgeless;

static leman_dataset *edgeless_set(leman_context *ctx, const edgeless *graph, size_t count)
{
    const leman_columns columns = {.vertex_labels = 1};
    leman_builder *b = NULL;
    leman_dataset *data = NULL;
    assert_int_equal(leman_builder_new(ctx, "edgeless", &columns, &b), LEMAN_OK);
    for (size_t g = 0; g < count; g++) {
        assert_int_equal(leman_builder_graph(b, NULL, NULL, NULL), LEMAN_OK);
        for (size_t v = 0; v < graph[g].vertices; v++)
            assert_int_equal(leman_builder_vertex(b, NULL, &graph[g].label, NULL), LEMAN_OK);
    }
    assert_int_equal(leman_builder_finish(b, NULL, NULL, &data), LEMAN_OK);
    leman_builder_free(b);
    return data;
}

/* In every round the n pairs (v, v) have one colour and the n (n - 1) pairs (v, w) another. */
static exact edgeless_kernel(edgeless a, edgeless b, unsigned rounds, bool minima)
{
    const exact x[2] = {a.vertices, (exact)a.vertices * (a.vertices - 1)};
    const exact y[2] = {b.vertices, (exact)b.vertices * (b.vertices - 1)};
    exact sum = 0;
    for (int i = 0; a.label == b.label && i < 2; i++) sum += !minima ? x[i] * y[i] : x[i] < y[i] ? x[i] : y[i];
    return sum * (rounds + 1);
}

/* Integers that a double holds are exact; the others are rounded, a few times at most. */
static void assert_close(double found, exact want)
{
    if (want <= (exact)1 << 53)
        assert_true(found == (double)want);
    else
        assert_true(fabs(found / (double)want - 1) < 1e-14);
}

enum { SMALL_GRAPHS = 80, LARGE_GRAPHS = 4, EDGELESS = SMALL_GRAPHS + LARGE_GRAPHS };

static void large_sums(leman_context *ctx, const edgeless *row, size_t rows, const edgeless *column, size_t columns)
{
    enum { ROUNDS = 2 };
    leman_dataset *data = edgeless_set(ctx, row, rows), *against = column ? edgeless_set(ctx, column, columns) : NULL;
    if (!column) column = row;
    double *k[ROUNDS + 1];
    for (int h = 0; h <= ROUNDS; h++) assert_non_null(k[h] = calloc(rows * columns, sizeof **k));
    for (int kind = 0; kind < 3; kind++) {
        leman_kernel kernel = leman_kernel_default();
        kernel.coloring.rounds = ROUNDS;
        kernel.assignment = kind == 1;
        if (kind == 2) kernel.coloring.algorithm = LEMAN_ALGORITHM_LOCAL_PLUS;
        assert_int_equal(leman_gram_rounds(ctx, data, against, &kernel, false, k), LEMAN_OK);
        for (unsigned h = 0; h <= ROUNDS; h++)
            for (size_t i = 0; i < rows * columns; i++)
                assert_close(k[h][i], edgeless_kernel(row[i / columns], column[i % columns], h, kernel.assignment));
        assert_int_equal(leman_gram_compute(ctx, data, against, &kernel, 1, false, k[0]), LEMAN_OK);
        assert_int_equal(leman_gram_compute(ctx, data, against, &kernel, 1, true, k[1]), LEMAN_OK);
        for (size_t i = 0; i < rows * columns; i++) {
            const edgeless a = row[i / columns], b = column[i % columns];
            const double sum = (double)edgeless_kernel(a, b, ROUNDS, kernel.assignment);
            const double own = (double)edgeless_kernel(a, a, ROUNDS, kernel.assignment);
            const double other = (double)edgeless_kernel(b, b, ROUNDS, kernel.assignment);
            assert_close(k[0][i], edgeless_kernel(a, b, ROUNDS, kernel.assignment));
            assert_true(fabs(k[1][i] - sum / sqrt(own) / sqrt(other)) < 1e-14);
        }
    }
    for (int h = 0; h <= ROUNDS; h++) free(k[h]);
    leman_dataset_free(data);
    leman_dataset_free(against);
}

/* Rows and columns whose kernels pass 2^64: alone, in a square matrix with many small graphs, or against each other. */
static void test_large_sums(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(2);
    edgeless graph[EDGELESS] = {{50000, 0}, {200000, 0}, {200000, 1}, {1000, 0}};
    for (size_t g = LARGE_GRAPHS; g < EDGELESS; g++) graph[g] = (edgeless){1 + g % 13, g % 3 == 0};
    large_sums(ctx, graph, 1, graph + 1, 1);
    large_sums(ctx, graph + 1, 1, graph, 1);
    large_sums(ctx, graph + 3, 1, graph + 1, 1); /* each number fits, but not the kernel of the column with itself */
    large_sums(ctx, graph + 1, 1, NULL, 1);
    large_sums(ctx, graph, EDGELESS, NULL, EDGELESS);
    large_sums(ctx, graph, EDGELESS, graph, 2);
    large_sums(ctx, graph + LARGE_GRAPHS, SMALL_GRAPHS, graph, EDGELESS);
    test_context_free(ctx);
}

/* A weight with which a sum, a product of sums or a square would leave the range of a double is refused. */
static void test_weights(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(2);
    const edgeless graph[] = {{3, 0}, {4000, 0}};
    leman_dataset *data = edgeless_set(ctx, graph, 2);
    const double wrong[] = {0, -1, 1e153, 1e300, 1e-153, 5e-324, INFINITY, NAN}, right[] = {1e-100, 1e-50, 1e50, 1e100};
    double k[4], plain[4];
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        leman_kernel kernel[2] = {leman_kernel_default(), leman_kernel_default()};
        kernel[i % 2].weight = wrong[i];
        assert_int_equal(leman_gram_compute(ctx, data, NULL, kernel, 2, true, k), LEMAN_ERROR_ARGUMENT);
        assert_non_null(strstr(leman_context_message(ctx), "weight of a kernel: found "));
    }
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        leman_kernel kernel[2] = {leman_kernel_default(), leman_kernel_default()};
        assert_int_equal(leman_gram_compute(ctx, data, NULL, kernel, 2, true, plain), LEMAN_OK);
        kernel[0].weight = kernel[1].weight = right[i];
        assert_int_equal(leman_gram_compute(ctx, data, NULL, kernel, 2, true, k), LEMAN_OK);
        for (size_t j = 0; j < 4; j++) assert_true(fabs(k[j] - plain[j]) < 1e-14 && k[j] > 0);
        leman_features *f = NULL;
        leman_feature_options options = leman_feature_options_default();
        options.normalize = true;
        assert_int_equal(leman_features_compute(ctx, data, kernel, 2, &options, &f), LEMAN_OK);
        for (size_t r = 0; r < f->rows; r++) {
            double square = 0;
            for (uint64_t e = f->start[r]; e < f->start[r + 1]; e++) square += f->value[e] * f->value[e];
            assert_true(fabs(square - 1) < 1e-12);
        }
        leman_features_free(f);
    }
    leman_dataset_free(data);
    test_context_free(ctx);
}

static leman_status body(leman_context *ctx, void *state)
{
    enum { N = 70, ROUNDS = 1 };
    leman_family_options options = leman_family_options_default();
    leman_dataset *data = NULL;
    static double k[N * N], more[N * N];
    double *const rounds[] = {k, more};
    (void)state;
    options.graphs = N;
    leman_status st = leman_dataset_generate(ctx, LEMAN_FAMILY_CYCLE, &options, &data);
    leman_kernel kernel[2] = {leman_kernel_default(), leman_kernel_default()};
    kernel[0].coloring.rounds = kernel[1].coloring.rounds = ROUNDS;
    kernel[1].coloring.algorithm = LEMAN_ALGORITHM_LOCAL_PLUS;
    if (!st) st = leman_gram_compute(ctx, data, NULL, kernel, 2, true, k);
    if (!st) st = leman_gram_compute(ctx, data, data, kernel, 1, true, k);
    if (!st) st = leman_gram_rounds(ctx, data, NULL, &kernel[1], true, rounds);
    leman_dataset_free(data);
    return st;
}

static void test_allocations(void **unused)
{
    (void)unused;
    assert_true(test_fail_each_allocation(body, NULL) > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_definition), cmocka_unit_test(test_large_k),    cmocka_unit_test(test_every_round),
        cmocka_unit_test(test_slices),     cmocka_unit_test(test_normalized), cmocka_unit_test(test_names_and_refusals),
        cmocka_unit_test(test_large_sums), cmocka_unit_test(test_weights),    cmocka_unit_test(test_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
