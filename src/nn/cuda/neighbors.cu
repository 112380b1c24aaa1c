/*
 * Sums over neighbours: Z = f((1+e) X + S M + b), where M is X or the value that is sent instead; nn/cpu/neighbors.c
 * has the formulas, nn/cuda/lines.h the sums. The backward pass exchanges A and A', after G = dZ f'(Z). For pairs, the
 * sums along both components, Z_j = (1+e_j) X + S_j X, are one kernel: X is read once forward, dX is written once
 * backward.
 *
 * Sums over whole lines of pairs are those of nn/cuda/whole_lines.cu. Otherwise a warp processes a row. If rows are vertices, some vertex may have thousands of neighbours (a hub) while the others
 * have few, and all would wait for its warp. So all warps of a block share the arcs of a hub.
 */
#include "nn/cuda/lines.h"
#include <type_traits>

enum { BOTH = 2, MOST_ARCS = 64 /* maximum that one warp sums alone */ };

/* ---- Sums of lines --------------------------------------------------------------------------- */

static bool sums_lines(const lm_step *step)
{
    return step->neighborhood >= LM_OTHERS; /* of LM_OPPOSITE, the backward pass alone */
}

/* Executed by a warp: lines[line] = the sum of the rows of a line. Four rows are loaded at once. */
template <class T, int V>
static __device__ __forceinline__ void sum_line(view<T> x, uint32_t first, uint32_t step, uint32_t n, uint32_t line,
                                                float *lines)
{
    FOR_COLUMNS (c, x.width) {
        float sum[V] = {};
        for (uint32_t w = 0; w < n; w += LM_CUDA_AHEAD) {
            raw<T, V> rows[LM_CUDA_AHEAD] = {};
            LM_UNROLLED_FOR (uint32_t j = 0; j < LM_CUDA_AHEAD; j++)
                if (w + j < n) load_raw(x.row(first + (w + j) * step) + c, rows + j);
            LM_UNROLLED_FOR (int j = 0; j < LM_CUDA_AHEAD; j++) {
                const pack<T, V> row = unpack<T, V>(rows[j]);
                for (int i = 0; i < V; i++) sum[i] += row.at[i];
            }
        }
        for (int i = 0; i < V; i++) lines[(size_t)line * x.width + c + i] = sum[i];
    }
}

/* The warp of the first row of a line sums the line. */
template <class T, int V> static __global__ void sum_lines(view<T> x, line_sum s, float *lines)
{
    lm_after_previous();
    FOR_ROWS (r, x.rows) {
        const uint32_t graph = s.graph_of[r];
        if (graph == LM_NO_GRAPH) continue;
        const place p = place_of(s, r, graph);
        if (!p.u) sum_line<T, V>(x, r, p.step, p.n, s.line_start ? p.line : graph, lines);
    }
}

/* Upper bound on the number of lines to sum, n^(k-1) for each graph. */
static size_t max_lines(const lm_frame *f)
{
    const size_t *rows = f->batch->extent.rows;
    if (!sums_lines(f->step)) return 0;
    if (space_of(f, f->step->output[0]) != LM_TUPLES) return rows[LM_GRAPHS];
    return rows[f->program->k > 2 ? LM_TUPLES : LM_VERTICES];
}

/* Computes the sums of the lines of x, if the step needs them. */
static void run_lines(lm_cuda *cuda, const lm_frame *f, const lm_tensor &x, bool half, bool back, float *lines,
                      line_sum *s)
{
    const line_sum given = *s;
    if (!sums_lines(f->step) || (s->opposite && !back)) return;
    LAUNCH_ROWS(cuda, half, are_wide(half, x), x.rows, (sum_lines<T, V>), x, given, lines);
    s->lines = lines;
}

/* ---- Sums of rows ---------------------------------------------------------------------------- */

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

/* sum += S x of a row; all threads of a block call it together if vertices may be hubs. */
template <class T, int V, int C, bool HUBS>
static __device__ __forceinline__ void sum_rows(const line_sum &s, uint32_t graph, view<T> x, uint32_t r, uint32_t c,
                                                float (&sum)[C][V])
{
    const bool live = graph != LM_NO_GRAPH;
    place p = {};
    if (live) p = place_of(s, r, graph);
    if (live) sum_row<T, V, C>(s, p, x, r, c, sum, HUBS ? (uint32_t)MOST_ARCS : UINT32_MAX);
    if (HUBS && s.arcs != 0) sum_hubs<T, V, C>(s, p, x, live, c, sum);
}

/* ---- One sum, or those along both components of pairs ----------------------------------------- */

/* N sums over the same rows, and the N matrices that they read or write. */
template <int N> struct line_sums {
    line_sum of[N];
};
template <class T, int N> struct views {
    view<T> of[N];
};

template <class T, int N> static views<T, N> views_of(const lm_tensor *tensors)
{
    views<T, N> v;
    for (int j = 0; j < N; j++) v.of[j] = tensors[j];
    return v;
}

/* The workspace: sums of lines for each sum, then parts of the gradients of the epsilons. */
static size_t lines_of(const lm_frame *f, size_t sums)
{
    return (sums * max_lines(f) * f->out[0].width + 63) / 64 * 64;
}

size_t lm_cuda_neighbors_workspace(const lm_cuda *cuda, const lm_frame *f)
{
    const lm_tensor &x = f->out[0];
    const size_t sums = f->step->operation == LM_OP_PAIR_SUMS ? BOTH : 1;
    const size_t rows =
        (lines_of(f, sums) + sums * blocks_of(cuda, x.rows)) * sizeof(float) + parts_bytes(x.rows, x.width, 1);
    const size_t whole = sums == 1 ? lm_cuda_whole_lines_bytes(cuda, f) : 0;
    return rows > whole ? rows : whole;
}

size_t lm_cuda_pair_sums_workspace(const lm_cuda *cuda, const lm_frame *f)
{
    return lm_cuda_neighbors_workspace(cuda, f);
}

/* The sums of a step, with the sums of the lines of read[]. The components of pairs are numbered by the sums. */
template <int N>
static line_sums<N> sums_of(lm_cuda *cuda, const lm_frame *f, const lm_tensor *const (&read)[N], bool half, bool back)
{
    const size_t numbers = max_lines(f) * read[0]->width;
    line_sums<N> s;
    for (size_t j = 0; j < N; j++) {
        s.of[j] = sum_of(cuda, f, N == BOTH ? j : f->step->position, f->weight[j], back);
        run_lines(cuda, f, *read[j], half, back, (float *)f->workspace + j * numbers, s.of + j);
    }
    return s;
}

/* Calls run with the block of threads and constants: the kind of numbers, the packs of a lane (one if the lanes of a row
 * cover it, otherwise two packs of four floats), and whether vertices may be hubs. */
template <int N, class F> static void with_shape(const lm_frame *f, bool half, bool wide, F run)
{
    const size_t width = f->out[0].width;
    const bool vertices = space_of(f, f->step->output[0]) == LM_VERTICES;
    with_kind(half, wide, [&](auto k) {
        enum { V = decltype(k)::V };
        const dim3 block = N == BOTH ? block_for(width, V, LM_CUDA_ROWS * LM_CUDA_LANES) : block_of_rows();
        const auto with_packs = [&](auto hubs) {
            if (width > block.x * V)
                run(k, std::integral_constant < int, V == 4 ? 2 : 1 > (), hubs, block);
            else
                run(k, std::integral_constant<int, 1>(), hubs, block);
        };
        if (N == 1 && vertices)
            with_packs(std::integral_constant<bool, N == 1>());
        else
            with_packs(std::false_type());
    });
}

/* ---- Forward --------------------------------------------------------------------------------- */

template <class T, int V, int C, bool HUBS, int N>
static __global__ void forward(view<T> x, view<T> sent, views<T, N> z, line_sums<N> all, const float *bias,
                               lm_activation f)
{
    lm_after_previous();
    FOR_BLOCK_ROWS (first, x.rows) {
        const uint32_t r = first + threadIdx.y, graph = r < x.rows ? all.of[0].graph_of[r] : LM_NO_GRAPH;
        const bool live = graph != LM_NO_GRAPH;
        FOR_BLOCK_GROUPS (c, x.width) {
            group<T, V, C> at = {};
            if (live) at = load_group<T, V, C>(x, r, c);
            LM_UNROLLED_FOR (int j = 0; j < N; j++) {
                const line_sum &s = all.of[j];
                const float own = 1 + (s.epsilon ? *s.epsilon : 0);
                float sum[C][V] = {};
                sum_rows<T, V, C, HUBS>(s, graph, sent, r, c, sum);
                for (int i = 0; i < C && r < x.rows; i++) {
                    if (AT(c, i) >= x.width) break;
                    pack<T, V> out = {};
                    floats<V> shift = {};
                    if (N == 1 && bias) shift = load_floats<V>(bias + AT(c, i));
                    for (int n = 0; n < V && live; n++) {
                        const float result = own * at.part[i].at[n] + sum[i][n] + shift.at[n];
                        out.at[n] = N == 1 ? activate(result, f) : result;
                    }
                    store<T, V>(z.of[j].row(r) + AT(c, i), out);
                }
            }
        }
    }
}

template <int N> static void run_forward(lm_cuda *cuda, const lm_frame *f, const float *bias)
{
    const bool half = half_of(cuda, f);
    const lm_tensor &x = f->in[0], &sent = f->in[1].data ? f->in[1] : x, *read[N];
    if (!x.rows) return;
    for (int j = 0; j < N; j++) read[j] = &sent;
    const line_sums<N> s = sums_of<N>(cuda, f, read, half, false);
    with_shape<N>(f, half, are_wide(half, x, sent, f->out[0], f->out[N - 1]),
                  [&](auto k, auto c, auto hubs, dim3 block) {
                      KIND(k);
                      LM_LAUNCH_EARLY_WAITING((forward<T, V, decltype(c)::value, decltype(hubs)::value, N>),
                                              blocks_of(cuda, x.rows, block.y), block, &cuda->device, x, sent,
                                              views_of<T, N>(f->out), s, bias, f->step->activation);
                  });
}

void lm_cuda_neighbors_forward(lm_cuda *cuda, const lm_frame *f)
{
    if (f->out[0].rows && !lm_cuda_whole_lines_forward(cuda, f)) run_forward<1>(cuda, f, f->weight[1]);
}

void lm_cuda_pair_sums_forward(lm_cuda *cuda, const lm_frame *f)
{
    run_forward<BOTH>(cuda, f, NULL);
}

/* ---- Backward -------------------------------------------------------------------------------- */

/* Computes the gradient of M from the G of all sums, and the sums of G X over the rows of a block. If M = X (not
 * `apart`), `to` receives both gradients; otherwise `own` receives dX. */
template <class T, int V, int C, bool HUBS, int N>
static __global__ void backward(views<T, N> gradients, view<T> x, view<T> to, bool add, view<T> own, bool add_own,
                                bool apart, line_sums<N> all, float *parts)
{
    lm_after_previous();
    const uint32_t rows = gradients.of[0].rows, width = gradients.of[0].width;
    float product[N] = {};
    if (N > 1) apart = false; /* both components read X */
    FOR_BLOCK_ROWS (first, rows) {
        const uint32_t r = first + threadIdx.y, graph = r < rows ? all.of[0].graph_of[r] : LM_NO_GRAPH;
        const bool live = graph != LM_NO_GRAPH;
        FOR_BLOCK_GROUPS (c, width) {
            float sum[C][V] = {};
            group<T, V, C> in = {};
            if (live && parts) in = load_group<T, V, C>(x, r, c);
            LM_UNROLLED_FOR (int j = 0; j < N; j++) {
                const line_sum &s = all.of[j];
                const float factor = 1 + (s.epsilon ? *s.epsilon : 0);
                group<T, V, C> at = {};
                if (live) at = load_group<T, V, C>(gradients.of[j], r, c);
                if (to.data) sum_rows<T, V, C, HUBS>(s, graph, gradients.of[j], r, c, sum);
                if (!apart) add_group<T, V, C>(sum, at, factor);
                for (int i = 0; i < C; i++) {
                    for (int n = 0; n < V; n++) product[j] += in.part[i].at[n] * at.part[i].at[n];
                    if (!apart || !own.data || r >= rows || AT(c, i) >= width) continue;
                    for (int n = 0; n < V; n++) at.part[i].at[n] *= factor;
                    put<T, V>(own.row(r) + AT(c, i), at.part[i], add_own);
                }
            }
            for (int i = 0; i < C && to.data && r < rows; i++) {
                if (AT(c, i) >= width) break;
                pack<T, V> out;
                for (int n = 0; n < V; n++) out.at[n] = sum[i][n];
                put<T, V>(to.row(r) + AT(c, i), out, add);
            }
        }
    }
    for (int j = 0; j < N && parts; j++) {
        sum_threads(product[j], parts + j * gridDim.x);
        __syncthreads();
    }
}

template <int N> static void run_backward(lm_cuda *cuda, const lm_frame *f)
{
    const bool half = half_of(cuda, f), apart = f->in[1].data;
    const lm_tensor none = {}, *g = f->out_gradient, *read[N];
    const lm_tensor &to = f->in_gradient[apart], &own = apart ? f->in_gradient[0] : none;
    const bool learns = f->weight_gradient[0] || (N == BOTH && f->weight_gradient[1]);
    unsigned blocks = 0;
    if (!g->rows || (!to.data && !own.data && !learns)) return;
    for (int j = 0; j < N; j++) read[j] = g + j;
    const line_sums<N> s = sums_of<N>(cuda, f, read, half, true);
    float *work = (float *)f->workspace, *parts = learns ? work : NULL;
    if (parts) parts += lines_of(f, N);
    const lm_tensor &x = parts ? f->in[0] : none;
    with_shape<N>(f, half, are_wide(half, g[0], g[N - 1], x, to, own), [&](auto k, auto c, auto hubs, dim3 block) {
        KIND(k);
        blocks = blocks_of(cuda, g->rows, block.y);
        LM_LAUNCH_EARLY_WAITING((backward<T, V, decltype(c)::value, decltype(hubs)::value, N>), blocks, block,
                                &cuda->device, views_of<T, N>(g), x, to, f->add[apart], own, f->add[0], apart, s,
                                parts);
    });
    for (size_t j = 0; j < N && parts; j++)
        if (f->weight_gradient[j]) lm_cuda_add_parts(cuda, parts + j * blocks, blocks, 1, 0, 1, f->weight_gradient[j]);
}

void lm_cuda_neighbors_backward(lm_cuda *cuda, const lm_frame *f)
{
    if (!f->out[0].rows) return;
    if (!f->derived) lm_cuda_derive(cuda, f, f->weight_gradient[1]); /* uses the workspace first */
    if (!lm_cuda_whole_lines_backward(cuda, f)) run_backward<1>(cuda, f);
}

void lm_cuda_pair_sums_backward(lm_cuda *cuda, const lm_frame *f)
{
    run_backward<BOTH>(cuda, f);
}
