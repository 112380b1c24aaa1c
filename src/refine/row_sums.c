/*
 * Sums over neighbours: of whole rows, and within rows.
 *
 * The sum within a row is a gather, done for LM_BLOCK rows at once. The rows are transposed first, so that the numbers
 * of a vertex are adjacent, and a neighbour costs its index, one cache line and a few vector instructions for all rows.
 * Both transpositions work on squares of two. Row by row, a neighbour would cost a load and an addition in each row.
 */
#include "refine/row_sums.h"
#include <stdbool.h>
#include <string.h>

enum { MOST_ROWS = 6 /* rows that are summed in one pass */ };

/* into[n] = the sum of `count` rows, plus into[n] unless they are the first. count is a constant, 1 to MOST_ROWS. */
static inline __attribute__((always_inline)) void sum_few_rows(const uint64_t *const *row, size_t count, bool first,
                                                               size_t n, uint64_t *restrict into)
{
    const uint64_t *own[MOST_ROWS] = {row[0]};
    for (size_t r = 1; r < count; r++) own[r] = row[r];
    for (size_t i = 0; i < n; i++) {
        uint64_t sum = first ? own[0][i] : into[i] + own[0][i];
        for (size_t r = 1; r < count; r++) sum += own[r][i];
        into[i] = sum;
    }
}

void lm_sum_rows(const uint64_t *first, size_t stride, const uint32_t *head, size_t count, size_t n, uint64_t *into)
{
    const uint64_t *row[MOST_ROWS];
    const size_t some = count <= MOST_ROWS ? count : (count - 1) % MOST_ROWS + 1; /* rows of the first pass */
    for (size_t i = 0; i < some; i++) row[i] = first + head[i] * stride;
    switch (some) {
    case 0: memset(into, 0, n * sizeof *into); break;
    case 1: sum_few_rows(row, 1, true, n, into); break;
    case 2: sum_few_rows(row, 2, true, n, into); break;
    case 3: sum_few_rows(row, 3, true, n, into); break;
    case 4: sum_few_rows(row, 4, true, n, into); break;
    case 5: sum_few_rows(row, 5, true, n, into); break;
    default: sum_few_rows(row, 6, true, n, into); break;
    }
    for (size_t e = some; e < count; e += MOST_ROWS) {
        for (size_t i = 0; i < MOST_ROWS; i++) row[i] = first + head[e + i] * stride;
        sum_few_rows(row, MOST_ROWS, false, n, into);
    }
}

/* For any number of rows, one by one. */
static void gather_each(const uint64_t *start, const uint32_t *head, const uint64_t *from, size_t n, size_t rows,
                        uint64_t *into)
{
    for (size_t b = 0; b < rows; b++, from += n, into += n)
        for (size_t v = 0; v < n; v++) {
            uint64_t sum = 0;
            for (uint64_t e = start[v]; e < start[v + 1]; e++) sum += from[head[e]];
            into[v] = sum;
        }
}

typedef uint64_t two_words __attribute__((vector_size(16), may_alias, aligned(8)));

/* Transposes LM_BLOCK rows into beside[n][LM_BLOCK]. */
static void put_beside(const uint64_t *from, size_t n, uint64_t *beside)
{
    size_t v = 0;
    for (; v + 2 <= n; v += 2)
        for (size_t b = 0; b < LM_BLOCK; b += 2) {
            const two_words x = *(const two_words *)(from + b * n + v);
            const two_words y = *(const two_words *)(from + (b + 1) * n + v);
            *(two_words *)(beside + v * LM_BLOCK + b) = (two_words){x[0], y[0]};
            *(two_words *)(beside + (v + 1) * LM_BLOCK + b) = (two_words){x[1], y[1]};
        }
    for (size_t b = 0; v < n && b < LM_BLOCK; b++) beside[v * LM_BLOCK + b] = from[b * n + v];
}

/* sum[LM_BLOCK / 2] = the sums of one vertex in all rows. */
static inline __attribute__((always_inline)) void sum_beside(const uint32_t *head, size_t count, const uint64_t *beside,
                                                             two_words *sum)
{
    two_words a = {0}, b = {0}, c = {0}, d = {0};
    for (size_t e = 0; e < count; e++) {
        const two_words *number = (const two_words *)(beside + (size_t)head[e] * LM_BLOCK);
        a += number[0], b += number[1], c += number[2], d += number[3];
    }
    sum[0] = a, sum[1] = b, sum[2] = c, sum[3] = d;
}

static void gather_beside(const uint64_t *start, const uint32_t *head, const uint64_t *from, size_t n, uint64_t *beside,
                          uint64_t *into)
{
    two_words one[LM_BLOCK / 2], other[LM_BLOCK / 2];
    size_t v = 0;
    put_beside(from, n, beside);
    for (; v + 2 <= n; v += 2) {
        sum_beside(head + start[v], start[v + 1] - start[v], beside, one);
        sum_beside(head + start[v + 1], start[v + 2] - start[v + 1], beside, other);
        for (size_t b = 0; b < LM_BLOCK / 2; b++) {
            *(two_words *)(into + 2 * b * n + v) = (two_words){one[b][0], other[b][0]};
            *(two_words *)(into + (2 * b + 1) * n + v) = (two_words){one[b][1], other[b][1]};
        }
    }
    if (v == n) return;
    sum_beside(head + start[v], start[v + 1] - start[v], beside, one);
    for (size_t b = 0; b < LM_BLOCK; b++) into[b * n + v] = one[b / 2][b % 2];
}

void lm_gather_rows(const uint64_t *start, const uint32_t *head, const uint64_t *from, size_t n, size_t rows,
                    uint64_t *beside, uint64_t *into)
{
    if (rows == LM_BLOCK)
        gather_beside(start, head, from, n, beside, into);
    else
        gather_each(start, head, from, n, rows, into);
}
