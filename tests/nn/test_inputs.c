/* Batches against the graphs they were made of, read back slowly; sizes; what was never seen; memory. */
#include "nn/made.h"
#include "support/random_graphs.h"

enum { LABELS = 3, EDGE_LABELS = 2 };

/* ---- Everything that continuous data have ---------------------------------------------------- */

static size_t arc_of(const leman_graph *g, size_t u, size_t w)
{
    for (uint64_t a = g->start[u]; a < g->start[u + 1]; a++)
        if (g->head[a] == w) return (size_t)a;
    return SIZE_MAX;
}

/* The number that a label got: one-hot columns are in the order of appearance. */
static size_t number_of(const lm_intern *intern, const int64_t *key, size_t words)
{
    uint32_t number = 0;
    assert_true(lm_intern_find(intern, 0, (const char *)key, words * sizeof *key, &number));
    return number;
}

static double expected_of_vertex(const lm_encoding *e, const leman_graph *g, size_t v, size_t column)
{
    const int64_t key[] = {g->vertex_label[v], 0};
    if (column < LABELS) return column == number_of(&e->label, key, 2) ? 1 : 0;
    return g->vertex_attribute[v * 5 + column - LABELS]; /* the first two; the other three are the position */
}

static double expected_of_pair(const lm_encoding *e, const leman_graph *g, size_t u, size_t w, size_t column)
{
    const size_t arc = arc_of(g, u, w);
    if (column == EDGE_LABELS + 1) {
        const double *a = g->vertex_attribute + u * 5 + 2, *b = g->vertex_attribute + w * 5 + 2;
        return sqrt(pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2));
    }
    if (arc == SIZE_MAX) return 0;
    if (column == EDGE_LABELS) return g->edge_attribute[arc];
    return column == number_of(&e->edge_label, g->edge_label + arc, 1) ? 1 : 0;
}

static void same(lm_real found, double expected)
{
    assert_true(fabs((double)found - expected) < 1e-6);
}

static void check_vertices(const made *m)
{
    const lm_batch *b = &m->batch;
    size_t v = 0;
    for (size_t i = 0; i < MADE_GRAPHS; i++) {
        const leman_graph g = leman_dataset_graph(m->data, m->which[i]);
        assert_int_equal(b->start[LM_VERTICES][i], v);
        for (size_t u = 0; u < g.vertices; u++, v++)
            for (size_t c = 0; c < LABELS + 2; c++)
                same(b->vertex_attribute[v * (LABELS + 2) + c], expected_of_vertex(m->encoding, &g, u, c));
        for (size_t t = 0; t < MADE_TARGETS; t++)
            same(b->target[i * MADE_TARGETS + t], leman_dataset_targets(m->data)[m->which[i] * MADE_TARGETS + t]);
    }
    assert_int_equal(v, b->extent.rows[LM_VERTICES]);
}

static void test_tuples_of_parts(void **unused)
{
    (void)unused;
    for (unsigned k = 2; k <= 3; k++) {
        leman_context *ctx = test_context_new(1);
        uint64_t state = 5;
        leman_dataset *data = made_data(ctx, &state, MADE_SIZES, 60);
        made m;
        made_new(&m, ctx, data, made_shape(LEMAN_NETWORK_KIND_LOCAL, k, LEMAN_PRESET_QM9), MADE_GRAPHS, LM_INFER, 1);
        const size_t pair = EDGE_LABELS + 2, pairs = k * (k - 1) / 2;
        size_t row = 0;
        check_vertices(&m);
        assert_int_equal(m.batch.tuple_attributes, pairs * pair);
        for (size_t i = 0; i < MADE_GRAPHS; i++) {
            const leman_graph g = leman_dataset_graph(data, i);
            assert_int_equal(m.batch.start[LM_TUPLES][i], row);
            for (size_t t = 0; t < lm_power(g.vertices, k); t++, row++) {
                static const size_t of[3][2] = {{0, 1}, {0, 2}, {1, 2}};
                size_t v[3] = {0};
                for (size_t j = k, rest = t; j-- > 0; rest /= g.vertices) v[j] = rest % g.vertices;
                for (size_t p = 0; p < pairs; p++)
                    for (size_t x = 0; x < pair; x++)
                        same(m.batch.tuple_attribute[(row * pairs + p) * pair + x],
                             expected_of_pair(m.encoding, &g, v[of[p][0]], v[of[p][1]], x));
            }
        }
        assert_int_equal(row, m.batch.extent.rows[LM_TUPLES]);
        made_free(&m);
        leman_dataset_free(data);
        test_context_free(ctx);
    }
}

/* PPGN: adjacency, identity, label and attribute of the edge; on the diagonal label and attributes of the vertex, with
 * its position. Without parts no attributes. */
static double expected_of_matrix(const lm_encoding *e, const leman_graph *g, size_t u, size_t w, size_t column)
{
    const size_t arc = arc_of(g, u, w), attributes = e->options.parts ? 1 : 0;
    if (column == 0) return arc != SIZE_MAX;
    if (column == 1) return u == w;
    column -= 2;
    if (column < EDGE_LABELS + attributes) return u == w ? 0 : expected_of_pair(e, g, u, w, column);
    column -= EDGE_LABELS + attributes;
    const int64_t key[] = {g->vertex_label[u], 0};
    if (u != w) return 0;
    if (column < LABELS) return column == number_of(&e->label, key, 2) ? 1 : 0;
    return g->vertex_attribute[u * 5 + column - LABELS];
}

static void test_matrices(void **unused)
{
    (void)unused;
    for (int preset = LEMAN_PRESET_ZINC; preset <= LEMAN_PRESET_QM9; preset++)
        for (int directed = 0; directed < 2; directed++) {
            leman_context *ctx = test_context_new(1);
            uint64_t state = 5;
            leman_dataset *data = made_graphs(ctx, &state, MADE_SIZES, 60, directed);
            made m;
            made_new(&m, ctx, data, made_shape(LEMAN_NETWORK_KIND_PPGN, 2, (leman_preset)preset), MADE_GRAPHS, LM_INFER,
                     1);
            const size_t width = 2 + LABELS + EDGE_LABELS + (preset == LEMAN_PRESET_QM9 ? 6 : 0);
            size_t row = 0;
            assert_int_equal(m.batch.tuple_attributes, width);
            for (size_t i = 0; i < MADE_GRAPHS; i++) {
                const leman_graph g = leman_dataset_graph(data, i);
                const size_t n = g.vertices;
                for (size_t t = 0; t < n * n; t++, row++)
                    for (size_t c = 0; c < width; c++)
                        same(m.batch.tuple_attribute[row * width + c],
                             expected_of_matrix(m.encoding, &g, t / n, t % n, c));
            }
            assert_int_equal(row, m.batch.extent.rows[LM_TUPLES]);
            made_free(&m);
            leman_dataset_free(data);
            test_context_free(ctx);
        }
}

/* GINE on QM9: an arc between every two vertices. */
static void test_joined_arcs(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    uint64_t state = 7;
    leman_dataset *data = made_data(ctx, &state, MADE_SIZES, 60);
    made m;
    made_new(&m, ctx, data, made_shape(LEMAN_NETWORK_KIND_GINE, 1, LEMAN_PRESET_QM9), MADE_GRAPHS, LM_INFER, 1);
    size_t arc = 0, first = 0;
    check_vertices(&m);
    for (size_t i = 0; i < MADE_GRAPHS; i++) {
        const leman_graph g = leman_dataset_graph(data, i);
        for (size_t u = 0; u < g.vertices; u++) {
            assert_int_equal(m.batch.leaving_start[first + u], arc);
            for (size_t w = 0; w < g.vertices; w++) {
                if (u == w) continue;
                assert_int_equal(m.batch.head[arc], first + w);
                for (size_t c = 0; c < EDGE_LABELS + 2; c++)
                    same(m.batch.arc_attribute[arc * (EDGE_LABELS + 2) + c], expected_of_pair(m.encoding, &g, u, w, c));
                arc++;
            }
        }
        first += g.vertices;
    }
    assert_int_equal(arc, m.batch.extent.rows[LM_ARCS]);
    made_free(&m);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* ---- Random graphs of every kind: arcs, labels, sizes ---------------------------------------- */

static void check_arcs(const leman_dataset *data, const lm_encoding *e, const uint32_t *which, size_t count,
                       const lm_batch *b)
{
    size_t arc = 0, first = 0;
    for (size_t i = 0; i < count; i++) {
        const leman_graph g = leman_dataset_graph(data, which[i]);
        for (size_t u = 0; u < g.vertices; u++) {
            assert_int_equal(b->leaving_start[first + u], arc);
            for (uint64_t a = g.start[u]; a < g.start[u + 1]; a++) {
                if (g.head[a] == u) continue; /* its loop is part of its label */
                assert_int_equal(b->head[arc], first + g.head[a]);
                assert_int_equal(b->arc_label[arc],
                                 number_of(&e->edge_label,
                                           g.edge_label ? g.edge_label + a * g.edge_labels : &(int64_t){0},
                                           g.edge_labels));
                arc++;
            }
        }
        first += g.vertices;
    }
    assert_int_equal(arc, b->extent.rows[LM_ARCS]);
    assert_int_equal(first, b->extent.rows[LM_VERTICES]);
}

static void test_random_graphs(void **unused)
{
    (void)unused;
    enum { GRAPHS = 6 };
    static random_graph graph[GRAPHS];
    uint64_t state = 17;
    for (size_t i = 0; i < test_cases(30); i++) {
        leman_context *ctx = test_context_new(1);
        const random_graph_kind kind = random_graph_kind_draw(&state);
        for (size_t g = 0; g < GRAPHS; g++)
            random_graph_draw(&state, &kind, g ? test_random(&state) % 9 : 4, false, graph + g);
        leman_dataset *data = random_graph_dataset(ctx, &kind, graph, GRAPHS);
        const lm_encoding_options o = {.k = 1, .edges = true, .dense = true};
        const uint32_t which[] = {5, 0, 3, 3};
        lm_encoding *e = NULL;
        lm_inputs *inputs = NULL;
        lm_batch batch;
        lm_extent max;
        lm_batch_init(ctx, &batch);
        assert_int_equal(lm_encoding_learn(ctx, data, NULL, 0, &o, &e), LEMAN_OK);
        assert_int_equal(lm_inputs_new(ctx, data, e, &inputs), LEMAN_OK);
        for (size_t count = 0; count <= 4; count++) {
            assert_int_equal(lm_inputs_batch(inputs, which, count, &batch), LEMAN_OK);
            check_arcs(data, e, which, count, &batch);
            const lm_extent extent = lm_inputs_extent(inputs, which, count);
            assert_memory_equal(&extent, &batch.extent, sizeof extent);
            assert_int_equal(lm_inputs_max(inputs, which, 4, count, &max), LEMAN_OK);
            for (int space = 0; space < LM_ROW_SPACES; space++)
                assert_true(max.rows[space] >= batch.extent.rows[space]);
        }
        assert_memory_equal(&max, &batch.extent, sizeof max); /* the largest batch is all of them */
        assert_int_equal(inputs->out_of_vocabulary, 0);
        lm_batch_free(&batch);
        lm_inputs_free(inputs);
        lm_encoding_free(e);
        leman_dataset_free(data);
        test_context_free(ctx);
    }
}

/* ---- What was never seen --------------------------------------------------------------------- */

typedef struct messages {
    size_t sentences;
    char last[256];
} messages;

static void note(void *user, const char *message)
{
    messages *t = user;
    t->sentences++;
    snprintf(t->last, sizeof t->last, "%s", message);
}

/* A vertex label that the encoding does not know: its tuples have no type, the others have theirs, and it is
 * logged once. */
static void test_out_of_vocabulary(void **unused)
{
    (void)unused;
    messages t = {0};
    leman_context *ctx = NULL;
    leman_settings settings = leman_settings_default();
    settings.log = note;
    settings.callback_user = &t;
    assert_int_equal(leman_context_new(&settings, &ctx), LEMAN_OK);
    random_graph_kind kind = {.vertex_labels = 2, .vertex_columns = 1};
    static random_graph graph;
    uint64_t state = 19;
    random_graph_draw(&state, &kind, 5, false, &graph);
    leman_dataset *known = random_graph_dataset(ctx, &kind, &graph, 1);
    graph.label[2][0] = 99;
    leman_dataset *strange = random_graph_dataset(ctx, &kind, &graph, 1);
    const lm_encoding_options o = {.k = 2}, reals[] = {{.k = 1, .dense = true}, {.k = 1, .parts = true}};
    const uint32_t which = 0;
    lm_encoding *e = NULL;
    lm_inputs *inputs = NULL;
    lm_batch batch;
    lm_batch_init(ctx, &batch);
    assert_int_equal(lm_encoding_learn(ctx, known, NULL, 0, &o, &e), LEMAN_OK);
    assert_int_equal(lm_inputs_new(ctx, strange, e, &inputs), LEMAN_OK);
    for (int pass = 0; pass < 2; pass++) {
        assert_int_equal(lm_inputs_batch(inputs, &which, 1, &batch), LEMAN_OK);
        for (size_t u = 0; u < 5; u++)
            for (size_t v = 0; v < 5; v++)
                assert_int_equal(batch.tuple_type[u * 5 + v] == LM_NO_TYPE, u == 2 || v == 2);
    }
    assert_int_equal(inputs->out_of_vocabulary, 2 * 9);
    assert_int_equal(t.sentences, 1);
    assert_non_null(strstr(t.last, "never saw"));
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++) { /* as reals it is one vertex */
        lm_inputs_free(inputs);
        lm_encoding_free(e);
        assert_int_equal(lm_encoding_learn(ctx, known, NULL, 0, reals + i, &e), LEMAN_OK);
        assert_int_equal(lm_inputs_new(ctx, strange, e, &inputs), LEMAN_OK);
        assert_int_equal(lm_inputs_batch(inputs, &which, 1, &batch), LEMAN_OK);
        assert_int_equal(inputs->out_of_vocabulary, 1);
        assert_int_equal(t.sentences, 2 + i);
    }
    lm_batch_free(&batch);
    lm_inputs_free(inputs);
    lm_encoding_free(e);
    leman_dataset_free(known);
    leman_dataset_free(strange);
    leman_context_free(ctx);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static size_t allocations;
static void *count_allocate(void *user, size_t size)
{
    (void)user;
    allocations++;
    return malloc(size);
}
static void *count_reallocate(void *user, void *pointer, size_t size)
{
    (void)user;
    allocations++;
    return realloc(pointer, size);
}
static void count_release(void *user, void *pointer)
{
    (void)user;
    free(pointer);
}

/* Once every graph has been in a batch as large as any, nothing is allocated. */
static void test_no_allocation_after_the_first(void **unused)
{
    (void)unused;
    leman_context *ctx = NULL;
    leman_settings settings = leman_settings_default();
    settings.threads = 1;
    settings.allocate = count_allocate, settings.reallocate = count_reallocate, settings.release = count_release;
    assert_int_equal(leman_context_new(&settings, &ctx), LEMAN_OK);
    uint64_t state = 23;
    leman_dataset *data = made_data(ctx, &state, MADE_SIZES, 60);
    const leman_network_kind kinds[] = {LEMAN_NETWORK_KIND_LOCAL_PLUS, LEMAN_NETWORK_KIND_GINE};
    for (size_t i = 0; i < 4; i++) {
        const unsigned k = i < 2 ? 3 : 2;
        made m;
        made_new(&m, ctx, data, made_shape(kinds[i % 2], k, i < 2 ? LEMAN_PRESET_QM9 : LEMAN_PRESET_TU), MADE_GRAPHS,
                 LM_INFER, 1);
        const size_t before = allocations;
        for (size_t batch = 0; batch < 20; batch++) {
            uint32_t which[MADE_GRAPHS];
            for (size_t g = 0; g < MADE_GRAPHS; g++) which[g] = (uint32_t)((g + batch) % MADE_GRAPHS);
            made_batch(&m, which, 1 + batch % MADE_GRAPHS);
        }
        assert_int_equal(allocations, before);
        made_free(&m);
    }
    leman_dataset_free(data);
    leman_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tuples_of_parts),   cmocka_unit_test(test_matrices),
        cmocka_unit_test(test_joined_arcs),       cmocka_unit_test(test_random_graphs),
        cmocka_unit_test(test_out_of_vocabulary), cmocka_unit_test(test_no_allocation_after_the_first),
    };
    const int missing = check_without_device();
    return missing ? missing : cmocka_run_group_tests_name("inputs", tests, NULL, NULL);
}
