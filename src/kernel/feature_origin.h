/* What columns of features count, and whether data fits them. */
#ifndef LM_FEATURE_ORIGIN_H
#define LM_FEATURE_ORIGIN_H

#include "graph/dataset.h"

/* Of features of this data; kernels in normal form. Free with lm_origin_free(). */
leman_status lm_origin_compute(leman_context *ctx, const leman_dataset *data, const leman_kernel *normal, size_t count,
                               bool apex, leman_feature_origin *origin);
/* LEMAN_ERROR_INPUT where columns of `found` do not fit such features of the data. Columns whose kernels are not known
 * are not checked. */
leman_status lm_origin_check(leman_context *ctx, const leman_dataset *data, const leman_feature_origin *found,
                             const leman_feature_origin *expected);
leman_status lm_origin_copy(leman_context *ctx, const leman_feature_origin *from, leman_feature_origin *to);
void lm_origin_free(leman_context *ctx, leman_feature_origin *origin);

#endif
