/*
 * Explanations in memory: what they name is in the graphs, they outlive what they were made from, and every allocation
 * fails in turn. tests/cli/test_distinguish.py checks each line of the text against the graphs.
 */
#include "support/support.h"

/* a - b - c, and a - b with c alone: two graphs with names of vertices, one of them with characters to be escaped. */
static leman_dataset *named_pair(leman_context *ctx)
{
    static const char *const NAMES[] = {"a<b", "say \"b\"", "c&d"};
    leman_builder *builder = NULL;
    leman_dataset *data = NULL;
    leman_columns columns = {.graph_names = true, .vertex_names = true};
    assert_int_equal(leman_builder_new(ctx, "pair", &columns, &builder), LEMAN_OK);
    for (int g = 0; g < 2; g++) {
        assert_int_equal(leman_builder_graph(builder, g ? "one edge" : "path", NULL, NULL), LEMAN_OK);
        for (int v = 0; v < 3; v++) assert_int_equal(leman_builder_vertex(builder, NAMES[v], NULL, NULL), LEMAN_OK);
        for (uint32_t e = 0; e < (g ? 1 : 2); e++)
            assert_int_equal(leman_builder_edge(builder, e, e + 1, NULL, NULL), LEMAN_OK);
    }
    assert_int_equal(leman_builder_finish(builder, NULL, NULL, &data), LEMAN_OK);
    leman_builder_free(builder);
    return data;
}

static leman_status explain(leman_context *ctx, const leman_dataset *data, bool as_union,
                            leman_explanation_format format, leman_explanation **out)
{
    leman_unrolling *u = NULL;
    leman_explained_pair pair = leman_explained_pair_default();
    leman_coloring coloring = leman_coloring_default();
    coloring.algorithm = LEMAN_ALGORITHM_FOLKLORE;
    leman_graph a = leman_dataset_graph(data, 0), b = leman_dataset_graph(data, 1);
    pair.data[0] = pair.data[1] = data;
    leman_status st = leman_explain(ctx, &a, &b, &coloring, as_union, 0, &u);
    if (!st) st = leman_explanation_write(ctx, u, &pair, format, out);
    leman_unrolling_free(u);
    return st;
}

static size_t count(const char *text, const char *word)
{
    size_t found = 0;
    for (const char *at = text; (at = strstr(at, word)); at += strlen(word)) found++;
    return found;
}

/* The data set and the unrolling are gone when the text is read. */
static void test_formats(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    for (int i = 0; i < 2 * LEMAN_EXPLANATION_FORMAT_COUNT; i++) {
        const leman_explanation_format format = (leman_explanation_format)(i / 2);
        leman_explanation *e = NULL;
        leman_dataset *data = named_pair(ctx);
        assert_int_equal(explain(ctx, data, i % 2, format, &e), LEMAN_OK);
        leman_dataset_free(data);
        assert_int_equal(strlen(e->text), e->length);
        assert_non_null(strstr(e->text, "carried"));
        if (format == LEMAN_EXPLANATION_FORMAT_TEXT) {
            assert_non_null(strstr(e->text, "in the first graph (path)"));
            assert_non_null(strstr(e->text, "a<b"));
        } else if (format == LEMAN_EXPLANATION_FORMAT_DOT) {
            assert_int_equal(count(e->text, "{"), count(e->text, "}"));
            assert_int_equal((count(e->text, "\"") - count(e->text, "\\\"")) % 2, 0); /* quotes are closed */
        } else {
            assert_int_equal(count(e->text, "<text"), count(e->text, "</text>"));
            assert_int_equal(count(e->text, "</svg>"), 1);
            assert_null(strstr(e->text, "a<b"));
        }
        leman_explanation_free(e);
    }
    test_context_free(ctx);
}

/* A graph and itself: one sentence, in every format. */
static void test_not_distinguished(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = named_pair(ctx);
    leman_graph graph = leman_dataset_graph(data, 0);
    leman_explained_pair pair = {.size = sizeof pair, .data = {data, data}};
    leman_unrolling *u = NULL;
    assert_int_equal(leman_explain(ctx, &graph, &graph, NULL, false, 0, &u), LEMAN_OK);
    for (int i = 0; i < LEMAN_EXPLANATION_FORMAT_COUNT; i++) {
        leman_explanation *e = NULL;
        assert_int_equal(leman_explanation_write(ctx, u, &pair, (leman_explanation_format)i, &e), LEMAN_OK);
        assert_non_null(strstr(e->text, "nothing to explain"));
        leman_explanation_free(e);
    }
    leman_unrolling_free(u);
    leman_dataset_free(data);
    test_context_free(ctx);
}

typedef struct attempt {
    const leman_dataset *data;
    leman_explanation_format format;
} attempt;

static leman_status try_explain(leman_context *ctx, void *state)
{
    const attempt *a = state;
    leman_explanation *e = NULL;
    leman_status st = explain(ctx, a->data, false, a->format, &e);
    if (st) assert_null(e);
    leman_explanation_free(e);
    return st;
}

static void test_failing_allocations(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = named_pair(ctx);
    for (int i = 0; i < LEMAN_EXPLANATION_FORMAT_COUNT; i++) {
        attempt a = {data, (leman_explanation_format)i};
        assert_true(test_fail_each_allocation(try_explain, &a) > 10);
    }
    leman_dataset_free(data);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_formats),
        cmocka_unit_test(test_not_distinguished),
        cmocka_unit_test(test_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
