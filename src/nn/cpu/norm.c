/*
 * Batch norm with the following activation: Y = f(scale z + shift), z = (X - mean) / deviation, deviation =
 * sqrt(variance + 1e-5).
 *
 * Training uses mean and variance (divided by R) over all R rows of the batch, and moves the running values a tenth of
 * the way towards them, the variance as divided by R - 1. Evaluation uses the running values. With G = dY f'(Y):
 *
 *   d scale += sum G z;   d shift += sum G;   dX = scale / deviation (G - mean(G) - z mean(G z))
 *
 * In LM_LABELS row l stands for as many equal rows as arcs carry label l, and its gradient is the sum of theirs: the
 * row counts label_count[l] times in sums over X, and the means are subtracted as often.
 *
 * Statistics take one pass over X: each chunk computes its own mean, and the squares around it, while it is in the
 * cache; then chunks are combined. The output takes a second pass. Cost O(rows * width). If ranks share the batch, the
 * statistics are those of the rows of all ranks: they are combined like chunks, and in the backward pass the two sums
 * are added.
 *
 * The mean is summed in double precision. Columns in front of a norm vary little compared with their mean (27 times
 * less in the first layer of delta-2-LGNN on ZINC). So an error of the mean shifts every z of the column by 27 times as
 * much, in the same direction in all rows, and pooling does not average it out. Rounding the mean to float would be
 * such an error; the shift is corrected by it, so that z has mean 0.
 */
#include "nn/cpu/cpu.h"
#include <string.h>

#define TINY 1e-5
#define MOMENTUM 0.1
enum { MOMENTS = 3 }; /* for each column: rows, mean, squares around the mean */

/* Returns how often each row counts; NULL: once. */
static const lm_real *weights_of(const lm_frame *f)
{
    return lm_program_value(f->program, f->step->input[0])->space == LM_LABELS ? f->batch->label_count : NULL;
}

static double weight_of_rows(const lm_real *weight, size_t first, size_t end)
{
    double sum = 0;
    if (!weight) return (double)(end - first);
    for (size_t r = first; r < end; r++) sum += (double)weight[r];
    return sum;
}

size_t lm_cpu_norm_workspace(const lm_backend *backend, const lm_frame *f)
{
    const size_t ranks = lm_backend_ranks(backend), joined = backend->shared ? MOMENTS * (ranks + 1) : MOMENTS;
    return (2 * (lm_row_chunks(f->in[0].rows) + 1) + joined) * f->in[0].width * sizeof(double);
}

/* ---- Statistics ------------------------------------------------------------------------------ */

/* Computes mean[width] and square[width], the sum of squares around the mean, of rows first .. end-1, which count as often
 * as their weights say. */
static void measure_weighted(const lm_tensor *x, const lm_real *weight, size_t first, size_t end, double *restrict mean,
                             double *restrict square)
{
    double total = weight_of_rows(weight, first, end), share = total > 0 ? 1 / total : 0;
    memset(mean, 0, x->width * sizeof *mean);
    memset(square, 0, x->width * sizeof *square);
    for (size_t r = first; r < end; r++) {
        const lm_real *restrict row = lm_row(x, r);
        const double w = (double)weight[r];
        for (size_t i = 0; i < x->width; i++) mean[i] += w * (double)row[i];
    }
    for (size_t i = 0; i < x->width; i++) mean[i] *= share;
    for (size_t r = first; r < end; r++) {
        const lm_real *restrict row = lm_row(x, r);
        const double w = (double)weight[r];
        for (size_t i = 0; i < x->width; i++) {
            double away = (double)row[i] - mean[i];
            square[i] += w * away * away;
        }
    }
}

enum { LANES = 4, ABREAST = 4 /* vectors of columns whose sums stay in registers */, BESIDE = 8 /* rows at once */ };
typedef lm_real reals __attribute__((vector_size(LANES * sizeof(lm_real))));
typedef double doubles __attribute__((vector_size(LANES * sizeof(double))));

LM_INLINE void load_doubles(const lm_real *from, doubles *to)
{
    reals loaded;
    memcpy(&loaded, from, sizeof loaded);
    *to = __builtin_convertvector(loaded, doubles);
}

/* sum, square += x - a and its square, where a is `from`, over some rows. */
LM_INLINE void add_moments(const lm_real *x, size_t stride, size_t rows, size_t width, const lm_real *restrict from,
                           double *restrict sum, double *restrict square)
{
    size_t c = 0;
    for (; c + LANES * ABREAST <= width; c += LANES * ABREAST) {
        doubles a[ABREAST], s[ABREAST], q[ABREAST];
        for (size_t v = 0; v < ABREAST; v++) load_doubles(from + c + v * LANES, a + v);
        memcpy(s, sum + c, sizeof s);
        memcpy(q, square + c, sizeof q);
        for (size_t r = 0; r < rows; r++)
            for (size_t v = 0; v < ABREAST; v++) {
                doubles away;
                load_doubles(x + r * stride + c + v * LANES, &away);
                away -= a[v];
                s[v] += away;
                q[v] += away * away;
            }
        memcpy(sum + c, s, sizeof s);
        memcpy(square + c, q, sizeof q);
    }
    for (; c < width; c++)
        for (size_t r = 0; r < rows; r++) {
            const double away = (double)x[r * stride + c] - (double)from[c];
            sum[c] += away;
            square[c] += away * away;
        }
}

/* The same where every row counts once, in one pass: sums of x - a and of its squares, where a is the first row. It is no
 * further from the mean than the numbers are spread, so that the difference of both sums loses nothing that counts. */
LM_WIDE(measure_chunk, (const lm_tensor *x, size_t first, size_t end, double *mean, double *square),
        (x, first, end, mean, square))
{
    const double share = end > first ? 1 / (double)(end - first) : 0;
    const lm_real *from = lm_row(x, first);
    memset(mean, 0, x->width * sizeof *mean);
    memset(square, 0, x->width * sizeof *square);
    for (size_t r = first; r < end; r += BESIDE)
        add_moments(lm_row(x, r), x->stride, end - r < BESIDE ? end - r : BESIDE, x->width, from, mean, square);
    for (size_t c = 0; c < x->width; c++) {
        const double sum = mean[c], around = square[c] - sum * sum * share;
        mean[c] = (double)from[c] + sum * share;
        square[c] = around > 0 ? around : 0;
    }
}

/* Combines the moments of a column with those of more rows. For two sets with n, m rows, means a, b and squares S, T,
 * the squares are S + T + (a-b)^2 n m / (n+m). */
static void join_rows(double moments[MOMENTS], double rows, double mean, double square)
{
    const double total = moments[0], away = mean - moments[1];
    if (rows <= 0) return;
    moments[0] += rows;
    moments[1] += away * rows / moments[0];
    moments[2] += square + away * away * total * rows / moments[0];
}

/* Computes moments[width][MOMENTS] of this rank's rows. */
static void measure_rows(lm_cpu *cpu, const lm_frame *f, double *chunks, double *moments)
{
    const lm_tensor x = f->in[0];
    const lm_real *weight = weights_of(f);
    const size_t count = lm_row_chunks(x.rows);
#pragma omp parallel for schedule(dynamic) num_threads(cpu->threads) if (count > 1)
    for (size_t c = 0; c < count; c++) {
        double *mean = chunks + 2 * c * x.width, *square = mean + x.width;
        if (weight)
            measure_weighted(&x, weight, c * LM_CHUNK, lm_chunk_end(c, x.rows), mean, square);
        else
            measure_chunk(&x, c * LM_CHUNK, lm_chunk_end(c, x.rows), mean, square);
    }
    memset(moments, 0, MOMENTS * x.width * sizeof *moments);
    for (size_t c = 0; c < count; c++) {
        const double rows = weight_of_rows(weight, c * LM_CHUNK, lm_chunk_end(c, x.rows));
        const double *mean = chunks + 2 * c * x.width, *square = mean + x.width;
        for (size_t i = 0; i < x.width; i++) join_rows(moments + MOMENTS * i, rows, mean[i], square[i]);
    }
}

/* Replaces moments[width][MOMENTS] by those of the rows of all ranks; all: workspace for the moments of each rank. */
static void join_ranks(lm_backend *backend, size_t width, double *moments, double *all)
{
    const size_t ranks = lm_backend_ranks(backend);
    backend->gather(backend, moments, MOMENTS * width, all);
    memset(moments, 0, MOMENTS * width * sizeof *moments);
    for (size_t r = 0; r < ranks && !backend->status; r++)
        for (size_t i = 0; i < width; i++) {
            const double *of_rank = all + MOMENTS * (r * width + i);
            join_rows(moments + MOMENTS * i, of_rank[0], of_rank[1], of_rank[2]);
        }
}

/* Writes mean, 1 / deviation, shift and 1 / rows of every column to kept[LM_NORM_KEPT][width], and updates the running
 * values. */
static void measure(lm_cpu *cpu, const lm_frame *f, lm_real *kept)
{
    const size_t width = f->in[0].width;
    double *chunks = f->workspace, *moments = chunks + 2 * lm_row_chunks(f->in[0].rows) * width;
    measure_rows(cpu, f, chunks, moments);
    if (cpu->base.shared) join_ranks(&cpu->base, width, moments, moments + MOMENTS * width);
    for (size_t i = 0; i < width; i++) {
        const double total = moments[MOMENTS * i], mean = moments[MOMENTS * i + 1], square = moments[MOMENTS * i + 2];
        kept[i] = (lm_real)mean;
        double inverse = 1 / sqrt((total > 0 ? square / total : 0) + TINY), lost = mean - (double)kept[i];
        kept[width + i] = (lm_real)inverse;
        kept[2 * width + i] = (lm_real)((double)f->weight[1][i] - (double)f->weight[0][i] * lost * inverse);
        kept[3 * width + i] = total > 0 ? (lm_real)(1 / total) : 0;
        if (f->again || total <= 0) continue;
        double variance = total > 1 ? square / (total - 1) : 0;
        f->weight[2][i] = (lm_real)((1 - MOMENTUM) * (double)f->weight[2][i] + MOMENTUM * mean);
        f->weight[3][i] = (lm_real)((1 - MOMENTUM) * (double)f->weight[3][i] + MOMENTUM * variance);
    }
}

static void recall(const lm_frame *f, lm_real *kept)
{
    for (size_t i = 0; i < f->in[0].width; i++) {
        kept[i] = f->weight[2][i];
        kept[f->in[0].width + i] = (lm_real)(1 / sqrt((double)f->weight[3][i] + TINY));
        kept[2 * f->in[0].width + i] = f->weight[1][i];
    }
}

/* Computes rows first .. end-1 of Y. */
LM_WIDE(apply, (const lm_frame *f, size_t first, size_t end), (f, first, end))
{
    const lm_tensor x = f->in[0], y = f->out[0];
    const lm_real *restrict mean = f->out[1].data, *restrict inverse = mean + x.width;
    const lm_real *restrict scale = f->weight[0], *restrict shift = inverse + x.width;
    const bool relu = f->step->activation == LM_RELU;
    for (size_t r = first; r < end; r++) {
        const lm_real *restrict from = lm_row(&x, r);
        lm_real *restrict to = lm_row(&y, r);
        for (size_t i = 0; i < x.width; i++) {
            const lm_real number = scale[i] * ((from[i] - mean[i]) * inverse[i]) + shift[i];
            to[i] = !relu || number > 0 ? number : 0;
        }
        if (f->step->activation == LM_ELU) lm_cpu_activate(to, NULL, x.width, LM_ELU);
    }
}

void lm_cpu_norm_forward(lm_backend *backend, const lm_frame *f)
{
    lm_cpu *cpu = lm_cpu_of(backend);
    const size_t rows = f->in[0].rows, count = lm_row_chunks(rows);
    if (f->training)
        measure(cpu, f, f->out[1].data);
    else
        recall(f, f->out[1].data);
#pragma omp parallel for schedule(static) num_threads(cpu->threads) if (count > 1)
    for (size_t c = 0; c < count; c++) apply(f, c * LM_CHUNK, lm_chunk_end(c, rows));
}

/* ---- Backward -------------------------------------------------------------------------------- */

/* The parameters that normalise a row. */
typedef struct norms {
    const lm_real *mean, *inverse, *scale, *shift;
} norms;

static norms norms_of(const lm_frame *f)
{
    const lm_real *kept = f->out[1].data;
    const size_t width = f->in[0].width;
    return (norms){kept, kept + width, f->weight[0], kept + 2 * width};
}

/* g *= f'(y) for ELU, whose derivative is exp(y) below zero; y is computed again from the input. */
static void elu_row(const norms *n, size_t width, const lm_real *x, lm_real *g)
{
    for (size_t i = 0; i < width; i++) {
        lm_real y = n->scale[i] * ((x[i] - n->mean[i]) * n->inverse[i]) + n->shift[i];
        if (y <= 0) g[i] *= LM_REAL_FUNCTION(exp)(y);
    }
}

/* G of a number: dY, or 0 where a ReLU is closed. */
LM_INLINE lm_real through(bool relu, lm_real g, lm_real z, lm_real scale, lm_real shift)
{
    return !relu || scale * z + shift > 0 ? g : 0;
}

/* Adds G and G z of one row to the sums. */
LM_INLINE void sum_row(const norms *n, size_t width, bool relu, const lm_real *restrict x, const lm_real *restrict g,
                       lm_real *restrict sum, lm_real *restrict product)
{
    const lm_real *restrict mean = n->mean, *restrict inverse = n->inverse;
    const lm_real *restrict scale = n->scale, *restrict shift = n->shift;
    for (size_t i = 0; i < width; i++) {
        const lm_real z = (x[i] - mean[i]) * inverse[i], gradient = g[i];
        const lm_real kept = through(relu, gradient, z, scale[i], shift[i]);
        sum[i] += kept;
        product[i] += kept * z;
    }
}

/* The sums of G and of G z over rows first .. end-1. With ELU, replaces dY by G. */
LM_WIDE(sum_chunk, (const lm_frame *f, size_t first, size_t end, lm_real *sum, lm_real *product),
        (f, first, end, sum, product))
{
    const lm_tensor x = f->in[0], g = f->out_gradient[0];
    const norms n = norms_of(f);
    const lm_activation activation = f->step->activation;
    memset(sum, 0, x.width * sizeof *sum);
    memset(product, 0, x.width * sizeof *product);
    for (size_t r = first; r < end; r++) {
        if (activation == LM_ELU) elu_row(&n, x.width, lm_row(&x, r), lm_row(&g, r));
        if (activation == LM_RELU)
            sum_row(&n, x.width, true, lm_row(&x, r), lm_row(&g, r), sum, product);
        else
            sum_row(&n, x.width, false, lm_row(&x, r), lm_row(&g, r), sum, product);
    }
}

/* Adds the two sums of all chunks into sum[2][width], and to the gradients of shift and scale. */
static void join_sums(const lm_frame *f, const lm_real *chunks, size_t count, lm_real *sum)
{
    size_t width = f->in[0].width;
    for (size_t i = 0; i < 2 * width; i++) {
        double total = 0;
        for (size_t c = 0; c < count; c++) total += (double)chunks[2 * c * width + i];
        sum[i] = (lm_real)total;
        lm_real *gradient = f->weight_gradient[i < width];
        if (gradient) gradient[i % width] += (lm_real)total;
    }
}

/* to = (add ? to : 0) + dX of a row that counts w times. sum, product: the sums of G and G z over all rows. */
LM_INLINE void back_row(const norms *n, size_t width, bool relu, bool add, lm_real w, const lm_real *restrict x,
                        const lm_real *restrict g, const lm_real *restrict sum, const lm_real *restrict product,
                        lm_real *restrict to)
{
    const lm_real *restrict mean = n->mean, *restrict inverse = n->inverse;
    const lm_real *restrict scale = n->scale, *restrict shift = n->shift;
    for (size_t i = 0; i < width; i++) {
        const lm_real z = (x[i] - mean[i]) * inverse[i], gradient = g[i], before = add ? to[i] : 0;
        const lm_real kept = through(relu, gradient, z, scale[i], shift[i]);
        to[i] = before + scale[i] * inverse[i] * (kept - w * sum[i] - w * z * product[i]);
    }
}

/* dX of rows first .. end-1. */
LM_WIDE(go_back, (const lm_frame *f, const lm_real *weight, size_t first, size_t end, const lm_real *sum),
        (f, weight, first, end, sum))
{
    const lm_tensor x = f->in[0], g = f->out_gradient[0], gx = f->in_gradient[0];
    const norms n = norms_of(f);
    const bool relu = f->step->activation == LM_RELU, add = f->add[0];
    const lm_real share = n.mean[3 * x.width]; /* 1 / rows, equal in all columns */
    for (size_t r = first; r < end; r++) {
        const lm_real w = weight ? weight[r] * share : share, *product = sum + x.width;
        if (relu && !add)
            back_row(&n, x.width, true, false, w, lm_row(&x, r), lm_row(&g, r), sum, product, lm_row(&gx, r));
        else
            back_row(&n, x.width, relu, add, w, lm_row(&x, r), lm_row(&g, r), sum, product, lm_row(&gx, r));
    }
}

void lm_cpu_norm_backward(lm_backend *backend, const lm_frame *f)
{
    lm_cpu *cpu = lm_cpu_of(backend);
    const lm_tensor x = f->in[0];
    const lm_real *weight = weights_of(f);
    size_t count = lm_row_chunks(x.rows);
    lm_real *chunks = f->workspace, *sum = chunks + 2 * count * x.width;
#pragma omp parallel for schedule(static) num_threads(cpu->threads) if (count > 1)
    for (size_t c = 0; c < count; c++)
        sum_chunk(f, c * LM_CHUNK, lm_chunk_end(c, x.rows), chunks + 2 * c * x.width, chunks + (2 * c + 1) * x.width);
    join_sums(f, chunks, count, sum);
    if (backend->shared) backend->sum(backend, sum, 2 * x.width);
    if (!f->in_gradient[0].data) return;
#pragma omp parallel for schedule(static) num_threads(cpu->threads) if (count > 1)
    for (size_t c = 0; c < count; c++) go_back(f, weight, c * LM_CHUNK, lm_chunk_end(c, x.rows), sum);
}
