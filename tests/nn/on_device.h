/*
 * The device that the tests of networks run on: LEMAN_TEST_DEVICE, a name as lm_backend_new() takes it; without it the
 * CPU. Contexts of test_context_new() have it in their settings. main() of a test that computes begins with
 * check_without_device(): where the build or the machine does not have the device, the test is skipped and says so.
 */
#ifndef ON_DEVICE_H
#define ON_DEVICE_H

#include "nn/backends.h"
#include "support/support.h"
#include <stdlib.h>
#include <string.h>

static inline const char *check_device(void)
{
    const char *name = getenv("LEMAN_TEST_DEVICE");
    return name && *name ? name : "cpu";
}

/* Prints why, and gives the exit status of tests that are skipped; 0 where the device is there. */
static inline int check_without_device(void)
{
    enum { SKIPPED = 77 };
    leman_context *ctx = test_context_new(1);
    lm_backend *backend = NULL;
    leman_status st = lm_backend_new(ctx, check_device(), 0, &backend);
    if (st) print_message("skipped: %s\n", leman_context_message(ctx));
    lm_backend_free(backend);
    test_context_free(ctx);
    return st == LEMAN_ERROR_UNSUPPORTED ? SKIPPED : (int)st;
}

static inline lm_backend *check_backend(leman_context *ctx)
{
    lm_backend *backend = NULL;
    if (lm_backend_new(ctx, check_device(), 0, &backend)) fail_msg("%s", leman_context_message(ctx));
    return backend;
}

/* A copy in the memory of the device; backend->release() it. */
static inline void *check_upload(lm_backend *backend, const void *host, size_t bytes)
{
    void *copy = NULL;
    assert_int_equal(backend->allocate(backend, bytes, &copy), LEMAN_OK);
    assert_int_equal(backend->write(backend, copy, host, bytes), LEMAN_OK);
    return copy;
}

#endif
