/* Are two methods different? The tail of Student's t under the test. */
#ifndef LM_COMPARE_H
#define LM_COMPARE_H

#include "leman/evaluate.h"

/* I_x(a, b), the regularised incomplete beta function, for a, b > 0 and 0 <= x <= 1. About 1e-14. */
double lm_incomplete_beta(double a, double b, double x);
/* P(|T| > |t|) for Student's t with so many degrees of freedom, above 0. */
double lm_t_two_sided(double t, double degrees_of_freedom);
/* The t with P(|T| > t) = p, for p between 0 and 1. */
double lm_t_quantile(double p, double degrees_of_freedom);

/* The 95 % interval of the mean of score[folds of all repetitions], within [min, max]; NAN of a single fold. */
void lm_corrected_interval(const leman_splits *splits, const double *score, double min, double max, double *low,
                           double *high);

/* The corrected resampled t-test of two evaluations, as leman_compare_all() makes it of each pair. */
leman_status lm_compare(leman_context *ctx, const leman_evaluation *a, const leman_evaluation *b,
                        leman_comparison *comparison);
/* Holm's correction for `count` tests: the i-th smallest of p[count], from 0, becomes p * (count - i), at least what
 * smaller ones became and at most 1; NAN stays. adjusted[count] may be p itself. O(count log count). */
leman_status lm_holm(leman_context *ctx, const double *p, size_t count, double *adjusted);

#endif
