/*
 * Breadth-first searches of limited depth: the ball around a vertex, its vertices in the order of their distances.
 */
#ifndef LM_BALL_H
#define LM_BALL_H

#include "refine/adjacency.h"

enum { LM_FAR = INT32_MAX }; /* the depth of vertices outside the ball */

typedef struct lm_ball {
    const lm_adjacency *arcs;
    uint32_t *order; /* [size] of [n]: the vertices by increasing depth */
    uint32_t *depth; /* [n] the distance from the root; LM_FAR outside the ball */
    size_t size;
} lm_ball;

/* Makes an empty ball for searches along the arcs of n vertices, in the context's scratch. */
leman_status lm_ball_new(leman_context *ctx, size_t n, const lm_adjacency *arcs, lm_ball *ball);
/* Replaces the ball by the vertices at distance 0 .. radius from the root. If `within` is not NULL, only vertices w with
 * within[w] <= bound are visited, and the root must be one of them. O(vertices and arcs of the old and new ball). */
void lm_ball_search(lm_ball *ball, uint32_t root, uint32_t radius, const uint32_t *within, uint32_t bound);

#endif
