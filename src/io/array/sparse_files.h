/* Sparse matrices as files of others: head and rows go to an output that is open. */
#ifndef LM_SPARSE_FILES_H
#define LM_SPARSE_FILES_H

#include "base/serialize.h"
#include "io/archive/zip_write.h"
#include "leman.h"

/* Is the ending of the name, or "-", one of these formats? The calls below are for those that do. */
bool lm_sparse_known(const char *path);
/* Can rows be written as they are made? counted: the number of all entries is known before. */
bool lm_sparse_streams(const char *path, bool counted);
/* What stands before the rows: sizes has the numbers of all rows, columns and entries. */
leman_status lm_sparse_head(const char *path, const leman_features *sizes, lm_output *out);
/* The rows, which are all of them where the format does not stream; row 0 of these is row first_row of all. Labels are
 * those of the data's graphs; data NULL: those of the features, or 0. */
leman_status lm_sparse_rows(const char *path, const leman_features *features, const leman_dataset *data,
                            size_t first_row, lm_output *out);
/* Rows that are not in memory: their arrays, some elements at a time and in order. */
typedef struct lm_sparse_parts {
    lm_element_reader *start, *column, *value; /* of leman_features */
    void *user;
} lm_sparse_parts;
/* A .npz with all rows, those of parts where it is not NULL; `more`, which may be NULL, adds arrays at its end. */
typedef leman_status lm_npz_more(const void *user, lm_zip *zip);
leman_status lm_sparse_npz(const leman_features *features, const lm_sparse_parts *parts, const leman_dataset *data,
                           lm_npz_more *more, const void *user, lm_output *out);

#endif
