/*
 * The part of CUDA's runtime that Leman calls, on the host: one device, whose memory is the host's and whose work is
 * done in the order of its streams (streams.cpp). Allocations can be made to fail: emulate_memory is what the device
 * has.
 */
#ifndef EMULATED_RUNTIME_H
#define EMULATED_RUNTIME_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CUDART_VERSION 13000

typedef enum cudaError {
    cudaSuccess = 0,
    cudaErrorInvalidValue = 1,
    cudaErrorMemoryAllocation = 2,
    cudaErrorNoDevice = 100,
    cudaErrorNotReady = 600,
    cudaErrorNotSupported = 801,
    cudaErrorStreamCaptureInvalidated = 901
} cudaError_t;
enum cudaMemcpyKind { cudaMemcpyHostToDevice = 1, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice };
typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef struct CUgraph_st *cudaGraph_t;
typedef struct CUgraphExec_st *cudaGraphExec_t;
enum cudaStreamCaptureMode { cudaStreamCaptureModeThreadLocal = 1 };
enum { cudaStreamNonBlocking = 1, cudaHostAllocDefault = 0, cudaEventDisableTiming = 2 };
struct cudaDeviceProp {
    char name[256];
    int major, minor, multiProcessorCount, l2CacheSize;
    size_t totalGlobalMem;
};

#ifdef __cplusplus
extern "C" {
#endif
extern size_t emulate_memory; /* bytes that the device has left */
extern int emulate_devices;   /* how many there are */
extern int emulate_device;    /* the current one */
extern size_t emulate_reads;  /* copies to the host that succeed; those after them fail */
extern bool emulate_graphs;   /* graphs can be captured, of nothing */
extern bool emulate_breaks;   /* and every capture breaks: what is asked for until its end is not done */
extern bool emulate_broken;   /* one that has not ended */

cudaError_t cudaMalloc(void **out, size_t bytes);
cudaError_t cudaFree(void *pointer);
cudaError_t cudaHostAlloc(void **out, size_t bytes, unsigned flags);
cudaError_t cudaFreeHost(void *pointer);
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream);
cudaError_t cudaMemsetAsync(void *to, int byte, size_t bytes, cudaStream_t stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream);
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
#ifdef __cplusplus
}
#endif

static inline const char *cudaGetErrorString(cudaError_t code)
{
    return code == cudaErrorMemoryAllocation ? "out of memory" : code ? "an emulated failure" : "no error";
}
static inline cudaError_t cudaGetDeviceCount(int *count)
{
    *count = emulate_devices;
    return cudaSuccess;
}
static inline cudaError_t cudaGetLastError(void)
{
    return cudaSuccess;
}
static inline cudaError_t cudaPeekAtLastError(void)
{
    return emulate_broken ? cudaErrorStreamCaptureInvalidated : cudaSuccess;
}
static inline cudaError_t emulate_exists(int device)
{
    return device >= emulate_devices ? cudaErrorInvalidValue : cudaSuccess;
}
static inline cudaError_t cudaSetDevice(int device)
{
    if (emulate_exists(device) == cudaSuccess) __atomic_store_n(&emulate_device, device, __ATOMIC_RELAXED);
    return emulate_exists(device);
}
static inline cudaError_t cudaGetDevice(int *device)
{
    *device = __atomic_load_n(&emulate_device, __ATOMIC_RELAXED);
    return cudaSuccess;
}
static inline cudaError_t cudaDeviceGetPCIBusId(char *address, int size, int device)
{
    snprintf(address, (size_t)size, "0000:%02x:00.0", (unsigned)device);
    return emulate_exists(device);
}
static inline cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *p, int device)
{
    memset(p, 0, sizeof *p);
    strcpy(p->name, "emulated");
    p->major = 9;
    p->multiProcessorCount = 3;
    p->l2CacheSize = 1 << 20;
    p->totalGlobalMem = (size_t)1 << 34;
    return emulate_exists(device);
}
static inline cudaError_t cudaMemGetInfo(size_t *left, size_t *all)
{
    *all = (size_t)1 << 34;
    *left = emulate_memory < *all ? emulate_memory : *all;
    return cudaSuccess;
}
/* Work goes to its stream as it comes: captured graphs are empty. */
static inline cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
    (void)stream, (void)mode;
    emulate_broken = emulate_graphs && emulate_breaks;
    return emulate_graphs ? cudaSuccess : cudaErrorNotSupported;
}
static inline cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    const cudaError_t code = cudaPeekAtLastError();
    (void)stream;
    *graph = code ? NULL : (cudaGraph_t)(void *)&emulate_graphs;
    emulate_broken = false;
    return emulate_graphs ? code : cudaErrorNotSupported;
}
static inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *out, cudaGraph_t graph, unsigned long long flags)
{
    (void)flags;
    *out = (cudaGraphExec_t)(void *)graph;
    return emulate_graphs ? cudaSuccess : cudaErrorNotSupported;
}
static inline cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t stream)
{
    (void)graph, (void)stream;
    return emulate_graphs ? cudaSuccess : cudaErrorNotSupported;
}
static inline cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graph)
{
    (void)graph;
    return emulate_graphs ? cudaSuccess : cudaErrorNotSupported;
}
static inline cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    (void)graph;
    return emulate_graphs ? cudaSuccess : cudaErrorNotSupported;
}

#endif
