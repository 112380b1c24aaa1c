/*
 * Round 0 on a CUDA device, by the formula of refine/types.c. First the relations of all pairs of vertices, n * n words
 * for each graph, in the array of the next round's colours; then the types of all tuples from these relations.
 */
#include "refine/cuda/tuple.h"

/* One block for each vertex u: relation(u, w) for all w, as if there were no arcs. */
static __global__ void relations_apart(lm_gpu_batch b)
{
    const lm_gpu_graph g = b.graph[graph_of<&lm_gpu_sizes::vertices>(b, blockIdx.x)];
    const uint64_t n = g.n, u = blockIdx.x - g.at.vertices;
    const uint64_t apart = lm_relation_hash(b.seed, 0, 0, 0), equal = lm_relation_hash(b.seed, 1, 0, 0);
    uint64_t *row = b.next + g.at.tuples + u * n;
    for (uint64_t w = threadIdx.x; w < n; w += blockDim.x) row[w] = w == u ? equal : apart;
}

/* One thread for each vertex u: the relations along the arcs of u in both directions. Both lists are sorted. */
static __global__ void relations_joined(lm_gpu_batch b)
{
    const uint64_t vertex = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (vertex >= b.all.vertices) return;
    const lm_gpu_graph g = b.graph[graph_of<&lm_gpu_sizes::vertices>(b, vertex)];
    const uint64_t n = g.n, u = vertex - g.at.vertices;
    uint64_t *row = b.next + g.at.tuples + u * n;
    uint32_t e = b.out.start[vertex], f = b.in.start[vertex];
    const uint32_t e_end = b.out.start[vertex + 1], f_end = b.directed ? b.in.start[vertex + 1] : f;
    while (e < e_end || f < f_end) {
        const uint32_t a = e < e_end ? b.out.head[e] : UINT32_MAX, c = f < f_end ? b.in.head[f] : UINT32_MAX;
        const uint32_t w = a < c ? a : c;
        const uint64_t leaving = a == w ? b.out.label[e] : 0;
        const uint64_t entering = !b.directed ? leaving : c == w ? b.in.label[f] : 0;
        if (w != u) row[w] = lm_relation_hash(b.seed, 0, leaving, entering);
        e += a == w;
        f += c == w;
    }
}

template <unsigned K> static __global__ void types(lm_gpu_batch b)
{
    const lm_tile<K> tile(b.graph[graph_of<&lm_gpu_sizes::tiles>(b, blockIdx.x)], blockIdx.x);
    const lm_gpu_graph &g = tile.g;
    const uint64_t *relation = b.next + g.at.tuples;
    for (uint32_t i = threadIdx.x; tile.has(i); i += blockDim.x) {
        uint32_t d[K];
        uint64_t sum = 0;
        tile.digits(i, d);
#pragma unroll
        for (unsigned j = 0; j < K; j++) sum += b.label[g.at.vertices + d[j]] * lm_multiplier_of(LM_TYPE_VERTEX, j);
#pragma unroll
        for (unsigned j = 1; j < K; j++)
#pragma unroll
            for (unsigned h = 0; h < j; h++) sum += relation[(uint64_t)d[h] * g.n + d[j]] * lm_type_multiplier(h, j);
        b.colors[g.at.tuples + tile.first + i] = lm_mix(sum);
    }
}

void lm_gpu_types(lm_device *device, const lm_gpu_batch *b)
{
    const unsigned blocks = (unsigned)b->all.tiles;
    const unsigned vertex_blocks = (unsigned)((b->all.vertices + LM_GPU_THREADS - 1) / LM_GPU_THREADS);
    if (!b->all.tuples || device->status) return;
    if (b->k > 1) {
        LM_LAUNCH(relations_apart, (unsigned)b->all.vertices, 64, device->stream, *b);
        LM_LAUNCH(relations_joined, vertex_blocks, LM_GPU_THREADS, device->stream, *b);
    }
    with_k(b->k, [&](auto k) { LM_LAUNCH(types<decltype(k)::value>, blocks, LM_GPU_THREADS, device->stream, *b); });
    lm_device_launched(device, "types of tuples");
}
