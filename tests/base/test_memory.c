/* Checked arithmetic against 128-bit integers, and growing arrays. */
#include "base/context.h"
#include "support/support.h"

__extension__ typedef unsigned __int128 wide;

/* Numbers near the powers of two, where overflow begins. */
static uint64_t edge(uint64_t *state)
{
    uint64_t x = test_random(state);
    return (UINT64_C(1) << (x & 63)) + (x >> 8) % 5 - 2;
}

static void test_sums_and_products(void **unused)
{
    (void)unused;
    uint64_t state = 1;
    for (int i = 0; i < 200000; i++) {
        uint64_t a = i & 1 ? edge(&state) : test_random(&state) >> (i % 64), b = edge(&state);
        size_t sum = 77, product = 77;
        bool sum_fits = (wide)a + b <= SIZE_MAX, product_fits = (wide)a * b <= SIZE_MAX;
        assert_int_equal(lm_add(a, b, &sum), sum_fits);
        assert_int_equal(lm_multiply(a, b, &product), product_fits);
        assert_true(sum == (sum_fits ? a + b : 77));
        assert_true(product == (product_fits ? a * b : 77));
        assert_true(lm_saturating_add(a, b) == (sum_fits ? a + b : UINT64_MAX));
        assert_true(lm_saturating_multiply(a, b) == (product_fits ? a * b : UINT64_MAX));
    }
}

static void test_powers(void **unused)
{
    (void)unused;
    for (uint64_t n = 0; n < 70; n++) {
        wide power = 1;
        for (unsigned k = 0; k < 70; k++) {
            if (power > UINT64_MAX) power = UINT64_MAX; /* and stays there, for n of at least 2 */
            assert_true(lm_power(n, k) == (uint64_t)power);
            power *= n;
        }
    }
    assert_true(lm_power(UINT32_MAX, 2) == (uint64_t)UINT32_MAX * UINT32_MAX);
    assert_true(lm_power(UINT64_C(1) << 32, 2) == UINT64_MAX);
    assert_true(lm_power(UINT64_MAX, 1) == UINT64_MAX);
}

static void test_vector_keeps_what_it_got(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    lm_vector vector = {0};
    uint32_t some[100];
    size_t count = 0;
    for (size_t round = 0; round < 300; round++) {
        size_t more = round % 100;
        for (size_t i = 0; i < more; i++) some[i] = (uint32_t)(count + i);
        assert_int_equal(lm_vector_append(ctx, &vector, more ? some : NULL, more, sizeof *some), LEMAN_OK);
        count += more;
        assert_true(vector.count == count && vector.capacity >= count);
    }
    for (size_t i = 0; i < count; i++) assert_int_equal(((uint32_t *)vector.items)[i], i);
    size_t capacity = vector.capacity;
    assert_int_equal(lm_vector_reserve(ctx, &vector, SIZE_MAX, 4), LEMAN_ERROR_MEMORY);
    assert_int_equal(lm_vector_reserve(ctx, &vector, SIZE_MAX / 4, 4), LEMAN_ERROR_MEMORY);
    assert_int_equal(lm_vector_reserve(ctx, &vector, SIZE_MAX - count, 4), LEMAN_ERROR_MEMORY);
    assert_true(vector.count == count && vector.capacity == capacity);
    lm_vector_release(&vector);
    assert_true(!vector.items && !vector.count && !vector.capacity);
    lm_vector_release(&vector);
    test_context_free(ctx);
}

static void test_alloc(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    assert_null(lm_alloc(ctx, SIZE_MAX / 8 + 1, 8));
    assert_non_null(strstr(leman_context_message(ctx), "more than this machine can address"));
    void *nothing = lm_alloc(ctx, 0, 8);
    assert_non_null(nothing);
    lm_release(nothing);
    lm_release(NULL);
    test_context_free(ctx);
}

/* When growing fails, the array is as it was. */
static leman_status grow(leman_context *ctx, void *unused)
{
    (void)unused;
    leman_status st = LEMAN_OK;
    lm_vector vector = {0};
    size_t count = 0;
    for (uint64_t i = 0; i < 3000 && !st; i++) {
        st = lm_vector_append(ctx, &vector, &i, 1, sizeof i);
        count += !st;
    }
    assert_int_equal(vector.count, count);
    for (uint64_t i = 0; i < count; i++) assert_true(((uint64_t *)vector.items)[i] == i);
    lm_vector_release(&vector);
    return st;
}

static void test_failing_allocations(void **unused)
{
    (void)unused;
    assert_true(test_fail_each_allocation(grow, NULL) > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums_and_products),        cmocka_unit_test(test_powers),
        cmocka_unit_test(test_vector_keeps_what_it_got), cmocka_unit_test(test_alloc),
        cmocka_unit_test(test_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
