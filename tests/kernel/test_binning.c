/* Binnings of attributes against the definition: the sum of the kernels of data sets whose labels are the bins. */
#include "kernel/counts/directions.h"
#include "support/support.h"
#include <math.h>
#include <string.h>

enum { GRAPHS = 5, MAX = 7, COLUMNS = 3, BINNINGS = 4, CELLS = GRAPHS * GRAPHS };

static double draw(uint64_t *random)
{
    return (double)(test_random(random) >> 11) * 0x1p-52 - 1;
}

/* Returns the number of the bin of x. */
static int64_t bin_of(const double *x, uint64_t key, double width)
{
    double sum = lm_direction_offset(key, width);
    for (size_t c = 0; c < COLUMNS; c++) sum += x[c] * lm_direction(key, c, false);
    return (int64_t)floor(sum / width);
}

/* Random graphs with a label and attributes; or graphs with the label, unless it is ignored, and the bin as labels. */
static leman_dataset *make(leman_context *ctx, uint64_t random, const leman_kernel *kernel, int binning)
{
    const bool binned = binning >= 0, labels = !binned || !kernel->coloring.ignore_vertex_labels;
    const leman_columns columns = {
        .vertex_labels = (size_t)labels + binned, .vertex_attributes = binned ? 0 : COLUMNS, .edge_labels = 1};
    leman_builder *b = NULL;
    leman_dataset *data = NULL;
    assert_int_equal(leman_builder_new(ctx, "any", &columns, &b), LEMAN_OK);
    for (size_t i = 0; i < GRAPHS; i++) {
        const size_t n = test_random(&random) % (MAX + 1);
        assert_int_equal(leman_builder_graph(b, NULL, NULL, NULL), LEMAN_OK);
        for (size_t v = 0; v < n; v++) {
            const int64_t own = (int64_t)(test_random(&random) % 2);
            const double x[COLUMNS] = {draw(&random), draw(&random), draw(&random)};
            const uint64_t key = binned ? lm_direction_key(kernel->hash_seed, (uint64_t)binning, 0) : 0;
            const int64_t bin = binned ? bin_of(x, key, kernel->bin_width) : 0;
            const int64_t label[2] = {labels ? own : bin, bin};
            assert_int_equal(leman_builder_vertex(b, NULL, label, binned ? NULL : x), LEMAN_OK);
        }
        for (size_t u = 0; u < n; u++)
            for (size_t v = 0; v < u; v++) {
                const int64_t label = (int64_t)(test_random(&random) % 2);
                if (test_random(&random) % 2) continue;
                assert_int_equal(leman_builder_edge(b, u, v, &label, NULL), LEMAN_OK);
                assert_int_equal(leman_builder_edge(b, v, u, &label, NULL), LEMAN_OK);
            }
    }
    assert_int_equal(leman_builder_finish(b, NULL, NULL, &data), LEMAN_OK);
    leman_builder_free(b);
    return data;
}

static void defined(leman_context *ctx, uint64_t random, const leman_kernel *kernel, double *sum)
{
    leman_kernel plain = *kernel;
    double part[CELLS];
    memset(sum, 0, CELLS * sizeof *sum);
    plain.binnings = 0;
    plain.coloring.ignore_vertex_labels = false;
    for (uint32_t i = 0; i < kernel->binnings; i++) {
        leman_dataset *data = make(ctx, random, kernel, (int)i);
        if (leman_gram_compute(ctx, data, NULL, &plain, 1, false, part)) fail_msg("%s", leman_context_message(ctx));
        for (size_t c = 0; c < CELLS; c++) sum[c] += part[c];
        leman_dataset_free(data);
    }
}

static void test_definition(void **unused)
{
    (void)unused;
    static const char *const NAMES[] = {"1-WL", "WLOA", "delta-2-LWL", "SP", "GR", "2-WL", "delta-1-LWL+"};
    enum { KERNELS = sizeof NAMES / sizeof *NAMES };
    leman_context *ctx = test_context_new(2);
    uint64_t random = 1;
    size_t finer = 0;
    for (size_t i = 0; i < test_cases(70); i++) {
        leman_kernel kernel = leman_kernel_default(), without;
        double found[CELLS], expected[CELLS];
        const uint64_t seed = test_random(&random);
        assert_int_equal(leman_kernel_parse(ctx, NAMES[i % KERNELS], &kernel), LEMAN_OK);
        kernel.coloring.rounds = 2;
        kernel.binnings = 1 + (uint32_t)(test_random(&random) % BINNINGS);
        kernel.bin_width = 0.3 + 0.4 * (double)(test_random(&random) % 4);
        kernel.hash_seed = test_random(&random) % 100;
        kernel.coloring.ignore_vertex_labels = test_random(&random) % 2;
        leman_dataset *data = make(ctx, seed, &kernel, -1);
        defined(ctx, seed, &kernel, expected);
        if (leman_gram_compute(ctx, data, NULL, &kernel, 1, false, found)) fail_msg("%s", leman_context_message(ctx));
        for (size_t c = 0; c < CELLS; c++)
            if (found[c] != expected[c])
                fail_msg("%s: found %g, expected %g", NAMES[i % KERNELS], found[c], expected[c]);
        without = kernel, without.binnings = 0;
        assert_int_equal(leman_gram_compute(ctx, data, NULL, &without, 1, false, found), LEMAN_OK);
        finer += memcmp(found, expected, sizeof found) != 0;
        leman_dataset_free(data);
    }
    assert_true(finer > test_cases(70) / 4);
    test_context_free(ctx);
}

/* Features of the whole data, of columns, and the matrix of two halves agree with the square matrix. */
static void test_features_and_halves(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    leman_kernel kernel = leman_kernel_default();
    double square[CELLS], half[CELLS];
    leman_features *f = NULL;
    leman_dataset *part = NULL;
    static const size_t WHICH[] = {2, 3, 4};
    assert_int_equal(leman_kernel_parse(ctx, "1-WL", &kernel), LEMAN_OK);
    kernel.binnings = 3;
    leman_dataset *data = make(ctx, 77, &kernel, -1);
    assert_int_equal(leman_gram_compute(ctx, data, NULL, &kernel, 1, false, square), LEMAN_OK);
    assert_int_equal(leman_dataset_select(ctx, data, 3, WHICH, &part), LEMAN_OK);
    assert_int_equal(leman_gram_compute(ctx, part, data, &kernel, 1, false, half), LEMAN_OK);
    assert_memory_equal(half, square + 2 * GRAPHS, 3 * GRAPHS * sizeof *half);
    assert_int_equal(leman_features_compute(ctx, data, &kernel, 1, NULL, &f), LEMAN_OK);
    for (size_t i = 0; i < GRAPHS; i++) {
        double length = 0;
        for (uint64_t e = f->start[i]; e < f->start[i + 1]; e++) length += f->value[e] * f->value[e];
        assert_true(length == square[i * GRAPHS + i]);
    }
    kernel.coloring.rounds = LEMAN_STABLE;
    assert_int_equal(leman_kernels_resolve(ctx, data, &kernel, 1), LEMAN_OK);
    assert_true(kernel.coloring.rounds < 10);
    leman_features_free(f);
    leman_dataset_free(part);
    leman_dataset_free(data);
    test_context_free(ctx);
}

static void test_standardize(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    leman_kernel kernel = leman_kernel_default();
    leman_dataset *data = make(ctx, 5, &kernel, -1), *standard = NULL, *again = NULL, *bare = NULL;
    assert_int_equal(leman_dataset_standardize(ctx, data, NULL, &standard), LEMAN_OK);
    double sum[COLUMNS] = {0}, squares[COLUMNS] = {0};
    const size_t n = leman_dataset_shape(data)->vertices;
    for (size_t i = 0; i < GRAPHS; i++) {
        const leman_graph g = leman_dataset_graph(standard, i);
        for (size_t v = 0; v < g.vertices * COLUMNS; v++) {
            sum[v % COLUMNS] += g.vertex_attribute[v] / (double)n;
            squares[v % COLUMNS] += g.vertex_attribute[v] * g.vertex_attribute[v] / (double)n;
        }
    }
    for (size_t c = 0; c < COLUMNS; c++) assert_true(fabs(sum[c]) < 1e-12 && fabs(squares[c] - 1) < 1e-12);
    assert_int_equal(leman_dataset_standardize(ctx, standard, data, &again),
                     LEMAN_OK); /* by the scale of the raw data */
    assert_true(leman_dataset_checksum(again) != leman_dataset_checksum(standard));
    assert_int_equal(leman_dataset_keep(ctx, data, &(leman_columns){0}, &bare), LEMAN_OK);
    leman_dataset *wrong = NULL;
    assert_int_equal(leman_dataset_standardize(ctx, bare, data, &wrong), LEMAN_ERROR_INPUT);
    assert_non_null(strstr(leman_context_message(ctx), "found 0 vertex attributes, expected 3, as any has"));
    leman_dataset_free(bare);
    leman_dataset_free(again);
    leman_dataset_free(standard);
    leman_dataset_free(data);
    test_context_free(ctx);
}

static leman_status body(leman_context *ctx, void *state)
{
    leman_kernel kernel = leman_kernel_default();
    double out[CELLS];
    kernel.binnings = 2;
    kernel.coloring.rounds = 1;
    leman_dataset *standard = NULL;
    leman_status st = leman_dataset_standardize(ctx, state, NULL, &standard);
    if (!st) st = leman_gram_compute(ctx, standard, NULL, &kernel, 1, false, out);
    leman_dataset_free(standard);
    return st;
}

static void test_memory(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    leman_kernel kernel = leman_kernel_default();
    leman_dataset *data = make(ctx, 6, &kernel, -1);
    assert_true(test_fail_each_allocation(body, data) > 3);
    leman_dataset_free(data);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_definition),
        cmocka_unit_test(test_features_and_halves),
        cmocka_unit_test(test_standardize),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
