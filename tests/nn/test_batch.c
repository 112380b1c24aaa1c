/* Batches: what follows from vertices and arcs, growing blocks, sizes that cannot be. */
#include "nn/check.h"

static void links_follow_the_arcs(void **state)
{
    static const size_t SIZES[] = {4, 1, 0, 6, 3, SIZE_MAX};
    (void)state;
    for (uint64_t seed = 0; seed < test_cases(20); seed++) {
        leman_context *ctx = test_context_new(1);
        lm_batch b;
        unsigned k = 1 + (unsigned)seed % 3;
        check_batch(ctx, k, SIZES, 40, seed & 1, seed, &b);
        size_t tuples = 0, arcs = b.extent.rows[LM_ARCS], seen = 0;
        for (size_t g = 0; g < b.extent.rows[LM_GRAPHS]; g++) {
            assert_int_equal(b.start[LM_TUPLES][g], tuples);
            assert_int_equal(b.start[LM_ARCS][g], b.leaving_start[b.start[LM_VERTICES][g]]);
            tuples += k > 1 ? (size_t)lm_power(SIZES[g], k) : 0;
        }
        assert_int_equal(b.start[LM_TUPLES][b.extent.rows[LM_GRAPHS]], tuples);
        assert_int_equal(b.start[LM_ARCS][b.extent.rows[LM_GRAPHS]], arcs);
        for (uint32_t v = 0; v < b.extent.rows[LM_VERTICES]; v++) {
            for (uint32_t e = b.leaving_start[v]; e < b.leaving_start[v + 1]; e++) assert_int_equal(b.tail[e], v);
            for (uint32_t i = b.entering_start[v]; i < b.entering_start[v + 1]; i++, seen++) {
                assert_int_equal(b.head[b.entering_arc[i]], v);
                if (i > b.entering_start[v]) assert_true(b.tail[b.entering_arc[i - 1]] < b.tail[b.entering_arc[i]]);
            }
        }
        assert_int_equal(seen, arcs);
        for (uint32_t l = 0; l < CHECK_LABELS; l++) {
            size_t count = 0;
            for (size_t e = 0; e < arcs; e++) count += b.arc_label[e] == l;
            assert_true(b.label_count[l] == (lm_real)count);
        }
        lm_batch_free(&b);
        test_context_free(ctx);
    }
}

/* The block is the same one until a larger batch comes; absent arrays are NULL, and all lie on cache lines. */
static void blocks_only_grow(void **state)
{
    leman_context *ctx = test_context_new(1);
    lm_batch b;
    (void)state;
    lm_batch_init(ctx, &b);
    b.k = 2;
    b.extent = (lm_extent){{[LM_TUPLES] = 100, [LM_VERTICES] = 10, [LM_ARCS] = 20, [LM_GRAPHS] = 1}};
    assert_int_equal(lm_batch_resize(&b), LEMAN_OK);
    void *block = b.block;
    assert_null(b.tuple_type);
    assert_null(b.target);
    assert_non_null(b.head);
    b.extent.rows[LM_ARCS] = 0;
    assert_int_equal(lm_batch_resize(&b), LEMAN_OK);
    assert_ptr_equal(b.block, block);
    assert_null(b.head);
    b.tuple_types = true;
    b.counts = 4;
    assert_int_equal(lm_batch_resize(&b), LEMAN_OK);
    for (size_t i = 0; i < LM_BATCH_ARRAYS; i++) {
        char *pointer;
        memcpy(&pointer, (char *)&b + lm_batch_arrays[i].pointer, sizeof pointer);
        assert_true((lm_batch_count(&b, lm_batch_arrays + i) > 0) == (pointer != NULL));
        assert_int_equal((uintptr_t)pointer % 64, 0);
        if (pointer) memset(pointer, 7, lm_batch_count(&b, lm_batch_arrays + i) * lm_batch_arrays[i].element);
    }
    block = b.block;
    b.extent.rows[LM_TUPLES] = 1;
    assert_int_equal(lm_batch_resize(&b), LEMAN_OK);
    assert_ptr_equal(b.block, block);
    lm_batch_free(&b);
    test_context_free(ctx);
}

static void rows_are_numbered_in_32_bits(void **state)
{
    leman_context *ctx = test_context_new(1);
    lm_batch b;
    (void)state;
    lm_batch_init(ctx, &b);
    for (size_t space = 0; space < LM_SINGLE; space++)
        for (int huge = 0; huge < 2; huge++) {
            b.extent = (lm_extent){{0}};
            b.extent.rows[space] = huge ? SIZE_MAX / 2 : UINT32_MAX;
            assert_int_equal(lm_batch_resize(&b), LEMAN_ERROR_BUDGET);
        }
    b.extent = (lm_extent){{[LM_GRAPHS] = 2}};
    b.targets = SIZE_MAX / 4;
    assert_int_equal(lm_batch_resize(&b), LEMAN_ERROR_BUDGET);
    lm_batch_free(&b);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(links_follow_the_arcs),
        cmocka_unit_test(blocks_only_grow),
        cmocka_unit_test(rows_are_numbered_in_32_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
