/* Refinement on a CUDA device, all rounds. */
#ifndef LM_GPU_REFINE_H
#define LM_GPU_REFINE_H

#include "refine/cuda/colors.h"
#include "refine/refine.h"

/* An open device and its plan. The plan lies in the context's scratch, which the caller resets. */
typedef struct lm_gpu {
    lm_device device;
    lm_gpu_plan plan;
    void *memory;           /* device memory of a batch */
    void *pinned;           /* host memory of a piece of classes */
    lm_gpu_classes classes; /* in `pinned` */
} lm_gpu;

/* Opens the device and plans the batches. Fails with LEMAN_ERROR_BUDGET, before any work, if a graph is too large. */
leman_status lm_gpu_open(leman_context *ctx, int number, const lm_gpu_source *source, const leman_coloring *coloring,
                         bool expanded, lm_gpu *gpu);
void lm_gpu_close(lm_gpu *gpu);
/* Returns the bytes of host memory that lm_gpu_refine() takes. */
uint64_t lm_gpu_host_bytes(const lm_gpu *gpu);

/* lm_refine() on the device; `visit` is called in the caller's thread. */
leman_status lm_gpu_refine(lm_gpu *gpu, bool branches, lm_round_visitor *visit, void *state);
/* Computes the census count[rounds + 1]. The plan must have one batch. */
leman_status lm_gpu_count_rounds(lm_gpu *gpu, leman_round_count *count);
/* Computes the colours of all tuples after a round. The plan must have been made for one graph. */
leman_status lm_gpu_tuples(lm_gpu *gpu, uint32_t round, uint64_t *colors);

#endif
