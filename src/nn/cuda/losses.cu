/*
 * Losses; nn/cpu/losses.c has the formulas. One block computes them in double precision, since graphs times targets is
 * small. Missing labels and padding rows have weight 0.
 */
#include "nn/cuda/rows.h"

enum { THREADS = 256 };

/* Returns the sum over the threads of the block, in every thread. */
static __device__ double join_threads(double mine)
{
    LM_SHARED(double, held, THREADS);
    __syncthreads();
    held[threadIdx.x] = mine;
    for (int half = THREADS / 2; half; half /= 2) {
        __syncthreads();
        if ((int)threadIdx.x < half) held[threadIdx.x] += held[threadIdx.x + half];
    }
    __syncthreads();
    return held[0];
}

/* ---- By targets ------------------------------------------------------------------------------ */

/* Loss functions of one number: value and derivative. */
struct absolute {
    static __device__ double value(double y, double t)
    {
        return fabs(y - t);
    }
    static __device__ double slope(double y, double t)
    {
        return y > t ? 1 : y < t ? -1 : 0;
    }
};
struct squared {
    static __device__ double value(double y, double t)
    {
        return (y - t) * (y - t);
    }
    static __device__ double slope(double y, double t)
    {
        return 2 * (y - t);
    }
};
struct binary {
    static __device__ double value(double y, double t)
    {
        return fmax(y, 0.0) - y * t + log1p(exp(-fabs(y)));
    }
    static __device__ double slope(double y, double t)
    {
        return (y < 0 ? exp(y) / (1 + exp(y)) : 1 / (1 + exp(-y))) - t;
    }
};

/* The targets of a batch and their weights. */
struct targets {
    const float *target;
    const double *weight; /* NULL: 1 each */
    const uint32_t *live;
    uint32_t width;
    __device__ double weight_of(uint32_t i) const
    {
        if (i >= *live * width || isnan(target[i])) return 0;
        return weight ? weight[i] : 1;
    }
};

static targets targets_of(const lm_cuda *cuda, const lm_frame *f, bool weighted)
{
    targets t = {f->batch->target, weighted ? f->batch->target_weight : NULL, cuda->live + LM_GRAPHS,
                 (uint32_t)f->in[0].width};
    return t;
}

template <class L> static __global__ void target_loss(view<float> y, targets t, float *loss)
{
    double sum = 0, total = 0;
    for (uint32_t i = threadIdx.x; i < y.rows * y.width; i += THREADS) {
        const double weight = t.weight_of(i);
        if (weight > 0) sum += weight * L::value(y.row(i / y.width)[i % y.width], t.target[i]);
        total += weight;
    }
    sum = join_threads(sum);
    total = join_threads(total);
    if (threadIdx.x == 0) *loss = (float)(total > 0 ? sum / total : 0);
}

template <class L>
static __global__ void target_loss_back(view<float> y, view<float> g, bool add, targets t, const lm_control *control)
{
    double total = 0;
    for (uint32_t i = threadIdx.x; i < y.rows * y.width; i += THREADS) total += t.weight_of(i);
    total = join_threads(total);
    for (uint32_t i = threadIdx.x; i < y.rows * y.width; i += THREADS) {
        const uint32_t r = i / y.width, c = i % y.width;
        const double weight = t.weight_of(i);
        const double slope = weight > 0 ? weight * L::slope(y.row(r)[c], t.target[i]) / total : 0;
        g.row(r)[c] = (add ? g.row(r)[c] : 0) + (float)(control->share * slope);
    }
}

template <class L> static void run_loss(lm_backend *backend, const lm_frame *f, bool weighted)
{
    lm_cuda *cuda = lm_cuda_of(backend);
    LM_LAUNCH_WAITING((target_loss<L>), dim3(1), dim3(THREADS), cuda->device.stream, view_of<float>(f->in[0]),
                      targets_of(cuda, f, weighted), f->out[0].data);
    lm_device_launched(&cuda->device, "a loss");
}

template <class L> static void run_loss_back(lm_backend *backend, const lm_frame *f, bool weighted)
{
    lm_cuda *cuda = lm_cuda_of(backend);
    if (!f->in_gradient[0].data) return;
    LM_LAUNCH_WAITING((target_loss_back<L>), dim3(1), dim3(THREADS), cuda->device.stream, view_of<float>(f->in[0]),
                      view_of<float>(f->in_gradient[0]), f->add[0], targets_of(cuda, f, weighted),
                      (const lm_control *)cuda->control);
    lm_device_launched(&cuda->device, "the gradient of a loss");
}

#define LOSS(name, rule, weighted)                                                                                     \
    void lm_cuda_##name##_forward(lm_backend *backend, const lm_frame *f)                                              \
    {                                                                                                                  \
        run_loss<rule>(backend, f, weighted);                                                                          \
    }                                                                                                                  \
    void lm_cuda_##name##_backward(lm_backend *backend, const lm_frame *f)                                             \
    {                                                                                                                  \
        run_loss_back<rule>(backend, f, weighted);                                                                     \
    }
LOSS(l1, absolute, false)
LOSS(square, squared, false)
LOSS(binary_cross_entropy, binary, true)

/* ---- Classes --------------------------------------------------------------------------------- */

struct classes {
    const uint32_t *class_id, *live;
    const double *weight; /* NULL: 1 each */
    __device__ double weight_of(uint32_t g) const
    {
        if (g >= *live) return 0;
        return weight ? weight[g] : 1;
    }
};

static classes classes_of(const lm_cuda *cuda, const lm_frame *f)
{
    classes c = {f->batch->class_id, cuda->live + LM_GRAPHS, f->batch->graph_weight};
    return c;
}

static __global__ void class_loss(view<float> y, view<float> p, classes k, float *loss)
{
    double sum = 0, weights = 0;
    for (uint32_t g = threadIdx.x; g < y.rows; g += THREADS) {
        const double weight = k.weight_of(g);
        const float *row = y.row(g);
        double max = row[0], total = 0;
        for (uint32_t i = 1; i < y.width; i++) max = row[i] > max ? row[i] : max;
        for (uint32_t i = 0; i < y.width; i++) total += exp(row[i] - max);
        for (uint32_t i = 0; i < y.width; i++) p.row(g)[i] = (float)(exp(row[i] - max) / total);
        if (weight > 0) sum += weight * (log(total) - (row[k.class_id[g]] - max));
        weights += weight;
    }
    sum = join_threads(sum);
    weights = join_threads(weights);
    if (threadIdx.x == 0) *loss = (float)(weights > 0 ? sum / weights : 0);
}

static __global__ void class_loss_back(view<float> p, view<float> gradient, bool add, classes k,
                                       const lm_control *control)
{
    double weights = 0;
    for (uint32_t g = threadIdx.x; g < p.rows; g += THREADS) weights += k.weight_of(g);
    weights = join_threads(weights);
    for (uint32_t g = threadIdx.x; g < p.rows; g += THREADS) {
        const double weight = k.weight_of(g);
        for (uint32_t i = 0; i < p.width; i++) {
            const double slope = weight > 0 ? weight * (p.row(g)[i] - (k.class_id[g] == i ? 1.0 : 0.0)) / weights : 0;
            gradient.row(g)[i] = (add ? gradient.row(g)[i] : 0) + (float)(control->share * slope);
        }
    }
}

void lm_cuda_cross_entropy_forward(lm_backend *backend, const lm_frame *f)
{
    lm_cuda *cuda = lm_cuda_of(backend);
    LM_LAUNCH_WAITING(class_loss, dim3(1), dim3(THREADS), cuda->device.stream, view_of<float>(f->in[0]),
                      view_of<float>(f->out[1]), classes_of(cuda, f), f->out[0].data);
    lm_device_launched(&cuda->device, "a loss");
}

void lm_cuda_cross_entropy_backward(lm_backend *backend, const lm_frame *f)
{
    lm_cuda *cuda = lm_cuda_of(backend);
    if (!f->in_gradient[0].data) return;
    LM_LAUNCH_WAITING(class_loss_back, dim3(1), dim3(THREADS), cuda->device.stream, view_of<float>(f->out[1]),
                      view_of<float>(f->in_gradient[0]), f->add[0], classes_of(cuda, f),
                      (const lm_control *)cuda->control);
    lm_device_launched(&cuda->device, "the gradient of a loss");
}

/* ---- Sums over batches ----------------------------------------------------------------------- */

static __global__ void add_loss(const float *loss, const lm_control *control, lm_totals *totals)
{
    const double value = *loss;
    const bool finite = isfinite(value);
    if (!finite && totals->failed == 0) totals->failed_loss = value;
    if (!finite) totals->failed += 1;
    totals->loss += control->weight * value;
    totals->weight += control->weight;
}

void lm_cuda_add_loss(lm_backend *backend, const lm_real *loss, lm_totals *totals)
{
    lm_cuda *cuda = lm_cuda_of(backend);
    LM_LAUNCH(add_loss, dim3(1), dim3(1), cuda->device.stream, loss, (const lm_control *)cuda->control, totals);
    lm_device_launched(&cuda->device, "adding a loss");
}
