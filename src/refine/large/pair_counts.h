/* Counting the colours of pairs in little memory: for a caller who reads their number alone. */
#ifndef LM_PAIR_COUNTS_H
#define LM_PAIR_COUNTS_H

#include "refine/histogram.h"

/* Returns the number of vertices that are not known to be single after this round. They are the first ones. */
static inline size_t lm_not_single(const lm_space *s, uint32_t round)
{
    size_t first = 0;
    if (!s->known.single) return s->n;
    while (first < s->n && !lm_known_by(s->known.single[first], round)) first++;
    return first;
}

/* Returns the number of different colours after round `round` of a dense space with k = 2. Pairs of vertices that are single
 * have colours of their own and are not read. words[lm_pair_counts_words()] is scratch. O(n^2). */
uint64_t lm_count_pairs(const lm_space *space, uint32_t round, const uint64_t *colors, uint64_t *words, int threads);
size_t lm_pair_counts_words(const lm_space *space);

#endif
