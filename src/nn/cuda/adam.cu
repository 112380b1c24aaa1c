/*
 * Adam on all weights at once; nn/cpu/adam.c has the formulas. Four arrays are read once. Learning rate, number of the
 * step and the factor that clips gradients are read from the device's memory.
 */
#include "nn/cuda/rows.h"

enum { THREADS = 256 };

/* sums[block] = the sum of squares of the block's numbers, in double precision. */
static __global__ void square(const float *gradient, size_t count, double *sums)
{
    lm_after_previous();
    LM_SHARED(double, held, THREADS);
    double sum = 0;
    for (size_t i = blockIdx.x * (size_t)THREADS + threadIdx.x; i < count; i += (size_t)gridDim.x * THREADS)
        sum += (double)gradient[i] * gradient[i];
    held[threadIdx.x] = sum;
    for (int half = THREADS / 2; half; half /= 2) {
        __syncthreads();
        if ((int)threadIdx.x < half) held[threadIdx.x] += held[threadIdx.x + half];
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = held[0];
}

struct rule {
    float rest1, rest2, epsilon, decay;
    double beta1, beta2, max_norm;
};

static __global__ void adam(rule a, const lm_control *control, const lm_totals *totals, const double *sums,
                            size_t count, float *value, const float *gradient, float *first, float *second)
{
    lm_after_previous();
    const float step = (float)(control->rate / (1 - pow(a.beta1, (double)control->t)));
    const float correction = (float)(1 / sqrt(1 - pow(a.beta2, (double)control->t)));
    float scale = 1;
    if (totals && totals->failed > 0) return;
    if (a.max_norm > 0) {
        double square = 0;
        for (int i = 0; i < LM_CUDA_PARTS; i++) square += sums[i];
        if (sqrt(square) > a.max_norm) scale = (float)(a.max_norm / sqrt(square));
    }
    for (size_t i = blockIdx.x * (size_t)THREADS + threadIdx.x; i < count; i += (size_t)gridDim.x * THREADS) {
        const float g = scale * gradient[i] + a.decay * value[i];
        const float m = first[i] + a.rest1 * (g - first[i]), v = second[i] + a.rest2 * (g * g - second[i]);
        first[i] = m;
        second[i] = v;
        value[i] -= step * m / (sqrtf(v) * correction + a.epsilon);
    }
}

void lm_cuda_adam(lm_backend *backend, const lm_adam *given, const lm_totals *totals, size_t count, lm_real *value,
                  const lm_real *gradient, lm_real *first, lm_real *second)
{
    lm_cuda *cuda = lm_cuda_of(backend);
    rule a = {};
    a.rest1 = (float)(1 - given->beta1), a.rest2 = (float)(1 - given->beta2);
    a.beta1 = given->beta1, a.beta2 = given->beta2;
    a.epsilon = (float)given->epsilon, a.decay = (float)given->weight_decay, a.max_norm = given->max_norm;
    if (!count) return;
    if (a.max_norm > 0)
        LM_LAUNCH_EARLY_WAITING(square, dim3(LM_CUDA_PARTS), dim3(THREADS), &cuda->device, gradient, count, cuda->sums);
    const size_t blocks = (count + THREADS - 1) / THREADS, most = (size_t)cuda->device.multiprocessors * 8;
    LM_LAUNCH_EARLY(adam, dim3((unsigned)(blocks < most ? blocks : most)), dim3(THREADS), &cuda->device, a,
                    (const lm_control *)cuda->control, totals, (const double *)cuda->sums, count, value, gradient,
                    first, second);
    lm_device_launched(&cuda->device, "a step of Adam");
}
