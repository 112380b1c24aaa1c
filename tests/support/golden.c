#include "support/golden.h"

typedef struct recipe {
    const char *name;
    bool directed;
    size_t vertices, vertex_columns, edges, edge_columns, vertex_reals, edge_reals;
    int64_t vertex_label[6][2];
    size_t edge[6][2];
    int64_t edge_label[6][2];
    double vertex_attribute[3][2], edge_attribute[2][1];
} recipe;

static const recipe GRAPHS[] = {
    {.name = "edge", .vertices = 2, .edges = 1, .edge = {{0, 1}}},
    {.name = "kite",
     .vertices = 4,
     .vertex_columns = 1,
     .edges = 4,
     .edge_columns = 1,
     .vertex_label = {{1}, {1}, {2}, {-3}},
     .edge = {{0, 1}, {1, 2}, {0, 2}, {2, 3}},
     .edge_label = {{0}, {1}, {1}, {5}}},
    {.name = "wheel",
     .directed = true,
     .vertices = 3,
     .vertex_columns = 2,
     .edges = 5,
     .edge_columns = 2,
     .vertex_label = {{0, 7}, {0, 7}, {1, 0}},
     .edge = {{0, 1}, {1, 2}, {2, 0}, {0, 2}, {1, 1}},
     .edge_label = {{0, 0}, {1, 0}, {0, 1}, {0, 0}, {2, 2}}},
    {.name = "none"},
    {.name = "hexagon", .vertices = 6, .edges = 6, .edge = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 0}}},
    {.name = "triangles", .vertices = 6, .edges = 6, .edge = {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}}},
    {.name = "double", .vertices = 3, .edges = 3, .edge = {{0, 1}, {0, 1}, {1, 2}}},
    {.name = "bonds",
     .vertices = 3,
     .edges = 4,
     .edge_columns = 1,
     .edge = {{0, 1}, {1, 0}, {1, 0}, {1, 2}},
     .edge_label = {{-1}, {2}, {-1}, {2}}},
    {.name = "arrows",
     .directed = true,
     .vertices = 2,
     .edges = 6,
     .edge_columns = 1,
     .edge = {{0, 1}, {0, 1}, {0, 1}, {1, 0}, {1, 1}, {1, 1}},
     .edge_label = {{7}, {7}, {5}, {7}, {5}, {5}}},
    {.name = "measured",
     .vertices = 3,
     .vertex_columns = 1,
     .edges = 2,
     .vertex_reals = 2,
     .edge_reals = 1,
     .vertex_label = {{4}, {4}, {4}},
     .edge = {{0, 1}, {1, 2}},
     .vertex_attribute = {{0.25, -1.5}, {0.25, -1.5}, {2.675, 1e9}},
     .edge_attribute = {{0.125}, {-0.375}}},
};

leman_dataset *test_golden_graph(leman_context *ctx, const char *name)
{
    const recipe *r = GRAPHS;
    while (strcmp(r->name, name)) r++;
    leman_columns columns = {.vertex_labels = r->vertex_columns,
                             .edge_labels = r->edge_columns,
                             .vertex_attributes = r->vertex_reals,
                             .edge_attributes = r->edge_reals};
    leman_policy policy = leman_policy_default();
    leman_builder *builder = NULL;
    leman_dataset *data = NULL;
    policy.directed = r->directed;
    policy.self_loops = policy.repeated_edges = LEMAN_ACTION_KEEP;
    assert_int_equal(leman_builder_new(ctx, name, &columns, &builder), LEMAN_OK);
    assert_int_equal(leman_builder_graph(builder, NULL, NULL, NULL), LEMAN_OK);
    for (size_t v = 0; v < r->vertices; v++)
        assert_int_equal(
            leman_builder_vertex(builder, NULL, r->vertex_label[v], r->vertex_reals ? r->vertex_attribute[v] : NULL),
            LEMAN_OK);
    for (size_t e = 0; e < r->edges; e++)
        assert_int_equal(leman_builder_edge(builder, r->edge[e][0], r->edge[e][1], r->edge_label[e],
                                            r->edge_reals ? r->edge_attribute[e] : NULL),
                         LEMAN_OK);
    assert_int_equal(leman_builder_finish(builder, &policy, NULL, &data), LEMAN_OK);
    leman_builder_free(builder);
    return data;
}
