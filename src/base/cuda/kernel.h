/*
 * Macros with which .cu files start kernels, on a device or in the emulation of the tests.
 *
 *   LM_LAUNCH(kernel, blocks, threads, stream, arguments...)        threads do not wait for each other
 *   LM_LAUNCH_WAITING(kernel, blocks, threads, stream, ...)         threads wait: __syncthreads, shuffles
 *   LM_LAUNCH_EARLY(kernel, blocks, threads, device, arguments...)  and  LM_LAUNCH_EARLY_WAITING(...), with an lm_device
 *                                                                   instead of a stream
 *   lm_after_previous()                                             what a kernel that is launched early begins with
 *   LM_SHARED(type, name, count)                                    a shared array of constant size
 *   const LM_GRID_CONSTANT type name                                an argument that is read in place, not copied
 *
 * A kernel that is launched early is brought to the multiprocessors while the kernel before it ends, and reads and writes
 * no memory before that has ended: a short kernel does not wait for its launch. Devices of capability 9 can do so.
 *
 * LM_LAUNCH and LM_LAUNCH_WAITING are equal on a device. The emulation runs the threads of LM_LAUNCH as a plain loop.
 */
#ifndef LM_KERNEL_H
#define LM_KERNEL_H

#ifdef LM_EMULATE
#include "emulate.h"
#else
#include <cuda_bf16.h>
#include <cuda_runtime.h>
#define LM_LAUNCH(kernel, blocks, threads, stream, ...)                                                                \
    kernel<<<(blocks), (threads), 0, (cudaStream_t)(stream)>>>(__VA_ARGS__)
#define LM_LAUNCH_WAITING(kernel, blocks, threads, stream, ...)                                                        \
    kernel<<<(blocks), (threads), 0, (cudaStream_t)(stream)>>>(__VA_ARGS__)
#define LM_LAUNCH_EARLY(kernel, blocks, threads, device, ...)                                                          \
    lm_launch_early(kernel, blocks, threads, (cudaStream_t)(device)->stream, (device)->major >= 9, __VA_ARGS__)
#define LM_LAUNCH_EARLY_WAITING LM_LAUNCH_EARLY
#define LM_SHARED(type, name, count) __shared__ type name[count]
#define LM_GRID_CONSTANT __grid_constant__

static __device__ __forceinline__ void lm_after_previous()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;");
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

template <class... Parameters, class... Arguments>
static inline void lm_launch_early(void (*kernel)(Parameters...), dim3 blocks, dim3 threads, cudaStream_t stream,
                                   bool early, Arguments &&...arguments)
{
    cudaLaunchAttribute attribute = {};
    cudaLaunchConfig_t config = {};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    config.gridDim = blocks, config.blockDim = threads, config.stream = stream;
    config.attrs = &attribute, config.numAttrs = early;
    cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...);
}
#endif

typedef __nv_bfloat16 lm_bfloat16;

enum { LM_WARP = 32 };

/* A loop over an array that must stay in registers: its indices become constants. */
#ifdef LM_EMULATE
#define LM_UNROLLED_FOR(...) for (__VA_ARGS__)
#else
#define LM_UNROLLED_FOR(...) _Pragma("unroll") for (__VA_ARGS__)
#endif

#endif
