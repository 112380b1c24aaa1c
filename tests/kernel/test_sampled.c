/*
 * Kernels by sampling: colours of single tuples against those of all tuples; graphs that are taken whole against exact
 * kernels; and on 200 seeds, estimates within their bounds and without bias.
 */
#include "refine/experimental/sample.h"
#include "support/random_graphs.h"
#include "support/rounds.h"
#include <math.h>

enum { ROUNDS = 3, GRAPHS = 5, CELLS = GRAPHS * GRAPHS, SEEDS = 200 };

static leman_context *seeded(uint64_t seed, int threads)
{
    leman_settings settings = leman_settings_default();
    leman_context *ctx = NULL;
    settings.seed = seed;
    settings.threads = threads;
    assert_int_equal(leman_context_new(&settings, &ctx), LEMAN_OK);
    return ctx;
}

/* ---- Colours --------------------------------------------------------------------------------- */

/* Some tuples, some of them twice, in any order. */
static void check_colors(leman_context *ctx, uint64_t *state, const leman_graph *graph, const leman_coloring *c,
                         uint64_t bytes)
{
    enum { COUNT = 12 };
    uint64_t tuple[COUNT], colors[(ROUNDS + 1) * COUNT], all = 1;
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    lm_space s;
    for (unsigned j = 0; j < c->k; j++) all *= graph->vertices;
    for (size_t i = 0; i < COUNT; i++) tuple[i] = test_random(state) % all;
    assert_int_equal(lm_sample_space(ctx, graph, c, &s), LEMAN_OK);
    assert_int_equal(lm_sample_colors(ctx, &s, ROUNDS, tuple, COUNT, bytes, NULL, colors), LEMAN_OK);
    for (uint32_t r = 0; r <= ROUNDS; r++) {
        uint64_t *expected = test_tuple_colors(ctx, graph, c, r);
        for (size_t i = 0; i < COUNT; i++) assert_int_equal(colors[r * COUNT + i], expected[tuple[i]]);
        free(expected);
    }
    lm_arena_reset(&ctx->scratch, mark);
}

/* A memory of 16 MB holds all that is met at once; a smaller one makes batches, down to single tuples. */
static void test_colors_of_single_tuples(void **unused)
{
    (void)unused;
    static const size_t max[] = {0, 40, 14, 6};
    leman_context *ctx = test_context_new(1);
    random_graph *graph = malloc(sizeof *graph);
    assert_non_null(graph);
    for (size_t i = 0; i < test_cases(90); i++) {
        uint64_t state = 700 + i;
        const unsigned k = 1 + (unsigned)(i % 3);
        random_graph_kind kind = random_graph_kind_draw(&state);
        random_graph_draw(&state, &kind, 1 + test_random(&state) % max[k], i % 2, graph);
        leman_dataset *data = random_graph_dataset(ctx, &kind, graph, 1);
        leman_graph g = leman_dataset_graph(data, 0);
        leman_coloring c = test_variant(2, k, ROUNDS);
        c.in_arcs = test_random(&state) % 2;
        c.ignore_vertex_labels = test_random(&state) % 4 == 0;
        c.ignore_edge_labels = test_random(&state) % 4 == 0;
        check_colors(ctx, &state, &g, &c, (uint64_t)1 << 24);
        check_colors(ctx, &state, &g, &c, (uint64_t)3 << 16);
        leman_dataset_free(data);
    }
    free(graph);
    test_context_free(ctx);
}

/* On a long path a tuple has 25 others around it: one fits 32 kB, twelve of them do not. */
static void test_batches(void **unused)
{
    (void)unused;
    enum { VERTICES = 300 };
    leman_context *ctx = test_context_new(1);
    leman_columns columns = {0};
    leman_builder *b = NULL;
    leman_dataset *data = NULL;
    uint64_t state = 9;
    assert_int_equal(leman_builder_new(ctx, "path", &columns, &b), LEMAN_OK);
    assert_int_equal(leman_builder_graph(b, NULL, NULL, NULL), LEMAN_OK);
    for (size_t v = 0; v < VERTICES; v++) {
        assert_int_equal(leman_builder_vertex(b, NULL, NULL, NULL), LEMAN_OK);
        if (v) assert_int_equal(leman_builder_edge(b, v - 1, v, NULL, NULL), LEMAN_OK);
    }
    assert_int_equal(leman_builder_finish(b, NULL, NULL, &data), LEMAN_OK);
    leman_builder_free(b);
    leman_graph g = leman_dataset_graph(data, 0);
    leman_coloring c = test_variant(2, 2, ROUNDS);
    check_colors(ctx, &state, &g, &c, 1 << 15);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* Many copies of a small graph make one so large that its arcs are not copied: a tuple inside one copy has the colour
 * that it has in the small graph alone. */
static void test_large_graph(void **unused)
{
    (void)unused;
    enum { VERTICES = 6, COPIES = 12000, COUNT = VERTICES * VERTICES * VERTICES };
    static const size_t edge[][2] = {{0, 1}, {1, 2}, {0, 2}, {2, 3}, {3, 4}, {3, 5}};
    leman_context *ctx = test_context_new(1);
    leman_columns columns = {.vertex_labels = 1};
    leman_builder *b = NULL;
    leman_dataset *data = NULL;
    uint64_t state = 5;
    assert_int_equal(leman_builder_new(ctx, "copies", &columns, &b), LEMAN_OK);
    for (size_t g = 0; g < 2; g++) {
        assert_int_equal(leman_builder_graph(b, NULL, NULL, NULL), LEMAN_OK);
        for (size_t copy = 0; copy < (g ? COPIES : 1); copy++) {
            for (size_t v = 0; v < VERTICES; v++) {
                const int64_t label = v % 2;
                assert_int_equal(leman_builder_vertex(b, NULL, &label, NULL), LEMAN_OK);
            }
            for (size_t e = 0; e < sizeof edge / sizeof *edge; e++)
                assert_int_equal(
                    leman_builder_edge(b, copy * VERTICES + edge[e][0], copy * VERTICES + edge[e][1], NULL, NULL),
                    LEMAN_OK);
        }
    }
    assert_int_equal(leman_builder_finish(b, NULL, NULL, &data), LEMAN_OK);
    leman_builder_free(b);
    const leman_graph one = leman_dataset_graph(data, 0), large = leman_dataset_graph(data, 1);
    for (unsigned k = 1; k <= 3; k++) {
        const leman_coloring c = test_variant(2, k, ROUNDS);
        const lm_arena_mark mark = lm_arena_now(&ctx->scratch);
        uint64_t tuple[COUNT], own[COUNT], colors[(ROUNDS + 1) * COUNT];
        lm_space s;
        for (size_t i = 0; i < COUNT; i++) { /* the same components, in any copy */
            const uint64_t first = test_random(&state) % COPIES * VERTICES;
            tuple[i] = own[i] = 0;
            for (unsigned j = 0; j < k; j++) {
                const uint64_t v = test_random(&state) % VERTICES;
                tuple[i] = tuple[i] * large.vertices + first + v;
                own[i] = own[i] * VERTICES + v;
            }
        }
        assert_int_equal(lm_sample_space(ctx, &large, &c, &s), LEMAN_OK);
        assert_int_equal(lm_sample_colors(ctx, &s, ROUNDS, tuple, COUNT, 1 << 24, NULL, colors), LEMAN_OK);
        for (uint32_t r = 0; r <= ROUNDS; r++) {
            uint64_t *expected = test_tuple_colors(ctx, &one, &c, r);
            for (size_t i = 0; i < COUNT; i++) assert_int_equal(colors[r * COUNT + i], expected[own[i]]);
            free(expected);
        }
        lm_arena_reset(&ctx->scratch, mark);
    }
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* What lies around one tuple does not fit: a sentence. */
static void test_too_little_memory(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    uint64_t state = 3, tuple = 17, colors[ROUNDS + 1];
    leman_dataset *data = test_random_graph(ctx, &state, 60, 30, 0, 0, false);
    leman_graph g = leman_dataset_graph(data, 0);
    leman_coloring c = test_variant(2, 2, ROUNDS);
    lm_space s;
    assert_int_equal(lm_sample_space(ctx, &g, &c, &s), LEMAN_OK);
    assert_int_equal(lm_sample_colors(ctx, &s, ROUNDS, &tuple, 1, 1 << 14, NULL, colors), LEMAN_ERROR_BUDGET);
    assert_non_null(strstr(leman_context_message(ctx), "within 3 steps"));
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* ---- Estimates ------------------------------------------------------------------------------- */

/* Graphs of 20 to 28 vertices with two labels, so that colours are shared in part. */
static leman_dataset *some_data(leman_context *ctx)
{
    uint64_t state = 11;
    leman_columns columns = {.vertex_labels = 1};
    leman_builder *b = NULL;
    leman_dataset *data = NULL;
    assert_int_equal(leman_builder_new(ctx, "graphs", &columns, &b), LEMAN_OK);
    for (size_t g = 0; g < GRAPHS; g++) {
        assert_int_equal(leman_builder_graph(b, NULL, NULL, NULL), LEMAN_OK);
        for (size_t v = 0; v < 20 + 2 * g; v++) {
            int64_t label = (int64_t)(test_random(&state) % (1 + g % 2));
            assert_int_equal(leman_builder_vertex(b, NULL, &label, NULL), LEMAN_OK);
            if (v)
                assert_int_equal(leman_builder_edge(b, v - 1 - test_random(&state) % (v < 3 ? 1 : 3), v, NULL, NULL),
                                 LEMAN_OK);
        }
    }
    assert_int_equal(leman_builder_finish(b, NULL, NULL, &data), LEMAN_OK);
    leman_builder_free(b);
    return data;
}

static double tuples_of(const leman_dataset *data, size_t g, unsigned k)
{
    return pow((double)leman_dataset_graph(data, g).vertices, k);
}

/* The kernel divided by numbers of tuples, or the cosine. */
static void exact(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernel, bool normalize,
                  double *out)
{
    assert_int_equal(leman_gram_compute(ctx, data, NULL, kernel, 1, normalize, out), LEMAN_OK);
    for (size_t i = 0; i < GRAPHS && !normalize; i++)
        for (size_t j = 0; j < GRAPHS; j++)
            out[i * GRAPHS + j] /= tuples_of(data, i, kernel->coloring.k) * tuples_of(data, j, kernel->coloring.k);
}

static void test_whole_graphs_are_exact(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(2);
    leman_dataset *data = some_data(ctx);
    leman_sampling sampling = leman_sampling_default();
    for (unsigned k = 1; k <= 2; k++)
        for (int normalize = 0; normalize < 2; normalize++) {
            leman_kernel kernel = leman_kernel_default();
            double expected[CELLS], found[CELLS], bound[CELLS];
            kernel.coloring.k = k;
            kernel.coloring.rounds = ROUNDS;
            kernel.weight = normalize ? 1 : 2.5;
            exact(ctx, data, &kernel, normalize, expected);
            assert_int_equal(leman_gram_sample(ctx, data, NULL, &kernel, &sampling, normalize, found, bound), LEMAN_OK);
            for (size_t i = 0; i < CELLS; i++) {
                assert_true(fabs(found[i] - expected[i]) <= 1e-14 * (1 + expected[i]));
                assert_true(bound[i] == 0);
            }
        }
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* One graph whole, the others not: the first has 400 pairs. */
static void check_seeds(unsigned k, uint32_t rounds, uint64_t tuples, bool normalize)
{
    leman_context *first = test_context_new(1);
    leman_dataset *data = some_data(first);
    leman_kernel kernel = leman_kernel_default();
    leman_sampling sampling = leman_sampling_default();
    double expected[CELLS], sum[CELLS] = {0}, squares[CELLS] = {0}, worst = 0;
    size_t outside = 0;
    kernel.coloring.k = k;
    kernel.coloring.rounds = rounds;
    sampling.tuples = tuples;
    exact(first, data, &kernel, normalize, expected);
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        leman_context *ctx = seeded(seed, 1);
        double found[CELLS], bound[CELLS];
        bool inside = true;
        assert_int_equal(leman_gram_sample(ctx, data, NULL, &kernel, &sampling, normalize, found, bound), LEMAN_OK);
        for (size_t i = 0; i < CELLS; i++) {
            inside &= fabs(found[i] - expected[i]) <= bound[i] + 1e-12;
            worst = fmax(worst, fabs(found[i] - expected[i]));
            sum[i] += found[i];
            squares[i] += found[i] * found[i];
        }
        outside += !inside;
        leman_context_free(ctx);
    }
    assert_true(outside <= SEEDS / 20); /* with probability 0.95, and the inequality gives away much more */
    assert_true(worst > 0);             /* they are estimates */
    for (size_t i = 0; i < CELLS && !normalize; i++) {
        const double mean = sum[i] / (double)SEEDS, variance = fmax(0, squares[i] / (double)SEEDS - mean * mean);
        assert_true(fabs(mean - expected[i]) <= 5 * sqrt(variance / (double)SEEDS) + 1e-12); /* unbiased */
    }
    leman_dataset_free(data);
    test_context_free(first);
}

static void test_two_hundred_seeds(void **unused)
{
    (void)unused;
    check_seeds(1, 2, 12, false);
    check_seeds(2, 2, 100, false);
    check_seeds(2, 0, 400, false);
    check_seeds(2, 2, 400, true);
    check_seeds(2, 1, 30, true);
}

/* Rows and columns are different data sets, whose graphs draw by themselves; threads change nothing; seeds do. */
static void test_against(void **unused)
{
    (void)unused;
    leman_context *one = seeded(4, 1), *two = seeded(4, 3), *other = seeded(5, 1);
    leman_dataset *data = some_data(one), *some = NULL;
    leman_kernel kernel = leman_kernel_default();
    leman_sampling sampling = leman_sampling_default();
    double expected[CELLS], a[CELLS], b[CELLS], c[CELLS], bound[CELLS];
    static const size_t which[] = {3, 1};
    kernel.coloring.rounds = 2;
    sampling.tuples = 300;
    assert_int_equal(leman_dataset_select(one, data, 2, which, &some), LEMAN_OK);
    exact(one, data, &kernel, false, expected);
    for (int normalize = 0; normalize < 2; normalize++) {
        assert_int_equal(leman_gram_sample(one, some, data, &kernel, &sampling, normalize, a, bound), LEMAN_OK);
        assert_int_equal(leman_gram_sample(two, some, data, &kernel, &sampling, normalize, b, NULL), LEMAN_OK);
        assert_int_equal(leman_gram_sample(other, some, data, &kernel, &sampling, normalize, c, NULL), LEMAN_OK);
        assert_memory_equal(a, b, 2 * GRAPHS * sizeof *a);
        assert_true(memcmp(a, c, 2 * GRAPHS * sizeof *a));
        for (size_t i = 0; i < 2 && !normalize; i++)
            for (size_t j = 0; j < GRAPHS; j++)
                assert_true(fabs(a[i * GRAPHS + j] - expected[which[i] * GRAPHS + j]) <= bound[i * GRAPHS + j]);
    }
    leman_dataset_free(some);
    leman_dataset_free(data);
    leman_context_free(one);
    leman_context_free(two);
    leman_context_free(other);
}

/* Four times as many tuples, half the bound. */
static void test_bound_and_tuples(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    uint64_t state = 8;
    leman_dataset *data = test_random_graph(ctx, &state, 300, 2, 0, 0, false);
    leman_kernel kernel = leman_kernel_default();
    leman_sampling sampling = leman_sampling_default();
    double out, small, large, surer;
    kernel.coloring.rounds = 1;
    sampling.tuples = 1000;
    assert_int_equal(leman_gram_sample(ctx, data, NULL, &kernel, &sampling, false, &out, &large), LEMAN_OK);
    sampling.tuples = 4000;
    assert_int_equal(leman_gram_sample(ctx, data, NULL, &kernel, &sampling, false, &out, &small), LEMAN_OK);
    assert_true(small < 0.6 * large && small > 0.4 * large);
    sampling.confidence = 0.999;
    assert_int_equal(leman_gram_sample(ctx, data, NULL, &kernel, &sampling, false, &out, &surer), LEMAN_OK);
    assert_true(surer > small);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* ---- What can go wrong ----------------------------------------------------------------------- */

static leman_status try_sampling(leman_context *ctx, void *state)
{
    leman_kernel kernel = leman_kernel_default();
    leman_sampling sampling = leman_sampling_default();
    double out[CELLS], bound[CELLS];
    kernel.coloring.rounds = 2;
    sampling.tuples = 50;
    return leman_gram_sample(ctx, state, NULL, &kernel, &sampling, true, out, bound);
}

static void test_each_allocation(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = some_data(ctx);
    assert_true(test_fail_each_allocation(try_sampling, data) > 0);
    leman_dataset_free(data);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_colors_of_single_tuples),
        cmocka_unit_test(test_batches),
        cmocka_unit_test(test_large_graph),
        cmocka_unit_test(test_too_little_memory),
        cmocka_unit_test(test_whole_graphs_are_exact),
        cmocka_unit_test(test_two_hundred_seeds),
        cmocka_unit_test(test_against),
        cmocka_unit_test(test_bound_and_tuples),
        cmocka_unit_test(test_each_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
