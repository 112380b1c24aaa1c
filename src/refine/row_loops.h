/*
 * The inner loops of a round over rows of numbers: sums of whole rows, sums over neighbours within rows, and the mixing
 * of the sums. row_loops.c has them once; it is compiled for every processor, and again for AVX2 and AVX-512
 * (row_loops_avx2.c, row_loops_avx512.c).
 */
#ifndef LM_ROW_LOOPS_H
#define LM_ROW_LOOPS_H

#include <stddef.h>
#include <stdint.h>

enum {
    LM_BLOCK = 8,     /* rows of one gather; numbers of a cache line */
    LM_MIX_TERMS = 3, /* terms of one mix, at most */
    /* Sums by subsets. Vertices are grouped in sets of five. For each set a table holds the sums of all its subsets, at
     * the cost of one addition each. Every vertex then adds one entry of the table of each set: n / 5 additions instead
     * of one for each neighbour, plus 6 for its share of the tables (Arlazarov, Dinic, Kronrod and Faradzhev, 1970). */
    LM_SUBSET_OF = 5,       /* vertices of a set */
    LM_SUBSET_SETS = 16,    /* sets whose tables are held at a time */
    LM_SUBSET_SMALLEST = 28 /* vertices of the smallest graph in which a vertex can have enough neighbours */
};

#define LM_SUBSET_TABLE ((size_t)LM_SUBSET_SETS * LM_BLOCK << LM_SUBSET_OF) /* words */

/* Returns the number of sets of five into which n vertices are grouped, rounded up. */
static inline size_t lm_subset_count(size_t n)
{
    return (n + LM_SUBSET_OF - 1) / LM_SUBSET_OF;
}

typedef struct lm_mix_terms {
    size_t count; /* at least 1 */
    const uint64_t *sums[LM_MIX_TERMS];
    uint64_t multiplier[LM_MIX_TERMS];
} lm_mix_terms;

typedef struct lm_row_loops {
    /* to[i] = lm_mix(base[i] + the sum over terms t of sums[t][i] * multiplier[t]) for i < n. to may be base. */
    void (*mix)(const lm_mix_terms *terms, const uint64_t *base, size_t n, uint64_t *to);
    /* into[i] = sum over w in head[0..count) of first[w * stride + i], for i < n. */
    void (*sum)(const uint64_t *first, size_t stride, const uint32_t *head, size_t count, size_t n, uint64_t *into);
    /* into[b * n + v] = sum over w in the list of v of from[b * n + w], for b < rows <= LM_BLOCK and v < n. The list of
     * v is head[start[v] .. start[v + 1]). beside[n * LM_BLOCK] is scratch. */
    void (*gather)(const uint64_t *start, const uint32_t *head, const uint64_t *from, size_t n, size_t rows,
                   uint64_t *beside, uint64_t *into);
    /* into[v] = sum over the neighbours w of v of from[w], for rows of LM_BLOCK numbers. Bit i of subset[v][j], j <
     * lm_subset_count(n), says whether vertex 5 j + i is a neighbour of v. Row v begins at from + v * from_step and at
     * into + v * into_step. table[LM_SUBSET_TABLE] is scratch and should begin at a cache line. */
    void (*subsets)(const uint8_t *subset, size_t n, const uint64_t *from, size_t from_step, uint64_t *table,
                    uint64_t *into, size_t into_step);
} lm_row_loops;

extern const lm_row_loops lm_row_loops_plain, lm_row_loops_avx2, lm_row_loops_avx512; /* AVX: only on x86-64 */

/* Returns the fastest loops that this processor can run. */
const lm_row_loops *lm_row_loops_best(void);

#endif
