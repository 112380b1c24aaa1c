/* Refinement on a CUDA device: its batches, and all rounds. */
#ifndef LM_GPU_REFINE_H
#define LM_GPU_REFINE_H

#include "refine/cuda/colors.h"
#include "refine/device_choice.h"

/* ---- Batches --------------------------------------------------------------------------------- */

/* Returns graph g of a task, 0 <= g < task->graphs, and its number in the data set. */
leman_graph lm_gpu_graph_of(const lm_device_task *task, size_t g);
static inline size_t lm_gpu_number_of(const lm_device_task *task, size_t g)
{
    return task->which ? task->which[g] : g;
}

/* How the graphs are divided into batches, and the memory of a batch. Lies in the context's scratch. */
typedef struct lm_gpu_plan {
    const lm_device_task *task;
    size_t *first; /* [batches + 1] first graph of each batch */
    size_t batches;
    size_t bytes; /* device memory of the largest batch */
} lm_gpu_plan;
/* Divides the graphs into batches. Fails with LEMAN_ERROR_BUDGET, and names the graph, if a graph is too large. */
leman_status lm_gpu_plan_new(lm_device *device, const lm_device_task *task, lm_gpu_plan *plan);
/* Loads batch i of the plan into `memory`, plan->bytes of device memory: sizes, arrays and graphs. */
leman_status lm_gpu_batch_load(lm_device *device, const lm_gpu_plan *plan, size_t i, void *memory, lm_gpu_batch *batch);

/* ---- All rounds ------------------------------------------------------------------------------ */

/* An open device and its plan. The plan lies in the context's scratch, which the caller resets. */
typedef struct lm_gpu {
    lm_device device;
    lm_gpu_plan plan;
    void *memory; /* device memory of a batch */
    void *pinned; /* host memory of a piece of classes */
} lm_gpu;

/* Opens the device and plans the batches of the task, which must stay valid. Fails with LEMAN_ERROR_BUDGET, before any
 * work, if a graph is too large. */
leman_status lm_gpu_open(leman_context *ctx, int number, const lm_device_task *task, lm_gpu *gpu);
void lm_gpu_close(lm_gpu *gpu);
/* Returns the bytes of host memory that lm_gpu_run() takes. */
uint64_t lm_gpu_host_bytes(const lm_gpu *gpu);
/* Does the task: visits the classes of all rounds in the caller's thread, or counts them, for which the plan must have
 * one batch. */
leman_status lm_gpu_run(lm_gpu *gpu);
/* Computes the colours of all tuples of the task's graph. */
leman_status lm_gpu_tuples(lm_gpu *gpu);

#endif
