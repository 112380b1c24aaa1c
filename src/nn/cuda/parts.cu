/*
 * Sums over rows, from the parts that blocks have written: to[i] += the sum of parts[part][offset + i] over all parts,
 * in double precision and in a fixed order.
 *
 * Gradients of biases are small and many, and nothing reads them before the end of the backward pass. So parts in a
 * buffer of their own (lm_cuda_parts_room()) are collected, and one kernel adds up all of them: at the end of the pass,
 * when the buffer is full, or when two sums have the same destination. Other parts are added up at once.
 */
#include "nn/cuda/rows.h"
extern "C" {
#include "base/context.h"
}

enum { WARPS = 32, SUMS = 80, SHARE = 1024 };
static const size_t MOST_ROOM = 16 << 20;

struct sum_of_parts {
    const float *parts;
    float *to;
    uint64_t stride, offset;
    uint32_t count, width;
    uint32_t first; /* first block */
};

struct sums_of_parts {
    uint32_t count, blocks;
    sum_of_parts sum[SUMS];
};
static_assert(sizeof(sums_of_parts) <= 4096, "what a kernel takes as arguments");

struct lm_cuda_later {
    sums_of_parts sums;
    char *room;
    size_t bytes, used;
};

/* ---- Kernels --------------------------------------------------------------------------------- */

/* A block has 32 columns of a sum, and each of its warps adds every 32nd part; of a single column, each thread. */
static __global__ void add_parts(const LM_GRID_CONSTANT sums_of_parts all)
{
    lm_after_previous();
    LM_SHARED(double, held, WARPS *LM_CUDA_LANES);
    const sum_of_parts &s = item_of_block(all.sum, all.count);
    const bool single = s.width == 1;
    const uint32_t thread = threadIdx.y * LM_CUDA_LANES + threadIdx.x;
    const uint32_t i = single ? 0 : (blockIdx.x - s.first) * LM_CUDA_LANES + threadIdx.x;
    double sum = 0;
    for (uint32_t p = single ? thread : threadIdx.y; p < s.count && i < s.width;
         p += single ? WARPS * LM_CUDA_LANES : WARPS)
        sum += s.parts[p * s.stride + s.offset + i];
    held[thread] = sum;
    for (uint32_t half = WARPS * LM_CUDA_LANES / 2; half >= (single ? 1 : LM_CUDA_LANES); half /= 2) {
        __syncthreads();
        if (thread < half) held[thread] += held[thread + half];
    }
    __syncthreads();
    if (thread < (single ? 1 : LM_CUDA_LANES) && i < s.width) s.to[i] += (float)held[thread];
}

static void launch(lm_cuda *cuda, const sums_of_parts &all)
{
    LM_LAUNCH_EARLY_WAITING(add_parts, dim3(all.blocks), dim3(LM_CUDA_LANES, WARPS), &cuda->device, all);
    lm_device_launched(&cuda->device, "adding parts of sums");
}

/* ---- Sums that wait -------------------------------------------------------------------------- */

/* The size of the buffer is a small share of the free memory of the device. */
leman_status lm_cuda_later_new(lm_cuda *cuda)
{
    leman_context *const ctx = cuda->base.ctx;
    const size_t share = lm_device_left(&cuda->device) / SHARE;
    void *room = NULL;
    lm_cuda_later *later = (lm_cuda_later *)lm_alloc(ctx, 1, sizeof *later);
    if (!later) return lm_refusal(ctx);
    memset(later, 0, sizeof *later);
    cuda->later = later;
    later->bytes = share < MOST_ROOM ? share : MOST_ROOM;
    const leman_status st = lm_device_allocate(&cuda->device, later->bytes, &room);
    later->room = (char *)room;
    return st;
}

void lm_cuda_later_free(lm_cuda *cuda)
{
    if (!cuda->later) return;
    lm_device_release(&cuda->device, cuda->later->room);
    lm_release(cuda->later);
    cuda->later = NULL;
}

static void add_up(lm_cuda *cuda)
{
    lm_cuda_later *later = cuda->later;
    if (later->sums.count) launch(cuda, later->sums);
    later->sums.count = later->sums.blocks = 0;
}

void lm_cuda_end_backward(lm_backend *backend)
{
    lm_cuda *cuda = lm_cuda_of(backend);
    add_up(cuda);
    cuda->later->used = 0;
}

float *lm_cuda_parts_room(lm_cuda *cuda, size_t bytes, void *otherwise)
{
    lm_cuda_later *later = cuda->later;
    if (bytes > later->bytes) return (float *)otherwise;
    if (bytes > later->bytes - later->used) lm_cuda_end_backward(&cuda->base);
    char *const room = later->room + later->used;
    later->used += (bytes + 255) / 256 * 256;
    if (later->used > later->bytes) later->used = later->bytes;
    return (float *)room;
}

static bool meets(const sum_of_parts &a, const sum_of_parts &b)
{
    return a.to < b.to + b.width && b.to < a.to + a.width;
}

void lm_cuda_add_parts(lm_cuda *cuda, const float *parts, unsigned count, size_t stride, size_t offset, size_t width,
                       float *to)
{
    lm_cuda_later *later = cuda->later;
    sum_of_parts s = {parts, to, stride, offset, count, (uint32_t)width, 0};
    const char *const at = (const char *)parts;
    if (!width) return;
    if (at >= later->room && at < later->room + later->bytes) {
        bool full = later->sums.count == SUMS;
        for (uint32_t i = 0; i < later->sums.count; i++) full = full || meets(later->sums.sum[i], s);
        if (full) add_up(cuda);
        s.first = later->sums.blocks;
        later->sums.blocks += (s.width + LM_CUDA_LANES - 1) / LM_CUDA_LANES;
        later->sums.sum[later->sums.count++] = s;
    } else {
        sums_of_parts one = {};
        one.count = 1, one.blocks = (s.width + LM_CUDA_LANES - 1) / LM_CUDA_LANES;
        one.sum[0] = s;
        launch(cuda, one);
    }
}
