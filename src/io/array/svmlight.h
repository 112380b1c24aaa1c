/*
 * Reads svmlight (LIBSVM) files, some rows at a time, from a file or pipe, compressed or not. Each line is a row "label
 * index:value index:value ..." with increasing indices. Values that are not listed are 0. Text behind # is a comment.
 *
 * A label is a number; nan stands for a missing label. Values of 0 are dropped. A row whose sum of squares overflows or
 * underflows is an error.
 */
#ifndef LM_SVMLIGHT_H
#define LM_SVMLIGHT_H

#include "base/text.h"
#include "io/stream/window.h"

/* Rows, one after the other. Zero-initialise; release with lm_svmlight_rows_free(). */
typedef struct lm_svmlight_rows {
    lm_vector end;   /* uint64_t: end of the entries of each row */
    lm_vector index; /* uint32_t: indices as in the file */
    lm_vector value; /* double */
    lm_vector label; /* double */
} lm_svmlight_rows;

void lm_svmlight_rows_free(lm_svmlight_rows *rows);
/* Reads the next line of the text and appends its row. A line without a row appends nothing. Fails with
 * LEMAN_ERROR_INPUT if the line is malformed. O(length of the line). */
leman_status lm_svmlight_line(lm_text *text, lm_svmlight_rows *rows);

/* Zero-initialise; release with lm_svmlight_close(). The struct must not be moved while it is open. */
typedef struct lm_svmlight {
    leman_context *ctx;
    lm_input input;
    lm_window window;
    lm_text text;
} lm_svmlight;

/* Returns true if the path ends in .svm, .svmlight or .libsvm, or in one of them with .gz behind it. */
bool lm_svmlight_is(const char *path);
/* Opens the file and reads its first `window` bytes. */
leman_status lm_svmlight_open(leman_context *ctx, const char *path, size_t window, lm_svmlight *reader);
/* Replaces the rows by the next ones. Stops when rows and entries together number more than `entries`. There are no
 * rows at the end of the file. */
leman_status lm_svmlight_next(lm_svmlight *reader, size_t entries, lm_svmlight_rows *rows);
void lm_svmlight_close(lm_svmlight *reader);

#endif
