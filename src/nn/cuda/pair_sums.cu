/*
 * Sums over neighbours along both components of pairs: Z_j = (1+e_j) X + S_j X, j = 1, 2. X is read once forward, dX is
 * written once backward; nn/cuda/lines.h has the sums.
 */
#include "nn/cuda/lines.h"
#include <type_traits>

enum { BOTH = 2 };

struct line_sums {
    line_sum of[BOTH];
};

/* The workspace: sums of lines of both components, then parts of the gradients of both epsilons. */
size_t lm_cuda_pair_sums_workspace(const lm_backend *backend, const lm_program *program, const lm_step *step,
                                   const lm_extent *max)
{
    const lm_value *x = lm_program_value(program, step->output[0]);
    return BOTH * (max_lines(program, step, max) * x->width + blocks_of(lm_cuda_of(backend), max->rows[x->space])) *
               sizeof(float) +
           256;
}

static line_sums sums_of(lm_cuda *cuda, const lm_frame *f, const lm_tensor *read[BOTH], bool half, bool back)
{
    const size_t room = max_lines(f->program, f->step, &f->batch->extent) * read[0]->width;
    line_sums s = {};
    for (size_t j = 0; j < BOTH; j++) {
        s.of[j] = sum_of(cuda, f, j, f->weight[j], back);
        run_lines(cuda, f, *read[j], half, (float *)f->workspace + j * room, s.of + j);
    }
    return s;
}

/* Calls f with the number of packs of a lane: one if the lanes of a row cover it, otherwise two (packs of four
 * floats). */
template <int V, class F> static void with_packs(size_t width, dim3 block, F f)
{
    if (V != 4 || width <= block.x * V)
        f(std::integral_constant<int, 1>());
    else
        f(std::integral_constant<int, 2>());
}

template <class T, int V, int C>
static __global__ void forward(view<T> x, view<T> first, view<T> second, line_sums both)
{
    FOR_ROWS (r, x.rows) {
        const uint32_t graph = both.of[0].graph_of[r];
        FOR_GROUPS (c, x.width) {
            group<T, V, C> at = {};
            if (graph != LM_NO_GRAPH) at = load_group<T, V, C>(x, r, c);
            LM_UNROLL for (int j = 0; j < BOTH; j++)
            {
                const line_sum &s = both.of[j];
                const view<T> &z = j ? second : first;
                const float own = 1 + (s.epsilon ? *s.epsilon : 0);
                float sum[C][V] = {};
                if (graph != LM_NO_GRAPH) sum_row<T, V, C>(s, place_of(s, r, graph), x, r, c, sum);
                for (int i = 0; i < C; i++) {
                    if (AT(c, i) >= x.width) break;
                    pack<T, V> out = {};
                    for (int n = 0; n < V; n++) out.at[n] = own * at.part[i].at[n] + sum[i][n];
                    store<T, V>(z.row(r) + AT(c, i), out);
                }
            }
        }
    }
}

void lm_cuda_pair_sums_forward(lm_backend *backend, const lm_frame *f)
{
    lm_cuda *cuda = lm_cuda_of(backend);
    const bool half = lm_cuda_half(backend, space_of(f, f->step->output[0]));
    const lm_tensor &x = f->in[0], *read[BOTH] = {&x, &x};
    if (!x.rows) return;
    const line_sums s = sums_of(cuda, f, read, half, false);
    with_kind(half, are_wide(half, x, f->out[0], f->out[1]), [&](auto k) {
        KIND(k);
        const dim3 block = block_for(x.width, V, LM_CUDA_ROWS * LM_CUDA_LANES);
        with_packs<V>(x.width, block, [&](auto packs) {
            LM_LAUNCH((forward<T, V, decltype(packs)::value>), blocks_of(cuda, x.rows, block.y), block,
                      cuda->device.stream, view_of<T>(x), view_of<T>(f->out[0]), view_of<T>(f->out[1]), s);
        });
    });
    lm_device_launched(&cuda->device, "sums over neighbours");
}

/* Computes dX from both G, and the sums of G X over the rows of a block. */
template <class T, int V, int C>
static __global__ void backward(view<T> first, view<T> second, view<T> x, view<T> gx, bool add, line_sums both,
                                float *parts)
{
    float product[BOTH] = {};
    FOR_ROWS (r, x.rows) {
        const uint32_t graph = both.of[0].graph_of[r];
        FOR_GROUPS (c, x.width) {
            float sum[C][V] = {};
            group<T, V, C> in = {};
            if (graph != LM_NO_GRAPH && parts) in = load_group<T, V, C>(x, r, c);
            LM_UNROLL for (int j = 0; j < BOTH; j++)
            {
                const line_sum &s = both.of[j];
                const view<T> &g = j ? second : first;
                const float own = 1 + (s.epsilon ? *s.epsilon : 0);
                if (graph == LM_NO_GRAPH) continue;
                const group<T, V, C> at = load_group<T, V, C>(g, r, c);
                if (gx.data) sum_row<T, V, C>(s, place_of(s, r, graph), g, r, c, sum);
                add_group<T, V, C>(sum, at, own);
                for (int i = 0; i < C; i++)
                    for (int n = 0; n < V; n++) product[j] += in.part[i].at[n] * at.part[i].at[n];
            }
            for (int i = 0; i < C && gx.data; i++) {
                if (AT(c, i) >= x.width) break;
                pack<T, V> out = {};
                for (int n = 0; n < V; n++) out.at[n] = sum[i][n];
                put<T, V>(gx.row(r) + AT(c, i), out, add);
            }
        }
    }
    if (!parts) return;
    sum_threads(product[0], parts);
    __syncthreads();
    sum_threads(product[1], parts + gridDim.x);
}

void lm_cuda_pair_sums_backward(lm_backend *backend, const lm_frame *f)
{
    lm_cuda *cuda = lm_cuda_of(backend);
    const bool half = lm_cuda_half(backend, space_of(f, f->step->output[0]));
    const lm_tensor none = {}, &gx = f->in_gradient[0], *read[BOTH] = {f->out_gradient, f->out_gradient + 1};
    const bool learns = f->weight_gradient[0] || f->weight_gradient[1];
    const size_t lines = BOTH * max_lines(f->program, f->step, &f->batch->extent) * read[0]->width;
    unsigned blocks = 0;
    float *parts = learns ? (float *)f->workspace + (lines + 63) / 64 * 64 : NULL;
    lm_tensor x = learns ? f->in[0] : none;
    if (!read[0]->rows || (!gx.data && !learns)) return;
    const line_sums s = sums_of(cuda, f, read, half, true);
    x.rows = read[0]->rows, x.width = read[0]->width;
    with_kind(half, are_wide(half, *read[0], *read[1], x, gx), [&](auto k) {
        KIND(k);
        const dim3 block = block_for(x.width, V, LM_CUDA_ROWS * LM_CUDA_LANES);
        blocks = blocks_of(cuda, x.rows, block.y);
        with_packs<V>(x.width, block, [&](auto packs) {
            LM_LAUNCH_WAITING((backward<T, V, decltype(packs)::value>), blocks, block, cuda->device.stream,
                              view_of<T>(*read[0]), view_of<T>(*read[1]), view_of<T>(x), view_of<T>(gx), f->add[0], s,
                              parts);
        });
    });
    lm_device_launched(&cuda->device, "gradients of sums over neighbours");
    for (size_t j = 0; j < BOTH; j++)
        if (f->weight_gradient[j]) lm_cuda_add_parts(cuda, parts + j * blocks, blocks, 1, 0, 1, f->weight_gradient[j]);
}
