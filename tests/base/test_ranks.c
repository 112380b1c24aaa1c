/* What ranks do together: sums, parts for each other, work dealt out, and one failure for all. */
#include "base/file.h"
#include "base/ranks/ranks.h"
#include "support/ranks.h"
#include <stdio.h>

#define CHECK(ctx, condition)                                                                                          \
    do {                                                                                                               \
        if (!(condition)) FAIL(ctx, LEMAN_ERROR_INTERNAL, "line %d: %s", __LINE__, #condition);                        \
    } while (0)

static void *const NOTHING[TEST_MAX_RANKS] = {NULL};

/* ---- Parts and sums -------------------------------------------------------------------------- */

/* Rank r has 3 r bytes of value r; and r + s bytes of value 16 r + s for rank s. */
static leman_status exchange_parts(leman_context *ctx, void *unused)
{
    leman_status st = LEMAN_OK;
    const size_t ranks = lm_rank_count(ctx), rank = lm_rank(ctx);
    size_t bytes[TEST_MAX_RANKS], send[TEST_MAX_RANKS], at = 0;
    unsigned char mine[256];
    void *all = NULL, *received = NULL;
    (void)unused;
    lm_ranks_begin(ctx);
    memset(mine, (int)rank, sizeof mine);
    TRY(lm_ranks_gather(ctx, mine, 3 * rank, bytes, &all));
    for (size_t r = 0; r < ranks; r++) {
        CHECK(ctx, bytes[r] == 3 * r);
        for (size_t i = 0; i < bytes[r]; i++) CHECK(ctx, ((unsigned char *)all)[at++] == r);
    }
    at = 0;
    for (size_t s = 0; s < ranks; s++) {
        send[s] = rank + s;
        for (size_t i = 0; i < send[s]; i++) mine[at++] = (unsigned char)(16 * rank + s);
    }
    TRY(lm_ranks_exchange(ctx, mine, send, bytes, &received));
    at = 0;
    for (size_t r = 0; r < ranks; r++) {
        CHECK(ctx, bytes[r] == rank + r);
        for (size_t i = 0; i < bytes[r]; i++) CHECK(ctx, ((unsigned char *)received)[at++] == 16 * r + rank);
    }
done:
    lm_release(all);
    lm_release(received);
    return lm_ranks_end(ctx, st);
}

/* What rank r adds as number i: no sum of them is exact. */
static float number(size_t r, size_t i)
{
    return 1.0f / (float)(1 + (i * 7 + r * 3) % 101);
}

static leman_status sum_numbers(leman_context *ctx, void *unused)
{
    leman_status st = LEMAN_OK;
    static const size_t COUNTS[] = {0, 1, 3, 511, 512, 513, 5000};
    const size_t ranks = lm_rank_count(ctx);
    float f[5000];
    uint64_t u[5000];
    (void)unused;
    lm_ranks_begin(ctx);
    for (size_t c = 0; c < sizeof COUNTS / sizeof *COUNTS; c++) {
        for (size_t i = 0; i < COUNTS[c]; i++) {
            f[i] = number(lm_rank(ctx), i);
            u[i] = (i + 1) * (lm_rank(ctx) + 1);
        }
        TRY(lm_ranks_sum(ctx, LM_FLOAT32, f, COUNTS[c]));
        TRY(lm_ranks_sum(ctx, LM_UINT64, u, COUNTS[c]));
        for (size_t i = 0; i < COUNTS[c]; i++) {
            float want = number(0, i); /* in the order of the ranks, to the bit */
            for (size_t r = 1; r < ranks; r++) want += number(r, i);
            CHECK(ctx, f[i] == want);
            CHECK(ctx, u[i] == (i + 1) * ranks * (ranks + 1) / 2);
        }
    }
    uint64_t most = 10 + lm_rank(ctx), least = most;
    TRY(lm_ranks_max(ctx, &most));
    TRY(lm_ranks_min(ctx, &least));
    CHECK(ctx, most == 9 + ranks && least == 10);
done:
    return lm_ranks_end(ctx, st);
}

static void test_parts(void **unused)
{
    (void)unused;
    for (size_t ranks = 1; ranks <= 5; ranks++) test_ranks_succeed(ranks, exchange_parts, NOTHING);
}

static void test_sums(void **unused)
{
    (void)unused;
    for (size_t ranks = 1; ranks <= 5; ranks++) test_ranks_succeed(ranks, sum_numbers, NOTHING);
}

/* ---- Work ------------------------------------------------------------------------------------ */

enum { ITEMS = 200 };

/* Every item has one rank; and no rank has more than 4/3 of what the lightest plan allows, for which the mean and the
 * largest item are lower bounds (Graham 1969). */
static leman_status deal_items(leman_context *ctx, void *unused)
{
    leman_status st = LEMAN_OK;
    uint64_t cost[ITEMS], load = 0, sum = 0, largest = 0, times[ITEMS], seed = 5;
    bool mine[ITEMS];
    (void)unused;
    lm_ranks_begin(ctx);
    for (size_t i = 0; i < ITEMS; i++) {
        cost[i] = 1 + test_random(&seed) % (i % 10 ? 50 : 5000);
        sum += cost[i];
        if (cost[i] > largest) largest = cost[i];
    }
    TRY(lm_ranks_deal(ctx, cost, ITEMS, mine));
    for (size_t i = 0; i < ITEMS; i++) {
        times[i] = mine[i];
        load += mine[i] ? cost[i] : 0;
    }
    const uint64_t mean = (sum + lm_rank_count(ctx) - 1) / lm_rank_count(ctx), bound = mean > largest ? mean : largest;
    CHECK(ctx, 3 * load <= 4 * bound + 3);
    TRY(lm_ranks_sum(ctx, LM_UINT64, times, ITEMS));
    for (size_t i = 0; i < ITEMS; i++) CHECK(ctx, times[i] == 1);
done:
    return lm_ranks_end(ctx, st);
}

/* Tasks are handed out once each, also the second time. */
static leman_status take_tasks(leman_context *ctx, void *unused)
{
    leman_status st = LEMAN_OK;
    (void)unused;
    lm_ranks_begin(ctx);
    for (int again = 0; again < 2; again++) {
        lm_rank_tasks tasks;
        uint64_t times[ITEMS] = {0};
        size_t task;
        TRY(lm_rank_tasks_begin(ctx, &tasks));
        for (;;) {
            TRY(lm_rank_tasks_next(ctx, &tasks, &task));
            if (task >= ITEMS) break;
            times[task]++;
        }
        TRY(lm_ranks_sum(ctx, LM_UINT64, times, ITEMS));
        for (size_t i = 0; i < ITEMS; i++) CHECK(ctx, times[i] == 1);
    }
done:
    return lm_ranks_end(ctx, st);
}

static void test_work(void **unused)
{
    (void)unused;
    for (size_t ranks = 1; ranks <= 5; ranks++) {
        test_ranks plain = {.ranks = ranks, .plain = true};
        test_ranks_succeed(ranks, deal_items, NOTHING);
        test_ranks_succeed(ranks, take_tasks, NOTHING);
        test_ranks_run(&plain, take_tasks, NOTHING);
        for (size_t r = 0; r < ranks; r++) assert_int_equal(plain.status[r], LEMAN_OK);
    }
}

/* ---- Failures -------------------------------------------------------------------------------- */

/* The last rank fails between two sums; afterwards the ranks can go on. */
static leman_status fail_once(leman_context *ctx, void *unused)
{
    leman_status st = LEMAN_OK;
    uint64_t value = 1;
    (void)unused;
    lm_ranks_begin(ctx);
    TRY(lm_ranks_sum(ctx, LM_UINT64, &value, 1));
    lm_ranks_begin(ctx); /* nested */
    if (lm_rank(ctx) + 1 == lm_rank_count(ctx)) st = lm_fail(ctx, LEMAN_ERROR_INPUT, "line 7 is wrong");
    if (!st) st = lm_ranks_sum(ctx, LM_UINT64, &value, 1);
    TRY(lm_ranks_end(ctx, st));
    TRY(lm_ranks_sum(ctx, LM_UINT64, &value, 1));
done:
    return lm_ranks_end(ctx, st);
}

/* The last rank fails while the others are in a piece of work inside of this one. */
static leman_status fail_outside(leman_context *ctx, void *unused)
{
    leman_status st = LEMAN_OK;
    uint64_t value = 1;
    (void)unused;
    lm_ranks_begin(ctx);
    if (lm_rank(ctx) + 1 == lm_rank_count(ctx)) FAIL(ctx, LEMAN_ERROR_INPUT, "line 7 is wrong");
    lm_ranks_begin(ctx);
    TRY(lm_ranks_end(ctx, lm_ranks_sum(ctx, LM_UINT64, &value, 1)));
    TRY(lm_ranks_sum(ctx, LM_UINT64, &value, 1));
done:
    return lm_ranks_end(ctx, st);
}

/* A failure inside that is no failure of the whole: all ranks try another way. */
static leman_status fail_inside(leman_context *ctx, void *unused)
{
    leman_status st = LEMAN_OK;
    uint64_t value = 1;
    lm_ranks_begin(ctx);
    lm_ranks_begin(ctx);
    if (!lm_rank(ctx)) st = lm_fail(ctx, LEMAN_ERROR_BUDGET, "too much");
    if (!st) st = lm_ranks_sum(ctx, LM_UINT64, &value, 1);
    st = lm_ranks_end(ctx, st);
    CHECK(ctx, st == LEMAN_ERROR_BUDGET);
    TRY(sum_numbers(ctx, unused));
done:
    return lm_ranks_end(ctx, st);
}

static leman_status fail_and_go_on(leman_context *ctx, void *unused)
{
    const leman_status st = fail_once(ctx, unused), again = sum_numbers(ctx, unused);
    return again ? again : st;
}

static void test_failure(void **unused)
{
    (void)unused;
    for (size_t ranks = 2; ranks <= 4; ranks++) {
        test_ranks t = {.ranks = ranks};
        test_ranks_run(&t, fail_once, NOTHING);
        for (size_t r = 0; r < ranks; r++) {
            assert_int_equal(t.status[r], LEMAN_ERROR_INPUT);
            assert_string_equal(t.message[r], "line 7 is wrong");
        }
        test_ranks_succeed(ranks, fail_inside, NOTHING);
        test_ranks_run(&t, fail_outside, NOTHING);
        for (size_t r = 0; r < ranks; r++) assert_int_equal(t.status[r], LEMAN_ERROR_INPUT);
        test_ranks_run(&t, fail_and_go_on, NOTHING);
        for (size_t r = 0; r < ranks; r++) assert_int_equal(t.status[r], LEMAN_ERROR_INPUT);
    }
}

/* Ranks that are at different steps fail, whichever steps these are, and can work together again afterwards. */
static leman_status other_step(leman_context *ctx, void *unused)
{
    leman_status st = LEMAN_OK;
    uint64_t number[8] = {0};
    size_t bytes[TEST_MAX_RANKS];
    void *all = NULL;
    lm_ranks_begin(ctx);
    switch (lm_rank(ctx)) {
    case 0: st = lm_ranks_sum(ctx, LM_UINT64, number, 8); break;
    case 1: st = lm_ranks_sum(ctx, LM_UINT64, number, 4); break;
    case 2: st = lm_ranks_gather(ctx, number, sizeof number, bytes, &all); break;
    default: break; /* it has nothing more to do */
    }
    lm_release(all);
    st = lm_ranks_end(ctx, st);
    if (st != LEMAN_ERROR_INPUT) return lm_fail(ctx, LEMAN_ERROR_INTERNAL, "ranks at different steps did not fail");
    return sum_numbers(ctx, unused);
}

static void test_other_step(void **unused)
{
    (void)unused;
    for (size_t ranks = 2; ranks <= 4; ranks++) test_ranks_succeed(ranks, other_step, NOTHING);
}

/* Every allocation of a rank fails once: all ranks say so, and none waits for another. */
static void test_allocations(void **unused)
{
    (void)unused;
    test_rank_work *const WORK[] = {exchange_parts, sum_numbers, deal_items};
    for (size_t w = 0; w < sizeof WORK / sizeof *WORK; w++)
        for (size_t n = 3;; n++) { /* the first two make the context */
            test_ranks t = {.ranks = 3, .failing_rank = 1, .failing_allocation = n};
            test_ranks_run(&t, WORK[w], NOTHING);
            if (t.allocations[1] < n) break;
            for (size_t r = 0; r < 3; r++) assert_int_equal(t.status[r], LEMAN_ERROR_MEMORY);
        }
}

/* ---- Files ----------------------------------------------------------------------------------- */

static leman_status write_file(leman_context *ctx, void *path)
{
    leman_status st = LEMAN_OK;
    lm_output out = {0};
    char part[64];
    const int length = snprintf(part, sizeof part, "rank %zu of %zu\n", lm_rank(ctx), lm_rank_count(ctx));
    lm_ranks_begin(ctx);
    TRY(lm_output_open(ctx, path, &out));
    TRY(lm_output_printf(&out, "head\n"));
    TRY(lm_output_write_parts(&out, part, (size_t)length));
    TRY(lm_output_printf(&out, "end\n"));
    TRY(lm_output_commit(&out));
done:
    lm_output_abort(&out);
    return lm_ranks_end(ctx, st);
}

static void test_file(void **unused)
{
    (void)unused;
    const char *folder = test_folder_new();
    void *path[TEST_MAX_RANKS];
    char name[512];
    snprintf(name, sizeof name, "%s/parts.txt", folder);
    for (size_t r = 0; r < TEST_MAX_RANKS; r++) path[r] = name;
    for (int plain = 0; plain < 2; plain++)
        for (size_t ranks = 1; ranks <= 4; ranks++) {
            test_ranks t = {.ranks = ranks, .plain = plain};
            char want[512] = "head\n", found[512] = "";
            test_ranks_run(&t, write_file, path);
            for (size_t r = 0; r < ranks; r++) {
                assert_int_equal(t.status[r], LEMAN_OK);
                snprintf(want + strlen(want), sizeof want - strlen(want), "rank %zu of %zu\n", r, ranks);
            }
            strcat(want, "end\n");
            FILE *f = fopen(name, "r");
            assert_non_null(f);
            assert_true(fread(found, 1, sizeof found - 1, f) > 0);
            fclose(f);
            assert_string_equal(found, want);
        }
    test_folder_remove(folder);
}

/* Two ranks: a word from each is one call, one message and 24 bytes; a sum of one number one more of 8. */
static leman_status sum_one(leman_context *ctx, void *unused)
{
    uint64_t one = 1;
    (void)unused;
    lm_ranks_begin(ctx);
    return lm_ranks_end(ctx, lm_ranks_sum(ctx, LM_UINT64, &one, 1));
}

static void test_traffic(void **unused)
{
    (void)unused;
    test_ranks t = {.ranks = 2};
    test_ranks_run(&t, sum_one, NOTHING);
    for (size_t r = 0; r < 2; r++) {
        assert_int_equal(t.traffic[r].calls, 3);
        assert_int_equal(t.traffic[r].messages, 3);
        assert_int_equal(t.traffic[r].sent, 2 * 24 + 8);
        assert_int_equal(t.traffic[r].received, 2 * 24 + 8);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts),   cmocka_unit_test(test_sums),        cmocka_unit_test(test_work),
        cmocka_unit_test(test_failure), cmocka_unit_test(test_allocations), cmocka_unit_test(test_file),
        cmocka_unit_test(test_traffic), cmocka_unit_test(test_other_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
