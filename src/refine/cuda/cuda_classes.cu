/*
 * The classes of one round on a CUDA device (refine/histogram.h defines them): the smallest colour of every orbit,
 * sorted together with the numbers of the orbits. A run of one colour in one graph is a class.
 *
 * The orbits of a batch are numbered graph by graph, tuples u <= v <= w in lexicographic order. The sort is stable, so
 * the orbits of one colour stay in the order of the graphs. The colours and counts of a class are computed from one of
 * its orbits.
 */
#include "refine/cuda/tuple.h"

/* ---- Numbers of orbits ----------------------------------------------------------------------- */

/* Increasing pairs and triples of m vertices. */
static __device__ inline uint64_t pairs_of(uint64_t m)
{
    return m * (m + 1) / 2;
}
static __device__ inline uint64_t triples_of(uint64_t m)
{
    return m * (m + 1) / 2 * (m + 2) / 3;
}

/* The number of an increasing tuple: the tuples with a smaller first vertex, plus the number of the rest. */
template <unsigned K> static __device__ inline uint64_t orbit_of(const uint32_t d[K], uint64_t n)
{
    if (K == 1) return d[0];
    if (K == 2) return pairs_of(n) - pairs_of(n - d[0]) + d[K - 1] - d[0];
    const uint64_t m = n - d[0];
    return triples_of(n) - triples_of(m) + pairs_of(m) - pairs_of(n - d[K > 1 ? 1 : 0]) + d[K - 1] - d[K > 1 ? 1 : 0];
}

/* The largest u with behind(n) - behind(n - u) <= number. */
template <class F> static __device__ inline uint32_t first_of(uint64_t n, uint64_t number, F behind)
{
    uint64_t low = 0, high = n;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (behind(n) - behind(n - middle) <= number)
            low = middle;
        else
            high = middle;
    }
    return (uint32_t)low;
}

template <unsigned K> static __device__ inline void orbit_tuple(uint64_t number, uint64_t n, uint32_t d[K])
{
    uint32_t first = 0;
    if (K == 3) {
        d[0] = first = first_of(n, number, triples_of);
        number -= triples_of(n) - triples_of(n - first);
    }
    if (K >= 2) {
        const uint64_t m = n - first;
        const uint32_t next = first_of(m, number, pairs_of);
        number -= pairs_of(m) - pairs_of(m - next);
        d[K == 3 ? 1 : 0] = first += next;
    }
    d[K - 1] = first + (uint32_t)number;
}

/* ---- Colours of an orbit --------------------------------------------------------------------- */

/* Writes the colours of the different tuples of the orbit of d; returns their number. */
template <unsigned K>
static __device__ inline unsigned orbit_colors(const uint64_t *colors, const uint32_t d[K], uint64_t n,
                                               uint64_t found[LM_GPU_ORBIT])
{
    if (K == 1) {
        found[0] = colors[d[0]];
        return 1;
    }
    if (K == 2) {
        found[0] = colors[d[0] * n + d[1 % K]];
        if (d[0] == d[1 % K]) return 1;
        found[1] = colors[d[1 % K] * n + d[0]];
        return 2;
    }
    const uint64_t u = d[0], v = d[1 % K], w = d[2 % K], nn = n * n;
    found[0] = colors[u * nn + v * n + w];
    if (u == w) return 1;
    found[1] = colors[v * nn + w * n + u];
    found[2] = colors[w * nn + u * n + v];
    if (u == v || v == w) return 3;
    found[3] = colors[u * nn + w * n + v];
    found[4] = colors[v * nn + u * n + w];
    found[5] = colors[w * nn + v * n + u];
    return 6;
}

/* ---- Keys ------------------------------------------------------------------------------------ */

template <unsigned K> static __global__ void orbit_keys(lm_gpu_batch b, const uint64_t *all)
{
    const lm_tile<K> tile(b.graph[graph_of<&lm_gpu_sizes::tiles>(b, blockIdx.x)], blockIdx.x);
    const lm_gpu_graph &g = tile.g;
    const uint64_t *colors = all + g.at.tuples;
    for (uint32_t i = threadIdx.x; tile.has(i); i += blockDim.x) {
        uint32_t d[K];
        uint64_t found[LM_GPU_ORBIT];
        bool increasing = true;
        tile.digits(i, d);
#pragma unroll
        for (unsigned j = 1; j < K; j++) increasing &= d[j - 1] <= d[j];
        if (!increasing) continue;
        const unsigned tuples = orbit_colors<K>(colors, d, g.n, found);
        uint64_t smallest = found[0];
#pragma unroll
        for (unsigned j = 1; j < LM_GPU_ORBIT; j++)
            if (j < tuples && found[j] < smallest) smallest = found[j];
        const uint64_t orbit = g.at.orbits + orbit_of<K>(d, g.n);
        b.key[0][orbit] = smallest;
        b.number[0][orbit] = (uint32_t)orbit;
    }
}

/* flag[i] = sorted orbit i begins a class. */
static __global__ void begins(lm_gpu_batch b, const uint64_t *key, const uint32_t *number, uint8_t *flag)
{
    const uint64_t step = (uint64_t)gridDim.x * blockDim.x;
    for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < b.all.orbits; i += step) {
        bool first = !i || key[i] != key[i - 1];
        if (!first && b.all.graphs > 1)
            first = graph_of<&lm_gpu_sizes::orbits>(b, number[i]) != graph_of<&lm_gpu_sizes::orbits>(b, number[i - 1]);
        flag[i] = first;
    }
}

/* Number of blocks for a loop over `count` items: enough to fill the device. */
static unsigned blocks_for(const lm_device *device, uint64_t count)
{
    const uint64_t most = (uint64_t)device->multiprocessors * 16,
                   blocks = (count + LM_GPU_THREADS - 1) / LM_GPU_THREADS;
    return (unsigned)(blocks < most ? blocks : most);
}

uint64_t lm_gpu_count(lm_device *device, const lm_gpu_batch *b, const uint64_t *colors, int *which)
{
    const unsigned blocks = (unsigned)b->all.tiles;
    *which = 0;
    if (!b->all.tuples || device->status) return 0;
    with_k(b->k, [&](auto k) {
        LM_LAUNCH(orbit_keys<decltype(k)::value>, blocks, LM_GPU_THREADS, device->stream, *b, colors);
    });
    lm_device_launched(device, "colours of orbits");
    *which = lm_gpu_sort(device, b);
    if (device->status) return 0;
    uint8_t *flag = (uint8_t *)b->key[!*which]; /* the arrays that the sort does not need any more */
    LM_LAUNCH(begins, blocks_for(device, b->all.orbits), LM_GPU_THREADS, device->stream, *b, b->key[*which],
              b->number[*which], flag);
    lm_device_launched(device, "classes");
    return lm_gpu_select(device, b, flag, b->number[!*which]);
}

/* ---- Classes --------------------------------------------------------------------------------- */

static __device__ inline void sort_few(uint64_t *x, unsigned count)
{
    for (unsigned i = 1; i < count; i++)
        for (unsigned j = i; j > 0 && x[j] < x[j - 1]; j--) {
            const uint64_t swap = x[j];
            x[j] = x[j - 1];
            x[j - 1] = swap;
        }
}

/* The colours of an orbit, its number of tuples, and how many of them have the first colour. Returns its graph. */
template <unsigned K>
static __device__ inline uint32_t orbit_at(const lm_gpu_batch &b, const uint64_t *all, uint32_t orbit,
                                           uint64_t found[LM_GPU_ORBIT], unsigned *tuples, unsigned *same)
{
    const uint32_t graph = graph_of<&lm_gpu_sizes::orbits>(b, orbit);
    const lm_gpu_graph g = b.graph[graph];
    uint32_t d[K];
    orbit_tuple<K>(orbit - g.at.orbits, g.n, d);
    *tuples = orbit_colors<K>(all + g.at.tuples, d, g.n, found);
    *same = 0;
#pragma unroll
    for (unsigned j = 0; j < LM_GPU_ORBIT; j++) *same += j < *tuples && found[j] == found[0];
    return graph;
}

template <unsigned K>
static __global__ void describe(lm_gpu_batch b, const uint64_t *all, int which, uint64_t first, uint64_t count,
                                uint64_t classes, lm_gpu_classes to)
{
    const uint32_t *place = b.number[!which];
    const uint64_t step = (uint64_t)gridDim.x * blockDim.x;
    for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step) {
        const uint64_t at = place[first + i], end = first + i + 1 < classes ? place[first + i + 1] : b.all.orbits;
        uint64_t found[LM_GPU_ORBIT];
        unsigned tuples, same;
        to.graph[i] = orbit_at<K>(b, all, b.number[which][at], found, &tuples, &same);
        to.color[i] = b.key[which][at];
        to.orbits[i] = end - at;
        to.orbit[2 * i] = tuples / same;
        to.orbit[2 * i + 1] = same;
        if (!to.every) continue;
        sort_few(found, tuples);
        for (unsigned j = 0; j < tuples; j += same) to.every[i * LM_GPU_ORBIT + j / same] = found[j];
    }
}

void lm_gpu_describe(lm_device *device, const lm_gpu_batch *b, const uint64_t *colors, int which, uint64_t first,
                     uint64_t count, uint64_t all, const lm_gpu_classes *to)
{
    const unsigned blocks = blocks_for(device, count);
    if (!count || device->status) return;
    with_k(b->k, [&](auto k) {
        LM_LAUNCH(describe<decltype(k)::value>, blocks, LM_GPU_THREADS, device->stream, *b, colors, which, first, count,
                  all, *to);
    });
    lm_device_launched(device, "counts of classes");
}

template <unsigned K> static __global__ void census(lm_gpu_batch b, const uint64_t *all, int which, uint64_t classes)
{
    const uint32_t *place = b.number[!which];
    const uint64_t *key = b.key[which], step = (uint64_t)gridDim.x * blockDim.x;
    unsigned long long colors = 0, pairs = 0;
    for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < classes; i += step) {
        uint64_t found[LM_GPU_ORBIT];
        unsigned tuples, same;
        orbit_at<K>(b, all, b.number[which][place[i]], found, &tuples, &same);
        pairs += tuples / same;
        if (!i || key[place[i]] != key[place[i - 1]]) colors += tuples / same;
    }
    atomicAdd((unsigned long long *)b.totals, colors);
    atomicAdd((unsigned long long *)b.totals + 1, pairs);
}

leman_round_count lm_gpu_census(lm_device *device, const lm_gpu_batch *b, const uint64_t *colors, int which,
                                uint64_t all)
{
    const unsigned blocks = blocks_for(device, all);
    uint64_t totals[2] = {0, 0};
    leman_round_count count = {0, 0};
    if (!all || device->status) return count;
    lm_device_clear(device, b->totals, sizeof totals);
    with_k(b->k, [&](auto k) {
        LM_LAUNCH(census<decltype(k)::value>, blocks, LM_GPU_THREADS, device->stream, *b, colors, which, all);
    });
    lm_device_launched(device, "the census of a round");
    lm_device_read(device, totals, b->totals, sizeof totals);
    count.colors = totals[0];
    count.pairs = totals[1];
    return count;
}
