/*
 * The library's own file formats of features: columns only, or whole matrices. docs/kernels.md specifies the bytes.
 */
#ifndef LM_FEATURE_FILE_H
#define LM_FEATURE_FILE_H

#include "base/mapped.h"
#include "base/serialize.h"
#include "kernel/features/feature_store.h"

#define LM_COLUMNS_MAGIC "LEMANFC\n"
#define LM_FEATURES_MAGIC "LEMANFM\n"
enum { LM_COLUMNS_VERSION = 2, LM_FEATURES_VERSION = 2 };

/* Returns true if the path ends in .lmf, the extension of a feature matrix. */
bool lm_feature_file_is(const char *path);

/* Writes the columns of a map to an open output. */
leman_status lm_feature_columns_put(lm_output *out, const leman_feature_origin *origin, const lm_column_map *map);
/* Writes a store as .lmf or .npz, whichever the path ends in, to an open output. f has the sizes and the origin. If
 * the store has a map, the columns are named. Classes and targets are those of `data`, or of f if data is NULL. */
leman_status lm_feature_store_write(lm_feature_store *store, const leman_features *f, const leman_dataset *data,
                                    const char *path, lm_output *out);

/* A file of features (.lmf) that is read some rows at a time. */
typedef struct lm_feature_reader {
    lm_serializer serializer; /* its mapped file is a copy of the file, so that changes of the file have no effect */
    leman_features head;      /* everything but the rows; rows and entries are those of the whole file */
    lm_elements start, column, value;
    size_t row; /* the next */
} lm_feature_reader;

/* Opens a file, checks its checksum, and reads everything but its rows. Memory: the columns and labels. */
leman_status lm_feature_reader_open(leman_context *ctx, const char *path, lm_feature_reader *reader);
/* Reads the next rows, with at most `entries` entries or a single row, into rows, entries, start, column and value of
 * *features. There are no rows after the last. The caller frees them with lm_features_clear(). */
leman_status lm_feature_reader_next(lm_feature_reader *reader, size_t entries, leman_features *features);
void lm_feature_reader_close(lm_feature_reader *reader);

/* leman_feature_columns_read() and leman_features_read() from bytes in memory; path is used in messages. */
leman_status lm_feature_columns_parse(leman_context *ctx, const char *path, lm_bytes bytes, leman_features *features);
leman_status lm_features_parse(leman_context *ctx, const char *path, lm_bytes bytes, leman_features *features);

#endif
