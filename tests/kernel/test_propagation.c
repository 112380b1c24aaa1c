/* The propagation kernel against its definition with whole matrices, and under other orders, threads and failures. */
#include "kernel/counts/directions.h"
#include "support/support.h"
#include <math.h>
#include <string.h>

enum { GRAPHS = 6, MAX = 9, LABELS = 4, COLUMNS = 3, ROUNDS = 3 };

/* Random numbers of a caller. */
typedef struct numbers {
    int64_t label[LABELS];
    double direction[(ROUNDS + 1) * LABELS], offset[(ROUNDS + 1) * LABELS];
    leman_projections projections;
} numbers;

/* A number from -1 to 1; sums of such numbers are never at the border of a bin. */
static double draw(uint64_t *random)
{
    return (double)(test_random(random) >> 11) * 0x1p-52 - 1;
}

static void draw_numbers(uint64_t *random, bool labels, bool separate, numbers *out)
{
    for (size_t i = 0; i < LABELS; i++) out->label[i] = 10 * (int64_t)i - 5;
    for (size_t i = 0; i < (ROUNDS + 1) * LABELS; i++) {
        out->direction[i] = draw(random);
        out->offset[i] = draw(random);
    }
    out->projections = leman_projections_default();
    out->projections.columns = labels ? LABELS : COLUMNS;
    out->projections.label = labels ? out->label : NULL;
    out->projections.direction = out->direction;
    out->projections.offset = out->offset;
    out->projections.separate = separate;
}

/* Graphs with one label column and three attributes; some vertices have no edges. */
static leman_dataset *any_set(leman_context *ctx, uint64_t *random, bool directed)
{
    const leman_columns columns = {.vertex_labels = 1, .vertex_attributes = COLUMNS, .edge_attributes = 1};
    leman_builder *b = NULL;
    leman_dataset *data = NULL;
    leman_policy policy = leman_policy_default();
    policy.directed = directed;
    policy.self_loops = LEMAN_ACTION_KEEP;
    assert_int_equal(leman_builder_new(ctx, "any", &columns, &b), LEMAN_OK);
    for (size_t i = 0; i < GRAPHS; i++) {
        const size_t n = test_random(random) % (MAX + 1);
        assert_int_equal(leman_builder_graph(b, NULL, NULL, NULL), LEMAN_OK);
        for (size_t v = 0; v < n; v++) {
            const int64_t label = 10 * (int64_t)(test_random(random) % LABELS) - 5;
            const double attribute[COLUMNS] = {draw(random), draw(random), draw(random)};
            assert_int_equal(leman_builder_vertex(b, NULL, &label, attribute), LEMAN_OK);
        }
        for (size_t u = 0; u < n; u++)
            for (size_t v = 0; v <= u; v++) {
                const double weight = 1 + (double)(test_random(random) % 4);
                if (test_random(random) % 3) continue;
                assert_int_equal(leman_builder_edge(b, u, v, NULL, &weight), LEMAN_OK);
                if (!directed) assert_int_equal(leman_builder_edge(b, v, u, NULL, &weight), LEMAN_OK);
            }
    }
    assert_int_equal(leman_builder_finish(b, &policy, NULL, &data), LEMAN_OK);
    leman_builder_free(b);
    return data;
}

/* ---- The definition -------------------------------------------------------------------------- */

/* The bins of every vertex in every round: [graph][vertex][round][column]; column 0 alone unless bins are separate. */
static double bin[GRAPHS][MAX][ROUNDS + 1][LABELS];

static void define_graph(const leman_graph *g, const leman_kernel *kernel, double (*out)[ROUNDS + 1][LABELS])
{
    const leman_projections *p = kernel->projections;
    const size_t n = g->vertices, columns = p->columns;
    double x[MAX][LABELS] = {{0}}, next[MAX][LABELS], transition[MAX][MAX] = {{0}};
    for (size_t v = 0; v < n; v++) {
        double sum = 0;
        for (uint64_t e = g->start[v]; e < g->start[v + 1]; e++) {
            transition[v][g->head[e]] = kernel->weighted ? g->edge_attribute[e] : 1;
            sum += transition[v][g->head[e]];
        }
        for (size_t w = 0; w < n && sum > 0; w++) transition[v][w] /= sum;
        for (size_t c = 0; c < columns; c++)
            x[v][c] = p->label ? g->vertex_label[v] == p->label[c] : g->vertex_attribute[v * COLUMNS + c];
    }
    for (size_t round = 0; round <= ROUNDS; round++) {
        for (size_t v = 0; v < n; v++) {
            double sum = 0;
            for (size_t c = 0; c < columns; c++) {
                const double value = p->label && kernel->hellinger ? sqrt(x[v][c]) : x[v][c];
                sum += value * p->direction[round * columns + c];
                if (p->separate)
                    out[v][round][c] =
                        floor((x[v][c] * p->direction[round * columns + c] + p->offset[round * columns + c]) /
                              kernel->bin_width);
            }
            if (!p->separate)
                out[v][round][0] =
                    floor((sum + p->offset[round]) / (p->label ? kernel->label_width : kernel->bin_width));
        }
        memset(next, 0, sizeof next);
        for (size_t v = 0; v < n; v++)
            for (size_t w = 0; w < n; w++)
                for (size_t c = 0; c < columns; c++) next[v][c] += transition[v][w] * x[w][c];
        memcpy(x, next, sizeof x);
    }
}

/* The number of pairs of equal vertices, over all rounds up to `rounds`. */
static double defined(const leman_dataset *data, size_t a, size_t b, size_t rounds, size_t columns)
{
    const size_t n = leman_dataset_graph(data, a).vertices, m = leman_dataset_graph(data, b).vertices;
    double pairs = 0;
    for (size_t r = 0; r <= rounds; r++)
        for (size_t u = 0; u < n; u++)
            for (size_t v = 0; v < m; v++) pairs += !memcmp(bin[a][u][r], bin[b][v][r], columns * sizeof(double));
    return pairs;
}

static void test_definition(void **unused)
{
    (void)unused;
    uint64_t random = 1;
    for (size_t i = 0; i < test_cases(300); i++) {
        leman_context *ctx = test_context_new(1 + i % 2);
        leman_dataset *data = any_set(ctx, &random, i % 2);
        numbers own;
        const bool labels = i % 3 == 0, separate = i % 3 == 1;
        draw_numbers(&random, labels, separate, &own);
        leman_kernel kernel = leman_kernel_default();
        kernel.kind = LEMAN_KERNEL_KIND_PROPAGATION;
        kernel.coloring.rounds = ROUNDS;
        kernel.weighted = i / 3 % 2;
        kernel.hellinger = i / 6 % 2;
        kernel.binnings = !labels;
        kernel.label_width = kernel.bin_width = 0.1 + 0.2 * (double)(test_random(&random) % 4);
        kernel.projections = &own.projections;
        double gram[ROUNDS + 1][GRAPHS * GRAPHS], *out[ROUNDS + 1];
        for (size_t h = 0; h <= ROUNDS; h++) out[h] = gram[h];
        for (size_t g = 0; g < GRAPHS; g++) {
            const leman_graph view = leman_dataset_graph(data, g);
            define_graph(&view, &kernel, bin[g]);
        }
        for (size_t g = 0; g < GRAPHS; g++) /* -0 and 0 are one bin */
            for (size_t j = 0; j < MAX * (ROUNDS + 1) * LABELS; j++) (&bin[g][0][0][0])[j] += 0.0;
        if (leman_gram_rounds(ctx, data, NULL, &kernel, false, out)) fail_msg("%s", leman_context_message(ctx));
        for (size_t h = 0; h <= ROUNDS; h++)
            for (size_t g = 0; g < GRAPHS * GRAPHS; g++)
                if (gram[h][g] != defined(data, g / GRAPHS, g % GRAPHS, h, separate ? COLUMNS : 1))
                    fail_msg("case %zu, round %zu, graphs %zu and %zu: found %g, expected %g", i, h, g / GRAPHS,
                             g % GRAPHS, gram[h][g], defined(data, g / GRAPHS, g % GRAPHS, h, separate ? COLUMNS : 1));
        leman_dataset_free(data);
        test_context_free(ctx);
    }
}

/* ---- Numbers of the seed --------------------------------------------------------------------- */

/* A label's direction depends on the seed, the round and the label alone: projections with these numbers give the
 * matrix that the seed gives. */
static void test_seed(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    uint64_t random = 2;
    double first[GRAPHS * GRAPHS], second[GRAPHS * GRAPHS];
    size_t different = 0;
    for (size_t i = 0; i < test_cases(30); i++) {
        leman_dataset *data = any_set(ctx, &random, false);
        numbers own;
        draw_numbers(&random, false, false, &own);
        leman_kernel kernel = leman_kernel_default(), given;
        kernel.kind = LEMAN_KERNEL_KIND_PROPAGATION;
        kernel.coloring.rounds = ROUNDS;
        kernel.coloring.ignore_vertex_labels = true;
        kernel.binnings = 1;
        kernel.bin_width = 0.5;
        kernel.hash_seed = i;
        given = kernel;
        given.projections = &own.projections;
        for (size_t r = 0; r <= ROUNDS; r++) {
            const uint64_t key = lm_direction_key(i + 1, 0, r);
            own.offset[r] = lm_direction_offset(key, 0.5);
            for (size_t c = 0; c < COLUMNS; c++) own.direction[r * COLUMNS + c] = lm_direction(key, c, false);
        }
        assert_int_equal(leman_gram_compute(ctx, data, NULL, &kernel, 1, false, first), LEMAN_OK);
        assert_int_equal(leman_gram_compute(ctx, data, NULL, &given, 1, false, second), LEMAN_OK);
        assert_memory_equal(first, second, sizeof first);
        kernel.hash_seed = i + 1000;
        assert_int_equal(leman_gram_compute(ctx, data, NULL, &kernel, 1, false, second), LEMAN_OK);
        different += memcmp(first, second, sizeof first) != 0;
        leman_dataset_free(data);
    }
    assert_true(different > test_cases(30) / 3);
    test_context_free(ctx);
}

/* The directions are normal, or Cauchy: half of the numbers of a Cauchy distribution are between -1 and 1. */
static void test_directions(void **unused)
{
    (void)unused;
    enum { COUNT = 100000 };
    double sum = 0, squares = 0, inside = 0, below = 0;
    for (uint64_t i = 0; i < COUNT; i++) {
        const double normal = lm_direction(7, i, false), cauchy = lm_direction(8, i, true);
        sum += normal / COUNT;
        squares += normal * normal / COUNT;
        inside += (cauchy > -1 && cauchy < 1) / (double)COUNT;
        below += (cauchy < 0) / (double)COUNT;
    }
    assert_true(fabs(sum) < 0.02 && fabs(squares - 1) < 0.03);
    assert_true(fabs(inside - 0.5) < 0.01 && fabs(below - 0.5) < 0.01);
    assert_true(lm_bin(-0.0, 1) == lm_bin(0.5, 1) && lm_bin(-0.5, 1) != lm_bin(0.5, 1) &&
                lm_bin(2.5, 0.5) == lm_bin(2.9, 0.5));
}

/* ---- Refusals and memory --------------------------------------------------------------------- */

static void assert_refused(leman_context *ctx, const leman_dataset *data, leman_kernel kernel, const char *words)
{
    double out[GRAPHS * GRAPHS];
    assert_int_not_equal(leman_gram_compute(ctx, data, NULL, &kernel, 1, false, out), LEMAN_OK);
    if (!strstr(leman_context_message(ctx), words)) fail_msg("%s", leman_context_message(ctx));
}

static void test_refusals(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    uint64_t random = 3;
    leman_dataset *data = any_set(ctx, &random, false), *bare = NULL;
    numbers own;
    draw_numbers(&random, true, false, &own);
    leman_kernel good = leman_kernel_default(), bad;
    good.kind = LEMAN_KERNEL_KIND_PROPAGATION;
    good.coloring.rounds = ROUNDS;
    bad = good, bad.coloring.rounds = LEMAN_STABLE;
    assert_refused(ctx, data, bad, "LEMAN_STABLE");
    bad = good, bad.label_width = 0;
    assert_refused(ctx, data, bad, "bin width of labels");
    bad = good, bad.bin_width = NAN;
    assert_refused(ctx, data, bad, "bin width");
    bad = good, bad.binnings = 100000;
    assert_refused(ctx, data, bad, "binnings");
    bad = good, bad.projections = &own.projections, bad.binnings = 1;
    assert_refused(ctx, data, bad, "projections");
    bad = good, bad.projections = &own.projections, own.projections.columns = 1;
    assert_refused(ctx, data, bad, "that has a projection");
    assert_int_equal(leman_dataset_keep(ctx, data, &(leman_columns){0}, &bare), LEMAN_OK);
    assert_refused(ctx, bare, bad, "columns of vertex labels");
    bad = good, bad.binnings = 1;
    assert_refused(ctx, bare, bad, "no vertex attributes");
    bad = good, bad.weighted = true;
    assert_refused(ctx, bare, bad, "no edge attributes");
    leman_dataset_free(bare);
    leman_dataset_free(data);
    test_context_free(ctx);
}

static leman_status body(leman_context *ctx, void *state)
{
    leman_kernel kernel = leman_kernel_default();
    double out[GRAPHS * GRAPHS];
    kernel.kind = LEMAN_KERNEL_KIND_PROPAGATION;
    kernel.coloring.rounds = ROUNDS;
    kernel.binnings = 2;
    kernel.hellinger = true;
    return leman_gram_compute(ctx, state, NULL, &kernel, 1, false, out);
}

static void test_memory(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    uint64_t random = 4;
    leman_dataset *data = any_set(ctx, &random, false);
    assert_true(test_fail_each_allocation(body, data) > 3);
    leman_dataset_free(data);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_definition), cmocka_unit_test(test_seed),   cmocka_unit_test(test_directions),
        cmocka_unit_test(test_refusals),   cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
