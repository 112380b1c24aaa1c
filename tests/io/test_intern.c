/* Texts numbered in the order of their first appearance, compared with a list that is searched from its beginning. */
#include "io/intern.h"
#include "support/support.h"

enum { TEXTS = 3000, LONGEST = 20 };

typedef struct listed {
    uint32_t space;
    size_t length;
    char text[LONGEST];
} listed;

static listed random_text(uint64_t *state)
{
    listed t = {.space = (uint32_t)(test_random(state) % 2), .length = test_random(state) % LONGEST};
    for (size_t i = 0; i < t.length; i++) t.text[i] = (char)(test_random(state) % 3);
    if (t.length > 6) memset(t.text + 3, 0, t.length - 6); /* many that differ at their ends only */
    return t;
}

static size_t place(const listed *list, size_t count, const listed *t)
{
    for (size_t i = 0; i < count; i++)
        if (list[i].space == t->space && list[i].length == t->length && !memcmp(list[i].text, t->text, t->length))
            return i;
    return count;
}

static void test_against_a_list(void **unused)
{
    (void)unused;
    static listed list[TEXTS];
    leman_context *ctx = test_context_new(1);
    lm_intern intern = {0};
    uint64_t state = 5;
    size_t count = 0;
    uint32_t number = 0;
    assert_false(lm_intern_find(&intern, 0, "", 0, &number));
    for (size_t i = 0; i < TEXTS; i++) {
        listed t = random_text(&state);
        size_t expected = place(list, count, &t);
        assert_int_equal(lm_intern_find(&intern, t.space, t.text, t.length, &number), expected < count);
        if (expected < count) assert_int_equal(number, expected);
        assert_int_equal(lm_intern_count(&intern), count); /* looking adds nothing */
        if (i % 3 == 0) continue;
        if (expected == count) list[count++] = t;
        assert_int_equal(lm_intern_add(ctx, &intern, t.space, t.text, t.length, &number), LEMAN_OK);
        assert_int_equal(number, expected);
    }
    for (size_t i = 0; i < count; i++) {
        size_t length;
        const char *text = lm_intern_text(&intern, i, &length);
        assert_int_equal(length, list[i].length);
        assert_memory_equal(text, list[i].text, length);
    }
    lm_intern_free(ctx, &intern);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_against_a_list)};
    return cmocka_run_group_tests_name("intern", tests, NULL, NULL);
}
