/*
 * Sums over lists: Z[r] = f((1+e) X[r] + s_r sum of M[t] over the list of r + b). The list contains the neighbours of
 * the row, which is a set or a tuple, or its vertices, or one of them; or the row is a vertex, and its list contains
 * the tuples with the vertex at one place; or the row is a
 * vertex or an arc, and its list is the one pair (v, v), (u, w) or (w, u). s_r is 1, or one over the length of the list. With G = dZ f'(Z),
 *
 *   dX = (1+e) G;   dM[t] = sum over the rows r whose list has t of s_r G[r];   de += sum G X;   db += sum of G
 *
 * Every list of neighbours has a reverse, and the batch lists the rows of each vertex. So in both passes every row is summed
 * by one thread, in the order of its list. O((rows + entries) * width).
 */
#include "nn/cpu/cpu.h"
#include <string.h>

/* The entries of a row's list are lists.item[*first] up to the returned end. */
static size_t entries(const lm_lists *l, size_t row, size_t *first)
{
    const size_t at = row * l->each + l->offset;
    *first = l->start ? l->start[at] : at;
    return l->start ? l->start[at + 1] : at + l->span;
}

static uint32_t item_of(const lm_lists *l, size_t i)
{
    return l->item ? l->item[i] : (uint32_t)i;
}

/* Returns s_r. */
static lm_real share_of(const lm_frame *f, const lm_lists *l, size_t row)
{
    size_t first, end = entries(l, row, &first);
    return f->step->rate > 0 && end > first ? 1 / (lm_real)(end - first) : 1;
}

void lm_cpu_listed_forward(lm_backend *backend, const lm_frame *f)
{
    int threads = lm_cpu_of(backend)->threads;
    lm_tensor x = f->in[0], sent = f->in[1], z = f->out[0];
    const lm_lists l = lm_frame_lists(f, false);
    const lm_real own = 1 + (f->weight[0] ? *f->weight[0] : 0);
#pragma omp parallel for schedule(dynamic, 64) num_threads(threads) if (z.rows > LM_CHUNK)
    for (size_t r = 0; r < z.rows; r++) {
        lm_real *restrict to = lm_row(&z, r), share = share_of(f, &l, r);
        size_t first, end = entries(&l, r, &first);
        memset(to, 0, z.width * sizeof *to);
        for (size_t i = first; i < end; i++) lm_cpu_put(to, lm_row(&sent, item_of(&l, i)), z.width, true);
        for (size_t i = 0; i < z.width; i++) to[i] *= share;
        if (x.data) lm_add_scaled(to, lm_row(&x, r), z.width, own);
        lm_cpu_activate(to, f->weight[1], z.width, f->step->activation);
    }
}

/* ---- Backward -------------------------------------------------------------------------------- */

/* Every chunk of rows has a bias gradient and one number for epsilon of its own. */
LM_CPU_WORKSPACE(listed, lm_row_chunks(f->out[0].rows) * (f->out[0].width + 1))

/* Replaces dZ by G, adds the row's shares to the gradients of bias and epsilon, and computes dX. */
static void begin_row(const lm_frame *f, lm_real own, size_t r, lm_real *bias, lm_real *epsilon)
{
    lm_tensor g = f->out_gradient[0], gx = f->in_gradient[0];
    lm_real *restrict from = lm_row(&g, r);
    lm_cpu_gradient(from, lm_row(&f->out[0], r), g.width, f->step->activation);
    lm_cpu_put(bias, from, g.width, true);
    if (f->weight_gradient[0]) *epsilon += lm_dot(from, lm_row(&f->in[0], r), g.width);
    if (!gx.data) return;
    if (!f->add[0]) memset(lm_row(&gx, r), 0, g.width * sizeof *gx.data);
    lm_add_scaled(lm_row(&gx, r), from, g.width, own);
}

void lm_cpu_listed_backward(lm_backend *backend, const lm_frame *f)
{
    lm_cpu *cpu = lm_cpu_of(backend);
    lm_tensor g = f->out_gradient[0], gm = f->in_gradient[1];
    const lm_lists l = lm_frame_lists(f, false), back = lm_frame_lists(f, true);
    const size_t chunks = lm_row_chunks(g.rows);
    const lm_real own = 1 + (f->weight[0] ? *f->weight[0] : 0);
    lm_real *biases = f->workspace, *epsilons = biases + chunks * g.width;
#pragma omp parallel for schedule(static) num_threads(cpu->threads) if (chunks > 1)
    for (size_t c = 0; c < chunks; c++) {
        memset(biases + c * g.width, 0, g.width * sizeof *biases);
        epsilons[c] = 0;
        for (size_t r = c * LM_CHUNK; r < lm_chunk_end(c, g.rows); r++)
            begin_row(f, own, r, biases + c * g.width, epsilons + c);
    }
    for (size_t c = 0; f->weight_gradient[0] && c < chunks; c++) *f->weight_gradient[0] += epsilons[c];
    if (f->weight_gradient[1]) lm_cpu_add_parts(cpu, biases, chunks, g.width, f->weight_gradient[1]);
    if (!gm.data) return;
#pragma omp parallel for schedule(dynamic, 64) num_threads(cpu->threads) if (gm.rows > LM_CHUNK)
    for (size_t t = 0; t < gm.rows; t++) {
        size_t first, end = entries(&back, t, &first);
        if (!f->add[1]) memset(lm_row(&gm, t), 0, gm.width * sizeof *gm.data);
        for (size_t i = first; i < end; i++)
            lm_add_scaled(lm_row(&gm, t), lm_row(&g, item_of(&back, i)), gm.width, share_of(f, &l, item_of(&back, i)));
    }
}
