/*
 * Maximises a smooth function of a few parameters within a box, by BFGS with projection: parameters at a bound whose
 * derivative points out of the box are fixed for the step, the others take the step of the approximate inverse Hessian,
 * clipped to the box, and the step is halved until the value has risen enough (Armijo). O(count^2) beside the calls.
 */
#ifndef LM_MAXIMIZE_H
#define LM_MAXIMIZE_H

#include "base/context.h"

/* Writes the value at x[count] and, if gradient is not NULL, the gradient there. gradient != NULL follows a call at the
 * same x without it. A value of -INFINITY means that x is not allowed. */
typedef leman_status lm_objective(void *user, const double *x, double *value, double *gradient);

typedef struct lm_bounds {
    const double *low, *high; /* [count] */
    size_t count;
} lm_bounds;

/* Moves x[count], which must lie in the box, to a local maximum: no derivative that points into the box is above
 * `tolerance`, or the value no longer rises, or `steps` steps are done. *value is the value there, which is -INFINITY if
 * the first x is not allowed. */
leman_status lm_maximize(leman_context *ctx, lm_objective *objective, void *user, lm_bounds box, double tolerance,
                         size_t steps, double *x, double *value);

#endif
