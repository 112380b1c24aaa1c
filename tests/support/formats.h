/* Readers and writers of single files, from and to memory. */
#ifndef TEST_FORMATS_H
#define TEST_FORMATS_H

#include "io/format.h"
#include "support/support.h"

typedef leman_status test_reader(leman_context *ctx, const char *path, lm_bytes *bytes,
                                 const leman_read_options *options, leman_cleaning *cleaning, leman_dataset **out);
typedef leman_status test_writer(leman_context *ctx, const leman_dataset *data, lm_output *out);

/* Reads text as the file `name`, by the policy (NULL: the default). */
leman_status test_read_text(leman_context *ctx, test_reader *reader, const char *name, const char *text,
                            const leman_policy *policy, leman_cleaning *cleaning, leman_dataset **out);
/* The same, which must succeed and give a sound data set. */
leman_dataset *test_text_read(leman_context *ctx, test_reader *reader, const char *text, const leman_policy *policy);
/* Expects LEMAN_ERROR_INPUT and exactly this sentence. */
void test_text_fails(test_reader *reader, const char *name, const char *text, const char *sentence);
/* What the writer writes, NUL-terminated; free() it. */
char *test_text_written(leman_context *ctx, test_writer *writer, const leman_dataset *data);
/* Is there an arc u -> v in graph g? */
bool test_has_arc(const leman_dataset *data, size_t graph, size_t u, size_t v);

/* A context that keeps what was logged, all of it in one string, newline behind each. Free with
 * test_log_free(). */
typedef struct test_log {
    leman_context *ctx;
    char text[4096];
} test_log;
void test_log_new(test_log *log);
void test_log_free(test_log *log);

#endif
