/*
 * Fürer graphs, which show that the hierarchy of subgraph tests is strict: of a base graph the vertices (v, S) for every set S
 * of an even number of neighbours of v, and an edge between (v, S) and (w, T) for every edge vw of the base with (w in S) =
 * (v in T). In the second graph of a pair one edge of the base has "is not" in place of "=".
 *
 * Zhang, Feng, Du, He, Wang (ICML 2023) prove each step of their hierarchy by such a pair; the eight base graphs are those of
 * their figures 4 to 11.
 */
#include "support/support.h"

enum { MOST_EDGES = 20, MOST_VERTICES = 64, TESTS = 10 };

static const char *const NAMES[TESTS] = {"1-WL", "SWL(VS)", "SWL(SV)", "PSWL(VS)", "PSWL(SV)",
                                         "GSWL", "SSWL",    "LFWL(2)", "SLFWL(2)", "2-FWL"};

typedef struct base_graph {
    uint8_t edge[MOST_EDGES][2]; /* ends with an edge of two equal vertices */
    size_t vertices;             /* of each Fürer graph */
    const char *told;            /* for each test: does it tell the pair apart? */
} base_graph;

static const base_graph BASES[] = {
    /* SWL(VS) < SWL(SV), and PSWL(VS) is not above SWL(SV) */
    {{{0, 1}, {1, 2}, {2, 0}, {1, 3}, {2, 3}, {3, 4}, {4, 5}, {3, 5}, {4, 6}, {5, 6}}, 28, "--y-yyyyyy"},
    /* SWL(SV) is not above PSWL(VS) */
    {{{0, 1}, {1, 2}, {2, 0}, {0, 3}, {0, 4}, {3, 4}, {3, 7}, {4, 7}, {5, 6}, {6, 7}, {5, 7}}, 32, "---yyyyyyy"},
    /* PSWL(SV) < GSWL */
    {{{0, 1}, {1, 2}, {2, 0}, {1, 3}, {2, 3}, {3, 4}, {4, 5}, {5, 3}, {5, 6}, {6, 7}, {7, 5}, {6, 8}, {7, 8}},
     38,
     "-----yyyyy"},
    /* GSWL < SSWL */
    {{{0, 1}, {0, 2}, {1, 3}, {2, 3}, {2, 4}, {4, 5}, {5, 3}, {4, 6}, {6, 7}, {7, 5}}, 24, "------yyyy"},
    /* SSWL is not above LFWL(2) */
    {{{0, 1}, {1, 2}, {2, 0}, {1, 3}, {3, 4}, {4, 1}, {2, 4}, {4, 5}, {5, 2}}, 30, "-------yyy"},
    /* LFWL(2) is not above SSWL */
    {{{0, 1}, {1, 3}, {3, 5}, {5, 4}, {4, 2}, {2, 0}, {0, 6}, {6, 4}, {1, 7}, {7, 5}}, 24, "------y-yy"},
    /* SLFWL(2) < 2-FWL */
    {{{0, 3}, {3, 1}, {1, 7}, {7, 2}, {2, 5}, {5, 0}, {0, 4}, {4, 1}, {1, 8}, {8, 2}, {2, 6}, {6, 0}},
     36,
     "---------y"},
    /* LFWL(2) is not above SWL(SV) */
    {{{0, 2}, {2, 5}, {5, 7}, {7, 8}, {8, 11}, {11, 14}, {14, 12}, {12, 9}, {9, 7}, {7, 6},
      {6, 3}, {3, 0}, {0, 1}, {1, 5}, {8, 10}, {10, 14}, {14, 13}, {13, 9}, {0, 4}, {4, 6}},
     56,
     "--y-yyy-yy"},
};
enum { PAIRS = sizeof BASES / sizeof *BASES };

/* A vertex (v, S): bit w of S. */
typedef struct furer_vertex {
    unsigned v, set;
} furer_vertex;

static unsigned neighbours(const base_graph *b, unsigned v)
{
    unsigned found = 0;
    for (size_t e = 0; e < MOST_EDGES && b->edge[e][0] != b->edge[e][1]; e++) {
        if (b->edge[e][0] == v) found |= 1u << b->edge[e][1];
        if (b->edge[e][1] == v) found |= 1u << b->edge[e][0];
    }
    return found;
}

static size_t list_vertices(const base_graph *b, furer_vertex *out)
{
    size_t count = 0;
    for (unsigned v = 0; v < 16; v++) {
        const unsigned all = neighbours(b, v);
        for (unsigned set = all; all; set = (set - 1) & all) { /* the subsets, the whole first */
            if (__builtin_popcount(set) % 2 == 0) {
                assert_true(count < MOST_VERTICES);
                out[count++] = (furer_vertex){v, set};
            }
            if (!set) break;
        }
    }
    return count;
}

static void add_graph(leman_builder *builder, const base_graph *b, bool twisted)
{
    furer_vertex x[MOST_VERTICES];
    const size_t count = list_vertices(b, x);
    assert_int_equal(count, b->vertices);
    assert_int_equal(leman_builder_graph(builder, "", NULL, NULL), LEMAN_OK);
    for (size_t i = 0; i < count; i++) assert_int_equal(leman_builder_vertex(builder, "", NULL, NULL), LEMAN_OK);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++) {
            if (!(neighbours(b, x[i].v) >> x[j].v & 1)) continue;
            const bool twist = twisted && ((x[i].v == b->edge[0][0] && x[j].v == b->edge[0][1]) ||
                                           (x[i].v == b->edge[0][1] && x[j].v == b->edge[0][0]));
            if ((x[i].set >> x[j].v & 1) == ((x[j].set >> x[i].v & 1) ^ (unsigned)twist))
                assert_int_equal(leman_builder_edge(builder, (uint32_t)i, (uint32_t)j, NULL, NULL), LEMAN_OK);
        }
}

static void test_strict_steps(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(2);
    leman_builder *builder = NULL;
    leman_dataset *data = NULL;
    leman_hierarchy *h = NULL;
    leman_coloring test[TESTS];
    const leman_columns columns = {0};
    for (size_t t = 0; t < TESTS; t++) {
        test[t] = leman_coloring_default();
        test[t].rounds = LEMAN_STABLE;
        assert_int_equal(leman_coloring_parse(ctx, NAMES[t], test + t), LEMAN_OK);
    }
    assert_int_equal(leman_builder_new(ctx, "pairs", &columns, &builder), LEMAN_OK);
    for (size_t p = 0; p < 2 * PAIRS; p++) add_graph(builder, BASES + p / 2, p % 2);
    assert_int_equal(leman_builder_finish(builder, NULL, NULL, &data), LEMAN_OK);
    leman_builder_free(builder);
    assert_int_equal(leman_hierarchy_compute(ctx, data, test, TESTS, true, &h), LEMAN_OK);
    assert_true(h->connected);
    for (size_t t = 0; t < TESTS; t++)
        for (size_t p = 0; p < PAIRS; p++) {
            const uint32_t *class_of = h->class_of + t * h->graphs + 2 * p;
            if ((class_of[0] != class_of[1]) != (BASES[p].told[t] == 'y')) fail_msg("%s, pair %zu", NAMES[t], p);
        }
    for (size_t i = 0; i < TESTS * TESTS; i++) assert_true(!h->proved[i] || !h->only[i]);
    leman_hierarchy_free(h);
    leman_dataset_free(data);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_strict_steps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
