/*
 * Linear maps of rows in the caller's memory (leman/linear.h). Like nn/cpu/linear.c, but in 32-bit floats in every
 * build, and the caller's gradient is only read:
 *
 *   Y = f(X W' + b);   G = dY f'(Y);   dX = G W;   dW = G' X;   db = the sum of the rows of G
 *
 * Rows are processed in chunks that stay in the cache. dW and db are summed in parts of the rows, whose number depends
 * on the rows alone, and the parts are added in their order.
 */
#include "base/arguments.h"
#include "base/private.h"
#include <cblas.h>
#include <limits.h>

enum { CHUNK = 256, PART_ROWS = 1024, MAX_PARTS = 32 };

void leman_linear_map_init(leman_linear_map *map, size_t size)
{
    const leman_linear_map defaults = {0};
    lm_options_init(map, size, &defaults, sizeof defaults);
}

static leman_status copy_map(leman_context *ctx, const leman_linear_map *given, leman_linear_map *out)
{
    leman_linear_map_init(out, sizeof *out);
    PASS(lm_options_copy(ctx, "leman_linear_map", given, out, sizeof *out));
    REQUIRE(ctx, out->weight);
    if (out->inputs < 1 || out->outputs < 1 || out->inputs > INT_MAX || out->outputs > INT_MAX)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                       "map: found %zu inputs and %zu outputs, expected numbers from 1 to %d", out->inputs,
                       out->outputs, INT_MAX);
    return LEMAN_OK;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* ---- Forward --------------------------------------------------------------------------------- */

/* row = f(row + bias); bias may be NULL. */
static void finish_row(float *restrict row, const float *restrict bias, size_t width, bool relu)
{
    if (bias && relu)
        for (size_t i = 0; i < width; i++) {
            const float y = row[i] + bias[i];
            row[i] = y < 0 ? 0 : y; /* NaN stays NaN */
        }
    else if (bias)
        for (size_t i = 0; i < width; i++) row[i] += bias[i];
    else if (relu)
        for (size_t i = 0; i < width; i++) row[i] = row[i] < 0 ? 0 : row[i];
}

static void forward(const leman_linear_map *m, const float *x, size_t rows, float *y)
{
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (blasint)rows, (blasint)m->outputs, (blasint)m->inputs, 1, x,
                (blasint)m->inputs, m->weight, (blasint)m->inputs, 0, y, (blasint)m->outputs);
    for (size_t r = 0; r < rows; r++) finish_row(y + r * m->outputs, m->bias, m->outputs, m->relu);
}

leman_status leman_linear(leman_context *ctx, const leman_linear_map *map, const float *x, size_t rows, float *y)
{
    leman_linear_map m;
    size_t threads = 0;
    REQUIRE(ctx, map);
    if (rows) REQUIRE(ctx, x, y);
    PASS(copy_map(ctx, map, &m));
    PASS(lm_products_reserve(ctx, (size_t)ctx->settings.threads, &threads));
    const size_t chunks = rows / CHUNK + (rows % CHUNK != 0);
#pragma omp parallel for schedule(dynamic) num_threads((int)threads) if (chunks > 1)
    for (size_t c = 0; c < chunks; c++) {
        const size_t first = c * CHUNK;
        forward(&m, x + first * m.inputs, smaller(CHUNK, rows - first), y + first * m.outputs);
    }
    lm_products_release(threads);
    return LEMAN_OK;
}

/* ---- Backward -------------------------------------------------------------------------------- */

/* What a part of the rows needs: G of a chunk, and its shares of the gradients, which are NULL if nobody wants them. */
typedef struct part {
    float *g, *weight, *bias;
} part;

/* Returns the number of parts. It is even if there are several, so that two threads get equal work. */
static size_t parts_of(size_t rows)
{
    return rows <= 2 * CHUNK ? 1 : smaller(2 * ((rows + 2 * PART_ROWS - 1) / (2 * PART_ROWS)), MAX_PARTS);
}

static void derive(const float *restrict dy, const float *restrict y, size_t count, float *restrict g)
{
    memcpy(g, dy, count * sizeof *g); /* a conditional load of dy[i] would keep the loop from being vectorised */
    for (size_t i = 0; i < count; i++) g[i] = y[i] > 0 ? g[i] : 0;
}

/* The backward pass of a chunk. The first chunk of a part writes the shares, every other one adds to them. */
static void backward(const leman_linear_map *m, const float *x, size_t rows, const float *y, const float *dy, float *dx,
                     bool add, const part *p)
{
    const blasint n = (blasint)rows, inputs = (blasint)m->inputs, outputs = (blasint)m->outputs;
    const float *g = m->relu ? p->g : dy;
    if (m->relu) derive(dy, y, rows * m->outputs, p->g);
    if (p->weight)
        cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, outputs, inputs, n, 1, g, outputs, x, inputs, add ? 1 : 0,
                    p->weight, inputs);
    if (dx)
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, inputs, outputs, 1, g, outputs, m->weight, inputs, 0,
                    dx, inputs);
    if (!p->bias) return;
    if (!add) memset(p->bias, 0, m->outputs * sizeof *p->bias);
    for (size_t r = 0; r < rows; r++) {
        const float *restrict row = g + r * m->outputs;
        float *restrict bias = p->bias;
        for (size_t i = 0; i < m->outputs; i++) bias[i] += row[i];
    }
}

/* to[count] = the sum of the shares, which are `stride` numbers apart. */
static void add_shares(const float *shares, size_t stride, size_t parts, size_t count, float *restrict to)
{
    memcpy(to, shares, count * sizeof *to);
    for (size_t p = 1; p < parts; p++) {
        const float *restrict share = shares + p * stride;
        for (size_t i = 0; i < count; i++) to[i] += share[i];
    }
}

leman_status leman_linear_backward(leman_context *ctx, const leman_linear_map *map, const float *x, size_t rows,
                                   const float *y, const float *gradient, float *x_gradient, float *weight_gradient,
                                   float *bias_gradient)
{
    leman_linear_map m;
    size_t threads = 0, weights, stride, all;
    AUTO(lm_release_at) float *work = NULL;
    REQUIRE(ctx, map);
    if (rows) REQUIRE(ctx, x, gradient);
    PASS(copy_map(ctx, map, &m));
    if (rows && m.relu) REQUIRE(ctx, y);
    const size_t chunks = rows / CHUNK + (rows % CHUNK != 0), parts = parts_of(rows);
    if (!lm_multiply(m.inputs, m.outputs, &weights) || !lm_multiply(m.outputs, CHUNK + 1, &stride) ||
        !lm_add(stride, weights, &stride) || !lm_multiply(stride, parts, &all))
        all = SIZE_MAX;
    if (!rows) { /* sums of nothing */
        if (weight_gradient) memset(weight_gradient, 0, weights * sizeof *weight_gradient);
        if (bias_gradient) memset(bias_gradient, 0, m.outputs * sizeof *bias_gradient);
        return LEMAN_OK;
    }
    PASS_NEW(ctx, work, all); /* of each part: dW, db, G of a chunk */
    PASS(lm_products_reserve(ctx, (size_t)ctx->settings.threads, &threads));
#pragma omp parallel for schedule(dynamic) num_threads((int)threads) if (parts > 1)
    for (size_t i = 0; i < parts; i++) {
        float *own = work + i * stride;
        const part p = {.g = own + weights + m.outputs,
                        .weight = weight_gradient ? own : NULL,
                        .bias = bias_gradient ? own + weights : NULL};
        const size_t begin = chunks * i / parts, end = chunks * (i + 1) / parts;
        for (size_t c = begin; c < end; c++) {
            const size_t first = c * CHUNK;
            backward(&m, x + first * m.inputs, smaller(CHUNK, rows - first), m.relu ? y + first * m.outputs : NULL,
                     gradient + first * m.outputs, x_gradient ? x_gradient + first * m.inputs : NULL, c > begin, &p);
        }
    }
    lm_products_release(threads);
    if (weight_gradient) add_shares(work, stride, parts, weights, weight_gradient);
    if (bias_gradient) add_shares(work + weights, stride, parts, m.outputs, bias_gradient);
    return LEMAN_OK;
}
