/*
 * Shared by the kernels: matrices of floats or bfloat16 whose rows are read 16 bytes at a time, activations, sums over
 * the lanes of a warp and over the rows of a matrix.
 *
 * A row is processed by the 32 lanes of a warp; a block has LM_CUDA_ROWS rows at once. Thread (x, y) has the columns x
 * V, (x + 32) V, ... of row y. V numbers are loaded at once: 4 floats or 8 bfloat16, or 1 if widths or addresses are
 * not aligned.
 */
#ifndef LM_ROWS_H
#define LM_ROWS_H

#include "base/cuda/kernel.h"
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern "C" {
#include "nn/cuda/cuda.h"
}

/* ---- Numbers --------------------------------------------------------------------------------- */

static __device__ __forceinline__ float to_float(float x)
{
    return x;
}
static __device__ __forceinline__ float to_float(lm_bfloat16 x)
{
    return __bfloat162float(x);
}
static __device__ __forceinline__ void from_float(float x, float *to)
{
    *to = x;
}
static __device__ __forceinline__ void from_float(float x, lm_bfloat16 *to)
{
    *to = __float2bfloat16(x);
}

/* V numbers, as floats. */
template <class T, int V> struct pack {
    float at[V];
};

/* V numbers as they are in memory: bfloat16 take half the registers of a pack until they are used. */
template <class T, int V> struct raw {
    uint4 word;
};
template <> struct raw<lm_bfloat16, 4> {
    uint2 word; /* half as many numbers at once: where a pack of eight would take too many registers */
};
template <class T> struct raw<T, 1> {
    T number;
};

template <class T, int V> static __device__ __forceinline__ void load_raw(const T *from, raw<T, V> *to)
{
    to->word = *reinterpret_cast<const uint4 *>(from);
}
static __device__ __forceinline__ void load_raw(const lm_bfloat16 *from, raw<lm_bfloat16, 4> *to)
{
    to->word = *reinterpret_cast<const uint2 *>(from);
}
template <class T> static __device__ __forceinline__ void load_raw(const T *from, raw<T, 1> *to)
{
    to->number = *from;
}
template <class T, int V> static __device__ __forceinline__ pack<T, V> unpack(const raw<T, V> &from)
{
    pack<T, V> p;
    T numbers[V];
    memcpy(numbers, &from, sizeof numbers);
    for (int i = 0; i < V; i++) p.at[i] = to_float(numbers[i]);
    return p;
}

template <class T, int V> static __device__ __forceinline__ pack<T, V> load(const T *from)
{
    raw<T, V> word;
    load_raw(from, &word);
    return unpack<T, V>(word);
}

template <class T, int V> static __device__ __forceinline__ void store(T *to, const pack<T, V> &p)
{
    if (V == 1) {
        from_float(p.at[0], to);
    } else {
        T numbers[V];
        decltype(raw < T, V == 1 ? 4 : V > ::word) word;
        for (int i = 0; i < V; i++) from_float(p.at[i], numbers + i);
        memcpy(&word, numbers, sizeof numbers);
        *reinterpret_cast<decltype(word) *>(to) = word;
    }
}

/* V floats that belong to numbers of type T: biases, scales. If V > 1 they must be aligned to 16 bytes. */
template <int V> struct floats {
    float at[V];
};
template <int V> static __device__ __forceinline__ floats<V> load_floats(const float *from)
{
    floats<V> p;
    if (V == 1)
        p.at[0] = *from;
    else
        for (int i = 0; i < V; i += 4) {
            const float4 four = *reinterpret_cast<const float4 *>(from + i);
            p.at[i] = four.x, p.at[i + 1] = four.y, p.at[i + 2] = four.z, p.at[i + 3] = four.w;
        }
    return p;
}

/* to = p, or to += p if add. */
template <class T, int V> static __device__ __forceinline__ void put(T *to, pack<T, V> p, bool add)
{
    if (add) {
        const pack<T, V> old = load<T, V>(to);
        for (int i = 0; i < V; i++) p.at[i] += old.at[i];
    }
    store<T, V>(to, p);
}

/* ---- Matrices -------------------------------------------------------------------------------- */

/* A tensor with numbers of type T. A kernel that takes a view is launched with the tensor itself. */
template <class T> struct view {
    T *data;
    uint32_t rows, width, stride;
    view() = default;
    view(const lm_tensor &t)
        : data(reinterpret_cast<T *>(t.data)), rows((uint32_t)t.rows), width((uint32_t)t.width),
          stride((uint32_t)t.stride)
    {
    }
    __device__ __forceinline__ T *row(uint32_t r) const
    {
        return data + (size_t)r * stride;
    }
};

/* Return true if the rows of the matrix, or of all matrices, can be read 16 bytes at a time. */
static inline bool is_wide(const lm_tensor &t, size_t bytes)
{
    if (!t.data) return true;
    const size_t numbers = 16 / bytes;
    return t.width % numbers == 0 && t.stride % numbers == 0 && (uintptr_t)t.data % 16 == 0;
}
static inline bool are_wide(bool half)
{
    (void)half;
    return true;
}
template <class... Rest> static bool are_wide(bool half, const lm_tensor &first, const Rest &...rest)
{
    return is_wide(first, half ? 2 : 4) && are_wide(half, rest...);
}

template <class T_, int V_> struct kind {
    typedef T_ T;
    enum { V = V_ };
};

/* Calls f with the type of numbers and the size of packs. */
template <class F> static void with_kind(bool half, bool wide, F f)
{
    if (half && wide)
        f(kind<lm_bfloat16, 8>());
    else if (half)
        f(kind<lm_bfloat16, 1>());
    else if (wide)
        f(kind<float, 4>());
    else
        f(kind<float, 1>());
}
#define KIND(k)                                                                                                        \
    typedef typename decltype(k)::T T;                                                                                 \
    enum { V = decltype(k)::V };                                                                                       \
    (void)V

static inline lm_row_space space_of(const lm_frame *f, uint32_t value)
{
    return lm_program_value(f->program, value)->space;
}

/* Returns true if the output of a step has 16 bits. */
static inline bool half_of(const lm_cuda *cuda, const lm_frame *f)
{
    return lm_cuda_half(cuda, space_of(f, f->step->output[0]));
}

/* Returns the number of blocks for a matrix of `rows` rows if a block processes `at_once` of them: enough to fill the
 * device several times. Blocks then loop over further rows. */
static inline unsigned blocks_of(const lm_cuda *cuda, size_t rows, size_t at_once = LM_CUDA_ROWS)
{
    const size_t most = (size_t)cuda->device.multiprocessors * 16, wanted = (rows + at_once - 1) / at_once;
    return (unsigned)(wanted < 1 ? 1 : wanted < most ? wanted : most);
}
static inline dim3 block_of_rows()
{
    return dim3(LM_CUDA_LANES, LM_CUDA_ROWS);
}

/* Launch a kernel that, like its grid, its block and its arguments, may depend on T and V. LAUNCH_WAITING is for kernels
 * whose threads wait for each other. LAUNCH_ROWS and LAUNCH_ROWS_WAITING have a warp for each row; they launch nothing if
 * there are no rows. */
#define LAUNCH_BY(launch, cuda, half, wide, grid, block, kernel, ...)                                                  \
    with_kind(half, wide, [&](auto k) {                                                                                \
        KIND(k);                                                                                                       \
        launch(kernel, grid, block, &(cuda)->device, __VA_ARGS__);                                                     \
    })
#define LAUNCH_WAITING(...) LAUNCH_BY(LM_LAUNCH_EARLY_WAITING, __VA_ARGS__)
#define LAUNCH_ROWS_BY(launch, cuda, half, wide, count, ...)                                                           \
    do {                                                                                                               \
        if (count) LAUNCH_BY(launch, cuda, half, wide, blocks_of(cuda, count), block_of_rows(), __VA_ARGS__);          \
    } while (0)
#define LAUNCH_ROWS(...) LAUNCH_ROWS_BY(LM_LAUNCH_EARLY, __VA_ARGS__)
#define LAUNCH_ROWS_WAITING(...) LAUNCH_ROWS_BY(LM_LAUNCH_EARLY_WAITING, __VA_ARGS__)

/* Returns the item that this block belongs to, of several items that share a grid. item[i].first is the first block of
 * item i. */
template <class T> static __device__ __forceinline__ const T &item_of_block(const T *item, uint32_t count)
{
    uint32_t at = 0;
    for (uint32_t end = count; end - at > 1;) {
        const uint32_t middle = (at + end) / 2;
        if (item[middle].first <= blockIdx.x)
            at = middle;
        else
            end = middle;
    }
    return item[at];
}

/* Loop over the rows of this thread; over the packs of its columns. */
#define FOR_ROWS(r, count)                                                                                             \
    for (uint32_t r = blockIdx.x * blockDim.y + threadIdx.y; r < (count); r += gridDim.x * blockDim.y)
#define FOR_COLUMNS(c, width) for (uint32_t c = threadIdx.x * V; c < (width); c += blockDim.x * V)

/* Sets the rows from *live on to zero, or all rows if live is NULL. Padding rows have no gradient, and their numbers must
 * be finite. */
template <class T, int V> static __global__ void clear_rows(view<T> x, const uint32_t *live)
{
    lm_after_previous();
    const pack<T, V> zeros = {};
    const uint32_t first = live ? *live : 0;
    FOR_ROWS (r, x.rows)
        for (uint32_t c = threadIdx.x * V; r >= first && c < x.width; c += blockDim.x * V)
            store<T, V>(x.row(r) + c, zeros);
}

/* ---- Arcs ------------------------------------------------------------------------------------ */

/* lm_arcs in a kernel. */
struct by_end : lm_arcs {
    __device__ __forceinline__ uint32_t number(uint32_t i) const
    {
        return arc ? arc[i] : i;
    }
};

/* The arcs of a batch, by the vertex that receives and by the vertex that sends in a step. */
struct arcs {
    by_end received, sent;
    const uint32_t *live; /* number of arcs that are not padding */
    bool mean;
    /* Returns the factor of the sum over the arcs of vertex u, which must have arcs if sums are means. */
    __device__ __forceinline__ float share(uint32_t u) const
    {
        return mean ? 1 / (float)(received.start[u + 1] - received.start[u]) : 1;
    }
};
static inline arcs arcs_of(const lm_cuda *cuda, const lm_frame *f)
{
    return {{lm_arcs_received(f)}, {lm_arcs_sent(f)}, cuda->live + LM_ARCS, f->step->rate > 0};
}

/* ---- Functions ------------------------------------------------------------------------------- */

static __device__ __forceinline__ float activate(float x, lm_activation f)
{
    if (f == LM_RELU) return x > 0 ? x : 0;
    if (f == LM_ELU) return x > 0 ? x : expm1f(x);
    return x;
}
/* g f'(x), from y = f(x). */
static __device__ __forceinline__ float derivative(float g, float y, lm_activation f)
{
    if (f == LM_RELU) return y > 0 ? g : 0;
    if (f == LM_ELU) return y > 0 ? g : g * (y + 1);
    return g;
}
static __device__ __forceinline__ float sigmoid(float x)
{
    return 1 / (1 + expf(-x));
}
static __device__ __forceinline__ float warp_sum(float x)
{
    for (int mask = 16; mask; mask >>= 1) x += __shfl_xor_sync(0xffffffffu, x, mask);
    return x;
}

/* parts[block] = the sum of `number` over all threads of a block of LM_CUDA_ROWS warps. */
static __device__ __forceinline__ void sum_threads(float number, float *parts)
{
    LM_SHARED(float, held, LM_CUDA_ROWS);
    const uint32_t thread = threadIdx.y * blockDim.x + threadIdx.x;
    number = warp_sum(number);
    if (thread % LM_CUDA_LANES == 0) held[thread / LM_CUDA_LANES] = number;
    __syncthreads();
    if (thread == 0) {
        float total = 0;
        for (int y = 0; y < LM_CUDA_ROWS; y++) total += held[y];
        parts[blockIdx.x] = total;
    }
}

/* ---- Sums over rows -------------------------------------------------------------------------- */

/*
 * Sums over the rows of a matrix in two steps. First, a kernel with a grid (parts, tiles) and blocks of lanes x rows
 * threads computes N sums for each column; sum_block() adds the rows of a block and writes parts[part][n][column].
 * Second, lm_cuda_add_parts() adds up the parts; or the last block of the kernel does so, with add_up_parts().
 */
static inline unsigned parts_of(size_t rows)
{
    const size_t wanted = (rows + 4 * LM_CUDA_ROWS - 1) / (4 * LM_CUDA_ROWS);
    return (unsigned)(wanted < 1 ? 1 : wanted < LM_CUDA_PARTS ? wanted : (size_t)LM_CUDA_PARTS);
}
static inline unsigned tiles_of(size_t width, size_t v)
{
    return (unsigned)((width + LM_CUDA_LANES * v - 1) / (LM_CUDA_LANES * v));
}
static inline size_t parts_bytes(size_t rows, size_t width, size_t sums)
{
    return (size_t)parts_of(rows) * width * sums * sizeof(float);
}
/* Returns a block of `threads` threads with as few lanes for a row as its packs of v numbers need. */
static inline dim3 block_for(size_t width, size_t v, unsigned threads)
{
    const unsigned lanes = width <= 8 * v ? 8 : width <= 16 * v ? 16 : LM_CUDA_LANES;
    return dim3(lanes, threads / lanes);
}

/* A thread loads the numbers of `ahead` rows at once, to hide the latency of memory. */
enum { LM_CUDA_AHEAD = 4 };
#define TILE_COLUMN ((blockIdx.y * blockDim.x + threadIdx.x) * V)
#define PART_ROW(j) (first + (uint32_t)(j)*gridDim.x * blockDim.y)
#define FOR_PART_ROWS(count, ahead)                                                                                    \
    for (uint32_t first = blockIdx.x * blockDim.y + threadIdx.y; first < (count);                                      \
         first += (ahead)*gridDim.x * blockDim.y)
/* into[j] = V raw numbers of row PART_ROW(j) from column c on, if the row exists. */
#define LOAD_PART_ROWS(into, matrix)                                                                                   \
    LM_UNROLLED_FOR (int j = 0; j < (int)(sizeof(into) / sizeof *(into)); j++)                                         \
        if (PART_ROW(j) < (matrix).rows) load_raw((matrix).row(PART_ROW(j)) + c, (into) + j)

/* Adds the rows of a block: rows that share a warp by shuffles, warps in shared memory. A block has at most THREADS
 * threads. */
template <int V, int N, int THREADS = LM_CUDA_ROWS *LM_CUDA_LANES>
static __device__ void sum_block(float (&sum)[N][V], uint32_t width, float *parts)
{
    LM_SHARED(float, held, THREADS *V);
    const uint32_t columns = blockDim.x * V, thread = threadIdx.y * blockDim.x + threadIdx.x;
    const uint32_t threads = blockDim.x * blockDim.y, warps = threads / LM_CUDA_LANES, tile = blockIdx.y * columns;
    const uint32_t warp = thread / LM_CUDA_LANES, lane = thread % LM_CUDA_LANES;
    for (int n = 0; n < N; n++) {
        for (uint32_t mask = blockDim.x; mask < LM_CUDA_LANES; mask *= 2)
            for (int i = 0; i < V; i++) sum[n][i] += __shfl_xor_sync(0xffffffffu, sum[n][i], (int)mask);
        __syncthreads();
        for (int i = 0; lane < blockDim.x && i < V; i++) held[warp * columns + lane * V + i] = sum[n][i];
        __syncthreads();
        for (uint32_t c = thread; c < columns && tile + c < width; c += threads) {
            float total = 0;
            for (uint32_t w = 0; w < warps; w++) total += held[w * columns + c];
            parts[((size_t)blockIdx.x * N + n) * width + tile + c] = total;
        }
    }
}

/* held[n][i] = the sums of column tile + i of parts[count][N][width], i < columns, in double precision and in a fixed
 * order. held must have capacity for N numbers of each of these columns and for one number of each thread. */
template <int N>
static __device__ void add_up_parts(const float *parts, uint32_t count, uint32_t width, uint32_t tile, uint32_t columns,
                                    double *held)
{
    enum { AHEAD = 12 };
    const uint32_t thread = threadIdx.y * blockDim.x + threadIdx.x, threads = blockDim.x * blockDim.y;
    const uint32_t sums = N * columns, groups = sums < threads ? threads / sums : 1; /* powers of two */
    for (uint32_t first = 0; first < sums; first += threads) {
        const uint32_t at = first + thread % (threads / groups), group = thread / (threads / groups);
        const uint32_t c = tile + at % columns;
        const float *from = parts + (size_t)(at / columns) * width + c;
        double sum = 0;
        for (uint32_t p = group; at < sums && c < width && p < count; p += AHEAD * groups) {
            float some[AHEAD] = {};
            LM_UNROLLED_FOR (uint32_t j = 0; j < AHEAD; j++)
                if (p + j * groups < count) some[j] = from[(size_t)N * (p + j * groups) * width];
            LM_UNROLLED_FOR (int j = 0; j < AHEAD; j++) sum += some[j];
        }
        if (at < sums) held[group * sums + at] = sum;
    }
    __syncthreads();
    for (uint32_t at = thread; groups > 1 && at < sums; at += threads)
        for (uint32_t g = 1; g < groups; g++) held[at] += held[g * sums + at];
    __syncthreads();
}

/* Returns a buffer for parts of sums of gradients that may be added up at the end of the backward pass, or `otherwise`
 * if the whole buffer has fewer than `bytes`. */
float *lm_cuda_parts_room(lm_cuda *cuda, size_t bytes, void *otherwise);
/* to[i] += the sum of parts[part][offset + i] over all parts, for i < width; consecutive parts are `stride` numbers
 * apart. The sum is computed at once, unless the parts are in a buffer of lm_cuda_parts_room(). */
void lm_cuda_add_parts(lm_cuda *cuda, const float *parts, unsigned count, size_t stride, size_t offset, size_t width,
                       float *to);

/* Replaces dY by G = dY f'(Y). If sums is not NULL, adds the columns of G to sums[width]. The workspace must have
 * parts_bytes(rows, width, 1) bytes. */
void lm_cuda_derive(lm_cuda *cuda, const lm_frame *f, float *sums);

/* LM_OP_NEIGHBORS over whole lines of pairs (nn/cuda/whole_lines.cu): the bytes of workspace; both functions return false,
 * and have done nothing, if the step is none of these or its matrices cannot be read 16 bytes at a time. */
size_t lm_cuda_whole_lines_bytes(const lm_cuda *cuda, const lm_frame *f);
bool lm_cuda_whole_lines_forward(lm_cuda *cuda, const lm_frame *f);
bool lm_cuda_whole_lines_backward(lm_cuda *cuda, const lm_frame *f);

/* lm_cuda_map() returns the product to = X W' with weight W = [outputs][inputs] number i of a step and X = `from`, or, if
 * back, to = G W with G = `from`. It reads a copy of W where there is one (nn/cuda/weights.cu). lm_cuda_bias() returns a
 * bias in the number type of the output; NULL if there is none. */
lm_cuda_product lm_cuda_map(const lm_cuda *cuda, const lm_frame *f, size_t i, bool back, bool half,
                            const lm_tensor &from, const lm_tensor &to);
const void *lm_cuda_bias(const lm_frame *f, size_t i, bool half);

/* dW[m][n] += G' X, where G is [rows][m] and X is [rows][n], both in bfloat16 if half. `work` must have
 * lm_cuda_weight_gradient_bytes() bytes for at least these rows. */
size_t lm_cuda_weight_gradient_bytes(const lm_cuda *cuda, size_t rows, size_t m, size_t n);
void lm_cuda_weight_gradient(lm_cuda *cuda, const lm_tensor &g, const lm_tensor &x, bool half, float *to, void *work);

#endif
