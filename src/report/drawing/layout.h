/* Where the vertices of a small graph stand in a drawing. */
#ifndef LM_LAYOUT_H
#define LM_LAYOUT_H

#include "leman.h"

enum { LM_LAYOUT_VERTICES = 256 }; /* at most */

/*
 * Places place[vertices][2] that bring every two vertices as far apart as their distance d in the graph, near ones more
 * strictly than far ones: least stress, the sum over pairs of (|p_u - p_v| - d_uv)^2 / d_uv^2. Parts that are not
 * connected stand a little apart. The longest extent lies level, the middle at 0, and an edge is about 1 long.
 * Deterministic: some starts, the best end. O(starts steps n^2).
 */
leman_status lm_layout_compute(leman_context *ctx, const leman_graph *graph, double *place);
/* Pushes places that are nearer to each other than `least` apart, a few times over: discs drawn there show. O(n^2). */
void lm_layout_separate(double *place, size_t n, double min);

#endif
