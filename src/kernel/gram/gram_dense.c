/*
 * The dense part of a Gram matrix: the sum over columns f of multiplicity_f * combine(t[f][i], t[f][j]) for all i < j.
 *
 * Tiles of ROWS x LM_TABLE_BLOCK pairs are summed in registers. Columns of one multiplicity whose largest values keep
 * every sum below 2^24 form a run: its sums are exact in 24 bits, and are added to the 64-bit sums of the tile at the
 * end of the run. The table is stored in blocks of graphs, so that a tile reads it sequentially.
 */
#include "kernel/gram/dense_loops.h"

enum { ROWS = LM_DENSE_ROWS, BAND = 4 * LM_TABLE_BLOCK };

typedef struct run {
    size_t first, last;
    uint64_t multiplicity;
} run;

typedef struct dense_sum {
    const lm_dense_block *table;
    lm_gram *gram;
    lm_dense_run *loop;
    size_t runs;
    run run[LM_TABLE_COLUMNS];
} dense_sum;

static void find_runs(dense_sum *d)
{
    const lm_dense_block *t = d->table;
    uint64_t bound = 0;
    for (size_t f = 0; f < t->columns; f++) {
        uint64_t max = d->gram->minima ? t->largest[f] : (uint64_t)t->largest[f] * t->largest[f];
        run *now = d->run + d->runs;
        if (f && now[-1].multiplicity == t->multiplicity[f] && bound + max <= UINT64_C(1) << 24) {
            now[-1].last = f + 1;
            bound += max;
        } else {
            *now = (run){f, f + 1, t->multiplicity[f]};
            bound = max;
            d->runs++;
        }
    }
}

/* Adds the tile of rows i .. i + ROWS - 1 and the block of columns from j on, as far as it is above the diagonal. */
static void add_tile(const dense_sum *d, size_t i, size_t j)
{
    lm_gram *g = d->gram;
    uint64_t sum[ROWS][LM_TABLE_BLOCK] = {{0}};
    const float *row = d->table->value + i / LM_TABLE_BLOCK * LM_TABLE_BLOCK * LM_TABLE_COLUMNS + i % LM_TABLE_BLOCK;
    const float *column = d->table->value + j * LM_TABLE_COLUMNS;
    for (const run *r = d->run; r < d->run + d->runs; r++) {
        size_t at = r->first * LM_TABLE_BLOCK;
        d->loop(row + at, column + at, r->last - r->first, g->minima, r->multiplicity, sum);
    }
    for (size_t a = 0; a < ROWS && i + a < g->rows; a++) {
        lm_gram_entry *cell = g->cell + (i + a) * g->columns + j;
        size_t last = g->rows - j < LM_TABLE_BLOCK ? g->rows - j : LM_TABLE_BLOCK;
        size_t first = i + a < j ? 0 : i + a + 1 - j;
        if (g->reals)
            for (size_t b = first; b < last; b++) cell[b].value += (double)(int64_t)sum[a][b];
        else
            for (size_t b = first; b < last; b++) cell[b].sum += sum[a][b];
    }
}

void lm_dense_block_flush(lm_dense_block *table, lm_gram *g, int threads)
{
    dense_sum d = {.table = table, .gram = g, .loop = lm_dense_run_best()};
    if (!table->columns) return;
    find_runs(&d);
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads) if (threads > 1)
    for (size_t first = 0; first < g->rows; first += BAND)
        for (size_t j = first; j < g->rows; j += LM_TABLE_BLOCK)
            for (size_t i = first; i < first + BAND && i < g->rows && i < j + LM_TABLE_BLOCK; i += ROWS)
                add_tile(&d, i, j);
    table->columns = 0;
}
