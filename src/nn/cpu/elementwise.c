/*
 * Operations on each row separately: look-up, sum, dropout; and functions that all operations share.
 *
 *   embed    Y[r] = W[index[r]];   dW[t] += sum of dY[r] over the rows of type t
 *   add      Y = f(X_1 + X_2) or f(X_1 + b);   dX_1 = dX_2 = G = dY f'(Y), db += the sum of the rows of G
 *   dropout  Y = X M / (1-p);      M[i] is 1 with probability 1-p, by a hash of the step's key and i
 *
 * Every number is read once.
 */
#include "base/random.h"
#include "nn/cpu/cpu.h"
#include <string.h>

/* ---- Rows ------------------------------------------------------------------------------------ */

LM_WIDE(activate, (lm_real *restrict y, const lm_real *restrict bias, size_t width, lm_activation f),
        (y, bias, width, f))
{
    if (bias && f == LM_RELU)
        for (size_t i = 0; i < width; i++) {
            lm_real x = y[i] + bias[i];
            y[i] = x > 0 ? x : 0;
        }
    else if (bias)
        for (size_t i = 0; i < width; i++) y[i] += bias[i];
    else if (f == LM_RELU)
        for (size_t i = 0; i < width; i++) y[i] = y[i] > 0 ? y[i] : 0;
    if (f == LM_ELU)
        for (size_t i = 0; i < width; i++) y[i] = y[i] > 0 ? y[i] : LM_REAL_FUNCTION(expm1)(y[i]);
}

void lm_cpu_activate(lm_real *y, const lm_real *bias, size_t width, lm_activation f)
{
    activate(y, bias, width, f);
}

void lm_cpu_gradient(lm_real *restrict g, const lm_real *restrict y, size_t width, lm_activation f)
{
    if (f == LM_RELU)
        for (size_t i = 0; i < width; i++) g[i] = y[i] > 0 ? g[i] : 0;
    else if (f == LM_ELU)
        for (size_t i = 0; i < width; i++) g[i] = y[i] > 0 ? g[i] : g[i] * (y[i] + 1);
}

LM_WIDE(add_row, (lm_real *restrict y, const lm_real *restrict x, size_t width), (y, x, width))
{
    for (size_t i = 0; i < width; i++) y[i] += x[i];
}

void lm_cpu_put(lm_real *y, const lm_real *x, size_t width, bool add)
{
    if (add)
        add_row(y, x, width);
    else
        memcpy(y, x, width * sizeof *y);
}

void lm_cpu_add_parts(lm_cpu *cpu, const lm_real *parts, size_t count, size_t width, lm_real *sums)
{
    size_t pieces = (width + 4095) / 4096;
#pragma omp parallel for schedule(static) num_threads(cpu->threads) if (pieces > 8)
    for (size_t i = 0; i < pieces; i++) {
        size_t first = i * 4096, length = first + 4096 < width ? 4096 : width - first;
        for (size_t p = 0; p < count; p++) lm_cpu_put(sums + first, parts + p * width + first, length, true);
    }
}

/* ---- Embedding ------------------------------------------------------------------------------- */

void lm_cpu_embed_forward(lm_backend *backend, const lm_frame *f)
{
    int threads = lm_cpu_of(backend)->threads;
    lm_tensor y = f->out[0];
    const uint32_t *index = lm_frame_index(f);
#pragma omp parallel for schedule(static) num_threads(threads) if (y.rows > LM_CHUNK)
    for (size_t r = 0; r < y.rows; r++) {
        uint32_t type = index ? index[r] : (uint32_t)r;
        if (type == LM_NO_TYPE)
            memset(lm_row(&y, r), 0, y.width * sizeof *y.data);
        else
            memcpy(lm_row(&y, r), f->weight[0] + type * y.width, y.width * sizeof *y.data);
    }
}

/* The columns are divided among threads, so every sum runs over the rows in their order. */
void lm_cpu_embed_backward(lm_backend *backend, const lm_frame *f)
{
    enum { COLUMNS = 32 };
    int threads = lm_cpu_of(backend)->threads;
    lm_tensor g = f->out_gradient[0];
    const uint32_t *index = lm_frame_index(f);
    size_t blocks = (g.width + COLUMNS - 1) / COLUMNS;
#pragma omp parallel for schedule(static) num_threads(threads) if (g.rows > LM_CHUNK)
    for (size_t b = 0; b < blocks; b++) {
        size_t first = b * COLUMNS, length = first + COLUMNS < g.width ? COLUMNS : g.width - first;
        for (size_t r = 0; r < g.rows; r++) {
            uint32_t type = index ? index[r] : (uint32_t)r;
            if (type == LM_NO_TYPE) continue;
            lm_cpu_put(f->weight_gradient[0] + type * g.width + first, lm_row(&g, r) + first, length, true);
        }
    }
}

/* ---- Sum ------------------------------------------------------------------------------------- */

void lm_cpu_add_forward(lm_backend *backend, const lm_frame *f)
{
    int threads = lm_cpu_of(backend)->threads;
    lm_tensor x = f->in[0], z = f->in[1], y = f->out[0];
#pragma omp parallel for schedule(static) num_threads(threads) if (y.rows > LM_CHUNK)
    for (size_t r = 0; r < y.rows; r++) {
        memcpy(lm_row(&y, r), lm_row(&x, r), y.width * sizeof *y.data);
        lm_cpu_activate(lm_row(&y, r), z.data ? lm_row(&z, r) : f->weight[0], y.width, f->step->activation);
    }
}

LM_CPU_WORKSPACE(add, f->weight[0] ? lm_row_chunks(f->out[0].rows) * f->out[0].width : 0)

void lm_cpu_add_backward(lm_backend *backend, const lm_frame *f)
{
    lm_cpu *cpu = lm_cpu_of(backend);
    lm_tensor g = f->out_gradient[0], y = f->out[0];
    size_t chunks = lm_row_chunks(g.rows);
    lm_real *parts = f->weight_gradient[0] ? f->workspace : NULL;
#pragma omp parallel for schedule(static) num_threads(cpu->threads) if (chunks > 1)
    for (size_t c = 0; c < chunks; c++) {
        if (parts) memset(parts + c * g.width, 0, g.width * sizeof *parts);
        for (size_t r = c * LM_CHUNK; r < lm_chunk_end(c, g.rows); r++) {
            lm_cpu_gradient(lm_row(&g, r), lm_row(&y, r), g.width, f->step->activation);
            if (parts) lm_cpu_put(parts + c * g.width, lm_row(&g, r), g.width, true);
            for (size_t i = 0; i < 2; i++)
                if (f->in_gradient[i].data)
                    lm_cpu_put(lm_row(&f->in_gradient[i], r), lm_row(&g, r), g.width, f->add[i]);
        }
    }
    if (parts) lm_cpu_add_parts(cpu, parts, chunks, g.width, f->weight_gradient[0]);
}

/* ---- Dropout --------------------------------------------------------------------------------- */

/* y = x or y += x, times the mask. Number i of the matrix is dropped if its random word is below the rate, which is 0
 * outside training. */
static void drop(const lm_cpu *cpu, const lm_frame *f, lm_tensor x, lm_tensor y, bool add)
{
    const uint64_t key = lm_random_item(f->stream, cpu->control.tick);
    const size_t before = cpu->control.before.rows[lm_program_value(f->program, f->step->output[0])->space];
    const double rate = f->training ? f->step->rate : 0;
    const uint64_t limit = (uint64_t)(rate * 0x1p53);
    const lm_real scale = (lm_real)(1 / (1 - rate));
#pragma omp parallel for schedule(static) num_threads(cpu->threads) if (x.rows > LM_CHUNK)
    for (size_t r = 0; r < x.rows; r++)
        for (size_t i = 0; i < x.width; i++) {
            uint64_t word = lm_mix(key + LM_RANDOM_STEP * ((before + r) * x.width + i + 1));
            lm_real kept = word >> 11 < limit ? 0 : lm_row(&x, r)[i] * scale;
            lm_row(&y, r)[i] = add ? lm_row(&y, r)[i] + kept : kept;
        }
}

void lm_cpu_dropout_forward(lm_backend *backend, const lm_frame *f)
{
    drop(lm_cpu_of(backend), f, f->in[0], f->out[0], false);
}

void lm_cpu_dropout_backward(lm_backend *backend, const lm_frame *f)
{
    if (f->in_gradient[0].data) drop(lm_cpu_of(backend), f, f->out_gradient[0], f->in_gradient[0], f->add[0]);
}
