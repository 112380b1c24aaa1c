/*
 * Streams of the emulated device. What is asked for waits in the queue of its stream, and is done at once, a little
 * later, or only when something waits for it, by chance. So between the events that order them kernels of two streams
 * run in either order, work that nobody waits for is never done, and memory of the host shows whether it is written
 * again before it was copied, or read before it was written.
 */
#include "emulate.h"
#include <algorithm>
#include <deque>
#include <map>
#include <mutex>
#include <vector>

struct CUstream_st {
    std::deque<std::function<void()>> queue;
    uint64_t asked = 0, done = 0; /* pieces of work, in all */
    uint64_t most = 0;            /* may wait */
};
struct CUevent_st {
    cudaStream_t stream = nullptr;
    uint64_t asked = 0; /* of the stream, when it was recorded */
};

namespace
{

/* Ranks are threads of the host. A test that fails within a kernel leaves it locked, and the next one goes on. */
std::recursive_mutex one;
typedef std::lock_guard<std::recursive_mutex> locked;

std::vector<cudaStream_t> streams;
std::map<const char *, size_t> pinned; /* first byte, bytes */

uint64_t most_waiting()
{
    switch (emulate_random() % 3) {
    case 0: return 0;
    case 1: return emulate_random() % 8;
    default: return UINT64_MAX;
    }
}

void do_until(cudaStream_t stream, uint64_t end)
{
    if (stream->done < end) stream->most = most_waiting();
    while (stream->done < end) {
        const std::function<void()> work = std::move(stream->queue.front());
        stream->queue.pop_front();
        stream->done++;
        work();
    }
}

void do_all()
{
    for (cudaStream_t stream : streams) do_until(stream, stream->asked);
}

bool is_pinned(const void *memory)
{
    const locked alone(one);
    const auto next = pinned.upper_bound((const char *)memory);
    if (next == pinned.begin()) return false;
    const auto block = std::prev(next);
    return (const char *)memory < block->first + block->second;
}

} // namespace

void emulate_later(cudaStream_t stream, std::function<void()> work)
{
    const locked alone(one);
    if (emulate_broken) return;
    stream->queue.push_back(std::move(work));
    stream->asked++;
    if (stream->queue.size() > stream->most) do_until(stream, stream->asked);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

/* Memory of a device holds anything: here the bytes of a NaN. */
cudaError_t cudaMalloc(void **out, size_t bytes)
{
    if (bytes > emulate_memory || !(*out = malloc(bytes))) return cudaErrorMemoryAllocation;
    memset(*out, 0xff, bytes);
    return cudaSuccess;
}

/* Waits for the device, as CUDA's does. */
cudaError_t cudaFree(void *pointer)
{
    const locked alone(one);
    do_all();
    free(pointer);
    return cudaSuccess;
}

cudaError_t cudaHostAlloc(void **out, size_t bytes, unsigned)
{
    const locked alone(one);
    if (!(*out = malloc(bytes))) return cudaErrorMemoryAllocation;
    pinned[(const char *)*out] = bytes;
    return cudaSuccess;
}

cudaError_t cudaFreeHost(void *pointer)
{
    const locked alone(one);
    do_all();
    pinned.erase((const char *)pointer);
    free(pointer);
    return cudaSuccess;
}

/* From memory that is not pinned CUDA copies to a place of its own first, and to such memory it waits. */
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    if (kind == cudaMemcpyDeviceToHost && emulate_reads != SIZE_MAX) {
        if (!emulate_reads) {
            memset(to, 0xff, bytes); /* NaN: who takes them for results is seen */
            return cudaErrorInvalidValue;
        }
        emulate_reads--;
    }
    if (kind == cudaMemcpyHostToDevice && !is_pinned(from)) {
        const std::vector<char> kept((const char *)from, (const char *)from + bytes);
        emulate_later(stream, [=] { std::copy(kept.begin(), kept.end(), (char *)to); });
    } else {
        emulate_later(stream, [=] { memmove(to, from, bytes); });
    }
    if (kind == cudaMemcpyDeviceToHost && !is_pinned(to)) (void)cudaStreamSynchronize(stream);
    return cudaPeekAtLastError();
}

cudaError_t cudaMemsetAsync(void *to, int byte, size_t bytes, cudaStream_t stream)
{
    emulate_later(stream, [=] { memset(to, byte, bytes); });
    return cudaPeekAtLastError();
}

/* ---- Streams and events ---------------------------------------------------------------------- */

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned)
{
    const locked alone(one);
    streams.push_back(*stream = new CUstream_st);
    return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    const locked alone(one);
    do_all(); /* others may wait for its work */
    streams.erase(std::find(streams.begin(), streams.end(), stream));
    delete stream;
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    const locked alone(one);
    do_until(stream, stream->asked);
    return cudaSuccess;
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    return cudaStreamSynchronize(stream);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned)
{
    *event = new CUevent_st;
    return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    delete event;
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    const locked alone(one);
    event->stream = stream;
    event->asked = stream->asked;
    return cudaSuccess;
}

/* An event that was never recorded has nothing to wait for. */
cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    const locked alone(one);
    if (event->stream) do_until(event->stream, event->asked);
    return cudaSuccess;
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    return cudaEventSynchronize(event);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned)
{
    const CUevent_st recorded = *event; /* it may be recorded again */
    if (recorded.stream) emulate_later(stream, [=] { do_until(recorded.stream, recorded.asked); });
    return cudaPeekAtLastError();
}
