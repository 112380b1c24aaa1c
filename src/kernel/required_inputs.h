/*
 * What kernels look at in the data: two data sets can be compared, and features of one used for the other, where that
 * is the same. Labels of edges do not matter to data without any.
 */
#ifndef LM_REQUIRED_INPUTS_H
#define LM_REQUIRED_INPUTS_H

#include "graph/dataset.h"

/* The columns of labels that some kernel looks at, 0 where none does; whether arcs have a direction that counts. */
typedef struct lm_required_inputs {
    bool directed;
    size_t vertex_labels, edge_labels;
    bool vertices, arcs; /* are there any? */
} lm_required_inputs;

lm_required_inputs lm_kernels_required_inputs(const leman_kernel *kernels, size_t count, const leman_dataset *data);
/* LEMAN_ERROR_INPUT where the data, called `name`, is not what was expected; `as` says why it should be: "as all.zip
 * has". */
leman_status lm_required_inputs_check(leman_context *ctx, const char *name, lm_required_inputs found,
                                      lm_required_inputs expected, const char *as);

#endif
