/* Recorded sums: what is accepted, what is refused, and that writing and reading agree. */
#include "base/file.h"
#include "io/download/digest.h"
#include "support/support.h"
#include <stdio.h>
#include <unistd.h>

static const char ABC[] = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

static leman_status parse(leman_context *ctx, const char *text, size_t size, lm_digest *out)
{
    char *copy = malloc(size ? size : 1); /* an exact copy, so that reading past the end is caught */
    assert_non_null(copy);
    memcpy(copy, text, size);
    leman_status st = lm_digest_parse(ctx, "X.zip.sha256", (lm_bytes){copy, size, false}, "X.zip", out);
    free(copy);
    return st;
}

static void test_forms(void **state)
{
    (void)state;
    static const struct {
        const char *after;
        bool good;
    } cases[] = {{"  X.zip\n", true},
                 {" *X.zip\n", true},
                 {"  X.zip", true},
                 {"  X.zip\r\n", true},
                 {"", false},
                 {"\n", false},
                 {" X.zip\n", false},
                 {"  X.zi\n", false},
                 {"  X.zip.sha256", false},
                 {"  Y.zip\n", false},
                 {"  X.zip\n\n", false},
                 {"  X.zip \n", false},
                 {"0  X.zip\n", false},
                 {"  X.zip\nmore", false},
                 {"\t X.zip\n", false},
                 {"  ", false}};
    leman_context *ctx = test_context_new(1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char line[128];
        lm_digest digest = {""};
        snprintf(line, sizeof line, "%s%s", ABC, cases[i].after);
        leman_status st = parse(ctx, line, strlen(line), &digest);
        if (st != (cases[i].good ? LEMAN_OK : LEMAN_ERROR_INPUT)) fail_msg("'%s': status %d", cases[i].after, (int)st);
        if (cases[i].good) assert_string_equal(digest.text, ABC);
        if (!cases[i].good) assert_non_null(strstr(leman_context_message(ctx), "X.zip.sha256:1: "));
    }
    test_context_free(ctx);
}

static void test_case_of_digits(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    char line[128];
    lm_digest digest;
    snprintf(line, sizeof line, "%s  X.zip\n", ABC);
    for (size_t i = 0; i < 64; i++)
        if (line[i] >= 'a') line[i] = (char)(line[i] - 'a' + 'A');
    assert_int_equal(parse(ctx, line, strlen(line), &digest), LEMAN_OK);
    assert_string_equal(digest.text, ABC);
    test_context_free(ctx);
}

/* Any sum goes through text unchanged; a text with one byte changed, added or dropped is another sum or an error. */
static void test_round_trip_and_damage(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    uint64_t random = 11;
    for (int round = 0; round < 2000; round++) {
        lm_digest digest = {""}, back;
        char line[128], damaged[128];
        for (size_t i = 0; i < 64; i++) digest.text[i] = "0123456789abcdef"[test_random(&random) % 16];
        int length = snprintf(line, sizeof line, "%s  X.zip\n", digest.text);
        assert_int_equal(parse(ctx, line, (size_t)length, &back), LEMAN_OK);
        assert_string_equal(digest.text, back.text);

        size_t at = test_random(&random) % 64, size = (size_t)length;
        memcpy(damaged, line, size);
        if (round % 3 == 0) {
            damaged[at] = (char)test_random(&random);
            bool same_digit = damaged[at] == line[at] || (line[at] >= 'a' && damaged[at] == line[at] - 'a' + 'A');
            leman_status st = parse(ctx, damaged, size, &back);
            assert_true(st == LEMAN_ERROR_INPUT || !strcmp(digest.text, back.text) == same_digit);
        } else if (round % 3 == 1) {
            memmove(damaged + at, damaged + at + 1, size - at - 1);
            assert_int_equal(parse(ctx, damaged, size - 1, &back), LEMAN_ERROR_INPUT);
        } else {
            size_t cut = test_random(&random) % (size - 1); /* without its newline it is still whole */
            assert_int_equal(parse(ctx, damaged, cut, &back), LEMAN_ERROR_INPUT);
        }
    }
    test_context_free(ctx);
}

static void test_files(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new();
    char sum[4096];
    bool found = true;
    lm_digest digest, back;
    snprintf(sum, sizeof sum, "%s/X.zip.sha256", folder);
    assert_int_equal(lm_digest_of_file(ctx, test_file_text(folder, "X.zip", "abc"), &digest), LEMAN_OK);
    assert_string_equal(digest.text, ABC);
    assert_int_equal(lm_digest_read(ctx, sum, "X.zip", &found, &back), LEMAN_OK);
    assert_false(found);
    assert_int_equal(lm_digest_write(ctx, sum, "X.zip", &digest), LEMAN_OK);
    assert_int_equal(lm_digest_read(ctx, sum, "X.zip", &found, &back), LEMAN_OK);
    assert_true(found && !strcmp(digest.text, back.text));
    char command[4200]; /* the real sha256sum understands it, where there is one */
    snprintf(command, sizeof command,
             "command -v sha256sum > /dev/null || exit 0; cd %s && sha256sum --quiet -c X.zip.sha256", folder);
    assert_int_equal(system(command), 0);
    test_file_text(folder, "X.zip.sha256", "");
    assert_int_equal(lm_digest_read(ctx, sum, "X.zip", &found, &back), LEMAN_ERROR_INPUT);
    assert_int_equal(lm_digest_read(ctx, folder, "X.zip", &found, &back), LEMAN_ERROR_FILE);
    assert_int_equal(lm_digest_of_file(ctx, test_path(folder, "none"), &digest), LEMAN_ERROR_FILE);
    test_folder_remove(folder);
    test_context_free(ctx);
}

static leman_status write_and_read(leman_context *ctx, void *state)
{
    lm_digest digest;
    bool found = false;
    const char *sum = state;
    strcpy(digest.text, ABC);
    leman_status st = lm_digest_write(ctx, sum, "X.zip", &digest);
    if (!st) st = lm_digest_of_file(ctx, sum, &digest);
    return st ? st : lm_digest_read(ctx, sum, "X.zip", &found, &digest);
}

static void test_allocations(void **state)
{
    (void)state;
    const char *folder = test_folder_new();
    char sum[4096];
    snprintf(sum, sizeof sum, "%s/X.zip.sha256", folder);
    assert_true(test_fail_each_allocation(write_and_read, sum) > 1);
    test_folder_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forms),
        cmocka_unit_test(test_case_of_digits),
        cmocka_unit_test(test_round_trip_and_damage),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
