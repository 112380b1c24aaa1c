/*
 * Where colours are computed: on the device that the context names, or on the CPU. Each function says in *done whether
 * a device has done the work; where it has not, the caller goes on with the CPU. "auto" uses a device where there is
 * one, where the work is worth it, and where the graphs fit its memory.
 *
 * The only file of this floor that knows whether the build has CUDA.
 */
#ifndef LM_REFINE_DEVICE_H
#define LM_REFINE_DEVICE_H

#include "refine/refine.h"

/* Might a device do the work? Fails where one is asked for that cannot be. */
leman_status lm_device_refines(leman_context *ctx, const leman_coloring *coloring, bool *wanted);
/* lm_refine(). */
leman_status lm_device_refine(leman_context *ctx, const leman_dataset *data, const leman_coloring *coloring,
                              const lm_refine_options *options, lm_round_visitor *visit, void *state, bool *done);
/* lm_refine_bytes(): what the host needs while a device computes. */
leman_status lm_device_refine_bytes(leman_context *ctx, const leman_dataset *data, const leman_coloring *coloring,
                                    uint64_t *bytes, bool *done);
/* count[rounds + 1]: the census of a data set, where a device holds all its graphs at once. *seconds: without opening
 * it.
 */
leman_status lm_device_census(leman_context *ctx, const leman_dataset *data, const leman_coloring *coloring,
                              leman_round_count *count, double *seconds, bool *done);
/* colors[n^k] of one graph after a round. */
leman_status lm_device_tuples(leman_context *ctx, const leman_graph *graph, const leman_coloring *coloring,
                              uint32_t round, uint64_t *colors, bool *done);

#endif
