/* Files of columns, from memory. */
#ifndef LM_FEATURE_COLUMNS_H
#define LM_FEATURE_COLUMNS_H

#include "base/file.h"
#include "kernel/features.h"

/* As leman_feature_columns_read(); path is for messages. */
leman_status lm_feature_columns_parse(leman_context *ctx, const char *path, lm_bytes bytes, const leman_kernel *kernels,
                                      size_t count, leman_features *features);

#endif
