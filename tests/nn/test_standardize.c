/*
 * Attributes beside types: means and deviations against their definition, every real of a batch against the attribute
 * that it stands for, what is refused, and the scale in files.
 */
#include "graph/dataset.h"
#include "nn/made.h"
#include "nn/network.h"
#include "support/support.h"
#include <math.h>

enum { VERTEX = 5, EDGE = 1, COLUMNS = VERTEX + EDGE };
static const uint32_t TRAINING[] = {4, 0, 2}; /* as in made.h */

/* ---- The definition -------------------------------------------------------------------------- */

typedef struct scale {
    long double mean[COLUMNS], deviation[COLUMNS];
} scale;

/* Collects the values of a column, and computes mean and deviation of the sample. */
static scale scale_of(const leman_dataset *data, const uint32_t *which, size_t count)
{
    scale s;
    static double value[1000];
    for (size_t c = 0; c < COLUMNS; c++) {
        size_t values = 0;
        long double sum = 0, square = 0;
        for (size_t i = 0; i < count; i++) {
            const leman_graph g = leman_dataset_graph(data, which[i]);
            for (size_t v = 0; v < g.vertices && c < VERTEX; v++) value[values++] = g.vertex_attribute[v * VERTEX + c];
            for (uint64_t a = g.start[0]; a < g.start[g.vertices] && c >= VERTEX; a++)
                value[values++] = g.edge_attribute[a];
        }
        for (size_t i = 0; i < values; i++) sum += (long double)value[i];
        s.mean[c] = sum / (long double)values;
        for (size_t i = 0; i < values; i++)
            square += ((long double)value[i] - s.mean[c]) * ((long double)value[i] - s.mean[c]);
        s.deviation[c] = sqrtl(square / (long double)(values - 1));
    }
    return s;
}

static void near(long double expected, double found)
{
    const double difference = fabs((double)expected - found);
    if (!(difference <= 1e-6 * fmax(1, fabs((double)expected))))
        fail_msg("found %.15g, expected %.15Lg", found, expected);
}

static long double scaled(const scale *s, size_t column, double value)
{
    return s ? ((long double)value - s->mean[column]) / s->deviation[column] : (long double)value;
}

/* The attribute of the edge from u to w; 0 if there is none. */
static long double edge_of(const scale *s, const leman_graph *g, size_t u, size_t w)
{
    for (uint64_t a = g->start[u]; a < g->start[u + 1]; a++)
        if (g->head[a] == w && u != w) return scaled(s, VERTEX, g->edge_attribute[a]);
    return 0;
}

/* ---- Batches --------------------------------------------------------------------------------- */

static void check_vertices(const made *m, const scale *s)
{
    const size_t width = m->batch.vertex_attributes;
    size_t row = 0;
    for (size_t i = 0; i < MADE_GRAPHS; i++) {
        const leman_graph g = leman_dataset_graph(m->data, i);
        for (size_t v = 0; v < g.vertices; v++, row++)
            for (size_t c = 0; c < VERTEX; c++)
                near(scaled(s, c, g.vertex_attribute[v * VERTEX + c]),
                     (double)m->batch.vertex_attribute[row * width + width - VERTEX + c]);
    }
    assert_int_equal(row, m->batch.extent.rows[LM_VERTICES]);
}

static void check_arcs(const made *m, const scale *s)
{
    size_t arc = 0;
    for (size_t i = 0; i < MADE_GRAPHS; i++) {
        const leman_graph g = leman_dataset_graph(m->data, i);
        for (size_t u = 0; u < g.vertices; u++)
            for (uint64_t a = g.start[u]; a < g.start[u + 1]; a++, arc++)
                near(edge_of(s, &g, u, g.head[a]), (double)m->batch.arc_attribute[arc]);
    }
    assert_int_equal(arc, m->batch.extent.rows[LM_ARCS]);
}

static void check_tuples(const made *m, const scale *s)
{
    const size_t k = m->options.shape.k, pairs = k * (k - 1) / 2;
    size_t row = 0;
    assert_int_equal(m->batch.tuple_attributes, pairs);
    for (size_t i = 0; i < MADE_GRAPHS; i++) {
        const leman_graph g = leman_dataset_graph(m->data, i);
        const size_t n = g.vertices;
        for (size_t t = 0; t < lm_power(n, (unsigned)k); t++, row++) {
            const size_t v[3] = {k == 3 ? t / n / n : t / n, k == 3 ? t / n % n : t % n, t % n};
            const lm_real *found = m->batch.tuple_attribute + row * pairs;
            near(edge_of(s, &g, v[0], v[1]), (double)found[0]);
            if (k == 2) continue;
            near(edge_of(s, &g, v[0], v[2]), (double)found[1]);
            near(edge_of(s, &g, v[1], v[2]), (double)found[2]);
        }
    }
    assert_int_equal(row, m->batch.extent.rows[LM_TUPLES]);
}

/* The attribute of an edge is the last channel of edges, those of vertices are the last channels on the diagonal. */
static void check_matrix(const made *m, const scale *s)
{
    const size_t width = m->batch.tuple_attributes, labels = 3, edge = width - VERTEX - labels - EDGE;
    const lm_real *row = m->batch.tuple_attribute;
    assert_int_equal(width, 2 + 2 + EDGE + labels + VERTEX);
    for (size_t i = 0; i < MADE_GRAPHS; i++) {
        const leman_graph g = leman_dataset_graph(m->data, i);
        for (size_t t = 0; t < (size_t)g.vertices * g.vertices; t++, row += width) {
            const size_t u = t / g.vertices, w = t % g.vertices;
            near(edge_of(s, &g, u, w), (double)row[edge]);
            for (size_t c = 0; c < VERTEX; c++)
                near(u == w ? scaled(s, c, g.vertex_attribute[u * VERTEX + c]) : 0, (double)row[width - VERTEX + c]);
        }
    }
}

static void test_batches(void **unused)
{
    (void)unused;
    for (int i = 0; i < 2 * LEMAN_NETWORK_KIND_COUNT; i++) {
        leman_context *ctx = test_context_new(1);
        uint64_t state = 71;
        leman_dataset *data = made_graphs(ctx, &state, MADE_SIZES, 60, i % 3 == 1);
        leman_architecture shape = made_shape((leman_network_kind)(i / 2), i % 4 == 3 ? 3 : 2, LEMAN_PRESET_TU);
        const scale measured = scale_of(data, TRAINING, 3), *s = i % 2 ? &measured : NULL;
        made m;
        shape.attributes = i % 2 ? LEMAN_ATTRIBUTE_USE_STANDARDIZED : LEMAN_ATTRIBUTE_USE_RAW;
        made_new(&m, ctx, data, shape, MADE_GRAPHS, LM_INFER, 1);
        if (m.encoding->options.matrix) {
            check_matrix(&m, s);
        } else {
            check_vertices(&m, s);
            if (m.batch.arc_attributes) check_arcs(&m, s);
            if (m.options.shape.k > 1) check_tuples(&m, s);
            const lm_encoding_options *o = &m.encoding->options;
            assert_int_equal(m.batch.arc_attributes, o->edges || o->pairs ? EDGE : 0);
        }
        made_free(&m);
        leman_dataset_free(data);
        test_context_free(ctx);
    }
}

/* ---- Means and deviations -------------------------------------------------------------------- */

/* Graphs of three vertices in a path. Columns of vertices: `value` of the last vertex and 1 of the others, a constant.
 * Column of edges: the number of the edge. */
static leman_dataset *paths(leman_context *ctx, double value, size_t vertex_columns, size_t edge_columns, bool loop)
{
    const leman_columns columns = {.vertex_attributes = vertex_columns, .edge_attributes = edge_columns};
    leman_policy policy = leman_policy_default();
    leman_builder *builder = NULL;
    leman_dataset *data = NULL;
    policy.self_loops = LEMAN_ACTION_KEEP;
    assert_int_equal(leman_builder_new(ctx, "paths", &columns, &builder), LEMAN_OK);
    for (size_t g = 0; g < 3; g++) {
        assert_int_equal(leman_builder_graph(builder, NULL, NULL, NULL), LEMAN_OK);
        for (size_t v = 0; v < 3; v++) {
            const double real[] = {g == 1 && v == 2 ? value : 1, 0.1, 7};
            assert_int_equal(leman_builder_vertex(builder, NULL, NULL, real), LEMAN_OK);
        }
        for (size_t a = 0; a < 2; a++)
            assert_int_equal(leman_builder_edge(builder, a, a + 1, NULL, &(double){(double)a}), LEMAN_OK);
        if (loop) assert_int_equal(leman_builder_edge(builder, 1, 1, NULL, &(double){1e6}), LEMAN_OK);
    }
    assert_int_equal(leman_builder_finish(builder, &policy, NULL, &data), LEMAN_OK);
    leman_builder_free(builder);
    return data;
}

static void test_scale(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = paths(ctx, 4, 2, 1, true);
    const lm_encoding_options o = {.k = 2, .beside = true};
    const uint32_t which[] = {1, 1}, others[] = {0, 2};
    lm_encoding *e = NULL;
    assert_int_equal(lm_encoding_learn(ctx, data, NULL, 0, &o, &e), LEMAN_OK);
    for (size_t c = 0; c < 3; c++) assert_true(e->mean[c] == 0 && e->deviation[c] == 1);
    assert_int_equal(lm_encoding_standardize(ctx, e, data, which, 2), LEMAN_OK);
    near(2, e->mean[0]); /* 1, 1, 4, twice */
    near(sqrtl(12.0L / 5), e->deviation[0]);
    near(0.1L, e->mean[1]);
    assert_true(e->deviation[1] == 1); /* constant */
    near(0.5L, e->mean[2]);            /* 0, 0, 1, 1, twice; the self-loop does not count */
    near(sqrtl(2.0L / 7), e->deviation[2]);
    assert_int_equal(lm_encoding_standardize(ctx, e, data, others, 2), LEMAN_OK);
    assert_true(e->mean[0] == 1 && e->deviation[0] == 1);
    lm_encoding_free(e);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* The deviation of a column without edges is 1. */
static void test_no_edges(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    uint64_t state = 3;
    leman_dataset *data = made_data(ctx, &state, MADE_SIZES, 60);
    const lm_encoding_options o = {.k = 2, .beside = true};
    const uint32_t alone[] = {1};
    lm_encoding *e = NULL;
    assert_int_equal(lm_encoding_learn(ctx, data, NULL, 0, &o, &e), LEMAN_OK);
    assert_int_equal(lm_encoding_standardize(ctx, e, data, alone, 1), LEMAN_OK);
    assert_true(e->mean[VERTEX] == 0 && e->deviation[VERTEX] == 1);
    assert_true(e->deviation[0] == 1); /* one vertex */
    lm_encoding_free(e);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* ---- What is refused ------------------------------------------------------------------------- */

static void expect(leman_context *ctx, leman_status found, const char *words)
{
    assert_int_equal(found, LEMAN_ERROR_INPUT);
    if (!strstr(leman_context_message(ctx), words)) fail_msg("%s", leman_context_message(ctx));
}

static void test_refused(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = paths(ctx, 4, 2, 1, false), *more = paths(ctx, 4, 3, 1, false),
                  *none = paths(ctx, 4, 0, 1, false);
    const lm_encoding_options o = {.k = 1, .beside = true}; /* no edges are read */
    lm_encoding *e = NULL;
    assert_int_equal(lm_encoding_learn(ctx, data, NULL, 0, &o, &e), LEMAN_OK);
    assert_int_equal(lm_encoding_fits(ctx, e, data), LEMAN_OK);
    expect(ctx, lm_encoding_fits(ctx, e, more), "found 3 columns of vertex attributes, expected 2");
    expect(ctx, lm_encoding_fits(ctx, e, none), "found 0 columns of vertex attributes, expected 2");
    static const double BAD[] = {1e39, -1e39};
    for (size_t i = 0; i < 2; i++) {
        const uint32_t which[] = {0};
        leman_dataset *bad = paths(ctx, BAD[i], 2, 1, false);
        expect(ctx, lm_encoding_fits(ctx, e, bad), "graph 1: found ");
        expect(ctx, lm_encoding_standardize(ctx, e, bad, which, 1), "in column 0 of vertex attributes");
        leman_dataset_free(bad);
    }
    double *value = (double *)(uintptr_t)data->vertex_attribute; /* data sets that were built lie in their own memory */
    value[2 * 3 * 2 + 3] = (double)NAN;                          /* graph 2, vertex 1, column 1 */
    expect(ctx, lm_encoding_fits(ctx, e, data), "graph 2: found nan in column 1 of vertex attributes");
    lm_encoding_free(e);
    leman_dataset_free(data);
    leman_dataset_free(more);
    leman_dataset_free(none);
    test_context_free(ctx);
}

/* ---- Files ----------------------------------------------------------------------------------- */

static leman_status learn_and_serialize(leman_context *ctx, void *state)
{
    leman_status st = LEMAN_OK;
    lm_encoding *e = NULL, *copy = NULL;
    lm_serializer out = {0}, in = {0};
    const lm_encoding_options o = {.k = 2, .beside = true};
    const uint32_t which[] = {0, 1, 2};
    const char *path = ((void **)state)[0];
    const leman_dataset *data = ((void **)state)[1];
    TRY(lm_encoding_learn(ctx, data, NULL, 0, &o, &e));
    TRY(lm_encoding_standardize(ctx, e, data, which, 3));
    TRY(lm_serializer_begin(&out, ctx, path));
    TRY(lm_encoding_serialize(&out, &o, &e));
    TRY(lm_serializer_save(&out, "LEMANXY", 4));
    TRY(lm_serializer_open(&in, ctx, path, "LEMANXY", 4, "an encoding"));
    TRY(lm_encoding_serialize(&in, &o, &copy));
    assert_memory_equal(copy->mean, e->mean, 3 * sizeof *e->mean);
    assert_memory_equal(copy->deviation, e->deviation, 3 * sizeof *e->deviation);
    assert_memory_equal(&copy->widths, &e->widths, sizeof e->widths);
done:
    lm_serializer_close(&out);
    lm_serializer_close(&in);
    lm_encoding_free(copy);
    lm_encoding_free(e);
    return st;
}

static void test_files(void **unused)
{
    (void)unused;
    const char *folder = test_folder_new();
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = paths(ctx, 4, 2, 1, false);
    void *state[] = {(void *)(uintptr_t)test_path(folder, "encoding"), data};
    assert_int_equal(learn_and_serialize(ctx, state), LEMAN_OK);
    assert_true(test_fail_each_allocation(learn_and_serialize, state) > 5);
    leman_dataset_free(data);
    test_context_free(ctx);
    test_folder_remove(folder);
}

/* A scale that no program wrote. */
static void test_forged(void **unused)
{
    (void)unused;
    const char *folder = test_folder_new(), *path = test_path(folder, "encoding");
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = paths(ctx, 4, 2, 1, false);
    const lm_encoding_options o = {.k = 2, .beside = true};
    static const double BAD[] = {0, -1, (double)INFINITY, (double)NAN};
    for (size_t i = 0; i < 4; i++) {
        lm_encoding *e = NULL;
        lm_serializer out = {0};
        assert_int_equal(lm_encoding_learn(ctx, data, NULL, 0, &o, &e), LEMAN_OK);
        e->deviation[1] = BAD[i];
        assert_int_equal(lm_serializer_begin(&out, ctx, path), LEMAN_OK);
        /* one function writes and reads */
        expect(ctx, lm_encoding_serialize(&out, &o, &e), "scale of attributes");
        lm_serializer_close(&out);
        lm_encoding_free(e);
    }
    lm_serializer out = {0}, in = {0};
    lm_attribute_scale forged = {0};
    uint64_t many = UINT64_C(1) << 40; /* more than the file has */
    assert_int_equal(lm_serializer_begin(&out, ctx, path), LEMAN_OK);
    assert_int_equal(lm_serialize_word(&out, &many), LEMAN_OK);
    assert_int_equal(lm_serializer_save(&out, "LEMANXY", 4), LEMAN_OK);
    lm_serializer_close(&out);
    assert_int_equal(lm_serializer_open(&in, ctx, path, "LEMANXY", 4, "a scale"), LEMAN_OK);
    expect(ctx, lm_attribute_scale_serialize(&in, &forged), path);
    lm_serializer_close(&in);
    leman_dataset_free(data);
    test_context_free(ctx);
    test_folder_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_batches),  cmocka_unit_test(test_scale),
                                       cmocka_unit_test(test_no_edges), cmocka_unit_test(test_refused),
                                       cmocka_unit_test(test_files),    cmocka_unit_test(test_forged)};
    return cmocka_run_group_tests_name("standardize", tests, NULL, NULL);
}
