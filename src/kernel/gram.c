/* Gram matrices of bags: groups of equal keys, the sparse part, and closing. Time O(sum over shared keys of graphs^2).
 */
#include "kernel/gram.h"
#include <math.h>

enum { SMALL_VALUE = 1 << 16, DENSE_COLUMNS = 256, TILE = 64 };

/* Entries of keys that several graphs share, group after group, and where each graph's own stand. */
typedef struct postings {
    size_t count;
    uint32_t *graph; /* [count] */
    uint64_t *value; /* [count] */
    uint32_t *end;   /* [count] where its group ends */
    size_t *start;   /* [graphs+1] into own */
    uint32_t *own;   /* [count] positions of one graph after the other */
} postings;

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

/* ---- Groups of equal keys --------------------------------------------------------------------------------- */

static void add_self(lm_gram *g, lm_pair entry, uint64_t multiplicity)
{
    double value = (double)lm_pair_value(entry), self = (double)multiplicity * (g->minima ? value : value * value);
    size_t graph = lm_pair_graph(entry);
    if (graph < g->rows)
        g->self[0][graph] += self;
    else
        g->self[1][graph - g->rows] += self;
}

/* A group matters off the diagonal if it joins two graphs of a square matrix, or a row with a column. Graphs increase.
 */
static bool joins(const lm_gram *g, const lm_pair *entry, size_t count)
{
    if (count < 2) return false;
    return g->square || (lm_pair_graph(entry[0]) < g->rows && lm_pair_graph(entry[count - 1]) >= g->rows);
}

/* Worth a dense column: shared by so many graphs that a product for every pair costs less than an addition for each
 * pair that shares it (a factor of about ten), and small enough for 32-bit tiles. */
static bool is_dense(const lm_gram *g, const lm_pair *entry, size_t count)
{
    if (!g->square || count < 64 || count * 10 < g->rows * 3) return false;
    for (size_t i = 0; i < count; i++)
        if (lm_pair_value(entry[i]) >= SMALL_VALUE) return false;
    return true;
}

typedef struct dense {
    uint32_t *table; /* [DENSE_COLUMNS][rows] */
    size_t columns;
} dense;

static void add_column(dense *d, const lm_pair *entry, size_t count, size_t rows)
{
    uint32_t *column = d->table + d->columns++ * rows;
    memset(column, 0, rows * sizeof *column);
    for (size_t i = 0; i < count; i++) column[lm_pair_graph(entry[i])] = (uint32_t)lm_pair_value(entry[i]);
}

/* Sorts every group into the diagonal, the dense table (multiplied away when full) or the postings. */
static leman_status sort_out(leman_context *ctx, const lm_pair *entry, size_t count, uint64_t multiplicity, lm_gram *g,
                             postings *p)
{
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    dense d = {0};
    for (size_t i = 0, j; i < count; i = j) {
        for (j = i; j < count && entry[j].key == entry[i].key; j++) add_self(g, entry[j], multiplicity);
        if (!joins(g, entry + i, j - i)) continue;
        if (is_dense(g, entry + i, j - i)) {
            if (!d.table) SCRATCH(ctx, d.table, g->rows * DENSE_COLUMNS);
            add_column(&d, entry + i, j - i, g->rows);
            if (d.columns == DENSE_COLUMNS) {
                lm_gram_dense(d.table, d.columns, g->rows, multiplicity, g, ctx->settings.threads);
                d.columns = 0;
            }
            continue;
        }
        for (size_t k = i; k < j; k++, p->count++) {
            p->graph[p->count] = (uint32_t)lm_pair_graph(entry[k]);
            p->value[p->count] = lm_pair_value(entry[k]);
            p->end[p->count] = (uint32_t)(p->count + (j - k));
        }
    }
    if (d.columns) lm_gram_dense(d.table, d.columns, g->rows, multiplicity, g, ctx->settings.threads);
done:
    lm_arena_reset(&ctx->scratch, mark);
    return st;
}

/* ---- The sparse part: row after row ----------------------------------------------------------------------- */

/* Positions by graph, for the graphs that are rows. */
static void index_rows(postings *p, size_t rows)
{
    size_t *end = p->start; /* ends first; filling from behind makes them starts */
    memset(end, 0, (rows + 1) * sizeof *end);
    for (size_t i = 0; i < p->count; i++)
        if (p->graph[i] < rows) end[p->graph[i]]++;
    for (size_t g = 1; g <= rows; g++) end[g] += end[g - 1];
    for (size_t i = p->count; i-- > 0;)
        if (p->graph[i] < rows) p->own[--end[p->graph[i]]] = (uint32_t)i;
}

/* Graphs increase within a group, so what stands behind a row's own entry is what the row has not met yet. */
static void add_row(const postings *p, size_t row, uint64_t multiplicity, const lm_gram *g)
{
    lm_cell *restrict cell = g->cell + row * g->columns;
    size_t shift = g->square ? 0 : g->rows;
    for (size_t o = p->start[row]; o < p->start[row + 1]; o++) {
        uint32_t at = p->own[o], end = p->end[at];
        uint64_t value = p->value[at];
        uint32_t i = at + 1;
        while (!g->square && i < end && p->graph[i] < g->rows) i++;
        if (g->minima)
            for (; i < end; i++)
                cell[p->graph[i] - shift].sum += multiplicity * (p->value[i] < value ? p->value[i] : value);
        else
            for (uint64_t times = multiplicity * value; i < end; i++)
                cell[p->graph[i] - shift].sum += times * p->value[i];
    }
}

static leman_status add_list(leman_context *ctx, const lm_pair *entry, size_t count, uint64_t multiplicity, lm_gram *g)
{
    leman_status st = LEMAN_OK;
    postings p = {0};
    if (count > UINT32_MAX)
        FAIL(ctx, LEMAN_ERROR_BUDGET, "%zu (graph, colour) pairs in one round are more than 2^32", count);
    NEW(ctx, p.graph, count);
    NEW(ctx, p.value, count);
    NEW(ctx, p.end, count);
    NEW(ctx, p.own, count);
    NEW(ctx, p.start, g->rows + 1);
    TRY(sort_out(ctx, entry, count, multiplicity, g, &p));
    index_rows(&p, g->rows);
    int threads = ctx->settings.threads;
#pragma omp parallel for schedule(dynamic, 8) num_threads(threads) if (threads > 1)
    for (size_t row = 0; row < g->rows; row++) add_row(&p, row, multiplicity, g);
done:
    lm_free(ctx, p.graph);
    lm_free(ctx, p.value);
    lm_free(ctx, p.end);
    lm_free(ctx, p.own);
    lm_free(ctx, p.start);
    return st;
}

leman_status lm_gram_add(leman_context *ctx, lm_bag *bag, size_t block, lm_gram *g)
{
    leman_status st = LEMAN_OK;
    lm_pair *entry = NULL;
    for (size_t list = 0; list < LM_BAG_LISTS; list++) {
        size_t count;
        TRY(lm_bag_take(ctx, bag, block, list, &entry, &count));
        TRY(add_list(ctx, entry, count, LM_MULTIPLICITY[list], g));
        lm_free(ctx, entry);
        entry = NULL;
    }
done:
    lm_free(ctx, entry);
    return st;
}

/* ---- Closing ---------------------------------------------------------------------------------------------- */

/* Both halves of a square matrix become their sum. By tiles, so that transposed cells are read by the line. */
static void close_square(lm_gram *g, size_t tile, double weight)
{
    for (size_t other = tile; other < g->rows; other += TILE)
        for (size_t i = tile; i < g->rows && i < tile + TILE; i++)
            for (size_t j = other > i + 1 ? other : i + 1; j < g->rows && j < other + TILE; j++) {
                lm_cell *a = g->cell + i * g->columns + j, *b = g->cell + j * g->columns + i;
                a->value = b->value = weight * (double)(a->sum + b->sum);
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
                cell->value = weight * (double)cell->sum;
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
