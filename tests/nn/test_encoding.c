/*
 * Encodings against a slow numbering: the type of a tuple written out and searched in a list of all types before it.
 */
#include "base/context.h"
#include "graph/dataset.h"
#include "nn/encode/encoding.h"
#include "support/random_graphs.h"
#include "support/support.h"
#include <math.h>

enum { MAX_TYPES = 20000, MAX_WORDS = 64 };

/* ---- The slow numbering ---------------------------------------------------------------------- */

typedef struct slow {
    size_t count;
    int64_t (*type)[MAX_WORDS];
} slow;

static int64_t find_arc(const leman_graph *g, size_t u, size_t w)
{
    for (uint64_t a = g->start[u]; a < g->start[u + 1]; a++)
        if (g->head[a] == w) return (int64_t)a;
    return -1;
}

static size_t write_arc(const leman_graph *g, bool labels, size_t u, size_t w, int64_t *to)
{
    int64_t arc = find_arc(g, u, w);
    size_t at = 0;
    to[at++] = arc >= 0;
    for (size_t c = 0; c < g->edge_labels && labels; c++)
        to[at++] = arc >= 0 ? g->edge_label[(size_t)arc * g->edge_labels + c] : 0;
    return at;
}

/* The ordered induced labelled subgraph, written out. */
static void write_type(const leman_graph *g, const lm_encoding_options *o, const size_t *tuple, int64_t *to)
{
    const bool vertex = !o->ignore_vertex_labels && !o->parts, edge = !o->ignore_edge_labels && !o->parts;
    size_t at = 0;
    memset(to, 0, MAX_WORDS * sizeof *to);
    for (size_t i = 0; i < o->k; i++) {
        for (size_t c = 0; c < g->vertex_labels && vertex; c++)
            to[at++] = g->vertex_label[tuple[i] * g->vertex_labels + c];
        if (!o->parts) at += write_arc(g, edge, tuple[i], tuple[i], to + at); /* its self-loop */
        for (size_t j = 0; j < o->k; j++) {
            to[at++] = tuple[i] == tuple[j];
            if (tuple[i] != tuple[j]) at += write_arc(g, edge, tuple[i], tuple[j], to + at);
        }
    }
    assert_true(at <= MAX_WORDS);
}

static size_t slow_number(slow *s, const int64_t *type, bool add)
{
    size_t i = 0;
    while (i < s->count && memcmp(s->type[i], type, sizeof s->type[i]) != 0) i++;
    if (i < s->count) return i;
    if (!add) return LM_NO_TYPE;
    assert_true(s->count < MAX_TYPES);
    memcpy(s->type[s->count++], type, sizeof s->type[0]);
    return i;
}

static void tuple_at(size_t number, size_t n, unsigned k, size_t *tuple)
{
    for (size_t j = k; j-- > 0; number /= n) tuple[j] = number % n;
}

static void slow_scan(slow *s, const leman_graph *g, const lm_encoding_options *o)
{
    for (size_t i = 0; g->vertices && i < lm_power(g->vertices, o->k); i++) {
        int64_t type[MAX_WORDS];
        size_t tuple[LM_NETWORK_MAX_K];
        tuple_at(i, g->vertices, o->k, tuple);
        write_type(g, o, tuple, type);
        slow_number(s, type, true);
    }
}

/* ---- Against it ------------------------------------------------------------------------------ */

/* The types of one graph by the encoding and by the list. */
static void compare(const lm_encoding *e, slow *s, const leman_graph *g)
{
    const size_t n = g->vertices, tuples = lm_power(n, e->options.k);
    uint32_t *label = calloc(n + 1, sizeof *label), *edge_label = calloc(g->arcs + 1, sizeof *label);
    uint32_t *relation = calloc(n * n + 1, sizeof *relation), *type = calloc(tuples + 1, sizeof *type);
    size_t out_of_vocabulary = 0;
    assert_int_equal(lm_encoding_labels(e, g, label, edge_label), LEMAN_OK);
    uint64_t said = 0;
    assert_int_equal(lm_encoding_types(e, g, label, edge_label, relation, type, &said), LEMAN_OK);
    for (size_t i = 0; n && i < tuples; i++) {
        int64_t words[MAX_WORDS];
        size_t tuple[LM_NETWORK_MAX_K];
        tuple_at(i, n, e->options.k, tuple);
        write_type(g, &e->options, tuple, words);
        size_t expected = slow_number(s, words, false);
        assert_int_equal(type[i], expected);
        out_of_vocabulary += expected == LM_NO_TYPE;
    }
    assert_int_equal(said, out_of_vocabulary);
    free(label), free(edge_label), free(relation), free(type);
}

static lm_encoding *packed_and_read(leman_context *ctx, lm_encoding *e)
{
    const char *folder = test_folder_new();
    lm_serializer serializer = {0};
    lm_encoding *copy = NULL;
    assert_int_equal(lm_serializer_begin(&serializer, ctx, test_path(folder, "encoding")), LEMAN_OK);
    assert_int_equal(lm_encoding_serialize(&serializer, &e->options, &e), LEMAN_OK);
    assert_int_equal(lm_serializer_save(&serializer, "LEMANXY", 4), LEMAN_OK);
    lm_serializer_close(&serializer);
    assert_int_equal(lm_serializer_open(&serializer, ctx, test_path(folder, "encoding"), "LEMANXY", 4, "an encoding"),
                     LEMAN_OK);
    assert_int_equal(lm_encoding_serialize(&serializer, &e->options, &copy), LEMAN_OK);
    assert_int_equal(lm_serializer_end(&serializer), LEMAN_OK);
    lm_serializer_close(&serializer);
    test_folder_remove(folder);
    assert_memory_equal(&copy->widths, &e->widths, sizeof e->widths);
    assert_memory_equal(&copy->options, &e->options, sizeof e->options);
    assert_int_equal(copy->vertex, e->vertex);
    return copy;
}

static void random_case(leman_context *ctx, uint64_t *state, unsigned k)
{
    enum { GRAPHS = 6 };
    random_graph_kind kind = random_graph_kind_draw(state);
    static random_graph graph[2 * GRAPHS];
    const lm_encoding_options o = {.k = k,
                                   .parts = test_random(state) % 4 == 0,
                                   .ignore_vertex_labels = test_random(state) % 4 == 0,
                                   .ignore_edge_labels = test_random(state) % 4 == 0};
    uint32_t which[] = {4, 1, 5};
    size_t order[GRAPHS] = {4, 1, 5, 0, 2, 3};
    slow s = {.type = calloc(MAX_TYPES, sizeof *s.type)};
    lm_encoding *e = NULL;
    for (size_t i = 0; i < 2 * GRAPHS; i++)
        random_graph_draw(state, &kind, test_random(state) % (k == 2 ? 12 : 7), false, graph + i);
    if (!graph[0].n) random_graph_draw(state, &kind, 3, false, graph); /* some vertex must be there */
    leman_dataset *known = random_graph_dataset(ctx, &kind, graph, GRAPHS),
                  *other = random_graph_dataset(ctx, &kind, graph, 2 * GRAPHS);
    assert_int_equal(lm_encoding_learn(ctx, known, which, 3, &o, &e), LEMAN_OK);
    for (size_t i = 0; i < GRAPHS; i++) {
        leman_graph g = leman_dataset_graph(known, order[i]);
        slow_scan(&s, &g, &o);
    }
    assert_int_equal(e->widths.types, s.count);
    lm_encoding *copy = packed_and_read(ctx, e);
    for (size_t i = 0; i < 2 * GRAPHS; i++) { /* the second half was never seen */
        leman_graph g = leman_dataset_graph(other, i);
        compare(e, &s, &g);
        compare(copy, &s, &g);
    }
    lm_encoding_free(copy);
    lm_encoding_free(e);
    leman_dataset_free(known);
    leman_dataset_free(other);
    free(s.type);
}

static void test_random_graphs(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    uint64_t state = 11;
    for (size_t i = 0; i < test_cases(60); i++) random_case(ctx, &state, 2 + i % 2);
    test_context_free(ctx);
}

/* ---- Vertices, k = 1 ------------------------------------------------------------------------- */

static leman_dataset *star(leman_context *ctx, size_t leaves)
{
    leman_builder *builder = NULL;
    leman_dataset *data = NULL;
    leman_columns columns = {0};
    assert_int_equal(leman_builder_new(ctx, "star", &columns, &builder), LEMAN_OK);
    assert_int_equal(leman_builder_graph(builder, NULL, NULL, NULL), LEMAN_OK);
    for (size_t v = 0; v <= leaves; v++) assert_int_equal(leman_builder_vertex(builder, NULL, NULL, NULL), LEMAN_OK);
    for (size_t v = 1; v <= leaves; v++) assert_int_equal(leman_builder_edge(builder, 0, v, NULL, NULL), LEMAN_OK);
    assert_int_equal(leman_builder_finish(builder, NULL, NULL, &data), LEMAN_OK);
    leman_builder_free(builder);
    return data;
}

static void test_degrees(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    const lm_encoding_options o = {.k = 1};
    for (size_t leaves = 998; leaves <= 1001; leaves++) {
        leman_dataset *data = star(ctx, leaves);
        lm_encoding *e = NULL;
        assert_int_equal(lm_encoding_learn(ctx, data, NULL, 0, &o, &e), LEMAN_OK);
        if (leaves < 1000) { /* below 1000: one-hot */
            assert_int_equal(e->vertex, LM_VERTEX_DEGREE);
            assert_int_equal(e->widths.types, leaves + 1);
            assert_int_equal(e->widths.vertex_reals, 0);
        } else {
            double n = (double)leaves + 1, mean = 2 * (double)leaves / n;
            double square = ((double)leaves - mean) * ((double)leaves - mean) + (n - 1) * (1 - mean) * (1 - mean);
            assert_int_equal(e->vertex, LM_VERTEX_REAL_DEGREE);
            assert_int_equal(e->widths.types, 0);
            assert_int_equal(e->widths.vertex_reals, 1);
            assert_true(fabs(e->degree_mean - mean) < 1e-12);
            assert_true(fabs(e->degree_deviation * e->degree_deviation / (square / (n - 1)) - 1) < 1e-9);
        }
        lm_encoding_free(e);
        leman_dataset_free(data);
    }
    test_context_free(ctx);
}

/* ---- What is refused ------------------------------------------------------------------------- */

static void expect(leman_context *ctx, leman_status found, leman_status expected, const char *words)
{
    assert_int_equal(found, expected);
    assert_non_null(strstr(leman_context_message(ctx), words));
}

static void test_refused(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    uint64_t state = 3;
    leman_dataset *labelled = test_random_graph(ctx, &state, 6, 50, 2, 2, false);
    leman_dataset *plain = test_random_graph(ctx, &state, 6, 50, 0, 0, false);
    leman_dataset *arrows = test_random_graph(ctx, &state, 6, 50, 2, 2, true);
    lm_encoding *e = NULL;
    lm_encoding_options o = {.k = 2, .parts = true, .coordinates = 3};
    expect(ctx, lm_encoding_learn(ctx, labelled, NULL, 0, &o, &e), LEMAN_ERROR_INPUT, "coordinates");
    o = (lm_encoding_options){.k = 2};
    assert_null(e);
    assert_int_equal(lm_encoding_learn(ctx, labelled, NULL, 0, &o, &e), LEMAN_OK);
    assert_int_equal(lm_encoding_fits(ctx, e, labelled), LEMAN_OK);
    expect(ctx, lm_encoding_fits(ctx, e, plain), LEMAN_ERROR_INPUT, "0 columns of vertex labels");
    expect(ctx, lm_encoding_fits(ctx, e, arrows), LEMAN_ERROR_INPUT, "directed");
    lm_encoding_free(e);
    leman_dataset_free(labelled), leman_dataset_free(plain), leman_dataset_free(arrows);
    test_context_free(ctx);
}

static leman_status find_and_serialize(leman_context *ctx, void *state)
{
    leman_status st = LEMAN_OK;
    leman_dataset *data = NULL;
    lm_encoding *e = NULL, *copy = NULL;
    lm_serializer out = {0}, in = {0};
    const char *path = state;
    const lm_encoding_options o = {.k = 3};
    leman_family_options family = leman_family_options_default();
    family.graphs = 2;
    TRY(leman_dataset_generate(ctx, LEMAN_FAMILY_MOLECULES, &family, &data));
    TRY(lm_encoding_learn(ctx, data, NULL, 0, &o, &e));
    TRY(lm_serializer_begin(&out, ctx, path));
    TRY(lm_encoding_serialize(&out, &o, &e));
    TRY(lm_serializer_save(&out, "LEMANXY", 4));
    TRY(lm_serializer_open(&in, ctx, path, "LEMANXY", 4, "an encoding"));
    TRY(lm_encoding_serialize(&in, &o, &copy));
done:
    lm_serializer_close(&out);
    lm_serializer_close(&in);
    lm_encoding_free(copy);
    lm_encoding_free(e);
    leman_dataset_free(data);
    return st;
}

static void test_failing_allocations(void **unused)
{
    (void)unused;
    const char *folder = test_folder_new();
    assert_true(test_fail_each_allocation(find_and_serialize, (void *)test_path(folder, "encoding")) > 10);
    test_folder_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_graphs), cmocka_unit_test(test_degrees),
                                       cmocka_unit_test(test_refused), cmocka_unit_test(test_failing_allocations)};
    return cmocka_run_group_tests_name("encoding", tests, NULL, NULL);
}
