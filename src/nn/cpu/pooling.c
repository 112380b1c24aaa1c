/*
 * Between the rows of a graph and the graph: pooling, attention, and spreading vertices over tuples.
 *
 *   pool      Y[g] = sum of the rows of g, divided by their number for the mean;  dX[r] = dY[g], divided likewise
 *
 *   pool_max  Y[g] = the maximum of each channel over the pairs (v,v), then over (u,v), u != v;  the gradient goes to
 *             the first pair that attains the maximum
 *
 *   attend    r[g] = sum a_i x_i, a = softmax of x_i . q over the rows of g.  With da_i = dr . x_i and
 *             de_i = a_i (da_i - sum_j a_j da_j) = a_i (da_i - dr . r):  dx_i = a_i dr + de_i q,  dq = sum de_i x_i
 *
 *   spread    Y[(v_1..v_k)] = f(sum_j X_j[v_j] + b);  dX_j[v] = sum of dY f'(Y) over the tuples with v at place j
 *
 *   collect   Y[v] = sum of X over the tuples with v at place j;  dX[(v_1..v_k)] = dY[v_j]
 *
 *   gather    Y[a] = X[(u,w)] for the arc a = (u,w), or X[(w,u)];  dX is dY in the rows of arcs, 0 in other rows
 *
 * Threads process graphs, or graphs and blocks of columns. O(rows * width); spread O(k * rows * width).
 */
#include "nn/cpu/cpu.h"
#include <string.h>

/* The work of one graph, whose rows of a value are first .. end-1. */
typedef void graph_work(const lm_frame *f, size_t g, size_t first, size_t end);

/* Divides the graphs of a batch, with their rows of this value, among threads. */
static void each_graph(lm_backend *backend, const lm_frame *f, uint32_t value, graph_work *work)
{
    const int threads = lm_cpu_of(backend)->threads;
    const size_t graphs = f->batch->extent.rows[LM_GRAPHS];
#pragma omp parallel for schedule(dynamic) num_threads(threads) if (lm_graph_row(f, value, graphs) > LM_CHUNK)
    for (size_t g = 0; g < graphs; g++) work(f, g, lm_graph_row(f, value, g), lm_graph_row(f, value, g + 1));
}

/* ---- Pooling --------------------------------------------------------------------------------- */

static lm_real share_of(const lm_frame *f, size_t rows)
{
    return f->step->rate > 0 && rows ? 1 / (lm_real)rows : 1;
}

void lm_cpu_pool_forward(lm_backend *backend, const lm_frame *f)
{
    int threads = lm_cpu_of(backend)->threads;
    lm_tensor x = f->in[0], y = f->out[0];
    size_t blocks = lm_width_blocks(x.width);
#pragma omp parallel for schedule(dynamic) num_threads(threads) if (x.rows > LM_CHUNK)
    for (size_t item = 0; item < y.rows * blocks; item++) {
        size_t g = item / blocks, column = item % blocks * LM_COLUMN_BLOCK;
        size_t width = lm_block_width(item % blocks, x.width);
        size_t first = lm_graph_row(f, f->step->input[0], g), end = lm_graph_row(f, f->step->input[0], g + 1);
        lm_real sum[LM_COLUMN_BLOCK] = {0}, share = share_of(f, end - first);
        for (size_t r = first; r < end; r++) lm_cpu_put(sum, lm_row(&x, r) + column, width, true);
        for (size_t i = 0; i < width; i++) lm_row(&y, g)[column + i] = sum[i] * share;
    }
}

static void pool_back(const lm_frame *f, size_t g, size_t first, size_t end)
{
    const size_t width = f->out[0].width;
    lm_real *restrict from = lm_row(&f->out_gradient[0], g), share = share_of(f, end - first);
    for (size_t c = 0; c < width; c++) from[c] *= share;
    for (size_t r = first; r < end; r++) lm_cpu_put(lm_row(&f->in_gradient[0], r), from, width, f->add[0]);
}

void lm_cpu_pool_backward(lm_backend *backend, const lm_frame *f)
{
    if (f->in_gradient[0].data) each_graph(backend, f, f->step->input[0], pool_back);
}

/* ---- The largest ----------------------------------------------------------------------------- */

/* Returns the first column of the side of row t of graph g's n x n matrix: 0 on the diagonal, otherwise `width`. */
static size_t side_of(const lm_frame *f, size_t g, size_t t)
{
    const size_t n = f->batch->start[LM_VERTICES][g + 1] - f->batch->start[LM_VERTICES][g];
    return t % (n + 1) ? f->in[0].width : 0;
}

static void max_of_graph(const lm_frame *f, size_t g, size_t first, size_t end)
{
    lm_tensor x = f->in[0], y = f->out[0];
    bool met[2] = {false, false};
    memset(lm_row(&y, g), 0, y.width * sizeof *y.data);
    for (size_t r = first; r < end; r++) {
        const size_t side = side_of(f, g, r - first);
        const lm_real *restrict from = lm_row(&x, r);
        lm_real *restrict to = lm_row(&y, g) + side;
        if (!met[side > 0])
            memcpy(to, from, x.width * sizeof *to);
        else
            for (size_t i = 0; i < x.width; i++) to[i] = from[i] > to[i] ? from[i] : to[i];
        met[side > 0] = true;
    }
}

void lm_cpu_pool_max_forward(lm_backend *backend, const lm_frame *f)
{
    each_graph(backend, f, f->step->input[0], max_of_graph);
}

/* Computes dX of a graph. The gradient of every channel of both sides goes to the first row that equals the maximum. */
static void max_back(const lm_frame *f, size_t g, size_t first, size_t end)
{
    lm_tensor x = f->in[0], y = f->out[0], gy = f->out_gradient[0], gx = f->in_gradient[0];
    for (size_t r = first; r < end; r++) {
        const size_t side = side_of(f, g, r - first);
        const lm_real *from = lm_row(&x, r), *largest = lm_row(&y, g) + side;
        lm_real *to = lm_row(&gx, r), *given = lm_row(&gy, g) + side; /* set to 0 once it has been passed on */
        for (size_t i = 0; i < x.width; i++) {
            const bool here = from[i] >= largest[i];
            to[i] = (f->add[0] ? to[i] : 0) + (here ? given[i] : 0);
            if (here) given[i] = 0;
        }
    }
}

void lm_cpu_pool_max_backward(lm_backend *backend, const lm_frame *f)
{
    if (f->in_gradient[0].data) each_graph(backend, f, f->step->input[0], max_back);
}

/* ---- Attention ------------------------------------------------------------------------------- */

static void attend_graph(const lm_frame *f, size_t g, size_t first, size_t end)
{
    lm_tensor x = f->in[0], q = f->in[1], read = f->out[0], a = f->out[1];
    lm_real max = -(lm_real)INFINITY, total = LM_REAL(1e-16);
    memset(lm_row(&read, g), 0, x.width * sizeof *x.data);
    for (size_t r = first; r < end; r++) {
        lm_real e = lm_dot(lm_row(&x, r), lm_row(&q, g), x.width);
        *lm_row(&a, r) = e;
        max = e > max ? e : max;
    }
    for (size_t r = first; r < end; r++) {
        lm_real e = LM_REAL_FUNCTION(exp)(*lm_row(&a, r) - max);
        *lm_row(&a, r) = e;
        total += e;
    }
    for (size_t r = first; r < end; r++) {
        *lm_row(&a, r) /= total;
        lm_add_scaled(lm_row(&read, g), lm_row(&x, r), x.width, *lm_row(&a, r));
    }
}

void lm_cpu_attend_forward(lm_backend *backend, const lm_frame *f)
{
    each_graph(backend, f, f->step->input[0], attend_graph);
}

static void attend_back(const lm_frame *f, size_t g, size_t first, size_t end)
{
    lm_tensor x = f->in[0], a = f->out[1], gx = f->in_gradient[0], gq = f->in_gradient[1];
    const lm_real *q = lm_row(&f->in[1], g), *gradient = lm_row(&f->out_gradient[0], g);
    const lm_real mean = lm_dot(gradient, lm_row(&f->out[0], g), x.width); /* of da, weighted by the attention */
    if (gq.data && !f->add[1]) memset(lm_row(&gq, g), 0, x.width * sizeof *x.data);
    for (size_t r = first; r < end; r++) {
        lm_real share = *lm_row(&a, r), energy = share * (lm_dot(gradient, lm_row(&x, r), x.width) - mean);
        if (gx.data) {
            if (!f->add[0]) memset(lm_row(&gx, r), 0, x.width * sizeof *x.data);
            lm_add_scaled(lm_row(&gx, r), gradient, x.width, share);
            lm_add_scaled(lm_row(&gx, r), q, x.width, energy);
        }
        if (gq.data) lm_add_scaled(lm_row(&gq, g), lm_row(&x, r), x.width, energy);
    }
}

void lm_cpu_attend_backward(lm_backend *backend, const lm_frame *f)
{
    each_graph(backend, f, f->step->input[0], attend_back);
}

/* ---- Vertices over tuples -------------------------------------------------------------------- */

/* Returns component j of tuple t of a graph of n vertices. */
static size_t component(size_t t, size_t n, unsigned k, size_t j)
{
    return t / (size_t)lm_power(n, k - 1 - (unsigned)j) % n;
}

static void spread_graph(const lm_frame *f, size_t g, size_t first, size_t end)
{
    const uint32_t *vertex = f->batch->start[LM_VERTICES] + g;
    const size_t n = vertex[1] - vertex[0], width = f->out[0].width;
    const unsigned k = f->batch->k;
    for (size_t r = first; r < end; r++) {
        lm_real *y = lm_row(&f->out[0], r);
        bool add = false;
        for (size_t j = 0; j < k; j++) {
            if (!f->in[j].data) continue;
            lm_cpu_put(y, lm_row(&f->in[j], *vertex + component(r - first, n, k, j)), width, add);
            add = true;
        }
        lm_cpu_activate(y, f->weight[0], width, f->step->activation);
    }
}

void lm_cpu_spread_forward(lm_backend *backend, const lm_frame *f)
{
    each_graph(backend, f, f->step->output[0], spread_graph);
}

LM_CPU_WORKSPACE(spread, f->batch->extent.rows[LM_GRAPHS] * f->out[0].width)

/* y[v] = or += the sum of x over the tuples first .. end-1 of graph g with v at place j. */
static void collect(const lm_batch *b, size_t g, size_t first, size_t end, size_t j, const lm_tensor *x,
                    const lm_tensor *y, bool add)
{
    const size_t vertex = b->start[LM_VERTICES][g], n = b->start[LM_VERTICES][g + 1] - vertex;
    for (size_t v = 0; v < n && !add; v++) memset(lm_row(y, vertex + v), 0, y->width * sizeof *y->data);
    for (size_t r = first; r < end; r++)
        lm_cpu_put(lm_row(y, vertex + component(r - first, n, b->k, j)), lm_row(x, r), y->width, true);
}

static void spread_back(const lm_frame *f, size_t g, size_t first, size_t end)
{
    const lm_batch *b = f->batch;
    lm_tensor y = f->out[0], gy = f->out_gradient[0];
    lm_real *bias = (lm_real *)f->workspace + g * y.width;
    memset(bias, 0, y.width * sizeof *bias);
    for (size_t r = first; r < end; r++) {
        lm_cpu_gradient(lm_row(&gy, r), lm_row(&y, r), y.width, f->step->activation);
        lm_cpu_put(bias, lm_row(&gy, r), y.width, true);
    }
    for (size_t j = 0; j < b->k; j++)
        if (f->in_gradient[j].data) collect(b, g, first, end, j, &gy, &f->in_gradient[j], f->add[j]);
}

void lm_cpu_spread_backward(lm_backend *backend, const lm_frame *f)
{
    each_graph(backend, f, f->step->output[0], spread_back);
    if (f->weight_gradient[0])
        lm_cpu_add_parts(lm_cpu_of(backend), f->workspace, f->batch->extent.rows[LM_GRAPHS], f->out[0].width,
                         f->weight_gradient[0]);
}

/* ---- Tuples at their vertices ---------------------------------------------------------------- */

static void collect_graph(const lm_frame *f, size_t g, size_t first, size_t end)
{
    collect(f->batch, g, first, end, f->step->position, &f->in[0], &f->out[0], false);
}

void lm_cpu_collect_forward(lm_backend *backend, const lm_frame *f)
{
    each_graph(backend, f, f->step->input[0], collect_graph);
}

static void collect_back(const lm_frame *f, size_t g, size_t first, size_t end)
{
    const uint32_t *vertex = f->batch->start[LM_VERTICES] + g;
    const size_t n = vertex[1] - vertex[0], j = f->step->position;
    for (size_t r = first; r < end; r++)
        lm_cpu_put(lm_row(&f->in_gradient[0], r),
                   lm_row(&f->out_gradient[0], *vertex + component(r - first, n, f->batch->k, j)), f->out[0].width,
                   f->add[0]);
}

void lm_cpu_collect_backward(lm_backend *backend, const lm_frame *f)
{
    if (f->in_gradient[0].data) each_graph(backend, f, f->step->input[0], collect_back);
}

/* ---- Pairs that are edges -------------------------------------------------------------------- */

/* Returns the row of the pair of an arc of graph g. */
static size_t pair_of(const lm_frame *f, size_t g, size_t arc)
{
    const lm_batch *b = f->batch;
    const size_t vertex = b->start[LM_VERTICES][g], n = b->start[LM_VERTICES][g + 1] - vertex;
    const size_t u = b->tail[arc] - vertex, w = b->head[arc] - vertex;
    return b->start[LM_TUPLES][g] + (f->step->position ? w * n + u : u * n + w);
}

static void gather_graph(const lm_frame *f, size_t g, size_t first, size_t end)
{
    for (size_t a = first; a < end; a++)
        lm_cpu_put(lm_row(&f->out[0], a), lm_row(&f->in[0], pair_of(f, g, a)), f->out[0].width, false);
}

void lm_cpu_gather_forward(lm_backend *backend, const lm_frame *f)
{
    each_graph(backend, f, f->step->output[0], gather_graph);
}

static void gather_back(const lm_frame *f, size_t g, size_t first, size_t end)
{
    const lm_tensor gx = f->in_gradient[0];
    const uint32_t *row = f->batch->start[LM_TUPLES] + g;
    for (size_t r = row[0]; r < row[1] && !f->add[0]; r++) memset(lm_row(&gx, r), 0, gx.width * sizeof *gx.data);
    for (size_t a = first; a < end; a++)
        lm_cpu_put(lm_row(&gx, pair_of(f, g, a)), lm_row(&f->out_gradient[0], a), gx.width, true);
}

void lm_cpu_gather_backward(lm_backend *backend, const lm_frame *f)
{
    if (f->in_gradient[0].data) each_graph(backend, f, f->step->output[0], gather_back);
}
