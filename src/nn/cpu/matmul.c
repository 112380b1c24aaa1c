/*
 * Products of the n x n matrices of a graph, channel by channel: M[(u,v)] = sum over w of P[(u,w)] Q[(w,v)], where rows
 * of width d are multiplied number by number. In the backward pass
 *
 *   dP[(u,w)] = sum over v of dM[(u,v)] Q[(w,v)];   dQ[(w,v)] = sum over u of P[(u,w)] dM[(u,v)]
 *
 * which is the same product with one factor transposed. A piece of work is a graph and a block of its columns; the
 * inner loop keeps 2 x 2 results of 8 columns in registers. n^3 d for each graph. n x n matrices are far too small for
 * BLAS, and gathering a channel costs as much as multiplying it.
 */
#include "nn/cpu/cpu.h"

enum { COLUMNS = 8, TILE = 2 };

/* A factor, or its transpose. */
typedef struct factor {
    const lm_tensor *matrix;
    bool transposed;
} factor;

/* One piece of work. */
typedef struct piece {
    size_t row, n; /* its first row */
    size_t column, width;
} piece;

static const lm_real *entry(const factor *m, const piece *p, size_t i, size_t l)
{
    return lm_row(m->matrix, p->row + (m->transposed ? l * p->n + i : i * p->n + l)) + p->column;
}

/* Computes a tile of up to 2 x 2 results at (i, j), for `width` columns from `at` on. Inlined with a constant width,
 * the results stay in registers. */
static inline __attribute__((always_inline)) void multiply_tile(const factor *a, const factor *b, const piece *p,
                                                                size_t i, size_t j, size_t at, size_t width,
                                                                const lm_tensor *c, bool add)
{
    lm_real sum[TILE][TILE][COLUMNS] = {{{0}}};
    const size_t more_i = i + 1 < p->n, more_j = j + 1 < p->n; /* 0: there is no second one; it is not stored */
    for (size_t l = 0; l < p->n; l++) {
        const lm_real *left[TILE] = {entry(a, p, i, l) + at, entry(a, p, i + more_i, l) + at};
        const lm_real *right[TILE] = {entry(b, p, l, j) + at, entry(b, p, l, j + more_j) + at};
        for (size_t x = 0; x < TILE; x++)
            for (size_t y = 0; y < TILE; y++)
                for (size_t k = 0; k < width; k++) sum[x][y][k] += left[x][k] * right[y][k];
    }
    for (size_t x = 0; x <= more_i; x++)
        for (size_t y = 0; y <= more_j; y++) {
            lm_real *to = lm_row(c, p->row + (i + x) * p->n + j + y) + p->column + at;
            for (size_t k = 0; k < width; k++) to[k] = (add ? to[k] : 0) + sum[x][y][k];
        }
}

static void multiply_piece(const factor *a, const factor *b, const piece *p, const lm_tensor *c, bool add)
{
    for (size_t at = 0; at < p->width; at += COLUMNS)
        for (size_t i = 0; i < p->n; i += TILE)
            for (size_t j = 0; j < p->n; j += TILE)
                if (p->width - at >= COLUMNS)
                    multiply_tile(a, b, p, i, j, at, COLUMNS, c, add);
                else
                    multiply_tile(a, b, p, i, j, at, p->width - at, c, add);
}

static void multiply(lm_backend *backend, const lm_frame *f, factor a, factor b, lm_tensor c, bool add)
{
    const int threads = lm_cpu_of(backend)->threads;
    const lm_batch *batch = f->batch;
    const size_t blocks = lm_width_blocks(c.width), items = batch->extent.rows[LM_GRAPHS] * blocks;
#pragma omp parallel for schedule(dynamic) num_threads(threads) if (c.rows > LM_CHUNK)
    for (size_t item = 0; item < items; item++) {
        const size_t g = item / blocks, block = item % blocks;
        const piece p = {.row = batch->start[LM_TUPLES][g],
                         .n = batch->start[LM_VERTICES][g + 1] - batch->start[LM_VERTICES][g],
                         .column = block * LM_COLUMN_BLOCK,
                         .width = lm_block_width(block, c.width)};
        multiply_piece(&a, &b, &p, &c, add);
    }
}

void lm_cpu_matmul_forward(lm_backend *backend, const lm_frame *f)
{
    multiply(backend, f, (factor){f->in, false}, (factor){f->in + 1, false}, f->out[0], false);
}

void lm_cpu_matmul_backward(lm_backend *backend, const lm_frame *f)
{
    const lm_tensor *g = f->out_gradient;
    if (f->in_gradient[0].data)
        multiply(backend, f, (factor){g, false}, (factor){f->in + 1, true}, f->in_gradient[0], f->add[0]);
    if (f->in_gradient[1].data)
        multiply(backend, f, (factor){f->in, true}, (factor){g, false}, f->in_gradient[1], f->add[1]);
}
