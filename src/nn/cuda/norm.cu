/*
 * Batch norm with what follows it; nn/cpu/norm.c has the formulas.
 *
 * Statistics need one visit: sums of x - a and of its squares, with a the first row, which is no further from the mean
 * than the numbers are spread, so that little is lost; sums are joined in double precision. Backward: one visit for the
 * two sums, one for dX. Rows of padding do not count and have no gradient.
 */
#include "nn/cuda/rows.h"

#define TINY 1e-5
#define MOMENTUM 0.1
enum { FINISHERS = 16 }; /* warps that add up parts */

/* How often a row counts: its label's arcs, or once where it is no padding. */
struct row_weights {
    const float *weight;  /* of LM_LABELS, or NULL */
    const uint32_t *live; /* otherwise: rows below it */
    __device__ __forceinline__ float of(uint32_t r) const
    {
        if (weight) return weight[r];
        return r < *live ? 1.0f : 0.0f;
    }
};

static row_weights weights_of(const lm_cuda *cuda, const lm_frame *f)
{
    const lm_row_space space = space_of(f, f->step->input[0]);
    row_weights w = {space == LM_LABELS ? f->batch->label_count : NULL, cuda->live + space};
    return w;
}

/* The sum of weights of all rows. */
static __device__ double total_weight(const row_weights &w, uint32_t rows)
{
    double sum = 0;
    if (!w.weight) return *w.live;
    for (uint32_t r = 0; r < rows; r++) sum += w.weight[r]; /* labels are few */
    return sum;
}

size_t lm_cuda_norm_workspace(const lm_backend *backend, const lm_program *program, const lm_step *step,
                              const lm_extent *max)
{
    const lm_value *x = lm_program_value(program, step->input[0]);
    (void)backend;
    return parts_bytes(max->rows[x->space], x->width, 2) + (2 * x->width + 4) * sizeof(float);
}

/* ---- Forward --------------------------------------------------------------------------------- */

template <class T, int V> static __global__ void measure(view<T> x, row_weights w, float *parts)
{
    float sum[2][V] = {};
    const uint32_t c = TILE_COLUMN;
    if (c < x.width) {
        const pack<T, V> from = load<T, V>(x.row(0) + c);
        FOR_PART_ROWS (x.rows) {
            raw<T, V> rows[LM_CUDA_AHEAD] = {};
            LOAD_PART_ROWS(rows, x);
            LM_UNROLL for (int j = 0; j < LM_CUDA_AHEAD; j++)
            {
                const float weight = PART_ROW(j) < x.rows ? w.of(PART_ROW(j)) : 0;
                const pack<T, V> p = unpack<T, V>(rows[j]);
                for (int i = 0; i < V; i++) {
                    const float away = p.at[i] - from.at[i];
                    sum[0][i] += weight * away;
                    sum[1][i] += weight * away * away;
                }
            }
        }
    }
    sum_block<V, 2>(sum, c, x.width, parts);
}

/* Mean and 1 / deviation of every column from the parts; the running values move along. A block has 32 columns, its
 * warps every 16th part. */
template <class T>
static __global__ void finish(view<T> x, row_weights w, const float *parts, unsigned count, bool again, float *kept,
                              const float *scale, const float *shift, float *running_mean, float *running_variance)
{
    LM_SHARED(double, held, 2 * FINISHERS * LM_CUDA_LANES);
    const uint32_t c = blockIdx.x * LM_CUDA_LANES + threadIdx.x;
    const uint32_t at = threadIdx.y * LM_CUDA_LANES + threadIdx.x, half = FINISHERS * LM_CUDA_LANES;
    double sum = 0, square = 0;
    for (unsigned p = threadIdx.y; p < count && c < x.width; p += FINISHERS) {
        sum += parts[(size_t)2 * p * x.width + c];
        square += parts[((size_t)2 * p + 1) * x.width + c];
    }
    held[at] = sum;
    held[half + at] = square;
    __syncthreads();
    if (threadIdx.y == 0 && c < x.width) {
        for (int y = 1; y < FINISHERS; y++) {
            sum += held[y * LM_CUDA_LANES + threadIdx.x];
            square += held[half + y * LM_CUDA_LANES + threadIdx.x];
        }
        const double total = total_weight(w, x.rows), away = total > 0 ? sum / total : 0;
        const double mean = to_float(x.row(0)[c]) + away;
        double around = square - away * sum; /* squares around the mean */
        if (around < 0) around = 0;
        const double inverse = 1 / sqrt((total > 0 ? around / total : 0) + TINY);
        kept[c] = (float)(total > 0 ? mean : 0);
        kept[x.width + c] = (float)inverse;
        kept[2 * x.width + c] = (float)(shift[c] - scale[c] * (total > 0 ? mean - kept[c] : 0) * inverse);
        if (!again && total > 0) {
            const double variance = total > 1 ? around / (total - 1) : 0;
            running_mean[c] = (float)((1 - MOMENTUM) * running_mean[c] + MOMENTUM * mean);
            running_variance[c] = (float)((1 - MOMENTUM) * running_variance[c] + MOMENTUM * variance);
        }
    }
}

static __global__ void recall(uint32_t width, const float *mean, const float *variance, const float *shift, float *kept)
{
    const uint32_t c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= width) return;
    kept[c] = mean[c];
    kept[width + c] = (float)(1 / sqrt((double)variance[c] + TINY));
    kept[2 * width + c] = shift[c];
}

/* What a row is normed by. */
struct norms {
    const float *mean, *inverse, *scale, *shift;
};

/* The norms of V columns. */
template <int V> struct norms_at {
    floats<V> mean, inverse, scale, shift;
};
template <int V> static __device__ __forceinline__ norms_at<V> load_norms(const norms &n, uint32_t c)
{
    norms_at<V> at = {load_floats<V>(n.mean + c), load_floats<V>(n.inverse + c), load_floats<V>(n.scale + c),
                      load_floats<V>(n.shift + c)};
    return at;
}

/* A thread keeps the norms of its columns and goes down the rows. */
template <class T, int V> static __global__ void apply(view<T> x, view<T> y, norms given, lm_activation f)
{
    const uint32_t c = TILE_COLUMN;
    if (c >= x.width) return;
    const norms_at<V> n = load_norms<V>(given, c);
    FOR_PART_ROWS (x.rows) {
        raw<T, V> rows[LM_CUDA_AHEAD] = {};
        LOAD_PART_ROWS(rows, x);
        LM_UNROLL for (int j = 0; j < LM_CUDA_AHEAD; j++)
        {
            if (PART_ROW(j) >= x.rows) continue;
            pack<T, V> p = unpack<T, V>(rows[j]);
            for (int i = 0; i < V; i++) {
                const float z = (p.at[i] - n.mean.at[i]) * n.inverse.at[i];
                p.at[i] = activate(n.scale.at[i] * z + n.shift.at[i], f);
            }
            store<T, V>(y.row(PART_ROW(j)) + c, p);
        }
    }
}

void lm_cuda_norm_forward(lm_backend *backend, const lm_frame *f)
{
    lm_cuda *cuda = lm_cuda_of(backend);
    void *stream = cuda->device.stream;
    const lm_tensor x = f->in[0], y = f->out[0];
    float *kept = f->out[1].data, *parts = (float *)f->workspace;
    const norms n = {kept, kept + x.width, f->weight[0], kept + 2 * x.width};
    const row_weights w = weights_of(cuda, f);
    const bool half = lm_cuda_half(backend, space_of(f, f->step->input[0]));
    const unsigned count = parts_of(x.rows), columns = (unsigned)((x.width + LM_CUDA_LANES - 1) / LM_CUDA_LANES);
    if (!x.rows) return;
    with_kind(half, are_wide(half, x, y), [&](auto k) {
        KIND(k);
        if (f->training) {
            LM_LAUNCH_WAITING((measure<T, V>), dim3(count, tiles_of(x.width, V)), block_of_rows(), stream,
                              view_of<T>(x), w, parts);
            LM_LAUNCH_WAITING((finish<T>), dim3(columns), dim3(LM_CUDA_LANES, FINISHERS), stream, view_of<T>(x), w,
                              parts, count, f->again, kept, f->weight[0], f->weight[1], f->weight[2], f->weight[3]);
        } else {
            LM_LAUNCH(recall, dim3(columns), dim3(LM_CUDA_LANES), stream, (uint32_t)x.width, f->weight[2], f->weight[3],
                      f->weight[1], kept);
        }
        LM_LAUNCH((apply<T, V>), dim3(4 * count, tiles_of(x.width, V)), block_of_rows(), stream, view_of<T>(x),
                  view_of<T>(y), n, f->step->activation);
    });
    lm_device_launched(&cuda->device, "a batch norm");
}

/* ---- Backward -------------------------------------------------------------------------------- */

/* G f'(y), y = scale z + shift. */
static __device__ __forceinline__ float through(float g, float z, float scale, float shift, lm_activation f)
{
    const float y = scale * z + shift;
    if (f == LM_RELU) return y > 0 ? g : 0;
    if (f == LM_ELU) return y > 0 ? g : g * expf(y);
    return g;
}

/* Sums of G and G z. */
template <class T, int V>
static __global__ void sum_gradients(view<T> x, view<T> g, norms given, lm_activation f, float *parts)
{
    float sum[2][V] = {};
    const uint32_t c = TILE_COLUMN;
    if (c < x.width) {
        const norms_at<V> n = load_norms<V>(given, c);
        FOR_PART_ROWS (x.rows) {
            raw<T, V> rows[LM_CUDA_AHEAD] = {}, ends[LM_CUDA_AHEAD] = {}; /* rows that are not there add 0 */
            LOAD_PART_ROWS(rows, x);
            LOAD_PART_ROWS(ends, g);
            LM_UNROLL for (int j = 0; j < LM_CUDA_AHEAD; j++)
            {
                const pack<T, V> p = unpack<T, V>(rows[j]), out = unpack<T, V>(ends[j]);
                for (int i = 0; i < V; i++) {
                    const float z = (p.at[i] - n.mean.at[i]) * n.inverse.at[i];
                    const float gradient = through(out.at[i], z, n.scale.at[i], n.shift.at[i], f);
                    sum[0][i] += gradient;
                    sum[1][i] += gradient * z;
                }
            }
        }
    }
    sum_block<V, 2>(sum, c, x.width, parts);
}

template <class T, int V>
static __global__ void back(view<T> x, view<T> g, view<T> gx, bool add, norms given, row_weights w, lm_activation f,
                            const float *sums)
{
    const uint32_t c = TILE_COLUMN;
    if (c >= x.width) return;
    const double total = total_weight(w, x.rows);
    const float share = total > 0 ? (float)(1 / total) : 0;
    const norms_at<V> n = load_norms<V>(given, c);
    const floats<V> sum = load_floats<V>(sums + c), product = load_floats<V>(sums + x.width + c);
    FOR_PART_ROWS (x.rows) {
        raw<T, V> rows[LM_CUDA_AHEAD] = {}, ends[LM_CUDA_AHEAD] = {};
        LOAD_PART_ROWS(rows, x);
        LOAD_PART_ROWS(ends, g);
        LM_UNROLL for (int j = 0; j < LM_CUDA_AHEAD; j++)
        {
            const uint32_t r = PART_ROW(j);
            if (r >= x.rows) continue;
            const bool counts = w.weight || r < *w.live; /* padding has no gradient */
            const float weight = w.of(r) * share;
            const pack<T, V> p = unpack<T, V>(rows[j]), out = unpack<T, V>(ends[j]);
            pack<T, V> to = {};
            for (int i = 0; i < V && counts; i++) {
                const float z = (p.at[i] - n.mean.at[i]) * n.inverse.at[i];
                const float gradient = through(out.at[i], z, n.scale.at[i], n.shift.at[i], f);
                to.at[i] =
                    n.scale.at[i] * n.inverse.at[i] * (gradient - weight * sum.at[i] - weight * z * product.at[i]);
            }
            put<T, V>(gx.row(r) + c, to, add);
        }
    }
}

static __global__ void add_numbers(const float *from, uint32_t count, float *to)
{
    const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) to[i] += from[i];
}

void lm_cuda_norm_backward(lm_backend *backend, const lm_frame *f)
{
    lm_cuda *cuda = lm_cuda_of(backend);
    void *stream = cuda->device.stream;
    const lm_tensor x = f->in[0], g = f->out_gradient[0], gx = f->in_gradient[0];
    const float *kept = f->out[1].data;
    const norms n = {kept, kept + x.width, f->weight[0], kept + 2 * x.width};
    const unsigned count = parts_of(x.rows), columns = (unsigned)((x.width + LM_CUDA_LANES - 1) / LM_CUDA_LANES);
    const bool half = lm_cuda_half(backend, space_of(f, f->step->input[0]));
    float *parts = (float *)f->workspace, *sum = parts + ((size_t)2 * count * x.width + 3) / 4 * 4;
    if (!x.rows) return;
    with_kind(half, are_wide(half, x, g), [&](auto k) {
        KIND(k);
        LM_LAUNCH_WAITING((sum_gradients<T, V>), dim3(count, tiles_of(x.width, V)), block_of_rows(), stream,
                          view_of<T>(x), view_of<T>(g), n, f->step->activation, parts);
    });
    lm_device_clear(&cuda->device, sum, 2 * x.width * sizeof *sum);
    lm_cuda_add_parts(cuda, parts, count, 2 * x.width, 0, 2 * x.width, sum);
    for (int i = 0; i < 2; i++) /* shift from the sums of G, scale from those of G z */
        if (f->weight_gradient[!i])
            LM_LAUNCH(add_numbers, dim3(columns), dim3(LM_CUDA_LANES), stream, sum + i * x.width, (uint32_t)x.width,
                      f->weight_gradient[!i]);
    if (gx.data)
        with_kind(half, are_wide(half, x, g, gx), [&](auto k) {
            KIND(k);
            LM_LAUNCH((back<T, V>), dim3(4 * count, tiles_of(x.width, V)), block_of_rows(), stream, view_of<T>(x),
                      view_of<T>(g), view_of<T>(gx), f->add[0], n, weights_of(cuda, f), f->step->activation,
                      (const float *)sum);
        });
    lm_device_launched(&cuda->device, "the gradient of a batch norm");
}
