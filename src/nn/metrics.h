/* Metrics of predictions: SVMs and networks are selected and judged by them. All shares are percentages. A graph of
 * weight w counts as w graphs; weight[count] may be NULL, which means 1 each. */
#ifndef LM_METRICS_H
#define LM_METRICS_H

#include "base/context.h"

/* Returns the share of graphs that are classified correctly, or NAN if there are none. */
double lm_accuracy(const uint32_t *labels, const uint32_t *predicted, const double *weight, size_t count);
/* Sets *out to the mean recall over the classes that occur in labels, or to NAN if there are no graphs. */
leman_status lm_balanced_accuracy(leman_context *ctx, const uint32_t *labels, const uint32_t *predicted,
                                  const double *weight, size_t count, size_t classes, double *out);
/* Sets *out to the area under the ROC curve of one class against the rest, or to NAN if one of the two is empty. */
leman_status lm_binary_auc(leman_context *ctx, const bool *positive, const double *score, size_t count, double *out);
/* Sets *out to the area under the ROC curve for several classes. For one class it is the share of pairs (one graph of
 * the class, one of another class) in which the first graph has the larger score; pairs of equal scores count half. The
 * result is the mean over the classes that some but not all graphs have, or NAN if all graphs have the same class.
 * score has the shape [count][classes]. O(classes count log count). */
leman_status lm_auc(leman_context *ctx, const uint32_t *labels, const double *score, const double *weight, size_t count,
                    size_t classes, double *out);

/* Replaces LEMAN_SCORE_AUTO by the default for regression or classification. Fails with LEMAN_ERROR_ARGUMENT if the
 * score belongs to the other task. */
leman_status lm_score_resolve(leman_context *ctx, bool regression, leman_score *score);

#endif
