/* The matrix that Gram sums are added to: making it, closing it, normalising it. */
#include "kernel/gram/gram.h"
#include "kernel/kernel.h"

enum { TILE = 64 };

/* The first column of a row whose cell holds a sum. */
static size_t first_column(const lm_gram *g, size_t row)
{
    return g->square ? row + 1 : 0;
}

/* Sets the sums to those of `from`, or to zero. Only cells that hold sums are written; the others are first written
 * when the matrix is closed. */
static void begin(leman_context *ctx, const lm_gram *from, lm_gram *g)
{
    int threads = ctx->settings.threads;
    lm_prefer_large_pages(g->cell, g->rows * g->columns * sizeof *g->cell);
#pragma omp parallel for schedule(static, 64) num_threads(threads) if (threads > 1)
    for (size_t i = 0; i < g->rows; i++) {
        size_t first = first_column(g, i), at = i * g->columns + first, size = (g->columns - first) * sizeof *g->cell;
        if (from)
            memcpy(g->cell + at, from->cell + at, size);
        else
            memset(g->cell + at, 0, size);
    }
    g->begun = true;
}

void lm_gram_begin(leman_context *ctx, lm_gram *g)
{
    if (!g->begun) begin(ctx, NULL, g);
}

leman_status lm_gram_new(leman_context *ctx, lm_gram_entry *cell, size_t rows, size_t columns, bool square, bool minima,
                         lm_gram *out)
{
    AUTO(lm_gram_free)
    lm_gram g = {.rows = rows, .columns = columns, .square = square, .minima = minima, .cell = cell};
    PASS_NEW_ZERO(ctx, g.self[0], rows);
    PASS_NEW_ZERO(ctx, g.self[1], columns);
    return HAND_OVER(out, g);
}

leman_status lm_gram_copy(leman_context *ctx, const lm_gram *from, lm_gram_entry *cell, lm_gram *to)
{
    AUTO(lm_gram_free) lm_gram g = *from;
    g.cell = cell;
    g.self[0] = g.self[1] = NULL;
    PASS_NEW(ctx, g.self[0], g.rows);
    PASS_NEW(ctx, g.self[1], g.columns);
    if (from->begun) begin(ctx, from, &g);
    memcpy(g.self[0], from->self[0], g.rows * sizeof *g.self[0]);
    memcpy(g.self[1], from->self[1], g.columns * sizeof *g.self[1]);
    return HAND_OVER(to, g);
}

void lm_gram_free(lm_gram *g)
{
    RELEASE(g->self[0], g->self[1]);
    *g = (lm_gram){0};
}

void lm_gram_sum(leman_context *ctx, const lm_gram *from, lm_gram *to)
{
    int threads = ctx->settings.threads;
    lm_gram_begin(ctx, to);
    if (!from->begun) return;
#pragma omp parallel for schedule(static, 64) num_threads(threads) if (threads > 1)
    for (size_t i = 0; i < to->rows; i++)
        for (size_t at = i * to->columns + first_column(to, i); at < (i + 1) * to->columns; at++)
            if (to->reals)
                to->cell[at].value += from->cell[at].value;
            else
                to->cell[at].sum += from->cell[at].sum;
}

/* ---- Closing --------------------------------------------------------------------------------- */

/* The sum of an entry as a real number. */
static inline double real_of(const lm_gram *g, lm_gram_entry entry)
{
    return g->reals ? entry.value : (double)(int64_t)entry.sum; /* below 2^63: lm_gram_fits() */
}

/* Turns the sums of columns first .. last-1 of a row into reals. self[columns] are the diagonals of the columns; NULL:
 * the row is not normalised. */
static void close_row(lm_gram *g, size_t row, size_t first, size_t last, double weight, const lm_gram_entry *self)
{
    lm_gram_entry *cell = g->cell + row * g->columns;
    const leman_normalization by = g->normalization;
    if (!self)
        for (size_t j = first; j < last; j++) {
            double value = weight * real_of(g, cell[j]); /* a variable, since sum and value share their memory */
            cell[j].value = value;
        }
    else /* the weight is in numerator and denominator, and cancels */
        for (size_t j = first; j < last; j++) {
            double value = lm_normalized(by, real_of(g, cell[j]), g->self[0][row].value, self[j].value);
            cell[j].value = value;
        }
}

/* Closes a square matrix and copies the cells above the diagonal below it, in tiles, so that both are read by cache
 * lines. */
static void close_square(lm_gram *g, size_t tile, double weight, const lm_gram_entry *self)
{
    size_t n = g->rows, end = tile + TILE < n ? tile + TILE : n;
    for (size_t i = tile; i < end; i++) {
        double own = g->self[0][i].value, value = self ? lm_normalized(g->normalization, own, own, own) : weight * own;
        g->cell[i * n + i].value = value;
    }
    for (size_t other = tile; other < n; other += TILE) {
        size_t last = other + TILE < n ? other + TILE : n;
        for (size_t i = tile; i < end; i++) close_row(g, i, other > i ? other : i + 1, last, weight, self);
        for (size_t j = other; j < last; j++)
            for (size_t i = tile; i < end && i < j; i++) g->cell[j * n + i] = g->cell[i * n + j];
    }
}

static void close_self(const lm_gram *g, lm_gram_entry *self, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double value = real_of(g, self[i]);
        self[i].value = value;
    }
}

static bool all_fit(const lm_gram_entry *self, size_t count)
{
    size_t i = 0;
    while (i < count && !(self[i].sum >> 63)) i++;
    return i == count;
}

bool lm_gram_fits(const lm_gram *g)
{
    return g->reals || (all_fit(g->self[0], g->rows) && all_fit(g->self[1], g->columns));
}

void lm_gram_close(leman_context *ctx, lm_gram *g, double weight, bool normalize)
{
    int threads = ctx->settings.threads;
    lm_gram_begin(ctx, g);
    const lm_gram_entry *self = normalize ? g->self[g->square ? 0 : 1] : NULL;
    close_self(g, g->self[0], g->rows);
    close_self(g, g->self[1], g->columns);
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads) if (threads > 1)
    for (size_t tile = 0; tile < g->rows; tile += TILE) {
        if (g->square) close_square(g, tile, weight, self);
        for (size_t i = tile; !g->square && i < g->rows && i < tile + TILE; i++)
            close_row(g, i, 0, g->columns, weight, self);
    }
}

void lm_gram_normalize(leman_context *ctx, lm_gram *g, const double *row_self, const double *column_self)
{
    int threads = ctx->settings.threads;
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (size_t i = 0; i < g->rows; i++)
        for (size_t j = 0; j < g->columns; j++) {
            lm_gram_entry *cell = g->cell + i * g->columns + j;
            cell->value = lm_normalized(g->normalization, cell->value, row_self[i], column_self[j]);
        }
}
