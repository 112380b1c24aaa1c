/* Numbers in pictures of attributions. */
#ifndef LM_REPORT_ATTRIBUTION_H
#define LM_REPORT_ATTRIBUTION_H

#include "leman.h"

/* Return the value that pictures show for a vertex or an edge. If the contributions and a rest add up to the score, the
 * rest is spread evenly over the vertices (or edges), so that the values shown add up to the score. Without this, the
 * bias of an SVM on vectors of length 1, which balances what all graphs have in common, would give all vertices one
 * colour. */
double lm_attribution_vertex(const leman_attribution *a, size_t vertex);
double lm_attribution_edge(const leman_attribution *a, size_t edge);

#endif
