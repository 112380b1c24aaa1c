/*
 * Batch norm with the following activation; nn/cpu/norm.c has the formulas.
 *
 * Statistics take one pass: sums of x - a and of its squares, where a is the first row. It is no further from the mean
 * than the numbers are spread, so little precision is lost. Sums are combined in double precision. Backward takes one
 * pass for the two sums and one for dX. A block sums a tile of 32 columns for a part of the rows. The block of a tile that
 * ends last adds up the parts of its columns, always in the same order; so forward and backward are two kernels each. Padding rows do not count and have
 * no gradient. If ranks share the batch, each tells the others rows, mean and squares of every column, and all combine
 * them in the order of the ranks.
 */
#include "nn/cuda/rows.h"

#define TINY 1e-5
#define MOMENTUM 0.1
enum {
    THREADS = LM_CUDA_ROWS * LM_CUDA_LANES, /* of a block that writes */
    SUMMING = 132 * 1024, /* threads that sum: those of an H200; a constant, so that sums never differ */
    COLUMNS = 32,         /* of a tile, whose parts are added up at once */
    BACK_AHEAD = 2        /* rows loaded at once: half as many, since there are two matrices */
};

/* The largest number of threads, given the registers, of a block that sums packs of V numbers. */
template <int V> struct summing {
    enum { THREADS = V == 8 ? 512 : 1024 };
};

/* The shape of a block that sums: the lanes of a row have a tile of columns. */
static dim3 summing_block(size_t rows, size_t v, unsigned most)
{
    const unsigned lanes = (unsigned)(COLUMNS / v);
    return dim3(lanes, (rows > 2 * most / lanes ? most : (unsigned)THREADS) / lanes);
}
/* The grid of a kernel that sums: as many parts as there are threads for, and as the workspace can hold. */
static dim3 summing_grid(size_t rows, size_t width, dim3 block)
{
    const unsigned tiles = (unsigned)((width + COLUMNS - 1) / COLUMNS), fill = SUMMING / (block.x * block.y) / tiles;
    const size_t wanted = (rows + 2 * block.y - 1) / (2 * block.y);
    const unsigned most = parts_of(rows) < fill ? parts_of(rows) : fill ? fill : 1;
    return dim3(wanted < most ? (unsigned)wanted : most, tiles);
}

/* The block and the grid of a kernel that writes: no lane without columns, unless the last tile has fewer. */
static dim3 writing_block(size_t width, size_t v)
{
    const size_t packs = (width + v - 1) / v, tiles = tiles_of(width, v);
    const unsigned lanes = (unsigned)((packs + tiles - 1) / tiles);
    return dim3(lanes, THREADS / lanes);
}
static dim3 writing_grid(const lm_tensor &x, size_t v)
{
    const size_t rows = LM_CUDA_AHEAD * writing_block(x.width, v).y;
    return dim3((unsigned)((x.rows + rows - 1) / rows), tiles_of(x.width, v));
}

/* Returns true to all threads of the block that comes here last of those that `come` counts, `blocks` of them. It sees
 * what the others have written. */
static __device__ bool is_last_block(uint32_t *come, uint32_t blocks)
{
    LM_SHARED(uint32_t, before, 1);
    __threadfence();
    __syncthreads();
    if (threadIdx.x + threadIdx.y == 0) before[0] = atomicAdd(come, 1u);
    __syncthreads();
    const bool last = before[0] == blocks - 1;
    if (last && threadIdx.x + threadIdx.y == 0) *come = 0;
    __threadfence();
    return last;
}

/* In the last block of a tile, or of the grid if there are more tiles than counters: calls finish(column, sum, other sum)
 * for every column of parts[gridDim.x][2][width] that it completes. */
template <class F> static __device__ void finish_columns(const float *parts, uint32_t *come, uint32_t width, F finish)
{
    LM_SHARED(double, held, 1024);
    const bool apart = gridDim.y <= LM_CUDA_COUNTERS;
    const uint32_t begin = apart ? blockIdx.y * COLUMNS : 0, end = apart ? begin + COLUMNS : width;
    if (!is_last_block(apart ? come + blockIdx.y : come, apart ? gridDim.x : gridDim.x * gridDim.y)) return;
    for (uint32_t first = begin; first < end; first += COLUMNS) {
        __syncthreads();
        add_up_parts<2>(parts, gridDim.x, width, first, COLUMNS, held);
        const uint32_t at = threadIdx.y * blockDim.x + threadIdx.x;
        if (at < COLUMNS && first + at < width) finish(first + at, held[at], held[COLUMNS + at]);
    }
}

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

/* Computes what is kept; or, if ranks share the batch, the moments of this rank's rows, to be sent to the others. */
template <class T, int V>
static __global__ void __launch_bounds__(summing<V>::THREADS)
    measure(view<T> x, row_weights w, float *parts, uint32_t *come, norm_state state, column *own)
{
    lm_after_previous();
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
    finish_columns(parts, come, x.width, [&](uint32_t i, double total, double square) {
        const column m = column_of(x, w, i, total, square);
        if (own)
            own[i] = m;
        else
            keep(state, i, m, kept_of(state, i, m));
    });
}

/* Combines all[ranks][width]. For two sets with n, m rows, means a, b and squares S, T, the squares are S + T + (a-b)^2
 * n m / (n+m). */
static __global__ void join_ranks(const column *all, unsigned ranks, norm_state n)
{
    lm_after_previous();
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
    lm_after_previous();
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

template <class T, int V>
static __global__ void __launch_bounds__(THREADS) apply(view<T> x, view<T> y, norm_state state, lm_activation f)
{
    lm_after_previous();
    const uint32_t c = TILE_COLUMN;
    if (c >= x.width) return;
    const norms_at<V> n = load_norms<V>(state, c);
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

/* Computes what the norm keeps from the rows of the batch. */
static void measure_columns(lm_cuda *cuda, const lm_frame *f)
{
    const lm_device *device = &cuda->device;
    const lm_tensor x = f->in[0];
    const bool half = lm_cuda_half(cuda, space_of(f, f->step->input[0]));
    column *own = cuda->base.shared ? columns_of_ranks(f) : NULL, *all = own + x.width;
    if (!x.rows && own) lm_device_clear(&cuda->device, own, x.width * sizeof *own);
    with_kind(half, are_wide(half, x), [&](auto k) {
        KIND(k);
        const dim3 block = summing_block(x.rows, V, summing<V>::THREADS);
        if (x.rows)
            LM_LAUNCH_EARLY_WAITING((measure<T, V>), summing_grid(x.rows, x.width, block), block, device, x,
                                    weights_of(cuda, f), (float *)f->workspace, cuda->come, state_of(f), own);
    });
    if (!own) return;
    lm_cuda_gather(&cuda->base, &own->rows, 3 * x.width, &all->rows);
    LM_LAUNCH_EARLY(join_ranks, dim3((unsigned)((x.width + LM_CUDA_LANES - 1) / LM_CUDA_LANES)), dim3(LM_CUDA_LANES),
                    device, (const column *)all, (unsigned)lm_backend_ranks(&cuda->base), state_of(f));
}

void lm_cuda_norm_forward(lm_cuda *cuda, const lm_frame *f)
{
    const lm_tensor x = f->in[0], y = f->out[0];
    const bool half = lm_cuda_half(cuda, space_of(f, f->step->input[0]));
    if (f->training && !f->again) /* a recomputed norm has kept them */
        measure_columns(cuda, f);
    else if (!f->training)
        LM_LAUNCH_EARLY(recall, dim3((unsigned)((x.width + LM_CUDA_LANES - 1) / LM_CUDA_LANES)), dim3(LM_CUDA_LANES),
                        &cuda->device, state_of(f));
    if (!x.rows) return;
    LAUNCH_BY(LM_LAUNCH_EARLY, cuda, half, are_wide(half, x, y), writing_grid(x, V), writing_block(x.width, V),
              (apply<T, V>), x, y, state_of(f), f->step->activation);
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

/* Destinations of the sums of G and G z: sums[2][width], and the gradients of shift and scale, which may be NULL. */
struct norm_gradients {
    float *sums, *shift, *scale;
};

/* Computes the sums of G and G z, and adds them to the gradients of the weights. */
template <class T, int V>
static __global__ void __launch_bounds__(summing<V>::THREADS)
    sum_gradients(view<T> x, view<T> g, norm_state state, lm_activation f, float *parts, uint32_t *come,
                  norm_gradients to)
{
    lm_after_previous();
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
    finish_columns(parts, come, x.width, [&](uint32_t i, double total, double product) {
        to.sums[i] = (float)total, to.sums[x.width + i] = (float)product;
        if (to.shift) to.shift[i] += (float)total;
        if (to.scale) to.scale[i] += (float)product;
    });
}

/* Computes dX. */
template <class T, int V>
static __global__ void __launch_bounds__(THREADS) back(view<T> x, view<T> g, view<T> gx, bool add, norm_state state,
                                                       row_weights w, lm_activation f, const float *sums)
{
    lm_after_previous();
    const uint32_t c = TILE_COLUMN;
    if (c >= x.width) return;
    const floats<V> sum = load_floats<V>(sums + c), product = load_floats<V>(sums + x.width + c);
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
    const lm_tensor x = f->in[0], g = f->out_gradient[0], gx = f->in_gradient[0];
    const bool half = lm_cuda_half(cuda, space_of(f, f->step->input[0]));
    float *parts = (float *)f->workspace, *total = parts + ((size_t)2 * parts_of(x.rows) * x.width + 3) / 4 * 4;
    const norm_gradients to = {total, f->weight_gradient[1], f->weight_gradient[0]};
    if (!x.rows && !cuda->base.shared) return;
    if (!x.rows) lm_device_clear(&cuda->device, total, 2 * x.width * sizeof *total);
    with_kind(half, are_wide(half, x, g), [&](auto k) {
        KIND(k);
        enum {
            W = V == 8 ? 4 : V
        }; /* with eight columns a thread has so many registers that half of the blocks wait */
        const dim3 block = summing_block(x.rows, W, summing<W>::THREADS);
        if (x.rows)
            LM_LAUNCH_EARLY_WAITING((sum_gradients<T, W>), summing_grid(x.rows, x.width, block), block, &cuda->device,
                                    x, g, state_of(f), f->step->activation, parts, cuda->come, to);
    });
    if (cuda->base.shared) lm_cuda_sum(&cuda->base, total, 2 * x.width);
    if (gx.data && x.rows)
        LAUNCH_BY(LM_LAUNCH_EARLY, cuda, half, are_wide(half, x, g, gx), writing_grid(x, V), writing_block(x.width, V),
                  (back<T, V>), x, g, gx, f->add[0], state_of(f), weights_of(cuda, f), f->step->activation,
                  (const float *)total);
}
