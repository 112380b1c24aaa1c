/* Kernels of pairs: eigenvalues and walks against their definitions, names, refusals, memory, threads, failures. The
 * other definitions are in tests/python/test_grakel_pairs.py. */
#include "kernel/kernel.h"
#include "kernel/pairs/adjacency_matrix.h"
#include "kernel/pairs/eigen.h"
#include "support/graphs.h"
#include "support/random_graphs.h"
#include <math.h>

enum { MAX = 14, GRAPHS = 9 };

static double uniform(uint64_t *state)
{
    return (double)(test_random(state) >> 11) * 0x1p-53;
}

/* A V = V diag(values), and V is orthogonal; also for matrices with zeros, which split, and of equal entries. */
static void test_eigen(void **unused)
{
    (void)unused;
    uint64_t state = 1;
    leman_context *ctx = test_context_new(1);
    atomic_bool stop = false;
    lm_worker worker = {.ctx = ctx, .cancellation = lm_cancellation_of(NULL, &stop)};
    for (size_t test = 0; test < 200; test++) {
        const size_t n = test % MAX + 1;
        double a[MAX * MAX], copy[MAX * MAX], vector[MAX * MAX] = {0}, value[MAX], spare[2 * MAX];
        for (size_t i = 0; i < n; i++)
            for (size_t j = i; j < n; j++) {
                const double real = uniform(&state), entry = test % 3 == 0 ? real : test % 3 == 1 ? real < 0.2 : 1;
                a[i * n + j] = a[j * n + i] = entry;
            }
        memcpy(copy, a, sizeof a);
        for (size_t i = 0; i < n; i++) vector[i * n + i] = 1;
        assert_int_equal(lm_eigen(&worker, a, n, vector, n, value, spare), LEMAN_OK);
        for (size_t i = 0; i < n; i++) {
            for (size_t u = 0; u < n; u++) {
                double sum = 0;
                for (size_t v = 0; v < n; v++) sum += copy[u * n + v] * vector[i * n + v];
                assert_true(fabs(sum - value[i] * vector[i * n + u]) < 1e-12);
            }
            for (size_t j = 0; j < n; j++) {
                double sum = 0;
                for (size_t v = 0; v < n; v++) sum += vector[i * n + v] * vector[j * n + v];
                assert_true(fabs(sum - (i == j)) < 1e-12);
            }
        }
    }
    double wrong[4] = {1, NAN, NAN, 1}, value[2], spare[4];
    assert_int_equal(lm_eigen(&worker, wrong, 2, NULL, 0, value, spare), LEMAN_ERROR_INPUT);
    test_context_free(ctx);
}

/* Who cancels need not wait for the eigenvalues of a large graph. */
static void test_cancelled_eigen(void **unused)
{
    (void)unused;
    enum { N = 32 };
    leman_context *ctx = test_context_new(1);
    atomic_bool stop = true;
    lm_worker worker = {.ctx = ctx, .cancellation = lm_cancellation_of(NULL, &stop)};
    double a[N * N], value[N], spare[2 * N];
    for (size_t i = 0; i < N * N; i++) a[i] = 1;
    assert_int_equal(lm_eigen(&worker, a, N, NULL, 0, value, spare), LEMAN_ERROR_CANCELLED);
    leman_family_options cycle = leman_family_options_default();
    leman_dataset *data = NULL;
    cycle.vertices = N;
    assert_int_equal(leman_dataset_generate(ctx, LEMAN_FAMILY_CYCLES, &cycle, &data), LEMAN_OK);
    for (int directed = 0; directed < 2; directed++) {
        leman_graph g = leman_dataset_graph(data, 0);
        double radius;
        g.directed = directed;
        assert_int_equal(lm_spectral_radius(&worker, &g, false, &radius), LEMAN_ERROR_CANCELLED);
    }
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* The largest absolute eigenvalue of cycles, stars, and directed graphs with and without cycles. */
static void test_radius(void **unused)
{
    (void)unused;
    random_graph_kind kind = {.directed = true};
    leman_context *ctx = test_context_new(2);
    random_graph g = {.n = 5};
    double radius = -1;
    for (size_t v = 0; v < 4; v++) random_graph_toggle(&kind, &g, v, v + 1);
    leman_dataset *path = random_graph_dataset(ctx, &kind, &g, 1);
    assert_int_equal(leman_spectral_radius(ctx, path, false, &radius), LEMAN_OK);
    assert_true(radius == 0);
    random_graph_toggle(&kind, &g, 2, 0); /* a cycle of three vertices with a tail */
    random_graph_toggle(&kind, &g, 2, 1); /* and one of two: x^3 = x + 1 */
    leman_dataset *cycle = random_graph_dataset(ctx, &kind, &g, 1);
    assert_int_equal(leman_spectral_radius(ctx, cycle, false, &radius), LEMAN_OK);
    assert_true(fabs(radius - 1.3247179572447460) < 1e-9);
    kind.directed = false;
    random_graph star = {.n = 10};
    for (size_t v = 1; v < 10; v++) random_graph_toggle(&kind, &star, 0, v);
    leman_dataset *leaves = random_graph_dataset(ctx, &kind, &star, 1);
    assert_int_equal(leman_spectral_radius(ctx, leaves, false, &radius), LEMAN_OK);
    assert_true(fabs(radius - 3) < 1e-12);
    assert_int_equal(leman_spectral_radius(ctx, leaves, true, &radius), LEMAN_ERROR_INPUT);
    assert_non_null(strstr(leman_context_message(ctx), "no edge attributes"));
    leman_dataset_free(path);
    leman_dataset_free(cycle);
    leman_dataset_free(leaves);
    test_context_free(ctx);
}

/* ---- Walks ----------------------------------------------------------------------------------- */

static leman_dataset *draw(leman_context *ctx, uint64_t *state, bool directed, size_t count)
{
    const random_graph_kind kind = {.vertex_labels = 2, .vertex_columns = 1, .directed = directed};
    random_graph *graph = calloc(count, sizeof *graph);
    assert_non_null(graph);
    for (size_t i = 0; i < count; i++)
        random_graph_draw(state, &kind, test_random(state) % 8 + (i > 0), false, graph + i);
    leman_dataset *data = random_graph_dataset(ctx, &kind, graph, count);
    free(graph);
    return data;
}

static bool match(const leman_kernel *kernel, const leman_graph *a, const leman_graph *b, size_t u, size_t v)
{
    return kernel->kind == LEMAN_KERNEL_KIND_RANDOM_WALK || a->vertex_label[u] == b->vertex_label[v];
}

/* The sum of mu_s 1^T W^s 1 over the product graph, step by step. */
static double count_walks(const leman_kernel *kernel, const leman_graph *a, const leman_graph *b)
{
    double now[64][64], next[64][64], sum = 0;
    for (size_t u = 0; u < a->vertices; u++)
        for (size_t v = 0; v < b->vertices; v++) sum += now[u][v] = 1;
    for (size_t s = 1; s <= (kernel->steps ? kernel->steps : 400); s++) {
        for (size_t u = 0; u < a->vertices; u++)
            for (size_t v = 0; v < b->vertices; v++) {
                next[u][v] = 0;
                for (uint64_t e = a->start[u]; e < a->start[u + 1]; e++)
                    for (uint64_t f = b->start[v]; f < b->start[v + 1]; f++)
                        if (match(kernel, a, b, u, v) && match(kernel, a, b, a->head[e], b->head[f]))
                            next[u][v] += now[a->head[e]][b->head[f]];
                next[u][v] *= kernel->lambda / (kernel->exponential ? (double)s : 1);
            }
        for (size_t u = 0; u < a->vertices; u++)
            for (size_t v = 0; v < b->vertices; v++) sum += now[u][v] = next[u][v];
    }
    return sum;
}

static void assert_walks(leman_context *ctx, const leman_dataset *data, const leman_dataset *other,
                         const leman_kernel *kernel)
{
    const size_t rows = leman_dataset_shape(data)->graphs, columns = leman_dataset_shape(other)->graphs;
    double square[GRAPHS * GRAPHS], across[GRAPHS * GRAPHS], diagonal[GRAPHS];
    if (leman_gram_compute(ctx, data, NULL, kernel, 1, false, square)) fail_msg("%s", leman_context_message(ctx));
    assert_int_equal(leman_gram_compute(ctx, data, other, kernel, 1, false, across), LEMAN_OK);
    assert_int_equal(leman_gram_diagonal(ctx, data, kernel, 1, diagonal), LEMAN_OK);
    for (size_t i = 0; i < rows; i++) {
        const leman_graph a = leman_dataset_graph(data, i);
        for (size_t j = 0; j < rows; j++) {
            const leman_graph b = leman_dataset_graph(data, j);
            const double expected = count_walks(kernel, &a, &b);
            assert_true(fabs(square[i * rows + j] - expected) <= 1e-10 * expected);
            if (i == j) assert_true(diagonal[i] == square[i * rows + i]);
        }
        for (size_t j = 0; j < columns; j++) {
            const leman_graph b = leman_dataset_graph(other, j);
            const double expected = count_walks(kernel, &a, &b);
            assert_true(fabs(across[i * columns + j] - expected) <= 1e-10 * expected);
        }
    }
}

static void test_walks(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(2);
    uint64_t state = 3;
    for (size_t test = 0; test < 24; test++) {
        leman_dataset *data = draw(ctx, &state, test % 2, GRAPHS), *other = draw(ctx, &state, test % 2, 4);
        leman_kernel kernel = leman_kernel_default();
        kernel.kind = test % 4 < 2 ? LEMAN_KERNEL_KIND_RANDOM_WALK : LEMAN_KERNEL_KIND_RANDOM_WALK_LABELED;
        kernel.lambda = 0.01;
        kernel.exponential = test % 3 == 1;
        kernel.steps = test % 3 == 2 ? (unsigned)test % 5 + 1 : 0;
        assert_walks(ctx, data, other, &kernel);
        leman_dataset_free(data);
        leman_dataset_free(other);
    }
    test_context_free(ctx);
}

/* ---- Names and refusals ---------------------------------------------------------------------- */

static void test_parameters(void **unused)
{
    (void)unused;
    static const char *const KNOWN[] = {"RandomWalk",
                                        "RandomWalk:exponential:lambda=0.025",
                                        "RandomWalkLabeled:lambda=1e-05:steps=3",
                                        "RandomWalkLabeled:exponential:lambda=0.30000000000000004:steps=4096",
                                        "GraphHopper",
                                        "GraphHopper:gaussian:mu=0.5",
                                        "GraphHopper:bridge",
                                        "PyramidMatch",
                                        "PyramidMatch:dimensions=3:levels=2"};
    static const char *const WRONG[] = {"RandomWalk:steps",      "RandomWalk:steps=0",    "RandomWalk:steps=1.5",
                                        "RandomWalk:lambda=x",   "RandomWalk:lambda=",    "RandomWalk:mu=1",
                                        "GraphHopper:cubic",     "GraphHopper:linear=1",  "PyramidMatch:levels=-1",
                                        "RandomWalk:lambda=nan", "RandomWalk:lambda=1x",  "SP:lambda=1",
                                        "RandomWalk:",           "RandomWalk:lambda=inf", "PyramidMatch::levels=2"};
    leman_context *ctx = test_context_new(1);
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++) {
        leman_kernel kernel = leman_kernel_default();
        char text[128], lower[128] = "";
        assert_int_equal(leman_kernel_parse(ctx, KNOWN[i], &kernel), LEMAN_OK);
        assert_int_equal(leman_kernels_paper_name(&kernel, 1, text, sizeof text), strlen(KNOWN[i]));
        assert_string_equal(text, KNOWN[i]);
        assert_int_equal(lm_kernel_check(ctx, &kernel, &kernel), LEMAN_OK);
        for (size_t at = 0; KNOWN[i][at]; at++)
            lower[at] = KNOWN[i][at] >= 'A' && KNOWN[i][at] <= 'Z' ? (char)(KNOWN[i][at] + 32) : KNOWN[i][at];
        assert_int_equal(leman_kernel_parse(ctx, lower, &kernel), LEMAN_OK);
        assert_int_equal(kernel.kind == LEMAN_KERNEL_KIND_PYRAMID_MATCH, kernel.assignment);
        assert_false(leman_kernel_has_features(&kernel));
    }
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        leman_kernel kernel = leman_kernel_default();
        assert_int_equal(leman_kernel_parse(ctx, WRONG[i], &kernel), LEMAN_ERROR_ARGUMENT);
        assert_non_null(strstr(leman_context_message(ctx), "algorithm: found '"));
    }
    assert_false(leman_kernel_has_features(NULL));
    leman_kernel plain = leman_kernel_default();
    assert_true(leman_kernel_has_features(&plain));
    test_context_free(ctx);
}

static void assert_refused(leman_context *ctx, const leman_dataset *data, const char *name, leman_status expected,
                           const char *words)
{
    leman_kernel kernel = leman_kernel_default();
    double cells[GRAPHS * GRAPHS];
    assert_int_equal(leman_kernel_parse(ctx, name, &kernel), LEMAN_OK);
    assert_int_equal(leman_gram_compute(ctx, data, NULL, &kernel, 1, false, cells), expected);
    if (!strstr(leman_context_message(ctx), words)) fail_msg("%s", leman_context_message(ctx));
}

static void test_refusals(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(2);
    uint64_t state = 5;
    leman_dataset *data = draw(ctx, &state, false, GRAPHS), *arcs = draw(ctx, &state, true, GRAPHS);
    leman_features *out = NULL;
    assert_refused(ctx, data, "RandomWalk:lambda=1", LEMAN_ERROR_ARGUMENT, "diverges; expected a number below");
    assert_refused(ctx, data, "RandomWalkLabeled:lambda=1", LEMAN_ERROR_ARGUMENT, "diverges; expected a number below");
    assert_refused(ctx, data, "RandomWalk:assignment", LEMAN_ERROR_ARGUMENT, "assignment with randomwalk");
    assert_refused(ctx, data, "RandomWalk:steps=4097", LEMAN_ERROR_ARGUMENT, "steps: found 4097, expected 0 to 4096");
    assert_refused(ctx, data, "RandomWalk:exponential:lambda=1e200", LEMAN_ERROR_ARGUMENT, "terms; expected a smaller");
    assert_refused(ctx, data, "PyramidMatch:levels=17", LEMAN_ERROR_ARGUMENT, "levels: found 17, expected 1 to 16");
    assert_refused(ctx, data, "GraphHopper", LEMAN_ERROR_INPUT, "no vertex attributes");
    assert_refused(ctx, arcs, "PyramidMatch", LEMAN_ERROR_INPUT, "expected undirected ones");
    leman_kernel kernel = leman_kernel_default();
    kernel.kind = LEMAN_KERNEL_KIND_RANDOM_WALK;
    assert_int_equal(leman_features_compute(ctx, data, &kernel, 1, NULL, &out), LEMAN_ERROR_ARGUMENT);
    assert_non_null(
        strstr(leman_context_message(ctx), "RandomWalk is computed pair by pair and has no feature vectors"));
    assert_null(out);
    kernel.weighted = true;
    double cells[GRAPHS * GRAPHS];
    assert_int_equal(leman_gram_compute(ctx, data, NULL, &kernel, 1, false, cells), LEMAN_ERROR_INPUT);
    leman_dataset_free(data);
    leman_dataset_free(arcs);
    test_context_free(ctx);
}

/* ---- Memory and failures --------------------------------------------------------------------- */

static leman_status compute_all(leman_context *ctx, void *state)
{
    static const char *const NAMES[] = {"RandomWalk:lambda=0.001", "RandomWalk:exponential:lambda=0.01",
                                        "RandomWalkLabeled:lambda=0.001", "RandomWalkLabeled:steps=2", "PyramidMatch"};
    double cells[GRAPHS * GRAPHS];
    leman_status st = LEMAN_OK;
    for (size_t i = 0; !st && i < sizeof NAMES / sizeof *NAMES; i++) {
        leman_kernel kernel = leman_kernel_default();
        st = leman_kernel_parse(ctx, NAMES[i], &kernel);
        if (!st) st = leman_gram_compute(ctx, state, NULL, &kernel, 1, true, cells);
    }
    return st;
}

static void test_failing_allocations(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    uint64_t state = 9;
    leman_dataset *data = draw(ctx, &state, false, GRAPHS);
    assert_true(test_fail_each_allocation(compute_all, data) > 10);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* A budget that holds the work of one thread gives the bits of four; a smaller one is refused before the work. */
static void test_budget(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(4);
    leman_family_options options = leman_family_options_default();
    options.graphs = 3;
    options.vertices = 150;
    leman_dataset *data = test_made(ctx, LEMAN_FAMILY_MOLECULES, &options);
    leman_kernel kernel = leman_kernel_default();
    double usual[9], found[9];
    kernel.kind = LEMAN_KERNEL_KIND_RANDOM_WALK_LABELED;
    kernel.lambda = 0.01;
    lm_memory_limit limit = {UINT64_MAX, 0};
    assert_int_equal(lm_gram_compute(ctx, data, NULL, &kernel, 1, false, limit, usual), LEMAN_OK);
    limit.budget = 2 << 20;
    assert_int_equal(lm_gram_compute(ctx, data, NULL, &kernel, 1, false, limit, found), LEMAN_OK);
    assert_memory_equal(usual, found, sizeof usual);
    assert_int_equal(ctx->settings.threads, 4);
    limit.budget = 1 << 16;
    assert_int_equal(lm_gram_compute(ctx, data, NULL, &kernel, 1, false, limit, found), LEMAN_ERROR_BUDGET);
    assert_non_null(strstr(leman_context_message(ctx), "labelled random walks of"));
    assert_non_null(strstr(leman_context_message(ctx), "the memory budget is"));
    leman_dataset_free(data);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_eigen),    cmocka_unit_test(test_radius),
        cmocka_unit_test(test_walks),    cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_refusals), cmocka_unit_test(test_failing_allocations),
        cmocka_unit_test(test_budget),   cmocka_unit_test(test_cancelled_eigen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
