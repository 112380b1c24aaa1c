/*
 * Colour refinement of one graph with 10^9 edges on a CUDA device, by the kernels of src/refine/cuda: seconds of a round
 * and of counting its colours, and the bytes that they move beside a copy on the same device.
 *
 *   nvcc -O3 -std=c++17 -arch=sm_90 -Iinclude -Isrc bench/cuda/vertex_rounds.cu -o vertex_rounds
 *   ./vertex_rounds [LOG2_VERTICES, 26] [EDGES, 1e9]
 *
 * The graph is made on the device. P_i, i < turns, are permutations of the 2^k vertices whose inverses are as quick; the
 * edge from u to P_i(u) is there if a hash of (u, i) is below a threshold. So each vertex finds its own neighbours, P_i(v) and
 * the inverse of P_i at v, without sorting, and degrees vary as in a random graph. Loops are left out, and the few edges
 * that are there twice count twice.
 *
 * Bytes of a round. "streamed": starts, heads, and one read and one write of every colour. "gathered": and 8 for the colour
 * at the other end of each arc. "sectors": and 32 in place of these 8, which is what the device reads where no other
 * colour of the sector is in its cache. Counting sorts all colours; it is compared with 12 bytes a vertex that are read and
 * written once. A small graph is coloured on the host first, and every colour is compared.
 */
#include "refine/cuda/cuda_classes.cu"
#include "refine/cuda/cuda_round.cu"
#include "refine/cuda/sort.cu"
#include <cstdio>
#include <cstdlib>
#include <cub/device/device_scan.cuh>
#include <set>
#include <vector>

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        const cudaError_t code = (call);                                                                               \
        if (code) printf("line %d: %s\n", __LINE__, cudaGetErrorString(code)), exit(1);                                \
    } while (0)

/* ---- What the kernels ask of src/base/cuda/device.c ------------------------------------------ */

extern "C" void lm_device_result(lm_device *device, int code, const char *what)
{
    if (code) printf("%s: %s\n", what, cudaGetErrorString((cudaError_t)code)), exit(1);
    (void)device;
}

extern "C" void lm_device_launched(lm_device *device, const char *kernel)
{
    lm_device_result(device, (int)cudaGetLastError(), kernel);
}

extern "C" void lm_device_read(lm_device *device, void *to, const void *from, size_t bytes)
{
    lm_device_result(device, (int)cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost), "reading");
}

extern "C" void lm_device_clear(lm_device *device, void *to, size_t bytes)
{
    lm_device_result(device, (int)cudaMemset(to, 0, bytes), "clearing");
}

/* ---- The graph ------------------------------------------------------------------------------- */

struct family {
    unsigned bits, turns;
    uint32_t threshold;
};

/* x ^= x >> s is its own inverse for s >= bits / 2; an odd number has an inverse modulo 2^bits. */
static __host__ __device__ uint32_t factor(unsigned i)
{
    return (uint32_t)(lm_mix(2 * i + 1) >> 32) | 1;
}

static __host__ __device__ uint32_t shift(unsigned i)
{
    return (uint32_t)lm_mix(2 * i + 2);
}

static __host__ __device__ uint32_t permuted(const family &f, uint32_t v, unsigned i)
{
    const uint32_t mask = (uint32_t)((UINT64_C(1) << f.bits) - 1), s = (f.bits + 1) / 2;
    v = (v ^ v >> s) * factor(i) & mask;
    return ((v ^ v >> s) + shift(i)) & mask;
}

static __host__ __device__ uint32_t inverse(const family &f, uint32_t v, unsigned i)
{
    const uint32_t mask = (uint32_t)((UINT64_C(1) << f.bits) - 1), s = (f.bits + 1) / 2, a = factor(i);
    uint32_t b = a; /* Newton's method: a a = 1 modulo 8, and every step doubles the bits */
    for (int step = 0; step < 4; step++) b *= 2 - a * b;
    v = (v - shift(i)) & mask;
    v = (v ^ v >> s) * b & mask;
    return v ^ v >> s;
}

static __host__ __device__ bool has_edge(const family &f, uint32_t u, unsigned i)
{
    return (uint32_t)(lm_mix((uint64_t)u << 8 | i) >> 32) < f.threshold && permuted(f, u, i) != u;
}

/* Writes the neighbours of v to head[], or only counts them if head is null. Returns their number. */
static __host__ __device__ uint32_t neighbors(const family &f, uint32_t v, uint32_t *head)
{
    uint32_t count = 0;
    for (unsigned i = 0; i < f.turns; i++) {
        const uint32_t from = inverse(f, v, i);
        if (has_edge(f, v, i)) {
            if (head) head[count] = permuted(f, v, i);
            count++;
        }
        if (has_edge(f, from, i)) {
            if (head) head[count] = from;
            count++;
        }
    }
    return count;
}

static __global__ void count_neighbors(family f, uint32_t *start)
{
    const uint64_t v = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x, n = UINT64_C(1) << f.bits;
    if (v < n) start[v] = neighbors(f, (uint32_t)v, nullptr);
    if (v == n) start[v] = 0;
}

static __global__ void list_neighbors(family f, const uint32_t *start, uint32_t *head)
{
    const uint64_t v = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (v < UINT64_C(1) << f.bits) neighbors(f, (uint32_t)v, head + start[v]);
}

static __global__ void fill(uint64_t *colors, uint64_t n, uint64_t color)
{
    const uint64_t v = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n) colors[v] = color;
}

template <class T> static T *allocate(uint64_t count)
{
    void *here = nullptr;
    CHECK(cudaMalloc(&here, count * sizeof(T)));
    return (T *)here;
}

static family family_of(unsigned bits, double edges)
{
    const double n = (double)(UINT64_C(1) << bits);
    family f = {bits, (unsigned)(1.25 * edges / n) + 1, 0};
    f.threshold = (uint32_t)(edges / n / f.turns * 4294967295.0);
    return f;
}

static unsigned blocks_of(uint64_t n)
{
    return (unsigned)((n + 1 + LM_GPU_THREADS - 1) / LM_GPU_THREADS);
}

/* docs/color_definition.md: a vertex without label or loop. */
static uint64_t first_color()
{
    return lm_mix(lm_mix(1) * lm_multiplier_of(LM_TYPE_VERTEX, 0));
}

static lm_gpu_batch make_graph(const family &f)
{
    lm_gpu_batch b = {};
    const uint64_t n = UINT64_C(1) << f.bits;
    const lm_gpu_graph graph = {{}, (uint32_t)n};
    uint32_t arcs;
    size_t scan = 0;
    b.k = 1;
    b.out.start = allocate<uint32_t>(n + 1);
    uint32_t *degree = allocate<uint32_t>(n + 1);
    count_neighbors<<<blocks_of(n), LM_GPU_THREADS>>>(f, degree);
    CHECK(cub::DeviceScan::ExclusiveSum(nullptr, scan, degree, b.out.start, n + 1));
    char *temporary = allocate<char>(scan);
    CHECK(cub::DeviceScan::ExclusiveSum(temporary, scan, degree, b.out.start, n + 1));
    CHECK(cudaMemcpy(&arcs, b.out.start + n, sizeof arcs, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(temporary));
    CHECK(cudaFree(degree));
    b.out.head = allocate<uint32_t>(arcs);
    list_neighbors<<<blocks_of(n), LM_GPU_THREADS>>>(f, b.out.start, b.out.head);
    CHECK(cudaDeviceSynchronize());
    b.in = b.out;
    b.graph = allocate<lm_gpu_graph>(1);
    CHECK(cudaMemcpy(b.graph, &graph, sizeof graph, cudaMemcpyHostToDevice));
    b.all = {1, n, arcs, n, n, 1, (n + LM_GPU_TILE - 1) / LM_GPU_TILE, 1};
    b.colors = allocate<uint64_t>(n);
    b.next = allocate<uint64_t>(n);
    for (int i = 0; i < 2; i++) {
        b.key[i] = allocate<uint64_t>(n);
        b.number[i] = allocate<uint32_t>(n);
    }
    b.totals = allocate<uint64_t>(2);
    b.temporary_bytes = lm_gpu_sort_bytes(n);
    b.temporary = allocate<char>(b.temporary_bytes);
    fill<<<blocks_of(n), LM_GPU_THREADS>>>(b.colors, n, first_color());
    CHECK(cudaDeviceSynchronize());
    return b;
}

static void free_graph(lm_gpu_batch *b)
{
    void *arrays[] = {b->out.start, b->out.head,  b->graph,     b->colors, b->next,     b->key[0],
                      b->key[1],    b->number[0], b->number[1], b->totals, b->temporary};
    for (void *array : arrays) CHECK(cudaFree(array));
}

/* ---- Measuring ------------------------------------------------------------------------------- */

static lm_device device;
static cudaEvent_t began, ended;

static void start_clock()
{
    CHECK(cudaEventRecord(began));
}

static double seconds()
{
    float ms = 0;
    CHECK(cudaEventRecord(ended));
    CHECK(cudaEventSynchronize(ended));
    CHECK(cudaEventElapsedTime(&ms, began, ended));
    return ms / 1e3;
}

static double copy_rate()
{
    const size_t bytes = (size_t)4 << 30;
    char *a = allocate<char>(bytes), *b = allocate<char>(bytes);
    double best = 1e9;
    for (int i = 0; i < 10; i++) {
        start_clock();
        CHECK(cudaMemcpyAsync(b, a, bytes, cudaMemcpyDeviceToDevice));
        const double now = seconds();
        best = now < best ? now : best;
    }
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    return 2.0 * (double)bytes / best;
}

static void rate_row(const char *what, double bytes, double time, double copy)
{
    printf("    %-10s %8.2f GB  %8.1f GB/s  %5.1f %% of a copy\n", what, bytes / 1e9, bytes / time / 1e9,
           100 * bytes / time / copy);
}

/* One round, several times for the clock. */
static double round_of(lm_gpu_batch *b, int times)
{
    double best = 1e9;
    for (int i = 0; i < times; i++) {
        start_clock();
        lm_gpu_round(&device, b, LM_SUM_LOCAL);
        const double now = seconds();
        best = now < best ? now : best;
    }
    uint64_t *swap = b->colors;
    b->colors = b->next;
    b->next = swap;
    return best;
}

static void measure(unsigned bits, double edges, double copy)
{
    start_clock();
    lm_gpu_batch b = make_graph(family_of(bits, edges));
    const double made = seconds(), n = (double)b.all.vertices, arcs = (double)b.all.arcs;
    uint64_t before = 1;
    double all = 0;
    printf("%.0f vertices, %.0f edges, made in %.3f s\n", n, arcs / 2, made);
    for (unsigned round = 1;; round++) {
        int which;
        const double took = round_of(&b, 5);
        start_clock();
        const uint64_t classes = lm_gpu_count(&device, &b, b.colors, &which);
        const double counted = seconds(), streamed = 4 * arcs + 4 * n + 16 * n;
        all += took + counted;
        printf("  round %u: %llu colours; %.4f s, counting %.4f s\n", round, (unsigned long long)classes, took,
               counted);
        rate_row("streamed", streamed, took, copy);
        rate_row("gathered", streamed + 8 * arcs, took, copy);
        rate_row("sectors", streamed + 32 * arcs, took, copy);
        rate_row("counting", 24 * n, counted, copy);
        if (classes == before) break;
        before = classes;
    }
    printf("  to stability: %.3f s\n", all);
    free_graph(&b);
}

/* ---- On the host ----------------------------------------------------------------------------- */

static void check(unsigned bits, double edges)
{
    const family f = family_of(bits, edges);
    const size_t n = (size_t)1 << bits;
    lm_gpu_batch b = make_graph(f);
    std::vector<uint64_t> colors(n, first_color()), next(n), found(n);
    std::vector<uint32_t> head(2 * f.turns);
    for (unsigned round = 1; round <= 4; round++) {
        int which;
        for (size_t v = 0; v < n; v++) {
            uint64_t sum = 0;
            const uint32_t degree = neighbors(f, (uint32_t)v, head.data());
            for (uint32_t i = 0; i < degree; i++) sum += colors[head[i]];
            next[v] = lm_mix(colors[v] + sum * lm_multiplier_of(LM_LOCAL_SUM, 0));
        }
        colors.swap(next);
        round_of(&b, 1);
        const uint64_t classes = lm_gpu_count(&device, &b, b.colors, &which);
        CHECK(cudaMemcpy(found.data(), b.colors, n * sizeof(uint64_t), cudaMemcpyDeviceToHost));
        const bool same = found == colors && classes == std::set<uint64_t>(colors.begin(), colors.end()).size();
        printf("  check, %zu vertices, round %u: %s\n", n, round, same ? "same" : "DIFFERENT");
        if (!same) exit(1);
    }
    free_graph(&b);
}

int main(int argc, char **argv)
{
    const unsigned bits = argc > 1 ? (unsigned)atoi(argv[1]) : 26;
    const double edges = argc > 2 ? atof(argv[2]) : 1e9;
    cudaDeviceProp properties;
    if (bits < 4 || bits > 30 || !(edges >= 1 && edges <= 2.1e9) || edges / (double)(UINT64_C(1) << bits) > 200) {
        printf("expected LOG2_VERTICES from 4 to 30, and at most 2.1e9 edges and 200 for each vertex\n");
        return 2;
    }
    CHECK(cudaGetDeviceProperties(&properties, 0));
    CHECK(cudaEventCreate(&began));
    CHECK(cudaEventCreate(&ended));
    device.multiprocessors = properties.multiProcessorCount;
    const double copy = copy_rate();
    printf("%s: a copy moves %.0f GB/s\n", properties.name, copy / 1e9);
    check(14, 1.5e5);
    measure(bits, edges, copy);
    return 0;
}
