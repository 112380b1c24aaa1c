/*
 * Our own files of features: columns alone, or whole matrices. docs/kernels.md has their bytes.
 */
#ifndef LM_FEATURE_FILE_H
#define LM_FEATURE_FILE_H

#include "io/array/sparse_files.h"
#include "kernel/column_map.h"

#define LM_COLUMNS_MAGIC "LEMANFC\n"
#define LM_FEATURES_MAGIC "LEMANFM\n"
enum { LM_COLUMNS_VERSION = 1, LM_FEATURES_VERSION = 1 };

/* Is this the name of such a matrix: .lmf? */
bool lm_feature_file_is(const char *path);

/* The columns of a map into an output that is open. */
leman_status lm_feature_columns_put(lm_output *out, const leman_feature_origin *origin, const lm_column_map *map);
/* The rows of f as well, or where `parts` is not NULL those, f having their sizes. map NULL: folded columns without
 * names. Classes and targets are those of the data, or, where it is NULL, of the features. */
leman_status lm_feature_matrix_put(lm_output *out, const leman_features *f, const lm_sparse_parts *parts,
                                   const leman_feature_origin *origin, const lm_column_map *map,
                                   const leman_dataset *data);

/* As leman_feature_columns_read() and leman_features_read(), from memory; path is for messages. */
leman_status lm_feature_columns_parse(leman_context *ctx, const char *path, lm_bytes bytes, leman_features *features);
leman_status lm_features_parse(leman_context *ctx, const char *path, lm_bytes bytes, leman_features *features);

#endif
