/*
 * The meaning of the columns of a feature matrix, for learners: arrays of an .npz file, or a table in its own file.
 */
#ifndef LM_FEATURE_LABELS_H
#define LM_FEATURE_LABELS_H

#include "io/archive/zip_write.h"
#include "kernel/features/column_map.h"

typedef struct lm_column_labels {
    const lm_column_map *map;
    const char *words;           /* leman_feature_origin.kernels */
    const leman_kernel *kernels; /* indexed by map->block[].kernel; used for the table */
    const char *const *text;     /* [columns] of the table, or NULL */
} lm_column_labels;

/* Adds the arrays kernels (names), column_kernel (indices into kernels), column_round and column_color to an archive.
 * labels is a const lm_column_labels *, as lm_sparse_npz() passes it. */
leman_status lm_column_arrays(const void *labels, lm_zip *zip);
/* Writes a CSV table with columns column,kernel,round,color and, with texts, substructure. round is empty if the kernel is not a colouring. */
leman_status lm_column_table(const lm_column_labels *labels, lm_output *out);

#endif
