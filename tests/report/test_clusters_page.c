/* The page of clusters: failing allocations, and graphs that are not drawn. tests/cli/test_clusters_page.py reads pages. */
#include "leman.h"
#include "support/support.h"
#include <math.h>

enum { GRAPHS = 8 };

typedef struct grouped {
    leman_dataset *data;
    leman_kernel kernel;
    uint32_t cluster[GRAPHS], centre[GRAPHS];
    size_t clusters;
} grouped;

static leman_status write_page(leman_context *ctx, void *state)
{
    static const double VALUE[GRAPHS] = {1, 2, 3, 4, 5, 6, 7, NAN};
    const grouped *g = state;
    leman_clusters_view view = leman_clusters_view_default();
    view.cluster = g->cluster, view.centre = g->centre, view.clusters = g->clusters, view.least = 0.5;
    view.value = VALUE, view.value_name = "value";
    return leman_clusters_page_write(ctx, g->data, &g->kernel, 1, &view, NULL, "leman clusters", "/dev/null");
}

static void allocations_may_fail(void **unused)
{
    (void)unused;
    static const char *const SMILES[GRAPHS] = {"CCO",       "CCN",         "c1ccccc1", "CC(=O)O",
                                               "CCC[NH3+]", "C1CC2CCC1C2", "C",        "CO"};
    leman_context *ctx = test_context_new(1);
    grouped g = {.kernel = leman_kernel_default()};
    assert_int_equal(leman_dataset_from_smiles(ctx, SMILES, NULL, GRAPHS, NULL, NULL, &g.data), LEMAN_OK);
    assert_int_equal(leman_neighbors_kernel(ctx, g.data, &g.kernel), LEMAN_OK);
    assert_int_equal(leman_clusters_find(ctx, g.data, &g.kernel, 1, 0.5, g.cluster, g.centre, NULL, &g.clusters),
                     LEMAN_OK);
    assert_true(test_fail_each_allocation(write_page, &g) > 5);
    leman_dataset_free(g.data);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(allocations_may_fail)};
    return test_run(tests);
}
