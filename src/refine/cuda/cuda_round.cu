/*
 * One round on a CUDA device, by the rule of refine/variant.h. A thread computes one tuple. The rule is a template
 * argument, so that each kernel contains only its own sums.
 *
 * Line sums do not depend on the component that they run over; they are computed first, one thread a line. The counts #
 * of local+ are also computed first, for lines along the last component, which are rows: every thread compares its
 * colour with all colours of its row. #_j of a tuple is #_last of the tuple with components j and last exchanged
 * (refine/decorate.c).
 */
#include "refine/cuda/tuple.h"

/* ---- Lines ----------------------------------------------------------------------------------- */

/* The number of the line along component j that a tuple is on: its other components, as the digits of a number. */
template <unsigned K> static __device__ inline uint64_t line_of(const uint32_t d[K], uint64_t n, unsigned j)
{
    if (K == 1) return 0;
    if (K == 2) return d[j == 0 ? K - 1 : 0];
    return (uint64_t)d[j == 0 ? 1 : 0] * n + d[j == K - 1 ? K - 2 : K - 1];
}

/* The index of the first tuple of a line along component j. */
template <unsigned K> static __device__ inline uint64_t line_start(uint64_t line, uint64_t n, unsigned j)
{
    const uint64_t stride = stride_of<K>(n, j);
    return line / stride * stride * n + line % stride;
}

/* A thread for each line along component j. */
template <unsigned K> static __global__ void line_sums(lm_gpu_batch b, unsigned j)
{
    const lm_gpu_graph g = b.graph[graph_of<&lm_gpu_sizes::line_tiles>(b, blockIdx.x)];
    const uint64_t n = g.n, line = (blockIdx.x - g.at.line_tiles) * LM_GPU_THREADS + threadIdx.x;
    if (line >= power_of(n, K - 1)) return;
    const uint64_t stride = stride_of<K>(n, j);
    const uint64_t *from = b.colors + g.at.tuples + line_start<K>(line, n, j);
    uint64_t sum = 0;
#pragma unroll 8
    for (uint64_t w = 0; w < n; w++) sum += from[w * stride];
    b.line[j * b.all.lines + g.at.lines + line] = sum;
}

/* ---- Counts of local+ ------------------------------------------------------------------------ */

template <unsigned K> static __global__ void row_counts(lm_gpu_batch b)
{
    const lm_tile<K> tile(b.graph[graph_of<&lm_gpu_sizes::tiles>(b, blockIdx.x)], blockIdx.x);
    for (uint32_t i = threadIdx.x; tile.has(i); i += blockDim.x) {
        const uint32_t n = tile.g.n, last = (tile.last + i) % n;
        const uint64_t at = tile.g.at.tuples + tile.first + i;
        const uint64_t *row = b.colors + at - last, own = b.colors[at];
        uint32_t count = 0;
#pragma unroll 8
        for (uint32_t w = 0; w < n; w++) count += row[w] == own;
        b.counts[at] = count;
    }
}

/* ---- Sums of one tuple ----------------------------------------------------------------------- */

/* A tuple of a graph: colours and counts of that graph begin at `colors` and `counts`. */
template <unsigned K> struct tuple {
    const uint64_t *colors;
    const uint32_t *counts;
    uint64_t n, index;
    uint32_t vertex, d[K];
};

/* The sum over the given arcs of component j. */
template <unsigned K, unsigned SUMS>
static __device__ inline uint64_t neighbor_sum(const lm_gpu_arcs &arcs, const tuple<K> &t, unsigned j)
{
    const uint64_t stride = stride_of<K>(t.n, j), first = t.index - t.d[j] * stride;
    const uint64_t *from = t.colors + first;
    const uint32_t *counts = t.counts;
    if (SUMS & LM_SUM_DECORATED) counts += j == K - 1 ? first : first + t.d[K - 1] * stride - t.d[K - 1];
    const uint32_t *start = arcs.start + t.vertex + t.d[j];
    const uint32_t end = start[1];
    uint64_t sum = 0;
#pragma unroll 4
    for (uint32_t e = start[0]; e < end; e++) { /* several loads on their way at once */
        const uint32_t w = arcs.head[e];
        const uint64_t color = from[w * stride];
        sum += SUMS & LM_SUM_DECORATED ? lm_mix(color + counts[w] * lm_multiplier_of(LM_COUNTER, 0)) : color;
    }
    return sum;
}

/* k = 1 with edge labels: the label is part of the message. */
template <unsigned SUMS> static __device__ inline uint64_t message_sum(const lm_gpu_arcs &arcs, const tuple<1> &t)
{
    const uint32_t *start = arcs.start + t.vertex + t.d[0];
    uint64_t sum = 0;
    for (uint32_t e = start[0]; e < start[1]; e++) {
        const uint32_t w = arcs.head[e];
        uint64_t color = t.colors[w];
        if (SUMS & LM_SUM_DECORATED) color = lm_mix(color + t.counts[w] * lm_multiplier_of(LM_COUNTER, 0));
        sum += lm_mix(color + arcs.label[e] * lm_multiplier_of(LM_MESSAGE, 0));
    }
    return sum;
}

template <unsigned K> static __device__ inline uint64_t vector_sum(const tuple<K> &t)
{
    uint64_t sum = 0;
    for (uint64_t w = 0; w < t.n; w++) {
        uint64_t vector = 0;
#pragma unroll
        for (unsigned j = 0; j < K; j++)
            vector += t.colors[t.index + (w - t.d[j]) * stride_of<K>(t.n, j)] * lm_multiplier_of(LM_VECTOR, j);
        sum += lm_mix(vector);
    }
    return sum;
}

template <unsigned K, unsigned SUMS>
static __device__ inline uint64_t local_sums(const lm_gpu_batch &b, const tuple<K> &t)
{
    uint64_t sum = 0;
    if constexpr (K == 1) {
        if (b.messages) {
            sum = message_sum<SUMS>(b.out, t) * lm_multiplier_of(LM_LOCAL_SUM, 0);
            return b.entering ? sum + message_sum<SUMS>(b.in, t) * lm_multiplier_of(LM_ENTERING_SUM, 0) : sum;
        }
    }
#pragma unroll
    for (unsigned j = 0; j < K; j++) {
        sum += neighbor_sum<K, SUMS>(b.out, t, j) * lm_multiplier_of(LM_LOCAL_SUM, j);
        if (b.entering) sum += neighbor_sum<K, SUMS>(b.in, t, j) * lm_multiplier_of(LM_ENTERING_SUM, j);
    }
    return sum;
}

/* ---- The round ------------------------------------------------------------------------------- */

template <unsigned K, unsigned SUMS>
static __global__ void __launch_bounds__(LM_GPU_THREADS) color_round(lm_gpu_batch b)
{
    const lm_tile<K> tile(b.graph[graph_of<&lm_gpu_sizes::tiles>(b, blockIdx.x)], blockIdx.x);
    const lm_gpu_graph &g = tile.g;
    for (uint32_t i = threadIdx.x; tile.has(i); i += blockDim.x) {
        tuple<K> t;
        t.colors = b.colors + g.at.tuples;
        t.counts = SUMS & LM_SUM_DECORATED ? b.counts + g.at.tuples : nullptr;
        t.n = g.n;
        t.index = tile.first + i;
        t.vertex = g.at.vertices;
        tile.digits(i, t.d);
        uint64_t sum = t.colors[t.index];
        if (SUMS & LM_SUMS_LOCAL) sum += local_sums<K, SUMS>(b, t);
        if (SUMS & LM_SUM_LINE) {
#pragma unroll
            for (unsigned j = 0; j < K; j++)
                sum +=
                    b.line[j * b.all.lines + g.at.lines + line_of<K>(t.d, t.n, j)] * lm_multiplier_of(LM_LINE_SUM, j);
        }
        if (SUMS & LM_SUM_VECTORS) sum += vector_sum<K>(t);
        b.next[g.at.tuples + t.index] = lm_mix(sum);
    }
}

/* The sets of sums that rows of refine/variant.c with `device` have; each is one kernel. */
template <unsigned K> static void launch(lm_device *device, const lm_gpu_batch *b, unsigned sums)
{
    const unsigned blocks = (unsigned)b->all.tiles, lines = (unsigned)b->all.line_tiles, threads = LM_GPU_THREADS;
    for (unsigned j = 0; j < K && sums & LM_SUM_LINE; j++)
        LM_LAUNCH(line_sums<K>, lines, threads, device->stream, *b, j);
    if (sums & LM_SUM_DECORATED) LM_LAUNCH(row_counts<K>, blocks, threads, device->stream, *b);
#define CASE(SUMS)                                                                                                     \
    case SUMS: LM_LAUNCH((color_round<K, SUMS>), blocks, threads, device->stream, *b); break;
    switch (sums) {
        CASE(LM_SUM_LINE)
        CASE(LM_SUM_LOCAL | LM_SUM_LINE)
        CASE(LM_SUM_LOCAL)
        CASE(LM_SUM_DECORATED)
        CASE(LM_SUM_VECTORS)
    default: lm_device_result(device, (int)cudaErrorNotSupported, "a set of sums without a kernel");
    }
#undef CASE
}

void lm_gpu_round(lm_device *device, const lm_gpu_batch *b, unsigned sums)
{
    if (!b->all.tuples || device->status) return;
    with_k(b->k, [&](auto k) { launch<decltype(k)::value>(device, b, sums); });
    lm_device_launched(device, "a round of colours");
}
