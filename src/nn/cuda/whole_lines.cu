/*
 * Sums over whole lines of pairs, for nn/cuda/neighbors.cu: Z = f((1+e) X + S M + b), where S is J or J - I along one
 * component, and the backward pass of these and of LM_OPPOSITE.
 *
 * A block sums some columns of a line and then writes the rows of the line, which are still in the cache: one kernel, and
 * every row is read from memory once.
 */
#include "nn/cuda/pair_lines.h"

/* total = the sum of a line's rows of x, at the columns of each thread. All threads of a block call it together. */
template <class T, int V>
static __device__ __forceinline__ floats<V> sum_whole(view<T> x, const pair_line &l, uint32_t c)
{
    enum { WARPS = PAIR_THREADS / LM_WARP };
    LM_SHARED(float4, held, WARPS * PAIR_COLUMNS / 4);
    const uint32_t thread = threadIdx.y * pairs<V>::LANES + threadIdx.x;
    float *const own = reinterpret_cast<float *>(held) + thread / LM_WARP * PAIR_COLUMNS + threadIdx.x * V;
    floats<V> sum = {};
    for (uint32_t w = threadIdx.y; w < l.n && c < x.width; w += pairs<V>::ROWS) {
        const pack<T, V> row = load<T, V>(x.row(l.first + w * l.step) + c);
        for (int n = 0; n < V; n++) sum.at[n] += row.at[n];
    }
    for (int mask = pairs<V>::LANES; mask < LM_WARP; mask *= 2)
        for (int n = 0; n < V; n++) sum.at[n] += __shfl_xor_sync(0xffffffffu, sum.at[n], mask);
    __syncthreads(); /* until the sum of the line before is not read any more */
    for (int n = 0; n < V && thread % LM_WARP < pairs<V>::LANES; n++) own[n] = sum.at[n];
    __syncthreads();
    for (int n = 0; n < V; n++) sum.at[n] = 0;
    for (uint32_t warp = 0; warp < WARPS; warp++) {
        const floats<V> part = load_floats<V>(reinterpret_cast<float *>(held) + warp * PAIR_COLUMNS + threadIdx.x * V);
        for (int n = 0; n < V; n++) sum.at[n] += part.at[n];
    }
    return sum;
}

template <class T, int V>
static __global__ void __launch_bounds__(PAIR_THREADS)
    whole_forward(view<T> x, view<T> sent, view<T> z, line_sum s, const float *bias, lm_activation f, batch_lines lines)
{
    lm_after_previous();
    const float own = 1 + (s.epsilon ? *s.epsilon : 0);
    const uint32_t c = PAIR_COLUMN;
    floats<V> shift = {};
    if (bias && c < x.width) shift = load_floats<V>(bias + c);
    FOR_LINES(line, lines.count)
    {
        const pair_line l = line_at(s, lines.vertex_graph, line);
        const floats<V> total = sum_whole<T, V>(sent, l, c);
        for (uint32_t u = threadIdx.y; u < l.n && c < x.width; u += pairs<V>::ROWS) {
            const uint32_t r = l.first + u * l.step;
            const pack<T, V> at = load<T, V>(x.row(r) + c), less = load<T, V>(sent.row(r) + c);
            pack<T, V> out;
            for (int n = 0; n < V; n++)
                out.at[n] = activate(own * at.at[n] + (total.at[n] - s.less * less.at[n]) + shift.at[n], f);
            store<T, V>(z.row(r) + c, out);
        }
    }
    clear_padding<T, V>(z, lines.live, c);
}

/* Where the gradients go; without data: nowhere. If M = X (not `apart`), `sent` receives both. */
template <class T> struct whole_gradients {
    view<T> x, sent;
    bool add_x, add_sent, apart;
    float *parts; /* of the gradient of epsilon */
};

template <class T, int V>
static __global__ void __launch_bounds__(PAIR_THREADS)
    whole_backward(view<T> x, view<T> g, whole_gradients<T> to, line_sum s, batch_lines lines)
{
    lm_after_previous();
    const float own = 1 + (s.epsilon ? *s.epsilon : 0);
    const uint32_t c = PAIR_COLUMN;
    float product = 0;
    FOR_LINES(line, lines.count)
    {
        const pair_line l = line_at(s, lines.vertex_graph, line);
        const floats<V> total = sum_whole<T, V>(g, l, c);
        for (uint32_t u = threadIdx.y; u < l.n && c < g.width; u += pairs<V>::ROWS) {
            const uint32_t r = l.first + u * l.step;
            const bool receives = !s.opposite || u == line - l.vertex;
            pack<T, V> sum = {}, scaled = load<T, V>(g.row(r) + c);
            for (int n = 0; n < V && receives; n++) sum.at[n] = total.at[n] - s.less * scaled.at[n];
            if (to.parts) {
                const pack<T, V> in = load<T, V>(x.row(r) + c);
                for (int n = 0; n < V; n++) product += in.at[n] * scaled.at[n];
            }
            for (int n = 0; n < V; n++) scaled.at[n] *= own;
            if (!to.apart)
                for (int n = 0; n < V; n++) sum.at[n] += scaled.at[n];
            else if (to.x.data)
                put<T, V>(to.x.row(r) + c, scaled, to.add_x);
            if (to.sent.data) put<T, V>(to.sent.row(r) + c, sum, to.add_sent);
        }
    }
    if (to.x.data && !to.add_x) clear_padding<T, V>(to.x, lines.live, c);
    if (to.sent.data && !to.add_sent) clear_padding<T, V>(to.sent, lines.live, c);
    if (to.parts) sum_pair_threads(product, to.parts);
}

/* ---- On the host ----------------------------------------------------------------------------- */

static bool are_lines(const lm_frame *f, bool back)
{
    const lm_neighborhood along = f->step->neighborhood;
    return space_of(f, f->step->output[0]) == LM_TUPLES && f->program->k == 2 &&
           (along == LM_ALL || along == LM_LINE || (back && along == LM_OPPOSITE));
}

size_t lm_cuda_whole_lines_bytes(const lm_cuda *cuda, const lm_frame *f)
{
    const dim3 grid = are_lines(f, true) ? pair_grid(cuda, f, PAIR_BLOCKS) : dim3(0, 0);
    return (size_t)grid.x * grid.y * sizeof(float);
}

bool lm_cuda_whole_lines_forward(lm_cuda *cuda, const lm_frame *f)
{
    const bool half = half_of(cuda, f);
    const lm_tensor &x = f->in[0], &sent = f->in[1].data ? f->in[1] : x, &z = f->out[0];
    if (!are_lines(f, false) || !are_wide(half, x, sent, z) || (uintptr_t)f->weight[1] % 16) return false;
    const line_sum s = sum_of(cuda, f, f->step->position, f->weight[0], false);
    with_lines(half, [&](auto k) {
        KIND(k);
        LM_LAUNCH_EARLY_WAITING((whole_forward<T, V>), pair_grid(cuda, f, PAIR_BLOCKS),
                                dim3(pairs<V>::LANES, pairs<V>::ROWS), &cuda->device, x, sent, z, s, f->weight[1],
                                f->step->activation, lines_in(cuda, f));
    });
    return true;
}

bool lm_cuda_whole_lines_backward(lm_cuda *cuda, const lm_frame *f)
{
    const bool half = half_of(cuda, f), apart = f->in[1].data, learns = f->weight_gradient[0];
    const lm_tensor none = {}, &g = f->out_gradient[0], &x = learns ? f->in[0] : none;
    const lm_tensor &gm = f->in_gradient[apart], &gx = apart ? f->in_gradient[0] : none;
    if (!are_lines(f, true) || !are_wide(half, g, x, gm, gx)) return false;
    const line_sum s = sum_of(cuda, f, f->step->position, f->weight[0], true);
    const dim3 grid = pair_grid(cuda, f, PAIR_BLOCKS);
    const unsigned count = grid.x * grid.y;
    float *parts = learns ? lm_cuda_parts_room(cuda, count * sizeof *parts, f->workspace) : NULL;
    with_lines(half, [&](auto k) {
        KIND(k);
        const whole_gradients<T> to = {gx, gm, f->add[0], f->add[apart], apart, parts};
        LM_LAUNCH_EARLY_WAITING((whole_backward<T, V>), grid, dim3(pairs<V>::LANES, pairs<V>::ROWS), &cuda->device, x,
                                g, to, s, lines_in(cuda, f));
    });
    if (learns) lm_cuda_add_parts(cuda, parts, count, 1, 0, 1, f->weight_gradient[0]);
    return true;
}
