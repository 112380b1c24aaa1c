/* CUDA devices through the runtime's C interface; device.h describes them. */
#include "base/cuda/device.h"
#include "base/context.h"
#include "base/text.h"
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <time.h>

enum { OLDEST_MAJOR = 8 }; /* bfloat16 and TF32 need it; the build has machine code from it on */
static const size_t KEPT_FREE = (size_t)256 << 20; /* for the libraries themselves */

static cudaStream_t stream_of(const lm_device *device)
{
    return (cudaStream_t)device->stream;
}

bool lm_device_failed(lm_device *device)
{
    device->broken = device->broken || device->recording;
    return !device->recording && !device->status;
}

void lm_device_result(lm_device *device, int code, const char *what)
{
    if (code == cudaSuccess || !lm_device_failed(device)) return;
    leman_status st = code == cudaErrorMemoryAllocation ? LEMAN_ERROR_MEMORY : LEMAN_ERROR_DEVICE;
    device->status = lm_fail(device->ctx, st, "CUDA device %d (%s): %s: %s", device->number, device->name, what,
                             cudaGetErrorString((cudaError_t)code));
}

void lm_device_launched(lm_device *device, const char *kernel)
{
    lm_device_result(device, (int)cudaPeekAtLastError(), kernel);
}

/* ---- Finding --------------------------------------------------------------------------------- */

int lm_device_count(void)
{
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess) {
        (void)cudaGetLastError();
        return 0;
    }
    return count;
}

leman_status lm_device_describe(leman_context *ctx, int number, lm_device *out)
{
    struct cudaDeviceProp found;
    const int count = lm_device_count();
    if (!count)
        return lm_fail(ctx, LEMAN_ERROR_DEVICE, "no CUDA device was found, expected one and a driver for CUDA %d.%d",
                       CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
    if (number < 0 || number >= count)
        return lm_fail(ctx, LEMAN_ERROR_DEVICE, "CUDA device %d does not exist, expected %s%d", number,
                       count > 1 ? "0 to " : "", count - 1);
    cudaError_t code = cudaGetDeviceProperties(&found, number);
    if (code != cudaSuccess)
        return lm_fail(ctx, LEMAN_ERROR_DEVICE, "CUDA device %d: %s", number, cudaGetErrorString(code));
    *out = (lm_device){.ctx = ctx,
                       .number = number,
                       .major = found.major,
                       .minor = found.minor,
                       .multiprocessors = found.multiProcessorCount,
                       .cache = (size_t)found.l2CacheSize,
                       .memory = found.totalGlobalMem};
    snprintf(out->name, sizeof out->name, "%.255s", found.name);
    return LEMAN_OK;
}

leman_status lm_device_open(leman_context *ctx, int number, size_t budget, lm_device *out)
{
    size_t left = 0, all = 0;
    lm_device device;
    cudaStream_t stream;
    PASS(lm_device_describe(ctx, number, &device));
    if (device.major < OLDEST_MAJOR)
        return lm_fail(ctx, LEMAN_ERROR_DEVICE,
                       "CUDA device %d (%s) has compute capability %d.%d, expected %d.0 or later", number, device.name,
                       device.major, device.minor, OLDEST_MAJOR);
    lm_device_result(&device, (int)cudaSetDevice(number), "opening it");
    if (!device.status) lm_device_result(&device, (int)cudaMemGetInfo(&left, &all), "asking for its memory");
    PASS(device.status);
    left = left > KEPT_FREE ? left - KEPT_FREE : 0;
    device.budget = budget && budget < left ? budget : left;
    lm_device_result(&device, (int)cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "opening a stream");
    PASS(device.status);
    device.stream = (void *)stream;
    *out = device;
    return LEMAN_OK;
}

void lm_device_share(lm_device *device, lm_device *with)
{
    device->budget = with->budget;
    device->beside = with;
    with->beside = device;
}

void lm_device_close(lm_device *device)
{
    if (device->beside) device->beside->beside = NULL;
    device->beside = NULL;
    if (!device->stream) return;
    (void)cudaStreamSynchronize(stream_of(device));
    (void)cudaStreamDestroy(stream_of(device));
    device->stream = NULL;
}

/* ---- Memory ---------------------------------------------------------------------------------- */

size_t lm_device_left(const lm_device *device)
{
    const size_t used = device->used + (device->beside ? device->beside->used : 0);
    return device->budget > used ? device->budget - used : 0;
}

leman_status lm_device_allocate(lm_device *device, size_t bytes, void **out)
{
    const size_t asked = bytes ? bytes : 1, left = lm_device_left(device);
    char wanted[LM_NUMBER_TEXT], has[LM_NUMBER_TEXT];
    *out = NULL;
    if (device->status) return device->status;
    if (asked > left)
        return lm_fail(device->ctx, LEMAN_ERROR_BUDGET,
                       "CUDA device %d (%s): %s are needed, and %s of its memory are left", device->number,
                       device->name, lm_bytes_text(asked, wanted), lm_bytes_text(left, has));
    if (device->blocks == LM_DEVICE_BLOCKS)
        return lm_fail(device->ctx, LEMAN_ERROR_INTERNAL, "CUDA device %d: more than %d blocks of memory",
                       device->number, LM_DEVICE_BLOCKS);
    cudaError_t code = cudaMalloc(out, asked);
    if (code != cudaSuccess) {
        (void)cudaGetLastError(); /* clears the error: the device can still be used */
        *out = NULL;
        return lm_fail(device->ctx, LEMAN_ERROR_MEMORY, "CUDA device %d (%s): %s are needed: %s", device->number,
                       device->name, lm_bytes_text(asked, wanted), cudaGetErrorString(code));
    }
    device->used += asked;
    device->block[device->blocks++] = (lm_device_block){*out, asked};
    lm_device_clear(device, *out, asked);
    return device->status;
}

void lm_device_release(lm_device *device, void *pointer)
{
    size_t i = 0;
    if (!pointer) return;
    lm_device_wait(device);
    lm_device_result(device, (int)cudaFree(pointer), "freeing memory");
    while (i < device->blocks && device->block[i].pointer != pointer) i++;
    if (i == device->blocks) return;
    device->used -= device->block[i].bytes;
    device->block[i] = device->block[--device->blocks];
}

leman_status lm_device_pin(lm_device *device, size_t bytes, void **out)
{
    lm_device_result(device, (int)cudaHostAlloc(out, bytes ? bytes : 1, cudaHostAllocDefault), "pinning memory");
    return device->status;
}

void lm_device_unpin(lm_device *device, void *pointer)
{
    if (pointer) lm_device_result(device, (int)cudaFreeHost(pointer), "freeing pinned memory");
}

/* ---- Copies ---------------------------------------------------------------------------------- */

static void copy(lm_device *device, void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    if (!bytes || device->status) return;
    lm_device_result(device, (int)cudaMemcpyAsync(to, from, bytes, kind, stream_of(device)), "copying");
}

void lm_device_write(lm_device *device, void *to, const void *from, size_t bytes)
{
    copy(device, to, from, bytes, cudaMemcpyHostToDevice);
}

void lm_device_copy(lm_device *device, void *to, const void *from, size_t bytes)
{
    copy(device, to, from, bytes, cudaMemcpyDeviceToDevice);
}

void lm_device_read(lm_device *device, void *to, const void *from, size_t bytes)
{
    if (device->given_up) lm_device_wait(device); /* a copy to memory that is not pinned does not call given_up() */
    copy(device, to, from, bytes, cudaMemcpyDeviceToHost);
    lm_device_wait(device);
}

void lm_device_clear(lm_device *device, void *to, size_t bytes)
{
    if (!bytes || device->status) return;
    lm_device_result(device, (int)cudaMemsetAsync(to, 0, bytes, stream_of(device)), "clearing memory");
}

/* Waits until the event, or all work if the event is NULL, is done, or until given_up() returns true. */
static void watch(lm_device *device, cudaEvent_t event)
{
    const struct timespec pause = {0, 20000};
    while (!device->status && device->given_up) {
        const cudaError_t code = event ? cudaEventQuery(event) : cudaStreamQuery(stream_of(device));
        if (code != cudaErrorNotReady) return;
        (void)cudaGetLastError(); /* cudaErrorNotReady is not a failure */
        if (device->given_up(device->given_up_argument)) return;
        (void)nanosleep(&pause, NULL);
    }
}

void lm_device_wait(lm_device *device)
{
    watch(device, NULL);
    if (!device->status) lm_device_result(device, (int)cudaStreamSynchronize(stream_of(device)), "waiting");
}

void lm_device_wait_event(lm_device *device, void *event)
{
    watch(device, (cudaEvent_t)event);
    if (!device->status) lm_device_result(device, (int)cudaEventSynchronize((cudaEvent_t)event), "waiting for a copy");
}
