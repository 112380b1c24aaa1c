/*
 * Y = f(X W' + b), X [rows][inputs], W [outputs][inputs], b [outputs].
 *
 *   G = dY f'(Y);   dX = G W;   dW += G' X;   db += sum of the rows of G
 *
 * Rows are processed in chunks that stay in the cache: forward, the product, bias and activation; backward, the
 * derivative, bias, dX and dW. dW is summed in parts of the rows, each with a matrix of its own, so that the sum does
 * not depend on the number of threads. Each of the three products takes 2 rows * inputs * outputs floating-point
 * operations.
 */
#include "base/private.h"
#include "nn/cpu/cpu.h"
#include <cblas.h>
#include <string.h>

#ifdef LM_NN_DOUBLE
#define GEMM cblas_dgemm
#else
#define GEMM cblas_sgemm
#endif

void lm_cpu_product(size_t m, size_t n, size_t k, lm_matrix a, lm_matrix b, bool add, lm_real *c, size_t c_stride)
{
    if (!m || !n) return;
    GEMM(CblasRowMajor, a.transposed ? CblasTrans : CblasNoTrans, b.transposed ? CblasTrans : CblasNoTrans, (blasint)m,
         (blasint)n, (blasint)k, 1, a.data, (blasint)a.stride, b.data, (blasint)b.stride, add ? 1 : 0, c,
         (blasint)c_stride);
}

void lm_cpu_linear_forward(lm_backend *backend, const lm_frame *f)
{
    lm_cpu *cpu = lm_cpu_of(backend);
    lm_tensor x = f->in[0], y = f->out[0];
    size_t chunks = lm_row_chunks(x.rows);
#pragma omp parallel for schedule(dynamic) num_threads(cpu->threads) if (chunks > 1)
    for (size_t c = 0; c < chunks; c++) {
        size_t first = c * LM_CHUNK, end = lm_chunk_end(c, x.rows);
        lm_cpu_product(end - first, y.width, x.width, (lm_matrix){lm_row(&x, first), x.stride, false},
                       (lm_matrix){f->weight[0], x.width, true}, false, lm_row(&y, first), y.stride);
        for (size_t r = first; r < end && (f->weight[1] || f->step->activation != LM_IDENTITY); r++)
            lm_cpu_activate(lm_row(&y, r), f->weight[1], y.width, f->step->activation);
    }
}

/* ---- Backward -------------------------------------------------------------------------------- */

/* Returns the number of parts of the rows. It is even if there are several, so that two threads get equal work. */
static size_t parts_of(size_t rows)
{
    size_t parts = 2 * ((rows + 8 * LM_CHUNK - 1) / (8 * LM_CHUNK));
    if (rows <= 2 * LM_CHUNK) return 1;
    return parts < LM_MAX_PARTS ? parts : LM_MAX_PARTS;
}

LM_CPU_WORKSPACE(linear, parts_of(f->in[0].rows) * f->out[0].width * (f->in[0].width + 1))

/* sums += rows first .. end-1 of g, of which four are added at once. */
LM_WIDE(add_rows, (const lm_tensor *g, size_t first, size_t end, lm_real *restrict sums), (g, first, end, sums))
{
    size_t r = first;
    for (; r + 4 <= end; r += 4) {
        const lm_real *restrict a = lm_row(g, r), *restrict b = a + g->stride, *restrict c = b + g->stride;
        const lm_real *restrict d = c + g->stride;
        for (size_t i = 0; i < g->width; i++) sums[i] += (a[i] + b[i]) + (c[i] + d[i]);
    }
    for (; r < end; r++) lm_add_scaled(sums, lm_row(g, r), g->width, 1);
}

/* The backward pass of one chunk. dW and db of its part are written by the part's first chunk, and added to
 * otherwise. */
static void go_back(const lm_frame *f, size_t first, size_t end, bool add, lm_real *weight, lm_real *bias)
{
    lm_tensor x = f->in[0], y = f->out[0], g = f->out_gradient[0], gx = f->in_gradient[0];
    if (!add && bias) memset(bias, 0, g.width * sizeof *bias);
    for (size_t r = first; r < end && f->step->activation != LM_IDENTITY; r++)
        lm_cpu_gradient(lm_row(&g, r), lm_row(&y, r), g.width, f->step->activation);
    if (bias) add_rows(&g, first, end, bias);
    if (weight)
        lm_cpu_product(g.width, x.width, end - first, (lm_matrix){lm_row(&g, first), g.stride, true},
                       (lm_matrix){lm_row(&x, first), x.stride, false}, add, weight, x.width);
    if (gx.data)
        lm_cpu_product(end - first, x.width, g.width, (lm_matrix){lm_row(&g, first), g.stride, false},
                       (lm_matrix){f->weight[0], x.width, false}, f->add[0], lm_row(&gx, first), gx.stride);
}

void lm_cpu_linear_backward(lm_backend *backend, const lm_frame *f)
{
    lm_cpu *cpu = lm_cpu_of(backend);
    size_t rows = f->in[0].rows, chunks = lm_row_chunks(rows), parts = parts_of(rows);
    size_t inputs = f->in[0].width, outputs = f->out[0].width;
    lm_real *weights = f->workspace, *biases = weights + parts * outputs * inputs;
    if (!chunks) return;
#pragma omp parallel for schedule(dynamic) num_threads(cpu->threads) if (parts > 1)
    for (size_t p = 0; p < parts; p++) {
        size_t begin = chunks * p / parts, end = chunks * (p + 1) / parts;
        for (size_t c = begin; c < end; c++)
            go_back(f, c * LM_CHUNK, lm_chunk_end(c, rows), c > begin, weights + p * outputs * inputs,
                    biases + p * outputs);
    }
    if (f->weight_gradient[0]) lm_cpu_add_parts(cpu, weights, parts, outputs * inputs, f->weight_gradient[0]);
    if (f->weight_gradient[1]) lm_cpu_add_parts(cpu, biases, parts, outputs, f->weight_gradient[1]);
}
