/* Tanimoto's normalisation and min-max against sums over histograms; kernels on labels of circular fingerprints. */
#include "support/support.h"
#include <math.h>

enum { N = 24, SPLIT = 15 };

/* Sums of minima, of maxima and of products of the counts of two graphs, over rounds and colours. */
typedef struct sums {
    double minima, maxima, products;
} sums;

static uint64_t count_in(const leman_histogram *h, uint32_t round, uint64_t color)
{
    for (uint64_t i = h->start[round]; i < h->start[round + 1]; i++)
        if (h->color[i].color == color) return h->color[i].count;
    return 0;
}

static sums sums_of(const leman_histogram *a, const leman_histogram *b)
{
    sums s = {0};
    for (uint32_t r = 0; r < a->rounds; r++) {
        for (uint64_t i = a->start[r]; i < a->start[r + 1]; i++) {
            const double x = (double)a->color[i].count, y = (double)count_in(b, r, a->color[i].color);
            s.minima += fmin(x, y), s.maxima += fmax(x, y), s.products += x * y;
        }
        for (uint64_t i = b->start[r]; i < b->start[r + 1]; i++)
            if (!count_in(a, r, b->color[i].color)) s.maxima += (double)b->color[i].count;
    }
    return s;
}

/* Graphs that have labels from `first` on, some of them without vertices. */
static leman_dataset *labelled(leman_context *ctx, int64_t first)
{
    uint64_t state = 5;
    const leman_columns columns = {.vertex_labels = 1};
    leman_builder *b = NULL;
    leman_dataset *data = NULL;
    assert_int_equal(leman_builder_new(ctx, "labelled", &columns, &b), LEMAN_OK);
    for (size_t g = 0; g < N; g++) {
        const size_t n = g % 11 == 3 ? 0 : 2 + test_random(&state) % 7;
        assert_int_equal(leman_builder_graph(b, NULL, NULL, NULL), LEMAN_OK);
        for (size_t v = 0; v < n; v++)
            leman_builder_vertex(b, NULL, (int64_t[]){first + (int64_t)(test_random(&state) % 2)}, NULL);
        for (size_t u = 0; u < n; u++)
            for (size_t v = u + 1; v < n; v++)
                if (test_random(&state) % 3 == 0) leman_builder_edge(b, u, v, NULL, NULL);
    }
    assert_int_equal(leman_builder_finish(b, NULL, NULL, &data), LEMAN_OK);
    leman_builder_free(b);
    return data;
}

static leman_kernel named(leman_context *ctx, const char *name)
{
    leman_kernel kernel = leman_kernel_default();
    kernel.coloring.rounds = 2;
    assert_int_equal(leman_kernel_parse(ctx, name, &kernel), LEMAN_OK);
    return kernel;
}

static void assert_near(double found, double want)
{
    if (!(fabs(found - want) < 1e-12)) fail_msg("found %.17g, expected %.17g", found, want);
}

/* Square and rectangular matrices, every round, and a sum of kernels with weights. */
static void test_definition(void **unused)
{
    (void)unused;
    static const char *const NAMES[] = {"1-WL:minmax", "1-WL:tanimoto", "delta-2-LWL:minmax", "delta-2-LWL:tanimoto"};
    leman_context *ctx = test_context_new(2);
    leman_dataset *data = labelled(ctx, 0), *rest = NULL;
    size_t later[N - SPLIT];
    double k[N * N], part[N * N], rounds[3][N * N], *every[3] = {rounds[0], rounds[1], rounds[2]};
    for (size_t i = 0; i < N - SPLIT; i++) later[i] = SPLIT + i;
    assert_int_equal(leman_dataset_select(ctx, data, N - SPLIT, later, &rest), LEMAN_OK);
    for (size_t name = 0; name < 4; name++) {
        const leman_kernel kernel = named(ctx, NAMES[name]);
        leman_histogram *h[N];
        for (size_t i = 0; i < N; i++) {
            const leman_graph g = leman_dataset_graph(data, i);
            assert_int_equal(leman_histogram_compute(ctx, &g, &kernel.coloring, h + i), LEMAN_OK);
        }
        assert_int_equal(leman_gram_compute(ctx, data, NULL, &kernel, 1, true, k), LEMAN_OK);
        assert_int_equal(leman_gram_compute(ctx, data, rest, &kernel, 1, true, part), LEMAN_OK);
        assert_int_equal(leman_gram_rounds(ctx, data, NULL, &kernel, true, every), LEMAN_OK);
        for (size_t i = 0; i < N; i++)
            for (size_t j = 0; j < N; j++) {
                const sums s = sums_of(h[i], h[j]);
                const double own = sums_of(h[i], h[i]).products, other = sums_of(h[j], h[j]).products;
                const double above = kernel.assignment ? s.minima : s.products;
                const double below = kernel.assignment ? s.maxima : own + other - s.products;
                assert_near(k[i * N + j], below > 0 ? above / below : 0);
                assert_near(rounds[2][i * N + j], k[i * N + j]);
                if (j >= SPLIT) assert_near(part[i * (N - SPLIT) + j - SPLIT], k[i * N + j]);
            }
        for (size_t i = 0; i < N; i++) leman_histogram_free(h[i]);
    }
    leman_kernel both[2] = {named(ctx, "1-WL:tanimoto"), named(ctx, "SP:tanimoto")};
    both[1].weight = 0.5;
    assert_int_equal(leman_gram_compute(ctx, data, NULL, both, 2, false, part), LEMAN_OK);
    assert_int_equal(leman_gram_compute(ctx, data, NULL, both, 2, true, k), LEMAN_OK);
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++) {
            const double divisor = part[i * N + i] + part[j * N + j] - part[i * N + j];
            assert_near(k[i * N + j], divisor > 0 ? part[i * N + j] / divisor : 0);
        }
    leman_dataset_free(rest);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* ECFP4 is two rounds of 1-WL, with min-max, and takes no other labels. */
static void test_circular(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    leman_dataset *plain = labelled(ctx, 0), *ecfp = labelled(ctx, 1000000000000000000),
                  *fcfp = labelled(ctx, 2000000000000000000);
    double k[N * N], want[N * N];
    const leman_kernel circular = named(ctx, "ECFP4"), features = named(ctx, "FCFP4"), wl = named(ctx, "1-WL:minmax");
    assert_int_equal(circular.coloring.rounds, 2);
    assert_false(leman_kernel_has_rounds(&circular));
    assert_false(leman_kernel_has_features(&circular));
    assert_int_equal(leman_gram_compute(ctx, ecfp, NULL, &circular, 1, true, k), LEMAN_OK);
    assert_int_equal(leman_gram_compute(ctx, ecfp, NULL, &wl, 1, true, want), LEMAN_OK);
    assert_memory_equal(k, want, sizeof k);
    assert_int_equal(leman_gram_compute(ctx, fcfp, NULL, &features, 1, true, k), LEMAN_OK);
    assert_int_equal(leman_gram_compute(ctx, plain, NULL, &circular, 1, true, k), LEMAN_ERROR_INPUT);
    assert_non_null(strstr(leman_context_message(ctx), "--atom-labels ecfp"));
    assert_int_equal(leman_gram_compute(ctx, fcfp, NULL, &circular, 1, true, k), LEMAN_ERROR_INPUT);
    assert_int_equal(leman_gram_compute(ctx, ecfp, NULL, &features, 1, true, k), LEMAN_ERROR_INPUT);
    assert_non_null(strstr(leman_context_message(ctx), "--atom-labels fcfp"));
    leman_dataset_free(plain);
    leman_dataset_free(ecfp);
    leman_dataset_free(fcfp);
    test_context_free(ctx);
}

static void test_refusals(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = labelled(ctx, 0);
    double k[N * N];
    leman_features *rows = NULL;
    leman_feature_options options = leman_feature_options_default();
    leman_kernel kernels[2] = {named(ctx, "1-WL:tanimoto"), named(ctx, "SP")};
    assert_int_equal(leman_gram_compute(ctx, data, NULL, kernels, 2, true, k), LEMAN_ERROR_ARGUMENT);
    assert_non_null(strstr(leman_context_message(ctx), "tanimoto and cosine"));
    options.normalize = true;
    assert_int_equal(leman_features_compute(ctx, data, kernels, 1, &options, &rows), LEMAN_ERROR_ARGUMENT);
    assert_int_equal(leman_gram_sample(ctx, data, NULL, kernels, NULL, true, k, NULL), LEMAN_ERROR_UNSUPPORTED);
    kernels->normalization = (leman_normalization)2;
    assert_int_equal(leman_gram_compute(ctx, data, NULL, kernels, 1, true, k), LEMAN_ERROR_ARGUMENT);
    kernels[0] = named(ctx, "ECFP4");
    kernels->atom_labels = LEMAN_ATOM_ELEMENT;
    assert_int_equal(leman_gram_compute(ctx, data, NULL, kernels, 1, true, k), LEMAN_ERROR_ARGUMENT);
    kernels[1].fixed_rounds = true;
    assert_int_equal(leman_gram_compute(ctx, data, NULL, kernels + 1, 1, true, k), LEMAN_ERROR_ARGUMENT);
    assert_string_equal(leman_normalization_name(LEMAN_NORMALIZATION_TANIMOTO), "tanimoto");
    leman_dataset_free(data);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_definition), cmocka_unit_test(test_circular),
                                       cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
