/*
 * Sums over neighbours by numbers of common neighbours.
 *
 * Where pairs of an undirected graph without loops have three colours, d those of equal vertices, e of adjacent and z
 * of others, as atomic types without labels are, and c(u, v) is the number of common neighbours of u and v,
 *
 *   the sum of C(u, w) over w in N(v) = e c(u, v) + d [u in N(v)] + z (deg(v) - c(u, v) - [u in N(v)])
 *
 * and the sum of C(w, v) over w in N(u) is the same with deg(u). Neighbours are sets of bits, so that c takes n / 128
 * or n / 64 steps instead of an addition for each neighbour, or for each five vertices.
 */
#ifndef LM_COMMON_NEIGHBORS_H
#define LM_COMMON_NEIGHBORS_H

#include "refine/space.h"

typedef struct lm_common_neighbors {
    size_t n, words;                /* of a set */
    const uint64_t *bits;           /* [n][words] */
    const uint64_t *others;         /* [n] z deg(v) */
    uint64_t equal, adjacent, less; /* d - z, e, e - z */
} lm_common_neighbors;

/* Words of scratch for n vertices. */
size_t lm_common_neighbors_scratch(size_t n);
/* Have the pairs three colours, in such a graph? That is seen at the first pairs where they have not, as a rule. The
 * struct keeps the scratch. */
bool lm_common_neighbors_begin(const lm_space *space, const uint64_t *colors, uint64_t *scratch,
                               lm_common_neighbors *common);
/* counts[n] = c(u, *). */
void lm_common_neighbors_count(const lm_common_neighbors *common, size_t u, uint32_t *counts);
/* The sums over component `axis` of row u, from its numbers and its colours. */
void lm_common_neighbors_sums(const lm_common_neighbors *common, size_t u, size_t axis, const uint32_t *counts,
                              const uint64_t *row, uint64_t *into);

#endif
