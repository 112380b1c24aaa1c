/*
 * What tests of downloads share: a cache folder, two small TU zips, a context that keeps its log and can be stopped,
 * and a download from a server that lives as long as the call. Use it as set-up and tear-down:
 *
 *   cmocka_unit_test_setup_teardown(test, fixture_begin, fixture_end)
 */
#ifndef TEST_DOWNLOAD_FIXTURE_H
#define TEST_DOWNLOAD_FIXTURE_H

#include "base/context.h"
#include "support/server.h"
#include "support/support.h"

typedef struct test_blob {
    char *bytes;
    size_t size;
} test_blob;

typedef struct fixture {
    const char *folder;
    test_blob small, large; /* two sets of the name Toy; large needs several writes */
    leman_context *ctx;
    char path[4096];      /* what the last download gave */
    char log[4096];       /* all sentences of the log callback */
    unsigned stop_after;  /* progress calls; 0: never stops */
    unsigned descriptors; /* open before the test */
} fixture;

int fixture_begin(void **state);
/* Also: no descriptor and no allocation may be left. */
int fixture_end(void **state);

test_blob fixture_read(const char *path);
/* A TU zip of one cycle of n vertices, n >= 3; about 15 n bytes, not compressed. */
test_blob fixture_zip(const char *name, size_t n);

bool fixture_has(const fixture *s, const char *name);
/* The last failure was one sentence, with these words. */
void fixture_says(const fixture *s, const char *words);
/* The cache holds exactly this content under its name, its sum, and nothing half-done. */
void fixture_assert_cached(const fixture *s, const test_blob *content);
void fixture_assert_empty(const fixture *s);

leman_download_options fixture_options(const fixture *s, const char *url);
/* Starts a server, downloads `name` (or Toy) once from it, and says how many requests that took (may be NULL). */
leman_status fixture_download_named(fixture *s, const char *name, const test_answer *answers, size_t count,
                                    leman_download_options options, size_t *requests);
leman_status fixture_download(fixture *s, const test_answer *answers, size_t count, size_t *requests);

#endif
