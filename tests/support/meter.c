/* Memory by the byte: what the allocator really gave. */
#include "support/meter.h"
#include <malloc.h>
#include <stdio.h>

static void measure(test_meter *m, void *pointer)
{
    size_t live = __atomic_add_fetch(&m->live, malloc_usable_size(pointer), __ATOMIC_RELAXED);
    if (live > m->peak) m->peak = live; /* near enough between threads */
    __atomic_add_fetch(&m->blocks, 1, __ATOMIC_RELAXED);
    if (malloc_usable_size(pointer) >= 1 << 20) __atomic_add_fetch(&m->large, 1, __ATOMIC_RELAXED);
}

static void metered_release(void *user, void *pointer)
{
    test_meter *m = user;
    if (!pointer) return;
    __atomic_sub_fetch(&m->live, malloc_usable_size(pointer), __ATOMIC_RELAXED);
    __atomic_sub_fetch(&m->blocks, 1, __ATOMIC_RELAXED);
    free(pointer);
}

static void *metered_allocate(void *user, size_t size)
{
    void *pointer = malloc(size);
    if (pointer) measure(user, pointer);
    return pointer;
}

static void *metered_reallocate(void *user, void *pointer, size_t size)
{
    void *fresh = metered_allocate(user, size);
    if (fresh && pointer) {
        size_t old = malloc_usable_size(pointer);
        memcpy(fresh, pointer, old < size ? old : size);
        metered_release(user, pointer);
    }
    return fresh;
}

static bool answer(void *user, const leman_progress *progress)
{
    (void)progress;
    return !((test_meter *)user)->says_stop;
}

static void note(void *user, const char *sentence)
{
    test_meter *m = user;
    m->sentences++;
    snprintf(m->log, sizeof m->log, "%s", sentence);
}

leman_context *test_meter_context(test_meter *m, size_t memory, int threads)
{
    leman_settings settings = leman_settings_default();
    leman_context *ctx = NULL;
    *m = (test_meter){0};
    settings.memory = memory;
    settings.threads = threads;
    settings.allocate = metered_allocate;
    settings.reallocate = metered_reallocate;
    settings.release = metered_release;
    settings.allocator_user = m;
    settings.progress = answer;
    settings.log = note;
    settings.callback_user = m;
    assert_int_equal(leman_context_new(&settings, &ctx), LEMAN_OK);
    return ctx;
}

void test_meter_free(test_meter *m, leman_context *ctx)
{
    leman_context_free(ctx);
    assert_int_equal(m->blocks, 0);
    assert_int_equal(m->live, 0);
}
