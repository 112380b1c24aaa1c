/*
 * Canonical orders and isomorphism against the definition: all permutations of the vertices are tried. The orders of
 * shuffled copies must map the copies to each other, and the number of automorphisms and the orbits must be those that
 * the permutations give.
 */
#include "support/graphs.h"
#include "support/meter.h"
#include "support/random_graphs.h"
#include <math.h>
#include <stdio.h>

enum { SMALL = 6, LINE = 4096 };

/* ---- The definition -------------------------------------------------------------------------- */

/* Does the map preserve arcs and labels? Undirected graphs hold every edge in both directions. */
static bool preserves(const random_graph_kind *kind, const random_graph *a, const random_graph *b, const size_t *image)
{
    for (size_t u = 0; u < a->n; u++) {
        for (size_t c = 0; kind->vertex_labels && c < kind->vertex_columns; c++)
            if (a->label[u][c] != b->label[image[u]][c]) return false;
        for (size_t v = 0; v < a->n; v++) {
            if (a->arc[u][v] != b->arc[image[u]][image[v]]) return false;
            for (size_t c = 0; a->arc[u][v] && kind->edge_labels && c < kind->edge_columns; c++)
                if (a->arc_label[u][v][c] != b->arc_label[image[u]][image[v]][c]) return false;
        }
    }
    return true;
}

static bool next_permutation(size_t *p, size_t n)
{
    size_t i = n, j = n;
    while (i > 1 && p[i - 2] >= p[i - 1]) i--;
    if (i < 2) return false;
    while (p[j - 1] <= p[i - 2]) j--;
    size_t swap = p[i - 2];
    p[i - 2] = p[j - 1], p[j - 1] = swap;
    for (size_t a = i - 1, b = n - 1; a < b; a++, b--) swap = p[a], p[a] = p[b], p[b] = swap;
    return true;
}

/* Counts the isomorphisms. orbit[v], which may be NULL, gets the smallest image of v. */
static size_t count_isomorphisms(const random_graph_kind *kind, const random_graph *a, const random_graph *b,
                                 size_t *orbit)
{
    size_t p[SMALL], count = 0;
    if (a->n != b->n) return 0;
    for (size_t v = 0; v < a->n; v++) p[v] = v;
    for (size_t v = 0; orbit && v < a->n; v++) orbit[v] = v;
    do {
        if (!preserves(kind, a, b, p)) continue;
        count++;
        for (size_t v = 0; orbit && v < a->n; v++) orbit[v] = p[v] < orbit[v] ? p[v] : orbit[v];
    } while (next_permutation(p, a->n));
    return count;
}

/* ---- Comparison ------------------------------------------------------------------------------ */

static void text_of(leman_context *ctx, const leman_dataset *data, size_t graph, char line[LINE])
{
    leman_dataset *canonical = NULL;
    assert_int_equal(leman_dataset_canonical(ctx, data, NULL, NULL, &canonical), LEMAN_OK);
    assert_int_equal(leman_dataset_check(ctx, canonical), LEMAN_OK);
    const leman_graph g = leman_dataset_graph(canonical, graph);
    assert_true(leman_graph_text(&g, line, LINE) < LINE);
    leman_dataset_free(canonical);
}

static void check_symmetry(leman_context *ctx, const random_graph_kind *kind, const random_graph *r,
                           const leman_graph *g)
{
    size_t orbit[SMALL], orbits = 0;
    uint32_t order[SMALL], found[SMALL];
    leman_symmetry symmetry;
    const size_t count = count_isomorphisms(kind, r, r, orbit);
    assert_int_equal(leman_canonical_order(ctx, g, order, found, &symmetry), LEMAN_OK);
    for (size_t v = 0; v < r->n; v++) {
        assert_int_equal(found[v], orbit[v]);
        orbits += orbit[v] == v;
    }
    assert_int_equal(symmetry.orbits, orbits);
    assert_true(fabs(symmetry.mantissa * pow(10, symmetry.exponent) - (double)count) < 1e-6 * (double)count);
    assert_true(symmetry.mantissa >= 1 && symmetry.mantissa < 10);
}

static void check_pair(leman_context *ctx, const random_graph_kind *kind, const random_graph *a, const random_graph *b,
                       const leman_dataset *data, size_t first)
{
    const leman_graph g = leman_dataset_graph(data, first), h = leman_dataset_graph(data, first + 1);
    char line[2][LINE];
    uint32_t image[SMALL];
    size_t map[SMALL];
    bool same;
    const bool expected = count_isomorphisms(kind, a, b, NULL) > 0;
    assert_int_equal(leman_isomorphic(ctx, &g, &h, &same, image), LEMAN_OK);
    assert_int_equal(same, expected);
    for (size_t v = 0; v < a->n; v++) map[v] = image[v];
    if (same) assert_true(preserves(kind, a, b, map));
    for (size_t i = 0; i < 2; i++) text_of(ctx, data, first + i, line[i]);
    leman_exact_hash hash[2];
    leman_dataset *both = NULL;
    assert_int_equal(leman_dataset_select(ctx, data, 2, (size_t[]){first, first + 1}, &both), LEMAN_OK);
    assert_int_equal(leman_exact_hashes(ctx, both, hash), LEMAN_OK);
    assert_int_equal(!memcmp(hash, hash + 1, sizeof *hash), expected);
    leman_dataset_free(both);
    assert_int_equal(!strcmp(line[0], line[1]), expected);
}

/* Random graphs of every kind: directed, with loops, labels of vertices and edges, twins. */
static void test_small(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    uint64_t random = 17;
    enum { FAMILY = 4 };
    for (size_t round = 0; round < test_cases(250); round++) {
        const random_graph_kind kind = random_graph_kind_draw(&random);
        random_graph graph[FAMILY];
        random_graph_draw_family(&random, &kind, 1 + round % SMALL, round % 2, FAMILY, graph);
        leman_dataset *data = random_graph_dataset(ctx, &kind, graph, FAMILY);
        for (size_t i = 0; i < FAMILY; i++) {
            const leman_graph g = leman_dataset_graph(data, i);
            check_symmetry(ctx, &kind, &graph[i], &g);
            if (i) check_pair(ctx, &kind, &graph[i - 1], &graph[i], data, i - 1);
        }
        leman_dataset_free(data);
    }
    test_context_free(ctx);
}

/* Counts the classes of all labelled graphs on n vertices by their canonical lines. */
static size_t classes_of_all(leman_context *ctx, size_t n, bool directed)
{
    const random_graph_kind kind = {.directed = directed};
    const size_t pairs = directed ? n * (n - 1) : n * (n - 1) / 2, graphs = (size_t)1 << pairs;
    leman_dataset *data, *canonical = NULL;
    random_graph *graph = calloc(graphs, sizeof *graph);
    char(*line)[128] = malloc(graphs * sizeof *line);
    size_t classes = 0;
    for (size_t code = 0; code < graphs; code++) {
        size_t bit = 0;
        graph[code].n = n;
        for (size_t u = 0; u < n; u++)
            for (size_t v = directed ? 0 : u + 1; v < n; v++)
                if (u != v && code >> bit++ & 1) random_graph_toggle(&kind, &graph[code], u, v);
    }
    data = random_graph_dataset(ctx, &kind, graph, graphs);
    assert_int_equal(leman_dataset_canonical(ctx, data, NULL, NULL, &canonical), LEMAN_OK);
    for (size_t i = 0; i < graphs; i++) {
        const leman_graph g = leman_dataset_graph(canonical, i);
        assert_true(leman_graph_text(&g, line[i], sizeof line[i]) < sizeof line[i]);
    }
    qsort(line, graphs, sizeof *line, (int (*)(const void *, const void *))strcmp);
    for (size_t i = 0; i < graphs; i++) classes += !i || strcmp(line[i], line[i - 1]) != 0;
    leman_dataset_free(canonical);
    leman_dataset_free(data);
    free(line);
    free(graph);
    return classes;
}

/* The published numbers of graphs (OEIS A000088) and digraphs (A000273) up to isomorphism. */
static void test_all(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(2);
    static const size_t GRAPHS[] = {1, 1, 2, 4, 11, 34}, DIGRAPHS[] = {1, 1, 3, 16};
    for (size_t n = 1; n < 6; n++) assert_int_equal(classes_of_all(ctx, n, false), GRAPHS[n]);
    for (size_t n = 1; n < 4; n++) assert_int_equal(classes_of_all(ctx, n, true), DIGRAPHS[n]);
    test_context_free(ctx);
}

/* ---- Attributes, larger graphs, and the line ------------------------------------------------- */

static leman_dataset *triangle(leman_context *ctx, double weight, double height)
{
    leman_columns columns = {.vertex_attributes = 1, .edge_attributes = 1, .vertex_names = true};
    leman_builder *builder = NULL;
    leman_dataset *data = NULL;
    assert_int_equal(leman_builder_new(ctx, "triangle", &columns, &builder), LEMAN_OK);
    assert_int_equal(leman_builder_graph(builder, NULL, NULL, NULL), LEMAN_OK);
    const double zero = -0.0;
    assert_int_equal(leman_builder_vertex(builder, "high", NULL, &height), LEMAN_OK);
    assert_int_equal(leman_builder_vertex(builder, "low", NULL, &zero), LEMAN_OK);
    assert_int_equal(leman_builder_vertex(builder, "zero", NULL, (double[]){0.0}), LEMAN_OK);
    assert_int_equal(leman_builder_edge(builder, 0, 1, NULL, &weight), LEMAN_OK);
    assert_int_equal(leman_builder_edge(builder, 1, 2, NULL, (double[]){1}), LEMAN_OK);
    assert_int_equal(leman_builder_edge(builder, 0, 2, NULL, (double[]){1}), LEMAN_OK);
    assert_int_equal(leman_builder_finish(builder, NULL, NULL, &data), LEMAN_OK);
    leman_builder_free(builder);
    return data;
}

static void test_attributes(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *even = triangle(ctx, 1, 2.5), *uneven = triangle(ctx, 1.5, 2.5), *canonical = NULL;
    const leman_graph g = leman_dataset_graph(even, 0), h = leman_dataset_graph(uneven, 0);
    uint32_t order[3];
    leman_symmetry symmetry;
    bool same;
    char line[64];
    size_t length;
    assert_int_equal(leman_canonical_order(ctx, &g, order, NULL, &symmetry), LEMAN_OK);
    assert_true(symmetry.mantissa == 2); /* 0 and -0 are one number */
    assert_int_equal(leman_canonical_order(ctx, &h, order, NULL, &symmetry), LEMAN_OK);
    assert_true(symmetry.mantissa == 1);
    assert_int_equal(leman_isomorphic(ctx, &g, &h, &same, NULL), LEMAN_OK);
    assert_false(same);
    assert_int_equal(leman_graph_text(&h, line, sizeof line), strlen("graph 3 | ;2.5 ;0 ;0 | 0-1:;1.5 0-2:;1 1-2:;1"));
    assert_string_equal(line, "graph 3 | ;2.5 ;0 ;0 | 0-1:;1.5 0-2:;1 1-2:;1");
    assert_int_equal(leman_graph_text(&h, line, 8), 45);
    assert_string_equal(line, "graph 3");
    assert_int_equal(leman_graph_text(&h, NULL, 0), 45);
    assert_int_equal(leman_dataset_canonical(ctx, uneven, NULL, NULL, &canonical), LEMAN_OK);
    assert_int_equal(leman_canonical_order(ctx, &h, order, NULL, NULL), LEMAN_OK);
    for (size_t i = 0; i < 3; i++) { /* names follow their vertices */
        static const char *const NAMES[] = {"high", "low", "zero"};
        const char *name = leman_dataset_vertex_name(canonical, 0, i, &length);
        assert_int_equal(length, strlen(NAMES[order[i]]));
        assert_memory_equal(name, NAMES[order[i]], length);
    }
    leman_dataset_free(canonical);
    leman_dataset_free(uneven);
    leman_dataset_free(even);
    test_context_free(ctx);
}

/* A graph of two vertices and one edge; the attributes of the edge, if it has any, may differ in its directions. */
static leman_dataset *edge(leman_context *ctx, const int64_t *label, const int64_t *bond, const double *there,
                           const double *back)
{
    const leman_columns columns = {
        .vertex_labels = label != NULL, .edge_labels = bond != NULL, .edge_attributes = there != NULL};
    leman_builder *builder = NULL;
    leman_dataset *data = NULL;
    assert_int_equal(leman_builder_new(ctx, "edge", &columns, &builder), LEMAN_OK);
    assert_int_equal(leman_builder_graph(builder, NULL, NULL, NULL), LEMAN_OK);
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(leman_builder_vertex(builder, NULL, label ? label + i : NULL, NULL), LEMAN_OK);
    assert_int_equal(leman_builder_edge(builder, 0, 1, bond, there), LEMAN_OK);
    assert_int_equal(leman_builder_edge(builder, 1, 0, bond, back), LEMAN_OK);
    assert_int_equal(leman_builder_finish(builder, NULL, NULL, &data), LEMAN_OK);
    leman_builder_free(builder);
    return data;
}

/* Writes the exact hash of the graph, and frees the data set. */
static void exact_text(leman_context *ctx, leman_dataset *data, char text[LEMAN_EXACT_HASH_TEXT])
{
    leman_exact_hash hash[1];
    assert_int_equal(leman_exact_hashes(ctx, data, hash), LEMAN_OK);
    assert_int_equal(leman_exact_hash_text(hash, 32, text, LEMAN_EXACT_HASH_TEXT), LEMAN_EXACT_HASH_TEXT - 1);
    leman_dataset_free(data);
}

/* SHA-256 as sha256sum computes it for "graph 2 | 6 8 | 0-1:3"; labels and attributes of equal value differ. */
static void test_exact(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    char one[LEMAN_EXACT_HASH_TEXT], other[LEMAN_EXACT_HASH_TEXT], line[64];
    const int64_t three = 3;
    exact_text(ctx, edge(ctx, (int64_t[]){8, 6}, &three, NULL, NULL), one);
    assert_string_equal(one, "lm1:44ec58d0d32969480cc54d779acbad3180ed939bd7476ffc3ce0f9e1de20ea3d");
    leman_exact_hash cut = {{0x01, 0xab}};
    assert_int_equal(leman_exact_hash_text(&cut, 2, other, 7), 8);
    assert_string_equal(other, "lm1:01");
    assert_int_equal(leman_exact_hash_text(&cut, 99, NULL, 0), LEMAN_EXACT_HASH_TEXT - 1);
    exact_text(ctx, edge(ctx, (int64_t[]){8, 6}, NULL, (double[]){3}, (double[]){3}), other);
    assert_string_not_equal(one, other);
    exact_text(ctx, edge(ctx, NULL, NULL, (double[]){3}, (double[]){4}), one);
    exact_text(ctx, edge(ctx, NULL, NULL, (double[]){4}, (double[]){3}), other);
    assert_string_equal(one, other);
    exact_text(ctx, edge(ctx, NULL, NULL, (double[]){3}, (double[]){5}), other);
    assert_string_not_equal(one, other);
    leman_dataset *data = edge(ctx, NULL, NULL, (double[]){3}, (double[]){5});
    const leman_graph g = leman_dataset_graph(data, 0);
    leman_graph_text(&g, line, sizeof line);
    assert_string_equal(line, "graph 2 | 0-1:;3/;5");
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* Known groups of graphs that colour refinement does not touch, and copies of them. */
static void test_known(void **state)
{
    (void)state;
    static const struct {
        leman_family family;
        size_t vertices, graph;
        double automorphisms;
    } KNOWN[] = {
        {LEMAN_FAMILY_PETERSEN, 0, 0, 120},
        {LEMAN_FAMILY_ROOK_SHRIKHANDE, 0, 0, 1152},
        {LEMAN_FAMILY_ROOK_SHRIKHANDE, 0, 1, 192},
        {LEMAN_FAMILY_CYCLE, 100, 0, 200},
        {LEMAN_FAMILY_COMPLETE, 30, 0, 2.6525285981219103e32},
        {LEMAN_FAMILY_PATH, 5000, 0, 2},
    };
    leman_context *ctx = test_context_new(2);
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++) {
        leman_family_options o = leman_family_options_default();
        leman_symmetry symmetry[8];
        bool same;
        o.graphs = 3;
        o.vertices = KNOWN[i].vertices;
        leman_dataset *data = test_made(ctx, KNOWN[i].family, &o), *canonical = NULL;
        const size_t kinds = KNOWN[i].family == LEMAN_FAMILY_ROOK_SHRIKHANDE ? 2 : 1;
        const leman_graph g = leman_dataset_graph(data, KNOWN[i].graph),
                          h = leman_dataset_graph(data, KNOWN[i].graph + kinds);
        assert_int_equal(leman_dataset_canonical(ctx, data, symmetry, NULL, &canonical), LEMAN_OK);
        const leman_symmetry *s = symmetry + KNOWN[i].graph;
        assert_true(fabs(s->mantissa * pow(10, s->exponent) / KNOWN[i].automorphisms - 1) < 1e-9);
        assert_int_equal(leman_isomorphic(ctx, &g, &h, &same, NULL), LEMAN_OK);
        assert_true(same);
        const leman_graph other = leman_dataset_graph(data, 0);
        assert_int_equal(leman_isomorphic(ctx, &other, &h, &same, NULL), LEMAN_OK);
        assert_int_equal(same, KNOWN[i].graph == 0);
        leman_dataset_free(canonical);
        leman_dataset_free(data);
    }
    test_context_free(ctx);
}

/* ---- Failures -------------------------------------------------------------------------------- */

static leman_status canonical_body(leman_context *ctx, void *data)
{
    leman_dataset *canonical = NULL;
    const leman_status st = leman_dataset_canonical(ctx, data, NULL, NULL, &canonical);
    leman_dataset_free(canonical);
    return st;
}

static leman_status exact_body(leman_context *ctx, void *data)
{
    leman_exact_hash hash[2];
    return leman_exact_hashes(ctx, data, hash);
}

static leman_status isomorphic_body(leman_context *ctx, void *data)
{
    const leman_graph g = leman_dataset_graph(data, 0), h = leman_dataset_graph(data, 1);
    bool same;
    return leman_isomorphic(ctx, &g, &h, &same, NULL);
}

static void test_allocations(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = test_made(ctx, LEMAN_FAMILY_ROOK_SHRIKHANDE, NULL);
    assert_true(test_fail_each_allocation(canonical_body, data) > 3);
    assert_true(test_fail_each_allocation(exact_body, data) > 3);
    assert_true(test_fail_each_allocation(isomorphic_body, data) > 1);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* What nauty needs is refused before nauty is called. */
static void test_budget(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_family_options o = leman_family_options_default();
    o.vertices = 20000;
    leman_dataset *data = test_made(ctx, LEMAN_FAMILY_CYCLE, &o);
    test_meter meter = {0};
    leman_context *small = test_meter_context(&meter, (size_t)16 << 20, 1);
    assert_int_equal(canonical_body(small, data), LEMAN_ERROR_BUDGET);
    assert_true(meter.peak < (size_t)16 << 20);
    test_meter_free(&meter, small);
    leman_context *large = test_meter_context(&meter, (size_t)64 << 20, 1);
    assert_int_equal(canonical_body(large, data), LEMAN_OK);
    test_meter_free(&meter, large);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* A search inside nauty is cancelled, and nauty's flag is cleared: the next search is complete. */
static void test_cancelled(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_family_options o = leman_family_options_default();
    o.vertices = 1000;
    o.degree = 3;
    leman_dataset *base = test_made(ctx, LEMAN_FAMILY_REGULAR, &o);
    o.base = base;
    leman_dataset *large = test_made(ctx, LEMAN_FAMILY_CFI, &o); /* seconds, if it is not cancelled */
    o.vertices = 200;
    leman_dataset *small = test_made(ctx, LEMAN_FAMILY_REGULAR, &o);
    test_meter meter;
    leman_context *stopped = test_meter_context(&meter, 0, 1);
    meter.says_stop = true;
    assert_int_equal(canonical_body(stopped, large), LEMAN_ERROR_CANCELLED);
    assert_int_equal(canonical_body(ctx, small), LEMAN_OK);
    meter.says_stop = false;
    assert_int_equal(canonical_body(stopped, small), LEMAN_OK);
    test_meter_free(&meter, stopped);
    leman_dataset_free(large);
    leman_dataset_free(base);
    leman_dataset_free(small);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small),     cmocka_unit_test(test_all),         cmocka_unit_test(test_attributes),
        cmocka_unit_test(test_exact),     cmocka_unit_test(test_known),       cmocka_unit_test(test_budget),
        cmocka_unit_test(test_cancelled), cmocka_unit_test(test_allocations),
    };
    if (!leman_nauty_version()) {
        puts("skipped: this build has no nauty");
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
