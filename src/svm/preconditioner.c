/* The preconditioner of linear SVMs: Cholesky decomposition of a dense block, and a diagonal. */
#include "svm/preconditioner.h"
#include "base/private.h"
#include <cblas.h>
#include <math.h>
#include <string.h>

#define PANEL 64 /* columns that are factored together */

leman_status lm_preconditioner_init(leman_context *ctx, size_t size, size_t columns, lm_preconditioner *p)
{
    const size_t side = size + 1, sums = side * side + columns + 1;
    *p = (lm_preconditioner){.size = size, .columns = columns};
    PASS_NEW(ctx, p->block, 2 * sums + side);
    memset(p->block, 0, sums * sizeof *p->block);
    p->diagonal = p->block + side * side;
    p->factor = p->block + sums;
    p->inverse = p->factor + side * side;
    p->work = p->factor + sums;
    return side > PANEL ? lm_products_reserve(ctx, 1, &p->threads) : LEMAN_OK;
}

void lm_preconditioner_free(lm_preconditioner *p)
{
    lm_release(p->block); /* the first of all arrays */
    lm_products_release(p->threads);
    *p = (lm_preconditioner){0};
}

void lm_preconditioner_add(lm_preconditioner *p, const lm_node *node, const lm_node *end, double cost)
{
    size_t side = p->size + 1;
    double *bias = p->block + p->size * side;
    const lm_node *x = node;
    for (; x < end && x->column < p->size; x++) {
        double scaled = cost * x->value, *line = p->block + x->column * side;
        for (const lm_node *z = node; z <= x; z++) line[z->column] += scaled * z->value;
        bias[x->column] += scaled;
    }
    for (; x < end; x++) p->diagonal[x->column] += cost * x->value * x->value;
    bias[p->size] += cost;
}

/* Computes columns begin .. end - 1 of the factor in all rows from `begin` on. The columns to their left must be
 * done. */
static void factor_panel(lm_preconditioner *p, size_t begin, size_t end)
{
    size_t side = p->size + 1;
    for (size_t i = begin; i < side; i++) {
        double *row = p->factor + i * side;
        for (size_t j = begin; j < end && j <= i; j++) {
            const double *other = p->factor + j * side;
            double sum = row[j];
            for (size_t k = begin; k < j; k++) sum -= row[k] * other[k];
            row[j] = i == j ? sqrt(fmax(sum, 1)) : sum / other[j]; /* pivots are >= 1 up to rounding, because H >= I */
        }
    }
}

void lm_preconditioner_factor(lm_preconditioner *p, double C)
{
    size_t side = p->size + 1;
    for (size_t i = 0; i < side; i++)
        for (size_t j = 0; j <= i; j++) p->factor[i * side + j] = 2 * C * p->block[i * side + j] + (i == j);
    for (size_t begin = 0, end; begin < side; begin = end) {
        double *from = p->factor + begin * side;
        end = begin + PANEL < side ? begin + PANEL : side;
        if (begin)
            cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (blasint)(side - begin), (blasint)(end - begin),
                        (blasint)begin, -1, from, (blasint)side, from, (blasint)side, 1, from + begin, (blasint)side);
        factor_panel(p, begin, end);
    }
    for (size_t c = p->size; c < p->columns; c++) p->inverse[c] = 1 / (1 + 2 * C * fmax(p->diagonal[c], 0));
}

void lm_preconditioner_apply(const lm_preconditioner *p, const double *in, double *out)
{
    size_t side = p->size + 1;
    double *x = p->work;
    memcpy(x, in, p->size * sizeof *x);
    x[p->size] = in[p->columns];
    for (size_t i = 0; i < side; i++) {
        const double *row = p->factor + i * side;
        double sum = 0;
        for (size_t k = 0; k < i; k++) sum += row[k] * x[k];
        x[i] = (x[i] - sum) / row[i];
    }
    for (size_t i = side; i-- > 0;) {
        const double *row = p->factor + i * side;
        x[i] /= row[i];
        for (size_t k = 0; k < i; k++) x[k] -= row[k] * x[i];
    }
    memcpy(out, x, p->size * sizeof *x);
    for (size_t c = p->size; c < p->columns; c++) out[c] = in[c] * p->inverse[c];
    out[p->columns] = x[p->size];
}
