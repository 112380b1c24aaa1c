/*
 * Rounds of colour refinement by classes: the partition of the vertices is refined where it changes (graph/equitable.h), and
 * a round computes one colour for each class, from one of its vertices. The partitions and colours of all rounds are
 * those of rounds over all vertices, which are quicker while most classes change.
 *
 * All rounds together take O((n + m) log n) without colours. The colours of a round take O(c d) for c classes of mean degree d.
 */
#ifndef LM_CLASS_ROUNDS_H
#define LM_CLASS_ROUNDS_H

#include "graph/equitable.h"
#include "refine/histogram.h"

typedef struct lm_class_rounds {
    lm_equitable partition;
    bool begun;
    uint64_t *sum; /* [classes] the colours as neighbours see them, before the round */
} lm_class_rounds;

/* So many rounds are computed over all vertices before classes are looked for. */
enum { LM_FIRST_CLASS_ROUND = 6 };

/* Returns true if rounds by classes are worthwhile for a graph with so many vertices. Its space must not reduce twins. */
bool lm_class_rounds_suit(size_t vertices, const leman_coloring *coloring);
/* Allocates the arrays in the context's scratch; lm_class_rounds_bytes() returns their size. */
leman_status lm_class_rounds_new(leman_context *ctx, const lm_space *space, lm_class_rounds *rounds);
uint64_t lm_class_rounds_bytes(size_t vertices);

/* Begins with the colours of the vertices before and after a round. The histogram becomes that of the round. Returns
 * true if the round divided a class. */
bool lm_class_rounds_begin(lm_class_rounds *rounds, const lm_space *space, const uint64_t *before,
                           const uint64_t *after, lm_histogram *histogram);
/* Computes the next round by the rule `sums`. colors[histogram->tuple[i]] becomes the colour of class i; colors of other
 * vertices are not set. next[classes] is scratch. Without `colored` no colours are computed, neither now nor later.
 * Returns true if the round divided a class. */
bool lm_class_rounds_step(lm_class_rounds *rounds, const lm_space *space, unsigned sums, bool colored, int threads,
                          uint64_t *colors, uint64_t *next, lm_histogram *histogram);

/* Writes the colours of all vertices. */
void lm_class_rounds_spread(const lm_class_rounds *rounds, const lm_histogram *histogram, uint64_t *colors);

#endif
