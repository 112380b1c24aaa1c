/*
 * The choice between the device that the context names and the CPU. Each function sets *done to true if a device has
 * done the work; otherwise the caller does the work on the CPU. The setting "auto" uses a device if one is present, if
 * the work is large enough, and if the graphs fit the device's memory.
 *
 * In src/refine only device.c depends on whether the build has CUDA.
 */
#ifndef LM_REFINE_DEVICE_H
#define LM_REFINE_DEVICE_H

#include "refine/refine.h"

/* Sets *wanted to true if a device may be used for this colouring. Fails if the context names a device that this build
 * does not support. */
leman_status lm_device_refines(leman_context *ctx, const leman_coloring *coloring, bool *wanted);
/* lm_refine() on a device. */
leman_status lm_device_refine(leman_context *ctx, const leman_dataset *data, const leman_coloring *coloring,
                              const lm_refine_options *options, lm_round_visitor *visit, void *state, bool *done);
/* lm_refine_bytes() for a device: the bytes of host memory that are needed while the device computes. */
leman_status lm_device_refine_bytes(leman_context *ctx, const leman_dataset *data, const leman_coloring *coloring,
                                    uint64_t *bytes, bool *done);
/* Computes the census of a data set into count[rounds + 1], if the device can hold all graphs at once. *seconds is the
 * time of the computation, without the time to open the device. */
leman_status lm_device_census(leman_context *ctx, const leman_dataset *data, const leman_coloring *coloring,
                              leman_round_count *count, double *seconds, bool *done);
/* Computes colors[n^k]: the colours of all tuples of one graph after `round` rounds. */
leman_status lm_device_tuples(leman_context *ctx, const leman_graph *graph, const leman_coloring *coloring,
                              uint32_t round, uint64_t *colors, bool *done);

#endif
