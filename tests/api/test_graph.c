/* leman/graph.h: every function with what it must refuse; what accessors give then; the names of enum values. */
#include "support/refused.h"
#include <math.h>
#include <stdio.h>

/* A small data set with names and classes. */
static leman_dataset *some_data(leman_context *ctx)
{
    leman_dataset *data = NULL;
    assert_int_equal(leman_dataset_generate(ctx, LEMAN_FAMILY_CYCLES, NULL, &data), LEMAN_OK);
    return data;
}

/* ---- Accessors ------------------------------------------------------------------------------- */

static void expect_empty(leman_graph graph)
{
    assert_int_equal(graph.vertices, 0);
    assert_int_equal(graph.arcs, 0);
    assert_int_equal(graph.start[0], 0);
    assert_null(graph.vertex_label);
}

static void test_accessors(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = some_data(ctx);
    size_t length = 7, graphs = leman_dataset_shape(data)->graphs;
    assert_null(leman_dataset_shape(NULL));
    assert_int_equal(leman_dataset_reading(NULL), 0);
    assert_null(leman_dataset_classes(NULL));
    assert_null(leman_dataset_targets(NULL));
    assert_null(leman_dataset_targets(data)); /* there are none */
    expect_empty(leman_dataset_graph(NULL, 0));
    expect_empty(leman_dataset_graph(data, graphs));
    expect_empty(leman_dataset_graph(data, SIZE_MAX));
    assert_true(leman_dataset_graph(data, graphs - 1).vertices > 0);

    const leman_dataset *const from[] = {NULL, data, data};
    const size_t graph[] = {0, graphs, SIZE_MAX};
    for (int i = 0; i < 3; i++) {
        length = 7;
        assert_string_equal(leman_dataset_graph_name(from[i], graph[i], &length), "");
        assert_int_equal(length, 0);
        length = 7;
        assert_string_equal(leman_dataset_vertex_name(from[i], graph[i], 0, &length), "");
        assert_int_equal(length, 0);
    }
    assert_string_equal(leman_dataset_vertex_name(data, 0, SIZE_MAX, &length), "");
    for (int i = 0; i < 3; i++) {
        length = 7;
        assert_string_equal(leman_dataset_target_name(from[i], graph[i], &length), "");
        assert_int_equal(length, 0);
        length = 7;
        assert_string_equal(leman_dataset_class_name(from[i], 1, &length), "");
        assert_int_equal(length, 0);
    }
    assert_string_equal(leman_dataset_target_name(data, 0, NULL), "");
    assert_string_equal(leman_dataset_class_name(data, 0, NULL), "");
    assert_string_equal(leman_dataset_graph_name(data, 0, NULL), "");
    assert_string_equal(leman_dataset_vertex_name(data, 0, 0, NULL), "");
    leman_dataset_graph_name(data, 0, &length);
    assert_true(length > 0);
    assert_int_equal(leman_dataset_checksum(NULL), 0);
    assert_int_equal(leman_dataset_cost(NULL, 2).tuples, 0);
    leman_dataset_free(data);
    leman_dataset_free(NULL);
    test_context_free(ctx);
}

/* ---- Data sets ------------------------------------------------------------------------------- */

static void test_datasets(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = some_data(ctx), *const before = TEST_UNTOUCHED(leman_dataset), *out = before;
    const size_t first = 0, beyond = leman_dataset_shape(data)->graphs;
    const leman_columns nothing = {0}, reserved = {.reserved = {[3] = 1}};
    leman_summary summary;
    assert_refused_without(leman_dataset_select(NULL, data, 1, &first, &out));
    assert_refused(ctx, "data", leman_dataset_select(ctx, NULL, 1, &first, &out));
    assert_refused(ctx, "which", leman_dataset_select(ctx, data, 1, NULL, &out));
    assert_refused(ctx, "graph 2", leman_dataset_select(ctx, data, 1, &beyond, &out));
    assert_refused(ctx, "out", leman_dataset_select(ctx, data, 1, &first, NULL));
    assert_refused_without(leman_dataset_keep(NULL, data, &nothing, &out));
    assert_refused(ctx, "data", leman_dataset_keep(ctx, NULL, &nothing, &out));
    assert_refused(ctx, "keep", leman_dataset_keep(ctx, data, NULL, &out));
    assert_refused(ctx, "reserved", leman_dataset_keep(ctx, data, &reserved, &out));
    assert_refused(ctx, "out", leman_dataset_keep(ctx, data, &nothing, NULL));
    assert_refused_without(leman_dataset_check(NULL, data));
    assert_refused(ctx, "data", leman_dataset_check(ctx, NULL));
    assert_refused_without(leman_dataset_summary(NULL, data, &summary));
    assert_refused(ctx, "data", leman_dataset_summary(ctx, NULL, &summary));
    assert_refused(ctx, "summary", leman_dataset_summary(ctx, data, NULL));
    assert_refused_without(leman_dataset_apex(NULL, data, &out));
    assert_refused(ctx, "data", leman_dataset_apex(ctx, NULL, &out));
    assert_refused(ctx, "out", leman_dataset_apex(ctx, data, NULL));
    assert_refused_without(leman_dataset_round_attributes(NULL, data, 1, &out));
    assert_refused(ctx, "data", leman_dataset_round_attributes(ctx, NULL, 1, &out));
    assert_refused(ctx, "out", leman_dataset_round_attributes(ctx, data, 1, NULL));
    assert_refused(ctx, "digits", leman_dataset_round_attributes(ctx, data, 16, &out));
    assert_refused_without(leman_dataset_standardize(NULL, data, NULL, &out));
    assert_refused(ctx, "data", leman_dataset_standardize(ctx, NULL, NULL, &out));
    assert_refused(ctx, "out", leman_dataset_standardize(ctx, data, NULL, NULL));
    leman_level level = LEMAN_LEVEL_EDGE;
    assert_refused_without(leman_dataset_rows(NULL, data, LEMAN_LEVEL_VERTEX, &out));
    assert_refused(ctx, "data", leman_dataset_rows(ctx, NULL, LEMAN_LEVEL_VERTEX, &out));
    assert_refused(ctx, "out", leman_dataset_rows(ctx, data, LEMAN_LEVEL_VERTEX, NULL));
    assert_refused(ctx, "level", leman_dataset_rows(ctx, data, (leman_level)9, &out));
    assert_refused_without(leman_level_parse(NULL, "edge", &level));
    assert_refused(ctx, "name", leman_level_parse(ctx, NULL, &level));
    assert_refused(ctx, "level", leman_level_parse(ctx, "edge", NULL));
    assert_refused(ctx, "'corner'", leman_level_parse(ctx, "corner", &level));
    assert_int_equal(level, LEMAN_LEVEL_EDGE);
    assert_string_equal(leman_level_name((leman_level)9), "unknown");
    assert_null(leman_counted_pattern_name(SIZE_MAX));
    size_t column = 7, columns[4] = {7}, count = 7;
    assert_int_equal(leman_dataset_target_named(NULL, "0"), SIZE_MAX);
    assert_int_equal(leman_dataset_target_named(data, NULL), SIZE_MAX);
    assert_refused_without(leman_dataset_target_find(NULL, data, "0", &column));
    assert_refused(ctx, "data", leman_dataset_target_find(ctx, NULL, "0", &column));
    assert_refused(ctx, "text", leman_dataset_target_find(ctx, data, NULL, &column));
    assert_refused(ctx, "column", leman_dataset_target_find(ctx, data, "0", NULL));
    assert_refused_without(leman_dataset_target_list(NULL, data, "0", columns, &count));
    assert_refused(ctx, "data", leman_dataset_target_list(ctx, NULL, "0", columns, &count));
    assert_refused(ctx, "text", leman_dataset_target_list(ctx, data, NULL, columns, &count));
    assert_refused(ctx, "columns", leman_dataset_target_list(ctx, data, "0", NULL, &count));
    assert_refused(ctx, "count", leman_dataset_target_list(ctx, data, "0", columns, NULL));
    assert_true(column == 7 && columns[0] == 7 && count == 7);
    assert_refused_without(leman_dataset_use_class(NULL, data, 0, &out));
    assert_refused(ctx, "data", leman_dataset_use_class(ctx, NULL, 0, &out));
    assert_refused_for_data(ctx, "no column 0", leman_dataset_use_class(ctx, data, 0, &out)); /* there are no targets */
    assert_refused(ctx, "out", leman_dataset_use_class(ctx, data, 0, NULL));
    assert_refused_without(leman_dataset_use_target(NULL, data, 0, &out));
    assert_refused(ctx, "data", leman_dataset_use_target(ctx, NULL, 0, &out));
    assert_refused_for_data(ctx, "no column 0", leman_dataset_use_target(ctx, data, 0, &out));
    assert_refused(ctx, "out", leman_dataset_use_target(ctx, data, 0, NULL));
    const double infinite[8] = {INFINITY};
    assert_refused_without(leman_dataset_set_targets(NULL, data, NULL, NULL, 0, &out));
    assert_refused(ctx, "data", leman_dataset_set_targets(ctx, NULL, NULL, NULL, 0, &out));
    assert_refused(ctx, "target", leman_dataset_set_targets(ctx, data, NULL, NULL, 1, &out));
    assert_refused(ctx, "neither finite", leman_dataset_set_targets(ctx, data, NULL, infinite, 1, &out));
    assert_refused(ctx, "out", leman_dataset_set_targets(ctx, data, NULL, NULL, 0, NULL));
    const int64_t labels[2] = {0, 1};
    const char *const words[2] = {"a", "b"};
    assert_refused_without(leman_dataset_set_class_names(NULL, data, labels, words, 2, &out));
    assert_refused(ctx, "data", leman_dataset_set_class_names(ctx, NULL, labels, words, 2, &out));
    assert_refused(ctx, "class_label", leman_dataset_set_class_names(ctx, data, NULL, words, 2, &out));
    assert_refused(ctx, "name", leman_dataset_set_class_names(ctx, data, labels, NULL, 2, &out));
    assert_refused(ctx, "out", leman_dataset_set_class_names(ctx, data, labels, words, 2, NULL));
    const int64_t falling[2] = {1, 0};
    assert_refused(ctx, "increasing", leman_dataset_set_class_names(ctx, data, falling, words, 2, &out));
    assert_ptr_equal(out, before);
    assert_int_equal(leman_dataset_select(ctx, data, 0, NULL, &out), LEMAN_OK); /* no graphs: no numbers of them */
    assert_int_equal(leman_dataset_shape(out)->graphs, 0);
    leman_dataset_free(out);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* ---- Policies -------------------------------------------------------------------------------- */

static void test_policies(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_policy policy = leman_policy_default(), before = policy;
    for (int i = 0; i < LEMAN_ACTION_COUNT; i++) assert_string_not_equal(leman_action_name((leman_action)i), "unknown");
    assert_string_equal(leman_action_name((leman_action)LEMAN_ACTION_COUNT), "unknown");

    assert_refused_without(leman_policy_parse(NULL, "", &policy));
    assert_refused(ctx, "text", leman_policy_parse(ctx, NULL, &policy));
    assert_refused(ctx, "policy", leman_policy_parse(ctx, "self-loops=keep", NULL));
    assert_refused(ctx, "isolated-vertices", leman_policy_parse(ctx, "loops=keep", &policy));
    policy.size = 3;
    assert_refused(ctx, "leman_policy_init()", leman_policy_parse(ctx, "self-loops=keep", &policy));
    policy = before;
    leman_policy_init(NULL, sizeof policy);

    for (size_t rule = 0; rule < LEMAN_RULE_COUNT; rule++) /* what is allowed is what is read */
        for (int a = 0; a < LEMAN_ACTION_COUNT; a++) {
            char text[64];
            snprintf(text, sizeof text, "%s=%s", leman_policy_rule(rule), leman_action_name((leman_action)a));
            assert_int_equal(leman_policy_parse(ctx, text, &policy) == LEMAN_OK,
                             leman_policy_allows(rule, (leman_action)a));
        }
    assert_null(leman_policy_rule(LEMAN_RULE_COUNT));
    assert_false(leman_policy_allows(LEMAN_RULE_COUNT, LEMAN_ACTION_KEEP));
    assert_false(leman_policy_allows(0, (leman_action)LEMAN_ACTION_COUNT));
    assert_false(leman_policy_allows(0, (leman_action)-1));
    test_context_free(ctx);
}

/* ---- Builders -------------------------------------------------------------------------------- */

static void test_builders(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    const leman_columns columns = {.vertex_labels = 1, .edge_attributes = 1, .classes = true, .targets = 1},
                        reserved = {.reserved = {1}};
    leman_builder *const nothing = TEST_UNTOUCHED(leman_builder), *b = nothing;
    leman_dataset *const before = TEST_UNTOUCHED(leman_dataset), *out = before;
    const int64_t label = 1;
    const double real = 0.5;
    assert_refused_without(leman_builder_new(NULL, "n", &columns, &b));
    assert_refused(ctx, "name", leman_builder_new(ctx, NULL, &columns, &b));
    assert_refused(ctx, "columns", leman_builder_new(ctx, "n", NULL, &b));
    assert_refused(ctx, "reserved", leman_builder_new(ctx, "n", &reserved, &b));
    assert_refused(ctx, "out", leman_builder_new(ctx, "n", &columns, NULL));
    assert_ptr_equal(b, nothing);
    assert_int_equal(leman_builder_new(ctx, "n", &columns, &b), LEMAN_OK);
    const char *const names[] = {NULL};
    assert_refused_without(leman_builder_target_names(NULL, names));
    assert_refused(ctx, "names", leman_builder_target_names(b, NULL));
    assert_refused_without(leman_builder_class_name(NULL, 0, "a"));
    assert_refused(ctx, "name", leman_builder_class_name(b, 0, NULL));
    assert_refused_without(leman_builder_graph(NULL, NULL, &label, &real));
    assert_refused(ctx, "class", leman_builder_graph(b, NULL, NULL, &real));
    assert_refused(ctx, "1 target expected", leman_builder_graph(b, NULL, &label, NULL));
    assert_refused(ctx, "vertex", leman_builder_vertex(b, NULL, &label, NULL)); /* before the first graph */
    assert_int_equal(leman_builder_graph(b, NULL, &label, &real), LEMAN_OK);
    assert_refused_without(leman_builder_vertex(NULL, NULL, &label, NULL));
    assert_refused(ctx, "vertex labels", leman_builder_vertex(b, NULL, NULL, NULL));
    for (int i = 0; i < 2; i++) assert_int_equal(leman_builder_vertex(b, NULL, &label, NULL), LEMAN_OK);
    assert_refused_without(leman_builder_edge(NULL, 0, 1, NULL, &real));
    assert_refused(ctx, "edge attributes", leman_builder_edge(b, 0, 1, NULL, NULL));
    assert_int_equal(leman_builder_edge(b, 0, 2, NULL, &real), LEMAN_ERROR_INPUT);
    assert_int_equal(leman_builder_edge(b, 0, 1, NULL, &real), LEMAN_OK);

    leman_graph_arrays arrays = leman_graph_arrays_default();
    assert_refused_without(leman_builder_arrays(NULL, &arrays));
    assert_refused(ctx, "arrays", leman_builder_arrays(b, NULL));
    arrays.graphs = 1;
    assert_refused(ctx, "vertex_start", leman_builder_arrays(b, &arrays));
    arrays = (leman_graph_arrays){0};
    assert_refused(ctx, "leman_graph_arrays", leman_builder_arrays(b, &arrays));
    leman_graph_arrays_init(NULL, 0);

    leman_policy policy = leman_policy_default();
    assert_refused_without(leman_builder_finish(NULL, NULL, NULL, &out));
    assert_refused(ctx, "out", leman_builder_finish(b, NULL, NULL, NULL));
    policy.self_loops = LEMAN_ACTION_REPAIR;
    assert_refused(ctx, "self-loops", leman_builder_finish(b, &policy, NULL, &out));
    policy.self_loops = (leman_action)99;
    assert_refused(ctx, "self-loops", leman_builder_finish(b, &policy, NULL, &out));
    policy = (leman_policy){0};
    assert_refused(ctx, "leman_policy", leman_builder_finish(b, &policy, NULL, &out));
    assert_ptr_equal(out, before);
    assert_int_equal(leman_builder_finish(b, NULL, NULL, &out), LEMAN_OK); /* nothing was lost on the way */
    assert_int_equal(leman_dataset_shape(out)->edges, 1);
    leman_dataset_free(out);
    leman_builder_free(b);
    leman_builder_free(NULL);
    test_context_free(ctx);
}

/* ---- Families -------------------------------------------------------------------------------- */

static void test_families(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *const before = TEST_UNTOUCHED(leman_dataset), *out = before;
    leman_family_options options = leman_family_options_default();
    leman_family family = LEMAN_FAMILY_GRID;
    for (int i = 0; i < LEMAN_FAMILY_COUNT; i++) {
        assert_int_equal(leman_family_parse(ctx, leman_family_name((leman_family)i), &family), LEMAN_OK);
        assert_int_equal(family, i);
    }
    assert_string_equal(leman_family_name((leman_family)LEMAN_FAMILY_COUNT), "unknown");
    assert_refused_without(leman_family_parse(NULL, "cfi", &family));
    assert_refused(ctx, "name", leman_family_parse(ctx, NULL, &family));
    assert_refused(ctx, "family", leman_family_parse(ctx, "cfi", NULL));
    assert_refused(ctx, "rook-shrikhande, cycles", leman_family_parse(ctx, "tree", &family));
    assert_refused_without(leman_dataset_generate(NULL, LEMAN_FAMILY_PATH, NULL, &out));
    assert_refused(ctx, "family", leman_dataset_generate(ctx, (leman_family)99, NULL, &out));
    assert_refused(ctx, "family", leman_dataset_generate(ctx, (leman_family)-1, NULL, &out));
    assert_refused(ctx, "out", leman_dataset_generate(ctx, LEMAN_FAMILY_PATH, NULL, NULL));
    options.size = 0;
    assert_refused(ctx, "leman_family_options", leman_dataset_generate(ctx, LEMAN_FAMILY_PATH, &options, &out));
    assert_ptr_equal(out, before);
    leman_family_options_init(NULL, sizeof options);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accessors), cmocka_unit_test(test_datasets), cmocka_unit_test(test_policies),
        cmocka_unit_test(test_builders),  cmocka_unit_test(test_families),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
