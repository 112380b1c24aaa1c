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

/* ---- Loss functions -------------------------------------------------------------------------- */

/*
 * A loss is the weighted mean of value(r, c) over the rows r and `items` columns c. slope(r, c) is the derivative of the
 * value of an item by number c of row r.
 */

/* The loss of one number y for the target t, and its derivative by y. */
struct point {
    double value, slope;
};
static __device__ point absolute(double y, double t)
{
    return {fabs(y - t), y > t ? 1.0 : y < t ? -1.0 : 0.0};
}
static __device__ point squared(double y, double t)
{
    return {(y - t) * (y - t), 2 * (y - t)};
}
static __device__ point binary(double y, double t)
{
    return {fmax(y, 0.0) - y * t + log1p(exp(-fabs(y))), (y < 0 ? exp(y) / (1 + exp(y)) : 1 / (1 + exp(-y))) - t};
}

/* Every number is an item with a target of its own. */
template <point (*AT)(double, double)> struct by_target {
    view<float> y;
    uint32_t items;
    const float *target;
    const double *given; /* weights; NULL: 1 each */
    const uint32_t *live;
    __device__ double weight(uint32_t r, uint32_t c) const
    {
        const uint32_t i = r * y.width + c;
        if (r >= *live || isnan(target[i])) return 0;
        return given ? given[i] : 1;
    }
    __device__ double value(uint32_t r, uint32_t c) const
    {
        return AT(y.row(r)[c], target[r * y.width + c]).value;
    }
    __device__ double slope(uint32_t r, uint32_t c) const
    {
        return AT(y.row(r)[c], target[r * y.width + c]).slope;
    }
};

template <point (*AT)(double, double)>
static by_target<AT> targets_of(const lm_cuda *cuda, const lm_frame *f, bool weighted)
{
    return {f->in[0], (uint32_t)f->in[0].width, f->batch->target, weighted ? f->batch->target_weight : NULL,
            cuda->live + space_of(f, f->step->input[0])};
}

/* Every row is an item with a class. value() also stores the softmax of the row. */
struct by_class {
    view<float> y, softmax;
    uint32_t items;
    const uint32_t *class_id;
    const double *given;
    const uint32_t *live;
    __device__ double weight(uint32_t r, uint32_t) const
    {
        if (r >= *live) return 0;
        return given ? given[r] : 1;
    }
    __device__ double value(uint32_t r, uint32_t) const
    {
        const float *row = y.row(r);
        double max = row[0], total = 0;
        for (uint32_t i = 1; i < y.width; i++) max = row[i] > max ? row[i] : max;
        for (uint32_t i = 0; i < y.width; i++) total += exp(row[i] - max);
        for (uint32_t i = 0; i < y.width; i++) softmax.row(r)[i] = (float)(exp(row[i] - max) / total);
        return r < *live ? log(total) - (row[class_id[r]] - max) : 0;
    }
    __device__ double slope(uint32_t r, uint32_t c) const
    {
        return softmax.row(r)[c] - (class_id[r] == c ? 1.0 : 0.0);
    }
};

static by_class classes_of(const lm_cuda *cuda, const lm_frame *f)
{
    return {f->in[0],
            f->out[1],
            1,
            f->batch->class_id,
            f->batch->graph_weight,
            cuda->live + space_of(f, f->step->input[0])};
}

/* ---- Means ----------------------------------------------------------------------------------- */

template <class L> static __global__ void mean_loss(L loss, float *to)
{
    lm_after_previous();
    double sum = 0, total = 0;
    for (uint32_t i = threadIdx.x; i < loss.y.rows * loss.items; i += THREADS) {
        const uint32_t r = i / loss.items, c = i % loss.items;
        const double weight = loss.weight(r, c), value = loss.value(r, c);
        if (weight > 0) sum += weight * value;
        total += weight;
    }
    sum = join_threads(sum);
    total = join_threads(total);
    if (threadIdx.x == 0) *to = (float)(total > 0 ? sum / total : 0);
}

template <class L> static __global__ void mean_loss_back(L loss, view<float> g, bool add, const lm_control *control)
{
    lm_after_previous();
    double total = 0;
    for (uint32_t i = threadIdx.x; i < g.rows * loss.items; i += THREADS)
        total += loss.weight(i / loss.items, i % loss.items);
    total = join_threads(total);
    for (uint32_t i = threadIdx.x; i < g.rows * g.width; i += THREADS) {
        const uint32_t r = i / g.width, c = i % g.width;
        const double weight = loss.weight(r, c), slope = weight > 0 ? weight * loss.slope(r, c) / total : 0;
        g.row(r)[c] = (add ? g.row(r)[c] : 0) + (float)(control->share * slope);
    }
}

template <class L> static void run_loss(lm_cuda *cuda, const lm_frame *f, L loss)
{
    LM_LAUNCH_EARLY_WAITING((mean_loss<L>), dim3(1), dim3(THREADS), &cuda->device, loss, f->out[0].data);
}

template <class L> static void run_loss_back(lm_cuda *cuda, const lm_frame *f, L loss)
{
    if (f->in_gradient[0].data)
        LM_LAUNCH_EARLY_WAITING((mean_loss_back<L>), dim3(1), dim3(THREADS), &cuda->device, loss, f->in_gradient[0],
                                f->add[0], cuda->control);
}

#define LOSS(name, loss)                                                                                               \
    void lm_cuda_##name##_forward(lm_cuda *cuda, const lm_frame *f)                                                    \
    {                                                                                                                  \
        run_loss(cuda, f, loss);                                                                                       \
    }                                                                                                                  \
    void lm_cuda_##name##_backward(lm_cuda *cuda, const lm_frame *f)                                                   \
    {                                                                                                                  \
        run_loss_back(cuda, f, loss);                                                                                  \
    }
LOSS(l1, targets_of<absolute>(cuda, f, false))
LOSS(square, targets_of<squared>(cuda, f, false))
LOSS(binary_cross_entropy, targets_of<binary>(cuda, f, true))
LOSS(cross_entropy, classes_of(cuda, f))

/* ---- Sums over batches ----------------------------------------------------------------------- */

static __global__ void add_loss(const float *loss, const lm_control *control, lm_totals *totals)
{
    lm_after_previous();
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
    LM_LAUNCH_EARLY(add_loss, dim3(1), dim3(1), &cuda->device, loss, cuda->control, totals);
    lm_device_launched(&cuda->device, "adding a loss");
}
