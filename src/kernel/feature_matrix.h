/*
 * Rows of features that were computed before, from a file: they wait in a temporary file, in slices, until the machine
 * or the model that wants them looks at them (spill.h). A column is known by its index in the file, which is its key.
 *
 * Memory: one slice; a label, or two, of every row. Time: O(entries log).
 */
#ifndef LM_FEATURE_MATRIX_H
#define LM_FEATURE_MATRIX_H

#include "kernel/spill.h"

struct leman_feature_matrix {
    leman_context *ctx;
    lm_spill spill;        /* of one block of columns */
    lm_column_map map;     /* their keys */
    leman_dataset *labels; /* a graph without vertices for each row */
    uint64_t checksum;     /* of entries and labels */
};

/* leman_feature_matrix_read() with slices of so many entries. */
leman_status lm_feature_matrix_read(leman_context *ctx, const char *path, size_t entries, leman_feature_matrix **out);
/* The rows row[count], increasing, alone, with the columns that they have. */
leman_status lm_feature_matrix_select(leman_context *ctx, const leman_feature_matrix *matrix, const size_t *row,
                                      size_t count, leman_feature_matrix **out);
/* LEMAN_ERROR_INPUT where the labels are no classes. */
leman_status lm_feature_matrix_classes(leman_context *ctx, const leman_feature_matrix *matrix);
/* The keys of all columns, key[columns]. */
leman_status lm_feature_matrix_keys(const leman_feature_matrix *matrix, uint64_t *key);

#endif
