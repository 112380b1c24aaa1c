/* Sparse matrices as files: what streams need besides the public calls of leman.h. */
#ifndef LM_SPARSE_FILES_H
#define LM_SPARSE_FILES_H

#include "base/file.h"
#include "leman.h"

/* Is it a format that holds one row after the other, so that rows can be written as they are made? */
bool lm_sparse_streams(const char *path);
/* The rows as lines "label column:value ...", columns counted from 1; labels are those of the data's graphs. data may
 * be NULL: labels are 0. */
leman_status lm_svmlight_rows(const leman_features *features, const leman_dataset *data, lm_output *out);

#endif
