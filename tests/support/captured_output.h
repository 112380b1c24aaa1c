/* An output that ends in memory: what a writer wrote, as a text. */
#ifndef TEST_CAPTURED_OUTPUT_H
#define TEST_CAPTURED_OUTPUT_H

#include "base/file.h"
#include "support/support.h"

typedef struct test_captured_output {
    char *text; /* NUL-terminated */
    size_t used, capacity;
} test_captured_output;

/* Opens an output into a zero-initialised struct, or one that is used again and begins anew. */
leman_status test_captured_output_open(leman_context *ctx, test_captured_output *c, lm_output *out);
void test_captured_output_free(test_captured_output *c);

#endif
