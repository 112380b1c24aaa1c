/*
 * Messages with edge features. On the line of a row along component j (nn/cpu/neighbors.c), M is what rows send:
 *
 *   Z[u] = (1+e) X[u] + sum over arcs a = (u, w) of ReLU(M[w] + E[a])
 *
 * M is X itself or a value of the shape of X. E has a row for every arc, or for every edge label. In the latter case
 * E[a] is the row of the arc's label, and nothing is stored for single arcs.
 *
 * With D[a] = G[u] [M[w] + E[a] > 0] on each line:
 *
 *   dX[u] = (1+e) G[u];   dM[w] = sum over arcs a that enter w of D[a];   de += sum G X;
 *   dE[a] = sum over lines of D[a], and for labels dE[l] = sum of dE[a] over the arcs with label l
 *
 * If M = X, dX is the sum of both. With LM_ENTERING the arcs are those that enter u. Labels are summed in chunks of rows,
 * each with a table of its own, while dM is computed; if there is no dM, in chunks of arcs. O((rows + arcs * lines) * width).
 */
#include "nn/cpu/cpu.h"
#include <string.h>

/* The lines of a value. The vertices of graph g are its lines' n rows, `step` rows apart. */
typedef struct lines {
    const uint32_t *row, *vertex; /* [graphs+1] first rows, first vertices */
    unsigned exponent;            /* step = n^exponent */
} lines;

/* A row: its graph, the batch's number of its vertex on the line, and the distance of consecutive rows of the line. */
typedef struct place {
    size_t graph, vertex, step;
} place;

static lines lines_of(const lm_frame *f)
{
    const lm_row_space space = lm_program_value(f->program, f->step->output[0])->space;
    const unsigned k = space == LM_TUPLES ? f->batch->k : 1;
    return (lines){f->batch->start[space], f->batch->start[LM_VERTICES], k - 1 - (unsigned)f->step->position};
}

static size_t vertices_of(const lines *l, size_t graph)
{
    return l->vertex[graph + 1] - l->vertex[graph];
}

/* Sets the place of row r, which must not be before the graph of *p. */
LM_INLINE void go_to(const lines *l, size_t r, place *p)
{
    while (r >= l->row[p->graph + 1]) p->graph++;
    const size_t n = vertices_of(l, p->graph);
    p->step = (size_t)lm_power(n, l->exponent);
    p->vertex = l->vertex[p->graph] + (r - l->row[p->graph]) / p->step % n;
}

/* Returns the row of vertex w on the line of row r, which is at place p. */
LM_INLINE size_t row_of(const place *p, size_t r, size_t w)
{
    return r + w * p->step - p->vertex * p->step;
}

static bool by_label(const lm_frame *f)
{
    return lm_program_value(f->program, f->step->input[1])->space == LM_LABELS;
}

/* Returns E of an arc, or NULL, meaning zeros, if its label has no row. */
LM_INLINE const lm_real *edge_row(const lm_frame *f, bool labels, uint32_t arc)
{
    if (!labels) return lm_row(&f->in[1], arc);
    return f->batch->arc_label[arc] == LM_NO_TYPE ? NULL : lm_row(&f->in[1], f->batch->arc_label[arc]);
}

/* The value that rows send. */
static lm_tensor sent_of(const lm_frame *f)
{
    return f->in[f->in[2].data ? 2 : 0];
}

LM_INLINE void receive(const lm_frame *f, const place *p, size_t r, bool labels, lm_real own)
{
    const lm_tensor x = f->in[0], sent = sent_of(f);
    const lm_arcs arcs = lm_arcs_received(f);
    lm_real *restrict to = lm_row(&f->out[0], r);
    const lm_real *restrict from = lm_row(&x, r);
    for (size_t i = 0; i < x.width; i++) to[i] = own * from[i];
    for (uint32_t i = arcs.start[p->vertex]; i < arcs.start[p->vertex + 1]; i++) {
        const uint32_t a = lm_arc(&arcs, i);
        const lm_real *restrict other = lm_row(&sent, row_of(p, r, arcs.other[a]));
        const lm_real *restrict edge = edge_row(f, labels, a);
        for (size_t c = 0; edge && c < x.width; c++) {
            const lm_real sum = other[c] + edge[c];
            to[c] += sum > 0 ? sum : 0;
        }
        for (size_t c = 0; !edge && c < x.width; c++) to[c] += other[c] > 0 ? other[c] : 0;
    }
}

LM_WIDE(receive_rows, (const lm_frame *f, const lines *l, size_t first, size_t end, bool labels, lm_real own),
        (f, l, first, end, labels, own))
{
    place p = {0};
    for (size_t r = first; r < end; r++) {
        go_to(l, r, &p);
        receive(f, &p, r, labels, own);
    }
}

void lm_cpu_messages_forward(lm_backend *backend, const lm_frame *f)
{
    const int threads = lm_cpu_of(backend)->threads;
    const lines l = lines_of(f);
    const lm_real own = 1 + (f->weight[0] ? *f->weight[0] : 0);
    const bool labels = by_label(f);
    const size_t rows = f->out[0].rows, chunks = lm_row_chunks(rows);
#pragma omp parallel for schedule(dynamic) num_threads(threads) if (chunks > 1)
    for (size_t c = 0; c < chunks; c++) receive_rows(f, &l, c * LM_CHUNK, lm_chunk_end(c, rows), labels, own);
}

/* ---- Backward -------------------------------------------------------------------------------- */

/* The numbers of a table of labels, one for every chunk of rows or of arcs; before these tables, a share of de for every
 * chunk of rows. */
static size_t table_of(const lm_frame *f)
{
    return by_label(f) ? f->in[1].rows * f->in[1].width : 0;
}

static size_t most_chunks(const lm_frame *f)
{
    const size_t rows = lm_row_chunks(f->out[0].rows), arcs = lm_row_chunks(f->batch->extent.rows[LM_ARCS]);
    return rows > arcs ? rows : arcs;
}

LM_CPU_WORKSPACE(messages, lm_row_chunks(f->out[0].rows) + most_chunks(f) * table_of(f))

/* to += g wherever other + edge > 0; edge may be NULL. Here and below g is loaded in any case: a load that depends on the
 * comparison would keep the compiler from taking several numbers at once. */
LM_INLINE void add_open(lm_real *restrict to, const lm_real *restrict g, const lm_real *restrict other,
                        const lm_real *restrict edge, size_t width)
{
    for (size_t i = 0; edge && i < width; i++) {
        const lm_real sent = other[i] + edge[i], number = g[i];
        to[i] += sent > 0 ? number : 0;
    }
    for (size_t i = 0; !edge && i < width; i++) {
        const lm_real number = g[i];
        to[i] += other[i] > 0 ? number : 0;
    }
}

/* The same, and also added to `too`. */
LM_INLINE void add_open_twice(lm_real *restrict to, lm_real *restrict too, const lm_real *restrict g,
                              const lm_real *restrict other, const lm_real *restrict edge, size_t width)
{
    for (size_t i = 0; i < width; i++) {
        const lm_real sent = other[i] + edge[i], number = g[i], open = sent > 0 ? number : 0;
        to[i] += open;
        too[i] += open;
    }
}

/* to = (add ? to : 0) + factor g. */
LM_INLINE void put_scaled(lm_real *restrict to, const lm_real *restrict g, size_t width, lm_real factor, bool add)
{
    for (size_t i = 0; i < width; i++) to[i] = (add ? to[i] : 0) + factor * g[i];
}

/* Computes dX and dM of a row, and adds its share of dE to the table of labels, if that is not NULL. Returns its share of
 * de. */
LM_INLINE lm_real go_back(const lm_frame *f, const place *p, size_t r, bool labels, lm_real own, lm_real *table)
{
    const bool apart = f->in[2].data;
    const lm_arcs arcs = lm_arcs_sent(f);
    const lm_tensor sent = sent_of(f), g = f->out_gradient[0], gx = f->in_gradient[0];
    const lm_tensor gm = f->in_gradient[apart ? 2 : 0];
    const lm_real *restrict at = lm_row(&f->in[0], r), *gradient = lm_row(&g, r);
    const lm_real epsilon = f->weight_gradient[0] ? lm_dot(at, gradient, g.width) : 0;
    if (gx.data) put_scaled(lm_row(&gx, r), gradient, g.width, own, f->add[0]);
    if (!gm.data) return epsilon;
    lm_real *to = lm_row(&gm, r);
    if (apart && !f->add[2]) memset(to, 0, g.width * sizeof *to);
    for (uint32_t i = arcs.start[p->vertex]; i < arcs.start[p->vertex + 1]; i++) {
        const uint32_t a = lm_arc(&arcs, i);
        const lm_real *from = lm_row(&g, row_of(p, r, arcs.other[a])), *edge = edge_row(f, labels, a);
        if (table && edge)
            add_open_twice(to, table + f->batch->arc_label[a] * g.width, from, lm_row(&sent, r), edge, g.width);
        else
            add_open(to, from, lm_row(&sent, r), edge, g.width);
    }
    return epsilon;
}

/* go_back() for rows first .. end-1. *epsilon = their share of de. */
LM_WIDE(go_back_rows,
        (const lm_frame *f, const lines *l, size_t first, size_t end, bool labels, lm_real own, lm_real *table,
         lm_real *epsilon),
        (f, l, first, end, labels, own, table, epsilon))
{
    place p = {0};
    *epsilon = 0;
    for (size_t r = first; r < end; r++) {
        go_to(l, r, &p);
        *epsilon += go_back(f, &p, r, labels, own, table);
    }
}

/* to += dE of an arc of this graph. */
LM_INLINE void go_back_to_arc(const lm_frame *f, const lines *l, size_t graph, uint32_t arc, bool labels, lm_real *to)
{
    const bool entering = f->step->neighborhood == LM_ENTERING;
    const uint32_t *receiver = entering ? f->batch->head : f->batch->tail;
    const uint32_t *sender = entering ? f->batch->tail : f->batch->head;
    const lm_tensor sent = sent_of(f), g = f->out_gradient[0];
    const size_t n = vertices_of(l, graph), step = (size_t)lm_power(n, l->exponent), end = l->row[graph + 1];
    const size_t u = receiver[arc] - l->vertex[graph], w = sender[arc] - l->vertex[graph];
    const lm_real *edge = edge_row(f, labels, arc);
    for (size_t block = l->row[graph]; block < end; block += n * step)
        for (size_t line = block; line < block + step; line++)
            add_open(to, lm_row(&g, line + u * step), lm_row(&sent, line + w * step), edge, g.width);
}

/* Computes dE of a chunk of arcs: into their own rows, or into the table of the chunk. */
LM_WIDE(go_back_to_edges, (const lm_frame *f, const lines *l, size_t chunk, lm_real *table), (f, l, chunk, table))
{
    const lm_batch *b = f->batch;
    const lm_tensor ge = f->in_gradient[1];
    const size_t arcs = b->extent.rows[LM_ARCS];
    const bool labels = by_label(f);
    size_t graph = 0;
    memset(table, 0, table_of(f) * sizeof *table);
    for (size_t a = chunk * LM_CHUNK; a < lm_chunk_end(chunk, arcs); a++) {
        while (a >= b->start[LM_ARCS][graph + 1]) graph++;
        if (labels && b->arc_label[a] == LM_NO_TYPE) continue;
        lm_real *to = labels ? table + b->arc_label[a] * ge.width : lm_row(&ge, a);
        if (!labels && !f->add[1]) memset(to, 0, ge.width * sizeof *to);
        go_back_to_arc(f, l, graph, (uint32_t)a, labels, to);
    }
}

/* Computes dE of labels by adding the tables of the chunks in their order. */
static void join_labels(const lm_frame *f, const lm_real *tables, size_t chunks)
{
    lm_tensor ge = f->in_gradient[1];
    for (size_t l = 0; l < ge.rows; l++) {
        if (!f->add[1]) memset(lm_row(&ge, l), 0, ge.width * sizeof *ge.data);
        for (size_t c = 0; c < chunks; c++)
            lm_cpu_put(lm_row(&ge, l), tables + c * table_of(f) + l * ge.width, ge.width, true);
    }
}

void lm_cpu_messages_backward(lm_backend *backend, const lm_frame *f)
{
    const int threads = lm_cpu_of(backend)->threads;
    const lines l = lines_of(f);
    const bool labels = by_label(f);
    const size_t rows = f->out[0].rows, chunks = lm_row_chunks(rows);
    const size_t arc_chunks = lm_row_chunks(f->batch->extent.rows[LM_ARCS]);
    const lm_real own = 1 + (f->weight[0] ? *f->weight[0] : 0);
    const bool together = labels && f->in_gradient[1].data && f->in_gradient[f->in[2].data ? 2 : 0].data;
    lm_real *epsilon = f->workspace, *tables = epsilon + chunks;
#pragma omp parallel for schedule(dynamic) num_threads(threads) if (chunks > 1)
    for (size_t c = 0; c < chunks; c++) {
        lm_real *table = together ? tables + c * table_of(f) : NULL;
        if (table) memset(table, 0, table_of(f) * sizeof *table);
        go_back_rows(f, &l, c * LM_CHUNK, lm_chunk_end(c, rows), labels, own, table, epsilon + c);
    }
    for (size_t c = 0; c < chunks && f->weight_gradient[0]; c++) *f->weight_gradient[0] += epsilon[c];
    if (!f->in_gradient[1].data) return;
    if (together) {
        join_labels(f, tables, chunks);
        return;
    }
#pragma omp parallel for schedule(dynamic) num_threads(threads) if (chunks > 1)
    for (size_t c = 0; c < arc_chunks; c++) go_back_to_edges(f, &l, c, tables + c * table_of(f));
    if (labels) join_labels(f, tables, arc_chunks);
}
