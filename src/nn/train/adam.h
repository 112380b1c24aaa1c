/*
 * Adam, for all weights of a network at once:
 *
 *   m = b1 m + (1-b1) g      v = b2 v + (1-b2) g^2      w -= rate * (m / (1-b1^t)) / (sqrt(v / (1-b2^t)) + 1e-8)
 *
 * with b = (0.9, 0.999). g is the gradient, scaled down if its norm over all weights exceeds a limit, plus
 * weight_decay * w. The backend does the arithmetic; this file keeps the two moments and the step count t. O(weights).
 */
#ifndef LM_ADAM_H
#define LM_ADAM_H

#include "nn/executor.h"

typedef struct lm_optimizer {
    lm_backend *backend;
    size_t count;            /* number of learned weights */
    lm_real *first, *second; /* [count] moments, in the memory of the backend */
    double weight_decay;     /* 0: none */
    double max_norm;         /* limit on the norm of the gradient; 0: none */
    uint64_t t;              /* number of steps so far */
} lm_optimizer;

/* Creates an optimiser with moments of 0. Free it with lm_optimizer_free(). */
leman_status lm_optimizer_new(lm_backend *backend, size_t count, double weight_decay, double max_norm,
                              lm_optimizer *out);
void lm_optimizer_free(lm_optimizer *optimizer);
/* Returns the parameters of Adam, which are equal in all steps. */
lm_adam lm_optimizer_rule(const lm_optimizer *optimizer);
/* Makes one step with gradient[count]. Weights and gradient are in the memory of the backend. */
void lm_optimizer_step(lm_optimizer *optimizer, double rate, lm_real *weights, const lm_real *gradient);

#endif
