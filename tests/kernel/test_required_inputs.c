/* What kernels look at: data that differs elsewhere is compared as if it did not, and other data is refused. */
#include "support/support.h"

enum { VERTICES = 6 };

/* The same graph with or without its labels; with edges or without. */
static leman_dataset *graph(leman_context *ctx, bool vertex_labels, bool edge_labels, bool directed, unsigned percent)
{
    leman_columns keep = {.vertex_labels = vertex_labels, .edge_labels = edge_labels};
    uint64_t state = 11;
    leman_dataset *whole = test_random_graph(ctx, &state, VERTICES, percent, 2, 2, directed), *data = NULL;
    assert_int_equal(leman_dataset_keep(ctx, whole, &keep, &data), LEMAN_OK);
    leman_dataset_free(whole);
    return data;
}

static leman_kernel kernel_of(const char *name, bool ignore_vertex_labels, bool ignore_edge_labels)
{
    leman_context *ctx = test_context_new(1);
    leman_kernel kernel = leman_kernel_default();
    assert_int_equal(leman_kernel_parse(ctx, name, &kernel), LEMAN_OK);
    kernel.coloring.ignore_vertex_labels = ignore_vertex_labels;
    kernel.coloring.ignore_edge_labels = ignore_edge_labels;
    test_context_free(ctx);
    return kernel;
}

/* words NULL: the kernel of the two is that of the first with `same`. */
static void compare(leman_context *ctx, const leman_kernel *kernels, size_t count, const leman_dataset *a,
                    const leman_dataset *b, const leman_dataset *same, const char *words)
{
    double one = -1, other = -2, *rounds[8];
    for (size_t i = 0; i < sizeof rounds / sizeof *rounds; i++) rounds[i] = &one;
    leman_status st = leman_gram_compute(ctx, a, b, kernels, count, false, &one);
    if (words) {
        assert_int_equal(st, LEMAN_ERROR_INPUT);
        if (!strstr(leman_context_message(ctx), words)) fail_msg("%s", leman_context_message(ctx));
        if (kernels->kind == LEMAN_KERNEL_KIND_COLORS && count == 1)
            assert_int_equal(leman_gram_rounds(ctx, a, b, kernels, false, rounds), LEMAN_ERROR_INPUT);
        return;
    }
    assert_int_equal(st, LEMAN_OK);
    assert_int_equal(leman_gram_compute(ctx, a, same, kernels, count, false, &other), LEMAN_OK);
    assert_true(one == other && one > 0);
}

static void test_labels(void **unused)
{
    (void)unused;
    static const struct {
        const char *kernel;
        bool ignore_vertex_labels, ignore_edge_labels;
        bool vertex, edge, directions; /* that it looks at */
    } CASES[] = {
        {"local:2", false, false, true, true, true},  {"local:2", true, false, false, true, true},
        {"local:2", false, true, true, false, true},  {"wl:1", true, true, false, false, true},
        {"wloa", false, false, true, true, true},     {"sp", false, false, true, false, true},
        {"sp", true, false, false, false, true},      {"graphlet", false, false, true, true, true},
        {"graphlet", true, true, false, false, true}, {"graphlet:4", false, false, false, false, false},
        {"NSPD", false, false, true, true, true},     {"ODD", false, true, true, false, true},
        {"NH", false, false, true, false, true},      {"HC", true, false, false, false, true},
    };
    leman_context *ctx = test_context_new(1);
    leman_dataset *whole = graph(ctx, true, true, false, 60), *no_vertex = graph(ctx, false, true, false, 60),
                  *no_edge = graph(ctx, true, false, false, 60), *arcs = graph(ctx, true, true, true, 60);
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        leman_kernel kernel = kernel_of(CASES[i].kernel, CASES[i].ignore_vertex_labels, CASES[i].ignore_edge_labels);
        compare(ctx, &kernel, 1, whole, no_vertex, whole,
                CASES[i].vertex ? "found 0 columns of vertex labels, expected 1, as " : NULL);
        compare(ctx, &kernel, 1, no_edge, whole, no_edge,
                CASES[i].edge ? "found 1 column of edge labels, expected 0, as " : NULL);
        if (CASES[i].directions)
            compare(ctx, &kernel, 1, whole, arcs, NULL, "found directed graphs, expected undirected ones, as ");
    }
    leman_kernel both[2] = {kernel_of("sp", false, false), kernel_of("local:1", false, false)};
    compare(ctx, both, 1, whole, no_edge, whole, NULL);
    compare(ctx, both, 2, whole, no_edge, whole, "edge labels"); /* one of them looks */
    leman_dataset_free(whole);
    leman_dataset_free(no_vertex);
    leman_dataset_free(no_edge);
    leman_dataset_free(arcs);
    test_context_free(ctx);
}

/* Graphs without edges have no labels of edges to miss, on either side. */
static void test_no_edges(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    leman_dataset *whole = graph(ctx, true, true, false, 60), *lonely = graph(ctx, true, false, false, 0),
                  *same = graph(ctx, true, true, false, 0), *bare = graph(ctx, false, false, false, 0);
    leman_kernel kernel = kernel_of("local:2", false, false);
    compare(ctx, &kernel, 1, whole, lonely, same, NULL);
    compare(ctx, &kernel, 1, lonely, whole, whole, NULL);
    compare(ctx, &kernel, 1, whole, bare, NULL, "found 0 columns of vertex labels, expected 1, as ");
    leman_dataset_free(whole);
    leman_dataset_free(lonely);
    leman_dataset_free(same);
    leman_dataset_free(bare);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_labels), cmocka_unit_test(test_no_edges)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
