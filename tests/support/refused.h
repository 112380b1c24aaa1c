/*
 * Calls that the library must refuse: assert_refused(ctx, "out", leman_dataset_read(ctx, path, NULL, NULL, NULL))
 * expects LEMAN_ERROR_ARGUMENT and a new sentence that names the argument. assert_refused_without(call) is for calls
 * without a context, and so without a place for a sentence.
 */
#ifndef TEST_REFUSED_H
#define TEST_REFUSED_H

#include "support/support.h"

/* Leaves a sentence that no other call gives, so that an old one cannot pass for a new one. */
static inline void test_set_message(leman_context *ctx)
{
    leman_format format;
    assert_int_equal(leman_format_parse(ctx, "no such format", &format), LEMAN_ERROR_ARGUMENT);
}

static inline void test_check_refused(leman_context *ctx, const char *argument, leman_status st, leman_status expected,
                                      const char *call)
{
    const char *message = leman_context_message(ctx);
    if (st != expected) fail_msg("%s: found status %d, expected %d", call, (int)st, (int)expected);
    if (!*message || strstr(message, "no such format")) fail_msg("%s: expected a sentence, found none", call);
    if (!strstr(message, argument)) fail_msg("%s: found '%s', expected a word about %s", call, message, argument);
}

#define assert_refused(ctx, argument, call)                                                                            \
    do {                                                                                                               \
        test_set_message(ctx);                                                                                         \
        test_check_refused((ctx), (argument), (call), LEMAN_ERROR_ARGUMENT, #call);                                    \
    } while (0)
/* An argument that is good by itself and does not fit the data. */
#define assert_refused_for_data(ctx, argument, call)                                                                   \
    do {                                                                                                               \
        test_set_message(ctx);                                                                                         \
        test_check_refused((ctx), (argument), (call), LEMAN_ERROR_INPUT, #call);                                       \
    } while (0)
#define assert_refused_without(call) assert_int_equal((call), LEMAN_ERROR_ARGUMENT)

/* A pointer that no call may touch: for outputs of calls that fail. */
#define TEST_UNTOUCHED(type) ((type *)(uintptr_t)0x10)

#endif
