/* Discriminative colours: counts and effects against histograms computed one by one, examples that carry the colour,
 * planted patterns, what a colour is listed for. */
#include "learn/model/discriminative.h"
#include "support/graphs.h"
#include <math.h>

enum { GRAPHS = 60 };

static void near(double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance)) fail_msg("found %.17g, expected %.17g", a, b);
}

/* Paths of random length; those of class 1 end in a triangle. Every seventh graph has no vertices. */
static leman_dataset *planted(leman_context *ctx, size_t classes)
{
    leman_columns columns = {.classes = true};
    leman_builder *b = NULL;
    leman_dataset *data = NULL;
    uint64_t state = 12;
    assert_int_equal(leman_builder_new(ctx, "planted", &columns, &b), LEMAN_OK);
    for (size_t g = 0; g < GRAPHS; g++) {
        int64_t label = (int64_t)(g % classes) * 10;
        size_t n = g % 7 == 6 ? 0 : 4 + test_random(&state) % 12;
        assert_int_equal(leman_builder_graph(b, NULL, &label, NULL), LEMAN_OK);
        for (size_t v = 0; v < n; v++) assert_int_equal(leman_builder_vertex(b, NULL, NULL, NULL), LEMAN_OK);
        for (size_t v = 1; v < n; v++) assert_int_equal(leman_builder_edge(b, v - 1, v, NULL, NULL), LEMAN_OK);
        for (size_t c = 0; n && c < g % classes; c++) /* chords: as many as the number of the class */
            assert_int_equal(leman_builder_edge(b, c, c + 2, NULL, NULL), LEMAN_OK);
    }
    assert_int_equal(leman_builder_finish(b, NULL, NULL, &data), LEMAN_OK);
    leman_builder_free(b);
    return data;
}

static bool shows(leman_context *ctx, const leman_dataset *data, size_t g, const leman_coloring *coloring,
                  const lm_discriminative_color *c)
{
    leman_graph graph = leman_dataset_graph(data, g);
    leman_histogram *h = NULL;
    bool found = false;
    assert_int_equal(leman_histogram_compute(ctx, &graph, coloring, &h), LEMAN_OK);
    for (uint64_t i = h->start[c->round]; i < h->start[c->round + 1]; i++) found |= h->color[i].color == c->key;
    leman_histogram_free(h);
    return found;
}

/* The correlation of two columns of zeros and ones, graph by graph: what phi is. */
static double correlation(const bool *has, const bool *is, size_t count)
{
    double x = 0, y = 0, xy = 0, n = (double)count;
    for (size_t g = 0; g < count; g++) x += has[g], y += is[g], xy += has[g] && is[g];
    return (xy / n - x / n * (y / n)) / sqrt(x / n * (1 - x / n) * (y / n) * (1 - y / n));
}

static void check_color(leman_context *ctx, const leman_dataset *data, const lm_classes *classes,
                        const leman_coloring *given, const lm_discriminative *t, size_t i)
{
    const lm_discriminative_color *c = t->color + i;
    leman_coloring coloring = *given;
    uint32_t count[8] = {0}, size[8] = {0}, all = 0;
    bool has[GRAPHS], is[GRAPHS];
    if (c->unlabelled) coloring.ignore_vertex_labels = coloring.ignore_edge_labels = true;
    for (size_t g = 0; g < GRAPHS; g++) {
        has[g] = shows(ctx, data, g, &coloring, c);
        is[g] = classes->number[g] == c->class_id;
        size[classes->number[g]]++;
        if (has[g]) count[classes->number[g]]++, all++;
    }
    for (size_t k = 0; k < classes->count; k++) {
        assert_int_equal(count[k], t->shown[i * classes->count + k]);
        if (k != c->class_id) /* a larger share than in every other class */
            assert_true(count[c->class_id] * size[k] > count[k] * size[c->class_id]);
    }
    assert_int_equal(all, c->shown);
    assert_true(all >= t->min);
    near(c->effect, correlation(has, is, GRAPHS), 1e-9);
    if (i && c[-1].class_id == c->class_id) assert_true(c[-1].effect >= c->effect);
    if (c->example == UINT32_MAX) return;
    assert_true(has[c->example]);
    assert_int_equal(classes->number[c->example], c->class_id);
    assert_true(leman_dataset_graph(data, c->example).vertices <= LM_DISCRIMINATIVE_VERTICES);
}

/* No two colours of a class are in the same graphs. */
static void check_different(leman_context *ctx, const leman_dataset *data, const leman_coloring *coloring,
                            const lm_discriminative *t)
{
    for (size_t i = 1; i < t->count; i++)
        for (size_t j = 0; j < i; j++) {
            size_t differ = 0;
            if (t->color[i].class_id != t->color[j].class_id) continue;
            for (size_t g = 0; g < GRAPHS; g++)
                differ += shows(ctx, data, g, coloring, t->color + i) != shows(ctx, data, g, coloring, t->color + j);
            assert_true(differ > 0);
        }
}

static void test_counts_and_examples(void **unused)
{
    (void)unused;
    static const leman_algorithm ALL[] = {LEMAN_ALGORITHM_WL, LEMAN_ALGORITHM_DELTA, LEMAN_ALGORITHM_LOCAL,
                                          LEMAN_ALGORITHM_LOCAL_PLUS};
    leman_context *ctx = test_context_new(2);
    for (size_t classes = 2; classes <= 4; classes++) {
        leman_dataset *data = planted(ctx, classes);
        lm_classes numbers = {0};
        assert_int_equal(lm_classes_compute(ctx, data, &numbers), LEMAN_OK);
        for (size_t a = 0; a < 4; a++)
            for (unsigned k = 1; k <= 2; k++) {
                leman_kernel kernel = leman_kernel_default();
                lm_discriminative t = {0};
                kernel.coloring.algorithm = ALL[a];
                kernel.coloring.k = k;
                kernel.coloring.rounds = 2;
                assert_int_equal(lm_discriminative_compute(ctx, data, &numbers, &kernel, 1, 2, &t), LEMAN_OK);
                assert_true(t.count >= classes && t.count <= LM_DISCRIMINATIVE_COLORS);
                const leman_coloring coloring = kernel.coloring;
                for (size_t i = 0; i < t.count; i++) check_color(ctx, data, &numbers, &coloring, &t, i);
                check_different(ctx, data, &coloring, &t);
                lm_discriminative_free(&t);
            }
        lm_classes_free(&numbers);
        leman_dataset_free(data);
    }
    test_context_free(ctx);
}

/* What sets class 1 apart is a triangle: its first colour is shown by most of its graphs and by no other. */
static void test_planted(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = planted(ctx, 2);
    leman_kernel kernel = leman_kernel_default();
    lm_classes classes = {0};
    lm_discriminative t = {0};
    size_t own = 0;
    assert_int_equal(lm_classes_compute(ctx, data, &classes), LEMAN_OK);
    assert_int_equal(lm_discriminative_compute(ctx, data, &classes, &kernel, 1, 1, &t), LEMAN_OK);
    for (size_t g = 0; g < GRAPHS; g++) own += classes.number[g] == 1 && leman_dataset_graph(data, g).vertices;
    size_t first = 0;
    while (first < t.count && t.color[first].class_id != 1) first++;
    assert_true(first < t.count);
    assert_int_equal(t.shown[first * 2], 0);
    assert_true(2 * t.shown[first * 2 + 1] > own);
    lm_discriminative_free(&t);
    lm_classes_free(&classes);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* How many of the tuples of this colour are in the graph, and how many of them in its core: the two rings, which are
 * vertices 0 to 9 (docs/generators.md). */
static void count_tuples(leman_context *ctx, const leman_graph *graph, const leman_coloring *coloring,
                         const lm_discriminative_color *c, size_t *all, size_t *core)
{
    enum { MAX = 40, CORE = 10 };
    uint64_t color[MAX * MAX];
    size_t n = graph->vertices;
    assert_true(n <= MAX);
    assert_int_equal(leman_tuple_colors(ctx, graph, coloring, c->round, color), LEMAN_OK);
    *all = *core = 0;
    for (size_t t = 0; t < n * n; t++)
        if (color[t] == c->key) {
            ++*all;
            *core += t / n < CORE && t % n < CORE;
        }
}

/* The best colour of a class of molecules marks pairs of the planted rings, in the example and in nearly all others. */
static void check_molecules(leman_context *ctx, const leman_dataset *data, const lm_classes *classes,
                            const leman_kernel *kernel, const lm_discriminative_color *c)
{
    leman_coloring coloring = kernel->coloring;
    size_t tuples = 0, inside = 0, all, core;
    if (c->unlabelled) coloring.ignore_vertex_labels = coloring.ignore_edge_labels = true;
    for (size_t g = 0; g < classes->count * 100; g++) {
        leman_graph graph = leman_dataset_graph(data, g);
        assert_int_equal(test_joined(&graph, 2, 8), classes->number[g] == 1); /* fused: what is planted */
        if (classes->number[g] != c->class_id) continue;
        count_tuples(ctx, &graph, &coloring, c, &all, &core);
        tuples += all;
        inside += core;
        if (g == c->example) assert_true(all > 0 && core == all);
    }
    assert_true(tuples > 0 && 10 * inside >= 9 * tuples);
    assert_true(c->example != UINT32_MAX);
}

static void test_molecules(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(2);
    for (uint64_t seed = 0; seed < 4; seed++) {
        leman_family_options options = leman_family_options_default();
        leman_kernel kernel = leman_kernel_default();
        lm_classes classes = {0};
        lm_discriminative t = {0};
        options.seed = seed;
        options.graphs = 200;
        leman_dataset *data = test_made(ctx, LEMAN_FAMILY_MOLECULES, &options);
        kernel.coloring.k = 2;
        kernel.coloring.rounds = 3;
        assert_int_equal(lm_classes_compute(ctx, data, &classes), LEMAN_OK);
        assert_int_equal(lm_discriminative_compute(ctx, data, &classes, &kernel, 1, 3, &t), LEMAN_OK);
        assert_int_equal(t.count, 6);
        for (size_t i = 0; i < t.count; i += 3) {
            assert_int_equal(t.color[i].class_id, i / 3);
            check_molecules(ctx, data, &classes, &kernel, t.color + i);
        }
        lm_discriminative_free(&t);
        lm_classes_free(&classes);
        leman_dataset_free(data);
    }
    test_context_free(ctx);
}

static void test_one_class(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = planted(ctx, 1);
    leman_kernel kernel = leman_kernel_default();
    lm_classes classes = {0};
    lm_discriminative t = {0};
    assert_int_equal(lm_classes_compute(ctx, data, &classes), LEMAN_OK);
    assert_int_equal(lm_discriminative_compute(ctx, data, &classes, &kernel, 1, 1, &t), LEMAN_OK);
    assert_int_equal(t.count, 0);
    lm_discriminative_free(&t);
    kernel.assignment = true;
    lm_classes_free(&classes);
    leman_dataset_free(data);
    data = planted(ctx, 2);
    assert_int_equal(lm_classes_compute(ctx, data, &classes), LEMAN_OK);
    assert_int_not_equal(lm_discriminative_compute(ctx, data, &classes, &kernel, 1, 1, &t), LEMAN_OK);
    lm_classes_free(&classes);
    leman_dataset_free(data);
    test_context_free(ctx);
}

typedef struct given {
    const leman_dataset *data;
    const lm_classes *classes;
} given;

static leman_status compute(leman_context *ctx, void *state)
{
    const given *g = state;
    leman_kernel kernel = leman_kernel_default();
    lm_discriminative t = {0};
    leman_status st = lm_discriminative_compute(ctx, g->data, g->classes, &kernel, 1, 1, &t);
    lm_discriminative_free(&t);
    return st;
}

static void test_allocations(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = planted(ctx, 2);
    lm_classes classes = {0};
    assert_int_equal(lm_classes_compute(ctx, data, &classes), LEMAN_OK);
    given g = {data, &classes};
    assert_true(test_fail_each_allocation(compute, &g) > 5);
    lm_classes_free(&classes);
    leman_dataset_free(data);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_counts_and_examples), cmocka_unit_test(test_planted),
                                       cmocka_unit_test(test_molecules), cmocka_unit_test(test_one_class),
                                       cmocka_unit_test(test_allocations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
