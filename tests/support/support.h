/*
 * What the tests share: a context whose allocations can be made to fail and are counted, scratch folders, random
 * graphs, and comparison of data sets.
 */
#ifndef TEST_SUPPORT_H
#define TEST_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "leman.h"

/* A context with `threads` threads whose allocator counts what is live. Every test frees it with test_context_free(),
 * which fails the test when something leaked. */
leman_context *test_context_new(int threads);
void test_context_free(leman_context *ctx);

/* Runs body(ctx, state) again and again, the n-th time with the n-th allocation failing, until it runs through. Each
 * failing run must return LEMAN_ERROR_MEMORY and leak nothing. Returns the number of allocations. */
typedef leman_status test_body(leman_context *ctx, void *state);
size_t test_fail_each_allocation(test_body *body, void *state);

/* A new empty folder, removed with everything in it by test_folder_remove(). */
const char *test_folder_new(void);
void test_folder_remove(const char *folder);
/* Writes text to folder/name and returns the path (static buffer of four). */
const char *test_file_write(const char *folder, const char *name, const void *bytes, size_t size);
const char *test_file_text(const char *folder, const char *name, const char *text);
const char *test_path(const char *folder, const char *name);

/* Reads path and expects LEMAN_ERROR_INPUT or LEMAN_ERROR_FILE and a sentence that contains every word of `words`
 * ("A.txt:3 'two' vertex", blanks between words). */
void test_read_fails(const char *path, const char *words);

/* Skips the running test and says why. Before anything is allocated: it does not come back. */
void test_skip(const char *format, ...);
/* The path of NAME.zip among the real data sets ($LEMAN_DATA or ../shared/data beside the source). Where that file is
 * missing the running test is skipped. (Static buffer of four.) */
const char *test_set(const char *name);
/* Runs an array of tests of which some may be skipped. The exit status: 1 when one failed, otherwise 77 when one was
 * skipped, which ctest lists as skipped; so these tests are in programs of their own. */
int test_run_group(const struct CMUnitTest *tests, size_t count);
#define test_run(tests) test_run_group(tests, sizeof(tests) / sizeof *(tests))

/* Same graphs, labels, attributes, classes, targets (names are not compared); prints the first difference. */
bool test_same_dataset(const leman_dataset *a, const leman_dataset *b);

/* How many random cases to try: `usual`, or LEMAN_TEST_SHARE percent of them, at least one, where that is set. */
size_t test_cases(size_t usual);

/* A random stream for tests: xorshift, seeded by the caller. */
uint64_t test_random(uint64_t *state);
/* A random graph as a data set of one: n vertices, each pair joined with the given probability in percent,
 * `vertex_labels` and `edge_labels` different labels (0: no such column). */
leman_dataset *test_random_graph(leman_context *ctx, uint64_t *state, size_t n, unsigned percent,
                                 unsigned vertex_labels, unsigned edge_labels, bool directed);

#endif
