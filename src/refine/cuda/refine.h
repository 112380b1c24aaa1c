/* Colourings on a CUDA device, from the first round to the last. */
#ifndef LM_GPU_REFINE_H
#define LM_GPU_REFINE_H

#include "refine/cuda/colors.h"
#include "refine/refine.h"

/* A device and its plan, until closed. The plan lies in the context's scratch, which the caller resets. */
typedef struct lm_gpu {
    lm_device device;
    lm_gpu_plan plan;
    void *memory;           /* of the device, for a batch */
    lm_gpu_classes classes; /* of the host, pinned */
} lm_gpu;

/* Opens the device and plans, which fails before any work where a graph is too large: LEMAN_ERROR_BUDGET. */
leman_status lm_gpu_open(leman_context *ctx, int number, const lm_gpu_source *source, const leman_coloring *coloring,
                         bool expanded, lm_gpu *gpu);
void lm_gpu_close(lm_gpu *gpu);
/* Bytes of the host that it takes. */
uint64_t lm_gpu_host_bytes(const lm_gpu *gpu);

/* As lm_refine(); everything in the caller's thread. */
leman_status lm_gpu_refine(lm_gpu *gpu, bool branches, lm_round_visitor *visit, void *state);
/* count[rounds + 1] of a plan of one batch. */
leman_status lm_gpu_count_rounds(lm_gpu *gpu, leman_round_count *count);
/* The colours of all tuples of the one graph after a round. */
leman_status lm_gpu_tuples(lm_gpu *gpu, uint32_t round, uint64_t *colors);

#endif
