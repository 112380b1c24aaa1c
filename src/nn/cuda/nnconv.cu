/*
 * NNConv between vertices: Z[u] = sum or mean over arcs a = (u, w) of Y[w][0] + sum over k of H[a][k] Y[w][k];
 * nn/cpu/nnconv.c has the formulas. All arcs along which vertex w sends share Y[w]. So a block handles one vertex w and
 * computes three small products over its arcs in shared memory, with F[a] = (1, H[a]):
 *
 *   message of a  M[a] = F[a] Y[w]          then Z[u] = the sum or mean of M over the arcs of u
 *   dY[w] = sum over its arcs of F[a]' G[u]
 *   dH[a] = Y[w] G[u] without its first
 *
 * For a mean, G is divided by the number of arcs of u. Every number is summed by one thread, in a fixed order.
 */
#include "nn/cuda/rows.h"

/* A block has SIDE x SIDE threads; a thread has PAIR arcs or terms k, and FOUR columns or PAIR terms. */
enum {
    SIDE = 16,
    THREADS = SIDE * SIDE,
    PAIR = 2,
    FOUR = 4,
    ARCS = PAIR * SIDE,
    TERMS = PAIR * SIDE,
    COLUMNS = FOUR * SIDE,
    TERM_STRIDE = TERMS + 1,    /* rows begin in different banks */
    COLUMN_STRIDE = COLUMNS + 4 /* likewise, aligned to 16 bytes */
};

static dim3 block_of_threads()
{
    return dim3(SIDE, SIDE);
}
static __device__ __forceinline__ uint32_t thread_number()
{
    return threadIdx.y * SIDE + threadIdx.x;
}

/* ---- Tiles in shared memory: 0 where there is nothing ---------------------------------------- */

/* factor[arc][term] = F of the arcs first, first + 1, ... along which w sends, from term `from` on. */
template <class T>
static __device__ void load_factors(view<T> h, const arcs &s, uint32_t first, uint32_t end, uint32_t from,
                                    float *factor)
{
    const uint32_t term = thread_number() % TERMS, k = from + term;
    for (uint32_t i = thread_number() / TERMS; i < ARCS; i += THREADS / TERMS) {
        float number = 0;
        if (first + i < end && k <= h.width) number = k ? to_float(h.row(s.sent.number(first + i))[k - 1]) : 1;
        factor[i * TERM_STRIDE + term] = number;
    }
}

/* map[term][column] = Y[w][k], from term `from` and column `tile` on. */
template <class T>
static __device__ void load_maps(const T *y, uint32_t terms, uint32_t d, uint32_t from, uint32_t tile, float *map)
{
    const uint32_t column = thread_number() % COLUMNS, c = tile + column;
    for (uint32_t i = thread_number() / COLUMNS; i < TERMS; i += THREADS / COLUMNS)
        map[i * COLUMN_STRIDE + column] = from + i < terms && c < d ? to_float(y[(size_t)(from + i) * d + c]) : 0;
}

/* gradient[arc][column] = G of the receiving vertex, times its share. */
template <class T>
static __device__ void load_gradients(view<T> g, const arcs &s, uint32_t first, uint32_t end, uint32_t tile,
                                      float *gradient)
{
    const uint32_t column = thread_number() % COLUMNS, c = tile + column;
    for (uint32_t i = thread_number() / COLUMNS; i < ARCS; i += THREADS / COLUMNS) {
        float number = 0;
        if (first + i < end && c < g.width) {
            const uint32_t u = s.sent.other[s.sent.number(first + i)];
            number = s.share(u) * to_float(g.row(u)[c]);
        }
        gradient[i * COLUMN_STRIDE + column] = number;
    }
}

/* sum[i][j] += the sum of factor[i * across + k * along] and column j of row k of `other` over k < count. */
static __device__ __forceinline__ void add_products(float (&sum)[PAIR][FOUR], const float *factor, uint32_t across,
                                                    uint32_t along, const float4 *other, uint32_t count)
{
    for (uint32_t k = 0; k < count; k++) {
        const float4 to = other[k * (COLUMN_STRIDE / FOUR)];
        LM_UNROLLED_FOR (uint32_t i = 0; i < PAIR; i++) {
            const float by = factor[i * across + k * along];
            sum[i][0] += by * to.x, sum[i][1] += by * to.y, sum[i][2] += by * to.z, sum[i][3] += by * to.w;
        }
    }
}

/* ---- Forward --------------------------------------------------------------------------------- */

size_t lm_cuda_nnconv_workspace(const lm_cuda *cuda, const lm_frame *f)
{
    (void)cuda;
    return f->in[1].rows * f->out[0].width * sizeof(float);
}

/* Computes M of the arcs along which vertex blockIdx.x sends. */
template <class T> static __global__ void __launch_bounds__(THREADS) send(view<T> y, view<T> h, view<float> m, arcs s)
{
    lm_after_previous();
    LM_SHARED(float, factor, ARCS *TERM_STRIDE);
    LM_SHARED(float4, map, TERMS * COLUMN_STRIDE / FOUR);
    const uint32_t w = blockIdx.x, begin = s.sent.start[w], end = s.sent.start[w + 1], terms = h.width + 1;
    const uint32_t arc = PAIR * threadIdx.y, column = FOUR * threadIdx.x;
    for (uint32_t first = begin; first < end; first += ARCS)
        for (uint32_t tile = 0; tile < m.width; tile += COLUMNS) {
            float sum[PAIR][FOUR] = {};
            for (uint32_t from = 0; from < terms; from += TERMS) {
                __syncthreads();
                load_factors(h, s, first, end, from, factor);
                load_maps(y.row(w), terms, m.width, from, tile, (float *)map);
                __syncthreads();
                if (first + arc < end)
                    add_products(sum, factor + arc * TERM_STRIDE, TERM_STRIDE, 1, map + threadIdx.x, TERMS);
            }
            for (uint32_t i = 0; i < PAIR && first + arc + i < end; i++)
                for (uint32_t j = 0; j < FOUR && tile + column + j < m.width; j++)
                    m.row(s.sent.number(first + arc + i))[tile + column + j] = sum[i][j];
        }
}

/* Computes Z[u] from M; a warp for each vertex. */
template <class T> static __global__ void receive(view<float> m, view<T> z, arcs s)
{
    lm_after_previous();
    FOR_ROWS (u, z.rows) {
        const uint32_t begin = s.received.start[u], end = s.received.start[u + 1];
        for (uint32_t c = threadIdx.x; c < z.width; c += LM_CUDA_LANES) {
            float sum = 0;
            for (uint32_t i = begin; i < end; i += LM_CUDA_AHEAD) {
                float some[LM_CUDA_AHEAD];
                LM_UNROLLED_FOR (uint32_t j = 0; j < LM_CUDA_AHEAD; j++)
                    some[j] = i + j < end ? m.row(s.received.number(i + j))[c] : 0;
                LM_UNROLLED_FOR (uint32_t j = 0; j < LM_CUDA_AHEAD; j++) sum += some[j];
            }
            from_float(end > begin ? sum * s.share(u) : 0, z.row(u) + c);
        }
    }
}

void lm_cuda_nnconv_forward(lm_cuda *cuda, const lm_frame *f)
{
    const lm_tensor &y = f->in[0], &z = f->out[0];
    const lm_tensor m = {(float *)f->workspace, f->in[1].rows, z.width, z.width};
    if (!z.rows) return;
    LAUNCH_WAITING(cuda, lm_cuda_half(cuda, LM_VERTICES), false, dim3((unsigned)y.rows), block_of_threads(), (send<T>),
                   y, f->in[1], m, arcs_of(cuda, f));
    LAUNCH_ROWS(cuda, lm_cuda_half(cuda, LM_VERTICES), false, z.rows, (receive<T>), m, z, arcs_of(cuda, f));
}

/* ---- Backward -------------------------------------------------------------------------------- */

/* Computes dY of vertex blockIdx.x. */
template <class T>
static __global__ void __launch_bounds__(THREADS) back_to_senders(view<T> h, view<T> g, view<T> gy, bool add, arcs s)
{
    lm_after_previous();
    LM_SHARED(float, factor, ARCS *TERM_STRIDE);
    LM_SHARED(float4, gradient, ARCS * COLUMN_STRIDE / FOUR);
    const uint32_t w = blockIdx.x, begin = s.sent.start[w], end = s.sent.start[w + 1], terms = h.width + 1;
    const uint32_t term = PAIR * threadIdx.y, column = FOUR * threadIdx.x;
    for (uint32_t tile = 0; tile < g.width; tile += COLUMNS)
        for (uint32_t from = 0; from < terms; from += TERMS) {
            float sum[PAIR][FOUR] = {};
            for (uint32_t first = begin; first < end; first += ARCS) {
                __syncthreads();
                load_factors(h, s, first, end, from, factor);
                load_gradients(g, s, first, end, tile, (float *)gradient);
                __syncthreads();
                const uint32_t arcs_left = end - first < ARCS ? end - first : (uint32_t)ARCS;
                if (from + term < terms)
                    add_products(sum, factor + term, 1, TERM_STRIDE, gradient + threadIdx.x, arcs_left);
            }
            for (uint32_t i = 0; i < PAIR && from + term + i < terms; i++)
                for (uint32_t j = 0; j < FOUR && tile + column + j < g.width; j++) {
                    T *to = gy.row(w) + (size_t)(from + term + i) * g.width + tile + column + j;
                    from_float((add ? to_float(*to) : 0) + sum[i][j], to);
                }
        }
}

/* Computes dH of the arcs along which vertex blockIdx.x sends. */
template <class T>
static __global__ void __launch_bounds__(THREADS) back_to_arcs(view<T> y, view<T> g, view<T> gh, bool add, arcs s)
{
    lm_after_previous();
    LM_SHARED(float4, map, TERMS * COLUMN_STRIDE / FOUR);
    LM_SHARED(float4, gradient, ARCS * COLUMN_STRIDE / FOUR);
    const uint32_t w = blockIdx.x, begin = s.sent.start[w], end = s.sent.start[w + 1];
    const uint32_t arc = PAIR * threadIdx.y;
    for (uint32_t first = begin; first < end; first += ARCS)
        for (uint32_t from = 0; from < gh.width; from += TERMS) {
            float sum[PAIR][PAIR] = {}; /* terms threadIdx.x and threadIdx.x + SIDE: no bank conflicts */
            for (uint32_t tile = 0; tile < g.width; tile += COLUMNS) {
                __syncthreads();
                load_maps(y.row(w), gh.width + 1, g.width, from + 1, tile, (float *)map);
                load_gradients(g, s, first, end, tile, (float *)gradient);
                __syncthreads();
                if (first + arc >= end) continue;
                for (uint32_t c = 0; c < COLUMNS / FOUR; c++)
                    LM_UNROLLED_FOR (uint32_t i = 0; i < PAIR; i++) {
                        const float4 a = gradient[(arc + i) * COLUMN_STRIDE / FOUR + c];
                        LM_UNROLLED_FOR (uint32_t j = 0; j < PAIR; j++) {
                            const float4 b = map[(threadIdx.x + j * SIDE) * COLUMN_STRIDE / FOUR + c];
                            sum[i][j] += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
                        }
                    }
            }
            for (uint32_t i = 0; i < PAIR && first + arc + i < end; i++)
                for (uint32_t j = 0; j < PAIR; j++) {
                    const uint32_t k = from + threadIdx.x + j * SIDE;
                    if (k >= gh.width) continue;
                    T *to = gh.row(s.sent.number(first + arc + i)) + k;
                    from_float((add ? to_float(*to) : 0) + sum[i][j], to);
                }
        }
}

void lm_cuda_nnconv_backward(lm_cuda *cuda, const lm_frame *f)
{
    const lm_tensor &y = f->in[0], &g = f->out_gradient[0], &gy = f->in_gradient[0], &gh = f->in_gradient[1];
    const bool half = lm_cuda_half(cuda, LM_VERTICES);
    if (gh.data && !f->add[1])
        LAUNCH_ROWS(cuda, half, false, gh.rows, (clear_rows<T, V>), gh, (const uint32_t *)(cuda->live + LM_ARCS));
    if (gy.data && gy.rows)
        LAUNCH_WAITING(cuda, half, false, dim3((unsigned)gy.rows), block_of_threads(), (back_to_senders<T>), f->in[1],
                       g, gy, f->add[0], arcs_of(cuda, f));
    if (gh.data && gh.rows && y.rows)
        LAUNCH_WAITING(cuda, half, false, dim3((unsigned)y.rows), block_of_threads(), (back_to_arcs<T>), y, g, gh,
                       f->add[1], arcs_of(cuda, f));
}
