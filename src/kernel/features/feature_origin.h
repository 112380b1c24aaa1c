/* The origin of feature columns: what they count, and whether a data set fits them. */
#ifndef LM_FEATURE_ORIGIN_H
#define LM_FEATURE_ORIGIN_H

#include "graph/dataset.h"

/* Computes the origin of features of this data set. The kernels must be in normal form. Free it with lm_origin_free().
 */
leman_status lm_origin_compute(leman_context *ctx, const leman_dataset *data, const leman_kernel *normal, size_t count,
                               bool apex, leman_feature_origin *origin);
/* Fails with LEMAN_ERROR_INPUT if columns with origin `found` do not fit features of the data with origin `expected`.
 * Columns whose kernels are not known are not checked. */
leman_status lm_origin_check(leman_context *ctx, const leman_dataset *data, const leman_feature_origin *found,
                             const leman_feature_origin *expected);
leman_status lm_origin_copy(leman_context *ctx, const leman_feature_origin *from, leman_feature_origin *to);
void lm_origin_free(leman_context *ctx, leman_feature_origin *origin);

#endif
