/*
 * What tests of downloads share: a cache folder, two small TU zips, a context that keeps its log and can be stopped,
 * and a download from a server that lives as long as the call. Use it as set-up and tear-down:
 *
 *   cmocka_unit_test_setup_teardown(test, scene_begin, scene_end)
 */
#ifndef TEST_SCENE_H
#define TEST_SCENE_H

#include "base/context.h"
#include "support/server.h"
#include "support/support.h"

typedef struct test_blob {
    char *bytes;
    size_t size;
} test_blob;

typedef struct scene {
    const char *folder;
    test_blob small, large; /* two sets of the name Toy; large needs several writes */
    leman_context *ctx;
    char path[4096];      /* what the last download gave */
    char log[4096];       /* all sentences of the log callback */
    unsigned stop_after;  /* progress calls; 0: never stops */
    unsigned descriptors; /* open before the test */
} scene;

int scene_begin(void **state);
/* Also: no descriptor and no allocation may be left. */
int scene_end(void **state);

test_blob scene_read(const char *path);
/* A TU zip of one cycle of n vertices, n >= 3; about 15 n bytes, not packed. */
test_blob scene_zip(const char *name, size_t n);

bool scene_has(const scene *s, const char *name);
/* The last failure was one sentence, with these words. */
void scene_says(const scene *s, const char *words);
/* The cache holds exactly this content under its name, its sum, and nothing half-done. */
void scene_assert_cached(const scene *s, const test_blob *content);
void scene_assert_empty(const scene *s);

leman_download_options scene_options(const scene *s, const char *url);
/* Starts a server, downloads `name` (or Toy) once from it, and says how many requests that took (may be NULL). */
leman_status scene_download_named(scene *s, const char *name, const test_answer *answers, size_t count,
                                  leman_download_options options, size_t *requests);
leman_status scene_download(scene *s, const test_answer *answers, size_t count, size_t *requests);

#endif
