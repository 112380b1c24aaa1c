/*
 * Policies on our own file: for random messy graphs, every policy gives the same graphs and the same report whether the
 * graphs come from edges (the builder, which the readers of text use) or from a file that kept all it could.
 */
#include "support/support.h"

/* The same messy graphs again and again: loops, isolated vertices, empty graphs, one-way edges. */
static leman_status build(leman_context *ctx, uint64_t seed, const leman_policy *policy, leman_cleaning *report,
                          leman_dataset **out)
{
    leman_columns columns = {.vertex_labels = 1, .edge_labels = 1, .targets = 1, .classes = true, .vertex_names = true};
    leman_builder *b = NULL;
    leman_status st = leman_builder_new(ctx, "messy", &columns, &b);
    for (int64_t g = 0; g < 4 && !st; g++) {
        double target = (double)g;
        size_t n = test_random(&seed) % 7;
        st = leman_builder_graph(b, NULL, &g, &target);
        for (size_t v = 0; v < n && !st; v++) {
            int64_t label = (int64_t)(test_random(&seed) % 3);
            st = leman_builder_vertex(b, v % 2 ? "odd" : "even", &label, NULL);
        }
        for (size_t i = 0; i < n * n && !st; i++) {
            int64_t label = (int64_t)(i / n + i % n); /* the same both ways, so labels cannot conflict */
            if (test_random(&seed) % 4 == 0) st = leman_builder_edge(b, i / n, i % n, &label, NULL);
        }
    }
    if (!st) st = leman_builder_finish(b, policy, report, out);
    leman_builder_free(b);
    return st;
}

static leman_policy keep_everything(void)
{
    leman_policy policy = leman_policy_default();
    policy.directed = true;
    policy.self_loops = policy.isolated_vertices = policy.empty_graphs = LEMAN_ACTION_KEEP;
    return policy;
}

static leman_policy some_policy(uint64_t *random)
{
    static const leman_action ANY[] = {LEMAN_ACTION_KEEP, LEMAN_ACTION_REMOVE, LEMAN_ACTION_REFUSE};
    leman_policy policy = leman_policy_default();
    policy.directed = test_random(random) % 2;
    policy.self_loops = ANY[test_random(random) % 3];
    policy.isolated_vertices = ANY[test_random(random) % 3];
    policy.empty_graphs = ANY[test_random(random) % 3];
    if (test_random(random) % 4 == 0)
        policy.one_way_edges = test_random(random) % 2 ? LEMAN_ACTION_REMOVE : LEMAN_ACTION_REFUSE;
    return policy;
}

static void test_like_the_builder(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new();
    uint64_t random = 11;
    size_t refused = 0, changed = 0;
    leman_read_options reading = leman_read_options_default();
    leman_policy keep = keep_everything();
    for (int i = 0; i < 300; i++) {
        uint64_t seed = test_random(&random);
        leman_dataset *kept = NULL, *expected = NULL, *found = NULL;
        leman_cleaning one = {0}, other = {0};
        assert_int_equal(build(ctx, seed, &keep, NULL, &kept), LEMAN_OK);
        assert_int_equal(leman_dataset_write(ctx, kept, test_path(folder, "x.leman"), LEMAN_FORMAT_AUTO), LEMAN_OK);
        leman_policy policy = some_policy(&random);
        reading.policy = &policy;
        leman_status st = build(ctx, seed, &policy, &one, &expected);
        assert_int_equal(leman_dataset_read(ctx, test_path(folder, "x.leman"), &reading, &other, &found), st);
        if (!st) {
            assert_int_equal(leman_dataset_check(ctx, found), LEMAN_OK);
            assert_true(test_same_dataset(expected, found));
            assert_memory_equal(&one, &other, sizeof one);
            changed += leman_dataset_shape(found)->arcs != leman_dataset_shape(kept)->arcs;
        }
        refused += st != LEMAN_OK;
        leman_dataset_free(kept);
        leman_dataset_free(expected);
        leman_dataset_free(found);
    }
    assert_true(refused > 20 && changed > 20);
    test_folder_remove(folder);
    test_context_free(ctx);
}

static leman_status read_directed(leman_context *ctx, void *path)
{
    leman_dataset *data = NULL;
    leman_status st = leman_dataset_read(ctx, path, NULL, NULL, &data);
    leman_dataset_free(data);
    return st;
}

static void test_allocations(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new();
    leman_policy keep = keep_everything();
    leman_dataset *data = NULL;
    char path[4096];
    strcpy(path, test_path(folder, "x.leman"));
    assert_int_equal(build(ctx, 5, &keep, NULL, &data), LEMAN_OK);
    assert_int_equal(leman_dataset_write(ctx, data, path, LEMAN_FORMAT_AUTO), LEMAN_OK);
    assert_true(test_fail_each_allocation(read_directed, path) > 10);
    leman_dataset_free(data);
    test_folder_remove(folder);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_like_the_builder), cmocka_unit_test(test_allocations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
