/*
 * Messages with edge features: Z[u] = (1+e) X[u] + sum over arcs a = (u, w) of ReLU(M[w] + E[a]) on every line;
 * nn/cpu/messages.c has the formulas, nn/cuda/lines.h the places of rows. A warp, or a part of one if rows are short,
 * processes a row or, for dE, an arc.
 *
 * Pairs: a warp goes through the rows of a vertex on all lines (nn/cuda/pair_vertices.h), and so one kernel computes every
 * gradient.
 */
#include "nn/cuda/by_type.h"
#include "nn/cuda/pair_vertices.h"

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

static const lm_tensor &sent_of(const lm_frame *f)
{
    return f->in[2].data ? f->in[2] : f->in[0];
}

/* Returns true if all matrices of a step can be read 16 bytes at a time. */
static bool is_wide_step(const lm_frame *f, bool half)
{
    const bool labels = space_of(f, f->step->input[1]) == LM_LABELS;
    return are_wide(half, f->in[0], sent_of(f), f->out[0], f->out_gradient[0], f->in_gradient[0], f->in_gradient[2]) &&
           are_wide(half && !labels, f->in[1]) && (labels || are_wide(half, f->in_gradient[1])) &&
           f->in[1].width % (half ? 8 : 4) == 0;
}

/* Calls run(kind, block) with the kind of numbers and a block of LM_CUDA_ROWS warps with few lanes for a row. */
template <class F> static void with_block(const lm_frame *f, bool half, F run)
{
    with_kind(half, is_wide_step(f, half), [&](auto k) {
        enum { V = decltype(k)::V };
        run(k, block_for(f->out[0].width, V, LM_CUDA_ROWS * LM_CUDA_LANES));
    });
}

/* Calls add(arc, row) for up to LM_CUDA_AHEAD arcs at once of the arcs of a row's vertex; row: the row of x at the end of
 * the arc, from column c on. */
template <class T, int V, class F>
static __device__ __forceinline__ void for_arcs(const line_sum &s, const place &p, view<T> x, const edges<T> &e,
                                                uint32_t c, F add)
{
    const uint32_t end = s.arc_start[p.vertex + p.u + 1];
    for (uint32_t i = s.arc_start[p.vertex + p.u]; i < end; i += LM_CUDA_AHEAD) {
        pack<T, V> row[LM_CUDA_AHEAD] = {}, edge[LM_CUDA_AHEAD] = {};
        LM_UNROLLED_FOR (uint32_t j = 0; j < LM_CUDA_AHEAD; j++)
            if (i + j < end) {
                const uint32_t arc = s.arc ? s.arc[i + j] : i + j;
                edge[j] = edge_row<T, V>(e, arc, c);
                row[j] = load<T, V>(x.row(p.first + (s.end[arc] - p.vertex) * p.step) + c);
            }
        LM_UNROLLED_FOR (uint32_t j = 0; j < LM_CUDA_AHEAD; j++)
            if (i + j < end) add(edge[j], row[j]);
    }
}

template <class T, int V> static __global__ void forward(view<T> x, view<T> sent, view<T> z, edges<T> e, line_sum s)
{
    lm_after_previous();
    const float own = 1 + (s.epsilon ? *s.epsilon : 0);
    FOR_ROWS (r, x.rows) {
        const uint32_t graph = s.graph_of[r];
        FOR_COLUMNS (c, x.width) {
            pack<T, V> sum = {};
            if (graph != LM_NO_GRAPH) {
                const place p = place_of(s, r, graph);
                const pack<T, V> at = load<T, V>(x.row(r) + c);
                for (int n = 0; n < V; n++) sum.at[n] = own * at.at[n];
                for_arcs<T, V>(s, p, sent, e, c, [&](const pack<T, V> &edge, const pack<T, V> &other) {
                    for (int n = 0; n < V; n++) {
                        const float message = other.at[n] + edge.at[n];
                        sum.at[n] += message > 0 ? message : 0;
                    }
                });
            }
            store<T, V>(z.row(r) + c, sum);
        }
    }
}

/* ---- Lines of pairs -------------------------------------------------------------------------- */

enum { PAIR_LABELS = 8 /* labels that are added up in shared memory */ };

/* sum += the messages of some arcs. */
template <class T>
static __device__ __forceinline__ void add_messages(const some_arcs<T> &a, const some_ends<T> &ends,
                                                    pack<T, VERTEX_V> *sum)
{
    LM_UNROLLED_FOR (uint32_t j = 0; j < VERTEX_ARCS; j++)
        if (j < a.count) {
            const pack<T, VERTEX_V> end = unpack<T, VERTEX_V>(ends.row[j]);
            for (int n = 0; n < VERTEX_V; n++) {
                const float message = end.at[n] + a.edge[j].at[n];
                sum->at[n] += message > 0 ? message : 0;
            }
        }
}

template <class T>
static __global__ void __launch_bounds__(VERTEX_THREADS, 7)
    pairs_forward(view<T> x, view<T> sent, view<T> z, edges<T> e, line_sum s, batch_lines lines)
{
    lm_after_previous();
    enum { V = VERTEX_V };
    const float own = 1 + (s.epsilon ? *s.epsilon : 0);
    const uint32_t c = VERTEX_COLUMN;
    FOR_VERTICES (vertex, lines.count) {
        const vertex_rows p = rows_of_vertex(s, lines, vertex);
        const some_arcs<T> few = load_arcs(s, p, e, p.begin, c, x.width);
        for (uint32_t line = threadIdx.y; line < p.lines && c < x.width; line += VERTEX_TURNS) {
            const uint32_t r = p.first + line * p.across;
            const some_ends<T> ends = load_ends(sent, few, r, c);
            pack<T, V> sum = load<T, V>(x.row(r) + c);
            for (int n = 0; n < V; n++) sum.at[n] *= own;
            add_messages(few, ends, &sum);
            for (uint32_t from = p.begin + VERTEX_ARCS; from < p.end; from += VERTEX_ARCS) {
                const some_arcs<T> more = load_arcs(s, p, e, from, c, x.width);
                add_messages(more, load_ends(sent, more, r, c), &sum);
            }
            store<T, V>(z.row(r) + c, sum);
        }
    }
    clear_behind(z, lines.live, c);
}

/* Where the gradients of a step by lines go; without data: nowhere. Those of E go to its rows, or are added up by label
 * in parts, one for each block, if there are label_parts. What these are added to is set to zero if `unset`. */
template <class T> struct pair_gradients {
    view<T> x, sent, arcs;
    bool add_x, add_sent, add_arcs, apart;
    float *parts, *label_parts, *unset;
    uint32_t labels;
    const uint32_t *live_arcs;
};

/* sum += D, which is g [sent + E > 0], of some arcs; of_arc[j] += D of arc j. */
template <class T>
static __device__ __forceinline__ void add_open(const some_arcs<T> &a, const some_ends<T> &ends,
                                                const pack<T, VERTEX_V> &at, pack<T, VERTEX_V> *sum,
                                                pack<T, VERTEX_V> (&of_arc)[VERTEX_ARCS])
{
    LM_UNROLLED_FOR (uint32_t j = 0; j < VERTEX_ARCS; j++)
        if (j < a.count) {
            const pack<T, VERTEX_V> end = unpack<T, VERTEX_V>(ends.row[j]);
            for (int n = 0; n < VERTEX_V; n++) {
                const float open = at.at[n] + a.edge[j].at[n] > 0 ? end.at[n] : 0;
                sum->at[n] += open;
                of_arc[j].at[n] += open;
            }
        }
}

/* The sums of a warp for each label. They have one writer: the first turn. */
static __device__ __forceinline__ float *label_sums(float *sums, uint32_t label)
{
    return sums + (label * VERTEX_WARPS + threadIdx.z) * PAIR_COLUMNS + threadIdx.x * VERTEX_V;
}

/* Adds the sums of all turns and gives them to the rows of E of some arcs. All threads of a warp call it together. */
template <class T>
static __device__ __forceinline__ void put_arcs(const pair_gradients<T> &to, const some_arcs<T> &a, uint32_t c,
                                                uint32_t width, pack<T, VERTEX_V> (&of_arc)[VERTEX_ARCS],
                                                float *by_label)
{
    LM_UNROLLED_FOR (uint32_t j = 0; j < VERTEX_ARCS; j++)
        if (j < a.count)
            for (uint32_t mask = VERTEX_LANES; mask < LM_WARP; mask *= 2)
                for (int n = 0; n < VERTEX_V; n++)
                    of_arc[j].at[n] += __shfl_xor_sync(0xffffffffu, of_arc[j].at[n], (int)mask);
    LM_UNROLLED_FOR (uint32_t j = 0; j < VERTEX_ARCS; j++) {
        if (j >= a.count || c >= width) continue;
        if (to.arcs.data && threadIdx.y == j) put<T, VERTEX_V>(to.arcs.row(a.arc[j]) + c, of_arc[j], to.add_arcs);
        if (to.label_parts && threadIdx.y == 0 && a.number[j] != LM_NO_TYPE)
            for (int n = 0; n < VERTEX_V; n++) label_sums(by_label, a.number[j])[n] += of_arc[j].at[n];
    }
}

/* parts[block][label][column] = the sums of a block's warps. */
static __device__ void sum_labels(const float *by_label, uint32_t labels, uint32_t width, float *parts, float *unset)
{
    const uint32_t thread = (threadIdx.z * VERTEX_TURNS + threadIdx.y) * VERTEX_LANES + threadIdx.x;
    __syncthreads();
    for (uint32_t i = thread; i < labels * PAIR_COLUMNS; i += VERTEX_THREADS) {
        const uint32_t label = i / PAIR_COLUMNS, c = blockIdx.y * PAIR_COLUMNS + i % PAIR_COLUMNS;
        float total = 0;
        for (uint32_t w = 0; w < VERTEX_WARPS; w++)
            total += by_label[(label * VERTEX_WARPS + w) * PAIR_COLUMNS + i % PAIR_COLUMNS];
        if (c < width) parts[((size_t)blockIdx.x * labels + label) * width + c] = total;
        if (c < width && unset && !blockIdx.x) unset[label * width + c] = 0;
    }
}

/* As back_to_rows() below, for the rows of a vertex. add(r, M[r], sum) adds D of all arcs of row r. */
template <class T, class F>
static __device__ __forceinline__ float back_to_lines(view<T> x, view<T> sent, view<T> g, const pair_gradients<T> &to,
                                                      float own, const vertex_rows &p, uint32_t c, F add)
{
    enum { V = VERTEX_V };
    float product = 0;
    for (uint32_t line = threadIdx.y; line < p.lines && c < g.width; line += VERTEX_TURNS) {
        const uint32_t r = p.first + line * p.across;
        const pack<T, V> at = load<T, V>(sent.row(r) + c);
        pack<T, V> scaled = load<T, V>(g.row(r) + c), sum = {}, in = {}, old_x = {}, old_sent = {};
        if (to.parts) in = load<T, V>(x.row(r) + c);
        if (to.apart && to.add_x) old_x = load<T, V>(to.x.row(r) + c);
        if (to.add_sent) old_sent = load<T, V>(to.sent.row(r) + c);
        add(r, at, &sum);
        for (int n = 0; n < V; n++) {
            product += in.at[n] * scaled.at[n];
            scaled.at[n] *= own;
            if (!to.apart) sum.at[n] += scaled.at[n];
            scaled.at[n] += old_x.at[n];
            sum.at[n] += old_sent.at[n];
        }
        if (to.apart && to.x.data) store<T, V>(to.x.row(r) + c, scaled);
        if (to.sent.data) store<T, V>(to.sent.row(r) + c, sum);
    }
    return product;
}

/* All gradients of the rows of a vertex, and of the arcs from it. */
template <class T>
static __global__ void __launch_bounds__(VERTEX_THREADS, 5)
    pairs_backward(view<T> x, view<T> sent, view<T> g, const LM_GRID_CONSTANT pair_gradients<T> to, edges<T> e,
                   line_sum s, batch_lines lines)
{
    lm_after_previous();
    typedef pack<T, VERTEX_V> numbers;
    LM_SHARED(float, by_label, PAIR_LABELS *VERTEX_WARPS *PAIR_COLUMNS);
    const float own = 1 + (s.epsilon ? *s.epsilon : 0);
    const uint32_t c = VERTEX_COLUMN;
    const bool of_edges = to.arcs.data || to.label_parts;
    float product = 0;
    for (uint32_t i = 0; i < to.labels && threadIdx.y == 0; i++)
        for (int n = 0; n < VERTEX_V; n++) label_sums(by_label, i)[n] = 0;
    FOR_VERTICES (vertex, lines.count) {
        const vertex_rows p = rows_of_vertex(s, lines, vertex);
        numbers of_arc[VERTEX_ARCS] = {}, unused = {};
        if (p.end - p.begin <= VERTEX_ARCS) {
            const some_arcs<T> a = load_arcs(s, p, e, p.begin, c, g.width);
            product += back_to_lines(x, sent, g, to, own, p, c, [&](uint32_t r, const numbers &at, numbers *sum) {
                add_open(a, load_ends(g, a, r, c), at, sum, of_arc);
            });
            if (of_edges) put_arcs(to, a, c, g.width, of_arc, by_label);
            continue;
        }
        product += back_to_lines(x, sent, g, to, own, p, c, [&](uint32_t r, const numbers &at, numbers *sum) {
            for (uint32_t from = p.begin; from < p.end; from += VERTEX_ARCS) {
                const some_arcs<T> a = load_arcs(s, p, e, from, c, g.width);
                add_open(a, load_ends(g, a, r, c), at, sum, of_arc);
            }
        });
        for (uint32_t from = p.begin; of_edges && from < p.end; from += VERTEX_ARCS) {
            const some_arcs<T> a = load_arcs(s, p, e, from, c, g.width);
            for (uint32_t j = 0; j < VERTEX_ARCS; j++) of_arc[j] = {};
            for (uint32_t line = threadIdx.y; line < p.lines && c < g.width; line += VERTEX_TURNS) {
                const uint32_t r = p.first + line * p.across;
                add_open(a, load_ends(g, a, r, c), load<T, VERTEX_V>(sent.row(r) + c), &unused, of_arc);
            }
            put_arcs(to, a, c, g.width, of_arc, by_label);
        }
    }
    if (to.x.data && !to.add_x) clear_behind(to.x, lines.live, c);
    if (to.sent.data && !to.add_sent) clear_behind(to.sent, lines.live, c);
    if (to.arcs.data && !to.add_arcs) clear_behind(to.arcs, to.live_arcs, c);
    if (to.label_parts) sum_labels(by_label, to.labels, g.width, to.label_parts, to.unset);
    if (to.parts) sum_vertex_threads(product, to.parts);
}

/* Returns true if the step runs on lines of pairs: rows of 16 bytes. */
static bool by_lines(const lm_frame *f, bool half)
{
    return space_of(f, f->step->output[0]) == LM_TUPLES && f->batch->k == 2 && is_wide_step(f, half);
}

void lm_cuda_messages_forward(lm_cuda *cuda, const lm_frame *f)
{
    const bool half = half_of(cuda, f);
    if (!f->out[0].rows) return;
    const line_sum s = sum_of(cuda, f, f->step->position, f->weight[0], false);
    if (by_lines(f, half)) {
        with_lines(half, [&](auto k) {
            KIND(k);
            LM_LAUNCH_EARLY((pairs_forward<T>), vertex_grid(cuda, f), vertex_block(), &cuda->device, f->in[0],
                            sent_of(f), f->out[0], edges_of<T>(f), s, lines_in(cuda, f));
        });
        return;
    }
    with_block(f, half, [&](auto k, dim3 block) {
        KIND(k);
        LM_LAUNCH_EARLY((forward<T, V>), blocks_of(cuda, f->out[0].rows, block.y), block, &cuda->device, f->in[0],
                        sent_of(f), f->out[0], edges_of<T>(f), s);
    });
}

/* ---- Backward -------------------------------------------------------------------------------- */

/* dE of tuples by label: the rows of dE for each arc, in floats, are added up by label. */
static bool in_two_steps(const lm_frame *f)
{
    return space_of(f, f->step->input[1]) == LM_LABELS && space_of(f, f->step->output[0]) == LM_TUPLES;
}

static size_t arc_numbers(const lm_frame *f)
{
    return in_two_steps(f) ? (f->batch->extent.rows[LM_ARCS] * f->in[1].width + 63) / 64 * 64 : 0;
}

size_t lm_cuda_messages_workspace(const lm_cuda *cuda, const lm_frame *f)
{
    const bool by_label = space_of(f, f->step->input[1]) == LM_LABELS;
    const size_t width = f->in[1].width, labels = by_label ? type_parts_bytes(f->in[1].rows, width) : 0;
    const dim3 grid = vertex_grid(cuda, f);
    const size_t held = by_label ? grid.x * PAIR_LABELS * width : 0, lines = (grid.x * grid.y + held) * sizeof(float);
    const size_t blocks = blocks_of(cuda, f->out[0].rows, 1) * sizeof(float);
    const size_t rows = arc_numbers(f) * sizeof(float) + (labels > blocks ? labels : blocks);
    return rows > lines ? rows : lines;
}

/* Computes dX and dM, and the sum of G X over the rows of a block. If M = X (not `apart`), gm receives both. */
template <class T, int V>
static __global__ void back_to_rows(view<T> x, view<T> sent, view<T> g, view<T> gx, bool add, view<T> gm, bool add_sent,
                                    bool apart, edges<T> e, line_sum s, float *parts)
{
    lm_after_previous();
    const float own = 1 + (s.epsilon ? *s.epsilon : 0);
    float product = 0;
    FOR_ROWS (r, g.rows) {
        const uint32_t graph = s.graph_of[r];
        FOR_COLUMNS (c, g.width) {
            pack<T, V> sum = {}, scaled = {};
            if (graph != LM_NO_GRAPH) {
                const place p = place_of(s, r, graph);
                const pack<T, V> gradient = load<T, V>(g.row(r) + c);
                for (int n = 0; n < V; n++) scaled.at[n] = own * gradient.at[n];
                if (parts) {
                    const pack<T, V> in = load<T, V>(x.row(r) + c);
                    for (int n = 0; n < V; n++) product += in.at[n] * gradient.at[n];
                }
                if (gm.data) {
                    const pack<T, V> at = load<T, V>(sent.row(r) + c);
                    for_arcs<T, V>(s, p, g, e, c, [&](const pack<T, V> &edge, const pack<T, V> &other) {
                        for (int n = 0; n < V; n++) sum.at[n] += at.at[n] + edge.at[n] > 0 ? other.at[n] : 0;
                    });
                }
            }
            if (!apart)
                for (int n = 0; n < V; n++) sum.at[n] += scaled.at[n];
            else if (gx.data)
                put<T, V>(gx.row(r) + c, scaled, add);
            if (gm.data) put<T, V>(gm.row(r) + c, sum, add_sent);
        }
    }
    if (parts) sum_threads(product, parts);
}

/* The lines of the graph of an arc: those of the rows of its receiver and its sender. */
struct arc_lines {
    const uint32_t *arc_graph, *row_start, *vertex_start, *receiver, *sender, *live;
    uint32_t exponent;
};

static arc_lines lines_of(const lm_cuda *cuda, const lm_frame *f, const line_sum &s)
{
    const bool entering = f->step->neighborhood == LM_ENTERING;
    const lm_batch *b = f->batch;
    return {cuda->graph_of[LM_ARCS],      s.row_start,          s.vertex_start, entering ? b->head : b->tail,
            entering ? b->tail : b->head, cuda->live + LM_ARCS, s.exponent};
}

/* A warp works on an arc. The lanes that have the same columns take turns with the lines of the arc. */
#define LANE_TURNS (LM_WARP / blockDim.x)
#define LANE_TURN (threadIdx.y % LANE_TURNS)
#define FOR_WARPS(a, count)                                                                                            \
    for (uint32_t a = (blockIdx.x * blockDim.y + threadIdx.y) / LANE_TURNS; a < (count);                               \
         a += gridDim.x * blockDim.y / LANE_TURNS)

/* Returns this lane's share of arc_gradient(). */
template <class T, int V>
static __device__ __forceinline__ pack<T, V> share_of_gradient(const arc_lines &l, view<T> sent, view<T> g,
                                                               const edges<T> &e, uint32_t a, uint32_t c)
{
    pack<T, V> sum = {};
    if (a >= *l.live || c >= g.width) return sum;
    const uint32_t graph = l.arc_graph[a], vertex = l.vertex_start[graph], n = l.vertex_start[graph + 1] - vertex;
    const uint32_t step = power(n, l.exponent), end = l.row_start[graph + 1], lines = (end - l.row_start[graph]) / n;
    const uint32_t u = (l.receiver[a] - vertex) * step, w = (l.sender[a] - vertex) * step;
    const pack<T, V> edge = edge_row<T, V>(e, a, c);
    for (uint32_t line = LANE_TURN * LM_CUDA_AHEAD; line < lines; line += LANE_TURNS * LM_CUDA_AHEAD) {
        raw<T, V> to[LM_CUDA_AHEAD] = {}, from[LM_CUDA_AHEAD] = {}; /* lines that do not exist add 0 */
        LM_UNROLLED_FOR (uint32_t j = 0; j < LM_CUDA_AHEAD; j++)
            if (line + j < lines) {
                const uint32_t at = l.row_start[graph] + (line + j) / step * step * n + (line + j) % step;
                load_raw(g.row(at + u) + c, to + j);
                load_raw(sent.row(at + w) + c, from + j);
            }
        LM_UNROLLED_FOR (uint32_t j = 0; j < LM_CUDA_AHEAD; j++) {
            const pack<T, V> gradient = unpack<T, V>(to[j]), message = unpack<T, V>(from[j]);
            for (int i = 0; i < V; i++) sum.at[i] += message.at[i] + edge.at[i] > 0 ? gradient.at[i] : 0;
        }
    }
    return sum;
}

/* Calls put(column, sum) with the sum over lines of D[a] = G[u] [M[w] + E[a] > 0], zero for padding, once for every pack
 * of columns. All lanes of a warp call it together. */
template <class T, int V, class F>
static __device__ __forceinline__ void arc_gradient(const arc_lines &l, view<T> sent, view<T> g, const edges<T> &e,
                                                    uint32_t a, F put_columns)
{
    for (uint32_t first = 0; first < g.width; first += blockDim.x * V) {
        const uint32_t c = first + threadIdx.x * V;
        pack<T, V> sum = share_of_gradient<T, V>(l, sent, g, e, a, c);
        for (uint32_t mask = blockDim.x; mask < LM_WARP; mask *= 2)
            for (int i = 0; i < V; i++) sum.at[i] += __shfl_xor_sync(0xffffffffu, sum.at[i], (int)mask);
        if (!LANE_TURN && c < g.width) put_columns(c, sum);
    }
}

template <class T, int V>
static __global__ void __launch_bounds__(LM_CUDA_ROWS *LM_CUDA_LANES, 4)
    back_to_arcs(view<T> sent, view<T> g, view<T> ge, bool add, edges<T> e, arc_lines l)
{
    lm_after_previous();
    FOR_WARPS (a, ge.rows)
        arc_gradient<T, V>(l, sent, g, e, a,
                           [&](uint32_t c, const pack<T, V> &sum) { put<T, V>(ge.row(a) + c, sum, add); });
}

template <class T, int V>
static __global__ void sum_arcs_of_tuples(view<T> sent, view<T> g, edges<T> e, arc_lines l, uint32_t rows, float *sums)
{
    lm_after_previous();
    FOR_WARPS (a, rows)
        arc_gradient<T, V>(l, sent, g, e, a, [&](uint32_t c, const pack<T, V> &sum) {
            for (int i = 0; i < V; i++) sums[(size_t)a * g.width + c + i] = sum.at[i];
        });
}

/* dE[a] by label: computed from the rows, or read from `sums` if that is not NULL. */
template <class T> struct sent_by_label {
    view<T> sent, g;
    edges<T> e;
    arc_lines l;
    const float *sums;
    __device__ __forceinline__ uint32_t type(uint32_t a) const
    {
        return a < *l.live ? e.label[a] : LM_NO_TYPE;
    }
    __device__ __forceinline__ float number(uint32_t a, uint32_t c) const
    {
        if (sums) return sums[(size_t)a * g.width + c];
        const float message = to_float(sent.row(l.sender[a])[c]) + e.labels.row(e.label[a])[c]; /* rows are vertices */
        return message > 0 ? to_float(g.row(l.receiver[a])[c]) : 0;
    }
};

static void back_to_labels(lm_cuda *cuda, const lm_frame *f, const arc_lines &l)
{
    const lm_tensor &g = f->out_gradient[0], &ge = f->in_gradient[1];
    const size_t arcs = f->batch->extent.rows[LM_ARCS];
    float *sums = in_two_steps(f) ? (float *)f->workspace : NULL, *work = (float *)f->workspace + arc_numbers(f);
    if (!f->add[1]) lm_device_clear(&cuda->device, ge.data, ge.rows * ge.width * sizeof(float)); /* no columns */
    with_block(f, half_of(cuda, f), [&](auto k, dim3 block) {
        KIND(k);
        if (sums && arcs)
            LM_LAUNCH_EARLY_WAITING((sum_arcs_of_tuples<T, V>), blocks_of(cuda, arcs), block, &cuda->device, sent_of(f),
                                    g, edges_of<T>(f), l, (uint32_t)arcs, sums);
        const sent_by_label<T> source = {sent_of(f), g, edges_of<T>(f), l, sums};
        add_by_type(cuda, source, arcs, ge.width, ge.rows, work, ge.data);
    });
}

/* Computes all gradients of pairs. Returns false if dE of labels, of which there are many, remains to be computed. */
static bool back_by_vertices(lm_cuda *cuda, const lm_frame *f, const line_sum &s, bool half)
{
    const lm_tensor none = {}, &g = f->out_gradient[0], &ge = f->in_gradient[1];
    const bool apart = f->in[2].data, by_label = space_of(f, f->step->input[1]) == LM_LABELS;
    const bool labels = ge.data && by_label && ge.rows <= PAIR_LABELS;
    const lm_tensor &gx = apart ? f->in_gradient[0] : none, &gm = f->in_gradient[apart ? 2 : 0];
    const dim3 grid = vertex_grid(cuda, f);
    const unsigned products = f->weight_gradient[0] ? grid.x * grid.y : 0;
    const size_t numbers = labels ? ge.rows * ge.width : 0;
    float *by_block = (float *)f->workspace, *work = lm_cuda_parts_room(cuda, products * sizeof *work, by_block);
    by_block += products;
    with_lines(half, [&](auto k) {
        KIND(k);
        const pair_gradients<T> to = {gx,
                                      gm,
                                      by_label ? none : ge,
                                      gx.data && f->add[0],
                                      gm.data && f->add[apart ? 2 : 0],
                                      f->add[1],
                                      apart,
                                      products ? work : NULL,
                                      labels ? by_block : NULL,
                                      labels && !f->add[1] ? ge.data : NULL, /* no columns */
                                      labels ? (uint32_t)ge.rows : 0,
                                      cuda->live + LM_ARCS};
        LM_LAUNCH_EARLY_WAITING((pairs_backward<T>), grid, vertex_block(), &cuda->device, f->in[0], sent_of(f), g, to,
                                edges_of<T>(f), s, lines_in(cuda, f));
    });
    if (products) lm_cuda_add_parts(cuda, work, products, 1, 0, 1, f->weight_gradient[0]);
    if (labels) lm_cuda_add_parts(cuda, by_block, grid.x, numbers, 0, numbers, ge.data);
    return labels || !ge.data || !by_label;
}

static void back_by_rows(lm_cuda *cuda, const lm_frame *f, const line_sum &s, bool half)
{
    const lm_tensor none = {}, &g = f->out_gradient[0];
    const bool apart = f->in[2].data;
    const lm_tensor &gx = apart ? f->in_gradient[0] : none, &gm = f->in_gradient[apart ? 2 : 0];
    float *parts = f->weight_gradient[0] ? (float *)f->workspace : NULL;
    if (!parts && !gx.data && !gm.data) return;
    with_block(f, half, [&](auto k, dim3 block) {
        KIND(k);
        const unsigned blocks = blocks_of(cuda, g.rows, block.y);
        LM_LAUNCH_EARLY_WAITING((back_to_rows<T, V>), blocks, block, &cuda->device, f->in[0], sent_of(f), g, gx,
                                f->add[0], gm, f->add[apart ? 2 : 0], apart, edges_of<T>(f), s, parts);
        if (parts) lm_cuda_add_parts(cuda, parts, blocks, 1, 0, 1, f->weight_gradient[0]);
    });
}

void lm_cuda_messages_backward(lm_cuda *cuda, const lm_frame *f)
{
    const lm_tensor &g = f->out_gradient[0], &ge = f->in_gradient[1];
    const bool half = half_of(cuda, f), by_label = space_of(f, f->step->input[1]) == LM_LABELS;
    if (!g.rows) return;
    const line_sum s = sum_of(cuda, f, f->step->position, f->weight[0], true);
    if (by_lines(f, half)) {
        if (!back_by_vertices(cuda, f, s, half)) back_to_labels(cuda, f, lines_of(cuda, f, s));
        return;
    }
    back_by_rows(cuda, f, s, half);
    if (ge.data && by_label) back_to_labels(cuda, f, lines_of(cuda, f, s));
    if (!ge.data || by_label || !ge.rows) return;
    with_block(f, half, [&](auto k, dim3 block) {
        KIND(k);
        LM_LAUNCH_EARLY_WAITING((back_to_arcs<T, V>), blocks_of(cuda, ge.rows), block, &cuda->device, sent_of(f), g, ge,
                                f->add[1], edges_of<T>(f), lines_of(cuda, f, s));
    });
}
