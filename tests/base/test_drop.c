/* Structs that are freed without a context, after the one that made them is gone, and scopes that free what a failed
 * function holds. */
#include "base/context.h"
#include "base/drop.h"
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

static void object_free(object *o)
{
    if (o) lm_release(o->array);
    lm_release(o);
}
LM_DROP(object)

static leman_status make(leman_context *ctx, object **out)
{
    SCRATCH_SCOPE(ctx);
    AUTO(object_drop) object *made = NULL;
    char *scratch;
    PASS_NEW_ZERO(ctx, made, 1);
    PASS_SCRATCH(ctx, scratch, 100);
    PASS_NEW(ctx, made->array, 5);
    return HAND_OVER(out, made);
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
    lm_release(made->array);
    assert_true(live == 2);
    lm_release(NULL);
    lm_release(made);
    assert_true(live == 0);
    lm_release(NULL);
}

static leman_status make_and_free(leman_context *ctx, void *unused)
{
    (void)unused;
    object *made = NULL;
    const leman_status st = make(ctx, &made);
    assert_null(lm_arena_now(&ctx->scratch).chunk); /* the scope has reset the arena */
    assert_true(st ? made == NULL : made != NULL);
    object_free(made);
    return st;
}

static void test_failing_allocations(void **unused)
{
    (void)unused;
    assert_true(test_fail_each_allocation(make_and_free, NULL) == 5); /* meter, context, struct, scratch, array */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_outlives_its_context),
        cmocka_unit_test(test_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
