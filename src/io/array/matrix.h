/*
 * Writes a dense matrix as a file, some rows at a time:
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
    size_t format; /* row in the table of matrix.c */
    size_t rows, columns, written;
    const int64_t *label; /* [rows] labels in .svm files, or NULL for 0; owned by the caller */
} lm_matrix_file;

/* Opens a file for a matrix of this size. The path must have passed leman_matrix_check(). The labels, which may be
 * NULL, must remain valid until the file is closed. */
leman_status lm_matrix_open(leman_context *ctx, const char *path, size_t rows, size_t columns, const int64_t *labels,
                            lm_matrix_file *file);
/* Writes the next rows, values[count][columns]. */
leman_status lm_matrix_rows(lm_matrix_file *file, const double *values, size_t count);
/* Completes the file; it does not appear at its path before. */
leman_status lm_matrix_commit(lm_matrix_file *file);
/* Discards the file. Does nothing after a commit. */
void lm_matrix_abort(lm_matrix_file *file);

#endif
