/* Structs that callers fill, of the size they know: shorter, longer, bad, alone and in arrays; names of enum values. */
#include "base/arguments.h"
#include "support/refused.h"

/* Three versions of one struct; the library knows the second. */
typedef struct old_options {
    size_t size, a;
} old_options;
typedef struct options {
    size_t size, a, b;
} options;
typedef struct new_options {
    size_t size, a, b, c;
} new_options;

static const options DEFAULTS = {.a = 1, .b = 2};

static void test_init(void **state)
{
    (void)state;
    old_options old = {9, 9};
    options same = {9, 9, 9};
    new_options new = {9, 9, 9, 9};
    lm_options_init(&old, sizeof old, &DEFAULTS, sizeof DEFAULTS);
    lm_options_init(&same, sizeof same, &DEFAULTS, sizeof DEFAULTS);
    lm_options_init(&new, sizeof new, &DEFAULTS, sizeof DEFAULTS);
    lm_options_init(NULL, sizeof new, &DEFAULTS, sizeof DEFAULTS);
    assert_memory_equal(&old, &((old_options){sizeof old, 1}), sizeof old);
    assert_memory_equal(&same, &((options){sizeof same, 1, 2}), sizeof same);
    assert_memory_equal(&new, &((new_options){sizeof new, 1, 2, 0}), sizeof new);
}

static void test_copy(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    const old_options old = {sizeof old, 7};
    const options same = {sizeof same, 7, 8};
    new_options new = {sizeof new, 7, 8, 0};
    options out = DEFAULTS;
    assert_int_equal(lm_options_copy(ctx, "t", NULL, &out, sizeof out), LEMAN_OK);
    assert_memory_equal(&out, &DEFAULTS, sizeof out);
    assert_int_equal(lm_options_copy(ctx, "t", &old, &out, sizeof out), LEMAN_OK);
    assert_memory_equal(&out, &((options){sizeof out, 7, 2}), sizeof out); /* b keeps its default */
    assert_int_equal(lm_options_copy(ctx, "t", &same, &out, sizeof out), LEMAN_OK);
    assert_memory_equal(&out, &same, sizeof out);
    out = DEFAULTS;
    assert_int_equal(lm_options_copy(ctx, "t", &new, &out, sizeof out), LEMAN_OK);
    assert_memory_equal(&out, &same, sizeof out);
    out = DEFAULTS;
    ((unsigned char *)&new.c)[sizeof new.c - 1] = 1;
    assert_refused(ctx, "t: found a member of a newer version", lm_options_copy(ctx, "t", &new, &out, sizeof out));
    const size_t bad[] = {0, sizeof(size_t) - 1, 1 << 20, SIZE_MAX};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const options wrong = {bad[i], 7, 8};
        assert_refused(ctx, "t_init()", lm_options_copy(ctx, "t", &wrong, &out, sizeof out));
    }
    assert_memory_equal(&out, &DEFAULTS, sizeof out);

    old_options back = old; /* and back into what the caller has */
    lm_options_return(&((options){sizeof out, 5, 6}), sizeof out, &back);
    assert_memory_equal(&back, &((old_options){sizeof back, 5}), sizeof back);
    test_context_free(ctx);
}

static void test_arrays(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    old_options old[] = {{sizeof *old, 3}, {sizeof *old, 4}, {sizeof *old, 5}};
    const new_options new[] = {{sizeof *new, 3, 6, 0}, {sizeof *new, 4, 7, 0}};
    options out[3] = {DEFAULTS, DEFAULTS, DEFAULTS};
    assert_int_equal(lm_options_copy_array(ctx, "t", old, 3, out, sizeof *out), LEMAN_OK);
    for (size_t i = 0; i < 3; i++) assert_memory_equal(out + i, &((options){sizeof *out, 3 + i, 2}), sizeof *out);
    assert_int_equal(lm_options_copy_array(ctx, "t", new, 2, out, sizeof *out), LEMAN_OK);
    for (size_t i = 0; i < 2; i++) assert_memory_equal(out + i, &((options){sizeof *out, 3 + i, 6 + i}), sizeof *out);
    assert_int_equal(lm_options_copy_array(ctx, "t", NULL, 3, out, sizeof *out), LEMAN_OK);
    assert_int_equal(lm_options_copy_array(ctx, "t", NULL, 0, out, sizeof *out), LEMAN_OK);
    old[1].size = sizeof *new; /* one that does not belong: behind it the array would be read past its end */
    assert_refused(ctx, "t 2: found size 32, expected 16", lm_options_copy_array(ctx, "t", old, 3, out, sizeof *out));
    old[0].size = 0;
    assert_refused(ctx, "t_init()", lm_options_copy_array(ctx, "t", old, 3, out, sizeof *out));
    test_context_free(ctx);
}

static void test_names(void **state)
{
    (void)state;
    static const struct {
        int other;
        const char *name;
    } ROWS[] = {{7, "one"}, {8, "two"}};
    static const char *const PLAIN[] = {"x", "y", "z"};
    leman_context *ctx = test_context_new(1);
    int value = -5;
    assert_string_equal(lm_names_get(LM_NAMES("row", ROWS, .name), 1), "two");
    assert_string_equal(lm_names_get(LM_NAMES("letter", PLAIN, ), 2), "z");
    assert_string_equal(lm_names_get(LM_NAMES("letter", PLAIN, ), 3), "unknown");
    assert_string_equal(lm_names_get(LM_NAMES("letter", PLAIN, ), -1), "unknown");
    assert_refused(ctx, "row: found 'three', expected one of: one, two",
                   lm_names_parse(ctx, LM_NAMES("row", ROWS, .name), "three", 5, &value));
    assert_int_equal(value, -5);
    assert_int_equal(lm_names_parse(ctx, LM_NAMES("row", ROWS, .name), "two", 3, &value), LEMAN_OK);
    assert_int_equal(value, 1);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_init),
        cmocka_unit_test(test_copy),
        cmocka_unit_test(test_arrays),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
