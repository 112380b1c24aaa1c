/* Contexts: settings, messages, budget, progress and log. */
#include "base/context.h"
#include "support/support.h"
#include <stdio.h>
#include <time.h>

static void *allocate(void *user, size_t size)
{
    (void)user;
    return malloc(size);
}

static void *reallocate(void *user, void *pointer, size_t size)
{
    (void)user;
    return realloc(pointer, size);
}

static void release(void *user, void *pointer)
{
    (void)user;
    free(pointer);
}

static void test_bad_settings(void **unused)
{
    (void)unused;
    for (int hooks = 0; hooks < 8; hooks++) { /* all three or none */
        leman_settings settings = leman_settings_default();
        leman_context *ctx = NULL;
        if (hooks & 1) settings.allocate = allocate;
        if (hooks & 2) settings.reallocate = reallocate;
        if (hooks & 4) settings.release = release;
        bool right = hooks == 0 || hooks == 7;
        assert_int_equal(leman_context_new(&settings, &ctx), right ? LEMAN_OK : LEMAN_ERROR_ARGUMENT);
        assert_int_equal(ctx != NULL, right);
        leman_context_free(ctx);
    }
    leman_settings settings = leman_settings_default();
    leman_context *ctx = NULL;
    settings.threads = -1;
    assert_int_equal(leman_context_new(&settings, &ctx), LEMAN_ERROR_ARGUMENT);
    assert_null(ctx);
    leman_context_free(NULL);
}

static void test_settings_are_resolved(void **unused)
{
    (void)unused;
    leman_settings settings = leman_settings_default();
    leman_context *ctx = NULL;
    assert_int_equal(leman_context_new(&settings, &ctx), LEMAN_OK);
    assert_true(ctx->settings.threads >= 1);
    assert_true(lm_budget(ctx) > 0);
    assert_string_equal(leman_context_message(ctx), "");
    leman_context_free(ctx);
    settings.threads = 3;
    settings.memory = 12345;
    assert_int_equal(leman_context_new(&settings, &ctx), LEMAN_OK);
    assert_int_equal(ctx->settings.threads, 3);
    assert_int_equal(lm_budget(ctx), 12345);
    leman_context_free(ctx);
}

static void test_messages(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    assert_int_equal(lm_fail(ctx, LEMAN_ERROR_INPUT, "%s:%d: found %s", "a.txt", 3, "two"), LEMAN_ERROR_INPUT);
    assert_string_equal(leman_context_message(ctx), "a.txt:3: found two");
    lm_fail(ctx, LEMAN_ERROR_FILE, "while writing: %s", ctx->message); /* a sentence around the last one */
    assert_string_equal(leman_context_message(ctx), "while writing: a.txt:3: found two");
    lm_fail(ctx, LEMAN_ERROR_FILE, "a\nb\tc\033[31m\x7f\xc3\xa9"); /* one line, whatever a file is called */
    assert_string_equal(leman_context_message(ctx), "a?b?c?[31m?\xc3\xa9");
    char *very_long = malloc(5001);
    memset(very_long, 'x', 5000);
    very_long[5000] = 0;
    lm_fail(ctx, LEMAN_ERROR_FILE, "%s", very_long);
    size_t length = strlen(leman_context_message(ctx));
    assert_true(length > 500 && length < sizeof ctx->message);
    free(very_long);
    test_context_free(ctx);
}

static void test_every_status_has_a_name(void **unused)
{
    (void)unused;
    for (int i = LEMAN_OK; i <= LEMAN_ERROR_INTERNAL; i++)
        for (int j = LEMAN_OK; j < i; j++)
            assert_string_not_equal(leman_status_name((leman_status)i), leman_status_name((leman_status)j));
    assert_non_null(leman_status_name((leman_status)1000));
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", LEMAN_VERSION_MAJOR, LEMAN_VERSION_MINOR, LEMAN_VERSION_PATCH);
    assert_string_equal(leman_version(), version);
}

/* ---- Progress and log ------------------------------------------------------------------------ */

typedef struct listener {
    int calls, logs;
    bool stop;
    leman_progress last;
    char task[64], line[64];
} listener;

static bool on_progress(void *user, const leman_progress *progress)
{
    listener *l = user;
    l->calls++;
    l->last = *progress;
    snprintf(l->task, sizeof l->task, "%s", progress->task);
    return !l->stop;
}

static void on_log(void *user, const char *message)
{
    listener *l = user;
    l->logs++;
    snprintf(l->line, sizeof l->line, "%s", message);
}

static leman_context *listening(listener *l)
{
    leman_settings settings = leman_settings_default();
    leman_context *ctx = NULL;
    settings.progress = on_progress;
    settings.log = on_log;
    settings.callback_user = l;
    assert_int_equal(leman_context_new(&settings, &ctx), LEMAN_OK);
    return ctx;
}

static void test_progress_is_throttled(void **unused)
{
    (void)unused;
    listener l = {0};
    leman_context *ctx = listening(&l);
    const uint64_t total = 100000;
    double began = lm_now();
    lm_progress_begin(ctx, total, "counting %s", "sheep");
    for (uint64_t i = 1; i < total; i++) assert_int_equal(lm_progress_step(ctx, i), LEMAN_OK);
    assert_true(l.calls <= 1 + (int)((lm_now() - began) * 10)); /* at most ten times a second */
    int before = l.calls;
    assert_int_equal(lm_progress_step(ctx, total), LEMAN_OK); /* the end is always shown */
    assert_int_equal(l.calls, before + 1);
    assert_true(l.last.done == total && l.last.total == total && l.last.seconds >= 0);
    assert_string_equal(l.task, "counting sheep");
    leman_context_free(ctx);
}

static void test_progress_moves_and_cancels(void **unused)
{
    (void)unused;
    listener l = {0};
    leman_context *ctx = listening(&l);
    lm_progress_begin(ctx, 0, "waiting"); /* the total is not known */
    const struct timespec pause = {0, 120 * 1000 * 1000};
    nanosleep(&pause, NULL);
    assert_int_equal(lm_progress_step(ctx, 5), LEMAN_OK);
    assert_int_equal(l.calls, 1);
    assert_true(l.last.done == 5 && l.last.total == 0 && l.last.seconds >= 0.1);
    lm_progress_rename(ctx, "waiting for %s", "Godot");
    assert_int_equal(lm_progress_poll(ctx), LEMAN_OK);
    assert_string_equal(l.task, "waiting for Godot");
    assert_true(l.last.done == 5 && l.last.seconds >= 0.1); /* it did not begin again */
    l.stop = true;
    nanosleep(&pause, NULL);
    assert_int_equal(lm_progress_step(ctx, 6), LEMAN_ERROR_CANCELLED);
    assert_string_equal(leman_context_message(ctx), "waiting for Godot was stopped");
    leman_context_free(ctx);
}

/* However short tasks are, the caller is asked ten times a second, and knows the name of what it stops. */
static void test_short_tasks(void **unused)
{
    (void)unused;
    listener l = {0};
    leman_context *ctx = listening(&l);
    const double began = lm_now();
    const struct timespec pause = {0, 20 * 1000 * 1000};
    while (lm_now() - began < 0.5) {
        lm_progress_begin(ctx, 10, "hopping");
        nanosleep(&pause, NULL);
        assert_int_equal(lm_progress_step(ctx, 5), LEMAN_OK);
    }
    assert_true(l.calls >= 2 && l.calls <= 1 + (int)((lm_now() - began) * 10));
    leman_context_free(ctx);

    l.stop = true;
    ctx = listening(&l);
    assert_int_equal(lm_progress_poll(ctx), LEMAN_ERROR_CANCELLED); /* nothing has begun */
    assert_string_equal(leman_context_message(ctx), "the work was stopped");
    leman_context_free(ctx);
}

static void test_log(void **unused)
{
    (void)unused;
    listener l = {0};
    leman_context *ctx = listening(&l);
    lm_log(ctx, "removed %d edges\n", 7);
    assert_int_equal(l.logs, 1);
    assert_string_equal(l.line, "removed 7 edges?");
    assert_string_equal(leman_context_message(ctx), ""); /* a log is not a failure */
    leman_context_free(ctx);
    ctx = test_context_new(1);
    lm_log(ctx, "nobody listens");
    lm_progress_begin(ctx, 3, "nothing");
    assert_int_equal(lm_progress_step(ctx, 3), LEMAN_OK);
    test_context_free(ctx);
}

static leman_status nothing(leman_context *ctx, void *unused)
{
    (void)ctx;
    (void)unused;
    return LEMAN_OK;
}

static void test_failing_allocations(void **unused)
{
    (void)unused;
    assert_int_equal(test_fail_each_allocation(nothing, NULL), 2); /* the context itself and its meter */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_settings),
        cmocka_unit_test(test_settings_are_resolved),
        cmocka_unit_test(test_messages),
        cmocka_unit_test(test_every_status_has_a_name),
        cmocka_unit_test(test_progress_is_throttled),
        cmocka_unit_test(test_progress_moves_and_cancels),
        cmocka_unit_test(test_short_tasks),
        cmocka_unit_test(test_log),
        cmocka_unit_test(test_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
