/* The number of types of pairs in ZINC, which the paper's program has as a constant. */
#include "nn/encode/encoding.h"
#include "support/support.h"

/* 21 of one vertex, 286 not adjacent, 138 adjacent: counted from the file by another program. */
static void test_types_of_zinc(void **unused)
{
    (void)unused;
    const char *path = test_set("ZINC_10k");
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = NULL;
    lm_encoding *e = NULL;
    const lm_encoding_options o = {.k = 2};
    assert_int_equal(leman_dataset_read(ctx, path, NULL, NULL, &data), LEMAN_OK);
    assert_int_equal(lm_encoding_learn(ctx, data, NULL, 0, &o, &e), LEMAN_OK);
    assert_int_equal(e->widths.types, 445);
    lm_encoding_free(e);
    leman_dataset_free(data);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_types_of_zinc)};
    return test_run(tests);
}
