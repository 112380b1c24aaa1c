/*
 * What colours of vertices say about those of tuples.
 *
 * For k >= 2 the colour of a tuple after h rounds determines the colours of its components after h rounds of 1-WL, be
 * labels of edges left out: an atomic type has the labels of the components, and the neighbours of a component are
 * among the tuples that a round sums over, or told apart from the others by their types. So
 *
 *   a tuple one of whose components is *exclusive*, as no other graph has a vertex of its colour, has a colour that no
 *   other graph has;
 *   a tuple whose components are all *single*, as no other vertex of the graph has their colours, has a colour that no
 *   other tuple of the graph has.
 *
 * What holds after a round holds after all later ones. Colours of vertices that collide make vertices look alike that
 * are not: that costs time, and nothing else.
 */
#ifndef LM_VERTEX_ROUNDS_H
#define LM_VERTEX_ROUNDS_H

#include "base/context.h"

enum { LM_NEVER = UINT8_MAX };

/* The first round after which each vertex is single, or exclusive; LM_NEVER: it was not seen to be. NULL both where
 * that is not known. */
typedef struct lm_vertex_rounds {
    uint8_t *single, *exclusive;
} lm_vertex_rounds;

/* Of all vertices of the data set, one graph after the other; not where that would take too much of the budget, or for
 * graphs so small that it saves nothing. O(rounds (arcs + n)), 50 bytes a vertex on the way. Both arrays are the
 * caller's to free. */
leman_status lm_vertex_rounds_find(leman_context *ctx, const leman_dataset *data, const leman_coloring *coloring,
                                   lm_vertex_rounds *found);
/* Those from vertex `first` on. */
static inline lm_vertex_rounds lm_vertex_rounds_from(const lm_vertex_rounds *all, size_t first)
{
    return all->single ? (lm_vertex_rounds){all->single + first, all->exclusive + first} : *all;
}

#endif
