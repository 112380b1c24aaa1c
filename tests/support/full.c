#include "support/full.h"
#include <math.h>
#include <stdio.h>

leman_columns test_full_columns(void)
{
    return (leman_columns){.vertex_labels = 2,
                           .edge_labels = 2,
                           .vertex_attributes = 3,
                           .edge_attributes = 1,
                           .targets = 2,
                           .classes = true,
                           .graph_names = true,
                           .vertex_names = true};
}

/* The call again where memory was short: nothing of the first try may be left. */
#define KEEP_TRYING(call)                                                                                              \
    do {                                                                                                               \
        leman_status first = (call);                                                                                   \
        if (first == LEMAN_ERROR_MEMORY) first = (call);                                                               \
        if (first) return first;                                                                                       \
    } while (0)

leman_status test_full_build(leman_builder *builder, uint64_t *state, size_t graphs, size_t max)
{
    static const char *const NAMES[2] = {"log P", "\xc3\xa9, 1"};
    char name[64];
    KEEP_TRYING(leman_builder_target_names(builder, NAMES));
    KEEP_TRYING(leman_builder_class_name(builder, 2, "active"));
    KEEP_TRYING(leman_builder_class_name(builder, -1, "not, \"so\""));
    for (size_t g = 0; g < graphs; g++) {
        const int64_t random_class = (int64_t)(test_random(state) % 6) - 2,
                      class_label = random_class == 3 ? LEMAN_CLASS_MISSING : random_class;
        const double targets[2] = {g % 4 == 3 ? NAN : (double)g / 3, -(double)(test_random(state) % 100)};
        size_t n = test_random(state) % (max + 1), edges = n ? test_random(state) % (2 * n + 1) : 0;
        snprintf(name, sizeof name, "%.*s", (int)(test_random(state) % 8),
                 "graph\xc3\xa9"
                 "s"); /* may be empty */
        KEEP_TRYING(leman_builder_graph(builder, name, &class_label, targets));
        for (size_t v = 0; v < n; v++) {
            const int64_t labels[2] = {(int64_t)test_random(state), (int64_t)v};
            const double attributes[3] = {(double)v, 0.1, -0.0};
            snprintf(name, sizeof name, "%.*zu", (int)(v % 5), v);
            KEEP_TRYING(leman_builder_vertex(builder, name, labels, attributes));
        }
        for (size_t e = 0; e < edges; e++) {
            size_t tail = test_random(state) % n, head = test_random(state) % n;
            const int64_t labels[2] = {(int64_t)(test_random(state) % 3), INT64_MIN + (int64_t)e};
            const double attribute = (double)test_random(state) / 7;
            KEEP_TRYING(leman_builder_edge(builder, tail, head, labels, &attribute));
        }
    }
    return LEMAN_OK;
}

leman_dataset *test_full_dataset(leman_context *ctx, uint64_t *state, size_t graphs, size_t max, bool directed)
{
    leman_columns columns = test_full_columns();
    leman_policy policy = leman_policy_default();
    leman_builder *builder = NULL;
    leman_dataset *data = NULL;
    policy.directed = directed;
    policy.self_loops = LEMAN_ACTION_KEEP;
    assert_int_equal(leman_builder_new(ctx, "full", &columns, &builder), LEMAN_OK);
    assert_int_equal(test_full_build(builder, state, graphs, max), LEMAN_OK);
    assert_int_equal(leman_builder_finish(builder, &policy, NULL, &data), LEMAN_OK);
    leman_builder_free(builder);
    return data;
}

static bool same_bytes(const char *a, size_t a_length, const char *b, size_t b_length)
{
    return a_length == b_length && !memcmp(a, b, a_length);
}

bool test_same_all(const leman_dataset *a, const leman_dataset *b)
{
    const leman_shape *s = leman_dataset_shape(a), *t = leman_dataset_shape(b);
    size_t i, j;
    if (!test_same_dataset(a, b)) return false;
    if (strcmp(s->name, t->name) || s->columns->graph_names != t->columns->graph_names ||
        s->columns->vertex_names != t->columns->vertex_names) {
        print_message("data sets differ in their name, or in having names\n");
        return false;
    }
    for (size_t c = 0; c < s->columns->targets; c++) {
        const char *x = leman_dataset_target_name(a, c, &i), *y = leman_dataset_target_name(b, c, &j);
        if (same_bytes(x, i, y, j)) continue;
        print_message("data sets differ in the name of target %zu\n", c);
        return false;
    }
    for (int64_t c = -3; c < 4; c++) {
        const char *x = leman_dataset_class_name(a, c, &i), *y = leman_dataset_class_name(b, c, &j);
        if (same_bytes(x, i, y, j)) continue;
        print_message("data sets differ in the name of class %d\n", (int)c);
        return false;
    }
    for (size_t g = 0; g < s->graphs; g++) {
        const char *x = leman_dataset_graph_name(a, g, &i), *y = leman_dataset_graph_name(b, g, &j);
        bool same = same_bytes(x, i, y, j);
        for (size_t v = 0; v < leman_dataset_graph(a, g).vertices; v++) {
            x = leman_dataset_vertex_name(a, g, v, &i);
            y = leman_dataset_vertex_name(b, g, v, &j);
            same &= same_bytes(x, i, y, j);
        }
        if (same) continue;
        print_message("data sets differ in a name, graph %zu\n", g + 1);
        return false;
    }
    return true;
}
