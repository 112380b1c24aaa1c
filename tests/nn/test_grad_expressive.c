/*
 * What models can see: with random weights, exactly what the colouring of their variant sees in as many rounds as they
 * have layers. Tuples of one colour have one feature; pairs of graphs are told apart where their colours are.
 */
#include "nn/made.h"
#include "support/graphs.h"
#include "support/random_graphs.h"
#include "support/rounds.h"

/* ---- Tuples of one colour have one feature --------------------------------------------------- */

typedef struct variant {
    leman_network_kind kind;
    leman_algorithm algorithm;
} variant;

static const variant VARIANTS[] = {{LEMAN_NETWORK_KIND_GIN, LEMAN_ALGORITHM_LOCAL},
                                   {LEMAN_NETWORK_KIND_GINE, LEMAN_ALGORITHM_LOCAL},
                                   {LEMAN_NETWORK_KIND_WL, LEMAN_ALGORITHM_WL},
                                   {LEMAN_NETWORK_KIND_LOCAL, LEMAN_ALGORITHM_LOCAL},
                                   {LEMAN_NETWORK_KIND_LOCAL_PLUS, LEMAN_ALGORITHM_LOCAL_PLUS},
                                   {LEMAN_NETWORK_KIND_DELTA, LEMAN_ALGORITHM_DELTA}};
enum { VARIANT_COUNT = sizeof VARIANTS / sizeof *VARIANTS };

static leman_coloring coloring_of(const variant *v, unsigned k, uint32_t rounds)
{
    return (leman_coloring){.size = sizeof(leman_coloring),
                            .algorithm = v->algorithm,
                            .k = v->kind < LEMAN_NETWORK_KIND_WL ? 1 : k,
                            .rounds = rounds,
                            .count_every_round = true};
}

/* Colours of all graphs after a round, one behind the other. */
static uint64_t *colors_of(leman_context *ctx, const leman_dataset *data, const leman_coloring *c, uint32_t round,
                           size_t rows)
{
    uint64_t *color = calloc(rows + 1, sizeof *color);
    size_t first = 0;
    for (size_t i = 0; i < leman_dataset_shape(data)->graphs; i++) {
        const leman_graph g = leman_dataset_graph(data, i);
        if (g.vertices) assert_int_equal(leman_tuple_colors(ctx, &g, c, round, color + first), LEMAN_OK);
        first += g.vertices ? lm_power(g.vertices, c->k) : 0;
    }
    assert_int_equal(first, rows);
    return color;
}

static size_t check_layer(made *m, size_t layer, const uint64_t *color, size_t rows)
{
    const size_t width = m->options.shape.width;
    lm_real *x = made_value(m, m->layer[layer]);
    double scale = 1;
    size_t alike = 0;
    for (size_t i = 0; i < rows * width; i++) scale = fmax(scale, fabs((double)x[i]));
    for (size_t r = 0; r < rows; r++) {
        size_t twin = 0;
        while (color[twin] != color[r]) twin++; /* the first of its colour */
        alike += twin < r;
        for (size_t c = 0; c < width; c++)
            if (!(fabs((double)(x[twin * width + c] - x[r * width + c])) < 1e-10 * scale))
                fail_msg("%s: layer %zu: rows %zu and %zu have one colour and two features",
                         made_text(&m->options.shape), layer + 1, twin, r);
    }
    free(x);
    return alike;
}

/* Returns how many rows shared their colour with another. */
static size_t one_feature(const variant *v, unsigned k, const random_graph_kind *kind, const random_graph *graph,
                          size_t graphs)
{
    enum { LAYERS = 3 };
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = random_graph_dataset(ctx, kind, graph, graphs);
    leman_architecture shape = made_shape(v->kind, k, LEMAN_PRESET_ZINC);
    size_t alike = 0;
    made m;
    shape.layers = LAYERS;
    made_new(&m, ctx, data, shape, graphs, LM_INFER, 5);
    const leman_coloring c = coloring_of(v, k, LAYERS);
    const size_t rows = m.batch.extent.rows[c.k > 1 ? LM_TUPLES : LM_VERTICES];
    made_forward(&m, true);
    for (size_t t = 0; t < LAYERS; t++) {
        uint64_t *color = colors_of(ctx, data, &c, (uint32_t)t + 1, rows);
        alike += check_layer(&m, t, color, rows);
        free(color);
    }
    made_free(&m);
    leman_dataset_free(data);
    test_context_free(ctx);
    return alike;
}

static void test_one_color_one_feature(void **unused)
{
    (void)unused;
    enum { GRAPHS = 3 };
    static random_graph graph[GRAPHS];
    uint64_t state = 3;
    for (size_t i = 0; i < test_cases(24); i++) {
        random_graph_kind kind = random_graph_kind_draw(&state);
        size_t alike = 0;
        if (!kind.vertex_labels) kind.vertex_labels = 2, kind.vertex_columns = 1; /* otherwise gin would see degrees */
        random_graph_draw_family(&state, &kind, i % 2 ? 5 : 8, true, GRAPHS, graph);
        if (!graph[0].n) continue;
        for (size_t v = 0; v < VARIANT_COUNT; v++)
            alike += one_feature(VARIANTS + v, i % 2 ? 3 : 2, &kind, graph, GRAPHS);
        assert_true(alike > 0 || graph[0].n < 3);
    }
}

/* ---- Pairs of graphs ------------------------------------------------------------------------- */

/* How far apart the model sees graphs 0 and 1, relative to its outputs: the maximum over a few drawn weights. Ten
 * passes over the pair move the running statistics, so that the kinks of ReLU lie where the features are, while no
 * variance becomes so small that rounding would be blown up to a difference. */
static double apart(leman_context *ctx, const leman_dataset *pair, leman_network_kind kind, unsigned k, size_t layers)
{
    const bool tuples = kind >= LEMAN_NETWORK_KIND_WL;
    leman_architecture shape = made_shape(kind, k, tuples ? LEMAN_PRESET_ALCHEMY : LEMAN_PRESET_TU);
    double max = 0;
    shape.layers = layers;
    shape.width = 12;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        double difference = 0, scale = 1e-300;
        made m;
        made_new(&m, ctx, pair, shape, 2, LM_INFER, seed);
        made_forward(&m, true);
        for (size_t pass = 1; pass < 10; pass++)
            assert_int_equal(lm_executor_forward(m.run.executor, &m.batch, true, pass), LEMAN_OK);
        assert_int_equal(lm_executor_forward(m.run.executor, &m.batch, false, 0), LEMAN_OK);
        lm_real *x = made_predictions(&m);
        for (size_t o = 0; o < m.options.outputs; o++) {
            difference = fmax(difference, fabs((double)(x[o] - x[m.options.outputs + o])));
            scale = fmax(scale, fabs((double)x[o]));
        }
        max = fmax(max, difference / scale);
        free(x);
        made_free(&m);
    }
    return max;
}

/* The model with `layers` layers must tell the pair apart iff the colouring does in so many rounds. */
static void as_the_coloring(const leman_dataset *pair, const variant *v, unsigned k, uint32_t layers, const char *what)
{
    leman_context *ctx = test_context_new(1);
    const leman_graph a = leman_dataset_graph(pair, 0), b = leman_dataset_graph(pair, 1);
    leman_difference d;
    /* Vertices without labels begin with their degrees, which colour refinement finds in its first round. */
    leman_coloring c = coloring_of(v, k, layers + (v->kind < LEMAN_NETWORK_KIND_WL));
    assert_int_equal(leman_distinguish(ctx, &a, &b, &c, false, &d), LEMAN_OK);
    const double seen = apart(ctx, pair, v->kind, k, layers);
    if (d.distinguished ? !(seen > 1e-7) : !(seen < 1e-10))
        fail_msg("%s: %s with %u layers sees a difference of %g, the colouring sees %s", what,
                 leman_network_kind_name(v->kind), layers, seen, d.distinguished ? "one" : "none");
    test_context_free(ctx);
}

static void every_variant(const leman_dataset *pair, unsigned k, uint32_t max, const char *what)
{
    for (size_t v = 0; v < VARIANT_COUNT; v++)
        for (uint32_t layers = 1; layers <= max; layers++) as_the_coloring(pair, VARIANTS + v, k, layers, what);
}

/* Does the model see a difference with so many layers? */
static bool sees(const leman_dataset *pair, leman_network_kind kind, unsigned k, size_t layers)
{
    leman_context *ctx = test_context_new(1);
    const double seen = apart(ctx, pair, kind, k, layers);
    test_context_free(ctx);
    assert_true(seen > 1e-7 || seen < 1e-10);
    return seen > 1e-7;
}

static void test_cycles(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    leman_family_options o = leman_family_options_default();
    o.vertices = 6; /* one cycle of 6 vertices, two triangles */
    leman_dataset *pair = test_made(ctx, LEMAN_FAMILY_CYCLES, &o);
    assert_int_equal(leman_dataset_graph(pair, 0).vertices, 6);
    assert_false(sees(pair, LEMAN_NETWORK_KIND_GIN, 1, 4));
    assert_false(sees(pair, LEMAN_NETWORK_KIND_GINE, 1, 4));
    assert_false(sees(pair, LEMAN_NETWORK_KIND_WL, 2, 4));
    assert_true(sees(pair, LEMAN_NETWORK_KIND_LOCAL, 2, 4));
    assert_true(sees(pair, LEMAN_NETWORK_KIND_LOCAL_PLUS, 2, 4));
    assert_true(sees(pair, LEMAN_NETWORK_KIND_DELTA, 2, 4));
    assert_true(sees(pair, LEMAN_NETWORK_KIND_WL, 3, 2));
    assert_true(sees(pair, LEMAN_NETWORK_KIND_LOCAL, 3, 2));
    every_variant(pair, 2, 3, "cycles");
    leman_dataset_free(pair);
    test_context_free(ctx);
}

static void test_strongly_regular(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    leman_dataset *pair = test_made(ctx, LEMAN_FAMILY_ROOK_SHRIKHANDE, NULL);
    for (int kind = LEMAN_NETWORK_KIND_GIN0; kind <= LEMAN_NETWORK_KIND_DELTA; kind++)
        assert_false(sees(pair, (leman_network_kind)kind, 2, 3));
    assert_true(sees(pair, LEMAN_NETWORK_KIND_LOCAL, 3, 1));
    leman_dataset_free(pair);
    test_context_free(ctx);
}

static void test_cfi(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    leman_family_options o = leman_family_options_default();
    o.k = 2;
    leman_dataset *pair = test_made(ctx, LEMAN_FAMILY_CFI, &o);
    every_variant(pair, 2, 5, "cfi");
    assert_false(sees(pair, LEMAN_NETWORK_KIND_WL, 2, 5));
    assert_true(sees(pair, LEMAN_NETWORK_KIND_LOCAL, 2, 5));
    assert_true(sees(pair, LEMAN_NETWORK_KIND_DELTA, 2, 5));
    leman_dataset_free(pair);
    test_context_free(ctx);
}

/*
 * Where # helps: two 4-regular multigraphs on 4 + 4 vertices, given by how many edges join each left vertex with each
 * right one, every edge divided by a vertex of its own. Both have four double edges; in the first one vertex has two
 * of them, in the second every vertex has one. Two layers of local see which edges are double, but not which of them
 * meet; # of the pairs "joined by exactly two paths" says at once how many double edges a vertex has.
 */
static leman_dataset *divided_multigraphs(leman_context *ctx)
{
    static const unsigned edges[2][4][4] = {{{2, 2, 0, 0}, {1, 1, 1, 1}, {1, 0, 2, 1}, {0, 1, 1, 2}},
                                            {{2, 1, 1, 0}, {0, 2, 1, 1}, {1, 0, 2, 1}, {1, 1, 0, 2}}};
    leman_columns columns = {0};
    leman_builder *builder = NULL;
    leman_dataset *data = NULL;
    assert_int_equal(leman_builder_new(ctx, "divided", &columns, &builder), LEMAN_OK);
    for (size_t g = 0; g < 2; g++) {
        size_t n = 8;
        assert_int_equal(leman_builder_graph(builder, NULL, NULL, NULL), LEMAN_OK);
        for (size_t v = 0; v < 8 + 16; v++) assert_int_equal(leman_builder_vertex(builder, NULL, NULL, NULL), LEMAN_OK);
        for (size_t i = 0; i < 4; i++)
            for (size_t j = 0; j < 4; j++)
                for (unsigned e = 0; e < edges[g][i][j]; e++, n++) {
                    assert_int_equal(leman_builder_edge(builder, i, n, NULL, NULL), LEMAN_OK);
                    assert_int_equal(leman_builder_edge(builder, 4 + j, n, NULL, NULL), LEMAN_OK);
                }
        assert_int_equal(n, 24);
    }
    assert_int_equal(leman_builder_finish(builder, NULL, NULL, &data), LEMAN_OK);
    leman_builder_free(builder);
    return data;
}

static void test_where_counts_help(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    leman_dataset *pair = divided_multigraphs(ctx);
    assert_false(sees(pair, LEMAN_NETWORK_KIND_LOCAL, 2, 2));
    assert_true(sees(pair, LEMAN_NETWORK_KIND_LOCAL_PLUS, 2, 2));
    assert_true(sees(pair, LEMAN_NETWORK_KIND_DELTA, 2, 2));
    assert_true(sees(pair, LEMAN_NETWORK_KIND_LOCAL, 2, 3));
    every_variant(pair, 2, 3, "divided multigraphs");
    leman_dataset_free(pair);
    test_context_free(ctx);
}

static void test_random_pairs(void **unused)
{
    (void)unused;
    uint64_t state = 13;
    leman_context *ctx = test_context_new(1);
    for (size_t i = 0; i < test_cases(12); i++) {
        static random_graph graph[2];
        random_graph_kind kind = {0};
        random_graph_draw(&state, &kind, 4 + i % 4, i % 2, graph);
        graph[1] = graph[0];
        random_graph_toggle(&kind, graph + 1, 0, 1);
        random_graph_toggle(&kind, graph + 1, 1, 2);
        leman_dataset *pair = random_graph_dataset(ctx, &kind, graph, 2);
        every_variant(pair, i % 3 ? 2 : 3, 2, "random");
        leman_dataset_free(pair);
    }
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_color_one_feature), cmocka_unit_test(test_cycles),
        cmocka_unit_test(test_strongly_regular),      cmocka_unit_test(test_cfi),
        cmocka_unit_test(test_where_counts_help),     cmocka_unit_test(test_random_pairs),
    };
    const int missing = check_without_device();
    return missing ? missing : cmocka_run_group_tests_name("expressive", tests, NULL, NULL);
}
