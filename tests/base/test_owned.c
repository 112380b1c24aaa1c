/* Structs that remember their allocator: freed without a context, after the one that made them is gone. */
#include "base/owned.h"
#include "support/support.h"
#include <stdalign.h>

typedef struct object {
    long double widest; /* needs the strictest alignment there is */
    uint32_t count;
    uint64_t *array;
} object;

/* Every allocation and release goes through these: what is live when a test ends was not freed by the same hooks. */
static size_t live;

static void *allocate(void *user, size_t size)
{
    ++*(size_t *)user;
    return malloc(size);
}

static void *reallocate(void *user, void *pointer, size_t size)
{
    if (!pointer) ++*(size_t *)user;
    return realloc(pointer, size);
}

static void release(void *user, void *pointer)
{
    --*(size_t *)user;
    free(pointer);
}

static leman_status make(leman_context *ctx, object **out)
{
    leman_status st = LEMAN_OK;
    object *made = NULL;
    OWNED(ctx, made);
    NEW(ctx, made->array, 5);
done:
    if (st)
        lm_owned_free(made);
    else
        *out = made;
    return st;
}

static void test_outlives_its_context(void **unused)
{
    (void)unused;
    leman_settings settings = leman_settings_default();
    leman_context *ctx = NULL;
    object *made = NULL;
    settings.allocate = allocate;
    settings.reallocate = reallocate;
    settings.release = release;
    settings.allocator_user = &live;
    assert_int_equal(leman_context_new(&settings, &ctx), LEMAN_OK);
    assert_int_equal(make(ctx, &made), LEMAN_OK);
    leman_context_free(ctx);
    assert_true(live == 3); /* the struct and its array, and the meter that counts them */
    assert_true((uintptr_t)made % alignof(max_align_t) == 0);
    assert_true(made->widest == 0 && made->count == 0);
    lm_owned_release(made, made->array);
    assert_true(live == 2);
    lm_owned_release(made, NULL);
    lm_owned_free(made);
    assert_true(live == 0);
    lm_owned_free(NULL);
}

static leman_status make_and_free(leman_context *ctx, void *unused)
{
    (void)unused;
    object *made = NULL;
    leman_status st = make(ctx, &made);
    if (st) {
        assert_null(made); /* untouched */
        return st;
    }
    lm_owned_release(made, made->array);
    lm_owned_free(made);
    return st;
}

static void test_failing_allocations(void **unused)
{
    (void)unused;
    assert_true(test_fail_each_allocation(make_and_free, NULL) == 4); /* meter, context, struct, array */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_outlives_its_context),
        cmocka_unit_test(test_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
