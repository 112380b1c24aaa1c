/*
 * leman_dataset_repeats() against the definition, graph by graph: labelled paths, of which two are isomorphic if and only if
 * the labels of one are those of the other, forwards or backwards.
 */
#include "support/support.h"
#include <math.h>
#include <string.h>

enum { GRAPHS = 40, LONGEST = 3, TARGETS = 2 };

typedef struct labelled_path {
    size_t n;
    int64_t label[LONGEST], class_label;
    double target[TARGETS];
} labelled_path;

static labelled_path draw(uint64_t *random)
{
    labelled_path p = {.n = 1 + test_random(random) % LONGEST};
    for (size_t i = 0; i < p.n; i++) p.label[i] = (int64_t)test_random(random) % 2;
    p.class_label = test_random(random) % 4 ? (int64_t)(test_random(random) % 8 == 0) : LEMAN_CLASS_MISSING;
    for (size_t i = 0; i < TARGETS; i++)
        p.target[i] = test_random(random) % 4 ? (double)(test_random(random) % 8 == 0) : (double)NAN;
    return p;
}

static leman_dataset *build(leman_context *ctx, const labelled_path *path, size_t count)
{
    const leman_columns columns = {.classes = true, .vertex_labels = 1, .vertex_attributes = 1, .targets = TARGETS};
    leman_builder *builder = NULL;
    leman_dataset *data = NULL;
    assert_int_equal(leman_builder_new(ctx, "paths", &columns, &builder), LEMAN_OK);
    for (size_t g = 0; g < count; g++) {
        assert_int_equal(leman_builder_graph(builder, NULL, &path[g].class_label, path[g].target), LEMAN_OK);
        for (size_t i = 0; i < path[g].n; i++)
            assert_int_equal(leman_builder_vertex(builder, NULL, path[g].label + i, &(double){(double)g}), LEMAN_OK);
        for (size_t i = 1; i < path[g].n; i++)
            assert_int_equal(leman_builder_edge(builder, i - 1, i, NULL, NULL), LEMAN_OK);
    }
    assert_int_equal(leman_builder_finish(builder, NULL, NULL, &data), LEMAN_OK);
    leman_builder_free(builder);
    return data;
}

static bool same_path(const labelled_path *a, const labelled_path *b)
{
    bool forwards = a->n == b->n, backwards = forwards;
    for (size_t i = 0; i < a->n && a->n == b->n; i++) {
        forwards = forwards && a->label[i] == b->label[i];
        backwards = backwards && a->label[i] == b->label[a->n - 1 - i];
    }
    return forwards || backwards;
}

static bool contradict(const labelled_path *a, const labelled_path *b)
{
    bool differ = a->class_label != LEMAN_CLASS_MISSING && b->class_label != LEMAN_CLASS_MISSING &&
                  a->class_label != b->class_label;
    for (size_t i = 0; i < TARGETS; i++)
        differ = differ || (!isnan(a->target[i]) && !isnan(b->target[i]) && fabs(a->target[i] - b->target[i]) > 0);
    return differ;
}

/* The definition, over all pairs. A class is counted at its first graph. */
static leman_repeats slow_repeats(const labelled_path *path, size_t count)
{
    leman_repeats found = {0};
    for (size_t begin = 0; begin < count; begin++) {
        size_t copies = 0, first = count, second = count;
        bool seen = false;
        for (size_t i = 0; i < count; i++) {
            if (!same_path(&path[begin], &path[i])) continue;
            seen = seen || i < begin;
            copies++;
            for (size_t j = 0; j < i && second == count; j++)
                if (same_path(&path[begin], &path[j]) && contradict(&path[j], &path[i])) first = j, second = i;
        }
        if (seen || copies < 2) continue;
        found.classes++;
        found.graphs += copies;
        if (second < count && (!found.contradictions++ || first < found.first)) {
            found.first = first;
            found.second = second;
        }
    }
    return found;
}

static void test_definition(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(2);
    uint64_t random = 5;
    size_t with = 0, without = 0;
    for (size_t round = 0; round < 200; round++) {
        labelled_path path[GRAPHS];
        leman_repeats found;
        const size_t count = 1 + round % GRAPHS;
        for (size_t g = 0; g < count; g++) path[g] = draw(&random);
        leman_dataset *data = build(ctx, path, count);
        const leman_repeats expected = slow_repeats(path, count);
        assert_int_equal(leman_dataset_repeats(ctx, data, &found), LEMAN_OK);
        assert_memory_equal(&found, &expected, sizeof found);
        *(found.contradictions ? &with : &without) += 1;
        leman_dataset_free(data);
    }
    assert_true(with > 20 && without > 20);
    test_context_free(ctx);
}

static leman_status repeats_body(leman_context *ctx, void *state)
{
    leman_repeats found;
    return leman_dataset_repeats(ctx, state, &found);
}

static void test_memory(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    uint64_t random = 6;
    labelled_path path[GRAPHS];
    for (size_t g = 0; g < GRAPHS; g++) path[g] = draw(&random);
    leman_dataset *data = build(ctx, path, GRAPHS);
    assert_true(test_fail_each_allocation(repeats_body, data) > 4);
    leman_dataset_free(data);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_definition), cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
