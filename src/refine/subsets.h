/*
 * Sums over neighbours in dense graphs: into[v] = the sum over the neighbours w of v of from[w], rows of a few numbers.
 *
 * Vertices are taken by fives. The sums of all subsets of five rows stand in a table, at one addition each; then every
 * vertex adds one of them for each five: n / 5 additions instead of as many as it has neighbours, and 6 for its part of
 * the tables (after Arlazarov, Dinic, Kronrod and Faradzhev, 1970).
 */
#ifndef LM_SUBSETS_H
#define LM_SUBSETS_H

#include <stddef.h>
#include <stdint.h>

enum {
    LM_SUBSET_OF = 5,       /* vertices */
    LM_SUBSET_ROW = 8,      /* numbers: a cache line */
    LM_SUBSET_SETS = 16,    /* of five that have their table at a time */
    LM_SUBSET_SMALLEST = 28 /* graph: in others no vertex has enough neighbours */
};

#define LM_SUBSET_TABLE ((size_t)LM_SUBSET_SETS * LM_SUBSET_ROW << LM_SUBSET_OF) /* words */

/* How many fives there are. */
static inline size_t lm_subset_count(size_t n)
{
    return (n + LM_SUBSET_OF - 1) / LM_SUBSET_OF;
}

/* subset[n][lm_subset_count(n)]: bit i of number j says whether vertex 5 j + i is a neighbour. Row v of from begins at
 * from + v * from_step, and of into likewise. table is scratch, best at the beginning of a cache line. */
void lm_subset_sums(const uint8_t *subset, size_t n, const uint64_t *from, size_t from_step, uint64_t *table,
                    uint64_t *into, size_t into_step);

#endif
