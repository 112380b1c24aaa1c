/*
 * Adam on all weights at once. With g the scaled gradient plus decay times the weight,
 *
 *   m = b1 m + (1-b1) g;   v = b2 v + (1-b2) g^2;   w -= rate m/(1-b1^t) / (sqrt(v/(1-b2^t)) + epsilon)
 *
 * Reads four arrays once. In float, 1-b2 must not be computed from b2, since 1 - 0.999f is 1.3e-5 smaller than 0.001:
 * it is rounded once, from double. Then b2 v + (1-b2) g^2 is computed as v + (1-b2)(g^2 - v), so that the two factors
 * add up to 1 in the long run as well.
 */
#include "nn/cpu/cpu.h"

enum { PIECE = 1 << 14 };

/* Computes the factor that clips gradients, in one thread, so that the sum has a fixed order. */
static double scale_of(const lm_adam *rule, size_t count, const lm_real *gradient)
{
    double sum = 0;
    if (rule->max_norm <= 0) return 1;
    for (size_t i = 0; i < count; i++) sum += (double)gradient[i] * (double)gradient[i];
    return sqrt(sum) > rule->max_norm ? rule->max_norm / sqrt(sum) : 1;
}

void lm_cpu_adam(lm_backend *backend, const lm_adam *rule, const lm_totals *totals, size_t count,
                 lm_real *restrict value, const lm_real *restrict gradient, lm_real *restrict first,
                 lm_real *restrict second)
{
    const lm_control *control = &lm_cpu_of(backend)->control;
    int threads = lm_cpu_of(backend)->threads;
    lm_real rest1 = (lm_real)(1 - rule->beta1), rest2 = (lm_real)(1 - rule->beta2);
    lm_real scale = (lm_real)scale_of(rule, count, gradient);
    lm_real decay = (lm_real)rule->weight_decay, epsilon = (lm_real)rule->epsilon;
    lm_real step = (lm_real)(control->rate / (1 - pow(rule->beta1, (double)control->t)));
    lm_real correction = (lm_real)(1 / sqrt(1 - pow(rule->beta2, (double)control->t)));
    if (totals && totals->failed > 0) return;
#pragma omp parallel for schedule(static) num_threads(threads) if (count > PIECE)
    for (size_t i = 0; i < count; i++) {
        lm_real g = scale * gradient[i] + decay * value[i];
        first[i] += rest1 * (g - first[i]);
        second[i] += rest2 * (g * g - second[i]);
        value[i] -= step * first[i] / (LM_REAL_FUNCTION(sqrt)(second[i]) * correction + epsilon);
    }
}

void lm_cpu_add_loss(lm_backend *backend, const lm_real *loss, lm_totals *totals)
{
    const double weight = lm_cpu_of(backend)->control.weight, value = (double)*loss;
    if (!isfinite(value) && totals->failed == 0) totals->failed_loss = value;
    totals->failed += isfinite(value) == 0;
    totals->loss += weight * value;
    totals->weight += weight;
}
