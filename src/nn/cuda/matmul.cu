/*
 * Products of the n x n matrices of a graph, channel by channel: M[(u,v)] = sum over w of P[(u,w)] Q[(w,v)];
 * nn/cpu/matmul.c has the formulas. A thread has a pack of channels and 3 x 3 results at a time, whose sums stay in
 * registers: six rows are read for nine. A block has some packs and tiles of a graph, as many as leave few threads
 * without work: 400 channels are four times 25 packs, not three times 32 and four. Every sum runs over w in its order.
 */
#include "nn/cuda/rows.h"

enum { TILE = 3, THREADS = 256, MOST_BLOCKS = 4096 };

/* Where the matrices of graphs are, and which factor is transposed. */
struct matrices {
    const uint32_t *row_start, *vertex_start;
    bool left_transposed, right_transposed;
};

static __device__ __forceinline__ uint32_t entry(uint32_t n, uint32_t i, uint32_t l, bool transposed)
{
    return transposed ? l * n + i : i * n + l;
}

template <class T, int V> static __global__ void multiply(view<T> a, view<T> b, view<T> to, bool add, matrices m)
{
    const uint32_t g = blockIdx.x, first = m.row_start[g], n = m.vertex_start[g + 1] - m.vertex_start[g];
    const uint32_t tiles = (n + TILE - 1) / TILE, c = TILE_COLUMN;
    const uint32_t step = gridDim.z * blockDim.y;
    for (uint32_t t = blockIdx.z * blockDim.y + threadIdx.y; t < tiles * tiles && c < to.width; t += step) {
        const uint32_t i = t / tiles * TILE, j = t % tiles * TILE;
        float sum[TILE][TILE][V] = {};
        for (uint32_t l = 0; l < n; l++) {
            pack<T, V> left[TILE] = {}, right[TILE] = {};
            LM_UNROLL for (uint32_t x = 0; x < TILE; x++)
            {
                if (i + x < n) left[x] = load<T, V>(a.row(first + entry(n, i + x, l, m.left_transposed)) + c);
                if (j + x < n) right[x] = load<T, V>(b.row(first + entry(n, l, j + x, m.right_transposed)) + c);
            }
            LM_UNROLL for (int x = 0; x < TILE; x++)
                LM_UNROLL for (int y = 0; y < TILE; y++) for (int v = 0; v < V; v++) sum[x][y][v] +=
                left[x].at[v] * right[y].at[v];
        }
        LM_UNROLL for (uint32_t x = 0; x < TILE; x++) LM_UNROLL for (uint32_t y = 0; y < TILE; y++)
        {
            pack<T, V> p;
            if (i + x >= n || j + y >= n) continue;
            for (int v = 0; v < V; v++) p.at[v] = sum[x][y][v];
            put<T, V>(to.row(first + (i + x) * n + j + y) + c, p, add);
        }
    }
}

/* Blocks of the tiles of a graph: enough for one of the mean size; a larger one goes through them again. */
static unsigned blocks_of_tiles(size_t rows, size_t graphs, size_t at_once)
{
    const size_t tiles = ((size_t)ceil(sqrt((double)rows / (double)graphs)) + TILE - 1) / TILE;
    const size_t blocks = (tiles * tiles + at_once - 1) / at_once;
    return (unsigned)(blocks < MOST_BLOCKS ? blocks : (size_t)MOST_BLOCKS);
}

/* Rows of padding stay finite, and have no gradient. */
static void run(lm_backend *backend, const lm_frame *f, const lm_tensor &a, const lm_tensor &b, const lm_tensor &to,
                bool add, bool left_transposed, bool right_transposed)
{
    lm_cuda *cuda = lm_cuda_of(backend);
    const bool half = lm_cuda_half(backend, LM_TUPLES);
    const matrices m = {f->batch->start[LM_TUPLES], f->batch->start[LM_VERTICES], left_transposed, right_transposed};
    const unsigned graphs = (unsigned)f->batch->extent.rows[LM_GRAPHS];
    if (!to.data || !to.rows || !graphs) return;
    with_kind(half, are_wide(half, a, b, to), [&](auto k) {
        KIND(k);
        const unsigned packs = (unsigned)((to.width + V - 1) / V), parts = (packs + LM_WARP - 1) / LM_WARP;
        const dim3 block((packs + parts - 1) / parts, THREADS / ((packs + parts - 1) / parts));
        LM_LAUNCH((multiply<T, V>), dim3(graphs, parts, blocks_of_tiles(to.rows, graphs, block.y)), block,
                  cuda->device.stream, view_of<T>(a), view_of<T>(b), view_of<T>(to), add, m);
        if (!add)
            LM_LAUNCH((clear_padding<T>), blocks_of(cuda, to.rows), block_of_rows(), cuda->device.stream,
                      view_of<T>(to), (const uint32_t *)(cuda->live + LM_TUPLES));
    });
    lm_device_launched(&cuda->device, "products of the matrices of graphs");
}

void lm_cuda_matmul_forward(lm_backend *backend, const lm_frame *f)
{
    run(backend, f, f->in[0], f->in[1], f->out[0], false, false, false);
}

void lm_cuda_matmul_backward(lm_backend *backend, const lm_frame *f)
{
    const lm_tensor &g = f->out_gradient[0];
    run(backend, f, g, f->in[1], f->in_gradient[0], f->add[0], false, true);
    run(backend, f, f->in[0], g, f->in_gradient[1], f->add[1], true, false);
}
