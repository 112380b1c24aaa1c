/*
 * Lines of pairs, for nn/cuda/messages.cu and nn/cuda/whole_lines.cu: a block processes some columns of a line, or of a few
 * lines, so that every row is read from memory once. Lines are numbered by the vertex that stays.
 */
#ifndef LM_PAIR_LINES_H
#define LM_PAIR_LINES_H

#include "nn/cuda/lines.h"

enum {
    PAIR_THREADS = 128, /* of a block */
    PAIR_COLUMNS = 32,  /* of a block */
    PAIR_BLOCKS = 128   /* maximum for each multiprocessor: a line for each, so that all end together */
};

/* The threads of a block that share a row, and the rows at once. */
template <int V> struct pairs {
    enum { LANES = PAIR_COLUMNS / V, ROWS = PAIR_THREADS / LANES };
};

/* A line of pairs: the rows first + w * step of a graph's n vertices from `vertex` on. */
struct pair_line {
    uint32_t vertex, n, first, step;
};

/* The lines of pairs are numbered by the vertex that stays. Padding has no rows. */
static __device__ __forceinline__ pair_line line_at(const line_sum &s, const uint32_t *vertex_graph, uint32_t line)
{
    pair_line l = {};
    const uint32_t graph = vertex_graph[line];
    if (graph == LM_NO_GRAPH) return l;
    l.vertex = s.vertex_start[graph];
    l.n = s.vertex_start[graph + 1] - l.vertex;
    l.step = s.exponent ? l.n : 1;
    l.first = s.row_start[graph] + (line - l.vertex) * (s.exponent ? 1 : l.n);
    return l;
}

/* Sets the rows of padding to zero, at the columns of a block. */
template <class T, int V>
static __device__ __forceinline__ void clear_padding(view<T> x, const uint32_t *live, uint32_t c)
{
    const pack<T, V> zeros = {};
    for (uint32_t r = *live + blockIdx.x * pairs<V>::ROWS + threadIdx.y; r < x.rows && c < x.width;
         r += gridDim.x * pairs<V>::ROWS)
        store<T, V>(x.row(r) + c, zeros);
}

#define PAIR_COLUMN ((blockIdx.y * pairs<V>::LANES + threadIdx.x) * V)
#define FOR_LINES(line, count) for (uint32_t line = blockIdx.x; line < (count); line += gridDim.x)

/* What the lines of a batch are found by. */
struct batch_lines {
    const uint32_t *vertex_graph, *live; /* live: number of rows that are not padding */
    uint32_t count;
};

/* parts[block] = the sum of `number` over the threads of a block. */
static __device__ __forceinline__ void sum_pair_threads(float number, float *parts)
{
    LM_SHARED(float, held, PAIR_THREADS / LM_WARP);
    const uint32_t thread = threadIdx.y * blockDim.x + threadIdx.x;
    number = warp_sum(number);
    if (thread % LM_WARP == 0) held[thread / LM_WARP] = number;
    __syncthreads();
    float total = 0;
    for (uint32_t w = 0; w < PAIR_THREADS / LM_WARP; w++) total += held[w];
    if (thread == 0) parts[blockIdx.y * gridDim.x + blockIdx.x] = total;
}

/* The grid of lines, `each` of them for a block at once, and tiles of columns. */
static inline dim3 pair_grid(const lm_cuda *cuda, const lm_frame *f, size_t blocks, size_t each = 1)
{
    const size_t lines = (f->batch->extent.rows[LM_VERTICES] + each - 1) / each;
    const size_t most = (size_t)cuda->device.multiprocessors * blocks;
    const size_t tiles = (f->out[0].width + PAIR_COLUMNS - 1) / PAIR_COLUMNS, share = (most + tiles - 1) / tiles;
    return dim3((unsigned)(lines < 1 ? 1 : lines < share ? lines : share), (unsigned)tiles);
}

static batch_lines lines_in(const lm_cuda *cuda, const lm_frame *f)
{
    return {cuda->graph_of[LM_VERTICES], cuda->live + LM_TUPLES, (uint32_t)f->batch->extent.rows[LM_VERTICES]};
}

/* Calls run(kind) with the kind of numbers of a step by lines. */
template <class F> static void with_lines(bool half, F run)
{
    if (half)
        run(kind<lm_bfloat16, 8>());
    else
        run(kind<float, 4>());
}

#endif
