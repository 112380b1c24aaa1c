/*
 * C = f(A B) in FP32, fused with either a bias and ReLU, or the derivative of the ReLU that made the input and sums of
 * columns. A is [m][k]; B is [n][k] (transposed: read along k) or [k][n].
 *
 * A block computes a tile of 128 x 128 numbers of C and iterates over k in slices of LM_TILE_DEPTH; the next slice is
 * loaded while the current one is multiplied. Slices lie in shared memory along the rows of A and the columns of B.
 * Each of the eight warps computes 32 x 64 numbers, a thread 8 x 8: rows and columns 4 at a time, so that a thread
 * reads 16 bytes and a warp reads no bank twice. For every depth 64 products follow 4 reads.
 *
 * Blocks run in waves, LM_TILE_WAVE at a time. If the last wave would be at most half full, its tiles are divided into
 * two of 64 rows each, which take half the time.
 *
 * A number of C is one sum along k, added from the first product to the last, whatever the sizes are.
 */
#ifndef LM_TILES_H
#define LM_TILES_H

#include "base/cuda/kernel.h"
#include <stdint.h>

enum {
    LM_TILE = 128,         /* rows and columns of C */
    LM_TILE_DEPTH = 16,    /* of a slice */
    LM_TILE_STRIDE = 132,  /* of a slice in shared memory: consecutive rows are four banks apart */
    LM_TILE_THREADS = 256, /* 4 x 2 warps */
    LM_TILE_WAVE = 264,    /* two blocks per multiprocessor of an H200; a constant, so that sums never differ */
    LM_TILE_SLICE = LM_TILE_DEPTH * LM_TILE_STRIDE
};

typedef struct lm_tile_product {
    const float *a, *b;
    float *c;
    uint32_t m, n, k, a_stride, b_stride, c_stride;
    uint32_t whole;       /* number of blocks with 128 rows, which come first: lm_tile_cut() */
    const uint32_t *live; /* NULL, or the number of live rows: tiles that begin after them are computed as zeros */
    const float *bias;    /* [n], or NULL */
    bool relu, add;
    /* If MASKED, these replace bias, relu and add: */
    const float *mask; /* [m][n]: C is 0 wherever the mask is not above 0 */
    uint32_t mask_stride;
    float *sums; /* [parts][n] sums of the columns of C over the rows of each tile, or NULL */
} lm_tile_product;

/* The partition of the rows of C: `whole` parts of 128 rows, then `half` parts of 64. */
typedef struct lm_tile_rows {
    uint32_t whole, half;
} lm_tile_rows;

static inline lm_tile_rows lm_tile_cut(uint32_t m, uint32_t n)
{
    const uint32_t columns = (n + LM_TILE - 1) / LM_TILE, rows = (m + LM_TILE - 1) / LM_TILE;
    const uint32_t last = rows * columns % LM_TILE_WAVE, cut = (last + columns - 1) / columns;
    lm_tile_rows r = {rows, 0};
    if (last && last <= LM_TILE_WAVE / 2) {
        r.whole = rows - cut;
        r.half = (m - r.whole * LM_TILE + LM_TILE / 2 - 1) / (LM_TILE / 2);
    }
    return r;
}

/* Four numbers of a row; zeros outside the matrix. */
static __device__ __forceinline__ float4 load_four(const float *from, uint32_t row, uint32_t rows, uint32_t column,
                                                   uint32_t columns, uint32_t stride)
{
    if (row >= rows || column >= columns) return make_float4(0, 0, 0, 0);
    return *reinterpret_cast<const float4 *>(from + (size_t)row * stride + column);
}

/* The fours of a slice that a thread loads, from a matrix that is read along k: row t / 4 and, if FOURS is 2 (128
 * rows), row t / 4 + 64. keep_along() stores them to shared memory. */
template <int FOURS>
static __device__ __forceinline__ void fetch_along(float4 (&four)[FOURS], const float *from, uint32_t row,
                                                   uint32_t rows, uint32_t depth, uint32_t k, uint32_t stride)
{
    LM_UNROLLED_FOR (uint32_t i = 0; i < FOURS; i++)
        four[i] = load_four(from, row + threadIdx.x / 4 + i * 64, rows, depth + threadIdx.x % 4 * 4, k, stride);
}
template <int FOURS> static __device__ __forceinline__ void keep_along(const float4 (&four)[FOURS], float *slice)
{
    LM_UNROLLED_FOR (uint32_t i = 0; i < FOURS; i++) {
        float *to = slice + threadIdx.x % 4 * 4 * LM_TILE_STRIDE + threadIdx.x / 4 + i * 64;
        to[0] = four[i].x, to[LM_TILE_STRIDE] = four[i].y;
        to[2 * LM_TILE_STRIDE] = four[i].z, to[3 * LM_TILE_STRIDE] = four[i].w;
    }
}

/* fetch_along() and keep_along() for a matrix [k][n]: rows t / 32 and t / 32 + 8. */
static __device__ __forceinline__ void fetch_across(float4 (&four)[2], const float *from, uint32_t column,
                                                    uint32_t columns, uint32_t depth, uint32_t k, uint32_t stride)
{
    LM_UNROLLED_FOR (uint32_t i = 0; i < 2; i++)
        four[i] = load_four(from, depth + threadIdx.x / 32 + i * 8, k, column + threadIdx.x % 32 * 4, columns, stride);
}
static __device__ __forceinline__ void keep_across(const float4 (&four)[2], float *slice)
{
    LM_UNROLLED_FOR (uint32_t i = 0; i < 2; i++)
        *reinterpret_cast<float4 *>(slice + (threadIdx.x / 32 + i * 8) * LM_TILE_STRIDE + threadIdx.x % 32 * 4) =
            four[i];
}

/* The position of a thread's numbers in its tile: rows row .. row + 3 and, if the tile has 128 rows, the four rows 16
 * further; columns column .. column + 3 and the four columns 32 further. A warp has 4 x 8 threads. Lanes 2i and 2i+1
 * read the same rows, lanes i and i+2 the same columns: so a 16-byte read by all lanes takes two cycles of shared
 * memory, not four. */
struct tile_place {
    uint32_t row, column;
};
template <int FOURS> static __device__ __forceinline__ tile_place place_in_tile(void)
{
    const uint32_t warp = threadIdx.x / LM_WARP, lane = threadIdx.x % LM_WARP;
    const tile_place p = {warp / 2 * 16 * FOURS + lane / 2 % 4 * 4, warp % 2 * 64 + (lane % 2 + lane / 8 * 2) * 4};
    return p;
}

template <int FOURS>
static __device__ __forceinline__ void multiply_slice(float (&sum)[4 * FOURS][8], const float *left, const float *right,
                                                      tile_place at)
{
    LM_UNROLLED_FOR (int d = 0; d < LM_TILE_DEPTH; d++) {
        const float4 *b = reinterpret_cast<const float4 *>(right + d * LM_TILE_STRIDE + at.column);
        const float4 b0 = b[0], b1 = b[8];
        const float y[8] = {b0.x, b0.y, b0.z, b0.w, b1.x, b1.y, b1.z, b1.w};
        float x[4 * FOURS];
        LM_UNROLLED_FOR (int i = 0; i < FOURS; i++) {
            const float4 a = *reinterpret_cast<const float4 *>(left + d * LM_TILE_STRIDE + at.row + i * 16);
            x[4 * i] = a.x, x[4 * i + 1] = a.y, x[4 * i + 2] = a.z, x[4 * i + 3] = a.w;
        }
        LM_UNROLLED_FOR (int i = 0; i < 4 * FOURS; i++)
            LM_UNROLLED_FOR (int j = 0; j < 8; j++) sum[i][j] += x[i] * y[j];
    }
}

static __device__ __forceinline__ float4 add_four(float4 x, float4 y)
{
    return make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
}
/* x where y is above 0, otherwise 0. */
static __device__ __forceinline__ float4 where_positive(float4 x, float4 y)
{
    return make_float4(y.x > 0 ? x.x : 0, y.y > 0 ? x.y : 0, y.z > 0 ? x.z : 0, y.w > 0 ? x.w : 0);
}

/* Writes four rows of C from the products sum[4][8] of a thread. If MASKED, a number becomes 0 where the mask is not
 * above 0. Otherwise p.c (if p.add), the bias and ReLU are applied. All masks or addends are loaded before the first is
 * used. The numbers written are added to total[8], one for each column of the thread. */
template <bool MASKED>
static __device__ __forceinline__ void finish_rows(const lm_tile_product &p, const float (*sum)[8], uint32_t row,
                                                   uint32_t column, float (&total)[8])
{
    float4 other[4][2] = {};
    LM_UNROLLED_FOR (uint32_t i = 0; i < 4; i++)
        LM_UNROLLED_FOR (uint32_t j = 0; j < 2; j++) {
            if (MASKED) other[i][j] = load_four(p.mask, row + i, p.m, column + j * 32, p.n, p.mask_stride);
            if (!MASKED && p.add) other[i][j] = load_four(p.c, row + i, p.m, column + j * 32, p.n, p.c_stride);
        }
    LM_UNROLLED_FOR (uint32_t i = 0; i < 4; i++)
        LM_UNROLLED_FOR (uint32_t j = 0; j < 2; j++) {
            const uint32_t r = row + i, c = column + j * 32;
            if (r >= p.m || c >= p.n) continue;
            const float *from = sum[i] + j * 4;
            float4 x = make_float4(from[0], from[1], from[2], from[3]);
            if (MASKED) {
                x = where_positive(x, other[i][j]);
            } else {
                x = add_four(x, other[i][j]);
                if (p.bias) x = add_four(x, *reinterpret_cast<const float4 *>(p.bias + c));
                if (p.relu) x = where_positive(x, x);
            }
            *reinterpret_cast<float4 *>(p.c + (size_t)r * p.c_stride + c) = x;
            total[4 * j] += x.x, total[4 * j + 1] += x.y, total[4 * j + 2] += x.z, total[4 * j + 3] += x.w;
        }
}

/* Sums the columns of a tile from the eight sums of every thread: over the lanes of a warp, then over four warps. */
static __device__ __forceinline__ void sum_columns(const lm_tile_product &p, float (&total)[8], uint32_t part,
                                                   uint32_t column, tile_place at, float *held)
{
    const uint32_t lane = threadIdx.x % LM_WARP, above = threadIdx.x / LM_WARP / 2;
    for (int mask = 2; mask < 8; mask *= 2)
        LM_UNROLLED_FOR (int j = 0; j < 8; j++) total[j] += __shfl_xor_sync(0xffffffffu, total[j], mask);
    __syncthreads(); /* the last slice was read */
    if (lane / 2 % 4 == 0)
        LM_UNROLLED_FOR (uint32_t j = 0; j < 8; j++) held[above * LM_TILE + at.column + j % 4 + j / 4 * 32] = total[j];
    __syncthreads();
    if (threadIdx.x < LM_TILE && column + threadIdx.x < p.n) {
        float sum = 0;
        for (int y = 0; y < 4; y++) sum += held[y * LM_TILE + threadIdx.x];
        p.sums[(size_t)part * p.n + column + threadIdx.x] = sum;
    }
}

/* Computes the tile of 64 * FOURS rows that begins at `row`. */
template <bool TRANSPOSED, bool MASKED, int FOURS>
static __device__ __forceinline__ void multiply_rows(const lm_tile_product &p, uint32_t row, uint32_t column,
                                                     uint32_t part, float *slices)
{
    const tile_place at = place_in_tile<FOURS>();
    const uint32_t k = p.live && row >= *p.live ? 0 : p.k;
    float sum[4 * FOURS][8] = {};
    for (uint32_t depth = 0, turn = 0; depth < k + LM_TILE_DEPTH; depth += LM_TILE_DEPTH, turn ^= 1) {
        float *left = slices + turn * 2 * LM_TILE_SLICE, *right = left + LM_TILE_SLICE;
        float4 a[FOURS] = {}, b[2] = {};
        const bool more = depth < k;
        if (more) {
            fetch_along(a, p.a, row, p.m, depth, k, p.a_stride);
            if (TRANSPOSED)
                fetch_along(b, p.b, column, p.n, depth, k, p.b_stride);
            else
                fetch_across(b, p.b, column, p.n, depth, k, p.b_stride);
        }
        if (depth) { /* multiplies the previous slice while this one is being loaded */
            const float *before = slices + (turn ^ 1) * 2 * LM_TILE_SLICE;
            multiply_slice<FOURS>(sum, before, before + LM_TILE_SLICE, at);
        }
        if (!more) break;
        keep_along(a, left);
        if (TRANSPOSED)
            keep_along(b, right);
        else
            keep_across(b, right);
        __syncthreads();
    }
    float total[8] = {};
    LM_UNROLLED_FOR (int i = 0; i < FOURS; i++)
        finish_rows<MASKED>(p, sum + 4 * i, row + at.row + 16 * i, column + at.column, total);
    if (MASKED && p.sums) sum_columns(p, total, part, column, at, slices);
}

/* Tiles of the same rows are neighbouring blocks and share A in the cache. */
template <bool TRANSPOSED, bool MASKED>
__global__ void __launch_bounds__(LM_TILE_THREADS, 2) multiply_tile(lm_tile_product p)
{
    lm_after_previous();
    LM_SHARED(float, slices, 4 * LM_TILE_SLICE);
    const uint32_t columns = (p.n + LM_TILE - 1) / LM_TILE, part = blockIdx.x / columns;
    const uint32_t column = blockIdx.x % columns * LM_TILE, whole = p.whole / columns;
    if (part < whole)
        multiply_rows<TRANSPOSED, MASKED, 2>(p, part * LM_TILE, column, part, slices);
    else
        multiply_rows<TRANSPOSED, MASKED, 1>(p, (whole + part) * (LM_TILE / 2), column, part, slices);
}

#endif
