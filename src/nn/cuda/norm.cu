/*
 * Batch norm with what follows it; nn/cpu/norm.c has the formulas.
 *
 * Statistics need one visit: sums of x - a and of its squares, with a the first row, which is no further from the mean
 * than the numbers are spread, so that little is lost; sums are joined in double precision. Backward: one visit for the
 * two sums, one for dX. The block that comes last with its sums finishes the columns, so that forward and backward are
 * two kernels each. Rows of padding do not count and have no gradient. Where ranks share the batch, each tells the
 * others rows, mean and squares of every column, and all join them in the order of the ranks.
 */
#include "nn/cuda/rows.h"

#define TINY 1e-5
#define MOMENTUM 0.1
enum {
    MOST_PARTS = 132,   /* multiprocessors of an H200 */
    MOST_BLOCKS = 2112, /* of a visit that writes */
    BACK_AHEAD = 2      /* two matrices: half as many rows at once */
};

/* Threads of a block that sums packs of V numbers: one block on each multiprocessor has all of its numbers on their
 * way, in the registers there are. */
template <int V> struct summing {
    enum { THREADS = V == 8 ? 512 : 1024 };
};

/* Parts of the sums: a block has a few rows for each of its threads at least. */
static unsigned sums_of(size_t rows, dim3 block)
{
    const size_t wanted = (rows + 2 * block.y - 1) / (2 * block.y);
    return (unsigned)(wanted < 1 ? 1 : wanted < MOST_PARTS ? wanted : (size_t)MOST_PARTS);
}

/* Blocks of a visit that writes. */
static unsigned visits_of(size_t rows, dim3 block)
{
    const size_t wanted = (rows + LM_CUDA_AHEAD * block.y - 1) / (LM_CUDA_AHEAD * block.y);
    return (unsigned)(wanted < 1 ? 1 : wanted < MOST_BLOCKS ? wanted : (size_t)MOST_BLOCKS);
}

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

/* Column c from its sums. */
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

/* Sums of all rows; the last block keeps what they give, or writes own[] for the other ranks. */
template <class T, int V>
static __global__ void __launch_bounds__(summing<V>::THREADS)
    measure(view<T> x, row_weights w, float *parts, uint32_t *arrived, norm_state n, column *own)
{
    LM_SHARED(double, held, summing<V>::THREADS);
    float sum[2][V] = {};
    const uint32_t c = TILE_COLUMN, columns = blockDim.x * V, thread = threadIdx.y * blockDim.x + threadIdx.x;
    if (c < x.width) {
        const pack<T, V> from = load<T, V>(x.row(0) + c);
        FOR_PART_ROWS (x.rows, LM_CUDA_AHEAD) {
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
    sum_block<V, 2, summing<V>::THREADS>(sum, x.width, parts);
    if (!is_last_part(arrived)) return;
    add_up_parts<2, summing<V>::THREADS>(parts, x.width, columns, held);
    const uint32_t mine = blockIdx.y * columns + thread;
    if (thread >= columns || mine >= x.width) return;
    const column found = column_of(x, w, mine, held[thread], held[columns + thread]);
    if (own)
        own[mine] = found;
    else
        keep(n, mine, found);
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
    FOR_PART_ROWS (x.rows, LM_CUDA_AHEAD) {
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
    const unsigned columns = (unsigned)((x.width + LM_CUDA_LANES - 1) / LM_CUDA_LANES);
    const unsigned ranks = (unsigned)lm_backend_ranks(backend);
    column *own = backend->communicator ? columns_of_ranks(f) : NULL;
    if (!x.rows && !own) return;
    if (!x.rows) lm_device_clear(&cuda->device, own, x.width * sizeof *own);
    with_kind(half, are_wide(half, x), [&](auto k) {
        KIND(k);
        const dim3 block = block_for(x.width, V, summing<V>::THREADS);
        if (x.rows)
            LM_LAUNCH_WAITING((measure<T, V>), dim3(sums_of(x.rows, block), tiles_of(x.width, V)), block, stream,
                              view_of<T>(x), w, parts, cuda->arrived, n, own);
    });
    if (!own) return;
    column *all = own + x.width;
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
    const unsigned columns = (unsigned)((x.width + LM_CUDA_LANES - 1) / LM_CUDA_LANES);
    if (f->training)
        measure_columns(backend, f);
    else
        LM_LAUNCH(recall, dim3(columns), dim3(LM_CUDA_LANES), stream, (uint32_t)x.width, f->weight[2], f->weight[3],
                  f->weight[1], kept);
    if (!x.rows) return;
    with_kind(half, are_wide(half, x, y), [&](auto k) {
        KIND(k);
        const dim3 block = block_for(x.width, V, LM_CUDA_ROWS * LM_CUDA_LANES);
        LM_LAUNCH((apply<T, V>), dim3(visits_of(x.rows, block), tiles_of(x.width, V)), block, stream, view_of<T>(x),
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

/* Where the sums of G and G z go: sums[2][width], and the gradients of shift and scale, either of which may be NULL. */
struct norm_gradients {
    float *sums, *shift, *scale;
};

/* Sums of G and G z; the last block finishes them. */
template <class T, int V>
static __global__ void __launch_bounds__(summing<V>::THREADS)
    sum_gradients(view<T> x, view<T> g, norms given, lm_activation f, float *parts, uint32_t *arrived,
                  norm_gradients to)
{
    LM_SHARED(double, held, summing<V>::THREADS);
    float sum[2][V] = {};
    const uint32_t c = TILE_COLUMN, columns = blockDim.x * V, thread = threadIdx.y * blockDim.x + threadIdx.x;
    if (c < x.width) {
        const norms_at<V> n = load_norms<V>(given, c);
        FOR_PART_ROWS (x.rows, BACK_AHEAD) {
            raw<T, V> rows[BACK_AHEAD] = {}, ends[BACK_AHEAD] = {}; /* rows that are not there add 0 */
            LOAD_PART_ROWS(rows, x);
            LOAD_PART_ROWS(ends, g);
            LM_UNROLL for (int j = 0; j < BACK_AHEAD; j++)
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
    sum_block<V, 2, summing<V>::THREADS>(sum, x.width, parts);
    if (!is_last_part(arrived)) return;
    add_up_parts<2, summing<V>::THREADS>(parts, x.width, columns, held);
    const uint32_t mine = blockIdx.y * columns + thread;
    if (thread >= columns || mine >= x.width) return;
    const float total = (float)held[thread], product = (float)held[columns + thread];
    to.sums[mine] = total;
    to.sums[x.width + mine] = product;
    if (to.shift) to.shift[mine] += total;
    if (to.scale) to.scale[mine] += product;
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
    FOR_PART_ROWS (x.rows, LM_CUDA_AHEAD) {
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

void lm_cuda_norm_backward(lm_backend *backend, const lm_frame *f)
{
    lm_cuda *cuda = lm_cuda_of(backend);
    void *stream = cuda->device.stream;
    const lm_tensor x = f->in[0], g = f->out_gradient[0], gx = f->in_gradient[0];
    const float *kept = f->out[1].data;
    const norms n = {kept, kept + x.width, f->weight[0], kept + 2 * x.width};
    const bool half = lm_cuda_half(backend, space_of(f, f->step->input[0]));
    float *parts = (float *)f->workspace, *sum = parts + ((size_t)2 * parts_of(x.rows) * x.width + 3) / 4 * 4;
    const norm_gradients to = {sum, f->weight_gradient[1], f->weight_gradient[0]};
    if (!x.rows && !backend->communicator) return;
    if (!x.rows) lm_device_clear(&cuda->device, sum, 2 * x.width * sizeof *sum);
    with_kind(half, are_wide(half, x, g), [&](auto k) {
        KIND(k);
        const dim3 block = block_for(x.width, V, summing<V>::THREADS);
        if (x.rows)
            LM_LAUNCH_WAITING((sum_gradients<T, V>), dim3(sums_of(x.rows, block), tiles_of(x.width, V)), block, stream,
                              view_of<T>(x), view_of<T>(g), n, f->step->activation, parts, cuda->arrived, to);
    });
    if (backend->communicator) backend->sum(backend, sum, 2 * x.width);
    if (gx.data && x.rows)
        with_kind(half, are_wide(half, x, g, gx), [&](auto k) {
            KIND(k);
            const dim3 block = block_for(x.width, V, LM_CUDA_ROWS * LM_CUDA_LANES);
            LM_LAUNCH((back<T, V>), dim3(visits_of(x.rows, block), tiles_of(x.width, V)), block, stream, view_of<T>(x),
                      view_of<T>(g), view_of<T>(gx), f->add[0], n, weights_of(cuda, f), f->step->activation,
                      kept + 3 * x.width, (const float *)sum);
        });
    lm_device_launched(&cuda->device, "the gradient of a batch norm");
}
