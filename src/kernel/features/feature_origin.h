/* The origin of feature columns: what they count, and whether a data set fits them. */
#ifndef LM_FEATURE_ORIGIN_H
#define LM_FEATURE_ORIGIN_H

#include "base/serialize.h"
#include "graph/dataset.h"

/* Computes the origin of features of this data set: that of options->columns if it is known, which must fit the data,
 * otherwise LEMAN_ERROR_INPUT. The kernels must be in normal form. Free the origin with lm_origin_free(). */
leman_status lm_origin_of_columns(leman_context *ctx, const leman_dataset *data, const leman_kernel *normal,
                                  size_t count, const leman_feature_options *options, leman_feature_origin *origin);
leman_status lm_origin_copy(leman_context *ctx, const leman_feature_origin *from, leman_feature_origin *to);
/* Writes or reads an origin. A file has the kernels, from which their text is made when the file is read. */
leman_status lm_origin_serialize(lm_serializer *serializer, leman_feature_origin *origin);
/* Writes or reads kernels in normal form; reading allocates *kernels. */
leman_status lm_kernels_serialize(lm_serializer *serializer, leman_kernel **kernels, size_t *count);
void lm_origin_free(leman_feature_origin *origin);

#endif
