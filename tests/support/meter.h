/* A context that measures its memory, and can be cancelled. */
#ifndef TEST_METER_H
#define TEST_METER_H

#include "support/support.h"

typedef struct test_meter {
    size_t live, peak, blocks;
    size_t large; /* blocks of a mebibyte or more that were ever allocated */
    bool says_stop;
    size_t sentences; /* that were logged */
    char log[256];    /* the last of them */
} test_meter;

/* threads and memory as in leman_settings. */
leman_context *test_meter_context(test_meter *meter, size_t memory, int threads);
/* Fails the test when something leaked. */
void test_meter_free(test_meter *meter, leman_context *ctx);

#endif
