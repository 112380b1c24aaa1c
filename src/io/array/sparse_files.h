/* Writes sparse matrices in the formats of other programs to an open output. */
#ifndef LM_SPARSE_FILES_H
#define LM_SPARSE_FILES_H

#include "base/serialize.h"
#include "io/archive/zip_write.h"
#include "leman.h"

/* Returns true if the path ends in .svm, .svmlight, .libsvm or .mtx (each also with .gz) or in .npz, or if the path is
 * "-", which means svmlight. The functions below must only be called with such a path. */
bool lm_sparse_known(const char *path);
/* Returns true if rows can be written as they are computed. counted: the total number of entries is known before. */
bool lm_sparse_streams(const char *path, bool counted);
/* Writes the header of the file, if the format has one. `sizes` holds the total numbers of rows, columns and
 * entries. */
leman_status lm_sparse_head(const char *path, const leman_features *sizes, lm_output *out);
/* Writes the next rows of a format other than .npz. first_row is the number of the first of them in the file. The labels
 * are those of the graphs of data; if data is NULL, those of the features, or 0. O(entries). */
leman_status lm_sparse_rows(const char *path, const leman_features *features, const leman_dataset *data,
                            size_t first_row, lm_output *out);
/* Rows that are not in memory: functions that read their arrays in pieces, in order. */
typedef struct lm_sparse_parts {
    lm_element_reader *start, *column, *value; /* arrays of leman_features */
    void *user;
} lm_sparse_parts;
/* Writes a .npz with all rows, which are read from `parts`. `more`, which may be NULL, adds arrays at the end. */
typedef leman_status lm_npz_more(const void *user, lm_zip *zip);
leman_status lm_sparse_npz(const leman_features *features, const lm_sparse_parts *parts, const leman_dataset *data,
                           lm_npz_more *more, const void *user, lm_output *out);

#endif
