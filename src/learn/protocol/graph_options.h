/* Options of single graphs, which fits and evaluations share: weights, and bounds of targets. */
#ifndef LM_GRAPH_OPTIONS_H
#define LM_GRAPH_OPTIONS_H

#include "base/context.h"

/* Copies the weights given[] of graph[count] (NULL: 0, 1, ...) to weight[count]. Fails with LEMAN_ERROR_INPUT, with the
 * name of the data, if one of them is not in 1e-100 .. 1e100. */
leman_status lm_graph_weights_read(leman_context *ctx, const char *name, const double *given, const size_t *graph,
                                   size_t count, double *weight);
/* Copies the bounds given[] of the targets of graph[count] to bound[count]. Fails with LEMAN_ERROR_ARGUMENT if one of them
 * is not -1, 0 or 1, and with LEMAN_ERROR_INPUT, with the name of the data, if no target is a value. */
leman_status lm_graph_bounds_read(leman_context *ctx, const char *name, const int8_t *given, const size_t *graph,
                                  size_t count, int8_t *bound);

#endif
