/* The hash: golden values from another implementation, mix undone step by step, and how bits spread. */
#include "base/golden_hash.h"
#include "base/hash.h"
#include "support/support.h"

#define LENGTH(array) (sizeof(array) / sizeof *(array))

static void test_golden_values(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < LENGTH(GOLDEN_MIX); i++) assert_true(lm_mix(GOLDEN_MIX[i][0]) == GOLDEN_MIX[i][1]);
    for (size_t i = 0; i < LENGTH(GOLDEN_MULTIPLIER); i++)
        assert_true(lm_multiplier(GOLDEN_MULTIPLIER[i][0]) == GOLDEN_MULTIPLIER[i][1]);
    unsigned char bytes[1001];
    for (size_t shift = 0; shift < 2; shift++) { /* aligned or not */
        for (size_t i = 0; i < 1000; i++) bytes[i + shift] = (unsigned char)(37 * i + 11);
        for (size_t i = 0; i < LENGTH(GOLDEN_CHECKSUM); i++)
            assert_true(lm_checksum(bytes + shift, GOLDEN_CHECKSUM[i][0], GOLDEN_CHECKSUM[i][1]) ==
                        GOLDEN_CHECKSUM[i][2]);
    }
    assert_true(lm_checksum(NULL, 0, 0) == lm_checksum(bytes, 0, 0));
}

/* The vectors of the paper's program: SipHash-2-4 of the bytes 0, 1, 2, ... with the key 0 .. 15. */
static void test_siphash(void **unused)
{
    (void)unused;
    static const struct {
        size_t length;
        uint64_t hash;
    } VECTORS[] = {{0, UINT64_C(0x726fdb47dd0e0e31)},
                   {1, UINT64_C(0x74f839c593dc67fd)},
                   {8, UINT64_C(0x93f5f5799a932462)},
                   {15, UINT64_C(0xa129ca6149be45e5)}};
    const uint64_t key[2] = {UINT64_C(0x0706050403020100), UINT64_C(0x0f0e0d0c0b0a0908)};
    unsigned char bytes[16];
    uint64_t drawn[2][2];
    for (unsigned i = 0; i < sizeof bytes; i++) bytes[i] = (unsigned char)i;
    for (size_t i = 0; i < LENGTH(VECTORS); i++)
        assert_true(lm_siphash(key, bytes, VECTORS[i].length, 2, 4) == VECTORS[i].hash);
    assert_true(lm_keyed_hash(key, bytes, 9) == lm_siphash(key, bytes, 9, 1, 3));
    lm_hash_key(drawn[0]);
    lm_hash_key(drawn[1]);
    assert_memory_not_equal(drawn[0], drawn[1], sizeof drawn[0]);
}

/* x with x ^ x >> shift == y, from the highest bits down. */
static uint64_t undo_shift(uint64_t y, int shift)
{
    uint64_t x = y;
    for (int known = shift; known < 64; known += shift) x = y ^ x >> shift;
    return x;
}

/* The inverse of an odd number modulo 2^64: each step doubles the number of right bits. */
static uint64_t inverse(uint64_t odd)
{
    uint64_t x = odd;
    for (int i = 0; i < 6; i++) x *= 2 - odd * x;
    return x;
}

static void test_mix_can_be_undone(void **unused)
{
    (void)unused;
    uint64_t state = 1, back = inverse(LM_MIX_MULTIPLIER);
    assert_true(back * LM_MIX_MULTIPLIER == 1);
    for (int i = 0; i < 100000; i++) {
        uint64_t x = i < 64 ? UINT64_C(1) << i : test_random(&state);
        uint64_t y = undo_shift(lm_mix(x), 32) * back;
        y = undo_shift(y, 29) * back;
        assert_true(undo_shift(y, 32) == x);
    }
}

/* Each input bit flips each output bit about half of the time, over random inputs and over small numbers. */
static void test_avalanche(void **unused)
{
    (void)unused;
    enum { SAMPLES = 20000 };
    static unsigned flips[64][64];
    for (int small = 0; small < 2; small++) {
        uint64_t state = 2;
        memset(flips, 0, sizeof flips);
        for (uint64_t i = 0; i < SAMPLES; i++) {
            uint64_t x = small ? i : test_random(&state), y = lm_mix(x);
            for (int in = 0; in < 64; in++)
                for (uint64_t changed = y ^ lm_mix(x ^ UINT64_C(1) << in); changed; changed &= changed - 1)
                    flips[in][__builtin_ctzll(changed)]++;
        }
        for (int in = 0; in < 64; in++)
            for (int out = 0; out < 64; out++) {
                double share = (double)flips[in][out] / (double)SAMPLES;
                if (share < 0.4 || share > 0.6)
                    fail_msg("input bit %d flips output bit %d in %.3f of the cases", in, out, share);
            }
    }
}

static void test_multiset_forgets_order_and_nothing_else(void **unused)
{
    (void)unused;
    enum { MEMBERS = 50 };
    uint64_t state = 3, member[MEMBERS], forward = 0, backward = 0, without = 0, twice = 0;
    for (int i = 0; i < MEMBERS; i++) member[i] = test_random(&state) % 1000;
    for (int i = 0; i < MEMBERS; i++) forward = lm_multiset_add(forward, member[i]);
    for (int i = MEMBERS; i-- > 0;) backward = lm_multiset_add(backward, member[i]);
    for (int i = 1; i < MEMBERS; i++) without = lm_multiset_add(without, member[i]);
    twice = lm_multiset_add(forward, member[0]);
    assert_true(forward == backward);
    assert_true(forward != without && forward != twice && without != twice);
    assert_true(lm_multiset_add(without, member[0]) == forward);
    /* {a, a} against {b, c} for all small members */
    for (uint64_t a = 0; a < 40; a++)
        for (uint64_t b = 0; b < 40; b++)
            for (uint64_t c = 0; c < 40; c++)
                assert_true((lm_mix(a) + lm_mix(a) == lm_mix(b) + lm_mix(c)) == (a == b && a == c));
}

static void test_multipliers_are_odd_and_different(void **unused)
{
    (void)unused;
    for (uint64_t i = 0; i < 300; i++) {
        assert_true(lm_multiplier(i) & 1);
        for (uint64_t j = 0; j < i; j++) assert_true(lm_multiplier(i) != lm_multiplier(j));
    }
}

/* Any one changed bit, any cut, any added zero changes the checksum. */
static void test_checksum_notices_everything(void **unused)
{
    (void)unused;
    enum { SIZE = 300 };
    unsigned char bytes[SIZE + 1] = {0};
    uint64_t state = 4;
    for (int i = 0; i < SIZE; i++) bytes[i] = (unsigned char)test_random(&state);
    uint64_t whole = lm_checksum(bytes, SIZE, 9);
    assert_true(whole != lm_checksum(bytes, SIZE, 10));
    assert_true(whole != lm_checksum(bytes, SIZE + 1, 9));
    for (size_t size = 0; size < SIZE; size++) assert_true(lm_checksum(bytes, size, 9) != whole);
    for (int bit = 0; bit < 8 * SIZE; bit++) {
        bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
        assert_true(lm_checksum(bytes, SIZE, 9) != whole);
        bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
}

/* Bytes in pieces, of any sizes, have the checksum of the whole. */
static void test_checksum_of_pieces(void **unused)
{
    (void)unused;
    enum { SIZE = 1000 };
    unsigned char bytes[SIZE];
    uint64_t random = 5;
    for (int i = 0; i < SIZE; i++) bytes[i] = (unsigned char)test_random(&random);
    for (size_t size = 0; size <= SIZE; size += 1 + test_random(&random) % 7) {
        lm_checksum_state state;
        lm_checksum_begin(&state, 9);
        for (size_t at = 0, part; at < size; at += part) {
            part = test_random(&random) % 200;
            if (part > size - at) part = size - at;
            lm_checksum_add(&state, bytes + at, part);
        }
        assert_true(lm_checksum_end(&state) == lm_checksum(bytes, size, 9));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden_values),
        cmocka_unit_test(test_siphash),
        cmocka_unit_test(test_mix_can_be_undone),
        cmocka_unit_test(test_avalanche),
        cmocka_unit_test(test_multiset_forgets_order_and_nothing_else),
        cmocka_unit_test(test_multipliers_are_odd_and_different),
        cmocka_unit_test(test_checksum_notices_everything),
        cmocka_unit_test(test_checksum_of_pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
