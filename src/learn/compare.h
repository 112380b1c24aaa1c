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

#endif
