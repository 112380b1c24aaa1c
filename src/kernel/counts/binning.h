/*
 * Hash graph kernels (Morris, Kriege, Kersting, Mutzel: Faster kernels for graphs with continuous attributes via hashing,
 * ICDM 2016): a random binning of the vertex attributes becomes one more vertex label, and every kernel for labelled
 * graphs becomes one for attributes. The sum over several binnings approximates the kernel over all of them.
 *
 * A binning projects the attributes x of a vertex onto a random direction d, normal in each component, and cuts the line
 * into intervals of the length bin_width, with a random offset b: the label is a hash of floor((x d + b) / bin_width) and
 * of the number of the binning. Labels of different binnings are therefore never equal.
 */
#ifndef LM_BINNING_H
#define LM_BINNING_H

#include "kernel/kernel.h"

/* A view of a data set with the label of one binning, and the kernel for this view. */
typedef struct lm_binned {
    leman_dataset data; /* arrays of the data set, except for labels and graph_start */
    leman_kernel kernel;
    int64_t *label;
    uint64_t *graph_start;
} lm_binned;

/* Makes the view, which must not be used after the data and is freed with lm_binned_free(). Fails with LEMAN_ERROR_INPUT
 * if the data has vertices without attributes. Time O(vertices attributes), memory O(vertices labels). */
leman_status lm_binned_new(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernel, uint32_t binning,
                           lm_binned *out);
void lm_binned_free(lm_binned *binned);
/* Fails with LEMAN_ERROR_INPUT if a kernel uses attributes and the vertices of the data have none. */
leman_status lm_attributes_check(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernel);

#endif
