/*
 * Macros with which .cu files start kernels, on a device or in the emulation of the tests.
 *
 *   LM_LAUNCH(kernel, blocks, threads, stream, arguments...)        threads do not wait for each other
 *   LM_LAUNCH_WAITING(kernel, blocks, threads, stream, ...)         threads wait: __syncthreads, shuffles
 *   LM_SHARED(type, name, count)                                    a shared array of constant size
 *   const LM_GRID_CONSTANT type name                                an argument that is read in place, not copied
 *
 * The two launches are equal on a device. The emulation runs the threads of LM_LAUNCH as a plain loop.
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
#define LM_SHARED(type, name, count) __shared__ type name[count]
#define LM_GRID_CONSTANT __grid_constant__
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
