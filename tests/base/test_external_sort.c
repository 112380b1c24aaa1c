/* The external sort against qsort(), with buffers that hold all records and buffers that hold few. */
#include "base/external_sort.h"
#include "support/support.h"
#include <stdlib.h>

enum { RECORDS = 30000, SMALL = 0, LARGE = 1 << 24 };

static unsigned keys_compared;

/* The last word is the number of the record, so equal records keep their order. */
static int compare(const void *a, const void *b)
{
    const lm_record *x = a, *y = b;
    for (unsigned k = 0; k < keys_compared; k++)
        if (x->word[k] != y->word[k]) return x->word[k] < y->word[k] ? -1 : 1;
    return x->word[3] < y->word[3] ? -1 : x->word[3] > y->word[3];
}

static void draw(lm_record *list, size_t count, uint64_t different)
{
    uint64_t state = 7;
    for (size_t i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
            list[i].word[k] = (state >> 20) % different * UINT64_C(0x9e3779b97f4a7c15);
        }
        list[i].word[3] = i;
    }
}

static void check(leman_context *ctx, size_t count, uint64_t different, uint64_t memory, unsigned keys)
{
    AUTO(lm_external_sort_close) lm_external_sort sort = {0};
    lm_record *list = malloc((count + 1) * sizeof *list), next;
    bool more;
    draw(list, count, different);
    assert_int_equal(lm_external_sort_open(ctx, NULL, memory, keys, &sort), LEMAN_OK);
    for (size_t i = 0; i < count; i++) assert_int_equal(lm_external_sort_add(&sort, list + i), LEMAN_OK);
    assert_int_equal(lm_external_sort_begin(&sort), LEMAN_OK);
    if (count == RECORDS) assert_int_equal(sort.runs.count > 1, memory == SMALL);
    keys_compared = keys;
    qsort(list, count, sizeof *list, compare);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(lm_external_sort_next(&sort, &next, &more), LEMAN_OK);
        assert_true(more);
        assert_memory_equal(&next, list + i, sizeof next);
    }
    for (int i = 0; i < 2; i++) {
        assert_int_equal(lm_external_sort_next(&sort, &next, &more), LEMAN_OK);
        assert_false(more);
    }
    free(list);
}

static void test_orders(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(2);
    static const size_t COUNTS[] = {0, 1, 2, 4096, 4097, RECORDS};
    for (size_t i = 0; i < sizeof COUNTS / sizeof *COUNTS; i++)
        for (unsigned keys = 1; keys <= 3; keys++) {
            check(ctx, COUNTS[i], 5, SMALL, keys);
            check(ctx, COUNTS[i], UINT64_C(1) << 40, SMALL, keys);
            check(ctx, COUNTS[i], 100, LARGE, keys);
        }
    test_context_free(ctx);
}

static leman_status sort_body(leman_context *ctx, void *state)
{
    AUTO(lm_external_sort_close) lm_external_sort sort = {0};
    const lm_record *list = state;
    lm_record next;
    bool more = true;
    PASS(lm_external_sort_open(ctx, NULL, SMALL, 3, &sort));
    for (size_t i = 0; i < RECORDS; i++) PASS(lm_external_sort_add(&sort, list + i));
    PASS(lm_external_sort_begin(&sort));
    while (more) PASS(lm_external_sort_next(&sort, &next, &more));
    return LEMAN_OK;
}

static void test_allocations(void **state)
{
    (void)state;
    lm_record *list = malloc(RECORDS * sizeof *list);
    draw(list, RECORDS, 1000);
    assert_true(test_fail_each_allocation(sort_body, list) > 3);
    free(list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_orders), cmocka_unit_test(test_allocations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
