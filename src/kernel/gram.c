/* The matrix that Gram sums are added to: making it, closing it, normalising it. */
#include "kernel/gram.h"
#include <math.h>

enum { TILE = 64 };

leman_status lm_gram_new(leman_context *ctx, lm_cell *cell, size_t rows, size_t columns, bool square, bool minima,
                         lm_gram *out)
{
    leman_status st = LEMAN_OK;
    lm_gram g = {.rows = rows, .columns = columns, .square = square, .minima = minima, .cell = cell};
    NEW(ctx, g.self[0], rows);
    NEW(ctx, g.self[1], columns);
    memset(cell, 0, rows * columns * sizeof *cell);
    memset(g.self[0], 0, rows * sizeof *g.self[0]);
    memset(g.self[1], 0, columns * sizeof *g.self[1]);
    *out = g;
done:
    if (st) lm_gram_free(ctx, &g);
    return st;
}

void lm_gram_free(leman_context *ctx, lm_gram *g)
{
    lm_free(ctx, g->self[0]);
    lm_free(ctx, g->self[1]);
    *g = (lm_gram){0};
}

/* ---- Closing ---------------------------------------------------------------------------------------------- */

/* Both halves of a square matrix become their sum. By tiles, so that transposed cells are read by the line. */
static void close_square(lm_gram *g, size_t tile, double weight)
{
    for (size_t other = tile; other < g->rows; other += TILE)
        for (size_t i = tile; i < g->rows && i < tile + TILE; i++)
            for (size_t j = other > i + 1 ? other : i + 1; j < g->rows && j < other + TILE; j++) {
                lm_cell *a = g->cell + i * g->columns + j, *b = g->cell + j * g->columns + i;
                double value = weight * (double)(a->sum + b->sum); /* by itself: sum and value share their place */
                a->value = b->value = value;
            }
    for (size_t i = tile; i < g->rows && i < tile + TILE; i++)
        g->cell[i * g->columns + i].value = weight * g->self[0][i];
}

leman_status lm_gram_close(leman_context *ctx, lm_gram *g, double weight)
{
    int threads = ctx->settings.threads;
    for (size_t i = 0; i < g->rows; i++) /* no cell is larger than the larger of its two on the diagonal */
        if (g->self[0][i] >= 0x1p63)
            return lm_fail(ctx, LEMAN_ERROR_BUDGET, "the kernel of graph %zu with itself does not fit into 64 bits",
                           i + 1);
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads) if (threads > 1)
    for (size_t tile = 0; tile < g->rows; tile += TILE) {
        if (g->square) {
            close_square(g, tile, weight);
            continue;
        }
        for (size_t i = tile; i < g->rows && i < tile + TILE; i++)
            for (size_t j = 0; j < g->columns; j++) {
                lm_cell *cell = g->cell + i * g->columns + j;
                double value = weight * (double)cell->sum;
                cell->value = value;
            }
    }
    return LEMAN_OK;
}

void lm_gram_normalize(leman_context *ctx, lm_gram *g, const double *row_self, const double *column_self)
{
    int threads = ctx->settings.threads;
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (size_t i = 0; i < g->rows; i++)
        for (size_t j = 0; j < g->columns; j++) {
            lm_cell *cell = g->cell + i * g->columns + j;
            double product = row_self[i] * column_self[j];
            cell->value = product > 0 ? cell->value / sqrt(product) : 0;
        }
}

leman_status lm_gram_copy(leman_context *ctx, const lm_gram *from, lm_cell *cell, lm_gram *to)
{
    leman_status st = lm_gram_new(ctx, cell, from->rows, from->columns, from->square, from->minima, to);
    if (st) return st;
    memcpy(cell, from->cell, from->rows * from->columns * sizeof *cell);
    memcpy(to->self[0], from->self[0], from->rows * sizeof *from->self[0]);
    memcpy(to->self[1], from->self[1], from->columns * sizeof *from->self[1]);
    return LEMAN_OK;
}
