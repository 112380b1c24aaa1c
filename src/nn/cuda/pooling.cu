/*
 * Between the rows of a graph and the graph: pooling, attention, and spreading vertices over tuples; nn/cpu/pooling.c
 * has the formulas. A block handles a graph, whose rows its warps process in turn. Values of graphs are floats.
 */
#include "nn/cuda/rows.h"

/* The positions of the rows of graphs. */
struct graphs {
    const uint32_t *start, *graph_of;
};

static graphs graphs_of(const lm_cuda *cuda, const lm_frame *f, lm_row_space space)
{
    graphs g = {f->batch->start[space], cuda->graph_of[space]};
    return g;
}

/* ---- Pooling --------------------------------------------------------------------------------- */

enum { POOL_WARPS = 16 };

template <class T, int V> static __global__ void pool(view<T> x, view<float> y, graphs s, bool mean)
{
    lm_after_previous();
    LM_SHARED(float, held, POOL_WARPS *LM_CUDA_LANES *V);
    const uint32_t g = blockIdx.x, first = s.start[g], end = s.start[g + 1], c = TILE_COLUMN;
    const uint32_t place = threadIdx.x * V;
    float sum[V] = {};
    for (uint32_t r = first + threadIdx.y; r < end && c < x.width; r += LM_CUDA_AHEAD * POOL_WARPS) {
        pack<T, V> p[LM_CUDA_AHEAD] = {};
        LM_UNROLLED_FOR (uint32_t j = 0; j < LM_CUDA_AHEAD; j++)
            if (r + j * POOL_WARPS < end) p[j] = load<T, V>(x.row(r + j * POOL_WARPS) + c);
        LM_UNROLLED_FOR (int j = 0; j < LM_CUDA_AHEAD; j++)
            for (int i = 0; i < V; i++) sum[i] += p[j].at[i];
    }
    for (int i = 0; i < V; i++) held[threadIdx.y * LM_CUDA_LANES * V + place + i] = sum[i];
    __syncthreads();
    if (threadIdx.y == 0 && c < x.width) {
        const float share = mean && end > first ? 1 / (float)(end - first) : 1;
        for (int i = 0; i < V; i++) {
            float total = 0;
            for (int n = 0; n < POOL_WARPS; n++) total += held[n * LM_CUDA_LANES * V + place + i];
            y.row(g)[c + i] = total * share;
        }
    }
}

void lm_cuda_pool_forward(lm_cuda *cuda, const lm_frame *f)
{
    const lm_tensor &x = f->in[0], &y = f->out[0];
    const lm_row_space space = space_of(f, f->step->input[0]);
    const bool half = lm_cuda_half(cuda, space);
    if (!y.rows) return;
    LAUNCH_WAITING(cuda, half, are_wide(half, x), dim3((unsigned)y.rows, tiles_of(x.width, V)),
                   dim3(LM_CUDA_LANES, POOL_WARPS), (pool<T, V>), x, y, graphs_of(cuda, f, space), f->step->rate > 0);
}

template <class T, int V> static __global__ void unpool(view<float> g, view<T> gx, graphs s, bool mean, bool add)
{
    lm_after_previous();
    FOR_ROWS (r, gx.rows) {
        const uint32_t graph = s.graph_of[r];
        float share = 0;
        if (graph != LM_NO_GRAPH) share = mean ? 1 / (float)(s.start[graph + 1] - s.start[graph]) : 1;
        FOR_COLUMNS (c, gx.width) {
            pack<T, V> p = {};
            if (graph != LM_NO_GRAPH) {
                const floats<V> from = load_floats<V>(g.row(graph) + c);
                for (int i = 0; i < V; i++) p.at[i] = from.at[i] * share;
            }
            put<T, V>(gx.row(r) + c, p, add);
        }
    }
}

void lm_cuda_pool_backward(lm_cuda *cuda, const lm_frame *f)
{
    const lm_tensor &g = f->out_gradient[0], &gx = f->in_gradient[0];
    const lm_row_space space = space_of(f, f->step->input[0]);
    const bool half = lm_cuda_half(cuda, space);
    if (!gx.data) return;
    LAUNCH_ROWS(cuda, half, are_wide(half, gx) && are_wide(false, g), gx.rows, (unpool<T, V>), g, gx,
                graphs_of(cuda, f, space), f->step->rate > 0, f->add[0]);
}

/* ---- The largest ----------------------------------------------------------------------------- */

enum { ROWS_AHEAD = 10 };

/* The matrix of a graph: n x n rows from `first` on. */
struct square {
    uint32_t first, n;
    __device__ __forceinline__ uint32_t rows() const
    {
        return n * n;
    }
};

static __device__ __forceinline__ square square_of(graphs s, const uint32_t *vertex_start, uint32_t g)
{
    const square q = {s.start[g], vertex_start[g + 1] - vertex_start[g]};
    return q;
}

/* Calls f(row, side, x) in column c for the rows threadIdx.y, threadIdx.y + LM_CUDA_ROWS, ... of a matrix, loading
 * ROWS_AHEAD of them at once. side is 0 on the diagonal, 1 off the diagonal. */
template <class T, class F> static __device__ __forceinline__ void for_rows(view<T> x, square q, uint32_t c, F f)
{
    const uint32_t turn = q.n + 1, step = LM_CUDA_ROWS % turn;
    uint32_t place = threadIdx.y % turn; /* distance of the row from the last diagonal row before it */
    for (uint32_t t = threadIdx.y; t < q.rows(); t += ROWS_AHEAD * LM_CUDA_ROWS) {
        T at[ROWS_AHEAD];
        LM_UNROLLED_FOR (uint32_t j = 0; j < ROWS_AHEAD; j++)
            if (t + j * LM_CUDA_ROWS < q.rows()) at[j] = x.row(q.first + t + j * LM_CUDA_ROWS)[c];
        LM_UNROLLED_FOR (uint32_t j = 0; j < ROWS_AHEAD; j++) {
            if (t + j * LM_CUDA_ROWS < q.rows()) f(t + j * LM_CUDA_ROWS, place != 0, to_float(at[j]));
            place += step;
            if (place >= turn) place -= turn;
        }
    }
}

/* Joins the results of the warps of a block, one for each side and lane. The first warp calls put(side, result). */
template <class R, class J, class P> static __device__ void join_sides(const R (&mine)[2], R *held, J join, P put)
{
    for (int side = 0; side < 2; side++)
        held[(side * LM_CUDA_ROWS + threadIdx.y) * LM_CUDA_LANES + threadIdx.x] = mine[side];
    __syncthreads();
    for (uint32_t side = 0; side < 2 && threadIdx.y == 0; side++) {
        R all = mine[side];
        for (uint32_t n = 1; n < LM_CUDA_ROWS; n++)
            all = join(all, held[(side * LM_CUDA_ROWS + n) * LM_CUDA_LANES + threadIdx.x]);
        put(side, all);
    }
}

/* Returns the larger number, or NaN if one of them is NaN. */
static __device__ __forceinline__ float larger(float x, float y)
{
    return y > x || y != y ? y : x;
}

/* Each warp processes every LM_CUDA_ROWS-th row. */
template <class T> static __global__ void pool_max(view<T> x, view<float> y, graphs s, const uint32_t *vertex_start)
{
    lm_after_previous();
    LM_SHARED(float, held, 2 * LM_CUDA_ROWS * LM_CUDA_LANES);
    const uint32_t g = blockIdx.x, c = blockIdx.y * LM_CUDA_LANES + threadIdx.x;
    const square q = square_of(s, vertex_start, g);
    float largest[2] = {-INFINITY, -INFINITY};
    if (c < x.width)
        for_rows(x, q, c, [&](uint32_t row, bool side, float at) {
            (void)row;
            float &to = side ? largest[1] : largest[0];
            to = larger(to, at);
        });
    join_sides(largest, held, larger, [&](uint32_t side, float all) {
        if (c < x.width) y.row(g)[side * x.width + c] = q.n > side ? all : 0;
    });
}

void lm_cuda_pool_max_forward(lm_cuda *cuda, const lm_frame *f)
{
    const lm_tensor &x = f->in[0], &y = f->out[0];
    if (!y.rows) return;
    LAUNCH_WAITING(cuda, lm_cuda_half(cuda, LM_TUPLES), false, dim3((unsigned)y.rows, tiles_of(x.width, 1)),
                   block_of_rows(), (pool_max<T>), x, y, graphs_of(cuda, f, LM_TUPLES),
                   (const uint32_t *)f->batch->start[LM_VERTICES]);
}

/* Finds the first row that equals the maximum: each warp finds its own first row, and the smallest of them counts. */
template <class T>
static __global__ void unpool_max(view<T> x, view<float> y, view<float> gy, view<T> gx, graphs s,
                                  const uint32_t *vertex_start)
{
    lm_after_previous();
    LM_SHARED(uint32_t, held, 2 * LM_CUDA_ROWS * LM_CUDA_LANES);
    const uint32_t g = blockIdx.x, c = blockIdx.y * LM_CUDA_LANES + threadIdx.x;
    const square q = square_of(s, vertex_start, g);
    uint32_t place[2] = {UINT32_MAX, UINT32_MAX};
    if (c < x.width) {
        const float diagonal = y.row(g)[c], beside = y.row(g)[x.width + c];
        for_rows(x, q, c, [&](uint32_t row, bool side, float at) {
            uint32_t &to = side ? place[1] : place[0];
            if (to == UINT32_MAX && at >= (side ? beside : diagonal)) to = row;
        });
    }
    const auto smaller = [](uint32_t a, uint32_t b) { return a < b ? a : b; };
    join_sides(place, held, smaller, [&](uint32_t side, uint32_t row) {
        if (row == UINT32_MAX) return; /* an empty graph, NaN, or no column */
        T *to = gx.row(q.first + row) + c;
        from_float(to_float(*to) + gy.row(g)[side * x.width + c], to);
    });
}

void lm_cuda_pool_max_backward(lm_cuda *cuda, const lm_frame *f)
{
    const lm_tensor &x = f->in[0], &gx = f->in_gradient[0];
    if (!gx.data || !gx.rows || !f->out[0].rows) return;
    const bool half = lm_cuda_half(cuda, LM_TUPLES);
    if (!f->add[0])
        LAUNCH_ROWS(cuda, half, are_wide(half, gx), gx.rows, (clear_rows<T, V>), gx, (const uint32_t *)NULL);
    LAUNCH_WAITING(cuda, half, false, dim3((unsigned)f->out[0].rows, tiles_of(x.width, 1)), block_of_rows(),
                   (unpool_max<T>), x, f->out[0], f->out_gradient[0], gx, graphs_of(cuda, f, LM_TUPLES),
                   (const uint32_t *)f->batch->start[LM_VERTICES]);
}

/* ---- Attention ------------------------------------------------------------------------------- */

/*
 * A block of up to ATTEND_WARPS warps handles a graph; the warps process rows in turn, TOGETHER at once. One factor of
 * each row (its energy, its share or the derivative of its energy) is kept in shared memory for the next pass over the
 * rows. Factors of rows after the first KEPT_ROWS are computed again.
 */
enum {
    ATTEND_WARPS = 32,
    ATTEND_THREADS = ATTEND_WARPS * LM_CUDA_LANES,
    TOGETHER = 4,
    SUM_COLUMNS = TOGETHER * LM_CUDA_LANES,
    KEPT_ROWS = 16 * TOGETHER * ATTEND_WARPS
};
#define FOR_ATTENDED(r, from) for (uint32_t r = (from) + threadIdx.y; r < end; r += TOGETHER * blockDim.y)
#define ATTENDED(j) (r + (uint32_t)(j)*blockDim.y) /* rows that a warp has at once; all are kept, or none */

/* Returns x_r . q of one row, in all lanes. */
template <class T> static __device__ float dot(const T *x, const float *q, uint32_t width)
{
    float sum = 0;
    for (uint32_t c = threadIdx.x; c < width; c += LM_CUDA_LANES) sum += to_float(x[c]) * q[c];
    return warp_sum(sum);
}

/* Computes x_r . q of the rows ATTENDED(j); 0 after the last row. */
template <class T>
static __device__ void dot_rows(view<T> x, const float *q, uint32_t r, uint32_t end, float (&product)[TOGETHER])
{
    LM_UNROLLED_FOR (int j = 0; j < TOGETHER; j++) product[j] = 0;
    for (uint32_t c = threadIdx.x; c < x.width; c += LM_CUDA_LANES) {
        const float factor = q[c];
        LM_UNROLLED_FOR (int j = 0; j < TOGETHER; j++)
            if (ATTENDED(j) < end) product[j] += to_float(x.row(ATTENDED(j))[c]) * factor;
    }
    LM_UNROLLED_FOR (int j = 0; j < TOGETHER; j++) product[j] = warp_sum(product[j]);
}

/* The block has as many warps as give each of them a few rows. */
static dim3 attending_block(const lm_frame *f)
{
    const size_t graphs = f->out[0].rows, rows = f->in[0].rows;
    return dim3(LM_CUDA_LANES, rows / graphs > 8 * TOGETHER ? (unsigned)ATTEND_WARPS : (unsigned)LM_CUDA_ROWS);
}

/* Returns the maximum or the sum over the warps of a block, in all threads. */
static __device__ float join_warps(float mine, bool largest, float *held)
{
    __syncthreads();
    if (threadIdx.x == 0) held[threadIdx.y] = mine;
    __syncthreads();
    float all = held[0];
    for (uint32_t y = 1; y < blockDim.y; y++) all = largest ? fmaxf(all, held[y]) : all + held[y];
    return all;
}

/* to[c] = or += the sum of x_r[c] times the factor of row r; find() computes factors that are not kept. */
template <class T, class F>
static __device__ void weigh_rows(view<T> x, uint32_t first, uint32_t end, const float *kept, F find, float *to,
                                  bool add)
{
    LM_SHARED(float, sums, ATTEND_WARPS *SUM_COLUMNS);
    const uint32_t thread = threadIdx.y * LM_CUDA_LANES + threadIdx.x;
    for (uint32_t tile = 0; tile < x.width; tile += SUM_COLUMNS) {
        float sum[TOGETHER] = {};
        for (uint32_t r = first + threadIdx.y; r < end; r += blockDim.y) {
            const float factor = r - first < KEPT_ROWS ? kept[r - first] : find(r);
            LM_UNROLLED_FOR (int j = 0; j < TOGETHER; j++) {
                const uint32_t c = tile + (uint32_t)j * LM_CUDA_LANES + threadIdx.x;
                if (c < x.width) sum[j] += factor * to_float(x.row(r)[c]);
            }
        }
        __syncthreads();
        for (int j = 0; j < TOGETHER; j++)
            sums[threadIdx.y * SUM_COLUMNS + (uint32_t)j * LM_CUDA_LANES + threadIdx.x] = sum[j];
        __syncthreads();
        if (thread < SUM_COLUMNS && tile + thread < x.width) {
            float all = 0;
            for (uint32_t y = 0; y < blockDim.y; y++) all += sums[y * SUM_COLUMNS + thread];
            to[tile + thread] = (add ? to[tile + thread] : 0) + all;
        }
    }
}

/* Computes the softmax of x.q and the sum of x weighted by it. Energies are computed again, not stored in 16 bits. */
template <class T>
static __global__ void __launch_bounds__(ATTEND_THREADS)
    attend(view<T> x, view<float> q, view<float> read, view<T> a, graphs s)
{
    lm_after_previous();
    LM_SHARED(float, held, ATTEND_WARPS);
    LM_SHARED(float, kept, KEPT_ROWS);
    const uint32_t g = blockIdx.x, first = s.start[g], end = s.start[g + 1], rows = end - first;
    const uint32_t thread = threadIdx.y * LM_CUDA_LANES + threadIdx.x,
                   stored = rows < KEPT_ROWS ? rows : (uint32_t)KEPT_ROWS;
    float largest = -INFINITY, total = 0, energy[TOGETHER];
    FOR_ATTENDED (r, first) {
        dot_rows(x, q.row(g), r, end, energy);
        LM_UNROLLED_FOR (int j = 0; j < TOGETHER; j++) {
            if (ATTENDED(j) >= end) continue;
            largest = fmaxf(largest, energy[j]);
            if (r - first < KEPT_ROWS && threadIdx.x == 0) kept[ATTENDED(j) - first] = energy[j];
        }
    }
    largest = join_warps(largest, true, held);
    for (uint32_t i = thread; i < stored; i += LM_CUDA_LANES * blockDim.y) total += expf(kept[i] - largest);
    total = warp_sum(total);
    FOR_ATTENDED (r, first + KEPT_ROWS) {
        dot_rows(x, q.row(g), r, end, energy);
        for (int j = 0; j < TOGETHER; j++) total += ATTENDED(j) < end ? expf(energy[j] - largest) : 0;
    }
    total = join_warps(total, false, held) + 1e-16f;
    for (uint32_t i = thread; i < stored; i += LM_CUDA_LANES * blockDim.y) {
        from_float(expf(kept[i] - largest) / total, a.row(first + i));
        kept[i] = to_float(*a.row(first + i));
    }
    FOR_ATTENDED (r, first + KEPT_ROWS) {
        dot_rows(x, q.row(g), r, end, energy);
        for (int j = 0; j < TOGETHER; j++)
            if (ATTENDED(j) < end && threadIdx.x == 0)
                from_float(expf(energy[j] - largest) / total, a.row(ATTENDED(j)));
    }
    __syncthreads();
    weigh_rows(
        x, first, end, kept, [&](uint32_t r) { return to_float(*a.row(r)); }, read.row(g), false);
}

void lm_cuda_attend_forward(lm_cuda *cuda, const lm_frame *f)
{
    const lm_row_space space = space_of(f, f->step->input[0]);
    if (!f->out[0].rows) return;
    LAUNCH_WAITING(cuda, lm_cuda_half(cuda, space), false, dim3((unsigned)f->out[0].rows), attending_block(f),
                   (attend<T>), f->in[0], f->in[1], f->out[0], f->out[1], graphs_of(cuda, f, space));
}

/* Computes dq and dX; the mean of da, weighted by the shares, is dr . r. */
template <class T>
static __global__ void __launch_bounds__(ATTEND_THREADS)
    attend_back(view<T> x, view<float> q, view<float> read, view<float> g, view<T> a, view<T> gx, view<float> gq,
                bool add_x, bool add_q, graphs s)
{
    lm_after_previous();
    LM_SHARED(float, kept, KEPT_ROWS);
    const uint32_t graph = blockIdx.x, first = s.start[graph], end = s.start[graph + 1];
    const float *gradient = g.row(graph), *query = q.row(graph);
    const float mean = dot(read.row(graph), gradient, x.width);
    FOR_ATTENDED (r, first) {
        float product[TOGETHER];
        dot_rows(x, gradient, r, end, product);
        LM_UNROLLED_FOR (int j = 0; j < TOGETHER; j++) {
            if (ATTENDED(j) >= end) continue;
            const float share = to_float(*a.row(ATTENDED(j))), energy = share * (product[j] - mean);
            T *to = gx.row(ATTENDED(j));
            for (uint32_t c = threadIdx.x; gx.data && c < x.width; c += LM_CUDA_LANES)
                from_float((add_x ? to_float(to[c]) : 0) + share * gradient[c] + energy * query[c], to + c);
            if (r - first < KEPT_ROWS && threadIdx.x == 0) kept[ATTENDED(j) - first] = energy;
        }
    }
    __syncthreads();
    if (!gq.data) return;
    const auto find = [&](uint32_t r) { return to_float(*a.row(r)) * (dot(x.row(r), gradient, x.width) - mean); };
    weigh_rows(x, first, end, kept, find, gq.row(graph), add_q);
}

void lm_cuda_attend_backward(lm_cuda *cuda, const lm_frame *f)
{
    const lm_row_space space = space_of(f, f->step->input[0]);
    const lm_tensor &gx = f->in_gradient[0];
    if (!f->out[0].rows) return;
    LAUNCH_WAITING(cuda, lm_cuda_half(cuda, space), false, dim3((unsigned)f->out[0].rows), attending_block(f),
                   (attend_back<T>), f->in[0], f->in[1], f->out[0], f->out_gradient[0], f->out[1], gx,
                   f->in_gradient[1], f->add[0], f->add[1], graphs_of(cuda, f, space));
    if (gx.data && !f->add[0])
        LAUNCH_ROWS(cuda, lm_cuda_half(cuda, space), false, gx.rows, (clear_rows<T, V>), gx,
                    (const uint32_t *)(cuda->live + space));
}

/* ---- Vertices over tuples -------------------------------------------------------------------- */

/* Up to LM_STEP_VALUES matrices of vertices. */
template <class T> struct parts_of_tuple {
    view<T> x[LM_STEP_VALUES];
    uint32_t k;
};

template <class T> static parts_of_tuple<T> tuple_parts(const lm_frame *f, const lm_tensor *tensor)
{
    parts_of_tuple<T> p = {};
    p.k = f->batch->k;
    for (uint32_t j = 0; j < p.k; j++) p.x[j] = tensor[j];
    return p;
}

template <class T>
static __global__ void spread(parts_of_tuple<T> in, view<T> y, graphs s, const uint32_t *vertex_start,
                              const float *bias, lm_activation f)
{
    lm_after_previous();
    FOR_ROWS (r, y.rows) {
        const uint32_t g = s.graph_of[r];
        const bool live = g != LM_NO_GRAPH;
        const uint32_t vertex = live ? vertex_start[g] : 0, n = live ? vertex_start[g + 1] - vertex : 1;
        for (uint32_t c = threadIdx.x; c < y.width; c += LM_CUDA_LANES) {
            uint32_t t = live ? r - s.start[g] : 0;
            float sum = bias ? bias[c] : 0;
            for (uint32_t j = in.k; j-- > 0; t /= n)
                if (live && in.x[j].data) sum += to_float(in.x[j].row(vertex + t % n)[c]);
            from_float(live ? activate(sum, f) : 0, y.row(r) + c);
        }
    }
}

void lm_cuda_spread_forward(lm_cuda *cuda, const lm_frame *f)
{
    LAUNCH_ROWS(cuda, lm_cuda_half(cuda, LM_TUPLES), false, f->out[0].rows, (spread<T>), tuple_parts<T>(f, f->in),
                f->out[0], graphs_of(cuda, f, LM_TUPLES), (const uint32_t *)f->batch->start[LM_VERTICES], f->weight[0],
                f->step->activation);
}

size_t lm_cuda_spread_workspace(const lm_cuda *cuda, const lm_frame *f)
{
    (void)cuda;
    return parts_bytes(f->out[0].rows, f->out[0].width, 1);
}

/* dX_j[v] = the sum of G over the tuples with v at place j; a warp for each vertex. There are n^(k-1) such tuples, in
 * blocks of `step` rows that are n step rows apart. */
template <class T>
static __global__ void spread_back(view<T> g, view<T> gx, bool add, uint32_t exponent, graphs tuples,
                                   const uint32_t *vertex_graph, const uint32_t *vertex_start)
{
    lm_after_previous();
    FOR_ROWS (v, gx.rows) {
        const uint32_t graph = vertex_graph[v];
        uint32_t n = 1, step = 1, first = 0, end = 0, u = 0;
        if (graph != LM_NO_GRAPH) {
            n = vertex_start[graph + 1] - vertex_start[graph];
            u = v - vertex_start[graph];
            for (uint32_t i = 0; i < exponent; i++) step *= n;
            first = tuples.start[graph];
            end = tuples.start[graph + 1];
        }
        for (uint32_t c = threadIdx.x; c < gx.width; c += LM_CUDA_LANES) {
            float sum = 0;
            for (uint32_t block = first + u * step; block < end; block += n * step)
                for (uint32_t r = block; r < block + step; r++) sum += to_float(g.row(r)[c]);
            from_float(add ? to_float(gx.row(v)[c]) + sum : sum, gx.row(v) + c);
        }
    }
}

/* y[v] = or += the sum of x over the tuples with v at place j. */
static void collect(lm_cuda *cuda, const lm_frame *f, const lm_tensor &x, const lm_tensor &y, uint32_t j, bool add)
{
    LAUNCH_ROWS(cuda, lm_cuda_half(cuda, LM_TUPLES), false, y.rows, (spread_back<T>), x, y, add, f->batch->k - 1 - j,
                graphs_of(cuda, f, LM_TUPLES), (const uint32_t *)cuda->graph_of[LM_VERTICES],
                (const uint32_t *)f->batch->start[LM_VERTICES]);
}

void lm_cuda_spread_backward(lm_cuda *cuda, const lm_frame *f)
{
    lm_cuda_derive(cuda, f, f->weight_gradient[0]);
    for (uint32_t j = 0; j < f->batch->k; j++)
        if (f->in_gradient[j].data) collect(cuda, f, f->out_gradient[0], f->in_gradient[j], j, f->add[j]);
}

/* ---- Tuples at their vertices ---------------------------------------------------------------- */

void lm_cuda_collect_forward(lm_cuda *cuda, const lm_frame *f)
{
    collect(cuda, f, f->in[0], f->out[0], (uint32_t)f->step->position, false);
}

/* dX[(v_1..v_k)] = or += dY[v_j]. */
template <class T, int V>
static __global__ void collect_back(view<T> g, view<T> gx, bool add, uint32_t exponent, graphs tuples,
                                    const uint32_t *vertex_start)
{
    lm_after_previous();
    FOR_ROWS (r, gx.rows) {
        const uint32_t graph = tuples.graph_of[r];
        uint32_t vertex = 0;
        if (graph != LM_NO_GRAPH) {
            const uint32_t n = vertex_start[graph + 1] - vertex_start[graph];
            uint32_t t = r - tuples.start[graph];
            for (uint32_t i = 0; i < exponent; i++) t /= n;
            vertex = vertex_start[graph] + t % n;
        }
        FOR_COLUMNS (c, gx.width) {
            pack<T, V> p = {};
            if (graph != LM_NO_GRAPH) p = load<T, V>(g.row(vertex) + c);
            put<T, V>(gx.row(r) + c, p, add);
        }
    }
}

void lm_cuda_collect_backward(lm_cuda *cuda, const lm_frame *f)
{
    const lm_tensor &g = f->out_gradient[0], &gx = f->in_gradient[0];
    const bool half = lm_cuda_half(cuda, LM_TUPLES);
    if (gx.data)
        LAUNCH_ROWS(cuda, half, are_wide(half, g, gx), gx.rows, (collect_back<T, V>), g, gx, f->add[0],
                    f->batch->k - 1 - (uint32_t)f->step->position, graphs_of(cuda, f, LM_TUPLES),
                    (const uint32_t *)f->batch->start[LM_VERTICES]);
}

/* ---- Pairs that are edges -------------------------------------------------------------------- */

/* The arcs of a batch and the rows of their pairs. */
struct arc_pairs {
    const uint32_t *arc_graph, *vertex_start, *pair_start, *tail, *head;
    bool swapped;
    /* Returns the row of the pair of an arc; UINT32_MAX for padding. */
    __device__ __forceinline__ uint32_t row(uint32_t arc) const
    {
        const uint32_t g = arc_graph[arc];
        if (g == LM_NO_GRAPH) return UINT32_MAX;
        const uint32_t vertex = vertex_start[g], n = vertex_start[g + 1] - vertex, u = tail[arc] - vertex,
                       w = head[arc] - vertex;
        return pair_start[g] + (swapped ? w * n + u : u * n + w);
    }
};

static arc_pairs pairs_of(const lm_cuda *cuda, const lm_frame *f)
{
    const lm_batch *b = f->batch;
    return {cuda->graph_of[LM_ARCS], b->start[LM_VERTICES], b->start[LM_TUPLES], b->tail, b->head,
            f->step->position > 0};
}

/* Y[a] = X[pair of a], or X[pair of a] += Y[a] if back; no two arcs have one pair. */
template <class T, int V> static __global__ void gather(view<T> y, view<T> x, arc_pairs pairs, bool back)
{
    lm_after_previous();
    FOR_ROWS (a, y.rows) {
        const uint32_t r = pairs.row(a);
        FOR_COLUMNS (c, y.width) {
            pack<T, V> p = {};
            if (!back) {
                if (r != UINT32_MAX) p = load<T, V>(x.row(r) + c);
                store<T, V>(y.row(a) + c, p);
            } else if (r != UINT32_MAX) {
                put<T, V>(x.row(r) + c, load<T, V>(y.row(a) + c), true);
            }
        }
    }
}

void lm_cuda_gather_forward(lm_cuda *cuda, const lm_frame *f)
{
    const bool half = lm_cuda_half(cuda, LM_TUPLES);
    LAUNCH_ROWS(cuda, half, are_wide(half, f->in[0], f->out[0]), f->out[0].rows, (gather<T, V>), f->out[0], f->in[0],
                pairs_of(cuda, f), false);
}

void lm_cuda_gather_backward(lm_cuda *cuda, const lm_frame *f)
{
    const bool half = lm_cuda_half(cuda, LM_TUPLES);
    const lm_tensor &g = f->out_gradient[0], &gx = f->in_gradient[0];
    if (!gx.data) return;
    if (!f->add[0])
        LAUNCH_ROWS(cuda, half, are_wide(half, gx), gx.rows, (clear_rows<T, V>), gx, (const uint32_t *)NULL);
    LAUNCH_ROWS(cuda, half, are_wide(half, g, gx), g.rows, (gather<T, V>), g, gx, pairs_of(cuda, f), true);
}
