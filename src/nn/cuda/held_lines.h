/*
 * Lines of pairs and their arcs in shared memory, for nn/cuda/messages.cu: a block processes some columns of a few lines
 * at once. It holds their rows, so that every row is read from memory once, and their arcs. Whatever it holds is loaded
 * together, since such a kernel waits for memory most of its time.
 */
#ifndef LM_HELD_LINES_H
#define LM_HELD_LINES_H

#include "nn/cuda/instructions.h"
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

/* ---- Lines ----------------------------------------------------------------------------------- */

enum {
    PAIR_LINES = 4,  /* that a block works on at once */
    PAIR_HELD = 128, /* rows of them in shared memory; a longer line is read from memory behind it */
    ARCS_HELD = 4,   /* arcs of each of these rows in shared memory: those of an atom */
    PAIR_AHEAD = 2   /* arcs whose edges are loaded at once */
};

/* An arc of a row: its row of E, and the number of the vertex at its end within the graph. */
struct held_arc {
    uint32_t edge, other;
};

/* What a block holds. Its rows are numbered from the first row of the first line on. */
template <class T, int V> struct held_lines {
    pair_line line[PAIR_LINES];
    raw<T, V> row[PAIR_HELD * pairs<V>::LANES];
    uint32_t begin[PAIR_HELD], end[PAIR_HELD]; /* arcs of each row */
    held_arc arc[PAIR_HELD * ARCS_HELD];
};

/* Row `number` of the lines that a block holds: number u of a line, whose first row has the number `base`. */
struct held_place {
    pair_line line;
    uint32_t number, u, base;
    __device__ __forceinline__ uint32_t row(uint32_t w) const
    {
        return line.first + w * line.step;
    }
};

static __device__ __forceinline__ held_place place_in(const pair_line *line, uint32_t number)
{
    held_place p = {{}, number, number, 0};
    while (p.u >= line->n) p.u -= line++->n;
    p.line = *line;
    p.base = number - p.u;
    return p;
}

template <class T>
static __device__ __forceinline__ held_arc arc_at(const line_sum &s, const pair_line &l, const edges<T> &e, uint32_t i)
{
    const uint32_t arc = s.arc ? s.arc[i] : i;
    return {edge_number(e, arc), s.end[arc] - l.vertex};
}

/* `count` lines that are held at once, with `rows` rows. */
struct line_batch {
    uint32_t count, rows;
};

/* Finds the lines from `first` on, up to `end`: as many as there is room for, at least one. All threads of a block call
 * it together. */
static __device__ __forceinline__ line_batch find_lines(const line_sum &s, const batch_lines &lines, uint32_t first,
                                                        uint32_t end, pair_line *line)
{
    const uint32_t thread = threadIdx.y * blockDim.x + threadIdx.x;
    line_batch b = {};
    __syncthreads(); /* until the lines before are not read any more */
    if (thread < PAIR_LINES) {
        const pair_line none = {};
        line[thread] = first + thread < end ? line_at(s, lines.vertex_graph, first + thread) : none;
    }
    __syncthreads();
    while (b.count < PAIR_LINES && (!b.count || b.rows + line[b.count].n <= PAIR_HELD)) b.rows += line[b.count++].n;
    return b;
}

/* Loads rows of x and their arcs: all rows are on their way at the same time. All threads of a block call it together. */
template <class T, int V>
static __device__ __forceinline__ void hold(view<T> x, const line_sum &s, const edges<T> &e, const line_batch &b,
                                            uint32_t c, held_lines<T, V> *held)
{
    for (uint32_t i = threadIdx.y; i < b.rows && i < PAIR_HELD; i += pairs<V>::ROWS) {
        const held_place p = place_in(held->line, i);
        const uint32_t vertex = p.line.vertex + p.u, begin = s.arc_start[vertex], end = s.arc_start[vertex + 1];
        if (c < x.width) copy_async<16>(held->row + i * pairs<V>::LANES + threadIdx.x, x.row(p.row(p.u)) + c, true);
        if (threadIdx.x < ARCS_HELD && begin + threadIdx.x < end)
            held->arc[i * ARCS_HELD + threadIdx.x] = arc_at(s, p.line, e, begin + threadIdx.x);
        if (!threadIdx.x) held->begin[i] = begin, held->end[i] = end;
    }
    copy_end_group();
    copy_wait<0>();
    __syncthreads();
}

/* The columns from c on of row w of the line of p. */
template <class T, int V>
static __device__ __forceinline__ pack<T, V> held_row(view<T> x, const held_lines<T, V> &held, const held_place &p,
                                                      uint32_t w, uint32_t c)
{
    if (p.base + w < PAIR_HELD) return unpack<T, V>(held.row[(p.base + w) * pairs<V>::LANES + threadIdx.x]);
    return load<T, V>(x.row(p.row(w)) + c);
}

/* Calls add(number of the row of E, this row, row of x) for the arcs of the row at p. */
template <class T, int V, class F>
static __device__ __forceinline__ void for_held_arcs(view<T> x, const line_sum &s, const held_lines<T, V> &held,
                                                     const held_place &p, const edges<T> &e, uint32_t c, F add)
{
    const bool there = p.number < PAIR_HELD;
    const uint32_t vertex = p.line.vertex + p.u, begin = there ? held.begin[p.number] : s.arc_start[vertex];
    const uint32_t count = (there ? held.end[p.number] : s.arc_start[vertex + 1]) - begin;
    for (uint32_t i = 0; i < count; i += PAIR_AHEAD) {
        pack<T, V> edge[PAIR_AHEAD] = {};
        held_arc arc[PAIR_AHEAD] = {};
        LM_UNROLLED_FOR (uint32_t j = 0; j < PAIR_AHEAD; j++)
            if (i + j < count) {
                arc[j] = there && i + j < ARCS_HELD ? held.arc[p.number * ARCS_HELD + i + j]
                                                    : arc_at(s, p.line, e, begin + i + j);
                edge[j] = numbered_edge<T, V>(e, arc[j].edge, c);
            }
        LM_UNROLLED_FOR (uint32_t j = 0; j < PAIR_AHEAD; j++)
            if (i + j < count) add(arc[j].edge, edge[j], held_row(x, held, p, arc[j].other, c));
    }
}

/* Calls work(batch) for the lines of a block, PAIR_LINES of them at a time, or fewer where they are long. */
template <class T, int V, class F>
static __device__ __forceinline__ void for_line_batches(const line_sum &s, const batch_lines &lines,
                                                        held_lines<T, V> *held, F work)
{
    for (uint32_t begin = blockIdx.x * PAIR_LINES; begin < lines.count; begin += gridDim.x * PAIR_LINES) {
        const uint32_t end = begin + PAIR_LINES < lines.count ? begin + PAIR_LINES : lines.count;
        for (uint32_t first = begin; first < end;) {
            const line_batch b = find_lines(s, lines, first, end, held->line);
            work(b);
            first += b.count;
        }
    }
}

#endif
