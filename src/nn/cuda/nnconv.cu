/*
 * NNConv between vertices: Z[u] = sum or mean over arcs a = (u, w) of Y[w][0] + sum over k of H[a][k] Y[w][k];
 * nn/cpu/nnconv.c has the formulas. A block has a vertex that receives, its warps the arcs in turn, and the warps are
 * added in their order. On the way back a warp has (w, k), or an arc. Y of a graph is read from the cache.
 */
#include "nn/cuda/rows.h"

/* By who receives, and by who sends. */
struct ways {
    by_end received, sent;
    const uint32_t *live; /* arcs that are not padding */
    bool mean;
    __device__ __forceinline__ float share(uint32_t u) const
    {
        return mean ? 1 / (float)(received.start[u + 1] - received.start[u]) : 1;
    }
};

static ways ways_of(const lm_cuda *cuda, const lm_frame *f)
{
    ways s = {received_of(f), sent_of(f), cuda->live + LM_ARCS, f->step->rate > 0};
    return s;
}

/* ---- Forward --------------------------------------------------------------------------------- */

template <class T> static __global__ void forward(view<T> y, view<T> h, view<T> z, ways s)
{
    LM_SHARED(float, held, LM_CUDA_ROWS *LM_CUDA_LANES);
    const uint32_t c = blockIdx.y * LM_CUDA_LANES + threadIdx.x, d = z.width;
    for (uint32_t u = blockIdx.x; u < z.rows; u += gridDim.x) {
        const uint32_t first = s.received.start[u], end = s.received.start[u + 1];
        float sum = 0;
        for (uint32_t i = first + threadIdx.y; i < end && c < d; i += LM_CUDA_ROWS) {
            const uint32_t a = s.received.number(i);
            const T *from = y.row(s.received.other[a]) + c, *factor = h.row(a);
            sum += to_float(from[0]);
            for (uint32_t k = 0; k < h.width; k++) sum += to_float(factor[k]) * to_float(from[(size_t)(k + 1) * d]);
        }
        __syncthreads();
        held[threadIdx.y * LM_CUDA_LANES + threadIdx.x] = sum;
        __syncthreads();
        if (threadIdx.y || c >= d) continue;
        for (int n = 1; n < LM_CUDA_ROWS; n++) sum += held[n * LM_CUDA_LANES + threadIdx.x];
        from_float(end > first ? sum * s.share(u) : 0, z.row(u) + c);
    }
}

void lm_cuda_nnconv_forward(lm_backend *backend, const lm_frame *f)
{
    lm_cuda *cuda = lm_cuda_of(backend);
    const lm_tensor &z = f->out[0];
    if (!z.rows) return;
    const dim3 blocks(blocks_of(cuda, z.rows * LM_CUDA_ROWS), tiles_of(z.width, 1));
    with_kind(lm_cuda_half(backend, LM_VERTICES), false, [&](auto k) {
        KIND(k);
        LM_LAUNCH_WAITING((forward<T>), blocks, block_of_rows(), cuda->device.stream, view_of<T>(f->in[0]),
                          view_of<T>(f->in[1]), view_of<T>(z), ways_of(cuda, f));
        (void)V;
    });
    lm_device_launched(&cuda->device, "messages by maps of arcs");
}

/* ---- Backward -------------------------------------------------------------------------------- */

/* dY[w][k]: a warp has a row of d numbers. */
template <class T> static __global__ void back_to_senders(view<T> h, view<T> g, view<T> gy, bool add, ways s)
{
    const uint32_t rows = h.width + 1, d = g.width;
    FOR_ROWS (r, gy.rows * rows) {
        const uint32_t w = r / rows, k = r % rows;
        for (uint32_t c = threadIdx.x; c < d; c += LM_CUDA_LANES) {
            T *to = gy.row(w) + (size_t)k * d + c;
            float sum = 0;
            for (uint32_t i = s.sent.start[w]; i < s.sent.start[w + 1]; i++) {
                const uint32_t a = s.sent.number(i), u = s.sent.other[a];
                sum += (k ? to_float(h.row(a)[k - 1]) : 1) * s.share(u) * to_float(g.row(u)[c]);
            }
            from_float(add ? to_float(*to) + sum : sum, to);
        }
    }
}

/* dH[a][k] = Y[w][k] . G[u]: a warp has an arc, and its lanes 32 of the k in turn. */
template <class T> static __global__ void back_to_arcs(view<T> y, view<T> g, view<T> gh, bool add, ways s)
{
    const uint32_t d = g.width;
    FOR_ROWS (a, gh.rows) {
        const bool live = a < *s.live;
        const uint32_t u = live ? s.sent.other[a] : 0, w = live ? s.received.other[a] : 0;
        const float share = live ? s.share(u) : 0;
        float mine = 0;
        for (uint32_t k = 0; k < gh.width; k++) {
            float sum = 0;
            for (uint32_t c = threadIdx.x; live && c < d; c += LM_CUDA_LANES)
                sum += to_float(y.row(w)[(size_t)(k + 1) * d + c]) * to_float(g.row(u)[c]);
            sum = warp_sum(sum);
            if (k % LM_CUDA_LANES == threadIdx.x) mine = sum * share;
            if (k % LM_CUDA_LANES != LM_CUDA_LANES - 1 && k + 1 != gh.width) continue;
            const uint32_t at = k - k % LM_CUDA_LANES + threadIdx.x;
            if (at < gh.width) from_float(add ? to_float(gh.row(a)[at]) + mine : mine, gh.row(a) + at);
        }
    }
}

void lm_cuda_nnconv_backward(lm_backend *backend, const lm_frame *f)
{
    lm_cuda *cuda = lm_cuda_of(backend);
    const lm_tensor &g = f->out_gradient[0], &gy = f->in_gradient[0], &gh = f->in_gradient[1];
    const size_t rows = f->in[1].width + 1;
    with_kind(lm_cuda_half(backend, LM_VERTICES), false, [&](auto k) {
        KIND(k);
        if (gy.data && gy.rows)
            LM_LAUNCH((back_to_senders<T>), blocks_of(cuda, gy.rows * rows), block_of_rows(), cuda->device.stream,
                      view_of<T>(f->in[1]), view_of<T>(g), view_of<T>(gy), f->add[0], ways_of(cuda, f));
        if (gh.data && gh.rows)
            LM_LAUNCH_WAITING((back_to_arcs<T>), blocks_of(cuda, gh.rows), block_of_rows(), cuda->device.stream,
                              view_of<T>(f->in[0]), view_of<T>(g), view_of<T>(gh), f->add[1], ways_of(cuda, f));
        (void)V;
    });
    lm_device_launched(&cuda->device, "gradients of messages by maps of arcs");
}
