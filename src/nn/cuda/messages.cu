/*
 * Messages with edge features: Z[u] = (1+e) X[u] + sum over arcs a = (u, w) of ReLU(X[w] + E[a]); nn/cpu/messages.c has
 * the formulas. A warp processes a vertex or, for dE, an arc.
 */
#include "nn/cuda/by_type.h"

/* E of an arc: a row for each arc in the number type of X, or a row for each label in floats. */
template <class T> struct edges {
    view<T> arcs;
    view<float> labels;
    const uint32_t *label; /* NULL: by arc */
    /* Returns E[a] at column c; zero if the label has no row. */
    __device__ __forceinline__ float at(uint32_t arc, uint32_t c) const
    {
        if (!label) return to_float(arcs.row(arc)[c]);
        return label[arc] == LM_NO_TYPE ? 0 : labels.row(label[arc])[c];
    }
};

template <class T> static edges<T> edges_of(const lm_frame *f)
{
    const bool labels = space_of(f, f->step->input[1]) == LM_LABELS;
    edges<T> e = {};
    if (labels)
        e.labels = f->in[1], e.label = f->batch->arc_label;
    else
        e.arcs = f->in[1];
    return e;
}

/* E, and the number of the other end, of up to LM_CUDA_AHEAD arcs i, i + 1, ... at column c, all loaded at once. */
struct arc_numbers {
    float edge[LM_CUDA_AHEAD], other[LM_CUDA_AHEAD];
};
template <class T>
static __device__ __forceinline__ arc_numbers load_arcs(const by_end &b, const edges<T> &e, const view<T> &x,
                                                        uint32_t i, uint32_t end, uint32_t c)
{
    uint32_t arc[LM_CUDA_AHEAD];
    arc_numbers loaded;
    LM_UNROLLED_FOR (int j = 0; j < LM_CUDA_AHEAD; j++) arc[j] = b.number(i + (uint32_t)j < end ? i + (uint32_t)j : i);
    LM_UNROLLED_FOR (int j = 0; j < LM_CUDA_AHEAD; j++) {
        loaded.edge[j] = e.at(arc[j], c);
        loaded.other[j] = to_float(x.row(b.other[arc[j]])[c]);
    }
    return loaded;
}

template <class T> static __global__ void forward(view<T> x, view<T> z, edges<T> e, arcs b, const float *epsilon)
{
    const float own = 1 + (epsilon ? *epsilon : 0);
    FOR_ROWS (u, x.rows)
        for (uint32_t c = threadIdx.x; c < x.width; c += LM_CUDA_LANES) {
            const uint32_t end = b.received.start[u + 1];
            float sum = own * to_float(x.row(u)[c]);
            for (uint32_t i = b.received.start[u]; i < end; i += LM_CUDA_AHEAD) {
                const arc_numbers from = load_arcs(b.received, e, x, i, end, c);
                LM_UNROLLED_FOR (int j = 0; j < LM_CUDA_AHEAD; j++) {
                    const float sent = from.other[j] + from.edge[j];
                    sum += sent > 0 && i + (uint32_t)j < end ? sent : 0;
                }
            }
            from_float(sum, z.row(u) + c);
        }
}

void lm_cuda_messages_forward(lm_cuda *cuda, const lm_frame *f)
{
    LAUNCH_ROWS(cuda, lm_cuda_half(cuda, LM_VERTICES), false, f->in[0].rows, (forward<T>), f->in[0], f->out[0],
                edges_of<T>(f), arcs_of(cuda, f), f->weight[0]);
}

/* ---- Backward -------------------------------------------------------------------------------- */

size_t lm_cuda_messages_workspace(const lm_cuda *cuda, const lm_frame *f)
{
    const bool by_label = space_of(f, f->step->input[1]) == LM_LABELS;
    const size_t labels = by_label ? type_parts_bytes(f->in[1].rows, f->in[1].width) : 0;
    const size_t blocks = blocks_of(cuda, f->in[0].rows) * sizeof(float);
    return labels > blocks ? labels : blocks;
}

/* Computes dX, and the sum of G X over the rows of a block. */
template <class T>
static __global__ void back_to_vertices(view<T> x, view<T> g, view<T> gx, bool add, edges<T> e, arcs b,
                                        const float *epsilon, float *parts)
{
    const float own = 1 + (epsilon ? *epsilon : 0);
    float product = 0;
    FOR_ROWS (w, x.rows)
        for (uint32_t c = threadIdx.x; c < x.width; c += LM_CUDA_LANES) {
            const float at = to_float(x.row(w)[c]), gradient = to_float(g.row(w)[c]);
            const uint32_t end = b.sent.start[w + 1];
            float sum = own * gradient;
            product += at * gradient;
            for (uint32_t i = b.sent.start[w]; i < end; i += LM_CUDA_AHEAD) {
                const arc_numbers to = load_arcs(b.sent, e, g, i, end, c);
                LM_UNROLLED_FOR (int j = 0; j < LM_CUDA_AHEAD; j++)
                    sum += at + to.edge[j] > 0 && i + (uint32_t)j < end ? to.other[j] : 0;
            }
            if (gx.data) from_float(add ? to_float(gx.row(w)[c]) + sum : sum, gx.row(w) + c);
        }
    sum_threads(product, parts);
}

/* The source D[a] = G[u] [X[w] + E[a] > 0] by label. */
template <class T> struct sent_by_label {
    view<T> x, g;
    edges<T> e;
    arcs b;
    __device__ __forceinline__ uint32_t type(uint32_t a) const
    {
        return a < *b.live ? e.label[a] : LM_NO_TYPE;
    }
    __device__ __forceinline__ float number(uint32_t a, uint32_t c) const
    {
        const float sent = to_float(x.row(b.received.other[a])[c]) + e.at(a, c);
        return sent > 0 ? to_float(g.row(b.sent.other[a])[c]) : 0;
    }
};

template <class T> static __global__ void back_to_arcs(view<T> x, view<T> g, view<T> ge, bool add, edges<T> e, arcs b)
{
    FOR_ROWS (a, ge.rows) {
        const bool live = a < *b.live;
        for (uint32_t c = threadIdx.x; c < ge.width; c += LM_CUDA_LANES) {
            const bool open = live && to_float(x.row(b.received.other[a])[c]) + e.at(a, c) > 0;
            const float gradient = open ? to_float(g.row(b.sent.other[a])[c]) : 0;
            from_float(add ? to_float(ge.row(a)[c]) + gradient : gradient, ge.row(a) + c);
        }
    }
}

void lm_cuda_messages_backward(lm_cuda *cuda, const lm_frame *f)
{
    const lm_tensor &x = f->in[0], &g = f->out_gradient[0], &gx = f->in_gradient[0], &ge = f->in_gradient[1];
    const bool labels = space_of(f, f->step->input[1]) == LM_LABELS, half = lm_cuda_half(cuda, LM_VERTICES);
    float *work = (float *)f->workspace;
    if (!x.rows) return;
    LAUNCH_ROWS_WAITING(cuda, half, false, x.rows, (back_to_vertices<T>), x, g, gx, f->add[0], edges_of<T>(f),
                        arcs_of(cuda, f), f->weight[0], work);
    if (f->weight_gradient[0]) lm_cuda_add_parts(cuda, work, blocks_of(cuda, x.rows), 1, 0, 1, f->weight_gradient[0]);
    if (!ge.data) return;
    if (!labels) {
        LAUNCH_ROWS(cuda, half, false, ge.rows, (back_to_arcs<T>), x, g, ge, f->add[1], edges_of<T>(f),
                    arcs_of(cuda, f));
        return;
    }
    if (!f->add[1]) lm_device_clear(&cuda->device, ge.data, ge.rows * ge.width * sizeof(float)); /* no columns */
    with_kind(half, false, [&](auto k) {
        KIND(k);
        const sent_by_label<T> source = {x, g, edges_of<T>(f), arcs_of(cuda, f)};
        add_by_type(cuda, source, f->batch->extent.rows[LM_ARCS], ge.width, ge.rows, work, ge.data);
    });
}
