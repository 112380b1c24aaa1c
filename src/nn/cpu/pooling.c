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
 * Threads process graphs, or graphs and blocks of columns. O(rows * width); spread O(k * rows * width).
 */
#include "nn/cpu/cpu.h"
#include <string.h>

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

void lm_cpu_pool_backward(lm_backend *backend, const lm_frame *f)
{
    int threads = lm_cpu_of(backend)->threads;
    lm_tensor g = f->out_gradient[0], gx = f->in_gradient[0];
    if (!gx.data) return;
#pragma omp parallel for schedule(dynamic) num_threads(threads) if (gx.rows > LM_CHUNK)
    for (size_t i = 0; i < g.rows; i++) {
        size_t first = lm_graph_row(f, f->step->input[0], i), end = lm_graph_row(f, f->step->input[0], i + 1);
        lm_real *restrict from = lm_row(&g, i), share = share_of(f, end - first);
        for (size_t c = 0; c < g.width; c++) from[c] *= share;
        for (size_t r = first; r < end; r++) lm_cpu_put(lm_row(&gx, r), from, g.width, f->add[0]);
    }
}

/* ---- The largest ----------------------------------------------------------------------------- */

/* Row t of an n x n matrix: returns 0 on the diagonal, 1 off the diagonal. */
static size_t side_of(size_t t, size_t n)
{
    return t % (n + 1) != 0;
}

void lm_cpu_pool_max_forward(lm_backend *backend, const lm_frame *f)
{
    int threads = lm_cpu_of(backend)->threads;
    lm_tensor x = f->in[0], y = f->out[0];
#pragma omp parallel for schedule(dynamic) num_threads(threads) if (x.rows > LM_CHUNK)
    for (size_t g = 0; g < y.rows; g++) {
        size_t first = f->batch->start[LM_TUPLES][g], n = f->batch->start[LM_VERTICES][g + 1];
        n -= f->batch->start[LM_VERTICES][g];
        bool met[2] = {false, false};
        memset(lm_row(&y, g), 0, y.width * sizeof *y.data);
        for (size_t t = 0; t < n * n; t++) {
            const lm_real *restrict from = lm_row(&x, first + t);
            lm_real *restrict to = lm_row(&y, g) + side_of(t, n) * x.width;
            if (!met[side_of(t, n)])
                memcpy(to, from, x.width * sizeof *to);
            else
                for (size_t i = 0; i < x.width; i++) to[i] = from[i] > to[i] ? from[i] : to[i];
            met[side_of(t, n)] = true;
        }
    }
}

/* Computes dX of a graph. The gradient of every channel of both sides goes to the first row that equals the maximum. */
static void max_back(const lm_frame *f, size_t g, size_t first, size_t n)
{
    lm_tensor x = f->in[0], y = f->out[0], gy = f->out_gradient[0], gx = f->in_gradient[0];
    lm_real *given = lm_row(&gy, g); /* set to 0 once it has been passed on */
    for (size_t t = 0; t < n * n; t++) {
        const size_t side = side_of(t, n) * x.width;
        const lm_real *from = lm_row(&x, first + t), *largest = lm_row(&y, g) + side;
        lm_real *to = lm_row(&gx, first + t);
        for (size_t i = 0; i < x.width; i++) {
            const bool here = from[i] >= largest[i];
            to[i] = (f->add[0] ? to[i] : 0) + (here ? given[side + i] : 0);
            if (here) given[side + i] = 0;
        }
    }
}

void lm_cpu_pool_max_backward(lm_backend *backend, const lm_frame *f)
{
    int threads = lm_cpu_of(backend)->threads;
    const uint32_t *vertex = f->batch->start[LM_VERTICES];
    if (!f->in_gradient[0].data) return;
#pragma omp parallel for schedule(dynamic) num_threads(threads) if (f->in[0].rows > LM_CHUNK)
    for (size_t g = 0; g < f->out[0].rows; g++)
        max_back(f, g, f->batch->start[LM_TUPLES][g], vertex[g + 1] - vertex[g]);
}

/* ---- Attention ------------------------------------------------------------------------------- */

static lm_real dot(const lm_real *restrict x, const lm_real *restrict y, size_t width)
{
    lm_real sum = 0;
#pragma omp simd reduction(+ : sum)
    for (size_t i = 0; i < width; i++) sum += x[i] * y[i];
    return sum;
}

static void attend_graph(const lm_frame *f, size_t g, size_t first, size_t end)
{
    lm_tensor x = f->in[0], q = f->in[1], read = f->out[0], a = f->out[1];
    lm_real max = -(lm_real)INFINITY, total = LM_REAL(1e-16);
    memset(lm_row(&read, g), 0, x.width * sizeof *x.data);
    for (size_t r = first; r < end; r++) {
        lm_real e = dot(lm_row(&x, r), lm_row(&q, g), x.width);
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
    int threads = lm_cpu_of(backend)->threads;
#pragma omp parallel for schedule(dynamic) num_threads(threads) if (f->in[0].rows > LM_CHUNK)
    for (size_t g = 0; g < f->out[0].rows; g++)
        attend_graph(f, g, lm_graph_row(f, f->step->input[0], g), lm_graph_row(f, f->step->input[0], g + 1));
}

static void attend_back(const lm_frame *f, size_t g, size_t first, size_t end)
{
    lm_tensor x = f->in[0], a = f->out[1], gx = f->in_gradient[0], gq = f->in_gradient[1];
    const lm_real *q = lm_row(&f->in[1], g), *gradient = lm_row(&f->out_gradient[0], g);
    const lm_real mean = dot(gradient, lm_row(&f->out[0], g), x.width); /* of da, weighted by the attention */
    if (gq.data && !f->add[1]) memset(lm_row(&gq, g), 0, x.width * sizeof *x.data);
    for (size_t r = first; r < end; r++) {
        lm_real share = *lm_row(&a, r), energy = share * (dot(gradient, lm_row(&x, r), x.width) - mean);
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
    int threads = lm_cpu_of(backend)->threads;
#pragma omp parallel for schedule(dynamic) num_threads(threads) if (f->in[0].rows > LM_CHUNK)
    for (size_t g = 0; g < f->out[0].rows; g++)
        attend_back(f, g, lm_graph_row(f, f->step->input[0], g), lm_graph_row(f, f->step->input[0], g + 1));
}

/* ---- Vertices over tuples -------------------------------------------------------------------- */

/* Returns component j of tuple t of a graph of n vertices. */
static size_t component(size_t t, size_t n, unsigned k, size_t j)
{
    return t / (size_t)lm_power(n, k - 1 - (unsigned)j) % n;
}

void lm_cpu_spread_forward(lm_backend *backend, const lm_frame *f)
{
    int threads = lm_cpu_of(backend)->threads;
    const lm_batch *b = f->batch;
    lm_tensor y = f->out[0];
    unsigned k = b->k;
#pragma omp parallel for schedule(dynamic) num_threads(threads) if (y.rows > LM_CHUNK)
    for (size_t g = 0; g < b->extent.rows[LM_GRAPHS]; g++) {
        size_t vertex = b->start[LM_VERTICES][g], n = b->start[LM_VERTICES][g + 1] - vertex;
        size_t first = lm_graph_row(f, f->step->output[0], g), end = lm_graph_row(f, f->step->output[0], g + 1);
        for (size_t r = first; r < end; r++) {
            for (size_t j = 0; j < k; j++)
                lm_cpu_put(lm_row(&y, r), lm_row(&f->in[j], vertex + component(r - first, n, k, j)), y.width, j > 0);
            lm_cpu_activate(lm_row(&y, r), f->weight[0], y.width, f->step->activation);
        }
    }
}

size_t lm_cpu_spread_workspace(const lm_backend *backend, const lm_frame *f)
{
    (void)backend;
    return f->batch->extent.rows[LM_GRAPHS] * f->out[0].width * sizeof(lm_real);
}

static void spread_back(const lm_frame *f, size_t g, lm_real *bias)
{
    const lm_batch *b = f->batch;
    size_t vertex = b->start[LM_VERTICES][g], n = b->start[LM_VERTICES][g + 1] - vertex;
    size_t first = lm_graph_row(f, f->step->output[0], g), end = lm_graph_row(f, f->step->output[0], g + 1);
    lm_tensor y = f->out[0], gy = f->out_gradient[0];
    memset(bias, 0, y.width * sizeof *bias);
    for (size_t r = first; r < end; r++) {
        lm_cpu_gradient(lm_row(&gy, r), lm_row(&y, r), y.width, f->step->activation);
        lm_cpu_put(bias, lm_row(&gy, r), y.width, true);
    }
    for (size_t j = 0; j < b->k; j++) {
        lm_tensor gx = f->in_gradient[j];
        if (!gx.data) continue;
        for (size_t v = 0; v < n && !f->add[j]; v++) memset(lm_row(&gx, vertex + v), 0, gx.width * sizeof *gx.data);
        for (size_t r = first; r < end; r++)
            lm_cpu_put(lm_row(&gx, vertex + component(r - first, n, b->k, j)), lm_row(&gy, r), y.width, true);
    }
}

void lm_cpu_spread_backward(lm_backend *backend, const lm_frame *f)
{
    lm_cpu *cpu = lm_cpu_of(backend);
    size_t graphs = f->batch->extent.rows[LM_GRAPHS], width = f->out[0].width;
    lm_real *parts = f->workspace;
#pragma omp parallel for schedule(dynamic) num_threads(cpu->threads) if (f->out[0].rows > LM_CHUNK)
    for (size_t g = 0; g < graphs; g++) spread_back(f, g, parts + g * width);
    if (f->weight_gradient[0]) lm_cpu_add_parts(cpu, parts, graphs, width, f->weight_gradient[0]);
}
