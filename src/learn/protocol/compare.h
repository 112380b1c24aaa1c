/* Tests whether two methods differ: Student's t, the corrected resampled t-test, and Holm's correction. */
#ifndef LM_COMPARE_H
#define LM_COMPARE_H

#include "leman/evaluate.h"

/* Returns I_x(a, b), the regularised incomplete beta function, for a, b > 0 and 0 <= x <= 1. Error about 1e-14. */
double lm_incomplete_beta(double a, double b, double x);
/* Returns P(|T| > |t|) for Student's t. degrees_of_freedom must be above 0. */
double lm_t_two_sided(double t, double degrees_of_freedom);
/* Returns the t for which P(|T| > t) = p. p must be between 0 and 1. */
double lm_t_quantile(double p, double degrees_of_freedom);

/* Computes the 95 % interval of the mean of score[folds of all repetitions], cut to [min, max]. The bounds are NAN if
 * there is only one fold. */
void lm_corrected_interval(const leman_splits *splits, const double *score, double min, double max, double *low,
                           double *high);

/* Computes the corrected resampled t-test of two evaluations. leman_compare_all() computes this test for each pair. */
leman_status lm_compare(leman_context *ctx, const leman_evaluation *a, const leman_evaluation *b,
                        leman_comparison *comparison);
/* Applies Holm's correction for `count` tests. The i-th smallest of p[count], counted from 0, becomes p * (count - i),
 * but at least the corrected value of every smaller p, and at most 1. NAN stays NAN. adjusted may be p. Time O(count
 * log count). */
leman_status lm_holm(leman_context *ctx, const double *p, size_t count, double *adjusted);

#endif
