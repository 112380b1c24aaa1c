/* A sum over lists of rows as the devices compute it: the arguments of leman_neighbor_sum(), checked. */
#ifndef LM_ROW_SUM_H
#define LM_ROW_SUM_H

#include "leman.h"

typedef struct lm_row_sum {
    leman_row_lists lists;
    leman_number number;
    size_t width;
    const void *x, *epsilon; /* epsilon: one number, or NULL */
    void *y;
} lm_row_sum;

/* Queues a sum on a CUDA device. Fails with LEMAN_ERROR_UNSUPPORTED if the build or the machine does not have the
 * device. */
leman_status lm_row_sum_cuda(leman_context *ctx, const lm_row_sum *sum);
/* lm_row_sum_cuda() in a build with CUDA, for a device that exists (nn/cuda/row_sum.cu). */
leman_status lm_cuda_row_sum(leman_context *ctx, const lm_row_sum *sum);

#endif
