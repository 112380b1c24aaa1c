/* Hierarchies of tests against leman_distinguish() for every pair, and failing allocations. */
#include "support/random_graphs.h"
#include "support/support.h"

enum { GRAPHS = 8, TESTS = 4 };

typedef struct corpus {
    leman_context *ctx;
    leman_dataset *data;
    leman_coloring test[TESTS];
} corpus;

static corpus corpus_new(void)
{
    static const char *const NAMES[TESTS] = {"1-WL", "delta-2-LWL", "SWL(VS)", "SPD-WL"};
    corpus c = {.ctx = test_context_new(2)};
    const random_graph_kind kind = {0};
    uint64_t random = 11;
    random_graph *graph = malloc(GRAPHS * sizeof *graph);
    assert_non_null(graph);
    random_graph_draw_family(&random, &kind, 7, false, GRAPHS, graph);
    for (size_t v = 0; v < 6; v++) /* the last pair: a hexagon and two triangles */
        for (size_t g = GRAPHS - 2; g < GRAPHS; g++) {
            if (!v) graph[g] = (random_graph){.n = 6};
            const size_t w = g == GRAPHS - 1 ? v / 3 * 3 + (v + 1) % 3 : (v + 1) % 6;
            random_graph_toggle(&kind, graph + g, v, w);
        }
    c.data = random_graph_dataset(c.ctx, &kind, graph, GRAPHS);
    for (size_t t = 0; t < TESTS; t++) {
        c.test[t] = leman_coloring_default();
        c.test[t].rounds = LEMAN_STABLE;
        assert_int_equal(leman_coloring_parse(c.ctx, NAMES[t], c.test + t), LEMAN_OK);
    }
    free(graph);
    return c;
}

static void corpus_free(corpus *c)
{
    leman_dataset_free(c->data);
    test_context_free(c->ctx);
}

static bool tells(const corpus *c, size_t test, size_t a, size_t b)
{
    const leman_graph g = leman_dataset_graph(c->data, a), h = leman_dataset_graph(c->data, b);
    leman_difference difference;
    assert_int_equal(leman_distinguish(c->ctx, &g, &h, c->test + test, false, &difference), LEMAN_OK);
    return difference.distinguished;
}

static size_t larger(const corpus *c, size_t a, size_t b)
{
    const size_t g = leman_dataset_graph(c->data, a).vertices, h = leman_dataset_graph(c->data, b).vertices;
    return g > h ? g : h;
}

/* Every number of a hierarchy, counted pair by pair. */
static void check_counts(const corpus *c, bool listed)
{
    leman_hierarchy *h = NULL;
    assert_int_equal(leman_hierarchy_compute(c->ctx, c->data, c->test, TESTS, listed, &h), LEMAN_OK);
    assert_int_equal(h->pairs, listed ? GRAPHS / 2 : GRAPHS * (GRAPHS - 1) / 2);
    for (size_t i = 0; i < TESTS; i++)
        for (size_t j = 0; j < TESTS; j++) {
            size_t told = 0, only = 0, smallest = SIZE_MAX;
            for (size_t a = 0; a < GRAPHS; a++)
                for (size_t b = a + 1; b < GRAPHS; b++) {
                    if (listed && (a % 2 || b != a + 1)) continue;
                    const bool by = tells(c, i, a, b), by_not = by && !tells(c, j, a, b);
                    told += by;
                    only += by_not;
                    if (by_not && larger(c, a, b) < smallest) smallest = larger(c, a, b);
                    assert_int_equal(h->class_of[i * GRAPHS + a] != h->class_of[i * GRAPHS + b], by);
                }
            assert_int_equal(h->told[i], told);
            assert_int_equal(h->only[i * TESTS + j], only);
            if (!only) continue;
            const size_t *w = h->witness + 2 * (i * TESTS + j);
            assert_true(tells(c, i, w[0], w[1]) && !tells(c, j, w[0], w[1]));
            assert_int_equal(larger(c, w[0], w[1]), smallest);
        }
    assert_true(h->only[1 * TESTS + 0] > 0);                            /* the hexagon and the triangles */
    assert_true(h->proved[0 * TESTS + 2] && !h->proved[2 * TESTS + 0]); /* 1-WL < SWL(VS) */
    assert_true(!h->connected && !h->proved[2 * TESTS + 1]);            /* through connected graphs alone */
    leman_hierarchy_free(h);
}

static void test_counts(void **unused)
{
    (void)unused;
    corpus c = corpus_new();
    check_counts(&c, true);
    check_counts(&c, false);
    corpus_free(&c);
}

static leman_status compute(leman_context *ctx, void *state)
{
    const corpus *c = state;
    leman_hierarchy *h = NULL;
    const leman_status st = leman_hierarchy_compute(ctx, c->data, c->test, TESTS, false, &h);
    leman_hierarchy_free(h);
    return st;
}

static void test_each_allocation(void **unused)
{
    (void)unused;
    corpus c = corpus_new();
    assert_true(test_fail_each_allocation(compute, &c) > 0);
    corpus_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_each_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
