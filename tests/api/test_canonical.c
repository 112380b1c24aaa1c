/* leman/canonical.h: every function with what it must refuse. */
#include "support/refused.h"

static void test_arguments(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = NULL, *out = NULL;
    assert_int_equal(leman_dataset_generate(ctx, LEMAN_FAMILY_PATH, NULL, &data), LEMAN_OK);
    const leman_graph g = leman_dataset_graph(data, 0);
    uint32_t order[64];
    bool same = true;
    assert_refused_without(leman_canonical_order(NULL, &g, order, NULL, NULL));
    assert_refused(ctx, "graph", leman_canonical_order(ctx, NULL, order, NULL, NULL));
    assert_refused(ctx, "order", leman_canonical_order(ctx, &g, NULL, NULL, NULL));
    assert_refused_without(leman_isomorphic(NULL, &g, &g, &same, NULL));
    assert_refused(ctx, "a,", leman_isomorphic(ctx, NULL, &g, &same, NULL));
    assert_refused(ctx, "b,", leman_isomorphic(ctx, &g, NULL, &same, NULL));
    assert_refused(ctx, "isomorphic", leman_isomorphic(ctx, &g, &g, NULL, NULL));
    assert_refused_without(leman_dataset_canonical(NULL, data, NULL, NULL, &out));
    assert_refused(ctx, "data", leman_dataset_canonical(ctx, NULL, NULL, NULL, &out));
    assert_refused(ctx, "out", leman_dataset_canonical(ctx, data, NULL, NULL, NULL));
    assert_null(out);
    assert_int_equal(leman_graph_text(NULL, NULL, 0), 0);
    assert_int_equal(leman_graph_text(&g, NULL, 8), 0);
    leman_exact_hash hash[1];
    char text[LEMAN_EXACT_HASH_TEXT] = "?";
    assert_refused_without(leman_exact_hashes(NULL, data, hash));
    assert_refused(ctx, "data", leman_exact_hashes(ctx, NULL, hash));
    assert_refused(ctx, "hash", leman_exact_hashes(ctx, data, NULL));
    assert_int_equal(leman_exact_hash_text(NULL, 32, text, sizeof text), 0);
    assert_string_equal(text, "");
    leman_repeats repeats;
    assert_refused_without(leman_dataset_repeats(NULL, data, &repeats));
    assert_refused(ctx, "data", leman_dataset_repeats(ctx, NULL, &repeats));
    assert_refused(ctx, "repeats", leman_dataset_repeats(ctx, data, NULL));
    assert_true(!leman_nauty_version() || strchr(leman_nauty_version(), '.'));
    leman_dataset_free(data);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_arguments)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
