/*
 * The dense part of a Gram matrix: the sum over columns f of multiplicity_f * combine(t[f][i], t[f][j]) for all i < j.
 *
 * Tiles of ROWS x LM_TABLE_BLOCK pairs are summed in registers. Columns of one multiplicity whose largest values keep
 * every sum below 2^24 form a run: its sums are exact in 24 bits, and are added to the 64-bit sums of the tile at the
 * end of the run. The table is stored in blocks of graphs, so that a tile reads it sequentially.
 */
#include "kernel/gram/gram.h"

enum { ROWS = 4, LANES = 4, VECTORS = LM_TABLE_BLOCK / LANES, BAND = 4 * LM_TABLE_BLOCK };

typedef float vector __attribute__((vector_size(LANES * sizeof(float))));
typedef int32_t mask __attribute__((vector_size(LANES * sizeof(int32_t))));

typedef struct run {
    size_t first, last;
    uint64_t multiplicity;
} run;

typedef struct dense_sum {
    const lm_dense_block *table;
    lm_gram *gram;
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

static inline vector load(const float *from)
{
    vector v;
    memcpy(&v, from, sizeof v);
    return v;
}

/* tile[ROWS][VECTORS] = products, or minima, of four rows with a block, summed over one run. */
static inline __attribute__((always_inline)) void add_run(const float *left, const float *right, size_t columns,
                                                          const bool minima, vector tile[ROWS][VECTORS])
{
    vector sum[ROWS][VECTORS], block[VECTORS];
    memset(sum, 0, sizeof sum);
    for (size_t f = 0; f < columns; f++, left += LM_TABLE_BLOCK, right += LM_TABLE_BLOCK) {
#pragma GCC unroll 4
        for (size_t b = 0; b < VECTORS; b++) block[b] = load(right + b * LANES);
#pragma GCC unroll 4
        for (size_t a = 0; a < ROWS; a++) {
            vector same = left[a] - (vector){0};
#pragma GCC unroll 4
            for (size_t b = 0; b < VECTORS; b++) {
                mask less = same < block[b];
                sum[a][b] += minima ? (vector)(((mask)same & less) | ((mask)block[b] & ~less)) : left[a] * block[b];
            }
        }
    }
    memcpy(tile, sum, sizeof sum);
}

/* Adds the tile of rows i .. i + ROWS - 1 and the block of columns from j on, as far as it is above the diagonal. */
static void add_tile(const dense_sum *d, size_t i, size_t j)
{
    lm_gram *g = d->gram;
    uint64_t sum[ROWS][LM_TABLE_BLOCK] = {{0}};
    const float *row = d->table->value + i / LM_TABLE_BLOCK * LM_TABLE_BLOCK * LM_TABLE_COLUMNS + i % LM_TABLE_BLOCK;
    const float *column = d->table->value + j * LM_TABLE_COLUMNS;
    for (const run *r = d->run; r < d->run + d->runs; r++) {
        float tile[ROWS][LM_TABLE_BLOCK];
        vector sums[ROWS][VECTORS];
        size_t at = r->first * LM_TABLE_BLOCK;
        if (g->minima)
            add_run(row + at, column + at, r->last - r->first, true, sums);
        else
            add_run(row + at, column + at, r->last - r->first, false, sums);
        memcpy(tile, sums, sizeof tile);
        for (size_t a = 0; a < ROWS; a++)
            for (size_t b = 0; b < LM_TABLE_BLOCK; b++)
                sum[a][b] += r->multiplicity * (uint64_t)(uint32_t)(int32_t)tile[a][b];
    }
    for (size_t a = 0; a < ROWS && i + a < g->rows; a++) {
        lm_gram_entry *cell = g->cell + (i + a) * g->columns + j;
        size_t last = g->rows - j < LM_TABLE_BLOCK ? g->rows - j : LM_TABLE_BLOCK;
        for (size_t b = i + a < j ? 0 : i + a + 1 - j; b < last; b++)
            if (g->reals)
                cell[b].value += (double)(int64_t)sum[a][b];
            else
                cell[b].sum += sum[a][b];
    }
}

void lm_dense_block_flush(lm_dense_block *table, lm_gram *g, int threads)
{
    dense_sum d = {.table = table, .gram = g};
    if (!table->columns) return;
    find_runs(&d);
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads) if (threads > 1)
    for (size_t first = 0; first < g->rows; first += BAND)
        for (size_t j = first; j < g->rows; j += LM_TABLE_BLOCK)
            for (size_t i = first; i < first + BAND && i < g->rows && i < j + LM_TABLE_BLOCK; i += ROWS)
                add_tile(&d, i, j);
    table->columns = 0;
}
