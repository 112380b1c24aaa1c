/*
 * The parts of a data set that kernels use. Two data sets can be compared, and features of one used for the other, if
 * these parts agree. Vertex labels are compared only if both have vertices, edge labels only if both have arcs.
 */
#ifndef LM_REQUIRED_INPUTS_H
#define LM_REQUIRED_INPUTS_H

#include "graph/dataset.h"

/* The numbers of label columns of the data, each 0 if no kernel uses these labels; directed: the graphs are directed
 * and a kernel uses the directions. Computed by lm_kernels_required_inputs(). */
typedef struct lm_required_inputs {
    bool directed;
    size_t vertex_labels, edge_labels;
    size_t vertex_attributes; /* 0 if no kernel has binnings */
    bool vertices, arcs;      /* the data set has vertices; has arcs */
} lm_required_inputs;

lm_required_inputs lm_kernels_required_inputs(const leman_kernel *kernels, size_t count, const leman_dataset *data);
/* Fails with LEMAN_ERROR_INPUT if the inputs `found` in the data called `name` are not those expected. `as` ends the
 * message with the reason for the expectation: "as all.zip has". */
leman_status lm_required_inputs_check(leman_context *ctx, const char *name, lm_required_inputs found,
                                      lm_required_inputs expected, const char *as);

#endif
