/* Are two methods different? The tail of Student's t under the test. */
#ifndef LM_COMPARE_H
#define LM_COMPARE_H

/* I_x(a, b), the regularised incomplete beta function, for a, b > 0 and 0 <= x <= 1. About 1e-14. */
double lm_incomplete_beta(double a, double b, double x);
/* P(|T| > |t|) for Student's t with so many degrees of freedom, above 0. */
double lm_t_two_sided(double t, double degrees_of_freedom);

#endif
