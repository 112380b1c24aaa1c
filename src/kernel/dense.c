/*
 * The dense part of a Gram matrix: the sum over columns f of multiplicity_f * combine(t[f][i], t[f][j]) for all i < j.
 *
 * Tiles of ROWS x COLUMNS pairs are summed in registers, in 32 bits: values are below 2^16, so a product fits, and
 * before sums could overflow they are added to the tile's 64-bit ones. A panel of the table stays in the nearest cache
 * while a band of rows passes over it.
 */
#include "kernel/gram.h"

enum { ROWS = 4, COLUMNS = 16, PANEL = 8 * COLUMNS, BAND = 16 * ROWS };

typedef struct job {
    const uint32_t *table, *multiplicity;
    size_t columns;
    size_t safe; /* columns that can be added up in 32 bits */
    lm_gram *gram;
} job;

/* How many columns can be added up in 32 bits when no value exceeds `largest`. */
static size_t safe_columns(uint32_t largest, bool minima)
{
    uint64_t most = minima ? largest : (uint64_t)largest * largest;
    return most ? (size_t)(UINT32_MAX / most) : SIZE_MAX;
}

/* tile[ROWS][COLUMNS] = sum over columns first..last of the products of rows i.. and j.. */
static void products(const job *d, size_t first, size_t last, size_t i, size_t j, uint32_t tile[ROWS][COLUMNS])
{
    for (size_t f = first; f < last; f++) {
        const uint32_t *left = d->table + f * d->gram->rows + i, *right = d->table + f * d->gram->rows + j;
        for (size_t a = 0; a < ROWS; a++)
            for (size_t b = 0; b < COLUMNS; b++) tile[a][b] += left[a] * right[b];
    }
}

static void minima(const job *d, size_t first, size_t last, size_t i, size_t j, uint32_t tile[ROWS][COLUMNS])
{
    for (size_t f = first; f < last; f++) {
        const uint32_t *left = d->table + f * d->gram->rows + i, *right = d->table + f * d->gram->rows + j;
        for (size_t a = 0; a < ROWS; a++)
            for (size_t b = 0; b < COLUMNS; b++) tile[a][b] += left[a] < right[b] ? left[a] : right[b];
    }
}

/* A whole tile above the diagonal. */
static void inner(const job *d, size_t i, size_t j)
{
    uint64_t sum[ROWS][COLUMNS] = {{0}};
    for (size_t first = 0, last; first < d->columns; first = last) {
        uint32_t tile[ROWS][COLUMNS] = {{0}};
        for (last = first + 1; last < d->columns && last - first < d->safe; last++)
            if (d->multiplicity[last] != d->multiplicity[first]) break;
        if (d->gram->minima)
            minima(d, first, last, i, j, tile);
        else
            products(d, first, last, i, j, tile);
        for (size_t a = 0; a < ROWS; a++)
            for (size_t b = 0; b < COLUMNS; b++) sum[a][b] += (uint64_t)d->multiplicity[first] * tile[a][b];
    }
    for (size_t a = 0; a < ROWS; a++)
        for (size_t b = 0; b < COLUMNS; b++) d->gram->cell[(i + a) * d->gram->columns + j + b].sum += sum[a][b];
}

/* A tile at the edge of the matrix, or one that the diagonal cuts. */
static void edge(const job *d, size_t i, size_t j)
{
    lm_gram *g = d->gram;
    for (size_t a = i; a < i + ROWS && a < g->rows; a++)
        for (size_t b = j > a + 1 ? j : a + 1; b < j + COLUMNS && b < g->rows; b++)
            for (size_t f = 0; f < d->columns; f++) {
                uint64_t x = d->table[f * g->rows + a], y = d->table[f * g->rows + b];
                g->cell[a * g->columns + b].sum += d->multiplicity[f] * (!g->minima ? x * y : x < y ? x : y);
            }
}

/* The tiles of rows i .. i + BAND with one panel. */
static void band(const job *d, size_t first, size_t panel)
{
    size_t rows = d->gram->rows;
    for (size_t i = first; i < rows && i < first + BAND; i += ROWS)
        for (size_t j = panel; j < rows && j < panel + PANEL; j += COLUMNS) {
            if (j + COLUMNS <= i) continue; /* below the diagonal */
            if (j >= i + ROWS && i + ROWS <= rows && j + COLUMNS <= rows)
                inner(d, i, j);
            else
                edge(d, i, j);
        }
}

void lm_gram_dense(const uint32_t *table, const uint32_t *multiplicity, size_t columns, lm_gram *g, int threads)
{
    uint32_t largest = 0;
    for (size_t i = 0; i < columns * g->rows; i++)
        if (table[i] > largest) largest = table[i];
    job d = {table, multiplicity, columns, safe_columns(largest, g->minima), g};
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads) if (threads > 1)
    for (size_t first = 0; first < g->rows; first += BAND)
        for (size_t panel = first / PANEL * PANEL; panel < g->rows; panel += PANEL) band(&d, first, panel);
}
