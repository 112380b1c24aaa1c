/*
 * The published features of shortest paths, graphlets and neighbourhoods: values that another program computed from docs/kernels.md
 * alone. They must never change, or features computed earlier no longer match new ones.
 */
#include "support/features.h"
#include "support/golden.h"

static const struct golden {
    const char *graph;
    leman_kernel_kind kind;
    unsigned size;
    uint64_t seed, key, count;
} GOLDEN[] = {
#include "golden_keys.inc" /* what golden_keys.py prints */
};

enum { ROWS = sizeof GOLDEN / sizeof *GOLDEN };

static bool same_case(const struct golden *a, const struct golden *b)
{
    return !strcmp(a->graph, b->graph) && a->kind == b->kind && a->size == b->size && a->seed == b->seed;
}

/* Rows of one case stand together, keys increasing, and are all there is. */
static void test_golden(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    for (size_t first = 0, last; first < ROWS; first = last) {
        const struct golden *g = GOLDEN + first;
        leman_kernel kernel = leman_kernel_default();
        for (last = first; last < ROWS && same_case(g, GOLDEN + last);) last++;
        kernel.kind = g->kind;
        if (g->kind > LEMAN_KERNEL_KIND_GRAPHLET)
            kernel.radius = (uint8_t)g->size, kernel.distance = 1;
        else
            kernel.graphlet = g->size;
        kernel.coloring.seed = g->seed;
        leman_dataset *data = test_golden_graph(ctx, g->graph);
        size_t count;
        lm_pair *entry = test_entries(ctx, data, &kernel, &count);
        assert_int_equal(count, last - first);
        for (size_t i = 0; i < count; i++) {
            assert_int_equal(entry[i].key, g[i].key);
            assert_int_equal(lm_pair_value(entry[i]), g[i].count);
        }
        free(entry);
        leman_dataset_free(data);
    }
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_golden)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
