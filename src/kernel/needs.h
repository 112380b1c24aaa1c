/*
 * What kernels look at in the data: two data sets can be compared, and features of one used for the other, where that
 * is the same. Labels of edges do not matter to data without any.
 */
#ifndef LM_NEEDS_H
#define LM_NEEDS_H

#include "graph/dataset.h"

/* The columns of labels that some kernel looks at, 0 where none does; whether arcs have a direction that counts. */
typedef struct lm_needs {
    bool directed;
    size_t vertex_labels, edge_labels;
    bool vertices, arcs; /* are there any? */
} lm_needs;

lm_needs lm_kernels_need(const leman_kernel *kernels, size_t count, const leman_dataset *data);
/* LEMAN_ERROR_INPUT where the data, called `name`, is not what was expected; `as` says why it should be: "as all.zip
 * has". */
leman_status lm_needs_check(leman_context *ctx, const char *name, lm_needs found, lm_needs expected, const char *as);

#endif
