/* Attributes as labels: rounding, the order of columns, edges whose arcs differ, bad arguments and failing allocations. */
#include "support/support.h"
#include <math.h>

/* Two vertices with a label and two attributes, an edge with one attribute, which differs between its arcs. */
static leman_dataset *made(leman_context *ctx, bool directed, double large)
{
    const leman_columns columns = {.vertex_labels = 1, .vertex_attributes = 2, .edge_attributes = 1};
    leman_policy policy = leman_policy_default();
    leman_builder *builder = NULL;
    leman_dataset *data = NULL;
    policy.directed = directed;
    assert_int_equal(leman_builder_new(ctx, "made", &columns, &builder), LEMAN_OK);
    assert_int_equal(leman_builder_graph(builder, NULL, NULL, NULL), LEMAN_OK);
    assert_int_equal(leman_builder_vertex(builder, NULL, (int64_t[]){7}, (double[]){0.25, large}), LEMAN_OK);
    assert_int_equal(leman_builder_vertex(builder, NULL, (int64_t[]){-1}, (double[]){-0.35, -0.0}), LEMAN_OK);
    assert_int_equal(leman_builder_edge(builder, 0, 1, NULL, (double[]){1.5}), LEMAN_OK);
    assert_int_equal(leman_builder_edge(builder, 1, 0, NULL, (double[]){-2.5}), LEMAN_OK);
    assert_int_equal(leman_builder_finish(builder, &policy, NULL, &data), LEMAN_OK);
    leman_builder_free(builder);
    return data;
}

static void test_rounded(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    for (int directed = 0; directed < 2; directed++) {
        leman_dataset *data = made(ctx, directed, 3), *rounded = NULL;
        /* 0.25 * 10 = 2.5 becomes 2, -0.35 * 10 = -3.5 becomes -4: the even integers */
        static const int64_t VERTEX[] = {7, 2, 30, -1, -4, 0};
        const int64_t edge[] = {directed ? 15 : -25, -25};
        assert_int_equal(leman_dataset_round_attributes(ctx, data, 1, &rounded), LEMAN_OK);
        assert_int_equal(leman_dataset_check(ctx, rounded), LEMAN_OK);
        const leman_graph g = leman_dataset_graph(rounded, 0);
        assert_int_equal(g.vertex_labels, 3);
        assert_int_equal(g.edge_labels, 1);
        assert_int_equal(g.vertex_attributes + g.edge_attributes, 0);
        assert_memory_equal(g.vertex_label, VERTEX, sizeof VERTEX);
        assert_memory_equal(g.edge_label, edge, sizeof edge);
        leman_dataset_free(rounded);
        leman_dataset_free(data);
    }
    test_context_free(ctx);
}

static leman_status round_body(leman_context *ctx, void *state)
{
    leman_dataset *rounded = NULL;
    const leman_status st = leman_dataset_round_attributes(ctx, state, 2, &rounded);
    leman_dataset_free(rounded);
    return st;
}

static void test_failures(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = made(ctx, false, 9e14), *rounded = NULL;
    assert_int_equal(leman_dataset_round_attributes(ctx, data, 16, &rounded), LEMAN_ERROR_ARGUMENT);
    assert_non_null(strstr(leman_context_message(ctx), "found 16, expected 0 to 15"));
    assert_int_equal(leman_dataset_round_attributes(ctx, NULL, 1, &rounded), LEMAN_ERROR_ARGUMENT);
    assert_int_equal(leman_dataset_round_attributes(ctx, data, 1, NULL), LEMAN_ERROR_ARGUMENT);
    assert_int_equal(leman_dataset_round_attributes(ctx, data, 5, &rounded), LEMAN_ERROR_INPUT); /* 9e19 >= 2^63 */
    assert_non_null(strstr(leman_context_message(ctx), "found the attribute 9e+14"));
    assert_null(rounded);
    assert_int_equal(leman_dataset_round_attributes(ctx, data, 4, &rounded), LEMAN_OK);
    leman_dataset_free(rounded);
    assert_true(test_fail_each_allocation(round_body, data) > 1);
    leman_dataset_free(data);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rounded), cmocka_unit_test(test_failures)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
