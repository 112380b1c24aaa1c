/* What all families share: names, seeds and counts, sizes that are refused, failing allocations. */
#include "support/graphs.h"

static const char *const NAMES[] = {"cfi",       "csl",   "rook-shrikhande", "cycles", "path",    "cycle",
                                    "complete",  "grid",  "petersen",        "random", "regular", "molecules",
                                    "power-law", "counts"};
enum { FAMILIES = sizeof NAMES / sizeof *NAMES };

static leman_family named(leman_context *ctx, const char *name)
{
    leman_family family;
    assert_int_equal(leman_family_parse(ctx, name, &family), LEMAN_OK);
    return family;
}

static void test_names(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = NULL;
    for (int i = 0; i < FAMILIES; i++) assert_int_equal(named(ctx, NAMES[i]), i);
    leman_family family = LEMAN_FAMILY_GRID;
    assert_int_equal(leman_family_parse(ctx, "cfl", &family), LEMAN_ERROR_ARGUMENT);
    assert_int_equal(family, LEMAN_FAMILY_GRID);
    assert_non_null(strstr(leman_context_message(ctx), "'cfl'"));
    for (int i = 0; i < FAMILIES; i++) assert_non_null(strstr(leman_context_message(ctx), NAMES[i]));
    assert_int_equal(leman_dataset_generate(ctx, (leman_family)99, NULL, &data), LEMAN_ERROR_ARGUMENT);
    assert_null(data);
    test_context_free(ctx);
}

/* The first graphs of a longer data set are those of a shorter one, and the seed decides. */
static void test_seeds_and_counts(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    for (int i = 0; i < FAMILIES; i++) {
        leman_family_options o = leman_family_options_default();
        leman_family family = named(ctx, NAMES[i]);
        o.graphs = 4;
        leman_dataset *four = test_made(ctx, family, &o), *again = test_made(ctx, family, &o), *head = NULL;
        assert_true(test_same_dataset(four, again));
        o.graphs = 7;
        leman_dataset *seven = test_made(ctx, family, &o);
        size_t count = leman_dataset_shape(four)->graphs, first[64];
        assert_int_equal(leman_dataset_shape(seven)->graphs * 4, count * 7);
        for (size_t j = 0; j < count; j++) first[j] = j;
        assert_int_equal(leman_dataset_select(ctx, seven, count, first, &head), LEMAN_OK);
        assert_true(test_same_dataset(four, head));
        o.seed = 2;
        leman_dataset *other = test_made(ctx, family, &o);
        assert_int_equal(test_same_dataset(seven, other), family == LEMAN_FAMILY_COMPLETE);
        leman_dataset *const all[] = {four, again, head, seven, other};
        for (size_t j = 0; j < sizeof all / sizeof *all; j++) leman_dataset_free(all[j]);
    }
    test_context_free(ctx);
}

static void test_too_large_is_refused(void **state)
{
    (void)state;
    leman_settings settings = leman_settings_default();
    leman_context *ctx = NULL;
    leman_dataset *data = NULL;
    leman_family_options o = leman_family_options_default();
    settings.memory = 1 << 20;
    assert_int_equal(leman_context_new(&settings, &ctx), LEMAN_OK);
    o.vertices = 1000; /* 499,500 edges */
    assert_int_equal(leman_dataset_generate(ctx, LEMAN_FAMILY_COMPLETE, &o, &data), LEMAN_ERROR_BUDGET);
    assert_non_null(strstr(leman_context_message(ctx), "499500 edges"));
    assert_null(data);
    leman_context_free(ctx);
    for (int i = 0; i < FAMILIES; i++) {
        leman_family_options huge = leman_family_options_default();
        huge.graphs = SIZE_MAX;
        test_refused((leman_family)i, &huge, "expected at most 2147483647");
        huge.graphs = 1;
        huge.vertices = SIZE_MAX - 3; /* even, no divisor with the skips of the table but 2, 3, 4, 6, ... */
        huge.rows = SIZE_MAX;
        huge.k = 1000;
        if (i != LEMAN_FAMILY_ROOK_SHRIKHANDE && i != LEMAN_FAMILY_PETERSEN)
            test_refused((leman_family)i, &huge, "vertices");
    }
}

static bool stop(void *user, const leman_progress *progress)
{
    (void)user;
    (void)progress;
    return false;
}

static void test_can_be_stopped(void **state)
{
    (void)state;
    leman_settings settings = leman_settings_default();
    leman_context *ctx = NULL;
    leman_dataset *data = NULL;
    settings.progress = stop;
    assert_int_equal(leman_context_new(&settings, &ctx), LEMAN_OK);
    assert_int_equal(leman_dataset_generate(ctx, LEMAN_FAMILY_CYCLES, NULL, &data), LEMAN_ERROR_CANCELLED);
    assert_null(data);
    leman_context_free(ctx);
}

static leman_status generate_body(leman_context *ctx, void *state)
{
    leman_family_options o = leman_family_options_default();
    leman_dataset *data = NULL;
    o.graphs = 3;
    leman_status st = leman_dataset_generate(ctx, *(leman_family *)state, &o, &data);
    if (st) assert_null(data);
    leman_dataset_free(data);
    return st;
}

static void test_allocations(void **state)
{
    (void)state;
    for (int i = 0; i < FAMILIES; i++) {
        leman_family family = (leman_family)i;
        assert_true(test_fail_each_allocation(generate_body, &family) > 5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_seeds_and_counts),
        cmocka_unit_test(test_too_large_is_refused),
        cmocka_unit_test(test_can_be_stopped),
        cmocka_unit_test(test_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
