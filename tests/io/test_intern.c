/* Texts numbered in the order of their first appearance, compared with a list that is searched from its beginning. */
#include "base/hash.h"
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
    lm_intern_free(&intern);
    test_context_free(ctx);
}

/* x of lm_mix(x) == y: the steps of the mix undone. */
static uint64_t unmix(uint64_t y)
{
    uint64_t inverse = LM_MIX_MULTIPLIER; /* of the multiplier, by Newton's method: right digits double */
    for (int i = 0; i < 6; i++) inverse *= 2 - LM_MIX_MULTIPLIER * inverse;
    y ^= y >> 32;
    y *= inverse;
    y ^= y >> 29 ^ y >> 58;
    y *= inverse;
    return y ^ y >> 32;
}

/* Words that share the lower 40 bits of their mix, done twice. Whoever knew the hash of a table could choose such names
 * for it, and every look-up would pass over all of them. They are spread like other words, in another way in every
 * table. */
static void test_chosen_texts(void **unused)
{
    (void)unused;
    enum { CHOSEN = 20000 };
    leman_context *ctx = test_context_new(1);
    lm_intern intern[2];
    size_t longest = 0, run = 0, same = 0;
    memset(intern, 0, sizeof intern);
    for (int t = 0; t < 2; t++)
        for (uint64_t i = 0; i < CHOSEN; i++) {
            const uint64_t word = unmix(unmix(i << 40)) ^ lm_mix(1 + ((uint64_t)8 << 32));
            uint32_t number;
            assert_int_equal(lm_intern_add(ctx, intern + t, 0, (const char *)&word, sizeof word, &number), LEMAN_OK);
            assert_int_equal(number, i);
        }
    assert_int_equal(intern[0].slots, intern[1].slots);
    for (size_t i = 0; i < intern->slots; i++) {
        run = intern[0].slot[i] ? run + 1 : 0;
        if (run > longest) longest = run;
        same += intern[0].slot[i] && intern[0].slot[i] == intern[1].slot[i];
    }
    assert_true(longest < 500 && same < CHOSEN / 2);
    for (int t = 0; t < 2; t++) lm_intern_free(intern + t);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_against_a_list), cmocka_unit_test(test_chosen_texts)};
    return cmocka_run_group_tests_name("intern", tests, NULL, NULL);
}
