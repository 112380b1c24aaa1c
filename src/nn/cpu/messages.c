/*
 * Messages with edge features: Z[u] = (1+e) X[u] + sum over arcs a = (u, w) of ReLU(X[w] + E[a]). E has a row for every
 * arc, or for every edge label. In the latter case E[a] is the row of the arc's label, and nothing is stored for single
 * arcs.
 *
 * With D[a] = G[u] [X[w] + E[a] > 0]:
 *
 *   dX[w] = (1+e) G[w] + sum over arcs a that enter w of D[a];   de += sum G X;
 *   dE[a] = D[a], and for labels dE[l] = sum of D[a] over the arcs with label l
 *
 * With LM_ENTERING the arcs are those that enter u. Labels are summed in chunks of vertices, each with a table of its
 * own. O((vertices + arcs) * width).
 */
#include "nn/cpu/cpu.h"
#include <string.h>

static bool by_label(const lm_frame *f)
{
    return lm_program_value(f->program, f->step->input[1])->space == LM_LABELS;
}

/* Returns E of an arc, or NULL, meaning zeros, if its label has no row. */
static const lm_real *edge_row(const lm_frame *f, bool labels, uint32_t arc)
{
    if (!labels) return lm_row(&f->in[1], arc);
    return f->batch->arc_label[arc] == LM_NO_TYPE ? NULL : lm_row(&f->in[1], f->batch->arc_label[arc]);
}

void lm_cpu_messages_forward(lm_backend *backend, const lm_frame *f)
{
    int threads = lm_cpu_of(backend)->threads;
    lm_tensor x = f->in[0], z = f->out[0];
    const lm_arcs arcs = lm_arcs_received(f);
    lm_real own = 1 + (f->weight[0] ? *f->weight[0] : 0);
    bool labels = by_label(f);
#pragma omp parallel for schedule(dynamic, 64) num_threads(threads) if (x.rows > LM_CHUNK)
    for (size_t u = 0; u < x.rows; u++) {
        lm_real *restrict to = lm_row(&z, u);
        const lm_real *restrict from = lm_row(&x, u);
        for (size_t i = 0; i < x.width; i++) to[i] = own * from[i];
        for (uint32_t i = arcs.start[u]; i < arcs.start[u + 1]; i++) {
            const uint32_t a = lm_arc(&arcs, i);
            const lm_real *restrict other = lm_row(&x, arcs.other[a]), *restrict edge = edge_row(f, labels, a);
            for (size_t c = 0; edge && c < x.width; c++) {
                lm_real sum = other[c] + edge[c];
                to[c] += sum > 0 ? sum : 0;
            }
            for (size_t c = 0; !edge && c < x.width; c++) to[c] += other[c] > 0 ? other[c] : 0;
        }
    }
}

/* ---- Backward -------------------------------------------------------------------------------- */

/* Every chunk of vertices has a table of labels and one number for epsilon. */
static size_t share_of(const lm_frame *f, bool labels)
{
    return 1 + (labels ? f->in[1].rows * f->in[1].width : 0);
}

LM_CPU_WORKSPACE(messages, lm_row_chunks(f->in[0].rows) * share_of(f, by_label(f)))

/* to += g wherever other + edge > 0; edge may be NULL. */
static void add_open(lm_real *restrict to, const lm_real *restrict g, const lm_real *restrict other,
                     const lm_real *restrict edge, size_t width)
{
    for (size_t i = 0; edge && i < width; i++) to[i] += other[i] + edge[i] > 0 ? g[i] : 0;
    for (size_t i = 0; !edge && i < width; i++) to[i] += other[i] > 0 ? g[i] : 0;
}

/* Computes dX of vertex w. Returns its share of the gradient of epsilon. */
static lm_real go_back(const lm_frame *f, bool labels, lm_real own, size_t w)
{
    const lm_arcs arcs = lm_arcs_sent(f);
    lm_tensor x = f->in[0], g = f->out_gradient[0], gx = f->in_gradient[0];
    const lm_real *restrict at = lm_row(&x, w), *restrict gradient = lm_row(&g, w);
    lm_real epsilon = 0;
    for (size_t i = 0; i < x.width; i++) epsilon += at[i] * gradient[i];
    if (!gx.data) return epsilon;
    lm_real *restrict to = lm_row(&gx, w);
    for (size_t i = 0; i < x.width; i++) to[i] = (f->add[0] ? to[i] : 0) + own * gradient[i];
    for (uint32_t i = arcs.start[w]; i < arcs.start[w + 1]; i++) {
        uint32_t a = lm_arc(&arcs, i);
        add_open(to, lm_row(&g, arcs.other[a]), at, edge_row(f, labels, a), x.width);
    }
    return epsilon;
}

/* Computes dE of the arcs along which vertex u receives: into their own rows, or into the table of the chunk. */
static void go_back_to_edges(const lm_frame *f, bool labels, size_t u, lm_real *table)
{
    const lm_arcs arcs = lm_arcs_received(f);
    lm_tensor x = f->in[0], g = f->out_gradient[0], ge = f->in_gradient[1];
    for (uint32_t i = arcs.start[u]; i < arcs.start[u + 1]; i++) {
        const uint32_t a = lm_arc(&arcs, i);
        if (!edge_row(f, labels, a)) continue;
        lm_real *to = labels ? table + f->batch->arc_label[a] * ge.width : lm_row(&ge, a);
        if (!labels && !f->add[1]) memset(to, 0, ge.width * sizeof *to);
        add_open(to, lm_row(&g, u), lm_row(&x, arcs.other[a]), edge_row(f, labels, a), ge.width);
    }
}

/* Computes dE of labels by adding the tables of the chunks in their order. */
static void join_labels(const lm_frame *f, const lm_real *parts, size_t chunks, size_t share)
{
    lm_tensor ge = f->in_gradient[1];
    for (size_t l = 0; l < ge.rows; l++) {
        if (!f->add[1]) memset(lm_row(&ge, l), 0, ge.width * sizeof *ge.data);
        for (size_t c = 0; c < chunks; c++)
            lm_cpu_put(lm_row(&ge, l), parts + c * share + 1 + l * ge.width, ge.width, true);
    }
}

void lm_cpu_messages_backward(lm_backend *backend, const lm_frame *f)
{
    int threads = lm_cpu_of(backend)->threads;
    bool labels = by_label(f), edges = f->in_gradient[1].data;
    size_t chunks = lm_row_chunks(f->in[0].rows), share = share_of(f, labels);
    lm_real *parts = f->workspace, own = 1 + (f->weight[0] ? *f->weight[0] : 0);
#pragma omp parallel for schedule(dynamic) num_threads(threads) if (chunks > 1)
    for (size_t c = 0; c < chunks; c++) {
        lm_real *part = parts + c * share;
        memset(part, 0, share * sizeof *part);
        for (size_t v = c * LM_CHUNK; v < lm_chunk_end(c, f->in[0].rows); v++) {
            *part += go_back(f, labels, own, v);
            if (edges) go_back_to_edges(f, labels, v, part + 1);
        }
    }
    if (edges && labels) join_labels(f, parts, chunks, share);
    for (size_t c = 0; c < chunks && f->weight_gradient[0]; c++) *f->weight_gradient[0] += parts[c * share];
}
