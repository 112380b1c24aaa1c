/*
 * The dense part of a Gram matrix: sum over columns f of combine(t[f][i], t[f][j]) for all i < j, in tiles of TILE x
 * TILE pairs whose 32-bit sums stay in registers and the nearest cache. Values are below 2^16, so a product fits 32
 * bits; before a tile's sums could overflow they are added to the 64-bit matrix.
 */
#include "kernel/gram.h"

enum { ROWS = 4, COLUMNS = 16 };

/* How many columns can be added up in 32 bits when no value exceeds `largest`. */
static size_t safe_columns(uint32_t largest, bool minima)
{
    uint64_t most = minima ? largest : (uint64_t)largest * largest;
    return most ? (size_t)(UINT32_MAX / most) : SIZE_MAX;
}

/* tile[ROWS][COLUMNS] = sum over f in first..last of products of rows i.. and columns j.. */
static void products(const uint32_t *table, size_t first, size_t last, size_t stride, size_t i, size_t j,
                     uint32_t tile[ROWS][COLUMNS])
{
    for (size_t f = first; f < last; f++) {
        const uint32_t *left = table + f * stride + i, *right = table + f * stride + j;
        for (size_t a = 0; a < ROWS; a++)
            for (size_t b = 0; b < COLUMNS; b++) tile[a][b] += left[a] * right[b];
    }
}

static void minima(const uint32_t *table, size_t first, size_t last, size_t stride, size_t i, size_t j,
                   uint32_t tile[ROWS][COLUMNS])
{
    for (size_t f = first; f < last; f++) {
        const uint32_t *left = table + f * stride + i, *right = table + f * stride + j;
        for (size_t a = 0; a < ROWS; a++)
            for (size_t b = 0; b < COLUMNS; b++) tile[a][b] += left[a] < right[b] ? left[a] : right[b];
    }
}

/* One tile at the edge of the matrix, or one that the diagonal cuts. */
static void edge(const uint32_t *table, size_t columns, size_t stride, uint64_t multiplicity, size_t i, size_t j,
                 lm_gram *g)
{
    for (size_t a = i; a < i + ROWS && a < g->rows; a++)
        for (size_t b = j > a + 1 ? j : a + 1; b < j + COLUMNS && b < g->columns; b++) {
            uint64_t sum = 0;
            for (size_t f = 0; f < columns; f++) {
                uint64_t x = table[f * stride + a], y = table[f * stride + b];
                sum += g->minima ? (x < y ? x : y) : x * y;
            }
            g->cell[a * g->columns + b].sum += multiplicity * sum;
        }
}

static void inner(const uint32_t *table, size_t columns, size_t stride, size_t safe, uint64_t multiplicity, size_t i,
                  size_t j, lm_gram *g)
{
    for (size_t first = 0, last; first < columns; first = last) {
        uint32_t tile[ROWS][COLUMNS] = {{0}};
        last = columns - first < safe ? columns : first + safe;
        if (g->minima)
            minima(table, first, last, stride, i, j, tile);
        else
            products(table, first, last, stride, i, j, tile);
        for (size_t a = 0; a < ROWS; a++)
            for (size_t b = 0; b < COLUMNS; b++) g->cell[(i + a) * g->columns + j + b].sum += multiplicity * tile[a][b];
    }
}

void lm_gram_dense(const uint32_t *table, size_t columns, size_t stride, uint64_t multiplicity, lm_gram *g, int threads)
{
    uint32_t largest = 0;
    for (size_t f = 0; f < columns; f++)
        for (size_t i = 0; i < g->rows; i++)
            if (table[f * stride + i] > largest) largest = table[f * stride + i];
    size_t safe = safe_columns(largest, g->minima);
#pragma omp parallel for schedule(dynamic, 4) num_threads(threads) if (threads > 1)
    for (size_t i = 0; i < g->rows; i += ROWS)
        for (size_t j = i / COLUMNS * COLUMNS; j < g->columns; j += COLUMNS) {
            bool whole = i + ROWS <= g->rows && j + COLUMNS <= g->columns && j >= i + ROWS;
            if (whole)
                inner(table, columns, stride, safe, multiplicity, i, j, g);
            else
                edge(table, columns, stride, multiplicity, i, j, g);
        }
}
