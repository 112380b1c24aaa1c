/* leman/neighbors.h: every function with what it must refuse. */
#include "support/refused.h"

static void test_arguments(void **unused)
{
    (void)unused;
    uint64_t state = 4;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = test_random_graph(ctx, &state, 6, 40, 2, 0, false);
    leman_kernel kernel = leman_kernel_default(), unset = {0}, stable = leman_kernel_default();
    leman_kernel walks = leman_kernel_default(), bins = leman_kernel_default();
    leman_neighbors *found = NULL;
    uint32_t cluster[1] = {7};
    size_t clusters = 9;
    stable.coloring.rounds = LEMAN_STABLE;
    walks.kind = LEMAN_KERNEL_KIND_RANDOM_WALK;
    bins.binnings = 2;

    assert_refused_without(leman_neighbors_kernel(NULL, data, &kernel));
    assert_refused(ctx, "data", leman_neighbors_kernel(ctx, NULL, &kernel));
    assert_refused(ctx, "kernel", leman_neighbors_kernel(ctx, data, NULL));
    assert_refused(ctx, "size", leman_neighbors_kernel(ctx, data, &unset));

    assert_refused_without(leman_neighbors_find(NULL, data, "x.g6", NULL, &kernel, 1, 3, NULL, &found));
    assert_refused(ctx, "queries", leman_neighbors_find(ctx, NULL, "x.g6", NULL, &kernel, 1, 3, NULL, &found));
    assert_refused(ctx, "path", leman_neighbors_find(ctx, data, NULL, NULL, &kernel, 1, 3, NULL, &found));
    assert_refused(ctx, "kernels", leman_neighbors_find(ctx, data, "x.g6", NULL, NULL, 1, 3, NULL, &found));
    assert_refused(ctx, "kernels", leman_neighbors_find(ctx, data, "x.g6", NULL, &kernel, 0, 3, NULL, &found));
    assert_refused(ctx, "nearest", leman_neighbors_find(ctx, data, "x.g6", NULL, &kernel, 1, 0, NULL, &found));
    assert_refused(ctx, "out", leman_neighbors_find(ctx, data, "x.g6", NULL, &kernel, 1, 3, NULL, NULL));
    assert_refused(ctx, "size", leman_neighbors_find(ctx, data, "x.g6", NULL, &unset, 1, 3, NULL, &found));
    leman_read_options reading = {0};
    assert_refused(ctx, "leman_read_options",
                   leman_neighbors_find(ctx, data, "x.g6", &reading, &kernel, 1, 3, NULL, &found));

    assert_refused_without(leman_neighbors_among(NULL, data, NULL, &kernel, 1, 3, &found));
    assert_refused(ctx, "queries", leman_neighbors_among(ctx, NULL, data, &kernel, 1, 3, &found));
    assert_refused(ctx, "kernels", leman_neighbors_among(ctx, data, NULL, NULL, 1, 3, &found));
    assert_refused(ctx, "nearest", leman_neighbors_among(ctx, data, NULL, &kernel, 1, 0, &found));
    assert_refused(ctx, "out", leman_neighbors_among(ctx, data, NULL, &kernel, 1, 3, NULL));
    assert_refused(ctx, "rounds", leman_neighbors_among(ctx, data, NULL, &stable, 1, 3, &found));
    assert_refused(ctx, "feature vectors", leman_neighbors_among(ctx, data, NULL, &walks, 1, 3, &found));
    assert_refused(ctx, "binnings", leman_neighbors_among(ctx, data, NULL, &bins, 1, 3, &found));

    assert_refused_without(leman_clusters_find(NULL, data, &kernel, 1, 0.5, cluster, NULL, NULL, &clusters));
    assert_refused(ctx, "data", leman_clusters_find(ctx, NULL, &kernel, 1, 0.5, cluster, NULL, NULL, &clusters));
    assert_refused(ctx, "kernels", leman_clusters_find(ctx, data, NULL, 1, 0.5, cluster, NULL, NULL, &clusters));
    assert_refused(ctx, "cluster", leman_clusters_find(ctx, data, &kernel, 1, 0.5, NULL, NULL, NULL, &clusters));
    assert_refused(ctx, "clusters", leman_clusters_find(ctx, data, &kernel, 1, 0.5, cluster, NULL, NULL, NULL));
    for (size_t i = 0; i < 3; i++)
        assert_refused(
            ctx, "similarity",
            leman_clusters_find(ctx, data, &kernel, 1, (double[]){0, -1, 1.5}[i], cluster, NULL, NULL, &clusters));
    assert_null(found);
    assert_int_equal(cluster[0], 7);
    assert_int_equal(clusters, 9);

    leman_clusters_view view = leman_clusters_view_default(), none = leman_clusters_view_default(), wrong;
    uint32_t few[8] = {0};
    leman_clusters_view_init(NULL, sizeof view);
    leman_clusters_view_init(&view, sizeof view);
    assert_true(!view.cluster && !view.centre && !view.value);
    view.cluster = view.centre = few, view.clusters = 1;
    assert_refused_without(leman_clusters_page_write(NULL, data, &kernel, 1, &view, NULL, NULL, "/dev/null"));
    assert_refused(ctx, "data", leman_clusters_page_write(ctx, NULL, &kernel, 1, &view, NULL, NULL, "/dev/null"));
    assert_refused(ctx, "kernels", leman_clusters_page_write(ctx, data, NULL, 1, &view, NULL, NULL, "/dev/null"));
    assert_refused(ctx, "view", leman_clusters_page_write(ctx, data, &kernel, 1, NULL, NULL, NULL, "/dev/null"));
    assert_refused(ctx, "view", leman_clusters_page_write(ctx, data, &kernel, 1, &none, NULL, NULL, "/dev/null"));
    assert_refused(ctx, "path", leman_clusters_page_write(ctx, data, &kernel, 1, &view, NULL, NULL, NULL));
    wrong = view, wrong.size = 1;
    assert_refused(ctx, "leman_clusters_view",
                   leman_clusters_page_write(ctx, data, &kernel, 1, &wrong, NULL, NULL, "/dev/null"));
    wrong = view, wrong.clusters = 0;
    assert_refused(ctx, "cluster", leman_clusters_page_write(ctx, data, &kernel, 1, &wrong, NULL, NULL, "/dev/null"));

    assert_int_equal(leman_neighbors_queries(NULL), 0);
    assert_int_equal(leman_neighbors_graphs(NULL), 0);
    assert_int_equal(leman_neighbors_count(NULL), 0);
    assert_true(leman_neighbors_get(NULL, 0, 0).similarity < 0);
    leman_neighbors_free(NULL);
    leman_dataset_free(data);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_arguments)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
