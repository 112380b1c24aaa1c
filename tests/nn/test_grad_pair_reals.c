/* Random walks and resistances of pairs in 64 bits against their definitions: powers of the matrix of a walk, and the
 * pseudo-inverse of the Laplacian by elimination with pivoting. Stored and computed for each batch; memory. */
#include "nn/made.h"

enum { STEPS = 7, SIZE = 24 };
static const double TOLERANCE = 1e-12;

/* ---- The definitions ------------------------------------------------------------------------- */

/* One step of a walk as a matrix: 1 / degree for every arc that is no loop. */
static void step_matrix(const leman_graph *g, double p[SIZE][SIZE])
{
    for (size_t u = 0; u < g->vertices; u++) {
        double degree = 0;
        for (size_t v = 0; v < g->vertices; v++) p[u][v] = 0;
        for (uint64_t a = g->start[u]; a < g->start[u + 1]; a++)
            if (g->head[a] != u) p[u][g->head[a]] = 1;
        for (size_t v = 0; v < g->vertices; v++) degree += p[u][v];
        for (size_t v = 0; v < g->vertices && degree > 0; v++) p[u][v] /= degree;
    }
}

static void times(size_t n, double a[SIZE][SIZE], double b[SIZE][SIZE])
{
    double product[SIZE][SIZE];
    for (size_t u = 0; u < n; u++)
        for (size_t v = 0; v < n; v++) {
            product[u][v] = 0;
            for (size_t w = 0; w < n; w++) product[u][v] += a[u][w] * b[w][v];
        }
    memcpy(a, product, sizeof product);
}

/* Returns true if a path of wires joins u and v, by n rounds of spreading from u. */
static bool connected(size_t n, double wire[SIZE][SIZE], size_t u, size_t v)
{
    bool reached[SIZE] = {false};
    reached[u] = true;
    for (size_t round = 0; round < n; round++)
        for (size_t x = 0; x < n; x++)
            for (size_t y = 0; y < n; y++) reached[y] = reached[y] || (reached[x] && wire[x][y] > 0);
    return reached[v];
}

/* Replaces the matrix by its inverse: elimination with the largest pivot of the column, beside the identity. */
static void invert(size_t n, double a[SIZE][SIZE])
{
    double b[SIZE][2 * SIZE] = {{0}};
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) b[i][j] = a[i][j];
        b[i][n + i] = 1;
    }
    for (size_t k = 0; k < n; k++) {
        size_t largest = k;
        for (size_t i = k; i < n; i++)
            if (fabs(b[i][k]) > fabs(b[largest][k])) largest = i;
        for (size_t j = 0; j < 2 * n; j++) {
            const double other = b[k][j];
            b[k][j] = b[largest][j];
            b[largest][j] = other;
        }
        for (size_t i = 0; i < n; i++) {
            const double factor = b[i][k] / b[k][k];
            for (size_t j = 0; j < 2 * n && i != k; j++) b[i][j] -= factor * b[k][j];
        }
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) a[i][j] = b[i][n + j] / b[i][i];
}

/* Resistances by the pseudo-inverse of the Laplacian of all wires. L + Z, with Z = 1 / size for the pairs of a component
 * of `size` vertices, is regular, and its inverse is the pseudo-inverse of L plus Z. */
static void resistances(const leman_graph *g, double r[SIZE][SIZE])
{
    const size_t n = g->vertices;
    double wire[SIZE][SIZE] = {{0}}, inverse[SIZE][SIZE] = {{0}};
    for (size_t u = 0; u < n; u++)
        for (uint64_t a = g->start[u]; a < g->start[u + 1]; a++)
            if (g->head[a] != u) wire[u][g->head[a]] = wire[g->head[a]][u] = 1;
    for (size_t u = 0; u < n; u++) {
        double size = 0;
        for (size_t v = 0; v < n; v++) size += connected(n, wire, u, v);
        for (size_t v = 0; v < n; v++) {
            inverse[u][u] += wire[u][v];
            inverse[u][v] += (connected(n, wire, u, v) ? 1 / size : 0) - wire[u][v];
        }
    }
    invert(n, inverse);
    for (size_t u = 0; u < n; u++)
        for (size_t v = 0; v < n; v++)
            r[u][v] = connected(n, wire, u, v) ? inverse[u][u] + inverse[v][v] - inverse[u][v] - inverse[v][u] : -1;
}

/* ---- Batches --------------------------------------------------------------------------------- */

static leman_architecture shape(leman_preset preset)
{
    leman_architecture a = made_shape(LEMAN_NETWORK_KIND_LOCAL2, 2, preset);
    a.encodings = LEMAN_PAIR_ENCODING_WALK | LEMAN_PAIR_ENCODING_RESISTANCE;
    a.walk = STEPS;
    return a;
}

/* The last columns of the reals of pairs; those before them are not looked at. */
static void check_graph(const leman_graph *g, size_t width, const lm_real *real)
{
    double step[SIZE][SIZE], power[SIZE][SIZE], resistance[SIZE][SIZE];
    const size_t n = g->vertices;
    real += width - STEPS - 1;
    step_matrix(g, step);
    memcpy(power, step, sizeof power);
    for (size_t t = 0; t < STEPS; t++) {
        for (size_t i = 0; i < n * n; i++)
            assert_true(fabs((double)real[i * width + t] - power[i / n][i % n]) < TOLERANCE);
        times(n, power, step);
    }
    resistances(g, resistance);
    for (size_t i = 0; i < n * n; i++)
        assert_true(fabs((double)real[i * width + STEPS] - resistance[i / n][i % n]) < TOLERANCE);
    for (size_t v = 0; v < n; v++)
        assert_true(!(real[v * (n + 1) * width + STEPS] > 0 || real[v * (n + 1) * width + STEPS] < 0));
}

static const size_t SIZES[] = {5, 1, 9, 4, SIZE, SIZE_MAX}; /* the fourth has no edges */

static void test_definition(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < test_cases(24); i++) {
        uint64_t state = 40 + i;
        leman_context *ctx = test_context_new(1 + (int)(i % 3));
        const unsigned percent[] = {8, 15, 30, 70};
        leman_dataset *data = made_graphs(ctx, &state, SIZES, percent[i / 2 % 4], i % 2);
        const leman_preset preset = i % 3 ? LEMAN_PRESET_ZINC : LEMAN_PRESET_QM9;
        made m;
        made_new(&m, ctx, data, shape(preset), MADE_GRAPHS, LM_INFER, 1);
        const size_t width = m.batch.tuple_attributes, rows = m.batch.extent.rows[LM_TUPLES];
        assert_int_equal(m.encoding->widths.distances, 0);
        assert_int_equal(width, STEPS + 1 + (preset == LEMAN_PRESET_QM9 ? 4 : m.encoding->columns.edge_attributes));
        for (size_t g = 0; g < MADE_GRAPHS; g++) {
            const leman_graph graph = leman_dataset_graph(data, g);
            check_graph(&graph, width, m.batch.tuple_attribute + m.batch.start[LM_TUPLES][g] * width);
        }
        lm_real *stored = malloc(rows * width * sizeof *stored);
        memcpy(stored, m.batch.tuple_attribute, rows * width * sizeof *stored);
        assert_non_null(m.inputs->pair_reals.start);
        lm_pair_reals_free(&m.inputs->pair_reals); /* as if they did not fit */
        made_batch(&m, m.which, MADE_GRAPHS);
        assert_memory_equal(stored, m.batch.tuple_attribute, rows * width * sizeof *stored);
        free(stored);
        made_free(&m);
        leman_dataset_free(data);
        test_context_free(ctx);
    }
}

/* ---- Long paths, memory ---------------------------------------------------------------------- */

/* One path without labels. */
static leman_dataset *path_of(leman_context *ctx, size_t vertices)
{
    leman_builder *builder = NULL;
    leman_dataset *data = NULL;
    const leman_columns columns = {0};
    assert_int_equal(leman_builder_new(ctx, "path", &columns, &builder), LEMAN_OK);
    assert_int_equal(leman_builder_graph(builder, NULL, NULL, NULL), LEMAN_OK);
    for (size_t v = 0; v < vertices; v++) assert_int_equal(leman_builder_vertex(builder, NULL, NULL, NULL), LEMAN_OK);
    for (size_t v = 1; v < vertices; v++) assert_int_equal(leman_builder_edge(builder, v - 1, v, NULL, NULL), LEMAN_OK);
    assert_int_equal(leman_builder_finish(builder, NULL, NULL, &data), LEMAN_OK);
    leman_builder_free(builder);
    return data;
}

/* Resistances of a path are distances, whose matrix is as ill-conditioned as that of any graph of this size. */
static void test_long_path(void **unused)
{
    (void)unused;
    enum { N = 400 };
    const lm_encoding_options options = {.k = 2, .pairs = true, .resistance = true};
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = path_of(ctx, N);
    const leman_graph g = leman_dataset_graph(data, 0);
    lm_real *found = malloc(N * N * sizeof *found);
    assert_int_equal(lm_pair_reals_write(ctx, &g, &options, 1, found), LEMAN_OK);
    for (size_t i = 0; i < N * N; i++)
        assert_true(fabs((double)found[i] - fabs((double)(i / N) - (double)(i % N))) < 1e-10);
    free(found);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* Without memory for the workspace there is a sentence; with memory for it alone nothing is stored. */
static void test_budget(void **unused)
{
    (void)unused;
    const lm_encoding_options options = {.k = 2, .pairs = true, .walk = 100, .resistance = true};
    static const struct {
        size_t megabytes;
        leman_status status;
        bool stored;
    } CASE[] = {{1, LEMAN_ERROR_BUDGET, false}, {16, LEMAN_OK, false}, {600, LEMAN_OK, true}};
    for (size_t i = 0; i < sizeof CASE / sizeof *CASE; i++) {
        leman_settings settings = leman_settings_default();
        leman_context *ctx = NULL;
        lm_pair_reals reals = {0};
        settings.memory = CASE[i].megabytes << 20;
        assert_int_equal(leman_context_new(&settings, &ctx), LEMAN_OK);
        leman_dataset *data = path_of(ctx, 512); /* 2 MiB of workspace, 26 or 52 MiB times 4 of results */
        assert_int_equal(lm_pair_reals_compute(ctx, data, &options, &reals), CASE[i].status);
        assert_int_equal(reals.start != NULL, CASE[i].stored);
        if (CASE[i].status) assert_non_null(strstr(leman_context_message(ctx), "512 vertices needs 2.0 MiB"));
        lm_pair_reals_free(&reals);
        leman_dataset_free(data);
        leman_context_free(ctx);
    }
}

static leman_status compute(leman_context *ctx, void *state)
{
    const lm_encoding_options options = {.k = 2, .pairs = true, .walk = 3, .resistance = true};
    AUTO(lm_pair_reals_free) lm_pair_reals reals = {0};
    return lm_pair_reals_compute(ctx, state, &options, &reals);
}

static void test_failing_allocations(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = path_of(ctx, 6);
    assert_true(test_fail_each_allocation(compute, data) > 2);
    leman_dataset_free(data);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_definition), cmocka_unit_test(test_long_path),
                                       cmocka_unit_test(test_budget), cmocka_unit_test(test_failing_allocations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
