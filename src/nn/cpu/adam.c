/*
 * Adam on all weights at once: with g the scaled gradient plus decay times the weight,
 *
 *   m = b1 m + (1-b1) g;   v = b2 v + (1-b2) g^2;   w -= rate m/(1-b1^t) / (sqrt(v/(1-b2^t)) + epsilon)
 *
 * One visit to four arrays.
 */
#include "nn/cpu/cpu.h"

enum { PIECE = 1 << 14 };

void lm_cpu_adam(lm_backend *backend, const lm_adam *rule, size_t count, lm_real *restrict value,
                 const lm_real *restrict gradient, lm_real *restrict first, lm_real *restrict second)
{
    int threads = lm_cpu_of(backend)->threads;
    lm_real b1 = (lm_real)rule->beta1, b2 = (lm_real)rule->beta2, epsilon = (lm_real)rule->epsilon;
    lm_real scale = (lm_real)rule->scale, decay = (lm_real)rule->weight_decay;
    lm_real step = (lm_real)(rule->rate / (1 - pow(rule->beta1, (double)rule->t)));
    lm_real correction = (lm_real)(1 / sqrt(1 - pow(rule->beta2, (double)rule->t)));
#pragma omp parallel for schedule(static) num_threads(threads) if (count > PIECE)
    for (size_t i = 0; i < count; i++) {
        lm_real g = scale * gradient[i] + decay * value[i];
        first[i] = b1 * first[i] + (1 - b1) * g;
        second[i] = b2 * second[i] + (1 - b2) * g * g;
        value[i] -= step * first[i] / (LM_REAL_FUNCTION(sqrt)(second[i]) * correction + epsilon);
    }
}

/* One thread: gradients are clipped now and then, and the sum has one order. */
double lm_cpu_square_sum(lm_backend *backend, size_t count, const lm_real *values)
{
    double sum = 0;
    (void)backend;
    for (size_t i = 0; i < count; i++) sum += (double)values[i] * (double)values[i];
    return sum;
}
