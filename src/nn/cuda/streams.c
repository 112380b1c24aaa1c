/*
 * A second stream. Work launched between lm_cuda_side_begin() and lm_cuda_side_end() waits for all work launched
 * before, and runs concurrently with work launched afterwards, until lm_cuda_side_join(). While a step is recorded,
 * these calls become branches of its graph.
 *
 * A kernel that fills the device leaves multiprocessors idle while its last blocks end and the next kernel begins, and
 * a small kernel leaves most of them idle. Independent kernels fill these gaps. The results have the same bits, since
 * no sum depends on concurrent work. The second stream needs a second workspace of cuBLASLt: if the memory of the
 * device is scarce, there is no second stream, and everything is launched in the first.
 */
#include "nn/cuda/cuda.h"
#include <cuda_runtime_api.h>

#define LEAST_MEMORY ((size_t)256 << 20)

void *lm_cuda_event(lm_device *device)
{
    cudaEvent_t event = NULL;
    if (!device->status)
        lm_device_result(device, (int)cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "making an event");
    return (void *)event;
}

void lm_cuda_event_free(void *event)
{
    if (event) (void)cudaEventDestroy((cudaEvent_t)event);
}

void lm_cuda_record_event(lm_device *device, void *event)
{
    if (device->status) return;
    lm_device_result(device, (int)cudaEventRecord((cudaEvent_t)event, (cudaStream_t)device->stream),
                     "recording an event");
}

void lm_cuda_wait_event(lm_device *device, void *event)
{
    if (device->status) return;
    lm_device_result(device, (int)cudaStreamWaitEvent((cudaStream_t)device->stream, (cudaEvent_t)event, 0),
                     "waiting for an event");
}

leman_status lm_cuda_side_new(lm_cuda *cuda)
{
    lm_device *device = &cuda->device;
    cudaStream_t stream = NULL;
    if (lm_device_left(device) < LEAST_MEMORY) return LEMAN_OK;
    lm_device_result(device, (int)cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "opening a stream");
    cuda->side.stream = (void *)stream;
    cuda->side.fork = lm_cuda_event(device);
    cuda->side.join = lm_cuda_event(device);
    return device->status;
}

void lm_cuda_side_free(lm_cuda *cuda)
{
    lm_cuda_event_free(cuda->side.fork);
    lm_cuda_event_free(cuda->side.join);
    if (cuda->side.stream) (void)cudaStreamDestroy((cudaStream_t)cuda->side.stream);
}

static void swap(lm_cuda *cuda)
{
    void *const stream = cuda->device.stream;
    cuda->device.stream = cuda->side.stream;
    cuda->side.stream = stream;
    cuda->side.current = !cuda->side.current;
}

void lm_cuda_side_begin(lm_cuda *cuda)
{
    if (!cuda->side.stream) return;
    lm_cuda_record_event(&cuda->device, cuda->side.fork);
    swap(cuda);
    lm_cuda_wait_event(&cuda->device, cuda->side.fork);
}

void lm_cuda_side_end(lm_cuda *cuda)
{
    if (!cuda->side.stream) return;
    lm_cuda_record_event(&cuda->device, cuda->side.join);
    swap(cuda);
}

void lm_cuda_side_join(lm_cuda *cuda)
{
    if (cuda->side.stream) lm_cuda_wait_event(&cuda->device, cuda->side.join);
}

/* ---- The caller's stream --------------------------------------------------------------------- */

/* Makes the stream `later` wait for what is in the stream `earlier` now. */
static void follow(lm_cuda *cuda, void *earlier, void *later)
{
    lm_device *device = &cuda->device;
    void *const own = device->stream;
    device->stream = earlier;
    lm_cuda_record_event(device, cuda->caller.event);
    device->stream = later;
    lm_cuda_wait_event(device, cuda->caller.event);
    device->stream = own;
}

void lm_cuda_enter(lm_backend *backend, void *stream)
{
    lm_cuda *cuda = lm_cuda_of(backend);
    lm_device_result(&cuda->device, (int)cudaGetDevice(&cuda->caller.device), "finding the device of the caller");
    lm_device_result(&cuda->device, (int)cudaSetDevice(cuda->device.number), "opening it");
    if (!cuda->caller.event) cuda->caller.event = lm_cuda_event(&cuda->device);
    follow(cuda, stream, cuda->device.stream);
    backend->status = cuda->device.status;
}

void lm_cuda_leave(lm_backend *backend, void *stream)
{
    lm_cuda *cuda = lm_cuda_of(backend);
    follow(cuda, cuda->device.stream, stream);
    lm_device_result(&cuda->device, (int)cudaSetDevice(cuda->caller.device), "returning to the device of the caller");
    backend->status = cuda->device.status;
}
