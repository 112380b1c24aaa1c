/* The radix sort against a merge sort written from the definition: order, stability, any number of threads. */
#include "base/sort.h"
#include "support/support.h"

/* ---- A slow stable sort ---------------------------------------------------------------------- */

static void merge_sort(lm_pair *pairs, lm_pair *spare, size_t count)
{
    if (count < 2) return;
    size_t half = count / 2, i = 0, j = half, n = 0;
    merge_sort(pairs, spare, half);
    merge_sort(pairs + half, spare, count - half);
    while (i < half || j < count)
        spare[n++] = j == count || (i < half && pairs[i].key <= pairs[j].key) ? pairs[i++] : pairs[j++];
    memcpy(pairs, spare, count * sizeof *pairs);
}

/* ---- Distributions --------------------------------------------------------------------------- */

enum distribution {
    RANDOM,
    EQUAL,
    FEW,
    SORTED,
    REVERSED,
    BYTE,        /* keys below 256 */
    LOW_WORD,    /* the upper half is the same */
    HIGH_WORD,   /* the lower half is the same */
    HOLES,       /* bits that differ far from each other */
    EXPONENTIAL, /* as many keys of each length */
    NEARLY_SORTED,
    TWO_CLUSTERS, /* all but one key agree in their upper bits */
    CLOSE,        /* long runs that agree in the upper bits */
    DISTRIBUTIONS
};

static uint64_t draw(enum distribution kind, size_t i, size_t count, uint64_t *state)
{
    uint64_t x = test_random(state);
    switch (kind) {
    case EQUAL: return 42;
    case FEW: return (x % 7) * 0x9e3779b97f4a7c15u;
    case SORTED: return i * 0x123456789u;
    case REVERSED: return (count - i) * 0x123456789u;
    case BYTE: return x & 0xff;
    case LOW_WORD: return 0xabcdef0000000000u | (x & 0xffffffff);
    case HIGH_WORD: return (x & 0xffffffff00000000u) | 0x1234;
    case HOLES: return x & 0x8001000001000101u;
    case EXPONENTIAL: return x >> (x & 63);
    case NEARLY_SORTED: return i * 16 + (x & 63);
    case TWO_CLUSTERS: return i == count / 2 ? UINT64_MAX : x & 0xfffff;
    case CLOSE: return (x % 3) << 60 | (x >> 8 & 0x3ff);
    default: return x;
    }
}

/* ---- Tests ----------------------------------------------------------------------------------- */

/* Sorts `count` items drawn from `kind` in every way and compares with the slow sort. */
static void check(enum distribution kind, size_t count, int threads, uint64_t *state)
{
    lm_pair *expected = malloc((count + 1) * sizeof *expected), *pairs = malloc((count + 1) * sizeof *pairs);
    lm_pair *spare = malloc((count + 1) * sizeof *spare);
    uint64_t *keys = malloc((count + 1) * sizeof *keys), *spare_keys = malloc((count + 1) * sizeof *spare_keys);
    assert_true(expected && pairs && spare && keys && spare_keys);
    for (size_t i = 0; i < count; i++) {
        keys[i] = draw(kind, i, count, state);
        expected[i] = pairs[i] = (lm_pair){keys[i], i};
    }
    keys[count] = spare_keys[count] = 77; /* a guard behind each array */
    pairs[count] = spare[count] = (lm_pair){77, 77};
    merge_sort(expected, spare, count);
    lm_sort_keys(keys, spare_keys, count, threads);
    lm_sort_pairs(pairs, spare, count, threads);
    for (size_t i = 0; i < count; i++)
        if (keys[i] != expected[i].key || pairs[i].key != expected[i].key || pairs[i].payload != expected[i].payload)
            fail_msg("distribution %d, %zu items, %d threads: item %zu is wrong", (int)kind, count, threads, i);
    assert_true(keys[count] == 77 && spare_keys[count] == 77 && pairs[count].key == 77 && spare[count].key == 77);
    free(expected);
    free(pairs);
    free(spare);
    free(keys);
    free(spare_keys);
}

static void test_every_small_size(void **unused)
{
    (void)unused;
    uint64_t state = 1;
    for (size_t count = 0; count < 300; count += test_cases(100) < 100 ? 7 : 1) /* fewer under valgrind */
        for (int kind = 0; kind < DISTRIBUTIONS; kind++) check((enum distribution)kind, count, 1, &state);
}

static void test_sizes_around_the_thresholds(void **unused)
{
    (void)unused;
    static const size_t SIZES[] = {511,   512,   513,   1023,  1024,  1025,  2047,   2048,   5000,
                                   32767, 32768, 32769, 65535, 65536, 65537, 131072, 131073, 200000};
    uint64_t state = 2;
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++)
        for (int kind = 0; kind < DISTRIBUTIONS; kind++) check((enum distribution)kind, SIZES[i], 1, &state);
}

static void test_threads_give_the_same(void **unused)
{
    (void)unused;
    static const size_t SIZES[] = {0, 1, 1000, 131071, 131072};
    uint64_t state = 3;
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++)
        for (int kind = 0; kind < DISTRIBUTIONS; kind++)
            for (int threads = 2; threads <= 4; threads++) check((enum distribution)kind, SIZES[i], threads, &state);
    for (int kind = 0; kind < DISTRIBUTIONS; kind++) check((enum distribution)kind, 400000, 2, &state);
    check(RANDOM, 150000, 1000, &state);
    check(RANDOM, 150000, 0, &state);
    check(RANDOM, 150000, -1, &state);
}

static void test_random_masks(void **unused)
{
    (void)unused;
    uint64_t state = 4;
    for (int round = 0; round < (int)test_cases(2000); round++) {
        uint64_t mask = test_random(&state) & test_random(&state), offset = test_random(&state);
        size_t count = test_random(&state) % 4000;
        lm_pair *pairs = malloc((count + 1) * sizeof *pairs), *spare = malloc((count + 1) * sizeof *spare);
        assert_true(pairs && spare);
        for (size_t i = 0; i < count; i++) pairs[i] = (lm_pair){(test_random(&state) & mask) + offset, i};
        lm_sort_pairs(pairs, spare, count, 1);
        for (size_t i = 1; i < count; i++)
            assert_true(pairs[i - 1].key < pairs[i].key ||
                        (pairs[i - 1].key == pairs[i].key && pairs[i - 1].payload < pairs[i].payload));
        free(pairs);
        free(spare);
    }
}

/* Each different key once, with the number of its occurrences, counted here one by one. */
static void test_counting(void **unused)
{
    (void)unused;
    enum { MAX = 3000 };
    static uint64_t keys[MAX], before[MAX], spare[MAX], out_keys[MAX], out_counts[MAX];
    uint64_t state = 5;
    const int rounds = (int)test_cases(300);
    for (int round = 0; round < rounds; round++) {
        size_t count = test_random(&state) % (round < rounds / 2 ? 40 : MAX), sum = 0;
        for (size_t i = 0; i < count; i++)
            before[i] = keys[i] = draw((enum distribution)(round % DISTRIBUTIONS), i, count, &state);
        bool in_place = round & 1;
        uint64_t *k = in_place ? keys : out_keys, *c = in_place ? spare : out_counts;
        size_t distinct = lm_count_keys(keys, spare, count, 1, k, c);
        for (size_t i = 0; i < distinct; i++) {
            size_t found = 0;
            for (size_t j = 0; j < count; j++) found += before[j] == k[i];
            assert_true(found > 0 && c[i] == found && (!i || k[i - 1] < k[i]));
            sum += c[i];
        }
        assert_int_equal(sum, count);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_small_size),
        cmocka_unit_test(test_sizes_around_the_thresholds),
        cmocka_unit_test(test_threads_give_the_same),
        cmocka_unit_test(test_random_masks),
        cmocka_unit_test(test_counting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
