/* The preconditioner of linear SVMs: a dense block by Cholesky's method, row by row, and a diagonal. */
#include "svm/preconditioner.h"
#include <math.h>
#include <string.h>

leman_status lm_preconditioner_init(leman_context *ctx, size_t size, size_t columns, lm_preconditioner *out)
{
    leman_status st = LEMAN_OK;
    lm_preconditioner p = {.size = size, .columns = columns};
    size_t side = size + 1;
    NEW(ctx, p.block, side * side);
    NEW(ctx, p.factor, side * side);
    NEW(ctx, p.work, side);
    NEW(ctx, p.diagonal, columns + 1);
    NEW(ctx, p.inverse, columns + 1);
    memset(p.block, 0, side * side * sizeof *p.block);
    memset(p.diagonal, 0, (columns + 1) * sizeof *p.diagonal);
    *out = p;
done:
    if (st) lm_preconditioner_free(ctx, &p);
    return st;
}

void lm_preconditioner_free(leman_context *ctx, lm_preconditioner *p)
{
    lm_free(ctx, p->block);
    lm_free(ctx, p->factor);
    lm_free(ctx, p->work);
    lm_free(ctx, p->diagonal);
    lm_free(ctx, p->inverse);
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

/* The matrix is I and something positive semidefinite, so pivots are 1 at least but for rounding. */
void lm_preconditioner_factor(lm_preconditioner *p, double C)
{
    size_t side = p->size + 1;
    for (size_t i = 0; i < side; i++) {
        double *row = p->factor + i * side;
        for (size_t j = 0; j <= i; j++) {
            const double *other = p->factor + j * side;
            double sum = 0;
            for (size_t k = 0; k < j; k++) sum += row[k] * other[k];
            sum = 2 * C * p->block[i * side + j] + (i == j) - sum;
            row[j] = i == j ? sqrt(fmax(sum, 1)) : sum / other[j];
        }
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
