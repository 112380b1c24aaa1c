/*
 * The choice between the device that the context names and the CPU. Each function sets *done to true if a device has
 * done the work; otherwise the caller does the work on the CPU. The setting "auto" uses a device if one is present, if
 * the work is large enough, and if the graphs fit the device's memory.
 *
 * In src/refine only device_choice.c depends on whether the build has CUDA.
 */
#ifndef LM_REFINE_DEVICE_H
#define LM_REFINE_DEVICE_H

#include "refine/refine.h"

/* Sets *wanted to true if a device may be used for this colouring. Fails if the context names a device that this build
 * does not support. */
leman_status lm_device_refines(leman_context *ctx, const leman_coloring *coloring, bool *wanted);
/* Work for a device. By default it is lm_refine() with these options and this visitor; one of the last three groups, if
 * it is set, is computed instead. */
typedef struct lm_device_task {
    const leman_dataset *data; /* the graphs, */
    const size_t *which;       /* of which only these `graphs` are used; NULL: all, */
    size_t graphs;
    const leman_graph *graph; /* or one graph */
    const leman_coloring *coloring;
    bool branches, expanded; /* lm_refine_options */
    lm_round_visitor *visit;
    void *state;
    uint64_t *bytes; /* lm_refine_bytes(): host memory that is needed while the device computes */
    /* The census count[rounds + 1], if the device can hold all graphs at once. *seconds is the time of the computation,
     * without the time to open the device. */
    leman_round_count *count;
    double *seconds;
    uint64_t *colors; /* colors[n^k]: the colours of all tuples of the graph after `round` rounds */
    uint32_t round;
} lm_device_task;
/* Does the work on a device, or sets *done to false. */
leman_status lm_device_run(leman_context *ctx, const lm_device_task *task, bool *done);

#endif
