/*
 * Sums over neighbours in dense graphs: into[v] = sum over the neighbours w of v of from[w], for rows of a few numbers.
 *
 * Vertices are grouped in sets of five. For each set a table holds the sums of all its subsets of rows, at the cost of
 * one addition each. Every vertex then adds one entry of the table of each set: n / 5 additions instead of one for each
 * neighbour, plus 6 for its share of the tables (Arlazarov, Dinic, Kronrod and Faradzhev, 1970).
 */
#ifndef LM_SUBSETS_H
#define LM_SUBSETS_H

#include <stddef.h>
#include <stdint.h>

enum {
    LM_SUBSET_OF = 5,       /* vertices of a set */
    LM_SUBSET_ROW = 8,      /* numbers of a row: a cache line */
    LM_SUBSET_SETS = 16,    /* sets whose tables are held at a time */
    LM_SUBSET_SMALLEST = 28 /* vertices of the smallest graph in which a vertex can have enough neighbours */
};

#define LM_SUBSET_TABLE ((size_t)LM_SUBSET_SETS * LM_SUBSET_ROW << LM_SUBSET_OF) /* words */

/* Returns the number of sets of five into which n vertices are grouped, rounded up. */
static inline size_t lm_subset_count(size_t n)
{
    return (n + LM_SUBSET_OF - 1) / LM_SUBSET_OF;
}

/* Computes into[v] = sum over the neighbours w of v of from[w], for rows of LM_SUBSET_ROW numbers. Bit i of
 * subset[v][j], j < lm_subset_count(n), says whether vertex 5 j + i is a neighbour of v. Row v begins at from + v *
 * from_step and at into + v * into_step. table[LM_SUBSET_TABLE] is scratch and should begin at a cache line. */
void lm_subset_sums(const uint8_t *subset, size_t n, const uint64_t *from, size_t from_step, uint64_t *table,
                    uint64_t *into, size_t into_step);

#endif
