/* leman/explain.h: every function with what it must refuse, and the names of its enums. */
#include "support/refused.h"

static void test_relations(void **state)
{
    (void)state;
    for (int i = 0; i < LEMAN_RELATION_COUNT; i++)
        assert_string_not_equal(leman_relation_name((leman_relation)i), "unknown");
    assert_string_equal(leman_relation_name((leman_relation)LEMAN_RELATION_COUNT), "unknown");
    assert_string_equal(leman_relation_name((leman_relation)-1), "unknown");
}

static void test_formats(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_explanation_format format = LEMAN_EXPLANATION_FORMAT_SVG;
    for (int i = 0; i < LEMAN_EXPLANATION_FORMAT_COUNT; i++) {
        const char *name = leman_explanation_format_name((leman_explanation_format)i);
        assert_int_equal(leman_explanation_format_parse(ctx, name, &format), LEMAN_OK);
        assert_int_equal(format, i);
    }
    format = LEMAN_EXPLANATION_FORMAT_DOT;
    assert_string_equal(leman_explanation_format_name((leman_explanation_format)3), "unknown");
    assert_string_equal(leman_explanation_format_name((leman_explanation_format)-1), "unknown");
    assert_refused_without(leman_explanation_format_parse(NULL, "svg", &format));
    assert_refused(ctx, "name", leman_explanation_format_parse(ctx, NULL, &format));
    assert_refused(ctx, "format", leman_explanation_format_parse(ctx, "svg", NULL));
    assert_refused(ctx, "text, dot, svg", leman_explanation_format_parse(ctx, "png", &format));
    assert_int_equal(format, LEMAN_EXPLANATION_FORMAT_DOT);
    test_context_free(ctx);
}

static void test_unrolling(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = NULL;
    leman_unrolling *const before = TEST_UNTOUCHED(leman_unrolling), *out = before;
    leman_coloring coloring = leman_coloring_default();
    assert_int_equal(leman_dataset_generate(ctx, LEMAN_FAMILY_CYCLES, NULL, &data), LEMAN_OK);
    leman_graph a = leman_dataset_graph(data, 0), b = leman_dataset_graph(data, 1);
    assert_refused_without(leman_explain(NULL, &a, &b, NULL, false, 0, &out));
    assert_refused(ctx, "for a,", leman_explain(ctx, NULL, &b, NULL, false, 0, &out));
    assert_refused(ctx, "for b,", leman_explain(ctx, &a, NULL, NULL, false, 0, &out));
    assert_refused(ctx, "unrolling", leman_explain(ctx, &a, &b, NULL, false, 0, NULL));
    coloring.k = 0;
    assert_refused(ctx, "k:", leman_explain(ctx, &a, &b, &coloring, false, 0, &out));
    coloring.size = 1;
    assert_refused(ctx, "leman_coloring", leman_explain(ctx, &a, &b, &coloring, false, 0, &out));
    assert_ptr_equal(out, before);
    assert_int_equal(leman_explain(ctx, &a, &b, NULL, false, 0, &out), LEMAN_OK);
    leman_unrolling_free(out);
    leman_unrolling_free(NULL);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* The graphs have to be those of the unrolling: numbers of vertices are all that it keeps of them. */
static void check_pairs(leman_context *ctx, const leman_unrolling *u, const leman_dataset *data,
                        leman_explanation **out)
{
    const leman_explanation_format text = LEMAN_EXPLANATION_FORMAT_TEXT;
    leman_explained_pair pair = leman_explained_pair_default();
    leman_dataset *larger = NULL;
    assert_refused(ctx, "data", leman_explanation_write(ctx, u, &pair, text, out));
    pair.data[0] = pair.data[1] = data;
    pair.graph[1] = 2;
    assert_refused(ctx, "graph 2", leman_explanation_write(ctx, u, &pair, text, out));
    pair.graph[1] = 1;
    assert_int_equal(leman_dataset_apex(ctx, data, &larger), LEMAN_OK);
    pair.data[1] = larger;
    assert_refused(ctx, "vertices", leman_explanation_write(ctx, u, &pair, text, out));
    pair.data[1] = data;
    pair.apex = true; /* there is none */
    assert_refused(ctx, "apex", leman_explanation_write(ctx, u, &pair, text, out));
    pair.size = 0;
    assert_refused(ctx, "leman_explained_pair", leman_explanation_write(ctx, u, &pair, text, out));
    leman_dataset_free(larger);
}

static void test_explanation(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = NULL;
    leman_unrolling *u = NULL;
    leman_explanation *const before = TEST_UNTOUCHED(leman_explanation), *out = before;
    leman_explained_pair pair = leman_explained_pair_default();
    assert_int_equal(leman_dataset_generate(ctx, LEMAN_FAMILY_CYCLES, NULL, &data), LEMAN_OK);
    leman_graph a = leman_dataset_graph(data, 0), b = leman_dataset_graph(data, 1);
    assert_int_equal(leman_explain(ctx, &a, &b, NULL, false, 0, &u), LEMAN_OK);
    check_pairs(ctx, u, data, &out);
    pair.data[0] = pair.data[1] = data;
    for (int i = 0; i < LEMAN_EXPLANATION_FORMAT_COUNT; i++) {
        const leman_explanation_format format = (leman_explanation_format)i;
        assert_refused_without(leman_explanation_write(NULL, u, &pair, format, &out));
        assert_refused(ctx, "unrolling", leman_explanation_write(ctx, NULL, &pair, format, &out));
        assert_refused(ctx, "pair", leman_explanation_write(ctx, u, NULL, format, &out));
        assert_refused(ctx, "explanation", leman_explanation_write(ctx, u, &pair, format, NULL));
    }
    assert_refused(ctx, "format", leman_explanation_write(ctx, u, &pair, (leman_explanation_format)3, &out));
    assert_refused(ctx, "format", leman_explanation_write(ctx, u, &pair, (leman_explanation_format)-1, &out));
    assert_ptr_equal(out, before);
    leman_explained_pair_init(NULL, sizeof pair);
    leman_explanation_free(NULL);
    leman_unrolling_free(u);
    leman_dataset_free(data);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_relations),
        cmocka_unit_test(test_formats),
        cmocka_unit_test(test_unrolling),
        cmocka_unit_test(test_explanation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
