/*
 * A dense matrix as a file, some rows at a time:
 *
 *   lm_matrix_file file = {0};
 *   TRY(lm_matrix_open(ctx, "K.npy", rows, columns, labels, &file));
 *   ... TRY(lm_matrix_rows(&file, values, 100)) ...
 *   TRY(lm_matrix_commit(&file));
 *   done: lm_matrix_abort(&file);
 */
#ifndef LM_MATRIX_H
#define LM_MATRIX_H

#include "base/file.h"

/* Zero-initialise. */
typedef struct lm_matrix_file {
    lm_output out;
    size_t format; /* in the table of matrix.c */
    size_t rows, columns, written;
    const int64_t *label; /* [rows] of .svm, or NULL: 0; the caller's */
} lm_matrix_file;

/* leman_matrix_check() knows its ending. */
leman_status lm_matrix_open(leman_context *ctx, const char *path, size_t rows, size_t columns, const int64_t *labels,
                            lm_matrix_file *file);
/* The next rows: values[count][columns]. */
leman_status lm_matrix_rows(lm_matrix_file *file, const double *values, size_t count);
leman_status lm_matrix_commit(lm_matrix_file *file);
/* Does nothing after a commit. */
void lm_matrix_abort(lm_matrix_file *file);

#endif
