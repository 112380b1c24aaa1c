/*
 * Conclusions from 1-WL colours of vertices about colours of tuples.
 *
 * Let k >= 2. If edge labels are ignored, the colour of a tuple after h rounds determines the 1-WL colour of each of
 * its vertices after h rounds: an atomic type contains the labels of the components, and the neighbours of a component
 * are either among the tuples that a round sums over, or distinguished from other vertices by the types. Hence:
 *
 *   A vertex is *exclusive* if no other graph has a vertex of its colour. A tuple with an exclusive component has a
 *   colour that occurs in no other graph.
 *   A vertex is *single* if no other vertex of its graph has its colour. A tuple whose components are all single has a
 *   colour that no other tuple of its graph has.
 *
 * Both properties stay true in later rounds. If colours of vertices collide, fewer vertices are found to be single or
 * exclusive: this costs time, but no result changes.
 */
#ifndef LM_VERTEX_ROUNDS_H
#define LM_VERTEX_ROUNDS_H

#include "base/context.h"

enum { LM_NEVER = UINT8_MAX };
/* Returns true if a vertex that is single, or exclusive, from round `first` on is so after this round. */
static inline bool lm_known_by(uint8_t first, uint32_t round)
{
    return first != LM_NEVER && first <= round;
}

/* For each vertex the first round after which it is single, or exclusive; LM_NEVER if no round is known. Both arrays
 * are NULL if nothing is known. */
typedef struct lm_vertex_rounds {
    uint8_t *single, *exclusive;
} lm_vertex_rounds;

static inline void lm_vertex_rounds_release(const lm_vertex_rounds *rounds)
{
    lm_release(rounds->single);
    lm_release(rounds->exclusive);
}

/* Computes the rounds of all vertices of the data set, graph by graph. Leaves both arrays NULL if they would take too
 * much of the budget, or if the graphs are too small for it to pay. O(rounds (arcs + n)) time; 50 bytes a vertex while
 * it runs. The caller calls lm_vertex_rounds_release(). */
leman_status lm_vertex_rounds_find(leman_context *ctx, const leman_dataset *data, const leman_coloring *coloring,
                                   lm_vertex_rounds *found);
/* Returns the arrays from vertex `first` on. */
static inline lm_vertex_rounds lm_vertex_rounds_from(const lm_vertex_rounds *all, size_t first)
{
    return all->single ? (lm_vertex_rounds){all->single + first, all->exclusive + first} : *all;
}

#endif
