/*
 * Parallel edges that the policy keeps, beside a slow definition on random lines: the labels of an edge are the smaller of
 * the sorted lists of its two directions, or the longer one.
 */
#include "support/support.h"
#include <stdio.h>
#include <stdlib.h>

enum { LINES = 12, MOST = 4 };

typedef struct lines {
    bool directed, labelled;
    size_t vertices, count;
    size_t tail[LINES], head[LINES];
    int64_t label[LINES];
} lines;

static leman_status finish(leman_context *ctx, const lines *l, leman_action conflicts, leman_dataset **out)
{
    const leman_columns columns = {.edge_labels = l->labelled};
    leman_policy policy = leman_policy_default();
    leman_builder *builder = NULL;
    policy.directed = l->directed;
    policy.self_loops = policy.repeated_edges = LEMAN_ACTION_KEEP;
    policy.label_conflicts = conflicts;
    leman_status st = leman_builder_new(ctx, "lines", &columns, &builder);
    if (!st) st = leman_builder_graph(builder, NULL, NULL, NULL);
    for (size_t v = 0; v < l->vertices && !st; v++) st = leman_builder_vertex(builder, NULL, NULL, NULL);
    for (size_t i = 0; i < l->count && !st; i++)
        st = leman_builder_edge(builder, l->tail[i], l->head[i], &l->label[i], NULL);
    if (!st) st = leman_builder_finish(builder, &policy, NULL, out);
    leman_builder_free(builder);
    return st;
}

static int compare_labels(const void *a, const void *b)
{
    const int64_t *one = a, *other = b;
    return (*one > *other) - (*one < *other);
}

/* Writes the sorted labels of the lines from u to v; returns their number. */
static size_t labels_between(const lines *l, size_t u, size_t v, int64_t *label)
{
    size_t count = 0;
    for (size_t i = 0; i < l->count; i++)
        if (l->tail[i] == u && l->head[i] == v) label[count++] = l->label[i];
    qsort(label, count, sizeof *label, compare_labels);
    return count;
}

/* The labels that an arc should have; returns their number, 0 if there is no arc. *edges: how many it stands for. */
static size_t expected_labels(const lines *l, size_t u, size_t v, int64_t *label, size_t *edges)
{
    int64_t back[LINES];
    size_t there = labels_between(l, u, v, label), other = l->directed ? 0 : labels_between(l, v, u, back);
    const size_t shorter = there < other ? there : other;
    int order = 0;
    *edges = there > other ? there : other;
    for (size_t i = 0; i < shorter && !order; i++) order = compare_labels(back + i, label + i);
    if (other > there || (other == there && order < 0)) memcpy(label, back, other * sizeof *label);
    if (l->labelled) return *edges;
    label[0] = (int64_t)*edges;
    return *edges > 1;
}

static void check(leman_context *ctx, const lines *l)
{
    leman_dataset *data = NULL;
    assert_int_equal(finish(ctx, l, LEMAN_ACTION_REPAIR, &data), LEMAN_OK);
    assert_int_equal(leman_dataset_check(ctx, data), LEMAN_OK);
    const leman_graph g = leman_dataset_graph(data, 0);
    for (size_t u = 0; u < l->vertices; u++) {
        uint64_t arc = g.start[u];
        for (size_t v = 0; v < l->vertices; v++) {
            int64_t label[LINES];
            size_t edges;
            const size_t count = expected_labels(l, u, v, label, &edges);
            if (!edges) continue;
            assert_true(arc < g.start[u + 1] && g.head[arc] == v);
            assert_true(count <= g.edge_labels);
            for (size_t c = 0; c < g.edge_labels && edges > 1; c++)
                assert_int_equal(g.edge_label[arc * g.edge_labels + c], c < count ? label[c] : LEMAN_EDGE_LABEL_NONE);
            arc++;
        }
        assert_int_equal(arc, g.start[u + 1]);
    }
    leman_dataset_free(data);
}

static void test_definition(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    uint64_t random = 5;
    for (size_t round = 0; round < test_cases(400); round++) {
        lines l = {.directed = round & 1, .labelled = round & 2, .vertices = 1 + round % MOST};
        l.count = test_random(&random) % (LINES + 1);
        for (size_t i = 0; i < l.count; i++) {
            l.tail[i] = test_random(&random) % l.vertices;
            l.head[i] = test_random(&random) % l.vertices;
            l.label[i] = (int64_t)(test_random(&random) % 3) - 1;
        }
        check(ctx, &l);
    }
    test_context_free(ctx);
}

/* Parallel edges may have different labels; the two directions of a single edge may not, if the policy refuses that. */
static void test_conflicts(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = NULL;
    lines l = {
        .labelled = true, .vertices = 2, .count = 4, .tail = {0, 0, 1, 1}, .head = {1, 1, 0, 0}, .label = {1, 2, 2, 1}};
    assert_int_equal(finish(ctx, &l, LEMAN_ACTION_REFUSE, &data), LEMAN_OK);
    leman_dataset_free(data);
    l.head[1] = l.tail[1] = l.head[2] = l.tail[2] = 0;
    l.label[3] = 3;
    data = NULL;
    assert_int_equal(finish(ctx, &l, LEMAN_ACTION_REFUSE, &data), LEMAN_ERROR_INPUT);
    assert_null(data);
    test_context_free(ctx);
}

static leman_status body(leman_context *ctx, void *state)
{
    leman_dataset *data = NULL;
    const leman_status st = finish(ctx, state, LEMAN_ACTION_REPAIR, &data);
    leman_dataset_free(data);
    return st;
}

static void test_allocations(void **state)
{
    (void)state;
    lines l = {
        .labelled = true, .vertices = 3, .count = 4, .tail = {0, 0, 1, 1}, .head = {1, 1, 2, 2}, .label = {4, 3, 2, 1}};
    assert_true(test_fail_each_allocation(body, &l) > 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_definition), cmocka_unit_test(test_conflicts),
                                       cmocka_unit_test(test_allocations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
