/*
 * Sums over lists: Z[r] = f((1+e) X[r] + s_r sum of M[t] over the list of r + b); nn/cpu/listed.c has the formulas. A
 * warp computes a row of Z or, in the backward pass, a row of M. It reads the rows of its list in their order, four at
 * once, so two runs give the same bits.
 */
#include "nn/cuda/rows.h"

/* lm_lists and, if sums are divided by the lengths of lists, these lengths. */
struct lists {
    const uint32_t *start, *item;
    uint32_t each, offset, span;
    __device__ __forceinline__ uint32_t first(uint32_t row) const
    {
        const uint32_t at = row * each + offset;
        return start ? start[at] : at;
    }
    __device__ __forceinline__ uint32_t end(uint32_t row) const
    {
        const uint32_t at = row * each + offset;
        return start ? start[at + 1] : at + span;
    }
    __device__ __forceinline__ float share(uint32_t row, bool mean) const
    {
        const uint32_t length = end(row) - first(row);
        return mean && length ? 1 / (float)length : 1;
    }
};

static lists lists_of(const lm_frame *f, bool back)
{
    const lm_lists l = lm_frame_lists(f, back);
    lists s = {l.start, l.item, (uint32_t)l.each, (uint32_t)l.offset, (uint32_t)l.span};
    return s;
}

/* sum += M over the list of a row; if `by` is not NULL, each term is multiplied by the share s of its own list. */
template <class T, int V>
static __device__ __forceinline__ void sum_list(const lists &l, uint32_t row, view<T> x, uint32_t c, const lists *by,
                                                bool mean, float (&sum)[V])
{
    const uint32_t end = l.end(row);
    for (uint32_t i = l.first(row); i < end; i += LM_CUDA_AHEAD) {
        raw<T, V> rows[LM_CUDA_AHEAD] = {};
        float share[LM_CUDA_AHEAD] = {};
        LM_UNROLLED_FOR (uint32_t j = 0; j < LM_CUDA_AHEAD; j++)
            if (i + j < end) {
                const uint32_t t = l.item ? l.item[i + j] : i + j;
                load_raw(x.row(t) + c, rows + j);
                share[j] = by ? by->share(t, mean) : 1;
            }
        LM_UNROLLED_FOR (int j = 0; j < LM_CUDA_AHEAD; j++) {
            const pack<T, V> p = unpack<T, V>(rows[j]);
            for (int n = 0; n < V; n++) sum[n] += share[j] * p.at[n];
        }
    }
}

template <class T, int V>
static __global__ void forward(view<T> x, view<T> sent, view<T> z, lists l, const uint32_t *graph_of, bool mean,
                               const float *epsilon, const float *bias, lm_activation f)
{
    lm_after_previous();
    const float own = 1 + (epsilon ? *epsilon : 0);
    FOR_ROWS (r, z.rows) {
        const bool live = graph_of[r] != LM_NO_GRAPH;
        FOR_COLUMNS (c, z.width) {
            float sum[V] = {};
            pack<T, V> at = {}, out = {};
            floats<V> shift = {};
            if (live) sum_list<T, V>(l, r, sent, c, NULL, false, sum);
            if (live && x.data) at = load<T, V>(x.row(r) + c);
            if (live && bias) shift = load_floats<V>(bias + c);
            const float share = live ? l.share(r, mean) : 0;
            for (int n = 0; n < V && live; n++) out.at[n] = activate(own * at.at[n] + share * sum[n] + shift.at[n], f);
            store<T, V>(z.row(r) + c, out);
        }
    }
}

void lm_cuda_listed_forward(lm_cuda *cuda, const lm_frame *f)
{
    const lm_row_space space = space_of(f, f->step->output[0]);
    const bool half = lm_cuda_half(cuda, space);
    const lm_tensor &x = f->in[0], &sent = f->in[1], &z = f->out[0];
    LAUNCH_ROWS(cuda, half, are_wide(half, x, sent, z), z.rows, (forward<T, V>), x, sent, z, lists_of(f, false),
                (const uint32_t *)cuda->graph_of[space], f->step->rate > 0, f->weight[0], f->weight[1],
                f->step->activation);
}

/* ---- Backward -------------------------------------------------------------------------------- */

size_t lm_cuda_listed_workspace(const lm_cuda *cuda, const lm_frame *f)
{
    const size_t columns = parts_bytes(f->out[0].rows, f->out[0].width, 1);
    const size_t blocks = blocks_of(cuda, f->out[0].rows) * sizeof(float);
    return columns > blocks ? columns : blocks;
}

/* Computes dX = (1+e) G, and the sum of G X over the rows of a block. */
template <class T, int V>
static __global__ void back_to_own(view<T> g, view<T> x, view<T> gx, bool add, const float *epsilon, float *parts)
{
    lm_after_previous();
    const float own = 1 + (epsilon ? *epsilon : 0);
    float product = 0;
    FOR_ROWS (r, g.rows)
        FOR_COLUMNS (c, g.width) {
            pack<T, V> p = load<T, V>(g.row(r) + c), at = {};
            if (parts) at = load<T, V>(x.row(r) + c);
            for (int n = 0; n < V; n++) {
                product += p.at[n] * at.at[n];
                p.at[n] *= own;
            }
            if (gx.data) put<T, V>(gx.row(r) + c, p, add);
        }
    if (parts) sum_threads(product, parts);
}

/* Computes dM[t] from the rows whose lists contain t. */
template <class T, int V>
static __global__ void back_to_sent(view<T> g, view<T> gm, bool add, lists back, lists l, const uint32_t *graph_of,
                                    bool mean)
{
    lm_after_previous();
    FOR_ROWS (t, gm.rows) {
        const bool live = graph_of[t] != LM_NO_GRAPH;
        FOR_COLUMNS (c, gm.width) {
            float sum[V] = {};
            pack<T, V> out = {};
            if (live) sum_list<T, V>(back, t, g, c, &l, mean, sum);
            for (int n = 0; n < V; n++) out.at[n] = sum[n];
            put<T, V>(gm.row(t) + c, out, add);
        }
    }
}

void lm_cuda_listed_backward(lm_cuda *cuda, const lm_frame *f)
{
    const lm_row_space from = space_of(f, f->step->input[1]);
    const bool half = lm_cuda_half(cuda, from);
    const lm_tensor &g = f->out_gradient[0], &gx = f->in_gradient[0], &gm = f->in_gradient[1], none = {};
    float *parts = f->weight_gradient[0] ? (float *)f->workspace : NULL;
    const lm_tensor &x = parts ? f->in[0] : none;
    if (g.rows) lm_cuda_derive(cuda, f, f->weight_gradient[1]);
    if (gx.data || parts)
        LAUNCH_ROWS_WAITING(cuda, half, are_wide(half, g, x, gx), g.rows, (back_to_own<T, V>), g, x, gx, f->add[0],
                            f->weight[0], parts);
    if (g.rows && parts) lm_cuda_add_parts(cuda, parts, blocks_of(cuda, g.rows), 1, 0, 1, f->weight_gradient[0]);
    if (gm.data)
        LAUNCH_ROWS(cuda, half, are_wide(half, g, gm), gm.rows, (back_to_sent<T, V>), g, gm, f->add[1],
                    lists_of(f, true), lists_of(f, false), (const uint32_t *)cuda->graph_of[from], f->step->rate > 0);
}
