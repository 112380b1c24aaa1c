/* How good predicted classes are: what both SVMs and networks are selected and judged by. Shares are percentages. */
#ifndef LM_METRICS_H
#define LM_METRICS_H

#include "base/context.h"

/* The share of graphs that are classified correctly; NAN where there are none. */
double lm_accuracy(const uint32_t *labels, const uint32_t *predicted, size_t count);
/* The mean, over the classes that some graph has, of its recall. */
leman_status lm_balanced_accuracy(leman_context *ctx, const uint32_t *labels, const uint32_t *predicted, size_t count,
                                  size_t classes, double *out);
/* The area under the ROC curve of one class against the rest, in percent; NAN where one of the two is missing. */
leman_status lm_binary_auc(leman_context *ctx, const bool *positive, const double *score, size_t count, double *out);
/* That of several classes: the share of pairs (one graph of the class, one of another) in which the first has the
 * larger score, pairs of equal scores counted half; the mean of it over the classes that some graphs have and some
 * have not. score[count][classes]. NAN: all graphs have one class. O(classes count log count). */
leman_status lm_auc(leman_context *ctx, const uint32_t *labels, const double *score, size_t count, size_t classes,
                    double *out);

/* AUTO becomes the default of its kind; one of the other kind is LEMAN_ERROR_ARGUMENT. */
leman_status lm_score_resolve(leman_context *ctx, bool regression, leman_score *score);

#endif
