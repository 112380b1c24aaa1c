/*
 * Recurrent cells on rows x [m][inputs], h [m][d]. s is the logistic function. In the weight matrices and biases the
 * gates are stored one after the other.
 *
 *   LSTM  (i, f, g, o) = W x + b + U h + b', then s, s, tanh, s;   c' = f c + i g;   h' = o tanh(c')
 *   GRU   r = s(..), z = s(..), n = tanh(W_n x + b_n + r (U_n h + b'_n));   h' = (1-z) n + z h
 *
 * Two products forward, four backward: O(m d (inputs + d)). The gates are kept for the backward pass.
 */
#include "nn/cpu/cpu.h"
#include <string.h>

/* Y[m][n] = X W' + b, or Y += X W' + b if add. Threads share the rows in chunks. */
static void map(lm_cpu *cpu, const lm_tensor *x, const lm_real *w, const lm_real *b, bool add, const lm_tensor *y)
{
    size_t chunks = lm_row_chunks(x->rows);
#pragma omp parallel for schedule(dynamic) num_threads(cpu->threads) if (chunks > 1)
    for (size_t c = 0; c < chunks; c++) {
        size_t first = c * LM_CHUNK, end = lm_chunk_end(c, x->rows);
        lm_cpu_product(end - first, y->width, x->width, (lm_matrix){lm_row(x, first), x->stride, false},
                       (lm_matrix){w, x->width, true}, add, lm_row(y, first), y->stride);
        for (size_t r = first; r < end; r++) lm_cpu_put(lm_row(y, r), b, y->width, true);
    }
}

/* The backward pass of Y = X W' + b: computes dX, dW and db from G. */
static void unmap(const lm_tensor *g, const lm_tensor *x, const lm_real *w, lm_real *gw, lm_real *gb, bool add,
                  const lm_tensor *gx)
{
    if (gw)
        lm_cpu_product(g->width, x->width, g->rows, (lm_matrix){g->data, g->stride, true},
                       (lm_matrix){x->data, x->stride, false}, true, gw, x->width);
    for (size_t r = 0; gb && r < g->rows; r++) lm_cpu_put(gb, lm_row(g, r), g->width, true);
    if (gx->data)
        lm_cpu_product(g->rows, x->width, g->width, (lm_matrix){g->data, g->stride, false},
                       (lm_matrix){w, x->width, false}, add, gx->data, gx->stride);
}

static lm_tensor tensor_in(lm_real *data, size_t rows, size_t width)
{
    return (lm_tensor){.data = data, .rows = rows, .width = width, .stride = width};
}

/* ---- LSTM ------------------------------------------------------------------------------------ */

LM_CPU_WORKSPACE(lstm, f->out[0].rows * 4 * f->out[0].width)

void lm_cpu_lstm_forward(lm_backend *backend, const lm_frame *f)
{
    lm_cpu *cpu = lm_cpu_of(backend);
    lm_tensor c = f->in[2], h_new = f->out[0], c_new = f->out[1], gates = f->out[2];
    size_t d = h_new.width;
    map(cpu, &f->in[0], f->weight[0], f->weight[2], false, &gates);
    map(cpu, &f->in[1], f->weight[1], f->weight[3], true, &gates);
    for (size_t row = 0; row < gates.rows; row++) {
        lm_real *gate = lm_row(&gates, row);
        for (size_t i = 0; i < d; i++) {
            gate[i] = lm_sigmoid(gate[i]);
            gate[d + i] = lm_sigmoid(gate[d + i]);
            gate[2 * d + i] = LM_REAL_FUNCTION(tanh)(gate[2 * d + i]);
            gate[3 * d + i] = lm_sigmoid(gate[3 * d + i]);
            lm_real cell = gate[d + i] * lm_row(&c, row)[i] + gate[i] * gate[2 * d + i];
            lm_row(&c_new, row)[i] = cell;
            lm_row(&h_new, row)[i] = gate[3 * d + i] * LM_REAL_FUNCTION(tanh)(cell);
        }
    }
}

/* Computes the gradients before the activations of the gates into to[4d], and the gradient of the old c. */
static void lstm_row_back(const lm_frame *f, size_t row, lm_real *to)
{
    size_t d = f->out[0].width;
    const lm_real *gate = lm_row(&f->out[2], row), *c = lm_row(&f->in[2], row), *c_new = lm_row(&f->out[1], row);
    const lm_real *gh = lm_row(&f->out_gradient[0], row), *gc = lm_row(&f->out_gradient[1], row);
    lm_real *back = f->in_gradient[2].data ? lm_row(&f->in_gradient[2], row) : NULL;
    for (size_t i = 0; i < d; i++) {
        lm_real in = gate[i], forget = gate[d + i], fresh = gate[2 * d + i], out = gate[3 * d + i];
        lm_real t = LM_REAL_FUNCTION(tanh)(c_new[i]), cell = gc[i] + gh[i] * out * (1 - t * t);
        to[i] = cell * fresh * in * (1 - in);
        to[d + i] = cell * c[i] * forget * (1 - forget);
        to[2 * d + i] = cell * in * (1 - fresh * fresh);
        to[3 * d + i] = gh[i] * t * out * (1 - out);
        if (back) back[i] = (f->add[2] ? back[i] : 0) + cell * forget;
    }
}

void lm_cpu_lstm_backward(lm_backend *backend, const lm_frame *f)
{
    (void)backend;
    lm_tensor gates = tensor_in(f->workspace, f->out[0].rows, 4 * f->out[0].width);
    for (size_t row = 0; row < gates.rows; row++) lstm_row_back(f, row, lm_row(&gates, row));
    for (size_t i = 0; i < 2; i++)
        unmap(&gates, &f->in[i], f->weight[i], f->weight_gradient[i], f->weight_gradient[2 + i], f->add[i],
              &f->in_gradient[i]);
}

/* ---- GRU ------------------------------------------------------------------------------------- */

LM_CPU_WORKSPACE(gru, f->out[0].rows * 6 * f->out[0].width)

void lm_cpu_gru_forward(lm_backend *backend, const lm_frame *f)
{
    lm_cpu *cpu = lm_cpu_of(backend);
    lm_tensor h = f->in[1], h_new = f->out[0], kept = f->out[1];
    size_t d = h.width;
    lm_tensor a = tensor_in(f->workspace, h.rows, 3 * d), b = tensor_in(a.data + h.rows * 3 * d, h.rows, 3 * d);
    map(cpu, &f->in[0], f->weight[0], f->weight[2], false, &a);
    map(cpu, &h, f->weight[1], f->weight[3], false, &b);
    for (size_t row = 0; row < h.rows; row++) {
        const lm_real *x = lm_row(&a, row), *u = lm_row(&b, row);
        lm_real *to = lm_row(&kept, row);
        for (size_t i = 0; i < d; i++) {
            lm_real reset = lm_sigmoid(x[i] + u[i]), update = lm_sigmoid(x[d + i] + u[d + i]);
            lm_real fresh = LM_REAL_FUNCTION(tanh)(x[2 * d + i] + reset * u[2 * d + i]);
            to[i] = reset;
            to[d + i] = update;
            to[2 * d + i] = fresh;
            to[3 * d + i] = u[2 * d + i];
            lm_row(&h_new, row)[i] = (1 - update) * fresh + update * lm_row(&h, row)[i];
        }
    }
}

/* Computes the gradients of W x + b into a[3d] and of U h + b' into b[3d]; they differ in the last gate. g becomes the
 * gradient of h through z h. */
static void gru_row_back(size_t d, const lm_real *kept, const lm_real *h, lm_real *g, lm_real *a, lm_real *b)
{
    for (size_t i = 0; i < d; i++) {
        lm_real reset = kept[i], update = kept[d + i], fresh = kept[2 * d + i], inner = kept[3 * d + i];
        lm_real before = g[i] * (1 - update) * (1 - fresh * fresh);
        a[i] = b[i] = before * inner * reset * (1 - reset);
        a[d + i] = b[d + i] = g[i] * (h[i] - fresh) * update * (1 - update);
        a[2 * d + i] = before;
        b[2 * d + i] = before * reset;
        g[i] *= update;
    }
}

void lm_cpu_gru_backward(lm_backend *backend, const lm_frame *f)
{
    (void)backend;
    lm_tensor h = f->in[1], g = f->out_gradient[0], gh = f->in_gradient[1];
    size_t d = h.width;
    lm_tensor a = tensor_in(f->workspace, h.rows, 3 * d), b = tensor_in(a.data + h.rows * 3 * d, h.rows, 3 * d);
    for (size_t row = 0; row < h.rows; row++)
        gru_row_back(d, lm_row(&f->out[1], row), lm_row(&h, row), lm_row(&g, row), lm_row(&a, row), lm_row(&b, row));
    unmap(&a, &f->in[0], f->weight[0], f->weight_gradient[0], f->weight_gradient[2], f->add[0], &f->in_gradient[0]);
    unmap(&b, &h, f->weight[1], f->weight_gradient[1], f->weight_gradient[3], f->add[1], &gh);
    for (size_t row = 0; row < h.rows && gh.data; row++) lm_cpu_put(lm_row(&gh, row), lm_row(&g, row), d, true);
}
