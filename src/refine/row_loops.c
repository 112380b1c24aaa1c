/*
 * A gather within a row is done for LM_BLOCK rows at once. The rows are transposed first, so that the numbers of a
 * vertex are adjacent, and a neighbour costs its index, one cache line and a few vector instructions for all rows. Both
 * transpositions work on squares of two. Row by row, a neighbour would cost a load and an addition in each row.
 *
 * docs/scaling.md has the times of both versions.
 */
#include "refine/row_loops.h"
#include "base/hash.h"
#include <stdbool.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

typedef uint64_t two_words __attribute__((vector_size(16), may_alias, aligned(8)));
#ifdef __AVX512F__
typedef uint64_t vector __attribute__((vector_size(64), may_alias, aligned(8)));
#elif defined __AVX2__
typedef uint64_t vector __attribute__((vector_size(32), may_alias, aligned(8)));
#else
typedef two_words vector;
#endif
enum { VECTORS = LM_BLOCK * sizeof(uint64_t) / sizeof(vector) };

/* LM_BLOCK adjacent numbers. */
typedef struct line {
    vector part[VECTORS];
} line;

INLINE line load(const uint64_t *from)
{
    line loaded;
    for (size_t i = 0; i < VECTORS; i++) loaded.part[i] = ((const vector *)from)[i];
    return loaded;
}

INLINE void store(line row, uint64_t *to)
{
    for (size_t i = 0; i < VECTORS; i++) ((vector *)to)[i] = row.part[i];
}

INLINE line add(line x, line y)
{
    for (size_t i = 0; i < VECTORS; i++) x.part[i] += y.part[i];
    return x;
}

/* ---- Mixing ---------------------------------------------------------------------------------- */

/* terms is a compile-time constant. The loop is correct whether `to` is `base` or not, since tuples are independent. */
INLINE void mix_each(const lm_mix_terms *m, size_t terms, const uint64_t *base, size_t n, uint64_t *to)
{
    const lm_mix_terms own = *m; /* a local copy that nothing aliases: its numbers stay in registers */
#pragma omp simd
    for (size_t i = 0; i < n; i++) {
        uint64_t x = base[i];
        for (size_t t = 0; t < terms; t++) x += own.sums[t][i] * own.multiplier[t];
        to[i] = lm_mix(x);
    }
}

static void mix_sums(const lm_mix_terms *m, const uint64_t *base, size_t n, uint64_t *to)
{
    switch (m->count) {
    case 1: mix_each(m, 1, base, n, to); break;
    case 2: mix_each(m, 2, base, n, to); break;
    default: mix_each(m, 3, base, n, to); break;
    }
}

/* ---- Sums of whole rows ---------------------------------------------------------------------- */

enum { MOST_ROWS = 6 /* rows that are summed in one pass */ };

/* into[n] = the sum of `count` rows, plus into[n] unless they are the first. count is a constant, 1 to MOST_ROWS. */
INLINE void sum_few_rows(const uint64_t *const *row, size_t count, bool first, size_t n, uint64_t *restrict into)
{
    const uint64_t *own[MOST_ROWS] = {row[0]};
    for (size_t r = 1; r < count; r++) own[r] = row[r];
    for (size_t i = 0; i < n; i++) {
        uint64_t sum = first ? own[0][i] : into[i] + own[0][i];
        for (size_t r = 1; r < count; r++) sum += own[r][i];
        into[i] = sum;
    }
}

static void sum_rows(const uint64_t *first, size_t stride, const uint32_t *head, size_t count, size_t n, uint64_t *into)
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

/* ---- Sums within rows ------------------------------------------------------------------------ */

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
INLINE void sum_beside(const uint32_t *head, size_t count, const uint64_t *beside, two_words *sum)
{
    line all = {0};
    for (size_t e = 0; e < count; e++) all = add(all, load(beside + (size_t)head[e] * LM_BLOCK));
    store(all, (uint64_t *)sum);
}

static void gather_rows(const uint64_t *start, const uint32_t *head, const uint64_t *from, size_t n, size_t rows,
                        uint64_t *beside, uint64_t *into)
{
    two_words one[LM_BLOCK / 2], other[LM_BLOCK / 2];
    size_t v = 0;
    if (rows < LM_BLOCK) {
        gather_each(start, head, from, n, rows, into);
        return;
    }
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

/* ---- Sums by subsets ------------------------------------------------------------------------- */

/* Fills the table with the sums of all subsets of up to five rows. */
static void fill_table(const uint64_t *from, size_t step, size_t rows, uint64_t *table)
{
    memset(table, 0, LM_BLOCK * sizeof *table);
    for (size_t i = 0; i < rows; i++) {
        const line row = load(from + i * step);
        const size_t half = (size_t)LM_BLOCK << i; /* words of the subsets without row i */
        for (size_t at = 0; at < half; at += LM_BLOCK) store(add(load(table + at), row), table + half + at);
    }
}

static void subset_sums(const uint8_t *subset, size_t n, const uint64_t *from, size_t from_step, uint64_t *table,
                        uint64_t *into, size_t into_step)
{
    const size_t sets = lm_subset_count(n), words = (size_t)LM_BLOCK << LM_SUBSET_OF;
    for (size_t first = 0; first < sets; first += LM_SUBSET_SETS) {
        const size_t count = sets - first < LM_SUBSET_SETS ? sets - first : LM_SUBSET_SETS;
        for (size_t i = 0; i < count; i++) {
            const size_t vertex = (first + i) * LM_SUBSET_OF, left = n - vertex;
            fill_table(from + vertex * from_step, from_step, left < LM_SUBSET_OF ? left : LM_SUBSET_OF,
                       table + i * words);
        }
        for (size_t v = 0; v < n; v++) {
            const uint8_t *own = subset + v * sets + first;
            line sum = {0};
            if (first) sum = load(into + v * into_step);
            for (size_t i = 0; i < count; i++) sum = add(sum, load(table + i * words + (size_t)own[i] * LM_BLOCK));
            store(sum, into + v * into_step);
        }
    }
}

/* ---- The table ------------------------------------------------------------------------------- */

#ifdef LM_ROW_LOOPS
const lm_row_loops LM_ROW_LOOPS = {mix_sums, sum_rows, gather_rows, subset_sums};
#else
const lm_row_loops lm_row_loops_plain = {mix_sums, sum_rows, gather_rows, subset_sums};

const lm_row_loops *lm_row_loops_best(void)
{
#ifdef __x86_64__
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) return &lm_row_loops_avx512;
    if (__builtin_cpu_supports("avx2")) return &lm_row_loops_avx2;
#endif
    return &lm_row_loops_plain;
}
#endif
