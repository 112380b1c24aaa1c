/* Positions of the vertices of a small graph in a drawing. */
#ifndef LM_LAYOUT_H
#define LM_LAYOUT_H

#include "leman.h"
#include "report/drawing/geometry.h"

enum { LM_LAYOUT_VERTICES = 256 }; /* the most vertices */

/*
 * Computes place[vertices] of low stress, the sum over pairs of (|p_u - p_v| - d_uv)^2 / d_uv^2, where d_uv is the
 * distance in the graph. Components are drawn a little apart. The longest extent is horizontal, the mean is at 0, and
 * an edge is about 1 long. Deterministic: the best of several starts. Fails with LEMAN_ERROR_ARGUMENT for more than
 * LM_LAYOUT_VERTICES vertices. O(starts steps n^2).
 */
leman_status lm_layout_compute(leman_context *ctx, const leman_graph *graph, lm_point *place);
/* Moves positions that are closer than `min` apart, in a fixed number of passes, so that discs do not hide each other.
 * O(n^2). */
void lm_layout_separate(lm_point *place, size_t n, double min);

#endif
