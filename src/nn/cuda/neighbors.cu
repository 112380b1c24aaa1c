/*
 * Sums over neighbours: Z = f((1+e) X + S M + b), where M is X or the value that is sent instead; nn/cpu/neighbors.c
 * has the formulas, nn/cuda/lines.h the sums. The backward pass exchanges A and A', after G = dZ f'(Z).
 *
 * A warp processes a row. If rows are vertices, some vertex may have thousands of neighbours (a hub) while the others
 * have few, and all would wait for its warp. So all warps of a block share the arcs of a hub.
 */
#include "nn/cuda/lines.h"
#include <type_traits>

enum { MOST_ARCS = 64 }; /* maximum that one warp sums alone */

/* Loop over the rows first .. first + LM_CUDA_ROWS - 1 of a block; thread y has the y-th. A row after the last one has
 * no graph. All threads of a block loop over the same number of rows and groups, so they may synchronise. */
#define FOR_BLOCK_ROWS(first, count)                                                                                   \
    for (uint32_t first = blockIdx.x * blockDim.y; first < (count); first += gridDim.x * blockDim.y)
#define FOR_BLOCK_GROUPS(c, width)                                                                                     \
    for (uint32_t c = threadIdx.x * V; c - threadIdx.x * V < (width); c += blockDim.x * V * C)

/* sum += the rows at the ends of the arcs of a hub, for the warp of its row. Every warp sums a part of the arcs, and
 * the parts are added in the order of the warps. */
template <class T, int V, int C>
static __device__ void sum_hubs(const line_sum &s, const place &p, view<T> x, bool live, uint32_t c, float (&sum)[C][V])
{
    LM_SHARED(place, hub, LM_CUDA_ROWS);
    LM_SHARED(bool, is_hub, LM_CUDA_ROWS);
    LM_SHARED(float, held, LM_CUDA_ROWS *C *V *LM_CUDA_LANES);
    const uint32_t y = threadIdx.y, v = p.vertex + p.u;
    if (threadIdx.x == 0) {
        is_hub[y] = live && s.arc_start[v + 1] - s.arc_start[v] > MOST_ARCS;
        hub[y] = p;
    }
    __syncthreads();
    for (uint32_t row = 0; row < LM_CUDA_ROWS; row++) {
        if (!is_hub[row]) continue;
        const place h = hub[row];
        const uint32_t from = s.arc_start[h.vertex + h.u], arcs = s.arc_start[h.vertex + h.u + 1] - from;
        const uint32_t mine = (uint32_t)((uint64_t)arcs * y / LM_CUDA_ROWS),
                       next = (uint32_t)((uint64_t)arcs * (y + 1) / LM_CUDA_ROWS);
        float part[C][V] = {};
        sum_arcs<T, V, C, LM_CUDA_AHEAD>(s, h, x, c, from + mine, from + next, part);
        for (int i = 0; i < C; i++)
            for (int n = 0; n < V; n++) held[((y * C + i) * V + n) * LM_CUDA_LANES + threadIdx.x] = part[i][n];
        __syncthreads();
        for (uint32_t w = 0; w < LM_CUDA_ROWS && row == y; w++)
            for (int i = 0; i < C; i++)
                for (int n = 0; n < V; n++) sum[i][n] += held[((w * C + i) * V + n) * LM_CUDA_LANES + threadIdx.x];
        __syncthreads();
    }
    __syncthreads();
}

/* S x of a row. If rows are vertices, all threads of a block must call it together. */
template <class T, int V, int C, bool VERTICES>
static __device__ __forceinline__ void sum_rows(const line_sum &s, const place &p, view<T> x, uint32_t r, bool live,
                                                uint32_t c, float (&sum)[C][V])
{
    const uint32_t most = VERTICES ? (uint32_t)MOST_ARCS : UINT32_MAX;
    if (live) sum_row<T, V, C>(s, p, x, r, c, sum, most);
    if (VERTICES && s.arcs != 0) sum_hubs<T, V, C>(s, p, x, live, c, sum);
}

/* Calls f with a constant that says whether rows are vertices. */
template <class F> static void with_space(lm_row_space space, F f)
{
    if (space == LM_VERTICES)
        f(std::true_type());
    else
        f(std::false_type());
}

/* ---- Forward --------------------------------------------------------------------------------- */

template <class T, int V, int C, bool VERTICES>
static __global__ void forward(view<T> x, view<T> sent, view<T> z, line_sum s, const float *bias, lm_activation f)
{
    const float own = 1 + (s.epsilon ? *s.epsilon : 0);
    FOR_BLOCK_ROWS(first, x.rows)
    {
        const uint32_t r = first + threadIdx.y, graph = r < x.rows ? s.graph_of[r] : LM_NO_GRAPH;
        const bool live = graph != LM_NO_GRAPH;
        place p = {};
        if (live) p = place_of(s, r, graph);
        FOR_BLOCK_GROUPS(c, x.width)
        {
            float sum[C][V] = {};
            group<T, V, C> at = {};
            if (live) at = load_group<T, V, C>(x, r, c);
            sum_rows<T, V, C, VERTICES>(s, p, sent, r, live, c, sum);
            for (int i = 0; i < C && r < x.rows; i++) {
                if (AT(c, i) >= x.width) break;
                pack<T, V> out = {};
                floats<V> shift = {};
                if (bias) shift = load_floats<V>(bias + AT(c, i));
                for (int n = 0; n < V && live; n++)
                    out.at[n] = activate(own * at.part[i].at[n] + sum[i][n] + shift.at[n], f);
                store<T, V>(z.row(r) + AT(c, i), out);
            }
        }
    }
}

size_t lm_cuda_neighbors_workspace(const lm_backend *backend, const lm_program *program, const lm_step *step,
                                   const lm_extent *max)
{
    const lm_value *x = lm_program_value(program, step->output[0]);
    const size_t columns = parts_bytes(max->rows[x->space], x->width, 1);
    const size_t blocks = blocks_of(lm_cuda_of(backend), max->rows[x->space]) * sizeof(float);
    return max_lines(program, step, max) * x->width * sizeof(float) + columns + blocks + 512;
}

void lm_cuda_neighbors_forward(lm_backend *backend, const lm_frame *f)
{
    lm_cuda *cuda = lm_cuda_of(backend);
    const bool half = lm_cuda_half(backend, space_of(f, f->step->output[0]));
    const lm_tensor &x = f->in[0], &sent = f->in[1].data ? f->in[1] : f->in[0];
    line_sum s = sum_of(cuda, f, f->step->position, f->weight[0], false);
    if (!x.rows) return;
    run_lines(cuda, f, sent, half, (float *)f->workspace, &s);
    with_kind(half, are_wide(half, x, sent, f->out[0]), [&](auto k) {
        KIND(k);
        with_space(space_of(f, f->step->output[0]), [&](auto vertices) {
            LM_LAUNCH_WAITING((forward < T, V, V == 4 ? 2 : 1, decltype(vertices)::value >), blocks_of(cuda, x.rows),
                              block_of_rows(), cuda->device.stream, view_of<T>(x), view_of<T>(sent),
                              view_of<T>(f->out[0]), s, f->weight[1], f->step->activation);
        });
    });
    lm_device_launched(&cuda->device, "sums over neighbours");
}

/* ---- Backward -------------------------------------------------------------------------------- */

/* Computes dX and dM from G, and the sum of G X over the rows of a block. If M = X, gx receives both. */
template <class T, int V, int C, bool VERTICES>
static __global__ void backward(view<T> g, view<T> x, view<T> gx, view<T> sent, bool add, bool add_sent, line_sum s,
                                float *parts)
{
    const float own = 1 + (s.epsilon ? *s.epsilon : 0);
    float product = 0;
    FOR_BLOCK_ROWS(first, g.rows)
    {
        const uint32_t r = first + threadIdx.y, graph = r < g.rows ? s.graph_of[r] : LM_NO_GRAPH;
        const bool live = graph != LM_NO_GRAPH;
        place p = {};
        if (live) p = place_of(s, r, graph);
        FOR_BLOCK_GROUPS(c, g.width)
        {
            float sum[C][V] = {};
            group<T, V, C> at = {}, in = {};
            if (live) at = load_group<T, V, C>(g, r, c);
            if (live && parts) in = load_group<T, V, C>(x, r, c);
            if (sent.data || gx.data) sum_rows<T, V, C, VERTICES>(s, p, g, r, live, c, sum);
            for (int i = 0; i < C && r < g.rows; i++) {
                if (AT(c, i) >= g.width) break;
                pack<T, V> mine = {}, theirs = {};
                for (int n = 0; n < V; n++) {
                    product += in.part[i].at[n] * at.part[i].at[n];
                    mine.at[n] = own * at.part[i].at[n] + (sent.data ? 0 : sum[i][n]);
                    theirs.at[n] = sum[i][n];
                }
                if (gx.data) put<T, V>(gx.row(r) + AT(c, i), mine, add);
                if (sent.data) put<T, V>(sent.row(r) + AT(c, i), theirs, add_sent);
            }
        }
    }
    if (parts) sum_threads(product, parts);
}

void lm_cuda_neighbors_backward(lm_backend *backend, const lm_frame *f)
{
    lm_cuda *cuda = lm_cuda_of(backend);
    const bool half = lm_cuda_half(backend, space_of(f, f->step->output[0])), apart = f->in[1].data;
    const lm_tensor &g = f->out_gradient[0], &x = f->in[0], &gx = f->in_gradient[0], &sent = f->in_gradient[1];
    const unsigned blocks = blocks_of(cuda, g.rows);
    line_sum s = sum_of(cuda, f, f->step->position, f->weight[0], true);
    if (!g.rows) return;
    if (!f->derived) lm_cuda_derive(backend, f, f->weight_gradient[1]); /* before the workspace is used for lines */
    if (!gx.data && !(apart && sent.data) && !f->weight_gradient[0]) return;
    run_lines(cuda, f, g, half, (float *)f->workspace, &s);
    const size_t lines = max_lines(f->program, f->step, &f->batch->extent) * g.width;
    float *parts = f->weight_gradient[0] ? (float *)f->workspace + (lines + 63) / 64 * 64 : NULL;
    const lm_tensor none = {}, &read = parts ? x : none;
    with_kind(half, are_wide(half, g, read, gx, sent), [&](auto k) {
        KIND(k);
        with_space(space_of(f, f->step->output[0]), [&](auto vertices) {
            LM_LAUNCH_WAITING((backward < T, V, V == 4 ? 2 : 1, decltype(vertices)::value >), blocks, block_of_rows(),
                              cuda->device.stream, view_of<T>(g), view_of<T>(read), view_of<T>(gx),
                              view_of<T>(apart ? sent : none), f->add[0], f->add[1], s, parts);
        });
    });
    lm_device_launched(&cuda->device, "gradients of sums over neighbours");
    if (parts) lm_cuda_add_parts(cuda, parts, blocks, 1, 0, 1, f->weight_gradient[0]);
}
