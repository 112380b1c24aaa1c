/*
 * Messages of pairs by vertices, for nn/cuda/messages.cu: a warp has a vertex, some columns, and the rows of this vertex on
 * all lines of its graph. The vertex has the same arcs on every line, so the warp keeps in registers where they lead, their
 * rows of E and, in the backward pass, the sums of their gradients. Neighbours of a vertex are rows of the same line, which
 * other warps read at about the same time, from the cache.
 */
#ifndef LM_PAIR_VERTICES_H
#define LM_PAIR_VERTICES_H

#include "nn/cuda/pair_lines.h"

/* ---- Rows of edges --------------------------------------------------------------------------- */

/* E of an arc: a row for each arc in the number type of X, or a row for each label in floats. */
template <class T> struct edges {
    view<T> arcs;
    view<float> labels;
    const uint32_t *label; /* NULL: by arc */
};

/* The row of E that belongs to an arc: its label, which may be LM_NO_TYPE, or the arc itself. */
template <class T> static __device__ __forceinline__ uint32_t edge_number(const edges<T> &e, uint32_t arc)
{
    return e.label ? e.label[arc] : arc;
}

/* This row of E at the columns from c on; zero for LM_NO_TYPE. */
template <class T, int V>
static __device__ __forceinline__ pack<T, V> numbered_edge(const edges<T> &e, uint32_t number, uint32_t c)
{
    pack<T, V> row = {};
    if (!e.label) return load<T, V>(e.arcs.row(number) + c);
    if (number == LM_NO_TYPE) return row;
    const floats<V> label = load_floats<V>(e.labels.row(number) + c);
    for (int i = 0; i < V; i++) row.at[i] = label.at[i];
    return row;
}

/* E[a] at the columns from c on; zero if the label has no row. */
template <class T, int V>
static __device__ __forceinline__ pack<T, V> edge_row(const edges<T> &e, uint32_t arc, uint32_t c)
{
    return numbered_edge<T, V>(e, edge_number(e, arc), c);
}

/* ---- Vertices -------------------------------------------------------------------------------- */

enum {
    VERTEX_V = 4,                           /* numbers of a thread: with eight it would need too many registers */
    VERTEX_LANES = PAIR_COLUMNS / VERTEX_V, /* that share a row */
    VERTEX_TURNS = LM_WARP / VERTEX_LANES,  /* lines that a warp works on at once */
    VERTEX_WARPS = 4,                       /* of a block */
    VERTEX_THREADS = VERTEX_WARPS * LM_WARP,
    VERTEX_BLOCKS = 32, /* maximum for each multiprocessor */
    VERTEX_ARCS = 4     /* arcs whose rows are loaded at once, and the first of which stay in registers */
};

#define VERTEX_COLUMN ((blockIdx.y * VERTEX_LANES + threadIdx.x) * VERTEX_V)
#define FOR_VERTICES(vertex, count)                                                                                    \
    for (uint32_t vertex = blockIdx.x * VERTEX_WARPS + threadIdx.z; vertex < (count);                                  \
         vertex += gridDim.x * VERTEX_WARPS)

/* The rows of a vertex: first + line * across, and `lines` of them. The row of vertex w on the same line is (w - vertex) *
 * step further. begin, end: the arcs of the vertex. */
struct vertex_rows {
    uint32_t vertex, lines, first, across, step, begin, end;
};

static __device__ __forceinline__ vertex_rows rows_of_vertex(const line_sum &s, const batch_lines &lines,
                                                             uint32_t vertex)
{
    vertex_rows p = {};
    const uint32_t graph = lines.vertex_graph[vertex];
    if (graph == LM_NO_GRAPH) return p; /* padding */
    const uint32_t first = s.vertex_start[graph];
    p.begin = s.arc_start[vertex], p.end = s.arc_start[vertex + 1];
    p.vertex = vertex;
    p.lines = s.vertex_start[graph + 1] - first;
    p.step = s.exponent ? p.lines : 1;
    p.across = s.exponent ? 1 : p.lines;
    p.first = s.row_start[graph] + (vertex - first) * p.step;
    return p;
}

/* Up to VERTEX_ARCS arcs: the number of each, its row of E and where that is, and how many rows further its end is (modulo
 * 2^32). */
template <class T> struct some_arcs {
    uint32_t count, arc[VERTEX_ARCS], number[VERTEX_ARCS], further[VERTEX_ARCS];
    pack<T, VERTEX_V> edge[VERTEX_ARCS];
};

/* The arcs of a vertex from number `from` on; columns behind the last get zeros. */
template <class T>
static __device__ __forceinline__ some_arcs<T> load_arcs(const line_sum &s, const vertex_rows &p, const edges<T> &e,
                                                         uint32_t from, uint32_t c, uint32_t width)
{
    some_arcs<T> a = {};
    a.count = p.end - from < VERTEX_ARCS ? p.end - from : (uint32_t)VERTEX_ARCS;
    LM_UNROLLED_FOR (uint32_t j = 0; j < VERTEX_ARCS; j++)
        if (j < a.count) {
            a.arc[j] = s.arc ? s.arc[from + j] : from + j;
            a.number[j] = edge_number(e, a.arc[j]);
            a.further[j] = (s.end[a.arc[j]] - p.vertex) * p.step;
        }
    LM_UNROLLED_FOR (uint32_t j = 0; j < VERTEX_ARCS; j++)
        if (j < a.count && c < width) a.edge[j] = numbered_edge<T, VERTEX_V>(e, a.number[j], c);
    return a;
}

/* The rows of x at the ends of some arcs of row r, as they are in memory; zeros where there is no arc. */
template <class T> struct some_ends {
    raw<T, VERTEX_V> row[VERTEX_ARCS];
};
template <class T>
static __device__ __forceinline__ some_ends<T> load_ends(view<T> x, const some_arcs<T> &a, uint32_t r, uint32_t c)
{
    some_ends<T> ends = {};
    LM_UNROLLED_FOR (uint32_t j = 0; j < VERTEX_ARCS; j++)
        if (j < a.count) load_raw(x.row(r + a.further[j]) + c, ends.row + j);
    return ends;
}

/* Sets the rows of x from *live on to zero, at the columns of a block. */
template <class T> static __device__ __forceinline__ void clear_behind(view<T> x, const uint32_t *live, uint32_t c)
{
    enum { ROWS = VERTEX_WARPS * VERTEX_TURNS };
    const pack<T, VERTEX_V> zeros = {};
    for (uint32_t r = *live + blockIdx.x * ROWS + threadIdx.z * VERTEX_TURNS + threadIdx.y; r < x.rows && c < x.width;
         r += gridDim.x * ROWS)
        store<T, VERTEX_V>(x.row(r) + c, zeros);
}

/* parts[block] = the sum of `number` over the threads of a block. */
static __device__ __forceinline__ void sum_vertex_threads(float number, float *parts)
{
    LM_SHARED(float, held, VERTEX_WARPS);
    number = warp_sum(number);
    if (threadIdx.x + threadIdx.y == 0) held[threadIdx.z] = number;
    __syncthreads();
    float total = 0;
    for (uint32_t w = 0; w < VERTEX_WARPS; w++) total += held[w];
    if (threadIdx.x + threadIdx.y + threadIdx.z == 0) parts[blockIdx.y * gridDim.x + blockIdx.x] = total;
}

static inline dim3 vertex_block()
{
    return dim3(VERTEX_LANES, VERTEX_TURNS, VERTEX_WARPS);
}
static inline dim3 vertex_grid(const lm_cuda *cuda, const lm_frame *f)
{
    return pair_grid(cuda, f, VERTEX_BLOCKS, VERTEX_WARPS);
}

#endif
