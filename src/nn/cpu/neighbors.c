/*
 * Sums over neighbours: Z = f((1+e) X + S M + b). M is X or the value that is sent instead; S is one of A, A', J - A -
 * I, J - I, J along component j of the tuples, or the row of the pair (v, v).
 *
 * A line is the n tuples that differ only in component j: rows first + w * step, w = 0 .. n-1, step = n^(k-1-j). All
 * sums stay on the line, so the n^k tuples of a graph are n^(k-1) lines of the same shape, for all k and j. A piece of
 * work is one graph and LM_COLUMN_BLOCK of its columns; a line of a piece stays in the first-level cache while each of
 * its rows is read once for every neighbour. In the backward pass, with G = dZ f'(Z),
 *
 *   dX = (1+e) G;   dM = S' G (if M = X, dX is their sum);   de += sum G X;   db += sum of the rows of G
 *
 * where S' is S with A and A' exchanged, so the loop is the same. Of LM_OPPOSITE, S reads one row of a line for all rows
 * of the line, and S' writes the sum of the line to that row. O(rows * (1 + degree) * width); O(rows * width) without A.
 */
#include "nn/cpu/cpu.h"
#include <string.h>

/* The terms of a sum over a line. */
typedef struct line_sum {
    lm_arcs arcs;
    lm_real own, arc; /* factors of the row itself, of the sum over arcs */
    bool all, less;   /* the line's sum is a term; the row itself is subtracted from it */
    bool opposite;    /* LM_OPPOSITE */
} line_sum;

/* One piece of work. */
typedef struct piece {
    size_t graph, vertex, n; /* its graph, the graph's first vertex and number of vertices */
    size_t row;              /* its first row */
    size_t lines, step;      /* number of lines; distance in rows between consecutive rows of a line */
    size_t column, width;
} piece;

static line_sum sum_of(const lm_frame *f, bool transposed)
{
    const lm_real epsilon = f->weight[0] ? *f->weight[0] : 0;
    const lm_neighborhood along = f->step->neighborhood;
    return (line_sum){.arcs = transposed ? lm_arcs_sent(f) : lm_arcs_received(f),
                      .own = 1 + epsilon,
                      .arc = (lm_real)(along <= LM_ENTERING ? 1
                                       : along == LM_OTHERS ? -1
                                                            : 0),
                      .all = along == LM_OTHERS || along == LM_ALL || along == LM_LINE,
                      .less = along != LM_LINE,
                      .opposite = along == LM_OPPOSITE};
}

static piece piece_of(const lm_frame *f, size_t item)
{
    const lm_value *x = lm_program_value(f->program, f->step->output[0]);
    size_t blocks = lm_width_blocks(x->width), g = item / blocks, block = item % blocks;
    unsigned k = x->space == LM_TUPLES ? f->batch->k : 1;
    piece p = {.graph = g, .vertex = f->batch->start[LM_VERTICES][g], .row = f->batch->start[x->space][g]};
    p.n = f->batch->start[LM_VERTICES][g + 1] - p.vertex;
    p.step = (size_t)lm_power(p.n, k - 1 - (unsigned)f->step->position);
    p.lines = p.n ? (size_t)lm_power(p.n, k - 1) : 0;
    p.column = block * LM_COLUMN_BLOCK;
    p.width = lm_block_width(block, x->width);
    return p;
}

/* Returns the first row of a line. */
LM_INLINE size_t line_row(const piece *p, size_t line)
{
    return p->row + line / p->step * p->step * p->n + line % p->step;
}

/* y += factor * the sum of the rows of the line at the ends of the arcs of vertex u. */
LM_INLINE void add_arcs(const line_sum *s, const piece *p, size_t u, const lm_tensor *x, size_t row, lm_real *y)
{
    const lm_arcs *arcs = &s->arcs;
    const size_t v = p->vertex + u;
    for (uint32_t i = arcs->start[v]; i < arcs->start[v + 1]; i++) {
        const size_t w = arcs->other[lm_arc(arcs, i)] - p->vertex;
        lm_add_scaled(y, lm_row(x, row + w * p->step) + p->column, p->width, s->arc);
    }
}

LM_INLINE void add_line(const piece *p, const lm_tensor *x, size_t row, lm_real *y)
{
    for (size_t w = 0; w < p->n; w++) lm_add_scaled(y, lm_row(x, row + w * p->step) + p->column, p->width, 1);
}

/* The row of a line of pairs whose two components are equal. */
static size_t opposite(const piece *p, size_t row)
{
    return p->step == 1 ? (row - p->row) / p->n : row - p->row;
}

/* line = what all rows of the line have in common: the sum of the line, or the row of LM_OPPOSITE. */
LM_INLINE void begin_sum(const line_sum *s, const piece *p, const lm_tensor *x, size_t row, bool back, lm_real *line)
{
    memset(line, 0, p->width * sizeof *line);
    if (s->all || (s->opposite && back))
        add_line(p, x, row, line);
    else if (s->opposite)
        memcpy(line, lm_row(x, row + opposite(p, row) * p->step) + p->column, p->width * sizeof *line);
}

/* y = (S x)[u], or (S' x)[u] if back, on a line for which begin_sum() was called. */
LM_INLINE void sum_row(const line_sum *s, const piece *p, size_t u, const lm_tensor *x, size_t row, bool back,
                       const lm_real *restrict line, lm_real *restrict y)
{
    if (s->all || (s->opposite && (!back || u == opposite(p, row))))
        memcpy(y, line, p->width * sizeof *y);
    else
        memset(y, 0, p->width * sizeof *y);
    if (s->all && s->less) lm_add_scaled(y, lm_row(x, row + u * p->step) + p->column, p->width, -1);
    if (s->arc != 0) add_arcs(s, p, u, x, row, y);
}

/* ---- Forward --------------------------------------------------------------------------------- */

LM_INLINE void forward_line(const lm_frame *f, const line_sum *s, const piece *p, size_t row)
{
    const lm_tensor *x = f->in, *sent = f->in[1].data ? f->in + 1 : f->in, *z = f->out;
    lm_real line[LM_COLUMN_BLOCK], y[LM_COLUMN_BLOCK];
    begin_sum(s, p, sent, row, false, line);
    for (size_t u = 0; u < p->n; u++) {
        sum_row(s, p, u, sent, row, false, line, y);
        lm_add_scaled(y, lm_row(x, row + u * p->step) + p->column, p->width, s->own);
        lm_cpu_activate(y, f->weight[1] ? f->weight[1] + p->column : NULL, p->width, f->step->activation);
        memcpy(lm_row(z, row + u * p->step) + p->column, y, p->width * sizeof *y);
    }
}

LM_WIDE(forward_lines, (const lm_frame *f, const line_sum *s, const piece *p), (f, s, p))
{
    for (size_t line = 0; line < p->lines; line++) forward_line(f, s, p, line_row(p, line));
}

void lm_cpu_neighbors_forward(lm_backend *backend, const lm_frame *f)
{
    int threads = lm_cpu_of(backend)->threads;
    size_t items = f->batch->extent.rows[LM_GRAPHS] * lm_width_blocks(f->out[0].width);
    line_sum s = sum_of(f, false);
#pragma omp parallel for schedule(dynamic) num_threads(threads) if (f->out[0].rows > LM_CHUNK)
    for (size_t item = 0; item < items; item++) {
        piece p = piece_of(f, item);
        forward_lines(f, &s, &p);
    }
}

/* ---- Backward -------------------------------------------------------------------------------- */

/* What a piece adds to the gradients of the bias and of epsilon. */
typedef struct shares {
    lm_real bias[LM_COLUMN_BLOCK], epsilon;
} shares;

size_t lm_cpu_neighbors_workspace(const lm_backend *backend, const lm_frame *f)
{
    (void)backend;
    return f->batch->extent.rows[LM_GRAPHS] * lm_width_blocks(f->out[0].width) * sizeof(shares);
}

/* Replaces dZ by G on the whole line and adds its shares. */
LM_INLINE void begin_line(const lm_frame *f, const piece *p, size_t row, shares *share)
{
    const lm_tensor *g = f->out_gradient, *x = f->in, *z = f->out;
    for (size_t u = 0; u < p->n; u++) {
        size_t at = row + u * p->step;
        lm_real *restrict gradient = lm_row(g, at) + p->column;
        if (f->step->activation != LM_IDENTITY)
            lm_cpu_gradient(gradient, lm_row(z, at) + p->column, p->width, f->step->activation);
        if (f->weight_gradient[1]) lm_add_scaled(share->bias, gradient, p->width, 1);
        if (f->weight_gradient[0]) share->epsilon += lm_dot(gradient, lm_row(x, at) + p->column, p->width);
    }
}

LM_INLINE void backward_line(const lm_frame *f, const line_sum *s, const piece *p, size_t row)
{
    bool apart = f->in[1].data;
    const lm_tensor *g = f->out_gradient, *gx = f->in_gradient, *sent = f->in_gradient + apart;
    lm_real line[LM_COLUMN_BLOCK], y[LM_COLUMN_BLOCK];
    begin_sum(s, p, g, row, true, line);
    for (size_t u = 0; u < p->n; u++) {
        size_t at = row + u * p->step;
        const lm_real *own = lm_row(g, at) + p->column;
        if (apart && gx->data) {
            for (size_t i = 0; i < p->width; i++) y[i] = s->own * own[i];
            lm_cpu_put(lm_row(gx, at) + p->column, y, p->width, f->add[0]);
        }
        if (!sent->data) continue;
        sum_row(s, p, u, g, row, true, line, y);
        if (!apart) lm_add_scaled(y, own, p->width, s->own);
        lm_cpu_put(lm_row(sent, at) + p->column, y, p->width, f->add[apart]);
    }
}

LM_WIDE(backward_lines, (const lm_frame *f, const line_sum *s, const piece *p, bool passes, shares *share),
        (f, s, p, passes, share))
{
    for (size_t line = 0; line < p->lines; line++) {
        begin_line(f, p, line_row(p, line), share);
        if (passes) backward_line(f, s, p, line_row(p, line));
    }
}

void lm_cpu_neighbors_backward(lm_backend *backend, const lm_frame *f)
{
    int threads = lm_cpu_of(backend)->threads;
    size_t blocks = lm_width_blocks(f->out[0].width), items = f->batch->extent.rows[LM_GRAPHS] * blocks;
    bool passes = f->in_gradient[0].data || f->in_gradient[1].data;
    line_sum s = sum_of(f, true);
    shares *share = f->workspace;
#pragma omp parallel for schedule(dynamic) num_threads(threads) if (f->out[0].rows > LM_CHUNK)
    for (size_t item = 0; item < items; item++) {
        piece p = piece_of(f, item);
        share[item] = (shares){0};
        backward_lines(f, &s, &p, passes, share + item);
    }
    for (size_t item = 0; item < items; item++) {
        if (f->weight_gradient[0]) *f->weight_gradient[0] += share[item].epsilon;
        if (f->weight_gradient[1])
            lm_add_scaled(f->weight_gradient[1] + item % blocks * LM_COLUMN_BLOCK, share[item].bias,
                          lm_block_width(item % blocks, f->out[0].width), 1);
    }
}

/* ---- Both components of pairs ---------------------------------------------------------------- */

/* Returns the frame of component j alone. */
static lm_frame half_of(const lm_frame *f, size_t j, lm_step *step)
{
    lm_frame half = *f;
    *step = *f->step;
    half.step = step;
    step->position = j;
    step->output[0] = f->step->output[j];
    half.out[0] = f->out[j];
    half.out_gradient[0] = f->out_gradient[j];
    half.weight[0] = f->weight[j];
    half.weight_gradient[0] = f->weight_gradient[j];
    half.weight[1] = half.weight_gradient[1] = NULL; /* the bias of LM_OP_NEIGHBORS */
    return half;
}

void lm_cpu_pair_sums_forward(lm_backend *backend, const lm_frame *f)
{
    lm_step step;
    for (size_t j = 0; j < 2; j++) {
        const lm_frame half = half_of(f, j, &step);
        lm_cpu_neighbors_forward(backend, &half);
    }
}

size_t lm_cpu_pair_sums_workspace(const lm_backend *backend, const lm_frame *f)
{
    return lm_cpu_neighbors_workspace(backend, f);
}

void lm_cpu_pair_sums_backward(lm_backend *backend, const lm_frame *f)
{
    lm_step step;
    for (size_t j = 2; j-- > 0;) {
        lm_frame half = half_of(f, j, &step);
        if (j == 0) half.add[0] = true;
        lm_cpu_neighbors_backward(backend, &half);
    }
}
