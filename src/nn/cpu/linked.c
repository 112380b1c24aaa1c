/*
 * Messages of listed tuples, each along the arc of its link: over list j of row r,
 *
 *   Z[r] = (1+e) X[r] + sum over the links r -> t of ReLU(M[t] + E[arc of the link])
 *
 * With D[r, t] = G[r] [M[t] + E[arc] > 0]:
 *
 *   dX[r] = (1+e) G[r];   de = sum G X;   dM[t] = sum over the links r -> t of D[r, t], by the reverse list of t;
 *   dE[a] = sum of D over the links of arc a: those of the rows that have the vertex at the arc's receiving end at place j
 *
 * Every sum is computed by one thread in a fixed order. O((rows + links) * width + links log degree).
 */
#include "base/sort.h"
#include "nn/cpu/cpu.h"
#include <string.h>

/* The list of a row along which messages come. */
static const uint32_t *list_of(const lm_listing *l, size_t list, size_t row)
{
    return l->start + row * l->lists + list;
}

static const lm_listing *listing_of(const lm_frame *f)
{
    return f->batch->listed + (lm_program_value(f->program, f->step->output[0])->space - LM_LISTED);
}

void lm_cpu_linked_forward(lm_backend *backend, const lm_frame *f)
{
    const int threads = lm_cpu_of(backend)->threads;
    const lm_listing *l = listing_of(f);
    const lm_tensor x = f->in[0], edges = f->in[1], sent = f->in[2], z = f->out[0];
    const lm_real own = 1 + (f->weight[0] ? *f->weight[0] : 0);
#pragma omp parallel for schedule(dynamic, 64) num_threads(threads) if (z.rows > LM_CHUNK)
    for (size_t r = 0; r < z.rows; r++) {
        lm_real *restrict to = lm_row(&z, r);
        const lm_real *restrict from = lm_row(&x, r);
        const uint32_t *range = list_of(l, f->step->position, r);
        for (size_t c = 0; c < z.width; c++) to[c] = own * from[c];
        for (uint32_t i = range[0]; i < range[1]; i++) {
            const lm_real *restrict other = lm_row(&sent, l->neighbor[i]);
            const lm_real *restrict edge = lm_row(&edges, l->link_arc[i]);
            for (size_t c = 0; c < z.width; c++) {
                const lm_real sum = other[c] + edge[c];
                to[c] += sum > 0 ? sum : 0;
            }
        }
    }
}

/* ---- Backward -------------------------------------------------------------------------------- */

/* A share of de for every chunk of rows. */
LM_CPU_WORKSPACE(linked, lm_row_chunks(f->out[0].rows))

/* to += g wherever other + edge > 0. */
static void add_open(lm_real *restrict to, const lm_real *restrict g, const lm_real *restrict other,
                     const lm_real *restrict edge, size_t width)
{
    for (size_t c = 0; c < width; c++) {
        const lm_real sent = other[c] + edge[c], number = g[c]; /* loaded in any case, as in nn/cpu/messages.c */
        to[c] += sent > 0 ? number : 0;
    }
}

/* Computes dX of a row. Returns its share of de. */
static lm_real go_back_to_own(const lm_frame *f, size_t r, lm_real own)
{
    const lm_tensor g = f->out_gradient[0], gx = f->in_gradient[0];
    const lm_real *restrict from = lm_row(&g, r), *restrict x = lm_row(&f->in[0], r);
    const lm_real epsilon = f->weight_gradient[0] ? lm_dot(from, x, g.width) : 0;
    if (!gx.data) return epsilon;
    if (!f->add[0]) memset(lm_row(&gx, r), 0, g.width * sizeof *gx.data);
    lm_add_scaled(lm_row(&gx, r), from, g.width, own);
    return epsilon;
}

/* Computes dM of row t. The reverse of a link of a symmetric list follows the opposite arc. */
static void go_back_to_sent(const lm_frame *f, const lm_listing *l, size_t t)
{
    const lm_tensor edges = f->in[1], sent = f->in[2], g = f->out_gradient[0], gm = f->in_gradient[2];
    const size_t reverse = lm_reverse_list(l, f->step->position);
    const uint32_t *range = list_of(l, reverse, t);
    lm_real *to = lm_row(&gm, t);
    if (!f->add[2]) memset(to, 0, gm.width * sizeof *to);
    for (uint32_t i = range[0]; i < range[1]; i++) {
        const uint32_t arc = l->paired ? l->link_arc[i] : f->batch->entering_arc[l->link_arc[i]];
        add_open(to, lm_row(&g, l->neighbor[i]), lm_row(&sent, t), lm_row(&edges, arc), gm.width);
    }
}

/* Computes dE of an arc. */
static void go_back_to_arc(const lm_frame *f, const lm_listing *l, uint32_t arc)
{
    const lm_tensor edges = f->in[1], sent = f->in[2], g = f->out_gradient[0], ge = f->in_gradient[1];
    const size_t j = f->step->position, place = j % l->members;
    const uint32_t receiver = l->paired && j >= l->lists / 2 ? f->batch->head[arc] : f->batch->tail[arc];
    const uint32_t *rows = l->row_start + receiver * l->places + place;
    lm_real *to = lm_row(&ge, arc);
    if (!f->add[1]) memset(to, 0, ge.width * sizeof *to);
    for (uint32_t i = rows[0]; i < rows[1]; i++) {
        const uint32_t r = l->row[i], *range = list_of(l, j, r);
        const size_t link = lm_lower_bound(l->link_arc, range[0], range[1], arc);
        if (link < range[1] && l->link_arc[link] == arc)
            add_open(to, lm_row(&g, r), lm_row(&sent, l->neighbor[link]), lm_row(&edges, arc), ge.width);
    }
}

void lm_cpu_linked_backward(lm_backend *backend, const lm_frame *f)
{
    const int threads = lm_cpu_of(backend)->threads;
    const lm_listing *l = listing_of(f);
    const size_t rows = f->out[0].rows, chunks = lm_row_chunks(rows), arcs = f->in[1].rows;
    const lm_real own = 1 + (f->weight[0] ? *f->weight[0] : 0);
    lm_real *epsilons = f->workspace;
#pragma omp parallel for schedule(static) num_threads(threads) if (chunks > 1)
    for (size_t c = 0; c < chunks; c++) {
        epsilons[c] = 0;
        for (size_t r = c * LM_CHUNK; r < lm_chunk_end(c, rows); r++) epsilons[c] += go_back_to_own(f, r, own);
    }
    for (size_t c = 0; f->weight_gradient[0] && c < chunks; c++) *f->weight_gradient[0] += epsilons[c];
#pragma omp parallel for schedule(dynamic, 64) num_threads(threads) if (chunks > 1)
    for (size_t t = 0; t < (f->in_gradient[2].data ? rows : 0); t++) go_back_to_sent(f, l, t);
#pragma omp parallel for schedule(dynamic, 64) num_threads(threads) if (arcs > LM_CHUNK)
    for (size_t a = 0; a < (f->in_gradient[1].data ? arcs : 0); a++) go_back_to_arc(f, l, (uint32_t)a);
}
