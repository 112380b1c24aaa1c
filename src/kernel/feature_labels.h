/*
 * What the columns of a feature matrix mean, for learners: arrays in a .npz, or a table of its own.
 */
#ifndef LM_FEATURE_LABELS_H
#define LM_FEATURE_LABELS_H

#include "io/archive/zip_write.h"
#include "kernel/column_map.h"

typedef struct lm_column_labels {
    const lm_column_map *map;
    const char *words;           /* leman_feature_origin.kernels */
    const leman_kernel *kernels; /* that map->block[].kernel means; for the table */
} lm_column_labels;

/* Arrays kernels (in words), column_kernel (places among them), column_round and column_color; labels is a const
 * lm_column_labels *, for lm_sparse_npz(). */
leman_status lm_column_arrays(const void *labels, lm_zip *zip);
/* CSV: column,kernel,round,color; round is empty where the kernel is no colouring. */
leman_status lm_column_table(const lm_column_labels *labels, lm_output *out);

#endif
