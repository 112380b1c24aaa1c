/* Keeping kinds of columns: what stays is unchanged, what goes leaves no trace, for each of the 256 choices. */
#include "support/support.h"

enum { KINDS = 8 };

static leman_status make(leman_context *ctx, leman_dataset **out)
{
    leman_columns columns = {.vertex_labels = 2,
                             .edge_labels = 1,
                             .vertex_attributes = 1,
                             .edge_attributes = 2,
                             .targets = 2,
                             .classes = true,
                             .graph_names = true,
                             .vertex_names = true};
    leman_builder *b = NULL;
    leman_status st = leman_builder_new(ctx, "kept", &columns, &b);
    for (int64_t g = 0; g < 3 && !st; g++) {
        double target[] = {0.5 * (double)g, -1};
        st = leman_builder_graph(b, g ? "one" : "another", &g, target);
        for (int64_t v = 0; v < 4 && !st; v++) {
            int64_t label[] = {v, g};
            double attribute = 0.25 * (double)v;
            st = leman_builder_vertex(b, v ? "v" : "", label, &attribute);
        }
        for (size_t v = 0; v < 3 && !st; v++) {
            int64_t label = (int64_t)v;
            double attribute[] = {1, 2};
            st = leman_builder_edge(b, v, v + 1, &label, attribute);
        }
    }
    if (!st) st = leman_builder_finish(b, NULL, NULL, out);
    leman_builder_free(b);
    return st;
}

static leman_columns choice(unsigned bits)
{
    return (leman_columns){.vertex_labels = bits & 1,
                           .edge_labels = bits >> 1 & 1,
                           .vertex_attributes = bits >> 2 & 1,
                           .edge_attributes = bits >> 3 & 1,
                           .targets = bits >> 4 & 1,
                           .classes = bits >> 5 & 1,
                           .graph_names = bits >> 6 & 1,
                           .vertex_names = bits >> 7 & 1};
}

static void test_every_choice(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = NULL;
    assert_int_equal(make(ctx, &data), LEMAN_OK);
    for (unsigned bits = 0; bits < 1u << KINDS; bits++) {
        leman_dataset *kept = NULL;
        leman_columns keep = choice(bits);
        assert_int_equal(leman_dataset_keep(ctx, data, &keep, &kept), LEMAN_OK);
        assert_int_equal(leman_dataset_check(ctx, kept), LEMAN_OK);
        leman_columns c = *leman_dataset_shape(kept)->columns;
        assert_int_equal(c.vertex_labels, keep.vertex_labels * 2);
        assert_int_equal(c.edge_attributes, keep.edge_attributes * 2);
        assert_int_equal(c.vertex_names, keep.vertex_names);
        assert_int_equal(leman_dataset_classes(kept) != NULL, keep.classes);
        assert_int_equal(leman_dataset_targets(kept) != NULL, keep.targets);
        for (size_t i = 0; i < 3; i++) {
            leman_graph g = leman_dataset_graph(data, i), h = leman_dataset_graph(kept, i);
            assert_int_equal(g.arcs, h.arcs);
            assert_memory_equal(g.start, h.start, (g.vertices + 1) * sizeof *g.start);
            assert_memory_equal(g.head + *g.start, h.head + *h.start, g.arcs * sizeof *g.head);
            if (keep.vertex_labels) assert_memory_equal(g.vertex_label, h.vertex_label, g.vertices * 16);
            if (keep.classes) assert_int_equal(leman_dataset_classes(kept)[i], i);
            size_t length = 0;
            const char *name = leman_dataset_graph_name(kept, i, &length);
            assert_int_equal(length, keep.graph_names ? (i ? 3 : 7) : 0);
            if (length) assert_memory_equal(name, i ? "one" : "another", length);
        }
        if (bits == (1u << KINDS) - 1) assert_true(test_same_dataset(data, kept));
        leman_dataset_free(kept);
    }
    leman_dataset_free(data);
    test_context_free(ctx);
}

static leman_status keep_labels(leman_context *ctx, void *state)
{
    (void)state;
    leman_dataset *data = NULL, *kept = NULL;
    leman_columns keep = {.vertex_labels = 1};
    leman_status st = make(ctx, &data);
    if (!st) st = leman_dataset_keep(ctx, data, &keep, &kept);
    leman_dataset_free(kept);
    leman_dataset_free(data);
    return st;
}

static void test_allocations(void **state)
{
    (void)state;
    assert_true(test_fail_each_allocation(keep_labels, NULL) > 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_choice), cmocka_unit_test(test_allocations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
