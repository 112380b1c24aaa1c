/* lm_count_different() gives what sorting the numbers gives. */
#include "base/context.h"
#include "base/sort.h"
#include "refine/refine.h"
#include "support/support.h"

enum { LISTS = 3 };

/* The i-th number of a kind. */
typedef uint64_t kind(size_t i, uint64_t *state);

static uint64_t hashes(size_t i, uint64_t *state)
{
    (void)i;
    return test_random(state);
}

static uint64_t few(size_t i, uint64_t *state)
{
    (void)i;
    return test_random(state) % 100 * UINT64_C(0x9e3779b97f4a7c15);
}

/* All low bits agree: one part has all numbers. */
static uint64_t high(size_t i, uint64_t *state)
{
    return (test_random(state) % 4 ? (uint64_t)i : test_random(state) % 1000) << 40;
}

static uint64_t increasing(size_t i, uint64_t *state)
{
    (void)state;
    return i / 2;
}

typedef struct given {
    kind *of;
    size_t count;
} given;

static size_t different_by_sorting(uint64_t *words, size_t count)
{
    size_t different = 0;
    uint64_t *spare = malloc((count + 1) * sizeof *spare);
    lm_sort_keys(words, spare, count, 1);
    for (size_t i = 0; i < count; i++) different += !i || words[i] != words[i - 1];
    free(spare);
    return different;
}

static leman_status count(leman_context *ctx, void *state)
{
    leman_status st = LEMAN_OK;
    const given *g = state;
    lm_chunks own[LISTS] = {0}, *list[LISTS] = {own, own + 1, own + 2};
    uint64_t seed = g->count, different = 0, *words = malloc((g->count + 1) * sizeof *words);
    uint64_t *all = malloc((g->count + 1) * sizeof *all);
    for (size_t i = 0; i < g->count; i++) {
        all[i] = g->of(i, &seed);
        TRY(lm_chunks_append(ctx, own + (all[i] % 5 ? i % 2 : 2), all + i, sizeof *all));
    }
    TRY(lm_count_different(ctx, list, LISTS, g->count, words, &different));
    for (size_t l = 0; l < LISTS; l++) assert_int_equal(lm_chunks_count(own + l, sizeof *all), 0);
    assert_int_equal(different, different_by_sorting(all, g->count));
done:
    for (size_t l = 0; l < LISTS; l++) lm_chunks_free(own + l);
    free(words);
    free(all);
    return st;
}

static void test_counts(void **unused)
{
    (void)unused;
    static const size_t counts[] = {0, 1, 2, 40, 5000, 100000};
    static kind *const kinds[] = {hashes, few, high, increasing};
    for (int threads = 1; threads <= 2; threads++) {
        leman_context *ctx = test_context_new(threads);
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
            for (size_t j = 0; j < sizeof kinds / sizeof *kinds; j++) {
                given g = {kinds[j], counts[i]};
                assert_int_equal(count(ctx, &g), LEMAN_OK);
            }
        test_context_free(ctx);
    }
}

static void test_allocations(void **unused)
{
    (void)unused;
    given g = {hashes, 300};
    assert_true(test_fail_each_allocation(count, &g) >= 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_counts), cmocka_unit_test(test_allocations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
