/* Arrays in a mapped temporary file: what is resident never exceeds the window. */
#include "base/mapped.h"
#include "support/support.h"
#include <stdio.h>

enum { MAPPED = 32 << 20, WINDOW = 1 << 20, STRIPE = 1 << 16 };

/* Bytes of the mapping at this address that are resident; SIZE_MAX where the system does not tell. */
static size_t resident_at(const void *address)
{
    char line[512], begin[40];
    size_t found = SIZE_MAX, kib;
    bool here = false;
    FILE *f = fopen("/proc/self/smaps", "re");
    if (!f) return SIZE_MAX;
    snprintf(begin, sizeof begin, "%zx-", (size_t)(uintptr_t)address);
    while (fgets(line, sizeof line, f)) {
        if (!strncmp(line, begin, strlen(begin))) here = true;
        if (here && sscanf(line, "Rss: %zu kB", &kib) == 1) {
            found = kib * 1024;
            break;
        }
    }
    fclose(f);
    return found;
}

/* Looks at 8 bytes at every `step`-th place, which must hold their own place, and returns the most that was resident.
 */
static size_t most_resident(lm_mapped *m, size_t step)
{
    const size_t places = MAPPED / 8;
    size_t most = 0, looks = 0;
    for (size_t i = 0, at = 0; i < 20000; i++, at = (at + step) % places) {
        uint64_t found;
        lm_mapped_touch(m, m->address + 8 * at, 8);
        memcpy(&found, m->address + 8 * at, 8);
        assert_int_equal(found, at);
        if (++looks % 50) continue;
        const size_t now = resident_at(m->address);
        if (now > most) most = now;
    }
    return most;
}

/* However the places lie to each other, no more than the window is resident, and the window counts in the budget. */
static void mapped(void **state)
{
    (void)state;
    static uint64_t stripe[STRIPE];
    const size_t steps[] = {1, 500, 1000, 3000, 8000, 9000, 1000003, MAPPED / 8 - 700};
    leman_context *ctx = test_context_new(1);
    const size_t before = lm_meter_used(ctx->meter);
    lm_mapped *m = NULL;
    assert_int_equal(lm_mapped_open(ctx, WINDOW, &m), LEMAN_OK);
    assert_true(lm_meter_used(ctx->meter) >= before + WINDOW);
    for (uint64_t at = 0; at < MAPPED / 8; at += STRIPE) {
        for (size_t i = 0; i < STRIPE; i++) stripe[i] = at + i;
        assert_int_equal(lm_temporary_append(&m->file, stripe, sizeof stripe, NULL), LEMAN_OK);
    }
    assert_int_equal(lm_mapped_finish(m), LEMAN_OK);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        const size_t most = most_resident(m, steps[i]);
        if (resident_at(m->address) != SIZE_MAX && most > WINDOW)
            fail_msg("step %zu: %zu bytes are resident", steps[i], most);
    }
    lm_mapped_free(ctx, m);
    assert_int_equal(lm_meter_used(ctx->meter), before);
    test_context_free(ctx);
}

static leman_status mapped_body(leman_context *ctx, void *unused)
{
    (void)unused;
    leman_status st = LEMAN_OK;
    lm_mapped *m = NULL;
    TRY(lm_mapped_open(ctx, WINDOW, &m));
    TRY(lm_temporary_append(&m->file, "text", 4, NULL));
    TRY(lm_mapped_finish(m));
done:
    lm_mapped_free(ctx, m);
    return st;
}

static void mapped_memory(void **state)
{
    (void)state;
    assert_true(test_fail_each_allocation(mapped_body, NULL) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(mapped), cmocka_unit_test(mapped_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
