/* Sorted runs merged step by step, against a sort of all their keys. */
#include "kernel/features/key_merge.h"
#include "support/support.h"
#include <stdlib.h>
#include <string.h>

enum { RUNS = 37, MOST = 9000 };

typedef struct runs {
    uint64_t memory; /* of the file */
    unsigned bits;   /* that keys differ in: few make long runs of equal ones */
    size_t count[RUNS], all;
    lm_pair *item; /* [all] run after run, payloads increasing */
} runs;

static int by_key(const void *a, const void *b)
{
    const lm_pair *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return x->payload < y->payload ? -1 : x->payload > y->payload;
}

static runs make_runs(unsigned bits, uint64_t memory)
{
    runs r = {.memory = memory, .bits = bits};
    uint64_t random = bits + 1;
    r.item = malloc(RUNS * MOST * sizeof *r.item);
    assert_non_null(r.item);
    for (size_t i = 0; i < RUNS; i++) {
        lm_pair *run = r.item + r.all;
        const size_t wanted = i % 5 == 3 ? 0 : test_random(&random) % (i % 3 ? 200 : MOST);
        for (size_t j = 0; j < wanted; j++) run[j] = (lm_pair){test_random(&random) >> (64 - bits), r.all + j};
        if (wanted && i % 7 == 0) run[0].key = UINT64_MAX;
        qsort(run, wanted, sizeof *run, by_key);
        for (size_t j = 0; j < wanted; j++)
            if (!r.count[i] || run[r.count[i] - 1].key != run[j].key) run[r.count[i]++] = run[j];
        for (size_t j = 0; j < r.count[i]; j++) run[j].payload = r.all + j;
        r.all += r.count[i];
    }
    return r;
}

/* All items in the order of the steps. *found NULL: nobody looks at them. */
static leman_status merge_runs(leman_context *ctx, const runs *r, lm_pair *found)
{
    leman_status st = LEMAN_OK;
    lm_temporary file = {0};
    lm_merge m = {0};
    const lm_pair *pair;
    size_t count, met = 0, before[RUNS] = {0};
    uint64_t place[RUNS];
    TRY(lm_temporary_open(ctx, NULL, r->memory, &file));
    for (size_t i = 0, first = 0; i < RUNS; first += r->count[i++]) {
        place[i] = file.size;
        for (size_t j = 0; j < r->count[i]; j++)
            TRY(lm_temporary_append(&file, &r->item[first + j].key, sizeof(uint64_t), NULL));
    }
    TRY(lm_merge_new(ctx, &file, RUNS, &m));
    for (size_t i = 0; i < RUNS; i++) lm_merge_set(&m, i, place[i], r->count[i]);
    do {
        TRY(lm_merge_step(&m, &pair, &count));
        for (size_t i = 0; i < count && found; i++) {
            assert_true(met < r->all);
            found[met++] = pair[i];
            size_t at = 0, run = pair[i].payload / m.most; /* the payload says where the key was */
            for (size_t j = 0; j < run; j++) at += r->count[j];
            found[met - 1].payload = at + before[run] + pair[i].payload % m.most;
        }
        for (size_t i = 0; i < RUNS; i++) before[i] += m.run[i].used;
    } while (count);
    if (found) assert_int_equal(met, r->all);
done:
    lm_merge_free(&m);
    lm_temporary_close(&file);
    return st;
}

/* Keys from memory and from the file, spread out and so close that most are equal. */
static void test_order(void **unused)
{
    (void)unused;
    static const unsigned BITS[] = {1, 5, 12, 64};
    for (size_t way = 0; way < 8; way++) {
        leman_context *ctx = test_context_new(2);
        runs r = make_runs(BITS[way / 2], way % 2 ? UINT64_C(1) << 30 : 0);
        lm_pair *found = malloc((r.all + 1) * sizeof *found);
        assert_non_null(found);
        assert_true(r.all > RUNS / 2);
        assert_int_equal(merge_runs(ctx, &r, found), LEMAN_OK);
        qsort(r.item, r.all, sizeof *r.item, by_key); /* payloads increase from run to run */
        assert_memory_equal(found, r.item, r.all * sizeof *found);
        free(found);
        free(r.item);
        test_context_free(ctx);
    }
}

static leman_status body(leman_context *ctx, void *state)
{
    return merge_runs(ctx, state, NULL);
}

static void test_memory(void **unused)
{
    (void)unused;
    runs r = make_runs(5, UINT64_C(1) << 30);
    assert_true(test_fail_each_allocation(body, &r) > 3);
    free(r.item);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_order), cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
