/*
 * Products of the n x n matrices of a graph, channel by channel: M[(u,v)] = sum over w of P[(u,w)] Q[(w,v)];
 * nn/cpu/matmul.c has the formulas.
 *
 * A block has SIDE x SIDE results of a graph, or all of a smaller one, for the channels of 32 bytes of a row, which is
 * what the device reads at least. It puts SIDE columns of P and as many rows of Q at a time into shared memory, where
 * the numbers of a channel lie together, along w. Then each warp has a channel at a time: a lane has ROWS x COLUMNS
 * results, whose sums stay in registers, and reads STEP numbers along w at once. On the way back through shared memory
 * the channels come together again. Every sum runs over w in its order.
 *
 * Rows are read W numbers at a time, 4 bytes: one float, or two bfloat16; one where these are on odd places.
 */
#include "nn/cuda/instructions.h"
#include "nn/cuda/rows.h"

enum {
    ROWS = 3,
    COLUMNS = 6,
    SIDE = 24,
    ACROSS = SIDE / COLUMNS, /* lanes beside each other: ACROSS * SIDE / ROWS is a warp */
    STEP = 4,
    LINE = SIDE + 4,         /* of SIDE numbers: neither lanes in a row nor lanes in a column meet in a bank */
    PLANE = SIDE * LINE + 4, /* of a channel: nor do channels */
    WARPS = 8,
    SECTOR = 32,
    MOST_BLOCKS = 1024
};

/* Matrices, one for each graph, and how they are read. */
template <class T> struct factor {
    view<T> x;
    bool transposed;
};

/* Entries (i, l) of a matrix of n columns that begins in row `first`, from i and l on; `across`: they lie as (l, i). */
struct part {
    uint32_t first, n, i, l;
    bool across;
};

static __device__ __forceinline__ uint32_t at_most_side(uint32_t left)
{
    return left < SIDE ? left : (uint32_t)SIDE;
}

/* W numbers on a boundary of their size. */
template <class T, int W> struct alignas(W * sizeof(T)) word {
    T number[W];
};

/* held[channel][i][l] = entry (i, l), for the channels from column c on; l goes on to a multiple of STEP, with zeros. A
 * warp has a row i at a time, of which its lanes have some l and all channels. */
template <class T, int W> static __device__ __forceinline__ void fetch(view<T> x, part p, uint32_t c, T *held)
{
    enum { WORDS = SECTOR / sizeof(T) / W, LANES = LM_WARP / WORDS, EACH = SIDE / LANES };
    const uint32_t high = at_most_side(p.n - p.i), deep = (at_most_side(p.n - p.l) + STEP - 1) / STEP * STEP;
    const uint32_t lane = threadIdx.x % LM_WARP, channel = lane % WORDS * W, column = c + channel;
    for (uint32_t i = threadIdx.x / LM_WARP; i < high; i += WARPS) {
        T *to = held + channel * PLANE + i * LINE;
        word<T, W> numbers[EACH] = {}; /* on their way together, where the device has no copies of so few bytes */
        LM_UNROLL for (uint32_t e = 0; e < EACH; e++)
        {
            const uint32_t l = lane / WORDS + e * LANES;
            const uint32_t row = p.across ? (p.l + l) * p.n + p.i + i : (p.i + i) * p.n + p.l + l;
            const bool there = p.l + l < p.n && column < x.width;
            const T *from = there ? x.row(p.first + row) + column : x.data;
            if (sizeof(T) == 4 && l < deep) copy_async<4>(to + l, from, there);
            if (sizeof(T) < 4 && there) numbers[e] = *reinterpret_cast<const word<T, W> *>(from);
        }
        LM_UNROLL for (uint32_t e = 0; e < EACH; e++)
        {
            const uint32_t l = lane / WORDS + e * LANES;
            for (int w = 0; sizeof(T) < 4 && l < deep && w < W; w++) to[w * PLANE + l] = numbers[e].number[w];
        }
    }
}

/* STEP numbers of a line, as floats. */
template <class T> static __device__ __forceinline__ void load_step(const T *from, float *to)
{
    const word<T, STEP> numbers = *reinterpret_cast<const word<T, STEP> *>(from);
    for (int s = 0; s < STEP; s++) to[s] = to_float(numbers.number[s]);
}

/* sum += the products of `count` numbers of lines of the left part and of the right one. */
template <class T>
static __device__ __forceinline__ void add_products(const T *left, const T *right, uint32_t count,
                                                    float (&sum)[ROWS][COLUMNS])
{
    for (uint32_t l = 0; l < count; l += STEP) {
        float p[ROWS][STEP];
        LM_UNROLL for (int x = 0; x < ROWS; x++) load_step(left + x * LINE + l, p[x]);
        LM_UNROLL for (int y = 0; y < COLUMNS; y++)
        {
            float q[STEP];
            load_step(right + y * LINE + l, q);
            LM_UNROLL for (int x = 0; x < ROWS; x++) for (int s = 0; s < STEP; s++) sum[x][y] += p[x][s] * q[s];
        }
    }
}

/* to = results, or to += results, for the channels from column c on and high x wide entries from (i, j) on. */
template <class T, int W>
static __device__ __forceinline__ void put_results(const float *results, view<T> to, uint32_t n, uint32_t corner,
                                                   uint32_t high, uint32_t wide, uint32_t c, bool add)
{
    enum { WORDS = SECTOR / sizeof(T) / W, LANES = LM_WARP / WORDS };
    const uint32_t lane = threadIdx.x % LM_WARP, channel = lane % WORDS * W;
    if (c + channel >= to.width) return;
    for (uint32_t i = threadIdx.x / LM_WARP; i < high; i += WARPS)
        for (uint32_t j = lane / WORDS; j < wide; j += LANES) {
            word<T, W> *const at = reinterpret_cast<word<T, W> *>(to.row(corner + i * n + j) + c + channel);
            word<T, W> numbers = {};
            if (add) numbers = *at;
            for (int w = 0; w < W; w++)
                from_float(to_float(numbers.number[w]) + results[(channel + w) * PLANE + i * LINE + j],
                           numbers.number + w);
            *at = numbers;
        }
}

/* Where the matrices of graphs begin. */
struct matrices {
    const uint32_t *row_start, *vertex_start;
};

template <class T> static __host__ __device__ __forceinline__ uint32_t slices_of(uint32_t width)
{
    return (width + SECTOR / sizeof(T) - 1) / (SECTOR / sizeof(T));
}

template <class T, int W>
static __global__ __launch_bounds__(WARPS *LM_WARP) void multiply(factor<T> a, factor<T> b, view<T> to, bool add,
                                                                  matrices m)
{
    enum { CHANNELS = SECTOR / sizeof(T), EACH = CHANNELS / WARPS, PANEL = CHANNELS * PLANE };
    LM_SHARED(uint4, held, (2 * PANEL * sizeof(T) + sizeof(uint4) - 1) / sizeof(uint4)); /* results later on */
    T *const left = reinterpret_cast<T *>(held), *const right = left + PANEL;
    const uint32_t slices = slices_of<T>(to.width), g = blockIdx.x / slices, c = blockIdx.x % slices * CHANNELS;
    const uint32_t first = m.row_start[g], n = m.vertex_start[g + 1] - m.vertex_start[g];
    const uint32_t parts = (n + SIDE - 1) / SIDE, lane = threadIdx.x % LM_WARP, warp = threadIdx.x / LM_WARP;
    const uint32_t i = lane / ACROSS * ROWS, j = lane % ACROSS * COLUMNS;
    for (uint32_t t = blockIdx.y; t < parts * parts; t += gridDim.y) {
        part rows = {first, n, t / parts * SIDE, 0, a.transposed};
        part columns = {first, n, t % parts * SIDE, 0, !b.transposed};
        float sum[EACH][ROWS][COLUMNS] = {};
        for (; rows.l < n; rows.l += SIDE, columns.l += SIDE) {
            __syncthreads();
            fetch<T, W>(a.x, rows, c, left);
            fetch<T, W>(b.x, columns, c, right);
            copy_end_group();
            copy_wait<0>();
            __syncthreads();
            LM_UNROLL for (uint32_t e = 0; e < EACH; e++)
                add_products(left + (warp * EACH + e) * PLANE + i * LINE, right + (warp * EACH + e) * PLANE + j * LINE,
                             at_most_side(n - rows.l), sum[e]);
        }
        float *const results = reinterpret_cast<float *>(held);
        __syncthreads();
        LM_UNROLL for (uint32_t e = 0; e < EACH; e++) LM_UNROLL for (uint32_t x = 0; x < ROWS; x++)
            LM_UNROLL for (uint32_t y = 0; y < COLUMNS; y++)
                results[(warp * EACH + e) * PLANE + (i + x) * LINE + j + y] = sum[e][x][y];
        __syncthreads();
        put_results<T, W>(results, to, n, first + rows.i * n + columns.i, at_most_side(n - rows.i),
                          at_most_side(n - columns.i), c, add);
    }
}

/* Blocks of results of a graph: enough for one of the mean size; a larger one goes through them again. */
static unsigned parts_of(size_t rows, size_t graphs)
{
    const size_t side = ((size_t)ceil(sqrt((double)rows / (double)graphs)) + SIDE - 1) / SIDE;
    return (unsigned)(side * side < MOST_BLOCKS ? side * side : (size_t)MOST_BLOCKS);
}

/* Do all rows begin on a boundary of 4 bytes? */
static bool is_even(const lm_tensor &t, bool half)
{
    return !half || (t.width % 2 == 0 && t.stride % 2 == 0 && (uintptr_t)t.data % 4 == 0);
}

/* Rows of padding stay finite, and have no gradient. */
template <class T, int W>
static void launch(lm_cuda *cuda, const lm_frame *f, const lm_tensor &a, const lm_tensor &b, const lm_tensor &to,
                   bool add, bool a_transposed, bool b_transposed)
{
    const matrices m = {f->batch->start[LM_TUPLES], f->batch->start[LM_VERTICES]};
    const unsigned graphs = (unsigned)f->batch->extent.rows[LM_GRAPHS];
    const factor<T> left = {view_of<T>(a), a_transposed}, right = {view_of<T>(b), b_transposed};
    const dim3 blocks(graphs * slices_of<T>((uint32_t)to.width), parts_of(to.rows, graphs));
    LM_LAUNCH_WAITING((multiply<T, W>), blocks, dim3(WARPS * LM_WARP), cuda->device.stream, left, right, view_of<T>(to),
                      add, m);
    if (!add)
        LM_LAUNCH((clear_padding<T>), blocks_of(cuda, to.rows), block_of_rows(), cuda->device.stream, view_of<T>(to),
                  (const uint32_t *)(cuda->live + LM_TUPLES));
    lm_device_launched(&cuda->device, "products of the matrices of graphs");
}

static void run(lm_backend *backend, const lm_frame *f, const lm_tensor &a, const lm_tensor &b, const lm_tensor &to,
                bool add, bool a_transposed, bool b_transposed)
{
    const bool half = lm_cuda_half(backend, LM_TUPLES);
    const bool even = is_even(a, half) && is_even(b, half) && is_even(to, half);
    if (!to.data || !to.rows || !f->batch->extent.rows[LM_GRAPHS]) return;
    const auto product = !half ? launch<float, 1> : even ? launch<lm_bfloat16, 2> : launch<lm_bfloat16, 1>;
    product(lm_cuda_of(backend), f, a, b, to, add, a_transposed, b_transposed);
}

void lm_cuda_matmul_forward(lm_backend *backend, const lm_frame *f)
{
    run(backend, f, f->in[0], f->in[1], f->out[0], false, false, false);
}

void lm_cuda_matmul_backward(lm_backend *backend, const lm_frame *f)
{
    const lm_tensor &g = f->out_gradient[0];
    run(backend, f, g, f->in[1], f->in_gradient[0], f->add[0], false, true);
    run(backend, f, f->in[0], g, f->in_gradient[1], f->add[1], true, false);
}
