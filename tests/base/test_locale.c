/* A caller's locale. */
#include "base/text.h"
#include "support/support.h"
#include <locale.h>

/* A caller's locale with decimal commas changes neither reading nor writing. */
static void test_locale_does_not_matter(void **unused)
{
    (void)unused;
    static const char *const LOCALES[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8", "fr_FR.utf8"};
    bool found = false;
    for (size_t i = 0; i < sizeof LOCALES / sizeof *LOCALES && !found; i++)
        found = setlocale(LC_ALL, LOCALES[i]) && *localeconv()->decimal_point == ',';
    if (!found) {
        setlocale(LC_ALL, "C");
        test_skip("no locale with decimal commas is installed");
    }
    leman_context *ctx = test_context_new(1);
    static const char *const WORDS[] = {"1.5", "1.25e3", "3.14159265358979323846264338327950288"};
    static const double VALUES[] = {1.5, 1250, 3.14159265358979323846264338327950288};
    for (int i = 0; i < 3; i++) {
        lm_text text = lm_text_of(ctx, "F.txt", (lm_bytes){WORDS[i], strlen(WORDS[i]), false});
        double value = 0;
        assert_int_equal(lm_text_real(&text, "a number", &value), LEMAN_OK);
        assert_true(value == VALUES[i]);
    }
    const char *folder = test_folder_new();
    lm_output out = {0};
    lm_bytes bytes = {0};
    assert_int_equal(lm_output_open(ctx, test_path(folder, "real"), &out), LEMAN_OK);
    lm_output_real(&out, 1.5);
    assert_int_equal(lm_output_commit(&out), LEMAN_OK);
    assert_int_equal(lm_bytes_open(ctx, test_path(folder, "real"), 100, &bytes), LEMAN_OK);
    assert_true(bytes.size == 3 && !memcmp(bytes.data, "1.5", 3));
    lm_bytes_close(ctx, &bytes);
    test_folder_remove(folder);
    test_context_free(ctx);
    setlocale(LC_ALL, "C");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_locale_does_not_matter)};
    return test_run(tests);
}
