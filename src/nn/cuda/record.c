/*
 * Training steps, and passes, as CUDA graphs. The first step of an extent is launched kernel by kernel, and libraries make their
 * choices during it. The second step is recorded. From the third on a step is a single launch. Once LM_CUDA_RECORDS
 * extents have been seen, steps of further extents are not recorded.
 *
 * Another thread that waits for the device, as libraries do when they are closed, breaks a recording. The step is then
 * launched kernel by kernel, and the next step of its extent is recorded instead.
 */
#include "nn/cuda/cuda.h"
#include <cuda_runtime_api.h>
#include <string.h>

/* Returns the record of a part for an extent, or the next free one: NULL if there is none. */
static lm_cuda_record *find_record(lm_cuda *cuda, const lm_extent *extent, lm_recorded part)
{
    for (size_t i = 0; i < cuda->records; i++)
        if (cuda->record[i].part == part && !memcmp(&cuda->record[i].extent, extent, sizeof *extent))
            return cuda->record + i;
    return cuda->records < LM_CUDA_RECORDS ? cuda->record + cuda->records : NULL;
}

bool lm_cuda_replay(lm_backend *backend, const lm_extent *extent, lm_recorded part)
{
    lm_cuda *cuda = lm_cuda_of(backend);
    lm_device *device = &cuda->device;
    cudaStream_t stream = (cudaStream_t)device->stream;
    lm_cuda_record *record = find_record(cuda, extent, part);
    device->recording = false;
    if (cuda->records_nothing || device->status || !record) return false;
    if (record == cuda->record + cuda->records) {
        *record = (lm_cuda_record){.extent = *extent, .part = part};
        cuda->records++;
        return false;
    }
    if (record->graph) {
        lm_device_result(device, (int)cudaGraphLaunch((cudaGraphExec_t)record->graph, stream), "repeating a step");
        backend->status = device->status;
        return true;
    }
    device->broken = false;
    device->recording = cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal) == cudaSuccess;
    cuda->records_nothing = !device->recording;
    cuda->now = record;
    return false;
}

bool lm_cuda_recorded(lm_backend *backend)
{
    lm_cuda *cuda = lm_cuda_of(backend);
    lm_device *device = &cuda->device;
    cudaStream_t stream = (cudaStream_t)device->stream;
    cudaGraph_t graph = NULL;
    cudaGraphExec_t ready = NULL;
    bool launched = true;
    if (device->recording) {
        lm_device_result(device, (int)cudaStreamEndCapture(stream, &graph), "recording a step");
        device->recording = false;
        launched = !device->broken;
        if (launched)
            lm_device_result(device, (int)cudaGraphInstantiate(&ready, graph, 0), "preparing a recorded step");
        else
            (void)cudaGetLastError();
        if (graph) (void)cudaGraphDestroy(graph);
        cuda->now->graph = (void *)ready;
        if (ready) lm_device_result(device, (int)cudaGraphLaunch(ready, stream), "repeating a step");
    }
    backend->status = device->status;
    return launched;
}

void lm_cuda_forget(lm_cuda *cuda)
{
    lm_device_wait(&cuda->device);
    for (size_t i = 0; i < cuda->records; i++)
        if (cuda->record[i].graph) (void)cudaGraphExecDestroy((cudaGraphExec_t)cuda->record[i].graph);
    cuda->records = 0;
}
