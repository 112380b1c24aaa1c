/*
 * Messages of listed tuples, each along the arc of its link: Z[r] = (1+e) X[r] + sum over a list of r of
 * ReLU(M[t] + E[arc of the link]); nn/cpu/linked.c has the formulas. A warp computes a row of Z or, in the backward pass,
 * a row of M or of E, and reads the rows of a list in their order, so two runs give the same bits.
 */
#include "nn/cuda/rows.h"

/* One list of each row of a listing. */
struct links {
    const uint32_t *start, *neighbor, *arc;
    const uint32_t *opposite; /* [arcs] if the arc of a reverse link is the opposite one; otherwise NULL */
    uint32_t each, list, reverse;
    __device__ __forceinline__ const uint32_t *range(uint32_t row, bool back) const
    {
        return start + (size_t)row * each + (back ? reverse : list);
    }
};

static const lm_listing *listing_of(const lm_frame *f)
{
    return f->batch->listed + (space_of(f, f->step->output[0]) - LM_LISTED);
}

static links links_of(const lm_frame *f)
{
    const lm_listing *l = listing_of(f);
    const size_t j = f->step->position;
    return {l->start,
            l->neighbor,
            l->link_arc,
            l->paired ? NULL : f->batch->entering_arc,
            (uint32_t)l->lists,
            (uint32_t)j,
            (uint32_t)lm_reverse_list(l, j)};
}

template <class T, int V>
static __global__ void forward(view<T> x, view<T> edges, view<T> sent, view<T> z, links l, const uint32_t *graph_of,
                               const float *epsilon)
{
    lm_after_previous();
    const float own = 1 + (epsilon ? *epsilon : 0);
    FOR_ROWS (r, z.rows) {
        const bool live = graph_of[r] != LM_NO_GRAPH;
        FOR_COLUMNS (c, z.width) {
            pack<T, V> sum = {};
            if (live) {
                const uint32_t *range = l.range(r, false);
                sum = load<T, V>(x.row(r) + c);
                for (int n = 0; n < V; n++) sum.at[n] *= own;
                for (uint32_t i = range[0]; i < range[1]; i++) {
                    const pack<T, V> other = load<T, V>(sent.row(l.neighbor[i]) + c),
                                     edge = load<T, V>(edges.row(l.arc[i]) + c);
                    for (int n = 0; n < V; n++) sum.at[n] += fmaxf(other.at[n] + edge.at[n], 0);
                }
            }
            store<T, V>(z.row(r) + c, sum);
        }
    }
}

void lm_cuda_linked_forward(lm_cuda *cuda, const lm_frame *f)
{
    const lm_row_space space = space_of(f, f->step->output[0]);
    const bool half = lm_cuda_half(cuda, space);
    LAUNCH_ROWS(cuda, half, are_wide(half, f->in[0], f->in[1], f->in[2], f->out[0]), f->out[0].rows, (forward<T, V>),
                f->in[0], f->in[1], f->in[2], f->out[0], links_of(f), (const uint32_t *)cuda->graph_of[space],
                f->weight[0]);
}

/* ---- Backward -------------------------------------------------------------------------------- */

size_t lm_cuda_linked_workspace(const lm_cuda *cuda, const lm_frame *f)
{
    return blocks_of(cuda, f->out[0].rows) * sizeof(float);
}

/* Computes dX = (1+e) G, and the sum of G X over the rows of a block. */
template <class T, int V>
static __global__ void back_to_own(view<T> g, view<T> x, view<T> gx, const uint32_t *graph_of, bool add,
                                   const float *epsilon, float *parts)
{
    lm_after_previous();
    const float own = 1 + (epsilon ? *epsilon : 0);
    float product = 0;
    FOR_ROWS (r, g.rows) {
        const bool live = graph_of[r] != LM_NO_GRAPH;
        FOR_COLUMNS (c, g.width) {
            pack<T, V> p = {}, at = {};
            if (live) p = load<T, V>(g.row(r) + c);
            if (live && parts) at = load<T, V>(x.row(r) + c);
            for (int n = 0; n < V; n++) {
                product += p.at[n] * at.at[n];
                p.at[n] *= own;
            }
            if (gx.data) put<T, V>(gx.row(r) + c, p, add);
        }
    }
    if (parts) sum_threads(product, parts);
}

/* to += g wherever other + edge > 0. */
template <class T, int V>
static __device__ __forceinline__ void add_open(pack<T, V> *to, const pack<T, V> &g, const pack<T, V> &other,
                                                const pack<T, V> &edge)
{
    for (int n = 0; n < V; n++) to->at[n] += other.at[n] + edge.at[n] > 0 ? g.at[n] : 0;
}

/* Computes dM[t] from the reverse list of t. */
template <class T, int V>
static __global__ void back_to_sent(view<T> g, view<T> sent, view<T> edges, view<T> gm, bool add, links l,
                                    const uint32_t *graph_of)
{
    lm_after_previous();
    FOR_ROWS (t, gm.rows) {
        const bool live = graph_of[t] != LM_NO_GRAPH;
        FOR_COLUMNS (c, gm.width) {
            pack<T, V> sum = {};
            if (live) {
                const uint32_t *range = l.range(t, true);
                const pack<T, V> other = load<T, V>(sent.row(t) + c);
                for (uint32_t i = range[0]; i < range[1]; i++) {
                    const uint32_t arc = l.opposite ? l.opposite[l.arc[i]] : l.arc[i];
                    add_open<T, V>(&sum, load<T, V>(g.row(l.neighbor[i]) + c), other, load<T, V>(edges.row(arc) + c));
                }
            }
            put<T, V>(gm.row(t) + c, sum, add);
        }
    }
}

/* The rows that have a vertex at one place: row[start[vertex * places + place]] up to the next start. */
struct placed {
    const uint32_t *start, *row, *receiver; /* receiver: [arcs] the vertex that receives along an arc */
    uint32_t places, place;
};

/* Returns the first link from `low` on, below `high`, whose arc is at least `arc`. */
static __device__ __forceinline__ uint32_t lower_bound(const uint32_t *arcs, uint32_t low, uint32_t high, uint32_t arc)
{
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (arcs[middle] < arc)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Computes dE[a] from the rows that receive a message along arc a. */
template <class T, int V>
static __global__ void back_to_edges(view<T> g, view<T> sent, view<T> edges, view<T> ge, bool add, links l, placed p,
                                     const uint32_t *graph_of)
{
    lm_after_previous();
    FOR_ROWS (a, ge.rows) {
        const bool live = graph_of[a] != LM_NO_GRAPH;
        FOR_COLUMNS (c, ge.width) {
            pack<T, V> sum = {};
            if (live) {
                const uint32_t *rows = p.start + (size_t)p.receiver[a] * p.places + p.place;
                const pack<T, V> edge = load<T, V>(edges.row(a) + c);
                for (uint32_t i = rows[0]; i < rows[1]; i++) {
                    const uint32_t r = p.row[i], *range = l.range(r, false);
                    const uint32_t link = lower_bound(l.arc, range[0], range[1], a);
                    if (link < range[1] && l.arc[link] == a)
                        add_open<T, V>(&sum, load<T, V>(g.row(r) + c), load<T, V>(sent.row(l.neighbor[link]) + c),
                                       edge);
                }
            }
            put<T, V>(ge.row(a) + c, sum, add);
        }
    }
}

void lm_cuda_linked_backward(lm_cuda *cuda, const lm_frame *f)
{
    const lm_row_space space = space_of(f, f->step->output[0]);
    const bool half = lm_cuda_half(cuda, space);
    const lm_listing *l = listing_of(f);
    const lm_tensor &g = f->out_gradient[0], &gx = f->in_gradient[0], &ge = f->in_gradient[1], &gm = f->in_gradient[2];
    const uint32_t *graphs = cuda->graph_of[space];
    const bool enters = l->paired && f->step->position >= l->lists / 2;
    const placed p = {l->row_start, l->row, enters ? f->batch->head : f->batch->tail, (uint32_t)l->places,
                      (uint32_t)(f->step->position % l->members)};
    float *parts = f->weight_gradient[0] ? (float *)f->workspace : NULL;
    if (gx.data || parts)
        LAUNCH_ROWS_WAITING(cuda, half, are_wide(half, g, f->in[0], gx), g.rows, (back_to_own<T, V>), g, f->in[0], gx,
                            graphs, f->add[0], f->weight[0], parts);
    if (g.rows && parts) lm_cuda_add_parts(cuda, parts, blocks_of(cuda, g.rows), 1, 0, 1, f->weight_gradient[0]);
    if (gm.data)
        LAUNCH_ROWS(cuda, half, are_wide(half, g, f->in[1], f->in[2], gm), gm.rows, (back_to_sent<T, V>), g, f->in[2],
                    f->in[1], gm, f->add[2], links_of(f), graphs);
    if (ge.data)
        LAUNCH_ROWS(cuda, half, are_wide(half, g, f->in[1], f->in[2], ge), ge.rows, (back_to_edges<T, V>), g, f->in[2],
                    f->in[1], ge, f->add[1], links_of(f), p, (const uint32_t *)cuda->graph_of[LM_ARCS]);
}
