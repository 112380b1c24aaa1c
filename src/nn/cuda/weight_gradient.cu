/*
 * Gradients of weights: dW[m][n] += G' X from G [rows][m] and X [rows][n], where dW is small and rows are many.
 *
 * In TF32 a block computes a tile of 64 x 64 numbers of dW for a part of the rows. It iterates over slices of 16 rows;
 * four slices are being loaded while one is multiplied. Each of its eight warps has 32 x 32 numbers: four warps use the
 * first eight rows of a slice, four the others, and both sums are added at the end. The sums of parts are written, and
 * another kernel adds them up in a fixed order. If there is only one part, it is added to dW directly.
 *
 * The assignment of rows and columns of a tile to those of a tensor-core product is free. A lane takes four adjacent
 * ones: it reads 16 bytes of a slice, whose rows are 68 numbers apart, so that eight lanes use every bank once. It
 * writes 16 bytes of a row of dW, which with those of three other lanes are 64 contiguous bytes.
 *
 * Cost: rows (m + n) numbers are read for each 64 x 64 tile, so large dW are left to cuBLASLt, as are other precisions.
 */
#include "nn/cuda/instructions.h"
#include "nn/cuda/rows.h"

enum {
    TILE = 64,     /* rows and columns of dW */
    DEPTH = 16,    /* of a slice */
    SLICES = 5,    /* in shared memory */
    STRIDE = 68,   /* of a slice in shared memory: consecutive rows are four banks apart */
    THREADS = 256, /* 2 x 2 warps, twice */
    SLICE = DEPTH * STRIDE,
    PARTS = 128,   /* maximum: nearly all multiprocessors of an H200; a constant, so that sums never differ */
    PART_ROWS = 16 /* minimum: a slice */
};

/* A matrix of rows. wide: rows are read 16 bytes at a time. */
struct factor {
    const float *data;
    uint32_t width, stride;
    bool wide;
};

struct gradient {
    factor g, x;
    uint32_t rows, part_rows; /* number of all rows, of the rows of a part: a multiple of DEPTH */
    float *to;                /* sums of the first part [m][n]; parts are part_stride numbers apart */
    size_t part_stride;
    bool add, wide; /* add to what is there; write 16 bytes at a time */
};

/* ---- Parts of sums --------------------------------------------------------------------------- */

/* Loads the slice of rows from `row` on, excluding rows from `end` on: 64 columns, zeros outside the matrix. */
static __device__ __forceinline__ void fetch_slice(const factor &f, uint32_t column, uint32_t row, uint32_t end,
                                                   float *slice)
{
    if (f.wide) {
        const uint32_t r = threadIdx.x / 16, c = threadIdx.x % 16 * 4;
        const bool there = row + r < end && column + c < f.width;
        copy_async<16>(slice + r * STRIDE + c, there ? f.data + (size_t)(row + r) * f.stride + column + c : f.data,
                       there);
        return;
    }
    LM_UNROLLED_FOR (uint32_t i = 0; i < 4; i++) {
        const uint32_t r = threadIdx.x / TILE + i * 4, c = threadIdx.x % TILE;
        const bool there = row + r < end && column + c < f.width;
        copy_async<4>(slice + r * STRIDE + c, there ? f.data + (size_t)(row + r) * f.stride + column + c : f.data,
                      there);
    }
}

/* The position of a thread's numbers. A lane has four adjacent columns of the 32 of its warp, as row lane / 4 of A and
 * column lane / 4 of B. */
struct gradient_place {
    uint32_t half, row, column; /* half of a slice; first row and column of the warp in the tile */
    uint32_t group, member;     /* lane / 4, lane % 4 */
};

static __device__ __forceinline__ gradient_place place_of_thread()
{
    const uint32_t warp = threadIdx.x / LM_WARP, lane = threadIdx.x % LM_WARP;
    const gradient_place p = {warp / 4, warp % 4 / 2 * 32, warp % 2 * 32, lane / 4, lane % 4};
    return p;
}

/* Multiplies eight rows of a slice. Tensor product i, j has rows 2i and 2i + 1 of the lane's four, and column j of its
 * four. */
static __device__ __forceinline__ void multiply_slice(float (&sum)[2][4][4], const float *g, const float *x,
                                                      const gradient_place &p)
{
    const uint32_t place = p.group % 2 * 16 + p.group / 2 * 4, row = p.half * 8 + p.member;
    const float4 *left = reinterpret_cast<const float4 *>(g + row * STRIDE + p.row + place);
    const float4 *right = reinterpret_cast<const float4 *>(x + row * STRIDE + p.column + place);
    const float4 a0 = left[0], a4 = left[STRIDE], b0 = right[0], b4 = right[STRIDE]; /* and four rows further */
    const uint32_t a[2][4] = {{round_tf32(a0.x), round_tf32(a0.y), round_tf32(a4.x), round_tf32(a4.y)},
                              {round_tf32(a0.z), round_tf32(a0.w), round_tf32(a4.z), round_tf32(a4.w)}};
    const uint32_t b[4][2] = {{round_tf32(b0.x), round_tf32(b4.x)},
                              {round_tf32(b0.y), round_tf32(b4.y)},
                              {round_tf32(b0.z), round_tf32(b4.z)},
                              {round_tf32(b0.w), round_tf32(b4.w)}};
    LM_UNROLLED_FOR (int i = 0; i < 2; i++)
        LM_UNROLLED_FOR (int j = 0; j < 4; j++) mma_tf32(sum[i][j], a[i], b[j]);
}

/* Number c of four products: four adjacent columns. */
static __device__ __forceinline__ float4 four_of(const float (&sum)[4][4], int c)
{
    return make_float4(sum[0][c], sum[1][c], sum[2][c], sum[3][c]);
}

static __device__ __forceinline__ void put_four(const gradient &p, float *to, float4 x, uint32_t columns)
{
    const float number[4] = {x.x, x.y, x.z, x.w};
    if (p.wide && !p.add)
        *reinterpret_cast<float4 *>(to) = x;
    else
        LM_UNROLLED_FOR (uint32_t i = 0; i < 4; i++)
            if (i < columns) to[i] = p.add ? to[i] + number[i] : number[i];
}

/* Adds the sums of both halves of slices: a thread passes half of its numbers to the thread of the other half with the
 * same position, then adds and writes the numbers it keeps. */
static __device__ __forceinline__ void finish_tile(const gradient &p, const float (&sum)[2][4][4], uint32_t row,
                                                   uint32_t column, const gradient_place &at, float4 *held)
{
    const uint32_t m = p.g.width, n = p.x.width;
    row += at.row + at.group % 2 * 16 + at.group / 2 * 4 + 2 * at.half, column += at.column + at.member * 4;
    __syncthreads(); /* the last slice has been read */
    LM_UNROLLED_FOR (int c = 0; c < 4; c++)
        held[c * THREADS + threadIdx.x] = at.half ? four_of(sum[0], c) : four_of(sum[1], c);
    __syncthreads();
    LM_UNROLLED_FOR (uint32_t c = 0; c < 4; c++) {
        const float4 other = held[c * THREADS + (threadIdx.x ^ (THREADS / 2))];
        const float4 x = at.half ? four_of(sum[1], c) : four_of(sum[0], c);
        const uint32_t r = row + c / 2, first = column + c % 2 * 16;
        if (r < m && first < n)
            put_four(p, p.to + blockIdx.x * p.part_stride + (size_t)r * n + first,
                     make_float4(x.x + other.x, x.y + other.y, x.z + other.z, x.w + other.w), n - first);
    }
}

static __global__ void __launch_bounds__(THREADS) multiply_part(const LM_GRID_CONSTANT gradient p)
{
    lm_after_previous();
    LM_SHARED(float4, shared, SLICES * 2 * SLICE / 4);
    float *slices = reinterpret_cast<float *>(shared);
    const gradient_place at = place_of_thread();
    const uint32_t across = (p.x.width + TILE - 1) / TILE;
    const uint32_t row = blockIdx.y / across * TILE, column = blockIdx.y % across * TILE;
    const uint32_t first = blockIdx.x * p.part_rows, rest = p.rows - first;
    const uint32_t end = first + (rest < p.part_rows ? rest : p.part_rows);
    const uint32_t steps = (end - first + DEPTH - 1) / DEPTH;
    const bool works = row + at.row < p.g.width && column + at.column < p.x.width;
    float sum[2][4][4] = {};
    for (uint32_t step = 0; step < steps + SLICES - 1; step++) {
        if (step >= SLICES - 1) { /* the slice that was requested this many steps before has arrived */
            copy_wait<SLICES - 2>();
            __syncthreads();
        }
        if (step < steps) {
            float *slice = slices + step % SLICES * 2 * SLICE;
            fetch_slice(p.g, row, first + step * DEPTH, end, slice);
            fetch_slice(p.x, column, first + step * DEPTH, end, slice + SLICE);
        }
        copy_end_group();
        if (step < SLICES - 1) continue;
        const float *slice = slices + (step - SLICES + 1) % SLICES * 2 * SLICE;
        if (works) multiply_slice(sum, slice, slice + SLICE, at);
    }
    finish_tile(p, sum, row, column, at, shared);
}

/* ---- Their sum ------------------------------------------------------------------------------- */

/* A block adds 32 numbers, four per thread; a thread adds every 32nd part. */
static __global__ void __launch_bounds__(THREADS)
    add_sums(const float *parts, uint32_t count, size_t stride, uint32_t numbers, float *to)
{
    lm_after_previous();
    enum { GROUPS = THREADS / 8, AHEAD = PARTS / GROUPS };
    LM_SHARED(float4, held, THREADS / LM_WARP * 8);
    const uint32_t first = blockIdx.x * 32, own = first + threadIdx.x, at = first + threadIdx.x % 8 * 4;
    const bool writes = threadIdx.x < 32 && own < numbers;
    const float before = writes ? to[own] : 0;
    float4 number[AHEAD] = {}, sum = {};
    LM_UNROLLED_FOR (uint32_t i = 0; i < AHEAD; i++) {
        const uint32_t part = threadIdx.x / 8 + i * GROUPS;
        if (part < count && at < numbers) number[i] = *reinterpret_cast<const float4 *>(parts + part * stride + at);
    }
    LM_UNROLLED_FOR (int i = 0; i < AHEAD; i++)
        sum.x += number[i].x, sum.y += number[i].y, sum.z += number[i].z, sum.w += number[i].w;
    for (int mask = 8; mask < LM_WARP; mask *= 2) {
        sum.x += __shfl_xor_sync(0xffffffffu, sum.x, mask), sum.y += __shfl_xor_sync(0xffffffffu, sum.y, mask);
        sum.z += __shfl_xor_sync(0xffffffffu, sum.z, mask), sum.w += __shfl_xor_sync(0xffffffffu, sum.w, mask);
    }
    if (threadIdx.x % LM_WARP < 8) held[threadIdx.x / LM_WARP * 8 + threadIdx.x % LM_WARP] = sum;
    __syncthreads();
    if (!writes) return;
    float total = 0;
    LM_UNROLLED_FOR (int warp = 0; warp < THREADS / LM_WARP; warp++)
        total += reinterpret_cast<const float *>(held)[warp * 32 + threadIdx.x];
    to[own] = before + total;
}

/* ---- On the host ----------------------------------------------------------------------------- */

static size_t tiles_in(size_t m, size_t n)
{
    return (m + TILE - 1) / TILE * ((n + TILE - 1) / TILE);
}

/* Returns the largest number of rows that is summed here if dW has this many tiles: below it this kernel is faster than
 * cuBLASLt on an H200 (bench/cuda/weight_gradient.cu). */
static size_t most_rows(size_t tiles)
{
    return tiles <= 2 ? 32768 : tiles <= 4 ? 8192 : tiles <= 16 ? 256 : 0;
}

static bool suits(const lm_cuda *cuda, size_t rows, size_t m, size_t n, bool half)
{
    return !half && cuda->precision != LEMAN_PRECISION_FP32 && rows <= most_rows(tiles_in(m, n));
}

/* Returns an upper bound on the number of parts, which does not decrease with the rows. */
static size_t most_parts(size_t rows)
{
    const size_t wanted = (rows + PART_ROWS - 1) / PART_ROWS;
    return wanted < PARTS ? wanted : (size_t)PARTS;
}

static size_t stride_of_parts(size_t m, size_t n)
{
    return (m * n + 3) / 4 * 4;
}

/* The result also covers fewer rows, which may be summed here even if this many rows are not. */
size_t lm_cuda_weight_gradient_bytes(const lm_cuda *cuda, size_t rows, size_t m, size_t n)
{
    const size_t most = most_rows(tiles_in(m, n)), parts = most_parts(rows < most ? rows : most);
    if (cuda->precision == LEMAN_PRECISION_FP32 || parts <= 1) return 0;
    return parts * stride_of_parts(m, n) * sizeof(float) + 16;
}

static factor factor_of(const lm_tensor &t)
{
    const factor f = {t.data, (uint32_t)t.width, (uint32_t)t.stride, is_wide(t, sizeof(float))};
    return f;
}

/* Computes the sums in at most `most` parts of whole slices. */
static void add_by_parts(lm_cuda *cuda, const lm_tensor &g, const lm_tensor &x, size_t most, float *to, float *work)
{
    const size_t tiles = tiles_in(g.width, x.width), numbers = g.width * x.width;
    const size_t rows = ((g.rows + most - 1) / most + DEPTH - 1) / DEPTH * DEPTH;
    const unsigned parts = (unsigned)((g.rows + rows - 1) / rows);
    gradient p = {};
    p.g = factor_of(g), p.x = factor_of(x);
    p.rows = (uint32_t)g.rows, p.part_rows = (uint32_t)rows;
    p.to = to, p.add = parts == 1;
    if (parts > 1) {
        work += (16 - (uintptr_t)work % 16) % 16 / sizeof(float);
        p.to = work, p.part_stride = stride_of_parts(g.width, x.width), p.wide = x.width % 4 == 0;
    }
    LM_LAUNCH_EARLY_WAITING(multiply_part, dim3(parts, (unsigned)tiles), dim3(THREADS), &cuda->device, p);
    if (parts > 1)
        LM_LAUNCH_EARLY_WAITING(add_sums, dim3((unsigned)((numbers + 31) / 32)), dim3(THREADS), &cuda->device,
                                (const float *)work, parts, p.part_stride, (uint32_t)numbers, to);
}

void lm_cuda_weight_gradient(lm_cuda *cuda, const lm_tensor &g, const lm_tensor &x, bool half, float *to, void *work)
{
    if (!g.rows || !g.width || !x.width) return;
    if (suits(cuda, g.rows, g.width, x.width, half)) {
        add_by_parts(cuda, g, x, most_parts(g.rows), to, (float *)work);
        return;
    }
    lm_cuda_product p = {};
    p.m = g.width, p.n = x.width, p.k = g.rows;
    p.a.data = g.data, p.a.stride = g.stride, p.a.transposed = true, p.a.half = half;
    p.b.data = x.data, p.b.stride = x.stride, p.b.half = half;
    p.c = to, p.c_stride = x.width, p.add = true;
    lm_cuda_multiply(cuda, &p);
}
