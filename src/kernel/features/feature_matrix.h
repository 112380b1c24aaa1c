/*
 * Rows of features that are read from a file. They are kept in a temporary file, in slices, until a learner reads them
 * (feature_store.h). If the file does not have the kernels of its columns, the key of a column is its index in the file.
 *
 * Memory: one slice, and one or two labels a row. Time: O(entries log).
 */
#ifndef LM_FEATURE_MATRIX_H
#define LM_FEATURE_MATRIX_H

#include "kernel/features/feature_store.h"

struct leman_feature_matrix {
    leman_context *ctx;
    lm_feature_store store; /* the rows; its map has a block for each round of known kernels, otherwise one block */
    leman_feature_origin origin; /* of the columns; without kernels if columns are known by their indices only */
    leman_dataset *labels;       /* has one graph without vertices for each row */
    uint64_t checksum;           /* of entries and labels */
};

/* leman_feature_matrix_read() with slices of `entries` entries. */
leman_status lm_feature_matrix_read(leman_context *ctx, const char *path, size_t entries, leman_feature_matrix **out);
/* Makes a matrix of the rows row[count], which must increase, with only the columns that occur in them. */
leman_status lm_feature_matrix_select(leman_context *ctx, const leman_feature_matrix *matrix, const size_t *row,
                                      size_t count, leman_feature_matrix **out);
/* Fails with LEMAN_ERROR_INPUT if the labels are not classes. */
leman_status lm_feature_matrix_classes(leman_context *ctx, const leman_feature_matrix *matrix);

#endif
