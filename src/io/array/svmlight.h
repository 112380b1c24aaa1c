/*
 * Reading svmlight (LIBSVM) files: a row on each line, "label index:value index:value ...", indices increasing, values
 * that are not there 0; what stands behind # is a comment. Some rows at a time, from a file or pipe, compressed or not.
 *
 * A label is a number; nan is one that is missing. Values that are 0 are left out. A row whose length is no number, as
 * squares are too large or too small, is refused.
 */
#ifndef LM_SVMLIGHT_H
#define LM_SVMLIGHT_H

#include "base/text.h"
#include "io/stream/window.h"

/* Rows behind each other. Zero-initialise; lm_svmlight_rows_free() at the end. */
typedef struct lm_svmlight_rows {
    lm_vector end;   /* uint64_t: where the entries of each row end */
    lm_vector index; /* uint32_t, as the file has them */
    lm_vector value; /* double */
    lm_vector label; /* double */
} lm_svmlight_rows;

void lm_svmlight_rows_free(leman_context *ctx, lm_svmlight_rows *rows);
/* The next line of the text; one without a row adds nothing. */
leman_status lm_svmlight_line(lm_text *text, lm_svmlight_rows *rows);

/* Zero-initialise; lm_svmlight_close() at the end. It must not move while it is open. */
typedef struct lm_svmlight {
    leman_context *ctx;
    lm_input input;
    lm_window window;
    lm_text text;
} lm_svmlight;

/* Is the ending of the name one of these files'? .svm, .svmlight, .libsvm, and .gz behind them. */
bool lm_svmlight_is(const char *path);
leman_status lm_svmlight_open(leman_context *ctx, const char *path, size_t window, lm_svmlight *reader);
/* Replaces the rows by the next ones, until there are more than `entries` entries; none behind the last. */
leman_status lm_svmlight_next(lm_svmlight *reader, size_t entries, lm_svmlight_rows *rows);
void lm_svmlight_close(lm_svmlight *reader);

#endif
