/* Gathers the rows of graphs; gather.h has the contracts. */
#include "base/cuda/kernel.h"
extern "C" {
#include "nn/cuda/gather.h"
}

enum { THREADS = 256 };

template <class T>
static __device__ __forceinline__ void gather_rows(const lm_gathered &a, const lm_gather &g, uint32_t graph)
{
    const uint32_t *first = g.to + (size_t)a.space * (g.graphs + 1) + graph;
    const size_t units = (size_t)(first[1] - first[0]) * a.units;
    const uint32_t more = a.counted == LM_SINGLE ? 0 : a.each * g.to[(size_t)a.counted * (g.graphs + 1) + graph];
    T *to = (T *)a.to + (size_t)first[0] * a.units;
    const T *from = a.from ? (const T *)a.from + (size_t)g.from[(size_t)a.space * g.graphs + graph] * a.units : NULL;
    for (uint32_t plane = 0; plane < a.planes; plane++, to += a.to_plane, from += from ? a.from_plane : 0)
        for (size_t i = threadIdx.x; i < units; i += THREADS) to[i] = from ? (T)(from[i] + more) : (T)graph;
}

/* Writes the padding after the rows of all graphs. */
template <class T> static __device__ __forceinline__ void pad_rows(const lm_gathered &a, const lm_gather &g)
{
    const uint32_t rows = g.to[(size_t)a.space * (g.graphs + 1) + g.graphs];
    T *to = (T *)a.to;
    for (uint32_t plane = 0; plane < a.planes; plane++, to += a.to_plane)
        for (size_t i = (size_t)rows * a.units + threadIdx.x; i < a.end; i += THREADS) to[i] = (T)a.pad;
}

/* Block (graph, array); the block after the last graph writes the padding. */
static __global__ void gather_arrays(const LM_GRID_CONSTANT lm_gather g)
{
    const lm_gathered &a = g.array[blockIdx.y];
    if (a.space == LM_SINGLE) {
        for (uint32_t i = blockIdx.x * THREADS + threadIdx.x; i < a.units; i += gridDim.x * THREADS)
            ((uint32_t *)a.to)[i] = ((const uint32_t *)a.from)[i];
    } else if (blockIdx.x < g.graphs) {
        if (a.half)
            gather_rows<uint16_t>(a, g, blockIdx.x);
        else
            gather_rows<uint32_t>(a, g, blockIdx.x);
    } else {
        if (a.half)
            pad_rows<uint16_t>(a, g);
        else
            pad_rows<uint32_t>(a, g);
    }
}

void lm_cuda_gather_arrays(lm_cuda *cuda, const lm_gather *gather)
{
    const lm_gather g = *gather;
    LM_LAUNCH(gather_arrays, dim3(g.graphs + 1, g.arrays), dim3(THREADS), cuda->device.stream, g);
    lm_device_launched(&cuda->device, "gathering a batch");
}

static __global__ void gather_groups(uint32_t *order, const uint32_t *from, uint32_t groups, const uint32_t *to,
                                     const uint32_t *group, const uint32_t *first)
{
    const uint32_t at = blockIdx.x * THREADS + threadIdx.x;
    if (at >= to[groups]) return;
    uint32_t low = 0, high = groups; /* to[low] <= at < to[high] */
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (to[middle] <= at)
            low = middle;
        else
            high = middle;
    }
    order[at] = from[group[low] + at - to[low]] + first[low];
}

void lm_cuda_gather_groups(lm_cuda *cuda, uint32_t *order, const uint32_t *from, uint32_t groups, const uint32_t *to,
                           const uint32_t *group, const uint32_t *first, uint32_t rows)
{
    if (!groups || !rows) return;
    LM_LAUNCH(gather_groups, dim3((rows + THREADS - 1) / THREADS), dim3(THREADS), cuda->device.stream, order, from,
              groups, to, group, first);
    lm_device_launched(&cuda->device, "gathering rows by their types");
}
