/*
 * leman/passes.h - forward and backward passes of a network in the caller's memory, for programs that have weights,
 * losses and optimisers of their own (leman.nn.torch.Network calls them). 32-bit floats, on the CPU or a CUDA device.
 */
#ifndef LEMAN_PASSES_H
#define LEMAN_PASSES_H

#include "leman/network.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How passes are computed. */
typedef struct leman_passes_options {
    size_t size; /* leman_passes_options_init() sets it */
    leman_device device;
    int device_number;         /* of CUDA devices, from 0 */
    bool backward;             /* there are backward passes: forward passes keep what they read */
    leman_precision precision; /* of matrix products on CUDA devices: LEMAN_PRECISION_FP32 or LEMAN_PRECISION_TF32 */
} leman_passes_options;

/* Sets forward passes alone, on the CPU. */
LEMAN_API void leman_passes_options_init(leman_passes_options *options, size_t size);
static inline leman_passes_options leman_passes_options_default(void)
{
    leman_passes_options options;
    leman_passes_options_init(&options, sizeof options);
    return options;
}

/* A network that is ready to compute: its steps, and memory for the values of a batch. One thread at a time may use it. */
typedef struct leman_passes leman_passes;

/* Makes the passes of a network. The context and the network, whose own weights are not read, must outlive them. The
 * options may be NULL. Fails with LEMAN_ERROR_UNSUPPORTED if the build or the machine does not have the device. */
LEMAN_API leman_status leman_passes_new(leman_context *ctx, const leman_network *network,
                                        const leman_passes_options *options, leman_passes **passes);
LEMAN_API void leman_passes_free(leman_passes *passes);

/*
 * Computes output[rows][outputs], before softmax and scaling: a row for each graph of the batch, or for each of its
 * vertices or arcs if the network predicts those.
 *
 * batch: from leman_network_encode() of this network; it must not change before the backward pass. weight[i]: the
 * numbers of the weight that leman_network_weight_name() lists as number i. training: batch norm uses the statistics of
 * the batch and updates the running statistics, weights that are not learned, in place; dropout drops numbers. `weight` itself is
 * on the host; all numbers are in the memory of the device.
 *
 * stream: CUDA: the cudaStream_t in whose order the pass reads and writes; NULL: the default stream. The call returns
 * when the work is queued. Memory is allocated only for batches larger than all before.
 */
LEMAN_API leman_status leman_passes_forward(leman_context *ctx, leman_passes *passes, const leman_batch *batch,
                                            float *const *weight, bool training, void *stream, float *output);
/*
 * Computes the gradients of a loss by the learned weights, from output_gradient[rows][outputs], its gradient by the output of the last
 * forward pass, which must have been one in training. gradient[i]: where that of weight i is written; NULL if it is not wanted,
 * or not learned. Fails with LEMAN_ERROR_ARGUMENT if there was no such pass, or a backward pass after it. Memory and stream as in
 * leman_passes_forward().
 */
LEMAN_API leman_status leman_passes_backward(leman_context *ctx, leman_passes *passes, const float *output_gradient,
                                             float *const *gradient, void *stream);

#ifdef __cplusplus
}
#endif
#endif
