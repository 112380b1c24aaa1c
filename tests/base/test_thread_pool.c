/* A thread pool does every item once, the costliest first, and ends with the first failure or a cancellation. */
#include "base/thread_pool.h"
#include "support/support.h"
#include <errno.h>
#include <stdio.h>
#include <time.h>

enum { ITEMS = 60, ALONE = 3 };

typedef struct record {
    atomic_int times[ITEMS];
    int threads[ITEMS];
    size_t order[ITEMS];
    atomic_size_t begun;
    atomic_int busy[8]; /* by worker: calls must not overlap */
    int workers;
    size_t bad; /* this item fails; ITEMS: none */
    long nanoseconds;
} record;

static leman_status do_one(lm_worker *worker, void *state, size_t item)
{
    leman_status st = LEMAN_OK;
    record *r = state;
    uint64_t *scratch;
    if (worker->number < 0 || worker->number >= r->workers || atomic_fetch_add(&r->busy[worker->number], 1))
        return lm_fail(worker->ctx, LEMAN_ERROR_INTERNAL, "a worker is not itself");
    r->order[atomic_fetch_add(&r->begun, 1)] = item;
    r->threads[item] = worker->threads;
    atomic_fetch_add(&r->times[item], 1);
    SCRATCH(worker->ctx, scratch, 1000);
    memset(scratch, (int)item, 1000 * sizeof *scratch);
    if (item == r->bad) FAIL(worker->ctx, LEMAN_ERROR_INPUT, "item %zu is bad", item);
    struct timespec nap = {.tv_nsec = r->nanoseconds};
    if (r->nanoseconds) nanosleep(&nap, NULL);
    TRY(lm_worker_advance(worker, 1));
done:
    atomic_fetch_sub(&r->busy[worker->number], 1);
    return st;
}

/* Costs in a scrambled order, some of them equal. */
static void draw_costs(uint64_t *cost)
{
    for (size_t i = 0; i < ITEMS; i++) cost[i] = i * 37 % 50;
}

static leman_status run(leman_context *ctx, record *r, size_t alone)
{
    uint64_t cost[ITEMS];
    draw_costs(cost);
    r->workers = lm_thread_pool_workers(ctx);
    lm_progress_begin(ctx, ITEMS, "testing");
    return lm_thread_pool_run(ctx, cost, ITEMS, alone, do_one, r);
}

static void test_every_item_once(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 4; threads++) {
        leman_context *ctx = test_context_new(threads);
        record r = {.bad = ITEMS};
        uint64_t cost[ITEMS];
        draw_costs(cost);
        assert_int_equal(run(ctx, &r, ALONE), LEMAN_OK);
        for (size_t i = 0; i < ITEMS; i++) assert_int_equal(r.times[i], 1);
        for (size_t i = 0; i < ALONE; i++) assert_int_equal(r.threads[r.order[i]], threads);
        for (size_t i = ALONE; i < ITEMS; i++) assert_int_equal(r.threads[r.order[i]], 1);
        for (size_t i = 1; i < ITEMS && (threads == 1 || i < ALONE); i++) {
            size_t a = r.order[i - 1], b = r.order[i];
            assert_true(cost[a] > cost[b] || (cost[a] == cost[b] && a < b));
        }
        test_context_free(ctx);
    }
}

static void test_no_items(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(3);
    assert_int_equal(lm_thread_pool_run(ctx, NULL, 0, 0, do_one, NULL), LEMAN_OK);
    test_context_free(ctx);
}

static void test_failure_ends_the_work(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 3; threads++)
        for (size_t bad = 0; bad < ITEMS; bad += 7) {
            leman_context *ctx = test_context_new(threads);
            record r = {.bad = bad};
            char words[32];
            assert_int_equal(run(ctx, &r, ALONE), LEMAN_ERROR_INPUT);
            snprintf(words, sizeof words, "item %zu is bad", bad);
            assert_string_equal(leman_context_message(ctx), words);
            assert_int_equal(r.times[bad], 1);
            if (threads == 1) assert_int_equal(r.order[r.begun - 1], bad);
            test_context_free(ctx);
        }
}

/* Every worker has one item and fails, the others after the failure of worker `first` was recorded. */
typedef struct failures {
    int first;
    atomic_int begun;
} failures;

static leman_status fail_in_turn(lm_worker *worker, void *state, size_t item)
{
    failures *f = state;
    const double until = lm_now() + 60; /* a pool that does not run the workers side by side is another failure */
    (void)item;
    atomic_fetch_add(&f->begun, 1);
    while (atomic_load(&f->begun) < lm_thread_pool_workers(worker->ctx))
        if (lm_now() > until) return lm_fail(worker->ctx, LEMAN_ERROR_INTERNAL, "the workers do not meet");
    if (worker->number == f->first) return lm_fail(worker->ctx, LEMAN_ERROR_INPUT, "worker %d was first", f->first);
    while (!lm_cancellation_requested(&worker->cancellation))
        if (lm_now() > until) return lm_fail(worker->ctx, LEMAN_ERROR_INTERNAL, "found no cancellation");
    return lm_fail(worker->ctx, LEMAN_ERROR_FILE, "worker %d was later", worker->number);
}

static void test_first_failure_wins(void **state)
{
    (void)state;
    enum { WORKERS = 3 };
    const uint64_t cost[WORKERS] = {1, 1, 1};
    for (int first = 0; first < WORKERS; first++) {
        leman_context *ctx = test_context_new(WORKERS);
        failures f = {.first = first};
        char words[32];
        lm_progress_begin(ctx, WORKERS, "testing");
        assert_int_equal(lm_thread_pool_run(ctx, cost, WORKERS, 0, fail_in_turn, &f), LEMAN_ERROR_INPUT);
        snprintf(words, sizeof words, "worker %d was first", first);
        assert_string_equal(leman_context_message(ctx), words);
        test_context_free(ctx);
    }
}

/* The errno of a failure goes with its sentence. */
static leman_status fail_with_errno(lm_worker *worker, void *state, size_t item)
{
    (void)state;
    return item ? LEMAN_OK : lm_fail_errno(worker->ctx, ENOSPC, "item %zu", item);
}

static void test_errno_of_failure(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(2);
    lm_progress_begin(ctx, 1, "testing");
    assert_int_equal(lm_thread_pool_run(ctx, (const uint64_t[]){1}, 1, 0, fail_with_errno, NULL), LEMAN_ERROR_FILE);
    assert_int_equal(leman_context_errno(ctx), ENOSPC);
    assert_non_null(strstr(leman_context_message(ctx), "item 0: "));
    test_context_free(ctx);
}

/* Callbacks are for the caller's thread: workers have none, not even the one on it. */
static void count_log(void *user, const char *message)
{
    (void)message;
    ++*(int *)user;
}

static leman_status log_something(lm_worker *worker, void *state, size_t item)
{
    (void)state;
    lm_log(worker->ctx, "item %zu", item);
    return lm_progress_poll(worker->ctx);
}

static void test_workers_have_no_callbacks(void **state)
{
    (void)state;
    int logged = 0;
    leman_settings settings = leman_settings_default();
    leman_context *ctx = NULL;
    const uint64_t cost[4] = {1, 1, 1, 1};
    settings.threads = 2;
    settings.log = count_log;
    settings.callback_user = &logged;
    assert_int_equal(leman_context_new(&settings, &ctx), LEMAN_OK);
    lm_progress_begin(ctx, 4, "testing");
    assert_int_equal(lm_thread_pool_run(ctx, cost, 4, 1, log_something, NULL), LEMAN_OK);
    assert_int_equal(logged, 0);
    leman_context_free(ctx);
}

static bool stop_at_second(void *user, const leman_progress *progress)
{
    assert_true(progress->done <= progress->total);
    return ++*(int *)user < 2;
}

/* Items of ten milliseconds, and a caller that is asked ten times a second. */
static void test_stop(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 3; threads++) {
        int asked = 0;
        leman_settings settings = leman_settings_default();
        leman_context *ctx = NULL;
        settings.threads = threads;
        settings.progress = stop_at_second;
        settings.callback_user = &asked;
        assert_int_equal(leman_context_new(&settings, &ctx), LEMAN_OK);
        record r = {.bad = ITEMS, .nanoseconds = 10000000L * threads};
        assert_int_equal(run(ctx, &r, 0), LEMAN_ERROR_CANCELLED);
        assert_int_equal(asked, 2);
        assert_true(r.begun < ITEMS);
        assert_string_equal(leman_context_message(ctx), "testing was stopped");
        leman_context_free(ctx);
    }
}

static leman_status whole(leman_context *ctx, void *state)
{
    (void)state;
    record r = {.bad = ITEMS};
    return run(ctx, &r, ALONE);
}

static void test_failing_allocations(void **state)
{
    (void)state;
    assert_true(test_fail_each_allocation(whole, NULL) > 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_item_once),
        cmocka_unit_test(test_no_items),
        cmocka_unit_test(test_failure_ends_the_work),
        cmocka_unit_test(test_first_failure_wins),
        cmocka_unit_test(test_errno_of_failure),
        cmocka_unit_test(test_workers_have_no_callbacks),
        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
