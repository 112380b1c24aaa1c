/* Text put together in an array: for every size of the array it is the whole text, or a beginning of it and "...". */
#include "base/joined.h"
#include "support/support.h"

static void test_every_size(void **unused)
{
    (void)unused;
    static const char *const NAMES[] = {"repeated-edges", "one", "", "isolated-vertices"};
    static const char WHOLE[] = "repeated-edges, one, , isolated-vertices: 4";
    for (size_t size = 4; size < 2 * sizeof WHOLE; size++) {
        char *text = malloc(size); /* of exactly that size: a write past it is found by AddressSanitizer */
        assert_non_null(text);
        lm_joined j = lm_joined_begin(text, size);
        assert_string_equal(text, "");
        for (size_t i = 0; i < 4; i++) lm_joined_name(&j, NAMES[i]);
        lm_joined_add(&j, ": %d", 4);
        assert_int_equal(j.cut, size < sizeof WHOLE);
        assert_int_equal(j.used, strlen(text));
        if (j.cut) {
            assert_int_equal(strlen(text), size - 1);
            assert_string_equal(text + size - 4, "...");
        } else {
            assert_string_equal(text, WHOLE);
        }
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_size)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
