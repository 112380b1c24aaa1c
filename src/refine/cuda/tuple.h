/*
 * Shared by kernels over tuples: the graph that a block works on, and the components of a tuple.
 *
 * A block computes LM_GPU_TILE consecutive tuples of one graph. Their components take one 64-bit division a block and
 * 32-bit divisions a tuple: a graph may have more than 2^32 tuples, but never more than 2^32 rows of them.
 */
#ifndef LM_GPU_TUPLE_H
#define LM_GPU_TUPLE_H

#include "base/cuda/kernel.h"
#include "refine/cuda/colors.h"
#include <type_traits>

/* Returns the graph to which item `at` of the batch belongs, by binary search; MEMBER counts these items. */
template <uint64_t lm_gpu_sizes::*MEMBER> static __device__ inline uint32_t graph_of(const lm_gpu_batch &b, uint64_t at)
{
    uint32_t low = 0, high = (uint32_t)b.all.graphs;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (b.graph[middle].at.*MEMBER <= at)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Returns n^j, for j < LM_GPU_K. */
static __device__ inline uint64_t power_of(uint64_t n, unsigned j)
{
    return j == 0 ? 1 : j == 1 ? n : n * n;
}

/* Returns the distance of two tuples that differ by one in component j. */
template <unsigned K> static __device__ inline uint64_t stride_of(uint64_t n, unsigned j)
{
    return power_of(n, K - 1 - j);
}

template <unsigned K> struct lm_tile {
    lm_gpu_graph g;
    uint64_t first, tuples; /* of the graph */
    uint32_t row, last;     /* of the first tuple */

    __device__ lm_tile(const lm_gpu_graph &graph, uint64_t block) : g(graph)
    {
        const uint64_t n = g.n;
        tuples = n;
        for (unsigned j = 1; j < K; j++) tuples *= n;
        first = (block - g.at.tiles) * LM_GPU_TILE;
        row = (uint32_t)(first / n);
        last = (uint32_t)(first % n);
    }
    __device__ bool has(uint32_t i) const
    {
        return i < LM_GPU_TILE && first + i < tuples;
    }
    /* The components of tuple first + i. */
    __device__ void digits(uint32_t i, uint32_t digit[K]) const
    {
        const uint32_t along = last + i, r = row + along / g.n;
        digit[K - 1] = along % g.n;
        if (K == 2) digit[0] = r;
        if (K == 3) {
            digit[0] = r / g.n;
            digit[K > 2 ? 1 : 0] = r % g.n;
        }
    }
};

/* Calls f with a constant whose `value` is k. */
template <class F> static void with_k(unsigned k, F f)
{
    if (k == 1)
        f(std::integral_constant<unsigned, 1>());
    else if (k == 2)
        f(std::integral_constant<unsigned, 2>());
    else
        f(std::integral_constant<unsigned, 3>());
}

#endif
