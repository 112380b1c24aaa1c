/* The scratch arena: alignment, marks, growth, failing allocations, and poison under AddressSanitizer. */
#include "base/arena.h"
#include "base/context.h"
#include "support/meter.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

/* Every piece is aligned and keeps what is written to it while others are taken. */
static void test_pieces_are_aligned_and_apart(void **unused)
{
    (void)unused;
    enum { PIECES = 600 };
    leman_context *ctx = test_context_new(1);
    unsigned char *piece[PIECES];
    size_t size[PIECES];
    uint64_t state = 1;
    for (int i = 0; i < PIECES; i++) {
        size[i] = test_random(&state) % (i % 50 ? 300 : 200000);
        piece[i] = lm_arena_alloc(&ctx->scratch, size[i]);
        assert_non_null(piece[i]);
        assert_int_equal((uintptr_t)piece[i] % 64, 0);
        memset(piece[i], i & 255, size[i]);
    }
    for (int i = 0; i < PIECES; i++)
        for (size_t j = 0; j < size[i]; j++) assert_int_equal(piece[i][j], i & 255);
    test_context_free(ctx);
}

/* What was taken before a mark survives a reset to it; what came after is given again. */
static void test_marks_nest(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    lm_arena *arena = &ctx->scratch;
    lm_arena_mark empty = lm_arena_now(arena);
    int *outer = lm_arena_alloc(arena, 100 * sizeof *outer);
    for (int i = 0; i < 100; i++) outer[i] = i;
    lm_arena_mark first = lm_arena_now(arena);
    for (int round = 0; round < 20; round++) {
        char *inner = lm_arena_alloc(arena, 1000);
        lm_arena_mark second = lm_arena_now(arena);
        memset(inner, 1, 1000);
        memset(lm_arena_alloc(arena, (size_t)round * 40000), 2, (size_t)round * 40000);
        memset(lm_arena_alloc(arena, 100), 3, 100);
        lm_arena_reset(arena, second);
        for (int i = 0; i < 1000; i++) assert_int_equal(inner[i], 1);
        lm_arena_reset(arena, first);
        assert_ptr_equal(lm_arena_alloc(arena, 1000), inner);
        lm_arena_reset(arena, first);
    }
    for (int i = 0; i < 100; i++) assert_int_equal(outer[i], i);
    lm_arena_reset(arena, empty);
    assert_ptr_equal(lm_arena_alloc(arena, 1), outer); /* the small first chunk is still there */
    lm_arena_reset(arena, empty);
    test_context_free(ctx);
}

static void test_impossible_sizes(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    assert_null(lm_arena_alloc(&ctx->scratch, SIZE_MAX));
    assert_null(lm_arena_alloc(&ctx->scratch, SIZE_MAX - 63));
    assert_null(lm_scratch(ctx, SIZE_MAX / 2, 4));
    assert_non_null(strstr(leman_context_message(ctx), "more than this machine can address"));
    assert_non_null(lm_scratch(ctx, 0, 8));
    assert_non_null(lm_scratch(ctx, SIZE_MAX, 0));
    test_context_free(ctx);
}

/* Work that comes again and again finds its memory again, whatever comes first; where it needs more, what it had goes
 * before more is taken. */
static void test_reserved_once(void **unused)
{
    (void)unused;
    enum { STEP = 4 << 20, MOST = 8 };
    test_meter m;
    leman_context *ctx = test_meter_context(&m, 0, 1), worker;
    lm_context_for_worker(ctx, &worker);
    const size_t held = m.live;
    for (size_t i = 0; i < 2 * MOST; i++) {
        const size_t bytes = STEP * (i < MOST ? i + 1 : MOST);
        lm_arena_mark mark = lm_arena_now(&worker.scratch);
        m.peak = m.live;
        lm_arena_reserve(&worker.scratch, bytes);
        for (size_t j = 0; j < 4; j++) assert_non_null(lm_arena_alloc(&worker.scratch, bytes / 16));
        assert_non_null(lm_arena_alloc(&worker.scratch, bytes / 4 * 3));
        assert_true(m.peak < held + bytes + (1 << 20));
        lm_arena_reset(&worker.scratch, mark);
    }
    lm_arena_mark mark = lm_arena_now(&worker.scratch); /* the same without a reservation */
    m.peak = m.live;
    assert_non_null(lm_arena_alloc(&worker.scratch, STEP * (MOST + 1)));
    assert_true(m.peak < held + STEP * (MOST + 1) + (1 << 20));
    lm_arena_reset(&worker.scratch, mark);
    lm_arena_reserve(&worker.scratch, SIZE_MAX - 1); /* which cannot be had, and need not */
    lm_arena_free(&worker.scratch);
    test_meter_free(&m, ctx);
}

/* Small work that repeats above a large piece takes no new memory each time: neighbours of molecules are read so. */
static void test_small_work_above_large_piece(void **unused)
{
    (void)unused;
    test_meter m;
    leman_context *ctx = test_meter_context(&m, 0, 1);
    assert_non_null(lm_arena_alloc(&ctx->scratch, 4 << 20));
    const size_t large = m.large;
    for (int i = 0; i < 1000; i++) {
        const lm_arena_mark mark = lm_arena_now(&ctx->scratch);
        assert_non_null(lm_arena_alloc(&ctx->scratch, 5000));
        lm_arena_reset(&ctx->scratch, mark);
    }
    assert_int_equal(m.large, large);
    test_meter_free(&m, ctx);
}

static leman_status take_many(leman_context *ctx, void *unused)
{
    (void)unused;
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    char *piece;
    lm_arena_reserve(&ctx->scratch, 300000);
    for (size_t size = 1; size < 1000000; size *= 3) {
        SCRATCH(ctx, piece, size);
        memset(piece, 1, size);
    }
done:
    lm_arena_reset(&ctx->scratch, mark);
    return st;
}

static void test_failing_allocations(void **unused)
{
    (void)unused;
    assert_true(test_fail_each_allocation(take_many, NULL) > 2);
}

#if defined(__SANITIZE_ADDRESS__)
#define POISONED(pointer) __asan_address_is_poisoned(pointer)

static void test_poison(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    char *piece = lm_arena_alloc(&ctx->scratch, 100);
    char *next = lm_arena_alloc(&ctx->scratch, 100);
    assert_true(!POISONED(piece) && !POISONED(piece + 99) && POISONED(piece + 100) && POISONED(next - 1));
    assert_true(!POISONED(next) && POISONED(next + 100));
    lm_arena_reset(&ctx->scratch, mark);
    assert_true(POISONED(piece) && POISONED(piece + 99) && POISONED(next));
    test_context_free(ctx);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces_are_aligned_and_apart),
        cmocka_unit_test(test_marks_nest),
        cmocka_unit_test(test_impossible_sizes),
        cmocka_unit_test(test_reserved_once),
        cmocka_unit_test(test_small_work_above_large_piece),
        cmocka_unit_test(test_failing_allocations),
#if defined(__SANITIZE_ADDRESS__)
        cmocka_unit_test(test_poison),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
