/*
 * Sums of rows by type, in a fixed order. Every part of the rows has a table of its own; a warp keeps 32 columns and
 * some hundred types of it in shared memory, one column for each thread. The tables are then added up. Rows are read
 * once.
 *
 * The rows are given by a source: type(r), and number(r, c) for rows whose type is needed.
 */
#ifndef LM_BY_TYPE_H
#define LM_BY_TYPE_H

#include "nn/cuda/rows.h"

enum {
    LM_TYPES_HELD = 384,  /* rows of the table that a warp holds: 48 KiB of shared memory */
    LM_TYPES_AT_ONCE = 8, /* rows whose numbers are being loaded */
    LM_TYPES_MAX_PARTS = 264
};

static inline size_t type_parts(size_t numbers)
{
    const size_t parts = ((size_t)64 << 20) / (numbers * sizeof(float) + 1);
    return parts < 1 ? 1 : parts < LM_TYPES_MAX_PARTS ? parts : (size_t)LM_TYPES_MAX_PARTS;
}

static inline size_t type_parts_bytes(size_t types, size_t width)
{
    return type_parts(types * width) * types * width * sizeof(float);
}

/* A warp handles (part, 32 columns, range of types). */
template <class S>
static __global__ void sum_by_type(S source, uint32_t rows, uint32_t width, uint32_t types, float *parts)
{
    lm_after_previous();
    LM_SHARED(float, table, LM_TYPES_HELD *LM_WARP);
    const uint32_t c = blockIdx.y * LM_WARP + threadIdx.x, low = blockIdx.z * LM_TYPES_HELD;
    const uint32_t count = types - low < LM_TYPES_HELD ? types - low : (uint32_t)LM_TYPES_HELD;
    const uint32_t first = (uint32_t)((uint64_t)rows * blockIdx.x / gridDim.x);
    const uint32_t end = (uint32_t)((uint64_t)rows * (blockIdx.x + 1) / gridDim.x);
    float *mine = table + threadIdx.x;
    for (uint32_t t = 0; t < count; t++) mine[t * LM_WARP] = 0;
    for (uint32_t r = first; r < end; r += LM_WARP) { /* types of 32 rows, one for each lane; then their numbers */
        const uint32_t at = r + threadIdx.x;
        uint32_t type = at < end ? source.type(at) : LM_NO_TYPE;
        float number[LM_WARP];
        type = type == LM_NO_TYPE ? LM_NO_TYPE : type - low; /* below low it wraps: out of range */
        for (int i = 0; i < LM_WARP; i++) {
            const uint32_t wanted = __shfl_sync(0xffffffffu, type, i);
            number[i] = wanted < count && c < width ? source.number(r + i, c) : 0;
        }
        for (int i = 0; i < LM_WARP; i++) {
            const uint32_t wanted = __shfl_sync(0xffffffffu, type, i);
            if (wanted < count) mine[wanted * LM_WARP] += number[i];
        }
    }
    for (uint32_t t = 0; t < count && c < width; t++)
        parts[((size_t)blockIdx.x * types + low + t) * width + c] = mine[t * LM_WARP];
}

/* to[types][width] += the sums; parts: workspace of type_parts_bytes(). */
template <class S>
static void add_by_type(lm_cuda *cuda, S source, size_t rows, size_t width, size_t types, float *parts, float *to)
{
    const size_t numbers = types * width, count = type_parts(numbers);
    const dim3 grid((unsigned)count, (unsigned)((width + LM_WARP - 1) / LM_WARP),
                    (unsigned)((types + LM_TYPES_HELD - 1) / LM_TYPES_HELD));
    if (!rows || !numbers) return;
    LM_LAUNCH_EARLY_WAITING((sum_by_type<S>), grid, dim3(LM_WARP), &cuda->device, source, (uint32_t)rows,
                            (uint32_t)width, (uint32_t)types, parts);
    lm_cuda_add_parts(cuda, parts, (unsigned)count, numbers, 0, numbers, to);
}

#endif
