/*
 * Batch norm with what follows it; nn/cpu/norm.c has the formulas.
 *
 * Statistics need one visit: sums of x - a and of its squares, with a the first row, which is no further from the mean
 * than the numbers are spread, so that little is lost; sums are joined in double precision. Backward: one visit for the
 * two sums, one for dX. Rows of padding do not count and have no gradient. Where ranks share the batch, each tells the
 * others rows, mean and squares of every column, and all join them in the order of the ranks.
 */
#include "nn/cuda/rows.h"

#define TINY 1e-5
#define MOMENTUM 0.1
enum { FINISHERS = 16, BACK_FINISHERS = 32 }; /* warps that add up parts */

/* Of a column: how many rows count, their mean, and the sum of squares around it. */
struct column {
    double rows, mean, squares;
};

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
    const size_t ranks = lm_backend_ranks(backend), told = backend->communicator ? (ranks + 1) * x->width : 0;
    return parts_bytes(max->rows[x->space], x->width, 2) + (2 * x->width + 8) * sizeof(float) + told * sizeof(column);
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

/* Column c from its parts: a block has 32 columns, its warps every 16th part; the first warp has the result. */
template <class T>
static __device__ column add_parts(view<T> x, row_weights w, const float *parts, unsigned count, uint32_t c,
                                   double *held)
{
    const uint32_t at = threadIdx.y * LM_CUDA_LANES + threadIdx.x, half = FINISHERS * LM_CUDA_LANES;
    double sum = 0, square = 0;
    column found = {};
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
        found.rows = total_weight(w, x.rows);
        if (found.rows > 0) {
            const double away = sum / found.rows;
            found.mean = to_float(x.row(0)[c]) + away;
            found.squares = square - away * sum < 0 ? 0 : square - away * sum;
        }
    }
    return found;
}

/* What a norm keeps of its columns, [LM_NORM_KEPT][width], and its weights. */
struct norm_state {
    float *kept;
    const float *scale, *shift;
    float *running_mean, *running_variance;
    uint32_t width;
    bool again;
};

/* Mean, 1 / deviation, shift and 1 / rows of column c; the running values move along. */
static __device__ void keep(const norm_state &n, uint32_t c, column m)
{
    const double inverse = 1 / sqrt((m.rows > 0 ? m.squares / m.rows : 0) + TINY);
    n.kept[c] = (float)m.mean;
    n.kept[n.width + c] = (float)inverse;
    n.kept[2 * n.width + c] = (float)(n.shift[c] - n.scale[c] * (m.mean - n.kept[c]) * inverse);
    n.kept[3 * n.width + c] = m.rows > 0 ? (float)(1 / m.rows) : 0;
    if (!n.again && m.rows > 0) {
        const double variance = m.rows > 1 ? m.squares / (m.rows - 1) : 0;
        n.running_mean[c] = (float)((1 - MOMENTUM) * n.running_mean[c] + MOMENTUM * m.mean);
        n.running_variance[c] = (float)((1 - MOMENTUM) * n.running_variance[c] + MOMENTUM * variance);
    }
}

template <class T>
static __global__ void finish(view<T> x, row_weights w, const float *parts, unsigned count, norm_state n)
{
    LM_SHARED(double, held, 2 * FINISHERS * LM_CUDA_LANES);
    const uint32_t c = blockIdx.x * LM_CUDA_LANES + threadIdx.x;
    const column found = add_parts(x, w, parts, count, c, held);
    if (threadIdx.y == 0 && c < x.width) keep(n, c, found);
}

/* The same where ranks share the batch: what this one has to tell. */
template <class T>
static __global__ void finish_own(view<T> x, row_weights w, const float *parts, unsigned count, column *own)
{
    LM_SHARED(double, held, 2 * FINISHERS * LM_CUDA_LANES);
    const uint32_t c = blockIdx.x * LM_CUDA_LANES + threadIdx.x;
    const column found = add_parts(x, w, parts, count, c, held);
    if (threadIdx.y == 0 && c < x.width) own[c] = found;
}

/* all[ranks][width]: of two sets with n, m rows and means a, b, the squares are S + T + (a-b)^2 n m / (n+m). */
static __global__ void join_ranks(const column *all, unsigned ranks, norm_state n)
{
    const uint32_t c = blockIdx.x * blockDim.x + threadIdx.x;
    column m = {};
    if (c >= n.width) return;
    for (unsigned r = 0; r < ranks; r++) {
        const column more = all[(size_t)r * n.width + c];
        const double total = m.rows, away = more.mean - m.mean;
        if (more.rows <= 0) continue;
        m.rows += more.rows;
        m.mean += away * more.rows / m.rows;
        m.squares += more.squares + away * away * total * more.rows / m.rows;
    }
    keep(n, c, m);
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

/* The columns of each rank behind those of this one. */
static column *columns_of_ranks(const lm_frame *f)
{
    const uintptr_t end = (uintptr_t)f->workspace + parts_bytes(f->in[0].rows, f->in[0].width, 2) +
                          (2 * f->in[0].width + 4) * sizeof(float);
    return (column *)((end + 15) / 16 * 16);
}

/* What the norm keeps of the rows of the batch, of all ranks. */
static void measure_columns(lm_backend *backend, const lm_frame *f)
{
    lm_cuda *cuda = lm_cuda_of(backend);
    void *stream = cuda->device.stream;
    const lm_tensor x = f->in[0];
    float *parts = (float *)f->workspace;
    const row_weights w = weights_of(cuda, f);
    const norm_state n = {f->out[1].data, f->weight[0],      f->weight[1], f->weight[2],
                          f->weight[3],   (uint32_t)x.width, f->again};
    const bool half = lm_cuda_half(backend, space_of(f, f->step->input[0]));
    const unsigned count = parts_of(x.rows), columns = (unsigned)((x.width + LM_CUDA_LANES - 1) / LM_CUDA_LANES);
    const unsigned ranks = (unsigned)lm_backend_ranks(backend);
    column *own = columns_of_ranks(f), *all = own + x.width;
    if (!x.rows && !backend->communicator) return;
    if (!x.rows) lm_device_clear(&cuda->device, own, x.width * sizeof *own);
    with_kind(half, are_wide(half, x), [&](auto k) {
        KIND(k);
        if (!x.rows) return;
        LM_LAUNCH_WAITING((measure<T, V>), dim3(count, tiles_of(x.width, V)), block_of_rows(), stream, view_of<T>(x), w,
                          parts);
        if (backend->communicator)
            LM_LAUNCH_WAITING((finish_own<T>), dim3(columns), dim3(LM_CUDA_LANES, FINISHERS), stream, view_of<T>(x), w,
                              parts, count, own);
        else
            LM_LAUNCH_WAITING((finish<T>), dim3(columns), dim3(LM_CUDA_LANES, FINISHERS), stream, view_of<T>(x), w,
                              parts, count, n);
    });
    if (!backend->communicator) return;
    backend->gather(backend, &own->rows, 3 * x.width, &all->rows);
    LM_LAUNCH(join_ranks, dim3(columns), dim3(LM_CUDA_LANES), stream, (const column *)all, ranks, n);
}

void lm_cuda_norm_forward(lm_backend *backend, const lm_frame *f)
{
    lm_cuda *cuda = lm_cuda_of(backend);
    void *stream = cuda->device.stream;
    const lm_tensor x = f->in[0], y = f->out[0];
    float *kept = f->out[1].data;
    const norms n = {kept, kept + x.width, f->weight[0], kept + 2 * x.width};
    const bool half = lm_cuda_half(backend, space_of(f, f->step->input[0]));
    const unsigned count = parts_of(x.rows), columns = (unsigned)((x.width + LM_CUDA_LANES - 1) / LM_CUDA_LANES);
    if (f->training)
        measure_columns(backend, f);
    else
        LM_LAUNCH(recall, dim3(columns), dim3(LM_CUDA_LANES), stream, (uint32_t)x.width, f->weight[2], f->weight[3],
                  f->weight[1], kept);
    if (!x.rows) return;
    with_kind(half, are_wide(half, x, y), [&](auto k) {
        KIND(k);
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
                            const float *shares, const float *sums)
{
    const uint32_t c = TILE_COLUMN;
    if (c >= x.width) return;
    const norms_at<V> n = load_norms<V>(given, c);
    const float share = *shares; /* 1 / rows, the same in all columns */
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

/* sums[2][width] = the sums of parts, in double precision and one order, as lm_cuda_add_parts() has it; added to the
 * gradients of shift and scale, either of which may be NULL. */
static __global__ void finish_gradients(const float *parts, unsigned count, uint32_t width, float *sums, float *shift,
                                        float *scale)
{
    LM_SHARED(double, held, BACK_FINISHERS *LM_CUDA_LANES);
    const uint32_t i = blockIdx.x * LM_CUDA_LANES + threadIdx.x;
    double sum = 0;
    for (unsigned p = threadIdx.y; p < count && i < 2 * width; p += BACK_FINISHERS)
        sum += parts[(size_t)2 * p * width + i];
    held[threadIdx.y * LM_CUDA_LANES + threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.y != 0 || i >= 2 * width) return;
    for (int y = 1; y < BACK_FINISHERS; y++) sum += held[y * LM_CUDA_LANES + threadIdx.x];
    sums[i] = (float)sum;
    if (i < width && shift) shift[i] += (float)sum;
    if (i >= width && scale) scale[i - width] += (float)sum;
}

void lm_cuda_norm_backward(lm_backend *backend, const lm_frame *f)
{
    lm_cuda *cuda = lm_cuda_of(backend);
    void *stream = cuda->device.stream;
    const lm_tensor x = f->in[0], g = f->out_gradient[0], gx = f->in_gradient[0];
    const float *kept = f->out[1].data;
    const norms n = {kept, kept + x.width, f->weight[0], kept + 2 * x.width};
    const unsigned count = parts_of(x.rows), columns = (unsigned)((2 * x.width + LM_CUDA_LANES - 1) / LM_CUDA_LANES);
    const bool half = lm_cuda_half(backend, space_of(f, f->step->input[0]));
    float *parts = (float *)f->workspace, *sum = parts + ((size_t)2 * count * x.width + 3) / 4 * 4;
    if (!x.rows && !backend->communicator) return;
    with_kind(half, are_wide(half, x, g), [&](auto k) {
        KIND(k);
        if (!x.rows) return;
        LM_LAUNCH_WAITING((sum_gradients<T, V>), dim3(count, tiles_of(x.width, V)), block_of_rows(), stream,
                          view_of<T>(x), view_of<T>(g), n, f->step->activation, parts);
    });
    if (x.rows) /* shift from the sums of G, scale from those of G z */
        LM_LAUNCH_WAITING(finish_gradients, dim3(columns), dim3(LM_CUDA_LANES, BACK_FINISHERS), stream,
                          (const float *)parts, count, (uint32_t)x.width, sum, f->weight_gradient[1],
                          f->weight_gradient[0]);
    else
        lm_device_clear(&cuda->device, sum, 2 * x.width * sizeof *sum);
    if (backend->communicator) backend->sum(backend, sum, 2 * x.width);
    if (gx.data && x.rows)
        with_kind(half, are_wide(half, x, g, gx), [&](auto k) {
            KIND(k);
            LM_LAUNCH((back<T, V>), dim3(4 * count, tiles_of(x.width, V)), block_of_rows(), stream, view_of<T>(x),
                      view_of<T>(g), view_of<T>(gx), f->add[0], n, weights_of(cuda, f), f->step->activation,
                      kept + 3 * x.width, (const float *)sum);
        });
    lm_device_launched(&cuda->device, "the gradient of a batch norm");
}
