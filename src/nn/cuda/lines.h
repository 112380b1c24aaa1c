/*
 * Sums along the lines of tuples, for nn/cuda/neighbors.cu and nn/cuda/messages.cu.
 *
 * A warp, or half of one if rows are short, processes a row. It determines the row's graph, its component u and its
 * line (rows first + w * step), and reads the rows of u's neighbours on the line. Rows of a graph are processed at
 * about the same time and are adjacent in memory, so a row is read from memory once and from the cache for each further
 * neighbour. Sums over whole lines (J) are computed first, one for each line.
 */
#ifndef LM_LINES_H
#define LM_LINES_H

#include "nn/cuda/rows.h"

/* The parameters of a sum. */
struct line_sum {
    const uint32_t *graph_of, *row_start, *vertex_start, *line_start; /* graph_of: by row; the others: by graph */
    const uint32_t *arc_start, *arc,
        *end; /* the arcs of a vertex (through `arc` if not NULL), and the vertex at the end of each */
    const float *epsilon;
    const float *lines; /* [lines][width] sums of lines, or NULL */
    float arcs;         /* factor of the sum over arcs: 1, -1 or 0 */
    float less;         /* factor of the row itself in a sum of a line: 1, or 0 for LM_LINE */
    uint32_t exponent;  /* step of a line: n^exponent */
    bool opposite; /* LM_OPPOSITE: the sum is one row of the line; backward, the sum of the line goes to that row */
};

/* The position of a row of the tuples. */
struct place {
    uint32_t graph, vertex, n, u, step, line, first; /* line: number among all lines; first: its first row */
};

static __device__ __forceinline__ uint32_t power(uint32_t n, uint32_t exponent)
{
    uint32_t p = 1;
    for (uint32_t i = 0; i < exponent; i++) p *= n;
    return p;
}

static __device__ __forceinline__ place place_of(const line_sum &s, uint32_t r, uint32_t graph)
{
    place p;
    const uint32_t start = s.row_start[graph], t = r - start;
    p.graph = graph;
    p.vertex = s.vertex_start[graph];
    p.n = s.vertex_start[graph + 1] - p.vertex;
    p.step = power(p.n, s.exponent);
    p.u = t / p.step % p.n;
    p.first = r - p.u * p.step;
    p.line = s.line_start ? s.line_start[graph] + t / (p.step * p.n) * p.step + t % p.step : 0;
    return p;
}

/* The sum along component `position`; transposed (backward pass): A and A' are exchanged. */
static line_sum sum_of(const lm_cuda *cuda, const lm_frame *f, size_t position, const float *epsilon, bool transposed)
{
    const lm_batch *b = f->batch;
    const lm_row_space space = space_of(f, f->step->output[0]);
    const unsigned k = space == LM_TUPLES ? b->k : 1;
    const lm_neighborhood along = f->step->neighborhood;
    const lm_arcs arcs = transposed ? lm_arcs_sent(f) : lm_arcs_received(f);
    line_sum s = {};
    s.graph_of = cuda->graph_of[space];
    s.row_start = b->start[space];
    s.vertex_start = b->start[LM_VERTICES];
    s.line_start = k > 1 ? cuda->line_start : NULL;
    s.arc_start = arcs.start, s.arc = arcs.arc, s.end = arcs.other;
    s.epsilon = epsilon;
    s.arcs = along <= LM_ENTERING ? 1.0f : along == LM_OTHERS ? -1.0f : 0.0f;
    s.less = along == LM_LINE || along == LM_OPPOSITE ? 0.0f : 1.0f;
    s.opposite = along == LM_OPPOSITE;
    s.exponent = k - 1 - (uint32_t)position;
    return s;
}

/* Returns the number of the row on a line of pairs whose two components are equal. */
static __device__ __forceinline__ uint32_t opposite_of(const line_sum &s, const place &p)
{
    const uint32_t other = p.first - s.row_start[p.graph];
    return s.exponent ? other : other / p.n;
}

/* ---- Sums of a row --------------------------------------------------------------------------- */

/* A row is processed in groups of C packs for each lane, all of which are loaded before the first is used. */
#define AT(c, i) ((c) + (uint32_t)(i)*blockDim.x * V)

template <class T, int V, int C> struct group {
    pack<T, V> part[C];
};

template <class T, int V, int C>
static __device__ __forceinline__ group<T, V, C> load_group(view<T> x, uint32_t r, uint32_t c)
{
    group<T, V, C> g = {};
    for (int i = 0; i < C; i++)
        if (AT(c, i) < x.width) g.part[i] = load<T, V>(x.row(r) + AT(c, i));
    return g;
}

template <class T, int V, int C>
static __device__ __forceinline__ void add_group(float (&sum)[C][V], const group<T, V, C> &g, float factor)
{
    for (int i = 0; i < C; i++)
        for (int n = 0; n < V; n++) sum[i][n] += factor * g.part[i].at[n];
}

/* sum += the rows at the ends of the arcs from .. end - 1 of a row's vertex; A rows are loaded at once. */
template <class T, int V, int C, int A>
static __device__ __forceinline__ void sum_arcs(const line_sum &s, const place &p, view<T> x, uint32_t c, uint32_t from,
                                                uint32_t end, float (&sum)[C][V])
{
    for (uint32_t a = from; a < end; a += A) {
        group<T, V, C> row[A] = {};
        LM_UNROLLED_FOR (uint32_t j = 0; j < A; j++)
            if (a + j < end) {
                const uint32_t w = s.end[s.arc ? s.arc[a + j] : a + j] - p.vertex;
                row[j] = load_group<T, V, C>(x, p.first + w * p.step, c);
            }
        LM_UNROLLED_FOR (uint32_t j = 0; j < A; j++)
            if (a + j < end) add_group<T, V, C>(sum, row[j], s.arcs);
    }
}

/* sum += S x of a row; x of the row itself is not included. The arcs are left out if there are more than `most`. */
template <class T, int V, int C>
static __device__ __forceinline__ void sum_row(const line_sum &s, const place &p, view<T> x, uint32_t r, uint32_t c,
                                               float (&sum)[C][V], uint32_t most = UINT32_MAX)
{
    if (s.opposite && !s.lines)
        add_group<T, V, C>(sum, load_group<T, V, C>(x, p.first + opposite_of(s, p) * p.step, c), 1);
    if (s.lines && !(s.opposite && p.u != opposite_of(s, p))) {
        group<T, V, C> own = {};
        if (s.less != 0) own = load_group<T, V, C>(x, r, c);
        const uint32_t line = s.line_start ? p.line : p.graph;
        for (int i = 0; i < C && AT(c, i) < x.width; i++) {
            const floats<V> all = load_floats<V>(s.lines + (size_t)line * x.width + AT(c, i));
            for (int n = 0; n < V; n++) sum[i][n] += all.at[n] - own.part[i].at[n];
        }
    }
    if (s.arcs == 0) return;
    const uint32_t from = s.arc_start[p.vertex + p.u], end = s.arc_start[p.vertex + p.u + 1];
    if (end - from <= most) sum_arcs<T, V, C, 2>(s, p, x, c, from, end, sum);
}

#endif
