/* SHA-256 against the examples of FIPS 180-4 and its companion file, and against itself cut into pieces. */
#include "io/download/digest.h"
#include "support/support.h"
#include <stdio.h>

static void assert_digest(lm_sha256 *sum, const char *expected)
{
    unsigned char digest[LM_SHA256_BYTES];
    char text[2 * LM_SHA256_BYTES + 1];
    lm_sha256_end(sum, digest);
    for (size_t i = 0; i < sizeof digest; i++) snprintf(text + 2 * i, 3, "%02x", digest[i]);
    assert_string_equal(text, expected);
}

static void assert_sum(const char *message, const char *expected)
{
    lm_sha256 sum = lm_sha256_begin();
    lm_sha256_add(&sum, message, strlen(message));
    assert_digest(&sum, expected);
}

static void test_standard_examples(void **state)
{
    (void)state;
    assert_sum("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assert_sum("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_sum("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", /* two blocks once it is padded */
               "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    assert_sum(
        "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrst"
        "nopqrstu",
        "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
}

static void test_million_letters(void **state)
{
    (void)state;
    char letters[1000];
    memset(letters, 'a', sizeof letters);
    lm_sha256 sum = lm_sha256_begin();
    for (int i = 0; i < 1000; i++) lm_sha256_add(&sum, letters, sizeof letters);
    assert_digest(&sum, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

/* Every length around the borders of blocks and of the padding, cut at every place. */
static void test_pieces_do_not_matter(void **state)
{
    (void)state;
    unsigned char message[200], whole[LM_SHA256_BYTES], cut[LM_SHA256_BYTES];
    for (size_t i = 0; i < sizeof message; i++) message[i] = (unsigned char)(i * 37 + 11);
    for (size_t length = 0; length <= sizeof message; length++) {
        lm_sha256 sum = lm_sha256_begin();
        lm_sha256_add(&sum, message, length);
        lm_sha256_end(&sum, whole);
        for (size_t at = 0; at <= length; at++) {
            sum = lm_sha256_begin();
            lm_sha256_add(&sum, message, at);
            lm_sha256_add(&sum, message + at, length - at);
            lm_sha256_end(&sum, cut);
            assert_memory_equal(whole, cut, sizeof whole);
        }
    }
}

static void test_random_pieces(void **state)
{
    (void)state;
    static unsigned char message[20000];
    unsigned char whole[LM_SHA256_BYTES], cut[LM_SHA256_BYTES];
    uint64_t random = 5;
    for (size_t i = 0; i < sizeof message; i++) message[i] = (unsigned char)test_random(&random);
    lm_sha256 sum = lm_sha256_begin();
    lm_sha256_add(&sum, message, sizeof message);
    lm_sha256_end(&sum, whole);
    for (int round = 0; round < 50; round++) {
        sum = lm_sha256_begin();
        for (size_t at = 0; at < sizeof message;) {
            size_t piece = test_random(&random) % 300;
            if (piece > sizeof message - at) piece = sizeof message - at;
            lm_sha256_add(&sum, message + at, piece);
            at += piece;
        }
        lm_sha256_end(&sum, cut);
        assert_memory_equal(whole, cut, sizeof whole);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_standard_examples),
        cmocka_unit_test(test_million_letters),
        cmocka_unit_test(test_pieces_do_not_matter),
        cmocka_unit_test(test_random_pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
