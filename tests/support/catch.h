/* An output that ends in memory: what a writer wrote, as a text. */
#ifndef TEST_CATCH_H
#define TEST_CATCH_H

#include "base/file.h"
#include "support/support.h"

typedef struct test_catch {
    char *text; /* NUL-terminated */
    size_t used, room;
} test_catch;

/* Opens an output into a zero-initialised catch, or one that is used again and begins anew. */
leman_status test_catch_open(leman_context *ctx, test_catch *c, lm_output *out);
void test_catch_free(test_catch *c);

#endif
