/*
 * Batch norm with the following activation; nn/cpu/norm.c has the formulas.
 *
 * Statistics take one pass: sums of x - a and of its squares, where a is the first row. It is no further from the mean
 * than the numbers are spread, so little precision is lost. Sums are combined in double precision. Backward takes one
 * pass for the two sums and one for dX. Sums come in few parts, and each block of the second pass adds them up for
 * itself, so forward and backward are two kernels each. Padding rows do not count and have no gradient. If ranks share
 * the batch, each tells the others rows, mean and squares of every column, and all combine them in the order of the
 * ranks.
 */
#include "nn/cuda/rows.h"

#define TINY 1e-5
#define MOMENTUM 0.1
enum {
    THREADS = LM_CUDA_ROWS * LM_CUDA_LANES, /* of a block that writes */
    MOST_PARTS = 96,                        /* of the sums: blocks of many threads, on a part of the device */
    MOST_BLOCKS = 528,                      /* maximum number of blocks that write: each adds up all parts first */
    MOST_COLUMNS = 256,                     /* maximum columns of a block */
    BACK_AHEAD = 2                          /* rows loaded at once: half as many, since there are two matrices */
};

/* The largest number of threads, given the registers, of a block that sums packs of V numbers. */
template <int V> struct summing {
    enum { THREADS = V == 8 ? 512 : 1024 };
};

/* The shape of a block that sums. */
static dim3 summing_block(size_t rows, size_t width, size_t v, unsigned most)
{
    const dim3 block = block_for(width, v, most);
    return rows > 2 * block.y ? block : block_for(width, v, THREADS);
}
/* Returns the number of parts of the sums, at most as many as the workspace can hold. */
static unsigned summing_blocks(size_t rows, dim3 block)
{
    const size_t wanted = (rows + 2 * block.y - 1) / (2 * block.y);
    const unsigned most = parts_of(rows) < MOST_PARTS ? parts_of(rows) : (unsigned)MOST_PARTS;
    return wanted < most ? (unsigned)wanted : most;
}

/* The grid of a kernel that writes; its blocks are block_for(x.width, v, THREADS). */
static dim3 writing_grid(const lm_tensor &x, size_t v)
{
    const size_t rows = LM_CUDA_AHEAD * block_for(x.width, v, THREADS).y, wanted = (x.rows + rows - 1) / rows;
    return dim3((unsigned)(wanted < 1 ? 1 : wanted < MOST_BLOCKS ? wanted : (size_t)MOST_BLOCKS), tiles_of(x.width, v));
}

/* Parts of sums, [count][2][width]; count 0: they have been added up already. */
struct norm_parts {
    float *parts;
    uint32_t count;
};

/* For a column: the number of rows that count, their mean, and the sum of squares around the mean. */
struct column {
    double rows, mean, squares;
};

/* How often a row counts: the number of its label's arcs, or once if it is not padding. */
struct row_weights {
    const float *weight;  /* of LM_LABELS, or NULL */
    const uint32_t *live; /* otherwise: number of rows that are not padding */
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

/* Returns the sum of the weights of all rows. */
static __device__ double total_weight(const row_weights &w, uint32_t rows)
{
    double sum = 0;
    if (!w.weight) return *w.live;
    for (uint32_t r = 0; r < rows; r++) sum += w.weight[r]; /* there are few labels */
    return sum;
}

size_t lm_cuda_norm_workspace(const lm_cuda *cuda, const lm_frame *f)
{
    const lm_tensor &x = f->in[0];
    const size_t ranks = lm_backend_ranks(&cuda->base), told = cuda->base.shared ? (ranks + 1) * x.width : 0;
    return parts_bytes(x.rows, x.width, 2) + (2 * x.width + 8) * sizeof(float) + told * sizeof(column);
}

/* ---- Forward --------------------------------------------------------------------------------- */

/* What a norm keeps for its columns, [LM_NORM_KEPT][width], and its weights. */
struct norm_state {
    float *kept;
    const float *scale, *shift;
    float *running_mean, *running_variance;
    uint32_t width;
    bool again;
};

/* What is kept for a column: mean, 1 / deviation, shift and 1 / rows. */
struct kept_column {
    float mean, inverse, shift, share;
};

static __device__ kept_column kept_of(const norm_state &n, uint32_t c, const column &m)
{
    const double inverse = 1 / sqrt((m.rows > 0 ? m.squares / m.rows : 0) + TINY);
    kept_column k;
    k.mean = (float)m.mean;
    k.inverse = (float)inverse;
    k.shift = (float)(n.shift[c] - n.scale[c] * (m.mean - k.mean) * inverse);
    k.share = m.rows > 0 ? (float)(1 / m.rows) : 0;
    return k;
}

/* Stores these numbers and updates the running statistics. */
static __device__ void keep(const norm_state &n, uint32_t c, const column &m, const kept_column &k)
{
    n.kept[c] = k.mean;
    n.kept[n.width + c] = k.inverse;
    n.kept[2 * n.width + c] = k.shift;
    n.kept[3 * n.width + c] = k.share;
    if (!n.again && m.rows > 0) {
        const double variance = m.rows > 1 ? m.squares / (m.rows - 1) : 0;
        n.running_mean[c] = (float)((1 - MOMENTUM) * n.running_mean[c] + MOMENTUM * m.mean);
        n.running_variance[c] = (float)((1 - MOMENTUM) * n.running_variance[c] + MOMENTUM * variance);
    }
}

/* Computes the moments of column c from its sums. */
template <class T>
static __device__ column column_of(view<T> x, const row_weights &w, uint32_t c, double sum, double square)
{
    column found = {};
    found.rows = total_weight(w, x.rows);
    if (found.rows > 0) {
        const double away = sum / found.rows;
        found.mean = to_float(x.row(0)[c]) + away;
        found.squares = square - away * sum < 0 ? 0 : square - away * sum;
    }
    return found;
}

template <class T, int V>
static __global__ void __launch_bounds__(summing<V>::THREADS) measure(view<T> x, row_weights w, float *parts)
{
    float sum[2][V] = {};
    const uint32_t c = TILE_COLUMN;
    if (c < x.width) {
        const pack<T, V> from = load<T, V>(x.row(0) + c);
        FOR_PART_ROWS (x.rows, LM_CUDA_AHEAD) {
            raw<T, V> rows[LM_CUDA_AHEAD] = {};
            LOAD_PART_ROWS(rows, x);
            LM_UNROLLED_FOR (int j = 0; j < LM_CUDA_AHEAD; j++) {
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
    sum_block<V, 2, summing<V>::THREADS>(sum, x.width, parts);
}

/* Computes the moments of this rank's rows, to be sent to the others; a block for each tile. */
template <class T, int V> static __global__ void finish_own(view<T> x, row_weights w, norm_parts sums, column *own)
{
    LM_SHARED(double, held, 2 * MOST_COLUMNS);
    const uint32_t columns = blockDim.x * V, thread = threadIdx.y * blockDim.x + threadIdx.x;
    const uint32_t c = blockIdx.y * columns + thread;
    add_up_parts<2>(sums.parts, sums.count, x.width, columns, held);
    if (thread < columns && c < x.width) own[c] = column_of(x, w, c, held[thread], held[columns + thread]);
}

/* Combines all[ranks][width]. For two sets with n, m rows, means a, b and squares S, T, the squares are S + T + (a-b)^2
 * n m / (n+m). */
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
    keep(n, c, m, kept_of(n, c, m));
}

static __global__ void recall(norm_state n)
{
    const uint32_t c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= n.width) return;
    n.kept[c] = n.running_mean[c];
    n.kept[n.width + c] = (float)(1 / sqrt((double)n.running_variance[c] + TINY));
    n.kept[2 * n.width + c] = n.shift[c];
}

/* The parameters that normalise V columns of a row. */
template <int V> struct norms_at {
    floats<V> mean, inverse, scale, shift;
};
template <int V> static __device__ __forceinline__ norms_at<V> load_norms(const norm_state &n, uint32_t c)
{
    const float *kept = n.kept + c;
    return {load_floats<V>(kept), load_floats<V>(kept + n.width), load_floats<V>(n.scale + c),
            load_floats<V>(kept + 2 * n.width)};
}

/* Computes the parameters of this thread's columns from the sums of the rows. The first block of a tile stores them. */
template <class T, int V>
static __device__ norms_at<V> norms_from(view<T> x, const row_weights &w, const norm_parts &sums, const norm_state &n)
{
    LM_SHARED(double, held, 2 * MOST_COLUMNS);
    LM_SHARED(kept_column, found, MOST_COLUMNS);
    const uint32_t columns = blockDim.x * V, thread = threadIdx.y * blockDim.x + threadIdx.x, c = TILE_COLUMN;
    norms_at<V> at = {};
    add_up_parts<2>(sums.parts, sums.count, x.width, columns, held);
    for (uint32_t i = thread; i < columns; i += blockDim.x * blockDim.y) {
        const uint32_t mine = blockIdx.y * columns + i;
        if (mine >= x.width) continue;
        const column m = column_of(x, w, mine, held[i], held[columns + i]);
        found[i] = kept_of(n, mine, m);
        if (blockIdx.x == 0) keep(n, mine, m, found[i]);
    }
    __syncthreads();
    for (int i = 0; i < V && c < x.width; i++) {
        const kept_column k = found[threadIdx.x * V + (uint32_t)i];
        at.mean.at[i] = k.mean, at.inverse.at[i] = k.inverse, at.shift.at[i] = k.shift;
        at.scale.at[i] = n.scale[c + (uint32_t)i];
    }
    return at;
}

/* A thread computes the parameters of its columns once and loops over the rows. */
template <class T, int V>
static __global__ void __launch_bounds__(THREADS)
    apply(view<T> x, view<T> y, row_weights w, norm_parts sums, norm_state state, lm_activation f)
{
    const uint32_t c = TILE_COLUMN;
    norms_at<V> n = {};
    if (sums.count)
        n = norms_from<T, V>(x, w, sums, state);
    else if (c < x.width)
        n = load_norms<V>(state, c);
    if (c >= x.width) return;
    FOR_PART_ROWS (x.rows, LM_CUDA_AHEAD) {
        raw<T, V> rows[LM_CUDA_AHEAD] = {};
        LOAD_PART_ROWS(rows, x);
        LM_UNROLLED_FOR (int j = 0; j < LM_CUDA_AHEAD; j++) {
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

/* Returns the columns of all ranks, stored after those of this rank. */
static column *columns_of_ranks(const lm_frame *f)
{
    const uintptr_t end = (uintptr_t)f->workspace + parts_bytes(f->in[0].rows, f->in[0].width, 2) +
                          (2 * f->in[0].width + 4) * sizeof(float);
    return (column *)((end + 15) / 16 * 16);
}

static norm_state state_of(const lm_frame *f)
{
    return {f->out[1].data, f->weight[0], f->weight[1], f->weight[2], f->weight[3], (uint32_t)f->in[0].width, f->again};
}

/* Computes the sums of the rows, in parts. If ranks share the batch, computes what the norm keeps from the rows of all
 * ranks instead, and returns no parts. */
static norm_parts measure_columns(lm_cuda *cuda, const lm_frame *f)
{
    void *stream = cuda->device.stream;
    const lm_tensor x = f->in[0];
    const row_weights w = weights_of(cuda, f);
    const bool half = lm_cuda_half(cuda, space_of(f, f->step->input[0]));
    norm_parts sums = {(float *)f->workspace, 0}, none = {};
    column *own = cuda->base.shared ? columns_of_ranks(f) : NULL, *all = own + x.width;
    if (!x.rows && own) lm_device_clear(&cuda->device, own, x.width * sizeof *own);
    with_kind(half, are_wide(half, x), [&](auto k) {
        KIND(k);
        const dim3 block = summing_block(x.rows, x.width, V, summing<V>::THREADS);
        if (!x.rows) return;
        sums.count = summing_blocks(x.rows, block);
        LM_LAUNCH_WAITING((measure<T, V>), dim3(sums.count, tiles_of(x.width, V)), block, stream, x, w, sums.parts);
        if (own)
            LM_LAUNCH_WAITING((finish_own<T, V>), dim3(1, tiles_of(x.width, V)), block_for(x.width, V, THREADS), stream,
                              x, w, sums, own);
    });
    if (!own) return sums;
    lm_cuda_gather(&cuda->base, &own->rows, 3 * x.width, &all->rows);
    LM_LAUNCH(join_ranks, dim3((unsigned)((x.width + LM_CUDA_LANES - 1) / LM_CUDA_LANES)), dim3(LM_CUDA_LANES), stream,
              (const column *)all, (unsigned)lm_backend_ranks(&cuda->base), state_of(f));
    return none;
}

void lm_cuda_norm_forward(lm_cuda *cuda, const lm_frame *f)
{
    void *stream = cuda->device.stream;
    const lm_tensor x = f->in[0], y = f->out[0];
    const bool half = lm_cuda_half(cuda, space_of(f, f->step->input[0]));
    norm_parts sums = {};
    if (f->training)
        sums = measure_columns(cuda, f);
    else
        LM_LAUNCH(recall, dim3((unsigned)((x.width + LM_CUDA_LANES - 1) / LM_CUDA_LANES)), dim3(LM_CUDA_LANES), stream,
                  state_of(f));
    if (!x.rows) return;
    LAUNCH_WAITING(cuda, half, are_wide(half, x, y), writing_grid(x, V), block_for(x.width, V, THREADS), (apply<T, V>),
                   x, y, weights_of(cuda, f), sums, state_of(f), f->step->activation);
}

/* ---- Backward -------------------------------------------------------------------------------- */

/* Returns G f'(y), y = scale z + shift. */
static __device__ __forceinline__ float through(float g, float z, float scale, float shift, lm_activation f)
{
    const float y = scale * z + shift;
    if (f == LM_RELU) return y > 0 ? g : 0;
    if (f == LM_ELU) return y > 0 ? g : g * expf(y);
    return g;
}

/* Destinations of the sums of G and G z: sums[2][width], and the gradients of shift and scale; each may be NULL. */
struct norm_gradients {
    float *sums, *shift, *scale;
};

/* Computes the sums of G and G z. */
template <class T, int V>
static __global__ void __launch_bounds__(summing<V>::THREADS)
    sum_gradients(view<T> x, view<T> g, norm_state state, lm_activation f, float *parts)
{
    float sum[2][V] = {};
    const uint32_t c = TILE_COLUMN;
    if (c < x.width) {
        const norms_at<V> n = load_norms<V>(state, c);
        FOR_PART_ROWS (x.rows, BACK_AHEAD) {
            raw<T, V> rows[BACK_AHEAD] = {}, ends[BACK_AHEAD] = {}; /* rows that do not exist add 0 */
            LOAD_PART_ROWS(rows, x);
            LOAD_PART_ROWS(ends, g);
            LM_UNROLLED_FOR (int j = 0; j < BACK_AHEAD; j++) {
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
    sum_block<V, 2, summing<V>::THREADS>(sum, x.width, parts);
}

/* Computes the sums of the columns of a tile, [2][columns], in shared memory. The first block of a tile adds to the
 * gradients. */
static __device__ const double *finish_sums(const norm_parts &sums, uint32_t width, uint32_t columns,
                                            const norm_gradients &to)
{
    LM_SHARED(double, held, 2 * MOST_COLUMNS);
    add_up_parts<2>(sums.parts, sums.count, width, columns, held);
    for (uint32_t i = threadIdx.y * blockDim.x + threadIdx.x; blockIdx.x == 0 && i < columns;
         i += blockDim.x * blockDim.y) {
        const uint32_t c = blockIdx.y * columns + i;
        if (c >= width) continue;
        if (to.sums) to.sums[c] = (float)held[i], to.sums[width + c] = (float)held[columns + i];
        if (to.shift) to.shift[c] += (float)held[i];
        if (to.scale) to.scale[c] += (float)held[columns + i];
    }
    return held;
}

/* For sums that are needed before dX, or if dX is not needed; a block for each tile. */
static __global__ void finish_gradients(norm_parts sums, uint32_t width, norm_gradients to)
{
    (void)finish_sums(sums, width, blockDim.x, to);
}

/* Computes dX. */
template <class T, int V>
static __global__ void __launch_bounds__(THREADS)
    back(view<T> x, view<T> g, view<T> gx, bool add, norm_state state, row_weights w, lm_activation f, norm_parts sums,
         norm_gradients to)
{
    const uint32_t c = TILE_COLUMN, columns = blockDim.x * V;
    floats<V> sum = {}, product = {};
    const double *held = sums.count ? finish_sums(sums, x.width, columns, to) : NULL;
    if (c >= x.width) return;
    for (uint32_t i = 0; i < V; i++) {
        const uint32_t at = threadIdx.x * V + i;
        sum.at[i] = held ? (float)held[at] : to.sums[c + i];
        product.at[i] = held ? (float)held[columns + at] : to.sums[x.width + c + i];
    }
    const norms_at<V> n = load_norms<V>(state, c);
    const float share = state.kept[3 * state.width]; /* 1 / rows, equal in all columns */
    FOR_PART_ROWS (x.rows, LM_CUDA_AHEAD) {
        raw<T, V> rows[LM_CUDA_AHEAD] = {}, ends[LM_CUDA_AHEAD] = {};
        LOAD_PART_ROWS(rows, x);
        LOAD_PART_ROWS(ends, g);
        LM_UNROLLED_FOR (int j = 0; j < LM_CUDA_AHEAD; j++) {
            const uint32_t r = PART_ROW(j);
            if (r >= x.rows) continue;
            const bool counts = w.weight || r < *w.live; /* padding has no gradient */
            const float weight = w.of(r) * share;
            const pack<T, V> p = unpack<T, V>(rows[j]), out = unpack<T, V>(ends[j]);
            pack<T, V> result = {};
            for (int i = 0; i < V && counts; i++) {
                const float z = (p.at[i] - n.mean.at[i]) * n.inverse.at[i];
                const float gradient = through(out.at[i], z, n.scale.at[i], n.shift.at[i], f);
                result.at[i] =
                    n.scale.at[i] * n.inverse.at[i] * (gradient - weight * sum.at[i] - weight * z * product.at[i]);
            }
            put<T, V>(gx.row(r) + c, result, add);
        }
    }
}

void lm_cuda_norm_backward(lm_cuda *cuda, const lm_frame *f)
{
    void *stream = cuda->device.stream;
    const lm_tensor x = f->in[0], g = f->out_gradient[0], gx = f->in_gradient[0];
    const bool half = lm_cuda_half(cuda, space_of(f, f->step->input[0]));
    norm_parts sums = {(float *)f->workspace, 0};
    float *total = sums.parts + ((size_t)2 * parts_of(x.rows) * x.width + 3) / 4 * 4;
    const norm_gradients to = {total, f->weight_gradient[1], f->weight_gradient[0]};
    if (!x.rows && !cuda->base.shared) return;
    if (!x.rows) lm_device_clear(&cuda->device, total, 2 * x.width * sizeof *total);
    with_kind(half, are_wide(half, x, g), [&](auto k) {
        KIND(k);
        const dim3 block = summing_block(x.rows, x.width, V, summing<V>::THREADS);
        if (!x.rows) return;
        sums.count = summing_blocks(x.rows, block);
        LM_LAUNCH_WAITING((sum_gradients<T, V>), dim3(sums.count, tiles_of(x.width, V)), block, stream, x, g,
                          state_of(f), f->step->activation, sums.parts);
    });
    if (x.rows && (cuda->base.shared || !gx.data)) {
        LM_LAUNCH_WAITING(finish_gradients, dim3(1, tiles_of(x.width, 1)), block_of_rows(), stream, sums,
                          (uint32_t)x.width, to);
        sums.count = 0;
    }
    if (cuda->base.shared) lm_cuda_sum(&cuda->base, total, 2 * x.width);
    if (gx.data && x.rows)
        LAUNCH_WAITING(cuda, half, are_wide(half, x, g, gx), writing_grid(x, V), block_for(x.width, V, THREADS),
                       (back<T, V>), x, g, gx, f->add[0], state_of(f), weights_of(cuda, f), f->step->activation, sums,
                       to);
}
